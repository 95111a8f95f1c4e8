//! `cargo xtask` as a user sees it: output and error messages.

use std::path::Path;
use std::process::{Command, Output, Stdio};

fn xtask(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_xtask")).args(arguments).env("RUST_BACKTRACE", "1").output().unwrap()
}

fn printed(arguments: &[&str]) -> String {
    let output = xtask(arguments);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

/// Returns the message of a command that must fail, without cargo's own output.
fn refused(arguments: &[&str]) -> String {
    let output = xtask(arguments);
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(1), "{said}");
    let message = said.lines().skip_while(|line| !line.starts_with("error: ")).collect::<Vec<_>>().join("\n");
    assert!(!message.to_lowercase().contains("backtrace"), "{said}");
    message.strip_prefix("error: ").unwrap_or_else(|| panic!("{said}")).to_owned()
}

#[test]
fn list_shows_the_components() {
    let list = printed(&["list"]);
    assert!(list.lines().any(|line| line.trim_start().starts_with("bushing ")), "{list}");
}

#[test]
fn the_help_of_all_commands_is_that_of_the_project() {
    let help = printed(&["simulate", "--help"]);
    assert!(help.contains("Usage: cargo xtask simulate [OPTIONS] <FILE.fmu>"), "{help}");
    for (word, lines) in fmu_commands::examples::EXAMPLES {
        let help = printed(&[word, "-h"]);
        assert!(
            help.ends_with(&format!("  cargo xtask {}\n", lines.last().unwrap())) && !help.contains('\u{1b}'),
            "{help}"
        );
    }
    let refused = |arguments: &[&str]| {
        let output = xtask(arguments);
        assert_eq!(output.status.code(), Some(2));
        String::from_utf8(output.stderr).unwrap()
    };
    let usage = refused(&["simulate", "--sett"]);
    assert!(usage.contains("Usage: cargo xtask simulate "), "{usage}");
    let right = refused(&["seqences"]);
    assert!(right.contains("a similar subcommand exists: 'sequences'"), "{right}");
    let help = printed(&["--help"]);
    let own = help.split("\n\nCommands for maintainers:\n").next().unwrap();
    assert!(help.contains("\n  test          Run the tests\n") && !own.contains("Run the tests"), "{help}");
}

#[test]
fn tables_can_be_had_as_data() {
    let data = |arguments: &[&str]| -> serde_json::Value { serde_json::from_str(&printed(arguments)).unwrap() };
    let list = data(&["list", "--json"]);
    assert!(list.as_array().unwrap().iter().any(|component| component["name"] == "bushing"), "{list}");
    let file = fmu_tests::finished::archive("bushing");
    let finished = data(&["info", file.to_str().unwrap(), "--json"]);
    let component = data(&["info", "bushing", "--json"]);
    let of = |about: &serde_json::Value, kinds: &[&str]| -> Vec<serde_json::Value> {
        let all = about["variables"].as_array().unwrap().iter();
        all.filter(|variable| kinds.iter().any(|kind| variable["kind"] == *kind)).cloned().collect()
    };
    let kinds = ["parameter", "input", "output"];
    assert_eq!(of(&component, &kinds), of(&finished, &kinds));
    assert_eq!(of(&component, &["structure"])[0]["value"], "matrix", "{component}");
    let attached = data(&["info", "bushing", "--json", "--set", "nonlinear_TS=true", "--set", "DCM_TS=attachment"]);
    assert_eq!(of(&attached, &["attachment"])[0]["value"], serde_json::Value::Null, "{attached}");
    let systems = data(&["info", "systems", "--json"]);
    let clutch = systems["parts"].as_array().unwrap().iter().find(|part| part["name"] == "Clutch").unwrap();
    assert!(clutch["variables"].as_array().unwrap().iter().any(|variable| variable["unit"] == "N.m"), "{clutch}");
    let described = [of(&component, &kinds), clutch["variables"].as_array().unwrap().clone()].concat();
    for variable in described.iter().filter(|variable| variable["unit"] == "N.m") {
        assert_eq!(variable["quantity"], "Torque", "{variable}");
    }
    let folder = tempfile::tempdir().unwrap();
    let damaged = folder.path().join("Damaged.fmu").display().to_string();
    fs_err::write(&damaged, "no archive").unwrap();
    let output = xtask(&["validate", "--json", &damaged]);
    assert_eq!(output.status.code(), Some(1));
    let verdict: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(verdict["file"], damaged);
    let problem = serde_json::json!({"severity": "error", "text": "is truncated or not a zip archive"});
    assert_eq!(verdict["problems"], serde_json::json!([problem]));
}

