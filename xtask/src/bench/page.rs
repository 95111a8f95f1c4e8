//! The page of the figures.

use std::collections::BTreeMap;
use std::fmt::Write;

use anyhow::{Context, Result, bail};

use super::harness::Unit;
use super::peers::Built;
use super::{PICTURE, Results};
use crate::components::{Component, find, own_components};

const INTRODUCTION: &str = "# Measurements

Made by `cargo xtask bench --save`, which fetches the peers, builds all FMUs and measures them in one run. Times of calls
are those of a C program (`tests/bench/harness.c`, `-O2`) through FMI's C interface: it calls in batches of 50 µs, takes
the median of all batches of a row, and of three rounds over all FMUs the quietest.
";

/// The rows that the harness measures, and what they are called.
const CALLS: [(&str, &str); 9] = [
    ("instantiate", "instantiate and free"),
    ("get1", "get 1 Real"),
    ("get50", "get 50 Reals"),
    ("set1", "set 1 Real"),
    ("set50", "set 50 Reals"),
    ("step", "step of 1 ms"),
    ("cycle", "set all inputs, step, get all outputs"),
    ("state", "FMU state: get into the same, set"),
    ("serialise", "FMU state: serialise and read back"),
];

/// The rows about files, and what they are called.
const FILES: [(&str, &str); 4] = [
    ("archive", "archive"),
    ("library", "library in it, for this platform"),
    ("configuration", "from a changed configuration to the .fmu"),
    ("source", "from a changed source to the .fmu"),
];

/// Tools that cannot be compared.
const MISSING: [(&str, &str); 7] = [
    ("PyFMU 0.0.4 (PyPI)", "its library needs Python 3.7, which is out of maintenance, and its package 3.8 or newer"),
    ("mlfmu, onnx2fmu (PyPI)", "they export neural networks only, no equations"),
    ("SimulatorToFMU (PyPI)", "a wrapper around a simulator, which Dymola, JModelica or OpenModelica must compile"),
    ("FMPy, PyFMI, OMSimulator (PyPI)", "they import FMUs, but make none"),
    ("Reference FMUs (crate fmi-test-data)", "the crate has no FMUs; it downloads them from GitHub when it is used"),
    ("OpenModelica", "in no registry: neither Debian nor PyPI has its compiler"),
    ("FMUs of Dymola, Simulink and others", "their licences"),
];

/// The page; in a smoke run, peers may be ahead without a reason.
pub fn page(results: &Results, smoke: bool) -> Result<String> {
    let mut page = INTRODUCTION.to_owned();
    table(&mut page, &["", ""]);
    for (what, which) in &results.machine {
        row(&mut page, &[what.to_string(), which.clone()]);
    }
    limits(&mut page, results)?;
    components(&mut page, results);
    peers(&mut page, results, smoke)?;
    write!(
        page,
        "\n## Accuracy over cost\n\n![Error over cost of an exact clutch and of fixed steps]({PICTURE})\n\n{}",
        results.engagement
    )?;
    Ok(page)
}

fn table(page: &mut String, head: &[&str]) {
    let align = |title: &&str| if title.is_empty() || title.contains(' ') { "---" } else { "---:" };
    let line: Vec<_> = head.iter().enumerate().map(|(at, title)| if at == 0 { "---" } else { align(title) }).collect();
    *page += &format!("\n| {} |\n| {} |\n", head.join(" | "), line.join(" | "));
}

fn row(page: &mut String, cells: &[String]) {
    *page += &format!("| {} |\n", cells.join(" | "));
}

/// What is asked, and the worst of all components.
fn limits(page: &mut String, results: &Results) -> Result<()> {
    *page += "\n## What is asked\n\nWhat this project asks of itself, and the worst of all components:\n";
    table(page, &["", "asked", "measured", "of", ""]);
    let worst = |value: &dyn Fn(&str, &Unit) -> Option<f64>| {
        let values = results.components.iter().filter_map(|(name, unit)| Some((value(name, unit)?, name.clone())));
        values.max_by(|a, b| a.0.total_cmp(&b.0)).context("no component was measured")
    };
    let state = |_: &str, unit: &Unit| Some(unit.rows.get("state")? - unit.rows.get("copy")?);
    let with = with_spreadsheet()?;
    let reads = |name: &str| find(&with, name).is_ok();
    let time: fn(f64) -> String = time;
    let archive = |reading: bool| worst(&|name, unit| (reads(name) == reading).then_some(unit.archive as f64));
    let mut rows = vec![
        ("get 50 Reals", 60.0, worst(&|_, unit| unit.rows.get("get50").copied())?, time),
        ("set 50 Reals", 120.0, worst(&|_, unit| unit.rows.get("set50").copied())?, time),
        ("FMU state get + set, less copying its bytes twice", 60.0, worst(&state)?, time),
        ("instantiate and free", 1e4, worst(&|_, unit| unit.rows.get("instantiate").copied())?, time),
        ("archive without spreadsheet support", 2e5, archive(false)?, size),
        ("archive with spreadsheet support", 7e5, archive(true)?, size),
    ];
    if let Ok(small) = &results.small {
        let archive = |reading| worst(&|name, _| (reads(name) == reading).then(|| Some(*small.get(name)? as f64))?);
        rows.push(("archive of `--small` without spreadsheet support", 2e5, archive(false)?, size));
        rows.push(("archive of `--small` with spreadsheet support", 7e5, archive(true)?, size));
    }
    for (what, limit, (value, of), show) in rows {
        let met = if value <= limit { "met" } else { "**missed**" };
        row(page, &[what.to_owned(), format!("≤ {}", show(limit)), show(value), of, met.to_owned()]);
    }
    *page += "\nBacktraces of the standard library cannot be left out unless it is compiled, too: \
        that is what `--small` does.\n";
    Ok(())
}

