//! A configuration becomes a description, which the page shows and later functions use.

use std::path::Path;

use anyhow::{Context, Result, bail};
use fmu_builder::{Cached, Describe, Description, Library, Settings, Standard};
use fmu_exchange::{DeclarationRequest, Detail};
use serde::Deserialize;

use crate::components::{COMPONENTS, Component};

/// The argument of `build`.
#[derive(Deserialize)]
pub struct Request {
    /// The main file.
    main: Option<String>,
    /// The component, if there is no file.
    component: Option<String>,
    /// Assignments as on the command line.
    #[serde(default)]
    set: Vec<String>,
}

impl Request {
    /// Returns the main file.
    pub fn main(&self) -> Option<&str> {
        self.main.as_deref()
    }
}

/// The model that was built last.
pub struct Model {
    /// The component.
    pub component: &'static Component,
    /// The description, without dependencies.
    pub description: Description,
    /// The standards that the configuration chooses.
    pub standards: Vec<Standard>,
    settings: Settings,
}

impl Model {
    /// Returns the complete description for a standard, on which the form of arrays in the configuration depends, as
    /// `build --fmi` makes it.
    ///
    /// # Errors
    ///
    /// When the configuration cannot be one of this standard.
    pub fn completed_for(&self, standard: Standard) -> Result<Description> {
        let mut settings = self.settings.clone();
        if !self.standards.contains(&standard) {
            settings.set_standards(&[standard]);
        }
        Ok(settings.resolve(&self.component.library())?)
    }
}

/// A library that is asked for what a run needs; dependencies take most of the time.
pub struct Runnable(Library);

impl Describe for Runnable {
    fn describe(&self, mut request: DeclarationRequest<'_>) -> Result<Description, fmu_builder::Error> {
        if request.detail == Detail::Complete {
            request.detail = Detail::Runnable;
        }
        self.0.describe(request)
    }
}

/// The components as the builder asks them, each with the outlines that it was asked for.
pub struct Libraries(Vec<Cached<Runnable>>);

impl Default for Libraries {
    fn default() -> Self {
        Self(COMPONENTS.iter().map(|component| Cached::new(Runnable(component.library()))).collect())
    }
}

impl Libraries {
    /// Returns the library of a component.
    pub fn of(&self, component: &Component) -> Result<&Cached<Runnable>> {
        let position = COMPONENTS.iter().position(|other| other.name == component.name);
        position.and_then(|position| self.0.get(position)).context("all components have a library")
    }

    /// Builds what a request asks for.
    ///
    /// # Errors
    ///
    /// All errors of the configuration.
    pub fn build(&self, request: &Request) -> Result<Model> {
        let mut settings = match &request.main {
            Some(main) => {
                let path = Path::new(main);
                let mut settings = Settings::from_toml(path)?;
                settings.name_after(path);
                settings
            }
            None => Settings::default(),
        };
        for assignment in &request.set {
            settings.set(assignment)?;
        }
        let component = component(&settings, request.component.as_deref())?;
        let standards = settings.standards()?;
        let description = settings.resolve(self.of(component)?)?;
        Ok(Model { component, description, standards, settings })
    }
}

/// Returns the component that settings or a request name, or that of systems for parts.
fn component(settings: &Settings, given: Option<&str>) -> Result<&'static Component> {
    if settings.has_parts() {
        return systems();
    }
    let (name, location) = match (settings.component(), given) {
        (Some((name, location)), _) => (name, format!("{location}: ")),
        (None, Some(name)) => (name.to_owned(), String::new()),
        (None, None) => bail!("which component? Name it with component = \"…\", or give [parts]"),
    };
    let simple = |name: &str| name.replace('-', "").to_ascii_lowercase();
    COMPONENTS.iter().find(|component| simple(component.name) == simple(&name)).with_context(|| {
        let names = COMPONENTS.iter().map(|component| component.name);
        let hint = fmu_builder::suggestion(&name, names).map(|hint| format!("; did you mean \"{hint}\"?"));
        format!("{location}unknown component \"{name}\"{}", hint.unwrap_or_default())
    })
}

/// Returns the component of systems.
pub fn systems() -> Result<&'static Component> {
    COMPONENTS.last().context("systems are the last component")
}
