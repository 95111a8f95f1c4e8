//! Integration of states from their derivatives and event indicators.
//!
//! The states are integrated with error control: by Dormand and Prince's explicit method where that suffices,
//! by an L-stable Rosenbrock method where the equations are stiff. State events are located on the dense output,
//! time events are met exactly. [`Integrator`](integrator::Integrator) moves the states of any
//! [`System`](system::System): those of a component in an FMU, and of a finished FMU for Model Exchange in an importer.

pub mod crossing;
pub mod dense;
pub mod difference;
pub mod explicit;
pub mod integrator;
pub mod kept;
mod knowledge;
pub mod linear;
pub mod open_step;
pub mod progress;
pub mod rosenbrock;
pub mod short;
mod single_step;
mod step;
pub mod step_size;
pub mod system;
#[cfg(test)]
mod tests;
