//! Many configurations in one call; template and schema.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::{Command, Output};
use std::sync::LazyLock;

use fmu_tests::finished::{printed, python};
use serde_json::Value;
use xtask::paths::{files_below, root};

fn xtask(folder: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_xtask")).args(arguments).current_dir(folder).output().unwrap()
}

fn done(folder: &Path, arguments: &[&str]) -> String {
    let output = xtask(folder, arguments);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

/// Returns the message of a command that must fail, without cargo's own output.
fn refused(folder: &Path, arguments: &[&str]) -> String {
    let output = xtask(folder, arguments);
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(1), "{said}");
    let message = said.lines().skip_while(|line| !line.starts_with("error: ")).collect::<Vec<_>>().join("\n");
    message.strip_prefix("error: ").unwrap_or_else(|| panic!("{said}")).to_owned()
}

/// Makes a folder with configurations of the bushing in `configs/`.
fn folder(configurations: &[(&str, &str)]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs_err::create_dir(folder.path().join("configs")).unwrap();
    for (name, text) in configurations {
        let text = format!("component = \"bushing\"\n{text}");
        fs_err::write(folder.path().join("configs").join(name), text).unwrap();
    }
    folder
}

/// Returns all files below a folder with their contents.
fn contents(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let name = |file: &Path| file.strip_prefix(folder).unwrap().display().to_string();
    files_below(folder).unwrap().iter().map(|file| (name(file), fs_err::read(file).unwrap())).collect()
}

#[test]
#[ignore = "expensive: builds many FMUs"]
fn several_configurations_give_what_each_gives_alone() {
    let folder = folder(&[
        ("front-left.toml", "[parameters]\nTS = [1e6, 1e6, 2e5]\n"),
        ("front-right.toml", "[structure]\nsensor_T = true\nmomentLaw = \"gimbal\"\n"),
        ("rear.toml", "name = \"RearBushing\"\n[structure]\norientation = \"quaternion\"\n"),
        ("rear_2.toml", ""),
    ]);
    let folder = folder.path();
    let table = done(folder, &["build", "--config", "configs/*.toml", "--out", "together"]);
    let names: Vec<_> = table.lines().skip(1).filter_map(|line| line.split_whitespace().next()).collect();
    let expected = ["FrontLeft", "FrontRight", "RearBushing", "Rear_2"].map(|name| format!("together/{name}.fmu"));
    assert_eq!(names[..4], expected, "{table}");
    for name in ["front-left", "front-right", "rear", "rear_2"] {
        done(folder, &["build", "--config", &format!("configs/{name}.toml"), "--out", "alone"]);
    }
    let together = contents(&folder.join("together"));
    assert_eq!(together.keys().filter(|name| name.ends_with(".fmu")).count(), 4);
    assert!(together == contents(&folder.join("alone")), "the files differ");

    // The files are given as expanded by a shell, with settings that override all of them.
    let files =
        ["build", "--set", "sensor_R=true", "--out", "again", "--config", "configs/rear.toml", "configs/rear_2.toml"];
    let table = done(folder, &files);
    assert_eq!(table.lines().filter(|line| line.contains("again/Rear")).count(), 2, "{table}");

    // A file that is named twice, as by patterns that overlap, is built once.
    let files = ["build", "--out", "once", "--config", "./configs/rear.toml", "configs/rear*.toml"];
    let table = done(folder, &files);
    assert_eq!(table.lines().filter(|line| line.contains("once/Rear")).count(), 2, "{table}");
}

