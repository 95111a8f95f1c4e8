use super::*;
use crate::example::describe;
use fmu_exchange::DeclarationRequest;
use proptest::prelude::*;

fn from_text(text: &str) -> Result<Settings, Error> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("front.toml");
    fs_err::write(&path, text).unwrap();
    Settings::from_toml(&path).map_err(|error| Error::Refused(local(&error, folder.path())))
}

fn local(error: &Error, folder: &Path) -> String {
    error.to_string().replace(&format!("{}/", folder.display()), "")
}

/// Returns the configuration that a file leads to, or the message with the file's bare name.
fn resolved(text: &str) -> Result<String, String> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("front.toml");
    fs_err::write(&path, text).unwrap();
    let result = Settings::from_toml(&path).and_then(|settings| settings.resolve(&describe));
    result.map(|description| description.configuration).map_err(|error| local(&error, folder.path()))
}

fn commanded(assignments: &[&str]) -> Result<String, String> {
    let mut settings = Settings::default();
    for assignment in assignments {
        settings.set(assignment).map_err(|error| error.to_string())?;
    }
    settings.resolve(&describe).map(|description| description.configuration).map_err(|error| error.to_string())
}

fn refused(text: &str, message: &str) {
    assert_eq!(resolved(text).unwrap_err(), message, "{text}");
}

#[test]
fn a_complete_file_becomes_flat_text() {
    let text = r#"
component = "spring"
name = "RearSpring"
description = "Rear spring,\nleft"
[structure]
useHeatPort = true
form = "soft"
[parameters]
c = [1, 3]
linear = false
count = 3
dir = "onlyX"
file = "my data.csv"
T_start = 300
s = 0.1
table = [[0, 0], [1, 2], [2, 3e9]]
"#;
    assert_eq!(
        resolved(text).unwrap(),
        "component Spring\nname RearSpring\ndescription Rear spring,\\nleft\n\
         structure useHeatPort true\n\
         start c[1] 3ff0000000000000 1.0\nstart c[2] 4008000000000000 3.0\nstart s 3fb999999999999a 0.1\nstart count 3\n\
         start linear false\nstart file my data.csv\nstart dir onlyX\nstart T_start 4072c00000000000 300.0\n\
         table table 3 2 0000000000000000 0000000000000000 3ff0000000000000 4000000000000000 4000000000000000 41e65a0bc0000000\n\
         version fmu-runtime 0.1.0\nversion spring 1.2.3\n"
    );
    let settings = from_text(text).unwrap();
    let (component, location) = settings.component().unwrap();
    assert_eq!(component, "spring");
    assert!(location.ends_with("front.toml:2:13"), "{location}");
}

#[test]
fn the_command_line_goes_first_and_shares_one_space_of_names() {
    assert_eq!(
        commanded(&[
            "c=[1, 2]", "c[1] = 5", "form=stiff", "dir=onlyX", "name=Second", "description=Front left", "file=5",
            "order=3", "table[2,2]=7", "form=rigid",
        ])
        .unwrap(),
        "component Spring\nname Second\ndescription Front left\nstructure form stiff\nstructure order 3\n\
         start c[1] 4014000000000000 5.0\nstart c[2] 4000000000000000 2.0\nstart file 5\nstart dir onlyX\n\
         table table 2 2 0000000000000000 0000000000000000 3ff0000000000000 401c000000000000\n\
         version fmu-runtime 0.1.0\nversion spring 1.2.3\n"
    );
    let mut settings = from_text("name = \"First\"\n[parameters]\ncount = 1").unwrap();
    settings.set("count=3").unwrap();
    settings.set("name=Second").unwrap();
    let description = settings.resolve(&describe).unwrap();
    assert_eq!(description.name, "Second");
    assert!(description.configuration.contains("start count 3\n"));
}

