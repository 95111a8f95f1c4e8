//! Words that a reader from outside stumbles over.

use crate::sources;

/// Beginnings of summaries that say nothing without the item before them.
const DEPENDENT: [&str; 5] = ["The same", "Same as", "Whether", "Likewise", "What"];

/// Superlatives of constants, for which the field says `MAX_` and `MIN_`.
const SUPERLATIVES: [&str; 9] =
    ["LEAST", "MOST", "LARGEST", "LONGEST", "DEEPEST", "SMALLEST", "SHORTEST", "FASTEST", "FINEST"];

/// First words of the summaries of limits, with the beginnings of their names.
const LIMITS: [(&str, &str); 4] = [("Largest", "MAX_"), ("Highest", "MAX_"), ("Smallest", "MIN_"), ("Least", "MIN_")];

/// Returns what is wrong with the comment or constant that a line begins; `summary` is the first line of the comment
/// before it.
fn problem(summary: &str, line: &str) -> Option<String> {
    let begins = |text: &str, word: &str| text.strip_prefix(word).is_some_and(|rest| rest.starts_with(' '));
    if let Some(text) = comment(line).filter(|_| summary.is_empty()) {
        return DEPENDENT
            .iter()
            .find(|word| begins(text, word))
            .map(|word| format!("a summary that begins with \"{word}\""));
    }
    let line = line.trim_start();
    let visible = line.strip_prefix("pub").map_or(line, |rest| rest.trim_start_matches(|c| c != ' ').trim_start());
    let name = visible.strip_prefix("const ")?.split(':').next()?;
    if let Some((_, right)) = LIMITS.iter().find(|(word, right)| begins(summary, word) && !name.starts_with(right)) {
        return Some(format!("a limit {name}, not {right}…"));
    }
    let word = name.split('_').find(|word| SUPERLATIVES.contains(word))?;
    Some(format!("a constant with {word}, not MAX or MIN"))
}

/// Returns the text of a line of documentation.
fn comment(line: &str) -> Option<&str> {
    ["///", "//!"].iter().find_map(|mark| line.trim_start().strip_prefix(mark)).map(str::trim_start)
}

#[test]
fn summaries_stand_alone_and_limits_are_max_or_min() {
    let known = [
        ("", "/// The same for Booleans.", true),
        ("", "//! What is checked.", true),
        ("", "/// Whatever is left over.", false),
        ("Compares", "/// The same values.", false),
        ("", "const MOST_STEPS: usize = 3;", true),
        ("", "const MAX_STEPS: usize = 3;", false),
        ("Largest number of steps.", "pub const STEPS: usize = 3;", true),
        ("Largest number of steps.", "pub(super) const MAX_STEPS: usize = 3;", false),
        ("Smallest step, in s.", "const MAX_STEP: f64 = 3.0;", true),
    ];
    for (summary, line, is_wrong) in known {
        assert_eq!(problem(summary, line).is_some(), is_wrong, "{line}");
    }
    let mut problems = Vec::new();
    for (path, text) in
        ["fmu-runtime", "fmu-builder", "fmu-commands", "fmu-importer", "models", "python/src", "xtask", "tests"]
            .iter()
            .flat_map(|folder| sources(folder))
    {
        let mut summary = "";
        for (number, line) in (1..).zip(text.lines()) {
            problems.extend(problem(summary, line).map(|found| format!("{}:{number}: {found}", path.display())));
            match comment(line) {
                Some(text) if summary.is_empty() => summary = text,
                None if !line.trim_start().starts_with("#[") => summary = "",
                _ => {}
            }
        }
    }
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}
