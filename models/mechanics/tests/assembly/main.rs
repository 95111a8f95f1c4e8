//! The joint assemblies against second roads: forward kinematics, differences, virtual power, published data.

mod balance;
mod closure;
mod differences;
mod mechanism;
mod planar;
mod published;