#[test]
fn info_shows_an_array_in_one_row() {
    let info = printed(&["info", "bushing"]);
    let row = |name: &str| {
        let line = info.lines().find(|line| line.split_whitespace().next() == Some(name));
        line.unwrap_or_else(|| panic!("{info}")).split_whitespace().collect::<Vec<_>>().join(" ")
    };
    assert!(row("TS[3]").starts_with("TS[3] N/m [4.5e6, 4.5e6, 800000] ≥ 0 Translational stiffness"));
    assert!(row("RotSeq[3]").starts_with("RotSeq[3] [1, 2, 3] 1 … 3 Euler angles"));
    assert!(row("frame_a.R.T[3,3]").contains("[[1, 0, 0], [0, 1, 0], [0, 0, 1]]"));
    assert!(row("resolvedFrame").contains("frame_a, frame_b, world"));
}

#[test]
fn info_draws_tables() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("clutch.svg");
    let file = path.to_str().unwrap();
    let arguments = ["info", "clutch", "--set", "mue_pos=[[0, 0.5], [9, 0.4]]", "--plot", file];
    assert_eq!(printed(&arguments).trim_end(), file);
    let drawing = fs_err::read_to_string(&path).unwrap();
    assert!(drawing.starts_with("<svg ") && drawing.contains("Relative velocity [rad/s]"), "{drawing}");
    assert_eq!(refused(&arguments), format!("{file}: already exists; --force replaces it"));
    fs_err::write(&path, "mine").unwrap();
    let message = "cannot be written: the existing file is not an SVG drawing; delete it or choose another name";
    assert_eq!(refused(&[&arguments[..], &["--force"]].concat()), format!("{file}: {message}"));
    assert_eq!(refused(&["info", "clutch", "--plot", "clutch.png"]), "clutch.png: the plot must be an .svg file");
    assert_eq!(
        refused(&["info", "bushing", "--set", "name=Soft", "--plot", "none.svg"]),
        "nothing to draw: with these settings Soft has no tables with several rows, or reads them when a simulation starts"
    );
}

#[test]
fn all_units_are_listed() {
    let list = printed(&["info", "--units"]);
    for part in ["length", "kilogram_force", "Upm", "OHM", "above 273.15", "NM_PER_RAD", "W_PER_K", "M3_PER_S"] {
        assert!(list.contains(part), "{part}: {list}");
    }
    assert!(refused(&["info"]).starts_with("no component is given: cargo xtask list shows the components"));
}

#[test]
fn a_property_file_becomes_a_configuration() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).display().to_string();
    let mount = concat!(env!("CARGO_MANIFEST_DIR"), "/../models/bushing/reference/mount.gbs");
    let (toml, drawing) = (path("mount.toml"), path("mount.svg"));
    assert_eq!(printed(&["convert", mount, &toml]).trim_end(), toml);
    assert_eq!(refused(&["convert", mount, &toml]), format!("{toml}: already exists; --force replaces it"));
    printed(&["convert", mount, &toml, "--force"]);
    // The component takes it, and draws the spline.
    printed(&["info", "bushing", "--config", &toml, "--plot", &drawing]);
    assert!(fs_err::read_to_string(drawing).unwrap().contains("Displacement [m]"));
    let (bus, other, none) = (mount.replace(".gbs", ".bus"), path("a.doc"), path("none.gbs"));
    let of_bus = path("bus.toml");
    printed(&["convert", &bus, &of_bus]);
    printed(&["info", "bushing", "--config", &of_bus]);
    // The source is not replaced.
    let copy = path("copy.gbs");
    fs_err::copy(mount, &copy).unwrap();
    let message = refused(&["convert", &copy, &copy, "--force"]);
    assert_eq!(message, format!("{copy}: a configuration is a .toml file"));
    #[cfg(unix)]
    {
        let link = path("link.toml");
        fs_err::os::unix::fs::symlink(&copy, &link).unwrap();
        let message = refused(&["convert", &copy, &link, "--force"]);
        assert_eq!(message, format!("the configuration would overwrite the property file, {copy}"));
    }
    assert_eq!(fs_err::read(&copy).unwrap(), fs_err::read(mount).unwrap());
    assert_eq!(
        refused(&["convert", &other, &path("a.toml")]),
        format!(
            "{other}: unknown type of file; property files of bushings end with .gbs or .bus, tables with a hysteresis loop \
             with .csv, .txt, .xls, .xlsx or .ods, robots with .urdf"
        )
    );
    assert!(refused(&["convert", &none, &path("a.toml")]).starts_with(&format!("{none} cannot be read: ")));
    fs_err::write(&none, "[UNITS]\nLENGTH = 'mm'\n").unwrap();
    assert_eq!(refused(&["convert", &none, &path("a.toml")]), format!("{none}:1: [UNITS] has no ANGLE"));
    assert!(!folder.path().join("a.toml").exists());
}