#[test]
fn what_a_file_says_twice_is_refused() {
    refused("[parameters]\nc = [1, 2]\n\"c[2]\" = 3", "front.toml:3:1: \"c[2]\" is already set at front.toml:2:1");
    refused("[parameters]\n\"c[2]\" = 3\nc = [1, 2]", "front.toml:3:1: \"c\" is already set at front.toml:2:1");
    refused(
        "[parameters]\ntable = [[1, 2]]\n\"table[1,2]\" = 3",
        "front.toml:3:1: \"table[1,2]\" is already set at front.toml:2:1",
    );
    refused(
        "[parameters]\ntd.k = 1\n\"td.k\" = 2",
        "front.toml:2:4: unknown parameter \"td.k\"\nfront.toml:3:1: unknown parameter \"td.k\"",
    );
    // The command line overrides the file; of several values for one name there, the last one counts.
    let mut settings = from_text("[parameters]\nc = [1, 2]").unwrap();
    settings.set("c[2]=3").unwrap();
    settings.set("c[2]=4").unwrap();
    let configuration = settings.resolve(&describe).unwrap().configuration;
    assert!(configuration.contains("start c[2] 4010000000000000 4.0\n"), "{configuration}");
    // An array would undo earlier entries of its element.
    let mut settings = Settings::default();
    settings.set("c[2]=3").unwrap();
    settings.set("c=[1, 2]").unwrap();
    let message = settings.resolve(&describe).unwrap_err().to_string();
    assert_eq!(message, "--set c=[1, 2]: \"c\" is already set by --set c[2]=3");
}

#[test]
fn decimal_commas_and_labels_of_items_are_understood_or_explained() {
    let set = |assignment: &str| {
        let mut settings = Settings::default();
        settings.set(assignment).unwrap();
        settings.resolve(&describe).map(|description| description.configuration).map_err(|error| error.to_string())
    };
    let message = set("c=[1, '0,5']").unwrap_err();
    assert!(message.ends_with("must be a number; the decimal sign is a point"), "{message}");
    assert_eq!(set("s=0,5").unwrap_err(), "--set s=0,5: must be a number; the decimal sign is a point");
    for label in ["Along the axis", "along the axis", "alongTheAxis", "onlyX", "Only x"] {
        let configuration = set(&format!("dir={label}")).unwrap();
        assert!(configuration.contains("start dir onlyX\n"), "{configuration}");
    }
}

#[test]
fn the_other_structures_are_looked_through_once() {
    let count = std::cell::Cell::new(0);
    let counted = |request: DeclarationRequest<'_>| {
        count.set(count.get() + 1);
        describe(request)
    };
    let asked = |text: &str| {
        count.set(0);
        from_text(text).unwrap().resolve(&counted).unwrap_err();
        count.get()
    };
    assert_eq!(asked("[parameters]\na1 = 1"), asked("[parameters]\na1 = 1\na2 = 1\na3 = 1"));
}

#[test]
fn only_files_of_a_moderate_size_are_read() {
    let folder = tempfile::tempdir().unwrap();
    let message = |path: &Path| Settings::from_toml(path).unwrap_err().to_string();
    let large = folder.path().join("large.toml");
    std::fs::File::create(&large).unwrap().set_len((16 << 20) + 1).unwrap();
    assert_eq!(message(&large), format!("{} is larger than 16 MB", large.display()));
    fs_err::write(&large, [0xff]).unwrap();
    assert_eq!(message(&large), format!("{} is not UTF-8 text", large.display()));
    #[cfg(unix)]
    {
        assert_eq!(message(Path::new("/dev/zero")), "/dev/zero cannot be read: it is not a file");
        let pipe = folder.path().join("pipe");
        assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
        assert_eq!(message(&pipe), format!("{} cannot be read: it is not a file", pipe.display()));
    }
}

#[test]
fn no_settings_mean_the_defaults() {
    let text = "component Spring\nname Spring\ndescription Spring with a filter\nversion fmu-runtime 0.1.0\nversion spring 1.2.3\n";
    assert_eq!(commanded(&[]).unwrap(), text);
    // Values equal to the default are not written.
    assert_eq!(resolved("[structure]\nform = \"soft\"\n[parameters]\nc = [1e3, 2e3]").unwrap(), text);
}

