//! Short configurations of systems: what they stand for, and what is refused.

use std::path::Path;

use fmu_builder::description::Description;
use fmu_builder::{DescribeError, Error, Settings, describe};
use fmu_runtime::{DeclarationRequest, declaration};

/// Describes the system of a file.
fn of_file(file: &Path, commands: &[&str]) -> Result<Description, Error> {
    let library = |request: DeclarationRequest<'_>| {
        let declared = describe(|request| declaration(systems::system(Vec::new()).as_mut(), request), request);
        declared.map_err(|error| match error {
            DescribeError::Refused(reason) => Error::Refused(reason),
            DescribeError::Incompatible(reason) => panic!("{reason}"),
        })
    };
    let mut settings = Settings::from_toml(file)?;
    commands.iter().try_for_each(|command| settings.set(command))?;
    settings.resolve(&library)
}

/// Describes the system of the first of these files, or returns the message with bare names of files.
fn described(files: &[(&str, &str)], commands: &[&str]) -> Result<Description, String> {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in files {
        let path = folder.path().join(name);
        fs_err::create_dir_all(path.parent().unwrap()).unwrap();
        fs_err::write(path, text).unwrap();
    }
    let described = of_file(&folder.path().join(files[0].0), commands);
    described.map_err(|error| error.to_string().replace(&format!("{}/", folder.path().display()), ""))
}

/// Two short systems, or a short one and the long one that it stands for, are the same in every respect.
fn same(short: &[(&str, &str)], commands: &[&str], long: &str) {
    let [short, long] = [described(short, commands), described(&[("long.toml", long)], &[])];
    let [short, long] = [short, long].map(|described| described.unwrap_or_else(|message| panic!("{message}")));
    assert_eq!(short.configuration, long.configuration);
    assert_eq!(short, long);
}

fn refused(files: &[(&str, &str)], message: &str) {
    match described(files, &[]) {
        Ok(_) => panic!("not refused: {message}\n{files:?}"),
        Err(found) => assert_eq!(found, message, "{files:?}"),
    }
}

const SHAFT: &str = r#"
[parameters]
J = 1
c = 100

[parts.inertia]
type = "Inertia"
J = "=J"

[parts.spring]
type = "Rotational.Spring"
c = "=c"
flange_a = "inertia.flange_b"
"#;

#[test]
fn constants_and_expressions_are_numbers() {
    let short = r#"
[constants]
r = 0.1
l = 0.4
m = "=pi*r^2*l*7800"
law = [[0, 0.5], [10, "=0.5*0.8"]]

[parts.a]
type = "Inertia"
J = "=m*r^2/2"
w_start = "= -2^2 + 2*(3 - 1)^-1"

[parts.b]
type = "Inertia"
J = "=max(m, 1)*law[1, 2]"

[parts.c]
type = "Clutch"
mue_pos = "=law"
flange_a = "a.flange_b"
flange_b = "b.flange_a"
"#;
    let m = std::f64::consts::PI * 0.1 * 0.1 * 0.4 * 7800.0;
    let description = described(&[("a.toml", short)], &[]).unwrap();
    let start = |name: &str| {
        let line = description.configuration.lines().find(|line| line.starts_with(&format!("start {name} ")));
        line.unwrap_or_else(|| panic!("{name}")).rsplit(' ').next().unwrap().parse::<f64>().unwrap()
    };
    assert!((start("a.J") - m * 0.1 * 0.1 / 2.0).abs() < 1e-15);
    assert!((start("b.J") - m / 2.0).abs() < 1e-13);
    assert_eq!(start("a.w_start"), -3.0);
    let table = description.configuration.lines().find(|line| line.starts_with("table c.mue_pos ")).unwrap();
    assert!(table.ends_with(&format!("{:016x}", 0.4_f64.to_bits())), "{table}");
}

#[test]
fn a_repetition_stands_for_its_parts() {
    let short = r#"
outputs = ["shaft3.w"]
[constants]
n = 3
J = [1, 2, 3]

[parts."shaft{i}"]
for = { i = "1:n" }
type = "Inertia"
J = "=J[i]"

[parts."spring{i}"]
for.i = "2:n"
for.c = [10, "=2*10"]
type = "Rotational.Spring"
c = "=c"
flange_a = "shaft{i - 1}.flange_b"
flange_b = "shaft{i}.flange_a"
"#;
    let mut long = "outputs = [\"shaft3.w\"]\n".to_owned();
    for i in 1..=3 {
        long += &format!("[parts.shaft{i}]\ntype = \"Inertia\"\nJ = {i}\n");
    }
    for (i, c) in [(2, 10), (3, 20)] {
        long += &format!(
            "[parts.spring{i}]\ntype = \"Rotational.Spring\"\nc = {c}\nflange_a = \"shaft{}.flange_b\"\nflange_b = \"shaft{i}.flange_a\"\n",
            i - 1
        );
    }
    same(&[("short.toml", short)], &[], &long);
}

