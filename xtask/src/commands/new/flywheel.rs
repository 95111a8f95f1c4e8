//! NewComponent: a flywheel with options and an enumeration as a starting point.

use fmu_runtime::{Context, DefaultExperiment, Equations, ModelError, Scalar, enumeration, export, model, structure};

model! {
    /// A wheel that a torque drives and that drag slows down.
    ///
    /// ```text
    /// phi' = w,   w' = a,   J a = tau - drag              tau = 0 while not engaged
    /// drag = d w                viscous                                      [N.m]
    /// drag = d w |w| s/rad      quadratic                                    [N.m]
    /// lossPower = drag w                                                     [W]
    /// ```
    ///
    /// Torques act on the wheel, positive in the direction of phi.
    pub struct NewComponent<T>(s: Structure) {
        parameter J: T = 0.5, KG_M2, "Moment of inertia", min = 1e-6;
        parameter d: T = 0.1, NMS_PER_RAD, "Drag coefficient", min = 0.0;
        parameter law: Law = Law::viscous, "How the drag grows with the speed";
        input  tau: T = 0.0, N_M, "Driving torque";
        input  engaged: bool = true, "Whether the driving torque acts";
        state phi: T = 0.0, RAD, "Angle", der = w;
        state w: T = 0.0, RAD_PER_S, "Angular velocity", der = a;
        output a: T, RAD_PER_S2, "Angular acceleration";
        output lossPower: T, W, "Power that drag turns into heat", when = s.losses;
    }
}

structure! {
    /// The structure options, which decide which variables exist.
    pub struct Structure {
        losses: bool = true, "Adds the output lossPower";
    }
}

enumeration! {
    /// How drag grows with the speed.
    pub enum Law {
        viscous = "in proportion",
        quadratic = "with the square, the same at 1 rad/s",
    }
}

impl<T: Scalar> Equations<T> for NewComponent<T> {
    const ICON: &'static str = r##"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"><circle cx="4" cy="4" r="3" fill="#468"/></svg>"##;
    const EXPERIMENT: DefaultExperiment = DefaultExperiment::until(10.0, 0.01);

    fn evaluate(&mut self, _: &Context<'_, T, Self>) -> Result<(), ModelError> {
        let tau = if self.engaged { self.tau } else { T::zero() };
        let drag = match self.law {
            Law::viscous => self.d * self.w,
            Law::quadratic => self.d * self.w * self.w.abs(),
        };
        self.a = (tau - drag) / self.J;
        self.lossPower = drag * self.w;
        Ok(())
    }
}

export!(NewComponent);

#[cfg(test)]
mod tests {
    use super::*;
    use fmu_runtime::Trial;

    #[test]
    fn the_speed_approaches_its_limit_as_the_closed_form_says() {
        let mut wheel = Trial::new::<NewComponent>(&[]);
        wheel.set_tolerance(1e-10);
        wheel.set("tau", 2.0);
        for step in 1..=100 {
            wheel.step(0.01);
            let (inertia, drag, t) = (0.5, 0.1, f64::from(step) * 0.01);
            let expected = 2.0 / drag * (1.0 - f64::exp(-drag / inertia * t));
            assert!((wheel.real("w") - expected).abs() < 1e-9);
        }
    }

    #[test]
    fn what_is_driven_in_is_stored_or_lost() {
        let mut wheel = Trial::new::<NewComponent>(&[]);
        wheel.set("law", "quadratic");
        wheel.set("tau", 2.0);
        wheel.step(0.1);
        let stored = 0.5 * wheel.real("w") * wheel.real("a");
        assert!((2.0 * wheel.real("w") - stored - wheel.real("lossPower")).abs() < 1e-12);
        wheel.set("engaged", false);
        assert!((0.5 * wheel.real("w") * wheel.real("a") + wheel.real("lossPower")).abs() < 1e-12);
    }
}
