//! `documentation/licenses/license.txt`: under which licences an FMU may be used.

use std::collections::BTreeMap;
use std::fmt::Write;

use super::Origin;

const NOT_STATED: &str = "not stated";

impl Origin {
    /// The licence of the FMU, those of the packages in it, and each text of them once.
    pub(crate) fn licenses(&self) -> String {
        let license = self.license.as_deref();
        let mut text = match license {
            Some(license) => format!("This FMU is licensed under {license}.\n"),
            None => "The licence of this FMU is not stated.\n".to_owned(),
        };
        let named: Vec<_> =
            self.packages.iter().map(|package| (format!("{} {}", package.name, package.version), package)).collect();
        if !named.is_empty() {
            text += "\nIts libraries contain these packages, each under its own licence:\n\n";
        }
        let width = named.iter().map(|(name, _)| name.len()).max().unwrap_or_default();
        // Texts are the same if they differ in line breaks and indentation only.
        let mut texts: BTreeMap<Vec<&str>, (&str, Vec<&str>)> = BTreeMap::new();
        for (name, package) in &named {
            let license = package.license.as_deref().unwrap_or(NOT_STATED);
            let _ = writeln!(text, "    {name:width$}  {license}");
            for own in &package.texts {
                let words = own.split_whitespace().collect();
                texts.entry(words).or_insert((own.trim(), Vec::new())).1.push(name);
            }
        }
        // In the order of the packages.
        let mut texts: Vec<_> = texts.into_values().collect();
        texts.sort_by(|a, b| a.1.cmp(&b.1).then(a.0.cmp(b.0)));
        for (own, packages) in texts {
            let _ = write!(text, "\n{}\n{}:\n\n{own}\n", "-".repeat(72), packages.join(", "));
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use crate::origin::{Origin, Package};

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
    fn each_text_stands_once_under_the_names_of_its_packages() {
        let packages = vec![
            package("first", Some("MIT"), &["Do as you like.\n"]),
            package("second", None, &[]),
            package("third", Some("MIT AND Zlib"), &["Credit us.\n", "\nDo as\n  you like."]),
        ];
        let origin = Origin { license: Some("Zlib".to_owned()), packages };
        let line = "-".repeat(72);
        assert_eq!(
            origin.licenses(),
            format!(
                "This FMU is licensed under Zlib.\n\n\
                 Its libraries contain these packages, each under its own licence:\n\n    \
                 first 1.0.0   MIT\n    second 1.0.0  not stated\n    third 1.0.0   MIT AND Zlib\n\n\
                 {line}\nfirst 1.0.0, third 1.0.0:\n\nDo as you like.\n\n\
                 {line}\nthird 1.0.0:\n\nCredit us.\n"
            )
        );
    }

    #[test]
    fn a_missing_licence_is_said_to_be_missing() {
        assert_eq!(Origin::default().licenses(), "The licence of this FMU is not stated.\n");
    }
}
