//! All components, their structures, and random valid values of their variables.

use std::sync::OnceLock;

use fmu_builder::description::{
    Causality, Description, StructureKind, StructureOption, Variability, Variable, VariableType,
};
use fmu_tests::api::Status;
use fmu_tests::finished::{Fmu, Instance, components, describe};
use nalgebra::{Rotation3, UnitQuaternion, Vector3};
use proptest::prelude::Rng;
use proptest::test_runner::{RngAlgorithm, TestRng};

/// Returns true if tests take more than the default structures: `cargo xtask test --all`.
pub fn takes_all_structures() -> bool {
    std::env::var_os("TEST_ALL").is_some()
}

/// Runs a test on each component in its default structure, or with TEST_ALL in structures that together
/// have every value of every option.
pub fn for_each_structure(test: impl Fn(&Fmu)) {
    static FMUS: OnceLock<Vec<Fmu>> = OnceLock::new();
    for fmu in FMUS.get_or_init(|| components().iter().flat_map(|component| structures(component)).collect()) {
        println!("{} {:?}", fmu.description.component, fmu.description.structure);
        test(fmu);
    }
}

/// Returns true if loads depend on where the inputs have been (`bushing/rubber.rs`). Where they have stayed, elements
/// are at rest, so that some derivatives are zero, and friction has two slopes, as its path may turn back.
pub fn remembers_inputs(fmu: &Fmu) -> bool {
    let elements =
        |option: &StructureOption| option.name.starts_with("maxwell_") || option.name.starts_with("friction_");
    fmu.description.structure.iter().any(|option| elements(option) && option.value != option.default)
}

/// Returns the default structure, the default one with all Boolean options inverted and the largest number of counted
/// items, one for the k-th items of all enumerations, and two where only every other enumeration differs from the
/// default. Structures that need a file are left out.
fn structures(component: &str) -> Vec<Fmu> {
    let options = describe(component, &[]).unwrap().structure;
    let items = |option: &StructureOption| match &option.kind {
        StructureKind::Enumeration(items) => items.clone(),
        _ => Vec::new(),
    };
    let most = options.iter().map(|option| items(option).len()).max().unwrap_or(0);
    let structure = |item: &dyn Fn(usize) -> usize, flipped: bool| -> Vec<String> {
        let mut enumerations = 0;
        let mut word = |option: &StructureOption| match items(option).as_slice() {
            [] if flipped => match &option.kind {
                StructureKind::Boolean => (option.default == "false").to_string(),
                StructureKind::Integer { max, .. } => max.to_string(),
                _ => option.default.clone(),
            },
            [] => option.default.clone(),
            items => {
                enumerations += 1;
                items[item(enumerations) % items.len()].clone()
            }
        };
        let words = options.iter().map(|option| (option, word(option)));
        let changed = words.filter(|(option, word)| *word != option.default);
        changed.map(|(option, word)| format!("{}={word}", option.name)).collect()
    };
    let mut structures = vec![structure(&|_| 0, false), structure(&|_| 0, true)];
    structures.extend((1..most).map(|k| structure(&|_| k, k % 2 == 1)));
    if options.iter().filter(|option| !items(option).is_empty()).count() > 1 {
        structures.extend([structure(&|i| i % 2, true), structure(&|i| (i + 1) % 2, true)]);
    }
    structures.dedup();
    if !takes_all_structures() {
        structures.truncate(1);
    }
    let described = structures.iter().map(|assignments| {
        let assignments: Vec<&str> = assignments.iter().map(String::as_str).collect();
        describe(component, &assignments).unwrap()
    });
    described
        .filter(|description| description.attachments.is_empty())
        .map(|description| Fmu::of(component, description))
        .collect()
}

/// A generator of random numbers, which are the same in each run.
#[derive(Clone)]
pub struct Random {
    generator: TestRng,
    /// Probability that a variable keeps its value.
    pub keep: f64,
}

impl Random {
    pub fn new() -> Self {
        Self { generator: TestRng::deterministic_rng(RngAlgorithm::ChaCha), keep: 0.3 }
    }

    pub fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * (self.generator.next_u64() >> 11) as f64 / (1_u64 << 53) as f64
    }

    fn vector(&mut self, reach: f64) -> Vector3<f64> {
        Vector3::from_fn(|_, _| self.between(-reach, reach))
    }
}

/// Brings an instance to a random point; `None` if the point is not valid.
///
/// At half of the points friction surfaces are pressed together: without, they hardly ever stick. So are the jaws of a gripper.
pub fn set_randomly(instance: &Instance<'_>, random: &mut Random, description: &Description) -> Option<()> {
    set(instance, random, description, |variable| matches!(variable.causality, Causality::Parameter | Causality::Input))
}