#[test]
fn unknown_names_are_corrected() {
    refused("[parameters]\ncc = 1", "front.toml:2:1: unknown parameter \"cc\"; did you mean \"c\"?");
    // Settings that exist in another structure only.
    refused("[parameters]\nT_strat = 300", "front.toml:2:1: unknown parameter \"T_strat\"; did you mean \"T_start\"?");
    refused("[parameters]\nvelocity = 1", "front.toml:2:1: unknown parameter \"velocity\"");
    refused(
        "[structure]\nusedHeatPort = true",
        "front.toml:2:1: unknown structure option \"usedHeatPort\"; did you mean \"useHeatPort\"?",
    );
    refused("[parametrs]\nc = 1", "front.toml:1:2: unknown section \"parametrs\"; did you mean \"parameters\"?");
    refused("nam = \"A\"", "front.toml:1:1: unknown entry \"nam\"; did you mean \"name\"?");
    refused(
        "[structure]\nform = \"stif\"",
        "front.toml:2:8: form = \"stif\": must be one of soft, stiff; did you mean \"stiff\"?",
    );
    refused(
        "[parameters]\ndir = \"onlyY\"",
        "front.toml:2:7: dir = \"onlyY\": must be one of all, onlyX; did you mean \"onlyX\"?",
    );
    assert_eq!(commanded(&["nme=A"]).unwrap_err(), "--set nme=A: unknown name \"nme\"; did you mean \"name\"?");
    assert_eq!(commanded(&["cuont=3"]).unwrap_err(), "--set cuont=3: unknown name \"cuont\"; did you mean \"count\"?");
}

#[test]
fn entries_in_the_wrong_section_are_told_the_right_one() {
    refused(
        "[parameters]\nform = \"soft\"",
        "front.toml:2:1: \"form\" is a structure option; it belongs under [structure]",
    );
    refused("[structure]\nc = [1, 2]", "front.toml:2:1: \"c\" is a parameter; it belongs under [parameters]");
    refused("c = [1, 2]", "front.toml:1:1: \"c\" is a parameter; it belongs under [parameters]");
    refused("form = \"soft\"", "front.toml:1:1: \"form\" is a structure option; it belongs under [structure]");
    refused("parameters = 5", "front.toml:1:1: \"parameters\" must be a section: [parameters]");
}

#[test]
fn a_parameter_of_another_structure_is_told_which() {
    refused(
        "[parameters]\nT_start = 300",
        "front.toml:2:1: \"T_start\" is a parameter that exists only with structure option useHeatPort = true",
    );
}

#[test]
fn an_input_of_two_other_options_is_told_which() {
    assert_eq!(
        commanded(&["c_in=1e3"]).unwrap_err(),
        "--set c_in=1e3: \"c_in\" is an input that exists only with structure options useHeatPort = true and source = signal"
    );
    assert_eq!(
        commanded(&["useHeatPort=true", "c_in=1e3"]).unwrap_err(),
        "--set c_in=1e3: \"c_in\" is an input that exists only with structure option source = signal"
    );
    refused("[structure]\ns = 1", "front.toml:2:1: \"s\" is an input; it belongs under [parameters]");
}

#[test]
fn only_systems_choose_their_outputs() {
    let message = "front.toml:1:11: outputs = [\"f\"]: only systems, which have [parts], choose their outputs";
    refused("outputs = [\"f\"]", message);
}

#[test]
fn what_is_computed_cannot_be_set() {
    let only = "only parameters and start values can be set";
    refused("[parameters]\nf = 1", &format!("front.toml:2:1: \"f\" is an output; {only}"));
    // A state with a start value.
    resolved("[parameters]\nx = 1").unwrap();
    refused("[parameters]\ntime = 1", &format!("front.toml:2:1: \"time\" is the time; {only}"));
}

