//! Cargo unifies the features of all packages that it compiles together. A component's library is the same whatever is
//! compiled with it, and `cargo xtask` shares what it depends on with the tests.

use std::collections::{BTreeMap, BTreeSet};
use std::process::Command;

use xtask::paths::root;

/// Returns the packages behind components, each with its features, as cargo compiles them together.
fn features(components: &[&str], edges: &str) -> BTreeMap<String, BTreeSet<String>> {
    selected(&components.iter().flat_map(|component| ["--package", component]).collect::<Vec<_>>(), edges)
}

/// Returns the packages behind those that cargo is told to select.
fn selected(selection: &[&str], edges: &str) -> BTreeMap<String, BTreeSet<String>> {
    let mut cargo = Command::new(env!("CARGO"));
    cargo.current_dir(root());
    cargo.args(["tree", "--locked", "--prefix=none", "--no-dedupe", "--format={p}|{f}", "--edges", edges]);
    cargo.args(selection);
    let output = cargo.output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let mut features: BTreeMap<_, BTreeSet<_>> = BTreeMap::new();
    for line in String::from_utf8(output.stdout).unwrap().lines() {
        // Lines between the trees of several components have none.
        let Some((package, given)) = line.split_once('|') else { continue };
        let package = package.split(" (").next().unwrap();
        features.entry(package.to_owned()).or_default().insert(given.to_owned());
    }
    assert!(features.len() > 10, "{features:?}");
    features
}

/// Returns the names of the components' packages, with that of systems.
fn components() -> Vec<String> {
    let output = Command::new(env!("CARGO_BIN_EXE_xtask")).arg("list").output().unwrap();
    let list = String::from_utf8(output.stdout).unwrap();
    let names = list.lines().skip(1).filter_map(|line| line.split_whitespace().next());
    names.chain(["systems"]).map(str::to_owned).collect()
}

#[test]
fn a_library_is_the_same_whatever_is_compiled_with_it() {
    let names = components();
    let names: Vec<_> = names.iter().map(String::as_str).collect();
    assert!(names.contains(&"bushing") && names.contains(&"gripper"), "{names:?}");
    // Dependencies of tests count as well where an example is compiled.
    let edges = "normal,build,dev";
    let all = features(&names, edges);
    for name in names {
        for (package, alone) in features(&[name], edges) {
            assert_eq!(alone, all[&package], "{package} in the library of {name}");
        }
    }
}

#[test]
fn no_library_has_a_package_in_two_versions() {
    for name in components() {
        let packages = features(&[&name], "normal,no-proc-macro");
        let names: BTreeSet<_> = packages.keys().map(|package| package.split(' ').next().unwrap()).collect();
        assert_eq!(names.len(), packages.len(), "{name}: {:?}", packages.keys());
    }
}

#[test]
fn tests_build_fmus_again_where_anything_has_changed_that_makes_them() {
    let mut cargo = Command::new(env!("CARGO"));
    cargo.args(["tree", "--locked", "--prefix=none", "--format={p}", "--edges=normal,build", "--package=xtask"]);
    let output = String::from_utf8(cargo.current_dir(root()).output().unwrap().stdout).unwrap();
    // A line is `name v1.2.3 (/folder)`; those of other registries have no folder.
    let folders = output.lines().filter_map(|line| line.split_once(&format!("({}/", root().display())));
    let folders: BTreeSet<_> = folders.filter_map(|(_, folder)| folder.split(['/', ')']).next()).collect();
    assert!(folders.contains("fmu-builder") && folders.contains("xtask"), "{output}");
    for folder in folders {
        assert!(fmu_tests::finished::SOURCES.contains(&folder), "{folder}");
    }
}

/// Checked on Linux only, since other systems have other dependencies.
#[cfg(target_os = "linux")]
#[test]
fn nothing_is_compiled_twice_for_tests() {
    let all = selected(&["--workspace", "--features=mechanical-fmus/tests"], "normal,build,dev");
    let shares = |selection: &[&str], edges: &str, but: &[&str]| {
        for (package, features) in selected(selection, edges) {
            let (known, name) = (&all[&package], package.split(' ').next().unwrap());
            assert!(
                features.is_subset(known) || but.contains(&name),
                "{selection:?}: {package}: {features:?}, with tests {known:?}; see xtask/workspace-hack and tests/workspace-hack"
            );
        }
    };
    shares(&["--package=xtask"], "normal,build", &[]);
    shares(&["--workspace", "--exclude=fmi-crate", "--exclude=mechanical-fmus"], "normal,build,dev", &[]);
    shares(&["--package=mechanical-fmus", "--features=mechanical-fmus/tests"], "normal,build", &[]);
    // The packages of the tutorial, outside this workspace, have none of its optimisations.
    let optimised = ["flate2", "lzma-rust2", "simd-adler32", "zlib-rs"];
    shares(
        &["fmu-runtime", "systems", "tests-workspace-hack"].map(|name| ["--package", name]).concat(),
        "normal,build",
        &optimised,
    );
}