/// Moves the continuous inputs to another random point; `None` if the point is not valid.
pub fn move_inputs(instance: &Instance<'_>, random: &mut Random, description: &Description) -> Option<()> {
    set(instance, random, description, |variable| {
        variable.causality == Causality::Input && variable.variability == Variability::Continuous
    })
}

/// Returns the random numbers of a point at which the equations have a solution, and an instance that is initialised
/// there.
pub fn admissible(fmu: &Fmu, kind: i32) -> (Random, Instance<'_>) {
    let mut random = Random::new();
    for _ in 0..200 {
        let candidate = random.clone();
        let instance = fmu.instantiate(kind).unwrap();
        let admissible = set_randomly(&instance, &mut random, &fmu.description);
        if admissible.is_some() && instance.try_initialise().is_ok() {
            return (candidate, instance);
        }
    }
    panic!("no admissible point");
}

fn set(
    instance: &Instance<'_>,
    random: &mut Random,
    description: &Description,
    chosen: impl Fn(&Variable) -> bool,
) -> Option<()> {
    let mut done: Vec<&str> = Vec::new();
    for variable in &description.variables {
        let name = variable.name.split('[').next().unwrap();
        if !chosen(variable) || done.contains(&name) || matches!(variable.kind, VariableType::String { .. }) {
            continue;
        }
        done.push(name);
        let in_table = description.tables.iter().any(|table| table.name == name);
        if in_table {
            continue;
        }
        let values = match name {
            "f_normalized" | "activeLevel" if random.between(0.0, 1.0) < 0.5 => vec![1.0],
            _ => values(name, variable, instance.get(name), random, description),
        };
        (instance.set(name, &values) == Status::Ok).then_some(())?;
    }
    Some(())
}

/// Returns random values of a variable around its current ones, within its bounds; or the current ones, since some
/// modes are entered only at certain values.
fn values(
    name: &str,
    variable: &Variable,
    present: Vec<f64>,
    random: &mut Random,
    description: &Description,
) -> Vec<f64> {
    if random.between(0.0, 1.0) < random.keep {
        return present;
    }
    if name.ends_with("R.T") {
        let rotation = Rotation3::from_scaled_axis(random.vector(0.5));
        // Column by column of the rotation is row by row of its transpose.
        return rotation.matrix().as_slice().to_vec();
    }
    if name.ends_with(".Q") {
        return UnitQuaternion::from_scaled_axis(random.vector(0.5)).coords.as_slice().to_vec();
    }
    let attributes = &variable.attributes;
    let (min, max) = match &variable.kind {
        VariableType::Real { .. } => (attributes.min.unwrap_or(f64::MIN), attributes.max.unwrap_or(f64::MAX)),
        VariableType::Integer { .. } => match (attributes.min, attributes.max) {
            (Some(min), Some(max)) => (min, max),
            _ => return present,
        },
        VariableType::Enumeration { declared_type, .. } => {
            let kind = description.enumerations.iter().find(|kind| kind.name == *declared_type).unwrap();
            (1.0, kind.items.len() as f64)
        }
        _ => (0.0, 1.0),
    };
    let one = |present: &f64, random: &mut Random| match variable.kind {
        VariableType::Real { .. } => {
            // A variable that must be positive may be small: it keeps its magnitude.
            let reach = 0.3 * if min > 0.0 { present.abs() } else { present.abs().max(0.5) };
            (present + random.between(-reach, reach)).clamp(min, max)
        }
        _ => random.between(min, max + 1.0).floor(),
    };
    present.iter().map(|present| one(present, random)).collect()
}

/// Returns the Real outputs.
pub fn real_outputs(description: &Description) -> impl Iterator<Item = &Variable> {
    let outputs = description.variables.iter().filter(|variable| variable.causality == Causality::Output);
    outputs.filter(|variable| variable.is_real())
}

/// Returns the value references of the Real inputs that may vary inside a step.
pub fn continuous_inputs(description: &Description) -> Vec<u32> {
    let wanted = |variable: &&Variable| {
        variable.is_real() && variable.causality == Causality::Input && variable.variability == Variability::Continuous
    };
    description.variables.iter().filter(wanted).map(|variable| variable.value_reference).collect()
}

/// Returns those Real inputs that may be given derivatives: angle and speed of a given motion follow its acceleration.
pub fn steered(description: &Description) -> Vec<u32> {
    let inputs = || description.variables.iter().filter(|variable| variable.causality == Causality::Input);
    let follows = |name: &str| {
        let flange = name.strip_suffix(".phi").or(name.strip_suffix(".w"));
        flange.is_some_and(|flange| inputs().any(|other| other.name == format!("{flange}.a")))
    };
    let follow: Vec<u32> = inputs().filter(|input| follows(&input.name)).map(|input| input.value_reference).collect();
    continuous_inputs(description).into_iter().filter(|input| !follow.contains(input)).collect()
}
