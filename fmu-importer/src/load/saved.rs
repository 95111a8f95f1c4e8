//! Saved FMU states.

use c_interface::{FmuState, Status};

use super::failure::{Done, Failure};
use super::given::AssignedValues;
use super::instance::Instance;
use super::watch::watched;

/// The largest size of an FMU state in bytes.
const MAX_BYTES: usize = 1 << 30;

/// A saved FMU state of an instance.
pub struct Saved<'i> {
    state: FmuState,
    given: AssignedValues,
    instance: &'i Instance,
}

impl Instance {
    /// Saves the FMU state.
    pub fn save(&self) -> Done<Saved<'_>> {
        let mut saved = Saved { state: FmuState::NULL, given: self.given.borrow().clone(), instance: self };
        saved.update()?;
        Ok(saved)
    }

    /// Restores an FMU state from its bytes.
    pub fn deserialize(&self, bytes: &[u8]) -> Done<Saved<'_>> {
        let mut saved = Saved { state: FmuState::NULL, given: self.given.borrow().clone(), instance: self };
        let state = &mut saved.state;
        self.done(["fmi2DeSerializeFMUstate", "fmi3DeserializeFMUState"], |fmi| fmi.deserialize(bytes, state))?;
        Ok(saved)
    }
}

impl Saved<'_> {
    /// Replaces the saved state by the present FMU state.
    pub fn update(&mut self) -> Done {
        let state = &mut self.state;
        self.given = self.instance.given.borrow().clone();
        self.instance.done(["fmi2GetFMUstate", "fmi3GetFMUState"], |fmi| fmi.get_state(state))
    }

    /// Returns the bytes of the state.
    pub fn serialize(&self) -> Done<Vec<u8>> {
        let call = ["fmi2SerializedFMUstateSize", "fmi3SerializedFMUStateSize"];
        let size = self.instance.call(call, |fmi| fmi.serialized_size(self.state))?;
        if size > MAX_BYTES {
            let reason = format!("a state would have {size} bytes");
            return Err(Failure { call: self.instance.name(call), status: Status::Ok, reason });
        }
        let mut bytes = vec![0; size];
        self.instance
            .done(["fmi2SerializeFMUstate", "fmi3SerializeFMUState"], |fmi| fmi.serialize(self.state, &mut bytes))?;
        Ok(bytes)
    }

    /// Restores the state of the instance.
    pub fn restore(&self) -> Done {
        self.instance.done(["fmi2SetFMUstate", "fmi3SetFMUState"], |fmi| fmi.set_state(self.state))?;
        self.instance.given.replace(self.given.clone());
        Ok(())
    }
}

impl Drop for Saved<'_> {
    fn drop(&mut self) {
        watched(self.instance.name(["fmi2FreeFMUstate", "fmi3FreeFMUState"]), || {
            self.instance.fmi.free_state(&mut self.state)
        });
    }
}