#[test]
fn types_are_checked() {
    refused("[parameters]\n\"c[1]\" = \"five\"", "front.toml:2:10: c[1] = \"five\": must be a number");
    refused("[parameters]\nangle = true", "front.toml:2:9: angle = true: must be a number");
    refused("[parameters]\ncount = 1.5", "front.toml:2:9: count = 1.5: must be a whole number");
    refused("[parameters]\nlinear = 1", "front.toml:2:10: linear = 1: must be true or false");
    refused("[parameters]\nfile = 1", "front.toml:2:8: file = 1: must be a string in quotation marks");
    refused(
        "[parameters]\nfile = \"a\\tb\"",
        "front.toml:2:8: file = \"a\\tb\": must be a text without control characters",
    );
    refused("[parameters]\nangle = 2026-01-01", "front.toml:2:9: angle = 2026-01-01: must be a number");
    refused("[parameters]\nc = 5", "front.toml:2:5: c = 5: must be an array of 2 numbers");
    refused(
        "[parameters]\nangle = 0x99999999999999999999",
        "front.toml:2:9: angle = 0x99999999999999999999: must be a number",
    );
    refused("[parameters]\nc = [1, \"a\"]", "front.toml:2:9: c[2] = \"a\": must be a number");
    refused("[structure]\nuseHeatPort = 1", "front.toml:2:15: useHeatPort = 1: must be true or false");
    refused("[structure]\norder = 4", "front.toml:2:9: order = 4: must be a whole number from 0 to 3");
    refused("name = 5", "front.toml:1:8: name = 5: must be a string in quotation marks");
    assert_eq!(commanded(&["c=[1,"]).unwrap_err(), "--set c=[1,: must be an array of 2 numbers");
    let long = commanded(&[&format!("c=[{}]", vec!["1"; 5000].join(","))]).unwrap_err();
    let shown = format!("--set c=[{}1…", "1,".repeat(58));
    assert_eq!(long, format!("{shown}: must be an array of 2 numbers, but has 5000 instead of 2 entries"));
    assert_eq!(commanded(&["c"]).unwrap_err(), "--set c: must be name=value");
    assert_eq!(commanded(&["=5"]).unwrap_err(), "--set =5: must be name=value");
}

#[test]
fn numbers_are_finite_and_within_bounds() {
    refused("[parameters]\nc = [1, nan]", "front.toml:2:9: c[2] = nan: must be a finite number");
    refused("[parameters]\nangle = -inf", "front.toml:2:9: angle = -inf: must be a finite number");
    refused("[parameters]\nc = [-5, 1]", "front.toml:2:6: c[1] = -5: must be at least 0.0 N/m");
    assert_eq!(commanded(&["c=[1, -5]"]).unwrap_err(), "--set c=[1, -5]: c[2] must be at least 0.0 N/m");
    assert_eq!(commanded(&["c[2] = -5"]).unwrap_err(), "--set c[2] = -5: must be at least 0.0 N/m");
    refused("[parameters]\nangle = 2", "front.toml:2:9: angle = 2: must be from -1.0 to 1.0 rad");
    refused("[parameters]\ncount = 9", "front.toml:2:9: count = 9: must be from 1 to 8");
    refused(
        "[parameters]\ncount = 99999999999999999999",
        "front.toml:2:9: count = 99999999999999999999: must be from 1 to 8",
    );
}

#[test]
fn sizes_are_checked() {
    refused(
        "[parameters]\nc = [1, 2, 3]",
        "front.toml:2:5: c = [1, 2, 3]: must be an array of 2 numbers, but has 3 instead of 2 entries",
    );
    let rows = "must be an array of one or more rows of 2 numbers";
    refused("[parameters]\ntable = []", &format!("front.toml:2:9: table = []: {rows}"));
    refused(
        "[parameters]\ntable = [[1, 2], [3]]",
        &format!("front.toml:2:18: table = [3]: {rows}, but has 1 instead of 2 entries"),
    );
    refused("[parameters]\ntable = [[1, 2], 3]", &format!("front.toml:2:18: table = 3: {rows}"));
    assert_eq!(commanded(&["table=[[1,2]]", "table[2,1]=5"]).unwrap_err(), "--set table[2,1]=5: table ends with row 1");
}

#[test]
fn names_are_identifiers() {
    let right = "must be a C identifier of at most 55 characters that begins with an upper-case letter";
    for name in ["front", "1Front", "Fr ont", "Fä", "", &"A".repeat(56)] {
        refused(&format!("name = \"{name}\""), &format!("front.toml:1:8: name = \"{name}\": {right}"));
    }
    for name in ["Modelica", "Real"] {
        let why = "hides a name of Modelica: models next to it would use the FMU instead";
        refused(&format!("name = \"{name}\""), &format!("front.toml:1:8: name = \"{name}\": {why}"));
    }
    for name in ["CON", "Aux", "Package"] {
        let why = "cannot be the name of a file on Windows";
        refused(&format!("name = \"{name}\""), &format!("front.toml:1:8: name = \"{name}\": {why}"));
    }
    refused(
        "description = 'a \"b\"'",
        "front.toml:1:15: description = 'a \"b\"': must be a string without quotation marks, backslashes and control characters",
    );
}

