//! The Python package in a fresh environment, without cargo and without a compiler.

#![cfg(target_os = "linux")]

use std::collections::BTreeSet;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::time::Instant;

use xtask::paths::{files_below, root};

fn xtask(arguments: &[&str]) -> Output {
    let output = Command::new(env!("CARGO_BIN_EXE_xtask")).args(arguments).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    output
}

/// An environment with the package, and no other programs on the path.
struct Installed {
    folder: tempfile::TempDir,
    /// When nothing was installed.
    begin: Instant,
}

impl Installed {
    fn new() -> Self {
        let output = xtask(&["wheel", "--debug"]);
        let said = String::from_utf8(output.stdout).unwrap();
        let (wheel, _) = said.trim().split_once(": ").unwrap();
        let mut twine = Command::new(root().join("target/wheel/maturin/bin/python"));
        let output = twine.args(["-m", "twine", "check", "--strict", wheel]).output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&[output.stdout, output.stderr].concat()));
        let installed = Self { folder: tempfile::tempdir().unwrap(), begin: Instant::now() };
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
        command.env("MECHANICAL_FMUS_CACHE", self.path("cache")).env("PYTHONDONTWRITEBYTECODE", "1");
        command.output().unwrap()
    }

    fn said(&self, arguments: &[&str]) -> String {
        let output = self.run("mechanical-fmus", arguments);
        assert!(output.status.success(), "{arguments:?}\n{}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap()
    }

    fn python(&self, arguments: &[&str]) -> String {
        let output = self.run("python", arguments);
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap()
    }

    /// Adds FMPy and NumPy of the importers' environment.
    fn add_packages(&self) {
        let folder = "import sysconfig; print(sysconfig.get_path('platlib'))";
        let output = Command::new(root().join("target/python/bin/python")).args(["-c", folder]).output().unwrap();
        let own = self.python(&["-c", folder]);
        fs_err::write(Path::new(own.trim_end()).join("more.pth"), output.stdout).unwrap();
    }

    /// Checks that a script which uses the package has no errors of types, and neither has the package.
    fn is_typed(&self, script: &str) {
        let python = self.path("venv/bin/python");
        let package = find(&self.path("venv"), "_settings.py").with_file_name("");
        let mut mypy = Command::new(root().join("target/wheel/maturin/bin/python"));
        mypy.args(["-m", "mypy", "--strict", "--cache-dir"])
            .arg(self.path("mypy"))
            .arg("--python-executable")
            .arg(python);
        // Scripts that made data, and that for Dask, are no part of the package.
        mypy.args(["--exclude", "/examples/(.*/|many_runs_dask)"]);
        let output = mypy.arg(script).arg(package).output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
    }

    /// Checks that the types of the compiled module are those of its stub.
    fn has_stubs(&self) {
        let mut stubtest = Command::new(root().join("target/wheel/maturin/bin/python"));
        stubtest.args(["-m", "mypy.stubtest", "mechanical_fmus._native"]).current_dir(self.folder.path());
        let package = find(&self.path("venv"), "_settings.py").with_file_name("");
        stubtest.env("PYTHONPATH", package.parent().unwrap());
        let output = stubtest.output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
    }

    fn refused(&self, arguments: &[&str]) -> String {
        let output = self.run("mechanical-fmus", arguments);
        assert_eq!(output.status.code(), Some(1), "{arguments:?}");
        String::from_utf8(output.stderr).unwrap()
    }
}

