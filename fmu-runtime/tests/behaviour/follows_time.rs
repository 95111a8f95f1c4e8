//! The declaration tells if results change with time alone.

use fmu_runtime::{
    Context, Declaration, DeclarationRequest, DefaultExperiment, Equations, ModelError, Scalar, component_model,
    declaration, model, structure,
};

model! {
    /// y = u, or u t, or u from a time on, or around a time
    pub struct Ramp<T>(_s: Structure) {
        input u: T = 1.0, ONE, "Argument";
        output y: T, ONE, "Result";
    }
}

structure! {
    /// Structure options for the kind of ramp.
    pub struct Structure {
        rises: bool = false, "Whether y grows with time";
        begins: bool = false, "Whether y is 0 until 1 s";
        leans: bool = false, "Whether y grows with time from 0.4 to 0.6 s, and is u at 0.5 s";
    }
}

impl<T: Scalar> Equations<T> for Ramp<T> {
    const DESCRIPTION: &'static str = "Passes a number on";
    const ICON: &'static str = "<svg xmlns=\"http://www.w3.org/2000/svg\"/>";
    const EXPERIMENT: DefaultExperiment = DefaultExperiment::until(1.0, 0.1);

    fn evaluate(&mut self, cx: &Context<'_, T, Self>) -> Result<(), ModelError> {
        self.y = self.u;
        if cx.structure.rises {
            self.y *= cx.time;
        }
        if cx.structure.begins && cx.time.value() <= 1.0 {
            self.y = T::zero();
        }
        let passed = cx.time - nalgebra::convert::<f64, T>(0.5);
        if cx.structure.leans && passed.value().abs() < 0.1 {
            self.y += passed;
        }
        Ok(())
    }
}

#[test]
fn what_changes_with_time_alone_follows_time_and_a_gain_does_not() {
    let follows_time = |configuration: &str| {
        let answer =
            declaration(component_model::<Ramp<f64>>().as_mut(), DeclarationRequest::new(configuration)).unwrap();
        Declaration::parse(&answer).unwrap().follows_time
    };
    for (configuration, expected) in [
        ("", false),
        ("structure rises true\n", true),
        ("structure begins true\n", true),
        // The derivative alone shows that results change with time.
        ("structure leans true\n", true),
    ] {
        assert_eq!(follows_time(configuration), expected, "{configuration}");
    }
}
