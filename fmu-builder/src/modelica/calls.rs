//! What calls of the external functions have in common.

use super::levels::Levels;

/// The initialisation with what is known at the start.
pub(super) fn start(known: &str) -> String {
    format!("ready = Internal.start(fmu, time, {known})")
}

/// The inputs of some levels in one array.
pub(super) fn input_array(levels: &Levels, range: std::ops::Range<usize>) -> String {
    let arrays: Vec<_> =
        range.filter(|level| !levels.inputs[*level].is_empty()).map(|level| format!("in{level}")).collect();
    match &arrays[..] {
        [] => "fill(0.0, 0)".to_owned(),
        [one] => one.clone(),
        several => format!("cat(1, {})", several.join(", ")),
    }
}

/// Accelerations and loads as linear equations, or as functions.
pub(super) fn forms([rows, columns]: [usize; 2], linear: &[String], functions: &[String]) -> String {
    let unused = [format!("factors = zeros({rows}, {columns})"), format!("rest = zeros({rows})")];
    let lines =
        |equations: &[String]| equations.iter().map(|equation| format!("    {equation};\n")).collect::<String>();
    format!("if linearForm then\n{}  else\n{}{}  end if", lines(linear), lines(&unused), lines(functions))
}
