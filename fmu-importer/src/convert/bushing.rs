//! A bushing of a property file, in SI units, and its configuration.

use std::fmt::Write;

use mechanics::lookup_table::{Extrapolation, LookupTable, Smoothness};
use spreadsheet::units::Unit;

use super::teim_orbit::{Block, number};
use super::units::Units;

/// The directions, in their order in property files.
pub const DIRECTIONS: [&str; 6] = ["FX", "FY", "FZ", "TX", "TY", "TZ"];

/// Argument, in m or rad, up to which a straight line stands for a constant beside curves.
const STRAIGHT: f64 = 0.01;

/// A bushing in SI units.
#[derive(Debug)]
pub struct Bushing {
    /// Stiffness of forces, then of moments.
    pub stiffness: [Stiffness; 6],
    /// Constant damping of forces, then of moments.
    pub damping: [f64; 6],
    /// Smoothness with which the program of the file joins the points of curves.
    pub smoothness: Smoothness,
    /// Entries of the file that have no counterpart and whose effect is unknown.
    pub left_out: Vec<String>,
}

/// Stiffness against a displacement or an angle.
#[derive(Clone, Debug, PartialEq)]
pub enum Stiffness {
    /// Constant stiffness in N/m or N.m/rad.
    Constant(f64),
    /// Curve of displacement and the force that resists it, or of angle and moment.
    Spline(Vec<[f64; 2]>),
}

impl Bushing {
    /// Returns the configuration in TOML.
    pub fn configuration(&self, file: &str) -> String {
        let (mut structure, mut parameters, mut symmetry) = (String::new(), String::new(), "");
        let sides = [("TS", "TD", ["x", "y", "z"]), ("RS", "RD", ["1", "2", "3"])];
        for ((stiffness, damping, axes), first) in sides.into_iter().zip([0, 3]) {
            let of = &self.stiffness[first..first + 3];
            let constants: Vec<_> =
                of.iter().map(|one| if let Stiffness::Constant(k) = one { *k } else { 0.0 }).collect();
            if of.iter().all(|one| matches!(one, Stiffness::Constant(_))) {
                let _ = writeln!(parameters, "{stiffness} = {constants:?}");
            } else {
                let _ = writeln!(structure, "law_{stiffness} = \"curve\"");
                let _ = writeln!(parameters, "sm_{stiffness} = \"{}\"", name(self.joined(of)));
                // The file has curves for both signs.
                symmetry = "allowAsymmetry = true\n";
                for (one, axis) in of.iter().zip(axes) {
                    let points = match one {
                        Stiffness::Constant(k) => vec![[0.0, 0.0], [STRAIGHT, STRAIGHT * k]],
                        Stiffness::Spline(points) => points.clone(),
                    };
                    let rows: String = points.iter().map(|point| format!("    {point:?},\n")).collect();
                    let _ = writeln!(parameters, "{stiffness}_curve_{axis} = [\n{rows}]");
                }
            }
            let _ = writeln!(parameters, "{damping} = {:?}", &self.damping[first..first + 3]);
        }
        let section = if structure.is_empty() { String::new() } else { format!("[structure]\n{structure}\n") };
        let file: String = file.chars().filter(|character| !character.is_control()).collect();
        format!("# From {file}, in SI units.\ncomponent = \"bushing\"\n\n{section}[parameters]\n{symmetry}{parameters}")
    }

    /// Returns notes on the curves for which straight lines are taken.
    pub fn notes(&self) -> Vec<String> {
        let of_kind = |(name_of_kind, first): (&str, usize)| {
            let swinging = (first..first + 3).filter(|direction| self.swings_out(&self.stiffness[*direction]));
            let names: Vec<_> = swinging.map(|direction| DIRECTIONS[direction]).collect();
            (!names.is_empty()).then(|| {
                format!(
                    "between the points of {} a spline overshoots to loads that do not resist: sm_{name_of_kind} = linear \
                     instead of {}",
                    names.join(", "),
                    name(self.smoothness)
                )
            })
        };
        [("TS", 0), ("RS", 3)].into_iter().filter_map(of_kind).collect()
    }

    /// Returns how the curves of a kind are joined: by straight lines if a spline would give one of them loads that do
    /// not resist.
    fn joined(&self, of: &[Stiffness]) -> Smoothness {
        if of.iter().any(|one| self.swings_out(one)) { Smoothness::Linear } else { self.smoothness }
    }

