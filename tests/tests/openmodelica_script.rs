//! The systems that a person simulates with OpenModelica (`docs/openmodelica`): they name only models, parameters and
//! connectors that the package has.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use fmu_builder::{Origin, Platform, Settings, modelica_model, modelica_package, pack};
use fmu_tests::finished::{components, library, printed, python, resolve, root};

fn docs_file(file: &str) -> PathBuf {
    root().join("docs/openmodelica").join(file)
}

fn docs(file: &str) -> String {
    fs_err::read_to_string(docs_file(file)).unwrap()
}

/// The texts of the models of all components and of the configurations beside the script, by name.
fn models(folder: &Path) -> Vec<(String, String)> {
    let configured =
        |component: &str, file: &str| (component.to_owned(), Settings::from_toml(&root().join(file)).unwrap());
    let all = components().into_iter().map(|component| (component, Settings::default()));
    let all = all.chain([
        configured("bushing", "docs/openmodelica/SideBushing.toml"),
        configured("bushing", "docs/openmodelica/RubberBushing.toml"),
        configured("systems", "examples/gear-shift.toml"),
        configured("systems", "examples/drive-unit.toml"),
    ]);
    let model = |(component, settings): (String, Settings)| {
        let description = resolve(&component, &settings).unwrap();
        let library = [(Platform::host().unwrap(), library(&component))];
        let fmu = pack(&description, &Origin::default(), &library, folder).unwrap();
        assert_eq!(modelica_model(&description, &fmu).unwrap(), None, "{component}");
        let text = fs_err::read_to_string(folder.join(format!("MechanicalFMUs/{}.mo", description.name))).unwrap();
        (description.name, text)
    };
    all.map(model).collect()
}

/// Whether a model has something with a name, of its own or from the library's class that it extends.
fn has(text: &str, name: &str) -> bool {
    let of_library = [
        ("PartialCompliantWithRelativeStates", &["flange_a", "flange_b", "phi_rel", "w_rel"][..]),
        ("PartialElementaryTwoFlangesAndSupport2", &["flange_a", "flange_b", "support", "useSupport"]),
        ("PartialElementaryConditionalHeatPortWithoutT", &["heatPort", "useHeatPort"]),
    ];
    let is_declared = |line: &str| {
        let declaration = line.trim_start().split([' ', '(', '[', '"', ';']).filter(|word| !word.is_empty());
        line.starts_with("  ") && declaration.take(4).any(|word| word == name)
    };
    text.lines().any(is_declared)
        || of_library.iter().any(|(class, members)| text.contains(class) && members.contains(&name))
}

/// The names of the modifications in parentheses, `(a = 1, b = {2, 3})`.
fn modified(text: &str) -> Vec<String> {
    let (mut depth, mut names, mut word) = (0, Vec::new(), String::new());
    for character in text.chars() {
        match character {
            '(' | '{' | '[' => depth += 1,
            ')' | '}' | ']' => depth -= 1,
            '=' if depth == 1 => names.push(std::mem::take(&mut word).trim().to_owned()),
            ',' if depth == 1 => word.clear(),
            _ if depth == 1 => word.push(character),
            _ => {}
        }
        if depth == 0 {
            break;
        }
    }
    names
}

#[test]
#[ignore = "expensive: packs all models"]
fn the_systems_name_what_the_package_has() {
    let folder = tempfile::tempdir().unwrap();
    let models = models(folder.path());
    let systems = docs("Try.mo");
    let mut used = BTreeSet::new();
    for system in systems.split("\n\n") {
        for part in system.split("MechanicalFMUs.").skip(1) {
            let (class, rest) = part.split_once(' ').unwrap();
            let (instance, _) = rest.split_once(['(', ';']).unwrap();
            let (_, text) = models.iter().find(|(name, _)| name == class).unwrap_or_else(|| panic!("no {class}"));
            used.insert(class.to_owned());
            for name in modified(&rest[instance.len()..]) {
                assert!(has(text, &name), "{class} has no {name}");
            }
            for member in system.split(&format!("{instance}.")).skip(1) {
                let name: String = member.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
                assert!(has(text, &name), "{class} has no {name}");
            }
        }
    }
    let all: BTreeSet<String> = models.into_iter().map(|(name, _)| name).collect();
    assert_eq!(used, all);
}

#[test]
fn the_script_simulates_each_system_once() {
    let (systems, script) = (docs("Try.mo"), docs("try.mos"));
    // A system begins with what it extends, of which these say what should be equal.
    let is_compared =
        |text: &&str| ["Compared", "Loops"].iter().any(|class| text.contains(&format!("\n    extends {class}")));
    let models = systems.split("\n\n").filter(|text| text.starts_with("  model "));
    let systems: Vec<_> = models.map(|text| text.trim_start_matches("  model ")).filter(is_compared).collect();
    assert_eq!(script.matches("simulate(").count(), systems.len());
    for system in systems {
        let name: String = system.chars().take_while(|character| character.is_alphanumeric()).collect();
        let count = |text: &str| script.matches(&text.replace('*', &name)).count();
        let lines = ["simulate(Try.*, ", "fileNamePrefix = \"*\"", "\"*_res.mat\"", "print(\"*: \""];
        assert_eq!(lines.map(count), [1; 4], "{name}");
    }
}

#[test]
#[ignore = "expensive: a compiler of Modelica reads all models"]
fn the_systems_and_the_package_are_modelica() {
    let Some(mut python) = python() else { return };
    let folder = tempfile::tempdir().unwrap();
    let models = models(folder.path());
    let package = modelica_package(folder.path()).unwrap();
    let names = models.iter().map(|(name, _)| &**name).chain(["Internal", "package"]);
    let script = "import rumoca, sys\n\
        for path in sys.argv[1:]:\n\
        \x20   print(path)\n\
        \x20   for found in rumoca.validate_source(open(path, encoding='utf-8').read()):\n\
        \x20       print(' ', str(found).split(' (MLS')[0])";
    let files: Vec<_> = names.map(|name| package.join(format!("{name}.mo"))).chain([docs_file("Try.mo")]).collect();
    let said = printed(python.args(["-c", script]).args(&files));
    let mut found = said.lines().filter(|line| line.starts_with(' '));
    // What initial equations call declares no purity.
    for name in ["constructor", "destructor", "start", "states", "memory"] {
        let warning = format!("warning: external function '{name}' does not declare `pure` or `impure`");
        assert!(found.next().is_some_and(|line| line.contains(&warning)), "{name}: {said}");
    }
    assert_eq!((found.next(), said.lines().count()), (None, files.len() + 5), "{said}");
}
