//! Bad tables: each with its message, when the FMU is built and when it is initialised.

use fmu_runtime::{CONFIGURATION, fingerprint};
use fmu_tests::api::{CO_SIMULATION, Status};
use tempfile::TempDir;

use crate::fixture::{Fmu, describe, warnings};

const FILE: [&str; 2] = ["nonlinear_TS=true", "DCM_TS=file"];
const ATTACHMENT: [&str; 2] = ["nonlinear_TS=true", "DCM_TS=attachment"];

/// A folder with a good and a bad file.
struct Case {
    folder: TempDir,
    name: &'static str,
}

impl Case {
    fn new(name: &'static str, content: &[u8]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        fs_err::write(folder.path().join(name), content).unwrap();
        fs_err::write(folder.path().join("good.csv"), "0,1e6,2e6,3e6\n").unwrap();
        Self { folder, name }
    }

    fn path(&self, name: &str) -> String {
        self.folder.path().join(name).display().to_string()
    }

    /// The message must be the same when the FMU is built and when it is initialised.
    fn refused(&self, parameters: &[&str], message: &str) {
        let data = format!("TS_data={}", self.path(self.name));
        let built = describe(&[&ATTACHMENT[..], &[&data], parameters].concat()).unwrap_err().to_string();
        let message = format!("{message} (");
        let expected = format!("the FMU would not start: {}{message}TS_data; sr_TS = ", self.name);
        assert!(built.starts_with(&expected), "{built}");
        let initialised = self.refused_at_run_time(parameters);
        let path = self.path(self.name);
        assert!(initialised.contains(&format!("{path}{message}TS_fileName; sr_TS = ")), "{initialised}");
    }

    /// Returns the message of initialisation with the file, after which another file can be used.
    fn refused_at_run_time(&self, parameters: &[&str]) -> String {
        let fmu = Fmu::new(&[&FILE[..], parameters].concat());
        let instance = fmu.instance();
        instance.set_text("TS_fileName", &self.path(self.name));
        let message = instance.try_initialise().unwrap_err();
        assert_eq!(instance.fmi.reset(), Status::Ok);
        if parameters.is_empty() {
            instance.set_text("TS_fileName", &self.path("good.csv"));
            instance.initialise();
        }
        message
    }
}

#[test]
fn rows_of_other_lengths_or_with_texts_are_refused() {
    let csv = |content: &str, parameters: &[&str], message: &str| {
        Case::new("points.csv", content.as_bytes()).refused(parameters, message);
    };
    csv("0,1,2\n", &[], ", row 1 has 3 columns, but must have 4");
    csv("s,a,b,c\n0,1,2,3\n", &[], ", row 1, column 1 is the text \"s\", but must be a number");
    csv("s,a,b,c\n0,1,2,x\n", &["sr_TS=1"], ", row 2, column 4 is the text \"x\", but must be a number");
    csv("s,a,b,c\n", &["sr_TS=1"], " ends with row 1, but rows up to 1 are skipped: at least one must be left");
    csv("0,1,2,3\n", &["sr_TS=9"], " ends with row 1, but rows up to 9 are skipped: at least one must be left");
    csv("", &[], " has no rows");
    csv(
        "s,a,b,c\n\n0,1,2,3\n1,1,2,3\n1,1,2,3\n",
        &["sr_TS=1"],
        ", row 5, column 1 is 1.0, but must be greater than 1.0 in the row before",
    );
    csv("1,1,1,1\n1.0000000000000002,1e300,1e300,1e300\n", &[], ", column 2 changes too steeply after row 1");
    csv("0,1,2,3\n", &["sheet_TS=TS"], " has no sheets, so there is none named \"TS\"");
}

#[test]
fn sheets_that_are_absent_or_ambiguous_are_refused() {
    let workbook = |extension: &str| {
        let path = format!("tests/bushing/measured.{extension}");
        fs_err::read(std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join(path)).unwrap()
    };
    for (name, extension) in [("points.xlsx", "xlsx"), ("points.xls", "xls")] {
        let case = Case::new(name, &workbook(extension));
        case.refused(
            &["sr_TS=1"],
            " has data in the sheets \"TS\", \"TD\", \"RS\", \"RD\": one of them must be chosen",
        );
        case.refused(&["sheet_TS=Ts"], " has no sheet \"Ts\"; available: \"TS\", \"TD\", \"RS\", \"RD\"");
        case.refused(
            &["sheet_TS=TS"],
            ", sheet \"TS\", row 1, column 1 is the text \"argument\", but must be a number",
        );
    }
    let message = Case::new("points.xlsx", b"no workbook").refused_at_run_time(&[]);
    assert!(message.contains("points.xlsx cannot be read: "), "{message}");
}

