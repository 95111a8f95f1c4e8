//! The libraries in a folder of an installed program, and their cache.

use std::collections::BTreeMap;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use etcetera::base_strategy::{BaseStrategy as _, choose_native_strategy};
use fmu_builder::{Destination, Library, Package, Platform, suggestion};
use fmu_commands::source::{Component, Libraries, LibrarySource};

use lzma_rust2::{XzOptions, XzWriter};

use crate::index::{Entry, File, INDEX, Index, sha256, types, unpacked};

/// Name of the environment variable that gives the folder of the cache.
const CACHE: &str = "MECHANICAL_FMUS_CACHE";
/// Default folder of the cache, in the folder that the system has for caches.
const CACHE_NAME: &str = "mechanical-fmus";

/// Error message where the cache cannot be written.
const NO_CACHE: &str = "the libraries cannot be unpacked: there is no writable cache folder; set MECHANICAL_FMUS_CACHE to \
                        one";

/// A folder with libraries.
pub struct Prebuilt {
    folder: PathBuf,
    cache: PathBuf,
    index: Index,
}

/// The platforms of an FMU.
#[derive(clap::Args, Default)]
pub struct Options {
    /// Platform whose library the FMU has: linux64, aarch64-linux, win64, darwin64, or all that are installed; may be
    /// repeated [default: this computer]
    #[arg(long, value_name = "PLATFORM")]
    pub target: Vec<String>,
}

impl Component for Entry {
    fn name(&self) -> &str {
        &self.name
    }

    fn description(&self) -> &str {
        &self.description
    }

    fn needs_parts(&self) -> bool {
        self.needs_parts
    }

