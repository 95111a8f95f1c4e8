//! An FMU unpacked in the package, and programs in C that drive its external functions.

use std::ffi::OsString;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use fmu_builder::description::{Causality, Description, VariableType};
use fmu_builder::{modelica_model, modelica_package};
use fmu_tests::finished::{archive, describe, printed, root};

const STRICT: [&str; 6] = ["-std=c99", "-O2", "-Wall", "-Wextra", "-Wpedantic", "-Werror"];

/// A component with its model and the program that drives it.
pub struct Driven {
    pub folder: tempfile::TempDir,
    pub name: String,
}

impl Driven {
    /// Prepares a component as it is built; `planar` is true if it can only move in a plane.
    pub fn new(component: &str, planar: bool) -> Self {
        Self::of(&describe(component, &[]).unwrap(), &archive(component), planar)
    }

    /// Prepares the FMU in a file.
    pub fn of(description: &Description, file: &Path, planar: bool) -> Self {
        let folder = tempfile::Builder::new().prefix("a folder with blanks ä%").tempdir().unwrap();
        let fmu = folder.path().join(format!("{}.fmu", description.name));
        fs_err::copy(file, &fmu).unwrap();
        assert_eq!(modelica_model(description, &fmu).unwrap(), None);
        let package = modelica_package(folder.path()).unwrap();
        let text = fs_err::read_to_string(package.join(format!("{}.mo", description.name))).unwrap();
        fs_err::write(folder.path().join("model.h"), header(&text, description, planar)).unwrap();
        Self { folder, name: description.name.clone() }
    }

    fn include(&self) -> PathBuf {
        self.folder.path().join("MechanicalFMUs/Resources/Include")
    }

    pub fn unpacked(&self) -> PathBuf {
        self.folder.path().join("MechanicalFMUs/Resources/FMUs").join(&self.name)
    }

    /// Returns language, warnings and folders for a compiler.
    pub fn flags(&self) -> Vec<OsString> {
        let folders = ["-I".into(), self.folder.path().into(), "-I".into(), self.include().into()];
        STRICT.map(OsString::from).into_iter().chain(folders).collect()
    }

    /// Returns a compiler with a program of `tests/modelica` as its input.
    pub fn compiler(&self, program: &Path, source: &str) -> Command {
        let mut compiler = Command::new(program);
        compiler.args(self.flags());
        compiler.arg("-I").arg(root().join("tests/modelica")).arg(root().join("tests/modelica").join(source));
        compiler
    }

    /// Compiles a program of `tests/modelica`, with the folder of the FMU as its first argument.
    pub fn program(&self, source: &str) -> Command {
        let program = self.folder.path().join("driver");
        printed(self.compiler(Path::new("cc"), source).arg("-o").arg(&program).args(["-lm", "-ldl"]));
        let mut program = Command::new(program);
        program.arg(self.unpacked());
        program
    }

    pub fn run(&self, more: &[&str]) -> String {
        printed(self.program("driver.c").args(more))
    }
}

/// Returns the arguments of the constructor in the text of a model, in C, with the start values of parameters.
fn header(text: &str, description: &Description, planar: bool) -> String {
    let (_, rest) = text.split_once("Internal.Instance(\n").unwrap();
    let arguments: Vec<&str> = rest.split_once(");\n").unwrap().0.split(",\n").map(str::trim).collect();
    let [folder, name, guid, lists @ ..] = &arguments[..] else { panic!("{arguments:?}") };
    assert!(folder.ends_with(&format!("/Resources/FMUs/{}\")", description.name)), "{folder}");
    let mut header = format!("#define NAME {name}\n#define GUID {guid}\n#define PLANAR {}\n", i32::from(planar));
    let numbers = |list: &str| -> Vec<u32> {
        let list = list.trim_matches(['{', '}']);
        if list.starts_with("fill(") {
            vec![]
        } else {
            // All inner frames are in use.
            let number = |number: &str| if number.starts_with("(if use_") { 1 } else { number.parse().unwrap() };
            list.split(", ").map(number).collect()
        }
    };
    let mut array = |kind: &str, name: &str, values: Vec<String>| {
        let values = if values.is_empty() { vec!["0".to_owned()] } else { values };
        writeln!(header, "static const {kind} {name}[] = {{{}}};", values.join(", ")).unwrap();
    };
    let mut counts = String::new();
    for (i, (kind, name)) in [("double", "real"), ("int", "integer"), ("int", "boolean")].into_iter().enumerate() {
        let references = numbers(lists[2 * i]);
        let values = references.iter().map(|reference| parameter(description, name, *reference)).collect();
        let plural = if name == "real" { "reals".to_owned() } else { format!("{name}s") };
        writeln!(counts, "#define N_{} {}", plural.to_uppercase(), references.len()).unwrap();
        array("int", &plural, references.iter().map(u32::to_string).collect());
        array(kind, &format!("{name}_values"), values);
    }
    for (list, name) in lists[6..].iter().zip(["inputs", "all_counts", "outputs", "output_counts", "frames"]) {
        array("int", name, numbers(list).iter().map(u32::to_string).collect());
    }
    let inputs = numbers(lists[6]);
    let [states, positions] = [0, 1].map(|i| numbers(lists[7])[i] as usize);
    array(
        "double",
        "starts",
        inputs[states..states + positions].iter().map(|reference| start(description, *reference)).collect(),
    );
    header + &counts
}

fn parameter(description: &Description, kind: &str, reference: u32) -> String {
    let mut of_reference =
        description.variables.iter().filter(|v| v.value_reference == reference && v.causality == Causality::Parameter);
    let value = of_reference.find_map(|variable| match (&variable.kind, kind) {
        (VariableType::Real { start, .. }, "real") => Some(format!("{:?}", start.unwrap())),
        (VariableType::Integer { start, .. }, "integer") => Some(start.unwrap().to_string()),
        (VariableType::Enumeration { start, .. }, "integer") => Some(start.unwrap().to_string()),
        (VariableType::Boolean { start }, "boolean") => Some(i32::from(start.unwrap()).to_string()),
        _ => None,
    });
    value.unwrap_or_else(|| panic!("no {kind} parameter {reference}"))
}

fn start(description: &Description, reference: u32) -> String {
    let is_wanted = |variable: &&fmu_builder::description::Variable| {
        variable.value_reference == reference && variable.causality == Causality::Input
    };
    match description.variables.iter().find(is_wanted).map(|variable| &variable.kind) {
        Some(VariableType::Real { start, .. }) => format!("{:?}", start.unwrap()),
        other => panic!("{reference}: {other:?}"),
    }
}
