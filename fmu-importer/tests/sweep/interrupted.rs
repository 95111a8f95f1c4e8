//! An interrupted sweep goes on where it was, and has the same bytes.

#![cfg(unix)]

use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::Duration;

use parquet::file::reader::{FileReader, SerializedFileReader};

use fmu_tests::finished::Fmu;

use crate::{CLUTCH, Case};

/// Largest number of sweeps that are begun until one is caught while it runs.
const MAX_SWEEPS: usize = 50;

/// Makes a sweep of many runs, with a journal of 18 MB. Each instance reads its configuration from the resources.
fn long() -> Case {
    let text = CLUTCH.replace("count = 4", "count = 300").replace("'final'", "['final', 'series']");
    Case::with_surfaces(&format!("step = 1e-3{text}"))
}

/// Ends a sweep by a signal, once its journal is as it should be; a sweep that was faster is begun anew.
fn kill(case: &Case, output: &str, signal: &str, is_time: impl Fn(&[u8]) -> bool) {
    let journal = case.path(&format!("{output}.partial"));
    for _ in 0..MAX_SWEEPS {
        let mut sweep = case.command(&["--output", output]);
        let mut sweep = sweep.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        while sweep.try_wait().unwrap().is_none() {
            if fs_err::read(&journal).is_ok_and(|journal| is_time(&journal)) {
                Command::new("kill").args([&format!("-{signal}"), &sweep.id().to_string()]).status().unwrap();
                break;
            }
            sleep(Duration::from_millis(1));
        }
        let killed = !sweep.wait().unwrap().success();
        // The process in which the FMU runs notices, unless it ends the sweep before.
        if let Ok(journal) = fs_err::File::open(&journal) {
            journal.file().lock().unwrap();
        }
        if killed && journal.exists() && !case.path(output).exists() {
            return;
        }
        for file in [&case.path(output), &journal] {
            let _ = fs_err::remove_file(file);
        }
    }
    panic!("{MAX_SWEEPS} sweeps ended before they could be killed");
}

#[test]
#[ignore = "expensive: kills a long run three times"]
fn a_killed_sweep_goes_on_to_the_same_bytes() {
    let whole = long();
    whole.complete(&["--output", "out.parquet"]);
    let case = long();
    for (signal, until) in [("KILL", 1_000_000), ("INT", 3_000_000), ("KILL", 5_000_000)] {
        kill(&case, "out.parquet", signal, |journal| journal.len() >= until);
    }
    // The last kill might have come in the middle of a line.
    let mut journal = fs_err::read(case.path("out.parquet.partial")).unwrap();
    let last = journal.iter().rposition(|byte| *byte == b'\n').unwrap();
    journal.truncate(last + 1);
    let done = journal.iter().filter(|byte| **byte == b'\n').count() - 1;
    journal.extend_from_slice(b"[12,null,[46071");
    fs_err::write(case.path("out.parquet.partial"), journal).unwrap();
    let said = case.complete(&["--output", "out.parquet"]);
    assert_eq!(said, format!("resuming after {done} of 900 runs\n"));
    for name in ["out.parquet", "out.series.parquet"] {
        assert!(fs_err::read(case.path(name)).unwrap() == fs_err::read(whole.path(name)).unwrap(), "{name} differs");
    }
    assert_eq!(case.entries(), ["Surfaces.fmu", "out.parquet", "out.series.parquet", "sweep.toml"]);
    // Rows are written in groups of 100,000.
    let series = SerializedFileReader::try_from(case.path("out.series.parquet").as_path()).unwrap();
    assert_eq!(series.metadata().file_metadata().num_rows(), 900 * 501);
    assert_eq!(series.num_row_groups(), 5);
}

/// Makes a journal with the first runs of a sweep.
fn begun(text: &str) -> Case {
    interrupted(Case::new("Clutch", text))
}

/// Returns the sweep after its first runs.
fn interrupted(case: Case) -> Case {
    case.complete(&["--output", "other.csv"]);
    let lines = |journal: &[u8]| journal.iter().filter(|byte| **byte == b'\n').count();
    kill(&case, "out.csv", "KILL", |journal| lines(journal) > 1);
    case
}

#[test]
fn another_sweep_does_not_go_on_with_it() {
    let case = begun(CLUTCH);
    let journal = fs_err::read(case.path("out.csv.partial")).unwrap();
    let file = fs_err::read_to_string(case.path("sweep.toml")).unwrap();
    fs_err::write(case.path("sweep.toml"), file.replace("J_a", "J_b")).unwrap();
    assert_eq!(
        case.refused(&["--output", "out.csv"]),
        "out.csv.partial: it belongs to another sweep (the sweep file changed since); \
         delete the file to start over, or choose another --output"
    );
    assert_eq!(fs_err::read(case.path("out.csv.partial")).unwrap(), journal, "it stays");
}

