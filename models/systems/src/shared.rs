//! Inputs of the system, each of which gives inputs of parts their values.

use std::cell::Cell;

use fmu_runtime::{Attributes, ElementVisitor, Index, Offsets, Prefix, Size, write_name};

use crate::part::{AnyPart, Counter};
use crate::row_overrides::RowOverrides;
use crate::wiring::{NamedPart, SharedInputs};

/// The prefix of the name of an input of the system.
pub const PREFIX: &str = "input.";

/// The inputs of parts that those of the system give their values.
#[derive(Debug, Default)]
pub struct Shared {
    /// Name of the part, of its variable, and of the input of the system.
    all: Vec<(String, String, String)>,
}

impl Shared {
    /// Adds the input `part.variable`.
    pub fn set(&mut self, part: &str, variable: &str, input: &str) {
        self.all.retain(|(own, key, _)| own != part || key != variable);
        self.all.push((part.to_owned(), variable.to_owned(), input.to_owned()));
    }

    /// The variables of a part with the inputs that give their values.
    pub fn of<'a>(&'a self, part: &'a str) -> impl Iterator<Item = (&'a str, &'a str)> {
        let own = self.all.iter().filter(move |(own, ..)| own == part);
        own.map(|(_, variable, input)| (variable.as_str(), input.as_str()))
    }

    /// Passes the rows of a part: those that an input of the system gives their values are not inputs.
    pub fn declare(&self, named: &NamedPart, has_states: bool, visitor: &mut dyn ElementVisitor) {
        let NamedPart { name, part, .. } = named;
        if self.of(name).next().is_none() {
            return part.declare(name, has_states, visitor);
        }
        let change = |attributes: &Attributes<'_>, index, pass: &mut dyn FnMut(&Attributes<'_>)| {
            let own = own_name(name, attributes, index);
            let is_given = attributes.is_input() && self.of(name).any(|(variable, _)| variable == own);
            pass(&if is_given { attributes.without_start() } else { *attributes });
        };
        part.declare(name, has_states, &mut RowOverrides { change: &change, groups: true, visitor });
    }

    /// Passes the inputs of the system, each as the first variable to which it gives its value.
    pub fn declare_inputs(&self, parts: &[NamedPart], visitor: &mut dyn ElementVisitor) {
        for (number, (part, variable, input)) in self.all.iter().enumerate() {
            let is_first = !self.all[..number].iter().any(|(.., other)| other == input);
            let Some(named) = parts.iter().find(|named| is_first && named.name == *part) else { continue };
            let group = Prefix::new(input, "", None);
            let change = |attributes: &Attributes<'_>, index, pass: &mut dyn FnMut(&Attributes<'_>)| {
                if own_name(part, attributes, index) == *variable {
                    pass(&attributes.as_input(&group));
                }
            };
            named.part.declare(part, false, &mut RowOverrides { change: &change, groups: false, visitor });
        }
    }

    /// From where values are copied to where. The inputs of the system are behind the parts, which begin at `offsets` and
    /// end at `end`.
    ///
    /// # Errors
    ///
    /// Reports a name that is not such an input.
    pub fn feeds(&self, parts: &[NamedPart], offsets: &[Offsets], end: Size) -> Result<SharedInputs, String> {
        let mut feeds = SharedInputs::default();
        let mut inputs: Vec<(&str, Size)> = Vec::new();
        let mut next = end;
        for (part, variable, input) in &self.all {
            let refused = |reason: &str| format!("{part}.{variable} = \"{PREFIX}{input}\": {reason}");
            let Some(i) = parts.iter().position(|named| named.name == *part) else {
                return Err(refused("there is no such part"));
            };
            let (before, own) = size_of(part, &*parts[i].part, variable).map_err(refused)?;
            let from = match inputs.iter().find(|(name, _)| name == input) {
                Some((_, from)) => *from,
                None => {
                    inputs.push((input, next));
                    next = next.plus(own);
                    inputs[inputs.len() - 1].1
                }
            };
            let to = offsets[i].passed.plus(before);
            let add = |count, feeds: &mut Vec<_>, from, to| feeds.extend((count > 0).then_some((from, to)));
            add(own.reals, &mut feeds.reals, from.reals, to.reals);
            add(own.integers, &mut feeds.integers, from.integers, to.integers);
            add(own.booleans, &mut feeds.booleans, from.booleans, to.booleans);
        }
        Ok(feeds)
    }
}

/// The size of the values before an input of a part, and its own.
fn size_of(part_name: &str, part: &dyn AnyPart, variable: &str) -> Result<(Size, Size), &'static str> {
    let (is_found, is_motion, is_before) = (Cell::new(false), Cell::new(false), Cell::new(true));
    let mut before = Counter::NONE;
    let mut own = Counter::NONE;
    let count_before = |attributes: &Attributes<'_>, index, pass: &mut dyn FnMut(&Attributes<'_>)| {
        let is_own = own_name(part_name, attributes, index) == variable;
        let derivative = attributes.derivative().filter(|_| attributes.is_input());
        if is_own {
            is_before.set(false);
            is_found.set(attributes.is_input());
        }
        if derivative.is_some_and(|derivative| is_own || own_name(part_name, &derivative, index) == variable) {
            is_motion.set(true);
        }
        if is_before.get() {
            pass(attributes);
        }
    };
    part.declare(part_name, false, &mut RowOverrides { change: &count_before, groups: false, visitor: &mut before });
    let count_own = |attributes: &Attributes<'_>, index, pass: &mut dyn FnMut(&Attributes<'_>)| {
        if own_name(part_name, attributes, index) == variable {
            pass(attributes);
        }
    };
    part.declare(part_name, false, &mut RowOverrides { change: &count_own, groups: false, visitor: &mut own });
    if !is_found.get() {
        return Err("there is no such input");
    }
    if is_motion.get() {
        return Err(
            "a given motion includes its rates and cannot be a signal: let one part move several shafts or rods",
        );
    }
    Ok((before.0.passed, own.0.passed))
}

/// The name of a row within its part.
fn own_name(part: &str, attributes: &Attributes<'_>, index: Index) -> String {
    let mut name = String::new();
    // Writing to a text does not fail.
    let _ = write_name(&mut name, attributes, index);
    name.strip_prefix(part).and_then(|rest| rest.strip_prefix('.')).map(str::to_owned).unwrap_or(name)
}
