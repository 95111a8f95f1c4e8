//! The 44 functions of FMI 2.0, and their types in C.

use std::ffi::{c_char, c_int, c_uint, c_void};

use crate::functions::{Null, functions};
use crate::variadic::Variadic;

/// `fmi2EventInfo`
#[allow(missing_docs)]
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct EventInfo {
    pub new_discrete_states_needed: c_int,
    pub terminate_simulation: c_int,
    pub nominals_of_continuous_states_changed: c_int,
    pub values_of_continuous_states_changed: c_int,
    pub next_event_time_defined: c_int,
    pub next_event_time: f64,
}

/// `fmi2CallbackAllocateMemory`
pub(crate) type Allocate = Option<unsafe extern "C" fn(usize, usize) -> *mut c_void>;
/// `fmi2CallbackFreeMemory`
pub(crate) type Free = Option<unsafe extern "C" fn(*mut c_void)>;

/// `fmi2CallbackFunctions`
#[repr(C)]
pub(crate) struct Callbacks {
    pub logger: Option<Variadic>,
    pub allocate_memory: Allocate,
    pub free_memory: Free,
    pub step_finished: Option<unsafe extern "C" fn(*mut c_void, c_int)>,
    pub environment: *mut c_void,
}

functions! {
    Fmi2
    others {
        fmi2GetTypesPlatform() -> *const c_char;
        fmi2GetVersion() -> *const c_char;
        fmi2Instantiate(*const c_char, c_int, *const c_char, *const c_char, *const Callbacks, c_int, c_int) -> *mut c_void;
        fmi2FreeInstance(*mut c_void);
    }
    status {
        fmi2SetDebugLogging(c_int, usize, *const *const c_char);
        fmi2SetupExperiment(c_int, f64, f64, c_int, f64);
        fmi2EnterInitializationMode();
        fmi2ExitInitializationMode();
        fmi2Terminate();
        fmi2Reset();
        fmi2GetReal(*const c_uint, usize, *mut f64);
        fmi2GetInteger(*const c_uint, usize, *mut c_int);
        fmi2GetBoolean(*const c_uint, usize, *mut c_int);
        fmi2GetString(*const c_uint, usize, *mut *const c_char);
        fmi2SetReal(*const c_uint, usize, *const f64);
        fmi2SetInteger(*const c_uint, usize, *const c_int);
        fmi2SetBoolean(*const c_uint, usize, *const c_int);
        fmi2SetString(*const c_uint, usize, *const *const c_char);
        fmi2GetFMUstate(*mut *mut c_void);
        fmi2SetFMUstate(*mut c_void);
        fmi2FreeFMUstate(*mut *mut c_void);
        fmi2SerializedFMUstateSize(*mut c_void, *mut usize);
        fmi2SerializeFMUstate(*mut c_void, *mut c_char, usize);
        fmi2DeSerializeFMUstate(*const c_char, usize, *mut *mut c_void);
        fmi2GetDirectionalDerivative(*const c_uint, usize, *const c_uint, usize, *const f64, *mut f64);
        fmi2SetRealInputDerivatives(*const c_uint, usize, *const c_int, *const f64);
        fmi2GetRealOutputDerivatives(*const c_uint, usize, *const c_int, *mut f64);
        fmi2DoStep(f64, f64, c_int);
        fmi2CancelStep();
        fmi2GetStatus(c_int, *mut c_int);
        fmi2GetRealStatus(c_int, *mut f64);
        fmi2GetIntegerStatus(c_int, *mut c_int);
        fmi2GetBooleanStatus(c_int, *mut c_int);
        fmi2GetStringStatus(c_int, *mut *const c_char);
        fmi2EnterEventMode();
        fmi2NewDiscreteStates(*mut EventInfo);
        fmi2EnterContinuousTimeMode();
        fmi2CompletedIntegratorStep(c_int, *mut c_int, *mut c_int);
        fmi2SetTime(f64);
        fmi2SetContinuousStates(*const f64, usize);
        fmi2GetDerivatives(*mut f64, usize);
        fmi2GetEventIndicators(*mut f64, usize);
        fmi2GetContinuousStates(*mut f64, usize);
        fmi2GetNominalsOfContinuousStates(*mut f64, usize);
    }
    beside {
        mechanics_linear(*const c_uint, usize, *const c_uint, usize, *mut f64, *mut f64);
        mechanics_law(c_int, *const f64, *const f64, usize, *mut f64, usize);
        mechanics_sensitivity(
            *const c_uint, usize, *const c_uint, usize, *const f64, *mut f64, *mut f64, usize
        );
    }
}

/// The functions that an FMU without Co-Simulation need not have.
pub const CO_SIMULATION_ONLY: &[&str] = &[
    "fmi2SetRealInputDerivatives", "fmi2GetRealOutputDerivatives", "fmi2DoStep", "fmi2CancelStep", "fmi2GetStatus",
    "fmi2GetRealStatus", "fmi2GetIntegerStatus", "fmi2GetBooleanStatus", "fmi2GetStringStatus",
];

/// The functions that an FMU without Model Exchange need not have.
pub const MODEL_EXCHANGE_ONLY: &[&str] = &[
    "fmi2EnterEventMode", "fmi2NewDiscreteStates", "fmi2EnterContinuousTimeMode", "fmi2CompletedIntegratorStep",
    "fmi2SetTime", "fmi2SetContinuousStates", "fmi2GetDerivatives", "fmi2GetEventIndicators",
    "fmi2GetContinuousStates", "fmi2GetNominalsOfContinuousStates",
];
