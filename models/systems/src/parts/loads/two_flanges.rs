//! A torque or a force between two flanges.

use std::marker::PhantomData;

use fmu_runtime::unit::{N, N_M};
use fmu_runtime::{Connector, Scalar, group};

use crate::part::{Kinematics, Loads, Part, PartType};
use crate::parts::compliant::between;
use crate::parts::domain::{Domain, InDomain};

/// A torque or a force from a signal between two flanges.
pub struct Torque2Type<D>(PhantomData<D>);

group! {
    /// ```text
    /// flange_a.tau = tau,   flange_b.tau = -tau
    /// ```
    ///
    /// and the same for rods, with f. Source: Torque2 and Force2 of Modelica.Mechanics.
    pub struct Torque2<T>(o: Domain) {
        input f: T = 0.0, "Torque that moves flange_b forward and flange_a backward", name = o.pick("tau", "f"),
            text = o.pick("Torque that moves flange_b forward and flange_a backward", "Force that moves flange_b forward and flange_a backward"),
            unit = o.pick(N_M, N);
    }
}

impl<D: InDomain> PartType for Torque2Type<D> {
    const NAME: &'static str = D::DOMAIN.pick("Torque2", "Force2");
    const TEXT: &'static str =
        D::DOMAIN.pick("A torque from an input, between two shafts", "A force from an input, between two rods");
    type Structure = ();
    type In<T: Scalar> = Torque2<T>;

    fn connectors(_: &()) -> Vec<(&'static str, Connector)> {
        D::DOMAIN.flanges()
    }

    fn options((): &(), _: bool) -> Domain {
        D::DOMAIN
    }
}

crate::capabilities!(Torque2: Loads);

impl<T: Scalar> Part<T> for Torque2<T> {
    type Structure = ();
}

impl<T: Scalar> Loads<T> for Torque2<T> {
    fn loads(&self, (): &(), _: &Kinematics<'_, T>, add: &mut dyn FnMut(usize, T)) {
        between(-self.f, add);
    }
}
