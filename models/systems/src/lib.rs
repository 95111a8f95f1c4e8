//! Systems: connected parts as one component; `docs/systems.md` describes the configuration.

mod along;
mod approach;
mod changed;
mod dead_centre;
mod drawn;
mod drivetrain;
mod equations;
mod influences;
mod initial;
mod look;
mod mechanism;
mod model;
pub mod part;
pub mod parts;
mod relative;
mod shared;
mod signals;
mod space;
mod stability;
mod steady;
mod topology;
mod wiring;

pub use model::system;

// For macros.
#[doc(hidden)]
pub use fmu_runtime;

/// Whether there are parts in space. What only they need is left out of a library without them.
const MULTIBODY: bool = cfg!(feature = "space");
