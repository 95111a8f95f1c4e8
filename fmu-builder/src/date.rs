//! The date in an archive: never from the clock, only from `SOURCE_DATE_EPOCH`.

use crate::error::Error;

/// A civil date and time in UTC.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Date {
    pub year: u64,
    pub month: u8,
    pub day: u8,
    pub hour: u8,
    pub minute: u8,
    pub second: u8,
}

impl Date {
    /// The date of `SOURCE_DATE_EPOCH`, if it is set.
    pub fn from_environment() -> Result<Option<Date>, Error> {
        let Some(text) = std::env::var_os("SOURCE_DATE_EPOCH") else {
            return Ok(None);
        };
        let text = text.to_string_lossy();
        Self::parse(&text).map(Some)
    }

    /// The date of a number of seconds since 1970.
    pub fn parse(text: &str) -> Result<Date, Error> {
        // Year 9999 is the last that xs:dateTime writes with four digits.
        match text.trim().parse::<u64>() {
            Ok(seconds) if seconds <= 253_402_300_799 => Ok(Self::from_seconds(seconds)),
            _ => Err(Error::Epoch(text.to_owned())),
        }
    }

    /// Howard Hinnant's `civil_from_days`, for days since 1970.
    fn from_seconds(seconds: u64) -> Date {
        let days = seconds / 86_400 + 719_468;
        let era = days / 146_097;
        let day_of_era = days % 146_097;
        let year_of_era = (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
        let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
        let shifted_month = (5 * day_of_year + 2) / 153;
        let month = if shifted_month < 10 { shifted_month + 3 } else { shifted_month - 9 };
        Date {
            year: era * 400 + year_of_era + u64::from(month <= 2),
            month: month as u8,
            day: (day_of_year - (153 * shifted_month + 2) / 5 + 1) as u8,
            hour: (seconds / 3_600 % 24) as u8,
            minute: (seconds / 60 % 60) as u8,
            second: (seconds % 60) as u8,
        }
    }
}

impl std::fmt::Display for Date {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Date { year, month, day, hour, minute, second } = self;
        write!(f, "{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}Z")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_are_civil() {
        for (seconds, text) in [
            ("0", "1970-01-01T00:00:00Z"),
            ("951782399", "2000-02-28T23:59:59Z"),
            ("951782400", "2000-02-29T00:00:00Z"),
            ("1767225600", "2026-01-01T00:00:00Z"),
            ("253402300799", "9999-12-31T23:59:59Z"),
        ] {
            assert_eq!(Date::parse(seconds).unwrap().to_string(), text);
        }
    }

    #[test]
    fn no_number_is_refused() {
        assert_eq!(
            Date::parse("yesterday").unwrap_err().to_string(),
            "SOURCE_DATE_EPOCH is \"yesterday\"; it must be a number of seconds since 1970"
        );
    }
}
