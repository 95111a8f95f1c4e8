//! One row of a declaration, and what its elements become.

use crate::unit::Unit;
use crate::variable::Variable;
use crate::enumeration::EnumerationType;

/// What a row declares. The names are those written in the declaration.
#[allow(non_camel_case_types)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// An FMI parameter, fixed during the simulation.
    parameter,
    /// An FMI parameter that may be changed between steps.
    tunable,
    /// An FMI calculatedParameter, computed when the initialisation ends.
    calculated,
    /// An FMI input.
    input,
    /// An FMI output.
    output,
    /// An FMI local variable.
    local,
    /// Discrete memory of the component: saved with the FMU state, not an FMI variable.
    memory,
    /// Computed like a local variable, but not an FMI variable.
    internal,
}

impl Kind {
    /// Whether the equations compute it, so that it is written back after an evaluation.
    pub const fn is_computed(self) -> bool {
        matches!(self, Self::calculated | Self::output | Self::local | Self::memory | Self::internal)
    }

    /// Whether it is an FMI variable.
    pub const fn is_visible(self) -> bool {
        !matches!(self, Self::memory | Self::internal)
    }
}

/// The name of the group that a row belongs to.
#[derive(Clone, Copy)]
pub struct Prefix<'a> {
    pub(crate) outer: Option<&'a Prefix<'a>>,
    pub(crate) name: &'static str,
    pub(crate) text: &'static str,
}

/// All that is said of a variable, apart from its type and start value.
#[derive(Clone, Copy)]
pub struct Facts<'a> {
    pub(crate) prefix: Option<&'a Prefix<'a>>,
    pub(crate) kind: Kind,
    pub(crate) name: &'static str,
    pub(crate) text: &'static str,
    pub(crate) unit: Option<&'static Unit>,
    pub(crate) display: Option<&'static str>,
    pub(crate) min: Option<f64>,
    pub(crate) max: Option<f64>,
    pub(crate) nominal: Option<f64>,
    pub(crate) exists: bool,
    pub(crate) derivative: Option<&'static str>,
    pub(crate) discrete: bool,
    pub(crate) has_start: bool,
}

impl<'a> Facts<'a> {
    /// A row of a component.
    pub fn new(kind: Kind, name: &'static str, text: &'static str) -> Self {
        Self {
            prefix: None,
            kind,
            name,
            text,
            unit: None,
            display: None,
            min: None,
            max: None,
            nominal: None,
            exists: true,
            derivative: None,
            discrete: false,
            has_start: false,
        }
    }

    /// A row of a group, which takes its kind and existence from the group's own row.
    pub fn member(group: &Facts<'a>, prefix: &'a Prefix<'a>, name: &'static str, text: &'static str) -> Self {
        Self { prefix: Some(prefix), exists: group.exists, ..Self::new(group.kind, name, text) }
    }

    /// The prefix for the members of the group that this row declares.
    pub fn as_prefix(&self) -> Prefix<'a> {
        Prefix { outer: self.prefix, name: self.name, text: self.text }
    }
}

/// A row under construction: the keys after the description are methods of this type.
pub struct Row<'a, T, V: Variable<T>> {
    facts: Facts<'a>,
    start: Option<V::Start>,
    options: V::Options,
}

impl<'a, T, V: Variable<T>> Row<'a, T, V> {
    /// A row without start, unit and keys.
    pub fn new(facts: Facts<'a>) -> Self {
        Self { facts, start: None, options: V::Options::default() }
    }

    /// The start value.
    pub fn start(mut self, start: V::Start) -> Self {
        self.start = Some(start);
        self.facts.has_start = true;
        self
    }

    /// The unit.
    pub fn unit(mut self, unit: &'static Unit) -> Self {
        self.facts.unit = Some(unit);
        self
    }

    /// The FMI name where the field cannot have it, such as `R.T`.
    pub fn name(mut self, name: &'static str) -> Self {
        self.facts.name = name;
        self
    }

    /// The smallest value.
    pub fn min(mut self, min: impl Into<f64>) -> Self {
        self.facts.min = Some(min.into());
        self
    }

    /// The largest value.
    pub fn max(mut self, max: impl Into<f64>) -> Self {
        self.facts.max = Some(max.into());
        self
    }

    /// The nominal value, positive.
    pub fn nominal(mut self, nominal: f64) -> Self {
        self.facts.nominal = Some(nominal);
        self
    }

    /// The unit for display, one of the unit's own.
    pub fn display(mut self, display: &'static str) -> Self {
        self.facts.display = Some(display);
        self
    }

    /// Whether the variable exists in this structure. Its value reference is kept free otherwise.
    pub fn when(mut self, condition: bool) -> Self {
        self.facts.exists &= condition;
        self
    }

    /// Makes the variable a continuous-time state and names its derivative, within the same group.
    pub fn der(mut self, derivative: &'static str) -> Self {
        self.facts.derivative = Some(derivative);
        self
    }

    /// Whether a Real changes at events only.
    pub fn discrete(mut self, discrete: bool) -> Self {
        self.facts.discrete = discrete;
        self
    }

    /// The options of a group.
    pub fn options(mut self, options: V::Options) -> Self {
        self.options = options;
        self
    }

    /// Hands the row's elements to `sink`.
    pub fn declare(self, sink: &mut dyn Sink) {
        V::declare(&self.facts, self.start, self.options, sink);
    }
}

/// Position of an element in a vector or matrix, from 1 as Modelica counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Index {
    /// A scalar.
    None,
    /// An element of a vector.
    One(usize),
    /// An element of a matrix or table.
    Two(usize, usize),
}

/// Receives the elements of a declaration in the order of their value references.
///
/// Elements of rows that do not exist in the structure are handed over too: they leave a gap.
pub trait Sink {
    /// A Real.
    fn real(&mut self, facts: &Facts<'_>, index: Index, start: f64);
    /// An Integer.
    fn integer(&mut self, facts: &Facts<'_>, index: Index, start: i32);
    /// An enumeration, stored as an Integer from 1.
    fn enumeration(&mut self, facts: &Facts<'_>, kind: &'static EnumerationType, start: i32);
    /// A Boolean.
    fn boolean(&mut self, facts: &Facts<'_>, start: bool);
    /// A String.
    fn string(&mut self, facts: &Facts<'_>, start: &str);
    /// A table, row by row; its elements come after all other Reals.
    fn table(&mut self, facts: &Facts<'_>, columns: usize, start: &[f64]);
}
