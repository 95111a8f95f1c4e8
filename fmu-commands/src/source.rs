//! Sources of the compiled libraries of components: cargo, or a folder.

use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, Result};
use fmu_builder::{Compression, Origin, Platform, Standard, is_path, suggestion};

/// The name of the component that consists of the parts that a configuration gives, of any type.
pub const SYSTEMS: &str = "systems";

/// A component.
pub trait Component: Clone + Send + Sync {
    /// Returns the name of the component, as on the command line.
    fn name(&self) -> &str;
    /// Returns the description in one line.
    fn description(&self) -> &str;
    /// Returns true if it is a component only with the parts that a configuration gives.
    fn needs_parts(&self) -> bool;
    /// Returns true if this is the same component as another.
    fn is(&self, other: &Self) -> bool;
}

/// A source of compiled libraries.
pub trait LibrarySource {
    /// Components of the source.
    type Component: Component;
    /// Options of `build`: platforms, and the like.
    type Options: clap::Args + Default;

    /// Name by which users call the program, such as `cargo xtask`.
    const PROGRAM: &'static str;

    /// Returns the components with a name, in order.
    ///
    /// # Errors
    ///
    /// When these cannot be found.
    fn components(&self) -> Result<Vec<Self::Component>>;

    /// Returns the components that consist of the parts that a configuration gives: those whose libraries are smaller,
    /// since they know some types of parts only, then the one that knows all.
    ///
    /// # Errors
    ///
    /// When these cannot be found.
    fn systems(&self) -> Result<Vec<Self::Component>>;

    /// Returns the component that knows all types of parts.
    ///
    /// # Errors
    ///
    /// When there is none.
    fn system(&self) -> Result<Self::Component> {
        self.systems()?.pop().context("the libraries of systems are not installed")
    }

    /// Returns the component in a folder.
    ///
    /// # Errors
    ///
    /// When the folder has none, or none can be compiled.
    fn at(&self, folder: &Path) -> Result<Self::Component>;

    /// Returns the folder of FMUs, if none is given.
    fn out(&self) -> PathBuf;

    /// Returns a library of a component that can be loaded here, if possible one of those for these options.
    ///
    /// # Errors
    ///
    /// When it cannot be compiled or found.
    fn host(&self, component: &Self::Component, options: &Self::Options) -> Result<PathBuf>;

    /// Refuses options with which no FMU of this standard can be built, before anything is compiled.
    ///
    /// # Errors
    ///
    /// Names the option.
    fn check(&self, _: &Self::Options, _: Standard) -> Result<()> {
        Ok(())
    }

    /// Returns the libraries of components, in their order.
    ///
    /// # Errors
    ///
    /// When one cannot be compiled or found.
    fn libraries(&self, components: &[&Self::Component], options: &Self::Options) -> Result<Vec<Libraries>>;

    /// Returns the time for which libraries have been compiled; nothing where they are not.
    fn compile_time(&self) -> Option<Duration> {
        None
    }

    /// Returns the component of this name, or with its package in the folder of this path.
    ///
    /// # Errors
    ///
    /// When there is none.
    fn named(&self, name: &str) -> Result<Self::Component> {
        if is_path(name) {
            self.at(Path::new(name))
        } else if name.eq_ignore_ascii_case(SYSTEMS) {
            self.system()
        } else {
            find(&self.components()?, name, Self::PROGRAM).cloned()
        }
    }
}

/// The libraries of one component.
#[derive(Clone, Debug)]
pub struct Libraries {
    /// Library that can be loaded here.
    pub host: PathBuf,
    /// Libraries, one for each platform.
    pub platforms: Vec<(Platform, PathBuf)>,
    /// Packages in the libraries.
    pub origin: Origin,
    /// Compression of the libraries.
    pub compression: Compression,
}

/// Finds the component of this name among `components`, ignoring case.
///
/// # Errors
///
/// When there is none; the message has the most similar name.
pub fn find<'a, C: Component>(components: &'a [C], name: &str, program: &str) -> Result<&'a C> {
    let same = |component: &&C| component.name().replace('-', "").eq_ignore_ascii_case(&name.replace('-', ""));
    components.iter().find(same).with_context(|| {
        let hint = suggestion(name, components.iter().map(Component::name));
        let hint = hint.map(|hint| format!("; did you mean \"{hint}\"?")).unwrap_or_default();
        format!("unknown component \"{name}\"{hint} ({program} list shows all)")
    })
}
