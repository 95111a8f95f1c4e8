//! The life cycle: which call is legal in which state, as one table.
//!
//! `+` legal by FMI 2.0.5 or FMI 3.0.2, `~` not allowed there but made by common importers and therefore
//! tolerated, `.` rejected. The states stepInProgress, stepCanceled, stepFailed and fatal of FMI 2.0 do not occur: no
//! step is asynchronous or discarded, and no error of one instance affects another. After an error, FMI 3.0 has no
//! state; here it is the state "error" as in FMI 2.0.

use fmu_exchange::Standard;

/// The interface for which an instance was made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Interface {
    /// The importer integrates.
    ModelExchange,
    /// The FMU integrates.
    CoSimulation,
}

/// Handling of the events in Co-Simulation: by the FMU or by the importer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum EventHandling {
    /// The FMU handles all events, inside its steps.
    #[default]
    Inside,
    /// The importer handles the events at the ends of steps, in event mode.
    AtEnds,
    /// The importer handles all events: a step ends at the first one.
    ByImporter,
}

impl EventHandling {
    /// Returns the meaning of `eventModeUsed` and `earlyReturnAllowed`.
    pub fn new(has_event_mode: bool, may_return_early: bool) -> Self {
        match (has_event_mode, may_return_early) {
            (false, _) => Self::Inside,
            (true, false) => Self::AtEnds,
            (true, true) => Self::ByImporter,
        }
    }
}

/// The state of an instance.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub enum State {
    /// State after the instantiation and after a reset.
    Instantiated,
    /// State between entering and leaving the initialization mode.
    Initialization,
    /// State of Co-Simulation at a communication point. FMI 3.0 calls it step mode.
    StepComplete,
    /// Event mode of Model Exchange, and of Co-Simulation in FMI 3.0.
    Event,
    /// Continuous-time mode of Model Exchange.
    ContinuousTime,
    /// State after `fmi2Terminate`.
    Terminated,
    /// State after a call that returned `fmi2Error`.
    Error,
    /// State after `fmi2Terminate` in initialization mode: terminated, with values that are not initialised yet.
    Abandoned,
    /// Configuration mode of FMI 3.0 before the initialisation, where tables get other numbers of rows.
    Configuration,
    /// State inside a step of Co-Simulation of FMI 3.0, while the importer is called.
    IntermediateUpdate,
    /// Reconfiguration mode of FMI 3.0: tables get other numbers of rows during the simulation.
    Reconfiguration,
}

impl State {
    /// Returns the state in which an FMU state goes on: inside a step, that of a communication point.
    #[inline]
    pub(crate) const fn at_rest(self) -> Self {
        if matches!(self, Self::IntermediateUpdate) { Self::StepComplete } else { self }
    }

    /// Returns the name of the state in the standard, for messages.
    pub const fn name(self, standard: Standard) -> &'static str {
        match (self, standard) {
            (Self::Instantiated, _) => "\"instantiated\"",
            (Self::Initialization, _) => "\"initialization mode\"",
            (Self::StepComplete, Standard::Fmi2) => "\"step complete\"",
            (Self::StepComplete, Standard::Fmi3) => "\"step mode\"",
            (Self::Event, _) => "\"event mode\"",
            (Self::ContinuousTime, _) => "\"continuous-time mode\"",
            (Self::Configuration, _) => "\"configuration mode\"",
            (Self::Reconfiguration, _) => "\"reconfiguration mode\"",
            (Self::IntermediateUpdate, _) => "\"intermediate update mode\"",
            (Self::Terminated | Self::Abandoned, _) => "\"terminated\"",
            (Self::Error, Standard::Fmi2) => "\"error\" (call fmi2Reset or fmi2SetFMUstate first)",
            (Self::Error, Standard::Fmi3) => "\"error\" (call fmi3Reset or fmi3SetFMUState first)",
        }
    }
}

/// An entry of the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CallLegality {
    /// Legal.
    Legal,
    /// Tolerated.
    Tolerated,
    /// Rejected with `fmi2Error`.
    Refused,
}

