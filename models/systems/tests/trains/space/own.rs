//! Types of parts in space besides the built-in ones.

use fmu_runtime::{Connector, ModelError, Scalar, group};
use nalgebra::Vector3;
use systems::part::{Element, Initialise, Kinematics, Multibody, Part, PartType, Solution, Space, Typed};

use crate::fixture::{INTERFACES, train_with};

group! {
    /// How far a frame is from where it was at the start.
    pub struct Displacement<T>(_o: ()) {
        start: Vector3<T>, M, "Position of the frame at the start, resolved in the world frame";
        [output] s: T, M, "Distance from there";
    }
}

struct DisplacementSensor;

impl PartType for DisplacementSensor {
    const NAME: &'static str = "DisplacementSensor";
    const TEXT: &'static str = "Measures how far a frame is from where it was at the start";
    type Structure = ();
    type In<T: Scalar> = Displacement<T>;

    fn connectors((): &()) -> Vec<(&'static str, Connector)> {
        vec![("frame_a", Connector::Frame_a)]
    }

    fn options((): &(), _: bool) {}
}

systems::capabilities!(Displacement: Multibody + Initialise);

impl<T: Scalar> Part<T> for Displacement<T> {
    type Structure = ();

    fn set_outputs(&mut self, (): &(), _: &Kinematics<'_, T>, solution: Solution<'_, T>) {
        if let Some(space) = solution.space {
            self.s = (space.frame(0).r_0 - self.start).norm();
        }
    }
}

impl<T: Scalar> Multibody<T> for Displacement<T> {
    fn elements(&self, (): &()) -> Vec<Element<T>> {
        Vec::new()
    }
}

impl<T: Scalar> Initialise<T> for Displacement<T> {
    fn initialise(&mut self, (): &(), space: &Space<'_, T>) -> Result<(), ModelError> {
        self.start = space.frame(0).r_0;
        Ok(())
    }
}

/// The sensor has no events, so nothing but its initialisation sets what it compares with.
#[test]
fn one_remembers_the_start() {
    let text = "world World gravityType=NoGravity
         slide Prismatic frame_a=world.frame_b v_start=0.4
         body Body m=2 frame_a=slide.frame_b
         sensor DisplacementSensor frame_a=body.frame_a";
    for (interface, start) in INTERFACES.into_iter().zip([0.3, -1.0]) {
        let mut train = train_with(interface, vec![Box::<Typed<DisplacementSensor>>::default()], text);
        train.set("slide.s_start", start);
        for k in 1..=5 {
            train.step(0.5);
            let s = train.real("sensor.s");
            assert!((s - 0.2 * f64::from(k)).abs() < 1e-9, "{interface:?}: {s}");
            assert!((train.directional_derivative("sensor.s", "slide.s") - 1.0).abs() < 1e-12);
        }
    }
}
