//! The commands of docs/gallery.md make the pictures and plots that the page shows.

use std::path::Path;
use std::process::Command;

use fmu_builder::Settings;
use fmu_tests::finished::{self, Fmu, root};

/// How far a line of a plot may be from the one on the page, in points: compilers and processors round differently.
const TOLERANCE: f64 = 0.3;

/// The commands of the page, in words, each with the example that stands before it.
fn commands(page: &str) -> Vec<(String, Vec<String>)> {
    let page = page.replace(" \\\n", " ");
    let mut example = String::new();
    let mut commands = Vec::new();
    for line in page.lines() {
        if let Some((_, link)) = line.split_once("](../examples/") {
            example = link.split(')').next().unwrap().to_owned();
        }
        if let Some(words) = line.strip_prefix("    cargo xtask simulate ") {
            commands.push((example.clone(), words.split_whitespace().map(str::to_owned).collect()));
        }
    }
    commands
}

/// The numbers of a text, and what is between them.
fn split(text: &str) -> (Vec<f64>, String) {
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

fn expect_alike(path: &Path, made: &str) {
    let ((shown, text), (made, other)) = (split(&fs_err::read_to_string(path).unwrap()), split(made));
    assert!(text == other && shown.len() == made.len(), "{} is not what the command draws", path.display());
    let away = shown.iter().zip(&made).map(|(one, other)| (one - other).abs()).fold(0.0, f64::max);
    assert!(away < TOLERANCE, "{}: a line is {away} points beside what the command draws", path.display());
}

#[test]
fn the_commands_make_what_the_page_shows() {
    let page = fs_err::read_to_string(root().join("docs/gallery.md")).unwrap();
    let commands = commands(&page);
    assert!(commands.len() >= 8, "{} mechanisms", commands.len());
    for (example, words) in commands {
        let folder = tempfile::tempdir().unwrap();
        let settings = Settings::from_toml(&root().join("examples").join(&example)).unwrap();
        let fmu = Fmu::of("systems", finished::resolve("systems", &settings).unwrap());
        assert_eq!(Path::new(&words[0]).file_name(), fmu.file.file_name(), "{example}");
        let mut importer = Command::new(env!("CARGO_BIN_EXE_fmu-importer"));
        importer.current_dir(root()).arg("simulate").arg(&fmu.file);
        let mut drawn = Vec::new();
        for (i, word) in words.iter().enumerate().skip(1) {
            if !word.starts_with("docs/gallery/") {
                importer.arg(word);
                continue;
            }
            let name = if words[i - 1] == "--plot" { "-plot.svg" } else { ".svg" };
            assert_eq!(*word, format!("docs/gallery/{}{name}", example.trim_end_matches(".toml")));
            assert!(page.contains(&format!("({})", word.trim_start_matches("docs/"))), "the page shows {word}");
            let file = folder.path().join(Path::new(word).file_name().unwrap());
            importer.arg(&file);
            drawn.push((root().join(word), file));
        }
        finished::printed(&mut importer);
        assert_eq!(drawn.len(), 2, "{example}: picture and plot");
        for (path, file) in drawn {
            expect_alike(&path, &fs_err::read_to_string(file).unwrap());
        }
    }
}
