//! The importer's command line: what it says where something is wrong.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use fmu_builder::{Archive, Library, Platform, Settings, pack};
use fmu_runtime::description::Description;
use tempfile::TempDir;

/// The archive that `cargo xtask build` makes.
fn archive() -> PathBuf {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().join("target/fmu/Bushing.fmu");
    assert!(path.exists(), "{} is missing: run cargo xtask build first", path.display());
    path
}

/// Runs the importer on an archive.
fn importer(command: &str, file: &Path, arguments: &[&str]) -> Output {
    let mut importer = Command::new(env!("CARGO_BIN_EXE_importer"));
    importer.arg(command).arg(file).args(arguments).env("RUST_BACKTRACE", "1").output().unwrap()
}

/// What a failed simulation says, without its `error: `.
fn refused(file: &Path, arguments: &[&str]) -> String {
    let output = importer("simulate", file, arguments);
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(1), "{said}");
    said.trim_end().strip_prefix("error: ").unwrap_or_else(|| panic!("{said}")).to_owned()
}

fn problems(file: &Path) -> String {
    let output = importer("validate", file, &[]);
    assert_eq!(output.status.code(), Some(1));
    String::from_utf8(output.stdout).unwrap()
}

/// The archive with another description.
fn altered(folder: &TempDir, alter: impl Fn(&mut Description)) -> PathBuf {
    let platform = Platform::host().unwrap();
    let library = folder.path().join("library");
    fs_err::write(&library, Archive::open(&archive()).unwrap().read(&platform.entry("Bushing")).unwrap()).unwrap();
    let mut description = Settings::default().resolve(&Library::load(&library).unwrap()).unwrap();
    alter(&mut description);
    pack(&description, &[(platform, library)], folder.path()).unwrap()
}

#[test]
fn a_warning_is_printed_once() {
    let output = importer("simulate", &archive(), &["--set", "RotSeq=[3,1,3]", "--stop", "0.01"]);
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.success(), "{said}");
    assert!(said.starts_with("warning: Bushing: the Euler angles in the sequence [3, 1, 3] are singular"), "{said}");
    assert_eq!(said.lines().count(), 1, "{said}");
}

#[test]
fn a_refused_value_is_told_without_repetition() {
    let message = refused(&archive(), &["--set", "TS=[1,2,-3]"]);
    assert_eq!(message, "fmi2SetReal returned fmi2Discard: \"TS[3]\" cannot be -3.0, it must be at least 0.0");
}

#[test]
fn a_missing_file_is_named_once() {
    let file = Path::new("nowhere.fmu");
    for said in [refused(file, &[]), refused(&archive(), &["--input", "nowhere.fmu"])] {
        assert_eq!(said.matches("failed to open file `nowhere.fmu`").count(), 1, "{said}");
    }
    assert_eq!(problems(file).lines().count(), 1);
}

#[test]
fn a_truncated_archive_is_called_so() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("Cut.fmu");
    let bytes = fs_err::read(archive()).unwrap();
    fs_err::write(&file, &bytes[..bytes.len() / 2]).unwrap();
    for said in [refused(&file, &[]), problems(&file)] {
        assert!(said.contains("Cut.fmu: is truncated or no zip archive"), "{said}");
        assert_eq!(said.lines().count(), 1, "{said}");
    }
}

#[test]
fn a_wrong_guid_is_told_with_the_right_one() {
    let folder = tempfile::tempdir().unwrap();
    let wrong = "{00000000-0000-0000-0000-000000000000}";
    let file = altered(&folder, |description| description.guid = wrong.to_owned());
    let right = Archive::open(&archive()).unwrap().model().unwrap().guid;
    for said in [refused(&file, &[]), problems(&file)] {
        assert!(said.contains(wrong) && said.contains(&right), "{said}");
    }
}

#[test]
fn a_missing_library_is_told_with_those_that_exist() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("Bushing.fmu");
    let own = Platform::host().unwrap().folder();
    let other = format!("{}00", &own[..own.len() - 2]);
    let mut bytes = fs_err::read(archive()).unwrap();
    let (from, to) = (format!("binaries/{own}/"), format!("binaries/{other}/"));
    for position in 0..bytes.len() - from.len() {
        if bytes[position..].starts_with(from.as_bytes()) {
            bytes[position..][..to.len()].copy_from_slice(to.as_bytes());
        }
    }
    fs_err::write(&file, bytes).unwrap();
    for said in [refused(&file, &[]), problems(&file)] {
        assert!(said.contains(&format!("it has no library binaries/{own}/Bushing.")), "{said}");
        assert!(said.contains(&format!(", but binaries for {other}")), "{said}");
    }
}

#[test]
fn an_input_that_is_too_short_is_noted() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("drive.csv");
    fs_err::write(&file, "time,frame_b.r_0[1]\n0.5,0\n1,0.001\n").unwrap();
    let output = importer("simulate", &archive(), &["--input", &file.display().to_string(), "--stop", "2"]);
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!(
        said,
        "note: the input begins at 0.5 s, after the start at 0 s: its first values hold until then; \
         it ends at 1 s, before the stop at 2 s: its last values hold from then on\n"
    );
}

#[test]
fn usage_is_that_of_the_project() {
    let output = importer("simulate", Path::new("--help"), &[]);
    let help = String::from_utf8(output.stdout).unwrap();
    assert!(help.contains("Usage: cargo xtask simulate [OPTIONS] <FILE.fmu>"), "{help}");
    let output = importer("simulate", Path::new("--sett"), &[]);
    let usage = String::from_utf8(output.stderr).unwrap();
    assert!(usage.contains("Usage: cargo xtask simulate "), "{usage}");
}
