//! Coefficients from tables: every source has the same loads, and its FMU is valid.

use std::path::{Path, PathBuf};

use fmu_builder::{Origin, Platform, Settings, pack};
use fmu_importer::{Simulation, validate};
use fmu_tests::api::{FmuState, Status};
use fmu_tests::finished;
use mechanics::lookup_table::{Extrapolation, LookupTable, Smoothness};
use spreadsheet::{Selection, read};
use tempfile::TempDir;

use crate::fixture::{Fmu, Instance, archive, describe, resolve, root};
use crate::structures::{assert_close, by_matrix, loads, move_frames};
use crate::trajectories::{ROAD_LOAD, fmpy, outputs};

/// The sets with their signals and the sensors of their arguments.
const SETS: [(&str, &str, &str); 4] =
    [("TS", "K_in", "r_out"), ("TD", "D_in", "v_out"), ("RS", "Ka_in", "th_out"), ("RD", "Da_in", "w_out")];
const SENSORS: [&str; 4] = ["sensor_T=true", "sensor_Tv=true", "sensor_R=true", "sensor_Rw=true"];

fn measured(extension: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/bushing/measured.{extension}"))
}

/// Returns the rows of a set.
fn rows(set: &str) -> Vec<[f64; 4]> {
    let content = fs_err::read(measured("xls")).unwrap();
    let rows = read("measured.xls", &content, Selection { sheet: set, skip: 1, columns: 4, blank: false }).unwrap();
    rows.numbers.as_chunks().0.to_vec()
}

/// Returns a coefficient on straight lines, held outside.
fn between(rows: &[[f64; 4]], column: usize, argument: f64) -> f64 {
    let argument = if rows[0][0] >= 0.0 { argument.abs() } else { argument };
    let argument = argument.clamp(rows[0][0], rows[rows.len() - 1][0]);
    let pair = rows.windows(2).find(|pair| argument <= pair[1][0]).unwrap();
    let share = (argument - pair[0][0]) / (pair[1][0] - pair[0][0]);
    pair[0][column] * (1.0 - share) + pair[1][column] * share
}

/// Returns assignments for all sets: the data source and those that `of` returns for each.
fn options(source: &str, smoothness: &str, of: impl Fn(&str) -> Vec<String>) -> Vec<String> {
    let set = |set: &str| {
        let mut all = vec![format!("nonlinear_{set}=true"), format!("DCM_{set}={source}")];
        if source != "signal" {
            all.push(format!("sm_{set}={smoothness}"));
        }
        all.extend(of(set));
        all
    };
    SETS.iter().flat_map(|(name, ..)| set(name)).collect()
}

fn fmu(options: &[String]) -> Fmu {
    Fmu::new(&options.iter().map(String::as_str).chain(SENSORS).collect::<Vec<_>>())
}

fn moved(fmu: &Fmu) -> Instance<'_> {
    let instance = fmu.instance();
    instance.initialise();
    move_frames(&instance, by_matrix);
    instance
}

