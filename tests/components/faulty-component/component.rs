//! Two rotors, with mistakes that the builder or a comparison of the interfaces finds.

use fmu_runtime::{
    Context, DefaultExperiment, Equations, Inputs, ModelError, Scalar, Steps, enumeration, model, structure,
};
use nalgebra::convert;

model! {
    /// phi_a' = w_a,   J_a w_a' = tau_a,   phi_b' = w_b,   J_b w_b' = tau_b
    pub struct Rotors<T>(s: Structure): Steps {
        parameter J_a: T = 1.0, KG_M2, "Inertia of the first rotor", min = 0.01;
        parameter J_b: T = 1.0, KG_M2, "Inertia of the second rotor", min = 0.01;
        input  tau_a: T, N_M, "Torque on the first rotor";
        input  tau_b: T, N_M, "Torque on the second rotor";
        state phi_a: T = 0.0, RAD, "Angle", der = w_a;
        state w_a: T = 0.0, RAD_PER_S, "Angular velocity", der = a_a;
        output a_a: T, RAD_PER_S2, "Angular acceleration";
        output phi_b: T = 0.0, RAD, "Angle", der = if s.mistake == Mistake::start { "" } else { w_b };
        output w_b: T, RAD_PER_S, "Angular velocity", der = if s.mistake == Mistake::derivative { "" } else { a_b };
        output a_b: T, RAD_PER_S2, "Angular acceleration",
            unit = if s.mistake == Mistake::unit { fmu_runtime::unit::M_PER_S2 } else { fmu_runtime::unit::RAD_PER_S2 };
    }
}

structure! {
    /// The structure options of the rotors.
    pub struct Structure {
        mistake: Mistake = Mistake::none, "What is wrong";
    }
}

enumeration! {
    /// Mistakes of who writes a component.
    pub enum Mistake {
        none = "nothing",
        start = "phi_b has a start value and no derivative",
        derivative = "w_b has no derivative",
        constant = "advance has J_a for J_b",
        sign = "advance has the wrong sign of tau_a",
        unit = "a_b is in m/s2",
        unassigned = "a_b is not assigned",
        branch = "a_b is assigned for a positive torque only",
        order = "a_a is computed from a_b before that is",
    }
}

impl<T: Scalar> Equations<T> for Rotors<T> {
    const DESCRIPTION: &'static str = "Two rotors with mistakes";
    const ICON: &'static str =
        r##"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"><path d="M1 1h6v6h-6z" fill="#468"/></svg>"##;
    const EXPERIMENT: DefaultExperiment = DefaultExperiment::until(1.0, 0.01);

    fn evaluate(&mut self, cx: &Context<'_, T, Self>) -> Result<(), ModelError> {
        self.a_a = self.tau_a / self.J_a;
        match cx.structure.mistake {
            Mistake::unassigned => return Ok(()),
            Mistake::branch if self.tau_b.value() < 0.0 => return Ok(()),
            Mistake::order => self.a_a += self.a_b,
            _ => {}
        }
        self.a_b = self.tau_b / self.J_b;
        Ok(())
    }
}

impl<T: Scalar> Steps<T> for Rotors<T> {
    fn advance(&mut self, cx: &Context<'_, T, Self>, inputs: &Inputs<'_, Self>, h: f64) -> Result<(), ModelError> {
        let slopes = inputs.coefficients(1);
        let mistake = cx.structure.mistake;
        let sign = convert::<f64, T>(if mistake == Mistake::sign { -1.0 } else { 1.0 });
        let other = if mistake == Mistake::constant { self.J_a } else { self.J_b };
        let [h, third] = [h, 1.0 / 3.0].map(convert::<f64, T>);
        let half = h / (T::one() + T::one());
        for (phi, w, a, slope) in [
            (&mut self.phi_a, &mut self.w_a, sign * self.tau_a / self.J_a, sign * slopes.tau_a / self.J_a),
            (&mut self.phi_b, &mut self.w_b, self.tau_b / other, slopes.tau_b / other),
        ] {
            *phi += h * (*w + half * (a + h * third * slope));
            *w += h * (a + half * slope);
        }
        Ok(())
    }
}

fmu_runtime::export!(Rotors<f64>);
