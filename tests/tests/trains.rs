//! Systems without parts in space have a smaller library, in which they are the same.

use std::io::Write;
use std::path::Path;

use fmu_builder::description::Causality;
use fmu_builder::{Archive, Platform, Settings};
use fmu_tests::api::Status;
use fmu_tests::finished::{Fmu, archive, library, resolve, root};

/// The examples without parts in space.
const EXAMPLES: [&str; 6] = ["gear-shift", "hoist", "launch", "quarter-car", "drive-unit", "coupled-clutches"];

/// Returns the library of an archive of a system.
fn binary(fmu: &Path) -> Vec<u8> {
    let entry = Platform::host().unwrap().entry(fmu.file_stem().unwrap().to_str().unwrap());
    Archive::open(fmu).unwrap().read(&entry).unwrap()
}

#[test]
#[ignore = "expensive: packs each example twice"]
fn a_system_is_the_same_in_both_libraries() {
    for example in EXAMPLES {
        let file = root().join("examples").join(example).with_extension("toml");
        let of = |component: &str| {
            let mut settings = Settings::from_toml(&file).unwrap();
            settings.name_after(&file);
            Fmu::of(component, resolve(component, &settings).unwrap_or_else(|error| panic!("{example}: {error}")))
        };
        let [small, large] = ["trains", "systems"].map(of);
        assert_ne!(binary(&small.file), binary(&large.file));
        let model = |fmu: &Fmu| Archive::open(&fmu.file).unwrap().read("modelDescription.xml").unwrap();
        assert_eq!(model(&small), model(&large), "{example}");
        let inputs: Vec<_> = small
            .description
            .variables
            .iter()
            .filter(|variable| variable.causality == Causality::Input)
            .map(|variable| variable.name.clone())
            .collect();
        let instances = [small.instance(), large.instance()];
        instances.iter().for_each(|instance| instance.initialise());
        for step in 0..200 {
            let time = f64::from(step) * 0.01;
            for instance in &instances {
                for (i, name) in inputs.iter().enumerate() {
                    instance.set(name, &[0.5 + 0.5 * (3.0 * time + i as f64).sin()]);
                }
                instance.step(time, 0.01);
            }
            assert_eq!(instances[0].bits(), instances[1].bits(), "{example} at {time}");
        }
    }
}

#[test]
fn the_page_of_a_drive_train_does_not_speak_of_space() {
    let page = |component: &str, example: &str| {
        let file = root().join("examples").join(example).with_extension("toml");
        resolve(component, &Settings::from_toml(&file).unwrap()).unwrap().documentation
    };
    assert!(page("systems", "slider-crank").contains("Mechanisms in space add the loads"));
    for component in ["trains", "systems"] {
        let page = page(component, "gear-shift");
        assert!(page.contains("Parts are connected at flanges") && !page.contains("space"), "{page}");
    }
}

#[test]
fn libraries_and_archives_of_systems_stay_small() {
    for (component, bytes, packed) in [("trains", 2_900_000, 1_240_000), ("systems", 5_520_000, 2_340_000)] {
        let fmu = archive(component);
        let sizes = [binary(&fmu).len() as u64, fs_err::metadata(&fmu).unwrap().len()];
        println!("{component}: library of {} bytes, archive of {}", sizes[0], sizes[1]);
        assert!(sizes[0] <= bytes && sizes[1] <= packed, "{component}: {sizes:?}");
    }
}

/// An unknown type of a part has the message of the library that knows all.
#[test]
fn the_library_is_that_of_the_types() {
    let [small, large] =
        ["trains", "systems"].map(|component| fmu_builder::Library::load(&library(component)).unwrap());
    let knows = |text: &str| {
        let settings = Settings::from_text("system".to_owned(), text.to_owned()).unwrap();
        [&small, &large].map(|library| settings.has_parts_of(library).unwrap())
    };
    assert_eq!(knows("[parts.a]\ntype = \"Inertia\""), [true, true]);
    assert_eq!(knows("[parts.a]\ntype = \"Translational.Spring\""), [true, true]);
    assert_eq!(knows("[parts.a]\ntype = \"Inertia\"\n[parts.b]\ntype = \"World\""), [false, true]);
    assert_eq!(knows("[parts.a]\ntype = \"Wheel\""), [false, false]);
    assert_eq!(knows("[parts.a]\nJ = 1"), [false, false]);
}

