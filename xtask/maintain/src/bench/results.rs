//! All that is measured.

use std::collections::BTreeMap;

use anyhow::Result;

use super::archives::Small;
use super::arrays::Arrays;
use super::harness::Measured;
use super::peers::{Built, Peer};
use super::plain::Pair;
use super::trains::Train;

/// All measurements.
pub struct Results {
    pub machine: Vec<(&'static str, String)>,
    /// The components, by the names of their files.
    pub components: BTreeMap<String, Measured>,
    /// Some of them beside plain C.
    pub pairs: Vec<Pair>,
    pub trains: Vec<Train>,
    /// The components in FMI 3.0.
    pub arrays: Vec<Arrays>,
    /// Archives with a compiled standard library, or why there are none.
    pub small: Result<BTreeMap<String, Small>>,
    /// Ours first.
    pub peers: Vec<(&'static Peer, Result<(Built, Measured)>)>,
    /// The table and the text below the picture.
    pub engagement: String,
}
