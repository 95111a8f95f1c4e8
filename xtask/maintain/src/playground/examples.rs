//! The examples, with what they need and how they move.

use std::path::Path;

use anyhow::{Context, Result};
use serde_json::{Map, Value, json};
use toml::Table;
use xtask::components::{Component, own_components};
use xtask::paths::{files, root};

use crate::site::gallery::{self, motion_of};

/// Copies the examples into a folder, with a list of them.
pub fn copy(folder: &Path) -> Result<()> {
    fs_err::create_dir_all(folder)?;
    let source = root().join("examples");
    let gallery = fs_err::read_to_string(root().join(gallery::PAGE))?;
    let mut list = Vec::new();
    for file in files(&source, "toml")? {
        let main = file.file_name().context("a file has a name")?.to_string_lossy().into_owned();
        let text = fs_err::read_to_string(&file)?;
        let settings: Table = text.parse().with_context(|| main.clone())?;
        let of_key = |key: &str| settings.get(key).and_then(toml::Value::as_str).unwrap_or_default();
        let name = of_key("name");
        let mut simulate = simulation(&motion_of(&gallery, name).unwrap_or_default());
        // Inputs of drive trains, which the gallery has not.
        let table = main.replace(".toml", ".csv");
        if simulate.get("input").is_none() && source.join(&table).is_file() {
            simulate["input"] = json!({ "file": table });
        }
        let mut needed = vec![main.clone()];
        let words = text.split('"').skip(1).step_by(2);
        let named = words.filter(|word| [".toml", ".csv", ".xlsx"].iter().any(|ending| word.ends_with(ending)));
        needed.extend(named.filter(|word| source.join(word).is_file()).map(str::to_owned));
        needed.extend(simulate.pointer("/input/file").and_then(Value::as_str).map(str::to_owned));
        needed.sort();
        needed.dedup();
        for name in &needed {
            let place = folder.join(name);
            fs_err::create_dir_all(place.parent().context("in a folder")?)?;
            fs_err::copy(source.join(name), place)?;
        }
        list.push(json!({
            "kind": "example",
            "name": name,
            "title": title(&gallery, &main).map_or_else(|| title_of_file(&main), str::to_owned),
            "main": main,
            "description": of_key("description"),
            "files": needed,
            "simulate": simulate,
        }));
    }
    // Those of the gallery come first.
    list.sort_by_key(|entry| title(&gallery, entry["main"].as_str().unwrap_or_default()).is_none());
    for component in own_components()? {
        list.push(alone(&component, folder)?);
    }
    Ok(fs_err::write(folder.join("index.json"), serde_json::to_vec_pretty(&list)?)?)
}

/// Writes a configuration of a component with its default data; returns its entry in the list.
fn alone(component: &Component, folder: &Path) -> Result<Value> {
    let main = format!("{}.toml", component.name);
    fs_err::write(folder.join(&main), format!("component = \"{}\"\n", component.name))?;
    let mut needed = vec![main.clone()];
    let mut simulate = json!({ "stop": 1.0, "step": 0.01 });
    let motion = component.manifest().with_file_name("reference").join("motion.csv");
    if motion.is_file() {
        let name = format!("{}-motion.csv", component.name);
        fs_err::copy(motion, folder.join(&name))?;
        simulate = json!({ "step": 0.01, "input": { "file": name } });
        needed.push(name);
    }
    Ok(json!({
        "kind": "component",
        "name": component.name,
        "title": component.name,
        "main": main,
        "description": component.description,
        "files": needed,
        "simulate": simulate,
    }))
}

/// Returns the request of a run with the options of a command.
fn simulation(options: &[&str]) -> Value {
    let (mut request, mut set, mut show) = (Map::new(), Vec::new(), Vec::new());
    for pair in options.chunks_exact(2) {
        match pair {
            ["--stop", time] => drop(request.insert("stop".to_owned(), json!(time.parse::<f64>().ok()))),
            ["--step", time] => drop(request.insert("step".to_owned(), json!(time.parse::<f64>().ok()))),
            ["--set", assignment] => set.push(*assignment),
            ["--show", name] => show.push(*name),
            ["--input", file] => {
                let file = file.rsplit('/').next();
                request.insert("input".to_owned(), json!({ "file": file }));
            }
            _ => {}
        }
    }
    request.insert("set".to_owned(), json!(set));
    request.insert("show".to_owned(), json!(show));
    request.into()
}

/// Returns the heading in the gallery above the link to a file.
fn title<'a>(gallery: &'a str, file: &str) -> Option<&'a str> {
    let (before, _) = gallery.split_once(&format!("](../examples/{file})"))?;
    before.rsplit_once("\n## ")?.1.lines().next()
}

/// Returns the words of a file's name, as a title.
fn title_of_file(file: &str) -> String {
    let words = file.trim_end_matches(".toml").replace('-', " ");
    let (first, rest) = words.split_at(1);
    first.to_uppercase() + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_has_the_options_of_the_command() {
        let request =
            simulation(&["--input", "examples/a.csv", "--show", "r", "--step", "0.01", "--set", "m=2", "--stop", "3"]);
        assert_eq!(
            request,
            json!({ "input": { "file": "a.csv" }, "step": 0.01, "stop": 3.0, "set": ["m=2"], "show": ["r"] })
        );
    }

    #[test]
    fn a_title_is_that_of_the_section_or_the_name() {
        let gallery = "# Gallery\n\n## Four bars\n\nOf [`a.toml`](../examples/a.toml)\n";
        assert_eq!(title(gallery, "a.toml"), Some("Four bars"));
        assert_eq!(title(gallery, "b.toml"), None);
        assert_eq!(title_of_file("six-axis-arm.toml"), "Six axis arm");
    }
}
