//! A hysteresis loop in a file, and the configuration of a bushing with it.

use std::fmt::Write;
use std::path::Path;

use anyhow::{Context, Result, anyhow, ensure};
use spreadsheet::table::{TableOptions, table};

use super::hysteresis::{Hysteresis, hysteresis};
use crate::fit::AxisKind;
use crate::values::file;

/// Deviation from the width of the loop above which it is reported.
const LARGE_DEVIATION: f64 = 0.1;

/// Returns a value with six digits: more would not be known.
fn rounded(value: f64) -> f64 {
    format!("{value:.5e}").parse().unwrap_or(value)
}

/// A loop that was read.
pub struct Loop {
    kind: AxisKind,
    /// Number of the axis, from 0 to 2.
    axis: usize,
    found: Hysteresis,
    /// Message about the reading of the file, in one line.
    pub read: String,
}

impl Loop {
    /// Reads displacement and load from a table. The axis is x, y, z or 1, 2, 3; without one, the units decide between x and
    /// the first angle.
    ///
    /// # Errors
    ///
    /// When the file cannot be read, has no units, or holds no closed loop.
    pub fn read(path: &Path, form: &TableOptions, axis: Option<char>) -> Result<Self> {
        let content = file::read(path, fmu_runtime::MAX_DATA_BYTES)?;
        let shown = path.to_string_lossy();
        let kinds = [AxisKind::Translation, AxisKind::Rotation];
        let chosen = kinds.into_iter().filter(|kind| axis.is_none_or(|axis| kind.names().contains(&axis)));
        let units = |kind| if kind == AxisKind::Translation { ["m", "N"] } else { ["rad", "N.m"] };
        let mut results = chosen.map(|kind| (kind, table(&shown, &content, form, &units(kind), false)));
        let first = results.next().ok_or_else(|| anyhow!("the axis is one of x, y, z, 1, 2, 3"))?;
        let (kind, rows) = match first {
            (kind, Ok(rows)) => (kind, rows),
            (_, Err(problem)) => match results.find_map(|(kind, rows)| Some((kind, rows.ok()?))) {
                Some(found) => found,
                None => {
                    return Err(anyhow!(
                        "the columns must be displacement and load, in this order: {}",
                        problem.message
                    ));
                }
            },
        };
        let origin = &rows.origin;
        ensure!(
            !rows.assumed,
            "{origin} gives no units: use headings such as \"displacement [mm]\" and \"force [N]\", or --units mm,N"
        );
        let points: Vec<[f64; 2]> = rows.numbers.as_chunks().0.to_vec();
        let found = hysteresis(&points).with_context(|| origin.clone())?;
        let axis = axis.and_then(|axis| kind.names().iter().position(|name| *name == axis)).unwrap_or_default();
        Ok(Self { kind, axis, found, read: rows.found })
    }

    /// Returns the letter of the kind, the load, and their units.
    fn words(&self) -> [&'static str; 5] {
        match self.kind {
            AxisKind::Translation => ["T", "F", "x [m]", "F [N]", "N/m"],
            AxisKind::Rotation => ["R", "M", "theta [rad]", "M [N.m]", "N.m/rad"],
        }
    }

    /// Returns the heading of the displacements or angles in the mean curve.
    pub fn argument(&self) -> &'static str {
        self.words()[2]
    }

    /// Returns the mean curve, as a table with headings.
    pub fn curve(&self) -> String {
        let [_, _, argument, load, _] = self.words();
        let mut text = format!("{argument},{load}\n");
        for [x, value] in &self.found.curve {
            let _ = writeln!(text, "{:?},{:?}", rounded(*x), rounded(*value));
        }
        text
    }

    /// Returns the configuration in TOML, with the curve in a file beside it.
    pub fn configuration(&self, origin: &str, curve: &str) -> String {
        let [letter, load, ..] = self.words();
        let name = self.kind.names()[self.axis];
        let quoted = |text: &str| serde_json::Value::from(text).to_string();
        let origin: String = origin.chars().filter(|character| !character.is_control()).collect();
        let (mut structure, mut parameters) = (format!("law_{letter}S = \"curve\"\n"), String::new());
        let _ = writeln!(parameters, "{letter}S_curve_{name} = {{ file = {} }}", quoted(curve));
        if let Some(friction) = self.found.friction {
            let _ = writeln!(structure, "friction_{letter} = true");
            let values = friction.map(|value| {
                let mut axes = [0.0; 3];
                axes[self.axis] = rounded(value);
                axes
            });
            let _ = writeln!(parameters, "{letter}S_friction = {:?}", values[0]);
            let _ = writeln!(parameters, "{letter}{load}_friction = {:?}", values[1]);
            // The losses are those of the friction.
            let _ = writeln!(parameters, "\"{letter}D[{}]\" = 0.0", self.axis + 1);
        }
        format!(
            "# Mean curve and friction of {origin}, axis {name}, in SI units. The other axes have their defaults.\n\
             component = \"bushing\"\n\n[structure]\n{structure}\n[parameters]\nallowAsymmetry = true\n{parameters}"
        )
    }

    /// Returns notes on the results, and on deviations from the law.
    pub fn notes(&self) -> Vec<String> {
        let Hysteresis { friction, deviation, of_ellipse, offset, .. } = &self.found;
        let [_, _, _, load, unit] = self.words();
        let unit_of_load = if self.kind == AxisKind::Translation { "N" } else { "N.m" };
        let mut notes = Vec::new();
        match friction {
            Some([stiffness, limit]) => notes.push(format!(
                "axis {}: friction of {} {unit} up to {} {unit_of_load}; deviation from the width of the loop: {:.1} %",
                self.kind.names()[self.axis],
                rounded(*stiffness),
                rounded(*limit),
                100.0 * deviation
            )),
            None => notes.push("the loop has hardly any width, so friction is left out".to_owned()),
        }
        if *deviation > LARGE_DEVIATION && of_ellipse < deviation {
            notes.push(
                "warning: the loop is an ellipse, as of a damper or of Maxwell elements, rather than that of friction: fit finds \
                 these from dynamic stiffness and loss angle at several frequencies"
                    .to_owned(),
            );
        } else if *deviation > LARGE_DEVIATION {
            notes.push("warning: friction does not describe the width of the loop".to_owned());
        }
        if *offset != 0.0 {
            notes.push(format!("{} {load} at displacement 0 is taken for an offset and subtracted", rounded(*offset)));
        }
        notes
    }
}
