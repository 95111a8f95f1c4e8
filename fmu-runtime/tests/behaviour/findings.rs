//! Dependencies are looked for once for all configurations of a structure.

use std::sync::atomic::{AtomicUsize, Ordering};

use fmu_runtime::{
    Context, Declaration, DeclarationRequest, DefaultExperiment, Dependencies, Equations, ModelError, Scalar,
    component_model, declaration, model, structure,
};
use nalgebra::Matrix3;

model! {
    /// y = gain u + v, or gain u
    pub struct Mixer<T>(_s: Structure) {
        parameter gain: T = 2.0, ONE, "Gain";
        input u: T = 1.0, ONE, "Argument";
        input v: T = 1.0, ONE, "Summand";
        output y: T, ONE, "Result";
    }
}

structure! {
    /// Structure option for the summand.
    pub struct Structure {
        adds: bool = true, "Whether v is added";
    }
}

static EVALUATIONS: AtomicUsize = AtomicUsize::new(0);

impl<T: Scalar> Equations<T> for Mixer<T> {
    const DESCRIPTION: &'static str = "Mixes two numbers";
    const ICON: &'static str = "<svg xmlns=\"http://www.w3.org/2000/svg\"/>";
    const EXPERIMENT: DefaultExperiment = DefaultExperiment::until(1.0, 0.1);

    fn evaluate(&mut self, cx: &Context<'_, T, Self>) -> Result<(), ModelError> {
        EVALUATIONS.fetch_add(1, Ordering::Relaxed);
        self.y = self.gain * self.u;
        if cx.structure.adds {
            self.y += self.v;
        }
        Ok(())
    }
}

/// Returns the dependencies, and the number of evaluations that they take.
fn found(configuration: &str) -> ([Dependencies; 2], usize) {
    let before = EVALUATIONS.load(Ordering::Relaxed);
    let mut model = component_model::<Mixer<f64>>();
    let answer = declaration(model.as_mut(), DeclarationRequest::new(configuration)).unwrap();
    let dependencies = Declaration::parse(&answer).unwrap().dependencies;
    (dependencies, EVALUATIONS.load(Ordering::Relaxed) - before)
}

#[test]
fn configurations_of_a_structure_share_what_is_found() {
    let (defaults, first) = found("");
    assert!(first > 24, "{first}");
    let gain = |gain: f64| found(&format!("start gain {:016x} {gain}\n", gain.to_bits()));
    // Next to such a gain, the effect of v would be rounding.
    for (found, evaluations) in [gain(3.0), gain(1e15), found("")] {
        assert_eq!(found, defaults);
        assert!(evaluations < 3, "{evaluations}");
    }
    let (without, others) = found("structure adds false\n");
    assert!(others > 24, "{others}");
    let reals = |dependencies: &[Dependencies; 2]| {
        dependencies[0].as_ref().unwrap().iter().map(|(_, reals)| reals.len()).sum::<usize>()
    };
    assert_eq!((reals(&defaults), reals(&without)), (2, 1));
}

model! {
    /// y = u1 where x is near its start value, else u2, with a sum over the pairs
    pub struct Picky<T> {
        parameter inner: Matrix3<T>, ONE, "Sizes of holes";
        parameter outer: Matrix3<T> = [[0.01; 3]; 3], ONE, "Sizes of bodies";
        input x: T, ONE, "Position";
        input u1: T = 1.0, ONE, "Effective near x = 0";
        input u2: T = 1.0, ONE, "Effective elsewhere";
        output y: T, ONE, "Result";
    }
}

impl<T: Scalar> Equations<T> for Picky<T> {
    const DESCRIPTION: &'static str = "Has few valid points";

    fn evaluate(&mut self, _: &Context<'_, T, Self>) -> Result<(), ModelError> {
        let mut pairs = self.inner.iter().zip(&self.outer);
        if pairs.any(|(inner, outer)| inner.value() > outer.value()) {
            return Err(ModelError::invalid("a hole is larger than its body"));
        }
        self.y = if self.x.value().abs() < 0.004 { self.u1 } else { self.u2 };
        for (inner, outer) in self.inner.iter().zip(&self.outer) {
            self.y += *outer - *inner;
        }
        Ok(())
    }
}

#[test]
fn dependencies_are_found_where_few_points_are_valid_or_a_law_acts_in_a_small_region() {
    let answer = declaration(component_model::<Picky<f64>>().as_mut(), DeclarationRequest::new("")).unwrap();
    let [after, _] = Declaration::parse(&answer).unwrap().dependencies;
    let counts: Vec<usize> = after.unwrap().iter().map(|(_, reals)| reals.len()).collect();
    assert_eq!(counts, [0, 1, 1], "of x, which only chooses, u1 and u2");
}
