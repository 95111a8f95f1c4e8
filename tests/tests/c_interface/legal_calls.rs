//! Legal calls in each state, by the tables of FMI 2.0 (sections 2.1.6, 3.2.3, 4.2.4) and by the states of FMI 3.0.
//!
//! This is independent of the implementation, whose own table is `fmu_runtime::lifecycle`; fuzzing and the sequences use it,
//! too.

use std::collections::BTreeMap;

/// The table of section 4.2.4. `+` allowed, `-` not allowed; the digits are its footnotes, which allow the
/// call for certain variables or with values for debugging. The states in which a step is in progress, failed or was
/// cancelled are not reached, since a step is never asynchronous nor discarded, and fatal never returned.
const CO_SIMULATION_TABLE: &str = "
                                  inst init sC sIP sF sX term err fatal
    SetDebugLogging                  +    +  +   +  +  +    +   +     -
    Reset                            +    +  +   -  +  +    +   +     -
    SetupExperiment                  +    -  -   -  -  -    -   -     -
    EnterInitializationMode          +    -  -   -  -  -    -   -     -
    ExitInitializationMode           -    +  -   -  -  -    -   -     -
    Terminate                        -    -  +   -  +  -    -   -     -
    GetReal                          -    2  +   -  8  7    +   7     -
    GetInteger                       -    2  +   -  8  7    +   7     -
    GetBoolean                       -    2  +   -  8  7    +   7     -
    GetString                        -    2  +   -  8  7    +   7     -
    SetReal                          1    3  6   -  -  -    -   -     -
    SetInteger                       1    3  6   -  -  -    -   -     -
    SetBoolean                       1    3  6   -  -  -    -   -     -
    SetString                        1    3  6   -  -  -    -   -     -
    GetFMUstate                      +    +  +   -  8  7    +   7     -
    SetFMUstate                      +    +  +   -  +  +    +   +     -
    FreeFMUstate                     +    +  +   -  +  +    +   +     -
    SerializedFMUstateSize           +    +  +   -  +  +    +   +     -
    SerializeFMUstate                +    +  +   -  +  +    +   +     -
    DeSerializeFMUstate              +    +  +   -  +  +    +   +     -
    GetDirectionalDerivative         -    +  +   -  8  7    +   7     -
    SetRealInputDerivatives          +    +  +   -  -  -    -   -     -
    GetRealOutputDerivatives         -    -  +   -  8  +    +   7     -
    DoStep                           -    -  +   -  -  -    -   -     -
    CancelStep                       -    -  -   +  -  -    -   -     -
    GetStatus                        -    -  +   +  +  -    +   -     -
    GetRealStatus                    -    -  +   +  +  -    +   -     -
    GetIntegerStatus                 -    -  +   +  +  -    +   -     -
    GetBooleanStatus                 -    -  +   +  +  -    +   -     -
    GetStringStatus                  -    -  +   +  +  -    +   -     -";

const MODEL_EXCHANGE_TABLE: &str = "
                                  inst init event cont term err fatal
    SetDebugLogging                  +    +     +    +    +   +     -
    Reset                            +    +     +    +    +   +     -
    SetupExperiment                  +    -     -    -    -   -     -
    EnterInitializationMode          +    -     -    -    -   -     -
    ExitInitializationMode           -    +     -    -    -   -     -
    Terminate                        -    -     +    +    -   -     -
    GetReal                          -    2     +    +    +   7     -
    GetInteger                       -    2     +    +    +   7     -
    GetBoolean                       -    2     +    +    +   7     -
    GetString                        -    2     +    +    +   7     -
    SetReal                          1    3     4    5    -   -     -
    SetInteger                       1    3     4    -    -   -     -
    SetBoolean                       1    3     4    -    -   -     -
    SetString                        1    3     4    -    -   -     -
    GetFMUstate                      +    +     +    +    +   7     -
    SetFMUstate                      +    +     +    +    +   +     -
    FreeFMUstate                     +    +     +    +    +   +     -
    SerializedFMUstateSize           +    +     +    +    +   +     -
    SerializeFMUstate                +    +     +    +    +   +     -
    DeSerializeFMUstate              +    +     +    +    +   +     -
    GetDirectionalDerivative         -    +     +    +    +   7     -
    EnterEventMode                   -    -     +    +    -   -     -
    NewDiscreteStates                -    -     +    -    -   -     -
    EnterContinuousTimeMode          -    -     +    -    -   -     -
    CompletedIntegratorStep          -    -     -    +    -   -     -
    SetTime                          -    -     9    +    -   -     -
    SetContinuousStates              -    -     -    +    -   -     -
    GetEventIndicators               -    +     +    +    +   7     -
    GetContinuousStates              -    +     +    +    +   7     -
    GetDerivatives                   -    +     +    +    +   7     -
    GetNominalsOfContinuousStates    +    +     +    +    +   7     -";