#[test]
fn negative_coefficients_are_refused_unless_allowed() {
    let case = Case::new("points.csv", b"0,1e6,2e6,3e6\n1,1e6,2e6,-5\n");
    case.refused(&[], ", row 2, column 4 is -5.0, but must not be negative unless allowNegative is true");
    let data = format!("TS_data={}", case.path("points.csv"));
    let allowed = |data: &str, smoothness: &str| {
        let description = describe(&[&ATTACHMENT[..], &[data, "allowNegative=true", smoothness]].concat()).unwrap();
        let warned = description.warnings.clone();
        let fmu = Fmu::of(description);
        let instance = fmu.instance();
        instance.initialise();
        assert_eq!(warnings(&instance), warned);
        // Rows of a metre are easier to compute with.
        warned.into_iter().filter(|warning| !warning.contains("looks like mm")).collect::<Vec<_>>()
    };
    assert_eq!(allowed(&data, "sm_TS=linear"), ["points.csv, row 2, column 4 is -5.0: a negative coefficient"]);

    // The second derivatives are 0, -2.4, 9.6, 0; the slope in the second interval is -0.8 - 2.4 t + 6 t^2.
    let gap = Case::new("gap.csv", b"0,0,1,1\n1,0,1,1\n2,0,1,1\n3,6,1,1\n");
    let t = (2.4 + 24.96_f64.sqrt()) / 12.0;
    let lowest = t * (-0.8 + t * (-1.2 + t * 2.0));
    let data = format!("TS_data={}", gap.path("gap.csv"));
    let split = |message: &str| {
        let rest = message.strip_prefix("gap.csv, column 2: after row 2 the spline falls to ").unwrap();
        let end = rest.find(',').unwrap_or(rest.len());
        assert!((rest[..end].parse::<f64>().unwrap() - lowest).abs() < 1e-14, "{message}");
        rest[end..].to_owned()
    };
    assert_eq!(split(&allowed(&data, "sm_TS=spline")[0]), "");
    let message = describe(&[&ATTACHMENT[..], &[&data, "sm_TS=spline"]].concat()).unwrap_err().to_string();
    let expected =
        ", but must not be negative unless allowNegative is true; sm_TS = linear or more rows there avoid it (";
    let message = message.strip_prefix("the FMU would not start: ").unwrap();
    assert!(split(message).starts_with(expected), "{message}");
    assert!(describe(&[&ATTACHMENT[..], &[&data]].concat()).is_ok());
}

#[test]
fn loads_in_place_of_coefficients_are_warned_of() {
    let table = |rows: &str| describe(&["nonlinear_TS=true", &format!("TS_table={rows}")]);
    let doubt = "column 2 is 0 or changes its sign where column 1 does, or is proportional to it: a load looks like that, \
                 not translational stiffness; law_TS = curve takes loads";
    let forces = "[[0, 0, 5e6, 5e6], [0.002, 9e3, 5e6, 5e6], [0.004, 24.3e3, 5e6, 5e6]]";
    assert_eq!(table(forces).unwrap().warnings, [format!("TS_table, {doubt}")]);
    let both = "[[-0.002, -9e3, 5e6, 5e6], [0, 0, 5e6, 5e6], [0.002, 9e3, 5e6, 5e6]]";
    let message = table(both).unwrap_err().to_string();
    assert!(message.ends_with(&format!("must not be negative unless allowNegative is true; {doubt}")), "{message}");
    let millimetres = "[[0, 5e6, 5e6, 5e6], [25, 6e6, 6e6, 6e6]]";
    let right = "TS_table, column 1 reaches 25.0 m, which looks like mm: { file = …, units = [\"mm\", …] } converts it";
    assert_eq!(table(millimetres).unwrap().warnings, [right]);
    assert!(table("[[0, 5e6, 5e6, 5e6], [0.025, 6e6, 6e6, 6e6]]").unwrap().warnings.is_empty());
}

#[test]
fn tables_that_are_better_files_are_warned_of() {
    let table = |rows: u32| {
        let rows: Vec<_> = (0..rows).map(|row| [1e-6 * f64::from(row), 1e6, 2e6, 3e6]).collect();
        describe(&["nonlinear_TS=true", &format!("TS_table={rows:?}")]).unwrap().warnings
    };
    assert_eq!(table(1000), [""; 0]);
    let expected = "TS_table has 1001 rows, which are 4004 parameters of the FMU: DCM_TS = attachment, with a file as TS_data, \
                    keeps rows inside the FMU";
    assert_eq!(table(1001), [expected]);
}

