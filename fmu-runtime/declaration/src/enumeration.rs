//! Enumerations, for FMI variables and for structure options alike.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

/// An enumeration type as FMI sees it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Enumeration {
    /// Name of the type.
    pub name: Cow<'static, str>,
    /// One line.
    pub description: Cow<'static, str>,
    /// The items, whose values are 1, 2, ….
    pub items: Cow<'static, [Item]>,
}

/// An item of an enumeration.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Item {
    /// Modelica's identifier.
    pub name: Cow<'static, str>,
    /// One line.
    pub description: Cow<'static, str>,
}

impl Enumeration {
    /// Names of the items.
    pub fn names(&self) -> Vec<String> {
        self.items.iter().map(|item| item.name.to_string()).collect()
    }

    /// Position of an item from 0; its value is one more.
    pub fn position(&self, name: &str) -> Option<usize> {
        self.items.iter().position(|item| item.name == name)
    }

    /// The item of a value, which counts from 1.
    pub fn item(&self, value: i32) -> Option<&Item> {
        self.items.get(usize::try_from(value).ok()?.checked_sub(1)?)
    }
}

impl Item {
    /// An item from constants.
    pub const fn new(name: &'static str, description: &'static str) -> Self {
        Self { name: Cow::Borrowed(name), description: Cow::Borrowed(description) }
    }
}