#[test]
fn all_sources_give_the_same_loads() {
    let folder = tempfile::tempdir().unwrap();
    for (set, ..) in SETS {
        let text: String = rows(set).iter().map(|[a, b, c, d]| format!("{a:?};{b:?};{c:?};{d:?}\n")).collect();
        fs_err::write(folder.path().join(format!("{set}.csv")), &text).unwrap();
        fs_err::write(folder.path().join(format!("heading-{set}.csv")), format!("x;1;2;3\n{text}")).unwrap();
    }
    let csv = |set: &str| folder.path().join(set.to_owned() + ".csv").display().to_string();
    let sheet = |set: &str| vec![format!("sheet_{set}={set}"), format!("sr_{set}=1")];
    for smoothness in ["linear", "spline"] {
        let signal = fmu(&options("signal", smoothness, |_| vec![]));
        let signal = moved(&signal);
        for (set, input, sensor) in SETS {
            let rows = rows(set);
            let spline = LookupTable::new(&rows, Smoothness::Spline, Extrapolation::Hold).unwrap();
            let arguments = signal.get(sensor);
            let coefficient = |axis: usize| match smoothness {
                "linear" => between(&rows, axis + 1, arguments[axis]),
                _ => spline.value(axis, arguments[axis]),
            };
            assert_eq!(signal.set(input, &[0, 1, 2].map(coefficient)), Status::Ok);
        }
        let expected = loads(&signal);
        let same = |what: &str, options: &[String], prepare: &dyn Fn(&Fmu, &Instance<'_>)| {
            let fmu = fmu(options);
            let instance = fmu.instance();
            prepare(&fmu, &instance);
            instance.initialise();
            move_frames(&instance, by_matrix);
            let computed = loads(&instance);
            for (computed, expected) in computed.iter().zip(&expected) {
                let close = (computed - expected).abs() <= 1e-12 * expected.abs();
                assert!(close, "{what}, {smoothness}: {computed:?} is not {expected:?}");
            }
        };
        let validate = |fmu: &Fmu, _: &Instance<'_>| {
            // Splines are compared in both interfaces; lines by their loads only, which takes half as long.
            if smoothness == "linear" {
                return;
            }
            let mut findings = Vec::new();
            validate::file(&fmu.file, |finding| findings.push(finding.to_string()));
            assert_eq!(findings, [""; 0], "{:?}", fmu.description.structure);
        };

        let table = |set: &str| format!("{set}_table={:?}", rows(set));
        same("inline", &options("inline", smoothness, |set| vec![table(set)]), &validate);
        let skipped = |set: &str| table(set).replacen("[[", "[[9.0, -1.0, 0.0, 0.0], [", 1);
        let skip = |set: &str| vec![skipped(set), format!("sr_{set}=1")];
        same("inline, skipped", &options("inline", smoothness, skip), &validate);
        let named = |set: &str| vec![format!("{set}_table={}", csv(set))];
        same("inline, file", &options("inline", smoothness, named), &validate);

        for extension in ["xlsx", "xls"] {
            let path = measured(extension);
            let data = |set: &str| [sheet(set), vec![format!("{set}_data={}", path.display())]].concat();
            same(extension, &options("attachment", smoothness, data), &validate);
            let name = |set: &str| [sheet(set), vec![format!("{set}_fileName={}", path.display())]].concat();
            same(extension, &options("file", smoothness, name), &validate);
        }
        let data = |set: &str| vec![format!("{set}_data={}", csv(set))];
        same("csv", &options("attachment", smoothness, data), &validate);
        let name = |set: &str| vec![format!("{set}_fileName={}", csv(set))];
        same("csv", &options("file", smoothness, name), &validate);
        let skip = |set: &str| vec![format!("sr_{set}=1")];
        let relative = |fmu: &Fmu, instance: &Instance<'_>| {
            for (set, ..) in SETS {
                let name = format!("heading-{set}.csv");
                fs_err::copy(folder.path().join(&name), fmu.resources().join(&name)).unwrap();
                instance.set_text(&format!("{set}_fileName"), &name);
            }
        };
        same("relative", &options("file", smoothness, skip), &relative);
    }
}

#[test]
fn outside_the_table_the_last_value_or_slope_is_kept() {
    let table = "TS_table=[[0.0, 1e6, 1e6, 1e6], [1e-3, 2e6, 1e6, 1e6]]";
    for (extrapolation, stiffness) in [("hold", 2e6), ("linear", 3e6)] {
        let extrapolation = format!("extrapolation={extrapolation}");
        let fmu = Fmu::new(&["nonlinear_TS=true", table, &extrapolation]);
        let instance = fmu.instance();
        instance.initialise();
        for position in [2e-3, -2e-3] {
            instance.set("frame_b.r_0", &[position, 0.0, 0.0]);
            assert_close(&instance.get("frame_a.f"), &[-stiffness * position, 0.0, 0.0]);
        }
    }
}

