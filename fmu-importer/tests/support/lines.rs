//! Pictures of a page against those that a command draws.

use std::path::Path;

/// Distance of a line of a plot from the one on the page, in points: compilers and processors round differently.
pub const TOLERANCE: f64 = 0.3;

/// Returns the numbers of a text, and the text between them.
pub fn split(text: &str) -> (Vec<f64>, String) {
    let is_number = |character: char| character.is_ascii_digit() || character == '.' || character == '-';
    let (mut numbers, mut between) = (Vec::new(), String::new());
    for run in text.split_inclusive(|character| !is_number(character)) {
        let (number, rest) = run.split_at(run.trim_end_matches(|character| !is_number(character)).len());
        match number.parse() {
            Ok(number) => numbers.push(number),
            Err(_) => between.push_str(number),
        }
        between.push_str(rest);
    }
    (numbers, between)
}

/// Compares the text of a picture with the one of a page.
pub fn expect_alike(path: &Path, made: &str) {
    expect_alike_text(path, &fs_err::read_to_string(path).unwrap(), made);
}

/// Compares two texts, but for small differences of numbers.
pub fn expect_alike_text(path: &Path, shown: &str, made: &str) {
    let ((shown, text), (made, other)) = (split(shown), split(made));
    assert!(text == other && shown.len() == made.len(), "{} is not what the command draws", path.display());
    let away = shown.iter().zip(&made).map(|(one, other)| (one - other).abs()).fold(0.0, f64::max);
    assert!(away < TOLERANCE, "{}: a line is {away} points beside what the command draws", path.display());
}
