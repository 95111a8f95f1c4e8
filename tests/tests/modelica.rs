//! The finished FMUs in Modelica tools: connectors, icons, and a package with a model for each.

use std::path::{Path, PathBuf};

use fmu_builder::description::Description;
use fmu_builder::{Archive, Origin, Platform, Settings, modelica_model, modelica_package, pack};
use fmu_tests::api::Status;
use fmu_tests::finished::{Fmu, archives, describe, library, printed, python, resolve, root};

#[test]
fn terminals_and_icons_are_valid_by_fmi_3() {
    let script = "import os, sys, zipfile, fmpy\n\
        from lxml import etree\n\
        folder = os.path.join(os.path.dirname(fmpy.__file__), 'schema', 'fmi3')\n\
        schema = etree.XMLSchema(file=os.path.join(folder, 'fmi3TerminalsAndIcons.xsd'))\n\
        for path in sys.argv[1:]:\n\
        \x20   text = zipfile.ZipFile(path).read('terminalsAndIcons/terminalsAndIcons.xml')\n\
        \x20   schema.assertValid(etree.fromstring(text))\n\
        \x20   print('valid')";
    let archives = archives();
    let Some(mut python) = python() else { return };
    let said = printed(python.args(["-c", script]).args(&archives));
    assert_eq!(said.matches("valid").count(), archives.len(), "{said}");
}

#[test]
fn the_icon_lies_beside_its_description() {
    for path in archives() {
        let archive = Archive::open(&path).unwrap();
        let read = |name: &str| archive.read(name).unwrap();
        assert_eq!(read("terminalsAndIcons/icon.png"), read("model.png"));
        assert!(read("terminalsAndIcons/icon.svg").starts_with(b"<svg"), "{}", path.display());
    }
}

/// Stubs replace the external functions; see `tests/modelica/check.py`. All models are compiled. A joint is simulated in 10 s:
/// with TEST_ALL, two are, the first one in both forms and without an inner frame. They have all connectors of the others.
#[test]
fn a_compiler_takes_the_models_of_all_fmus() {
    let package = root().join("target/fmu/MechanicalFMUs");
    let model =
        |fmu: &PathBuf| fs_err::read_to_string(package.join(fmu.with_extension("mo").file_name().unwrap())).ok();
    let has_levels = |fmu: &PathBuf| model(fmu).is_some_and(|text| !text.contains("Internal.law("));
    let (archives, others): (Vec<_>, Vec<_>) = archives().into_iter().partition(has_levels);
    let others: Vec<_> = others.iter().map(|fmu| fmu.file_stem().unwrap().to_string_lossy()).collect();
    assert_eq!(others, ["Brake", "Clutch", "Gripper"], "these have events");
    let simulated = match std::env::var_os("TEST_ALL") {
        None => &["Bushing.fmu"][..],
        Some(_) => &["Bushing.fmu", "JointUPS.fmu", "JointSSR.fmu"],
    };
    let (archives, others): (Vec<_>, Vec<_>) =
        archives.into_iter().partition(|fmu| simulated.iter().any(|name| fmu.ends_with(name)));
    let Some(mut python) = python() else { return };
    let said = printed(python.arg("tests/modelica/check.py").arg(&package).args(&archives).arg("--").args(&others));
    assert_eq!(archives.len() + others.len(), 8, "{archives:?}, {others:?}");
    let forms = archives.len() + if archives.len() > 1 { 2 } else { 0 };
    assert_eq!(said.matches(" values, 0 wrong").count(), forms, "{said}");
    assert_eq!(said.matches(" calculated parameters, 0 wrong").count(), others.len(), "{said}");
}