#[test]
fn the_file_names_what_has_no_other_name() {
    let named = |file: &str, text: &str| {
        let mut settings = from_text(text).unwrap();
        settings.name_after(Path::new(file));
        settings.resolve(&describe).map(|description| description.name).map_err(|error| error.to_string())
    };
    assert_eq!(named("cars/front-lower left.v2.toml", "").unwrap(), "FrontLowerLeftV2");
    assert_eq!(named("rear_1.toml", "").unwrap(), "Rear_1");
    assert_eq!(named("SPRING.toml", "").unwrap(), "Spring");
    assert_eq!(named("7.toml", "name = \"Seven\"").unwrap(), "Seven");
    let right = "set name to a C identifier of at most 55 characters that begins with an upper-case letter";
    assert_eq!(
        named("cars/7.toml", "").unwrap_err(),
        format!("cars/7.toml: an FMU cannot be named \"7\" after this file; {right}")
    );
    assert_eq!(
        named("cars/nul.toml", "").unwrap_err(),
        "cars/nul.toml: an FMU cannot be named \"Nul\" after this file, since that cannot be the name of a file on \
         Windows; set name"
    );
}

#[test]
fn a_component_may_be_a_folder_seen_from_the_file() {
    let settings = from_text("component = \"../my-spring\"").unwrap();
    let (component, _) = settings.component().unwrap();
    assert!(component.ends_with("/../my-spring"), "{component}");
    assert!(settings.resolve(&describe).is_ok());
}

#[test]
fn malformed_files_are_located() {
    let message = resolved("name = \"A\"\n[parameters]\nc = [1, 2\n").unwrap_err();
    assert!(message.starts_with("front.toml:"), "{message}");
    let message = resolved("[parameters]\nc = 1\nc = 2\n").unwrap_err();
    assert_eq!(message, "front.toml:3:1: duplicate key");
    let message = Settings::from_toml(Path::new("nowhere.toml")).unwrap_err().to_string();
    assert!(message.contains("nowhere.toml"), "{message}");
}

#[test]
fn an_option_without_effect_is_warned_of() {
    let warnings = |assignments: &[&str]| {
        let mut settings = Settings::default();
        assignments.iter().try_for_each(|assignment| settings.set(assignment)).unwrap();
        settings.resolve(&describe).unwrap().warnings
    };
    // The input is that of a heated spring.
    let idle = "source = signal has no effect here; it would have one with useHeatPort = true";
    assert_eq!(warnings(&["source=signal"]), [idle]);
    assert_eq!(warnings(&["source=signal", "count=2"]), [idle]);
    // It changes the equations, not the variables.
    assert!(warnings(&["form=stiff"]).is_empty());
    // Its effect is unknown.
    assert!(warnings(&["order=3"]).is_empty());
    assert!(warnings(&["source=signal", "useHeatPort=true"]).is_empty());
    assert!(warnings(&["source=parameter"]).is_empty());
}

#[test]
fn words_may_be_spelled_as_in_a_list_to_choose_from() {
    let same = resolved("[structure]\nform = \"stiff\"\n[parameters]\ndir = \"onlyX\"").unwrap();
    for (form, dir) in [("Stiff", "Only X"), ("STIFF", "only_x"), (" stiff", "only-X")] {
        let text = format!("[structure]\nform = \"{form}\"\n[parameters]\ndir = \"{dir}\"");
        assert_eq!(resolved(&text).unwrap(), same, "{text}");
    }
    refused(
        "[parameters]\ndir = \"Only\"",
        "front.toml:2:7: dir = \"Only\": must be one of all, onlyX; did you mean \"onlyX\"?",
    );
}

#[test]
fn another_component_is_refused() {
    refused("component = \"damper\"", "front.toml:1:13: component = \"damper\": the library is that of \"Spring\"");
}

#[test]
fn the_librarys_own_refusal_comes_through() {
    refused("[structure]\nuseHeatPort = true\nform = \"stiff\"", "a stiff spring has no heat port");
}

