//! `fmi = 3` at the top: the versions of the standard for which FMUs are made.

use fmu_exchange::Standard;

use super::entry::{Entry, Section, Settings};
use super::location::Location;
use super::value::{Data, Value};
use crate::error::Error;

/// Name of the entry.
pub(super) const FMI: &str = "fmi";

impl Settings {
    /// Chooses the versions of the standard in place of those that the settings give.
    pub fn set_standards(&mut self, standards: &[Standard]) {
        let number = |standard: &Standard| match standard {
            Standard::Fmi2 => Data::Integer(2),
            Standard::Fmi3 => Data::Integer(3),
        };
        let location = Location::Command { option: "--fmi ", text: "".into() };
        let values = standards.iter().map(|standard| Value { location: location.clone(), data: number(standard) });
        let value = Value { location: location.clone(), data: Data::Array(values.collect()) };
        self.entries.push(Entry { section: Section::Command, name: FMI.to_owned(), location, value });
    }

    /// The versions of the standard, each once; FMI 2.0 unless the settings say something else.
    ///
    /// # Errors
    ///
    /// When the settings name an unknown version.
    pub fn standards(&self) -> Result<Vec<Standard>, Error> {
        let Some(entry) = self.head(FMI) else { return Ok(vec![Standard::Fmi2]) };
        let wrong = |value: &Value| Error::Settings(vec![value.problem(FMI, "must be 2, 3 or [2, 3]")]);
        let is_quoted = matches!((&entry.value.data, &entry.location), (Data::Text(_), Location::File { .. }));
        let values = if is_quoted { Vec::new() } else { entry.value.entries() };
        let mut standards = Vec::new();
        for value in &values {
            let standard = match value.data {
                Data::Integer(2) => Standard::Fmi2,
                Data::Integer(3) => Standard::Fmi3,
                _ => return Err(wrong(value)),
            };
            if !standards.contains(&standard) {
                standards.push(standard);
            }
        }
        if standards.is_empty() { Err(wrong(&entry.value)) } else { Ok(standards) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn given(text: &str) -> Result<Vec<Standard>, String> {
        let settings = Settings::from_text("a.toml".to_owned(), text.to_owned());
        settings.and_then(|settings| settings.standards()).map_err(|error| error.to_string())
    }

    #[test]
    fn the_versions_are_two_and_three() {
        use Standard::{Fmi2, Fmi3};
        for (text, expected) in [
            ("", &[Fmi2][..]),
            ("fmi = 2", &[Fmi2]),
            ("fmi = 3", &[Fmi3]),
            ("fmi = [2, 3]", &[Fmi2, Fmi3]),
            ("fmi = [3, 3]", &[Fmi3]),
        ] {
            assert_eq!(given(text).as_deref(), Ok(expected), "{text}");
        }
        let mut settings = Settings::default();
        settings.set("fmi=3").unwrap();
        assert_eq!(settings.standards().unwrap(), [Fmi3]);
        settings.set("fmi=2,3").unwrap();
        assert_eq!(settings.standards().unwrap(), [Fmi2, Fmi3]);
        settings.set("fmi=1").unwrap();
        assert_eq!(settings.standards().unwrap_err().to_string(), "--set fmi=1: must be 2, 3 or [2, 3]");
        for (text, value) in [("fmi = 3.0", "3.0"), ("fmi = \"3\"", "\"3\""), ("fmi = [2, true]", "true")] {
            let message = given(text).unwrap_err();
            assert!(message.ends_with(&format!("fmi = {value}: must be 2, 3 or [2, 3]")), "{message}");
        }
        assert!(given("fmi = []").unwrap_err().ends_with("fmi = []: must be 2, 3 or [2, 3]"));
    }
}
