//! Parameters of FMUs from measurements, by the command `fit` with a fit file.

mod coverage;
mod examples;
mod foreign;
mod messages;
mod recovery;
mod response;

use std::path::{Path, PathBuf};
use std::process::Command;

use fmu_builder::Settings;
use fmu_importer::calibration::Calibration;
use fmu_tests::finished::{Fmu, resolve, root};
use tempfile::TempDir;

/// Names of an example and its component, and its true values.
type Example = (&'static str, &'static str, &'static [(&'static str, f64)]);

/// The examples of `docs/fit.md`, with their components and the truth from which their data are made.
const EXAMPLES: [Example; 3] = [
    (
        "train",
        "trains",
        &[("motor.J", 0.12), ("load.J", 0.6), ("shaft.c", 1200.0), ("shaft.d", 1.5), ("bearing.d", 0.25)],
    ),
    ("clutch", "clutch", &[("mue_pos[1,2]", 0.45), ("mue_pos[2,2]", 0.38), ("mue_pos[3,2]", 0.34)]),
    ("mount", "bushing", &[("TS[1]", 8e5), ("TS_friction[1]", 6e5), ("TF_friction[1]", 60.0)]),
];

/// A folder with a fit file and its FMU.
struct Case {
    folder: TempDir,
}

impl Case {
    /// Makes a folder for an example, with the FMU of its guesses.
    fn of_example(name: &str, component: &str) -> Self {
        let case = Self { folder: tempfile::tempdir().unwrap() };
        let fmu = Fmu::of(
            component,
            resolve(component, &Settings::from_toml(&page(&format!("{name}.toml"))).unwrap()).unwrap(),
        );
        fs_err::copy(&fmu.file, case.path("Model.fmu")).unwrap();
        fs_err::copy(page(&format!("{name}.toml")), case.path(&format!("{name}.toml"))).unwrap();
        let text = fs_err::read_to_string(page(&format!("{name}-fit.toml"))).unwrap();
        let (_, rest) = text.split_once('\n').unwrap();
        fs_err::write(case.path("fit.toml"), format!("fmu = \"Model.fmu\"\n{rest}")).unwrap();
        case
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Returns the message with which the fit file is refused, without the folder.
    fn refusal(&self) -> String {
        let error = Calibration::load(&self.path("fit.toml"))
            .and_then(|mut calibration| calibration.fit(&mut |_| ()).map(|_| ()));
        let text = format!("{:#}", error.expect_err("it must be refused"));
        let folder = format!("{}{}", self.folder.path().display(), std::path::MAIN_SEPARATOR);
        text.replace(&folder, "")
    }

    /// Runs the command with the fit file; returns true if it succeeds, its output, and its notes.
    fn run(&self, arguments: &[&str]) -> (bool, String, String) {
        self.run_with("fit.toml", arguments)
    }

    fn run_with(&self, file: &str, arguments: &[&str]) -> (bool, String, String) {
        let mut importer = Command::new(env!("CARGO_BIN_EXE_fmu-importer"));
        let importer = importer.args(["fit", file]).args(arguments).current_dir(self.folder.path());
        let output = importer.output().unwrap();
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
        (output.status.success(), text(output.stdout), text(output.stderr))
    }
}

/// Returns a file of the examples.
fn page(name: &str) -> PathBuf {
    Path::new(root()).join("docs/fit").join(name)
}
