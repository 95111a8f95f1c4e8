//! Reals in messages and in configurations.

use std::fmt;

use lexical_parse_float::FromLexical;
use lexical_write_float::{Options, ToLexicalWithOptions, format};

/// Formats a Real with the fewest digits that read back as the same value. The standard library's formatting would add
/// several kilobytes to each FMU.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Number(pub f64);

impl fmt::Display for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const OPTIONS: Options = Options::new();
        let mut buffer = [0; OPTIONS.buffer_size_const::<f64, { format::STANDARD }>()];
        let digits = self.0.to_lexical_with_options::<{ format::STANDARD }>(&mut buffer, &OPTIONS);
        f.write_str(str::from_utf8(digits).unwrap_or_default())
    }
}

/// Reads a Real in decimal digits, such as `-1.5e-3`. The standard library's tables for that would be ten kilobytes of each
/// FMU.
pub fn parse_number(text: &str) -> Option<f64> {
    f64::from_lexical(text.as_bytes()).ok()
}

/// Returns a Real as it is written in a configuration.
pub fn real_text(value: f64) -> String {
    format!("{:016x}", value.to_bits())
}

/// Reads a finite Real from a text of a configuration.
pub fn real(text: &str) -> Option<f64> {
    let (digits, _) = text.split_once(' ').unwrap_or((text, ""));
    let value = f64::from_bits(u64::from_str_radix(digits, 16).ok()?);
    (digits.len() == 16 && value.is_finite()).then_some(value)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn a_number_is_given_back(bits: u64) {
            let value = f64::from_bits(bits);
            prop_assume!(value.is_finite());
            prop_assert_eq!(Number(value).to_string().parse::<f64>().unwrap().to_bits(), bits);
        }
    }

    #[test]
    fn numbers_look_usual() {
        let shown = [1.0, -0.2, 1e-3, 4.5e6, f64::NAN, f64::INFINITY].map(|value| Number(value).to_string());
        assert_eq!(shown, ["1.0", "-0.2", "0.001", "4500000.0", "NaN", "inf"]);
    }
}
