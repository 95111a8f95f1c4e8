//! `convert`.

use std::path::PathBuf;

use super::Table;

/// Arguments of `convert`.
#[derive(clap::Args)]
pub struct Convert {
    /// The property file of a bushing, a table with a hysteresis loop (displacement and load in the order in which they
    /// were measured, with their units), or a robot
    #[arg(value_name = "FILE.gbs|.bus|.csv|.xlsx|.urdf")]
    pub file: PathBuf,
    /// The configuration to write; the mean curve of a loop is written next to it
    #[arg(value_name = "FILE.toml")]
    pub output: PathBuf,
    /// Axis of the loop: x, y or z, or 1, 2 or 3 for an angle; by default x, or 1 if the units are those of an angle
    #[arg(long, value_name = "AXIS")]
    pub axis: Option<char>,
    /// The table.
    #[command(flatten)]
    pub table: Table,
    /// Let the root of a robot move freely, which is fixed in the world otherwise
    #[arg(long)]
    pub floating: bool,
    /// Folder of a package of ROS, in which a robot has meshes; by default it is looked for above the robot
    #[arg(long, value_name = "NAME=FOLDER")]
    pub package: Vec<String>,
    /// Replace existing files
    #[arg(long)]
    pub force: bool,
}
