//! The result as a person reads it.

use comfy_table::{Table, presets};
use fmu_builder::console::counted;

use super::{Calibration, Fitted};
use crate::simulate::summary::short;

/// Correlation from which on a pair of parameters is named.
const CLOSE: f64 = 0.98;

impl Calibration {
    /// Returns estimates with their intervals, correlations, and the deviations of each output.
    pub fn report(&self, fitted: &Fitted) -> String {
        let mut texts = vec![self.estimates(fitted)];
        if self.runs.parameters.len() > 1 {
            texts.push(self.correlations(fitted));
        }
        texts.push(self.deviations(fitted));
        texts.join("\n\n")
    }

    /// Returns sentences on what is doubtful.
    pub fn doubts(&self, fitted: &Fitted) -> Vec<String> {
        let name = |number: usize| format!("`{}`", self.runs.parameters[number].name);
        let mut doubts = Vec::new();
        if !fitted.found.converged {
            doubts.push("the search has not ended after 100 iterations: other start values may help".to_owned());
        }
        if self.starts > 1 && fitted.found.agreeing == 1 {
            let starts = counted(self.starts, "start");
            doubts.push(format!("only one of {starts} has led to this result; there may be a better one"));
        }
        for group in &fitted.certainty.together {
            doubts.push(match &group[..] {
                [alone] => format!("the data do not depend on {}", name(*alone)),
                _ => {
                    let names: Vec<_> = group.iter().map(|number| name(*number)).collect();
                    format!("the data cannot tell apart {}: only a combination of them is determined", names.join(", "))
                }
            });
        }
        let count = self.runs.parameters.len();
        for (one, other) in (0..count).flat_map(|one| (one + 1..count).map(move |other| (one, other))) {
            let correlation = fitted.certainty.correlation[(one, other)];
            let is_known = [one, other].iter().all(|number| fitted.certainty.errors[*number].is_finite());
            if is_known && correlation.abs() > CLOSE {
                let names = (name(one), name(other));
                doubts.push(format!(
                    "the data hardly tell {} from {}: their correlation is {correlation:.3}",
                    names.0, names.1
                ));
            }
        }
        for (number, _) in fitted.at_bounds.iter().enumerate().filter(|(_, is_at)| **is_at) {
            doubts.push(format!("{} is at its bound, {}", name(number), short(fitted.values[number])));
        }
        doubts
    }

    fn estimates(&self, fitted: &Fitted) -> String {
        let mut table = Table::new();
        table.load_style(presets::NOTHING).set_header(["parameter", "start", "value", "from", "to", "unit"]);
        for (number, parameter) in self.runs.parameters.iter().enumerate() {
            let [low, high] = match (fitted.at_bounds[number], fitted.certainty.errors[number].is_finite()) {
                (true, _) => ["at its bound".to_owned(), String::new()],
                (_, true) => fitted.intervals[number].map(short),
                (_, false) => ["undetermined".to_owned(), String::new()],
            };
            let unit = parameter.unit.clone().unwrap_or_default();
            table.add_row([
                parameter.name.clone(),
                short(parameter.start),
                short(fitted.values[number]),
                low,
                high,
                unit,
            ]);
        }
        format!("{}\n(from, to: 95 % interval)", aligned(table, 1..5))
    }

    fn correlations(&self, fitted: &Fitted) -> String {
        let names = self.runs.parameters.iter().map(|parameter| parameter.name.clone());
        let mut table = Table::new();
        table.load_style(presets::NOTHING);
        table.set_header(std::iter::once("correlation".to_owned()).chain(names.clone()));
        for (row, name) in names.enumerate() {
            let cells =
                fitted.certainty.correlation.row(row).iter().map(|value| format!("{value:.3}")).collect::<Vec<_>>();
            table.add_row(std::iter::once(name).chain(cells));
        }
        aligned(table, 1..self.runs.parameters.len() + 1)
    }

    fn deviations(&self, fitted: &Fitted) -> String {
        let mut table = Table::new();
        table.load_style(presets::NOTHING);
        table.set_header(["experiment", "output", "values", "deviation before", "after", "unit"]);
        let computed = fitted.before.iter().zip(fitted.after.iter());
        for (experiment, (before, after)) in self.runs.experiments.iter().zip(computed) {
            for (output, computed) in experiment.outputs.iter().zip(before.iter().zip(after)) {
                let [before, after] = [computed.0, computed.1].map(|computed| {
                    let known = output.measured.iter().zip(computed).filter(|(measured, _)| !measured.is_nan());
                    let squares: f64 = known.map(|(measured, computed)| (computed - measured).powi(2)).sum();
                    short((squares / output.count().max(1) as f64).sqrt())
                });
                let unit = output.unit.clone().unwrap_or_default();
                let (name, count) = (experiment.name.clone(), output.count().to_string());
                table.add_row([name, output.name.clone(), count, before, after, unit]);
            }
        }
        let iterations = counted(fitted.found.iterations, "iteration");
        let starts = match self.starts {
            1 => String::new(),
            starts => format!("; {} of {starts} starts led here", fitted.found.agreeing),
        };
        let derivatives = self.runs.differentiation.borrow().note();
        let mut text = format!("{}\n(root mean squares; {iterations}{starts})\n{derivatives}", aligned(table, 2..5));
        if fitted.has_deviations {
            text +=
                &format!("\nmean square of deviations by their given standard deviations: {}", short(fitted.variance));
        }
        text
    }
}

fn aligned(mut table: Table, right: std::ops::Range<usize>) -> String {
    for column in right {
        if let Some(column) = table.column_mut(column) {
            column.set_cell_alignment(comfy_table::CellAlignment::Right);
        }
    }
    table.column_iter_mut().for_each(|column| _ = column.set_padding((0, 2)));
    table.trim_fmt()
}