/// The row is one that spreadsheets round: the table is even all the same, and nothing is doubtful.
#[test]
fn a_first_row_hardly_below_0_is_taken_for_0() {
    let options = ["nonlinear_TS=true", "TS_table=[[-1e-17, 2e6, 1e6, 1e6], [2e-3, 4e6, 1e6, 1e6]]"];
    assert_eq!(describe(&options).unwrap().warnings, [""; 0]);
    let expected = "TS_table, row 1, column 1 is -0.00004, slightly below 0, so the table is not looked up by magnitude, \
                    and smaller arguments are extrapolated: without this row, or with 0 in its place, the table is even";
    let offset = describe(&["nonlinear_TS=true", &options[1].replace("-1e-17", "-4e-5")]).unwrap();
    assert_eq!(offset.warnings, [expected]);
    let fmu = Fmu::new(&options);
    let instance = fmu.instance();
    instance.initialise();
    for (position, force) in [(2e-3, -8e3), (-2e-3, 8e3), (-1e-3, 3e3)] {
        instance.set("frame_b.r_0", &[position, 0.0, 0.0]);
        assert_close(&instance.get("frame_a.f"), &[force, 0.0, 0.0]);
    }
}

#[test]
fn spare_rows_count_when_an_importer_has_filled_them() {
    let rows = [[0.0, 1e6, 1e6, 1e6], [1e-3, 2e6, 1e6, 1e6], [2e-3, 4e6, 1e6, 1e6], [3e-3, 8e6, 1e6, 1e6]];
    let with_spare = format!("TS_table={{rows={:?}, spare=3}}", &rows[..2]);
    let fmu = Fmu::new(&["nonlinear_TS=true", "extrapolation=linear", &with_spare]);
    let force = |filled: usize, position: f64| {
        let instance = fmu.instance();
        let last = rows[filled - 1];
        let all: Vec<f64> = (0..5).flat_map(|row| if row < filled { rows[row] } else { last }).collect();
        assert_eq!(instance.set("TS_table", &all), Status::Ok);
        instance.initialise();
        instance.set("frame_b.r_0", &[position, 0.0, 0.0]);
        instance.get("frame_a.f")[0]
    };
    // The stiffness at 4 mm follows from the last two rows that count.
    for (filled, stiffness) in [(2, 5e6), (3, 8e6), (4, 12e6)] {
        assert_close(&[force(filled, 4e-3)], &[-stiffness * 4e-3]);
    }
}

#[test]
fn derivatives_are_those_of_the_table() {
    let path = measured("xlsx").display().to_string();
    for smoothness in ["linear", "spline"] {
        let of = |set: &str| vec![format!("{set}_data={path}"), format!("sheet_{set}={set}"), format!("sr_{set}=1")];
        let fmu = fmu(&options("attachment", smoothness, of));
        let instance = moved(&fmu);
        let unknowns = ["frame_a.f", "frame_b.t"].map(|name| instance.references(name)).concat();
        for known in ["frame_b.r_0", "frame_b.v_0", "frame_b.R.w"] {
            let at = instance.get(known);
            let first = &instance.references(known)[..1];
            let (status, exact) = instance.fmi.directional_derivative(&unknowns, first, &[1.0]);
            assert_eq!(status, Status::Ok);
            let step = 1e-7 * at[0].abs().max(0.1);
            let ends = [-step, step].map(|step| {
                instance.fmi.set_real(first, &[at[0] + step]);
                [instance.get("frame_a.f"), instance.get("frame_b.t")].concat()
            });
            instance.set(known, &at);
            let size = exact.iter().fold(0.0_f64, |size, value| size.max(value.abs()));
            for (i, exact) in exact.iter().enumerate() {
                let difference = (ends[1][i] - ends[0][i]) / (2.0 * step);
                assert!((difference - exact).abs() < 1e-4 * size, "{smoothness}, {known}: {difference} is not {exact}");
            }
        }
    }
}

