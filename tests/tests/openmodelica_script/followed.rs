//! The outputs of examples over time that `Try.mo` expects.

use fmu_builder::Settings;
use fmu_importer::{Interface, Simulation};
use fmu_tests::finished::{Fmu, printed, python, resolve, root};

use super::docs;

/// Relative tolerance of the simulations in the script.
const TOLERANCE: f64 = 1e-8;

/// That of the Co-Simulation that the rows are from.
const ACCURATE: f64 = 1e-12;

/// A system that follows an example.
struct Followed {
    name: String,
    /// File of the example, in the workspace.
    file: String,
    interval: f64,
    /// A row for each multiple of the interval.
    expected: Vec<Vec<f64>>,
    found: Vec<String>,
    /// Inputs and their values.
    inputs: Vec<(String, String)>,
    /// End of the simulation and the allowed difference, in the script.
    stop: f64,
    allowed: f64,
}

/// Returns what is between two texts.
fn between<'t>(text: &'t str, begin: &str, end: &str) -> &'t str {
    let (_, rest) = text.split_once(begin).unwrap_or_else(|| panic!("no {begin} in {text}"));
    rest.split_once(end).unwrap_or_else(|| panic!("no {end} after {begin} in {text}")).0
}

fn number(text: &str) -> f64 {
    text.trim().parse().unwrap_or_else(|_| panic!("{text} is no number"))
}

/// Reads the systems.
fn followed() -> Vec<Followed> {
    let (systems, script) = (docs("Try.mo"), docs("try.mos"));
    let system = |text: &str| {
        let name = between(text, "model ", " ").to_owned();
        let lines = script.split("difference := -1.0;").find(|lines| lines.contains(&format!("simulate(Try.{name}, ")));
        let lines = lines.unwrap_or_else(|| panic!("{name} is not simulated"));
        assert!(lines.contains(&format!("tolerance = {TOLERANCE:e}")), "{lines}");
        let inputs =
            text.lines().filter_map(|line| line.strip_prefix("    part.")?.strip_suffix(';')?.split_once(" = "));
        Followed {
            file: between(text, "\"", ".toml").to_owned() + ".toml",
            interval: number(between(text, "interval = ", ",")),
            expected: between(text, "expected = {{", "}}")
                .split("},")
                .map(|row| row.trim().trim_start_matches('{').split(',').map(number).collect())
                .collect(),
            found: between(text, "found = {", "}").split(", ").map(|name| name.replace("part.", "")).collect(),
            inputs: inputs.map(|(name, value)| (name.to_owned(), value.to_owned())).collect(),
            stop: number(between(lines, "stopTime = ", ",")),
            allowed: number(between(lines, "expected below ", "\\n")),
            name,
        }
    };
    let followed: Vec<_> =
        systems.split("\n\n").filter(|text| text.contains("\n    extends Followed(")).map(system).collect();
    assert!(!followed.is_empty());
    followed
}

/// Returns a name as Modelica and the FMU both have it, but for dots and brackets.
fn flat(name: &str) -> String {
    name.replace(|character: char| !character.is_ascii_alphanumeric(), "_").trim_end_matches('_').to_owned()
}

impl Followed {
    /// Runs the FMU through an interface; returns the rows after the start.
    fn run(&self, fmu: &Fmu, interface: Interface, tolerance: f64) -> Vec<Vec<f64>> {
        let mut simulation = Simulation::load_as(&fmu.file, interface).unwrap();
        (simulation.step, simulation.stop) = (self.interval, self.stop);
        simulation.tolerance = Some(tolerance);
        let named = |name: &String| {
            let mut names = fmu.description.variables.iter().map(|variable| &variable.name);
            let found = names.find(|of_fmu| flat(of_fmu) == flat(name));
            found.unwrap_or_else(|| panic!("{}: the FMU has no {name}", self.file)).clone()
        };
        for (name, value) in &self.inputs {
            simulation.set(&format!("{}={value}", named(name))).unwrap();
        }
        let trajectory = simulation.run().unwrap();
        let columns: Vec<_> = self.found.iter().map(|name| trajectory.column(&named(name)).unwrap()).collect();
        (1..trajectory.time.len()).map(|row| columns.iter().map(|column| column[row]).collect()).collect()
    }
}

/// Returns the largest difference as `Try.mo` computes it, with the row and the name.
fn largest<'f>(expected: &[Vec<f64>], found: &[Vec<f64>], names: &'f [String]) -> (f64, usize, &'f str) {
    assert_eq!([expected.len(), expected[0].len()], [found.len(), names.len()]);
    let mut largest = (0.0, 0, "");
    for (column, name) in names.iter().enumerate() {
        let size = expected.iter().map(|row| row[column].abs()).fold(0.0, f64::max);
        for (row, (expected, found)) in expected.iter().zip(found).enumerate() {
            let error = (found[column] - expected[column]).abs() / (1.0 + size);
            if error.is_nan() || error > largest.0 {
                largest = (error, row + 1, name);
            }
        }
    }
    largest
}

/// The rows are those of a more accurate Co-Simulation, and Model Exchange with the script's tolerance, which integrates
/// as a Modelica tool does, differs less from them than the script expects.
#[test]
#[ignore = "expensive: simulates all examples"]
fn the_expected_outputs_are_those_of_the_fmus() {
    for system in followed() {
        let settings = Settings::from_toml(&root().join(&system.file)).unwrap();
        let fmu = Fmu::of("systems", resolve("systems", &settings).unwrap());
        for (interface, tolerance, allowed) in
            [(Interface::CoSimulation, ACCURATE, 2e-9), (Interface::ModelExchange, TOLERANCE, system.allowed)]
        {
            let found = system.run(&fmu, interface, tolerance);
            let (error, row, name) = largest(&system.expected, &found, &system.found);
            let Followed { name: system, .. } = &system;
            assert!(error <= allowed, "{system}: {name} in row {row} differs by {error:e}; the FMU has {found:?}");
        }
    }
}

/// Simulates a line, of which one value is not the expected one; prints the difference at the start and from then on.
const LINE: &str = "import rumoca, sys
open(sys.argv[1], 'w').write(sys.argv[2])
result = rumoca.Session([]).load(sys.argv[1], model='Test.Line').simulate(0.1)
found = sorted(set(zip(result['error'], result.time)))
print(*(f'{error:.6f}' for error in sorted({error for error, _ in found})), round(min(t for e, t in found if e > 0.001), 6))";

#[test]
fn a_difference_at_one_time_is_kept() {
    let Some(mut python) = python() else { return };
    let systems = docs("Try.mo");
    let classes = between(&systems, "  function deviation ", "  end Followed;\n");
    let model = format!(
        "package Test\n  function deviation {classes}  end Followed;\n  model Line\n    extends Followed(interval = 0.02, \
         expected = {{{{0.02, -0.04}}, {{0.04, -0.08}}, {{0.06, -0.13}}, {{0.08, -0.16}}, {{0.1, -0.2}}}}, \
         found = {{x, -2*x}});\n    Real x(start = 0, fixed = true);\n  equation\n    der(x) = 1;\n  end Line;\nend Test;\n"
    );
    let folder = tempfile::tempdir().unwrap();
    let said = printed(python.args(["-c", LINE]).arg(folder.path().join("Test.mo")).arg(model));
    // -1 before the first time, then nothing, then 0.01 of 1 + 0.2 from the third time on.
    assert_eq!(said.trim(), "-1.000000 0.000000 0.008333 0.06");
}
