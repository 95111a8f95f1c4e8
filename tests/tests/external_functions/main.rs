//! The external functions of the Modelica package in C, called as a Modelica tool calls them: `tests/modelica/driver.c`.

mod block;
mod driven;
mod friction;
mod gripper;

use std::io::Write as _;
use std::path::Path;
use std::process::Command;

use driven::Driven;
use fmu_builder::Archive;
use fmu_tests::finished::{archive, printed, python, root};

/// Checks that derivative functions agree with differences, A and b with the functions, results with the arguments
/// alone, and that failures name FMU, file and reason.
fn check(component: &str, planar: bool) {
    let driven = Driven::new(component, planar);
    let said = driven.run(&[]);
    assert!(said.ends_with("done\n") && !said.contains("wrong"), "{said}");
    // The warning comes once.
    let warning =
        format!("warning: after 100 failures its results are NaN, so that the simulation ends: {} (", driven.name);
    assert_eq!((said.matches("warning: ").count(), said.matches(&warning).count()), (1, 1), "{said}");
    let name = &driven.name;
    let has = |part: &str| assert!(said.contains(part), "{part}\n{said}");
    has(&format!("folder: {name} (nowhere): binaries/"));
    has("the path of the folder is too long: 2047 bytes, at most 1023");
    let unpacked = format!("{name} ({})", driven.unpacked().display());
    has(&format!("guid: {unpacked}: fmi2Instantiate: "));
    has(&format!("parameter: {unpacked}: the parameters: "));
    has(&format!("reference: {unpacked}: the parameters: "));
    has(&format!("size: {unpacked}: a function: 1 values are given, but it has "));
    has(&format!("law: {unpacked}: mechanics_law: this component has no law"));
    has(&format!("matrix: {unpacked}: the outputs: "));
    has("rotation matrix");
    has(&format!("start: {unpacked}: fmi2ExitInitializationMode: frame_a.R.T is not a rotation matrix"));
    // Three earlier failures are among the 101.
    has("endless: 98 errors, then 52 results that are NaN");
    has(&format!("forgiven: {unpacked}: "));
    has(&format!("number: {unpacked}: the inputs: fmi2SetReal: \"frame_a.r_0[1]\" cannot be NaN"));
    has(&format!("inner: {unpacked}: an inner frame: there is no inner frame 99, but "));
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

/// The test needs a compiler for Windows.
#[test]
#[ignore = "expensive: needs a compiler for Windows"]
fn the_header_is_accepted_for_windows() {
    let compiler = Path::new("x86_64-w64-mingw32-gcc");
    if Command::new(compiler).arg("--version").output().is_err() {
        // This bypasses the test runner, which shows the output of failing tests only.
        let _ = writeln!(std::io::stderr(), "skipped: there is no {}", compiler.display());
        return;
    }
    let driven = Driven::new("bushing", false);
    let libraries = driven.folder.path().join("MechanicalFMUs/Resources/Library/win64");
    let program = driven.folder.path().join("driver.exe");
    printed(
        driven
            .compiler(compiler, "driver.c")
            .arg("-o")
            .arg(&program)
            .arg("-L")
            .arg(libraries)
            .args(["-lm", "-ldl", "-lpthread"]),
    );
}

/// The compiler is the front end of clang, of the Python that the importers need.
#[test]
fn the_header_is_accepted_by_clang() {
    let Some(mut python) = python() else { return };
    let driven = Driven::new("bushing", false);
    let own = printed(Command::new("cc").arg("-print-file-name=include"));
    let folders = ["-isystem", own.trim(), "-I", "tests/modelica"];
    let script = "import sys, clang.cindex\n\
        unit = clang.cindex.Index.create().parse(sys.argv[1], args=sys.argv[2:])\n\
        print(unit.spelling, *(str(diagnostic) for diagnostic in unit.diagnostics), sep='\\n')";
    let source = "tests/modelica/driver.c";
    let said = printed(python.args(["-c", script, source]).args(driven.flags()).args(folders));
    assert_eq!(said.trim(), source);
}

/// The test prints times of the external functions beside those of the FMU, for people.
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
