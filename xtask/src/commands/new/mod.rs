//! `cargo xtask new`: creates the package of a component, or of a part of systems.

use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use fmu_builder::console::say;
use fmu_builder::{is_path, reserved};

use fmu_commands::paths::seen_from;

/// Arguments of `cargo xtask new`.
#[derive(clap::Args)]
pub struct Arguments {
    /// Name of the component, which is created in models/, or path of a folder outside this workspace
    #[arg(value_name = "NAME|PATH")]
    name: PathBuf,
    /// Example that the component begins with
    #[arg(long, value_enum, default_value_t, conflicts_with = "part")]
    template: Template,
    /// Create a part for systems instead of a component, in a folder outside this workspace
    #[arg(long)]
    part: bool,
    /// Depend on fmu-runtime by its version in the package registry, not by the path of this workspace
    #[arg(long, conflicts_with = "part")]
    registry: bool,
}

/// The components to begin with.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
enum Template {
    /// A mass on a spring and a damper, in as few lines as possible
    #[default]
    Mass,
    /// A flywheel with a structure option and an enumeration
    Flywheel,
}

impl Template {
    /// The source, whose component is called `NewComponent`.
    const fn source(self) -> &'static str {
        match self {
            Self::Mass => include_str!("mass.rs"),
            Self::Flywheel => include_str!("flywheel.rs"),
        }
    }
}

/// The templates of a part and of a system with it, which `cargo xtask new` renames.
const PART: &str = include_str!("part.rs");
const SYSTEM: &str = include_str!("train.toml");

/// Names that are not allowed for the package or its type, separated by blanks.
const TAKEN: &str = "as break const continue crate dyn else enum extern false fn for if impl in let loop match mod \
    move mut pub ref return self static struct super trait true type unsafe use where while async await abstract \
    become box do final gen macro override priv try typeof unsized virtual yield \
    test core std alloc build examples deps incremental fmu-runtime nalgebra \
    component context equations info inputs scalar source text law structure default-experiment trial \
    t option result default string vec component-model model-error";

/// Further names that are not allowed for a part.
const TAKEN_BY_PARTS: &str = "connector inertia inertia-options inertia-structure initial-condition interface \
    kinematics loads motion part part-type preference relation solution systems typed bearing-friction body \
    body-box body-cylinder body-shape brake bushing clutch damper fixed fixed-rotation fixed-translation force \
    free-motion gas-force gripper ideal-gear ideal-planetary mass position prismatic \
    quadratic-speed-dependent-torque revolute speed spherical spring spring-damper torque universal world";

/// Writes the package of a component or part.
pub fn new(arguments: &Arguments) -> anyhow::Result<()> {
    let given = arguments.name.to_string_lossy();
    let inside = !is_path(&given);
    let folder =
        if inside { xtask::paths::root().join("models").join(&arguments.name) } else { arguments.name.clone() };
    let name = folder.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    check(name, arguments.part)?;
    if fs_err::symlink_metadata(&folder).is_ok() {
        bail!("{}: already exists", folder.display());
    }
    refuse_known(name, inside)?;
    if inside && arguments.part {
        bail!("a part is a package outside this workspace: cargo xtask new --part ../{name}");
    }
    if inside && arguments.registry {
        bail!("--registry is for components outside this workspace: cargo xtask new --registry ../{name}");
    }
    let parent = folder.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let parent = fs_err::canonicalize(parent).with_context(|| format!("{given}: its parent folder is missing"))?;
    let root = fs_err::canonicalize(xtask::paths::root())?;
    if !inside && parent.starts_with(&root) && !parent.starts_with(root.join("target")) {
        bail!("{given} is in this workspace, whose components are in models/: cargo xtask new {name}");
    }

    let manifest = if inside {
        member(name)
    } else {
        let sources = match arguments.registry {
            true => Sources::Registry,
            false if parent.starts_with(root.parent().unwrap_or(&root)) => Sources::Beside,
            false => Sources::AtPath,
        };
        alone(name, &folder, sources, arguments.part)?
    };
    fs_err::create_dir(&folder)?;
    let mut files = vec![("Cargo.toml", manifest)];
    if arguments.part {
        let renamed = |template: &str| template.replace("NewPart", &type_name(name));
        files.extend([("part.rs", renamed(PART)), ("train.toml", renamed(SYSTEM))]);
    } else {
        files.push(("component.rs", arguments.template.source().replace("NewComponent", &type_name(name))));
    }
    if !inside {
        // These are the same versions as here, which are installed on this computer.
        files.push(("Cargo.lock", fs_err::read_to_string(xtask::paths::root().join("Cargo.lock"))?));
    }
    for (file, text) in &files {
        if let Err(error) = fs_err::write(folder.join(file), text) {
            // Leave no incomplete package behind.
            let _ = fs_err::remove_dir_all(&folder);
            return Err(error.into());
        }
    }
    for (file, _) in &files {
        say(folder.join(file).display())?;
    }
    Ok(())
}