#[test]
fn all_problems_come_at_once_in_the_order_of_the_file() {
    refused(
        "[parameters]\ncount = 9\nangle = 2\nb = 1",
        "front.toml:2:9: count = 9: must be from 1 to 8\n\
         front.toml:3:9: angle = 2: must be from -1.0 to 1.0 rad\n\
         front.toml:4:1: unknown parameter \"b\"; did you mean \"c\"?",
    );
}

/// Returns the description with a folder that has `files`, or the message with bare names.
fn with_files(text: &str, files: &[(&str, &[u8])]) -> Result<Description, String> {
    let folder = tempfile::tempdir().unwrap();
    for (name, content) in files {
        let path = folder.path().join(name);
        fs_err::create_dir_all(path.parent().unwrap()).unwrap();
        fs_err::write(path, content).unwrap();
    }
    let path = folder.path().join("front.toml");
    fs_err::write(&path, text).unwrap();
    let result = Settings::from_toml(&path).and_then(|settings| settings.resolve(&describe));
    result.map_err(|error| local(&error, folder.path()))
}

fn refused_with(text: &str, files: &[(&str, &[u8])], message: &str) {
    assert_eq!(with_files(text, files).unwrap_err(), message, "{text}");
}

#[test]
fn attachments_go_into_the_resources() {
    let text = "[structure]\norder = 3\n[parameters]\ndata = \"deep/points.csv\"\nmore = \"deep/points.csv\"";
    let description = with_files(text, &[("deep/points.csv", b"0,1\n")]).unwrap();
    assert_eq!(description.resources, [("points.csv".to_owned(), b"0,1\n".to_vec())].into());
    let hash = fmu_exchange::fingerprint(b"0,1\n");
    let lines: Vec<_> = description.configuration.lines().filter(|line| line.starts_with("attachment")).collect();
    assert_eq!(lines, [format!("attachment data {hash} points.csv"), format!("attachment more {hash} points.csv")]);
    let files: Vec<_> = description.attachments.iter().map(|attachment| attachment.file.as_deref()).collect();
    assert_eq!(files, [Some("points.csv"); 2]);
}

#[test]
fn attachments_that_cannot_be_taken_are_refused() {
    let data = |path: &str| format!("[structure]\norder = 3\n[parameters]\ndata = \"{path}\"");
    let location = "front.toml:4:8: data = ";
    refused_with(
        &data("none.csv"),
        &[],
        &format!("{location}\"none.csv\": none.csv cannot be read: No such file or directory (os error 2)"),
    );
    refused_with(&data("."), &[], &format!("{location}\".\": . cannot be read: it is not a file"));
    refused_with(&data("x/.."), &[("x/y", b"")], &format!("{location}\"x/..\": must be the path of a file"));
    refused_with(&data("x"), &[("x/y", b"")], &format!("{location}\"x\": x cannot be read: it is not a file"));
    refused_with(
        &data("ä.csv"),
        &[("ä.csv", b"")],
        &format!(
            "{location}\"ä.csv\": the file must have another name, since \"ä.csv\" has characters other than printable ASCII in its name"
        ),
    );
    let taken = |name| format!("the file must have another name, since the FMU has another \"{name}\" already");
    refused_with(
        &data("Configuration.txt"),
        &[("Configuration.txt", b"")],
        &format!("{location}\"Configuration.txt\": {}", taken("Configuration.txt")),
    );
    refused_with(
        &(data("a/x.csv") + "\nmore = \"b/X.csv\""),
        &[("a/x.csv", b"0"), ("b/X.csv", b"1")],
        &format!("front.toml:5:8: more = \"b/X.csv\": {}", taken("X.csv")),
    );
    refused_with(
        "[structure]\norder = 3\n[parameters]\ndata = 5",
        &[],
        "front.toml:4:8: data = 5: must be the path of a file in quotation marks",
    );
    refused("[parameters]\ndatum = 5", "front.toml:2:1: unknown parameter \"datum\"; did you mean \"data\"?");
}

#[test]
fn a_large_attachment_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("large.csv");
    fs_err::File::create(&path).unwrap().set_len((16 << 20) + 1).unwrap();
    let path = path.display();
    assert_eq!(
        commanded(&["order=3", &format!("data={path}")]).unwrap_err(),
        format!("--set data={path}: {path} is larger than 16 MB")
    );
}

