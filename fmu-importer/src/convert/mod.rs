//! Property files of multibody programs, and measured hysteresis loops, become configurations.

mod bus;
mod bushing;
mod gbs;
mod hysteresis;
mod looped;
mod teim_orbit;
mod units;

pub use bus::bushing as bus;
pub use bushing::Bushing;
pub use gbs::bushing as gbs;
pub use looped::Loop;
pub use teim_orbit::{Block, blocks};
