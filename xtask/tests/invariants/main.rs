//! Invariants of ARCHITECTURE.md that can be checked in the sources.

mod imports;
mod sources;
mod words;

use std::collections::BTreeSet;
use std::path::PathBuf;

use imports::{Crate, circles};
use sources::texts_below;
use xtask::paths::root;

/// Returns the Rust sources below a folder, with their texts.
fn sources(folder: &str) -> Vec<(PathBuf, String)> {
    texts_below(&root().join(folder), &["rs"])
}

/// Returns the sources of the builder, Modelica and C included.
fn builder() -> Vec<(PathBuf, String)> {
    texts_below(&root().join("fmu-builder/src"), &["rs", "mo", "h"])
}

/// True if a text has a word, letters of any size.
fn has_word(text: &str, word: &str) -> bool {
    let separators = |character: char| !character.is_alphanumeric() && character != '_';
    text.to_lowercase().split(separators).any(|found| found == word)
}

#[test]
fn components_have_no_unsafe_code_no_xml_and_no_value_references() {
    for (path, text) in sources("models") {
        for word in ["unsafe", "xml", "value_reference", "valuereference"] {
            assert!(!has_word(&text, word), "{}: {word}", path.display());
        }
    }
}

#[test]
fn the_mathematics_knows_nothing_of_fmi() {
    for (path, text) in sources("models/mechanics") {
        assert!(!text.to_lowercase().contains("fmi") && !text.contains("FMU"), "{}", path.display());
    }
}

#[test]
fn unsafe_code_of_the_runtime_is_in_the_c_interface() {
    for (path, text) in sources("fmu-runtime/src") {
        let allowed = path.starts_with(root().join("fmu-runtime/src/c_interface"));
        assert!(allowed || !has_word(&text, "unsafe"), "{}", path.display());
    }
}

#[test]
fn the_builder_knows_no_component_by_name() {
    let folders = fs_err::read_dir(root().join("models")).unwrap().map(|entry| entry.unwrap().path());
    let components = folders.filter(|folder| folder.join("src/fmu.rs").exists());
    let components: Vec<_> =
        components.map(|folder| folder.file_name().unwrap().to_string_lossy().into_owned()).collect();
    assert!(!components.is_empty());
    for (path, text) in builder() {
        for component in &components {
            assert!(!has_word(&text, &component.replace('-', "")), "{}: {component}", path.display());
        }
    }
}

/// Returns the names of the parameters that the rows of a source declare. Rows without a kind get that of their group:
/// of these only names that mean nothing else, which have a capital letter or an underscore.
fn parameters(text: &str) -> impl Iterator<Item = &str> {
    text.lines()
        .map(str::trim_start)
        .flat_map(|row| {
            let kind = ["parameter ", "tunable ", "calculated "].iter().find_map(|kind| row.strip_prefix(kind));
            let is_row = kind.is_some() || (row.ends_with(';') && row.contains(", \""));
            let name = kind.unwrap_or(row).split_once(':').map(|(name, _)| name.trim());
            let is_special = |name: &str| kind.is_some() || name.contains(|c: char| c.is_uppercase() || c == '_');
            let renamed = row.split_once("name = \"").and_then(|(_, rest)| Some(rest.split_once('"')?.0));
            [name.filter(|name| is_row && is_special(name)), renamed.filter(|name| is_special(name))]
        })
        .flatten()
        .filter(|name| !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || c == '_'))
}

/// True if a text has exactly this word.
fn has_exact_word(text: &str, word: &str) -> bool {
    text.split(|character: char| !character.is_alphanumeric() && character != '_').any(|found| found == word)
}

