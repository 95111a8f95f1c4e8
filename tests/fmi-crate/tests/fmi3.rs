//! FMUs of FMI 3.0 by the `fmi` crate, in both interfaces, with all events.

use std::path::Path;
use std::process::Command;

use fmu_builder::{Settings, Standard};
use fmu_tests::finished::{components, describe, packed, resolve, root};

#[test]
#[ignore = "expensive: the fmi crate runs all components"]
fn t12_components_and_systems_run_in_both_interfaces() {
    let folder = tempfile::tempdir().unwrap();
    let mut files = Vec::new();
    let mut pack = |component: &str, description| {
        files.push(packed(component, &description, Standard::Fmi3, folder.path()));
    };
    for component in components().iter().filter(|component| *component != "systems") {
        pack(component, describe(component, &[]).unwrap());
    }
    let sticking = ["name=Sticking", "w_a_start=7", "fn_max=20", "f_normalized=1"];
    pack("clutch", describe("clutch", &sticking).unwrap());
    for example in ["gear-shift", "engine-v6"] {
        let mut settings = Settings::from_toml(&root().join("examples").join(example).with_extension("toml")).unwrap();
        settings.name_after(Path::new(example));
        pack("systems", resolve("systems", &settings).unwrap());
    }
    let told = folder.path().join("verdict");
    for file in &files {
        Command::new(env!("CARGO_BIN_EXE_fmi-crate")).arg("60").arg(&told).arg(file).status().unwrap();
        let verdict = std::fs::read_to_string(&told).unwrap();
        let good = "\"problems\":[],\"ran\":[\"Co-Simulation\",\"Model Exchange\"]}";
        assert!(verdict.ends_with(good), "{}: {verdict}", file.display());
        std::fs::remove_file(&told).unwrap();
    }
}