#[test]
fn two_configurations_of_one_name_are_refused() {
    let folder = folder(&[("a.toml", "name = \"Front\"\n"), ("b.toml", ""), ("front.toml", ""), ("FRONT2.toml", "")]);
    let message = refused(folder.path(), &["build", "--config", "configs/*.toml", "--out", "out"]);
    assert_eq!(message, "configs/a.toml and configs/front.toml would both be written to out/Front.fmu");
    assert!(!folder.path().join("out").exists());
    // The file system may ignore case.
    let files = ["build", "--config", "configs/FRONT2.toml", "configs/front2.toml", "--out", "out"];
    fs_err::write(folder.path().join("configs/front2.toml"), "component = \"bushing\"").unwrap();
    let message = refused(folder.path(), &files);
    assert_eq!(message, "configs/FRONT2.toml and configs/front2.toml would both be written to out/Front2.fmu");
    let message = refused(folder.path(), &["build", "--config", "configs/a.toml", "configs/b.toml", "--out", "x.fmu"]);
    assert_eq!(message, "configs/a.toml and configs/b.toml would both be written to x.fmu");
}

#[test]
fn a_strict_build_refuses_warnings_and_tells_how_tables_were_read() {
    let table = "[structure]\nnonlinear_TS = true\n[parameters]\nTS_table = { file = \"a.csv\" }\n";
    let folder = folder(&[("forces.toml", table)]);
    fs_err::write(
        folder.path().join("configs/a.csv"),
        "s [mm];x [N/mm];y [N/mm];z [N/mm]\n0;5;5;0\n2;5;5;9\n4;5;5;24,3\n",
    )
    .unwrap();
    let build = ["build", "--config", "configs/forces.toml", "--out", "out"];
    assert_eq!(
        refused(folder.path(), &[&build[..], &["--strict"]].concat()),
        "1 warning: nothing is built, because of --strict"
    );
    assert!(!folder.path().join("out").exists());
    let output = xtask(folder.path(), &build);
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.success(), "{said}");
    let found = "Forces: a.csv: UTF-8, cells between \";\", decimal commas; columns 1 \"s\" in mm, 2 \"x\" in N/mm, \
                 3 \"y\" in N/mm, 4 \"z\" in N/mm; 3 rows, from 2 to 4\n";
    assert!(said.contains(found), "{said}");
    assert!(said.contains("warning: Forces: TS_table of a.csv, column 4 is 0 or changes its sign"), "{said}");
}

#[test]
fn all_that_is_wrong_is_told_with_its_file() {
    let folder = folder(&[
        ("1.toml", ""),
        ("bad.toml", "[parameters]\nTSS = [1, 2, 3]\nTS = 5\n"),
        ("good.toml", ""),
        ("start.toml", "[parameters]\nRotSeq = [1, 1, 2]\n"),
        ("syntax.toml", "[parameters\n"),
        ("unknown.toml", "[structure]\nsensor_T = 1\n"),
    ]);
    fs_err::write(folder.path().join("configs/unknown.toml"), "component = \"bushin\"\n").unwrap();
    let message = refused(folder.path(), &["build", "--config", "configs/*.toml", "nowhere.toml", "--out", "out"]);
    let lines: Vec<_> = message.lines().collect();
    assert_eq!(lines[0], "6 of 7 configurations have errors, nothing is built:", "{message}");
    assert!(lines[1].starts_with("configs/1.toml: an FMU cannot be named \"1\" after this file; "), "{message}");
    assert_eq!(lines[2], "configs/bad.toml:3:1: unknown parameter \"TSS\"; did you mean \"TS\"?");
    assert_eq!(lines[3], "configs/bad.toml:4:6: TS = 5: must be an array of 3 numbers");
    assert_eq!(
        lines[4],
        "configs/start.toml: RotSeq is [1, 1, 2], but must be three of the axes 1, 2, 3 without equal neighbours, \
         such as [1, 2, 3]"
    );
    assert!(lines[5].starts_with("configs/syntax.toml:2:"), "{message}");
    let hint = "did you mean \"bushing\"? (cargo xtask list shows all)";
    assert!(message.contains(&format!("configs/unknown.toml:1:13: unknown component \"bushin\"; {hint}")), "{message}");
    assert!(lines.last().unwrap().starts_with("nowhere.toml cannot be read: "), "{message}");
    assert!(!folder.path().join("out").exists());
}

