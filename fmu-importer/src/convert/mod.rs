//! Property files of multibody programs, measured hysteresis loops, and robots become configurations.

mod bus;
mod bushing;
mod gbs;
mod hysteresis;
mod looped;
mod teim_orbit;
mod units;
mod urdf;

pub use bus::bushing as bus;
pub use bushing::Bushing;
pub use gbs::bushing as gbs;
pub use looped::Loop;
pub use teim_orbit::{Block, blocks};
pub use urdf::{Packages, system as robot};
