//! The finished bushing.

use std::ops::{Deref, DerefMut};
use std::path::PathBuf;

use fmu_builder::description::Description;
use fmu_builder::{Error, Settings};
use fmu_tests::finished;
pub use fmu_tests::finished::{Instance, root};

const BUSHING: &str = "bushing";

pub fn archive() -> PathBuf {
    finished::archive(BUSHING)
}

pub fn describe(assignments: &[&str]) -> Result<Description, Error> {
    finished::describe(BUSHING, assignments)
}

/// The description of settings.
pub fn resolve(settings: &Settings) -> Result<Description, Error> {
    finished::resolve(BUSHING, settings)
}

/// Takes the warnings of an instance.
pub fn warnings(instance: &Instance<'_>) -> Vec<String> {
    let messages = instance.fmi.messages().into_iter();
    messages
        .filter(|message| message.category.as_deref() == Some("logStatusWarning"))
        .map(|message| message.text)
        .collect()
}

/// A bushing of one configuration.
pub struct Fmu(finished::Fmu);

impl Fmu {
    pub fn new(assignments: &[&str]) -> Self {
        Self(finished::Fmu::new(BUSHING, assignments))
    }

    pub fn of(description: Description) -> Self {
        Self(finished::Fmu::of(BUSHING, description))
    }
}

impl Deref for Fmu {
    type Target = finished::Fmu;

    fn deref(&self) -> &finished::Fmu {
        &self.0
    }
}

impl DerefMut for Fmu {
    fn deref_mut(&mut self) -> &mut finished::Fmu {
        &mut self.0
    }
}
