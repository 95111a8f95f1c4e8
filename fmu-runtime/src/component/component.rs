//! The description of a component.

use serde::{Deserialize, Serialize};

use crate::component::capabilities::{Acausal, Events, Indicators, Memory, Steps};
use crate::component::equations::Equations;
use crate::declaration::scalar::Scalar;
use crate::declaration::structure::Structure;

/// The description of a component, apart from its variables and equations.
pub struct Info {
    /// Name of the component, and of its FMU unless the configuration gives another one.
    pub name: &'static str,
    /// One line.
    pub description: &'static str,
    /// SVG document.
    pub icon: &'static str,
    /// The packages of the component, each with its version.
    pub packages: &'static [(&'static str, &'static str)],
    /// The default experiment.
    pub experiment: DefaultExperiment,
}

/// FMI's `DefaultExperiment`, in seconds.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct DefaultExperiment {
    /// Start time.
    pub start_time: f64,
    /// Stop time.
    pub stop_time: f64,
    /// Communication step.
    pub step_size: f64,
    /// Relative tolerance.
    pub tolerance: f64,
}

impl Info {
    /// The runtime's package, then the component's own.
    pub fn all_packages(&self) -> impl Iterator<Item = (&'static str, &'static str)> {
        let runtime = (env!("CARGO_PKG_NAME"), env!("CARGO_PKG_VERSION"));
        std::iter::once(runtime).chain(self.packages.iter().copied())
    }
}

/// A component that can become an FMU.
pub trait Component: 'static {
    /// What it is.
    const INFO: Info;
    /// Its structure options.
    type Structure: Structure;
    /// The data prepared from parameters and files before the equations are evaluated.
    type Data: Default + Send + Sync + 'static;
    /// Its variables and equations in a scalar type.
    type In<T: Scalar>: Equations<T, Structure = Self::Structure, Data = Self::Data>
        + Events<T>
        + Indicators<T>
        + Steps<T>
        + Memory<T>
        + Acausal<T>;
}