#[test]
fn tables_come_from_files() {
    let text = "[parameters]\ntable = \"points.csv\"";
    let from_file = with_files(text, &[("points.csv", b"0;0.5\n1;2\n2;3e9\n")]).unwrap();
    let written = resolved("[parameters]\ntable = [[0, 0.5], [1, 2], [2, 3e9]]").unwrap();
    assert_eq!(from_file.configuration, written);
    assert!(from_file.resources.is_empty());
    let location = "front.toml:2:9: table = \"points.csv\": points.csv";
    refused_with(text, &[], &format!("{location} cannot be read: No such file or directory (os error 2)"));
    refused_with(
        text,
        &[("points.csv", b"0,1,2\n")],
        &format!("{location}, row 1 has 3 columns, but must have 2: choose columns, by their numbers"),
    );
    refused_with(
        text,
        &[("points.csv", b"0,1\ns,f\n")],
        &format!(
            "{location}, row 2, column 1 is the text \"s\", but must be a number; use range to say where the table ends"
        ),
    );
}

proptest! {
    #[test]
    fn every_number_survives(first in 0.0..f64::MAX, second in 0.0..1e-3_f64) {
        let configuration = commanded(&[&format!("c=[{first:?}, {second:?}]")]).unwrap();
        let start = |line: &str| fmu_exchange::real(line.strip_prefix("start c[")?.split_once("] ")?.1);
        let numbers: Vec<f64> = configuration.lines().filter_map(start).collect();
        prop_assert_eq!(numbers, vec![first, second]);
    }

    #[test]
    fn nothing_panics(text in "\\PC{0,80}", name in "[a-z\\[\\],0-9.=]{0,10}") {
        let _ = resolved(&text);
        let _ = resolved(&format!("[parameters]\n{text}"));
        let _ = resolved(&format!("[parameters]\n\"{name}\" = {text}"));
        let _ = commanded(&[&text]);
        let _ = commanded(&[&format!("{name}={text}")]);
    }
}

#[test]
fn a_table_that_fmi_2_has_no_room_for_is_refused_before_its_numbers_are_read() {
    let message = |head: &str| {
        let text = format!("{head}[parameters]\ntable = [[true, 1]{}]", ", [0, 1]".repeat(199_999));
        from_text(&text).unwrap().resolve(&describe).unwrap_err().to_string()
    };
    let refusal = message("");
    let (begin, end) = refusal.split_once(" has room for at most ").unwrap();
    assert!(begin.contains("front.toml:2:9: table = [[true, 1], [0, 1], "), "{begin}");
    assert!(
        begin.ends_with("has 200000 rows, but each number is a variable in FMI 2.0, where modelDescription.xml"),
        "{begin}"
    );
    let (most, end) = end.split_once(' ').unwrap();
    assert!((100_000..200_000).contains(&most.parse::<usize>().unwrap()), "{most}");
    assert_eq!(
        end,
        "rows of 2 numbers; write the rows to a file and name it in a parameter for a file that the component reads, or \
         build the FMU for FMI 3.0, which has arrays"
    );
    let refusal = message("fmi = 3\n");
    assert!(refusal.ends_with("front.toml:3:11: table[1,1] = true: must be a number"), "{refusal}");
    let mut settings = from_text("fmi = 3").unwrap();
    settings.set_standards(&[fmu_exchange::Standard::Fmi2, fmu_exchange::Standard::Fmi3]);
    assert_eq!(settings.standards().unwrap().len(), 2);
}

#[test]
fn a_component_has_constants_and_expressions() {
    let text =
        "[constants]\nk = 3\n[structure]\norder = \"=k\"\n[parameters]\nc = [\"=k\", \"=k^2\"]\ncount = \"=k\"\n";
    let long = "[structure]\norder = 3\n[parameters]\nc = [3, 9]\ncount = 3\n";
    assert_eq!(resolved(text).unwrap(), resolved(long).unwrap());
    refused("[parameters]\nc = [\"=k\", 2]\n", "front.toml:2:6: c = \"=k\": there is no constant or parameter \"k\"");
    refused(
        "[constants]\nk = 2.5\n[parameters]\ncount = \"=k\"\n",
        "front.toml:2:5, used by front.toml:4:9: count = 2.5: must be a whole number",
    );
}