#[test]
fn s5_a_file_is_read_once_until_a_reset() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("points.csv");
    fs_err::write(&path, "0,1e6,2e6,3e6\n").unwrap();
    let fmu = Fmu::new(&["nonlinear_TS=true", "DCM_TS=file"]);
    let instance = fmu.instance();
    instance.set_text("TS_fileName", path.to_str().unwrap());
    assert_eq!(instance.fmi.setup_experiment(None, 0.0, None), Status::Ok);
    assert_eq!(instance.fmi.enter_initialization_mode(), Status::Ok);
    instance.set("frame_b.r_0", &[1e-3, 0.0, 0.0]);
    assert_eq!(instance.get("frame_a.f")[0], -1e3);
    fs_err::remove_file(&path).unwrap();
    instance.set("r0", &[2e-3, 0.0, 0.0]);
    assert_eq!(instance.get("frame_a.f")[0], 1e3);
    assert_eq!(instance.fmi.exit_initialization_mode(), Status::Ok);

    let mut state = FmuState::NULL;
    assert_eq!(instance.fmi.get_state(&mut state), Status::Ok);
    assert_eq!(instance.fmi.do_step(0.0, 0.1), Status::Ok);
    assert_eq!(instance.fmi.set_state(state), Status::Ok);
    assert_eq!(instance.get("frame_a.f")[0], 1e3);
    assert_eq!(instance.fmi.reset(), Status::Ok);
    instance.set_text("TS_fileName", path.to_str().unwrap());
    let message = instance.try_initialise().unwrap_err();
    assert!(message.contains("points.csv cannot be read: No such file"), "{message}");
}

#[test]
fn a_deserialised_state_prepares_its_tables_anew() {
    let path = measured("xlsx").display().to_string();
    let data = format!("TS_data={path}");
    let fmu = Fmu::new(&["nonlinear_TS=true", "DCM_TS=attachment", &data, "sheet_TS=TS", "sr_TS=1"]);
    let instance = moved(&fmu);
    let mut state = FmuState::NULL;
    assert_eq!(instance.fmi.get_state(&mut state), Status::Ok);
    let mut bytes = vec![0; instance.fmi.serialized_size(state).1];
    assert_eq!(instance.fmi.serialize(state, &mut bytes), Status::Ok);
    let other = fmu.instance();
    let mut copy = FmuState::NULL;
    assert_eq!(other.fmi.deserialize(&bytes, &mut copy), Status::Ok);
    assert_eq!(other.fmi.set_state(copy), Status::Ok);
    assert_eq!(loads(&other), loads(&instance));
    other.set("frame_b.r_0", &[1.002, 2.0, -0.5]);
    instance.set("frame_b.r_0", &[1.002, 2.0, -0.5]);
    assert_eq!(loads(&other), loads(&instance));
}

/// Packs a configuration as written by a user, in a folder with its data.
fn packed(folder: &TempDir) -> PathBuf {
    fs_err::copy(measured("xlsx"), folder.path().join("measured.xlsx")).unwrap();
    let mut text = "component = \"bushing\"\nname = \"Measured\"\n[structure]\n".to_owned();
    for (set, ..) in SETS {
        text += &format!("nonlinear_{set} = true\nDCM_{set} = \"attachment\"\n");
    }
    text += "[parameters]\n";
    for (set, ..) in SETS {
        text +=
            &format!("{set}_data = \"measured.xlsx\"\nsheet_{set} = \"{set}\"\nsr_{set} = 1\nsm_{set} = \"spline\"\n");
    }
    let path = folder.path().join("measured.toml");
    fs_err::write(&path, text).unwrap();
    let description = resolve(&Settings::from_toml(&path).unwrap()).unwrap();
    pack(&description, &Origin::default(), &[(Platform::host().unwrap(), finished::library("bushing"))], folder.path())
        .unwrap()
}

