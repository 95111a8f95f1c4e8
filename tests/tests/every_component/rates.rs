//! Derivatives of outputs along the polynomials of the inputs.

use fmu_builder::description::{Causality, VariableType};
use fmu_tests::api::Status;
use fmu_tests::finished::{Fmu, Instance};

use crate::points::{Random, for_each_structure, real_outputs, remembers_inputs, steered};
use crate::states::initialise;

const STEPS: usize = 6;
const H: f64 = 7e-3;
/// Time before the end of a step at which outputs are compared.
const EARLIER: f64 = 1e-5;

/// The inputs of one step.
struct InputDerivatives {
    orders: Vec<i32>,
    inputs: Vec<u32>,
    rates: Vec<f64>,
}

impl InputDerivatives {
    /// Returns first and second derivatives of all inputs that may have some.
    fn new(fmu: &Fmu, random: &mut Random) -> Self {
        let mut given = Self { orders: Vec::new(), inputs: Vec::new(), rates: Vec::new() };
        for input in steered(&fmu.description) {
            let mut variables = fmu.description.variables.iter().filter(|variable| variable.is_real());
            let name = &variables.find(|variable| variable.value_reference == input).unwrap().name;
            let reach = if name.contains("frame") { 1e-3 } else { 1.0 };
            for order in [1, 2] {
                given.orders.push(order);
                given.inputs.push(input);
                given.rates.push(random.between(-reach, reach));
            }
        }
        given
    }

    fn set(&self, instance: &Instance<'_>) {
        let status = instance.fmi.set_real_input_derivatives(&self.inputs, &self.orders, &self.rates);
        assert_eq!(status, Status::Ok, "{:?}", instance.fmi.messages());
    }
}

fn switch(instance: &Instance<'_>, fmu: &Fmu) {
    for variable in &fmu.description.variables {
        if variable.causality == Causality::Input && matches!(variable.kind, VariableType::Boolean { .. }) {
            let present = instance.fmi.get_boolean(&[variable.value_reference]).1[0];
            assert_eq!(instance.fmi.set_boolean(&[variable.value_reference], &[1 - present]), Status::Ok);
        }
    }
}

/// The outputs are compared with those at the ends of shorter steps; every third step has no derivatives, so inputs are
/// held.
#[test]
fn rule_7_3_derivatives_of_outputs_are_those_from_the_left() {
    for_each_structure(|fmu| {
        let outputs: Vec<_> = real_outputs(&fmu.description).collect();
        let references: Vec<u32> = outputs.iter().map(|variable| variable.value_reference).collect();
        let instance = fmu.instance();
        let mut random = initialise(&instance, fmu);
        // Paths of elements that remember them are followed to 1e-12.
        let digits = if remembers_inputs(fmu) { 1e-12 } else { 1e-14 };
        let (mut all, mut smooth) = (0, 0);
        for i in 0..STEPS {
            if i == 1 {
                switch(&instance, fmu);
            }
            let given = InputDerivatives::new(fmu, &mut random);
            let mut state = instance.save();
            let ends = [2.0, 1.0, 0.5, 0.0].map(|earlier| {
                assert_eq!(instance.fmi.set_state(state), Status::Ok);
                if i % 3 < 2 {
                    given.set(&instance);
                }
                instance.step(i as f64 * H, H - earlier * EARLIER);
                instance.fmi.get_real(&references).1
            });
            instance.fmi.free_state(&mut state);
            let rates = instance.output_rates(&references);
            for (k, (rate, output)) in rates.iter().zip(&outputs).enumerate() {
                let [a, b, c, d] = ends.each_ref().map(|end| end[k]);
                let wide = (3.0 * d - 4.0 * b + a) / (2.0 * EARLIER);
                let narrow = (3.0 * d - 4.0 * c + b) / EARLIER;
                let rounding = digits * d.abs().max(1.0) / EARLIER;
                all += 1;
                if (wide - narrow).abs() > 1e-4 * (wide.abs() + narrow.abs()) + 10.0 * rounding {
                    continue;
                }
                smooth += 1;
                let difference = (4.0 * narrow - wide) / 3.0;
                assert!(
                    (rate - difference).abs() <= 1e-6 * rate.abs() + 10.0 * rounding,
                    "der({}) is {rate}, but differences give {difference}",
                    output.name
                );
            }
        }
        assert!(smooth as f64 >= 0.95 * all as f64, "{smooth} of {all}");
    });
}
