//! Connections of inputs of parts: to inputs of the system, each of which can give several their values, and to signals.

use fmu_runtime::structure::{is_identifier, is_variable};
use fmu_runtime::{
    Attributes, ElementVisitor, Enumeration, Index, Offsets, Prefix, RowKind, Size, declared, write_name,
};

use crate::part::row_overrides::RowOverrides;
use crate::topology::wiring::{BlockState, NamedPart, SharedInputs};

/// Prefix of the name of an input of the system.
pub const PREFIX: &str = "input.";

/// The most derivatives of a signal in time that blocks compute.
pub const MAX_DERIVATIVES: usize = 2;

/// Description of an input that gives a motion.
const MOTION: &str = declared("Given motion; its derivatives count and are 0 unless set (fmi2SetRealInputDerivatives)");

/// Returns true if a word is the name of an input of the system, or that of a variable of a part.
pub fn is_reference(word: &str) -> bool {
    let is_signal = |(part, name): (&str, &str)| part.split('.').all(is_identifier) && is_variable(name);
    word.starts_with(PREFIX) || word.rsplit_once('.').is_some_and(is_signal)
}

/// An input of a part, and what gives it its value.
#[derive(Clone, Debug)]
struct Connected {
    part: String,
    variable: String,
    /// The input of the system with its prefix, or the variable of another part.
    from: String,
}

impl Connected {
    /// The input of the system that gives the value, if one does.
    fn input(&self) -> Option<&str> {
        self.from.strip_prefix(PREFIX)
    }

    /// As it stands in the configuration, with what is wrong with it.
    fn refused(&self, reason: &str) -> String {
        format!("{}.{} = \"{}\": {reason}", self.part, self.variable, self.from)
    }
}

/// The inputs of parts that inputs of the system or signals give their values.
#[derive(Clone, Debug, Default)]
pub struct Shared {
    all: Vec<Connected>,
}

/// A connection from an output of a block to an input of another part.
#[derive(Debug)]
pub struct Link {
    /// The block.
    pub from: usize,
    /// The part with the input.
    pub to: usize,
    /// The variables, as part of a message.
    variables: [String; 2],
    /// How many derivatives of the signal the input takes as well, if it is a given motion.
    pub rates: usize,
    /// Where the values are, and how many there are.
    places: [Size; 2],
    size: Size,
}

impl Link {
    /// As it stands in the configuration.
    pub fn text(&self, parts: &[NamedPart]) -> String {
        let [from, to] = &self.variables;
        format!("{}.{to} = \"{}.{from}\"", parts[self.to].name, parts[self.from].name)
    }

    /// Adds the copies of all its values.
    pub fn add_to(&self, feeds: &mut SharedInputs) {
        let [from, to] = self.places;
        feeds.reals.extend((0..self.size.reals).map(|i| (from.reals + i, to.reals + i)));
        feeds.integers.extend((0..self.size.integers).map(|i| (from.integers + i, to.integers + i)));
        feeds.booleans.extend((0..self.size.booleans).map(|i| (from.booleans + i, to.booleans + i)));
    }
}

impl Shared {
    /// Connects the input `part.variable` to what a [reference](is_reference) names.
    pub fn set(&mut self, part: &str, variable: &str, from: &str) {
        self.all.retain(|one| one.part != part || one.variable != variable);
        self.all.push(Connected { part: part.to_owned(), variable: variable.to_owned(), from: from.to_owned() });
    }

    /// Returns true if there are any signals.
    pub fn has_signals(&self) -> bool {
        self.all.iter().any(|one| one.input().is_none())
    }

    /// Returns true if a signal gives the motion of a part.
    pub fn gives_motion(&self, named: &NamedPart) -> bool {
        self.of(&named.name).any(|(variable, from)| !from.starts_with(PREFIX) && motion(named, variable).len() > 1)
    }