#[test]
#[ignore = "expensive: compiles the Python package"]
fn the_python_package_needs_no_compiler() {
    let installed = Installed::new();
    let page = fs_err::read_to_string(root().join("python/README.md")).unwrap();
    first_example(&installed, &page);
    metadata(&installed);
    let listed = |output: Output| String::from_utf8(output.stdout).unwrap();
    assert_eq!(installed.said(&["list"]), listed(xtask(&["list"])));
    assert_eq!(installed.said(&["info", "clutch", "--json"]), listed(xtask(&["info", "clutch", "--json"])));

    // The FMU has the same bytes as from a clone.
    let own = installed.path("clone");
    let setting = "TS=[1e6, 1e6, 2e5]";
    xtask(&["build", "bushing", "--set", setting, "--set", "name=Front", "--out", own.to_str().unwrap()]);
    installed.said(&["build", "bushing", "--set", setting, "--set", "name=Front"]);
    let reference = root().join("models/bushing/reference");
    fs_err::copy(reference.join("measured_forces.csv"), installed.path("forces.csv")).unwrap();
    fs_err::write(installed.path("bad.fmu"), "no archive").unwrap();
    for script in ["api.py", "bad_input.py"] {
        installed.python(&[root().join("python/tests").join(script).to_str().unwrap()]);
    }
    let fmu = |file: PathBuf| fs_err::read(file).unwrap();
    let expected = fmu(own.join("Front.fmu"));
    assert_eq!(fmu(installed.path("Front.fmu")), expected);
    assert_eq!(fmu(installed.path("python/Front.fmu")), expected);

    let output = installed.run("mechanical-fmus", &["validate", "Front.fmu", "python/Train.fmu"]);
    assert!(listed(output.clone()).contains("Front.fmu: no problems") && output.status.success());
    let note = "note: FMPy is not installed; if it is, validate also checks the FMUs with it: pip install fmpy\n";
    assert_eq!(String::from_utf8(output.stderr).unwrap(), note);
    installed.said(&["build", "bushing", "--fmi", "3"]);
    let output = installed.run("mechanical-fmus", &["validate", "fmi3/Bushing.fmu"]);
    assert!(listed(output.clone()).contains("Bushing.fmu: no problems"), "{output:?}");
    assert_eq!((String::from_utf8(output.stderr).unwrap(), output.status.code()), (note.to_owned(), Some(0)));
    let help = installed.said(&["simulate", "--help"]);
    assert!(help.contains("Usage: mechanical-fmus simulate") && !help.contains('\u{1b}'), "{help}");
    for shell in ["bash", "zsh", "fish", "powershell"] {
        let script = installed.said(&["completion", shell]);
        assert!(script.contains("mechanical-fmus") && script.contains("animate"), "{script}");
    }

    let pages = installed.said(&["docs"]);
    assert!(
        pages.lines().any(|line| line.starts_with("robots ") && line.ends_with("  Robots from URDF files")),
        "{pages}"
    );
    let clutch = fs_err::read_to_string(root().join("models/clutch/README.md")).unwrap();
    let shown = installed.said(&["docs", "clutch"]);
    assert_eq!(shown.lines().last(), clutch.lines().last());
    assert!(
        shown.contains("\n    mechanical-fmus simulate Clutch.fmu --input examples/clutch/engagement.csv "),
        "{shown}"
    );
    let message = "error: there is no page \"systms\"; did you mean \"systems\"? (docs without a name lists all)\n";
    assert_eq!(installed.refused(&["docs", "systms"]), message);

    pages_of_the_package(&installed);

    let guide = fs_err::read_to_string(root().join("docs/python.md")).unwrap();
    let commands = guide.lines().filter_map(|line| line.strip_prefix("    mechanical-fmus "));
    let commands: Vec<Vec<_>> = commands.map(|command| command.split_whitespace().collect()).collect();
    assert_eq!(commands.len(), 2);
    commands.iter().for_each(|command| drop(installed.said(command)));
    // The plot of the first example shows motion: the shafts come to the same speed.
    installed.said(&[&commands[1][..], &["--output", "engagement.csv"]].concat());
    let columns = "import csv; rows = list(csv.DictReader(open('engagement.csv'))); \
                   print(*(float(rows[i][name]) > 1 for i in (0, -1) for name in ('flange_a.w', 'flange_b.w')))";
    assert_eq!(installed.python(&["-c", columns]), "True False True True\n");
    let script = page.split("```").find_map(|block| block.strip_prefix("python\n")).unwrap();
    assert!(installed.python(&["-c", script]).contains("parameter TS [4500000.0, 4500000.0, 800000.0] N/m\n"));

    examples(&installed);

    installed.add_packages();
    let validated = installed.said(&["validate", "Front.fmu", "--json"]);
    let verdicts: Vec<_> = validated.lines().map(|line| line.split_once("\"by\":\"").unwrap().1).collect();
    assert!(verdicts[0].starts_with("mechanical-fmus ") && verdicts[1].starts_with("FMPy "), "{validated}");
    let validated = installed.said(&["validate", "fmi3/Bushing.fmu"]);
    let lines: Vec<_> = validated.lines().collect();
    let [ours, fmpy] = lines[..] else { panic!("{validated}") };
    assert!(ours.starts_with("Bushing.fmu: no problems ("), "{validated}");
    assert!(fmpy.starts_with("Bushing.fmu: FMPy ") && fmpy.ends_with(": no problems"), "{validated}");
    assert_eq!(installed.python(&["-c", "import mechanical_fmus as m; print(m.validate('fmi3/Bushing.fmu'))"]), "[]\n");
    let script = root().join("python/examples/measured_bushing.py");
    let script = script.to_str().unwrap();
    // The force at 2 mm, and the closed form of the losses.
    assert_eq!(installed.python(&[script, "forces.csv"]), "peak force along x: 10064 N\nlosses of a cycle: 0.0395 J\n");
    installed.is_typed(script);
    let tests = root().join("python/tests");
    installed.python(&[tests.join("arrays.py").to_str().unwrap()]);
    open_models(&installed, &tests);

    for licence in ["LICENSE-APACHE", "LICENSE-MIT"] {
        let own = fs_err::read(root().join(licence)).unwrap();
        assert_eq!(fs_err::read(find(&installed.path("venv"), licence)).unwrap(), own);
    }
    let licenses = fs_err::read_to_string(find(&installed.path("venv"), "licenses.txt")).unwrap();
    for package in ["pyo3 0.", "parquet ", "fmu-builder ", "std "] {
        assert!(licenses.contains(&format!("    {package}")), "{package}");
    }

    let message = "error: --set TS=[1,2]: must be an array of 3 numbers, but has 2 instead of 3 entries\n";
    assert_eq!(installed.refused(&["build", "bushing", "--set", "TS=[1,2]"]), message);
    let archive = find(&installed.path("venv"), "linux64.xz");
    fs_err::write(&archive, "damaged").unwrap();
    let message = format!("error: {}: the installation is damaged; install the package again\n", archive.display());
    fs_err::remove_dir_all(installed.path("cache")).unwrap();
    assert_eq!(installed.refused(&["build", "bushing"]), message);
}

