//! The location of each value and the operations allowed on it: the declaration as the life cycle needs it.
//!
//! It is built when a configuration is first instantiated, so it has no names.

use std::ops::Range;

use fmu_exchange::configuration::{AttachedFile, Configuration, unescape};
use fmu_exchange::{Base, Bounded, Enumeration, Index, InitialValue, Number, RowKind, out_of_bounds, real};

use crate::component::names::{is_name, name, row_name, write_name};
use crate::rows::row::{Attributes, ElementVisitor};
use crate::rows::values::{TableShape, Values};
use crate::rows::variable::Table;

/// The operations allowed on a value, as bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rule(pub u16);

impl Rule {
    /// The value is an FMI variable of this structure.
    pub const EXISTS: u16 = 1;
    /// The equations compute the value.
    pub const COMPUTED: u16 = 1 << 1;
    /// The value has bounds.
    pub const BOUNDED: u16 = 1 << 2;
    /// The value is a parameter, fixed or tunable.
    pub const PARAMETER: u16 = 1 << 3;
    /// The value is an input.
    pub const INPUT: u16 = 1 << 4;
    /// The value is a continuous-time state.
    pub const STATE: u16 = 1 << 5;
    /// The value may be set before initialisation.
    pub const SET_INSTANTIATED: u16 = 1 << 6;
    /// The value may be set during initialisation.
    pub const SET_INITIALIZATION: u16 = 1 << 7;
    /// The value may be set between steps and in event mode.
    pub const SET_DISCRETE: u16 = 1 << 8;
    /// The value may be set in continuous-time mode.
    pub const SET_CONTINUOUS: u16 = 1 << 9;
    /// The value is an FMI output.
    pub const OUTPUT: u16 = 1 << 10;
    /// The value does not exist in this structure.
    pub const ABSENT: u16 = 1 << 11;
    /// The value is a fixed parameter, which the preparation uses.
    pub const FIXED: u16 = 1 << 12;
    /// The value is computed from its own start value, which is kept apart.
    pub const START: u16 = 1 << 13;
    /// The value is an enumeration, which FMI 3.0 distinguishes from Integers.
    pub const ENUMERATION: u16 = 1 << 14;
    /// The value may be set in intermediate update mode: it is a continuous input.
    pub const SET_INTERMEDIATE: u16 = 1 << 15;

    /// Returns true if any of the bits is set.
    pub const fn has(self, bits: u16) -> bool {
        self.0 & bits != 0
    }

    fn new(attributes: &Attributes<'_>, continuous: bool) -> Self {
        if !attributes.exists {
            return Self(Self::ABSENT);
        }
        use RowKind::{calculated, input, internal, local, memory, output, parameter, tunable};
        let before = Self::SET_INSTANTIATED | Self::SET_INITIALIZATION;
        let mut bits = match attributes.kind {
            parameter => Self::PARAMETER | Self::FIXED | before,
            tunable => Self::PARAMETER | before | Self::SET_DISCRETE,
            calculated | local => Self::COMPUTED,
            output => Self::COMPUTED | Self::OUTPUT,
            input => {
                let always = if continuous { Self::SET_CONTINUOUS | Self::SET_INTERMEDIATE } else { 0 };
                Self::INPUT | before | Self::SET_DISCRETE | always
            }
            memory | internal => 0,
        };
        if attributes.is_state() {
            bits |= Self::STATE | Self::SET_CONTINUOUS;
        }
        bits |= match attributes.row.initial_value(attributes.kind) {
            InitialValue::enforce => before | Self::START,
            InitialValue::guess => Self::SET_INSTANTIATED | Self::START,
            InitialValue::ignore => 0,
        };
        if attributes.row.min.is_some() || attributes.row.max.is_some() {
            bits |= Self::BOUNDED;
        }
        Self(if attributes.kind.is_visible() { bits | Self::EXISTS } else { 0 })
    }
}

/// A continuous-time state.
#[derive(Clone, Debug, PartialEq)]
pub struct ContinuousState {
    /// Index of the state among the Reals.
    pub state: usize,
    /// Index of the derivative among the Reals.
    pub derivative: usize,
    /// Nominal value of the state.
    pub nominal: f64,
}

/// Reals that are valid only together, and what makes arbitrary ones valid.
pub type Constraint = (Range<usize>, fn(&mut [f64]));

