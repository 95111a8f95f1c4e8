//! The external functions of the Modelica package in C, called as a Modelica tool calls them: `tests/modelica/driver.c`.

use std::fmt::Write as _;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use fmu_builder::description::{Causality, Description, VariableType};
use fmu_builder::{Archive, modelica_model, modelica_package};
use fmu_tests::finished::{archive, describe, printed, root};

const STRICT: [&str; 6] = ["-std=c99", "-O2", "-Wall", "-Wextra", "-Wpedantic", "-Werror"];

/// A component with its model and the program that drives it.
struct Driven {
    folder: tempfile::TempDir,
    name: String,
}

impl Driven {
    /// `planar`: whether the component can only move in a plane.
    fn new(component: &str, planar: bool) -> Self {
        let folder = tempfile::Builder::new().prefix("a folder with blanks ä%").tempdir().unwrap();
        let description = describe(component, &[]).unwrap();
        let fmu = folder.path().join(format!("{}.fmu", description.name));
        fs_err::copy(archive(component), &fmu).unwrap();
        assert_eq!(modelica_model(&description, &fmu).unwrap(), None);
        let package = modelica_package(folder.path()).unwrap();
        let text = fs_err::read_to_string(package.join(format!("{}.mo", description.name))).unwrap();
        fs_err::write(folder.path().join("model.h"), header(&text, &description, planar)).unwrap();
        Self { folder, name: description.name }
    }

    fn include(&self) -> PathBuf {
        self.folder.path().join("MechanicalFMUs/Resources/Include")
    }

    fn unpacked(&self) -> PathBuf {
        self.folder.path().join("MechanicalFMUs/Resources/FMUs").join(&self.name)
    }

    /// A compiler with the driver as its input.
    fn compiler(&self, program: &Path) -> Command {
        let mut compiler = Command::new(program);
        compiler.args(STRICT).arg("-I").arg(self.folder.path()).arg("-I").arg(self.include());
        compiler.arg("-I").arg(root().join("tests/modelica")).arg(root().join("tests/modelica/driver.c"));
        compiler
    }

    fn run(&self, more: &[&str]) -> String {
        let program = self.folder.path().join("driver");
        printed(self.compiler(Path::new("cc")).arg("-o").arg(&program).args(["-lm", "-ldl"]));
        printed(Command::new(program).arg(self.unpacked()).args(more))
    }
}

/// The arguments of the constructor in the text of a model, in C, with the start values of parameters.
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
            list.split(", ").map(|number| number.parse().unwrap()).collect()
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
    for (list, name) in lists[6..].iter().zip(["inputs", "input_counts", "outputs", "output_counts", "frames"]) {
        array("int", name, numbers(list).iter().map(u32::to_string).collect());
    }
    let inputs = numbers(lists[6]);
    let positions = numbers(lists[7])[0] as usize;
    array("double", "starts", inputs[..positions].iter().map(|reference| start(description, *reference)).collect());
    header + &counts
}

fn parameter(description: &Description, kind: &str, reference: u32) -> String {
    let mut of_reference =
        description.variables.iter().filter(|v| v.value_reference == reference && v.causality == Causality::Parameter);
    let value = of_reference.find_map(|variable| match (&variable.kind, kind) {
        (VariableType::Real { start, .. }, "real") => Some(format!("{:?}", start.unwrap())),
        (VariableType::Integer { start, .. } | VariableType::Enumeration { start, .. }, "integer") => {
            Some(start.unwrap().to_string())
        }
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

/// Derivative functions agree with differences, A and b with the functions, results with the arguments alone, and
/// failures name FMU, file and reason.
fn check(component: &str, planar: bool) {
    let driven = Driven::new(component, planar);
    let said = driven.run(&[]);
    assert!(said.ends_with("done\n") && !said.contains("wrong") && !said.contains("warning"), "{said}");
    let name = &driven.name;
    let has = |part: &str| assert!(said.contains(part), "{part}\n{said}");
    has(&format!("folder: {name} (nowhere): binaries/"));
    has("the path of the folder is too long: 2047 bytes, at most 1023");
    let unpacked = format!("{name} ({})", driven.unpacked().display());
    has(&format!("guid: {unpacked}: fmi2Instantiate: "));
    has(&format!("parameter: {unpacked}: the parameters: "));
    has(&format!("reference: {unpacked}: the parameters: "));
    has(&format!("size: {unpacked}: a function: 1 values are given, but it has "));
    has(&format!("matrix: {unpacked}: the outputs: "));
    has("rotation matrix");
    has(&format!("start: {unpacked}: fmi2ExitInitializationMode: frame_a.R.T is not a rotation matrix"));
    has(&format!("number: {unpacked}: the inputs: fmi2SetReal: \"frame_a.r_0[1]\" cannot be NaN"));
}

macro_rules! components {
    ($($test:ident: $component:literal, $planar:literal;)*) => {$(
        #[test]
        fn $test() {
            check($component, $planar);
        }
    )*};
}

components! {
    bushing: "bushing", false;
    joint_ups: "joint-ups", false;
    joint_usr: "joint-usr", false;
    joint_usp: "joint-usp", false;
    joint_ssr: "joint-ssr", false;
    joint_ssp: "joint-ssp", false;
    joint_rrr: "joint-rrr", true;
    joint_rrp: "joint-rrp", true;
}

/// Where there is a compiler for Windows.
#[test]
fn the_header_is_accepted_for_windows() {
    let compiler = Path::new("x86_64-w64-mingw32-gcc");
    if Command::new(compiler).arg("--version").output().is_err() {
        // Past the test runner, which shows only what failing tests print.
        let _ = writeln!(std::io::stderr(), "skipped: there is no {}", compiler.display());
        return;
    }
    let driven = Driven::new("bushing", false);
    let libraries = driven.folder.path().join("MechanicalFMUs/Resources/Library/win64");
    let program = driven.folder.path().join("driver.exe");
    printed(driven.compiler(compiler).arg("-o").arg(&program).arg("-L").arg(libraries).args([
        "-lm",
        "-ldl",
        "-lpthread",
    ]));
}

/// The times of the external functions beside those of the FMU, for people.
#[test]
#[ignore = "expensive: measures times"]
fn times() {
    for (component, planar) in [("bushing", false), ("joint-ssp", false), ("joint-rrp", true)] {
        println!("{component}\n{}", Driven::new(component, planar).run(&["time"]));
    }
}

/// The package can be moved: no path of this computer is in its texts.
#[test]
fn the_package_names_no_folder() {
    let driven = Driven::new("joint-ssp", false);
    let package = driven.folder.path().join("MechanicalFMUs");
    for file in ["package.mo", "Internal.mo", "JointSSP.mo"] {
        let text = fs_err::read_to_string(package.join(file)).unwrap();
        assert!(!text.contains(&*root().to_string_lossy()) && !text.contains(&*std::env::temp_dir().to_string_lossy()));
    }
    let unpacked = |entry: &str| driven.unpacked().join(entry).exists();
    let archive = Archive::open(&archive("joint-ssp")).unwrap();
    for entry in archive.entries().iter().filter(|entry| !entry.name.ends_with('/')) {
        let is_needed = entry.name.starts_with("binaries/") || entry.name.starts_with("resources/");
        assert_eq!(unpacked(&entry.name), is_needed, "{}", entry.name);
    }
}
