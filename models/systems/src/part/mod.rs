//! Parts of a system: rows, positions, relations between these, loads.

mod capabilities;
mod equations;
mod kinds;
mod part_type;
pub(crate) mod relative;
pub(crate) mod row_overrides;
mod typed;

pub use capabilities::{
    ActsOnFrames, Assembly, Block, Capabilities, Events, FrictionElement, Initialise, Loads, Memory, Mount, Multibody,
    Passage,
};
pub use equations::{
    Arrays, Blocked, ElementLaw, EventPoint, FrictionEvent, FrictionPair, FrictionSolution, InitialCondition,
    Kinematics, Part, PartData, Solution, Space, View,
};
pub(crate) use kinds::kinds;
pub use mechanics::drivetrain::{Compliance, Preference, Relation};
pub use mechanics::frame::Load;
pub use mechanics::friction::LawBranch;
pub use mechanics::motion::Motion;
pub use mechanics::tree::{AssemblyBranch, Element, Pose};
pub use part_type::{Compliant, PartType, Properties, Thermal};
pub use typed::{AnyPart, Counter, Evaluate, EvaluateInSpace, InSpace, Typed};