/// The layout of an instance's values.
#[derive(Clone, Debug, Default)]
pub struct Layout {
    /// The start values.
    pub start: Values,
    /// Rules of the Reals.
    pub reals: Vec<Rule>,
    /// Rules of the Integers and enumerations.
    pub integers: Vec<Rule>,
    /// Rules of the Booleans.
    pub booleans: Vec<Rule>,
    /// Rules of the Strings.
    pub strings: Vec<Rule>,
    /// Number of Reals in the variable of FMI 3.0 that begins here, where an array is one variable; 0 where none
    /// begins.
    pub real_widths: Vec<u32>,
    /// Number of Integers and enumerations in the variable of FMI 3.0 that begins here; 0 where none begins.
    pub integer_widths: Vec<u32>,
    /// Bounds of the Reals, both included.
    pub real_bounds: Vec<(f64, f64)>,
    /// Bounds of the Integers, both included.
    pub integer_bounds: Vec<(i32, i32)>,
    /// The tables.
    pub tables: Vec<TableShape>,
    /// The attachments: name in the resources and SHA-256, if a file is given.
    pub attachments: Vec<Option<(String, String)>>,
    /// The continuous-time states.
    pub states: Vec<ContinuousState>,
    /// Inputs that are derivatives of inputs: index of the input, then of its derivative.
    pub rates: Vec<(usize, usize)>,
    /// Computed Reals with a start value: index of the Real, then of its start value.
    pub starts: Vec<(usize, usize)>,
    /// Number of Reals that are not variables, behind all others.
    pub kept: usize,
    /// The Reals that are valid only together.
    pub constraints: Vec<Constraint>,
}

impl Layout {
    /// Makes the layout of a declaration under a canonical configuration; refuses start values out of their bounds.
    pub fn new(declare: &dyn Fn(&mut dyn ElementVisitor), configuration: &Configuration<'_>) -> Result<Self, String> {
        let mut builder = Builder {
            layout: Self::default(),
            starts: &configuration.starts,
            configuration,
            pending_states: Vec::new(),
            pending_tables: Vec::new(),
            error: None,
        };
        declare(&mut builder);
        let layout = builder.finish()?;
        layout.check_bounds(declare)?;
        Ok(layout)
    }

    /// Returns the rows of a table.
    pub fn rows<'v, const COLUMNS: usize>(&self, values: &'v Values, table: Table<COLUMNS>) -> &'v [[f64; COLUMNS]] {
        let rows = values.reals[self.tables[table.0].elements(0)].as_chunks().0;
        let spare = rows.windows(2).rev().take_while(|pair| pair[0] == pair[1]).count();
        &rows[..rows.len() - spare]
    }

    /// Returns the layout with other numbers of rows of the tables, and for each Real its index in this layout: a new
    /// row repeats the last one, so that it is spare.
    pub fn resized(&self, rows: &[usize]) -> (Self, Vec<usize>) {
        let mut layout = self.clone();
        let before = self.start.before_tables;
        let mut indices: Vec<_> = (0..before).collect();
        for (table, rows) in layout.tables.iter_mut().zip(rows) {
            let (own, last) = (table.elements(0), table.rows.saturating_sub(1));
            (table.offset, table.rows) = (indices.len(), *rows);
            let element = |i: usize| own.start + (i / table.columns).min(last) * table.columns + i % table.columns;
            indices.extend((0..rows * table.columns).map(element));
        }
        let (old_end, new_end) = (before + self.element_count(), indices.len());
        indices.extend(old_end..self.reals.len());
        layout.starts.iter_mut().for_each(|(_, start)| *start = *start + new_end - old_end);
        layout.real_widths = indices.iter().map(|index| self.real_widths[*index]).collect();
        layout.reals = indices.iter().map(|index| self.reals[*index]).collect();
        layout.real_bounds = indices.iter().map(|index| self.real_bounds[*index]).collect();
        layout.start.reals = indices.iter().map(|index| self.start.reals[*index]).collect();
        (layout, indices)
    }

    /// Returns the numbers of rows of all tables.
    pub fn row_counts(&self) -> impl Iterator<Item = usize> {
        self.tables.iter().map(|table| table.rows)
    }

    /// Returns the number of elements of all tables.
    pub fn element_count(&self) -> usize {
        self.tables.iter().map(|table| table.rows * table.columns).sum()
    }

    /// Restores the start values of computed Reals, which an initialisation has overwritten.
    pub fn restore_starts(&self, values: &mut Values) {
        self.starts.iter().for_each(|(slot, start)| values.reals[*slot] = values.reals[*start]);
    }

    /// Adds Reals that are not variables behind all others.
    pub fn append_hidden_reals(&mut self, count: usize) {
        self.kept = count;
        let reals = self.reals.len() + count;
        self.reals.resize(reals, Rule(0));
        self.real_widths.resize(reals, 0);
        self.real_bounds.resize(reals, (f64::NEG_INFINITY, f64::INFINITY));
        self.start.reals.resize(reals, 0.0);
    }

    /// Returns the Reals with NaN for tunable parameters, so that the preparation cannot use these.
    pub fn without_tunables(&self, reals: &[f64]) -> Vec<f64> {
        let is_tunable = |rule: &Rule| rule.has(Rule::PARAMETER) && !rule.has(Rule::FIXED);
        let real = |(real, rule): (&f64, &Rule)| if is_tunable(rule) { f64::NAN } else { *real };
        reals.iter().zip(&self.reals).map(real).collect()
    }

    /// Returns true if parameters, and inputs that are not Reals, have values that can be set. Computed values may not
    /// have been computed yet.
    pub fn admits(&self, values: &Values) -> bool {
        let mut reals = values.reals.iter().zip(&self.real_bounds).zip(&self.reals);
        let mut integers = values.integers.iter().zip(&self.integer_bounds).zip(&self.integers);
        reals.all(|((value, bounds), rule)| {
            !rule.has(Rule::PARAMETER) || value.is_finite() && out_of_bounds(*value, *bounds).is_none()
        }) && integers.all(|((value, bounds), rule)| {
            !rule.has(Rule::PARAMETER | Rule::INPUT) || out_of_bounds(*value, *bounds).is_none()
        })
    }

    fn check_bounds(&self, declare: &dyn Fn(&mut dyn ElementVisitor)) -> Result<(), String> {
        let (start, tables) = (&self.start, &self.tables);
        let real = first_out_of_bounds(&start.reals, &self.real_bounds, &self.reals)
            .map(|(slot, needed)| (Base::Real, slot, Number(start.reals[slot]).to_string(), needed));
        let integer = || {
            first_out_of_bounds(&start.integers, &self.integer_bounds, &self.integers)
                .map(|(slot, needed)| (Base::Integer, slot, start.integers[slot].to_string(), needed))
        };
        match real.or_else(integer) {
            None => Ok(()),
            Some((base, slot, value, needed)) => {
                let name = name(declare, tables, base, base.reference(slot));
                Err(format!("start value of \"{name}\" is {value}, but must be {needed}"))
            }
        }
    }
}

