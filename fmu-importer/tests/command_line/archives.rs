//! Archives that are damaged, altered, or made for something else.

use std::io::Write;
use std::path::{Path, PathBuf};

use fmu_builder::description::Description;
use fmu_builder::{Archive, Origin, Platform, pack};
use fmu_tests::finished;
use tempfile::TempDir;

use crate::{archive, importer, refused};

fn problems(file: &Path) -> String {
    let output = importer("validate", file, &[]);
    assert_eq!(output.status.code(), Some(1));
    String::from_utf8(output.stdout).unwrap()
}

/// Writes the archive with another description.
pub fn altered(folder: &TempDir, alter: impl Fn(&mut Description)) -> PathBuf {
    let mut description = finished::describe("bushing", &[]).unwrap();
    alter(&mut description);
    let library = (Platform::host().unwrap(), finished::library("bushing"));
    pack(&description, &Origin::default(), &[library], folder.path()).unwrap()
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
        assert!(said.contains("Cut.fmu: ") && said.contains("is truncated or not a zip archive"), "{said}");
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

/// Writes the archive with another text of `modelDescription.xml`.
fn rewritten(folder: &TempDir, rewrite: impl Fn(&str) -> String) -> PathBuf {
    let file = folder.path().join("Other.fmu");
    let archive = Archive::open(&archive()).unwrap();
    let mut writer = zip::ZipWriter::new(std::fs::File::create(&file).unwrap());
    for entry in archive.entries() {
        let mut bytes = archive.read(&entry.name).unwrap();
        if entry.name == "modelDescription.xml" {
            bytes = rewrite(&String::from_utf8(bytes).unwrap()).into_bytes();
        }
        let options = zip::write::SimpleFileOptions::default().unix_permissions(0o755);
        writer.start_file(&entry.name, options).unwrap();
        writer.write_all(&bytes).unwrap();
    }
    writer.finish().unwrap();
    file
}

#[test]
fn what_cannot_be_simulated_says_what_it_is() {
    let folder = tempfile::tempdir().unwrap();
    let without = |xml: &str, element: &str| {
        let begin = xml.find(&format!("<{element}")).unwrap();
        let end = begin + xml[begin..].find("/>").unwrap() + 2;
        format!("{}{}", &xml[..begin], &xml[end..])
    };
    let exchange = rewritten(&folder, |xml| without(xml, "CoSimulation"));
    let shown = exchange.display();
    let by = ["--interface", "co-simulation"];
    assert_eq!(refused(&exchange, &by), format!("{shown} does not offer Co-Simulation"));
    assert!(importer("simulate", &exchange, &[]).status.success(), "Model Exchange alone is no problem");
    assert!(
        problems(&exchange).contains("UnitDefinitions is CoSimulation in the library (8.5)\n"),
        "the library has more"
    );
    rewritten(&folder, |xml| without(&without(xml, "CoSimulation"), "ModelExchange"));
    assert_eq!(refused(&exchange, &[]), format!("{shown} offers neither Co-Simulation nor Model Exchange"));
    for version in ["1.0", "4.0"] {
        rewritten(&folder, |xml| xml.replace("fmiVersion=\"2.0\"", &format!("fmiVersion=\"{version}\"")));
        let both = "only FMI 2.0 and FMI 3.0";
        assert_eq!(refused(&exchange, &[]), format!("{shown} is for FMI {version}; {both} can be imported"));
        assert_eq!(problems(&exchange), format!("Other.fmu: error: it is for FMI {version}; {both} are checked\n"));
    }
}

/// Writes the archive with one more entry, whose name is then replaced by another of the same length.
fn with_entry(folder: &TempDir, name: &str, content: &[u8]) -> PathBuf {
    let file = folder.path().join("Evil.fmu");
    let archive = Archive::open(&archive()).unwrap();
    let mut writer = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    let options = zip::write::SimpleFileOptions::default().unix_permissions(0o755);
    for entry in archive.entries() {
        writer.start_file(&entry.name, options).unwrap();
        writer.write_all(&archive.read(&entry.name).unwrap()).unwrap();
    }
    let harmless = "x".repeat(name.len());
    writer.start_file(&harmless, options).unwrap();
    writer.write_all(content).unwrap();
    let mut bytes = writer.finish().unwrap().into_inner();
    for at in 0..bytes.len() - name.len() {
        if bytes[at..].starts_with(harmless.as_bytes()) {
            bytes[at..at + name.len()].copy_from_slice(name.as_bytes());
        }
    }
    fs_err::write(&file, bytes).unwrap();
    file
}

#[test]
fn an_archive_made_to_do_harm_is_refused_before_it_is_unpacked() {
    let folder = tempfile::tempdir().unwrap();
    let sweep = folder.path().join("sweep.toml");
    fs_err::write(&sweep, "fmu = 'Evil.fmu'\n[parameters]\nstiffnessLaw = [1]\n[results]\nlossPower = 'max'\n")
        .unwrap();
    let zeros = vec![0; 257 << 20];
    for (name, content, expected) in [
        ("../../escaped-from-the-fmu", b"".as_slice(), "entry \"../../escaped-from-the-fmu\" has an empty, \".\""),
        ("resources/CONFIGURATION.txt", b"", "entry \"resources/CONFIGURATION.txt\" occurs twice"),
        ("resources/zeros", &zeros, "entry \"resources/zeros\" has 269484032 bytes; the limit is 268435456"),
    ] {
        let file = with_entry(&folder, name, content);
        let temporary = folder.path().join("tmp");
        fs_err::create_dir(&temporary).unwrap();
        for (command, file) in [("validate", &file), ("simulate", &file), ("sweep", &sweep)] {
            let mut importer = std::process::Command::new(env!("CARGO_BIN_EXE_fmu-importer"));
            importer.arg(command).arg(file).env("TMPDIR", &temporary).current_dir(folder.path());
            if command == "sweep" {
                importer.args(["--output", "out.csv"]);
            }
            let output = importer.output().unwrap();
            let said = String::from_utf8([output.stdout, output.stderr].concat()).unwrap();
            assert_eq!(output.status.code(), Some(1), "{name}, {command}: {said}");
            assert!(said.contains("Evil.fmu: ") && said.contains(expected), "{said}");
            assert_eq!(said.lines().count(), 1, "{said}");
        }
        // Removing succeeds for an empty folder only.
        fs_err::remove_dir(&temporary).unwrap();
    }
    let names: Vec<_> = fs_err::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(names.len(), 2, "{names:?}");
}

#[test]
fn a_dangerous_description_is_given_to_no_importer() {
    let folder = tempfile::tempdir().unwrap();
    let laughs: String =
        (1..10).map(|i| format!("<!ENTITY l{i} \"{}\">", format!("&l{};", i - 1).repeat(10))).collect();
    let bomb = format!("<!DOCTYPE x [<!ENTITY l0 \"ha\">{laughs}]>\n<fmiModelDescription");
    for (rewrite, expected) in [
        (
            Box::new(move |xml: &str| {
                xml.replacen("<fmiModelDescription", &bomb, 1).replacen("modelName=\"", "modelName=\"&l9;", 1)
            }) as Box<dyn Fn(&str) -> String>,
            "a document type declaration is not allowed",
        ),
        (
            Box::new(|xml: &str| xml.replacen("</fmiModelDescription>", &"<a>".repeat(100_000), 1)),
            "elements are nested more than 32 deep",
        ),
        (
            Box::new(|xml: &str| {
                let many: String = (0..100_000).map(|i| format!(" x{i}=\"\"")).collect();
                xml.replacen("<ModelVariables", &format!("<ModelVariables{many}"), 1)
            }),
            "<ModelVariables> has more than 256 attributes",
        ),
    ] {
        let file = rewritten(&folder, rewrite);
        for said in [refused(&file, &[]), problems(&file)] {
            assert!(said.contains(expected), "{said}");
            assert_eq!(said.lines().count(), 1, "{said}");
        }
    }
}