/// Runs the commands of the package's first page; prints how long all took from nothing.
fn first_example(installed: &Installed, page: &str) {
    let commands: Vec<_> = page.lines().filter_map(|line| line.strip_prefix("    mechanical-fmus ")).collect();
    assert_eq!(commands.len(), 4);
    for command in commands {
        installed.said(&command.split_whitespace().collect::<Vec<_>>());
    }
    let seconds = installed.begin.elapsed().as_secs_f64();
    let message = format!("a new environment, pip install and the first example: {seconds:.1} s\n");
    // Past the test runner, which shows only what failing tests print.
    std::io::stderr().write_all(message.as_bytes()).unwrap();
}

/// Checks what package indices show: authors and address are those of `Cargo.toml`.
fn metadata(installed: &Installed) {
    let folder = format!("mechanical_fmus-{}.dist-info", env!("CARGO_PKG_VERSION"));
    let metadata = fs_err::read_to_string(find(&installed.path("venv"), &format!("{folder}/METADATA"))).unwrap();
    let workspace: toml::Table = fs_err::read_to_string(root().join("Cargo.toml")).unwrap().parse().unwrap();
    let package = &workspace["workspace"]["package"];
    let [author, address] = [&package["authors"][0], &package["repository"]].map(|value| value.as_str().unwrap());
    for line in [
        &format!("Author: {author}"),
        &format!("Project-URL: Source Code, {address}"),
        "License-Expression: MIT OR Apache-2.0",
        "License-File: LICENSE-APACHE",
        "License-File: LICENSE-MIT",
        "Provides-Extra: fmpy",
        "Provides-Extra: results",
    ] {
        assert!(metadata.lines().any(|own| own == line), "{line}: {metadata}");
    }
    let pyproject: toml::Table = fs_err::read_to_string(root().join("python/pyproject.toml")).unwrap().parse().unwrap();
    let classifiers = pyproject["project"]["classifiers"].as_array().unwrap().iter().map(|own| own.as_str().unwrap());
    let shown: Vec<_> = metadata.lines().filter_map(|line| line.strip_prefix("Classifier: ")).collect();
    assert_eq!(shown, classifiers.collect::<Vec<_>>());
    assert!(shown.len() >= 10, "{shown:?}");
}

/// Checks that the pages of the package name only commands and files that it has.
fn pages_of_the_package(installed: &Installed) {
    let said = installed.said(&["examples", "shown/examples"]);
    assert!(said.starts_with("shown/examples: ") && said.ends_with(" files\n"), "{said}");
    let message = "error: shown/examples/bench-arm.toml already exists\n";
    assert_eq!(installed.refused(&["examples", "shown/examples"]), message);
    let (mut words, mut files) = (BTreeSet::new(), BTreeSet::new());
    let package = find(&installed.path("venv"), "_settings.py").with_file_name("docs");
    for page in files_below(&package).unwrap() {
        let text = fs_err::read_to_string(&page).unwrap();
        assert!(!text.contains("cargo xtask"), "{}", page.display());
        let commands = ["`", "    ", "$ "].map(|before| format!("{before}mechanical-fmus "));
        let behind = commands.iter().flat_map(|command| text.split(command.as_str()).skip(1));
        words.extend(behind.filter_map(|rest| Some(rest.split(|c: char| !c.is_alphabetic()).next()?.to_owned())));
        let paths = text.split(|c: char| c.is_whitespace() || "`\"'()[]=,".contains(c));
        let paths = paths.filter(|path| path.starts_with("examples/") && !path.contains('*'));
        files.extend(paths.map(|path| path.trim_end_matches('.').to_owned()));
    }
    for word in &words {
        installed.said(&[word, "--help"]);
    }
    for file in &files {
        assert!(installed.path("shown").join(file).exists(), "{file}");
    }
    assert!(words.len() > 10 && files.len() > 30, "{words:?} {files:?}");
}

