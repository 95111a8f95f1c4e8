//! All examples: the derivatives that FMUs provide against differences.

use fmu_builder::Settings;
use fmu_tests::finished::{Fmu, resolve, root};

use crate::Linear;

/// Relative difference of an element, and the part of the largest element of a row that differences may miss.
const TOLERANCE: f64 = 1e-6;
const ROUNDING: f64 = 1e-8;
/// Time in s: at the start, tables of gas pressures have a kink.
const TIME: &str = "0.0137";

#[test]
#[ignore = "expensive: linearizes every example twice"]
fn derivatives_are_differences_in_every_example() {
    let folder = tempfile::tempdir().unwrap();
    let json = |name: &str| folder.path().join(name).display().to_string();
    let mut count = 0;
    for entry in fs_err::read_dir(root().join("examples")).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|extension| extension != "toml") {
            continue;
        }
        let shown = path.display();
        let settings = Settings::from_toml(&path).unwrap();
        let fmu = Fmu::of("systems", resolve("systems", &settings).unwrap());
        let exact = Linear::of(&fmu.file, &json("exact.json"), &["--time", TIME]);
        let differences = Linear::of(&fmu.file, &json("differences.json"), &["--time", TIME, "--differences"]);
        assert_eq!(exact.json["derivatives"], "directional derivatives of the FMU");
        assert_eq!(differences.json["derivatives"], "central differences");
        for name in ["A", "B", "C", "D"] {
            let (exact, differences) = (exact.matrix(name), differences.matrix(name));
            assert_eq!(exact.len(), differences.len());
            for (row, (one, other)) in exact.iter().zip(&differences).enumerate() {
                let largest = one.iter().fold(1.0, |largest: f64, value| largest.max(value.abs()));
                for (column, (one, other)) in one.iter().zip(other).enumerate() {
                    let tolerated = TOLERANCE * one.abs() + ROUNDING * largest;
                    assert!((one - other).abs() <= tolerated, "{shown}: {name}[{row},{column}] is {one}, not {other}");
                }
            }
        }
        count += 1;
    }
    assert!(count > 15, "{count} examples");
}
