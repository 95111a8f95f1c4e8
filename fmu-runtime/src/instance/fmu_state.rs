//! FMU states: saved, restored and serialised.

use std::sync::Arc;

use sha2::{Digest, Sha256};

use crate::component::component_model::Data;
use crate::instance::call_error::{CallError, Outcome};
use crate::instance::instance::Instance;
use crate::instance::lifecycle::{Interface, states};
use crate::instance::snapshot::Snapshot;

const MAGIC: &[u8; 8] = b"FMUstate";
const VERSION: u8 = 4;
const DIGEST: usize = 16;
const HEADER: usize = MAGIC.len() + 1 + DIGEST;

impl Instance {
    /// `fmi2GetFMUstate`: overwrites the given snapshot or makes a new one; returns its handle.
    #[inline]
    pub fn get_fmu_state(&mut self, handle: usize) -> Outcome<usize> {
        if handle == 0 {
            return Ok(self.new_fmu_state());
        }
        let snapshot = self.snapshots.get_mut(handle)?;
        if !Arc::ptr_eq(&snapshot.layout, &self.layout) {
            snapshot.layout = self.layout.clone();
            snapshot.values = self.values.clone();
            snapshot.history.clear();
        }
        snapshot.state = self.state.at_rest();
        snapshot.time = self.time;
        snapshot.experiment = self.experiment;
        snapshot.polynomials.copy_from(&self.polynomials);
        snapshot.outputs_valid = self.outputs_valid;
        snapshot.allows_late_parameters = self.allows_late_parameters;
        snapshot.must_reinitialise = self.must_reinitialise;
        snapshot.history.copy_from(&self.history);
        snapshot.values.copy_from(&self.values);
        share(&self.data, &mut snapshot.data);
        Ok(handle)
    }

    #[inline(never)]
    fn new_fmu_state(&mut self) -> usize {
        self.snapshots.keep(Snapshot {
            state: self.state.at_rest(),
            time: self.time,
            experiment: self.experiment,
            polynomials: self.polynomials.clone(),
            outputs_valid: self.outputs_valid,
            allows_late_parameters: self.allows_late_parameters,
            must_reinitialise: self.must_reinitialise,
            history: self.history.clone(),
            values: self.values.clone(),
            layout: self.layout.clone(),
            data: self.data.clone(),
        })
    }

    /// `fmi2SetFMUstate`
    #[inline]
    pub fn set_fmu_state(&mut self, handle: usize) -> Outcome {
        let snapshot = self.snapshots.get(handle)?;
        let snapshot = if Arc::ptr_eq(&snapshot.layout, &self.layout) {
            snapshot
        } else {
            let (layout, values) = (snapshot.layout.clone(), snapshot.values.clone());
            self.take_layout(layout);
            self.values = values;
            self.snapshots.get(handle)?
        };
        self.state = snapshot.state;
        self.time = snapshot.time;
        self.experiment = snapshot.experiment;
        self.polynomials.copy_from(&snapshot.polynomials);
        self.outputs_valid = snapshot.outputs_valid;
        self.allows_late_parameters = snapshot.allows_late_parameters;
        self.must_reinitialise = snapshot.must_reinitialise;
        self.history.copy_from(&snapshot.history);
        self.values.copy_from(&snapshot.values);
        share(&snapshot.data, &mut self.data);
        Ok(())
    }

    /// `fmi2FreeFMUstate`
    pub fn free_fmu_state(&mut self, handle: usize) -> Outcome {
        if handle == 0 { Ok(()) } else { self.snapshots.free(handle) }
    }

    /// `fmi2SerializeFMUstate`, and the size for `fmi2SerializedFMUstateSize`
    pub fn serialize_fmu_state(&self, handle: usize) -> Outcome<Vec<u8>> {
        let body = self.body(self.snapshots.get(handle)?)?;
        let mut bytes = Vec::with_capacity(HEADER + body.len());
        bytes.extend_from_slice(MAGIC);
        bytes.push(VERSION);
        bytes.extend_from_slice(&Sha256::digest(&body)[..DIGEST]);
        bytes.extend_from_slice(&body);
        Ok(bytes)
    }

