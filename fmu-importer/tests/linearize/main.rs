//! The command `linearize`: linear systems, modes and responses against closed forms and differences.

mod closed_forms;
mod examples;
mod files;
#[path = "../support/lines.rs"]
#[allow(dead_code)]
mod lines;
mod messages;
mod page;
mod response;
mod steady;

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use fmu_builder::{Settings, Standard};
use fmu_tests::finished::{packed, resolve, root};
use serde_json::Value;
use tempfile::TempDir;

/// An FMU in a folder of its own.
struct Made {
    folder: TempDir,
    file: PathBuf,
}

impl Made {
    /// Makes the FMU of a system.
    fn system(text: &str) -> Self {
        Self::of(text, Standard::Fmi2)
    }

    fn of(text: &str, standard: Standard) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let configuration = folder.path().join("system.toml");
        fs_err::write(&configuration, text).unwrap();
        let description = resolve("systems", &Settings::from_toml(&configuration).unwrap()).unwrap();
        let file = packed("systems", &description, standard, folder.path());
        Self { folder, file }
    }

    fn path(&self, name: &str) -> String {
        self.folder.path().join(name).to_str().unwrap().to_owned()
    }

    /// Makes the FMU of an example.
    fn example(name: &str) -> Self {
        Self::system(&fs_err::read_to_string(root().join("examples").join(name)).unwrap())
    }

    /// Returns the linear system that the command finds.
    fn linear(&self, arguments: &[&str]) -> Linear {
        Linear::of(&self.file, &self.path("linear.json"), arguments)
    }
}

/// A linear system as read from JSON.
struct Linear {
    json: Value,
    said: String,
}

impl Linear {
    fn of(file: &Path, json: &str, arguments: &[&str]) -> Self {
        let said = printed(file, &[arguments, &["--output", json]].concat());
        Self { json: serde_json::from_slice(&fs_err::read(json).unwrap()).unwrap(), said }
    }

    fn matrix(&self, name: &str) -> Vec<Vec<f64>> {
        serde_json::from_value(self.json[name].clone()).unwrap()
    }

    /// Returns the values of a key of all modes.
    fn modes(&self, key: &str) -> Vec<Value> {
        self.json["modes"].as_array().unwrap().iter().map(|mode| mode[key].clone()).collect()
    }

    fn numbers(&self, key: &str) -> Vec<f64> {
        self.modes(key).iter().map(|value| value.as_f64().unwrap_or(f64::NAN)).collect()
    }

    /// Returns the value of a state, an input or an output at the operating point.
    fn value(&self, name: &str) -> f64 {
        let channels = ["states", "inputs", "outputs"].map(|key| self.json[key].as_array().unwrap());
        let channel = channels.into_iter().flatten().find(|channel| channel["name"] == name);
        channel.unwrap_or_else(|| panic!("no {name}"))["value"].as_f64().unwrap()
    }
}

fn linearize(file: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_fmu-importer")).arg("linearize").arg(file).args(arguments).output().unwrap()
}

fn printed(file: &Path, arguments: &[&str]) -> String {
    let output = linearize(file, arguments);
    assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

/// Returns the message of a command that must fail, without its `error: `.
fn refused(file: &Path, arguments: &[&str]) -> String {
    let output = linearize(file, arguments);
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(1), "{said}");
    said.trim_end().strip_prefix("error: ").unwrap_or_else(|| panic!("{said}")).to_owned()
}

/// Returns equal masses in a row, with springs and dampers between them and, with walls, at both ends.
fn chain(masses: usize, walls: bool, c: f64, d: f64) -> String {
    let mut text = "name = \"Chain\"\noutputs = [\"m1.s\"]\n".to_owned();
    let ends = if walls { 0..=masses } else { 1..=masses - 1 };
    for mass in 1..=masses {
        text += &format!("[parts.m{mass}]\ntype = \"Mass\"\nm = 2.0\n");
    }
    if walls {
        text += "[parts.left]\ntype = \"Translational.Fixed\"\n[parts.right]\ntype = \"Translational.Fixed\"\n";
    }
    for link in ends {
        let left = if link == 0 { "left.flange".to_owned() } else { format!("m{link}.flange_b") };
        let right = if link == masses { "right.flange".to_owned() } else { format!("m{}.flange_a", link + 1) };
        text += &format!("[parts.c{link}]\ntype = \"Translational.SpringDamper\"\nc = {c}\nd = {d}\n");
        text += &format!("flange_a = \"{left}\"\nflange_b = \"{right}\"\n");
    }
    text
}

fn close(one: f64, other: f64, tolerance: f64) -> bool {
    (one - other).abs() <= tolerance * one.abs().max(other.abs())
}
