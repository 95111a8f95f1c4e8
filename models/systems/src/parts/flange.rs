//! Flanges of the system: connectors of its FMU.

use fmu_runtime::{Connector, Scalar, structure};
use mechanics::friction::AngularMotion;
use mechanics::train::{Preference, Relation};
use ports::{Coupling, Flange, FlangeOptions};

use crate::part::{Found, Motion, Part, PartType};

structure! {
    /// The options of a flange of the system.
    pub struct FlangeStructure {
        coupling: Coupling = Coupling::torque_in, "What is given from outside";
    }
}

/// A flange with the icon of Modelica.Mechanics.Rotational.Interfaces.Flange_a.
#[allow(non_camel_case_types)]
pub struct Flange_a;

/// A flange with the icon of Modelica.Mechanics.Rotational.Interfaces.Flange_b.
#[allow(non_camel_case_types)]
pub struct Flange_b;

macro_rules! flange {
    ($side:ident) => {
        impl PartType for $side {
            const NAME: &'static str = stringify!($side);
            const TEXT: &'static str = "A flange of the system, to which other FMUs can be connected";
            const CONNECTOR: Option<Connector> = Some(Connector::$side);
            type Structure = FlangeStructure;
            type In<T: Scalar> = Flange<T>;

            fn connectors(_: &FlangeStructure) -> Vec<(&'static str, Connector)> {
                vec![("flange", Connector::$side)]
            }

            fn options(structure: &FlangeStructure, _: bool) -> FlangeOptions {
                structure.coupling.into()
            }

            fn own(structure: &FlangeStructure) -> &'static [Preference] {
                match structure.coupling {
                    Coupling::torque_in => &[],
                    Coupling::motion_in => &[Preference::Given],
                }
            }
        }
    };
}

flange!(Flange_a);
flange!(Flange_b);

impl<T: Scalar> Part<T> for Flange<T> {
    type Structure = FlangeStructure;

    fn relations(&self, structure: &FlangeStructure) -> Vec<Relation<T>> {
        match structure.coupling {
            Coupling::torque_in => Vec::new(),
            Coupling::motion_in => vec![Relation::equal(0, 1)],
        }
    }

    fn own(&self) -> [T; 3] {
        [self.motion.phi, self.motion.w, self.motion.a]
    }

    fn loads(&self, structure: &FlangeStructure, _: &Motion<'_, T>, add: &mut dyn FnMut(usize, T)) {
        if structure.coupling == Coupling::torque_in {
            add(0, self.tau);
        }
    }

    fn put(&mut self, structure: &FlangeStructure, motion: &Motion<'_, T>, found: Found<'_, T>) {
        let motion = AngularMotion { phi: motion.x(0), w: motion.v(0), a: motion.a(0) };
        Flange::put(self, structure.coupling, motion, found.reaction);
    }
}
