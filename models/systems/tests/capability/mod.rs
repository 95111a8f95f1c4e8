// A part that names some capabilities and implements some: `part!([Loads], [Loads Events]);`. The examples in
// `src/part/capabilities.rs` include this file.

#[allow(unused_imports)]
use systems::part::{
    ActsOnFrames, Assembly, Block, Events, Solution, FrictionElement, Multibody, Initialise, Loads, Memory, Kinematics, Part, PartType, Typed,
};

use fmu_runtime::{Connector, Scalar, group};

macro_rules! implemented {
    (Empty) => {
        impl<T: Scalar> Events<T> for Idle<T> {}
    };
    ($capability:ident) => {
        impl<T: Scalar> $capability<T> for Idle<T> {
            systems::nothing!($capability);
        }
    };
}

macro_rules! part {
    ([$($first:ident $($more:ident)*)?], [$($implemented:ident)*]) => {
        systems::capabilities!(Idle $(: $first $(+ $more)*)?);
        $(implemented!($implemented);)*
    };
}

group! {
    /// A part that does nothing.
    pub struct Idle<T>(_o: ()) {
        output tau: T, N_M, "Nothing";
    }
}

impl PartType for Idle<f64> {
    const NAME: &'static str = "Idle";
    const TEXT: &'static str = "Does nothing";
    type Structure = ();
    type In<T: Scalar> = Idle<T>;

    fn connectors((): &()) -> Vec<(&'static str, Connector)> {
        Vec::new()
    }

    fn options((): &(), _: bool) {}
}

impl<T: Scalar> Part<T> for Idle<T> {
    type Structure = ();
}
