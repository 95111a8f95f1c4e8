//! Typical mistakes in a component, each with the message of the compiler.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

const COMPONENT: &str = r#"
use fmu_runtime::{Context, Equations, Event, Events, Indicators, ModelError, Scalar, model};

model! {
    /// A mass on a spring and a damper.
    pub struct Mass<T>: Indicators {
        parameter m: T = 1.0, KG, "Mass", min = 1e-6;
        parameter c: T = 100.0, N_PER_M, "Stiffness", min = 0.0;
        parameter d: T = 1.0, NS_PER_M, "Damping", min = 0.0;
        parameter count: i32 = 1, "Number of springs";
        state x: T = 0.1, M, "Position", der = v;
        state v: T = 0.0, M_PER_S, "Velocity", der = a;
        output a: T, M_PER_S2, "Acceleration";
    }
}

impl<T: Scalar> Equations<T> for Mass<T> {
    fn evaluate(&mut self, _: &Context<'_, T, Self>) -> Result<(), ModelError> {
        self.a = -(self.x * self.c + self.v * self.d) / self.m;
        Ok(())
    }
}

impl<T: Scalar> Indicators<T> for Mass<T> {
    const COUNT: usize = 1;
    fn indicators(&self, _: &Context<'_, T, Self>, indicators: &mut [T]) {
        indicators[0] = self.x;
    }
}

pub fn exported() -> Box<dyn fmu_runtime::ComponentModel> {
    fmu_runtime::component_model::<Mass>()
}
"#;

/// Events that `Mass` does not list.
const UNLISTED: &str = "
impl<T: Scalar> Events<T> for Mass<T> {
    fn event(&mut self, _: &Context<'_, T, Self>, _: &mut Event) -> Result<(), ModelError> {
        Ok(())
    }
}
";

/// The runtime as compiled for this test, or for an earlier one.
fn runtimes() -> Vec<PathBuf> {
    let deps = std::env::current_exe().unwrap().parent().unwrap().to_owned();
    let is_runtime = |path: &Path| {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        name.starts_with("libfmu_runtime-") && name.ends_with(".rlib")
    };
    let paths = fs::read_dir(deps).unwrap().map(|entry| entry.unwrap().path());
    let mut paths: Vec<_> = paths.filter(|path| is_runtime(path)).collect();
    paths.sort_by_key(|path| std::cmp::Reverse(fs::metadata(path).unwrap().modified().unwrap()));
    paths
}

/// The errors of the compiler: for each its message with labels and hints, and the lines of the source that it marks
/// alone.
fn errors(runtime: &Path, source: &str) -> Vec<(String, Vec<String>)> {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("component.rs");
    fs::write(&file, source).unwrap();
    let output = Command::new(std::env::var_os("RUSTC").unwrap_or("rustc".into()))
        .args(["--edition=2024", "--crate-type=lib", "--emit=metadata", "--error-format=json", "-Awarnings"])
        .arg("--out-dir")
        .arg(folder.path())
        .arg(format!("-Ldependency={}", runtime.parent().unwrap().display()))
        .arg(format!("--extern=fmu_runtime={}", runtime.display()))
        .env("CARGO_PKG_NAME", "mass")
        .env("CARGO_PKG_VERSION", "1.0.0")
        .arg(&file)
        .output()
        .unwrap();
    let text = String::from_utf8(output.stderr).unwrap();
    let messages = text.lines().map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap());
    let errors = messages.filter(|message| message["level"] == "error" && message["spans"][0].is_object());
    errors
        .map(|message| {
            let mut lines = Vec::new();
            let mut text = message["rendered"].as_str().unwrap().to_owned();
            for span in message["spans"].as_array().unwrap() {
                let is_own = span["file_name"] == file.to_str().unwrap() && span["is_primary"] == true;
                if is_own && span["line_start"] == span["line_end"] {
                    lines.push(span["text"][0]["text"].as_str().unwrap().trim().to_owned());
                }
            }
            text = text.split_whitespace().collect::<Vec<_>>().join(" ");
            (text, lines)
        })
        .collect()
}