/// The Bushing's initial conditions, solved by Rumoca, agree with the sensors of the FMU.
#[test]
fn initial_conditions_are_relative_to_frame_a() {
    let folder = tempfile::tempdir().unwrap();
    let options = ["sensor_T=true", "sensor_Tv=true", "sensor_R=true", "sensor_Rw=true"];
    let description = describe("bushing", &options).unwrap();
    let library = [(Platform::host().unwrap(), library("bushing"))];
    let fmu = pack(&description, &Origin::default(), &library, folder.path()).unwrap();
    assert_eq!(modelica_model(&description, &fmu).unwrap(), None);
    let package = modelica_package(folder.path()).unwrap();
    let Some(mut python) = python() else { return };
    let said = printed(python.arg("tests/modelica/initial.py").arg(package).arg(fmu));
    assert!(said.lines().count() == 5 && said.ends_with("\n0 wrong\n"), "{said}");
}

/// The models are those of FMUs with states and connectors, between events. Rumoca does not differentiate motions of a
/// block.
#[test]
fn a_compiler_takes_the_models_of_blocks() {
    let folder = tempfile::tempdir().unwrap();
    let mut fmus = Vec::new();
    let mut add = |component: &str, description: &Description| {
        let library = [(Platform::host().unwrap(), library(component))];
        let fmu = pack(description, &Origin::default(), &library, folder.path()).unwrap();
        assert_eq!(modelica_model(description, &fmu).unwrap(), None);
        fmus.push(fmu);
    };
    let file = folder.path().join("system.toml");
    let text = "name = \"Moved\"\n[parts.torque]\ntype = \"Torque\"\nflange = \"a.flange_a\"\n\
        [parts.a]\ntype = \"Inertia\"\n[parts.spring]\ntype = \"Spring\"\nc = 5.0\nflange_a = \"a.flange_b\"\n\
        [parts.shaft]\ntype = \"Flange_b\"\nflange = \"spring.flange_b\"\ncoupling = \"motion_in\"\n";
    fs_err::write(&file, text).unwrap();
    add("systems", &resolve("systems", &Settings::from_toml(&file).unwrap()).unwrap());
    // Sources inside, and a Boolean input.
    let text = "name = \"Switched\"\n[parts.sine]\ntype = \"Sine\"\n[parts.low]\ntype = \"Constant\"\n\
        [parts.switch]\ntype = \"Switch\"\nu1 = \"sine.y\"\nu3 = \"low.y\"\n\
        [parts.torque]\ntype = \"Torque\"\ntau = \"switch.y\"\nflange = \"rotor.flange_a\"\n[parts.rotor]\ntype = \"Inertia\"\n";
    fs_err::write(&file, text).unwrap();
    add("systems", &resolve("systems", &Settings::from_toml(&file).unwrap()).unwrap());
    let rubber = ["maxwell_T=1", "friction_R=true", "sensor_T=true", "name=RubberBushing"];
    add("bushing", &describe("bushing", &rubber).unwrap());
    let package = modelica_package(folder.path()).unwrap();
    let Some(mut python) = python() else { return };
    let said = printed(python.arg("tests/modelica/check.py").arg(&package).args(&fmus));
    // The first model is tried in both forms.
    assert_eq!(said.matches(" values, 0 wrong").count(), fmus.len() + 1, "{said}");
}

/// Checks equations around a stand-in for the law, in two systems.
fn check_law(script: &str, package: &Path, arguments: &[&str]) {
    let Some(mut python) = python() else { return };
    let said = printed(python.arg(script).arg(package).args(arguments));
    assert_eq!(said.matches(" 0 wrong").count(), 2, "{said}");
}

#[test]
fn clutch_and_brake_stick_and_slip_in_modelica() {
    archives();
    check_law("tests/modelica/friction.py", &root().join("target/fmu/MechanicalFMUs"), &[]);
}