/// Returns the position of the first start value out of its bounds, and the condition that it violates.
fn first_out_of_bounds<V: Bounded>(values: &[V], bounds: &[(V, V)], rules: &[Rule]) -> Option<(usize, String)> {
    let starts = values.iter().zip(bounds).zip(rules).enumerate();
    let mut starts = starts.filter(|(_, (_, rule))| rule.has(Rule::SET_INSTANTIATED));
    starts.find_map(|(slot, ((value, bounds), _))| Some((slot, out_of_bounds(*value, *bounds)?)))
}

/// A table whose elements come after all other Reals.
struct PendingTable {
    name: String,
    rule: Rule,
    bounds: (f64, f64),
    columns: usize,
    start: &'static [f64],
}

struct Builder<'a> {
    layout: Layout,
    /// The remaining configured start values, in the order of the declaration.
    starts: &'a [(&'a str, &'a str)],
    configuration: &'a Configuration<'a>,
    /// States whose derivative has not been declared yet.
    pending_states: Vec<(String, usize, f64)>,
    pending_tables: Vec<PendingTable>,
    error: Option<String>,
}

impl<'a> Builder<'a> {
    /// Returns the configured start value of this element as text, if there is one.
    fn configured(&mut self, attributes: &Attributes<'_>, index: Index) -> Option<(&'a str, &'a str)> {
        let ((name, text), rest) = self.starts.split_first()?;
        let same = attributes.exists && is_name(name, attributes, index);
        same.then(|| {
            self.starts = rest;
            (*name, *text)
        })
    }

    fn start<V>(
        &mut self,
        attributes: &Attributes<'_>,
        index: Index,
        default: V,
        parse: fn(&str) -> Option<V>,
        what: &str,
    ) -> V {
        let Some((name, text)) = self.configured(attributes, index) else { return default };
        parse(text).unwrap_or_else(|| {
            self.error.get_or_insert(format!("start value of \"{name}\" is \"{text}\", which is not {what}"));
            default
        })
    }

    fn push_real(&mut self, rule: Rule, bounds: (f64, f64), start: f64) {
        self.layout.reals.push(rule);
        self.layout.real_widths.push(0);
        self.layout.real_bounds.push(bounds);
        self.layout.start.reals.push(start);
    }

