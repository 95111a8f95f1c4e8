//! The names that expressions of one file have, and what texts mean there.

use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use fmu_exchange::structure::is_identifier;

use super::expression::{Expression, PI};
use super::location::Location;
use super::part_names::TYPE;
use super::shared::PREFIX;
use super::value::{Data, Value};
use crate::text::suggestion::did_you_mean;

/// Largest number that is a whole one without doubt.
const MAX_WHOLE: f64 = 9_007_199_254_740_992.0;

/// Largest number of elements of an array in which others stand: constants could double each other.
const MAX_ELEMENTS: usize = 100_000;

/// Largest length of a text in which braces have been filled.
const MAX_TEXT: usize = 10_000;

/// A file as a whole: how it is used, and its parts.
#[derive(Debug, Default)]
pub(super) struct Level {
    /// The name of the part that the file is, with a dot; empty for the file that is built.
    pub prefix: String,
    /// The part that the file is, and the location of its type; none for the file that is built.
    pub used: Option<(String, Location)>,
    /// The names of its parts, once they are known.
    pub parts: Rc<BTreeSet<String>>,
    /// The names of parts of the files that use it.
    pub outside: Vec<Rc<BTreeSet<String>>>,
}

/// Names with their values.
pub(super) struct Scope<'a> {
    pub level: &'a Level,
    /// The names of the file, if these are those of a repetition.
    outer: Option<&'a Scope<'a>>,
    names: RefCell<BTreeMap<String, Named>>,
    /// Mistakes in the values of names.
    problems: RefCell<Vec<String>>,
}

struct Named {
    value: Value,
    state: Cell<State>,
    is_used: Cell<bool>,
}

#[derive(Clone, Copy, PartialEq)]
enum State {
    /// As it was written.
    Given,
    /// While it is computed.
    Busy,
    Computed,
    /// Its problem has been reported.
    Failed,
}

/// Reason without text: what is wrong has been reported elsewhere.
const REPORTED: &str = "";

impl<'a> Scope<'a> {
    pub fn new(level: &'a Level) -> Self {
        Self { level, outer: None, names: RefCell::default(), problems: RefCell::default() }
    }

    /// Makes the scope of one of the parts that a line repeats.
    pub fn inside(outer: &'a Scope<'a>, names: impl IntoIterator<Item = (String, Value)>) -> Self {
        let inner = Self { outer: Some(outer), ..Self::new(outer.level) };
        names.into_iter().for_each(|(name, value)| inner.insert(&name, value, true));
        inner
    }

    /// Gives a name a value, which is computed when it is needed unless it is `computed` already.
    pub fn insert(&self, name: &str, value: Value, computed: bool) {
        let state = Cell::new(if computed { State::Computed } else { State::Given });
        self.names.borrow_mut().insert(name.to_owned(), Named { value, state, is_used: Cell::new(false) });
    }

    /// Returns true if a name has a value in this scope itself.
    pub fn has(&self, name: &str) -> bool {
        self.names.borrow().contains_key(name)
    }

    /// Returns true if an expression has used a name.
    pub fn uses(&self, name: &str) -> bool {
        self.names.borrow().get(name).is_some_and(|named| named.is_used.get())
    }

    /// Computes the values of all names; returns what is wrong with them.
    pub fn compute(&self) -> Vec<String> {
        let names: Vec<_> = self.names.borrow().keys().cloned().collect();
        names.iter().for_each(|name| drop(self.computed(name)));
        self.problems.take()
    }

    /// Returns the value of a name, if it has one.
    fn get(&self, name: &str) -> Option<Result<Value, String>> {
        if let Some(named) = self.names.borrow().get(name) {
            named.is_used.set(true);
        }
        self.computed(name).or_else(|| self.outer?.get(name))
    }

    /// Returns the value of a name in an expression.
    pub fn named(&self, name: &str, here: &Value) -> Result<Value, String> {
        match self.get(name) {
            Some(value) => value,
            None if name == PI => Ok(Value { data: Data::Real(std::f64::consts::PI), ..here.clone() }),
            None => {
                let all = self.all();
                let hint = did_you_mean(name, all.iter().map(String::as_str).chain([PI]));
                Err(format!("there is no constant or parameter \"{name}\"{hint}"))
            }
        }
    }

    fn computed(&self, name: &str) -> Option<Result<Value, String>> {
        let given = {
            let names = self.names.borrow();
            let named = names.get(name)?;
            match named.state.get() {
                State::Computed => return Some(Ok(named.value.clone())),
                State::Failed => return Some(Err(REPORTED.to_owned())),
                State::Busy => return Some(Err(format!("\"{name}\" depends on itself"))),
                State::Given => named.state.set(State::Busy),
            }
            named.value.clone()
        };
        let computed = self.value(name, &given);
        let mut names = self.names.borrow_mut();
        let named = names.get_mut(name)?;
        Some(match computed {
            Ok(value) => {
                named.state.set(State::Computed);
                named.value = value.clone();
                Ok(value)
            }
            Err(problem) => {
                named.state.set(State::Failed);
                self.problems.borrow_mut().extend((problem != REPORTED).then_some(problem));
                Err(REPORTED.to_owned())
            }
        })
    }

    /// Returns all names.
    fn all(&self) -> Vec<String> {
        let mut all: Vec<_> = self.names.borrow().keys().cloned().collect();
        all.extend(self.outer.map(Self::all).unwrap_or_default());
        all
    }