    /// The variables of a part with what gives them their values.
    pub fn of<'a>(&'a self, part: &'a str) -> impl Iterator<Item = (&'a str, &'a str)> {
        self.all.iter().filter(move |one| one.part == part).map(|one| (one.variable.as_str(), one.from.as_str()))
    }

    /// Passes the rows of a part: those that are connected are not inputs, and neither are the rates of a given motion that
    /// is.
    pub fn declare(&self, named: &NamedPart, has_states: bool, visitor: &mut dyn ElementVisitor) {
        let NamedPart { name, part, .. } = named;
        if self.of(name).next().is_none() {
            return part.declare(name, has_states, visitor);
        }
        let connected: Vec<String> = self.of(name).flat_map(|(variable, _)| motion(named, variable)).collect();
        let change = |attributes: &Attributes<'_>, index, pass: &mut dyn FnMut(&Attributes<'_>)| {
            let own = own_name(name, attributes, index);
            let is_given = attributes.is_input() && connected.contains(&own);
            pass(&if is_given { attributes.without_start() } else { *attributes });
        };
        part.declare(name, has_states, &mut RowOverrides { change: &change, groups: true, visitor });
    }

    /// The inputs of the system: each with its name, the part of the first variable to which it gives its value, and the names of
    /// this variable and its rates. A given motion counts before other variables.
    fn inputs<'a>(&'a self, parts: &'a [NamedPart]) -> Vec<(&'a str, &'a NamedPart, Vec<String>)> {
        let mut inputs: Vec<(&str, &NamedPart, Vec<String>)> = Vec::new();
        for connected in &self.all {
            let Some(input) = connected.input() else { continue };
            let Some(named) = parts.iter().find(|named| named.name == connected.part) else { continue };
            let names = motion(named, &connected.variable);
            match inputs.iter_mut().find(|(other, ..)| *other == input) {
                Some((_, first, known)) if names.len() > known.len() => (*first, *known) = (named, names),
                Some(_) => {}
                None => inputs.push((input, named, names)),
            }
        }
        inputs
    }

    /// Passes the inputs of the system, each as the first variable to which it gives its value, with the rates of a given motion
    /// behind it, which are no variables.
    pub fn declare_inputs(&self, parts: &[NamedPart], visitor: &mut dyn ElementVisitor) {
        for (input, NamedPart { name, part, .. }, names) in self.inputs(parts) {
            let group = Prefix::new(input, "", None);
            let change = |attributes: &Attributes<'_>, index, pass: &mut dyn FnMut(&Attributes<'_>)| {
                let own = own_name(name, attributes, index);
                match names.iter().position(|name| *name == own && attributes.is_input()) {
                    Some(0) if names.len() > 1 => pass(&attributes.as_input(&group).with_derivatives(MOTION)),
                    Some(0) => pass(&attributes.as_input(&group)),
                    Some(_) => pass(&attributes.without_start().with_kind(RowKind::memory)),
                    None => {}
                }
            };
            part.declare(name, false, &mut RowOverrides { change: &change, groups: false, visitor });
        }
    }

    /// Returns the places from which values are copied, and those to which. The inputs of the system are behind the
    /// parts, which begin at `offsets` and end at `end`.
    ///
    /// # Errors
    ///
    /// Reports a name that is not such an input.
    pub fn feeds(&self, parts: &[NamedPart], offsets: &[Offsets], end: Size) -> Result<SharedInputs, String> {
        let mut feeds = SharedInputs::default();
        let mut places: Vec<(&str, Size)> = Vec::new();
        let mut next = end;
        for (input, named, names) in self.inputs(parts) {
            let own = locate(named, &names[0]).map_or(Size::NONE, |located| located.own);
            let rates = names.len() - 1;
            places.push((input, next));
            feeds.rates.extend((rates > 0).then_some((next.reals, rates)));
            next = next.plus(own).plus(Size { reals: rates, ..Size::NONE });
        }
        for connected in &self.all {
            let Some(input) = connected.input() else { continue };
            let refused = |reason: &str| connected.refused(reason);
            let Some(i) = parts.iter().position(|named| named.name == connected.part) else {
                return Err(refused("there is no such part"));
            };
            let Located { before, own, .. } = input_of(&parts[i], &connected.variable).map_err(refused)?;
            if is_rate(&parts[i], &connected.variable) {
                return Err(refused("it follows from the input that gives the motion: connect that one alone"));
            }
            let Some((_, from)) = places.iter().find(|(name, _)| *name == input) else { continue };
            let to = offsets[i].passed.plus(before);
            let add = |count, feeds: &mut Vec<_>, from, to| feeds.extend((count > 0).then_some((from, to)));
            let reals = own.reals * motion(&parts[i], &connected.variable).len();
            feeds.reals.extend((0..reals).map(|rate| (from.reals + rate, to.reals + rate)));
            add(own.integers, &mut feeds.integers, from.integers, to.integers);
            add(own.booleans, &mut feeds.booleans, from.booleans, to.booleans);
        }
        Ok(feeds)
    }

    /// The connections to signals.
    ///
    /// # Errors
    ///
    /// Reports a name that is no signal, and an input that cannot take one.
    pub fn links(&self, parts: &[NamedPart], offsets: &[Offsets]) -> Result<Vec<Link>, String> {
        self.all.iter().filter(|one| one.input().is_none()).map(|one| link(one, parts, offsets)).collect()
    }
}

