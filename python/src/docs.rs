//! The pages of the documentation that the package contains.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use fmu_builder::console::say;
use fmu_builder::suggestion;

/// Prints a page of the package in this folder; without a name, the names and titles of all pages.
pub fn print(folder: &Path, name: Option<&str>) -> Result<()> {
    let pages = pages(&folder.join("docs"))?;
    let Some(name) = name else {
        for (name, file) in &pages {
            let text = read(file)?;
            let title = text.lines().find_map(|line| line.strip_prefix("# ")).unwrap_or_default();
            say(format_args!("{name:<20}  {title}"))?;
        }
        return Ok(());
    };
    let Some((_, file)) = pages.iter().find(|(known, _)| known == name) else {
        let hint = suggestion(name, pages.iter().map(|(known, _)| known.as_str()));
        let hint = hint.map(|hint| format!("; did you mean \"{hint}\"?")).unwrap_or_default();
        bail!("there is no page \"{name}\"{hint} (docs without a name lists all)");
    };
    Ok(say(read(file)?.trim_end())?)
}

/// Returns the names and files of the pages, those of the components last.
fn pages(folder: &Path) -> Result<Vec<(String, PathBuf)>> {
    let mut pages = Vec::new();
    for folder in [folder.to_owned(), folder.join("components")] {
        let mut files: Vec<_> = std::fs::read_dir(&folder)
            .and_then(|entries| entries.map(|entry| Ok(entry?.path())).collect::<std::io::Result<_>>())
            .with_context(|| format!("{}: the installation is damaged; install the package again", folder.display()))?;
        files.retain(|file| file.extension().is_some_and(|extension| extension == "md"));
        files.sort();
        pages.extend(files.into_iter().filter_map(|file| Some((file.file_stem()?.to_str()?.to_owned(), file))));
    }
    Ok(pages)
}

fn read(file: &Path) -> Result<String> {
    std::fs::read_to_string(file).with_context(|| file.display().to_string())
}