/// Runs the tests of open models and of sweeps, and the examples of the pages.
fn open_models(installed: &Installed, tests: &Path) {
    let python = root().join("target/python");
    xtask::venv::add(&python, &root().join("docs/python-requirements.txt"), "results in Python").unwrap();
    fs_err::copy(root().join("models/bushing/reference/dynamic_stiffness.csv"), installed.path("stiffness.csv"))
        .unwrap();
    for script in ["model.py", "sweep.py", "linear.py", "fit.py"] {
        installed.python(&[tests.join(script).to_str().unwrap()]);
    }
    for (page, least) in [("python.md", 20), ("explore.md", 10)] {
        let page = root().join("docs").join(page);
        let examples = installed.python(&[tests.join("page.py").to_str().unwrap(), page.to_str().unwrap()]);
        assert!(examples.trim().parse::<u32>().unwrap() >= least, "{examples}");
    }
    // CasADi is among the importers where there is one for this Python.
    if installed.run("python", &["-c", "import casadi"]).status.success() {
        let script = root().join("python/examples/casadi_bushing.py");
        let printed = installed.python(&[script.to_str().unwrap()]);
        assert_eq!(printed, "way along x and y: 0.600 and 1.200 mm\n");
    }
    installed.is_typed(tests.join("typed.py").to_str().unwrap());
    installed.has_stubs();
}

/// Runs the examples of the help as they are.
fn examples(installed: &Installed) {
    let reference = root().join("models/bushing/reference");
    for (from, to) in
        [("dynamic_stiffness.csv", "measured.csv"), ("mount.gbs", "mount.gbs"), ("road_load.csv", "road.csv")]
    {
        fs_err::copy(reference.join(from), installed.path(to)).unwrap();
    }
    fs_err::create_dir(installed.path("configs")).unwrap();
    fs_err::write(installed.path("configs/soft.toml"), "component = \"bushing\"\nparameters.TD = [9, 9, 9]\n").unwrap();
    fs_err::copy(root().join("examples/launch.toml"), installed.path("train.toml")).unwrap();
    // The files of a fit, whose FMU has the name of another example's.
    let fit = root().join("docs/fit");
    for data in ["train-pulse.csv", "train-sweep.csv"] {
        fs_err::copy(fit.join(data), installed.path(data)).unwrap();
    }
    fs_err::copy(fit.join("train.toml"), installed.path("bench.toml")).unwrap();
    let experiments = fs_err::read_to_string(fit.join("train-fit.toml")).unwrap();
    let experiments =
        experiments.replace("../../target/fmu/fit/Train.fmu", "Bench.fmu").replace("\"train.", "\"bench.");
    fs_err::write(installed.path("train-fit.toml"), experiments).unwrap();
    installed.said(&["build", "--config", "bench.toml", "--set", "name=Bench"]);
    installed.said(&["build", "bushing", "--set", "name=Rear"]);
    for (file, name) in [("engine-mount.toml", "name=Mount"), ("launch.toml", "name=Train")] {
        let file = root().join("examples").join(file);
        installed.said(&["build", "--config", file.to_str().unwrap(), "--set", name]);
    }
    let sweep = installed.said(&["sweep", "--help"]);
    let sweep = sweep.split_once("A sweep file:\n").unwrap().1.split("Examples:").next().unwrap();
    fs_err::write(installed.path("stiffness.toml"), sweep).unwrap();
    for (word, lines) in fmu_commands::examples::EXAMPLES {
        let help = installed.said(&[word, "--help"]);
        for line in lines {
            assert!(help.contains(&format!("  mechanical-fmus {line}\n")), "{help}");
            let quoted = line.split('"').enumerate();
            let words =
                quoted.flat_map(|(i, part)| if i % 2 == 1 { vec![part] } else { part.split_whitespace().collect() });
            installed.said(&words.collect::<Vec<_>>());
        }
    }
}

/// Finds the file of this name below a folder.
fn find(folder: &Path, name: &str) -> PathBuf {
    let mut files = files_below(folder).unwrap().into_iter();
    files.find(|file| file.ends_with(name)).unwrap_or_else(|| panic!("{name} is not installed"))
}
