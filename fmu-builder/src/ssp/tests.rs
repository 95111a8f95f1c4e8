//! Systems of synthetic FMUs.

use std::path::PathBuf;
use std::sync::OnceLock;

use tempfile::TempDir;

use super::*;
use crate::archive::origin::Origin;
use crate::archive::package::pack;
use crate::archive::platform::Platform;
use crate::archive::platform::tests::binary;
use crate::description::{Description, Initial};
use crate::example::{assembly, description};

/// Returns the FMUs of assemblies: `one`, and `other` with every port the other way round.
fn fmus() -> &'static [PathBuf; 2] {
    static FMUS: OnceLock<(TempDir, [PathBuf; 2])> = OnceLock::new();
    let make = || {
        let folder = tempfile::tempdir().unwrap();
        let one = fmu(&folder, &assembly());
        let mut other = assembly();
        other.name = "Other".to_owned();
        for variable in &mut other.variables {
            (variable.causality, variable.initial) = match variable.causality {
                Causality::Input => (Causality::Output, Some(Initial::Calculated)),
                Causality::Output => (Causality::Input, None),
                same => (same, variable.initial),
            };
        }
        let other = fmu(&folder, &other);
        (folder, [one, other])
    };
    &FMUS.get_or_init(make).1
}

fn fmu(folder: &TempDir, description: &Description) -> PathBuf {
    let library = folder.path().join("library");
    fs_err::write(&library, binary(Platform::Linux64)).unwrap();
    pack(description, &Origin::default(), &[(Platform::Linux64, library)], folder.path()).unwrap();
    folder.path().join(format!("{}.fmu", description.name))
}

fn system() -> System {
    let mut system = System::new("Both").unwrap();
    for (name, path) in ["one", "other"].iter().zip(fmus()) {
        system.add(name, path).unwrap();
    }
    system
}

fn structure(system: &System) -> Element {
    element::parse(&package::description(system).unwrap()).unwrap()
}

#[test]
fn connectors_are_connected_in_both_directions() {
    let mut system = system();
    system.connect("one.frame_a", "other.frame_a").unwrap();
    system.connect("other.active", "one.active").unwrap();
    let root = structure(&system);
    let connections = root.child("ssd:System").unwrap().list("ssd:Connections");
    assert_eq!(connections.len(), 3 + 9 + 3 + 3 + 3 + 3 + 6 + 1);
    for connection in connections {
        let [start, end] = ["startConnector", "endConnector"].map(|attribute| connection.attribute(attribute).unwrap());
        assert_eq!(start, end);
        let load = start.starts_with("frame_a.f") || start.starts_with("frame_a.t");
        assert_eq!(connection.attribute("startElement"), Some(if load { "one" } else { "other" }), "{start}");
        let transformation = connection.child("ssc:LinearTransformation");
        let numbers = transformation.map(|element| ["factor", "offset"].map(|name| element.attribute(name).unwrap()));
        assert_eq!(numbers, load.then_some(["-1.0", "0.0"]), "{start}");
    }
}