#[test]
fn rule_13_15_importers_run_measured_data_with_the_same_result() {
    let folder = tempfile::tempdir().unwrap();
    let file = packed(&folder);
    let mut simulation = Simulation::load(&file).unwrap();
    simulation.read_inputs(root().join(ROAD_LOAD)).unwrap();
    (simulation.step, simulation.stop) = (1e-3, 2.0);
    let trajectory = simulation.run().unwrap();
    let constant = outputs().iter().all(|name| trajectory.column(name).unwrap().iter().all(|value| *value == 0.0));
    assert!(!constant);
    let (Some(stepped), Some(exchanged)) = (fmpy(&file, "CoSimulation"), fmpy(&file, "ModelExchange")) else { return };
    for (i, name) in outputs().iter().enumerate() {
        let expected = trajectory.column(name).unwrap();
        let size = expected.iter().fold(0.0_f64, |size, value| size.max(value.abs()));
        // FMPy sets the inputs at the start of a step, and records the outputs at its end.
        for (computed, expected) in stepped[i + 1][1..].iter().zip(expected) {
            assert!((computed - expected).abs() <= 1e-12 * size, "{name}: {computed} is not {expected}");
        }
        for (computed, time) in exchanged[i + 1].iter().zip(&exchanged[0]).skip(1) {
            let expected = expected[(time * 1000.0).round() as usize];
            assert!(
                (computed - expected).abs() <= 1e-8 * (1.0 + size),
                "{name} at {time}: {computed} is not {expected}"
            );
        }
    }
}

#[test]
fn rule_4_2_the_contents_of_an_attachment_decide_the_guid() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("points.csv");
    let data = format!("TS_data={}", path.display());
    let guid = |content: &str| {
        fs_err::write(&path, content).unwrap();
        describe(&["nonlinear_TS=true", "DCM_TS=attachment", &data]).unwrap().guid
    };
    assert_eq!(guid("0,1,2,3\n"), guid("0,1,2,3\n"));
    assert_ne!(guid("0,1,2,3\n"), guid("0,1,2,4\n"));
}

#[test]
fn what_an_output_depends_on_is_known_without_the_data() {
    let path = measured("xlsx").display().to_string();
    let data = format!("TS_data={path}");
    let attached = describe(&["nonlinear_TS=true", "DCM_TS=attachment", &data, "sheet_TS=TS", "sr_TS=1"]).unwrap();
    let inline = describe(&["nonlinear_TS=true"]).unwrap();
    let known = |description: &fmu_builder::Description| {
        let outputs = &description.model_structure.outputs;
        let names = |list: &[usize]| list.iter().map(|i| description.variables[*i].name.clone()).collect::<Vec<_>>();
        outputs.iter().map(|unknown| names(unknown.dependencies.as_ref().unwrap())).collect::<Vec<_>>()
    };
    assert_eq!(known(&attached), known(&inline));
}

/// The builder looks for the units of a file in the sheet that it names.
#[test]
fn an_attachment_tells_the_parameter_with_its_sheet() {
    let data = format!("TS_data={}", measured("xlsx").display());
    let description = describe(&["nonlinear_TS=true", "DCM_TS=attachment", &data, "sheet_TS=TS", "sr_TS=1"]).unwrap();
    let sheets: Vec<_> = description.attachments.iter().map(|attachment| attachment.sheet.as_deref()).collect();
    assert_eq!(sheets, [Some("sheet_TS")]);
}

/// One library serves every configuration: it always contains the spreadsheet readers.
#[test]
fn the_fmu_stays_below_a_mebibyte() {
    let size = fs_err::metadata(archive()).unwrap().len();
    assert!(size <= 1 << 20, "{size} bytes");
}

#[test]
fn the_measured_stiffness_is_the_same_in_both_files() {
    let rows = |name: &str| {
        let content = fs_err::read(root().join("models/bushing/reference").join(name)).unwrap();
        read(name, &content, Selection { sheet: "", skip: 2, columns: 4, blank: false }).unwrap()
    };
    let (workbook, text) = (rows("measured_stiffness.xlsx"), rows("measured_stiffness.csv"));
    assert_eq!((workbook.positions.len(), workbook.numbers), (40, text.numbers));
}
