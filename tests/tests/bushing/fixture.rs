//! The finished bushing.

use std::path::PathBuf;

use fmu_builder::Error;
use fmu_runtime::description::Description;
use fmu_tests::finished;
pub use fmu_tests::finished::{Instance, root};

pub fn archive() -> PathBuf {
    finished::archive("bushing")
}

pub fn describe(assignments: &[&str]) -> Result<Description, Error> {
    finished::describe("bushing", assignments)
}

/// A bushing of one configuration.
pub struct Fmu(finished::Fmu);

impl Fmu {
    pub fn new(assignments: &[&str]) -> Self {
        Self(finished::Fmu::new("bushing", assignments))
    }

    pub fn instance(&self) -> Instance<'_> {
        self.0.instance()
    }
}
