//! Units in headings: `Fx [N]`, `Fx (N)`, `Fx / N`, `Fx in N`, `Fx_N`.

use crate::units::Unit;

/// A heading without its unit, and the unit.
#[derive(Debug, PartialEq)]
pub(super) struct Heading<'a> {
    pub name: &'a str,
    pub unit: Option<&'a str>,
}

impl<'a> Heading<'a> {
    /// Splits a heading; what stands in brackets counts as a unit, whether it is known or not.
    pub fn of(text: &'a str) -> Self {
        for (open, close) in [('[', ']'), ('(', ')')] {
            let inner = text.strip_suffix(close).and_then(|text| text.rsplit_once(open));
            if let Some((name, unit)) = inner.filter(|(name, _)| !name.is_empty()) {
                return Self { name: name.trim(), unit: Some(unit.trim()) };
            }
        }
        // A slash may belong to the unit: `c in N/mm`, `c, N / mm`.
        for separator in [" in ", ", ", " / ", "/", "_"] {
            let splits = text.match_indices(separator).map(|(at, _)| (&text[..at], &text[at + separator.len()..]));
            let is_unit = |(name, unit): &(&str, &str)| !name.is_empty() && Unit::parse(unit).is_some();
            if let Some((name, unit)) = splits.into_iter().find(is_unit) {
                return Self { name: name.trim(), unit: Some(unit.trim()) };
            }
        }
        Self { name: text, unit: None }
    }

    /// The unit that a cell consists of, with or without brackets.
    pub fn only_unit(text: &str) -> Option<&str> {
        let inner = |open, close| text.strip_prefix(open).and_then(|text: &str| text.strip_suffix(close));
        let unit = inner('[', ']').or_else(|| inner('(', ')')).unwrap_or(text);
        Unit::parse(unit).map(|_| unit.trim())
    }
}
