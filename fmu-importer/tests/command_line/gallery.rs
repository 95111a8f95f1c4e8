//! The commands of docs/gallery.md make the pictures and plots that the page shows.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;

use crate::lines::{TOLERANCE, expect_alike, expect_alike_text, split};
use fmu_builder::Settings;
use fmu_tests::finished::{self, Fmu, root};

/// Returns the commands of the page, in words, each with the example that stands before it.
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

/// Returns the surfaces of a picture in each colour, as area, and area times x and y; and its content besides polygons.
/// Where faces end in one line, rounding decides into which polygons they are cut.
fn surfaces(picture: &str) -> (BTreeMap<String, [f64; 3]>, String) {
    let (mut surfaces, mut rest) = (BTreeMap::<String, [f64; 3]>::new(), String::new());
    for line in picture.lines() {
        let Some((points, fill)) =
            line.strip_prefix("<polygon points=\"").and_then(|line| line.split_once("\" fill=\""))
        else {
            // Gradients of spheres have the number of a polygon.
            let gradient = line.strip_prefix("<radialGradient id=").and_then(|line| line.split_once(' '));
            rest += gradient.map_or(line, |(_, gradient)| gradient);
            rest += "\n";
            continue;
        };
        let (numbers, _) = split(points);
        let points: Vec<_> = numbers.as_chunks::<2>().0.to_vec();
        let fill = fill.split(['"', '(']).next().unwrap().to_owned();
        let sums = surfaces.entry(fill).or_default();
        for ([x, y], [next_x, next_y]) in points.iter().zip(points.iter().cycle().skip(1)) {
            let twice = x * next_y - next_x * y;
            let terms = [twice / 2.0, twice * (x + next_x) / 6.0, twice * (y + next_y) / 6.0];
            sums.iter_mut().zip(terms).for_each(|(sum, term)| *sum += term);
        }
    }
    (surfaces, rest)
}

fn expect_alike_picture(path: &Path, made: &str) {
    let ((shown, rest), (made, other)) = (surfaces(&fs_err::read_to_string(path).unwrap()), surfaces(made));
    expect_alike_text(path, &rest, &other);
    for fill in shown.keys().chain(made.keys()) {
        let of = |all: &BTreeMap<String, [f64; 3]>| all.get(fill).copied().unwrap_or_default();
        let ([one, one_x, one_y], [two, two_x, two_y]) = (of(&shown), of(&made));
        let what = format!("{}, {fill}: {one} {two}", path.display());
        // Each polygon's corners are rounded.
        assert!((one - two).abs() < 10.0 + 0.02 * one.abs(), "{what}");
        if one.abs() > 100.0 {
            let away = (one_x / one - two_x / two).hypot(one_y / one - two_y / two);
            assert!(away < TOLERANCE, "{what}: {away} points away");
        }
    }
}

#[test]
#[ignore = "expensive: runs all commands of the page"]
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
            let made = fs_err::read_to_string(file).unwrap();
            let is_plot = path.to_string_lossy().ends_with("-plot.svg");
            if is_plot { expect_alike(&path, &made) } else { expect_alike_picture(&path, &made) }
        }
    }
}
