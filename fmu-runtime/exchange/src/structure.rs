//! Structure options: they decide which variables exist and are fixed when the FMU is built.

use serde::{Deserialize, Serialize};

use crate::connector::Connector;
use crate::initial::InitialValue;
use crate::number::{real, real_text};

/// An entry of `[structure]`: it decides which variables exist and is fixed when the FMU is built.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct StructureOption {
    /// Modelica's identifier.
    pub name: String,
    /// Description in one line.
    pub description: String,
    /// The values that it accepts.
    pub kind: StructureKind,
    /// Other words accepted for a value, each with the value that it means.
    pub aliases: Vec<(String, String)>,
    /// Value when nothing is configured, as text.
    pub default: String,
    /// Value in this configuration, as text.
    pub value: String,
}

/// The values that a structure option takes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum StructureKind {
    /// `true` or `false`.
    Boolean,
    /// An integer within bounds, both included.
    Integer {
        /// Smallest value.
        min: i32,
        /// Largest value.
        max: i32,
    },
    /// One of these names.
    Enumeration(Vec<String>),
    /// A finite Real greater than 0.
    Positive,
    /// The type of a part, one of these; the options of the part follow.
    Part(Vec<String>),
    /// The connector of another part to which this one of a part is connected.
    Connection(Connector),
    /// Use of the start value of the variable whose name stands before that of the option: one of the words of
    /// [`InitialValue`].
    Initial(Vec<String>),
    /// The names of the outputs, with [`SEPARATOR`] between them.
    Outputs,
    /// The input of the system, as `input.name`, or the signal, as `part.name`, that gives the input of a part its value.
    Input,
}

impl StructureKind {
    /// Returns true if an option may have this number.
    pub fn admits(&self, number: f64) -> bool {
        match self {
            Self::Integer { min, max } => (f64::from(*min)..=f64::from(*max)).contains(&number),
            Self::Positive => number.is_finite() && number > 0.0,
            _ => false,
        }
    }
}

/// The name of the option for the sign of loads and heat flows.
pub const FLOWS: &str = "flows";

/// Separator between names.
pub const SEPARATOR: char = ';';

/// Returns true for a letter followed by letters, digits and underscores: an identifier of Modelica.
pub fn is_identifier(name: &str) -> bool {
    name.starts_with(|first: char| first.is_ascii_alphabetic())
        && name.chars().all(|character| character.is_ascii_alphanumeric() || character == '_')
}

/// Returns true if a name can be that of a variable, or of an element of an array, such as `y[1]`.
pub fn is_variable(name: &str) -> bool {
    let Some((name, place)) = name.split_once('[') else { return is_identifier(name) };
    let is_number = |number: &str| !number.is_empty() && number.bytes().all(|digit| digit.is_ascii_digit());
    is_identifier(name) && place.strip_suffix(']').is_some_and(|place| place.split(',').all(is_number))
}

/// A type that a structure option can have.
pub trait Choice: Sized + 'static {
    /// Returns the values that the type accepts.
    fn kind() -> StructureKind;
    /// Returns other words for values, each with the value that it means.
    fn aliases() -> &'static [(&'static str, &'static str)] {
        &[]
    }
    /// Returns the value of a word, if it is valid.
    fn parse(word: &str) -> Option<Self>;
    /// Returns the word for a value.
    fn text(&self) -> String;
}

impl Choice for bool {
    fn kind() -> StructureKind {
        StructureKind::Boolean
    }
    fn parse(word: &str) -> Option<Self> {
        word.parse().ok()
    }
    fn text(&self) -> String {
        self.to_string()
    }
}

/// A finite Real greater than 0, for values that only the description shows, such as a nominal value. It is
/// written as in a configuration.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Positive(pub f64);

impl Choice for Positive {
    fn kind() -> StructureKind {
        StructureKind::Positive
    }
    fn parse(word: &str) -> Option<Self> {
        real(word).filter(|value| <Self as Choice>::kind().admits(*value)).map(Self)
    }
    fn text(&self) -> String {
        real_text(self.0)
    }
}

/// A number from 0 to `MAX`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Count<const MAX: i32>(pub i32);

impl<const MAX: i32> Choice for Count<MAX> {
    fn kind() -> StructureKind {
        StructureKind::Integer { min: 0, max: MAX }
    }
    fn parse(word: &str) -> Option<Self> {
        word.parse().ok().filter(|number| <Self as Choice>::kind().admits(f64::from(*number))).map(Self)
    }
    fn text(&self) -> String {
        self.0.to_string()
    }
}

impl Choice for InitialValue {
    fn kind() -> StructureKind {
        StructureKind::Initial(Self::WORDS.map(str::to_owned).into())
    }
    fn parse(word: &str) -> Option<Self> {
        Self::ALL.into_iter().zip(Self::WORDS).find(|(_, own)| *own == word).map(|(value, _)| value)
    }
    fn text(&self) -> String {
        Self::WORDS[*self as usize].to_owned()
    }
}

/// A structure option of any type.
pub trait Setting {
    /// Returns the values that the option accepts.
    fn kind(&self) -> StructureKind;
    /// Returns other words for values, each with the value that it means.
    fn aliases(&self) -> &'static [(&'static str, &'static str)];
    /// Sets the value from a word; false if the word is invalid.
    fn set(&mut self, word: &str) -> bool;
    /// Returns the word for the value.
    fn text(&self) -> String;
}

impl<C: Choice> Setting for C {
    fn kind(&self) -> StructureKind {
        C::kind()
    }
    fn aliases(&self) -> &'static [(&'static str, &'static str)] {
        C::aliases()
    }
    fn set(&mut self, word: &str) -> bool {
        C::parse(word).map(|value| *self = value).is_some()
    }
    fn text(&self) -> String {
        C::text(self)
    }
}

