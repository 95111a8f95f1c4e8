//! `documentation/licenses/license.txt`: the licences of an FMU.

use std::collections::BTreeMap;
use std::fmt::Write;

use super::Origin;

const NOT_STATED: &str = "not stated";

/// The start of the terms of MIT and Boost, after the packages' own notices.
const TERMS: &str = "Permission is hereby granted";

/// Notices before the same terms, with the packages that have them.
type Notices<'a> = BTreeMap<&'a str, Vec<&'a str>>;

impl Origin {
    /// Returns the licence of `what`, those of the packages in it, and each licence text once, under its copyright
    /// notices.
    pub fn licenses(&self, what: &str) -> String {
        let license = self.license.as_deref();
        let mut text = match license {
            Some(license) => format!("This {what} is licensed under {license}.\n"),
            None => format!("The licence of this {what} is not stated.\n"),
        };
        let named: Vec<_> =
            self.packages.iter().map(|package| (format!("{} {}", package.name, package.version), package)).collect();
        if !named.is_empty() {
            text += "\nIts libraries contain these packages, each under its own licence:\n\n";
        }
        let width = named.iter().map(|(name, _)| name.len()).max().unwrap_or_default();
        // Texts are the same if they differ in line breaks and indentation only.
        let mut texts: BTreeMap<Vec<&str>, (&str, Notices<'_>)> = BTreeMap::new();
        for (name, package) in &named {
            let license = package.license.as_deref().unwrap_or(NOT_STATED);
            let _ = writeln!(text, "    {name:width$}  {license}");
            for own in &package.texts {
                let (notice, terms) = own.trim().split_at(own.trim().find(TERMS).unwrap_or_default());
                let (_, notices) = texts.entry(terms.split_whitespace().collect()).or_insert((terms, BTreeMap::new()));
                notices.entry(notice.trim()).or_default().push(name);
            }
        }
        // Similar texts follow each other, which makes the archive smaller.
        for (terms, notices) in texts.into_values() {
            let _ = write!(text, "\n{}\n", "-".repeat(72));
            for (notice, packages) in notices {
                let gap = if notice.is_empty() { "" } else { "\n\n" };
                let _ = write!(text, "{}:\n\n{notice}{gap}", packages.join(", "));
            }
            let _ = writeln!(text, "{terms}");
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use crate::archive::origin::{Origin, Package};

    fn package(name: &str, license: Option<&str>, texts: &[&str]) -> Package {
        Package {
            name: name.to_owned(),
            version: "1.0.0".to_owned(),
            license: license.map(str::to_owned),
            texts: texts.iter().map(|text| (*text).to_owned()).collect(),
            ..Package::default()
        }
    }

    #[test]
    fn each_text_stands_once_under_the_notices_of_its_packages() {
        let packages = vec![
            package("first", Some("MIT"), &["© 2025\n\nPermission is hereby granted to all.\n"]),
            package("second", None, &[]),
            package(
                "third",
                Some("MIT AND Zlib"),
                &["Credit us.\n", "\n© 2026\nPermission is hereby granted\n to all."],
            ),
            package("fourth", Some("MIT"), &["© 2025\nPermission is hereby granted to all."]),
        ];
        let origin = Origin { license: Some("Zlib".to_owned()), packages };
        let line = "-".repeat(72);
        assert_eq!(
            origin.licenses("FMU"),
            format!(
                "This FMU is licensed under Zlib.\n\n\
                 Its libraries contain these packages, each under its own licence:\n\n    \
                 first 1.0.0   MIT\n    second 1.0.0  not stated\n    third 1.0.0   MIT AND Zlib\n    \
                 fourth 1.0.0  MIT\n\n\
                 {line}\nthird 1.0.0:\n\nCredit us.\n\n\
                 {line}\nfirst 1.0.0, fourth 1.0.0:\n\n© 2025\n\nthird 1.0.0:\n\n© 2026\n\n\
                 Permission is hereby granted to all.\n"
            )
        );
    }

    #[test]
    fn a_missing_licence_is_said_to_be_missing() {
        assert_eq!(Origin::default().licenses("FMU"), "The licence of this FMU is not stated.\n");
    }
}