#[test]
fn a_rounded_zero_is_told_from_a_negative_number() {
    let of = |rows: &str| refused(&["info", "clutch", "--set", &format!("mue_pos={rows}")]);
    assert_eq!(
        of("[[-1e-17, 0.5]]"),
        "--set mue_pos=[[-1e-17, 0.5]]: mue_pos[1,1] must be at least 0.0, but is -1e-17: a rounded 0"
    );
    assert_eq!(of("[[-1, 0.5]]"), "--set mue_pos=[[-1, 0.5]]: mue_pos[1,1] must be at least 0.0");
}

#[test]
fn cargo_that_is_not_in_the_path_is_named() {
    let mut xtask = Command::new(env!("CARGO_BIN_EXE_xtask"));
    let output = xtask.arg("list").env_remove("CARGO").env("PATH", "").output().unwrap();
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!(said, "error: cannot run cargo: it must be in the PATH (https://rustup.rs installs it)\n");
    assert_eq!(output.status.code(), Some(1));
}

#[test]
fn a_wrong_component_is_told_the_nearest() {
    let expected = "unknown component \"bushin\"; did you mean \"bushing\"? (cargo xtask list shows all)";
    assert_eq!(refused(&["info", "bushin"]), expected);
    assert_eq!(refused(&["build", "bushin"]), expected);
    assert_eq!(
        refused(&["build", "--set", "component=bush"]),
        format!("--set component=bush: {}", expected.replace("bushin\"", "bush\""))
    );
}

#[test]
fn info_of_a_finished_fmu_is_that_of_its_component() {
    let file = fmu_tests::finished::archive("bushing");
    let file = file.to_str().unwrap();
    let (finished, component) = (printed(&["info", file]), printed(&["info", "bushing"]));
    assert!(finished.starts_with("Bushing: "), "{finished}");
    // A component's parameters stand under the heading of a configuration's section.
    let variables = &component[component.find("[parameters]").unwrap()..];
    let words = |text: &str| text.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
    let (of_finished, of_component) = (words(&finished), words(variables));
    let start = of_finished.iter().position(|word| word == "parameters").unwrap() + 1;
    let length = of_finished.len() - start;
    assert_eq!(of_finished[start..], of_component[1..=length]);
    assert!(of_component.len() - length <= 20, "only the attachments are not in the finished one: {component}");
    assert_eq!(
        refused(&["info", file, "--set", "TS=1"]),
        format!("--set is for components, but {file} is a finished FMU (cargo xtask list shows the components)")
    );
    let folder = tempfile::tempdir().unwrap();
    let damaged = folder.path().join("Damaged.fmu");
    fs_err::write(&damaged, "no archive").unwrap();
    let damaged = damaged.to_str().unwrap();
    assert_eq!(refused(&["info", damaged]), format!("{damaged}: is truncated or not a zip archive"));
}

