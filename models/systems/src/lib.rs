//! Systems: connected parts as one component; `docs/systems.md` describes the configuration.

mod coordinate_derivatives;
mod dead_centre;
mod drivetrain;
mod equations;
mod initial;
mod initial_newton;
mod look;
mod mechanism;
mod model;
mod no_effect;
pub mod part;
pub mod parts;
mod relative;
mod row_overrides;
mod shared;
mod signals;
mod space;
mod sparsity;
mod stability;
mod steady;
mod topology;
mod visible_frames;
mod wiring;

pub use model::system;

// Reexported for macros.
#[doc(hidden)]
pub use fmu_runtime;

/// True if parts in space are supported. Code that only they need is left out of a library without them.
const MULTIBODY: bool = cfg!(feature = "space");
