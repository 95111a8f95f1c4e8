//! The module of the page, in Node, against the command line: the same motion, the same bytes, the same messages.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::OnceLock;
use std::time::Instant;

use fmu_builder::Platform;
use fmu_importer::{Simulation, input::InputTable};
use fmu_tests::finished::{printed, resolve, root};
use lzma_rust2::{XzOptions, XzWriter};
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};
use zip::ZipArchive;

/// Largest difference of a result, relative to the largest magnitude of its column.
const MAX_DIFFERENCE: f64 = 1e-9;

/// Magnitude, in SI units, up to which all values of a column may be rounding: differences are then absolute.
const ROUNDING: f64 = 1e-6;

/// Tolerance of the runs: with larger ones, another last bit of a sine can be another step, with its error.
const TOLERANCE: f64 = 1e-9;

/// Examples whose grips and stops are so stiff that forces have a thousand times the error of positions, and their tolerances.
const STIFF: [(&str, f64); 2] = [("PickAndPlace", 1e-12), ("Bench_arm", 1e-12)];

/// Folder with the FMUs of the examples.
const SYSTEMS: &str = "target/fmu/systems";

/// Folder for other FMUs.
const MORE: &str = "target/tmp/playground";

const WRONG_LINE: &str = "[parts.one]\ntype = \"Inertia\"\nJ = -1\n\n[parts.two]\ntype = \"Torqe\"\n";

#[test]
#[ignore = "expensive: compiles the module for WebAssembly"]
fn the_module_gives_the_motion_and_the_bytes_of_the_command_line() {
    let Some(folder) = playground() else { return };
    let packed = tempfile::tempdir().unwrap();
    let platform = Platform::host().unwrap().folder();
    let file = |folder: &Path, case: &Value| folder.join(format!("{}.fmu", text(case, "name")));
    let built = |case: &Value| file(&root().join(case["fmus"].as_str().unwrap_or(SYSTEMS)), case);
    printed(xtask().args(["build", "--config", "examples/*.toml", "--fmi=3", "--quiet", "--out", MORE]));
    // The command line makes these, and the page the others.
    let both = |case: &Value, fmi: u8| match fmi {
        2 => [built(case), file(packed.path(), case)],
        _ => [root().join(MORE), packed.path().to_owned()].map(|folder| file(&folder.join("fmi3"), case)),
    };
    fs_err::create_dir(packed.path().join("fmi3")).unwrap();
    let mut cases = examples(folder);
    // The engine also runs for a second, as its description says.
    let mut engine = cases.iter().find(|case| case["name"] == "EngineV6").unwrap().clone();
    (engine["simulate"], engine["fmus"]) = (json!({ "stop": 1.0 }), SYSTEMS.into());
    cases.push(engine);
    cases.extend(with_workbooks());
    let jobs: Vec<_> = cases
        .iter()
        .map(|case| {
            let mut job = case.clone();
            job["simulate"]["tolerance"] = tolerance(case).into();
            if case["fmus"].is_null() {
                let pack = |fmi| json!({ "fmi": fmi, "platforms": [platform], "to": both(case, fmi)[1] });
                job["packs"] = [2, 3].map(pack).into();
            }
            job
        })
        .collect();
    let results = node(folder, &jobs);
    assert_eq!(results.len(), cases.len());
    for (case, result) in cases.iter().zip(&results) {
        let name = text(case, "name");
        assert_eq!(result["build"]["error"], Value::Null, "{name}");
        assert_eq!(result["run"]["error"], Value::Null, "{name}");
        let (difference, here) = compare(&built(case), case, &result["run"]["columns"]);
        let there = result["run"]["seconds"].as_f64().unwrap();
        println!(
            "{name}: differs by {difference:.1e}, {there:.3} s in Node, {here:.3} s here, {:.1} times",
            there / here
        );
        assert!(difference <= MAX_DIFFERENCE, "{name} differs by {difference}");
        assert_eq!(result["packs"], Value::Null, "{name}");
        if !case["fmus"].is_null() {
            continue;
        }
        for fmi in [2, 3] {
            let [built, packed] = both(case, fmi).map(|file| fs_err::read(file).unwrap());
            assert!(built == packed, "{name}: the page packs other bytes for FMI {fmi}");
        }
    }
}

