//! Systems: connected parts as one component; `docs/systems.md` describes the configuration.

mod equations;
mod initialization;
mod model;
pub mod part;
pub mod parts;
mod real;
mod topology;

pub use model::system;

// Reexported for macros.
#[doc(hidden)]
pub use fmu_runtime;

/// True if parts in space are supported. Code that only they need is left out of a library without them.
const MULTIBODY: bool = cfg!(feature = "space");