#[test]
fn a_pattern_without_files_is_told() {
    let folder = folder(&[]);
    let message = refused(folder.path(), &["build", "--config", "configs/*.toml"]);
    assert_eq!(message, "configs/*.toml: there is no such file");
    let message = refused(folder.path(), &["build", "configs/[.toml"]);
    assert!(message.starts_with("configs/[.toml: Pattern syntax error"), "{message}");
}

#[test]
fn configurations_need_no_option() {
    let folder = folder(&[("front.toml", ""), ("rear.toml", "[parameters]\nTS = [1e6, 1e6, 2e5]\n")]);
    done(folder.path(), &["build", "--config", "configs/front.toml", "configs/rear.toml", "--out", "expected"]);
    done(folder.path(), &["build", "configs/front.toml", "--out", "out", "--config", "configs/rear.toml"]);
    assert_eq!(contents(&folder.path().join("out")), contents(&folder.path().join("expected")));
    done(folder.path(), &["build", "configs/*.toml", "--out", "pattern"]);
    assert_eq!(contents(&folder.path().join("pattern")), contents(&folder.path().join("expected")));
}

#[test]
#[ignore = "expensive: builds many FMUs"]
fn a_template_makes_the_same_fmu_as_nothing() {
    let folder = folder(&[]);
    let folder = folder.path();
    done(folder, &["info", "bushing", "--template", "bushing.toml"]);
    done(folder, &["build", "--config", "bushing.toml", "--out", "from-template"]);
    done(folder, &["build", "bushing", "--out", "without"]);
    assert!(contents(&folder.join("from-template")) == contents(&folder.join("without")), "the files differ");

    // Uncommenting lines of the defaults has no effect.
    let text = fs_err::read_to_string(folder.join("bushing.toml")).unwrap();
    let text = uncommented(text.split("\n# With ").next().unwrap());
    assert!(text.contains("\nTS = [4.5e6, 4.5e6, 800000]\n"), "{text}");
    fs_err::write(folder.join("all.toml"), text).unwrap();
    done(folder, &["build", "--config", "all.toml", "--set", "name=Bushing", "--out", "from-lines"]);
    assert!(contents(&folder.join("from-lines")) == contents(&folder.join("without")), "the files differ");
}

/// Uncomments the defaults of a template.
fn uncommented(template: &str) -> String {
    let is_default = |rest: &&str| rest.chars().next().is_some_and(char::is_alphabetic);
    let line = |line: &str| line.strip_prefix('#').filter(is_default).unwrap_or(line).to_owned() + "\n";
    template.lines().map(line).collect()
}

#[test]
fn a_template_replaces_nothing_unasked() {
    let folder = folder(&[]);
    let folder = folder.path();
    for (file, other) in [("a.toml", "b.json"), ("b.json", "a.toml")] {
        fs_err::write(folder.join(file), "mine").unwrap();
        let arguments = ["info", "bushing", "--template", "a.toml", "--schema", "b.json"];
        assert_eq!(refused(folder, &arguments), format!("{file}: already exists; --force replaces it"));
        assert_eq!(fs_err::read(folder.join(file)).unwrap(), b"mine");
        assert!(!folder.join(other).exists());
        fs_err::remove_file(folder.join(file)).unwrap();
    }
    fs_err::write(folder.join("a.toml"), "component = \"clutch\"\n").unwrap();
    done(folder, &["info", "bushing", "--template", "a.toml", "--force"]);
    assert!(fs_err::read_to_string(folder.join("a.toml")).unwrap().starts_with("# Bushing: "));
    let message = refused(folder, &["info", "bushing", "--template", "no/where.toml"]);
    assert_eq!(message, "no/where.toml: cannot be written: there is no folder no");
}