/// The other platform has the first bytes of a library only.
#[test]
#[ignore = "expensive: compiles the module for WebAssembly"]
fn an_fmu_has_the_libraries_of_the_chosen_platforms() {
    let Some(folder) = playground() else { return };
    let made = tempfile::tempdir().unwrap();
    let libraries = made.path().join("libraries");
    fs_err::create_dir(&libraries).unwrap();
    let host = Platform::host().unwrap().folder();
    let (other, stub) = stub();
    for file in ["mechanical_fmus.wasm".to_owned(), format!("libraries/{host}.xz")] {
        fs_err::copy(folder.join(&file), made.path().join(&file)).unwrap();
    }
    let mut archive = XzWriter::new(Vec::new(), XzOptions::with_preset(0)).unwrap();
    archive.write_all(&stub).unwrap();
    fs_err::write(libraries.join(format!("{other}.xz")), archive.finish().unwrap()).unwrap();
    let mut index: Value = serde_json::from_slice(&fs_err::read(folder.join("libraries/index.json")).unwrap()).unwrap();
    for entry in index["components"].as_array_mut().unwrap() {
        let is_clutch = entry["name"] == "clutch";
        let libraries = entry["libraries"].as_object_mut().unwrap();
        libraries.remove(other);
        if is_clutch {
            let sha256: String = Sha256::digest(&stub).iter().map(|byte| format!("{byte:02x}")).collect();
            libraries.insert(other.to_owned(), json!({ "name": "Clutch", "size": stub.len(), "sha256": sha256 }));
        }
    }
    fs_err::write(libraries.join("index.json"), index.to_string()).unwrap();

    let file = "component = \"clutch\"\n[parameters]\nfn_max = 200\n";
    let jobs = [vec![other], vec![host, other]].map(|platforms| {
        let to = made.path().join(format!("{}.fmu", platforms.len()));
        let pack = json!({ "fmi": 2, "platforms": platforms, "to": to });
        json!({ "files": { "a.toml": file }, "main": "a.toml", "packs": [pack] })
    });
    for result in node(made.path(), &jobs) {
        assert_eq!([&result["build"]["error"], &result["packs"]], [&Value::Null; 2]);
    }
    let [one, both] = ["1.fmu", "2.fmu"].map(|name| binaries(&made.path().join(name)));
    assert_eq!(one, BTreeMap::from([(other.to_owned(), stub.clone())]));
    assert_eq!(both.keys().collect::<BTreeSet<_>>(), BTreeSet::from([&host.to_owned(), &other.to_owned()]));
    assert_eq!(both[other], stub);
    assert!(both[host].len() > stub.len());
}

/// Returns another platform than this one, with the first bytes of a library for it.
fn stub() -> (&'static str, Vec<u8>) {
    let mut bytes = vec![0; 128];
    if Platform::host().unwrap() == Platform::Linux64 {
        bytes[..2].copy_from_slice(b"MZ");
        bytes[0x3C] = 0x40;
        bytes[0x40..0x44].copy_from_slice(b"PE\0\0");
        bytes[0x44..0x46].copy_from_slice(&0x8664_u16.to_le_bytes());
        (Platform::Win64.folder(), bytes)
    } else {
        bytes[..4].copy_from_slice(b"\x7fELF");
        bytes[18] = 62;
        (Platform::Linux64.folder(), bytes)
    }
}

/// Returns the libraries in an FMU by the folders of their platforms.
fn binaries(fmu: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut archive = ZipArchive::new(fs_err::File::open(fmu).unwrap()).unwrap();
    let mut libraries = BTreeMap::new();
    for position in 0..archive.len() {
        let mut file = archive.by_index(position).unwrap();
        let name = file.name().unwrap().into_owned();
        if let Some(library) = name.strip_prefix("binaries/") {
            let mut bytes = Vec::new();
            file.read_to_end(&mut bytes).unwrap();
            libraries.insert(library.split('/').next().unwrap().to_owned(), bytes);
        }
    }
    libraries
}

