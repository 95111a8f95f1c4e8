//! Where assemblies are among articulated bodies.

/// The place of an assembly among articulated bodies.
#[derive(Clone, Debug, Default)]
pub(super) struct AssemblyPlace {
    /// The link that carries both ends, none for the world.
    pub base: Option<usize>,
    /// Its links, then its point masses, which have numbers behind those of all links.
    pub bodies: Vec<usize>,
    /// Positions that move the ends with respect to the base.
    pub movers: Vec<Mover>,
    /// Number of the axis of the first body by the first mover; those of other bodies by the same one follow.
    pub axes: usize,
}

/// A position whose velocity moves the ends of an assembly with respect to the base.
#[derive(Clone, Debug)]
pub(super) struct Mover {
    pub position: usize,
    /// The links that it moves: behind which end each of them is, its number, and that of its axis.
    pub links: Vec<(usize, usize, usize)>,
}

/// A way from one of two links to the other: links whose joints are on it, with true for those behind which the second one is.
pub(super) type Path = Vec<(usize, bool)>;
