//! The Python package in a fresh environment, without cargo and without a compiler.

#![cfg(target_os = "linux")]

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap()
}

fn xtask(arguments: &[&str]) -> Output {
    let output = Command::new(env!("CARGO_BIN_EXE_xtask")).args(arguments).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    output
}

/// An environment with the package, and nothing else on the path.
struct Installed {
    folder: tempfile::TempDir,
}

impl Installed {
    fn new() -> Self {
        let output = xtask(&["wheel", "--debug"]);
        let said = String::from_utf8(output.stdout).unwrap();
        let (wheel, _) = said.trim().split_once(": ").unwrap();
        let folder = tempfile::tempdir().unwrap();
        let installed = Self { folder };
        let python = root().join("target/python/bin/python");
        let made =
            Command::new(python).args(["-m", "venv"]).arg(installed.folder.path().join("venv")).output().unwrap();
        assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
        let output = installed.run("pip", &["install", "--no-index", "--no-deps", wheel]);
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        installed
    }

    fn path(&self, file: &str) -> PathBuf {
        self.folder.path().join(file)
    }

    fn run(&self, program: &str, arguments: &[&str]) -> Output {
        let programs = self.path("venv/bin");
        let mut command = Command::new(programs.join(program));
        command.args(arguments).current_dir(self.folder.path()).env_clear().env("PATH", &programs);
        command.output().unwrap()
    }

    fn said(&self, arguments: &[&str]) -> String {
        let output = self.run("mechanical-fmus", arguments);
        assert!(output.status.success(), "{arguments:?}\n{}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap()
    }

    fn refused(&self, arguments: &[&str]) -> String {
        let output = self.run("mechanical-fmus", arguments);
        assert_eq!(output.status.code(), Some(1), "{arguments:?}");
        String::from_utf8(output.stderr).unwrap()
    }
}

/// What a user does in Python; each line is checked there.
const SCRIPT: &str = r#"
import mechanical_fmus as m
assert "bushing" in [component.name for component in m.components()]
T = [variable for variable in m.info("bushing", TS=[1e6, 1e6, 2e5]) if variable.name.startswith("TS")]
assert (T[0].kind, T[0].unit) == ("parameter", "N/m"), T
file = m.build("bushing", TS=[1e6, 1e6, 2e5], name="Front", out="python")
assert str(file) == "python/Front.fmu", file
train = {"parts": {"load": {"type": "Inertia", "J": 2.0}, "motor": {"type": "Torque", "flange": "load.flange_a"}}}
assert m.build(train, name="Train", out="python").name == "Train.fmu"
for what, settings, message in [
    ("bushing", {"TS": [1, 2]}, "--set TS=[1, 2]: must be an array of 3 numbers, but has 2 instead of 3 entries"),
    ({"component": "bushing", "parameters": {"TT": 1}}, {}, 'dict:2:17: unknown parameter "TT"; did you mean "TD"?'),
    ("nowhere.toml", {}, "nowhere.toml cannot be read: No such file or directory (os error 2)"),
    ("bashing", {}, 'unknown component "bashing"; did you mean "bushing"? (mechanical-fmus list shows all)'),
]:
    try:
        m.build(what, **settings)
    except m.SettingsError as error:
        assert str(error) == message, error
    else:
        raise AssertionError(message)
try:
    m.build("bushing", out="nowhere/at/all/Front.fmu", name="Front")
except OSError as error:
    assert "nowhere" in str(error), error
"#;

#[test]
#[ignore = "expensive: compiles the Python package"]
fn the_python_package_needs_no_compiler() {
    let installed = Installed::new();
    let listed = |output: Output| String::from_utf8(output.stdout).unwrap();
    assert_eq!(installed.said(&["list"]), listed(xtask(&["list"])));

    // The same bytes as from a clone.
    let own = installed.path("clone");
    let setting = "TS=[1e6, 1e6, 2e5]";
    xtask(&["build", "bushing", "--set", setting, "--set", "name=Front", "--out", own.to_str().unwrap()]);
    installed.said(&["build", "bushing", "--set", setting, "--set", "name=Front"]);
    let script = installed.run("python", &["-c", SCRIPT]);
    assert!(script.status.success(), "{}", String::from_utf8_lossy(&script.stderr));
    let fmu = |file: PathBuf| fs_err::read(file).unwrap();
    let expected = fmu(own.join("Front.fmu"));
    assert_eq!(fmu(installed.path("Front.fmu")), expected);
    assert_eq!(fmu(installed.path("python/Front.fmu")), expected);

    assert!(installed.said(&["validate", "Front.fmu", "python/Train.fmu"]).contains("Front.fmu: no problems"));
    assert!(installed.said(&["simulate", "Front.fmu", "--stop", "0.1"]).contains("frame_b.f"));
    let help = installed.said(&["simulate", "--help"]);
    assert!(help.contains("Usage: mechanical-fmus simulate"), "{help}");

    // What the page shows.
    let page = fs_err::read_to_string(root().join("python/README.md")).unwrap();
    let commands: Vec<_> = page.lines().filter_map(|line| line.strip_prefix("    mechanical-fmus ")).collect();
    assert_eq!(commands.len(), 4);
    for command in commands {
        installed.said(&command.split_whitespace().collect::<Vec<_>>());
    }
    let script = page.split("```").find_map(|block| block.strip_prefix("python\n")).unwrap();
    let output = installed.run("python", &["-c", script]);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    assert!(String::from_utf8_lossy(&output.stdout).contains("parameter TS[3] "));

    let licenses = fs_err::read_to_string(find(&installed.path("venv"), "licenses.txt")).unwrap();
    for package in ["pyo3 0.", "parquet ", "fmu-builder ", "std "] {
        assert!(licenses.contains(&format!("    {package}")), "{package}");
    }

    let message = "error: --set TS=[1,2]: must be an array of 3 numbers, but has 2 instead of 3 entries\n";
    assert_eq!(installed.refused(&["build", "bushing", "--set", "TS=[1,2]"]), message);
    let library = find(&installed.path("venv"), "libbushing_fmu.so");
    fs_err::write(&library, "damaged").unwrap();
    let message = format!("error: {}: the installation is damaged; install the package again\n", library.display());
    assert_eq!(installed.refused(&["build", "bushing"]), message);
}

/// The file of this name below a folder.
fn find(folder: &Path, name: &str) -> PathBuf {
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs_err::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() && !path.is_symlink() {
                folders.push(path);
            } else if path.file_name().is_some_and(|file| file == name) {
                return path;
            }
        }
    }
    panic!("{name} is not installed");
}
