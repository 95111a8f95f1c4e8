//! The content of a sweep file, before it is known whether the FMU has such variables.

use std::num::NonZero;

use anyhow::Result;
use toml::de::DeTable;

use crate::input::InputTable;
use crate::values::table_keys::table_options;
use crate::values::toml_file::{Entry, Keys, TomlFile};

const KEYS: [&str; 18] = [
    "fmu", "input", "sheet", "range", "columns", "units", "decimal", "delimiter", "encoding", "skip", "start", "stop",
    "step", "design", "samples", "seed", "parameters", "results",
];

/// The keys that say how the input is read.
const INPUT_KEYS: [&str; 8] = ["sheet", "range", "columns", "units", "decimal", "delimiter", "encoding", "skip"];

/// The keys of a table that describes values.
pub const SPREAD_KEYS: [&str; 7] = ["from", "to", "count", "spacing", "distribution", "mean", "deviation"];

/// The sections and settings of a sweep file.
pub struct Plan<'a> {
    pub source: &'a TomlFile,
    pub fmu: String,
    pub input: Option<String>,
    /// The way in which the input is read.
    pub table: InputTable,
    pub start: Option<f64>,
    pub stop: Option<f64>,
    pub step: Option<f64>,
    pub design: DesignKind,
    pub parameters: Vec<Entry<'a>>,
    pub results: Vec<Entry<'a>>,
}

/// Combination of the values of the parameters.
#[derive(Clone, Copy)]
pub enum DesignKind {
    /// Combines each value with each.
    Grid,
    /// Takes the first values together, then the second ones, and so on.
    Points,
    /// Draws this number of points with this seed.
    LatinHypercube { samples: usize, seed: u64 },
}

impl<'a> Plan<'a> {
    pub fn read(source: &'a TomlFile) -> Result<Self> {
        let document = source.parse()?;
        let table = document.get_ref();
        let top = Keys { source, table };
        top.only(&KEYS)?;
        let Some(fmu) = top.text("fmu")? else {
            return Err(source.error(0..0, "no FMU is given: add a line such as fmu = \"target/fmu/Clutch.fmu\""));
        };
        for key in INPUT_KEYS {
            if table.contains_key(key) && !table.contains_key("input") {
                let message = format!("{key} needs an input: add a line such as input = \"motion.xlsx\"");
                return Err(source.error(0..0, message));
            }
        }
        let mut input = InputTable { options: table_options(&top)?, skip: top.texts("skip")?, ..InputTable::default() };
        let columns = top.texts("columns")?;
        input
            .name_columns(&columns)
            .map_err(|what| source.error(top.span("columns"), format_args!("columns: {what}")))?;
        Ok(Self {
            source,
            fmu,
            input: top.text("input")?,
            table: input,
            start: top.real("start")?,
            stop: top.real("stop")?,
            step: top.real("step")?,
            design: design(&top)?,
            parameters: top.section("parameters", |table| !is_spread(table))?,
            results: top.section("results", |_| true)?,
        })
    }
}

/// Returns true if a table describes values; otherwise it continues a name: `frame_a.r_0 = …`.
fn is_spread(table: &DeTable) -> bool {
    table.keys().any(|key| SPREAD_KEYS.contains(&key.get_ref().as_ref()))
}

/// Returns the combination of values.
fn design(top: &Keys<'_, '_>) -> Result<DesignKind> {
    let samples = top.whole::<NonZero<usize>>("samples", "a whole number from 1 on")?;
    let seed = top.whole("seed", "a whole number from 0 on")?;
    let design = top.text("design")?;
    match design.as_deref() {
        None | Some("grid" | "points") => {
            if let Some(key) = ["samples", "seed"].into_iter().find(|key| top.table.contains_key(*key)) {
                let message = format!("`{key}` needs design = \"latinHypercube\"; other designs have none");
                return Err(top.source.error(top.span(key), message));
            }
            Ok(if design.as_deref() == Some("points") { DesignKind::Points } else { DesignKind::Grid })
        }
        Some("latinHypercube") => match samples {
            Some(samples) => Ok(DesignKind::LatinHypercube { samples: samples.get(), seed: seed.unwrap_or(0) }),
            None => {
                let message = "the number of points is missing: add a line such as samples = 100";
                Err(top.source.error(top.span("design"), message))
            }
        },
        Some(other) => {
            let message = format!("unknown design `{other}`; available: \"grid\", \"points\" and \"latinHypercube\"");
            Err(top.source.error(top.span("design"), message))
        }
    }
}

#[cfg(test)]
mod tests {
    use spreadsheet::table::TableOptions;

    use super::*;

    #[test]
    fn all_keys_of_tables_are_known() {
        for keys in [&KEYS[..], &INPUT_KEYS[..]] {
            assert!(TableOptions::TEXT_KEYS.iter().all(|key| keys.contains(key)), "{keys:?}");
        }
    }
}