#[test]
fn a_template_and_a_schema_replace_files_of_their_own_kind_only() {
    let folder = folder(&[]);
    let folder = folder.path();
    let refused = |arguments: &[&str]| refused(folder, &[&["info", "bushing", "--force"], arguments].concat());
    assert_eq!(refused(&["--template", "a.json"]), "a.json: a configuration is a .toml file");
    for file in ["b.toml", "Bushing.fmu", "b"] {
        assert_eq!(refused(&["--schema", file]), format!("{file}: a schema is a .json file"));
    }
    for (option, file, kind) in [("--template", "a.toml", "a configuration"), ("--schema", "b.json", "a JSON schema")] {
        fs_err::write(folder.join(file), "PK\x03\x04").unwrap();
        let expected = format!("the existing file is not {kind}; delete it or choose another name");
        assert_eq!(refused(&[option, file]), format!("{file}: cannot be written: {expected}"));
        assert_eq!(fs_err::read(folder.join(file)).unwrap(), b"PK\x03\x04");
        fs_err::remove_file(folder.join(file)).unwrap();
    }
    // Under two names, an empty file may become both.
    fs_err::write(folder.join("a.toml"), "").unwrap();
    fs_err::hard_link(folder.join("a.toml"), folder.join("b.json")).unwrap();
    let message = refused(&["--template", "a.toml", "--schema", "b.json"]);
    assert_eq!(message, "--template would overwrite --schema, b.json");
}

#[test]
fn a_template_knows_its_schema() {
    let folder = folder(&[]);
    let arguments = ["info", "bushing", "--template", "configs/front.toml", "--schema", "bushing.schema.json"];
    done(folder.path(), &arguments);
    let text = fs_err::read_to_string(folder.path().join("configs/front.toml")).unwrap();
    assert!(text.starts_with("#:schema ../bushing.schema.json\n# Bushing: "), "{text}");
    done(folder.path(), &["build", "--config", "configs/front.toml", "--out", "out"]);
}

/// Schema of the bushing.
static SCHEMA: LazyLock<Value> = LazyLock::new(|| {
    let folder = folder(&[]);
    done(folder.path(), &["info", "bushing", "--schema", "schema.json"]);
    serde_json::from_slice(&fs_err::read(folder.path().join("schema.json")).unwrap()).unwrap()
});

/// Returns the errors of each configuration, by Python's `jsonschema`; `None`, with a message, if Python is missing.
fn problems(schema: &Value, configurations: &[String]) -> Option<Vec<Vec<String>>> {
    const SCRIPT: &str = "import json, sys\n\
        from jsonschema.validators import validator_for\n\
        schema, values = json.load(open(sys.argv[1], encoding='utf-8'))\n\
        kind = validator_for(schema, default=None)\n\
        kind.check_schema(schema)\n\
        print(json.dumps([[error.message for error in kind(schema).iter_errors(value)] for value in values]))";
    let mut python = python()?;
    let values: Vec<Value> = configurations.iter().map(|toml| toml::from_str(toml).unwrap()).collect();
    let file = tempfile::NamedTempFile::new().unwrap();
    serde_json::to_writer(&file, &(schema, values)).unwrap();
    Some(serde_json::from_str(&printed(python.args(["-c", SCRIPT]).arg(file.path()))).unwrap())
}

/// Checks that the schema accepts some configurations and refuses others.
fn judges(schema: &Value, right: &[String], wrong: &[String]) {
    let Some(problems) = problems(schema, &[right, wrong].concat()) else { return };
    for (configuration, problems) in right.iter().zip(&problems) {
        assert_eq!(problems, &[""; 0], "{configuration}");
    }
    for (configuration, problems) in wrong.iter().zip(&problems[right.len()..]) {
        assert!(!problems.is_empty(), "{configuration}");
    }
}