#[test]
fn a_wrong_setting_is_told_what_would_be_right() {
    for (assignment, reason) in [
        ("TSS=[1,2,3]", ": unknown name \"TSS\"; did you mean \"TS\"?"),
        ("TS=soft", ": must be an array of 3 numbers"),
        ("TS[1]=soft", ": must be a number"),
        ("sensor_T=1", ": must be true or false"),
        ("TS=[1,2,-3]", ": TS[3] must be at least 0.0 N/m"),
        ("RotSeq[1]=4", ": must be from 1 to 3"),
        (
            "K_in=[1,2,3]",
            ": \"K_in\" is an input that exists only with structure options nonlinear_TS = true and DCM_TS = signal",
        ),
    ] {
        assert_eq!(refused(&["info", "bushing", "--set", assignment]), format!("--set {assignment}{reason}"));
    }
}

#[test]
fn a_malformed_configuration_is_located() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("front.toml");
    let config = path.to_str().unwrap();
    fs_err::write(&path, "component = \"bushing\"\n[parameters]\nTS = [1, 2\nTD = 5\n").unwrap();
    let message = refused(&["build", "--config", config]);
    let (place, reason) = message.split_once(": ").unwrap();
    assert_eq!(place, format!("{config}:4:1"), "{message}");
    assert!(reason.contains("expected"), "{message}");
    fs_err::write(&path, "component = \"bushing\"\n[parameters]\nTS = [1, 2, -3]\n").unwrap();
    let message = refused(&["build", "--config", config]);
    assert_eq!(message, format!("{config}:3:13: TS[3] = -3: must be at least 0.0 N/m"));
}

#[test]
fn a_configuration_of_an_unknown_component_is_located() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("front.toml");
    let config = path.to_str().unwrap();
    fs_err::write(&path, "name = \"Front\"\ncomponent = \"bush\"\n").unwrap();
    let hint = "unknown component \"bush\"; did you mean \"bushing\"? (cargo xtask list shows all)";
    assert_eq!(refused(&["build", "--config", config]), format!("{config}:2:13: {hint}"));
    assert_eq!(refused(&["build", config]), format!("{config}:2:13: {hint}"));
    let hint = "which component? Name it on the command line, or with component = \"…\" in the configuration";
    assert_eq!(refused(&["build", "--set", "name=Front"]), hint);
}

#[test]
fn two_components_need_two_files() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("Both.fmu");
    let sample = concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/components/sample");
    let message = refused(&["build", "bushing", sample, "--out", out.to_str().unwrap()]);
    assert_eq!(message, format!("Bushing and Sample would both be written to {}", out.display()));
    assert!(entries(folder.path()).is_empty());
}

#[test]
fn a_package_with_several_libraries_is_named_by_the_folder_of_one() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).with_file_name("tests").join("components");
    let message = refused(&["info", folder.to_str().unwrap()]);
    let manifest = folder.join("Cargo.toml");
    let expected = format!("{} has several libraries: name the folder of the source of one", manifest.display());
    assert_eq!(message, expected);
}

#[test]
fn the_ending_of_an_fmu_is_small() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("Front.FMU");
    let message = refused(&["build", "bushing", "--out", out.to_str().unwrap()]);
    assert_eq!(message, format!("{}: must end with .fmu in lower case", out.display()));
    assert!(entries(folder.path()).is_empty());
}

#[cfg(unix)]
#[test]
fn nobody_has_to_read_what_is_printed() {
    for command in [&["list"][..], &["info", "bushing"], &["--help"]] {
        let mut xtask = Command::new(env!("CARGO_BIN_EXE_xtask"));
        let mut xtask = xtask.args(command).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        drop(xtask.stdout.take());
        let output = xtask.wait_with_output().unwrap();
        let said = String::from_utf8(output.stderr).unwrap();
        assert!(output.status.success() && !said.contains("panicked"), "{said}");
    }
}

#[test]
fn a_quiet_build_prints_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let output = xtask(&["build", "bushing", "--quiet", "--out", folder.path().to_str().unwrap()]);
    let said = String::from_utf8([output.stdout, output.stderr].concat()).unwrap();
    assert_eq!((said.as_str(), output.status.code()), ("", Some(0)));
    assert!(folder.path().join("Bushing.fmu").exists());
}

#[test]
fn a_missing_configuration_is_named_once() {
    let message = refused(&["build", "--config", "nowhere.toml"]);
    assert!(message.starts_with("nowhere.toml cannot be read: "), "{message}");
    assert_eq!(message.matches("nowhere.toml").count(), 1);
}

