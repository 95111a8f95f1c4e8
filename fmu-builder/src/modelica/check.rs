//! Checks that an FMU can have a model: its names, and text that would break the package.

use std::collections::{BTreeSet, HashSet};
use std::sync::LazyLock;

use super::levels::signal_names;
use super::names::identifier;
use super::parameters::Parameters;
use crate::description::Description;
use crate::shapes::Shape;

/// The keywords of Modelica 3.5, with predefined names.
const KEYWORDS: &str = "algorithm and annotation assert block break class connect connector constant constrainedby der \
    discrete each else elseif elsewhen encapsulated end enumeration equation expandable extends external false final flow \
    for function if import impure in initial inner input loop model not operator or outer output package parameter partial \
    protected public pure record redeclare replaceable return stream then true type when while within \
    Real Integer Boolean String time";

/// Names that every model has or refers to.
const OWN: &str = "animation world fmu ready linearForm factors others rest in0 in1 in2 in3 out0 out1 out2 out3 drawn Connections Internal \
    Modelica";

/// Returns true for names that Modelica reserves.
pub(super) fn is_keyword(name: &str) -> bool {
    static WORDS: LazyLock<HashSet<&str>> = LazyLock::new(|| KEYWORDS.split_whitespace().collect());
    WORDS.contains(name)
}

/// Checks that each name occurs once and is an identifier, and none is a word of Modelica; `inside` are the names of
/// variables inside of the model, `text` is the component's own Modelica code.
pub(super) fn check_names(
    description: &Description,
    parameters: &Parameters,
    inside: &[String],
    shapes: &[Shape],
    text: &str,
) -> Result<(), String> {
    let items = description.enumerations.iter().flat_map(|enumeration| enumeration.items.iter());
    if let Some(item) = items.map(|item| &item.name).find(|name| is_keyword(name)) {
        return Err(format!("an enumeration has an item {item}, a reserved word of Modelica; call it {item}_"));
    }
    let mut known: BTreeSet<String> = OWN.split_whitespace().map(str::to_owned).chain(inside.iter().cloned()).collect();
    known.extend(declared(text.lines()).map(str::to_owned));
    let signals = signal_names(description).into_iter().map(|(name, ..)| identifier(name));
    let terminals = description.terminals.iter().map(|terminal| identifier(&terminal.name));
    let of_rows: Vec<String> =
        if description.acausal.is_some() { Vec::new() } else { terminals.chain(signals).collect() };
    let shapes = shapes.iter().map(|shape| identifier(&shape.name));
    for name in parameters.names.iter().cloned().chain(of_rows).chain(shapes) {
        if is_keyword(&name) {
            return Err(format!("{name} is a reserved word of Modelica; call it {name}_"));
        }
        if !is_identifier(&name) {
            return Err(format!(
                "{name} cannot be a name in Modelica: it needs letters without accents, digits and _, and no digit at its beginning"
            ));
        }
        if known.contains(&name) {
            return Err(format!("its model has something else with the name {name}"));
        }
        known.insert(name);
    }
    Ok(())
}

fn is_identifier(name: &str) -> bool {
    let is_part = |character: char| character.is_ascii_alphanumeric() || character == '_';
    name.chars().all(is_part) && name.starts_with(|first: char| !first.is_ascii_digit())
}

/// Refuses a model with which a tool would not load the package. One that cannot be read makes all others unknown, too.
pub(super) fn check_text(text: &str) -> Result<(), String> {
    let mut open = Vec::new();
    let mut line = 1;
    let mut characters = text.chars().peekable();
    while let Some(character) = characters.next() {
        let wrong = |found: &dyn std::fmt::Display| Err(format!("its text in Modelica has {found} in line {line}"));
        match character {
            // Most of a text, and nothing else to look at.
            ' ' | ',' | '.' | '=' | '_' | 'a'..='z' | 'A'..='Z' | '0'..='9' => {}
            '\n' => line += 1,
            '"' => loop {
                match characters.next() {
                    Some('"') => break,
                    Some('\\') => _ = characters.next(),
                    Some('\n') | None => return wrong(&"a text without an end"),
                    Some(_) => {}
                }
            },
            '/' if characters.peek() == Some(&'/') => while characters.next_if(|next| *next != '\n').is_some() {},
            '(' | '[' | '{' => open.push(character),
            ')' | ']' | '}' => {
                let is_closed =
                    matches!((open.pop(), character), (Some('('), ')') | (Some('['), ']') | (Some('{'), '}'));
                if !is_closed {
                    return wrong(&format!("a {character} that nothing opens"));
                }
            }
            ';' if !open.is_empty() => return wrong(&format!("a {} that nothing closes", open[0])),
            _ if character.is_ascii() && !character.is_ascii_control() && !"@#$%?!`~'|&\\".contains(character) => {}
            other => return wrong(&format!("the character {other:?}")),
        }
    }
    declared(text.lines().filter(|line| !line.starts_with("  extends ")))
        .find(|name| !is_identifier(name))
        .map_or(Ok(()), |name| Err(format!("its text in Modelica declares {name}, which cannot be a name")))
}

/// Returns the names that lines in Modelica declare, a declaration in each line that is indented by two.
fn declared<'a>(lines: impl Iterator<Item = &'a str>) -> impl Iterator<Item = &'a str> {
    let mut declares = true;
    lines.filter_map(move |line| {
        match line {
            "public" | "protected" => declares = true,
            "equation" | "initial equation" | "algorithm" => declares = false,
            _ => {}
        }
        let statement = line.strip_prefix("  ").filter(|rest| declares && !rest.starts_with([' ', '/']))?;
        let head = statement.split(['(', '[', '"', '=', ';']).next()?;
        head.split_whitespace().take_while(|word| *word != "if").last()
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
        assert_eq!(declared(text.lines()).collect::<Vec<_>>(), ["Base", "Choice", "a", "p", "g"]);
    }

    #[test]
    fn a_text_that_would_break_the_package_is_refused() {
        let refused = |text: &str| check_text(text).unwrap_err();
        assert_eq!(
            check_text(
                "model A \"(\\\"\"\n  extends B.C(d = 1);\n  // The tool's (\n  Real a[3](start = {1, 2, 3}) = b.c;\nequation\n  a.b = 1;\nend A;\n"
            ),
            Ok(())
        );
        assert_eq!(
            refused("model A\n  Shape world.x(r = 1);\nend A;\n"),
            "its text in Modelica declares world.x, which cannot be a name"
        );
        assert_eq!(refused("model A\n  Real b(c = 1;\n"), "its text in Modelica has a ( that nothing closes in line 2");
        assert_eq!(
            refused("model A\n  Real b = {1, 2);\n"),
            "its text in Modelica has a ) that nothing opens in line 2"
        );
        assert_eq!(refused("model A \"b\n"), "its text in Modelica has a text without an end in line 1");
        assert_eq!(refused("model A\n  Real ä;\n"), "its text in Modelica has the character 'ä' in line 2");
    }

    #[test]
    fn keywords_are_whole_words() {
        assert_eq!(["in", "time", "In", "inn", "", "Real"].map(is_keyword), [true, true, false, false, false, true]);
    }
}
