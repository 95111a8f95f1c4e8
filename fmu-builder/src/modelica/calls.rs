//! Common parts of calls of the external functions.

use super::inner_frames::Size;
use super::levels::{LEVELS, Levels, LinearSize};

/// Returns the equation of the initialisation with the inputs that are known at the start; `with` ends the function's name.
pub(super) fn start(with: &str, known: &str) -> String {
    format!("ready = Internal.start{with}(fmu, time, {known})")
}

/// Returns the inputs of some levels in one array.
pub(super) fn input_array(levels: &Levels, range: std::ops::Range<usize>) -> String {
    let arrays: Vec<_> =
        range.filter(|level| !levels.inputs[*level].is_empty()).map(|level| format!("in{level}")).collect();
    match &arrays[..] {
        [] => "fill(0.0, 0)".to_owned(),
        [one] => one.clone(),
        several => format!("cat(1, {})", several.join(", ")),
    }
}

/// Returns the equation of values that are only observed, if there are any; `epoch` is the number of events.
pub(super) fn drawn(levels: &Levels, epoch: &str) -> Option<String> {
    let states = if levels.states.is_empty() { "fill(0.0, 0)" } else { "x" };
    let inputs = input_array(levels, 0..LEVELS);
    let count = levels.drawn.len();
    (count > 0)
        .then(|| format!("drawn = Internal.values(fmu, ready, {epoch}, time, {inputs}, {states}, {LEVELS}, {count})"))
}

/// Returns accelerations and loads as linear equations, or as functions.
pub(super) fn forms(size: &LinearSize, linear: &[String], functions: &[String]) -> String {
    let zeros = |name: &str, [rows, columns]: [Size; 2]| format!("{name} = zeros({rows}, {columns})");
    let mut unused = vec![zeros("factors", size.factors)];
    unused.extend(size.others.map(|others| zeros("others", others)));
    unused.push(format!("rest = zeros({})", size.rows()));
    let lines =
        |equations: &[String]| equations.iter().map(|equation| format!("    {equation};\n")).collect::<String>();
    format!("if linearForm then\n{}  else\n{}{}  end if", lines(linear), lines(&unused), lines(functions))
}
