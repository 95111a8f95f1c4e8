//! Systems: connected parts as one component.

mod equations;
mod model;
pub mod part;
pub mod parts;
mod topology;

pub use model::system;