#[test]
fn the_schema_takes_real_configurations() {
    let mut right = Vec::new();
    for page in ["docs/configuration.md", "models/bushing/README.md"] {
        let text = fs_err::read_to_string(root().join(page)).unwrap();
        let blocks = text.split("```toml\n").skip(1).map(|rest| rest.split("```").next().unwrap());
        right.extend(blocks.filter(|toml| toml.contains("component = \"bushing\"")).map(str::to_owned));
    }
    assert!(right.len() >= 3, "found {} configurations", right.len());
    let folder = folder(&[]);
    done(folder.path(), &["info", "bushing", "--template", "bushing.toml"]);
    let template = fs_err::read_to_string(folder.path().join("bushing.toml")).unwrap();
    right.extend([uncommented(&template), template]);
    right.extend([
        "component = \"../my/package\"",
        "[structure]\nDCM_TS = \"input\"",
        "[parameters]\n\"TS[2]\" = 5\n\"frame_a.R.T\" = [[1, 0, 0], [0, 1, 0], [0, 0, 1]]\n\"frame_a.R.T[1,2]\" = 0.0",
        "[parameters]\nTS_table = \"rows.csv\"\n\"TD_table[12,4]\" = 1",
        "[parameters]\nframe_b.Q = [0, 0, 0, 1]\nK_in = [1e6, 1e6, 1e6]",
    ].map(str::to_owned));
    judges(&SCHEMA, &right, &[]);
}

/// Checks that configurations which the schema rejects are also rejected by `build`.
#[test]
fn the_schema_refuses_what_cannot_be_built() {
    let bad = [
        ("component.toml", "component = \"bush\""),
        ("entry.toml", "nam = \"Front\""),
        ("name.toml", "name = \"front\""),
        ("description.toml", "description = 'a \"b\"'"),
        ("section.toml", "[parametrs]"),
        ("option.toml", "[structure]\nsensor = true"),
        ("word.toml", "[structure]\nmomentLaw = \"gimball\""),
        ("truth.toml", "[structure]\nsensor_T = 1"),
        ("parameter.toml", "[parameters]\nTSS = [1, 2, 3]"),
        ("bound.toml", "[parameters]\nTS = [1, 2, -3]"),
        ("size.toml", "[parameters]\nTS = [1, 2]"),
        ("type.toml", "[parameters]\nTS = [1, 2, \"soft\"]"),
        ("whole.toml", "[parameters]\nRotSeq = [1, 2, 3.5]"),
        ("index.toml", "[parameters]\n\"TS[4]\" = 1"),
        ("nested.toml", "[parameters]\nframe_a.r_1 = [0, 0, 0]"),
        ("rows.toml", "[structure]\nnonlinear_TS = true\n[parameters]\nTS_table = [[0, 1]]"),
    ];
    let folder = tempfile::tempdir().unwrap();
    let mut wrong = Vec::new();
    for (name, text) in bad {
        let text =
            if text.contains("component") { text.to_owned() } else { format!("component = \"bushing\"\n{text}") };
        fs_err::write(folder.path().join(name), &text).unwrap();
        wrong.push(text);
    }
    judges(&SCHEMA, &[], &wrong);
    let message = refused(folder.path(), &["build", "--config", "*.toml", "--out", "out"]);
    let all = bad.len();
    assert!(
        message.starts_with(&format!("{all} of {all} configurations have errors, nothing is built:\n")),
        "{message}"
    );
}

/// The schema knows the settings of all structures, also of those far from the defaults.
#[test]
fn the_schema_knows_the_parameters_of_all_structures() {
    let parameters = &SCHEMA["properties"]["parameters"];
    for options in [
        &["orientation=quaternion", "sensor_T=true", "nonlinear_TS=true", "nonlinear_TD=true", "DCM_TD=signal"][..],
        &["orientation=cardan", "nonlinear_RS=true", "DCM_RS=attachment", "nonlinear_RD=true", "DCM_RD=file"],
    ] {
        let set = options.iter().flat_map(|option| ["--set", option]);
        let info = done(root(), &["info", "bushing"].into_iter().chain(set).collect::<Vec<_>>());
        let mut known = 0;
        let sections = info.split("\n\n").filter(|section| {
            ["[parameters]", "inputs", "attachments"].iter().any(|title| section.trim_start().starts_with(title))
        });
        for line in sections.flat_map(|section| section.lines().skip(1)) {
            // Descriptions may continue on a second line.
            let Some(name) =
                line.split_whitespace().next().filter(|_| line.starts_with(" ") && !line.starts_with("  "))
            else {
                continue;
            };
            let mut found = parameters;
            for part in name.split('[').next().unwrap().split('.') {
                found = &found["properties"][part];
            }
            assert!(found.is_object(), "{name}\n{info}");
            known += 1;
        }
        assert!(known > 12, "{known}\n{info}");
    }
}

