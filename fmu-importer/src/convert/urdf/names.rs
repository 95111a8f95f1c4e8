//! Names of parts, which are letters, digits and underscores, and differ.

use std::collections::BTreeSet;

/// Names that are taken.
#[derive(Debug, Default)]
pub struct Names(BTreeSet<String>);

impl Names {
    /// Takes a name like this one, with the suffix where it is taken, and then with a number.
    pub fn take(&mut self, wanted: &str, suffix: &str) -> String {
        let base = identifier(wanted);
        let with_suffix = format!("{base}{suffix}");
        let numbered = (2..).map(|number| format!("{with_suffix}{number}"));
        let free = [base, with_suffix.clone()].into_iter().chain(numbered).find(|name| !self.0.contains(name));
        let name = free.unwrap_or(with_suffix);
        self.0.insert(name.clone());
        name
    }
}

/// Returns a name with only letters, digits and underscores, which begins with a letter.
pub fn identifier(text: &str) -> String {
    let cleaned: String = text.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
    let is_name = cleaned.starts_with(|first: char| first.is_ascii_alphabetic());
    if is_name { cleaned } else { format!("part_{}", cleaned.trim_start_matches('_')) }
}
