//! Numbers in messages and tables.

/// Returns a number in short form: few zeros, few digits.
pub(crate) fn number(value: f64) -> String {
    if value != 0.0 && !(1e-3..1e6).contains(&value.abs()) { format!("{value:e}") } else { format!("{value}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_short() {
        for (value, text) in [(0.0, "0"), (4_500_000.0, "4.5e6"), (0.25, "0.25"), (-1e-4, "-1e-4"), (12_000.0, "12000")]
        {
            assert_eq!(number(value), text);
        }
    }
}
