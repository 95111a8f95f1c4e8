//! The same FMU for both standards.

use std::collections::BTreeMap;

use c_interface::{CO_SIMULATION, Standard, Status};

use crate::co_simulation::{do_step, set_inputs};
use crate::fmu::{Chosen, Fmu};
use crate::two_instances::{Play, begin};

/// After the same steps, all outputs are the same bits for both standards.
pub fn compare(fmus: &[Fmu]) {
    for three in fmus.iter().filter(|fmu| fmu.standard == Standard::Fmi3) {
        let is_same = |fmu: &&Fmu| fmu.standard == Standard::Fmi2 && fmu.name == three.name;
        let two = fmus.iter().find(is_same).unwrap_or_else(|| panic!("{} is there for FMI 3.0 only", three.name));
        let [outputs, others] = [two, three].map(outputs);
        assert!(!outputs.is_empty(), "{} has no outputs", two.name);
        assert_eq!(outputs, others, "{} differs between the standards", two.name);
        println!("{}: {} outputs are the same for both standards", two.name, outputs.len());
    }
}

/// The bits of all Real outputs after some steps, by their references in FMI 2.0.
fn outputs(fmu: &Fmu) -> BTreeMap<u32, u64> {
    let play = Play::new(fmu, 0);
    let fmi = fmu.instantiate(CO_SIMULATION, true);
    begin(&fmi);
    for step in 0..20 {
        set_inputs(&play, &fmi, step);
        do_step(&play, &fmi, step);
    }
    let mut found = BTreeMap::new();
    for output in fmu.variables.iter().filter(|variable| variable.is_real("output")) {
        let (status, values) = fmi.get_real(&[output].into_iter().collect::<Chosen>());
        assert_eq!(status, Status::Ok);
        found.extend((output.reference..).zip(values.iter().map(|value| value.to_bits())));
    }
    found
}