/// The tables of a bushing in a system: rows in the configuration, a file that is copied into the FMU, and one that is read when it
/// is initialised.
#[test]
fn a_bushing_in_a_system_takes_tables_from_files() {
    let folder = tempfile::tempdir().unwrap();
    let csv = folder.path().join("stiffness.csv");
    fs_err::write(&csv, "0;400;300;200\n0.1;900;800;700\n").unwrap();
    let system = |source: &str| {
        let file = folder.path().join("system.toml");
        let text = format!(
            "[parts.world]\ntype = \"World\"\n[parts.slide]\ntype = \"Prismatic\"\ns_start = 0.05\nframe_a = \"world.frame_b\"\n\
             [parts.body]\ntype = \"Body\"\nframe_a = \"slide.frame_b\"\n\
             [parts.mount]\ntype = \"Bushing\"\nnonlinear_TS = true\nframe_a = \"world.frame_b\"\nframe_b = \"body.frame_a\"\n{source}\n"
        );
        fs_err::write(&file, text).unwrap();
        Settings::from_toml(&file).and_then(|settings| resolve("systems", &settings))
    };
    let [rows, attachment, read] = [
        "TS_table = [[0, 400, 300, 200], [0.1, 900, 800, 700]]".to_owned(),
        "DCM_TS = \"attachment\"\nTS_data = \"stiffness.csv\"".to_owned(),
        format!("DCM_TS = \"file\"\nTS_fileName = {:?}", csv.display().to_string()),
    ]
    .map(|source| Fmu::of("systems", system(&source).unwrap_or_else(|error| panic!("{source}: {error}"))));
    let mut found = Vec::new();
    for fmu in [&rows, &attachment, &read] {
        let instance = fmu.instance();
        instance.initialise();
        let start = instance.get("mount.frame_b.f")[0];
        assert!((start - 0.05 * 650.0).abs() < 1e-9, "{start}");
        instance.step(0.0, 0.1);
        found.push(instance.get("slide.s"));
    }
    assert!(found[0] == found[1] && found[0] == found[2], "{found:?}");
    fs_err::write(folder.path().join("stiffness.xlsx"), "").unwrap();
    fs_err::write(folder.path().join("negative.csv"), "0;400;300;200\n0.1;900;-800;700\n").unwrap();
    let workbook = "stiffness.xlsx is no text: here a table must be a .csv or .txt file, so save its sheet as one";
    for (source, expected) in [
        ("DCM_TS = \"attachment\"\nTS_data = \"stiffness.xlsx\"", workbook),
        (
            "DCM_TS = \"attachment\"\nTS_data = \"stiffness.csv\"\nsheet_TS = \"rubber\"",
            "stiffness.csv has no sheets, so there is none named \"rubber\" (TS_data; sr_TS = 0, sheet_TS = \"rubber\")",
        ),
        (
            "DCM_TS = \"attachment\"\nTS_data = \"negative.csv\"",
            "negative.csv, row 2, column 3 is -800.0, but must not be negative unless allowNegative is true",
        ),
    ] {
        let error = system(source).map(drop).unwrap_err().to_string();
        assert!(error.contains(expected) && error.contains("mount"), "{source}: {error}");
    }
}

