//! The requirements of the importers besides Rust: Python with FMPy, and libclang for the `fmi` crate.

use std::env;
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::Result;

use crate::venv;

const COMPILER_MISSING: &str = "install a C compiler, or name it in CC (Debian: apt-get install gcc libc6-dev)";

/// A Python environment under `target/` and the variables under which `fmi-crate` builds.
pub struct Environment {
    root: PathBuf,
    python: PathBuf,
    variables: Vec<(&'static str, OsString)>,
}

impl Environment {
    /// Makes the environment if it is absent or its requirements have changed.
    pub fn prepare(root: &Path) -> Result<Self> {
        let folder = root.join("target").join("python");
        let python = venv::prepare(&folder, &root.join("tests").join("requirements.txt"), "the importers")?;
        let libclang = venv::packages(&python)?.join("clang").join("native");
        let mut variables = vec![("LIBCLANG_PATH", libclang.into_os_string())];
        let compiler = env::var_os("CC").unwrap_or_else(|| "cc".into());
        variables.extend(headers(&compiler)?.map(|value| ("BINDGEN_EXTRA_CLANG_ARGS", value)));
        variables.retain(|(name, _)| env::var_os(name).is_none());
        Ok(Self { root: root.to_owned(), python, variables })
    }

    /// Returns the Python interpreter that has FMPy.
    pub fn python(&self) -> &Path {
        &self.python
    }

    /// Adds the packages of a file of requirements to the Python environment.
    pub fn add(&self, requirements: &str, purpose: &str) -> Result<()> {
        venv::add(&self.root.join("target").join("python"), &self.root.join(requirements), purpose)
    }

    /// Returns the reason why scripts for Python 3.11 cannot run, if so.
    pub fn too_old(&self) -> Option<&'static str> {
        let test = "import sys; sys.exit(sys.version_info < (3, 11))";
        let is_old = venv::run(Command::new(&self.python).args(["-c", test])).is_err();
        is_old.then_some("it needs Python 3.11 or newer")
    }

    /// Returns the variables to add for whatever builds `fmi-crate`; the user's own values stay.
    pub fn variables(&self) -> &[(&'static str, OsString)] {
        &self.variables
    }
}

/// Returns the option for the compiler's own headers, such as `stddef.h`, which the wheel of libclang lacks.
fn headers(compiler: &OsStr) -> Result<Option<OsString>> {
    match venv::run(Command::new(compiler).arg("-print-file-name=include")) {
        Ok(output) => {
            let folder = String::from_utf8(output.stdout)?.trim_end().replace('\\', "/");
            // A compiler without such a folder prints the name itself.
            Ok(Path::new(&folder).is_dir().then(|| format!("-I\"{folder}\"").into()))
        }
        // Visual Studio's headers are found without help.
        Err(_) if cfg!(windows) => Ok(None),
        Err(error) => Err(error.context(COMPILER_MISSING)),
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn without_a_compiler_it_says_what_to_install() {
        let expected =
            "install a C compiler, or name it in CC (Debian: apt-get install gcc libc6-dev): cannot run no-cc";
        let message = format!("{:#}", headers(OsStr::new("no-cc")).unwrap_err());
        assert!(message.starts_with(expected), "{message}");
    }
}