#[test]
fn a_file_stands_for_its_parts() {
    let short = r#"
[constants]
J0 = 2

[parts."shaft{i}"]
for = { i = "1:2" }
type = "parts/shaft.toml"
J = "=J0*i"

[parts.load]
type = "Inertia"
flange_a = "shaft2.flange_b"

[parts.fan]
type = "Inertia"
flange_a = "shaft1.flange_b"

[parts.clutch]
type = "Clutch"
flange_a = "shaft1.flange_b"
flange_b = "shaft2.flange_a"
"#;
    let mut long = String::new();
    for i in 1..=2 {
        long += &format!(
            "[parts.shaft{i}.inertia]\ntype = \"Inertia\"\nJ = {}\n[parts.shaft{i}.spring]\ntype = \"Rotational.Spring\"\n\
             c = 100\nflange_a = \"shaft{i}.inertia.flange_b\"\n",
            2 * i
        );
    }
    long += "[parts.load]\ntype = \"Inertia\"\nflange_a = \"shaft2.spring.flange_b\"\n\
             [parts.fan]\ntype = \"Inertia\"\nflange_a = \"shaft1.spring.flange_b\"\n[parts.clutch]\ntype = \"Clutch\"\n\
             flange_a = \"shaft1.spring.flange_b\"\nflange_b = \"shaft2.inertia.flange_a\"\n";
    let files = [("short.toml", short), ("parts/shaft.toml", SHAFT)];
    same(&files, &[], &long);
    // The command line sets parameters of parts, and start values of parts inside.
    let other = long.replacen("J = 2", "J = 7", 1).replacen("c = 100", "c = 50", 1);
    same(&files, &["shaft1.J=7", "shaft1.spring.c=50"], &other);
}

#[test]
fn files_are_parts_of_files() {
    let pair = "[parameters]\nJ = 1\n[parts.one]\ntype = \"shaft.toml\"\nJ = \"=J\"\n[parts.two]\ntype = \"shaft.toml\"\nJ = \"=2*J\"\n\
                flange_a = \"one.flange_b\"\n";
    let short = "[parts.train]\ntype = \"parts/pair.toml\"\nJ = 5\n[parts.load]\ntype = \"Inertia\"\nflange_a = \"train.flange_b\"\n";
    let mut long = String::new();
    for (name, inertia) in [("one", 5), ("two", 10)] {
        long += &format!(
            "[parts.train.{name}.inertia]\ntype = \"Inertia\"\nJ = {inertia}\n[parts.train.{name}.spring]\ntype = \"Rotational.Spring\"\nc = 100\n\
             flange_a = \"train.{name}.inertia.flange_b\"\n",
        );
    }
    long += "[parts.load]\ntype = \"Inertia\"\nflange_a = \"train.two.spring.flange_b\"\n";
    let long = long.replace(
        "[parts.train.two.inertia]\n",
        "[parts.train.two.inertia]\nflange_a = \"train.one.spring.flange_b\"\n",
    );
    same(&[("short.toml", short), ("parts/pair.toml", pair), ("parts/shaft.toml", SHAFT)], &[], &long);
}