#[test]
fn a_changed_input_is_another_sweep() {
    let text = format!("input = 'drive.csv'\n{}", CLUTCH.replace("stop = 0.5", "").replace("f_normalized = 1\n", ""));
    let drive = "time,f_normalized\n0,0\n0.5,1\n";
    let case = Case::new("Clutch", &text);
    fs_err::write(case.path("drive.csv"), drive).unwrap();
    // The journal was left behind by a sweep of another time.
    let head = "[[\"the input\",\"0\"]]";
    let checksum = &fmu_runtime::fingerprint(head.as_bytes())[..16];
    fs_err::write(case.path("out.csv.partial"), format!("{head}\t{checksum}\n")).unwrap();
    let said = case.refused(&["--output", "out.csv"]);
    let expected = "it belongs to another sweep (the FMU, the input, the program, the sweep file changed since)";
    assert!(said.starts_with(&format!("out.csv.partial: {expected}")), "{said}");
}

#[test]
fn a_damaged_journal_is_told() {
    let case = begun(CLUTCH);
    let text = fs_err::read_to_string(case.path("out.csv.partial")).unwrap();
    let second = text.lines().nth(1).unwrap();
    fs_err::write(case.path("out.csv.partial"), text.replacen(second, "[1,nothing", 1)).unwrap();
    let expected = "out.csv.partial: line 2 is damaged; delete the file to start over";
    assert_eq!(case.refused(&["--output", "out.csv"]), expected);
    // A single digit of a number is changed.
    let digit = second.find("46").unwrap() + 3;
    let flipped = if &second[digit..=digit] == "7" { "8" } else { "7" };
    let flipped = format!("{}{flipped}{}", &second[..digit], &second[digit + 1..]);
    fs_err::write(case.path("out.csv.partial"), text.replacen(second, &flipped, 1)).unwrap();
    assert_eq!(case.refused(&["--output", "out.csv"]), expected);
    fs_err::write(case.path("out.csv.partial"), "run,J_a\n").unwrap();
    let expected =
        "out.csv.partial: it is not the journal of a sweep; delete the file to start over, or choose another --output";
    assert_eq!(case.refused(&["--output", "out.csv"]), expected);
    // A file of another owner is kept, too, that does not end with a line break, like a line that was not finished.
    fs_err::write(case.path("out.csv.partial"), b"\xff\0mine").unwrap();
    assert_eq!(case.refused(&["--output", "out.csv"]), expected);
    assert_eq!(fs_err::read(case.path("out.csv.partial")).unwrap(), b"\xff\0mine");
    #[cfg(unix)]
    {
        fs_err::remove_file(case.path("out.csv.partial")).unwrap();
        std::os::unix::fs::symlink("/dev/zero", case.path("out.csv.partial")).unwrap();
        let expected = "out.csv.partial: is not a file; delete the file to start over, or choose another --output";
        assert_eq!(case.refused(&["--output", "out.csv"]), expected);
        fs_err::remove_file(case.path("out.csv.partial")).unwrap();
    }
    let head = text.lines().next().unwrap();
    fs_err::write(case.path("out.csv.partial"), &head[..head.len() / 2]).unwrap();
    case.complete(&["--output", "out.csv"]);
}

#[test]
fn two_processes_do_not_write_one_journal() {
    let case = Case::new("Clutch", CLUTCH);
    let journal = fs_err::File::create(case.path("out.csv.partial")).unwrap();
    journal.file().lock().unwrap();
    let expected = "out.csv.partial: another process is writing this file; wait for it to end";
    assert_eq!(case.refused(&["--output", "out.csv"]), expected);
}

#[test]
fn a_changed_file_outside_the_fmu_is_another_sweep() {
    let fmu = Fmu::new("bushing", &["nonlinear_TS=true", "DCM_TS=file"]);
    let case = Case::new("Bushing", "");
    let table = case.path("stiffness.csv");
    let text = format!(
        "fmu = '{}'\nstop = 0.1\nstep = 1e-3\n[parameters]\nTS_fileName = '{}'\nTD = [[1, 1, 1], [2, 2, 2], [3, 3, 3], [4, 4, 4]]\n\
         [results]\nlossPower = 'max'\n",
        fmu.file.display(),
        table.display()
    );
    fs_err::write(case.path("sweep.toml"), text).unwrap();
    fs_err::write(&table, "0,1e6,1e6,1e6\n0.01,2e6,2e6,2e6\n").unwrap();
    let overwrites = case.refused(&["--output", table.to_str().unwrap()]);
    assert_eq!(overwrites, format!("--output would overwrite a file that the FMU reads, {}", table.display()));
    let case = interrupted(case);
    fs_err::write(&table, "0,1e6,1e6,1e6\n0.01,3e6,2e6,2e6\n").unwrap();
    let said = case.refused(&["--output", "out.csv"]);
    let expected = format!("out.csv.partial: it belongs to another sweep (the file {} changed since)", table.display());
    assert!(said.starts_with(&expected), "{said}");
}