    fn push_integer(&mut self, attributes: &Attributes<'_>, index: Index, bounds: (i32, i32), start: i32, kind: u16) {
        let mut rule = Rule::new(attributes, false);
        rule.0 |= kind;
        if bounds != (i32::MIN, i32::MAX) && rule.has(Rule::EXISTS) {
            rule.0 |= Rule::BOUNDED;
        }
        self.layout.integers.push(rule);
        self.layout.integer_widths.push(0);
        extend_array(&mut self.layout.integer_widths, index);
        self.layout.integer_bounds.push(bounds);
        self.layout.start.integers.push(start);
    }

    fn finish(mut self) -> Result<Layout, String> {
        split_mixed_arrays(&mut self.layout.real_widths, &self.layout.reals);
        split_mixed_arrays(&mut self.layout.integer_widths, &self.layout.integers);
        match_derivative_shapes(&mut self.layout.real_widths, &self.layout.states);
        self.layout.start.before_tables = self.layout.reals.len();
        for PendingTable { name, rule, bounds, columns, start } in std::mem::take(&mut self.pending_tables) {
            let configured = self.configuration.table(&name);
            if let Some(other) = configured.map(|table| table.columns).filter(|other| *other != columns) {
                return Err(format!("table \"{name}\" has {other} columns, but takes {columns}"));
            }
            let elements = configured.map_or(start, |table| &table.elements);
            let offset = self.layout.reals.len();
            for element in elements {
                self.push_real(rule, bounds, *element);
            }
            self.layout.tables.push(TableShape { name, offset, rows: elements.len() / columns, columns });
        }
        for slot in 0..self.layout.start.before_tables {
            if self.layout.reals[slot].has(Rule::START) {
                self.layout.starts.push((slot, self.layout.reals.len()));
                self.push_real(Rule(0), self.layout.real_bounds[slot], self.layout.start.reals[slot]);
            }
        }
        if let Some(error) = self.error {
            return Err(error);
        }
        if let Some((name, _)) = self.starts.first() {
            return Err(format!("the configuration gives a start value to \"{name}\", which is not a variable here"));
        }
        let declared = |name: &str| self.layout.tables.iter().any(|table| table.name == name);
        if let Some(given) = self.configuration.tables.iter().find(|given| !declared(given.name)) {
            return Err(format!("the configuration gives a table \"{}\", which does not exist here", given.name));
        }
        let attached = |given: &AttachedFile<'_>| {
            let files = self.layout.attachments.iter().flatten();
            files.into_iter().any(|(file, fingerprint)| file == given.file && fingerprint == given.fingerprint)
        };
        if let Some(given) = self.configuration.attachments.iter().find(|given| !attached(given)) {
            return Err(format!("the configuration attaches a file to \"{}\", which takes none here", given.parameter));
        }
        if let Some((name, ..)) = self.pending_states.first() {
            return Err(format!("the declaration has no \"{name}\" after the state whose derivative it is"));
        }
        Ok(self.layout)
    }
}

/// Counts the last element as a variable of its own, or to the array that it belongs to.
fn extend_array(widths: &mut [u32], index: Index) {
    let last = widths.len() - 1;
    let array = widths.iter().rposition(|width| *width > 0);
    let continues = |begin: &usize| match index {
        Index::None => false,
        Index::One(i) => i > 1 && widths[*begin] as usize == i - 1,
        Index::Two(1, j) => j > 1 && widths[*begin] as usize == j - 1,
        Index::Two(..) => true,
    };
    let begin = array.filter(continues).unwrap_or(last);
    widths[begin] += 1;
}

/// Converts a bound of an Integer. A call of its own: inlined, the conversion may run before it is known whether there is a
/// bound, on bits of any value, and raise a floating-point exception.
#[inline(never)]
fn integer_bound(bound: f64) -> i32 {
    bound as i32
}

/// Makes elements that are used in different ways variables of their own; those that do not exist are none.
fn split_mixed_arrays(widths: &mut [u32], rules: &[Rule]) {
    let mut rest = 0..widths.len();
    while let Some(begin) = rest.next() {
        let array = begin..begin + widths[begin].max(1) as usize;
        if !rules[array.clone()].iter().all(|rule| *rule == rules[begin]) {
            widths[array.clone()].fill(1);
        }
        for slot in array.clone().filter(|slot| !rules[*slot].has(Rule::EXISTS)) {
            widths[slot] = 0;
        }
        rest.start = array.end;
    }
}