    fn is(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

impl Prebuilt {
    /// Opens the libraries in a folder.
    ///
    /// # Errors
    ///
    /// When the list of the libraries is missing or damaged, or there is no folder for the cache.
    pub fn open(folder: &Path) -> Result<Self> {
        let file = folder.join(INDEX);
        let index = fs_err::read(&file).ok().and_then(|text| serde_json::from_slice(&text).ok());
        let index = index.ok_or_else(|| damaged(&file))?;
        let cache = match std::env::var_os(CACHE) {
            Some(given) => given.into(),
            None => choose_native_strategy().context(NO_CACHE)?.cache_dir().join(CACHE_NAME),
        };
        Ok(Self { folder: folder.to_owned(), cache, index })
    }

    /// Writes the libraries of components into a folder, which is emptied.
    ///
    /// # Errors
    ///
    /// When a library cannot be read, or the folder cannot be written.
    pub fn write<C: Component>(folder: &Path, components: &[(C, Libraries)]) -> Result<()> {
        if folder.exists() {
            fs_err::remove_dir_all(folder)?;
        }
        fs_err::create_dir_all(folder)?;
        let mut index = Index { components: Vec::new(), packages: Vec::new() };
        let mut contents: BTreeMap<Platform, Vec<u8>> = BTreeMap::new();
        for (component, Libraries { host, platforms, origin, compression }) in components {
            let mut libraries = BTreeMap::new();
            for (platform, file) in platforms {
                let name = file.file_name().context("a library")?.to_string_lossy().into_owned();
                let content = fs_err::read(file)?;
                let file = File { name, size: content.len(), sha256: sha256(&content) };
                contents.entry(*platform).or_default().extend(content);
                libraries.insert(platform.folder().to_owned(), file);
            }
            let mut position = |package: &Package| {
                let known = index.packages.iter().position(|known| known == package);
                known.unwrap_or_else(|| {
                    index.packages.push(package.clone());
                    index.packages.len() - 1
                })
            };
            index.components.push(Entry {
                name: component.name().to_owned(),
                description: component.description().to_owned(),
                needs_parts: component.needs_parts(),
                license: origin.license.clone(),
                packages: origin.packages.iter().map(&mut position).collect(),
                libraries,
                compression: *compression,
                types: if component.needs_parts() { types(&Library::load(host)?)? } else { Vec::new() },
            });
        }
        for (platform, content) in contents {
            let mut options = XzOptions::with_preset(9);
            let least = options.lzma_options.dict_size;
            options.lzma_options.dict_size = least.max(u32::try_from(content.len())?);
            let mut archive = XzWriter::new(Vec::new(), options)?;
            archive.write_all(&content)?;
            fs_err::write(folder.join(archive_of(platform)), archive.finish()?)?;
        }
        Ok(fs_err::write(folder.join(INDEX), serde_json::to_vec(&index)?)?)
    }

    /// Returns the path of a library in the cache, unpacking it if needed.
    fn library(&self, component: &Entry, platform: Platform) -> Result<PathBuf> {
        let Some(file) = component.libraries.get(platform.folder()) else {
            let installed: Vec<_> = component.libraries.keys().map(String::as_str).collect();
            bail!("no libraries are installed for {}, only for {}", platform.folder(), installed.join(", "));
        };
        let path = self.cached(file);
        if !fs_err::read(&path).is_ok_and(|content| sha256(&content) == file.sha256) {
            self.unpack(platform)?;
        }
        Ok(path)
    }

    /// Returns the place of a library in the cache: other versions of the program have others.
    fn cached(&self, file: &File) -> PathBuf {
        self.cache.join(&file.sha256[..16]).join(&file.name)
    }

    /// Unpacks the libraries of a platform into the cache.
    fn unpack(&self, platform: Platform) -> Result<()> {
        let archive = self.folder.join(archive_of(platform));
        let content = fs_err::read(&archive).and_then(|packed| unpacked(&packed)).map_err(|_| damaged(&archive))?;
        for (entry, library) in self.index.split(platform, &content).ok_or_else(|| damaged(&archive))? {
            let Some(file) = entry.libraries.get(platform.folder()) else { continue };
            let path = self.cached(file);
            let folder = path.parent().context("a library lies in a folder")?;
            let written = fs_err::create_dir_all(folder)
                .map_err(anyhow::Error::from)
                .and_then(|()| Ok(Destination::new(&path)?.write(|writer| writer.write_all(library))?));
            written.context(NO_CACHE)?;
        }
        Ok(())
    }

    /// Returns the platforms of these names.
    fn platforms(&self, component: &Entry, names: &[String]) -> Result<Vec<Platform>> {
        if names.is_empty() {
            return Ok(vec![Platform::host()?]);
        }
        let installed =
            || Platform::ALL.into_iter().filter(|platform| component.libraries.contains_key(platform.folder()));
        let mut chosen = Vec::new();
        for name in names {
            let before = chosen.len();
            chosen.extend(installed().filter(|platform| name == "all" || name == platform.folder()));
            if chosen.len() == before {
                let known: Vec<_> = installed().map(Platform::folder).collect();
                let hint = suggestion(name, known.iter().copied());
                let hint = hint.map(|hint| format!("; did you mean \"{hint}\"?")).unwrap_or_default();
                bail!("--target {name}: no such platform is installed{hint} ({} or all)", known.join(", "));
            }
        }
        chosen.sort();
        chosen.dedup();
        Ok(chosen)
    }
}

impl LibrarySource for Prebuilt {
    type Component = Entry;
    type Options = Options;
    const PROGRAM: &'static str = "mechanical-fmus";

    fn components(&self) -> Result<Vec<Entry>> {
        Ok(self.index.components.iter().filter(|component| !component.needs_parts).cloned().collect())
    }

    fn systems(&self) -> Result<Vec<Entry>> {
        Ok(self.index.components.iter().filter(|component| component.needs_parts).cloned().collect())
    }

    fn at(&self, folder: &Path) -> Result<Entry> {
        if folder.extension().is_some_and(|extension| extension == "toml") {
            bail!("{0} is a configuration, which is given with --config {0}", folder.display());
        }
        bail!(
            "{}: components and parts of your own are compiled in a clone of the project, with cargo xtask build",
            folder.display()
        )
    }

    fn out(&self) -> PathBuf {
        ".".into()
    }

    fn host(&self, component: &Entry, _: &Options) -> Result<PathBuf> {
        self.library(component, Platform::host()?)
    }

    fn libraries(&self, components: &[&Entry], options: &Options) -> Result<Vec<Libraries>> {
        let of_component = |component: &&Entry| {
            let platforms = self.platforms(component, &options.target)?;
            let library = |platform| Ok((platform, self.library(component, platform)?));
            Ok(Libraries {
                host: self.host(component, options)?,
                platforms: platforms.into_iter().map(library).collect::<Result<_>>()?,
                origin: self.index.origin(component),
                compression: component.compression,
            })
        };
        components.iter().map(of_component).collect()
    }
}

/// Returns the name of the archive with the libraries of a platform.
fn archive_of(platform: Platform) -> String {
    format!("{}.xz", platform.folder())
}

fn damaged(file: &Path) -> io::Error {
    io::Error::other(format!("{}: the installation is damaged; install the package again", file.display()))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use fmu_builder::{Compression, Origin};

    use super::*;

    fn installed(folder: &Path) -> Prebuilt {
        let file = folder.join("libspring.so");
        fs_err::write(&file, "code").unwrap();
        let entry = Entry {
            name: "spring".to_owned(),
            description: "A spring".to_owned(),
            needs_parts: false,
            license: None,
            packages: vec![],
            libraries: BTreeMap::new(),
            compression: Compression::Usual,
            types: vec![],
        };
        let packages = vec![Package { name: "std".to_owned(), ..Package::default() }];
        let platforms = BTreeSet::from([Platform::host().unwrap(), Platform::Linux64, Platform::Win64]);
        let libraries = Libraries {
            host: file.clone(),
            platforms: platforms.into_iter().map(|platform| (platform, file.clone())).collect(),
            origin: Origin { license: Some("MIT".to_owned()), packages },
            compression: Compression::Smallest,
        };
        let libraries_of = |name: &str| (Entry { name: name.to_owned(), ..entry.clone() }, libraries.clone());
        let second = folder.join("libdamper.so");
        fs_err::write(&second, "other code").unwrap();
        let mut damper = libraries_of("damper");
        damper.1.platforms.iter_mut().for_each(|(_, file)| file.clone_from(&second));
        Prebuilt::write(&folder.join("libraries"), &[libraries_of("spring"), damper]).unwrap();
        Prebuilt { cache: folder.join("cache"), ..Prebuilt::open(&folder.join("libraries")).unwrap() }
    }

    fn options(names: &[&str]) -> Options {
        Options { target: names.iter().map(|name| (*name).to_owned()).collect() }
    }

    #[test]
    fn what_was_written_is_found() {
        let folder = tempfile::tempdir().unwrap();
        let source = installed(folder.path());
        let spring = source.named("Spring").unwrap();
        let count = |names: &[&str]| source.libraries(&[&spring], &options(names)).unwrap()[0].platforms.len();
        assert_eq!([count(&[]), count(&["win64", "linux64", "win64"])], [1, 2]);
        assert_eq!(count(&["all"]), spring.libraries.len());
        let libraries = source.libraries(&[&spring], &options(&[])).unwrap();
        assert_eq!(libraries[0].origin.license.as_deref(), Some("MIT"));
        assert_eq!(libraries[0].origin.packages[0].name, "std");
        assert_eq!(libraries[0].compression, Compression::Smallest);
    }

    #[test]
    fn libraries_are_unpacked_again_where_the_cache_is_damaged() {
        let folder = tempfile::tempdir().unwrap();
        let source = installed(folder.path());
        for (name, content) in [("spring", "code"), ("damper", "other code")] {
            let library = source.host(&source.named(name).unwrap(), &Default::default()).unwrap();
            assert!(library.starts_with(folder.path().join("cache")));
            assert_eq!(fs_err::read_to_string(&library).unwrap(), content);
            fs_err::write(&library, "cod").unwrap();
            source.host(&source.named(name).unwrap(), &Default::default()).unwrap();
            assert_eq!(fs_err::read_to_string(&library).unwrap(), content);
        }
    }

    #[test]
    fn a_cache_that_cannot_be_written_is_named() {
        let folder = tempfile::tempdir().unwrap();
        let source = installed(folder.path());
        fs_err::write(folder.path().join("cache"), "a file").unwrap();
        let message = format!("{:#}", source.host(&source.named("spring").unwrap(), &Default::default()).unwrap_err());
        assert!(message.starts_with(NO_CACHE) && message.contains("/cache/") || cfg!(windows), "{message}");
    }

    #[test]
    fn a_damaged_installation_says_so() {
        let folder = tempfile::tempdir().unwrap();
        let source = installed(folder.path());
        let spring = source.named("spring").unwrap();
        let archive = folder.path().join("libraries").join(archive_of(Platform::host().unwrap()));
        fs_err::write(&archive, "no archive").unwrap();
        let message = format!("{}: the installation is damaged; install the package again", archive.display());
        assert_eq!(source.host(&spring, &Default::default()).unwrap_err().to_string(), message);
        let index = folder.path().join("libraries/index.json");
        fs_err::write(&index, "{").unwrap();
        let message = format!("{}: the installation is damaged; install the package again", index.display());
        assert_eq!(Prebuilt::open(&folder.path().join("libraries")).err().unwrap().to_string(), message);
    }

    #[test]
    fn what_is_not_installed_is_told() {
        let folder = tempfile::tempdir().unwrap();
        let source = installed(folder.path());
        let spring = source.named("spring").unwrap();
        let message = |names: &[&str]| source.libraries(&[&spring], &options(names)).err().unwrap().to_string();
        let unknown = message(&["win46"]);
        let expected = "--target win46: no such platform is installed; did you mean \"win64\"? (linux64, ";
        assert!(
            unknown.starts_with(expected) && unknown.ends_with("win64 or all)") || cfg!(target_os = "macos"),
            "{unknown}"
        );
        assert_eq!(
            source.named("sprong").err().unwrap().to_string(),
            "unknown component \"sprong\"; did you mean \"spring\"? (mechanical-fmus list shows all)"
        );
        assert_eq!(
            source.named("./wheel").err().unwrap().to_string(),
            "./wheel: components and parts of your own are compiled in a clone of the project, with cargo xtask build"
        );
        let message = "train.toml is a configuration, which is given with --config train.toml";
        assert_eq!(source.named("train.toml").err().unwrap().to_string(), message);
        assert_eq!(source.system().err().unwrap().to_string(), "the libraries of systems are not installed");
    }
}