#[test]
#[ignore = "expensive: compiles the module for WebAssembly"]
fn a_wrong_line_has_the_message_of_the_command_line() {
    let Some(folder) = playground() else { return };
    let results = node(folder, &[json!({ "files": { "wrong.toml": WRONG_LINE }, "main": "wrong.toml" })]);
    let build = &results[0]["build"];
    let settings = fmu_builder::Settings::from_text("wrong.toml".to_owned(), WRONG_LINE.to_owned()).unwrap();
    let expected = resolve("systems", &settings).unwrap_err().to_string();
    assert_eq!(build["error"], expected);
    let problem = &build["problems"][0];
    let found = ["file", "line", "column", "length"].map(|key| problem[key].to_string());
    assert_eq!(found, ["\"wrong.toml\"", "6", "8", "7"], "{build:#}");
    assert!(text(problem, "message").contains("did you mean \"Torque\"?"), "{problem:#}");
}

#[test]
#[ignore = "expensive: compiles the module for WebAssembly"]
fn completions_are_keys_types_and_connectors() {
    let Some(folder) = playground() else { return };
    let file = "[parts.disc]\ntype = \"Inertia\"\nJ = 1\n\n[parts.spring]\ntype = \"Spring\"\nflange_a = \n";
    let at = |what: &str| file.find(what).unwrap() + what.len();
    let places = [at("flange_a = "), at("J = 1\n"), at("type = \"Spri") - 4];
    let jobs = places.map(|offset| json!({ "files": { "a.toml": file }, "main": "a.toml", "complete": offset }));
    let labels = |result: &Value| -> Vec<String> {
        result["complete"]["options"]
            .as_array()
            .unwrap()
            .iter()
            .map(|option| text(option, "label").to_owned())
            .collect()
    };
    let results = node(folder, &jobs);
    assert_eq!(labels(&results[0]), ["disc.flange_a", "disc.flange_b"]);
    let keys = labels(&results[1]);
    assert!(keys.contains(&"phi_start".to_owned()) && !keys.contains(&"J".to_owned()), "{keys:?}");
    assert!(labels(&results[2]).contains(&"Spring".to_owned()));
}

#[test]
#[ignore = "expensive: compiles the module for WebAssembly"]
fn variables_have_the_lines_of_their_values() {
    let Some(folder) = playground() else { return };
    let system =
        "[parts.disc]\ntype = \"Inertia\"\nJ = 1\n\n[parts.base]\ntype = \"Fixed\"\nflange = \"disc.flange_a\"\n";
    let component = "component = \"bushing\"\n[parameters]\n# stiff\nTS = [1e6, 2e6, 3e6]\n";
    let job = |text: &str| json!({ "files": { "a.toml": text }, "main": "a.toml" });
    let results = node(folder, &[job(system), job(component)]);
    let line = |result: usize, name: &str| {
        let variables =
            results[result]["build"]["variables"].as_array().unwrap_or_else(|| panic!("{:#}", results[result]));
        variables.iter().find(|variable| variable["name"] == name).unwrap()["line"].clone()
    };
    assert_eq!([line(0, "disc.J"), line(0, "disc.a")], [json!(3), Value::Null]);
    assert_eq!([line(1, "TS[2]"), line(1, "TD[2]")], [json!(4), Value::Null]);
}

/// Returns the tolerance of the runs of an example.
fn tolerance(case: &Value) -> f64 {
    let name = text(case, "name");
    STIFF.iter().find(|(stiff, _)| *stiff == name).map_or(TOLERANCE, |(_, tolerance)| *tolerance)
}

/// Returns the largest difference between a run of an FMU here and the columns of a run in Node, and the time of the run in s.
fn compare(fmu: &Path, case: &Value, columns: &Value) -> (f64, f64) {
    let mut simulation = Simulation::load(fmu).unwrap();
    let request = &case["simulate"];
    for assignment in request["set"].as_array().into_iter().flatten() {
        simulation.set(assignment.as_str().unwrap()).unwrap();
    }
    if let Some(file) = request.pointer("/input/file") {
        let path = root().join(case["folder"].as_str().unwrap_or("examples")).join(file.as_str().unwrap());
        simulation.drive_by(path, &InputTable::default()).unwrap();
    }
    simulation.tolerance = Some(tolerance(case));
    simulation.stop = request["stop"].as_f64().unwrap_or(simulation.stop);
    simulation.step = request["step"].as_f64().unwrap_or(simulation.step);
    let begin = Instant::now();
    let trajectory = simulation.run().unwrap();
    let seconds = begin.elapsed().as_secs_f64();
    let numbers = |name: &str| -> Vec<f64> {
        columns[name].as_array().unwrap_or_else(|| panic!("no {name}")).iter().map(|x| x.as_f64().unwrap()).collect()
    };
    assert!(!trajectory.names.is_empty());
    let difference = |(name, here): (&str, &Vec<f64>)| {
        let there = numbers(name);
        assert_eq!(there.len(), here.len(), "{name}");
        let largest = here.iter().fold(0.0_f64, |largest, value| largest.max(value.abs()));
        let scale = if largest > ROUNDING { largest } else { 1.0 };
        here.iter().zip(&there).fold(0.0_f64, |worst, (a, b)| worst.max((a - b).abs() / scale))
    };
    let columns = trajectory.names.iter().map(String::as_str).zip(&trajectory.columns);
    let all = std::iter::once(("time", &trajectory.time)).chain(columns);
    (all.map(difference).fold(0.0, f64::max), seconds)
}

