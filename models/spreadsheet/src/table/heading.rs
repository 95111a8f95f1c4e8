//! Units in headings: `Fx [N]`, `Fx (N)`, `Fx / N`, `Fx in N`, `Fx_N`.

use crate::units::Unit;

/// A heading without its unit, and the unit.
#[derive(Debug, PartialEq)]
pub(super) struct Heading<'a> {
    pub name: &'a str,
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
            let has_unit = |(name, unit): &(&str, &str)| !name.is_empty() && is_unit(unit);
            if let Some((name, unit)) = splits.into_iter().find(has_unit) {
                return Self { name: name.trim(), unit: Some(unit.trim()) };
            }
        }
        Self { name: text, unit: None }
    }

    /// The unit that a cell consists of, with or without brackets; in square ones whether it is known or not.
    pub fn only_unit(text: &str) -> Option<&str> {
        let text = uncommented(text);
        let inner = |open, close| text.strip_prefix(open).and_then(|text: &str| text.strip_suffix(close));
        if let Some(unit) = inner('[', ']') {
            return Some(unit.trim());
        }
        let unit = inner('(', ')').unwrap_or(text).trim();
        is_unit(unit).then_some(unit)
    }
}

/// A text without the sign of a comment.
fn uncommented(text: &str) -> &str {
    text.strip_prefix("# ").map_or(text, str::trim_start)
}

/// Whether a text is a unit, possibly with a character that was read in the wrong encoding.
pub(super) fn is_unit(text: &str) -> bool {
    let hidden = |sign: &str| Unit::parse(&text.replace(char::REPLACEMENT_CHARACTER, sign)).is_some();
    Unit::parse(text).is_some()
        || text.contains(char::REPLACEMENT_CHARACTER) && ["°", "µ", "·", "²"].into_iter().any(hidden)
}
