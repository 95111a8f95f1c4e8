//! Units in headings: `Fx [N]`, `Fx (N)`, `Fx / N`, `Fx in N`, `Fx_N`.

use crate::units::Unit;

/// A heading without its unit, and the unit.
#[derive(Debug, PartialEq)]
pub struct Heading<'a> {
    /// Text before the unit.
    pub name: &'a str,
    /// The unit, which may be unknown.
    pub unit: Option<&'a str>,
}

impl<'a> Heading<'a> {
    /// Splits a heading; a text in brackets counts as a unit, whether it is known or not. A known unit may have a
    /// remark in brackets behind it.
    pub fn of(text: &'a str) -> Self {
        let text = uncommented(text);
        for (open, close) in [('[', ']'), ('(', ')')] {
            let inner = text.strip_suffix(close).and_then(|text| text.rsplit_once(open));
            if let Some((name, unit)) = inner.filter(|(name, _)| !name.is_empty()) {
                if !is_unit(unit) {
                    let before = Self::of(name.trim());
                    if before.unit.is_some_and(is_unit) {
                        return before;
                    }
                }
                return Self { name: name.trim(), unit: Some(unit.trim()) };
            }
        }
        // A slash may belong to the unit: `c in N/mm`, `c, N / mm`.
        for separator in [" in ", ", ", " / ", "/", "_"] {
            let splits = text.match_indices(separator).map(|(at, _)| (&text[..at], &text[at + separator.len()..]));
            let is_said = |unit: &str| is_unit(unit) && (separator == " in " || !Unit::names_quantity(unit));
            let has_unit = |(name, unit): &(&str, &str)| !name.is_empty() && is_said(unit);
            if let Some((name, unit)) = splits.into_iter().find(has_unit) {
                return Self { name: name.trim(), unit: Some(unit.trim()) };
            }
        }
        Self { name: text, unit: None }
    }

    /// Returns the unit that a cell consists of, with or without brackets; in square ones also if it is unknown. A text
    /// that may be the name of a quantity, such as `F`, is a unit if it fits the quantity that is wanted.
    pub fn only_unit<'t>(text: &'t str, wanted: Option<&str>) -> Option<&'t str> {
        let text = uncommented(text);
        let inner = |open, close| text.strip_prefix(open).and_then(|text: &str| text.strip_suffix(close));
        if let Some(unit) = inner('[', ']') {
            return Some(unit.trim());
        }
        let unit = inner('(', ')').unwrap_or(text).trim();
        let dimension = |text| Unit::parse(text).map(|unit| unit.dimension);
        let fits = || wanted.and_then(dimension).is_some_and(|wanted| Some(wanted) == dimension(unit));
        (is_unit(unit) && (!Unit::names_quantity(unit) || fits())).then_some(unit)
    }
}

/// Removes the sign of a comment from a text.
fn uncommented(text: &str) -> &str {
    text.strip_prefix("# ").map_or(text, str::trim_start)
}

/// True if a text is a unit, possibly with a character that was read in the wrong encoding.
pub(super) fn is_unit(text: &str) -> bool {
    let hidden = |sign: &str| Unit::parse(&text.replace(char::REPLACEMENT_CHARACTER, sign)).is_some();
    Unit::parse(text).is_some()
        || text.contains(char::REPLACEMENT_CHARACTER) && ["°", "µ", "·", "²"].into_iter().any(hidden)
}