#[test]
fn the_builder_knows_no_parameter_of_a_component() {
    // They mean something else there: types, ends of lines, rules of FMI, words of Modelica, parts of files, sizes of pictures,
    // keys of shapes, connectors and their variables, and the example of a document.
    let others = "A C D L N R T V a b c color d data distance f k nominal offset rod startTime table w diameter fileName flange_a flange_b \
                  frame_a frame_b frame_ib frame_im g \
                  gravityType height length lengthDirection look m n r r_0 r_shape ratio rod1 rod1Color rod1Diameter \
                  rows shapeType sheet specularCoefficient v_0 value width widthDirection";
    let others: BTreeSet<&str> = others.split(' ').collect();
    let models = sources("models");
    let own: BTreeSet<&str> = models.iter().flat_map(|(_, text)| parameters(text)).collect();
    let own: Vec<_> = own.into_iter().filter(|name| !others.contains(name)).collect();
    let kinds = ["cgeo", "mue_pos", "boxColor", "I_21", "momentLaw", "TS"];
    assert!(kinds.iter().all(|kind| own.contains(kind)), "{own:?}");
    for (path, text) in builder() {
        let name = path.to_string_lossy();
        let is_test = name.ends_with("tests.rs") || name.contains("example");
        // Numbers of values.
        let is_count = |own: &str| name.ends_with(".h") && own.starts_with("n_");
        let product = text.split("#[cfg(test)]").next().unwrap_or_default();
        for name in own.iter().filter(|own| !is_test && !is_count(own)) {
            assert!(!has_exact_word(product, name), "{}: {name}", path.display());
        }
    }
}

/// The test runner shows nobody the output of a test that passes; what goes past it to the standard error is a skip.
#[test]
fn tests_tell_their_runner_what_they_skip() {
    for folder in ["fmu-runtime", "fmu-builder", "fmu-commands", "fmu-importer", "models", "xtask", "tests"] {
        for (path, text) in sources(folder) {
            assert!(!text.contains("println!(\"skipped"), "{}", path.display());
        }
    }
}

/// Results depend only on arguments and files, and nothing is done at loading or left behind.
#[test]
fn b5_b7_b8_libraries_look_at_no_environment_and_start_no_threads() {
    // The last three are sections of functions called at loading; those called at unloading clean up.
    let foreign = [
        "current_dir", "env::var", "env::args", "env::temp_dir", "thread::", "static mut", "init_array", "CRT$",
        "mod_init_func",
    ];
    let folders = fs_err::read_dir(root().join("models")).unwrap().map(|entry| entry.unwrap().path());
    let models = folders
        .filter(|folder| folder.join("src").is_dir())
        .map(|folder| format!("models/{}/src", folder.file_name().unwrap().to_string_lossy()));
    let linked = ["fmu-runtime/src", "fmu-runtime/exchange/src", "fmu-builder/spreadsheet/src"];
    for folder in models.chain(linked.map(str::to_owned)) {
        for (path, text) in sources(&folder) {
            for word in foreign {
                assert!(!text.contains(word), "{}: {word}", path.display());
            }
        }
    }
}

/// Returns the folders with the sources of a crate: `src` of a package, or one with `main.rs`, as integration tests
/// have.
fn crates() -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![root().to_owned()];
    while let Some(folder) = folders.pop() {
        let is_package = folder.ends_with("src") && folder.with_file_name("Cargo.toml").exists();
        if is_package || folder.join("main.rs").exists() {
            found.push(folder);
            continue;
        }
        let inside = fs_err::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
        folders.extend(inside.filter(|path| {
            let name = path.file_name().unwrap().to_string_lossy();
            path.is_dir() && name != "target" && !name.starts_with('.')
        }));
    }
    found
}

#[test]
fn no_unit_test_is_in_a_library_that_cargo_does_not_test() {
    let manifest = |folder: &PathBuf| fs_err::read_to_string(folder.with_file_name("Cargo.toml")).unwrap();
    let mut untested = crates();
    untested.retain(|folder| folder.ends_with("src") && manifest(folder).contains("\ntest = false"));
    assert!(!untested.is_empty());
    for (path, text) in untested.iter().flat_map(|folder| texts_below(folder, &["rs"])) {
        assert!(!text.contains("#[test]"), "{}", path.display());
    }
}

#[test]
fn imports_go_in_one_direction() {
    let crates = crates();
    for known in ["tests/fuzz/src", "xtask/tests/invariants", "models/systems/tests/trains"] {
        assert!(crates.contains(&root().join(known)), "{crates:?}");
    }
    let problems: Vec<_> = crates
        .iter()
        .flat_map(|folder| {
            let name = folder.strip_prefix(root()).unwrap().display();
            let found = circles(&Crate::read(folder).imports());
            found.into_iter().map(move |(from, to)| format!("{name}: {from} imports {to}, in a circle"))
        })
        .collect();
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}
