//! Dependencies are looked for once for all configurations of a structure.

use std::sync::atomic::{AtomicUsize, Ordering};

use fmu_runtime::{
    Component, Context, Declaration, DeclarationRequest, DefaultExperiment, Dependencies, Equations, Info, ModelError,
    Scalar, component_model, declaration, model, structure,
};

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

impl Component for Mixer<f64> {
    const INFO: Info = Info {
        name: "Mixer",
        description: "Mixes two numbers",
        icon: "<svg xmlns=\"http://www.w3.org/2000/svg\"/>",
        packages: &[("mixer", "1.0.0")],
        experiment: DefaultExperiment { start_time: 0.0, stop_time: 1.0, step_size: 0.1, tolerance: 1e-6 },
    };
    type Structure = Structure;
    type Data = ();
    type In<T: Scalar> = Mixer<T>;
}

impl<T: Scalar> Equations<T> for Mixer<T> {
    type Data = ();

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
