//! Enumerations, for FMI variables and for structure options alike.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

use crate::declares::declared;

/// An enumeration type as FMI sees it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Enumeration {
    /// Name of the type.
    pub name: Cow<'static, str>,
    /// Description of the type in one line.
    pub description: Cow<'static, str>,
    /// The items, whose values are 1, 2, … unless they say otherwise.
    pub items: Cow<'static, [Item]>,
    /// Other words that configurations may have for items, each with the name of the item.
    pub aliases: Cow<'static, [(Cow<'static, str>, Cow<'static, str>)]>,
}

/// An item of an enumeration.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Item {
    /// Modelica's identifier.
    pub name: Cow<'static, str>,
    /// Description of the item in one line.
    pub description: Cow<'static, str>,
    /// The value in the FMU of another tool; without one it is the position, counted from 1.
    #[serde(skip)]
    pub value: Option<i32>,
}

impl Enumeration {
    /// Returns the names of the items.
    pub fn names(&self) -> Vec<String> {
        self.items.iter().map(|item| item.name.to_string()).collect()
    }

    /// Returns the position of an item from 0.
    pub fn position(&self, name: &str) -> Option<usize> {
        self.items.iter().position(|item| item.name == name)
    }

    /// Returns the values of the items, in their order.
    pub fn values(&self) -> impl Iterator<Item = i32> {
        self.items.iter().zip(1..).map(|(item, position)| item.value.unwrap_or(position))
    }

    /// Returns the item of a value.
    pub fn item(&self, value: i32) -> Option<&Item> {
        self.values().position(|other| other == value).map(|position| &self.items[position])
    }
}

impl Item {
    /// Makes an item from constants.
    pub const fn new(name: &'static str, description: &'static str) -> Self {
        Self { name: Cow::Borrowed(name), description: Cow::Borrowed(declared(description)), value: None }
    }
}