    /// Returns true if the spline between the points gives loads that do not resist, as at a clearance, and lines do
    /// not.
    fn swings_out(&self, stiffness: &Stiffness) -> bool {
        let Stiffness::Spline(points) = stiffness else { return false };
        let resists = |smoothness| {
            let table = LookupTable::new(points, smoothness, Extrapolation::Linear);
            table.is_ok_and(|table| table.opposite_sign_point(table.value(0, 0.0)).is_none())
        };
        resists(Smoothness::Linear) && !resists(self.smoothness)
    }
}

/// Returns the smoothness as an option of the bushing.
fn name(smoothness: Smoothness) -> &'static str {
    match smoothness {
        Smoothness::Linear => "linear",
        Smoothness::Spline => "spline",
        Smoothness::Akima => "akima",
    }
}

/// Returns the stiffness or damping of a key, in SI units.
pub fn coefficient(block: &Block, key: &str, unit: &Unit) -> Result<f64, String> {
    let value = block.values.iter().find(|(known, ..)| known == key);
    let (_, value, line) = value.ok_or_else(|| format!(":{}: [{}] has no {key}", block.line, block.name))?;
    if number(value, *line)? < 0.0 {
        return Err(format!(":{line}: {key} is {value}, but must be at least 0"));
    }
    converted(value, *line, unit)
}

/// Returns the note that a block is not read.
pub fn unknown_block(block: &Block) -> String {
    format!("line {}: [{}] is unknown and ignored", block.line, block.name)
}

/// Returns notes on the keys of a block that are not read.
pub fn unknown_keys(block: &Block, is_known: impl Fn(&str) -> bool) -> impl Iterator<Item = String> {
    let unknown = block.values.iter().filter(move |(key, ..)| !is_known(key));
    unknown.map(|(key, _, line)| format!("line {line}: {key} in [{}] is unknown and ignored", block.name))
}

/// Returns a number in SI units.
fn converted(text: &str, line: usize, unit: &Unit) -> Result<f64, String> {
    let value = unit.to_si(number(text, line)?);
    if value.is_finite() { Ok(value) } else { Err(format!(":{line}: \"{text}\" is too large")) }
}

/// Returns true if a heading is that of forces or moments.
fn is_load(heading: &str) -> bool {
    ["FORCE", "TORQUE"].iter().any(|word| heading.starts_with(word)) || DIRECTIONS.contains(&heading)
}

/// Returns true if a heading is that of displacements or angles.
fn is_argument(heading: &str) -> bool {
    ["DISP", "ANGLE"].iter().any(|word| heading.starts_with(word))
        || ["X", "Y", "Z", "AX", "AY", "AZ"].contains(&heading)
}

/// Returns the points of a block, on both sides of 0.
pub fn curve(block: &Block, units: &Units) -> Result<Vec<[f64; 2]>, String> {
    let name = &block.name;
    let mut headings = block.headings.iter().map(String::as_str);
    if headings.next().is_some_and(is_load) || headings.next().is_some_and(is_argument) {
        let headings = block.headings.join(", ");
        return Err(format!(
            ":{}: [{name}] has the columns {headings}, but must have displacement (disp, x, ax) and then force (force, fx, tx)",
            block.line
        ));
    }
    let mut points: Vec<[f64; 2]> = Vec::new();
    for (cells, line) in &block.rows {
        let [argument, load] = &cells[..] else {
            return Err(format!(":{line}: the row has {} instead of 2 cells, displacement and force", cells.len()));
        };
        let point = [converted(argument, *line, &units.argument)?, converted(load, *line, &units.load)?];
        if points.last().is_some_and(|last| last[0] >= point[0]) {
            return Err(format!(":{line}: displacements must increase"));
        }
        points.push(point);
    }
    if points.len() < 2 {
        return Err(format!(":{}: [{name}] must have two rows or more", block.line));
    }
    // A curve without points below 0 would be taken for an odd one.
    if points[0][0] >= 0.0 || points[points.len() - 1][0] <= 0.0 {
        return Err(format!(":{}: [{name}] must have displacements on both sides of 0", block.line));
    }
    Ok(points)
}
