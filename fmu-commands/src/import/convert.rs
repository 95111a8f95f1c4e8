//! `convert`.

use std::path::PathBuf;

/// Arguments of `convert`.
#[derive(clap::Args)]
pub struct Convert {
    /// The property file of a bushing
    #[arg(value_name = "FILE.gbs|.bus")]
    pub file: PathBuf,
    /// The configuration to write
    #[arg(value_name = "FILE.toml")]
    pub output: PathBuf,
    /// Replace an existing file
    #[arg(long)]
    pub force: bool,
}