/// Calls that are tolerated beyond the tables, by function and columns (P3, P12 with the current time, P17 and P18 of
/// docs/conformance.md); and calls of OpenModelica, whose runtime is in event mode until the first event.
const TOLERATED: [(&str, &[&str]); 8] = [
    ("GetReal", &["inst"]),
    ("GetInteger", &["inst"]),
    ("GetBoolean", &["inst"]),
    ("GetString", &["inst"]),
    ("SetTime", &["inst", "init"]),
    ("Terminate", &["init", "term"]),
    ("SetContinuousStates", &["event"]),
    ("CompletedIntegratorStep", &["event"]),
];

/// Returns true if a function beside FMI may be called in the state of a column: evaluation with other inputs, or
/// results that change nothing.
pub fn allows_beside(function: &str, column: &str) -> bool {
    let columns: &[&str] = match function {
        "mechanics_linear" => &["init", "sC", "event", "cont"],
        "mechanics_sensitivity" | "mechanics3_sensitivity" => &["event", "cont"],
        _ => &["sC", "event", "cont", "term"],
    };
    columns.contains(&column)
}

/// Getters for each type of variables of FMI 3.0.
const GET: &str = "GetFloat32 GetFloat64 GetInt8 GetUInt8 GetInt16 GetUInt16 GetInt32 GetUInt32 \
    GetInt64 GetUInt64 GetBoolean GetString GetBinary";
const SET: &str = "SetFloat32 SetFloat64 SetInt8 SetUInt8 SetInt16 SetUInt16 SetInt32 SetUInt32 \
    SetInt64 SetUInt64 SetBoolean SetString SetBinary";

/// The functions for intervals of clocks, of which there are none: only without value references there is nothing to refuse.
const INTERVALS: &str = "GetIntervalDecimal GetIntervalFraction GetShiftDecimal GetShiftFraction SetIntervalDecimal \
    SetIntervalFraction SetShiftDecimal SetShiftFraction";

