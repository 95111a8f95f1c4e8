use fmu_runtime::{Context, Equations, ModelError, Scalar, export, model};

model! {
    /// A mass on a spring and a damper: m a = f - c s - d v.
    pub struct NewComponent<T> {
        parameter m: T = 1.0, KG, "Mass", min = 1e-6;
        parameter c: T = 100.0, N_PER_M, "Stiffness", min = 0.0;
        parameter d: T = 1.0, NS_PER_M, "Damping", min = 0.0;
        input f: T = 0.0, N, "Force on the mass";
        state s: T = 0.1, M, "Position", der = v;
        state v: T = 0.0, M_PER_S, "Velocity", der = a;
        output a: T, M_PER_S2, "Acceleration";
        output energy: T, J, "Energy of the mass and the spring";
    }
}

impl<T: Scalar> Equations<T> for NewComponent<T> {
    fn evaluate(&mut self, _: &Context<'_, T, Self>) -> Result<(), ModelError> {
        self.a = (self.f - self.c * self.s - self.d * self.v) / self.m;
        self.energy = (self.m * self.v * self.v + self.c * self.s * self.s) * 0.5;
        Ok(())
    }
}

export!(NewComponent);

#[cfg(test)]
mod tests {
    use super::*;
    use fmu_runtime::Trial;

    #[test]
    fn it_swings_as_the_closed_form_says() {
        let mut mass = Trial::new::<NewComponent>(&[]);
        mass.set_tolerance(1e-10);
        for step in 1..=100 {
            mass.step(0.01);
            let (decay, w, t) = (0.5, f64::sqrt(100.0 - 0.25), f64::from(step) * 0.01);
            let s = 0.1 * f64::exp(-decay * t) * (f64::cos(w * t) + decay / w * f64::sin(w * t));
            assert!((mass.real("s") - s).abs() < 1e-8);
        }
    }

    #[test]
    fn without_damping_the_energy_stays() {
        let mut mass = Trial::new::<NewComponent>(&[]);
        mass.set_tolerance(1e-10);
        mass.set("d", 0.0);
        for _ in 0..100 {
            mass.step(0.01);
            assert!((mass.real("energy") - 0.5).abs() < 1e-7);
        }
    }
}
