//! A linear system as text: the operating point, and a table of the modes.

use comfy_table::{CellAlignment, Table, presets::NOTHING};

use super::Linearization;
use super::modes::{Mode, ModeKind};
use crate::simulate::summary::short;
use crate::simulate::trajectory::number;

/// Part of the largest participation below which a state is left out.
const PART: f64 = 0.05;
/// Part of the largest displacement of a rigid-body mode below which a state is left out.
const ZERO: f64 = 1e-6;
/// Value below which a state is zero but for rounding, whatever its unit.
const NOTHING_LEFT: f64 = 1e-15;
/// Largest number of states of a mode, of states of the operating point, and of other names.
const MAX_PARTICIPANTS: usize = 4;
const MAX_STATES: usize = 40;
const MAX_NAMES: usize = 6;

impl Linearization {
    /// Returns the operating point and the modes, one line each.
    pub fn report(&self) -> String {
        let mut parts = vec![self.head()];
        if !self.states.is_empty() {
            parts.push(self.point());
        }
        parts.extend(self.remarks());
        parts.push(self.modes_table());
        parts.retain(|part| !part.is_empty());
        parts.join("\n")
    }

    fn head(&self) -> String {
        let count = |count: usize, what: &str| fmu_builder::console::counted(count, what);
        let (states, inputs) = (count(self.states.len(), "state"), count(self.inputs.len(), "input"));
        let outputs = count(self.outputs.len(), "output");
        let place = if self.undetermined.is_some() { "at a steady state near" } else { "at" };
        let head = format!("{} {place} {} s: {states}, {inputs}, {outputs}", self.model, number(self.time));
        let none = if self.states.is_empty() { "no continuous states, so A, B and C are empty\n" } else { "" };
        format!("{head}\n{none}from {}", self.origin)
    }

    /// Returns the states with their derivatives.
    fn point(&self) -> String {
        let mut table = Table::new();
        table.load_style(NOTHING).set_header(["state", "value", "unit", "derivative"]);
        let scale = self.derivatives.iter().fold(0.0, |most: f64, value| most.max(value.abs())).max(1.0);
        for (state, derivative) in self.states.iter().zip(&self.derivatives).take(MAX_STATES) {
            let derivative = if derivative.abs() < 1e-12 * scale { 0.0 } else { *derivative };
            let unit = state.unit.clone().unwrap_or_default();
            let value = if state.value.abs() < NOTHING_LEFT { 0.0 } else { state.value };
            table.add_row([state.name.clone(), short(value), unit, short(derivative)]);
        }
        let left_out = self.states.len().saturating_sub(MAX_STATES);
        let rows = trimmed(table, &[1, 3]);
        if left_out > 0 { format!("{rows}\n… and {left_out} more") } else { rows }
    }

    /// Returns sentences about what the operating point is.
    fn remarks(&self) -> Vec<String> {
        let mut remarks = Vec::new();
        let discrete = self.discrete.iter().map(|variable| format!("{} = {}", variable.name, variable.text));
        let discrete: Vec<String> = discrete.collect();
        if !discrete.is_empty() {
            remarks.push(format!("discrete: {}", listed(&discrete, 2 * MAX_NAMES)));
        }
        if self.modes.held_motions > 0 {
            let motions = fmu_builder::console::counted(self.modes.held_motions, "relative motion");
            let names = listed(&self.modes.held, MAX_NAMES);
            let hold = if self.modes.held.len() == 1 { "holds" } else { "hold" };
            let are = if self.modes.held_motions == 1 { "is" } else { "are" };
            remarks.push(format!("stuck: {names} {hold} {motions}, which {are} not among the modes"));
        }
        match &self.undetermined {
            Some(names) if !names.is_empty() => {
                let verb = if names.len() == 1 { "is" } else { "are" };
                remarks.push(format!(
                    "not determined by the steady state: {} {verb} as near to the start as can be",
                    listed(names, MAX_NAMES)
                ));
            }
            Some(_) => {}
            None => {
                let moving = self.moving();
                if !moving.is_empty() {
                    let names: Vec<String> = moving.iter().map(|state| self.states[*state].name.clone()).collect();
                    remarks.push(format!(
                        "not a steady state: {} {}; the modes are those of small deviations from the motion",
                        listed(&names, MAX_NAMES),
                        if names.len() == 1 { "changes" } else { "change" }
                    ));
                }
            }
        }
        remarks
    }

    fn modes_table(&self) -> String {
        if self.modes.modes.is_empty() {
            return if self.states.is_empty() {
                String::new()
            } else {
                "there are no modes: nothing can move".to_owned()
            };
        }
        let mut table = Table::new();
        let header = ["mode", "frequency [Hz]", "damping ratio", "time constant [s]", "states (participation)"];
        table.load_style(NOTHING).set_header(header);
        for (at, mode) in self.modes.modes.iter().enumerate() {
            let frequency = match mode.kind {
                ModeKind::RigidBody | ModeKind::Neutral => "0".to_owned(),
                ModeKind::Oscillation => short(mode.frequency()),
                ModeKind::Exponential => String::new(),
            };
            let damping = mode.damping_ratio().filter(|_| mode.kind == ModeKind::Oscillation);
            let grows = if mode.eigenvalue.re > growth(self) { ", grows" } else { "" };
            let negligible = mode.kind == ModeKind::Oscillation && mode.eigenvalue.re.abs() <= growth(self);
            let time = mode.time_constant().filter(|_| !negligible).map(short).unwrap_or_default();
            let damping = damping.map(|ratio| if negligible { 0.0 } else { ratio }).map(short).unwrap_or_default();
            table.add_row([(at + 1).to_string(), frequency, damping, time, self.participants(mode) + grows]);
        }
        trimmed(table, &[0, 1, 2, 3])
    }

    fn participants(&self, mode: &Mode) -> String {
        let is_zero = matches!(mode.kind, ModeKind::RigidBody | ModeKind::Neutral);
        let all = mode.participants(if is_zero { ZERO } else { PART });
        let name = |state: &usize| match is_zero {
            true => self.states[*state].name.clone(),
            false => format!("{} {:.0} %", self.states[*state].name, 100.0 * mode.participation[*state]),
        };
        let names: Vec<String> = all.iter().map(name).collect();
        let names = listed(&names, MAX_PARTICIPANTS);
        if is_zero { format!("{}: {names}", mode.kind.name()) } else { names }
    }
}

/// Returns the rate in 1/s below which an oscillation neither grows nor decays.
fn growth(system: &Linearization) -> f64 {
    1e-10 * system.modes.modes.iter().fold(0.0, |most: f64, mode| most.max(mode.eigenvalue.norm()))
}

/// Returns names with commas, the last ones as a number.
fn listed(names: &[String], most: usize) -> String {
    match names.len().checked_sub(most) {
        Some(more) if more > 0 => format!("{} and {more} more", names[..most].join(", ")),
        _ => names.join(", "),
    }
}

fn trimmed(mut table: Table, right: &[usize]) -> String {
    for column in right {
        if let Some(column) = table.column_mut(*column) {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
    for column in table.column_iter_mut() {
        column.set_padding((0, 2));
    }
    table.trim_fmt()
}
