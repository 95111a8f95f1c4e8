//! Robots in the Unified Robot Description Format (.urdf) become systems.

mod collada;
mod draw;
mod joints;
mod mesh;
mod names;
mod robot;
mod system;
mod text;
mod tree;
mod visual;
mod xml;

pub use mesh::Packages;
pub use system::system;
