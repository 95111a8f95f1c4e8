//! The description of a component.

use fmu_exchange::{DefaultExperiment, Structure, declared};

use crate::component::capabilities::{Acausal, Events, Indicators, Memory, Steps};
use crate::component::equations::Equations;
use crate::rows::scalar::Scalar;

/// The description of a component, apart from its variables and equations.
pub struct Info {
    /// Name of the component, and of its FMU unless the configuration gives another one.
    pub name: &'static str,
    /// Description in one line.
    pub description: &'static str,
    /// Icon as an SVG document.
    pub icon: &'static str,
    /// The component's own package with its version.
    pub package: (&'static str, &'static str),
    /// Further packages on which its results depend, each with its version.
    pub packages: &'static [(&'static str, &'static str)],
    /// The default experiment.
    pub experiment: DefaultExperiment,
}

impl Info {
    /// The description that a component gives beside its equations.
    pub const fn of<E: Equations<f64>>() -> Self {
        Self {
            name: E::NAME,
            description: declared(E::DESCRIPTION),
            icon: declared(E::ICON),
            package: E::PACKAGE,
            packages: E::PACKAGES,
            experiment: E::EXPERIMENT,
        }
    }

    /// The runtime's package, the component's own, and further ones.
    pub fn all_packages(&self) -> impl Iterator<Item = (&'static str, &'static str)> {
        let runtime = (env!("CARGO_PKG_NAME"), env!("CARGO_PKG_VERSION"));
        [runtime, self.package].into_iter().chain(self.packages.iter().copied())
    }
}

/// A component that can become an FMU; [`model!`](crate::model!) implements it.
pub trait Component: 'static {
    /// Name, description, icon, packages and default experiment of the component.
    const INFO: Info;
    /// Structure options of the component.
    type Structure: Structure;
    /// The data prepared from parameters and files before the equations are evaluated.
    type Data: Default + Send + Sync + 'static;
    /// Variables and equations of the component in a scalar type.
    type In<T: Scalar>: Equations<T, Structure = Self::Structure, Data = Self::Data>
        + Events<T>
        + Indicators<T>
        + Steps<T>
        + Memory<T>
        + Acausal<T>;
}
