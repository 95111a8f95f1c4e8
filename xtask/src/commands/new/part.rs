//! NewPart: a flywheel as a starting point for a part of systems.

use fmu_runtime::{ComponentModel, Connector, Scalar, enumeration, export, group};
use systems::part::{InitialCondition, Kinematics, Loads, Part, PartType, Preference, Relation, Solution, Typed};
use systems::parts::inertia::{Inertia, InertiaOptions, InertiaStructure};

group! {
    /// A wheel on a shaft that drag slows down.
    ///
    /// ```text
    /// J a = flange_a.tau + flange_b.tau - drag
    /// drag = d w                viscous                                      [N.m]
    /// drag = d w |w| s/rad      quadratic                                    [N.m]
    /// lossPower = drag w                                                     [W]
    /// ```
    pub struct NewPart<T>(o: InertiaOptions) {
        group shaft: Inertia<T> = o, "J, its start values and its motion phi, w, a", name = "";
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

impl PartType for NewPart<f64> {
    const NAME: &'static str = "NewPart";
    const TEXT: &'static str = "A wheel on a shaft that drag slows down";
    type Structure = InertiaStructure;
    type In<T: Scalar> = NewPart<T>;

    fn connectors(_: &InertiaStructure) -> Vec<(&'static str, Connector)> {
        vec![("flange_a", Connector::Flange_a), ("flange_b", Connector::Flange_b)]
    }

    fn own(structure: &InertiaStructure) -> &'static [Preference] {
        structure.own()
    }

    fn options(structure: &InertiaStructure, has_states: bool) -> InertiaOptions {
        structure.options(has_states)
    }
}

/// Positions are numbered: those of the connectors, then its own.
const OWN: usize = 2;

impl<T: Scalar> NewPart<T> {
    fn drag(&self, w: T) -> T {
        match self.law {
            Law::viscous => self.d * w,
            Law::quadratic => self.d * w * w.abs(),
        }
    }
}

systems::capabilities!(NewPart: Loads);

impl<T: Scalar> Part<T> for NewPart<T> {
    type Structure = InertiaStructure;

    // The motion is that of the shaft.
    fn relations(&self, structure: &InertiaStructure) -> Vec<Relation<T>> {
        self.shaft.relations(structure)
    }

    fn inertia(&self) -> T {
        self.shaft.inertia()
    }

    fn start(&self, structure: &InertiaStructure, own: usize) -> [T; 2] {
        self.shaft.start(structure, own)
    }

    fn initial_conditions(&self, structure: &InertiaStructure, rests: bool) -> Vec<InitialCondition<T>> {
        self.shaft.initial_conditions(structure, rests)
    }

    fn own(&self, own: usize) -> [T; 3] {
        self.shaft.own(own)
    }

    fn set_own(&mut self, own: usize, motion: [T; 2]) {
        self.shaft.set_own(own, motion);
    }

    fn set_outputs(&mut self, structure: &InertiaStructure, motion: &Kinematics<'_, T>, solution: Solution<'_, T>) {
        self.shaft.set_outputs(structure, motion, solution);
        self.lossPower = self.drag(motion.v(OWN)) * motion.v(OWN);
    }
}

impl<T: Scalar> Loads<T> for NewPart<T> {
    // What the wheel adds.
    fn loads(&self, _: &InertiaStructure, motion: &Kinematics<'_, T>, add: &mut dyn FnMut(usize, T)) {
        add(OWN, -self.drag(motion.v(OWN)));
    }
}

/// Systems of the built-in parts and of this one.
fn model() -> Box<dyn ComponentModel> {
    systems::system(vec![Box::<Typed<NewPart<f64>>>::default()])
}

export!(model = model);

#[cfg(test)]
mod tests {
    use super::*;
    use fmu_runtime::Trial;
    use fmu_runtime::lifecycle::Interface;

    /// A system in Co-Simulation: types of parts, then options and connections.
    fn system(structure: &[(&str, &str)]) -> Trial {
        Trial::of_model(Interface::CoSimulation, model(), structure)
    }

    #[test]
    fn viscous_drag_is_that_of_a_damper() {
        let mut wheel = system(&[("wheel.type", "NewPart"), ("motor.type", "Torque"), ("motor.flange", "wheel.flange_a")]);
        let mut parts = system(&[
            ("wheel.type", "Inertia"),
            ("motor.type", "Torque"),
            ("damper.type", "Damper"),
            ("wall.type", "Fixed"),
            ("motor.flange", "wheel.flange_a"),
            ("damper.flange_a", "wheel.flange_b"),
            ("damper.flange_b", "wall.flange"),
        ]);
        wheel.set("wheel.d", 0.1);
        parts.set("damper.d", 0.1);
        for train in [&mut wheel, &mut parts] {
            train.set("wheel.J", 0.5);
            train.set("wheel.w_start", -3.0);
            train.set("motor.tau", 2.0);
        }
        for step in 1..=100 {
            wheel.step(0.01);
            parts.step(0.01);
            for name in ["wheel.phi", "wheel.w", "wheel.a"] {
                assert!((wheel.real(name) - parts.real(name)).abs() < 1e-9, "{name}");
            }
            let t = f64::from(step) * 0.01;
            let expected = 20.0 - 23.0 * f64::exp(-0.2 * t);
            assert!((wheel.real("wheel.w") - expected).abs() < 1e-6);
            assert!((wheel.real("wheel.lossPower") - parts.real("damper.lossPower")).abs() < 1e-9);
        }
    }

    #[test]
    fn what_is_driven_in_is_stored_or_lost() {
        let mut train = system(&[("wheel.type", "NewPart"), ("motor.type", "Torque"), ("motor.flange", "wheel.flange_a")]);
        train.set("wheel.law", "quadratic");
        train.set("motor.tau", 2.0);
        train.step(0.1);
        let (w, stored) = (train.real("wheel.w"), train.real("wheel.w") * train.real("wheel.a"));
        assert!((2.0 * w - stored - train.real("wheel.lossPower")).abs() < 1e-12);
    }
}
