//! Rings of joints: which joints close them.
//!
//! The other joints are a tree, whose coordinates are states. Joints that are wanted there come first: those with parts at
//! their axes, with given motions or with start values. Of the others, one with the fewest conditions closes a ring, and of
//! these the last one in the file. `closes = true` chooses another.

use std::collections::BTreeSet;
use std::ops::Range;

use fmu_runtime::Scalar;
use mechanics::disjoint_sets::DisjointSets;
use mechanics::drivetrain::{Drivetrain, Preference};
use mechanics::null_space::NullSpace;
use mechanics::tree::{Element, JointKind, Tree};
use mechanics::value;

use super::drivetrain::PartScalar;
use super::mechanism::{closing, list, replaced};
use super::wiring::{NamedPart, Place, Wiring, has_position};
use crate::MULTIBODY;
use crate::part::View;
use crate::real::Real;

/// Returns the joints that close rings.
pub fn cuts(parts: &[NamedPart], nodes: &[Vec<usize>], wiring: &Wiring, view: View<'_, Real>) -> BTreeSet<Place> {
    let mut cuts = BTreeSet::new();
    if !MULTIBODY {
        return cuts;
    }
    let ground = wiring.frame_count;
    let mut tied = DisjointSets::new(ground + 1);
    let mut joints = Vec::new();
    for (i, NamedPart { part, .. }) in
        parts.iter().enumerate().filter(|(_, named)| named.part.properties().is_multibody)
    {
        let frames = &wiring.frames[i];
        if wiring.free_bodies[i] {
            tied.join(frames[0], ground);
        }
        let elements = Real::of(&**part).elements(view, wiring.offsets[i]);
        let is_single = elements.iter().filter(|element| matches!(element, Element::Joint { .. })).count() == 1;
        for (own, element) in elements.into_iter().enumerate() {
            match element {
                Element::World { frame, .. } | Element::Fixed { frame, .. } => tied.join(frames[frame], ground),
                Element::Rigid { frames: [one, other], .. } => tied.join(frames[one], frames[other]),
                Element::Assembly { frames: own, .. } => {
                    let inner = [own.ia, Some(own.ib), own.im].into_iter().flatten();
                    inner.for_each(|frame| tied.join(frames[frame], ground));
                }
                Element::Joint { frames: [one, other], joint } => {
                    let is_wanted = !(is_single && can_follow(&parts[i]))
                        || is_used(i, parts, nodes)
                        || has_start(&parts[i], wiring, i, view);
                    let freedom = joint.kind.count();
                    joints.push(((!is_wanted, freedom, i, own), joint.kind, [frames[one], frames[other]]));
                }
                Element::Ring { .. } | Element::Body { .. } | Element::Load { .. } | Element::Rotor { .. } => {}
            }
        }
    }
    joints.sort_by_key(|(order, ..)| *order);
    for ((_, _, part, own), kind, [one, other]) in joints {
        if tied.of(one) != tied.of(other) {
            tied.join(one, other);
        } else if kind != JointKind::Free
            && can_follow(&parts[part])
            && Real::of(&*parts[part].part).elements(view, wiring.offsets[part]).len() == 1
        {
            cuts.insert((part, own));
        }
    }
    cuts
}

/// True if the motion of a part's joint may follow from that of others: it is not given.
fn can_follow(named: &NamedPart) -> bool {
    named.part.own_positions().iter().all(|own| *own == Preference::Preferred)
}

/// True if another part is at a flange of a part.
fn is_used(part: usize, parts: &[NamedPart], nodes: &[Vec<usize>]) -> bool {
    let connectors = parts[part].part.connectors();
    let flanges = nodes[part].iter().zip(connectors).filter(|(_, (_, kind))| has_position(*kind));
    let is_shared = |node: &usize| nodes.iter().enumerate().any(|(i, others)| i != part && others.contains(node));
    flanges.map(|(node, _)| node).any(is_shared)
}

