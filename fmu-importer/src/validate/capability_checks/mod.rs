//! Tests of the capabilities that an FMU claims: each is used once, and its result compared.

mod completed_steps;
mod dependencies;
mod derivatives;
mod discrete_states;
mod events;
mod instances;
mod nominals;
mod output_derivatives;
mod probe;
mod states;
mod steps;
mod updates;

use std::sync::Arc;

use anyhow::Result;

use super::finding::{Finding, Severity};
use crate::load::{Fmu, Interface, Loaded};

/// The types of FMI 2.0 on this computer.
const TYPES_PLATFORM: &str = "default";

/// Tries one capability. A failing call is the FMU's error.
type Check = fn(&Loaded) -> Result<Option<Finding>>;

/// The capabilities of both interfaces, by their attributes in the description, with their tests.
const OF_BOTH: [(&str, Check); 9] = [
    ("canGetAndSetFMUstate", states::saved),
    ("canSerializeFMUstate", states::serialized),
    ("providesDirectionalDerivative", derivatives::check),
    // In FMI 3.0, the attributes have other names, and there are more.
    ("canGetAndSetFMUState", states::saved),
    ("canSerializeFMUState", states::serialized),
    ("providesDirectionalDerivatives", derivatives::check),
    ("providesAdjointDerivatives", derivatives::check_adjoint),
    ("providesEvaluateDiscreteStates", discrete_states::evaluated),
    ("providesPerElementDependencies", dependencies::check),
];
/// The capabilities of Co-Simulation.
const OF_CO_SIMULATION: [(&str, Check); 5] = [
    ("canHandleVariableCommunicationStepSize", steps::divided),
    ("canInterpolateInputs", steps::interpolated),
    ("hasEventMode", events::check),
    ("providesIntermediateUpdate", updates::values_inside),
    ("canReturnEarlyAfterIntermediateUpdate", updates::early_return),
];

fn nominals(loaded: &Loaded) -> &'static str {
    if loaded.is_of_fmi_3() { "fmi3GetNominalsOfContinuousStates" } else { "fmi2GetNominalsOfContinuousStates" }
}

/// Tries the capabilities that an interface claims. `trying` is told before each, in case the process ends by it.
pub fn check(
    fmu: &Arc<Fmu>,
    interface: Interface,
    found: &mut impl FnMut(Severity, String),
    trying: &mut impl FnMut(&str),
) -> Result<()> {
    let loaded = fmu.load(interface)?;
    let platform = loaded.types_platform();
    if !loaded.is_of_fmi_3() && platform != TYPES_PLATFORM {
        found(Severity::Error, format!("fmi2GetTypesPlatform returns \"{platform}\" instead of \"{TYPES_PLATFORM}\""));
    }
    let of_co_simulation = OF_CO_SIMULATION.iter().filter(|_| interface == Interface::CoSimulation);
    let claimed = OF_BOTH.iter().chain(of_co_simulation).filter(|(flag, _)| loaded.flag(flag)).copied();
    let mut checks: Vec<(&str, Check)> = claimed.collect();
    match interface {
        Interface::CoSimulation if loaded.output_derivative_order() > 0 => {
            checks.push(("maxOutputDerivativeOrder", output_derivatives::check));
        }
        Interface::CoSimulation => {}
        Interface::ModelExchange => {
            checks.push((nominals(&loaded), nominals::check));
            if let Some(claim) = loaded.needs_no_completed_steps() {
                checks.push((claim, completed_steps::not_needed));
            }
        }
    }
    if !loaded.flag("canBeInstantiatedOnlyOncePerProcess") {
        checks.push(("two instances at the same time", instances::check));
    }
    for (claim, check) in checks {
        trying(&format!("{claim} of {}", interface.name()));
        match check(&loaded) {
            Ok(None) => {}
            Ok(Some(Finding { severity, text })) => found(severity, format!("{claim}: {text}")),
            Err(error) => found(Severity::Error, format!("{claim}: {error:#}")),
        }
    }
    trying("");
    Ok(())
}
