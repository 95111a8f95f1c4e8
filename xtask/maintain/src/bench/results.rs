//! The results of all measurements.

use std::collections::BTreeMap;

use anyhow::Result;

use super::archives::Small;
use super::arrays::Arrays;
use super::harness::Measured;
use super::multibody::Solved;
use super::peers::{Built, Peer};
use super::plain::Pair;
use super::steps::Cost;
use super::trains::Train;

/// All measurements.
pub struct Results {
    pub machine: Vec<(&'static str, String)>,
    /// Components, by the names of their files.
    pub components: BTreeMap<String, Measured>,
    /// Some of the components, each beside plain C.
    pub pairs: Vec<Pair>,
    pub trains: Vec<Train>,
    /// A drive train with its sources inside, at several communication steps and tolerances.
    pub steps: Vec<Cost>,
    /// The multibody benchmark.
    pub multibody: Vec<Solved>,
    /// Components in FMI 3.0.
    pub arrays: Vec<Arrays>,
    /// Archives with a compiled standard library, or the reason why there are none.
    pub small: Result<BTreeMap<String, Small>>,
    /// Tools with their FMUs, ours first.
    pub peers: Vec<(&'static Peer, Result<(Built, Measured)>)>,
    /// Table and text below the picture.
    pub engagement: String,
}