/// Inputs of the FMU of the file alone are given where it is a part.
#[test]
fn inputs_of_a_file_are_given_where_it_is_used() {
    let wheel = "[parts.motor]\ntype = \"Torque\"\ntau = \"input.drive\"\nflange = \"inertia.flange_a\"\n[parts.inertia]\ntype = \"Inertia\"\n";
    let short = "[parts.ramp]\ntype = \"Ramp\"\n[parts.\"wheel{i}\"]\nfor = { i = \"1:3\", from = [\"input.pedal\", \"ramp.y\", 4] }\n\
                 type = \"wheel.toml\"\ndrive = \"=from\"\n";
    let mut long = "[parts.ramp]\ntype = \"Ramp\"\n".to_owned();
    for (i, from) in [(1, "\"input.pedal\""), (2, "\"ramp.y\""), (3, "4")] {
        long += &format!(
            "[parts.wheel{i}.motor]\ntype = \"Torque\"\ntau = {from}\nflange = \"wheel{i}.inertia.flange_a\"\n\
             [parts.wheel{i}.inertia]\ntype = \"Inertia\"\n"
        );
    }
    let files = [("short.toml", short), ("wheel.toml", wheel)];
    same(&files, &[], &long);
    // A default is a start value of the input of the file alone, and of that of each part.
    let default = format!("[parameters]\ndrive = 2\n{wheel}");
    let alone = described(&[("wheel.toml", &default)], &[]).unwrap();
    assert!(alone.configuration.contains("start drive 4000000000000000 2.0\n"), "{}", alone.configuration);
    let two = short.replace("drive = \"=from\"\n", "").replace(", from = [\"input.pedal\", \"ramp.y\", 4]", "");
    let parts = described(&[("short.toml", &two), ("wheel.toml", &default)], &[]).unwrap();
    assert!(parts.configuration.contains("start wheel3.motor.tau 4000000000000000 2.0\n"), "{}", parts.configuration);
    // A signal inside is given in full.
    let sine = "[parts.wave]\ntype = \"Sine\"\nf = 2\n[parts.wheel]\ntype = \"wheel.toml\"\nmotor.tau = \"wave.y\"\n";
    let own = wheel.replace("tau = \"input.drive\"\n", "");
    let signal = described(&[("short.toml", sine), ("wheel.toml", &own)], &[]).unwrap();
    assert!(signal.configuration.contains("structure wheel.motor.tau wave.y\n"), "{}", signal.configuration);
}

#[test]
fn the_command_line_sets_parameters_of_the_file() {
    let short = "[parameters]\nm = 2\n[constants]\nk = \"=3*m\"\n[parts.a]\ntype = \"Inertia\"\nJ = \"=k\"\n";
    let long = |inertia: i32| format!("[parts.a]\ntype = \"Inertia\"\nJ = {inertia}\n");
    same(&[("short.toml", short)], &[], &long(6));
    same(&[("short.toml", short)], &["m=4"], &long(12));
    same(&[("short.toml", short)], &["m=4", "a.J=3"], &long(3));
    let message = described(&[("short.toml", short)], &["m=-4"]).err();
    let expected = "short.toml:7:5, used by short.toml:7:5";
    assert!(message.as_deref().is_some_and(|message| !message.contains(expected)), "{message:?}");
    assert_eq!(
        message.as_deref(),
        Some("short.toml:4:5, used by short.toml:7:5: a.J = \"=3*m\", which is -12: must be at least 0.0 kg.m2")
    );
    assert_eq!(described(&[("short.toml", short)], &["k=4"]).err().as_deref(), Some("--set k=4: unknown name \"k\""));
}

#[test]
fn many_parts_are_made() {
    let text = "[parts.\"a{i}\"]\nfor = { i = \"1:1000\" }\ntype = \"Inertia\"\nJ = \"=i\"\n";
    let description = described(&[("a.toml", text)], &[]);
    assert!(description.is_err_and(|message| message.contains("part \"a1000\" is connected to nothing")));
    let text = "[parts.\"a{i}\"]\nfor = { i = \"1:20000\" }\ntype = \"Constant\"\nk = \"=i\"\n";
    let message = described(&[("a.toml", text)], &[]).err().unwrap_or_default();
    assert!(message.ends_with("part \"a10001\" is one too many: a system has at most 10000 parts"), "{message}");
}

