//! The journal of a sweep: the runs computed so far, in a file beside the output, so that an interrupted sweep can go
//! on.
//!
//! The first line identifies the sweep. Each further line is a run as JSON: its number, why it failed or null, the
//! results, and the series. Numbers are written as their bits, which read back as they are. Each line ends with a
//! checksum of it. Lines come in the order in which runs end.

use std::collections::BTreeSet;
use std::fs::{File, TryLockError};
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::thread::sleep;
use std::time::Duration;

use anyhow::{Context, Result, bail};

/// The outcome of a run.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Outcome {
    /// Reason of the failure, if the run failed.
    pub failure: Option<String>,
    /// The reduced results; none of a failed run.
    pub values: Vec<f64>,
    /// The recorded curves: the times, then a column for each variable; none of a failed run.
    pub series: Vec<Vec<f64>>,
}

/// Everything that a sweep depends on, each with a hash, to tell it from others.
pub type Identity = Vec<(String, String)>;

/// The file of a journal.
pub struct Journal {
    path: PathBuf,
    file: BufReader<File>,
    /// Offset of each run's line.
    offsets: Vec<Option<u64>>,
    end: u64,
}

/// A run in the form of a line.
type Line = (usize, Option<String>, Vec<u64>, Vec<Vec<u64>>);

impl Journal {
    /// Returns the path of the journal of a sweep with this output.
    pub fn beside(output: &Path) -> PathBuf {
        let mut name = output.as_os_str().to_owned();
        name.push(".partial");
        name.into()
    }

    /// Opens the journal of a sweep, or begins one. A line that was not finished is dropped.
    ///
    /// # Errors
    ///
    /// When it belongs to another sweep, is damaged, or is written by another process.
    pub fn open(path: &Path, identity: &Identity, runs: usize) -> Result<Self> {
        // Its lines are read to their ends.
        if path.metadata().is_ok_and(|present| !present.is_file()) {
            bail!("{}: is not a file; {DELETE}", path.display());
        }
        let file = File::options().read(true).write(true).create(true).truncate(false).open(path);
        let file = file.with_context(|| path.display().to_string())?;
        // A killed process takes a moment to exit.
        let mut patience = 20;
        // Where files cannot be locked, another user cannot be detected.
        while let Err(TryLockError::WouldBlock) = file.try_lock() {
            if patience == 0 {
                bail!("{}: another process is writing this file; wait for it to end", path.display());
            }
            patience -= 1;
            sleep(Duration::from_millis(50));
        }
        let mut journal = Self { path: path.to_owned(), file: BufReader::new(file), offsets: vec![None; runs], end: 0 };
        journal.scan(identity).with_context(|| path.display().to_string())?;
        Ok(journal)
    }

    fn scan(&mut self, identity: &Identity) -> Result<()> {
        let mut line = Vec::new();
        for number in 1.. {
            line.clear();
            let length = self.file.read_until(b'\n', &mut line)? as u64;
            if line.last() != Some(&b'\n') {
                // Only a file that a sweep began may be dropped.
                if number == 1 && !head(identity)?.as_bytes().starts_with(&line) {
                    bail!("it is not the journal of a sweep; {DELETE}");
                }
                break;
            }
            if number == 1 {
                compare(&line, identity)?;
            } else {
                let run = content(&line).and_then(|line| serde_json::from_slice::<Line>(line).ok()).map(|line| line.0);
                let slot = run.and_then(|run| self.offsets.get_mut(run));
                *slot.with_context(|| format!("line {number} is damaged; delete the file to start over"))? =
                    Some(self.end);
            }
            self.end += length;
        }
        self.file.get_ref().set_len(self.end)?;
        if self.end == 0 {
            self.append_line(&head(identity)?)?;
        }
        Ok(())
    }

    /// Returns the number of runs that are done.
    pub fn done(&self) -> usize {
        self.offsets.iter().flatten().count()
    }

    /// Returns true if a run is done.
    pub fn has(&self, run: usize) -> bool {
        self.offsets[run].is_some()
    }

    /// Appends the results of a run.
    pub fn append(&mut self, run: usize, outcome: &Outcome) -> Result<()> {
        let bits = |values: &Vec<f64>| values.iter().map(|value| value.to_bits()).collect::<Vec<_>>();
        let line: Line =
            (run, outcome.failure.clone(), bits(&outcome.values), outcome.series.iter().map(bits).collect());
        let begin = self.end;
        self.append_line(&checked(&serde_json::to_string(&line)?))
            .with_context(|| format!("{}: cannot be written", self.path.display()))?;
        self.offsets[run] = Some(begin);
        Ok(())
    }

    fn append_line(&mut self, line: &str) -> io::Result<()> {
        let file = self.file.get_mut();
        file.seek(SeekFrom::Start(self.end))?;
        file.write_all(line.as_bytes())?;
        self.end += line.len() as u64;
        Ok(())
    }

    /// Reads the outcome of a run that is done.
    pub fn read(&mut self, run: usize) -> Result<Outcome> {
        let damaged = || format!("{}: run {} cannot be read", self.path.display(), run + 1);
        let offset = self.offsets[run].with_context(damaged)?;
        self.file.seek(SeekFrom::Start(offset)).with_context(damaged)?;
        let mut line = Vec::new();
        self.file.by_ref().take(self.end - offset).read_until(b'\n', &mut line).with_context(damaged)?;
        let line = content(&line).with_context(damaged)?;
        let (_, failure, values, series) = serde_json::from_slice::<Line>(line).with_context(damaged)?;
        let values_of = |bits: Vec<u64>| bits.into_iter().map(f64::from_bits).collect();
        Ok(Outcome { failure, values: values_of(values), series: series.into_iter().map(values_of).collect() })
    }

    /// Removes the file when it is no longer needed.
    pub fn remove(self) -> Result<()> {
        Ok(fs_err::remove_file(&self.path)?)
    }
}

const DELETE: &str = "delete the file to start over, or choose another --output";

/// Returns the first line.
fn head(identity: &Identity) -> Result<String> {
    Ok(checked(&serde_json::to_string(identity)?))
}

/// Returns a line with its checksum.
fn checked(content: &str) -> String {
    format!("{content}\t{}\n", checksum(content.as_bytes()))
}

/// Returns a line without its checksum, if that is right.
fn content(line: &[u8]) -> Option<&[u8]> {
    let tab = line.iter().rposition(|byte| *byte == b'\t')?;
    let (content, rest) = line.split_at(tab);
    (rest.strip_suffix(b"\n")? == format!("\t{}", checksum(content)).as_bytes()).then_some(content)
}

fn checksum(content: &[u8]) -> String {
    let mut digits = fmu_runtime::fingerprint(content);
    digits.truncate(16);
    digits
}

/// Fails with the differences between the sweep that wrote a line and the present one.
fn compare(line: &[u8], identity: &Identity) -> Result<()> {
    let Some(written) = content(line).and_then(|line| serde_json::from_slice::<Identity>(line).ok()) else {
        bail!("it is not the journal of a sweep; {DELETE}");
    };
    let differs = |(part, _): &&(String, String)| {
        let hash = |identity: &Identity| identity.iter().find(|(other, _)| other == part).map(|(_, hash)| hash.clone());
        hash(&written) != hash(identity)
    };
    let parts: BTreeSet<_> = written.iter().chain(identity).filter(differs).map(|(part, _)| part.as_str()).collect();
    let changed: Vec<_> = parts.into_iter().collect();
    if !changed.is_empty() {
        bail!("it belongs to another sweep ({} changed since); {DELETE}", changed.join(", "));
    }
    Ok(())
}
