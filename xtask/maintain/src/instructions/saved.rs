//! The reference counts, in a file of the repository.

use std::fmt::Write;
use std::path::PathBuf;

use anyhow::{Context, Result, bail};

use super::counts::{CALLS, Counts};

/// Saved counts, with the compiler of the libraries.
#[derive(Clone, Debug, PartialEq)]
pub struct Saved {
    /// Version of the compiler.
    pub release: String,
    /// Counts of the components.
    pub components: Vec<Counts>,
}

/// Relative tolerance for the same compiler, for other functions of another C library.
const SAME: f64 = 0.05;
/// Relative tolerance for another compiler.
const OTHER: f64 = 0.3;
/// Tolerance in instructions, for calls with few instructions.
const FEW: u64 = 5;

fn path() -> PathBuf {
    xtask::paths::root().join("tests").join("instructions.toml")
}

impl Saved {
    /// Reads the file.
    pub fn read() -> Result<Self> {
        let text = fs_err::read_to_string(path()).context("cargo xtask instructions --save writes it")?;
        Self::parse(&text).with_context(|| format!("{}: cargo xtask instructions --save writes it", path().display()))
    }

    /// Writes the file.
    pub fn write(&self) -> Result<()> {
        Ok(fs_err::write(path(), self.text())?)
    }

    /// Returns the counts of a component.
    pub fn of(&self, component: &str) -> Option<[u64; CALLS.len()]> {
        self.components.iter().find(|counts| counts.component == component).map(|counts| counts.counts)
    }

    fn parse(text: &str) -> Result<Self> {
        let mut tables: toml::Table = text.parse()?;
        let release = tables.remove("rustc").context("rustc is missing")?;
        let release = release.as_str().context("rustc must be a text")?.to_owned();
        let counts = |(component, table): (String, toml::Value)| {
            let count = |call: &str| {
                let count = table.get(call).and_then(toml::Value::as_integer).and_then(|count| count.try_into().ok());
                count.with_context(|| format!("{component} has no count of \"{call}\""))
            };
            let counts = CALLS.iter().map(|call| count(call)).collect::<Result<Vec<u64>>>()?;
            Ok(Counts { counts: counts.try_into().expect("as many"), component })
        };
        Ok(Self { release, components: tables.into_iter().map(counts).collect::<Result<_>>()? })
    }

    fn text(&self) -> String {
        let mut text =
            "# Instructions of calls through the C interface, written by cargo xtask instructions --save\n".to_owned();
        writeln!(text, "rustc = \"{}\"", self.release).expect("room");
        for Counts { component, counts } in &self.components {
            write!(text, "\n[{component}]\n").expect("room");
            for (call, count) in CALLS.iter().zip(counts) {
                writeln!(text, "\"{call}\" = {count}").expect("room");
            }
        }
        text
    }

    /// Fails if a count has grown, or a component has none.
    pub fn compare(&self, release: &str, counted: &[Counts]) -> Result<()> {
        let (tolerance, compilers) = if release == self.release {
            (SAME, format!("rustc {release}"))
        } else {
            (OTHER, format!("rustc {release}, saved with {}", self.release))
        };
        let mut problems = Vec::new();
        for Counts { component, counts } in counted {
            let Some(before) = self.of(component) else {
                problems.push(format!("{component} has no saved counts"));
                continue;
            };
            for ((call, new), old) in CALLS.iter().zip(counts).zip(before) {
                if *new > old + FEW && *new as f64 > old as f64 * (1.0 + tolerance) {
                    problems.push(format!("{component}, {call}: {old} -> {new} instructions"));
                }
            }
        }
        for Counts { component, .. } in &self.components {
            if !counted.iter().any(|counts| counts.component == *component) {
                problems.push(format!("{component} has saved counts, but is not a component"));
            }
        }
        if !problems.is_empty() {
            bail!(
                "calls take more instructions ({compilers}, more than {:.0} %):\n  {}\n\
                 if the increase is justified, accept it with: cargo xtask instructions --save",
                tolerance * 100.0,
                problems.join("\n  ")
            );
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn counts(component: &str, counts: [u64; 6]) -> Counts {
        Counts { component: component.to_owned(), counts }
    }

    fn saved() -> Saved {
        let components =
            vec![counts("Brake", [30, 500, 80, 1200, 3000, 40]), counts("Clutch", [30, 500, 80, 1200, 3000, 40])];
        Saved { release: "1.95.0".to_owned(), components }
    }

    #[test]
    fn what_is_written_is_read() {
        assert_eq!(Saved::parse(&saved().text()).unwrap(), saved());
        let text = saved().text().replace("\"step\" = 3000\n", "");
        assert_eq!(Saved::parse(&text).unwrap_err().to_string(), "Brake has no count of \"step\"");
    }

    #[test]
    fn a_regression_names_component_call_counts_and_the_way_to_accept_it() {
        let worse = [counts("Brake", [35, 500, 80, 1200, 3151, 40]), counts("Clutch", [20, 500, 80, 1260, 3150, 46])];
        assert_eq!(
            saved().compare("1.95.0", &worse).unwrap_err().to_string(),
            "calls take more instructions (rustc 1.95.0, more than 5 %):\n  \
             Brake, step: 3000 -> 3151 instructions\n  \
             Clutch, state: 40 -> 46 instructions\n\
             if the increase is justified, accept it with: cargo xtask instructions --save"
        );
    }

    #[test]
    fn another_compiler_may_differ_by_more() {
        let same =
            |step| [counts("Brake", [30, 500, 80, 1200, step, 40]), counts("Clutch", [30, 500, 80, 1200, 3000, 40])];
        saved().compare("1.96.0", &same(3900)).unwrap();
        assert_eq!(
            saved().compare("1.96.0", &same(3901)).unwrap_err().to_string(),
            "calls take more instructions (rustc 1.96.0, saved with 1.95.0, more than 30 %):\n  \
             Brake, step: 3000 -> 3901 instructions\n\
             if the increase is justified, accept it with: cargo xtask instructions --save"
        );
    }

    #[test]
    fn components_come_and_go_with_their_counts() {
        let message = saved().compare("1.95.0", &[counts("Disc", [0; 6])]).unwrap_err().to_string();
        for part in [
            "Disc has no saved counts",
            "Brake has saved counts, but is not a component",
            "Clutch has saved counts, but is not a component",
        ] {
            assert!(message.contains(part), "{message}");
        }
    }
}