fn link(connected: &Connected, parts: &[NamedPart], offsets: &[Offsets]) -> Result<Link, String> {
    let refused = |reason: &str| connected.refused(reason);
    let find = |name: &str| parts.iter().position(|named| named.name == name);
    let (from_part, from_variable) = connected.from.rsplit_once('.').unwrap_or_default();
    let to = find(&connected.part).ok_or_else(|| refused("there is no such part"))?;
    let from = find(from_part).ok_or_else(|| refused(&format!("there is no part \"{from_part}\"")))?;
    let (source, target) = (&parts[from], &parts[to]);
    let output = locate(source, from_variable).filter(|located| located.is_output && source.part.properties().is_block);
    let Some(output) = output else {
        let signals = signals(source);
        let hint = if signals.is_empty() {
            format!("\"{from_part}\" has no signals; blocks have, such as Constant, Sine or Gain")
        } else {
            format!("the signals of \"{from_part}\" are {}", signals.join(", "))
        };
        return Err(refused(&format!("there is no signal \"{}\": {hint}", connected.from)));
    };
    let input = input_of(target, &connected.variable).map_err(refused)?;
    if is_rate(target, &connected.variable) {
        return Err(refused("it follows from the signal that gives the motion: connect that one alone"));
    }
    if target.part.properties().is_connector {
        return Err(refused("it belongs to a connector of the FMU"));
    }
    if input.own != output.own {
        let what = |size: Size| {
            if size.reals > 0 {
                "a number"
            } else if size.booleans > 0 {
                "true or false"
            } else {
                "a whole number"
            }
        };
        return Err(refused(&format!("the signal is {}, but the input takes {}", what(output.own), what(input.own))));
    }
    let rates = motion(target, &connected.variable).len() - 1;
    let is_real = input.own.reals > 0;
    let derivatives = if target.part.properties().is_block && is_real { MAX_DERIVATIVES } else { rates };
    Ok(Link {
        from,
        to,
        variables: [from_variable.to_owned(), connected.variable.clone()],
        rates,
        places: [offsets[from].passed.plus(output.before), offsets[to].passed.plus(input.before)],
        size: Size { reals: input.own.reals + derivatives, ..input.own },
    })
}

/// Where the values of a variable are within its part.
struct Located {
    before: Size,
    own: Size,
    is_input: bool,
    is_output: bool,
}

/// A visitor of rows, called with the name within the part and its index, the size of the values before the row, and its own.
type Look<'a> = &'a mut dyn FnMut(&Attributes<'_>, (&str, Index), Size, Size);

/// The rows of a part, one after another.
struct Rows<'a> {
    part: &'a str,
    look: Look<'a>,
    before: Size,
}

impl Rows<'_> {
    fn row(&mut self, attributes: &Attributes<'_>, index: Index, own: Size) {
        (self.look)(attributes, (&own_name(self.part, attributes, index), index), self.before, own);
        self.before = self.before.plus(own);
    }
}

impl ElementVisitor for Rows<'_> {
    fn real(&mut self, attributes: &Attributes<'_>, index: Index, _: f64) {
        self.row(attributes, index, Size { reals: 1, ..Size::NONE });
    }
    fn integer(&mut self, attributes: &Attributes<'_>, index: Index, _: i32) {
        self.row(attributes, index, Size { integers: 1, ..Size::NONE });
    }
    fn enumeration(&mut self, attributes: &Attributes<'_>, _: &'static Enumeration, _: i32) {
        self.row(attributes, Index::None, Size { integers: 1, ..Size::NONE });
    }
    fn boolean(&mut self, attributes: &Attributes<'_>, _: bool) {
        self.row(attributes, Index::None, Size { booleans: 1, ..Size::NONE });
    }
    fn string(&mut self, _: &Attributes<'_>, _: &'static str) {}
    fn table(&mut self, _: &Attributes<'_>, _: usize, _: &'static [f64]) {}
}

