//! Finds the rubber of a bushing from measurements: Maxwell elements and friction from dynamic stiffness and loss angle over
//! frequency, at several amplitudes.

mod configuration;
mod law;
mod measured;
mod search;

pub use configuration::configuration;
pub use law::Law;
pub use measured::{Axes, AxisKind, Measured, Row};
pub use search::{Fit, FitOptions, MAX_DEVIATION, MAX_STANDARD_ERROR, fit};
