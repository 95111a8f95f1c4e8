//! The examples of the Modelica Standard Library and of the IFToMM's benchmark in `examples/msl` and `examples/iftomm`: each is
//! built and run, at two communication steps, and beside a second integration or a published solution, and has a model in
//! Modelica.

mod iftomm;
mod second;

use std::path::{Path, PathBuf};

use fmu_builder::description::Causality;
use fmu_builder::{Settings, modelica_model};
use fmu_tests::finished::{Fmu, published_examples, resolve, root};
use fmu_tests::fmpy;

/// Fraction of a signal's range by which two runs may differ.
const TOLERANCE: f64 = 2e-4;

/// Absolute part of that, for values as small as the tolerance of the integration.
const ABSOLUTE: f64 = 3e-6;

/// An example: its file, and when it ends.
struct Example {
    file: PathBuf,
    stop: f64,
}

impl Example {
    /// True if bodies pass each other so closely, or their upright position so slowly, that deviations grow by some powers of ten.
    fn is_sensitive(&self) -> bool {
        let name = self.file.to_string_lossy();
        name.contains("point-gravity-with-point-masses") || name.contains("a02-four-bars")
    }
}

/// Returns all examples. Each begins with its source, the name that it has there, and the time at which it ends.
fn examples() -> Vec<Example> {
    let example = |file: PathBuf| {
        let text = fs_err::read_to_string(&file).unwrap();
        let head = text.lines().next().unwrap_or_default();
        let (source, stop) = head.rsplit_once(": ").unwrap_or_else(|| panic!("{}: {head}", file.display()));
        let known = if file.starts_with(root().join("examples/msl")) { "Modelica.Mechanics." } else { "IFToMM's " };
        assert!(source.starts_with(&format!("# {known}")), "{}: {head}", file.display());
        let stop = stop.strip_suffix(" s.").and_then(|stop| stop.parse().ok());
        Example { stop: stop.unwrap_or_else(|| panic!("{}: {head}", file.display())), file }
    };
    published_examples().into_iter().map(example).collect()
}

/// Returns the FMU of a file.
fn fmu(file: &Path) -> Fmu {
    let settings = Settings::from_toml(file).unwrap_or_else(|error| panic!("{error}"));
    let description = resolve("systems", &settings).unwrap_or_else(|error| panic!("{error}"));
    // The table of the gear in the library's HeatLosses ends far below the speed up to which it can be extrapolated. Bricard's
    // mechanism and rings in a plane have redundant conditions.
    let expected = ["lossyGear.lossTable", " conditions follow from others"];
    let is_expected = |text: &String| expected.iter().any(|part| text.contains(part));
    let unexpected: Vec<_> = description.warnings.iter().filter(|text| !is_expected(text)).collect();
    assert!(unexpected.is_empty(), "{}: {unexpected:?}", file.display());
    Fmu::of("systems", description)
}

/// Returns the names of the Real outputs that are continuous.
fn outputs(fmu: &Fmu) -> Vec<String> {
    let is_continuous = |name: &str| ![".a", "a_rel", ".tau", ".f", "lossPower"].iter().any(|end| name.ends_with(end));
    let real = |variable: &&fmu_builder::description::Variable| {
        variable.causality == Causality::Output
            && matches!(variable.kind, fmu_builder::description::VariableType::Real { .. })
    };
    let all = fmu.description.variables.iter().filter(real).map(|variable| variable.name.clone());
    let ends = [".phi", ".w", ".s", ".v", ".T", ".x", ".y", ".theta1", ".length", ".r_0[1]", ".r_0[2]"];
    all.filter(|name| is_continuous(name) && ends.iter().any(|end| name.ends_with(end))).collect()
}

/// Runs an FMU in Co-Simulation, with its own tolerance or another; returns the outputs at multiples of 10 ms.
fn run(fmu: &Fmu, names: &[String], stop: f64, steps: u32, tolerance: Option<f64>) -> Vec<Vec<f64>> {
    let instance = fmu.instance();
    instance.initialise_with(tolerance);
    let row = |_: ()| names.iter().map(|name| instance.get(name)[0]).collect::<Vec<_>>();
    let mut rows = vec![row(())];
    for i in 0..(stop * 100.0).round() as u32 {
        for k in 0..steps {
            let at = |k: u32| 0.01 * (f64::from(i) + f64::from(k) / f64::from(steps));
            instance.step(at(k), at(k + 1) - at(k));
        }
        rows.push(row(()));
    }
    rows
}

/// Compares two runs of an example, in fractions of the ranges.
fn compare(file: &Path, names: &[String], one: &[Vec<f64>], other: &[Vec<f64>]) {
    assert_eq!(one.len(), other.len());
    for (k, name) in names.iter().enumerate() {
        let values = || one.iter().map(|row| row[k]);
        let range = values().fold(f64::MIN, f64::max) - values().fold(f64::MAX, f64::min);
        for (i, (one, other)) in one.iter().zip(other).enumerate() {
            let (found, expected) = (one[k], other[k]);
            let bound = TOLERANCE * range + ABSOLUTE;
            assert!((found - expected).abs() <= bound, "{}: {name} in row {i}: {found} {expected}", file.display());
        }
    }
}

#[test]
fn each_example_runs_the_same_in_short_and_in_long_steps_and_has_a_model_in_modelica() {
    let examples = examples();
    assert!(examples.len() >= 59);
    // All of the library's.
    for (domain, count) in [("Rotational", 16), ("Translational", 15)] {
        let head = format!("# Modelica.Mechanics.{domain}.Examples.");
        let is_of = |example: &&Example| fs_err::read_to_string(&example.file).unwrap().starts_with(&head);
        assert_eq!(examples.iter().filter(is_of).count(), count, "{domain}");
    }
    for Example { file, stop } in examples {
        let fmu = fmu(&file);
        let names = outputs(&fmu);
        assert!(!names.is_empty(), "{}", file.display());
        let runs = [1, 10].map(|steps| run(&fmu, &names, stop, steps, None));
        compare(&file, &names, &runs[0], &runs[1]);
        assert_eq!(modelica_model(&fmu.description, &fmu.file).unwrap(), None, "{}", file.display());
    }
}

/// CVode integrates the same FMU in Model Exchange.
#[test]
#[ignore = "expensive: FMPy integrates"]
fn each_example_runs_the_same_in_fmpy() {
    let all = examples().into_iter().map(|example| (fmu(&example.file), example));
    let all: Vec<_> = all.map(|(fmu, example)| (outputs(&fmu), fmu, example)).collect();
    let runs = all.iter().map(|(names, fmu, example)| fmpy::Run {
        fmu: &fmu.file,
        inputs: "time\n".to_owned(),
        times: [0.01, example.stop],
        tolerance: if example.is_sensitive() { 1e-10 } else { 1e-8 },
        outputs: names.clone(),
    });
    let Some(tables) = fmpy::in_model_exchange(&runs.collect::<Vec<_>>()) else { return };
    for ((names, fmu, example), rows) in all.iter().zip(tables) {
        let mut found: Vec<Vec<f64>> = Vec::new();
        for row in rows {
            // Between the points, and twice at an event, there are further rows.
            let number = found.len() as f64;
            if (row[0] - 0.01 * number).abs() < 1e-6 {
                found.push(row[1..].to_vec());
            }
        }
        let tolerance = example.is_sensitive().then_some(1e-8);
        compare(&example.file, names, &run(fmu, names, example.stop, 1, tolerance), &found);
    }
}