/// Makes page and FMUs, unless a step of the checks has made them; tells what is missing for the page.
fn playground() -> Option<&'static Path> {
    static MADE: OnceLock<Option<PathBuf>> = OnceLock::new();
    let made = MADE.get_or_init(|| {
        if let Some(folder) = std::env::var_os("PLAYGROUND") {
            return Some(folder.into());
        }
        let has_node = Command::new("node").arg("--version").stdout(Stdio::null()).status().is_ok();
        if !has_node {
            let _ = writeln!(std::io::stderr(), "skipped: Node is not installed");
            return None;
        }
        let output = xtask().arg("playground").output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr);
        if let Some((_, missing)) = said.split_once("tools for these platforms are missing:") {
            let _ = writeln!(std::io::stderr(), "skipped: {}", missing.trim());
            return None;
        }
        assert!(output.status.success(), "{said}");
        printed(xtask().args(["build", "--config", "examples/*.toml", "--quiet", "--out", SYSTEMS]));
        Some(root().join("target").join("playground"))
    });
    assert!(made.is_some() || std::env::var_os("CI").is_none(), "the tools for WebAssembly are missing");
    made.as_deref()
}

fn examples(folder: &Path) -> Vec<Value> {
    let list = fs_err::read(folder.join("examples/index.json")).unwrap();
    let entries: Vec<Value> = serde_json::from_slice(&list).unwrap();
    entries.into_iter().filter(|entry| entry["kind"] == "example").collect()
}

/// Returns bushings whose data are in workbooks, after building them here.
fn with_workbooks() -> [Value; 2] {
    const FOLDER: &str = "models/bushing/reference";
    let configurations = ["progressive.toml", "forces.toml"].map(|file| format!("{FOLDER}/{file}"));
    let configurations = configurations.iter().flat_map(|file| ["--config", file]);
    printed(xtask().args(["build", "--quiet", "--out", MORE]).args(configurations));
    let case = |name: &str, main: &str, workbook: &str| {
        let simulate = json!({ "input": { "file": "road_load.csv" } });
        let files = [main, workbook, "road_load.csv"];
        json!({ "name": name, "main": main, "folder": FOLDER, "fmus": MORE, "files": files, "simulate": simulate })
    };
    [
        case("ProgressiveBushing", "progressive.toml", "measured_stiffness.xlsx"),
        case("BushingByForces", "forces.toml", "measured_forces.xlsx"),
    ]
}

/// Returns the results of jobs of `module.mjs`.
fn node(folder: &Path, jobs: &[Value]) -> Vec<Value> {
    let script = root().join("playground/tests/module.mjs");
    let mut node = Command::new("node");
    node.arg(script).arg(folder).current_dir(root()).stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut child = node.spawn().unwrap();
    serde_json::to_writer(child.stdin.take().unwrap(), jobs).unwrap();
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success());
    let said: Value = serde_json::from_slice(&output.stdout).unwrap();
    let imports = said["imports"].as_array().unwrap();
    assert!(imports.iter().all(|import| text(import, "module").starts_with("__wbindgen_")), "{imports:?}");
    said["results"].as_array().unwrap().clone()
}

fn text<'a>(value: &'a Value, key: &str) -> &'a str {
    value[key].as_str().unwrap_or_else(|| panic!("{key} of {value:#}"))
}

fn xtask() -> Command {
    let mut xtask = Command::new(env!("CARGO"));
    xtask.args(["xtask"]).current_dir(root());
    xtask
}