const CO_SIMULATION: [State; 9] = [
    State::Configuration,
    State::Reconfiguration,
    State::Event,
    State::Instantiated,
    State::Initialization,
    State::StepComplete,
    State::Terminated,
    State::Error,
    State::Abandoned,
];
const MODEL_EXCHANGE: [State; 9] = [
    State::Configuration,
    State::Reconfiguration,
    State::Instantiated,
    State::Initialization,
    State::Event,
    State::ContinuousTime,
    State::Terminated,
    State::Error,
    State::Abandoned,
];

macro_rules! calls {
    ($($call:ident $co_simulation:literal $model_exchange:literal;)*) => {
        /// A function of the interface that acts on an instance, or one that this project adds.
        #[allow(non_camel_case_types)]
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum Call { $(#[doc = concat!("`", stringify!($call), "`")] $call,)* }

        impl Call {
            /// All calls, in the order of the table.
            pub const ALL: &[Self] = &[$(Self::$call,)*];
            const TABLE: &[[&[u8]; 2]] = &[$([$co_simulation.as_bytes(), $model_exchange.as_bytes()],)*];

            /// Returns the name of the call in C.
            pub const fn name(self) -> &'static str {
                match self { $(Self::$call => stringify!($call),)* }
            }
        }
    };
}

calls! {
    //                                 Co-Sim      Model Exchange
    //                                 inst        inst
    //                                 | init      | init
    //                                 | | step    | | event
    //                                 | | | term  | | | continuous
    //                                 | | | | err | | | | terminated
    //                                 | | | | |   | | | | | error
    fmi2SetDebugLogging               "+ + + + +" "+ + + + + +";
    fmi2Reset                         "+ + + + +" "+ + + + + +";
    fmi2SetupExperiment               "+ . . . ." "+ . . . . .";
    fmi2EnterInitializationMode       "+ . . . ." "+ . . . . .";
    fmi2ExitInitializationMode        ". + . . ." ". + . . . .";
    fmi2Terminate                     ". ~ + ~ ." ". ~ + + ~ .";
    fmi2GetReal                       "~ + + + +" "~ + + + + +";
    fmi2GetInteger                    "~ + + + +" "~ + + + + +";
    fmi2GetBoolean                    "~ + + + +" "~ + + + + +";
    fmi2GetString                     "~ + + + +" "~ + + + + +";
    fmi2SetReal                       "+ + + . ." "+ + + + . .";
    fmi2SetInteger                    "+ + + . ." "+ + + . . .";
    fmi2SetBoolean                    "+ + + . ." "+ + + . . .";
    fmi2SetString                     "+ + + . ." "+ + + . . .";
    fmi2GetFMUstate                   "+ + + + +" "+ + + + + +";
    fmi2SetFMUstate                   "+ + + + +" "+ + + + + +";
    fmi2FreeFMUstate                  "+ + + + +" "+ + + + + +";
    fmi2SerializedFMUstateSize        "+ + + + +" "+ + + + + +";
    fmi2SerializeFMUstate             "+ + + + +" "+ + + + + +";
    fmi2DeSerializeFMUstate           "+ + + + +" "+ + + + + +";
    fmi2GetDirectionalDerivative      ". + + + +" ". + + + + +";
    mechanics_linear                  ". + + . ." ". + + + . .";
    fmi2SetRealInputDerivatives       "+ + + . ." ". . . . . .";
    fmi2GetRealOutputDerivatives      ". . + + +" ". . . . . .";
    fmi2DoStep                        ". . + . ." ". . . . . .";
    fmi2CancelStep                    ". . . . ." ". . . . . .";
    fmi2GetStatus                     ". . + + ." ". . . . . .";
    fmi2GetRealStatus                 ". . + + ." ". . . . . .";
    fmi2GetIntegerStatus              ". . + + ." ". . . . . .";
    fmi2GetBooleanStatus              ". . + + ." ". . . . . .";
    fmi2GetStringStatus               ". . + + ." ". . . . . .";
    fmi2EnterEventMode                ". . . . ." ". . ~ + . .";
    fmi2NewDiscreteStates             ". . . . ." ". . + . . .";
    fmi2EnterContinuousTimeMode       ". . . . ." ". . + . . .";
    fmi2CompletedIntegratorStep       ". . . . ." ". . ~ + . .";
    fmi2SetTime                       ". . . . ." "~ ~ ~ + . .";
    fmi2SetContinuousStates           ". . . . ." ". . ~ + . .";
    fmi2GetDerivatives                ". . . . ." ". + + + + +";
    fmi2GetEventIndicators            ". . . . ." ". + + + + +";
    fmi2GetContinuousStates           ". . . . ." ". + + + + +";
    fmi2GetNominalsOfContinuousStates ". . . . ." "+ + + + + +";
    mechanics_law                     ". . + + ." ". . + + + .";
    mechanics_sensitivity             ". . . . ." ". . + + . .";
    //                                 Co-Sim              Model Exchange
    //                                 inst                inst
    //                                 | init              | init
    //                                 | | event           | | event
    //                                 | | | step          | | | continuous
    //                                 | | | | term        | | | | terminated
    //                                 | | | | | err       | | | | | error
    //                                 | | | | | | conf    | | | | | | configuration
    //                                 | | | | | | | upd   | | | | | | | reconfiguration
    //                                 | | | | | | | | reconf
    fmi3SetDebugLogging               "+ + + + + + + + +" "+ + + + + + + +";
    fmi3Reset                         "+ + + + + + + . +" "+ + + + + + + +";
    fmi3EnterInitializationMode       "+ . . . . . . . ." "+ . . . . . . .";
    fmi3ExitInitializationMode        ". + . . . . . . ." ". + . . . . . .";
    fmi3Terminate                     ". ~ + + ~ . . . +" ". ~ + + ~ . . +";
    fmi3GetFloat64                    "~ + + + + ~ . + ." "~ + + + + ~ . .";
    fmi3GetInt32                      "~ + + + + ~ . + ." "~ + + + + ~ . .";
    fmi3GetInt64                      "~ + + + + ~ . + ." "~ + + + + ~ . .";
    fmi3GetBoolean                    "~ + + + + ~ . + ." "~ + + + + ~ . .";
    fmi3GetString                     "~ + + + + ~ . + ." "~ + + + + ~ . .";
    fmi3SetFloat64                    "+ + + + . . . + ." "+ + + + . . . .";
    fmi3SetInt32                      "+ + + + . . . . ." "+ + + . . . . .";
    fmi3SetInt64                      "+ + + + . . . . ." "+ + + . . . . .";
    fmi3SetBoolean                    "+ + + + . . . . ." "+ + + . . . . .";
    fmi3SetString                     "+ + + + . . . . ." "+ + + . . . . .";
    fmi3GetFloat32                    "~ + + + + ~ . + ." "~ + + + + ~ . .";
    fmi3GetInt8                       "~ + + + + ~ . + ." "~ + + + + ~ . .";
    fmi3GetUInt8                      "~ + + + + ~ . + ." "~ + + + + ~ . .";
    fmi3GetInt16                      "~ + + + + ~ . + ." "~ + + + + ~ . .";
    fmi3GetUInt16                     "~ + + + + ~ . + ." "~ + + + + ~ . .";
    fmi3GetUInt32                     "~ + + + + ~ . + ." "~ + + + + ~ . .";
    fmi3GetUInt64                     "~ + + + + ~ ~ + ~" "~ + + + + ~ ~ ~";
    fmi3GetBinary                     "~ + + + + ~ . + ." "~ + + + + ~ . .";
    fmi3GetClock                      "~ + + + + ~ . + ." "~ + + + + ~ . .";
    fmi3SetFloat32                    "+ + + + . . . . ." "+ + + . . . . .";
    fmi3SetInt8                       "+ + + + . . . . ." "+ + + . . . . .";
    fmi3SetUInt8                      "+ + + + . . . . ." "+ + + . . . . .";
    fmi3SetInt16                      "+ + + + . . . . ." "+ + + . . . . .";
    fmi3SetUInt16                     "+ + + + . . . . ." "+ + + . . . . .";
    fmi3SetUInt32                     "+ + + + . . . . ." "+ + + . . . . .";
    fmi3SetUInt64                     "+ + + + . . + . +" "+ + + . . . + +";
    fmi3SetBinary                     "+ + + + . . . . ." "+ + + . . . . .";
    fmi3SetClock                      "+ + + + . . . . ." "+ + + . . . . .";
    fmi3GetFMUState                   "+ + + + + + + + +" "+ + + + + + + +";
    fmi3SetFMUState                   "+ + + + + + + . +" "+ + + + + + + +";
    fmi3FreeFMUState                  "+ + + + + + + + +" "+ + + + + + + +";
    fmi3SerializedFMUStateSize        "+ + + + + + + + +" "+ + + + + + + +";
    fmi3SerializeFMUState             "+ + + + + + + + +" "+ + + + + + + +";
    fmi3DeserializeFMUState           "+ + + + + + + + +" "+ + + + + + + +";
    fmi3GetDirectionalDerivative      ". + + + + . . . ." ". + + + + . . .";
    fmi3GetAdjointDerivative          ". + + + + . . . ." ". + + + + . . .";
    fmi3GetNumberOfVariableDependencies ". + + + + . . + ." ". + + + + . . .";
    fmi3GetVariableDependencies       ". + + + + . . + ." ". + + + + . . .";
    fmi3EnterConfigurationMode        "+ . . + . . . . ." "+ . + . . . . .";
    fmi3ExitConfigurationMode         ". . . . . . + . +" ". . . . . . + +";
    fmi3EvaluateDiscreteStates        ". . + . . . . . ." ". . + . . . . .";
    fmi3ActivateModelPartition        ". . . . . . . . ." ". . . . . . . .";
    fmi3GetIntervalDecimal            "+ + + + . . . . ." "+ + + + . . . .";
    fmi3GetIntervalFraction           "+ + + + . . . . ." "+ + + + . . . .";
    fmi3GetShiftDecimal               "+ + + + . . . . ." "+ + + + . . . .";
    fmi3GetShiftFraction              "+ + + + . . . . ." "+ + + + . . . .";
    fmi3SetIntervalDecimal            "+ + + + . . . . ." "+ + + + . . . .";
    fmi3SetIntervalFraction           "+ + + + . . . . ." "+ + + + . . . .";
    fmi3SetShiftDecimal               "+ + + + . . . . ." "+ + + + . . . .";
    fmi3SetShiftFraction              "+ + + + . . . . ." "+ + + + . . . .";
    fmi3EnterStepMode                 ". . + . . . . . ." ". . . . . . . .";
    fmi3GetOutputDerivatives          ". . ~ + + . . ~ ." ". . . . . . . .";
    fmi3DoStep                        ". . . + . . . . ." ". . . . . . . .";
    fmi3EnterEventMode                ". . ~ + . . . . ." ". . ~ + . . . .";
    fmi3UpdateDiscreteStates          ". . + . . . . . ." ". . + . . . . .";
    fmi3EnterContinuousTimeMode       ". . . . . . . . ." ". . + . . . . .";
    fmi3CompletedIntegratorStep       ". . . . . . . . ." ". . ~ + . . . .";
    fmi3SetTime                       ". . . . . . . . ." "~ ~ ~ + . . . .";
    fmi3SetContinuousStates           ". . . . . . . . ." ". . ~ + . . . .";
    fmi3GetContinuousStateDerivatives ". . . . . . . . ." ". + + + + . . .";
    fmi3GetEventIndicators            ". . . . . . . . ." ". + + + + . . .";
    fmi3GetContinuousStates           ". . . . . . . . ." ". + + + + . . .";
    fmi3GetNominalsOfContinuousStates ". . . . . . . . ." "+ + + + + . . .";
    fmi3GetNumberOfContinuousStates   ". . . . . . . . ." "+ + + + + + . .";
    fmi3GetNumberOfEventIndicators    ". . . . . . . . ." "+ + + + + + . .";
    mechanics3_sensitivity            ". . . . . . . . ." ". . + + . . . .";
}

/// Returns the states that an instance of a standard and an interface can be in between the importer's calls.
pub fn states(standard: Standard, interface: Interface) -> &'static [State] {
    match (standard, interface) {
        (Standard::Fmi2, Interface::CoSimulation) => &CO_SIMULATION[3..],
        (Standard::Fmi3, Interface::CoSimulation) => &CO_SIMULATION,
        (Standard::Fmi2, Interface::ModelExchange) => &MODEL_EXCHANGE[2..],
        (Standard::Fmi3, Interface::ModelExchange) => &MODEL_EXCHANGE,
    }
}

