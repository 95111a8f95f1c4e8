//! Verdicts of FMPy on FMUs, in a Python that has it.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use super::verdict::{FMPY, Verdict};
use anyhow::{Context, Result};

/// The exit status without FMPy.
const NONE: i32 = 3;

/// Returns the verdicts of FMPy on files; nothing if this Python has no FMPy.
///
/// # Errors
///
/// When Python cannot be run.
pub fn validate(python: &Path, files: &[PathBuf]) -> Result<Option<Vec<Verdict>>> {
    if files.is_empty() { Ok(Some(Vec::new())) } else { verdicts(Command::new(python), files) }
}

/// Returns a verdict on each file; nothing if this Python has no FMPy.
fn verdicts(mut python: Command, files: &[PathBuf]) -> Result<Option<Vec<Verdict>>> {
    let name = Path::new(python.get_program()).display().to_string();
    python.args(["-c", include_str!("fmpy.py")]).args(files).env("PYTHONIOENCODING", "utf-8");
    let output = python.stderr(Stdio::inherit()).output();
    let output = output.with_context(|| format!("cannot run {name}"))?;
    if output.status.code() == Some(NONE) {
        return Ok(None);
    }
    let said = String::from_utf8_lossy(&output.stdout);
    let mut verdicts: Vec<Verdict> = said.lines().map_while(|line| serde_json::from_str(line).ok()).collect();
    // FMPy has ended before these files.
    for file in files.iter().skip(verdicts.len()) {
        verdicts.push(Verdict::of_errors(file, FMPY, [format!("failed in {name}: {}", output.status)]));
    }
    Ok(Some(verdicts))
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    /// Returns the problems that a module in the place of FMPy finds in two files, in its own folder.
    fn found(folder: &Path, fmpy: &str) -> Vec<(String, Vec<String>)> {
        let package = folder.join("packages/fmpy");
        fs_err::create_dir_all(&package).unwrap();
        fs_err::write(package.join("__init__.py"), "__version__ = '1'").unwrap();
        fs_err::write(package.join("validation.py"), fmpy).unwrap();
        let mut python = Command::new("python3");
        python.current_dir(folder).env("PYTHONPATH", folder.join("packages"));
        let verdicts = verdicts(python, &["a.fmu".into(), "b.fmu".into()]).unwrap().unwrap();
        let texts = |verdict: Verdict| verdict.problems.into_iter().map(|problem| problem.text).collect();
        verdicts.into_iter().map(|verdict| (verdict.by.clone(), texts(verdict))).collect()
    }

    #[test]
    fn neither_the_current_folder_nor_what_fmpy_prints_is_in_the_way() {
        let folder = tempfile::tempdir().unwrap();
        for module in ["json.py", "contextlib.py"] {
            fs_err::write(folder.path().join(module), "raise SystemExit(9)").unwrap();
        }
        let fmpy = "print('imported')\ndef validate_fmu(file):\n    print(file)\n    return []\n";
        assert_eq!(found(folder.path(), fmpy), ["FMPy 1"; 2].map(|by| (by.to_owned(), Vec::new())));
    }

    #[test]
    fn each_file_has_a_verdict_if_fmpy_crashes() {
        let folder = tempfile::tempdir().unwrap();
        let fmpy = "import os\ndef validate_fmu(file):\n    return ['odd'] if file == 'a.fmu' else os._exit(7)\n";
        let failed = "failed in python3: exit status: 7".to_owned();
        let expected = [("FMPy 1", "odd".to_owned()), ("FMPy", failed)];
        assert_eq!(found(folder.path(), fmpy), expected.map(|(by, text)| (by.to_owned(), vec![text])));
    }
}
