//! Two instances of one FMU, and a digest of the results.
//!
//! Calls that must succeed are asserted; all values, statuses and messages go into the digest.

use std::hash::{DefaultHasher, Hash, Hasher};

use c_interface::{CInstance, CO_SIMULATION, MODEL_EXCHANGE, Standard, Status};

use crate::fmu::{Chosen, Fmu, Kind, Variable};

/// Size of the steps in seconds.
pub const H: f64 = 1e-3;

/// A pass in progress.
pub struct Play<'a> {
    pub fmu: &'a Fmu,
    /// Makes motions different.
    pub seed: u32,
    pub co_simulation: CInstance,
    pub model_exchange: CInstance,
    /// Number of the next Co-Simulation step.
    pub step: u32,
    /// The Real inputs with their start values.
    pub inputs: Vec<(&'a Variable, Vec<f64>)>,
    digest: DefaultHasher,
}

impl<'a> Play<'a> {
    /// A pass that has not started.
    pub fn new(fmu: &'a Fmu, seed: u32) -> Self {
        // Every second one is without a logger.
        let logger = seed.is_multiple_of(2);
        let co_simulation = fmu.instantiate(CO_SIMULATION, logger);
        let model_exchange = fmu.instantiate(MODEL_EXCHANGE, logger);
        let inputs: Vec<_> = fmu.variables.iter().filter(|variable| variable.is_real("input")).collect();
        let (status, starts) = co_simulation.get_real(&inputs.iter().copied().collect::<Chosen>());
        assert_eq!(status, Status::Ok);
        let mut starts = starts.into_iter();
        let with_starts = |variable: &'a Variable| (variable, starts.by_ref().take(variable.size).collect());
        let inputs = inputs.into_iter().map(with_starts).collect();
        Self { fmu, seed, co_simulation, model_exchange, step: 0, inputs, digest: DefaultHasher::new() }
    }

    /// The digest up to now.
    pub fn digest(&self) -> u64 {
        self.digest.finish()
    }

    /// Adds bytes to the digest.
    pub fn note(&mut self, value: impl Hash) {
        value.hash(&mut self.digest);
    }

    /// Adds numbers to the digest; they must have been written.
    pub fn note_reals(&mut self, (status, values): (Status, Vec<f64>)) {
        assert_eq!(status, Status::Ok, "{}", self.fmu.name);
        values.iter().for_each(|value| value.to_bits().hash(&mut self.digest));
    }

    /// Adds the log messages to the digest.
    pub fn note_messages(&mut self) {
        for message in [self.co_simulation.messages(), self.model_exchange.messages()].concat() {
            self.note((message.name, message.status as u8, message.category, message.text));
        }
    }

    /// The digest of all values of an instance.
    pub fn snapshot(&self, fmi: &CInstance) -> u64 {
        let mut hasher = DefaultHasher::new();
        let of_kind = |kind| self.fmu.references(|variable| variable.kind == kind);
        let (status, reals) = fmi.get_real(&of_kind(Kind::Real));
        assert_eq!(status, Status::Ok, "{}: {:?}", self.fmu.name, fmi.messages());
        reals.iter().for_each(|value| value.to_bits().hash(&mut hasher));
        let (integers, booleans) = (of_kind(Kind::Integer), of_kind(Kind::Boolean));
        for (status, values) in [fmi.get_integer(&integers), fmi.get_boolean(&booleans)] {
            assert_eq!(status, Status::Ok);
            values.hash(&mut hasher);
        }
        let (status, items) = fmi.get_items(&of_kind(Kind::Enumeration));
        assert_eq!(status, Status::Ok);
        items.hash(&mut hasher);
        let row_counts = of_kind(Kind::RowCount);
        if !row_counts.is_empty() {
            let (status, counts) = fmi.get_row_counts(&row_counts);
            assert_eq!(status, Status::Ok);
            counts.hash(&mut hasher);
        }
        let (status, texts) = fmi.get_string(&of_kind(Kind::String));
        assert_eq!(status, Status::Ok);
        texts.hash(&mut hasher);
        hasher.finish()
    }

    /// The Real inputs that are wanted, and their values at a step.
    pub fn motion(&self, wanted: impl Fn(&Variable) -> bool, step: u32) -> (Chosen, Vec<f64>) {
        let inputs = || self.inputs.iter().filter(|(variable, _)| wanted(variable));
        let values = inputs().flat_map(|(variable, starts)| {
            // The elements of an array of FMI 3.0 are variables of FMI 2.0, whose references follow one another.
            (variable.reference..).zip(starts).map(|(reference, start)| self.value(variable, reference, *start, step))
        });
        (inputs().map(|(variable, _)| *variable).collect(), values.collect())
    }

    /// A small deviation from the start value.
    fn value(&self, variable: &Variable, reference: u32, start: f64, step: u32) -> f64 {
        let size = 1.0 + f64::from(self.seed) / 100.0;
        let wave = (0.7 * f64::from(step) + f64::from(reference)).sin();
        match variable.unit.as_str() {
            _ if variable.is_orientation() => start,
            "m" => start + 1e-3 * size * wave,
            "rad" => start + 1e-2 * size * wave,
            "N" | "N.m" => start + 5.0 * size * wave,
            // Fractions and factors are not negative.
            "1" => wave * wave,
            _ => start + 0.1 * size * wave,
        }
    }
}

/// From "instantiated" to the first step or event.
pub fn begin(fmi: &CInstance) {
    let status = match fmi.standard() {
        Standard::Fmi2 => {
            assert_eq!(fmi.setup_experiment(Some(1e-6), 0.0, None), Status::Ok);
            fmi.enter_initialization_mode()
        }
        Standard::Fmi3 => fmi.enter_initialization_mode_of(Some(1e-6), 0.0, None),
    };
    assert_eq!(status, Status::Ok, "{:?}", fmi.messages());
    assert_eq!(fmi.exit_initialization_mode(), Status::Ok, "{:?}", fmi.messages());
}
