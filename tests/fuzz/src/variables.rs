//! The rules of the standard for the variables of a description.

use fmu_builder::Standard;
use fmu_builder::description::{Causality, Description, Initial, Variability, Variable as Described, VariableType};
use fmu_runtime::{MAX_ROWS, reference};

/// A base type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Base {
    Real,
    Integer,
    Boolean,
    String,
    /// Of FMI 3.0 only: in FMI 2.0 items are Integers.
    Enumeration,
    /// Numbers of rows, of FMI 3.0 only.
    Rows,
}

/// The elements of an array.
pub(crate) enum Size {
    Fixed(usize),
    /// The position of the number of rows among the variables of its type, and the number of columns.
    Table(usize, usize),
}

/// A variable.
pub(crate) struct Variable {
    pub reference: u32,
    pub size: Size,
    pub causality: Causality,
    pub variability: Variability,
    /// Whether it has a start value that the importer may change.
    pub starts: bool,
    pub state: bool,
    pub min: f64,
    pub max: f64,
}

/// The variables by base type.
#[derive(Default)]
pub(crate) struct Variables {
    pub of: [Vec<Variable>; 6],
    /// The numbers of rows in this configuration.
    pub rows: Vec<u64>,
    /// Number of continuous-time states.
    pub states: usize,
    pub indicators: usize,
}

impl Variables {
    pub fn of(description: &Description, standard: Standard) -> Self {
        let mut variables = Self {
            states: description.model_structure.derivatives.len(),
            indicators: description.event_indicators,
            ..Self::default()
        };
        match standard {
            Standard::Fmi2 => {
                for (position, described) in description.variables.iter().enumerate() {
                    let base = base_in_fmi_2(described);
                    variables.add(base, description, position, described.value_reference, Size::Fixed(1));
                }
            }
            Standard::Fmi3 => variables.add_arrays(description),
        }
        variables
    }

    fn add_arrays(&mut self, description: &Description) {
        let sized: Vec<_> = description.tables.iter().filter(|table| table.rows > 0).collect();
        for table in &sized {
            self.rows.push(table.rows as u64);
            let own = Variable::own(reference::ROWS + table.number, 1);
            self.of[Base::Rows as usize].push(Variable { min: 1.0, max: MAX_ROWS as f64, ..own });
        }
        for (reference, elements) in description.arrays() {
            let place = sized.iter().position(|table| reference == reference::TABLES + table.number);
            let size = place.map_or(Size::Fixed(elements.len()), |place| Size::Table(place, sized[place].columns));
            let described = &description.variables[elements.start];
            let is_item = matches!(described.kind, VariableType::Enumeration { .. });
            let base = if is_item { Base::Enumeration } else { base_in_fmi_2(described) };
            self.add(base, description, elements.start, reference, size);
        }
        let reals = &mut self.of[Base::Real as usize];
        reals.push(Variable::own(reference::TIME, 1));
        if self.indicators > 0 {
            reals.push(Variable::own(reference::EVENT_INDICATORS, self.indicators));
        }
    }

    fn add(&mut self, base: Base, description: &Description, position: usize, reference: u32, size: Size) {
        let described = &description.variables[position];
        let is_state = description.model_structure.derivatives.iter().any(|unknown| {
            let VariableType::Real { derivative, .. } = &description.variables[unknown.index].kind else {
                return false;
            };
            *derivative == Some(position)
        });
        let (min, max) = limits(described, description);
        let variability = if matches!(size, Size::Table(..)) { Variability::Tunable } else { described.variability };
        self.of[base as usize].push(Variable {
            reference,
            size,
            causality: described.causality,
            variability,
            starts: matches!(described.initial, Some(Initial::Exact | Initial::Approx)),
            state: is_state,
            min,
            max,
        });
    }

    pub fn find(&self, base: Base, reference: u32) -> Option<&Variable> {
        self.of[base as usize].iter().find(|variable| variable.reference == reference)
    }
}

fn base_in_fmi_2(described: &Described) -> Base {
    match &described.kind {
        VariableType::Real { .. } => Base::Real,
        VariableType::Integer { .. } | VariableType::Enumeration { .. } => Base::Integer,
        VariableType::Boolean { .. } => Base::Boolean,
        VariableType::String { .. } => Base::String,
    }
}

fn limits(described: &Described, description: &Description) -> (f64, f64) {
    let any = (f64::NEG_INFINITY, f64::INFINITY);
    match &described.kind {
        VariableType::Real { min, max, .. } => (min.unwrap_or(any.0), max.unwrap_or(any.1)),
        VariableType::Integer { min, max, .. } => (min.map_or(any.0, f64::from), max.map_or(any.1, f64::from)),
        VariableType::Enumeration { declared_type, .. } => {
            let items = description.enumerations.iter().find(|kind| kind.name == *declared_type).unwrap().items.len();
            (1.0, items as f64)
        }
        VariableType::Boolean { .. } | VariableType::String { .. } => any,
    }
}

impl Variable {
    /// What is not a row of the component: it is computed, or a number of rows.
    fn own(reference: u32, size: usize) -> Self {
        Self {
            reference,
            size: Size::Fixed(size),
            causality: Causality::Local,
            variability: Variability::Continuous,
            starts: false,
            state: false,
            min: f64::NEG_INFINITY,
            max: f64::INFINITY,
        }
    }

    /// The number of values, where tables have these numbers of rows.
    pub fn width(&self, rows: &[u64]) -> usize {
        match self.size {
            Size::Fixed(size) => size,
            Size::Table(place, columns) => rows[place] as usize * columns,
        }
    }

    /// Whether the standard lets an importer set the variable in a state.
    pub fn settable(&self, state: &str) -> bool {
        let input = self.causality == Causality::Input;
        let parameter = self.causality == Causality::Parameter;
        match state {
            "inst" | "init" => input || parameter || self.starts,
            "sC" | "event" => input || parameter && self.variability == Variability::Tunable,
            "cont" => input && self.variability == Variability::Continuous || self.state,
            _ => false,
        }
    }

    /// Whether a Real is finite and within its bounds, which bind parameters only.
    pub fn takes_real(&self, value: f64) -> bool {
        value.is_finite() && (self.causality != Causality::Parameter || (self.min..=self.max).contains(&value))
    }

    /// Whether a whole number is within its bounds.
    pub fn takes_whole(&self, value: i64) -> bool {
        (self.min..=self.max).contains(&(value as f64))
    }
}