/// Both derivatives of the angle in one call.
#[test]
fn an_importer_gives_a_motion_by_derivatives_of_one_input() {
    let text = "[parts.drive]\ntype = \"Position\"\nexact = true\nphi_ref = \"input.angle\"\nflange = \"shaft.flange_a\"\n\
                [parts.shaft]\ntype = \"Inertia\"\nJ = 2\n";
    let settings = Settings::from_text("system".to_owned(), text.to_owned()).unwrap();
    let fmu = Fmu::of("trains", resolve("trains", &settings).unwrap());
    let xml = String::from_utf8(Archive::open(&fmu.file).unwrap().read("modelDescription.xml").unwrap()).unwrap();
    assert!(xml.contains("<CoSimulation") && !xml.contains("<ModelExchange"), "{xml}");
    let page = String::from_utf8(Archive::open(&fmu.file).unwrap().read("documentation/index.html").unwrap()).unwrap();
    assert!(page.contains("FMI 2.0 for Co-Simulation</p>"));
    let note =
        "angle gives a motion with its derivatives, so the FMU is for Co-Simulation alone, without Model Exchange";
    assert_eq!(fmu.description.notes, [note]);
    let position = |name: &str| fmu.description.variables.iter().position(|variable| variable.name == name).unwrap();
    for unknown in ["shaft.phi", "shaft.w", "shaft.a", "drive.tau"].map(position) {
        let mut outputs = fmu.description.model_structure.outputs.iter();
        let dependencies = outputs.find(|output| output.index == unknown).unwrap().dependencies.clone();
        assert_eq!(dependencies, Some(vec![position("angle")]), "{}", fmu.description.variables[unknown].name);
    }
    let instance = fmu.instance();
    let angle = instance.references("angle")[0];
    let outputs = ["shaft.phi", "shaft.w", "drive.tau"].map(|name| instance.references(name)[0]);
    // Given during the initialisation, they count from the start on, but not after a reset.
    for expected in [[3.0, 4.0, 0.0], [0.0; 3]] {
        assert_eq!(instance.fmi.setup_experiment(None, 0.0, None), Status::Ok);
        assert_eq!(instance.fmi.enter_initialization_mode(), Status::Ok);
        if expected[0] > 0.0 {
            assert_eq!(instance.fmi.set_real_input_derivatives(&[angle; 2], &[1, 2], &[3.0, 4.0]), Status::Ok);
        }
        assert_eq!(instance.fmi.exit_initialization_mode(), Status::Ok);
        assert_eq!(instance.get("shaft.w"), [expected[0]]);
        assert_eq!(instance.get("drive.tau"), [2.0 * expected[1]]);
        assert_eq!(instance.output_rates(&outputs), expected);
        assert_eq!(instance.fmi.reset(), Status::Ok);
    }
    instance.initialise();
    for i in 0..10 {
        let t = 0.1 * f64::from(i);
        instance.set("angle", &[3.0 * t + 2.0 * t * t]);
        let derivatives = [3.0 + 4.0 * t, 4.0];
        assert_eq!(instance.fmi.set_real_input_derivatives(&[angle; 2], &[1, 2], &derivatives), Status::Ok);
        instance.step(t, 0.1);
        let end = t + 0.1;
        let expected = [
            ("shaft.phi", 3.0 * end + 2.0 * end * end),
            ("shaft.w", 3.0 + 4.0 * end),
            ("shaft.a", 4.0),
            ("drive.tau", 8.0),
        ];
        for (name, expected) in expected {
            let found = instance.get(name)[0];
            assert!((found - expected).abs() < 1e-12 * expected, "{name} at {end}: {found} {expected}");
        }
        let rates = instance.output_rates(&outputs);
        assert!((rates[0] - 3.0 - 4.0 * end).abs() < 1e-12 && rates[1..] == [4.0, 0.0], "{rates:?}");
    }
}

