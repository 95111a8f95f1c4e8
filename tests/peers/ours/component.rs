//! A wheel with a spring, a damper and a torque, the same as those of the peers.

use fmu_runtime::DefaultExperiment;
use fmu_runtime::{Context, Equations, Inputs, ModelError, Scalar, Steps, export, model};

model! {
    /// A wheel that a spring and a damper hold, and a torque turns.
    ///
    /// ```text
    /// phi' = w,   w' = a,   J a = tau - c phi - d w
    /// ```
    ///
    /// Co-Simulation makes one step of Euler's explicit method in a communication step, since one of the peers
    /// knows no other. With d just above c times 1 ms it neither grows nor settles: numbers that fade to nothing
    /// would take some processors ten times as long.
    pub struct Oscillator<T>: Steps {
        parameter J: T = 0.1, KG_M2, "Moment of inertia", min = 1e-6;
        parameter c: T = 100.0, NM_PER_RAD, "Stiffness", min = 0.0;
        parameter d: T = 0.1001, NMS_PER_RAD, "Damping", min = 0.0;
        input  tau: T = 1.0, N_M, "Torque";
        state phi: T = 0.0, RAD, "Angle", der = w;
        state w: T = 0.0, RAD_PER_S, "Angular velocity", der = a;
        output a: T, RAD_PER_S2, "Angular acceleration";
    }
}

impl<T: Scalar> Equations<T> for Oscillator<T> {
    const DESCRIPTION: &'static str = "A wheel that a spring and a damper hold, and a torque turns";
    const ICON: &'static str = r##"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"><circle cx="4" cy="4" r="3" fill="#468"/></svg>"##;
    const EXPERIMENT: DefaultExperiment = DefaultExperiment::until(1.0, 0.001);

    fn evaluate(&mut self, _: &Context<'_, T, Self>) -> Result<(), ModelError> {
        self.a = (self.tau - self.c * self.phi - self.d * self.w) / self.J;
        Ok(())
    }
}

impl<T: Scalar> Steps<T> for Oscillator<T> {
    fn advance(&mut self, _: &Context<'_, T, Self>, _: &Inputs<'_, Self>, h: f64) -> Result<(), ModelError> {
        let h = nalgebra::convert::<f64, T>(h);
        let a = (self.tau - self.c * self.phi - self.d * self.w) / self.J;
        self.phi += h * self.w;
        self.w += h * a;
        Ok(())
    }
}

export!(Oscillator<f64>);
