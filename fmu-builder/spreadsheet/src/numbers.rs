//! Numbers in texts: recognition of the decimal sign, and reading.

use fmu_exchange::parse_number;

use crate::cell::cut;

/// Number format of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Numbers {
    /// The decimal sign, a point or a comma.
    pub decimal: char,
    /// True if the other sign groups digits by thousands.
    pub grouped: bool,
}

impl Numbers {
    /// Decimal points, and no grouping.
    pub const POINT: Self = Self { decimal: '.', grouped: false };

    /// Reads the number that a text is; the error is a text without one, or a number of two readings.
    pub fn read(self, text: &str) -> Result<f64, NotANumber> {
        let Some(shape) = Shape::of(text) else { return Err(NotANumber::Text) };
        let grouping = if self.decimal == '.' { ',' } else { '.' };
        let sign = match shape.signs {
            Signs::None => None,
            Signs::Both { decimal } if decimal == self.decimal => Some(decimal),
            Signs::Both { .. } => return Err(NotANumber::Text),
            Signs::Grouping { by } if by == grouping => None,
            Signs::Grouping { .. } => return Err(NotANumber::Text),
            Signs::Decimal { sign } if sign == self.decimal => Some(sign),
            Signs::Decimal { .. } => return Err(NotANumber::Text),
            Signs::Unclear { sign } if sign == self.decimal => Some(sign),
            Signs::Unclear { .. } if self.grouped => None,
            Signs::Unclear { .. } => return Err(NotANumber::Unclear),
        };
        shape.value(sign).ok_or(NotANumber::Text)
    }
}

/// Reason why a text was not read as a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NotANumber {
    /// The text is not a number.
    Text,
    /// The number has two readings.
    Unclear,
}

/// Evidence of the number format of a file, collected from its texts.
#[derive(Clone, Debug, Default)]
pub struct Evidence {
    point: Option<String>,
    comma: Option<String>,
    unclear: Option<String>,
    grouped: bool,
}

impl Evidence {
    /// Adds one more text, which may be none of a number.
    pub fn add(&mut self, text: &str) {
        let Some(shape) = Shape::of(text) else { return };
        let sign = match shape.signs {
            Signs::None => return,
            Signs::Both { decimal } => {
                self.grouped = true;
                decimal
            }
            Signs::Grouping { by } => {
                self.grouped = true;
                if by == '.' { ',' } else { '.' }
            }
            Signs::Decimal { sign } => sign,
            Signs::Unclear { .. } => {
                self.unclear.get_or_insert_with(|| cut(text.trim()));
                return;
            }
        };
        let known = if sign == '.' { &mut self.point } else { &mut self.comma };
        known.get_or_insert_with(|| cut(text));
    }

    /// Decides on the number format: as all texts show, or as the user says. `commas` between cells leave only points
    /// for numbers.
    pub fn decide(&self, given: Option<char>, commas: bool) -> Result<Numbers, String> {
        match (given, &self.point, &self.comma, &self.unclear) {
            (Some(decimal), ..) => Ok(Numbers { decimal, grouped: true }),
            (None, Some(point), Some(comma), _) => {
                Err(format!("\"{point}\" has a decimal point, and \"{comma}\" a decimal comma"))
            }
            (None, Some(_), None, _) => Ok(Numbers { decimal: '.', grouped: self.grouped }),
            (None, None, Some(_), _) => Ok(Numbers { decimal: ',', grouped: self.grouped }),
            (None, None, None, Some(unclear)) if !commas || unclear.contains(',') => Err(readings(unclear)),
            (None, None, None, _) => Ok(Numbers::POINT),
        }
    }
}

/// True if a text is a number in one number format or another.
pub fn is_number(text: &str) -> bool {
    Shape::of(text).is_some()
}

/// Names both readings of a number.
pub fn readings(text: &str) -> String {
    let reading = |decimal| {
        let plain = Shape::of(text).map(|shape| shape.plain(Some(decimal))).unwrap_or_default();
        let value = plain.trim_start_matches('+');
        let value = if value.contains('.') { value.trim_end_matches('0').trim_end_matches('.') } else { value };
        value.to_owned()
    };
    format!("\"{text}\" is {} with decimal points, but {} with decimal commas", reading('.'), reading(','))
}

/// Parts of a text that may be a number.
struct Shape<'a> {
    /// Sign, digits and decimal or grouping signs.
    body: &'a str,
    /// Digits of the exponent with their sign.
    exponent: &'a str,
    signs: Signs,
}

/// Points and commas of a number.
enum Signs {
    None,
    /// Signs of both kinds: the last one is decimal, the others group digits.
    Both {
        decimal: char,
    },
    /// Several signs of one kind.
    Grouping {
        by: char,
    },
    /// One sign that cannot group digits.
    Decimal {
        sign: char,
    },
    /// One sign that may be decimal or group thousands.
    Unclear {
        sign: char,
    },
}