/// Writes a workbook with one sheet of these cells, of which numbers are numbers.
fn write_workbook(path: &Path, rows: &[[&str; 2]]) {
    let cell = |(column, text): (char, &&str), row: usize| match text.parse::<f64>() {
        Ok(_) => format!("<c r=\"{column}{row}\"><v>{text}</v></c>"),
        Err(_) => format!("<c r=\"{column}{row}\" t=\"str\"><v>{text}</v></c>"),
    };
    let row = |(number, cells): (usize, &[&str; 2])| {
        let cells: String = ('A'..).zip(cells).map(|one| cell(one, number)).collect();
        format!("<row r=\"{number}\">{cells}</row>")
    };
    let rows: String = (1..).zip(rows).map(row).collect();
    let kinds = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
    let relation = |kind: &str, target: &str| {
        format!("<Relationships><Relationship Id=\"r1\" Type=\"{kinds}/{kind}\" Target=\"{target}\"/></Relationships>")
    };
    let mut writer = zip::ZipWriter::new(fs_err::File::create(path).unwrap());
    for (name, content) in [
        ("_rels/.rels", relation("officeDocument", "xl/workbook.xml")),
        ("xl/_rels/workbook.xml.rels", relation("worksheet", "worksheets/sheet1.xml")),
        (
            "xl/workbook.xml",
            format!(
                "<workbook xmlns:r=\"{kinds}\"><sheets><sheet name=\"A\" sheetId=\"1\" r:id=\"r1\"/></sheets></workbook>"
            ),
        ),
        ("xl/worksheets/sheet1.xml", format!("<worksheet><sheetData>{rows}</sheetData></worksheet>")),
    ] {
        writer.start_file(name, zip::write::SimpleFileOptions::default()).unwrap();
        writer.write_all(content.as_bytes()).unwrap();
    }
    writer.finish().unwrap();
}

/// One table over time: rows in the configuration, a text file and a workbook, both with units in their headings.
#[test]
fn a_table_over_time_comes_from_rows_and_from_files() {
    let folder = tempfile::tempdir().unwrap();
    let rows = [["t [ms]", "torque [kN.m]"], ["0", "0"], ["500", "1.25"], ["500", "-0.5"], ["1500", "0.75"]];
    let lines: String = rows.iter().map(|row| row.join(",") + "\n").collect();
    fs_err::write(folder.path().join("cycle.csv"), lines).unwrap();
    write_workbook(&folder.path().join("cycle.xlsx"), &rows);
    let run = |table: &str| {
        let file = folder.path().join("system.toml");
        let text = format!(
            "[parts.cycle]\ntype = \"CombiTimeTable\"\ntable = {table}\n[parts.motor]\ntype = \"Torque\"\ntau = \"cycle.y[1]\"\n\
             flange = \"shaft.flange_a\"\n[parts.shaft]\ntype = \"Inertia\"\nJ = 2.0\n"
        );
        fs_err::write(&file, text).unwrap();
        let description = Settings::from_toml(&file).and_then(|settings| resolve("systems", &settings));
        let fmu = Fmu::of("systems", description.unwrap_or_else(|error| panic!("{table}: {error}")));
        let instance = fmu.instance();
        instance.initialise();
        let step = |k: u32| {
            instance.step(0.25 * f64::from(k), 0.25);
            [instance.get("cycle.y[1]")[0], instance.get("shaft.w")[0]]
        };
        (0..6).map(step).collect::<Vec<_>>()
    };
    let expected = run("[[0, 0], [0.5, 1250], [0.5, -500], [1.5, 750]]");
    for file in ["{ file = \"cycle.csv\" }", "{ file = \"cycle.xlsx\" }", "\"cycle.csv\""] {
        assert_eq!(run(file), expected, "{file}");
    }
    // The speed is the area below the torque, by the inertia.
    for (row, [tau, area]) in [(0, [625.0, 78.125]), (3, [125.0, 218.75]), (5, [750.0, 437.5])] {
        let [found, w] = expected[row];
        assert!((found - tau).abs() < 1e-9 && (w - area / 2.0).abs() < 1e-9, "{row}: {found} {w}");
    }
}