/// The components that depend on the package `spreadsheet`.
fn with_spreadsheet() -> Result<Vec<Component>> {
    let components = own_components()?;
    let reads = |manifest: &std::path::Path| {
        let manifest: toml::Table = fs_err::read_to_string(manifest)?.parse()?;
        let dependencies = manifest.get("dependencies").and_then(toml::Value::as_table);
        anyhow::Ok(dependencies.is_some_and(|dependencies| dependencies.contains_key("spreadsheet")))
    };
    let mut found = Vec::new();
    for component in components {
        if reads(component.manifest())? {
            found.push(component);
        }
    }
    Ok(found)
}

fn components(page: &mut String, results: &Results) {
    *page += "\n## Components\n\nEach with its defaults, in Co-Simulation. The step is 1 ms with inputs at their start values.\n";
    let mut head = vec!["FMU", "variables", "archive"];
    if results.small.is_ok() {
        head.push("`--small`");
    }
    head.push("library");
    let names =
        ["instantiate, free", "get 50", "set 50", "step", "inputs, step, outputs", "state get + set", "copying"];
    head.extend(names);
    table(page, &head);
    for (name, unit) in &results.components {
        let mut cells = vec![name.clone(), unit.variables.to_string(), size(unit.archive as f64)];
        if let Ok(small) = &results.small {
            cells.push(small.get(name).map_or("–".to_owned(), |bytes| size(*bytes as f64)));
        }
        cells.push(size(unit.library as f64));
        for key in ["instantiate", "get50", "set50", "step", "cycle", "state", "copy"] {
            cells.push(unit.rows.get(key).map_or("–".to_owned(), |value| time(*value)));
        }
        row(page, &cells);
    }
    *page += "\n\"Copying\" is what `memcpy` takes for the bytes of a serialised state, there and back.\n";
    if let Err(reason) = &results.small {
        let reason = format!("{reason:#}");
        let reason = reason.lines().find(|line| line.contains("error")).unwrap_or(&reason).trim();
        *page += &format!("\nWithout the archives of `--small`, which could not be made: {reason}\n");
    }
}

/// What a peer has in a row: nanoseconds, bytes or seconds.
fn figure(key: &str, built: &Built, unit: &Unit) -> Option<f64> {
    match key {
        "archive" => Some(unit.archive as f64),
        "library" => Some(unit.library as f64),
        // Peers have no configuration: a parameter is changed in the source.
        "configuration" => Some(built.from_configuration.unwrap_or(built.from_source)),
        "source" => Some(built.from_source),
        _ => unit.rows.get(key).copied(),
    }
}

fn peers(page: &mut String, results: &Results, smoke: bool) -> Result<()> {
    *page += "\n## Beside other tools\n\nAll have the same component, a wheel with a spring, a damper and a torque \
        (`tests/peers`), integrated by one step of Euler's explicit method per communication step; the run fails unless \
        all compute the same. In brackets: how often ours goes into it. Below 1, the peer is ahead.\n";
    let had: Vec<_> = results.peers.iter().filter_map(|(peer, result)| Some((*peer, result.as_ref().ok()?))).collect();
    let Some((_, (our_built, our_unit))) = had.first().filter(|(peer, _)| peer.title == "ours") else {
        bail!("our own FMU could not be built");
    };
    let mut head = vec![""];
    head.extend(had.iter().map(|(peer, _)| peer.title));
    table(page, &head);
    let mut ahead: BTreeMap<&str, Vec<(&str, &str)>> = BTreeMap::new();
    for (key, title) in CALLS.into_iter().chain(FILES) {
        let show = match key {
            "archive" | "library" => size,
            "configuration" | "source" => seconds,
            _ => time,
        };
        let mut cells = vec![title.to_owned()];
        let ours = figure(key, our_built, our_unit);
        for (peer, (built, unit)) in &had {
            let ratio = figure(key, built, unit).zip(ours).map(|(theirs, ours)| theirs / ours);
            cells.push(match (figure(key, built, unit), ratio) {
                (Some(value), _) if peer.title == "ours" => show(value),
                (Some(value), Some(ratio)) => {
                    // Less than a twentieth is not worth a reason.
                    if ratio < 0.95 {
                        ahead.entry(peer.title).or_default().push((key, title));
                    }
                    format!("{} ({})", show(value), digits(ratio))
                }
                (Some(value), None) => show(value),
                (None, _) => "–".to_owned(),
            });
        }
        row(page, &cells);
    }
    *page += "\n–: the peer has no such function. PythonFMU and UniFMU pack libraries for several platforms.\n\n";
    for (peer, result) in &results.peers {
        match result {
            Ok(_) => writeln!(page, "- {}: {}.", peer.title, peer.what)?,
            Err(error) => writeln!(page, "- {}: not measured, {}.", peer.title, first_line(error))?,
        }
    }
    *page += "\n### Where a peer is ahead, and why\n\n";
    page.push_str(&reasons(&ahead, smoke)?);
    *page += "\n### Not compared\n\n";
    for (tool, reason) in MISSING {
        writeln!(page, "- {tool}: {reason}.")?;
    }
    Ok(())
}

