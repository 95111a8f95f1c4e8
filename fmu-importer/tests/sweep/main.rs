//! Many runs from a sweep file, by the command `sweep`.

mod design;
mod interrupted;
mod messages;
mod results;

use std::path::PathBuf;
use std::process::{Command, Output};

use fmu_tests::finished::{Fmu, archive};
use tempfile::TempDir;

/// A folder with a sweep file.
struct Case {
    folder: TempDir,
    /// The folder of the FMU.
    fmu: TempDir,
}

impl Case {
    /// Makes a sweep file that says `fmu = …` for an archive that `cargo xtask build` makes, then this text. The
    /// archive is a copy, since other tests may build it anew meanwhile.
    fn new(component: &str, text: &str) -> Self {
        let case = Self { folder: tempfile::tempdir().unwrap(), fmu: tempfile::tempdir().unwrap() };
        let fmu = case.fmu.path().join(format!("{component}.fmu"));
        fs_err::copy(archive(component), &fmu).unwrap();
        fs_err::write(case.path("sweep.toml"), format!("fmu = '{}'\n{text}", fmu.display())).unwrap();
        case
    }

    /// Makes a sweep file for a Clutch with friction surfaces, `Surfaces.fmu` beside the file.
    fn with_surfaces(text: &str) -> Self {
        let case = Self::new("Clutch", "");
        fs_err::copy(Fmu::new("clutch", &["useSurfaces=true"]).file, case.path("Surfaces.fmu")).unwrap();
        fs_err::write(case.path("sweep.toml"), format!("fmu = 'Surfaces.fmu'\n{text}")).unwrap();
        case
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Returns the command, in the folder.
    fn command(&self, arguments: &[&str]) -> Command {
        let mut importer = Command::new(env!("CARGO_BIN_EXE_fmu-importer"));
        importer.args(["sweep", "sweep.toml"]).args(arguments).current_dir(self.folder.path());
        importer
    }

    fn run(&self, arguments: &[&str]) -> Output {
        self.command(arguments).output().unwrap()
    }

    /// Runs a command that must succeed; returns its messages on the standard error.
    fn complete(&self, arguments: &[&str]) -> String {
        let output = self.run(arguments);
        let said = String::from_utf8(output.stderr).unwrap();
        assert!(output.status.success(), "{said}");
        said
    }

    /// Runs the sweep without a failure, and returns the table that was written as CSV.
    fn table(&self) -> Vec<Vec<String>> {
        self.complete(&["--output", "out.csv"]);
        self.csv("out.csv")
    }

    /// Returns a CSV file as rows, the header first.
    fn csv(&self, name: &str) -> Vec<Vec<String>> {
        let mut reader = csv::ReaderBuilder::new().has_headers(false).from_path(self.path(name)).unwrap();
        reader.records().map(|row| row.unwrap().iter().map(str::to_owned).collect()).collect()
    }

    /// Returns the message of a failed command, without its `error: `.
    fn refused(&self, arguments: &[&str]) -> String {
        let output = self.run(arguments);
        let said = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(1), "{said}");
        said.trim_end().strip_prefix("error: ").unwrap_or_else(|| panic!("{said}")).to_owned()
    }

    fn entries(&self) -> Vec<String> {
        let entries = fs_err::read_dir(self.folder.path()).unwrap();
        let mut names: Vec<_> = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }
}

/// Returns a column of a table as numbers.
fn numbers(table: &[Vec<String>], name: &str) -> Vec<f64> {
    let column = table[0].iter().position(|other| other == name).unwrap_or_else(|| panic!("no {name}"));
    table[1..].iter().map(|row| row[column].parse().unwrap()).collect()
}

/// Two shafts of which one is braked to rest by the other: a run with events in it.
const CLUTCH: &str = "
stop = 0.5
[parameters]
J_a = { from = 0.5, to = 2, count = 4 }
w_a_start = [10, 20, 30]
fn_max = 100
f_normalized = 1
[results]
lossPower = ['max', 'mean']
flange_a.w = 'final'
";
