//! Calls of FMI 3.0 with counts of values that are not those of the arrays, for tests.

use std::ffi::{c_char, c_int, c_uint, c_void};
use std::ptr;

use crate::functions::Status;
use crate::instance::CInstance;
use crate::standard::Functions;

/// Memory in place of an array of values: many times eight bytes that no value has.
type Memory = [u64; 8];
const UNTOUCHED: Memory = [0xa5a5_a5a5_a5a5_a5a5; 8];

/// The functions of [`CInstance::with_count`].
pub const COUNTED: &[&str] = &[
    "fmi3GetFloat64", "fmi3SetFloat64", "fmi3GetInt32", "fmi3SetInt32", "fmi3GetInt64", "fmi3SetInt64",
    "fmi3GetBoolean", "fmi3SetBoolean", "fmi3GetString", "fmi3SetString", "fmi3GetUInt64", "fmi3SetUInt64",
    "fmi3GetOutputDerivatives", "fmi3GetDirectionalDerivative", "fmi3GetAdjointDerivative", "fmi3SetContinuousStates",
    "fmi3GetContinuousStates", "fmi3GetContinuousStateDerivatives", "fmi3GetEventIndicators",
    "fmi3GetNominalsOfContinuousStates", "mechanics3_sensitivity",
];

impl CInstance {
    /// Calls a function on one variable with this number of values, more than there is memory for, or fewer than the
    /// variable has. Returns the status, and true if the memory was left as it was.
    ///
    /// # Panics
    ///
    /// When the function is not among [`COUNTED`].
    pub fn with_count(&self, function: &str, reference: u32, count: usize) -> (Status, bool) {
        let Functions::Fmi3(api) = &self.api.0 else { return (Status::Missing, true) };
        let (mut memory, one, orders) = (UNTOUCHED, 1.0_f64, [1 as c_int; 8]);
        let (values, seeds) = (memory.as_mut_ptr().cast::<c_void>(), [one; 8]);
        let (c, vr): (_, *const c_uint) = (self.component, ptr::from_ref(&reference));
        let texts = [c"".as_ptr(); 8];
        // SAFETY: a library that heeds its own counts touches no more than the memory, and one that does not must crash.
        let status = unsafe {
            match function {
                "fmi3GetFloat64" => (api.fmi3GetFloat64)(c, vr, 1, values.cast(), count),
                "fmi3SetFloat64" => (api.fmi3SetFloat64)(c, vr, 1, seeds.as_ptr(), count),
                "fmi3GetInt32" => (api.fmi3GetInt32)(c, vr, 1, values.cast(), count),
                "fmi3SetInt32" => (api.fmi3SetInt32)(c, vr, 1, values.cast(), count),
                "fmi3GetInt64" => (api.fmi3GetInt64)(c, vr, 1, values.cast(), count),
                "fmi3SetInt64" => (api.fmi3SetInt64)(c, vr, 1, values.cast(), count),
                "fmi3GetBoolean" => (api.fmi3GetBoolean)(c, vr, 1, values.cast(), count),
                "fmi3SetBoolean" => (api.fmi3SetBoolean)(c, vr, 1, values.cast(), count),
                "fmi3GetString" => (api.fmi3GetString)(c, vr, 1, values.cast::<*const c_char>(), count),
                "fmi3SetString" => (api.fmi3SetString)(c, vr, 1, texts.as_ptr(), count),
                "fmi3GetUInt64" => (api.fmi3GetUInt64)(c, vr, 1, values.cast(), count),
                "fmi3SetUInt64" => (api.fmi3SetUInt64)(c, vr, 1, values.cast(), count),
                "fmi3GetOutputDerivatives" => {
                    (api.fmi3GetOutputDerivatives)(c, vr, 1, orders.as_ptr(), values.cast(), count)
                }
                "fmi3GetDirectionalDerivative" => {
                    (api.fmi3GetDirectionalDerivative)(c, vr, 1, vr, 1, &raw const one, 1, values.cast(), count)
                }
                "fmi3GetAdjointDerivative" => {
                    (api.fmi3GetAdjointDerivative)(c, vr, 1, vr, 1, seeds.as_ptr(), count, values.cast(), 1)
                }
                "fmi3SetContinuousStates" => (api.fmi3SetContinuousStates)(c, seeds.as_ptr(), count),
                "fmi3GetContinuousStates" => (api.fmi3GetContinuousStates)(c, values.cast(), count),
                "fmi3GetContinuousStateDerivatives" => (api.fmi3GetContinuousStateDerivatives)(c, values.cast(), count),
                "fmi3GetEventIndicators" => (api.fmi3GetEventIndicators)(c, values.cast(), count),
                "fmi3GetNominalsOfContinuousStates" => (api.fmi3GetNominalsOfContinuousStates)(c, values.cast(), count),
                "mechanics3_sensitivity" => {
                    let derive = api.mechanics3_sensitivity;
                    derive(c, vr, 1, vr, 1, &raw const one, 1, values.cast(), count, values.cast(), 1)
                }
                _ => panic!("{function} has no count of values"),
            }
        };
        (status.into(), memory == UNTOUCHED)
    }
}