/// Constants, and files in files, that would double each other.
#[test]
fn what_would_grow_without_end_is_refused() {
    let part = "[parts.a]\ntype = \"Inertia\"\n";
    let doubled = |first: &str, next: &dyn Fn(usize) -> String| {
        let rest: String = (1..60).map(|i| format!("x{i} = {}\n", next(i - 1))).collect();
        described(&[("a.toml", &format!("[constants]\nx0 = {first}\n{rest}{part}"))], &[]).err().unwrap_or_default()
    };
    let arrays = doubled("[1, 1]", &|i| format!("[\"=x{i}\", \"=x{i}\"]"));
    assert!(arrays.ends_with("x16 = [\"=x15\", \"=x15\"]: this array has more than 100000 elements"), "{arrays}");
    let texts = doubled("\"ab\"", &|i| format!("\"{{x{i}}}{{x{i}}}\""));
    assert!(
        texts.ends_with("x13 = \"{x12}{x12}\": has more than 10000 characters when its braces are filled"),
        "{texts}"
    );
    let line = |file: &str| format!("[parts.\"a{{i}}\"]\nfor = {{ i = \"1:1000\" }}\ntype = \"{file}\"\n");
    let (a, b, c) = (line("b.toml"), line("c.toml"), "[parts.\"a{i}\"]\nfor = { i = \"1:0\" }\ntype = \"Inertia\"\n");
    let message = described(&[("a.toml", &a), ("b.toml", &b), ("c.toml", c)], &[]).err().unwrap_or_default();
    assert_eq!(message, "b.toml:3:1, as a20 of a.toml:3:8: more than 20000 parts cannot be made");
    let table = format!("[constants]\nx = {:?}\n", [[0; 2]; 400]).replace("], [", "],[");
    let many = format!("{table}[parts.\"a{{i}}\"]\nfor = {{ i = \"1:5000\" }}\ntype = \"TimeTable\"\ntable = \"=x\"\n");
    let message = described(&[("a.toml", &many)], &[]).err().unwrap_or_default();
    assert!(message.ends_with(": a system cannot have more than 2000000 values"), "{message}");
}

#[test]
fn the_page_shows_what_is_built_and_refused() {
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples");
    let page = fs_err::read_to_string(examples.join("../docs/short-files.md")).unwrap();
    let mut blocks = 0;
    for block in page.split("```toml\n").skip(1) {
        described(&[("page.toml", block.split("```").next().unwrap())], &[])
            .unwrap_or_else(|message| panic!("{message}"));
        blocks += 1;
    }
    assert_eq!(blocks, 2);
    let axis = fs_err::read_to_string(examples.join("parts/axis.toml")).unwrap();
    let arm = |lines: &str| {
        format!(
            "[constants]\nd0 = 0.1\nd = 0.2\n[parts.world]\ntype = \"World\"\n[parts.elbow]\ntype = \"parts/axis.toml\"\n{lines}"
        )
    };
    let wrong = axis.replace("2/ratio", "2/ratoi");
    let found = [
        described(
            &[("arm.toml", &arm("diameter = \"=d0-d\"\nframe_a = \"world.frame_b\"\n")), ("parts/axis.toml", &axis)],
            &[],
        ),
        described(&[("arm.toml", &arm("")), ("parts/axis.toml", &wrong)], &[]),
        described(&[("arm.toml", &arm("mass = 3\n")), ("parts/axis.toml", &axis)], &[]),
        described(&[("arm.toml", &arm("frame_c = \"world.frame_b\"\n")), ("parts/axis.toml", &axis)], &[]),
        described(&[("engine.toml", "[parts.\"a{i}\"]\nfor.i = \"1:10000000\"\ntype = \"Inertia\"\n")], &[]),
    ];
    let found: Vec<_> = found.into_iter().map(|described| described.err().unwrap_or_default()).collect();
    let missing: Vec<_> = found.iter().filter(|message| !page.contains(&format!("    {message}\n"))).collect();
    assert!(missing.is_empty(), "{missing:#?}");
}