impl Call {
    /// Returns the standard that the call belongs to; functions of this project have a prefix with a 3 for FMI 3.0.
    pub const fn standard(self) -> Standard {
        if (self as usize) < Self::fmi3SetDebugLogging as usize { Standard::Fmi2 } else { Standard::Fmi3 }
    }

    /// Returns the verdict on the call for an instance of its standard and of `interface` in `state`.
    #[inline]
    pub const fn verdict(self, interface: Interface, state: State) -> CallLegality {
        let row = Self::TABLE[self as usize][match interface {
            Interface::CoSimulation => 0,
            Interface::ModelExchange => 1,
        }];
        let column = match (self.standard(), interface, state) {
            (_, _, State::Instantiated) => 0,
            (_, _, State::Initialization) => 1,
            (Standard::Fmi3, _, State::Event) => 2,
            (Standard::Fmi3, _, State::StepComplete | State::ContinuousTime) => 3,
            (Standard::Fmi3, _, State::Terminated | State::Abandoned) => 4,
            (Standard::Fmi3, _, State::Error) => 5,
            (Standard::Fmi3, _, State::Configuration) => 6,
            (Standard::Fmi3, Interface::CoSimulation, State::IntermediateUpdate)
            | (Standard::Fmi3, Interface::ModelExchange, State::Reconfiguration) => 7,
            (Standard::Fmi3, Interface::CoSimulation, State::Reconfiguration) => 8,
            (_, Interface::CoSimulation, State::StepComplete) | (_, Interface::ModelExchange, State::Event) => 2,
            (_, Interface::CoSimulation, State::Terminated | State::Abandoned)
            | (_, Interface::ModelExchange, State::ContinuousTime) => 3,
            (_, Interface::CoSimulation, State::Error)
            | (_, Interface::ModelExchange, State::Terminated | State::Abandoned) => 4,
            (_, Interface::ModelExchange, State::Error) => 5,
            _ => return CallLegality::Refused,
        };
        match row[2 * column] {
            b'+' => CallLegality::Legal,
            b'~' => CallLegality::Tolerated,
            _ => CallLegality::Refused,
        }
    }

    /// Returns true if an evaluation that fails in this call is discarded. Setters and status functions also discard on their
    /// own.
    pub const fn may_discard(self, interface: Interface) -> bool {
        use Call::*;
        match self {
            fmi2SetReal | fmi2SetInteger | fmi2SetBoolean | fmi2SetString => true,
            fmi3SetFloat64 | fmi3SetInt32 | fmi3SetInt64 | fmi3SetBoolean | fmi3SetString => true,
            fmi2GetReal
            | mechanics_linear
            | mechanics_sensitivity
            | mechanics3_sensitivity
            | fmi2GetDerivatives
            | fmi2GetContinuousStates
            | fmi2GetEventIndicators
            | fmi2SetContinuousStates
            | fmi3GetFloat64
            | fmi3GetContinuousStateDerivatives
            | fmi3GetContinuousStates
            | fmi3GetEventIndicators
            | fmi3SetContinuousStates => matches!(interface, Interface::ModelExchange),
            _ => false,
        }
    }
}
