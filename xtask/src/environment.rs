//! What the importers need beside Rust: Python with FMPy, and libclang for the `fmi` crate.

use std::env;
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use anyhow::{Context, Result, bail};
use fmu_builder::console::note;

const PYTHON_MISSING: &str = "install Python 3.10 or newer with venv and pip (Debian: apt-get install python3-venv)";
const COMPILER_MISSING: &str = "install a C compiler, or name it in CC (Debian: apt-get install gcc libc6-dev)";

/// What Python is called.
const PYTHONS: [&str; 2] = ["python3", "python"];

/// A Python environment under `target/` and the variables under which the importer builds.
pub struct Environment {
    root: PathBuf,
    python: PathBuf,
    variables: Vec<(&'static str, OsString)>,
}

impl Environment {
    /// Makes the environment if it is absent or its requirements have changed.
    pub fn prepare(root: &Path) -> Result<Self> {
        let folder = root.join("target").join("python");
        let requirements = root.join("tests").join("requirements.txt");
        let wanted = fs_err::read_to_string(&requirements)?;
        let stamp = folder.join("requirements.stamp");
        let python = executable(&folder);
        let current = fs_err::read_to_string(&stamp).is_ok_and(|present| present == wanted);
        if !current || packages(&python).is_err() {
            note(format_args!("setting up Python for the importers in {}", folder.display()));
            create(&folder, &python, &requirements)?;
            // Last, so that a broken installation is made anew.
            fs_err::write(stamp, wanted)?;
        }
        let libclang = packages(&python)?.join("clang").join("native");
        let mut variables = vec![("LIBCLANG_PATH", libclang.into_os_string())];
        let compiler = env::var_os("CC").unwrap_or_else(|| "cc".into());
        variables.extend(headers(&compiler)?.map(|value| ("BINDGEN_EXTRA_CLANG_ARGS", value)));
        variables.retain(|(name, _)| env::var_os(name).is_none());
        Ok(Self { root: root.to_owned(), python, variables })
    }

    /// The Python interpreter that has FMPy.
    pub fn python(&self) -> &Path {
        &self.python
    }

    /// The variables to add for whatever builds `fmu-tests`; the user's own values stay.
    pub fn variables(&self) -> &[(&'static str, OsString)] {
        &self.variables
    }

    /// The importer, to which the caller adds arguments.
    ///
    /// Its profile is that of `cargo test`, so that nothing is built twice.
    pub fn importer_command(&self) -> Command {
        if !importer_exists() {
            note("compiling the importer (only the first time)");
        }
        let mut command = crate::components::cargo();
        command
            .args(["run", "--quiet", "--package", "fmu-tests", "--bin", "importer"])
            .arg("--manifest-path")
            .arg(self.root.join("Cargo.toml"))
            .arg("--")
            .envs(self.variables.iter().map(|(name, value)| (name, value)));
        command
    }
}

/// Whether the importer lies beside this program, where cargo puts both.
fn importer_exists() -> bool {
    let importer = format!("importer{}", env::consts::EXE_SUFFIX);
    env::current_exe().is_ok_and(|program| program.with_file_name(importer).exists())
}

fn create(folder: &Path, python: &Path, requirements: &Path) -> Result<()> {
    if folder.exists() {
        fs_err::remove_dir_all(folder)?;
    }
    let mut venv = Command::new(new_enough(PYTHONS)?);
    venv.args(["-m", "venv"]).arg(folder);
    run(&mut venv).context(PYTHON_MISSING)?;
    let mut pip = Command::new(python);
    pip.args(["-m", "pip", "install", "--quiet", "--no-deps"])
        .args(["--disable-pip-version-check", "--requirement"])
        .arg(requirements);
    run(&mut pip).map(|_| ()).context("pip cannot install what tests/requirements.txt lists")
}

/// The interpreter of a virtual environment.
fn executable(folder: &Path) -> PathBuf {
    if cfg!(windows) { folder.join("Scripts").join("python.exe") } else { folder.join("bin").join("python") }
}

/// The first Python that is new enough for the requirements.
fn new_enough(names: [&'static str; 2]) -> Result<&'static str> {
    let is_new_enough = |name: &&str| {
        let test = "import sys; sys.exit(sys.version_info < (3, 10))";
        run(Command::new(name).args(["-c", test])).is_ok()
    };
    names.into_iter().find(is_new_enough).context(PYTHON_MISSING)
}

/// The folder of installed packages; fails where the interpreter does.
fn packages(python: &Path) -> Result<PathBuf> {
    let question = "import sysconfig; print(sysconfig.get_path('platlib'))";
    let output = run(Command::new(python).args(["-c", question]))?;
    Ok(PathBuf::from(String::from_utf8(output.stdout)?.trim_end()))
}

/// The compiler's own headers, such as `stddef.h`, which the wheel of libclang lacks.
fn headers(compiler: &OsStr) -> Result<Option<OsString>> {
    match run(Command::new(compiler).arg("-print-file-name=include")) {
        Ok(output) => {
            let folder = String::from_utf8(output.stdout)?.trim_end().replace('\\', "/");
            // A compiler without such a folder repeats the name.
            Ok(Path::new(&folder).is_dir().then(|| format!("-I\"{folder}\"").into()))
        }
        // Visual Studio's headers are found without help.
        Err(_) if cfg!(windows) => Ok(None),
        Err(error) => Err(error.context(COMPILER_MISSING)),
    }
}

/// Runs a program to its end; its last lines are in the error.
fn run(command: &mut Command) -> Result<Output> {
    let program = command.get_program().to_owned();
    let output = command.output().with_context(|| format!("cannot run {}", program.display()))?;
    if !output.status.success() {
        bail!("{} failed:\n{}", program.display(), last_lines(&output));
    }
    Ok(output)
}

fn last_lines(output: &Output) -> String {
    let text = [&output.stdout[..], &output.stderr[..]].concat();
    let text = String::from_utf8_lossy(&text);
    let lines: Vec<_> = text.lines().filter(|line| !line.trim().is_empty()).collect();
    lines[lines.len().saturating_sub(8)..].join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn message<T: std::fmt::Debug>(result: Result<T>) -> String {
        format!("{:#}", result.unwrap_err())
    }

    #[test]
    fn without_python_it_says_what_to_install() {
        let expected = "install Python 3.10 or newer with venv and pip (Debian: apt-get install python3-venv)";
        assert_eq!(message(new_enough(["no-python-3", "no-python"])), expected);
    }

    #[cfg(unix)]
    #[test]
    fn without_a_compiler_it_says_what_to_install() {
        let expected =
            "install a C compiler, or name it in CC (Debian: apt-get install gcc libc6-dev): cannot run no-cc";
        let message = message(headers(OsStr::new("no-cc")));
        assert!(message.starts_with(expected), "{message}");
    }

    #[test]
    fn what_cannot_be_installed_is_told_with_the_last_words_of_pip() {
        let folder = tempfile::tempdir().unwrap();
        let requirements = folder.path().join("requirements.txt");
        fs_err::write(&requirements, "./nowhere.whl\n").unwrap();
        let venv = folder.path().join("python");
        let message = message(create(&venv, &executable(&venv), &requirements));
        assert!(message.starts_with("pip cannot install what tests/requirements.txt lists: "), "{message}");
        assert!(message.contains("nowhere.whl"), "{message}");
    }
}
