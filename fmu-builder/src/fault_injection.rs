//! The files on disk after any file operation of the builder failed, or the builder was killed there.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

use ::fault_injection::{Fault, Run, Tracer, contents};

use crate::archive::origin::Origin;
use crate::archive::package::pack;
use crate::archive::platform::Platform;
use crate::archive::platform::tests::binary;
use crate::description::Description;
use crate::error::Error;
use crate::example::{description, movable};
use crate::modelica::{modelica_model, modelica_package};
use crate::ssp::System;

/// Tells the traced process what to write, and where.
const TASK: &str = "FAULTS_TASK";
const FOLDER: &str = "FAULTS_FOLDER";

type Files = BTreeMap<String, Vec<u8>>;
type Task = fn(&Path) -> Result<(), Error>;

const TASKS: [(&str, Task); 3] = [("fmu", write_fmu), ("modelica", write_modelica), ("ssp", write_ssp)];

fn write_fmu(folder: &Path) -> Result<(), Error> {
    let library = (Platform::Linux64, folder.join("library"));
    pack(&description(), &Origin::default(), &[library], folder).map(drop)
}

fn write_modelica(folder: &Path) -> Result<(), Error> {
    // The archive is that of another component, which does not matter here.
    let description = Description { guid: description().guid, ..movable() };
    modelica_model(&description, &folder.join("One.fmu"))?;
    modelica_package(folder).map(drop)
}

fn write_ssp(folder: &Path) -> Result<(), Error> {
    let mut system = System::new("Both").unwrap();
    system.add("one", &folder.join("One.fmu"))?;
    system.add("other", &folder.join("One.fmu"))?;
    system.write(&folder.join("Both.ssp"))
}

/// A folder with the inputs of the tasks.
fn prepared() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs_err::write(folder.path().join("library"), binary(Platform::Linux64)).unwrap();
    write_fmu(folder.path()).unwrap();
    fs_err::rename(folder.path().join("FrontSpring.fmu"), folder.path().join("One.fmu")).unwrap();
    folder
}

/// Resets a folder to some files.
fn restore(folder: &Path, files: &Files) {
    for name in contents(folder).keys().rev().filter(|name| !files.contains_key(*name)) {
        match name.strip_suffix('/') {
            Some(name) => fs_err::remove_dir(folder.join(name)).unwrap(),
            None => fs_err::remove_file(folder.join(name)).unwrap(),
        }
    }
    for (name, content) in files {
        match name.strip_suffix('/') {
            Some(name) => fs_err::create_dir_all(folder.join(name)).unwrap(),
            None => fs_err::write(folder.join(name), content).unwrap(),
        }
    }
}

/// This test program, run as a child that writes.
fn writer(task: &str, folder: &Path) -> Command {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(["--exact", "fault_injection::the_traced_process", "--ignored", "--nocapture", "--test-threads=1"]);
    command.env(TASK, task).env(FOLDER, folder);
    command
}

#[test]
#[ignore = "expensive: the tests of failing file operations start it"]
fn the_traced_process() {
    let (Ok(task), Some(folder)) = (std::env::var(TASK), std::env::var_os(FOLDER)) else { return };
    let (_, write) = TASKS.into_iter().find(|(name, _)| *name == task).unwrap();
    if let Err(error) = write(&PathBuf::from(folder)) {
        eprintln!("error: {error}");
        std::process::exit(1);
    }
}

/// The files that are neither as before nor as after a complete run.
fn litter<'a>(found: &'a Files, before: &Files, complete: &Files) -> Vec<&'a String> {
    let is_known = |name: &String, content| before.get(name) == Some(content) || complete.get(name) == Some(content);
    found.iter().filter(|(name, content)| !is_known(name, *content)).map(|(name, _)| name).collect()
}

#[test]
#[ignore = "expensive: fails each file operation"]
fn an_fmu_stays_until_the_new_one_is_complete() {
    examine_all("fmu", &[Fault::Once, Fault::Full]);
}

#[test]
#[ignore = "expensive: fails each file operation"]
fn an_fmu_stays_when_the_builder_is_killed() {
    examine_all("fmu", &[Fault::Killed]);
}

#[test]
#[ignore = "expensive: fails each file operation"]
fn models_and_systems_stay_until_the_new_ones_are_complete() {
    for task in ["modelica", "ssp"] {
        examine_all(task, &Fault::ALL);
    }
}

/// Tries faults in a task with existing files, and single faults also without any.
fn examine_all(task: &str, faults: &[Fault]) {
    let Some(tracer) = Tracer::new() else { return };
    let (_, write) = TASKS.into_iter().find(|(name, _)| *name == task).unwrap();
    let folder = prepared();
    let empty = contents(folder.path());
    write(folder.path()).unwrap();
    let complete = contents(folder.path());
    let mut old = complete.clone();
    let written = |name: &String| !empty.contains_key(name) && !name.ends_with('/');
    // Only files of the kind are replaced.
    old.iter_mut().filter(|(name, _)| written(name)).for_each(|(_, content)| content.extend(b"old"));
    // A library that was not compressed yet.
    if task == "fmu" {
        old.remove("library.zip").unwrap();
    }
    for &fault in faults {
        examine(&tracer, folder.path(), task, fault, [&old, &complete]);
        if fault == Fault::Once {
            examine(&tracer, folder.path(), task, fault, [&empty, &complete]);
        }
    }
}

fn examine(tracer: &Tracer, folder: &Path, task: &str, fault: Fault, [before, complete]: [&Files; 2]) {
    let shown = folder.display().to_string();
    let start = || {
        restore(folder, before);
        writer(task, folder)
    };
    let mut failures = 0;
    let faults = tracer.everywhere(folder, fault, start, |Run { place, output }| {
        let context = format!("{task}, {fault:?} at {place:?}");
        let found = contents(folder);
        let litter = litter(&found, before, complete);
        let said = String::from_utf8_lossy(&output.stderr);
        let is_draft = |name: &&String| name.rsplit('/').next().is_some_and(|name| name.starts_with('.'));
        assert!(before.keys().all(|name| found.contains_key(name)), "{context}: {:?}", found.keys());
        match output.status.code() {
            Some(0) => {
                // The compressed library is cached for speed only.
                let missing = complete.iter().filter(|(name, content)| found.get(*name) != Some(content));
                let missing: Vec<_> = missing.map(|(name, _)| name).filter(|name| *name != "library.zip").collect();
                assert!(missing.is_empty() && litter.is_empty(), "{context}: {missing:?} {litter:?}");
            }
            Some(1) => {
                failures += 1;
                assert!(litter.is_empty(), "{context}: {litter:?}");
                assert!(said.contains(&shown) && !said.contains(".part"), "{context}: {said}");
            }
            // By the signal.
            Some(137) => {
                failures += 1;
                assert_eq!(fault, Fault::Killed, "{context}: {said}");
                assert!(litter.iter().all(is_draft) && litter.len() <= 1, "{context}: {litter:?}");
                assert!(writer(task, folder).output().unwrap().status.success(), "{context}");
                assert_eq!(contents(folder), *complete, "{context}");
            }
            _ => panic!("{context}: {:?} {said}", output.status),
        }
    });
    assert!(faults > 10 && failures > 3, "{task}, {fault:?}: {failures} failures of {faults}");
    println!("{task}, {fault:?}: {failures} failures of {faults}");
}