fn first_line(error: &anyhow::Error) -> String {
    format!("{error:#}").lines().next().unwrap_or_default().to_owned()
}

/// The reasons of `tests/peers/reasons.toml` for what is ahead of ours.
fn reasons(ahead: &BTreeMap<&str, Vec<(&str, &str)>>, smoke: bool) -> Result<String> {
    let file = crate::root().join("tests").join("peers").join("reasons.toml");
    let known: toml::Table = fs_err::read_to_string(&file)?.parse()?;
    let known = known.get("reason").and_then(toml::Value::as_array).context("no reasons")?;
    let text = |table: &toml::Value, key: &str| table.get(key).and_then(toml::Value::as_str).map(str::to_owned);
    let (mut said, mut missing) = (String::new(), Vec::new());
    for (peer, rows) in ahead {
        let mut by_reason: Vec<(String, Vec<&str>)> = Vec::new();
        for (key, title) in rows {
            let fits = |entry: &&toml::Value| {
                let rows = entry.get("rows").and_then(toml::Value::as_array);
                text(entry, "peer").as_deref() == Some(*peer)
                    && rows.is_some_and(|rows| rows.iter().any(|row| row.as_str() == Some(*key)))
            };
            match known.iter().find(fits).and_then(|entry| text(entry, "reason")) {
                None => missing.push(format!("{peer}: {key}")),
                Some(reason) => match by_reason.iter_mut().find(|(other, _)| *other == reason) {
                    Some((_, titles)) => titles.push(title),
                    None => by_reason.push((reason, vec![title])),
                },
            }
        }
        for (reason, titles) in by_reason {
            writeln!(said, "- **{peer}**, {}: {reason}", titles.join("; "))?;
        }
    }
    if !missing.is_empty() && !smoke {
        bail!("peers are ahead without a reason in {}:\n  {}", file.display(), missing.join("\n  "));
    }
    Ok(if said.is_empty() { "Nowhere.\n".to_owned() } else { said })
}

/// Two or three digits, one where there is little.
fn digits(value: f64) -> String {
    match value {
        value if value < 0.1 => format!("{value:.3}"),
        value if value < 0.95 => format!("{value:.2}"),
        value if value < 10.0 => format!("{value:.1}"),
        value if value < 1e4 => format!("{value:.0}"),
        value => format!("{:.0}·10³", value / 1e3),
    }
}

/// Nanoseconds for a person to read.
fn time(nanoseconds: f64) -> String {
    match nanoseconds {
        value if (1e3..1e4).contains(&value) => format!("{:.1} µs", value / 1e3),
        value if value < 1e3 => format!("{} ns", digits(value)),
        value if value < 1e6 => format!("{} µs", digits(value / 1e3)),
        value => format!("{} ms", digits(value / 1e6)),
    }
}

/// Bytes for a person to read.
fn size(bytes: f64) -> String {
    format!("{:.0} kB", bytes / 1e3)
}

/// Seconds for a person to read.
fn seconds(seconds: f64) -> String {
    format!("{seconds:.1} s")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_are_short() {
        assert_eq!(
            [4.51, 53.2, 8646.0, 17_118.0, 979_816.0, 1.7e8].map(time),
            ["4.5 ns", "53 ns", "8.6 µs", "17 µs", "980 µs", "170 ms"]
        );
        assert_eq!([0.006, 0.42, 2.04, 20.3, 45_123.0].map(digits), ["0.006", "0.42", "2.0", "20", "45·10³"]);
        assert_eq!(size(200_499.0), "200 kB");
    }

    #[test]
    fn what_is_ahead_needs_a_reason() {
        let ahead =
            BTreeMap::from([("qfmu 0.2.9", vec![("instantiate", "instantiate and free"), ("get50", "get 50")])]);
        let message = format!("{:#}", reasons(&ahead, false).unwrap_err());
        assert!(message.starts_with("peers are ahead without a reason in "), "{message}");
        assert!(message.ends_with("reasons.toml:\n  qfmu 0.2.9: get50"), "{message}");
        assert!(reasons(&ahead, true).unwrap().starts_with("- **qfmu 0.2.9**, instantiate and free: It allocates"));
        assert_eq!(reasons(&BTreeMap::new(), false).unwrap(), "Nowhere.\n");
    }
}
