//! How runs are differentiated by parameters: exactly, where the FMU can do that, and by differences elsewhere.

use std::sync::Arc;

use anyhow::Result;

use super::experiment::Experiment;
use crate::load::{Fmu, Interface};
use crate::simulate::simulation::Simulation;

/// The way in which runs are differentiated.
pub enum Differentiation {
    /// Runs in Model Exchange are differentiated, one for each experiment.
    Exact {
        simulations: Vec<Arc<Simulation>>,
        /// True if the derivatives have been compared with differences.
        is_compared: bool,
    },
    /// Differences of runs, for this reason if the FMU might have derivatives.
    Differences(Option<String>),
}

impl Differentiation {
    /// Differentiates the runs of experiments exactly if an FMU offers what that needs.
    pub fn of(fmu: &Arc<Fmu>, experiments: &[Experiment]) -> Result<Self> {
        if Interface::ModelExchange.of(fmu.model()).is_none() {
            return Ok(Self::Differences(None));
        }
        if experiments.iter().any(|experiment| experiment.input.is_some()) {
            return Ok(Self::Differences(Some("an experiment is over frequency".to_owned())));
        }
        // The library of this interface may be for other platforms only.
        let Ok(loaded) = fmu.load(Interface::ModelExchange) else { return Ok(Self::Differences(None)) };
        if !(loaded.has_directional_derivatives() && loaded.has_sensitivity()) {
            return Ok(Self::Differences(None));
        }
        let simulations = experiments.iter().map(|experiment| Arc::new(experiment.simulation.through(&loaded)));
        Ok(Self::Exact { simulations: simulations.collect(), is_compared: false })
    }

    /// Turns to differences, since there are no derivatives of these runs.
    pub fn refused(error: &anyhow::Error) -> Self {
        Self::Differences(Some(format!("{error:#}")))
    }

    /// Turns to differences, since the derivatives by a parameter are other ones.
    pub fn differing(name: &str) -> Self {
        Self::Differences(Some(format!("the exact ones by `{name}` are not the same as these")))
    }

    /// Returns a line on the derivatives.
    pub fn note(&self) -> String {
        match self {
            Self::Exact { .. } => "(exact derivatives of the runs)".to_owned(),
            Self::Differences(None) => "(differences of runs for derivatives)".to_owned(),
            Self::Differences(Some(reason)) => format!("(differences of runs for derivatives: {reason})"),
        }
    }
}