/// A part with a line that is wrong, and its message behind the location and the line.
#[test]
fn expressions_that_have_no_value_are_refused() {
    let cases = [
        ("=r + dd", "there is no constant or parameter \"dd\"; did you mean \"d\"?"),
        ("=r + Pi", "there is no constant or parameter \"Pi\"; did you mean \"pi\"?"),
        ("=1/(r - r)", "a number is divided by 0"),
        ("=sqrt(-r)", "sqrt(-0.1) is not a finite number"),
        ("=log(0)", "log(0) is not a finite number"),
        ("=10^400", "the result is not a finite number"),
        ("=sinus(r)", "there is no function \"sinus\"; did you mean \"sin\"?"),
        ("=max(r)", "max has 2 arguments, not 1"),
        ("=", "is empty: write an expression, such as \"=2*r\""),
        ("=2*", "ends too early"),
        ("=2*(r", "has a bracket that is not closed"),
        ("=2 r", "is not understood from \"r\" on"),
        ("=2**r", "is not understood from \"*r\" on"),
        ("=--r", "is not understood from \"-r\" on"),
        ("=v[3]", "an index of \"v\" is 3, but must be from 1 to 2"),
        ("=v[1, 1]", "\"v\" has too many indices"),
        ("=2*v", "\"v\" is not a number"),
        ("=2*word", "\"word\" is not a number"),
    ];
    let system = |line: &str| {
        format!(
            "[constants]\nr = 0.1\nd = 2\nv = [1, 2]\nword = \"rigid\"\n[parts.a]\ntype = \"Inertia\"\nJ = \"{line}\"\n"
        )
    };
    for (line, message) in cases {
        refused(&[("a.toml", &system(line))], &format!("a.toml:8:5: a.J = \"{line}\": {message}"));
    }
    let long = format!("={}", "r+".repeat(251));
    let message = described(&[("a.toml", &system(&long))], &[]).unwrap_err();
    assert!(message.ends_with("is too long: an expression has at most 500 characters"), "{message}");
    let deep = format!("={}r{}", "(".repeat(21), ")".repeat(21));
    let message = described(&[("a.toml", &system(&deep))], &[]).unwrap_err();
    assert!(message.ends_with("has more than 20 brackets inside each other: give some of it a name"), "{message}");
    // A value that the part does not take is shown with where it is from.
    refused(
        &[("a.toml", &system("=r - d"))],
        "a.toml:8:5: a.J = \"=r - d\", which is -1.9: must be at least 0.0 kg.m2",
    );
    refused(&[("a.toml", &system("=word"))], "a.toml:5:8, used by a.toml:8:5: a.J = \"rigid\": must be a number");
}

#[test]
fn constants_without_a_value_are_refused() {
    let part = "[parts.a]\ntype = \"Inertia\"\n";
    for (text, message) in [
        ("a = \"=b\"\nb = \"=2*a\"", "a.toml:3:5: b = \"=2*a\": \"a\" depends on itself"),
        ("a = \"=c/0\"\nb = \"=2*a\"\nc = 1", "a.toml:2:5: a = \"=c/0\": a number is divided by 0"),
        (
            "\"a b\" = 1",
            "a.toml:2:1: a constant cannot be named \"a b\": use letters, digits and underscores, starting with a letter",
        ),
        (
            "pi = 3",
            "a.toml:2:1: a constant cannot be named \"pi\": use letters, digits and underscores, starting with a letter; pi is known",
        ),
        ("r = 3\n[parameters]\nr = 2", "a.toml:2:1: \"r\" is a parameter, too, at a.toml:4:1"),
        ("r = 3\n[parameters]\nr = { required = true }", "a.toml:2:1: \"r\" is a parameter, too, at a.toml:4:7"),
    ] {
        refused(&[("a.toml", &format!("[constants]\n{text}\n{part}"))], message);
    }
    for (text, message) in [
        ("constants = 3", "a.toml:1:1: \"constants\" must be a section: [constants]"),
        ("[constant]\na = 3", "a.toml:1:2: unknown section \"constant\"; did you mean \"constants\"?"),
        ("[parameters]\nr = 3", "a.toml:2:1: unknown parameter \"r\""),
    ] {
        refused(&[("a.toml", &format!("{text}\n{part}"))], message);
    }
}

