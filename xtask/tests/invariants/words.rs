//! Words that a reader from outside stumbles over.

use crate::sources;

/// Beginnings of summaries that say nothing without the item before them.
const DEPENDENT: [&str; 5] = ["The same", "Same as", "Whether", "Likewise", "What"];

/// Superlatives of constants, for which the field says `MAX_` and `MIN_`.
const SUPERLATIVES: [&str; 9] =
    ["LEAST", "MOST", "LARGEST", "LONGEST", "DEEPEST", "SMALLEST", "SHORTEST", "FASTEST", "FINEST"];

/// Returns what is wrong with the comment or constant that a line begins.
fn problem(before: &str, line: &str) -> Option<String> {
    let text = |line| ["///", "//!"].iter().find_map(|mark| str::trim_start(line).strip_prefix(mark));
    if let Some(summary) = text(line).filter(|_| text(before).is_none()) {
        let begins = |word: &&&str| summary.trim_start().strip_prefix(**word).is_some_and(|rest| rest.starts_with(' '));
        return DEPENDENT.iter().find(begins).map(|word| format!("a summary that begins with \"{word}\""));
    }
    let line = line.trim_start();
    let visible = line.strip_prefix("pub").map_or(line, |rest| rest.trim_start_matches(|c| c != ' ').trim_start());
    let mut words = visible.strip_prefix("const ")?.split(':').next()?.split('_');
    let word = words.find(|word| SUPERLATIVES.contains(word))?;
    Some(format!("a constant with {word}, not MAX or MIN"))
}

#[test]
fn summaries_stand_alone_and_limits_are_max_or_min() {
    let known = [
        ("", "/// The same for Booleans.", true),
        ("", "//! What is checked.", true),
        ("", "/// Whatever is left over.", false),
        ("/// Compares", "/// The same values.", false),
        ("", "const MOST_STEPS: usize = 3;", true),
        ("", "const MAX_STEPS: usize = 3;", false),
    ];
    for (before, line, is_wrong) in known {
        assert_eq!(problem(before, line).is_some(), is_wrong, "{line}");
    }
    let mut problems = Vec::new();
    for (path, text) in
        ["fmu-runtime", "fmu-builder", "fmu-commands", "fmu-importer", "models", "python/src", "xtask", "tests"]
            .iter()
            .flat_map(|folder| sources(folder))
    {
        let mut before = "";
        for (number, line) in (1..).zip(text.lines()) {
            problems.extend(problem(before, line).map(|found| format!("{}:{number}: {found}", path.display())));
            before = line;
        }
    }
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}