/// Compiles the component with a change; returns its errors.
fn changed(from: &str, to: &str) -> Vec<(String, Vec<String>)> {
    assert!(from.is_empty() || COMPONENT.matches(from).count() == 1, "{from}");
    let source = if from.is_empty() { format!("{COMPONENT}{to}") } else { COMPONENT.replace(from, to) };
    let runtimes = runtimes();
    let runtime = runtimes.iter().find(|runtime| errors(runtime, COMPONENT).is_empty());
    errors(runtime.expect("the component compiles without a mistake"), &source)
}

/// The only error, which must be at a row.
#[track_caller]
fn only(errors: &[(String, Vec<String>)], row: &str) -> String {
    assert_eq!(errors.len(), 1, "{errors:#?}");
    assert!(errors[0].1.iter().any(|line| line.starts_with(row)), "{errors:#?}");
    errors[0].0.clone()
}

#[track_caller]
fn contains(text: &str, part: &str) {
    assert!(text.contains(part), "{text}");
}

#[test]
fn a_name_used_twice_is_refused_at_its_second_row_before_anything_else() {
    let errors = changed("parameter count: i32", "parameter c: i32");
    contains(&errors[0].0, "identifier `c` is bound more than once");
    assert!(errors[0].1.iter().any(|line| line.starts_with("parameter c: i32")), "{errors:#?}");
}

#[test]
fn a_capability_that_is_not_listed_is_refused_at_its_implementation() {
    let errors = changed("", UNLISTED);
    assert_eq!(errors.len(), 1, "{errors:#?}");
    contains(&errors[0].0, "implementations of trait `Events<_>` for type `Mass<_>`");
    contains(&errors[0].0, "impl<T: Scalar> Events<T> for Mass<T> {");
}

#[test]
fn an_unknown_unit_is_refused_at_its_row_with_one_that_exists() {
    let text = only(&changed("NS_PER_M,", "NS_PER_MM,"), "parameter d");
    contains(&text, "cannot find value `NS_PER_MM`");
    contains(&text, "`NS_PER_M`");
}

#[test]
fn a_wrong_type_is_refused_at_its_row_with_those_that_are_right() {
    let errors = changed("count: i32", "count: u32");
    for (text, lines) in &errors {
        contains(text, "`u32` is not a type of a row");
        contains(text, "a row is `T`, `Vector3<T>`, `Matrix3<T>`, `i32`");
        assert!(lines[0].starts_with("parameter count: u32"), "{errors:#?}");
    }
    let text = only(&changed("T = 100.0", "T = 100"), "parameter c");
    contains(&text, "expected `f64`, found integer");
}

#[test]
fn a_state_without_a_derivative_is_refused_at_its_row() {
    let text = only(&changed("\"Velocity\", der = a", "\"Velocity\""), "state v");
    contains(&text, "the row of this state does not name its derivative");
    contains(&text, "add `der = name` behind the description");
    let text = only(&changed("der = a", "der = acceleration"), "state v");
    contains(&text, "cannot find value `acceleration`");
}

#[test]
fn a_listed_capability_must_be_implemented() {
    let (before, rest) = COMPONENT.split_once("impl<T: Scalar> Indicators").unwrap();
    let (implementation, _) = rest.split_once("\npub fn").unwrap();
    let errors = changed(&format!("impl<T: Scalar> Indicators{implementation}"), "");
    assert!(before.contains("pub struct Mass<T>: Indicators {"));
    assert_eq!(errors.len(), 1, "{errors:#?}");
    contains(&errors[0].0, "`Mass<T>` lists `Indicators` behind its name, but does not implement it");
    contains(&errors[0].0, "add `impl<T: Scalar> Indicators<T> for Mass<T>`, or do not list it");
}

#[test]
fn an_unknown_capability_is_refused_with_those_that_exist() {
    let errors = changed("Mass<T>: Indicators", "Mass<T>: Indicators + Event");
    contains(
        &errors[0].0,
        "`Event` is not a capability; there are `Events`, `Indicators`, `Steps`, `Memory` and `Acausal`",
    );
    assert_eq!(errors.len(), 1, "{errors:#?}");
}
