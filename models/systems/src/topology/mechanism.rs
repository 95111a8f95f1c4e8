//! The mechanism of the parts in space: from parts to a tree of links.

use fmu_runtime::Scalar;
use mechanics::disjoint_sets::DisjointSets;
use mechanics::tree::{Closing, Element, Joint, JointKind, Tree, TreeError, Workspace};
use nalgebra::Vector3;

use crate::MULTIBODY;
use crate::part::View;
use crate::real::Real;
use crate::topology::drivetrain::PartScalar;
use crate::topology::wiring::{NamedPart, Wiring, is_frame};

/// Turns a joint that closes a ring into its conditions.
pub fn closing<T: PartScalar>(element: Element<T>) -> Element<T> {
    match element {
        Element::Joint { frames, joint } => Element::Ring { frames, closing: Closing::of(joint) },
        other => other,
    }
}

/// Buffers of an evaluation with parts in space.
#[derive(Clone, Debug)]
pub struct SpaceBuffers<T: Scalar> {
    /// Motion and loads of the mechanism.
    pub workspace: Workspace<T>,
    /// For each position, the load that the joints there need without the accelerations of the free coordinates.
    pub bias: Vec<T>,
}

impl<T: Scalar> SpaceBuffers<T> {
    /// Allocates the buffers of a mechanism in a system with that many positions.
    pub fn new(tree: &Tree<T>, positions: usize, at_random: bool) -> Self {
        let mut workspace = tree.workspace();
        workspace.stretches = at_random;
        Self { workspace, bias: vec![T::zero(); positions] }
    }
}

/// Iterates over the parts in space, with their numbers.
fn in_space(parts: &[NamedPart]) -> impl Iterator<Item = (usize, &NamedPart)> {
    parts.iter().enumerate().filter(|(_, named)| MULTIBODY && named.part.properties().is_multibody)
}

/// Returns the elements of the mechanism, each with the number of its part.
pub fn elements<T: PartScalar>(
    parts: &[NamedPart],
    wiring: &Wiring,
    positions: &[Vec<usize>],
    view: View<'_, T>,
) -> Vec<(usize, Element<T>)> {
    let mut elements = Vec::new();
    for (i, NamedPart { part, .. }) in in_space(parts) {
        let (frames, positions) = (&wiring.frames[i], &positions[i]);
        if let (true, Some(world)) = (wiring.free_bodies[i], wiring.world) {
            let joint = Joint { kind: JointKind::Free, e: Vector3::zeros(), position: positions[0] };
            elements.push((i, Element::Joint { frames: [world, frames[0]], joint }));
        }
        for (own, element) in T::of(&**part).elements(view, wiring.offsets[i]).into_iter().enumerate() {
            let element = if wiring.cuts.contains(&(i, own)) { closing(element) } else { element };
            elements.push((i, element.renumbered(|frame| frames[frame], |position| positions[position])));
        }
    }
    elements
}

/// Returns the number of the world frame, and for each part, true if it moves freely: in each set of parts that joints
/// and rigid parts tie together, and nothing carries, the first one that can.
pub fn free_bodies(parts: &[NamedPart], wiring: &Wiring, view: View<'_, Real>) -> (Option<usize>, Vec<bool>) {
    let mut tied = DisjointSets::new(wiring.frame_count);
    let (mut world, mut carried) = (None, Vec::new());
    for (i, NamedPart { part, .. }) in in_space(parts) {
        let frames = &wiring.frames[i];
        for element in Real::of(&**part).elements(view, wiring.offsets[i]) {
            match element {
                Element::World { frame, .. } => {
                    world = Some(frames[frame]);
                    carried.push(frames[frame]);
                }
                Element::Fixed { frame, .. } => carried.push(frames[frame]),
                Element::Rigid { frames: [one, other], .. } | Element::Joint { frames: [one, other], .. } => {
                    tied.join(frames[one], frames[other]);
                }
                // The inner frames of an assembly follow from its outer frames, which it does not carry.
                Element::Assembly { frames: own, .. } => {
                    carried.extend([own.ia, Some(own.ib), own.im].into_iter().flatten().map(|frame| frames[frame]));
                }
                Element::Ring { .. } | Element::Body { .. } | Element::Load { .. } | Element::Rotor { .. } => {}
            }
        }
    }
    let mut is_carried = vec![false; wiring.frame_count];
    carried.into_iter().for_each(|frame| is_carried[tied.of(frame)] = true);
    let is_free = |(i, named): (usize, &NamedPart)| {
        named.part.properties().can_be_free && !std::mem::replace(&mut is_carried[tied.of(wiring.frames[i][0])], true)
    };
    (world, parts.iter().enumerate().map(is_free).collect())
}

/// Builds the mechanism of these elements between this number of frames, if there are any.
pub fn tree<T: PartScalar>(frames: usize, elements: Vec<(usize, Element<T>)>) -> Result<Option<Tree<T>>, TreeError> {
    let elements: Vec<_> = elements.into_iter().map(|(_, element)| element).collect();
    if elements.is_empty() || !MULTIBODY { Ok(None) } else { T::tree(frames, &elements).map(Some) }
}