/// The types of parts in schema and template, with the systems of the examples.
#[test]
#[ignore = "expensive: Python judges a hundred configurations"]
fn the_schema_of_systems_knows_the_types_of_parts() {
    let folder = tempfile::tempdir().unwrap();
    done(folder.path(), &["info", "systems", "--schema", "schema.json", "--template", "system.toml"]);
    let read = |name: &str| fs_err::read_to_string(folder.path().join(name)).unwrap();
    let schema: Value = serde_json::from_str(&read("schema.json")).unwrap();
    let (mut right, mut wrong) = (Vec::new(), Vec::new());
    for entry in fs_err::read_dir(root().join("examples")).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|extension| extension == "toml") {
            right.push(fs_err::read_to_string(&path).unwrap());
        }
    }
    assert!(right.len() >= 5);
    // Every line of the template is a setting of its type when it is not a comment.
    let text = read("system.toml");
    assert!(text.starts_with("#:schema ./schema.json\n# System: "), "{text}");
    let sections: Vec<_> = text.split("\n\n").filter(|section| section.contains("#[parts.name]")).collect();
    assert!(sections.len() > 20 && text.contains("#type = \"Translational.Spring\""), "{text}");
    for section in &sections {
        let is_setting = |line: &&str| line.starts_with('#') && !line.starts_with("# ");
        let lines: Vec<_> = section.lines().filter(is_setting).map(|line| &line[1..]).collect();
        right.push(lines.join("\n"));
    }
    let inertia = |line: &str| format!("[parts.a]\ntype = \"Inertia\"\n{line}\n");
    let settings =
        ["w = 3", "w_start = 3", "w = { start = 3, initial = \"enforce\" }", "flange_a = \"b.flange\"", "J = 0"];
    right.extend(settings.map(inertia));
    right.extend(
        ["J = \"=m*r^2\"", "w_start = \"=w\"", "for = { i = \"1:6\" }", "for.i = [1, 4]\nfor.J = \"=J\""].map(inertia),
    );
    right.extend(
        [
            "[parts.t]\ntype = \"Torque\"\ntau = \"input.pedal\"\n",
            "[parts.t]\ntype = \"Torque\"\ntau = \"axis{i - 1}.sine.y\"\n",
            "[constants]\nr = 2\n[parts.left.a]\ntype = \"Inertia\"\n[parts.left.b]\ntype = \"Inertia\"\n",
            "[parts.a]\ntype = \"shaft.toml\"\nJ = 3\ninertia.flange_a = \"b.flange_b\"\n",
        ]
        .map(str::to_owned),
    );
    let settings =
        ["j = 3", "J = -1", "w = { initial = \"enforced\" }", "flange_a = 3", "J = \"input.x\"", "c = 3", "for = 3"];
    wrong.extend(settings.map(inertia));
    let others = [
        "[parts.a]\nJ = 3\n", "[parts.a.b]\nJ = 3\n", "[parts.a]\ntype = \"Inerta\"\n",
        "[part.a]\ntype = \"Inertia\"\n",
    ];
    wrong.extend(others.map(str::to_owned));
    judges(&schema, &right, &wrong);
    let shown = done(folder.path(), &["info", "systems"]);
    for part in ["type = \"IdealPlanetary\": ", "type = \"GasForce\": ", " K_locked ", " carrier "] {
        assert!(shown.contains(part), "{part}\n{shown}");
    }
}