/// Makes states and their derivatives arrays of the same shape, or each element a variable of its own.
fn match_derivative_shapes(widths: &mut [u32], states: &[ContinuousState]) {
    let array_of = |widths: &[u32], slot: usize| {
        let begin = widths[..=slot].iter().rposition(|width| *width > 0).unwrap_or(slot);
        begin..begin + widths[begin] as usize
    };
    let mut is_done = false;
    while !is_done {
        is_done = true;
        for ContinuousState { state, derivative, .. } in states {
            let arrays = [*state, *derivative].map(|slot| array_of(widths, slot));
            if arrays[0].len() == arrays[1].len() && state - arrays[0].start == derivative - arrays[1].start {
                continue;
            }
            for array in arrays.into_iter().filter(|array| array.len() > 1) {
                widths[array].fill(1);
                is_done = false;
            }
        }
    }
}

impl ElementVisitor for Builder<'_> {
    fn constrained(&mut self, count: usize, repair: fn(&mut [f64])) {
        let end = self.layout.reals.len();
        self.layout.constraints.push((end - count..end, repair));
    }
    fn real(&mut self, attributes: &Attributes<'_>, index: Index, start: f64) {
        let slot = self.layout.reals.len();
        let start = self.start(attributes, index, start, real, "a finite Real");
        let bounds = (attributes.row.min.unwrap_or(f64::NEG_INFINITY), attributes.row.max.unwrap_or(f64::INFINITY));
        self.push_real(Rule::new(attributes, !attributes.row.discrete), bounds, start);
        extend_array(&mut self.layout.real_widths, index);
        if !attributes.exists {
            return;
        }
        let nominal = attributes.row.nominal.unwrap_or(1.0);
        self.pending_states.retain(|(derivative, state, nominal)| {
            let found = is_name(derivative, attributes, index);
            if found {
                if attributes.kind == RowKind::input {
                    self.layout.rates.push((*state, slot));
                } else {
                    self.layout.states.push(ContinuousState { state: *state, derivative: slot, nominal: *nominal });
                }
            }
            !found
        });
        if let Some(derivative) = attributes.derivative() {
            let mut name = String::new();
            let _ = write_name(&mut name, &derivative, index);
            self.pending_states.push((name, slot, nominal));
        }
    }

    fn integer(&mut self, attributes: &Attributes<'_>, index: Index, start: i32) {
        let start = self.start(attributes, index, start, |text| text.parse().ok(), "a whole number");
        let bounds =
            (attributes.row.min.map_or(i32::MIN, integer_bound), attributes.row.max.map_or(i32::MAX, integer_bound));
        self.push_integer(attributes, index, bounds, start, 0);
    }

    fn enumeration(&mut self, attributes: &Attributes<'_>, kind: &'static Enumeration, start: i32) {
        let start = match self.configured(attributes, Index::None) {
            None => start,
            Some((name, text)) => match kind.position(text) {
                Some(position) => position as i32 + 1,
                None => {
                    self.error.get_or_insert(format!(
                        "start value of \"{name}\" is \"{text}\", which is not an item of {}",
                        kind.name
                    ));
                    start
                }
            },
        };
        self.push_integer(attributes, Index::None, (1, kind.items.len() as i32), start, Rule::ENUMERATION);
    }

    fn boolean(&mut self, attributes: &Attributes<'_>, start: bool) {
        let start = self.start(attributes, Index::None, start, |text| text.parse().ok(), "true or false");
        self.layout.booleans.push(Rule::new(attributes, false));
        self.layout.start.booleans.push(start);
    }

    fn string(&mut self, attributes: &Attributes<'_>, start: &'static str) {
        let start =
            self.configured(attributes, Index::None).map_or_else(|| start.to_owned(), |(_, text)| unescape(text));
        self.layout.strings.push(Rule::new(attributes, false));
        self.layout.start.strings.push(start);
    }

    fn attachment(&mut self, attributes: &Attributes<'_>) {
        let given = self.configuration.attachment(&row_name(attributes)).filter(|_| attributes.exists);
        self.layout.attachments.push(given.map(|given| (given.file.to_owned(), given.fingerprint.to_owned())));
    }

    fn table(&mut self, attributes: &Attributes<'_>, columns: usize, start: &'static [f64]) {
        let rule = Rule::new(attributes, false);
        let bounds = (attributes.row.min.unwrap_or(f64::NEG_INFINITY), attributes.row.max.unwrap_or(f64::INFINITY));
        self.pending_tables.push(PendingTable {
            name: row_name(attributes),
            rule,
            bounds,
            columns,
            start: if attributes.exists { start } else { &[] },
        });
    }
}