impl<'a> Shape<'a> {
    fn of(text: &'a str) -> Option<Self> {
        let text = text.trim();
        let (body, exponent) = match text.find(['e', 'E', 'd', 'D']) {
            Some(at) => (&text[..at], Some(&text[at + 1..])),
            None => (text, None),
        };
        let whole = |text: &str| {
            let digits = text.strip_prefix(['+', '-', MINUS]).unwrap_or(text);
            !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())
        };
        if exponent.is_some_and(|exponent| !whole(exponent)) {
            return None;
        }
        let digits = body.strip_prefix(['+', '-', MINUS]).unwrap_or(body);
        let allowed = |c: char| c.is_ascii_digit() || matches!(c, '.' | ',') || SPACES.contains(&c);
        if !digits.contains(|c: char| c.is_ascii_digit()) || !digits.chars().all(allowed) {
            return None;
        }
        let (points, commas) = (digits.matches('.').count(), digits.matches(',').count());
        let (before, after) = match digits.rfind(['.', ',']) {
            Some(at) => (&digits[..at], &digits[at + 1..]),
            None => (digits, ""),
        };
        let plain = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
        // Spaces and apostrophes group digits, too, if nothing else does.
        let grouped = |text: &str, by: &[char]| {
            let mut groups = text.split(by);
            let first = groups.next().unwrap_or_default();
            plain(text) || (matches!(first.len(), 1..=3) && plain(first) && groups.all(|g| g.len() == 3 && plain(g)))
        };
        let last = if digits.rfind('.') > digits.rfind(',') { '.' } else { ',' };
        let other = if last == '.' { ',' } else { '.' };
        let signs = match (points, commas) {
            (0, 0) if grouped(digits, &SPACES) => Signs::None,
            (1, 0) | (0, 1) if plain(before) && plain(after) => {
                let unclear =
                    exponent.is_none() && matches!(before.len(), 1..=3) && !before.starts_with('0') && after.len() == 3;
                if unclear { Signs::Unclear { sign: last } } else { Signs::Decimal { sign: last } }
            }
            (1, 0) | (0, 1) if grouped(before, &SPACES) && plain(after) => Signs::Decimal { sign: last },
            (0, _) | (_, 0) if grouped(digits, &[last]) => Signs::Grouping { by: last },
            (1, _) | (_, 1) if plain(after) && grouped(before, &[other]) => Signs::Both { decimal: last },
            _ => return None,
        };
        Some(Self { body, exponent: exponent.unwrap_or("0"), signs })
    }

    /// Returns the value of the number; `decimal` is the decimal sign, if there is one.
    fn value(&self, decimal: Option<char>) -> Option<f64> {
        let mut plain = self.plain(decimal);
        plain.push('e');
        plain.extend(translated(self.exponent, None));
        parse_number(&plain)
    }

    /// Returns the number without its exponent, with a decimal point and without grouping.
    fn plain(&self, decimal: Option<char>) -> String {
        translated(self.body, decimal).collect()
    }
}

/// Returns the characters of a number with a decimal point and without grouping.
fn translated(text: &str, decimal: Option<char>) -> impl Iterator<Item = char> {
    text.chars().filter_map(move |c| match c {
        MINUS => Some('-'),
        c if Some(c) == decimal => Some('.'),
        c if matches!(c, '.' | ',') || SPACES.contains(&c) => None,
        c => Some(c),
    })
}

/// The typographic minus.
const MINUS: char = '\u{2212}';

/// Characters that group digits by thousands and cannot be a decimal sign: spaces, also unbreakable ones, and
/// apostrophes.
const SPACES: [char; 6] = [' ', '\u{a0}', '\u{202f}', '\u{2009}', '\'', '\u{2019}'];

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2000))]

        /// Also subnormal numbers, those beyond the largest one, and halves between two numbers are rounded as the standard
        /// library does it.
        #[test]
        fn numbers_are_those_of_the_standard_library(text in "-?[0-9]{1,25}(\\.[0-9]{1,25})?(e-?[0-9]{1,3})?", bits: u64) {
            let read = |text: &str| Numbers::POINT.read(text);
            let expected: f64 = text.parse().unwrap();
            // A number such as 1.234 has two readings.
            match read(&text) {
                Ok(value) => prop_assert_eq!(value.to_bits(), expected.to_bits(), "{}", text),
                Err(why) => prop_assert_eq!(why, NotANumber::Unclear, "{}", text),
            }
            let value = f64::from_bits(bits);
            prop_assume!(value.is_finite());
            for text in [format!("{value:e}"), format!("{value:.40e}")] {
                prop_assert_eq!(read(&text), Ok(value), "{}", text);
            }
        }
    }

    #[test]
    fn both_readings_of_a_number_are_named() {
        for (text, expected) in [
            ("1,234", "\"1,234\" is 1234 with decimal points, but 1.234 with decimal commas"),
            ("-12.500", "\"-12.500\" is -12.5 with decimal points, but -12500 with decimal commas"),
            ("+1.000", "\"+1.000\" is 1 with decimal points, but 1000 with decimal commas"),
        ] {
            assert_eq!(readings(text), expected);
        }
    }
}
