//! `cargo xtask release`: the files of a release, in one folder, with their checksums.

use std::io::Write;
use std::panic::resume_unwind;
use std::path::Path;
use std::process::Command;
use std::thread;

use anyhow::{Context, Result, bail};
use fmu_builder::console::{note, say};
use sha2::{Digest, Sha256};
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

use crate::{bench, checklist, playground, site, supply, wheel};
use xtask::paths::{self, files_below, root};
use xtask::programs;

/// Arguments of `cargo xtask release`.
#[derive(clap::Args)]
pub struct Arguments {
    /// Platform that the FMUs run on: linux64, aarch64-linux, win64, darwin64, or all; may be repeated
    #[arg(long, value_name = "PLATFORM", default_value = "all")]
    target: Vec<String>,
    /// Only check that version, date, addresses and measurements are those of a release
    #[arg(long)]
    check: bool,
    /// Make the files even if they are not, which is then only printed
    #[arg(long)]
    rehearsal: bool,
}

/// Name of the file with the checksums, as `sha256sum --check` reads them.
const CHECKSUMS: &str = "SHA256SUMS";

/// Makes the files and prints their checksums.
pub fn release(arguments: &Arguments) -> Result<()> {
    if arguments.check {
        return checklist::check();
    }
    match checklist::check() {
        Err(problems) if arguments.rehearsal => note(format_args!("rehearsal: {problems}")),
        checked => checked?,
    }
    let target = root().join("target");
    let [out, fmus] = ["release-files", "release-fmus"].map(|folder| target.join(folder));
    refuse_changes()?;
    for folder in [&out, &fmus] {
        if folder.exists() {
            fs_err::remove_dir_all(folder)?;
        }
    }
    fs_err::create_dir_all(&out)?;
    let on = ["all".to_owned()];
    let runners = wheel::runners(&on)?;
    // The libraries of systems, the builder of the wheels and the module of the page end with one crate each, which keeps one
    // processor busy: side by side, they leave none idle.
    let mut files = thread::scope(|scope| {
        let builders = scope.spawn(|| wheel::compile(&runners));
        let packages = scope.spawn(|| playground::compile().and_then(|()| supply::packages()));
        let built =
            build(arguments, &fmus, &[]).and_then(|()| build(arguments, &fmus, &["--config", "examples/*.toml"]));
        let builders = builders.join().unwrap_or_else(|panic| resume_unwind(panic));
        let packages = packages.join().unwrap_or_else(|panic| resume_unwind(panic));
        built.and(builders).and(packages)
    })?;
    let components: Vec<_> = bench::archives(&fmus)?.into_values().collect();
    let mut systems = paths::files(&fmus, "fmu")?;
    systems.retain(|file| !components.contains(file));
    let version = env!("CARGO_PKG_VERSION");
    zip(&fmus, &out.join(format!("mechanical-fmus-{version}-fmus.zip")))?;
    files.extend(wheel::make(&arguments.target, &on, false, false)?);
    // Its FMUs have the libraries that the wheels have.
    let page = playground::for_site(Some(&wheel::libraries()))?;
    let site = site::make(&components, &systems, page.as_deref())?;
    zip(&site, &out.join(format!("mechanical-fmus-{version}-documentation.zip")))?;
    files.extend(["CHANGELOG.md", "LICENSE-APACHE", "LICENSE-MIT"].map(|name| root().join(name)));
    for file in files {
        fs_err::copy(&file, out.join(file.file_name().context("a file has a name")?))?;
    }
    let sums = checksums(&out)?;
    fs_err::write(out.join(CHECKSUMS), &sums)?;
    say(format_args!("{}:\n{}", out.display(), sums.trim_end()))?;
    Ok(())
}

/// Refuses uncommitted changes: a release contains committed files only.
fn refuse_changes() -> Result<()> {
    let status = Command::new("git").args(["status", "--porcelain"]).current_dir(root()).output();
    let changes = status.context("cannot run git")?.stdout;
    if !changes.is_empty() {
        bail!(
            "a release contains committed files only, but there are uncommitted changes:\n{}",
            String::from_utf8_lossy(&changes).trim_end()
        );
    }
    Ok(())
}

/// Builds FMUs as a user does.
fn build(arguments: &Arguments, out: &Path, which: &[&str]) -> Result<()> {
    let mut command = programs::build();
    command.args(which).arg("--out").arg(out);
    for name in &arguments.target {
        command.args(["--target", name]);
    }
    if !command.status()?.success() {
        bail!("the FMUs cannot be built, see above");
    }
    Ok(())
}

/// Packs a folder into an archive; the same content gives the same bytes.
fn zip(folder: &Path, archive: &Path) -> Result<()> {
    let mut writer = ZipWriter::new(fs_err::File::create(archive)?);
    for file in files_below(folder)? {
        let names: Vec<_> = file.strip_prefix(folder)?.iter().map(|name| name.to_string_lossy()).collect();
        writer.start_file(names.join("/"), SimpleFileOptions::default())?;
        writer.write_all(&fs_err::read(file)?)?;
    }
    writer.finish()?;
    Ok(())
}

fn checksums(folder: &Path) -> Result<String> {
    let mut sums = String::new();
    for file in files_below(folder)? {
        let digest: String = Sha256::digest(fs_err::read(&file)?).iter().map(|byte| format!("{byte:02x}")).collect();
        sums += &format!("{digest}  {}\n", file.strip_prefix(folder)?.display());
    }
    Ok(sums)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn archives_are_the_same_and_checksums_are_right() {
        let folder = tempfile::tempdir().unwrap();
        let content = folder.path().join("content");
        fs_err::create_dir_all(content.join("b")).unwrap();
        fs_err::write(content.join("b/c.txt"), "abc").unwrap();
        fs_err::write(content.join("a.txt"), "").unwrap();
        let archives = ["one.zip", "two.zip"].map(|name| folder.path().join(name));
        archives.iter().for_each(|archive| zip(&content, archive).unwrap());
        let [one, two] = archives.map(|archive| fs_err::read(archive).unwrap());
        assert_eq!(one, two);
        // These checksums are published in FIPS 180-4 and everywhere.
        let empty = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855  a.txt\n";
        let abc = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad  b/c.txt\n";
        assert_eq!(checksums(&content).unwrap(), format!("{empty}{abc}"));
    }
}
