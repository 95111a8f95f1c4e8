//! The joint assemblies against forward kinematics, differences, virtual power and published data.

mod balance;
mod closure;
mod differences;
mod mechanism;
mod planar;
mod published;
