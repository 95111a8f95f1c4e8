//! Structure options: what decides which variables exist, fixed when the FMU is built.

use crate::description::{StructureKind, StructureOption};

/// A type that a structure option can have.
pub trait Choice: Sized + 'static {
    /// What values it takes.
    fn kind() -> StructureKind;
    /// Other words for a value, each with the value that it means.
    fn aliases() -> &'static [(&'static str, &'static str)] {
        &[]
    }
    /// The value that a word means, if it means one.
    fn parse(word: &str) -> Option<Self>;
    /// The word for a value.
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

/// The structure options of a component; [`structure!`](crate::structure!) makes one.
pub trait Structure: Default + Send + 'static {
    /// Sets an option from its word; the error says what would be right.
    fn set(&mut self, option: &str, word: &str) -> Result<(), String>;
    /// All options with their present values.
    fn describe(&self) -> Vec<StructureOption>;
}

impl Structure for () {
    fn set(&mut self, option: &str, _: &str) -> Result<(), String> {
        Err(format!("unknown structure option \"{option}\"; this component has none"))
    }
    fn describe(&self) -> Vec<StructureOption> {
        Vec::new()
    }
}

/// The words that an option takes, for messages.
pub fn words(kind: &StructureKind) -> String {
    match kind {
        StructureKind::Boolean => "true or false".to_owned(),
        StructureKind::Integer { min, max } => format!("a whole number from {min} to {max}"),
        StructureKind::Enumeration(items) => format!("one of {}", items.join(", ")),
    }
}

/// Declares the structure options of a component: `name: Type = default, "description";`.
#[macro_export]
macro_rules! structure {
    (
        $(#[doc = $doc:literal])*
        $vis:vis struct $Name:ident { $($option:ident : $type:ty = $default:expr, $text:literal;)* }
    ) => {
        $(#[doc = $doc])*
        #[allow(non_snake_case)]
        #[derive(Clone, Debug, PartialEq)]
        $vis struct $Name { $(#[doc = $text] $vis $option: $type,)* }

        impl Default for $Name {
            fn default() -> Self {
                Self { $($option: $default,)* }
            }
        }

        impl $crate::Structure for $Name {
            fn set(&mut self, option: &str, word: &str) -> Result<(), String> {
                match option {
                    $(stringify!($option) => {
                        self.$option = <$type as $crate::Choice>::parse(word).ok_or_else(|| {
                            $crate::structure::refused(option, word, &<$type as $crate::Choice>::kind())
                        })?;
                        Ok(())
                    })*
                    _ => Err(format!(
                        "unknown structure option \"{option}\"; there are {}",
                        [$(stringify!($option)),*].join(", ")
                    )),
                }
            }

            fn describe(&self) -> Vec<$crate::description::StructureOption> {
                let default = Self::default();
                vec![$($crate::structure::option(stringify!($option), $text, &default.$option, &self.$option),)*]
            }
        }
    };
}

/// The description of an option.
pub fn option<C: Choice>(name: &str, text: &str, default: &C, value: &C) -> StructureOption {
    StructureOption {
        name: name.to_owned(),
        description: text.to_owned(),
        kind: C::kind(),
        aliases: C::aliases().iter().map(|(alias, name)| ((*alias).to_owned(), (*name).to_owned())).collect(),
        default: default.text(),
        value: value.text(),
    }
}

/// The message for a word that an option does not take.
pub fn refused(option: &str, word: &str, kind: &StructureKind) -> String {
    format!("structure option \"{option}\" is \"{word}\", but takes {}", words(kind))
}