#[test]
fn the_gripper_begins_in_modelica() {
    archives();
    let package = root().join("target/fmu/MechanicalFMUs");
    check_law("tests/modelica/gripper.py", &package, &["Gripper", "active", "true", "false"]);
    let folder = tempfile::tempdir().unwrap();
    let description = describe("gripper", &["useActiveLevel=true", "name=LevelGripper"]).unwrap();
    let library = [(Platform::host().unwrap(), library("gripper"))];
    let fmu = pack(&description, &Origin::default(), &library, folder.path()).unwrap();
    assert_eq!(modelica_model(&description, &fmu).unwrap(), None);
    let package = modelica_package(folder.path()).unwrap();
    check_law("tests/modelica/gripper.py", &package, &["LevelGripper", "activeLevel", "0.51", "0.5"]);
}

/// Defaults of shapes that are those of another parameter, for each joint of
/// Modelica.Mechanics.MultiBody.Joints.Assemblies in version 4.0.0 of the Modelica Standard Library.
const FOLLOWING: [(&str, &[(&str, &str)]); 7] = [
    ("JointRRP", &[("boxHeight", "boxWidth"), ("boxColor", "cylinderColor")]),
    ("JointRRR", &[]),
    ("JointSSP", &[("rod2Diameter", "rod1Diameter"), ("rod2Color", "rod1Color"), ("boxHeight", "boxWidth")]),
    ("JointSSR", &[("rod2Diameter", "rod1Diameter"), ("rod2Color", "rod1Color")]),
    ("JointUPS", &[]),
    (
        "JointUSP",
        &[
            ("rod2Diameter", "rod1Diameter"),
            ("rod2Color", "rod1Color"),
            ("boxHeight", "boxWidth"),
            ("boxColor", "sphereColor"),
        ],
    ),
    ("JointUSR", &[("rod2Diameter", "rod1Diameter"), ("rod2Color", "rod1Color")]),
];

/// Colors and sizes follow each other as in the library, all other colors are numbers; arrays that go to the FMU have
/// values of several units, and so no unit of their own; JointUPS has the library's variable `f`.
#[test]
fn joints_have_the_defaults_units_and_variables_of_the_library() {
    archives();
    let model = |joint: &str| {
        fs_err::read_to_string(root().join("target/fmu/MechanicalFMUs").join(joint).with_extension("mo")).unwrap()
    };
    for (joint, following) in FOLLOWING {
        let text = model(joint);
        // Kind, name and value; a description follows the value.
        let parameter = |line| {
            let (_, declaration) = str::strip_prefix(line, "  parameter ")?.split_once(' ')?;
            Some((declaration.split(['[', '(', ' ']).next()?, line))
        };
        let parameters: Vec<(&str, &str)> = text.lines().filter_map(parameter).collect();
        let followed = |line: &str| {
            let mut names = parameters.iter().map(|(name, _)| *name);
            names.find(|name| line.contains(&format!(" = {name} \"")))
        };
        let found = parameters.iter().filter_map(|(name, line)| Some((*name, followed(line)?)));
        assert_eq!(found.collect::<Vec<_>>(), following, "{joint}");
        let colors: Vec<_> = parameters.iter().filter(|(name, _)| name.ends_with("Color")).collect();
        for (name, line) in &colors {
            let follows = following.iter().any(|(other, _)| other == name);
            assert_eq!(line.contains("max = 255) = {"), !follows, "{joint}: {line}");
        }
        assert!(colors.len() >= 2, "{joint}: {colors:?}");
        let is_passed = |line: &&str| {
            ["in", "out", "factors[", "others[", "rest["].iter().any(|name| line.starts_with(&format!("  Real {name}")))
        };
        let passed: Vec<_> = text.lines().filter(is_passed).collect();
        assert!(passed.len() == 11 && passed.iter().all(|line| !line.contains("unit")), "{joint}: {passed:?}");
    }

    let f = "  Modelica.Blocks.Interfaces.RealOutput f(unit = \"N\") ";
    assert_eq!(model("JointUPS").matches(f).count(), 1);
    let fmu = Fmu::new("joint-ups", &[]);
    let instance = fmu.instance();
    instance.initialise();
    assert_eq!(instance.set("axis.f", &[7.5]), Status::Ok);
    assert_eq!(instance.get("f"), [7.5]);
}