#[test]
fn repetitions_that_make_no_parts_are_refused() {
    #[rustfmt::skip]
    let cases = [
        ("[parts.a]\nfor = { i = \"1:3\" }",
         "a.toml:2:9: part \"a\" is made twice: give each a name of its own, such as \"a{i}\""),
        ("[parts.\"a{i}\"]\nfor = \"1:3\"",
         "a.toml:2:7: for = \"1:3\": must be names with their values, such as { i = \"1:6\" }"),
        ("[parts.\"a{i}\"]\nfor = { i = 3 }", "a.toml:2:13: for.i = 3: must be a range, such as \"1:6\", or an array"),
        ("[parts.\"a{i}\"]\nfor = { i = \"1..3\" }",
         "a.toml:2:13: for.i = \"1..3\": must be a range, such as \"1:6\", or an array"),
        ("[parts.\"a{i}\"]\nfor = { i = \"=2\" }", "a.toml:2:13: for.i = \"=2\": must be an array"),
        ("[parts.\"a{i}\"]\nfor = { i = \"1:n\" }",
         "a.toml:2:13: for.i = \"1:n\": there is no constant or parameter \"n\""),
        ("[parts.\"a{i}\"]\nfor = { i = \"1:2.5\" }", "a.toml:2:13: for.i = \"1:2.5\": 2.5 is not a whole number"),
        ("[parts.\"a{i}\"]\nfor = { i = \"1:10000000\" }",
         "a.toml:2:13: for.i = \"1:10000000\": 10000000 parts are too many: at most 20000 are made"),
        ("[parts.\"a{i}\"]\nfor = { i = \"1:3\", k = [1, 2] }",
         "a.toml:2:20: k has 2 values, but i has 3: each part takes one of both"),
        ("[parts.\"a{i}\"]\nfor = { \"i k\" = \"1:3\" }",
         "a.toml:2:9: \"i k\" cannot be the name of values: use letters and digits"),
        ("[parts.\"a{j}\"]\nfor = { i = \"1:3\" }",
         "a.toml:2:9: the name \"a{j}\": there is no constant or parameter \"j\"; did you mean \"i\"?"),
        ("[parts.\"a{i/2}\"]\nfor = { i = \"1:3\" }",
         "a.toml:2:9: the name \"a{i/2}\": {i/2} is 0.5, but must be a whole number or a text"),
        ("[parts.\"a{i\"]\nfor = { i = \"1:3\" }",
         "a.toml:2:9: the name \"a{i\": has a brace without its other one; a brace itself is written twice"),
        ("[parts.\"{i}\"]\nfor = { i = \"1:1\" }",
         "a.toml:3:1: a part cannot be named \"1\": use letters, digits and underscores, starting with a letter"),
        ("[parts.\"a{i}\"]\nJ = \"=j\"\nfor = { i = \"1:3\" }",
         "a.toml:2:5: a1.J = \"=j\": there is no constant or parameter \"j\"; did you mean \"i\"?"),
        ("[parts.\"a{i}\"]\nJ = \"=-i\"\nfor = { i = \"1:1\" }",
         "a.toml:2:5: a1.J = \"=-i\", which is -1: must be at least 0.0 kg.m2"),
        ("[parts.\"a{i}\"]\nJ = \"=k\"\nfor = { i = [1], k = [-1] }",
         "a.toml:3:23, used by a.toml:2:5: a1.J = -1: must be at least 0.0 kg.m2"),
        ("[parts.\"a{i}\"]\nflange_a = \"b{i}.flange\"\nfor = { i = \"1:1\" }",
         "a.toml:2:12: a1.flange_a = \"b{i}.flange\", which is \"b1.flange\": there is no connector \"b1.flange\"; did you mean \"a1.flange_a\"?"),
        ("[parts.a]\ntype = \"Inertia\"\n[parts.a.b]", "a.toml:4:1: \"a\" is a part, so none can be named \"a.b\""),
    ];
    for (text, message) in cases {
        refused(&[("a.toml", &format!("{text}\ntype = \"Inertia\"\n"))], message);
    }
}

/// A file whose parameter has no default.
const REQUIRING: &str = r#"
[parameters]
J = { required = true }

[constants]
twice = "=2*J"

[parts.inertia]
type = "Inertia"
J = "=twice"
w_start = "=J"
"#;

#[test]
fn parameters_without_a_default_are_given_where_the_file_is_used() {
    let used = "[parts.a]\ntype = \"b.toml\"\nJ = 3\n";
    let without = used.replace("J = 3\n", "");
    let file = ("b.toml", REQUIRING);
    let long = |part: &str, j: f64| format!("[parts.{part}]\ntype = \"Inertia\"\nJ = {}\nw_start = {j}\n", 2.0 * j);
    same(&[("a.toml", used), file], &[], &long("a.inertia", 3.0));
    same(&[("a.toml", used), file], &["a.J=4"], &long("a.inertia", 4.0));
    same(&[("a.toml", &without), file], &["a.J=4"], &long("a.inertia", 4.0));
    same(&[file], &["J=5"], &long("inertia", 5.0));
}

