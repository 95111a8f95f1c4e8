//! The content of requests and replies.

use std::path::PathBuf;

use fmu_commands::import::Table;
use serde::{Deserialize, Serialize};

/// A request to the server.
#[derive(Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Request {
    Open(Open),
    /// Run; the data are the columns of the input.
    Simulate(Box<Simulate>),
    /// Give values to variables, from now on.
    Set {
        values: Vec<String>,
    },
    /// Forget these values, and go back to the start.
    Reset,
    /// Tell the values of variables.
    Get {
        names: Vec<String>,
    },
    /// Tell derivatives of variables, by default of all that have some; or their sums along a direction.
    Derivatives {
        of: Option<Vec<String>>,
        by: Option<Vec<String>>,
        along: Option<Vec<f64>>,
    },
    /// Tell the FMU state.
    Save,
    /// Restore an FMU state, which is the data, of this time.
    Restore {
        time: f64,
    },
}

/// The model to be opened, as the options of `simulate` say.
#[derive(Deserialize)]
pub(super) struct Open {
    pub file: PathBuf,
    pub interface: Option<String>,
    #[serde(default)]
    pub event_mode: bool,
    /// True if each run is to have a new instance.
    #[serde(default)]
    pub new_instances: bool,
    /// Time limit for a single call into the FMU in s.
    pub timeout: Option<f64>,
    /// Start values, as `name=value`.
    #[serde(default)]
    pub values: Vec<String>,
}

/// Settings of a run, as the options of `simulate`.
#[derive(Deserialize, Default)]
#[serde(default)]
pub(super) struct Simulate {
    pub start: Option<f64>,
    pub stop: Option<f64>,
    pub step: Option<f64>,
    /// Start values of this run, as `name=value`.
    pub values: Vec<String>,
    pub show: Vec<String>,
    pub input: Option<Signals>,
    /// True if a run may go on from the end of this one.
    pub open_end: bool,
    /// Time of the FMU state, which is the last part of the data, from which the run goes on.
    pub state: Option<f64>,
    /// True if the reply is to have the names of the columns.
    pub describe: bool,
}

/// Signals of the inputs.
#[derive(Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Signals {
    File {
        path: PathBuf,
        table: Table,
        skip: Vec<String>,
    },
    Columns {
        rows: usize,
        /// Headings, with texts where the values are no numbers.
        columns: Vec<(String, Option<Vec<String>>)>,
        #[serde(default)]
        skip: Vec<String>,
    },
}

/// A reply of the server.
#[derive(Serialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Reply {
    /// The request was not carried out, for this reason.
    Error(String),
    /// The process ends, for this reason.
    Ended(String),
    /// It is still carried out; this part is done.
    Progress(f64),
    Done {
        notes: Vec<String>,
    },
    /// The data are the times and the columns.
    Trajectory {
        rows: usize,
        /// Time that the run took.
        seconds: f64,
        notes: Vec<String>,
        columns: Option<Vec<Column>>,
    },
    /// The data are the numbers of all values that are no texts.
    Values {
        values: Vec<Described>,
        time: f64,
    },
    /// The data are the matrix by rows, of which a direction has one column.
    Derivatives {
        of: Vec<Column>,
        by: Vec<Column>,
        exact: bool,
        time: f64,
    },
    /// The data are the FMU state.
    State {
        time: f64,
    },
}

/// A scalar variable.
#[derive(Serialize)]
pub(super) struct Column {
    pub name: String,
    pub unit: Option<String>,
}

/// The type and shape of a value.
#[derive(Serialize)]
pub(super) struct Described {
    /// `real`, `integer`, `boolean` or `string`.
    pub kind: &'static str,
    pub shape: Vec<usize>,
    pub unit: Option<String>,
    /// The texts of a String.
    pub texts: Vec<String>,
}
