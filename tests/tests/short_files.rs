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
    let description = described(&[("a.toml", &short)], &[]).unwrap();
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
        ("=sinn(r)", "there is no function \"sinn\"; did you mean \"sin\"?"),
        ("=max(r)", "max has 2 arguments, not 1"),
        ("=", "is empty: write an expression, such as \"=2*r\""),
        ("=2*", "ends too early"),
        ("=2*(r", "has a bracket that is not closed"),
        ("=2 r", "is not understood from \"r\" on"),
        ("=2**r", "is not understood from \"*r\" on"),
        ("=--r", "is not understood from \"--r\" on"),
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
    let long = format!("={}", "r+".repeat(250));
    let message = described(&[("a.toml", &system(&long))], &[]).unwrap_err();
    assert!(message.ends_with("is too long: an expression has at most 500 characters"), "{message}");
    let deep = format!("={}r{}", "(".repeat(21), ")".repeat(21));
    let message = described(&[("a.toml", &system(&deep))], &[]).unwrap_err();
    assert!(message.ends_with("has more than 20 brackets inside each other: give some of it a name"), "{message}");
    // A value that the part does not take is shown with where it is from.
    refused(&[("a.toml", &system("=r - d"))], "a.toml:8:5: a.J = \"=r - d\", which is -1.9: must be at least 0 kg.m2");
    refused(
        &[("a.toml", &system("=word"))],
        "a.toml:5:8, used by a.toml:8:5: a.J = \"rigid\": must be a number, an input of the FMU such as \"input.pedal\", or a signal; there is no signal \"rigid\"",
    );
}