#[test]
fn parameters_without_a_default_that_are_not_given_are_refused() {
    let used = "[parts.a]\ntype = \"b.toml\"\n";
    let with = |more: &str| format!("{used}{more}");
    refused(
        &[("a.toml", used), ("b.toml", REQUIRING)],
        "b.toml:3:7, as a of a.toml:2:8: parameter \"J\" has no default: write J = … in the section of a",
    );
    refused(
        &[("b.toml", REQUIRING)],
        "b.toml:3:7: parameter \"J\" has no default: give it by --set J=…, or use the file as a part",
    );
    refused(
        &[("b.toml", &REQUIRING.replace("true", "false"))],
        "b.toml:3:18: J.required = false: must be true; a parameter with a default is J = 1.0",
    );
    refused(
        &[("a.toml", &with("J = 1\nJJ = 2\n")), ("b.toml", REQUIRING)],
        "a.toml:4:6: a.JJ = 2: b.toml has no parameter \"JJ\"; did you mean \"J\"?",
    );
    // What is given but wrong is not missing as well.
    for (line, message) in [
        ("J = \"=3*Jx\"", "a.toml:3:5: a.J = \"=3*Jx\": there is no constant or parameter \"Jx\""),
        ("JJ = 2", "a.toml:3:6: a.JJ = 2: b.toml has no parameter \"JJ\"; did you mean \"J\"?"),
    ] {
        refused(&[("a.toml", &with(&format!("{line}\n"))), ("b.toml", REQUIRING)], message);
    }
    refused(
        &[("a.toml", &with("J = 1\n")), ("b.toml", &REQUIRING.replace("=2*J", "=2").replace("=J", "=1"))],
        "b.toml:3:7, as a of a.toml:2:8: parameter \"J\" is not used in this file",
    );
}

