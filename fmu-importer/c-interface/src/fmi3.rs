//! The 75 functions of FMI 3.0. A Boolean is a byte, in which a library might write any number.

use std::ffi::{c_char, c_int, c_uint, c_void};

use crate::functions::{Null, functions};

/// `fmi3LogMessageCallback`
pub(crate) type Logger = unsafe extern "C" fn(*mut c_void, c_int, *const c_char, *const c_char);
/// `fmi3IntermediateUpdateCallback`
pub(crate) type IntermediateUpdate = unsafe extern "C" fn(*mut c_void, f64, u8, u8, u8, u8, *mut u8, *mut f64);

functions! {
    Fmi3
    others {
        fmi3GetVersion() -> *const c_char;
        fmi3InstantiateModelExchange(
            *const c_char, *const c_char, *const c_char, u8, u8, *mut c_void, Option<Logger>
        ) -> *mut c_void;
        fmi3InstantiateCoSimulation(
            *const c_char, *const c_char, *const c_char, u8, u8, u8, u8, *const c_uint, usize, *mut c_void,
            Option<Logger>, Option<IntermediateUpdate>
        ) -> *mut c_void;
        fmi3InstantiateScheduledExecution(
            *const c_char, *const c_char, *const c_char, u8, u8, *mut c_void, Option<Logger>, *const c_void,
            *const c_void, *const c_void
        ) -> *mut c_void;
        fmi3FreeInstance(*mut c_void);
    }
    status {
        fmi3SetDebugLogging(u8, usize, *const *const c_char);
        fmi3EnterInitializationMode(u8, f64, f64, u8, f64);
        fmi3ExitInitializationMode();
        fmi3EnterEventMode();
        fmi3Terminate();
        fmi3Reset();
        fmi3GetFloat32(*const c_uint, usize, *mut f32, usize);
        fmi3GetFloat64(*const c_uint, usize, *mut f64, usize);
        fmi3GetInt8(*const c_uint, usize, *mut i8, usize);
        fmi3GetUInt8(*const c_uint, usize, *mut u8, usize);
        fmi3GetInt16(*const c_uint, usize, *mut i16, usize);
        fmi3GetUInt16(*const c_uint, usize, *mut u16, usize);
        fmi3GetInt32(*const c_uint, usize, *mut i32, usize);
        fmi3GetUInt32(*const c_uint, usize, *mut u32, usize);
        fmi3GetInt64(*const c_uint, usize, *mut i64, usize);
        fmi3GetUInt64(*const c_uint, usize, *mut u64, usize);
        fmi3GetBoolean(*const c_uint, usize, *mut u8, usize);
        fmi3GetString(*const c_uint, usize, *mut *const c_char, usize);
        fmi3GetBinary(*const c_uint, usize, *mut usize, *mut *const u8, usize);
        fmi3GetClock(*const c_uint, usize, *mut u8);
        fmi3SetFloat32(*const c_uint, usize, *const f32, usize);
        fmi3SetFloat64(*const c_uint, usize, *const f64, usize);
        fmi3SetInt8(*const c_uint, usize, *const i8, usize);
        fmi3SetUInt8(*const c_uint, usize, *const u8, usize);
        fmi3SetInt16(*const c_uint, usize, *const i16, usize);
        fmi3SetUInt16(*const c_uint, usize, *const u16, usize);
        fmi3SetInt32(*const c_uint, usize, *const i32, usize);
        fmi3SetUInt32(*const c_uint, usize, *const u32, usize);
        fmi3SetInt64(*const c_uint, usize, *const i64, usize);
        fmi3SetUInt64(*const c_uint, usize, *const u64, usize);
        fmi3SetBoolean(*const c_uint, usize, *const u8, usize);
        fmi3SetString(*const c_uint, usize, *const *const c_char, usize);
        fmi3SetBinary(*const c_uint, usize, *const usize, *const *const u8, usize);
        fmi3SetClock(*const c_uint, usize, *const u8);
        fmi3GetNumberOfVariableDependencies(c_uint, *mut usize);
        fmi3GetVariableDependencies(c_uint, *mut usize, *mut c_uint, *mut usize, *mut c_int, usize);
        fmi3GetFMUState(*mut *mut c_void);
        fmi3SetFMUState(*mut c_void);
        fmi3FreeFMUState(*mut *mut c_void);
        fmi3SerializedFMUStateSize(*mut c_void, *mut usize);
        fmi3SerializeFMUState(*mut c_void, *mut u8, usize);
        fmi3DeserializeFMUState(*const u8, usize, *mut *mut c_void);
        fmi3GetDirectionalDerivative(
            *const c_uint, usize, *const c_uint, usize, *const f64, usize, *mut f64, usize
        );
        fmi3GetAdjointDerivative(*const c_uint, usize, *const c_uint, usize, *const f64, usize, *mut f64, usize);
        fmi3EnterConfigurationMode();
        fmi3ExitConfigurationMode();
        fmi3GetIntervalDecimal(*const c_uint, usize, *mut f64, *mut c_int);
        fmi3GetIntervalFraction(*const c_uint, usize, *mut u64, *mut u64, *mut c_int);
        fmi3GetShiftDecimal(*const c_uint, usize, *mut f64);
        fmi3GetShiftFraction(*const c_uint, usize, *mut u64, *mut u64);
        fmi3SetIntervalDecimal(*const c_uint, usize, *const f64);
        fmi3SetIntervalFraction(*const c_uint, usize, *const u64, *const u64);
        fmi3SetShiftDecimal(*const c_uint, usize, *const f64);
        fmi3SetShiftFraction(*const c_uint, usize, *const u64, *const u64);
        fmi3EvaluateDiscreteStates();
        fmi3UpdateDiscreteStates(*mut u8, *mut u8, *mut u8, *mut u8, *mut u8, *mut f64);
        fmi3EnterContinuousTimeMode();
        fmi3CompletedIntegratorStep(u8, *mut u8, *mut u8);
        fmi3SetTime(f64);
        fmi3SetContinuousStates(*const f64, usize);
        fmi3GetContinuousStateDerivatives(*mut f64, usize);
        fmi3GetEventIndicators(*mut f64, usize);
        fmi3GetContinuousStates(*mut f64, usize);
        fmi3GetNominalsOfContinuousStates(*mut f64, usize);
        fmi3GetNumberOfEventIndicators(*mut usize);
        fmi3GetNumberOfContinuousStates(*mut usize);
        fmi3EnterStepMode();
        fmi3GetOutputDerivatives(*const c_uint, usize, *const c_int, *mut f64, usize);
        fmi3DoStep(f64, f64, u8, *mut u8, *mut u8, *mut u8, *mut f64);
        fmi3ActivateModelPartition(c_uint, f64);
    }
    beside {
        mechanics3_sensitivity(
            *const c_uint, usize, *const c_uint, usize, *const f64, usize, *mut f64, usize, *mut f64, usize
        );
    }
}