/// True if start values of a part are guessed or enforced.
fn has_start(named: &NamedPart, wiring: &Wiring, i: usize, view: View<'_, Real>) -> bool {
    let wanted = Real::of(&*named.part).initial_conditions(view, wiring.offsets[i], false);
    wanted.iter().any(|wanted| wanted.initial != fmu_runtime::InitialValue::ignore)
}

/// Returns those of a part's positions that follow from others, since a joint of the part closes a ring.
pub fn following(part: usize, parts: &[NamedPart], wiring: &Wiring, view: View<'_, Real>) -> Vec<usize> {
    if !MULTIBODY || !parts[part].part.properties().is_multibody {
        return Vec::new();
    }
    let elements = Real::of(&*parts[part].part).elements(view, wiring.offsets[part]).into_iter().enumerate();
    let closing = elements.filter_map(|(own, element)| {
        let element = if wiring.cuts.contains(&(part, own)) { closing(element) } else { element };
        let Element::Ring { closing, .. } = element else { return None };
        closing.joint
    });
    closing.flat_map(|joint| joint.position..joint.position + joint.kind.count()).collect()
}

/// A ring, as the equations treat it.
#[derive(Clone, Debug)]
pub struct RingPlace {
    /// The block of the mass matrix with the coordinates of the ring, or their cluster of articulated bodies, none if only given
    /// ones move it.
    pub block: Option<usize>,
    /// Number of the ring's first condition among those of the block.
    pub first: usize,
    /// Number of conditions.
    pub rows: usize,
    /// Coordinates of the joint that closes it.
    pub following: Vec<usize>,
    /// The minor that shows its passages through singular positions, once parameters are known.
    pub minor: Option<Minor>,
}

/// Conditions of a ring, as many as are independent, and as many of its coordinates, which follow from its others: the
/// determinant of these conditions by these coordinates vanishes where the ring is singular.
#[derive(Clone, Debug)]
pub struct Minor {
    /// Conditions, numbered as those of the block.
    pub conditions: Vec<usize>,
    /// Coordinates that follow, numbered as those of the block.
    pub coordinates: Vec<usize>,
    /// All coordinates of the ring, numbered as those of the block.
    pub moved: Vec<usize>,
    /// The determinant where the ring is most regular.
    pub usual: f64,
    /// Regularity of the ring there.
    pub regularity: f64,
}

impl Minor {
    /// Chooses conditions and coordinates where a ring is that has these conditions of a block, of which one counts as
    /// dependent below a fraction of the largest pivot.
    pub fn new(block: &mut NullSpace<Real>, rows: Range<usize>, dependent: f64) -> Option<Self> {
        let entry = |row: usize, k: usize| block.columns()[(k, row)];
        let moved: Vec<_> =
            (0..block.count()).filter(|k| rows.clone().any(|row| value(entry(row, *k)) != 0.0)).collect();
        let of_ring = |rank: usize| {
            let mut space = NullSpace::new(moved.len(), rows.len(), rank);
            let entries = rows.clone().enumerate().flat_map(|(i, row)| (0..moved.len()).map(move |k| (i, row, k)));
            entries.for_each(|(i, row, k)| space.add(i, k, entry(row, moved[k])));
            space.decompose();
            space
        };
        let rank = of_ring(usize::MAX).rank_above(dependent);
        if rank == 0 {
            return None;
        }
        let space = of_ring(rank);
        // Those that move most lead the others.
        let mut free = NullSpace::new(space.directions(), moved.len(), usize::MAX);
        let entries = (0..moved.len()).flat_map(|k| (0..space.directions()).map(move |j| (k, j)));
        entries.for_each(|(k, j)| free.add(k, j, space.free(k, j)));
        free.decompose();
        let follows = |k: &usize| !free.independent().contains(k);
        let coordinates: Vec<_> = (0..moved.len()).filter(follows).map(|k| moved[k]).collect();
        let conditions: Vec<_> = space.independent().iter().map(|i| rows.start + i).collect();
        let usual = value(block.minor(&conditions, &coordinates));
        Some(Self { conditions, coordinates, moved, usual, regularity: space.regularity(rank) })
    }
}

