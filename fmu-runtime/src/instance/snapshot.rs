//! The contents of an FMU state.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::component::component_model::Data;
use crate::component::layout::Layout;
use crate::component::polynomial::Polynomials;
use crate::instance::call_error::{CallError, Outcome};
use crate::instance::history::History;
use crate::instance::lifecycle::State;
use crate::rows::values::Values;

/// The arguments of `fmi2SetupExperiment`, in s.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Experiment {
    /// Start time.
    pub start: f64,
    /// Stop time, if there is one.
    pub stop: Option<f64>,
}

impl Experiment {
    /// Returns true if `fmi2SetupExperiment` can have made the experiment.
    pub fn is_possible(self) -> bool {
        self.start.is_finite() && self.stop.is_none_or(|stop| stop.is_finite() && stop >= self.start)
    }
}

/// Everything of an instance except its log and identity.
#[derive(Clone, Serialize, Deserialize)]
pub struct Snapshot {
    pub(super) state: State,
    pub(super) time: f64,
    pub(super) experiment: Experiment,
    pub(super) polynomials: Polynomials,
    pub(super) outputs_valid: bool,
    pub(super) allows_late_parameters: bool,
    pub(super) must_reinitialise: bool,
    pub(super) history: History,
    pub(super) values: Values,
    /// Layout with the numbers of rows of the tables.
    #[serde(skip)]
    pub(super) layout: Arc<Layout>,
    /// Prepared data, shared with the instance; prepared again after deserialisation.
    #[serde(skip)]
    pub(super) data: Option<Data>,
}

/// The snapshots that an importer holds, by their addresses, which are the handles.
#[derive(Default)]
#[allow(clippy::vec_box, reason = "the addresses must stay")]
pub struct Snapshots(Vec<Box<Snapshot>>);

impl Snapshots {
    #[inline]
    fn position(&self, handle: usize) -> Result<usize, usize> {
        self.0.binary_search_by_key(&handle, |snapshot| address(snapshot))
    }

    #[inline]
    pub(super) fn get(&self, handle: usize) -> Outcome<&Snapshot> {
        self.position(handle).map(|position| self.0[position].as_ref()).map_err(|_| foreign())
    }

    #[inline]
    pub(super) fn get_mut(&mut self, handle: usize) -> Outcome<&mut Snapshot> {
        let position = self.position(handle).map_err(|_| foreign())?;
        Ok(self.0[position].as_mut())
    }

    /// Keeps a snapshot and returns its handle.
    pub(super) fn keep(&mut self, snapshot: Snapshot) -> usize {
        let snapshot = Box::new(snapshot);
        let handle = address(&snapshot);
        let (Ok(position) | Err(position)) = self.position(handle);
        self.0.insert(position, snapshot);
        handle
    }

    pub(super) fn free(&mut self, handle: usize) -> Outcome {
        let position = self.position(handle).map_err(|_| foreign())?;
        self.0.remove(position);
        Ok(())
    }
}

#[inline]
fn address(snapshot: &Snapshot) -> usize {
    std::ptr::from_ref(snapshot) as usize
}

fn foreign() -> CallError {
    CallError::error("this FMU state was not made by this instance, or was freed")
}