#[test]
fn flows_out_of_a_component_are_connected_as_they_are() {
    let folder = tempfile::tempdir().unwrap();
    let mut outward = assembly();
    outward.outflow = true;
    let one = fmu(&folder, &outward);
    let mut system = System::new("Both").unwrap();
    system.add("one", &one).unwrap();
    system.add("other", &fmus()[1]).unwrap();
    system.connect("one.frame_a", "other.frame_a").unwrap();
    let text = package::description(&system).unwrap();
    assert!(text.contains(r#"startConnector="frame_a.f[1]""#) && !text.contains("LinearTransformation"), "{text}");
    assert!(system.reversed().is_empty());
    let mut system = self::system();
    system.connect("one.frame_a", "other.frame_a").unwrap();
    assert_eq!(system.reversed().into_iter().collect::<Vec<_>>(), ["one"]);
}

#[test]
fn an_input_of_the_system_goes_to_all_that_take_it() {
    let mut system = system();
    system.input("heat", &["one.heatPort"]).unwrap();
    system.input("level", &["one.level"]).unwrap();
    let root = structure(&system);
    let of_system = root.child("ssd:System").unwrap();
    let names: Vec<_> =
        of_system.list("ssd:Connectors").iter().map(|connector| connector.attribute("name").unwrap()).collect();
    assert_eq!(names, ["heat_T", "level_1", "level_2"]);
    assert_eq!(of_system.list("ssd:Connections").len(), 3);
    let component = &of_system.list("ssd:Elements")[0];
    let kinds: Vec<_> = component.list("ssd:Connectors").iter().map(|c| c.attribute("kind").unwrap()).collect();
    assert_eq!(kinds.iter().filter(|kind| **kind == "input").count(), 3);
    assert_eq!(component.attribute("source"), Some("resources/one.fmu"));
}

#[test]
fn omsimulator_finds_its_master() {
    let root = structure(&system());
    let annotation = &root.child("ssd:System").unwrap().list("ssd:Annotations")[0];
    assert_eq!(annotation.attribute("type"), Some("org.openmodelica"));
    let information = annotation.child("oms:Annotations").and_then(|child| child.child("oms:SimulationInformation"));
    let master = information.and_then(|information| information.child("oms:FixedStepMaster")).unwrap();
    assert_eq!(master.attribute("stepSize"), Some("0.001"));
}

#[test]
fn names_are_identifiers() {
    let says = |name: &str| format!("\"{name}\" is not a name: use letters, digits and \"_\", beginning with a letter");
    for name in ["", "two words", "my-arm", "1st", "_a", "a.b", "ü"] {
        assert_eq!(System::new(name).unwrap_err().to_string(), says(name));
        let mut system = system();
        assert_eq!(system.add(name, &fmus()[0]).unwrap_err().to_string(), says(name));
        assert_eq!(system.input(name, &["one.level"]).unwrap_err().to_string(), says(name));
    }
}

#[test]
fn every_unit_is_defined_once() {
    let folder = tempfile::tempdir().unwrap();
    let spring = fmu(&folder, &description());
    let mut system = System::new("Springs").unwrap();
    for name in ["front", "rear"] {
        system.add(name, &spring).unwrap();
    }
    let root = structure(&system);
    let units: Vec<_> = root.list("ssd:Units").iter().map(|unit| unit.attribute("name").unwrap()).collect();
    assert_eq!(units, ["m", "N"]);
}

#[test]
fn the_package_contains_the_fmus() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("Both.ssp");
    system().write(&path).unwrap();
    let archive = Archive::open(&path).unwrap();
    assert_eq!(archive.read("resources/other.fmu").unwrap(), fs_err::read(&fmus()[1]).unwrap());
    assert!(archive.read("SystemStructure.ssd").unwrap().starts_with(b"<?xml"));
}

#[test]
fn an_fmu_is_not_replaced_by_the_package() {
    let folder = tempfile::tempdir().unwrap();
    let spring = fmu(&folder, &description());
    let mut system = System::new("Springs").unwrap();
    system.add("front", &spring).unwrap();
    let message = system.write(&spring).unwrap_err().to_string();
    let spring = spring.display();
    assert_eq!(message, format!("the archive would overwrite an input of this command, {spring}"));
}

#[test]
fn what_does_not_fit_is_told() {
    let mut system = system();
    let ports = "frame_a, frame_b, frame_ia, frame_ib, flange_a, flange_b, axis, heatPort, bearing, active, level, \
                 state, sensor";
    for (one, other, message) in [
        ("two.axis", "one.axis", "\"two.axis\": there is no component \"two\"; available: one, other".to_owned()),
        ("one.axes", "other.axis", format!("\"one.axes\": one has no port \"axes\"; available: {ports}")),
        ("one.axis", "one.axis", "\"one.axis.f\" needs a value that \"one.axis\" does not have".to_owned()),
        ("one.active", "other.state", "\"other.state\" needs a value that \"one.active\" does not have".to_owned()),
        ("one.state", "other.active", "neither \"one.state\" nor \"other.active\" accepts a value".to_owned()),
        ("other.active", "one.axis.f", "\"other.active\" (Boolean) does not fit \"one.axis.f\" (1)".to_owned()),
        ("one.sensor.r", "one.axis.f", "\"one.sensor.r\" (m) does not fit \"one.axis.f\" (1)".to_owned()),
    ] {
        assert_eq!(system.connect(one, other).unwrap_err().to_string(), message);
    }
    system.connect("one.axis", "other.axis").unwrap();
    let twice = system.connect("other.axis", "one.axis").unwrap_err();
    assert_eq!(twice.to_string(), "\"one.axis.f\" is connected twice");
    assert_eq!(system.input("a", &["one.state"]).unwrap_err().to_string(), "one.state does not accept values");
    system.input("level", &["one.flange_a.phi"]).unwrap();
    let message = "there are two inputs \"level\" of the system";
    assert_eq!(system.input("level", &["one.flange_a.w"]).unwrap_err().to_string(), message);
    let fmu = &fmus()[1];
    assert_eq!(system.add("one", fmu).unwrap_err().to_string(), "there are two components \"one\"");
    let message = "\"a.b\" is not a name: use letters, digits and \"_\", beginning with a letter";
    assert_eq!(system.add("a.b", fmu).unwrap_err().to_string(), message);
}

#[test]
fn what_is_no_sound_fmu_is_not_packed() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("Damaged.fmu");
    let bytes = fs_err::read(&fmus()[0]).unwrap();
    fs_err::write(&path, &bytes[1..]).unwrap();
    let message = System::new("Both").unwrap().add("one", &path).unwrap_err().to_string();
    let expected = "is truncated or not a zip archive: its directory is not at the declared position";
    assert_eq!(message, format!("{}: {expected}", path.display()));
}