/// Describes why parts in space are not a tree.
pub fn refuse(error: &TreeError, parts: &[NamedPart], wiring: &Wiring, elements: &[(usize, Element<Real>)]) -> String {
    let name = |element: usize| &parts[wiring.elements[element]].name;
    match error {
        TreeError::NoWorld => format!(
            "\"{}\" is a part in space, which needs a part of type World: connect it to the frame_b of one, directly or \
             through other parts",
            name(0)
        ),
        TreeError::Worlds(second) => format!("\"{}\" is a second World, but a system has only one", name(*second)),
        TreeError::Apart(element) if matches!(elements[*element].1, Element::Load { .. } | Element::Rotor { .. }) => {
            refuse_load(*element, parts, wiring)
        }
        TreeError::Apart(element) => format!(
            "\"{}\" is not connected to the world: connect it to the frame_b of the World, through joints or rigid parts, or \
             to a Body, which moves freely",
            name(*element)
        ),
        TreeError::OneEnd(element, end) => {
            let [known, other] = if *end == 0 { ["frame_a", "frame_b"] } else { ["frame_b", "frame_a"] };
            format!(
                "\"{}\" is connected to the world at {known}, but not at {other}: an assembly closes a loop, so both need a way \
                 to the world through other joints or rigid parts",
                name(*element)
            )
        }
        TreeError::Still(element) => format!(
            "frame_a and frame_b of \"{}\" are rigidly connected, so nothing in this assembly can move: put a joint between them",
            name(*element)
        ),
        TreeError::Through(closing, assembly) => format!(
            "\"{}\" closes a ring that leads through \"{}\": put joints in place of this assembly, or let another joint of the ring \
             close it by closes = true",
            name(*closing),
            name(*assembly)
        ),
        TreeError::Loop(through) => {
            let is_rigid = through.iter().all(|element| !moves(&elements[*element].1));
            refuse_loop(through.iter().map(|element| format!("\"{}\"", name(*element))), is_rigid)
        }
    }
}

/// Describes a load at a frame that no body carries.
fn refuse_load(element: usize, parts: &[NamedPart], wiring: &Wiring) -> String {
    let part = wiring.elements[element];
    let name = &parts[part].name;
    let frames = parts[part].part.connectors().into_iter().filter(|(_, kind)| is_frame(*kind));
    let own = element - wiring.first_elements[part];
    let connector = frames.map(|(connector, _)| connector).nth(own).unwrap_or_default();
    let node = wiring.frames[part][own];
    let meets = |i: usize, frames: &[usize]| i != part && frames.contains(&node);
    let others = wiring.frames.iter().enumerate().filter(|(i, frames)| meets(*i, frames));
    let others: Vec<_> = others.map(|(i, _)| format!("\"{}\"", parts[i].name)).collect();
    if others.is_empty() {
        return format!(
            "\"{name}\" acts at {connector} on nothing that is connected to the world: connect {connector} to a body, a joint, \
             a rigid part or the World"
        );
    }
    format!(
        "\"{name}\" meets {} at its {connector}, which nothing else carries: this point has no mass, so its motion does \
         not follow from forces; connect a Body to it, or a joint or a rigid part that carries it",
        list(&others)
    )
}

/// Describes a loop through parts, whose quoted names are given, that no joint closes.
fn refuse_loop(through: impl Iterator<Item = String>, is_rigid: bool) -> String {
    let mut names = Vec::new();
    for name in through {
        if !names.contains(&name) {
            names.push(name);
        }
    }
    match names.as_slice() {
        [one] if is_rigid => format!("{one} fixes a frame that is already fixed: connect it elsewhere or leave it out"),
        names if is_rigid => {
            format!("{} hold each other in a circle without joints: leave one of them out", list(names))
        }
        names => format!(
            "{} {} a loop in which no joint can follow from the others: put a Revolute, Prismatic or Spherical into it, \
             leave a joint out, or the part that closes the loop",
            list(names),
            if names.len() == 1 { "closes" } else { "close" }
        ),
    }
}

/// True if the element is a joint or an assembly, which can move.
fn moves(element: &Element<Real>) -> bool {
    matches!(element, Element::Joint { .. } | Element::Assembly { .. })
}

/// Finds three joints of a planar ring that follow one another, and the assembly that can take their place; `part` says of
/// which part each is.
pub fn replaced(joints: &[(usize, JointKind)], part: impl Fn(usize) -> usize) -> Option<(&'static str, [usize; 3])> {
    let count = joints.len();
    if count < 4 {
        return None;
    }
    let groups = || (1..count).chain([0]).map(|k| [0, 1, 2].map(|i| joints[(k + i) % count]));
    let of = |kinds: [JointKind; 3]| groups().find(|group| group.map(|(_, kind)| kind) == kinds);
    use JointKind::{Prismatic, Revolute};
    let sliding = of([Revolute, Revolute, Prismatic]).or_else(|| of([Prismatic, Revolute, Revolute]));
    let turning = || of([Revolute; 3]).map(|group| ("JointRRR", group));
    let (assembly, group) = sliding.map(|group| ("JointRRP", group)).or_else(turning)?;
    // A part with two joints is not a planar one.
    let is_single =
        |(element, _): &(usize, _)| joints.iter().filter(|(other, _)| part(*other) == part(*element)).count() == 1;
    group.iter().all(is_single).then(|| (assembly, group.map(|(element, _)| element)))
}

/// Joins words with commas and "and", as in a sentence.
pub fn list(names: &[String]) -> String {
    match names {
        [rest @ .., last] if !rest.is_empty() => format!("{} and {last}", rest.join(", ")),
        _ => names.concat(),
    }
}