    /// Serialises an FMU state for a buffer of this size.
    pub fn serialize_into(&self, handle: usize, size: usize) -> Outcome<Vec<u8>> {
        let serialized = self.serialize_fmu_state(handle)?;
        let needed = serialized.len();
        if size < needed {
            return Err(CallError::error(format!("the buffer has {size} bytes, but {needed} are needed")));
        }
        Ok(serialized)
    }

    fn body(&self, snapshot: &Snapshot) -> Outcome<Vec<u8>> {
        let model_exchange = self.interface == Interface::ModelExchange;
        let rows: Vec<_> = snapshot.layout.row_counts().collect();
        postcard::to_allocvec(&(&*self.guid, model_exchange, rows, snapshot))
            .map_err(|_| CallError::error("the FMU state cannot be serialised"))
    }

    /// `fmi2DeSerializeFMUstate`: returns the handle of a new snapshot. Bytes after the state are
    /// ignored, since importers may pass a larger buffer.
    pub fn deserialize_fmu_state(&mut self, bytes: &[u8]) -> Outcome<usize> {
        let refused = |why: &str| CallError::error(format!("the serialised FMU state is rejected: {why}"));
        let (header, body) = bytes.split_at_checked(HEADER).ok_or_else(|| refused("it is too short"))?;
        let (magic, rest) = header.split_at(MAGIC.len());
        if magic != MAGIC {
            return Err(refused("these bytes are not an FMU state"));
        }
        if rest[0] != VERSION {
            return Err(refused(&format!("its format has version {}, not {VERSION}", rest[0])));
        }
        type Content = (String, bool, Vec<usize>, Snapshot);
        let ((guid, model_exchange, rows, mut snapshot), tail): (Content, &[u8]) =
            postcard::take_from_bytes(body).map_err(|_| refused("it is corrupted or incomplete"))?;
        let body = &body[..body.len() - tail.len()];
        if Sha256::digest(body)[..DIGEST] != rest[1..] {
            return Err(refused("it is corrupted"));
        }
        if *guid != *self.guid {
            return Err(refused(&format!("it belongs to the FMU with GUID {guid}, not {}", self.guid)));
        }
        if model_exchange != (self.interface == Interface::ModelExchange) {
            return Err(refused("it was taken from an instance of the other interface"));
        }
        // There are as many values as the rows tell, so nothing is allocated that is only declared.
        let tables = &self.own_layout.tables;
        let elements = || {
            tables
                .iter()
                .zip(&rows)
                .try_fold(0_usize, |sum, (table, rows)| sum.checked_add(rows.checked_mul(table.columns)?))
        };
        let fixed = self.own_layout.reals.len() - self.own_layout.element_count();
        let is_possible = tables.len() == rows.len()
            && tables.iter().zip(&rows).all(|(table, rows)| (table.rows > 0) == (*rows > 0))
            && elements().and_then(|elements| fixed.checked_add(elements)) == Some(snapshot.values.reals.len());
        if !is_possible {
            return Err(refused("its values do not fit this FMU"));
        }
        let known =
            [&self.layout, &self.own_layout].into_iter().find(|layout| layout.row_counts().eq(rows.iter().copied()));
        snapshot.layout = known.cloned().unwrap_or_else(|| Arc::new(self.own_layout.resized(&rows).0));
        let layout = &snapshot.layout;
        let fits = states(self.standard, self.interface).contains(&snapshot.state)
            && snapshot.values.has_shape_of(&layout.start)
            && layout.admits(&snapshot.values)
            && snapshot.experiment.is_possible()
            && snapshot.time.is_finite()
            && snapshot.polynomials.fits(layout.start.before_tables)
            && snapshot.history.fits(&layout.start);
        snapshot.values.before_tables = layout.start.before_tables;
        if !fits {
            return Err(refused("its values do not fit this FMU"));
        }
        // Numbers can be encoded in several ways; only ours is accepted.
        if self.body(&snapshot)? != body {
            return Err(refused("its encoding is not that of this FMU"));
        }
        Ok(self.snapshots.keep(snapshot))
    }
}

/// Copies the prepared data. Reference counting costs more than checking whether they are the same.
#[inline]
fn share(from: &Option<Data>, to: &mut Option<Data>) {
    let same = match (from, &*to) {
        (Some(from), Some(to)) => Arc::ptr_eq(from, to),
        (None, None) => true,
        _ => false,
    };
    if !same {
        to.clone_from(from);
    }
}