#[test]
fn files_that_are_no_parts_are_refused() {
    #[rustfmt::skip]
    let cases = [
        ("[parts.a]\ntype = \"none.toml\"\n", "", "a.toml:2:8: a.type = \"none.toml\": there is no file none.toml"),
        ("[parts.a]\ntype = \"a.toml\"\n", "", "a.toml:2:8: a.type = \"a.toml\": a system cannot contain itself"),
        ("[parts.a]\ntype = \"b.toml\"\n", "[parts.b]\ntype = \"a.toml\"\n",
         "b.toml:2:8, as a of a.toml:2:8: a.b.type = \"a.toml\": a system cannot contain itself, by b.toml"),
        ("[parts.a]\ntype = \"b.toml\"\n", "name = \"B\"\n",
         "a.toml:2:8: a.type = \"b.toml\": this file has no [parts], and is no system"),
        ("[parts.a]\ntype = \"b.toml\"\n", "[parts.b\n", "b.toml:1:9: unclosed table, expected `]`"),
        ("[parts.a]\ntype = \"b.toml\"\ncc = 3\n", SHAFT,
         "a.toml:3:6: a.cc = 3: b.toml has no parameter \"cc\"; did you mean \"c\"?"),
        ("[parts.a]\ntype = \"b.toml\"\ninertia.J = 3\n", SHAFT,
         "a.toml:3:13: a.inertia.J = 3: b.toml has no parameter \"inertia.J\"; what is inside follows from its parameters"),
        ("[parts.a]\ntype = \"b.toml\"\nJ = -3\n[parts.i]\ntype = \"Inertia\"\nflange_a = \"a.flange_b\"\n", SHAFT,
         "a.toml:3:5, used by b.toml:8:5, as a of a.toml:2:8: a.inertia.J = -3: must be at least 0.0 kg.m2"),
        ("[parts.a]\ntype = \"b.toml\"\nJ = \"=3-5\"\n[parts.i]\ntype = \"Inertia\"\nflange_a = \"a.flange_b\"\n",
         SHAFT,
         "a.toml:3:5, used by b.toml:8:5, as a of a.toml:2:8: a.inertia.J = \"=3-5\", which is -2: must be at least 0.0 kg.m2"),
        ("[parts.a]\ntype = \"b.toml\"\nJ = \"=3*K\"\n[parts.i]\ntype = \"Inertia\"\nflange_a = \"a.flange_b\"\n",
         SHAFT, "a.toml:3:5: a.J = \"=3*K\": there is no constant or parameter \"K\""),
        ("[parts.a]\ntype = \"b.toml\"\nflange_c = \"i.flange_a\"\n[parts.i]\ntype = \"Inertia\"\n", SHAFT,
         "a.toml:3:12: a.flange_c = \"i.flange_a\": a has no free connector \"flange_c\"; its free ones are inertia.flange_a, spring.flange_b"),
        ("[parts.a]\ntype = \"b.toml\"\n[parts.i]\ntype = \"Inertia\"\nflange_a = \"a.flange_c\"\n", SHAFT,
         "a.toml:5:12: i.flange_a = \"a.flange_c\": a has no free connector \"flange_c\"; its free ones are inertia.flange_a, spring.flange_b"),
        ("[parts.a]\ntype = \"b.toml\"\nspring.flange_a = \"i.flange_a\"\n[parts.i]\ntype = \"Inertia\"\n", SHAFT,
         "a.toml:3:19: a.spring.flange_a = \"i.flange_a\": this is given in the file already, at b.toml:13:1, as a of a.toml:2:8"),
        ("[parts.a]\ntype = \"b.toml\"\nflange_a = \"i.flange_a\"\ninertia.flange_a = \"i.flange_b\"\n[parts.i]\ntype = \"Inertia\"\nflange_a = \"a.flange_b\"\n",
         SHAFT, "a.toml:3:12: a.flange_a = \"i.flange_a\": this is a.inertia.flange_a, which is given at a.toml:4:9"),
        ("[parts.a]\ntype = \"b.toml\"\n[parts.i]\ntype = \"Inertia\"\nflange_a = \"a.flange_a\"\n",
         "[parts.x]\ntype = \"Inertia\"\n[parts.y]\ntype = \"Inertia\"\n",
         "a.toml:5:12: i.flange_a = \"a.flange_a\": a has several free connectors \"flange_a\": name one of x.flange_a, y.flange_a"),
        ("[parts.a]\ntype = \"b.toml\"\n[parts.i]\ntype = \"Inertia\"\n",
         "[parts.x]\ntype = \"Inertia\"\nflange_a = \"i.flange_b\"\n",
         "b.toml:3:12, as a of a.toml:2:8: a.x.flange_a = \"i.flange_b\": this part is outside of a: leave the line out, and connect a where it is used"),
        ("[parts.a]\ntype = \"b.toml\"\n", "[structure]\nsteady = true\n[parts.x]\ntype = \"Inertia\"\n",
         "b.toml:2:1, as a of a.toml:2:8: \"steady\" concerns the system as a whole: move the line to the file that is built"),
        ("[parts.a]\ntype = \"b.toml\"\n", "component = \"../x\"\n[parts.x]\ntype = \"Inertia\"\n",
         "b.toml:1:1, as a of a.toml:2:8: \"component\" concerns the system as a whole: move the line to the file that is built"),
        ("[parts.a]\ntype = \"b.toml\"\n", "[parameters]\nJ = 3\n[parts.x]\ntype = \"Inertia\"\n",
         "b.toml:2:1, as a of a.toml:2:8: parameter \"J\" is not used in this file"),
        ("[parts.a]\ntype = \"b.toml\"\n", "[parts.x]\ntype = \"Inertia\"\nJ = -1\n",
         "b.toml:3:5, as a of a.toml:2:8: a.x.J = -1: must be at least 0.0 kg.m2"),
        ("[parts.a]\ntype = \"b.toml\"\n", "[parts.x]\ntype = \"Inertia\"\nJJ = 3\n",
         "b.toml:3:1, as a of a.toml:2:8: unknown parameter \"a.x.JJ\"; did you mean \"a.x.J\"?"),
        ("[parts.a]\ntype = \"b.toml\"\n", "[parts.x]\ntype = \"Torque\"\ntau = \"input.t\"\n",
         "b.toml:3:7, as a of a.toml:2:8: a.x.tau = \"input.t\": a needs its input \"t\": write t = … there, with an input of the FMU such as \"input.t\", a signal, or a number"),
        ("[parts.a]\ntype = \"b.toml\"\n", "[constants]\nx = \"=why\"\n[parts.x]\ntype = \"Inertia\"\n",
         "b.toml:2:5, as a of a.toml:2:8: x = \"=why\": there is no constant or parameter \"why\""),
        ("[parts.a]\ntype = \"b.toml\"\n[parts.a.c]\ntype = \"Inertia\"\n", SHAFT,
         "a.toml:4:8: a.c.type = \"Inertia\": b.toml has no parameter \"c.type\"; what is inside follows from its parameters"),
        ("[parts.\"a{i}\"]\nfor = { i = \"1:20000\" }\ntype = \"b.toml\"\n", SHAFT,
         "b.toml:11:1, as a6667 of a.toml:3:8: more than 20000 parts cannot be made"),
        ("[parts.a]\ntype = \"b.toml\"\n", SHAFT,
         "b.toml:11:1, as a of a.toml:2:8: nothing that moves with \"a.spring.flange_b\" has inertia: connect an Inertia to it, or hold it by Fixed or Position"),
    ];
    for (a, b, message) in cases {
        refused(&[("a.toml", a), ("b.toml", b)], message);
    }
}
