//! The systems that a person simulates with OpenModelica (`docs/openmodelica`): they name only models, parameters and
//! connectors that the package has.

mod followed;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use fmu_builder::{Origin, Platform, Settings, modelica_model, modelica_package, pack};
use fmu_tests::finished::{components, library, printed, published_examples, python, resolve, root};

fn docs_file(file: &str) -> PathBuf {
    root().join("docs/openmodelica").join(file)
}

fn docs(file: &str) -> String {
    fs_err::read_to_string(docs_file(file)).unwrap()
}

/// Writes the model of a component with settings; returns its name and text.
fn written(component: &str, settings: &Settings, folder: &Path) -> (String, String) {
    let description = resolve(component, settings).unwrap();
    let name = description.name.clone();
    let library = [(Platform::host().unwrap(), library(component))];
    let fmu = pack(&description, &Origin::default(), &library, folder).unwrap();
    assert_eq!(modelica_model(&description, &fmu).unwrap(), None, "{name}");
    let text = fs_err::read_to_string(folder.join(format!("MechanicalFMUs/{name}.mo"))).unwrap();
    (name, text)
}

/// Writes the model of an example.
fn example(file: &str, folder: &Path) -> (String, String) {
    written("systems", &Settings::from_toml(&root().join("examples").join(file)).unwrap(), folder)
}

/// Returns the texts of the models of all components, of all examples and of the configurations beside the script, by
/// name.
fn models(folder: &Path) -> Vec<(String, String)> {
    let beside = |file: &str| written("bushing", &Settings::from_toml(&docs_file(file)).unwrap(), folder);
    let all = components().into_iter().map(|component| written(&component, &Settings::default(), folder));
    let examples = fs_err::read_dir(root().join("examples")).unwrap().map(|entry| entry.unwrap().file_name());
    let examples = examples.map(|file| file.into_string().unwrap()).filter(|file| file.ends_with(".toml"));
    let configured = ["SideBushing.toml", "RubberBushing.toml"].map(beside);
    all.chain(configured).chain(examples.map(|file| example(&file, folder))).collect()
}

/// Writes the models of the published examples, named after their files, since some share a name.
fn other_examples(folder: &Path) -> Vec<(String, String)> {
    let model = |file: PathBuf| {
        let mut settings = Settings::from_toml(&file).unwrap();
        let stem = file.file_stem().unwrap().to_string_lossy().replace('-', "_");
        settings.set(&format!("name=Published_{stem}")).unwrap();
        written("systems", &settings, folder)
    };
    published_examples().into_iter().map(model).collect()
}

/// Returns the report of `tests/modelica/names.py` on models in a package: two front ends read them, and their names
/// are resolved.
fn read_names(package: &Path, models: &[&str]) -> Option<String> {
    let files = models.iter().map(|name| package.join(format!("{name}.mo")));
    let said = python()?.arg("tests/modelica/names.py").arg(package).args(files).output().unwrap();
    let errors = String::from_utf8(said.stderr).unwrap();
    assert!(errors.is_empty(), "{errors}");
    Some(String::from_utf8(said.stdout).unwrap())
}

