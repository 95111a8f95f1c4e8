//! Property files of multibody programs become configurations.

mod bus;
mod bushing;
mod gbs;
mod teim_orbit;
mod units;

pub use bus::bushing as bus;
pub use bushing::Bushing;
pub use gbs::bushing as gbs;
pub use teim_orbit::{Block, blocks};
