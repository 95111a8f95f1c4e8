//! FMUs for any platform, of libraries that the page loads.

use std::collections::{BTreeMap, BTreeSet};

use anyhow::{Context, Result, bail};
use fmu_builder::description::StructureKind;
use fmu_builder::{Packer, Platform, Standard};
use prebuilt::{Entry, Index, unpacked};
use serde::Deserialize;

use crate::model::{Model, systems};

/// The argument of `pack`.
#[derive(Deserialize)]
pub struct Request {
    fmi: u8,
    platforms: Vec<String>,
}

/// The libraries of platforms.
#[derive(Default)]
pub struct Libraries {
    index: Option<Index>,
    /// The unpacked archives.
    platforms: BTreeMap<Platform, Vec<u8>>,
}

impl Libraries {
    /// Takes the list of the libraries; returns the platforms that there are.
    pub fn list(&mut self, index: &[u8]) -> Result<Vec<&'static str>> {
        let index: Index = serde_json::from_slice(index).context("the list of libraries is damaged")?;
        let of =
            |platform: &Platform| index.components.iter().any(|entry| entry.libraries.contains_key(platform.folder()));
        let platforms = Platform::ALL.into_iter().filter(of).map(Platform::folder).collect();
        self.index = Some(index);
        Ok(platforms)
    }

    /// Takes the archive of the libraries for a platform.
    pub fn add(&mut self, platform: &str, archive: &[u8]) -> Result<()> {
        let platform = self::platform(platform)?;
        let content = unpacked(archive).with_context(|| format!("{}.xz is damaged", platform.folder()))?;
        self.platforms.insert(platform, content);
        Ok(())
    }

    /// Packs what was built.
    pub fn pack(&self, model: &Model, request: &Request) -> Result<Vec<u8>> {
        let standard = match request.fmi {
            2 => Standard::Fmi2,
            3 => Standard::Fmi3,
            other => bail!("FMI {other}: supported versions of FMI are 2 and 3"),
        };
        let index = self.index.as_ref().context("the list of libraries was not loaded")?;
        let chosen: Vec<_> = request.platforms.iter().map(|name| platform(name)).collect::<Result<_>>()?;
        let entry = entry(index, model)?;
        let mut libraries = Vec::new();
        for platform in chosen {
            let folder = platform.folder();
            let content = self.platforms.get(&platform);
            let content = content.with_context(|| format!("the libraries for {folder} were not loaded"))?;
            let all = index.split(platform, content).with_context(|| format!("{folder}.xz is damaged"))?;
            let own = all.into_iter().find(|(other, _)| other.name == entry.name);
            let (_, library) = own.with_context(|| format!("{} has no library for {folder}", entry.name))?;
            libraries.push((platform, library));
        }
        let packer = Packer::of(&libraries, index.origin(entry), entry.compression)?;
        Ok(packer.bytes(&model.completed_for(standard)?, standard)?)
    }
}

/// Returns the component's libraries: those of systems with the fewest types of parts, all of its own among them.
fn entry<'a>(index: &'a Index, model: &Model) -> Result<&'a Entry> {
    let name = model.component.name;
    let missing = || format!("there are no libraries of {name}");
    if name != systems()?.name {
        return index.components.iter().find(|entry| entry.name == name).with_context(missing);
    }
    let types: BTreeSet<_> = (model.description.structure.iter())
        .filter(|option| matches!(option.kind, StructureKind::Part(_)))
        .map(|option| option.value.as_str())
        .collect();
    let knows = |entry: &&Entry| types.iter().all(|kind| entry.types.iter().any(|known| known == kind));
    let systems = index.components.iter().filter(|entry| !entry.types.is_empty());
    systems.filter(knows).min_by_key(|entry| entry.types.len()).with_context(missing)
}

fn platform(name: &str) -> Result<Platform> {
    let names = || Platform::ALL.into_iter().map(Platform::folder);
    Platform::ALL.into_iter().find(|platform| platform.folder() == name).with_context(|| {
        let hint = fmu_builder::suggestion(name, names()).map(|hint| format!("; did you mean \"{hint}\"?"));
        format!("unknown platform \"{name}\"{}", hint.unwrap_or_default())
    })
}
