//! Where the compiled libraries of components come from: cargo, or a folder.

use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, Result};
use fmu_builder::{Compression, Origin, Platform, is_path, suggestion};

/// The name of the component that consists of the parts that a configuration gives, of any type.
pub const SYSTEMS: &str = "systems";

/// A component.
pub trait Component: Clone + Send + Sync {
    /// Its name, as on the command line.
    fn name(&self) -> &str;
    /// One line.
    fn description(&self) -> &str;
    /// Whether it is a component only with the parts that a configuration gives.
    fn needs_parts(&self) -> bool;
    /// Whether this is the same component.
    fn is(&self, other: &Self) -> bool;
}

/// A source of compiled libraries.
pub trait LibrarySource {
    /// Its components.
    type Component: Component;
    /// Options of `build`: platforms, and the like.
    type Options: clap::Args + Default;

    /// How the program is called, such as `cargo xtask`.
    const PROGRAM: &'static str;

    /// The components with a name, in order.
    ///
    /// # Errors
    ///
    /// When these cannot be found.
    fn components(&self) -> Result<Vec<Self::Component>>;

    /// The components that consist of the parts that a configuration gives: those whose libraries are smaller, since they
    /// know some types of parts only, then the one that knows all.
    ///
    /// # Errors
    ///
    /// When these cannot be found.
    fn systems(&self) -> Result<Vec<Self::Component>>;

    /// The one that knows all types of parts.
    ///
    /// # Errors
    ///
    /// When there is none.
    fn system(&self) -> Result<Self::Component> {
        self.systems()?.pop().context("the libraries of systems are not installed")
    }

    /// The component in a folder.
    ///
    /// # Errors
    ///
    /// When the folder has none, or none can be compiled.
    fn at(&self, folder: &Path) -> Result<Self::Component>;

    /// The folder of FMUs, if none is given.
    fn out(&self) -> PathBuf;

    /// A library of a component that can be loaded here.
    ///
    /// # Errors
    ///
    /// When it cannot be compiled or found.
    fn host(&self, component: &Self::Component) -> Result<PathBuf>;

    /// The libraries of components, in their order.
    ///
    /// # Errors
    ///
    /// When one cannot be compiled or found.
    fn libraries(&self, components: &[&Self::Component], options: &Self::Options) -> Result<Vec<Libraries>>;

    /// The time for which libraries have been compiled; nothing where they are not.
    fn compile_time(&self) -> Option<Duration> {
        None
    }

    /// The component of this name, or with its package in the folder of this path.
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
    /// One that can be loaded here.
    pub host: PathBuf,
    /// One for each platform.
    pub platforms: Vec<(Platform, PathBuf)>,
    /// The packages in them.
    pub origin: Origin,
    /// How they are compressed.
    pub compression: Compression,
}

/// The component of this name among `components`, ignoring case.
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
