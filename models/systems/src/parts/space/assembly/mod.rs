//! Assemblies of joints that close loops. Parameters and kinematics are those of the components of the same names.
//!
//! A kind of assembly ([`AssemblyKind`](part::AssemblyKind)) has rods and a driven joint at frame_b.

mod drive;
mod line;
mod part;
mod planar;
mod rods;
mod spherical;
mod telescope;
mod universal;

use crate::part::{AnyPart, Typed};
use part::AssemblyType;

/// Returns all types of assemblies, with default options.
pub fn types() -> [Box<dyn AnyPart>; 9] {
    [
        Box::<Typed<AssemblyType<planar::Rrp>>>::default(),
        Box::<Typed<AssemblyType<planar::Rrr>>>::default(),
        Box::<Typed<AssemblyType<universal::Usr>>>::default(),
        Box::<Typed<AssemblyType<universal::Usp>>>::default(),
        Box::<Typed<AssemblyType<spherical::Ssr>>>::default(),
        Box::<Typed<AssemblyType<spherical::Ssp>>>::default(),
        Box::<Typed<AssemblyType<telescope::Ups>>>::default(),
        Box::<Typed<AssemblyType<line::WithMass>>>::default(),
        Box::<Typed<AssemblyType<line::WithTwoMasses>>>::default(),
    ]
}
