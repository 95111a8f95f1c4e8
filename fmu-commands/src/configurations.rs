//! The configurations given by `--config` and `--set`.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail, ensure};
use fmu_builder::Settings;

/// The arguments of a command that give a configuration.
#[derive(clap::Args, Default)]
pub struct ConfigurationArguments {
    /// Configurations in TOML, one FMU each; patterns such as configs/*.toml are expanded
    #[arg(long, value_name = "FILE", num_args = 1..)]
    config: Vec<PathBuf>,
    /// Value of a structure option, parameter, name or description, such as `TS=[1e6,1e6,2e5]`; may be repeated, and
    /// overrides the configuration
    #[arg(long, value_name = "NAME=VALUE")]
    set: Vec<String>,
}

/// Returns true if a file is a configuration by its name.
pub fn is_configuration(file: &Path) -> bool {
    file.extension().is_some_and(|extension| extension == "toml")
}

/// Refuses to write a configuration into a file of another type.
///
/// # Errors
///
/// When the name of the file does not end with `.toml`.
pub fn ensure_configuration(file: &Path) -> anyhow::Result<()> {
    ensure!(is_configuration(file), "{}: a configuration is a .toml file", file.display());
    Ok(())
}

/// The settings for one FMU, or an error.
pub struct Configuration {
    /// The file, if there is one.
    pub file: Option<PathBuf>,
    /// The settings of the file and the command line.
    pub settings: anyhow::Result<Settings>,
}

impl ConfigurationArguments {
    /// Returns the arguments for files, or patterns of files.
    pub fn of_files(config: Vec<PathBuf>) -> Self {
        Self { config, set: Vec::new() }
    }

    /// Returns the arguments with further files, or patterns of files.
    pub fn with_files(&self, files: impl Iterator<Item = PathBuf>) -> Self {
        let config = self.config.iter().cloned().chain(files).collect();
        Self { config, set: self.set.clone() }
    }

    /// Returns true if nothing is configured.
    pub fn are_empty(&self) -> bool {
        self.config.is_empty() && self.set.is_empty()
    }

    /// Returns all configurations: one of each file, or one without a file.
    ///
    /// # Errors
    ///
    /// When a pattern has no files.
    pub fn all(&self) -> anyhow::Result<Vec<Configuration>> {
        if self.config.is_empty() {
            return Ok(vec![Configuration { file: None, settings: settings(None, &self.set) }]);
        }
        let mut all = Vec::new();
        let mut known = BTreeSet::new();
        for given in &self.config {
            for file in files(given)? {
                // Patterns may overlap.
                if known.insert(std::path::absolute(&file)?) {
                    all.push(Configuration { settings: settings(Some(&file), &self.set), file: Some(file) });
                }
            }
        }
        Ok(all)
    }
}

/// Returns the settings of a configuration file and the command line.
pub fn settings(config: Option<&Path>, set: &[String]) -> anyhow::Result<Settings> {
    let mut settings = config.map_or_else(|| Ok(Settings::default()), Settings::from_toml)?;
    if let Some(config) = config {
        settings.name_after(config);
    }
    set.iter().try_for_each(|assignment| settings.set(assignment))?;
    Ok(settings)
}

/// Returns a file, or the files that match a pattern: not every shell expands patterns.
fn files(given: &Path) -> anyhow::Result<Vec<PathBuf>> {
    let pattern = given.to_string_lossy();
    if !pattern.contains(['*', '?', '[']) || given.exists() {
        return Ok(vec![given.to_owned()]);
    }
    let paths = glob::glob(&pattern).with_context(|| pattern.to_string())?;
    let files = paths.collect::<Result<Vec<_>, _>>()?;
    if files.is_empty() {
        bail!("{pattern}: there is no such file");
    }
    Ok(files)
}