/// The structure options of a component; [`structure!`](crate::structure!) makes one.
pub trait Structure: Default + Send + Sync + 'static {
    /// Passes each option with its name and description to `visit`.
    fn visit(&mut self, visit: &mut dyn FnMut(&'static str, &'static str, &mut dyn Setting));
}

impl Structure for () {
    fn visit(&mut self, _: &mut dyn FnMut(&'static str, &'static str, &mut dyn Setting)) {}
}

type Visit<'a> = &'a mut dyn FnMut(&'static str, &'static str, &mut dyn Setting);

/// Sets an option from its word; the error says what is allowed. `visit` iterates over the options.
pub fn set(visit: &mut dyn FnMut(Visit<'_>), option: &str, word: &str) -> Result<(), String> {
    let mut result = None;
    let mut names = Vec::new();
    visit(&mut |name, _, setting| {
        names.push(name);
        if name == option {
            result = Some(if setting.set(word) { Ok(()) } else { Err(words(&setting.kind())) });
        }
    });
    match result {
        Some(Ok(())) => Ok(()),
        Some(Err(words)) => Err(format!("structure option \"{option}\" is \"{word}\", but takes {words}")),
        None if names.is_empty() => Err(format!("unknown structure option \"{option}\"; this component has none")),
        None => Err(format!("unknown structure option \"{option}\"; available: {}", names.join(", "))),
    }
}

/// Returns the options with their values. `visit` iterates over them, `defaults` over those of a default structure, which
/// takes the same values on the way: some options exist only with values of others, which come before them.
pub fn options(visit: &mut dyn FnMut(Visit<'_>), defaults: &mut dyn FnMut(Visit<'_>)) -> Vec<StructureOption> {
    let mut options = Vec::new();
    visit(&mut |name, text, setting| {
        options.push(StructureOption {
            name: name.to_owned(),
            description: text.to_owned(),
            kind: setting.kind(),
            aliases: setting.aliases().iter().map(|(alias, name)| ((*alias).to_owned(), (*name).to_owned())).collect(),
            default: String::new(),
            value: setting.text(),
        });
    });
    defaults(&mut |name, _, setting| {
        if let Some(option) = options.iter_mut().find(|option| option.name == name) {
            option.default = setting.text();
            setting.set(&option.value);
        }
    });
    options
}

/// Returns the words that an option accepts, for messages.
pub fn words(kind: &StructureKind) -> String {
    match kind {
        StructureKind::Boolean => "true or false".to_owned(),
        StructureKind::Integer { min, max } => format!("a whole number from {min} to {max}"),
        StructureKind::Positive => "16 hexadecimal digits, the bits of a positive number".to_owned(),
        StructureKind::Connection(_) => "the connector of another part".to_owned(),
        StructureKind::Outputs => "names of variables".to_owned(),
        StructureKind::Input => "an input of the FMU, as input.name, or a signal, as part.name".to_owned(),
        StructureKind::Enumeration(items) | StructureKind::Part(items) | StructureKind::Initial(items) => {
            format!("one of {}", items.join(", "))
        }
    }
}

/// Declares the structure options of a component: `name: Type = default, "description";`. In their place may be those of
/// another structure, which several components have: `field: Structure;`.
#[macro_export]
macro_rules! structure {
    (
        $(#[doc = $doc:literal])*
        $vis:vis struct $Name:ident { $($option:ident : $type:ty $(= $default:expr, $text:literal)?;)* }
    ) => {
        $(#[doc = $doc])*
        #[allow(non_snake_case)]
        #[derive(Clone, Debug, PartialEq)]
        $vis struct $Name { $(#[doc = $crate::structure!(@text $($text)?)] $vis $option: $type,)* }

        impl Default for $Name {
            fn default() -> Self {
                Self { $($option: $crate::structure!(@default $($default)?),)* }
            }
        }

        impl $crate::Structure for $Name {
            fn visit(
                &mut self,
                visit: &mut dyn FnMut(&'static str, &'static str, &mut dyn $crate::structure::Setting),
            ) {
                $($crate::structure!(@visit visit, self, $option $(, $text)?);)*
            }
        }
    };
    (@text $text:literal) => { $text };
    (@text) => { "Options that several components have." };
    (@default $default:expr) => { $default };
    (@default) => { Default::default() };
    (@visit $visit:ident, $self:ident, $option:ident, $text:literal) => {
        $visit(stringify!($option), $crate::declared($text), &mut $self.$option)
    };
    (@visit $visit:ident, $self:ident, $options:ident) => { $crate::Structure::visit(&mut $self.$options, $visit) };
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Default)]
    struct Switched {
        is_used: bool,
        count: Count<9>,
        last: bool,
    }

    impl Structure for Switched {
        fn visit(&mut self, visit: &mut dyn FnMut(&'static str, &'static str, &mut dyn Setting)) {
            visit("is_used", "Whether there is a count", &mut self.is_used);
            if self.is_used {
                visit("count", "A count", &mut self.count);
            }
            visit("last", "A last option", &mut self.last);
        }
    }

    #[test]
    fn options_that_others_switch_on_have_their_defaults() {
        let found = |mut structure: Switched| -> Vec<_> {
            let mut fresh = Switched::default();
            let options = options(&mut |visit| structure.visit(visit), &mut |visit| fresh.visit(visit));
            options.into_iter().map(|option| [option.name, option.default, option.value]).collect()
        };
        assert_eq!(found(Switched::default()), [["is_used", "false", "false"], ["last", "false", "false"]]);
        let used = Switched { is_used: true, count: Count(3), last: true };
        let all = [["is_used", "false", "true"], ["count", "0", "3"], ["last", "false", "true"]];
        assert_eq!(found(used), all);
    }
}
