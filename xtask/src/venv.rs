//! Python environments below `target/`, with packages of fixed versions.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use anyhow::{Context, Result, bail};
use fmu_builder::console::note;

const PYTHON_MISSING: &str = "install Python 3.10 or newer with venv and pip (Debian: apt-get install python3-venv)";

/// Makes the environment if it is absent or its requirements have changed; returns its interpreter.
///
/// `purpose` is shown to the user: what Python is set up for.
pub fn prepare(folder: &Path, requirements: &Path, purpose: &str) -> Result<PathBuf> {
    let wanted = fs_err::read_to_string(requirements)?;
    let stamp = folder.join("requirements.stamp");
    let python = program(folder, "python");
    let current = fs_err::read_to_string(&stamp).is_ok_and(|present| present == wanted);
    if !current || packages(&python).is_err() {
        note(format_args!("setting up Python for {purpose} in {}", folder.display()));
        create(folder, &python, requirements)?;
        // Written last, so that a broken installation is repeated.
        fs_err::write(stamp, wanted)?;
    }
    Ok(python)
}

/// Adds packages to an environment that was prepared, if they are absent or their requirements have changed.
pub fn add(folder: &Path, requirements: &Path, purpose: &str) -> Result<()> {
    let wanted = fs_err::read_to_string(requirements)?;
    let stamp = folder.join(requirements.file_name().unwrap_or_default()).with_extension("stamp");
    if !fs_err::read_to_string(&stamp).is_ok_and(|present| present == wanted) {
        note(format_args!("adding what {purpose} needs to {}", folder.display()));
        install(&program(folder, "python"), requirements)?;
        fs_err::write(stamp, wanted)?;
    }
    Ok(())
}

fn create(folder: &Path, python: &Path, requirements: &Path) -> Result<()> {
    if folder.exists() {
        fs_err::remove_dir_all(folder)?;
    }
    let mut venv = Command::new(system_python()?);
    venv.args(["-m", "venv"]).arg(folder);
    run(&mut venv).context(PYTHON_MISSING)?;
    install(python, requirements)
}

fn install(python: &Path, requirements: &Path) -> Result<()> {
    let mut pip = Command::new(python);
    pip.args(["-m", "pip", "install", "--quiet", "--no-deps"])
        .args(["--disable-pip-version-check", "--requirement"])
        .arg(requirements);
    let failed = || format!("pip cannot install the packages in {}", requirements.display());
    run(&mut pip).map(|_| ()).with_context(failed)
}

/// Returns the path of a program of an environment.
pub fn program(folder: &Path, name: &str) -> PathBuf {
    if cfg!(windows) { folder.join("Scripts").join(format!("{name}.exe")) } else { folder.join("bin").join(name) }
}

/// Returns the first Python of the system that is new enough for the requirements.
pub fn system_python() -> Result<&'static str> {
    new_enough(["python3", "python"])
}

fn new_enough(names: [&'static str; 2]) -> Result<&'static str> {
    let is_new_enough = |name: &&str| {
        let test = "import sys; sys.exit(sys.version_info < (3, 10))";
        run(Command::new(name).args(["-c", test])).is_ok()
    };
    names.into_iter().find(is_new_enough).context(PYTHON_MISSING)
}

/// Returns the folder of installed packages; fails if the interpreter fails.
pub fn packages(python: &Path) -> Result<PathBuf> {
    let question = "import sysconfig; print(sysconfig.get_path('platlib'))";
    let output = run(Command::new(python).args(["-c", question]))?;
    Ok(PathBuf::from(String::from_utf8(output.stdout)?.trim_end()))
}

/// Runs a program; the error contains its last lines.
pub fn run(command: &mut Command) -> Result<Output> {
    let program = command.get_program().to_owned();
    let output = command.output().with_context(|| format!("cannot run {}", program.display()))?;
    if !output.status.success() {
        bail!("{} failed:\n{}", program.display(), last_lines(&output));
    }
    Ok(output)
}

/// Returns the first line of a program's output.
pub fn first_line(command: &mut Command) -> Result<String> {
    let output = run(command)?;
    Ok(String::from_utf8_lossy(&output.stdout).lines().next().unwrap_or_default().to_owned())
}

fn last_lines(output: &Output) -> String {
    let text = [&output.stdout[..], &output.stderr[..]].concat();
    let text = String::from_utf8_lossy(&text);
    let lines: Vec<_> = text.lines().filter(|line| !line.trim().is_empty()).collect();
    lines[lines.len().saturating_sub(8)..].join("\n")
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    fn message<T: std::fmt::Debug>(result: Result<T>) -> String {
        format!("{:#}", result.unwrap_err())
    }

    #[test]
    fn without_python_it_says_what_to_install() {
        let expected = "install Python 3.10 or newer with venv and pip (Debian: apt-get install python3-venv)";
        assert_eq!(message(new_enough(["no-python-3", "no-python"])), expected);
    }

    #[test]
    #[ignore = "expensive: makes a Python environment"]
    fn what_cannot_be_installed_is_told_with_the_last_words_of_pip() {
        let folder = tempfile::tempdir().unwrap();
        let requirements = folder.path().join("requirements.txt");
        fs_err::write(&requirements, "./nowhere.whl\n").unwrap();
        let venv = folder.path().join("python");
        let message = message(create(&venv, &program(&venv, "python"), &requirements));
        assert!(
            message.starts_with("pip cannot install the packages in ") && message.contains("requirements.txt"),
            "{message}"
        );
        assert!(message.contains("nowhere.whl"), "{message}");
    }

    /// Checks packages of lists for one environment, which would replace each other's.
    #[test]
    fn lists_for_one_environment_name_the_same_versions() {
        let mut packages = BTreeMap::<String, BTreeMap<&str, Vec<String>>>::new();
        for list in [
            "tests/requirements.txt", "docs/site-requirements.txt", "docs/dask-requirements.txt",
            "docs/python-requirements.txt", "tests/robots-requirements.txt",
        ] {
            let text = fs_err::read_to_string(crate::paths::root().join(list)).unwrap();
            for line in text.lines().filter(|line| !line.starts_with('#') && !line.is_empty()) {
                let (name, _) = line.split_once("==").unwrap_or_else(|| panic!("{list}: {line} has no version"));
                packages.entry(name.to_owned()).or_default().entry(list).or_default().push(line.to_owned());
            }
        }
        packages.retain(|_, lists| lists.len() > 1);
        assert!(packages.contains_key("click"), "{packages:?}");
        for lists in packages.values() {
            let first = lists.values().next().unwrap();
            assert!(lists.values().all(|lines| lines == first), "{lists:?}");
        }
    }
}
