//! Which call is legal in which state, by the checklist of FMI 2.0.
//!
//! This is independent of the implementation, whose own table is `fmu_runtime::lifecycle`; fuzzing uses it, too.

use std::collections::BTreeMap;

/// Tables 2.1 and 2.2 of the checklist. `+` allowed, `-` not allowed; the digits are its footnotes, which allow the
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

/// What section 11 tolerates beyond the tables, by function and columns: P3, P12 (the current time), P17 and P18; and what
/// OpenModelica calls, whose runtime is in event mode until the first event.
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

/// Whether a function beside FMI may be called in the state of a column: evaluation with other inputs, or results that change
/// nothing.
pub fn allows_beside(function: &str, column: &str) -> bool {
    let columns: &[&str] = match function {
        "mechanics_linear" => &["init", "sC", "event", "cont"],
        _ => &["sC", "event", "cont", "term"],
    };
    columns.contains(&column)
}

/// The table of one interface: a cell for each function, without its prefix, and column.
pub struct Table(BTreeMap<(&'static str, &'static str), &'static str>);

impl Table {
    /// The table of Co-Simulation or of Model Exchange.
    pub fn of(co_simulation: bool) -> Self {
        let text = if co_simulation { CO_SIMULATION_TABLE } else { MODEL_EXCHANGE_TABLE };
        let mut lines = text.lines().filter(|line| !line.is_empty());
        let columns: Vec<_> = lines.next().unwrap().split_whitespace().collect();
        let mut cells = BTreeMap::new();
        for line in lines {
            let (function, row) = line.trim().split_once(' ').unwrap();
            let row: Vec<_> = row.split_whitespace().collect();
            assert_eq!(row.len(), columns.len(), "{function}");
            cells.extend(columns.iter().zip(row).map(|(column, cell)| ((function, *column), cell)));
        }
        Self(cells)
    }

    /// The functions of the interface.
    pub fn functions(&self) -> Vec<&'static str> {
        let mut names: Vec<_> = self.0.keys().map(|(function, _)| *function).collect();
        names.dedup();
        names
    }

    /// Whether a function may be called in the state of a column, with some arguments at least; nothing where the
    /// interface does not have it.
    pub fn allows(&self, function: &str, column: &str) -> Option<bool> {
        let cell = self.0.get(&(function, column))?;
        let tolerated = TOLERATED.iter().any(|(name, columns)| *name == function && columns.contains(&column));
        Some(*cell != "-" || tolerated)
    }
}
