//! `cargo xtask site`: the documentation as a website that also works from a folder, without a server.
//!
//! The pages are those of the repository, as far as links lead to them. Others are made from the FMUs: the page of each
//! one, written from its declaration, and animations.

mod browser;
pub(crate) mod gallery;
mod narrow;
mod pages;

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};
use fmu_builder::Archive;
use fmu_builder::console::say;
use fmu_commands::build;

use crate::checks::Check;
use crate::users::{self, SETTINGS, Shipped};
use xtask::environment::Environment;
use xtask::importer::{importer, run};
use xtask::paths::{files, files_below, root};
use xtask::source::Compiled;
use xtask::venv;

/// Makes the site, with a playground if there is one, and prints the path of its first page.
pub fn write(playground: Option<&Path>) -> Result<()> {
    let folder = root().join("target").join("site").join("fmu");
    let systems = folder.join("systems");
    if folder.exists() {
        fs_err::remove_dir_all(&folder)?;
    }
    build::build(&Compiled, &build::Arguments::of_files(Vec::new(), folder.clone()))?;
    build::build(&Compiled, &build::Arguments::of_files(vec![root().join("examples/*.toml")], systems.clone()))?;
    Ok(say(make(&files(&folder, "fmu")?, &files(&systems, "fmu")?, playground)?.join("index.html").display())?)
}

/// Makes the site of these FMUs, and checks its pages in a browser, if there is one.
pub fn check(environment: &Environment, components: &[PathBuf], systems: &[PathBuf]) -> Result<Vec<Check>> {
    if let Some(why) = environment.too_old() {
        return Ok(vec![Check::skipped("site", why)]);
    }
    let folder = make(components, systems, None)?;
    let mut checks = browser::check(&folder)?;
    checks.push(Check::of("playground: manual", expect_manual(&folder)));
    Ok(checks)
}

/// Source of the playground's page, which lies in a folder of the site.
const PAGE: &str = "playground/page/index.html";

/// Fails unless the playground's link to the manual leads to a page of the site.
fn expect_manual(site: &Path) -> Result<()> {
    let page = fs_err::read_to_string(root().join(PAGE))?;
    let link = page.split_once("id=\"manual\" href=\"../").and_then(|(_, rest)| rest.split('"').next());
    let link = link.with_context(|| format!("{PAGE} has no link to the site"))?;
    if !site.join(link).is_file() {
        bail!("{PAGE}: the link ../{link} leads to no page of the site");
    }
    Ok(())
}

/// File of what the site's look has beside the theme's.
const STYLE: &str = "docs/site.css";

/// Makes the site with these FMUs, and with a playground if there is one; returns its folder.
pub fn make(components: &[PathBuf], systems: &[PathBuf], playground: Option<&Path>) -> Result<PathBuf> {
    let environment = Environment::prepare(root())?;
    let folder = root().join("target").join("site");
    let staged = folder.join("pages");
    if staged.exists() {
        fs_err::remove_dir_all(&staged)?;
    }
    let settings = fs_err::read_to_string(root().join(SETTINGS))?;
    let shown = pages::copy(root(), &staged)?;
    pages::expect_in_navigation(&shown, &settings)?;
    let shipped = Shipped::new()?;
    for page in users::pages(&settings).filter(|page| shown.contains(*page)) {
        let place = staged.join(page);
        fs_err::write(&place, users::translate(page, &fs_err::read_to_string(&place)?, &shipped)?)?;
    }
    fs_err::copy(root().join(STYLE), staged.join(STYLE))?;
    let reference = [
        "# Reference\n\nMade from the declarations of the components and of the examples of systems: all structure options,\n\
         parameters, inputs and outputs, with units, bounds and start values.\n",
        "## Components\n",
        &table(&staged, components)?,
        "## Systems\n",
        &table(&staged, systems)?,
    ];
    fs_err::write(staged.join("reference.md"), reference.join("\n"))?;
    gallery::complete(&staged, playground.is_some())?;
    narrow::complete(&staged)?;
    if playground.is_none() {
        without_playground(&staged.join(pages::README))?;
    }
    // The generator takes the folder of its settings for the project's.
    fs_err::write(folder.join("zensical.toml"), settings)?;
    environment.add("docs/site-requirements.txt", "the site")?;
    let mut generator = Command::new(environment.python());
    generator.args(["-m", "zensical", "build", "--clean", "--strict"]).current_dir(&folder).env("NO_COLOR", "1");
    venv::run(&mut generator).context("Zensical cannot make the site")?;
    let html = folder.join("html");
    if let Some(playground) = playground {
        for file in files_below(playground)? {
            let place = html.join(browser::PLAYGROUND).join(file.strip_prefix(playground)?);
            fs_err::create_dir_all(place.parent().context("in a folder")?)?;
            fs_err::copy(file, place)?;
        }
    }
    Ok(html)
}

/// Removes the link to a playground that there is not.
fn without_playground(page: &Path) -> Result<()> {
    let text = fs_err::read_to_string(page)?;
    let kept = text.lines().filter(|line| !line.contains(browser::PLAYGROUND)).map(|line| line.to_owned() + "\n");
    Ok(fs_err::write(page, kept.collect::<String>())?)
}

/// Adds the pages and animations of FMUs; returns a table of links to them.
fn table(staged: &Path, files: &[PathBuf]) -> Result<String> {
    let mut table = "| FMU | what it is | motion |\n| --- | --- | --- |\n".to_owned();
    for file in files {
        let name = file.file_stem().context("a file has a name")?.to_string_lossy().into_owned();
        let archive = Archive::open(file)?;
        for entry in archive.entries() {
            let Some(page) = entry.name.strip_prefix("documentation/").filter(|page| !page.contains('/')) else {
                continue;
            };
            let place = staged.join("reference").join(&name).join(page);
            fs_err::create_dir_all(place.parent().context("in a folder")?)?;
            fs_err::write(place, archive.read(&entry.name)?)?;
        }
        let motion = if archive.entries().iter().any(|entry| entry.name == "resources/shapes.json") {
            animate(file, &name, &staged.join("animations"))?;
            format!("[animation](animations/{name}.html)")
        } else {
            String::new()
        };
        let description = archive.model()?.description.unwrap_or_default();
        table += &format!("| [{name}](reference/{name}/index.html) | {description} | {motion} |\n");
    }
    Ok(table)
}

/// Animates the motion that belongs to the component, or that of the gallery.
fn animate(file: &Path, name: &str, folder: &Path) -> Result<()> {
    fs_err::create_dir_all(folder)?;
    let gallery = fs_err::read_to_string(root().join(gallery::PAGE))?;
    let mut command = importer()?;
    command.current_dir(root()).arg("simulate").arg(file).arg("--animate").arg(folder.join(format!("{name}.html")));
    let package = name.replace("Joint", "joint-").to_lowercase();
    let motion = root().join("models").join(package).join("reference").join("motion.csv");
    command.args(gallery::motion_of(&gallery, name).unwrap_or_else(|| vec!["--step", "0.01"]));
    if motion.exists() {
        command.arg("--input").arg(motion);
    }
    if !run(command.stdout(std::process::Stdio::null()))? {
        bail!("{} cannot be animated", file.display());
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_manual_of_the_playground_is_a_page_of_the_site() {
        let site = tempfile::tempdir().unwrap();
        let message = expect_manual(site.path()).unwrap_err().to_string();
        assert_eq!(message, "playground/page/index.html: the link ../index.html leads to no page of the site");
        fs_err::write(site.path().join("index.html"), "").unwrap();
        expect_manual(site.path()).unwrap();
    }
}