fn each_row(named: &NamedPart, look: Look<'_>) {
    named.part.declare(&named.name, false, &mut Rows { part: &named.name, look, before: Size::NONE });
}

/// The states of the block with this number, whose Reals begin at a place.
pub fn states(named: &NamedPart, part: usize, begin: usize) -> Vec<BlockState> {
    let mut found = Vec::new();
    each_row(named, &mut |attributes, (_, index), before, _| {
        if let Some(derivative) = attributes.derivative().filter(|_| attributes.is_output()) {
            found.push((own_name(&named.name, &derivative, index), before.reals));
        }
    });
    let state = |(name, state): (String, usize)| {
        let derivative = real_at(named, &name)?;
        let name = format!("{}.{name}", named.name);
        Some(BlockState { part, name, places: [begin + state, begin + derivative] })
    };
    found.into_iter().filter_map(state).collect()
}

/// The place of a Real of a part, among those of the part, if there is one.
pub fn real_at(named: &NamedPart, variable: &str) -> Option<usize> {
    let mut found = None;
    each_row(named, &mut |attributes, (name, _), before, own| {
        if name == variable && attributes.exists() && own.reals > 0 {
            found = Some(before.reals);
        }
    });
    found
}

/// The place of a Real parameter of a part, among those of the part, and its bounds, if there is one.
pub fn parameter_at(named: &NamedPart, variable: &str) -> Option<(usize, (f64, f64))> {
    let mut found = None;
    each_row(named, &mut |attributes, (name, _), before, own| {
        let is_parameter = matches!(attributes.kind(), RowKind::parameter | RowKind::tunable);
        if name == variable && attributes.exists() && is_parameter && own.reals > 0 {
            found = Some((before.reals, attributes.bounds()));
        }
    });
    found
}

/// The place of an input or an output, if there is one.
fn locate(named: &NamedPart, variable: &str) -> Option<Located> {
    let mut found = None;
    each_row(named, &mut |attributes, (name, _), before, own| {
        let (is_input, is_output) = (attributes.is_input(), attributes.is_output());
        if name == variable && (is_input || is_output) {
            found = Some(Located { before, own, is_input, is_output });
        }
    });
    found
}

fn input_of(named: &NamedPart, variable: &str) -> Result<Located, &'static str> {
    locate(named, variable).filter(|located| located.is_input).ok_or("there is no such input")
}

/// The names of an input and, if it is a given motion, of its rates.
fn motion(named: &NamedPart, variable: &str) -> Vec<String> {
    let mut names = vec![variable.to_owned()];
    each_row(named, &mut |attributes, (name, _), _, _| {
        let derivative = attributes.derivative().filter(|_| attributes.is_input());
        if let (true, Some(derivative)) = (names.last().is_some_and(|last| last == name), derivative) {
            names.push(own_name(&named.name, &derivative, Index::None));
        }
    });
    names
}

/// Returns true if an input is the rate of another one.
fn is_rate(named: &NamedPart, variable: &str) -> bool {
    let mut found = false;
    each_row(named, &mut |attributes, (name, _), _, _| {
        found |= name != variable && attributes.is_input() && motion(named, name).iter().any(|rate| rate == variable);
    });
    found
}

/// The names of the outputs of a block.
fn signals(named: &NamedPart) -> Vec<String> {
    let mut names = Vec::new();
    let is_block = named.part.properties().is_block;
    each_row(named, &mut |attributes, (name, _), _, _| {
        names.extend((is_block && attributes.is_output()).then(|| format!("{}.{name}", named.name)));
    });
    names
}

/// The names of the inputs of a part, connected or not.
pub fn inputs(named: &NamedPart) -> impl Iterator<Item = String> {
    let mut names = Vec::new();
    each_row(named, &mut |attributes, (name, _), _, _| names.extend(attributes.is_input().then(|| name.to_owned())));
    names.into_iter()
}

/// Returns the name of a row within its part.
fn own_name(part: &str, attributes: &Attributes<'_>, index: Index) -> String {
    let mut name = String::new();
    // Writing to a text does not fail.
    let _ = write_name(&mut name, attributes, index);
    name.strip_prefix(part).and_then(|rest| rest.strip_prefix('.')).map(str::to_owned).unwrap_or(name)
}