#[test]
fn wrong_tables_in_the_configuration_are_refused() {
    let refused = |assignments: &[&str], message: &str| {
        let assignments = [&["nonlinear_TS=true"], assignments].concat();
        assert_eq!(describe(&assignments).unwrap_err().to_string(), format!("the FMU would not start: {message}"));
    };
    refused(
        &["TS_table=[[1, 1, 1, 1], [0, 1, 1, 1]]"],
        "TS_table, row 2, column 1 is 0.0, but must be greater than 1.0 in the row before; the rows are in the opposite order",
    );
    refused(
        &["TS_table=[[1, 1, -2, 1]]"],
        "TS_table, row 1, column 3 is -2.0, but must not be negative unless allowNegative is true",
    );
    refused(&["TS_table=[[1, 1, 2, 1]]", "sr_TS=2"], "sr_TS = 2 skips all rows of TS_table: at least one must be left");
    // The messages are the same in an FMU whose table is set by the importer.
    let fmu = Fmu::new(&["nonlinear_TS=true", "TS_table=[[0, 1, 1, 1], [1, 1, 1, 1]]"]);
    let instance = fmu.instance();
    assert_eq!(instance.set("TS_table[2,1]", &[-1.0]), Status::Ok);
    let message = instance.try_initialise().unwrap_err();
    let expected = "TS_table, row 2, column 1 is -1.0, but must be greater than 0.0 in the row before";
    assert!(message.contains(expected), "{message}");
}

#[test]
fn files_that_cannot_be_read() {
    let fmu = Fmu::new(&FILE);
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name).display().to_string();
    fs_err::create_dir(folder.path().join("folder.csv")).unwrap();
    fs_err::File::create(folder.path().join("large.xlsx")).unwrap().set_len((16 << 20) + 1).unwrap();
    fs_err::write(folder.path().join("points.ods"), "0,1,2,3").unwrap();
    let beside = fmu.resources().join("none.csv").display().to_string();
    for (path, expected) in [
        (String::new(), "the path of a file is needed, absolute or relative to the FMU's resources (".to_owned()),
        (at("none.csv"), format!("{} cannot be read: No such file or directory (os error 2) (", at("none.csv"))),
        ("none.csv".to_owned(), format!("{beside} cannot be read: No such file or directory (os error 2) (")),
        (at("folder.csv"), format!("{} cannot be read: it is not a file (", at("folder.csv"))),
        (at("large.xlsx"), format!("{} is larger than 16 MB (", at("large.xlsx"))),
        ("/dev/zero".to_owned(), "/dev/zero cannot be read: it is not a file (".to_owned()),
        (
            at("points.ods"),
            format!("{} is not a table: its name must end with .csv, .txt, .xls or .xlsx (", at("points.ods")),
        ),
    ] {
        let instance = fmu.instance();
        instance.set_text("TS_fileName", &path);
        let message = instance.try_initialise().unwrap_err();
        let expected = format!("{expected}TS_fileName; sr_TS = 0, sheet_TS = \"\")");
        assert!(message.contains(&expected), "{message}");
    }
}

#[test]
fn an_attachment_that_was_changed_after_the_build() {
    let case = Case::new("points.csv", b"0,1e6,2e6,3e6\n");
    let data = format!("TS_data={}", case.path("points.csv"));
    let fmu = Fmu::new(&[&ATTACHMENT[..], &[&data]].concat());
    let attached = fmu.resources().join("points.csv");
    fmu.instance().initialise();
    fs_err::write(&attached, "0,1e6,2e6,4e6\n").unwrap();
    let message = fmu.instance().try_initialise().unwrap_err();
    let expected = format!(
        "points.csv was changed after the FMU was built: its SHA-256 is {}, not {} (TS_data; ",
        fingerprint(b"0,1e6,2e6,4e6\n"),
        fingerprint(b"0,1e6,2e6,3e6\n")
    );
    assert!(message.contains(&expected), "{message}");
    fs_err::remove_file(&attached).unwrap();
    let message = fmu.instance().try_initialise().unwrap_err();
    assert!(message.contains("points.csv cannot be read: No such file"), "{message}");
}

/// The configuration was not made by the builder, but has its GUID.
#[test]
fn an_attachment_whose_name_leaves_the_resources() {
    let case = Case::new("points.csv", b"0,1e6,2e6,3e6\n");
    let data = format!("TS_data={}", case.path("points.csv"));
    let mut fmu = Fmu::new(&[&ATTACHMENT[..], &[&data]].concat());
    let text = fmu.description.configuration.clone();
    for name in ["../points.csv", "/etc/passwd", "..", "a\\b.csv", "c:b.csv"] {
        let forged = text.replace(" points.csv\n", &format!(" {name}\n"));
        let hex = fingerprint(forged.as_bytes());
        fmu.description.guid =
            format!("{{{}-{}-{}-{}-{}}}", &hex[..8], &hex[8..12], &hex[12..16], &hex[16..20], &hex[20..32]);
        fs_err::write(fmu.resources().join(CONFIGURATION), forged).unwrap();
        let message = fmu.instantiate(CO_SIMULATION).err().unwrap();
        let expected = format!("attachment \"TS_data\" is \"{name}\", but must be the name of a file in the resources");
        assert!(message.contains(&expected), "{message}");
    }
}
