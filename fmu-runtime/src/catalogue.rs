//! The variables by name: the declaration as the description and the messages need it.

use crate::description::{Causality, Initial, Kind as Type, Variability, Variable};
use crate::enumeration::EnumerationType;
use crate::layout::write_name;
use crate::row::{Facts, Index, Kind, Prefix, Sink};
use crate::unit::Unit;

/// The base types, each with value references of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Base {
    /// Real.
    Real,
    /// Integer and Enumeration.
    Integer,
    /// Boolean.
    Boolean,
    /// String.
    String,
}

/// A table as declared.
#[derive(Clone, Debug, PartialEq)]
pub struct DeclaredTable {
    /// Name without indices.
    pub name: &'static str,
    /// Number of columns.
    pub columns: usize,
    /// Whether it exists in this structure.
    pub exists: bool,
    /// Declared elements.
    pub start: Vec<f64>,
    facts: (Kind, &'static str, Option<&'static Unit>),
}

/// The variables that exist, in the order of the declaration, tables last.
#[derive(Default)]
pub struct Catalogue {
    /// The variables with their base types.
    pub variables: Vec<(Base, Variable)>,
    /// The units in use.
    pub units: Vec<&'static Unit>,
    /// The enumerations in use.
    pub enumerations: Vec<&'static EnumerationType>,
    /// The tables, whether they exist or not.
    pub tables: Vec<DeclaredTable>,
    counts: [u32; 4],
    derivatives: Vec<(String, usize)>,
}

impl Catalogue {
    /// The catalogue of a declaration; `sizes` gives the elements of tables by name, where they
    /// differ from the declared ones.
    pub fn new(declare: impl FnOnce(&mut dyn Sink), sizes: impl Fn(&str) -> Option<Vec<f64>>) -> Self {
        let mut catalogue = Self::default();
        declare(&mut catalogue);
        for table in std::mem::take(&mut catalogue.tables) {
            let elements = sizes(table.name).unwrap_or_else(|| table.start.clone());
            let (kind, text, unit) = table.facts;
            let mut facts = Facts::new(kind, table.name, text);
            facts.exists = table.exists;
            facts.unit = unit;
            for (i, element) in elements.iter().enumerate() {
                catalogue.real(&facts, Index::Two(i / table.columns + 1, i % table.columns + 1), *element);
            }
            catalogue.tables.push(table);
        }
        catalogue
    }

    /// Name of the variable of this base type and value reference.
    pub fn name(&self, base: Base, reference: u32) -> Option<&str> {
        let found = self.variables.iter().find(|(b, v)| *b == base && v.value_reference == reference);
        found.map(|(_, variable)| variable.name.as_str())
    }

    fn add(&mut self, base: Base, facts: &Facts<'_>, index: Index, continuous: bool, kind: impl FnOnce(&mut Self) -> Type) {
        let value_reference = self.counts[base as usize];
        self.counts[base as usize] += 1;
        if !facts.exists || !facts.kind.is_visible() {
            return;
        }
        let mut name = String::new();
        let _ = write_name(&mut name, facts, index);
        let (causality, variability, initial) = attributes(facts, continuous);
        let description = match facts.prefix {
            Some(prefix) => format!("{}: {}", outermost(prefix), facts.text),
            None => facts.text.to_owned(),
        };
        let kind = kind(self);
        self.variables.push((base, Variable { name, value_reference, description, causality, variability, initial, kind }));
    }
}

fn outermost(prefix: &Prefix<'_>) -> String {
    match prefix.outer {
        Some(outer) => format!("{}: {}", outermost(outer), prefix.text),
        None => prefix.text.to_owned(),
    }
}

fn attributes(facts: &Facts<'_>, continuous: bool) -> (Causality, Variability, Option<Initial>) {
    let changing = if continuous { Variability::Continuous } else { Variability::Discrete };
    let computed = if facts.derivative.is_some() && facts.has_start { Initial::Exact } else { Initial::Calculated };
    match facts.kind {
        Kind::parameter => (Causality::Parameter, Variability::Fixed, Some(Initial::Exact)),
        Kind::tunable => (Causality::Parameter, Variability::Tunable, Some(Initial::Exact)),
        Kind::calculated => (Causality::CalculatedParameter, Variability::Fixed, Some(Initial::Calculated)),
        Kind::input => (Causality::Input, changing, None),
        Kind::output => (Causality::Output, changing, Some(computed)),
        Kind::local | Kind::memory | Kind::internal => (Causality::Local, changing, Some(computed)),
    }
}

/// Whether FMI wants a start value.
fn with_start<V>(facts: &Facts<'_>, start: V) -> Option<V> {
    let exact_state = facts.derivative.is_some() && facts.has_start;
    (matches!(facts.kind, Kind::parameter | Kind::tunable | Kind::input) || exact_state).then_some(start)
}

impl Sink for Catalogue {
    fn real(&mut self, facts: &Facts<'_>, index: Index, start: f64) {
        self.add(Base::Real, facts, index, !facts.discrete, |catalogue| {
            if let Some(unit) = facts.unit.filter(|unit| !catalogue.units.contains(unit)) {
                catalogue.units.push(unit);
            }
            let mut name = String::new();
            let _ = write_name(&mut name, facts, index);
            let position = catalogue.derivatives.iter().position(|(derivative, _)| *derivative == name);
            let derivative = position.map(|position| catalogue.derivatives.swap_remove(position).1);
            if let Some(next) = facts.derivative {
                let mut name = String::new();
                let _ = write_name(&mut name, &Facts { name: next, ..*facts }, index);
                catalogue.derivatives.push((name, catalogue.variables.len()));
            }
            Type::Real {
                unit: facts.unit.map(|unit| unit.name.to_owned()),
                display_unit: facts.display.map(str::to_owned),
                start: with_start(facts, start),
                min: facts.min,
                max: facts.max,
                nominal: facts.nominal,
                derivative,
            }
        });
    }

    fn integer(&mut self, facts: &Facts<'_>, index: Index, start: i32) {
        self.add(Base::Integer, facts, index, false, |_| Type::Integer {
            start: with_start(facts, start),
            min: facts.min.map(|min| min as i32),
            max: facts.max.map(|max| max as i32),
        });
    }

    fn enumeration(&mut self, facts: &Facts<'_>, kind: &'static EnumerationType, start: i32) {
        self.add(Base::Integer, facts, Index::None, false, |catalogue| {
            if !catalogue.enumerations.contains(&kind) {
                catalogue.enumerations.push(kind);
            }
            Type::Enumeration { declared_type: kind.name.to_owned(), start: with_start(facts, start) }
        });
    }

    fn boolean(&mut self, facts: &Facts<'_>, start: bool) {
        self.add(Base::Boolean, facts, Index::None, false, |_| Type::Boolean { start: with_start(facts, start) });
    }

    fn string(&mut self, facts: &Facts<'_>, start: &str) {
        self.add(Base::String, facts, Index::None, false, |_| Type::String {
            start: with_start(facts, start.to_owned()),
        });
    }

    fn table(&mut self, facts: &Facts<'_>, columns: usize, start: &[f64]) {
        self.tables.push(DeclaredTable {
            name: facts.name,
            columns,
            exists: facts.exists,
            start: start.to_vec(),
            facts: (facts.kind, facts.text, facts.unit),
        });
    }
}
