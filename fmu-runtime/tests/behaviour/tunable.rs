//! A component that prepares data from a tunable parameter fails.

use fmu_runtime::{
    Context, DeclarationRequest, DefaultExperiment, Equations, ModelError, Scalar, Source, component_model,
    declaration, model, structure,
};

model! {
    /// y = 2 k u
    pub struct Careless<T>(_s: Structure, data: f64) {
        tunable k: T = 1.0, ONE, "Factor";
        input u: T = 1.0, ONE, "Argument";
        output y: T, ONE, "Result";
    }
}

structure! {
    /// Structure options: none.
    pub struct Structure {}
}

impl<T: Scalar> Equations<T> for Careless<T> {
    const DESCRIPTION: &'static str = "Prepares what it must not";
    const ICON: &'static str = "<svg xmlns=\"http://www.w3.org/2000/svg\"/>";
    const EXPERIMENT: DefaultExperiment = DefaultExperiment::until(1.0, 0.1);

    fn prepare(&self, _: &Source<'_, Structure>) -> Result<f64, ModelError> {
        Ok(2.0 * self.k.value())
    }

    fn evaluate(&mut self, cx: &Context<'_, T, Self>) -> Result<(), ModelError> {
        self.y = self.u * nalgebra::convert::<f64, T>(*cx.data);
        Ok(())
    }
}

#[test]
fn v11_what_is_tunable_cannot_be_prepared() {
    let refused = declaration(component_model::<Careless<f64>>().as_mut(), DeclarationRequest::new("")).unwrap_err();
    assert!(refused.contains("the FMU would not start: \"y\" would be NaN"), "{refused}");
}