/// A block of the mass matrix, or a cluster of articulated bodies, with rings.
#[derive(Clone, Debug)]
pub struct RingBlock {
    /// Number of the block.
    pub block: usize,
    /// Its coordinates, in rising order.
    pub coordinates: Vec<usize>,
    /// Number of its conditions.
    pub rows: usize,
    /// Number of those that are independent.
    pub rank: usize,
    /// [Regularity](mechanics::null_space::NullSpace::regularity) of a usual position: the largest one at the start and beside it.
    pub regularity: f64,
}

impl RingBlock {
    /// True if its coordinates are among those that are marked: all of a block are, or none.
    pub fn is_among(&self, marked: &[bool]) -> bool {
        self.coordinates.first().is_some_and(|k| marked[*k])
    }
}

/// The rings of a system.
#[derive(Clone, Debug, Default)]
pub struct Rings {
    /// Each ring.
    pub places: Vec<RingPlace>,
    /// The blocks of the mass matrix with rings.
    pub blocks: Vec<RingBlock>,
}

impl Rings {
    /// Returns the block of a ring.
    pub fn block_of(&self, place: &RingPlace) -> Option<&RingBlock> {
        self.blocks.iter().find(|own| Some(own.block) == place.block)
    }

    /// Finds the places of the rings of a mechanism.
    pub fn new<T: Scalar>(tree: &Tree<T>, train: &Drivetrain<T>) -> Self {
        let mut rings = Self::default();
        for ring in tree.rings() {
            let block = tree.in_ring(ring).find_map(|position| train.block_at(position));
            let rows = ring.rows();
            let mut first = 0;
            if let Some((block, coordinates)) = &block {
                match rings.blocks.iter_mut().find(|known| known.block == *block) {
                    Some(known) => {
                        first = known.rows;
                        known.rows += rows;
                        known.rank += rows;
                    }
                    None => rings.blocks.push(RingBlock {
                        block: *block,
                        coordinates: coordinates.clone(),
                        rows,
                        rank: rows,
                        regularity: 1.0,
                    }),
                }
            }
            let (position, count) = ring.following().unwrap_or_default();
            let coordinate = |i: usize| train.coordinates().iter().position(|own| *own == position + i);
            let following = (0..count).filter_map(coordinate).collect();
            rings.places.push(RingPlace { block: block.map(|(block, _)| block), first, rows, following, minor: None });
        }
        rings
    }
}

/// Number of conditions of a planar ring that are independent.
const PLANAR: usize = 2;

/// Describes rings with redundant conditions, and assemblies that are faster.
pub fn ring_notes(tree: &Tree<Real>, rings: &Rings, parts: &[NamedPart], wiring: &Wiring) -> Vec<String> {
    let mut notes = Vec::new();
    for block in rings.blocks.iter().filter(|block| block.rank < block.rows) {
        let own = || tree.rings().iter().zip(&rings.places).filter(|(_, place)| place.block == Some(block.block));
        let quoted = |element: usize| format!("\"{}\"", parts[wiring.elements[element]].name);
        let names: Vec<_> = own().map(|(ring, _)| quoted(ring.element)).collect();
        let close = if names.len() == 1 { "closes a ring" } else { "close rings" };
        let redundant = block.rows - block.rank;
        let rolls = own().any(|(ring, _)| ring.rolls());
        let example = if rolls { "as of two wheels on an axle" } else { "as in a planar ring" };
        let mut note = format!(
            "{} {close} of which {redundant} of {} conditions follow from others, {example}: loads along them are the \
             least ones",
            list(&names),
            block.rows
        );
        if let ([_], true) = (names.as_slice(), block.rank == PLANAR)
            && let Some((assembly, joints)) =
                own().find_map(|(ring, _)| replaced(&tree.around(ring), |element| wiring.elements[element]))
        {
            note += &format!("; a {assembly} in place of {} is faster", list(&joints.map(quoted)));
        }
        notes.push(note);
    }
    notes
}