#[test]
fn a_missing_file_is_named_by_the_commands_that_import() {
    for (file, arguments) in [
        ("nowhere.fmu", &["validate", "nowhere.fmu"][..]),
        ("nowhere.fmu", &["simulate", "nowhere.fmu"]),
        ("nowhere.toml", &["sweep", "nowhere.toml", "--points", "points.csv"]),
    ] {
        let message = refused(arguments);
        assert!(message.starts_with(&format!("failed to open file `{file}`: ")), "{message}");
    }
}

#[test]
fn measurements_are_fitted_by_the_importer() {
    let folder = tempfile::tempdir().unwrap();
    let toml = folder.path().join("rubber.toml").display().to_string();
    let measured = concat!(env!("CARGO_MANIFEST_DIR"), "/../models/bushing/reference/dynamic_stiffness.csv");
    let given = ["fit", &format!("xyz={measured}"), "--maxwell", "1", "--output", &toml];
    assert!(printed(&given).ends_with(&format!("{toml}\n")));
    assert_eq!(refused(&given), format!("{toml}: already exists; --force replaces it"));
    assert!(refused(&["fit", "nowhere.csv", "--output", "a.toml"]).contains("nowhere.csv"));
    // The component takes it.
    printed(&["info", "bushing", "--config", &toml]);
}

#[test]
fn options_of_validate_reach_the_importer() {
    let output = xtask(&["validate", "--strict", "--timeout=0", "Cargo.toml"]);
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(said.contains("'--timeout <T>': must be a positive number of seconds"), "{said}");
    assert_eq!(output.status.code(), Some(2));
}

#[test]
fn a_folder_that_cannot_be_written_is_named_and_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    // There are no folders below a file, whatever the permissions.
    let file = folder.path().join("file");
    fs_err::write(&file, "text").unwrap();
    let out = file.join("out");
    let message = refused(&["build", "bushing", "--out", out.to_str().unwrap()]);
    assert!(message.contains(out.to_str().unwrap()), "{message}");
    assert_eq!(entries(folder.path()), ["file"]);
}

#[test]
fn what_is_no_fmu_is_not_replaced_by_one() {
    let folder = tempfile::tempdir().unwrap();
    let notes = folder.path().join("Notes.fmu");
    fs_err::write(&notes, "notes").unwrap();
    let message = refused(&["build", "bushing", "--out", notes.to_str().unwrap()]);
    let reason = "the existing file is not an FMU; delete it or choose another name";
    assert_eq!(message, format!("{}: cannot be written: {reason}", notes.display()));
    assert_eq!(fs_err::read(&notes).unwrap(), b"notes");
}

#[cfg(unix)]
#[test]
fn an_fmu_in_a_folder_without_permission_stays() {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir().unwrap();
    let old = folder.path().join("Bushing.fmu");
    fs_err::write(&old, "old").unwrap();
    fs_err::set_permissions(folder.path(), PermissionsExt::from_mode(0o555)).unwrap();
    // The superuser may write anyway.
    if tempfile::tempfile_in(folder.path()).is_err() {
        let message = refused(&["build", "bushing", "--out", folder.path().to_str().unwrap()]);
        assert!(message.starts_with(&format!("{}: cannot be written: ", old.display())), "{message}");
        assert_eq!(fs_err::read(&old).unwrap(), b"old");
        assert_eq!(entries(folder.path()), ["Bushing.fmu"]);
    }
    fs_err::set_permissions(folder.path(), PermissionsExt::from_mode(0o755)).unwrap();
}

#[test]
fn a_refused_configuration_leaves_the_old_fmu() {
    let folder = tempfile::tempdir().unwrap();
    let old = folder.path().join("Bushing.fmu");
    fs_err::write(&old, "old").unwrap();
    refused(&["build", "bushing", "--set", "TS=soft", "--out", folder.path().to_str().unwrap()]);
    assert_eq!(fs_err::read(&old).unwrap(), b"old");
    assert_eq!(entries(folder.path()), ["Bushing.fmu"]);
}

fn entries(folder: &Path) -> Vec<String> {
    let entries = fs_err::read_dir(folder).unwrap();
    entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect()
}