/// The models are a mechanism that is drawn, a flange of a system, and a memory that follows the steps, as OpenModelica
/// takes them.
#[test]
fn systems_have_the_forms_that_were_tried() {
    let folder = tempfile::tempdir().unwrap();
    let [gyroscope, drive, four_bar] =
        ["gyroscope.toml", "drive-unit.toml", "four-bar.toml"].map(|file| example(file, folder.path()));
    let has = |(name, text): &(String, String), parts: &[&str]| {
        for part in parts {
            assert!(text.contains(part), "{name}: {part}\n{text}");
        }
        // A matrix must not be where a vector is needed.
        assert!(!text.contains("= [") && !text.contains(", ["), "{name}\n{text}");
    };
    has(
        &gyroscope,
        &[
            ".Shape world_x(\n",
            "color = {200, 60, 60},",
            "r = world_frame_b_r_0_drawn, R = world_frame_b_R_drawn, lengthDirection = {0.3, 0, 0}*halfSize,",
            "Vectors.normalize(precession_n)",
            "  Real world_frame_b_r_0_drawn[3] = drawn[1:3];\n",
            "Orientation world_frame_b_R_drawn = Modelica.Mechanics.MultiBody.Frames.from_T({drawn[4:6], drawn[7:9], \
             drawn[10:12]}, zeros(3));\n",
            "  drawn = Internal.values(fmu, ready, pre(epoch), time, fill(0.0, 0), x, 4, ",
        ],
    );
    has(&drive, &[".state2({smooth(1, out0[1]), smooth(0, out1[1]), out2["]);
    has(
        &four_bar,
        &[
            "  discrete Real remembered[1] ",
            "  pre(remembered) = {rods_angle};\n",
            "  when {change(above[1]), abs(rods_angle - pre(remembered[1])) > 2, time >= pre(nextTime)} then\n",
            "    remembered[1] = rods_angle;\n    reinit(x[1], jumped[1]);\n",
        ],
    );
    let package = modelica_package(folder.path()).unwrap();
    let names = [&*gyroscope.0, &*drive.0, &*four_bar.0, "Internal"];
    let Some(said) = read_names(&package, &names) else { return };
    assert_eq!(said, names.map(|name| format!("{name}: 0 wrong\n")).concat());

    // Each of these made a tool refuse the model, or the whole package.
    for (old, new, message) in [
        (".Shape world_x(", ".Shape world.x(", "pymoca: missing ';' at '.'"),
        (".Shape world_x(", ".Shape world.x(", "Rumoca: "),
        ("normalize(precession_n)", "normalize(precession.n)", "precession.n: not declared"),
        ("{drawn[4:6], ", "{moved[4:6], ", "moved: not declared"),
        ("Frames.from_T(", "Frames.from_S(", "Modelica.Mechanics.MultiBody.Frames.from_S: not declared"),
        ("world.enableAnimation", "world.animated", "World has no animated"),
        ("(fixed = false, ", "(fixd = false, ", "Real.fixd: no such modifier"),
    ] {
        let text = gyroscope.1.replace(old, new);
        assert_ne!(text, gyroscope.1, "{old}");
        fs_err::write(package.join("Gyroscope.mo"), text).unwrap();
        let said = read_names(&package, &["Gyroscope"]).unwrap();
        assert!(!said.contains(": 0 wrong") && said.contains(message), "{old} to {new}: {said}");
    }
}

/// Returns true if a model has something with a name, of its own or from the library's class that it extends.
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

/// Returns the names of the modifications in parentheses, `(a = 1, b = {2, 3})`.
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

/// Asserts that the systems use each model, and no names that it does not have.
fn assert_that_systems_fit(models: &[(String, String)]) {
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
    let all: BTreeSet<String> = models.iter().map(|(name, _)| name.clone()).collect();
    assert_eq!(used, all);
}

#[test]
fn the_script_simulates_each_system_once() {
    let (systems, script) = (docs("Try.mo"), docs("try.mos"));
    // A system begins with the class that it extends; these classes say which values should be equal.
    let is_compared = |text: &&str| {
        ["Compared", "Loops", "Followed"].iter().any(|class| text.contains(&format!("\n    extends {class}")))
    };
    let models = systems.split("\n\n").filter(|text| text.starts_with("  model "));
    let systems: Vec<_> = models.map(|text| text.trim_start_matches("  model ")).filter(is_compared).collect();
    assert_eq!(script.matches("simulate(").count(), systems.len());
    // Those of loading are printed, too.
    assert_eq!(script.matches("messages := getErrorString(); print(messages);").count(), systems.len() + 1);
    for system in systems {
        let name: String = system.chars().take_while(|character| character.is_alphanumeric()).collect();
        let count = |text: &str| script.matches(&text.replace('*', &name)).count();
        let lines = ["simulate(Try.*, ", "fileNamePrefix = \"*\"", "\"*_res.mat\"", "print(\"*: \""];
        assert_eq!(lines.map(count), [1; 4], "{name}");
    }
}

#[test]
#[ignore = "expensive: packs all models, which front ends of Modelica read"]
fn the_package_has_what_the_systems_name_and_is_modelica_whose_names_are_declared() {
    let folder = tempfile::tempdir().unwrap();
    let mut models = models(folder.path());
    assert_that_systems_fit(&models);
    models.extend(other_examples(folder.path()));
    let package = modelica_package(folder.path()).unwrap();
    let names: Vec<_> = models.iter().map(|(name, _)| &**name).chain(["Internal"]).collect();
    let Some(said) = read_names(&package, &names) else { return };
    assert_eq!(said, names.iter().map(|name| format!("{name}: 0 wrong\n")).collect::<String>());
}

#[test]
fn the_systems_are_modelica() {
    let Some(mut python) = python() else { return };
    let script = "import rumoca, pymoca.parser, sys\n\
        text = open(sys.argv[1], encoding='utf-8').read()\n\
        pymoca.parser.parse(text)\n\
        print(*rumoca.validate_source(text), sep='\\n')";
    let said = printed(python.args(["-c", script]).arg(docs_file("Try.mo")));
    assert_eq!(said.trim(), "");
}
