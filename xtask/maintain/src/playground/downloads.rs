//! FMUs that a test downloads from the page, and those of the command line, which have the same bytes.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use fmu_builder::{Platform, Settings, Standard};
use fmu_commands::build::LoadedComponent;
use fmu_commands::source::Libraries;
use prebuilt::Prebuilt;
use serde_json::{Value, json};
use xtask::components::{Component, systems};
use xtask::paths::{files, root};
use xtask::platforms::compile_for;
use xtask::programs;
use xtask::targets::{self, TARGETS};

/// A mechanism and a drive train.
const EXAMPLES: [(&str, &str); 2] = [("slider-crank.toml", "SliderCrank"), ("gear-shift.toml", "GearShift")];

/// Values of the mechanism that are set by sliders.
const SET: [(&str, f64); 2] = [("motor.tau", 10.0), ("flywheel.J", 0.08)];

/// Makes FMUs in a folder; returns for each its path from there, `fmu`, and what is chosen in the page, where `libraries` is a
/// folder in place of the page's own.
pub fn make(page: &Path, folder: &Path) -> Result<Vec<Value>> {
    let host = Platform::host()?.folder();
    let config = EXAMPLES.iter().flat_map(|(main, _)| ["--config".to_owned(), format!("examples/{main}")]);
    let set = SET.iter().flat_map(|(name, value)| ["--set".to_owned(), format!("{name}={value}")]);
    build(config.clone().chain(["--fmi=2,3".to_owned()]), &folder.join("plain"))?;
    // The mechanism only.
    build(config.take(2).chain(set), &folder.join("set"))?;
    let mut all = Vec::new();
    for (main, name) in EXAMPLES {
        all.push(json!({ "main": main, "fmu": format!("plain/{name}.fmu"), "platforms": [host] }));
        all.push(json!({ "main": main, "fmu": format!("plain/fmi3/{name}.fmu"), "platforms": [host], "fmi": "3" }));
    }
    let [(main, name), train] = EXAMPLES;
    let set = Value::from_iter(SET.map(|(name, value)| (name, value)));
    all.push(json!({ "main": main, "fmu": format!("set/{name}.fmu"), "platforms": [host], "set": set }));
    all.extend(for_platforms(page, folder, train)?);
    Ok(all)
}

/// Builds FMUs as a user does.
fn build(arguments: impl Iterator<Item = String>, out: &Path) -> Result<()> {
    let mut command = programs::build();
    command.args(arguments).arg("--quiet").arg("--out").arg(out);
    if !command.status()?.success() {
        bail!("the FMUs to compare with cannot be built, see above");
    }
    Ok(())
}

/// Makes FMUs of a drive train for all platforms and for one of them, with libraries that are written there, too.
fn for_platforms(page: &Path, built: &Path, (main, name): (&str, &str)) -> Result<Vec<Value>> {
    let folder = &built.join("platforms");
    let (trains, libraries) = of_trains(page, folder)?;
    let stored = folder.join("libraries");
    Prebuilt::write(&stored, &[(trains, libraries.clone())])?;
    let settings = Settings::from_toml(&root().join("examples").join(main))?;
    let mut all = Vec::new();
    let mut pack = |libraries: Libraries, standard, label: &str| -> Result<()> {
        let platforms: Vec<_> = libraries.platforms.iter().map(|(platform, _)| platform.folder()).collect();
        let fmi = if standard == Standard::Fmi3 { "3" } else { "2" };
        let out = folder.join(format!("{label}-{fmi}"));
        fs_err::create_dir_all(&out)?;
        let component = LoadedComponent::new(libraries)?;
        let file = component.pack(&component.describe(&settings)?, standard, &out.join(format!("{name}.fmu")))?;
        let fmu = file.strip_prefix(built)?;
        all.push(json!({ "main": main, "fmu": fmu, "platforms": platforms, "fmi": fmi, "libraries": stored }));
        Ok(())
    };
    for standard in [Standard::Fmi2, Standard::Fmi3] {
        pack(libraries.clone(), standard, "all")?;
    }
    let mut one = libraries;
    one.platforms.retain(|(platform, _)| *platform == Platform::Win64);
    pack(one, Standard::Fmi2, "one")?;
    Ok(all)
}

/// Returns the libraries of drive trains for all platforms: the page's own if it has several, and others in place of what is
/// missing.
fn of_trains(page: &Path, folder: &Path) -> Result<(Component, Libraries)> {
    let there = files(&page.join("libraries"), "xz")?;
    let there: Vec<_> = there.iter().filter_map(|file| Some(file.file_stem()?.to_str()?.to_owned())).collect();
    let targets = if there.len() > 1 { targets::choose(&there)? } else { Vec::new() };
    let all = systems()?;
    let compiled = compile_for(&all.iter().collect::<Vec<_>>(), &targets, false)?;
    let (trains, mut libraries) = all.into_iter().zip(compiled).next().context("a library of drive trains")?;
    let own = fs_err::read(&libraries.host)?;
    fs_err::create_dir_all(folder)?;
    for platform in TARGETS.each_ref().map(|target| target.platform) {
        if !libraries.platforms.iter().any(|(there, _)| *there == platform) {
            let file = folder.join(format!("{}.{}", platform.folder(), platform.extension()));
            fs_err::write(&file, stand_in(platform, &own))?;
            libraries.platforms.push((platform, file));
        }
    }
    libraries.platforms.sort_by_key(|(platform, _)| *platform);
    Ok((trains, libraries))
}

/// Returns a library with the first bytes of one for another platform, which is as large as any, and cannot be loaded.
fn stand_in(platform: Platform, library: &[u8]) -> Vec<u8> {
    let mut bytes = library.to_vec();
    let mut put = |at: usize, what: &[u8]| bytes[at..at + what.len()].copy_from_slice(what);
    match platform {
        Platform::Win64 => {
            put(0, b"MZ");
            put(0x3C, &0x40_u32.to_le_bytes());
            put(0x40, b"PE\0\0\x64\x86");
        }
        Platform::Darwin64 => put(0, &[0xCF, 0xFA, 0xED, 0xFE, 7, 0, 0, 1]),
        platform => {
            put(0, b"\x7fELF");
            put(18, &if platform == Platform::Linux64 { 62_u16 } else { 183 }.to_le_bytes());
        }
    }
    bytes
}

/// Returns the files of downloads below a folder that run here.
pub fn running(downloads: &[Value], folder: &Path) -> Vec<PathBuf> {
    let own = downloads.iter().filter(|download| download["libraries"].is_null());
    own.filter_map(|download| Some(folder.join(download["fmu"].as_str()?))).collect()
}
