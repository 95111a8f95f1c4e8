//! What can have no model, because of its names or because of time.

use std::collections::BTreeSet;

use super::levels::{Levels, signal_names};
use super::names::identifier;
use super::parameters::Parameters;
use crate::description::Description;
use crate::shapes::Shape;

/// The keywords of Modelica 3.5, with what is predefined.
const KEYWORDS: &str = "algorithm and annotation assert block break class connect connector constant constrainedby der \
    discrete each else elseif elsewhen encapsulated end enumeration equation expandable extends external false final flow \
    for function if import impure in initial inner input loop model not operator or outer output package parameter partial \
    protected public pure record redeclare replaceable return stream then true type when while within \
    Real Integer Boolean String time";

/// What every model has or refers to.
const OWN: &str = "animation world fmu ready linearForm factors rest in0 in1 in2 in3 out0 out1 out2 out3 Connections Internal \
    Modelica";

/// Whether nothing in Modelica can be called so.
pub(super) fn is_keyword(name: &str) -> bool {
    KEYWORDS.split_whitespace().any(|keyword| keyword == name)
}

/// A model gives no time to its FMU.
pub(super) fn check_time(description: &Description) -> Result<(), String> {
    if description.follows_time {
        return Err("its outputs depend on time; give it an input for that".to_owned());
    }
    Ok(())
}

/// Each name occurs once, and none is a word of Modelica; `text` is the component's own Modelica code.
pub(super) fn check_names(
    description: &Description,
    parameters: &Parameters,
    levels: &Levels,
    shapes: &[Shape],
    text: &str,
) -> Result<(), String> {
    let items = description.enumerations.iter().flat_map(|enumeration| enumeration.items.iter());
    if let Some(item) = items.map(|item| &item.name).find(|name| is_keyword(name)) {
        return Err(format!("an enumeration has an item {item}, a reserved word of Modelica; call it {item}_"));
    }
    let velocities = levels.variables.iter().map(|(name, _)| name.clone());
    let mut known: BTreeSet<String> = OWN.split_whitespace().map(str::to_owned).chain(velocities).collect();
    known.extend(declared(text));
    let signals = signal_names(description).into_iter().map(|(name, ..)| identifier(name));
    let terminals = description.terminals.iter().map(|terminal| identifier(&terminal.name));
    let of_rows: Vec<String> =
        if description.acausal.is_some() { Vec::new() } else { terminals.chain(signals).collect() };
    let shapes = shapes.iter().map(|shape| shape.name.clone());
    for name in parameters.names.iter().cloned().chain(of_rows).chain(shapes) {
        if is_keyword(&name) {
            return Err(format!("{name} is a reserved word of Modelica; call it {name}_"));
        }
        if known.contains(&name) {
            return Err(format!("its model has something else with the name {name}"));
        }
        known.insert(name);
    }
    Ok(())
}

/// The names that a text in Modelica declares, a declaration in each line that is indented by two.
fn declared(text: &str) -> impl Iterator<Item = String> {
    let mut declares = true;
    text.lines().filter_map(move |line| {
        match line {
            "public" | "protected" => declares = true,
            "equation" | "initial equation" | "algorithm" => declares = false,
            _ => {}
        }
        let statement = line.strip_prefix("  ").filter(|rest| declares && !rest.starts_with([' ', '/']))?;
        let head = statement.split(['(', '[', '"', '=', ';']).next()?;
        head.split_whitespace().take_while(|word| *word != "if").last().map(str::to_owned)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn declarations_of_a_text_are_found() {
        let text = "public\n  extends Base(x = 1);\n  type Choice = enumeration(\n    One \"1\",\n    Two);\n  \
                    parameter Real a[3](start = b) = c \"d\"\n    annotation (Evaluate = true);\n  Port p if a > 0;\n\
                    equation\n  e = f;\nprotected\n  discrete Real g;\n";
        assert_eq!(declared(text).collect::<Vec<_>>(), ["Base", "Choice", "a", "p", "g"]);
    }

    #[test]
    fn keywords_are_whole_words() {
        assert_eq!(["in", "time", "In", "inn", "", "Real"].map(is_keyword), [true, true, false, false, false, true]);
    }
}