/// Rejects names that cargo does not accept for a package, or that cannot name the component.
fn check(name: &str, is_part: bool) -> anyhow::Result<()> {
    let begins = name.starts_with(|first: char| first.is_ascii_lowercase());
    let letters = name.chars().all(|character| matches!(character, 'a'..='z' | '0'..='9' | '-'));
    if !begins || !letters || name.contains("--") || name.ends_with('-') || name.len() > 50 {
        bail!(
            "\"{name}\" cannot be the name of a component: use lower-case letters, digits and single hyphens, at \
             most 50 characters, beginning with a letter, such as my-spring"
        );
    }
    let taken = if is_part { TAKEN_BY_PARTS } else { "" };
    if TAKEN.split(' ').chain(taken.split(' ')).any(|taken| taken == name) {
        bail!("\"{name}\" cannot be the name of a component: it is reserved in Rust or in the runtime");
    }
    let fmu = type_name(name);
    if let Some(why) = reserved(&fmu) {
        bail!("\"{name}\" cannot be the name of a component: its FMU \"{fmu}\" {why}");
    }
    Ok(())
}

/// Rejects the name of an existing package: of any other in the workspace, or of one that may be linked into a
/// component elsewhere.
fn refuse_known(name: &str, inside: bool) -> anyhow::Result<()> {
    let lock: toml::Table = fs_err::read_to_string(xtask::paths::root().join("Cargo.lock"))?.parse()?;
    let mut packages = lock.get("package").and_then(toml::Value::as_array).into_iter().flatten();
    let is_known = |package: &toml::Value| {
        package.get("name").and_then(toml::Value::as_str) == Some(name) && (inside || package.get("source").is_some())
    };
    if packages.any(is_known) {
        bail!("\"{name}\" cannot be the name of a component: another package in Cargo.lock has this name");
    }
    Ok(())
}

/// Converts a package's name to that of its type: `my-spring` → `MySpring`.
fn type_name(name: &str) -> String {
    let capital = |word: &str| word[..1].to_uppercase() + &word[1..];
    name.split('-').map(capital).collect()
}

const TARGET: &str =
    "\n# The shared library inside the FMU; `cargo test` runs the tests in the same file.\n[[example]]\n";

/// Returns the manifest of a member of this workspace.
fn member(name: &str) -> String {
    let inherited = ["version", "edition", "rust-version", "license", "publish"];
    let inherited: String = inherited.map(|key| format!("{key}.workspace = true\n")).concat();
    format!(
        "[package]\nname = \"{name}\"\ndescription = \"{0}\"\n{inherited}{TARGET}name = \"{name}-fmu\"\n\
         path = \"component.rs\"\ncrate-type = [\"cdylib\"]\ntest = true\n\n\
         [dependencies]\nfmu-runtime.workspace = true\nnalgebra.workspace = true\n\n[lints]\nworkspace = true\n",
        type_name(name),
    )
}

/// Source from which a package elsewhere has the runtime.
#[derive(Clone, Copy)]
enum Sources {
    /// The package registry.
    Registry,
    /// This workspace, by relative paths, since the package is next to it.
    Beside,
    /// This workspace, by absolute paths.
    AtPath,
}

/// Returns the manifest of a package elsewhere.
fn alone(name: &str, folder: &Path, sources: Sources, is_part: bool) -> anyhow::Result<String> {
    let workspace = fs_err::read_to_string(xtask::paths::root().join("Cargo.toml"))?;
    let same = |key: &str| {
        let line = workspace.lines().find(|line| line.split(' ').next() == Some(key));
        line.with_context(|| format!("the workspace's Cargo.toml has no line {key} = …"))
    };
    let dependency = |name: &str, path: &str| {
        let path = xtask::paths::root().join(path);
        let path = match sources {
            Sources::Registry => return Ok(format!("{name} = \"{}\"\n", env!("CARGO_PKG_VERSION"))),
            Sources::Beside => beside(folder, &path)?,
            Sources::AtPath => path.display().to_string(),
        };
        anyhow::Ok(format!("{name} = {{ path = {} }}\n", serde_json::Value::from(path)))
    };
    let mut dependencies = dependency("fmu-runtime", "fmu-runtime")?;
    let (mut kind, mut file) = ("", "component.rs");
    if is_part {
        dependencies += &dependency("systems", "models/systems")?;
        kind = "\n# An FMU needs a configuration with [parts].\n[package.metadata.fmu]\nneeds-parts = true\n";
        file = "part.rs";
    }
    Ok(format!(
        "[package]\nname = \"{name}\"\ndescription = \"{}\"\nversion = \"0.1.0\"\n{}\n{}\n\
         publish = false\n\n# A workspace of its own; delete this line to put it into another one.\n[workspace]\n\
         {kind}{TARGET}name = \"{name}-fmu\"\npath = \"{file}\"\ncrate-type = [\"cdylib\"]\ntest = true\n\n\
         [dependencies]\n{dependencies}{}\n",
        type_name(name),
        same("edition")?,
        same("rust-version")?,
        same("nalgebra")?,
    ))
}

