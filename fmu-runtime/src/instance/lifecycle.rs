//! The life cycle: which call is legal in which state, as one table.
//!
//! `+` legal by FMI 2.0.5, `~` not allowed there but made by common importers and therefore
//! tolerated, `.` rejected. The states stepInProgress, stepCanceled, stepFailed and fatal of the
//! standard do not occur: no step is asynchronous or discarded, and no error of one instance affects
//! another.

use std::fmt;

/// The interface for which an instance was made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Interface {
    /// The importer integrates.
    ModelExchange,
    /// The FMU integrates.
    CoSimulation,
}

/// The state of an instance.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub enum State {
    /// After `fmi2Instantiate` and `fmi2Reset`.
    Instantiated,
    /// Between entering and leaving the initialization mode.
    Initialization,
    /// Co-Simulation: at a communication point.
    StepComplete,
    /// Model Exchange: event mode.
    Event,
    /// Model Exchange: continuous-time mode.
    ContinuousTime,
    /// After `fmi2Terminate`.
    Terminated,
    /// After a call that returned `fmi2Error`.
    Error,
    /// After `fmi2Terminate` in initialization mode: terminated, with values that are not initialised yet.
    Abandoned,
}

impl fmt::Display for State {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Instantiated => "\"instantiated\"",
            Self::Initialization => "\"initialization mode\"",
            Self::StepComplete => "\"step complete\"",
            Self::Event => "\"event mode\"",
            Self::ContinuousTime => "\"continuous-time mode\"",
            Self::Terminated | Self::Abandoned => "\"terminated\"",
            Self::Error => "\"error\" (call fmi2Reset or fmi2SetFMUstate first)",
        })
    }
}

/// An entry of the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Legal.
    Legal,
    /// Tolerated.
    Tolerated,
    /// Rejected with `fmi2Error`.
    Refused,
}

const CO_SIMULATION: [State; 6] = [
    State::Instantiated,
    State::Initialization,
    State::StepComplete,
    State::Terminated,
    State::Error,
    State::Abandoned,
];
const MODEL_EXCHANGE: [State; 7] = [
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
            /// All of them.
            pub const ALL: &[Self] = &[$(Self::$call,)*];
            const TABLE: &[[&[u8]; 2]] = &[$([$co_simulation.as_bytes(), $model_exchange.as_bytes()],)*];

            /// The name in C.
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
}

/// The states that an instance of an interface can be in.
pub const fn states(interface: Interface) -> &'static [State] {
    match interface {
        Interface::CoSimulation => &CO_SIMULATION,
        Interface::ModelExchange => &MODEL_EXCHANGE,
    }
}

impl Call {
    /// Whether the call is legal for an instance of `interface` in `state`.
    #[inline]
    pub const fn verdict(self, interface: Interface, state: State) -> Verdict {
        let row = Self::TABLE[self as usize][match interface {
            Interface::CoSimulation => 0,
            Interface::ModelExchange => 1,
        }];
        let column = match (interface, state) {
            (_, State::Instantiated) => 0,
            (_, State::Initialization) => 1,
            (Interface::CoSimulation, State::StepComplete) | (Interface::ModelExchange, State::Event) => 2,
            (Interface::CoSimulation, State::Terminated | State::Abandoned)
            | (Interface::ModelExchange, State::ContinuousTime) => 3,
            (Interface::CoSimulation, State::Error)
            | (Interface::ModelExchange, State::Terminated | State::Abandoned) => 4,
            (Interface::ModelExchange, State::Error) => 5,
            _ => return Verdict::Refused,
        };
        match row[2 * column] {
            b'+' => Verdict::Legal,
            b'~' => Verdict::Tolerated,
            _ => Verdict::Refused,
        }
    }

    /// Whether the standard lets the call return `fmi2Discard`.
    pub const fn may_discard(self, interface: Interface) -> bool {
        use Call::*;
        match self {
            fmi2SetReal | fmi2SetInteger | fmi2SetBoolean | fmi2SetString => true,
            fmi2GetReal
            | mechanics_linear
            | fmi2GetDerivatives
            | fmi2GetContinuousStates
            | fmi2GetEventIndicators
            | fmi2SetContinuousStates => matches!(interface, Interface::ModelExchange),
            _ => false,
        }
    }
}