    /// Returns a value as the configuration has it: expressions computed, and names of parts as they are outside. The error
    /// is the message with the location.
    pub fn value(&self, name: &str, value: &Value) -> Result<Value, String> {
        let reported =
            |reason: String| if reason == REPORTED { reason } else { self.here(value).problem(name, &reason) };
        let here = self.here(value);
        match &value.data {
            Data::Text(text) => match text.strip_prefix('=') {
                Some(expression) => self.computed_value(expression, &here).map_err(reported),
                None => self.text(text, &here, !name.ends_with(TYPE)).map_err(reported),
            },
            Data::Array(elements) => {
                let elements =
                    elements.iter().map(|element| self.value(name, element)).collect::<Result<Vec<_>, _>>()?;
                let count: usize = elements.iter().map(Value::count).sum();
                if count > MAX_ELEMENTS && count != value.count() {
                    return Err(here.problem(name, &format!("this array has more than {MAX_ELEMENTS} elements")));
                }
                Ok(Value { data: Data::Array(elements), ..here })
            }
            _ => Ok(here),
        }
    }

    /// Returns a value whose location says how the file is used.
    fn here(&self, value: &Value) -> Value {
        Value { location: self.location(&value.location), data: value.data.clone() }
    }

    /// Returns a location in the file that says how this is used.
    pub fn location(&self, location: &Location) -> Location {
        match &self.level.used {
            Some((part, of)) => location.used(&format!("as {part} of"), of),
            None => location.clone(),
        }
    }

    fn computed_value(&self, text: &str, here: &Value) -> Result<Value, String> {
        let expression = Expression::parse(text)?;
        let names = |name: &str| self.named(name, here);
        if let Some(value) = expression.named(&names) {
            let value = value?;
            // The value was given elsewhere, which is where a mistake would be.
            return Ok(Value { location: value.location.used("used by", &here.location), ..value });
        }
        let data = number(expression.number(&names)?);
        Ok(Value { location: here.location.computed(shown(&data)), data })
    }

    /// Returns the text in which `{expression}` is replaced; the error says what is wrong.
    pub fn filled(&self, text: &str, here: &Value) -> Result<String, String> {
        let (mut filled, mut rest) = (String::new(), text);
        while let Some(begin) = rest.find(['{', '}']) {
            filled += &rest[..begin];
            let doubled = &rest[begin..begin + 1];
            if rest[begin + 1..].starts_with(doubled) {
                filled += doubled;
                rest = &rest[begin + 2..];
                continue;
            }
            let inside = rest[begin..].strip_prefix('{').and_then(|rest| rest.split_once('}'));
            let (inside, behind) =
                inside.ok_or("has a brace without its other one; a brace itself is written twice")?;
            let value = self.computed_value(inside, here)?;
            filled += &match value.data {
                Data::Integer(number) => number.to_string(),
                Data::Text(text) => text,
                other => {
                    return Err(format!("{{{inside}}} is {}, but must be a whole number or a text", shown(&other)));
                }
            };
            rest = behind;
        }
        let filled = filled + rest;
        if filled.len() > MAX_TEXT && filled != text {
            return Err(format!("has more than {MAX_TEXT} characters when its braces are filled"));
        }
        Ok(filled)
    }

    /// Returns a text in which braces are filled and, if it is a `reference`, names of parts and inputs replaced.
    fn text(&self, text: &str, here: &Value, reference: bool) -> Result<Value, String> {
        let filled = self.filled(text, here)?;
        let mut location = here.location.clone();
        if filled != text {
            location = location.computed(format!("\"{filled}\""));
        }
        if !reference {
            return Ok(Value { location, data: Data::Text(filled) });
        }
        // The inputs of a file are given where it is used.
        if let (Some(input), Some((part, _))) = (filled.strip_prefix(PREFIX), &self.level.used)
            && is_identifier(input)
        {
            let problem = || {
                format!(
                    "{part} needs its input \"{input}\": write {input} = … there, with an input of the FMU such as \
                     \"input.{input}\", a signal, or a number"
                )
            };
            return self.get(input).unwrap_or_else(|| Err(problem()));
        }
        Ok(Value { location, data: Data::Text(self.outside(&filled)?) })
    }

    /// Returns the text with the full name of a part, if it begins with the name of one.
    fn outside(&self, text: &str) -> Result<String, String> {
        let Level { prefix, parts, outside, used } = self.level;
        let is_part = |known: &BTreeSet<String>| text.match_indices('.').any(|(end, _)| known.contains(&text[..end]));
        let Some((part, _)) = used else { return Ok(text.to_owned()) };
        if is_part(parts) {
            return Ok(format!("{prefix}{text}"));
        }
        let is_reference = text.contains('.') && text.split('.').all(is_identifier);
        if is_reference && outside.iter().any(|known| is_part(known)) {
            return Err(format!(
                "this part is outside of {part}: leave the line out, and connect {part} where it is used"
            ));
        }
        Ok(text.to_owned())
    }
}

/// Returns a number as TOML has it.
pub(super) fn number(number: f64) -> Data {
    let is_whole = number.fract() == 0.0 && number.abs() < MAX_WHOLE && !(number == 0.0 && number.is_sign_negative());
    if is_whole { Data::Integer(number as i64) } else { Data::Real(number) }
}

fn shown(data: &Data) -> String {
    match data {
        Data::Boolean(value) => value.to_string(),
        Data::Integer(value) => value.to_string(),
        Data::Real(value) => format!("{value:?}"),
        Data::Text(text) => format!("\"{text}\""),
        Data::Array(_) => "an array".to_owned(),
        Data::Other => "no value".to_owned(),
    }
}
