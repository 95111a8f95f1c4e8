//! A declaration says whether results change with time alone.

use fmu_runtime::{
    Component, Context, Declaration, DefaultExperiment, DescribeRequest, Equations, Info, ModelError, Scalar,
    component_model, declaration, model, structure,
};

model! {
    /// y = u, or u t
    pub struct Ramp<T>(_s: Structure) {
        input u: T = 1.0, ONE, "Argument";
        output y: T, ONE, "Result";
    }
}

structure! {
    /// Whether there is a ramp.
    pub struct Structure {
        rises: bool = false, "Whether y grows with time";
    }
}

impl Component for Ramp<f64> {
    const INFO: Info = Info {
        name: "Ramp",
        description: "Passes a number on",
        icon: "<svg xmlns=\"http://www.w3.org/2000/svg\"/>",
        packages: &[("ramp", "1.0.0")],
        experiment: DefaultExperiment { start_time: 0.0, stop_time: 1.0, step_size: 0.1, tolerance: 1e-6 },
    };
    type Structure = Structure;
    type Data = ();
    type In<T: Scalar> = Ramp<T>;
}

impl<T: Scalar> Equations<T> for Ramp<T> {
    type Data = ();

    fn evaluate(&mut self, cx: &Context<'_, T, Self>) -> Result<(), ModelError> {
        self.y = if cx.structure.rises { self.u * cx.time } else { self.u };
        Ok(())
    }
}

#[test]
fn a_ramp_follows_time_and_a_gain_does_not() {
    let follows_time = |configuration: &str| {
        let answer = declaration(component_model::<Ramp<f64>>().as_mut(), DescribeRequest::new(configuration)).unwrap();
        Declaration::parse(&answer).unwrap().follows_time
    };
    let configuration = |word: &str| format!("structure rises {word}\n");
    assert_eq!(["false", "true"].map(|word| follows_time(&configuration(word))), [false, true]);
}
