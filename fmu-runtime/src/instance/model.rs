//! The data shared by all instances with one configuration.

use std::sync::{Arc, Mutex, PoisonError};

use fmu_exchange::configuration::Configuration;

use crate::component::component_model::{ComponentModel, configure};
use crate::component::layout::Layout;
use crate::component::motion::kept;

/// A component with a configuration.
#[derive(Clone)]
pub struct Model {
    /// The component in its structure.
    pub component: Arc<dyn ComponentModel>,
    /// The layout of the values.
    pub layout: Arc<Layout>,
    /// Configuration as text.
    pub text: Arc<str>,
    /// The GUID of the FMU.
    pub guid: Arc<str>,
}

impl Model {
    /// Makes the model of a configuration with a given GUID.
    pub fn new(mut model: Box<dyn ComponentModel>, text: &str, guid: &str) -> Result<Self, String> {
        let configuration = Configuration::parse(text)?;
        let mut layout = configure(model.as_mut(), &configuration)?;
        if model.is_integrated() {
            layout.append_hidden_reals(kept(&layout, model.indicator_count()));
        }
        Ok(Self { component: model.into(), layout: layout.into(), text: text.into(), guid: guid.into() })
    }
}

/// The last model, with the name of its component and its configuration. The configuration is read
/// at each instantiation and compared as a whole, so that a changed one is never missed.
static LAST: Mutex<Option<(&'static str, Model)>> = Mutex::new(None);

/// Returns the last model, if it is of this component and configuration.
pub fn recall(component: &str, text: &str) -> Option<Model> {
    let last = LAST.lock().unwrap_or_else(PoisonError::into_inner);
    let known = last.as_ref().filter(|(name, model)| *name == component && *model.text == *text);
    known.map(|(_, model)| model.clone())
}

/// Keeps a model for the next instance.
pub fn keep(component: &'static str, model: Model) {
    let kept = Some((component, model));
    let before = std::mem::replace(&mut *LAST.lock().unwrap_or_else(PoisonError::into_inner), kept);
    drop(before);
}

/// Frees the cached model, before the library is unloaded.
pub fn forget() {
    if let Ok(mut last) = LAST.try_lock() {
        *last = None;
    }
}