/// Returns the path as written in a manifest in a folder that does not exist yet.
fn beside(folder: &Path, path: &Path) -> anyhow::Result<String> {
    let from_parent = seen_from(folder, path)?;
    let from_parent = from_parent.strip_prefix("./").unwrap_or(&from_parent);
    Ok(format!("../{from_parent}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_become_types() {
        assert_eq!(type_name("my-spring-2"), "MySpring2");
    }

    #[test]
    fn the_first_component_has_25_lines_wherever_it_is_shown() {
        let (component, _) = Template::Mass.source().split_once("\n#[cfg(test)]").unwrap();
        assert!(component.lines().count() <= 25, "{component}");
        let root = xtask::paths::root();
        let page = fs_err::read_to_string(root.join("docs/your-own-component.md")).unwrap();
        assert!(page.contains(&format!("```rust\n{}```\n", component.replace("NewComponent", "Oscillator"))));
        let library = fs_err::read_to_string(root.join("fmu-runtime/src/lib.rs")).unwrap();
        let comment: String = library
            .lines()
            .map_while(|line| line.strip_prefix("//!"))
            .fold(String::new(), |text, line| text + line.strip_prefix(' ').unwrap_or(line) + "\n");
        assert!(
            comment.contains(&format!("```\n{}#\n", component.replace("NewComponent", "MassOnSpring"))),
            "{comment}"
        );
    }

    #[test]
    fn what_the_templates_import_is_reserved() {
        let components = [Template::Mass, Template::Flywheel].map(|template| (template.source(), false));
        for (template, is_part) in components.into_iter().chain([(PART, true)]) {
            let imports = template.split("use ").skip(1).filter_map(|rest| rest.split_once(';'));
            let words = imports.flat_map(|(import, _)| import.split(|c: char| !c.is_alphanumeric()));
            let types: Vec<_> = words.filter(|word| word.starts_with(char::is_uppercase)).collect();
            assert!(types.contains(&"Scalar"), "{types:?}");
            for word in types {
                let name = word.split(char::is_uppercase).skip(1).zip(word.matches(char::is_uppercase));
                let name: Vec<_> = name.map(|(rest, first)| first.to_lowercase() + rest).collect();
                assert!(check(&name.join("-"), is_part).is_err(), "{word}");
            }
        }
    }

    #[test]
    fn names_that_cannot_be_are_refused() {
        check("my-spring-2", false).unwrap();
        check("motion", false).unwrap();
        for name in ["", "My", "2nd", "a b", "a--b", "a-", "ä", "a_b", &"a".repeat(51)] {
            let message = check(name, true).unwrap_err().to_string();
            assert_eq!(
                message,
                format!(
                    "\"{name}\" cannot be the name of a component: use lower-case letters, digits and single \
                     hyphens, at most 50 characters, beginning with a letter, such as my-spring"
                )
            );
        }
        let of_both = ["test", "fn", "scalar", "fmu-runtime", "t", "result"].map(|name| (name, false));
        for (name, is_part) in of_both.into_iter().chain([
            ("scalar", true),
            ("motion", true),
            ("part-type", true),
            ("damper", true),
            ("body-shape", true),
        ]) {
            let message = check(name, is_part).unwrap_err().to_string();
            let reason = "it is reserved in Rust or in the runtime";
            assert_eq!(message, format!("\"{name}\" cannot be the name of a component: {reason}"));
        }
        for (name, why) in [
            ("real", "\"Real\" hides a name of Modelica: models next to it would use the FMU instead"),
            ("com1", "\"Com1\" cannot be the name of a file on Windows"),
        ] {
            let message = check(name, false).unwrap_err().to_string();
            assert_eq!(message, format!("\"{name}\" cannot be the name of a component: its FMU {why}"));
        }
    }
}
