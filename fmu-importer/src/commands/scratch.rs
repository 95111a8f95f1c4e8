//! Where FMUs are unpacked: a folder that also goes when the program is ended from outside.

use std::process::exit;

use anyhow::{Context, Result, anyhow};
use fmu_builder::Destination;
use tempfile::TempDir;

/// What a shell reports of a program that was ended by Ctrl-C.
const INTERRUPTED: i32 = 130;

/// The folder of all temporary files of this process.
pub struct Scratch {
    _folder: TempDir,
}

impl Scratch {
    /// Makes the folder, and has it removed on Ctrl-C and when the program is asked to terminate.
    pub fn new() -> Result<Self> {
        let folder =
            tempfile::Builder::new().prefix("importer-").tempdir().context("cannot make a temporary folder")?;
        let path = folder.path().to_owned();
        tempfile::env::override_temp_dir(&path).map_err(|_| anyhow!("there is a temporary folder already"))?;
        ctrlc::set_handler(move || {
            Destination::remove_drafts();
            // What is left then, nobody can remove.
            let _ = fs_err::remove_dir_all(&path);
            exit(INTERRUPTED);
        })?;
        Ok(Self { _folder: folder })
    }
}