/// Functions that may be called in the state of a column: in both interfaces, in Co-Simulation, in Model Exchange.
type InState = (&'static str, &'static [&'static str], &'static [&'static str], &'static [&'static str]);

/// Functions that FMI 3.0.2 allows in all states (section 2.3.1), and in each (2.3.2 to 2.3.9, 3.2.1, 4.2.1).
/// Structural parameters are tunable, so there is reconfiguration mode.
const ALWAYS: &str = "SetDebugLogging Reset GetFMUState SetFMUState FreeFMUState SerializedFMUStateSize SerializeFMUState \
    DeserializeFMUState";
const DERIVATIVES: &str =
    "GetDirectionalDerivative GetAdjointDerivative GetNumberOfVariableDependencies GetVariableDependencies";
const STATES: &str =
    "GetContinuousStateDerivatives GetContinuousStates GetNominalsOfContinuousStates GetEventIndicators";
const SIZES: &str = "GetNumberOfContinuousStates GetNumberOfEventIndicators";
const FMI_3: [InState; 9] = [
    ("inst", &[SET, "EnterConfigurationMode", "EnterInitializationMode"], &[], &[SIZES]),
    ("conf", &["SetUInt64", "ExitConfigurationMode"], &[], &[]),
    ("reconf", &["SetUInt64", "ExitConfigurationMode", "Terminate"], &[], &[]),
    ("init", &[SET, GET, DERIVATIVES, "ExitInitializationMode"], &[], &[STATES]),
    (
        "event",
        &[SET, GET, "GetClock", DERIVATIVES, "EvaluateDiscreteStates", "UpdateDiscreteStates", "Terminate"],
        &["EnterStepMode"],
        &[STATES, SIZES, "EnterContinuousTimeMode", "EnterConfigurationMode"],
    ),
    (
        "sC",
        &[],
        &[
            SET, GET, DERIVATIVES, "GetOutputDerivatives", "DoStep", "EnterEventMode", "EnterConfigurationMode",
            "Terminate",
        ],
        &[],
    ),
    (
        "cont",
        &[],
        &[],
        &[
            "SetFloat64", GET, DERIVATIVES, STATES, "SetTime", "SetContinuousStates", "CompletedIntegratorStep",
            "EnterEventMode", "Terminate",
        ],
    ),
    ("term", &[GET, DERIVATIVES], &["GetOutputDerivatives"], &[STATES]),
    ("upd", &[], &[GET, "SetFloat64 GetNumberOfVariableDependencies GetVariableDependencies"], &[]),
];

/// Functions that this project refuses inside a step, since the step could not go on from there.
const REFUSED_INSIDE_A_STEP: [(&str, &str); 2] = [("Reset", "upd"), ("SetFMUState", "upd")];

/// Functions that are tolerated beyond: as in FMI 2.0, queries that have an answer, and calls for types of which there
/// are no variables. After an error FMI 3.0 is in the state "terminated"; here it is a state as in FMI 2.0, in which
/// values can be read.
const TOLERATED_IN_FMI_3: [InState; 10] = [
    ("inst", &[GET, "GetClock", "SetClock", INTERVALS], &[], &["SetTime", "GetNominalsOfContinuousStates"]),
    ("conf", &["GetUInt64"], &[], &[]),
    ("reconf", &["GetUInt64"], &[], &[]),
    ("init", &["GetClock", "SetClock", INTERVALS, "Terminate"], &[], &["SetTime", SIZES]),
    (
        "event",
        &["SetClock", INTERVALS, "EnterEventMode"],
        &["GetOutputDerivatives"],
        &["SetTime", "SetContinuousStates", "CompletedIntegratorStep"],
    ),
    ("sC", &[], &["GetClock", "SetClock", INTERVALS], &[]),
    ("cont", &[], &[], &["GetClock", INTERVALS, SIZES]),
    ("term", &["GetClock", "Terminate"], &[], &[SIZES]),
    ("err", &[GET, "GetClock"], &[], &[SIZES]),
    ("upd", &[], &["GetClock", "GetOutputDerivatives"], &[]),
];

/// The table of one interface, with true if a function, without its prefix, may be called in the state of a column.
pub struct Table(BTreeMap<(&'static str, &'static str), bool>);

impl Table {
    /// Makes the table of FMI 2.0, of Co-Simulation or of Model Exchange.
    pub fn of(co_simulation: bool) -> Self {
        let text = if co_simulation { CO_SIMULATION_TABLE } else { MODEL_EXCHANGE_TABLE };
        let mut lines = text.lines().filter(|line| !line.is_empty());
        let columns: Vec<_> = lines.next().unwrap().split_whitespace().collect();
        let mut cells = BTreeMap::new();
        for line in lines {
            let (function, row) = line.trim().split_once(' ').unwrap();
            let row: Vec<_> = row.split_whitespace().collect();
            assert_eq!(row.len(), columns.len(), "{function}");
            for (column, cell) in columns.iter().zip(row) {
                let tolerated = TOLERATED.iter().any(|(name, columns)| *name == function && columns.contains(column));
                cells.insert((function, *column), cell != "-" || tolerated);
            }
        }
        Self(cells)
    }

    /// Makes the table of FMI 3.0, of Co-Simulation or of Model Exchange.
    pub fn of_fmi_3(co_simulation: bool) -> Self {
        let states = || FMI_3.iter().chain(&TOLERATED_IN_FMI_3);
        let columns: Vec<_> = states().map(|(column, ..)| *column).collect();
        let always = columns.iter().map(|column| (*column, ALWAYS));
        let in_states = states().flat_map(|(column, both, co_simulation_only, model_exchange_only)| {
            let own = if co_simulation { co_simulation_only } else { model_exchange_only };
            both.iter().chain(*own).map(move |functions| (*column, *functions))
        });
        let mut cells = BTreeMap::new();
        for (column, functions) in always.chain(in_states) {
            for name in functions.split_whitespace() {
                columns.iter().for_each(|column| _ = cells.entry((name, *column)).or_insert(false));
                cells.insert((name, column), true);
            }
        }
        REFUSED_INSIDE_A_STEP.iter().for_each(|cell| _ = cells.insert(*cell, false));
        Self(cells)
    }

    /// Returns the functions of the interface.
    pub fn functions(&self) -> Vec<&'static str> {
        let mut names: Vec<_> = self.0.keys().map(|(function, _)| *function).collect();
        names.dedup();
        names
    }

    /// Returns true if a function may be called in the state of a column, with some arguments at least; nothing where
    /// the interface does not have it.
    pub fn allows(&self, function: &str, column: &str) -> Option<bool> {
        self.0.get(&(function, column)).copied()
    }
}
