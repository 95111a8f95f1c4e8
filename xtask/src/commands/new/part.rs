//! NewPart: drag on a shaft, as a starting point for a part of systems.

use fmu_runtime::{ComponentModel, Connector, Scalar, enumeration, export, group};
use systems::part::{Kinematics, Loads, Part, PartType, Solution, Typed};

group! {
    /// Drag that slows a shaft down, as that of a fan.
    ///
    /// ```text
    /// w = flange.w,   flange.tau = drag
    /// drag = d w                viscous                                      [N.m]
    /// drag = d w |w| s/rad      quadratic                                    [N.m]
    /// lossPower = drag w                                                     [W]
    /// ```
    pub struct NewPart<T>(_o: ()) {
        parameter d: T = 0.1, NMS_PER_RAD, "Drag coefficient", min = 0.0;
        parameter law: Law = Law::viscous, "How the drag grows with the speed";
        output lossPower: T, W, "Power that drag turns into heat";
    }
}

enumeration! {
    /// How drag grows with the speed.
    pub enum Law {
        viscous = "in proportion",
        quadratic = "with the square, the same at 1 rad/s",
    }
}

impl<T: Scalar> NewPart<T> {
    fn drag(&self, w: T) -> T {
        match self.law {
            Law::viscous => self.d * w,
            Law::quadratic => self.d * w * w.abs(),
        }
    }
}

impl PartType for NewPart<f64> {
    const NAME: &'static str = "NewPart";
    const TEXT: &'static str = "Drag that slows a shaft down";
    type Structure = ();
    type In<T: Scalar> = NewPart<T>;

    fn connectors((): &()) -> Vec<(&'static str, Connector)> {
        vec![("flange", Connector::Flange_a)]
    }

    fn options((): &(), _has_states: bool) {}
}

systems::capabilities!(NewPart: Loads);

/// Positions are numbered: those of the connectors, of which there is one.
const FLANGE: usize = 0;

impl<T: Scalar> Loads<T> for NewPart<T> {
    fn loads(&self, (): &(), motion: &Kinematics<'_, T>, add: &mut dyn FnMut(usize, T)) {
        add(FLANGE, -self.drag(motion.v(FLANGE)));
    }
}

impl<T: Scalar> Part<T> for NewPart<T> {
    type Structure = ();

    // The outputs.
    fn set_outputs(&mut self, (): &(), motion: &Kinematics<'_, T>, _: Solution<'_, T>) {
        self.lossPower = self.drag(motion.v(FLANGE)) * motion.v(FLANGE);
    }
}

/// Makes the systems of the built-in parts and of this one.
fn model() -> Box<dyn ComponentModel> {
    systems::system(vec![Box::<Typed<NewPart<f64>>>::default()])
}

export!(model = model);

#[cfg(test)]
mod tests {
    use super::*;
    use fmu_runtime::Trial;
    use fmu_runtime::lifecycle::Interface;

    /// A rotor with 0.5 kg.m2 that a motor drives, and what else is connected to it: types, options and connections.
    fn rotor(more: &[(&str, &str)]) -> Trial {
        let common = [("rotor.type", "Inertia"), ("motor.type", "Torque"), ("motor.flange", "rotor.flange_a")];
        let mut system = Trial::of_model(Interface::CoSimulation, model(), &[&common, more].concat());
        system.set("rotor.J", 0.5);
        system.set("motor.tau", 2.0);
        system
    }

    #[test]
    fn viscous_drag_is_that_of_a_damper() {
        let mut own = rotor(&[("drag.type", "NewPart"), ("drag.flange", "rotor.flange_b")]);
        let mut parts = rotor(&[
            ("damper.type", "Damper"),
            ("wall.type", "Fixed"),
            ("damper.flange_a", "rotor.flange_b"),
            ("damper.flange_b", "wall.flange"),
        ]);
        parts.set("damper.d", 0.1);
        for train in [&mut own, &mut parts] {
            train.set("rotor.w_start", -3.0);
        }
        for step in 1..=100 {
            own.step(0.01);
            parts.step(0.01);
            for name in ["rotor.phi", "rotor.w", "rotor.a"] {
                assert!((own.real(name) - parts.real(name)).abs() < 1e-9, "{name}");
            }
            let t = f64::from(step) * 0.01;
            let expected = 20.0 - 23.0 * f64::exp(-0.2 * t);
            assert!((own.real("rotor.w") - expected).abs() < 1e-6);
            assert!((own.real("drag.lossPower") - parts.real("damper.lossPower")).abs() < 1e-9);
        }
    }

    #[test]
    fn what_is_driven_in_is_stored_or_lost() {
        let mut train = rotor(&[("drag.type", "NewPart"), ("drag.flange", "rotor.flange_b")]);
        train.set("drag.law", "quadratic");
        train.step(0.1);
        let (w, a) = (train.real("rotor.w"), train.real("rotor.a"));
        assert!((2.0 * w - 0.5 * w * a - train.real("drag.lossPower")).abs() < 1e-12);
    }
}
