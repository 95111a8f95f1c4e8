//! The grammar of units: symbols with prefixes and exponents, products, quotients and parentheses.

use super::symbols::{PREFIXES, SYMBOLS, Symbol, WORDS};
use super::unit::Unit;

/// Largest length of a text that is read as a unit.
const MAX_LENGTH: usize = 64;

impl Unit {
    /// Reads a unit; `None` if it is unknown.
    pub fn parse(text: &str) -> Option<Self> {
        unit(text)
    }

    /// True if a text begins with a unit that is a usual name of a quantity, too, such as `F`, `F/kN` or `V`.
    pub fn names_quantity(text: &str) -> bool {
        let text = text.trim();
        let first = &text[..text.find(|c: char| !c.is_alphabetic()).unwrap_or(text.len())];
        SYMBOLS.iter().any(|symbol| symbol.names_quantity && symbol.names.contains(&first))
    }
}

fn unit(text: &str) -> Option<Unit> {
    let text = text.trim();
    if text.len() > MAX_LENGTH {
        return None;
    }
    if matches!(text, "-" | "–" | "") {
        return (!text.is_empty()).then_some(Unit::ONE);
    }
    // A unit that stands alone keeps the beginning of its scale.
    if let Some((_, unit)) = symbol(text) {
        return Some(unit);
    }
    let mut parser = Parser { rest: text };
    let unit = parser.product()?;
    parser.rest.is_empty().then_some(unit)
}

/// Reads a symbol with or without a prefix, and returns its unit, too.
fn symbol(text: &str) -> Option<(&'static Symbol, Unit)> {
    let known = |name: &str| SYMBOLS.iter().find(|symbol| symbol.names.contains(&name));
    if let Some(symbol) = known(text) {
        return Some((symbol, symbol.unit));
    }
    let prefixed = |name: &str, power: i32| {
        let symbol = known(name).filter(|symbol| symbol.has_prefixes)?;
        Some((symbol, Unit { power: symbol.unit.power + power, ..symbol.unit }))
    };
    let first = text.chars().next()?;
    let short = PREFIXES.iter().find(|(prefix, _)| *prefix == first);
    if let Some(found) = short.and_then(|(_, power)| prefixed(&text[first.len_utf8()..], *power)) {
        return Some(found);
    }
    let word = text.to_lowercase();
    let is_word = word.len() > 3 && word.is_ascii();
    let long = || WORDS.iter().find_map(|(prefix, power)| Some((word.strip_prefix(prefix)?, *power)));
    if !is_word {
        return None;
    }
    match long() {
        Some((name, power)) if name.len() > 3 => prefixed(name, power),
        _ => known(&word).map(|symbol| (symbol, symbol.unit)),
    }
}

struct Parser<'a> {
    rest: &'a str,
}

impl<'a> Parser<'a> {
    /// Reads factors between `·`, `.`, `*`, `-`, blanks and `/`; a slash divides by what follows up to the next one.
    fn product(&mut self) -> Option<Unit> {
        let (mut unit, mut sign) = (Unit::ONE, 1);
        loop {
            let factor = self.factor()?;
            unit = unit.times(factor, sign)?;
            let rest = self.rest.trim_start();
            let mut characters = rest.chars();
            match characters.next() {
                Some('/') => sign = -1,
                Some('.' | '*' | '·' | '⋅' | '×' | '-') => {}
                Some(')') | None => {
                    self.rest = rest;
                    return Some(unit);
                }
                _ if rest.len() < self.rest.len() => characters = rest.chars(),
                _ => return None,
            }
            self.rest = characters.as_str().trim_start();
        }
    }

    /// Reads a symbol or a product in parentheses, and its exponent.
    fn factor(&mut self) -> Option<Unit> {
        let unit = if let Some(inner) = self.rest.strip_prefix('(') {
            self.rest = inner;
            let unit = self.product()?;
            self.rest = self.rest.strip_prefix(')')?;
            unit
        } else if self.rest.starts_with('1') {
            self.rest = &self.rest[1..];
            return Some(Unit::ONE);
        } else {
            let end = self.rest.find(|c: char| !(c.is_alphabetic() || matches!(c, '°' | '%' | '"' | '_')));
            let (text, rest) = self.rest.split_at(end.unwrap_or(self.rest.len()));
            self.rest = rest;
            symbol(text)?.1
        };
        Unit::ONE.times(unit, self.exponent()?)
    }

    fn exponent(&mut self) -> Option<i32> {
        if let Some(rest) = self.rest.strip_prefix('²') {
            self.rest = rest;
            return Some(2);
        }
        if let Some(rest) = self.rest.strip_prefix('³') {
            self.rest = rest;
            return Some(3);
        }
        let text = self.rest.strip_prefix('^').unwrap_or(self.rest);
        let sign = usize::from(text.starts_with(['-', '+']));
        let digits = text[sign..].bytes().take_while(u8::is_ascii_digit).count();
        if digits == 0 {
            // A hyphen may stand between two units: N-m.
            let is_hyphen = text[sign..].starts_with(char::is_alphabetic) && text.starts_with('-');
            return (text.len() == self.rest.len() && (sign == 0 || is_hyphen)).then_some(1);
        }
        let (exponent, rest) = text.split_at(sign + digits);
        self.rest = rest;
        exponent.parse().ok().filter(|exponent: &i32| exponent.abs() <= 9)
    }
}
