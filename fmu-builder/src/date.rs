//! The date in an archive: never from the clock, only from `SOURCE_DATE_EPOCH`.

use time::UtcDateTime;

use crate::error::Error;

/// A date and time in UTC, of the years 1970 to 9999.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Date(pub UtcDateTime);

impl Date {
    /// Returns the date of `SOURCE_DATE_EPOCH`, if it is set.
    pub fn from_environment() -> Result<Option<Date>, Error> {
        let text = std::env::var_os("SOURCE_DATE_EPOCH");
        text.map(|text| Self::parse(&text.to_string_lossy())).transpose()
    }

    /// Reads the date of a number of seconds since 1970.
    pub fn parse(text: &str) -> Result<Date, Error> {
        // Year 9999 is the last that xs:dateTime writes with four digits, and the last that there is here.
        let seconds = text.trim().parse::<u64>().ok().and_then(|seconds| i64::try_from(seconds).ok());
        let date = seconds.and_then(|seconds| UtcDateTime::from_unix_timestamp(seconds).ok());
        date.map(Date).ok_or_else(|| Error::Epoch(text.to_owned()))
    }
}

impl std::fmt::Display for Date {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let (year, month, day) = self.0.to_calendar_date();
        let (hour, minute, second) = self.0.as_hms();
        write!(f, "{year:04}-{:02}-{day:02}T{hour:02}:{minute:02}:{second:02}Z", u8::from(month))
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
