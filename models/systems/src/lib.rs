//! Systems: connected parts as one component; `docs/systems.md` describes the configuration.

mod equations;
mod initial;
mod model;
pub mod part;
pub mod parts;
mod selected;
mod topology;
mod train;
mod wiring;

pub use model::system;
