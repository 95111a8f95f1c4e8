//! Components, systems and FMUs as data, for JSON and for Python.

use anyhow::Result;
use fmu_builder::{Catalogue, Datum, Description, Library, ModelDescription};
use serde::Serialize;

use crate::source::{Component, LibrarySource};

/// A component, a type of part, or an FMU.
#[derive(Serialize)]
pub struct About {
    /// Name of the component, type of part, or FMU.
    pub name: String,
    /// Description in one line.
    pub description: String,
    /// Structure options, parameters, inputs, outputs and attachments; of systems none without a configuration.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub variables: Vec<Datum>,
    /// The types of parts, of systems without a configuration.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub parts: Vec<Self>,
}

impl About {
    fn new(name: &str, description: &str) -> Self {
        let (name, description) = (name.to_owned(), description.to_owned());
        Self { name, description, variables: Vec::new(), parts: Vec::new() }
    }

    /// Returns the components, without their variables.
    ///
    /// # Errors
    ///
    /// When these cannot be found.
    pub fn of_components(source: &impl LibrarySource) -> Result<Vec<Self>> {
        let components = source.components()?;
        Ok(components.iter().map(|component| Self::new(component.name(), component.description())).collect())
    }

    /// Returns the data of a configured component.
    pub fn of(description: &Description) -> Self {
        let options = description.structure.iter().map(Datum::of_option);
        let attachments = description.attachments.iter().map(Datum::of_attachment);
        let variables = options.chain(Datum::of_variables(description)).chain(attachments).collect();
        Self { variables, ..Self::new(&description.name, &description.description) }
    }

    /// Returns the types of parts of systems.
    ///
    /// # Errors
    ///
    /// When the library does not describe them.
    pub fn of_parts(component: &impl Component, library: &Library) -> Result<Self> {
        let catalogues = Catalogue::of_parts(library)?;
        let of_type = |catalogue: &Catalogue| {
            let of_type = Self::of(catalogue.default());
            Self { name: catalogue.default().component.clone(), ..of_type }
        };
        let parts = catalogues.iter().map(of_type).collect();
        Ok(Self { parts, ..Self::new(component.name(), component.description()) })
    }

    /// Returns the data of a finished FMU.
    pub fn finished(model: &ModelDescription) -> Self {
        let variables = Datum::of_variables(model);
        Self { variables, ..Self::new(&model.model_name, model.description.as_deref().unwrap_or_default()) }
    }
}
