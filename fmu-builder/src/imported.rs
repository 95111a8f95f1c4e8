//! The description as an importer would read it in an FMU that was not packed.

use fmu_exchange::Standard;

use crate::description::Description;
use crate::description::model_description::model_description;
use crate::description::model_description_3::model_description_3;
use crate::error::Error;
use crate::read::{ModelDescription, element, interpret};

/// Returns what an importer reads in the `modelDescription.xml` of a description.
///
/// # Errors
///
/// When the description cannot be written.
pub fn imported(description: &Description, standard: Standard) -> Result<ModelDescription, Error> {
    let xml = match standard {
        Standard::Fmi2 => model_description(description, None),
        Standard::Fmi3 => model_description_3(description, None),
    }?;
    let fail = |reason| Error::Archive { path: format!("{}.fmu", description.name).into(), reason };
    let (model, problems) = interpret::interpret(&element::parse(&xml).map_err(fail)?);
    if problems.is_empty() { Ok(model) } else { Err(fail(problems.join("; "))) }
}
