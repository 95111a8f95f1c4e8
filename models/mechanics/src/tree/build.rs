//! Building of the links of a tree from elements between frames.

use nalgebra::{Matrix3, Vector3};

use super::assembly_place::AssemblyPlace;
use super::element::{Body, Element, Rotor};
use super::gravity::Gravity;
use super::link::{Axis, Inertia, Link, MovedBy, turns};
use super::pose::Pose;
use super::ring::Ring;
use super::{Closure, Moved, Tree, Weight};
use crate::Scalar;

/// Reason why elements are not a tree; elements are given by their numbers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TreeError {
    /// There is no world.
    NoWorld,
    /// There are two worlds: this one is the second.
    Worlds(usize),
    /// This element is not connected to the world.
    Apart(usize),
    /// Only one of the outer frames of this assembly is connected to the world without it: frame_a (0) or frame_b (1).
    OneEnd(usize, usize),
    /// The outer frames of this assembly cannot move with respect to each other.
    Still(usize),
    /// These elements close a loop, in this order.
    Loop(Vec<usize>),
    /// This element closes a ring that leads through an assembly, the second one.
    Through(usize, usize),
}

/// Way in which a frame was reached: its link with its pose there, and the element that led to it with the frame before
/// it.
#[derive(Clone, Copy)]
struct Reached<T: Scalar> {
    link: Option<usize>,
    pose: Pose<T>,
    from: Option<(usize, usize)>,
}

/// A joint or assembly through which the tree is to be continued.
enum Edge {
    /// A joint: its number, the link and the frame before it, and true in `is_reversed` if that frame is its second
    /// one.
    Joint { element: usize, parent: Option<usize>, near: usize, far: usize, is_reversed: bool },
    /// An assembly whose outer frames are reached.
    Assembly(usize),
}

impl<T: Scalar> Tree<T> {
    /// Builds the mechanism of elements between frames, whose numbers are below `count`.
    ///
    /// # Errors
    ///
    /// Returns elements that are not connected to the world, or that close a loop.
    pub fn new(count: usize, elements: &[Element<T>]) -> Result<Self, TreeError> {
        let mut at: Vec<Vec<usize>> = vec![Vec::new(); count];
        for (i, element) in elements.iter().enumerate() {
            element.frames().for_each(|frame| at[frame].push(i));
        }
        let mut builder = Builder {
            elements,
            at,
            used: vec![false; elements.len()],
            reached: vec![None; count],
            edges: Vec::new(),
            links: Vec::new(),
            velocities: 0,
            closures: Vec::new(),
            given: Vec::new(),
            moved: vec![None; elements.len()],
        };
        let gravity = builder.begin()?;
        builder.traverse()?;
        let Builder { mut links, closures, given, reached, moved, .. } = builder;
        let is_reached = |frame: usize| reached[frame].is_some();
        for (i, element) in elements.iter().enumerate() {
            match element {
                Element::Assembly { frames, .. } if moved[i].is_none() => {
                    let end = frames.outer.iter().position(|frame| is_reached(*frame));
                    return Err(end.map_or(TreeError::Apart(i), |end| TreeError::OneEnd(i, end)));
                }
                _ => {}
            }
        }
        let apart = (0..elements.len()).filter(|i| !elements[*i].frames().all(is_reached));
        // An element that only acts on something disconnected is not the cause.
        if let Some(apart) = apart
            .min_by_key(|i| matches!(elements[*i], Element::Load { .. } | Element::Rotor { .. } | Element::Ring { .. }))
        {
            return Err(TreeError::Apart(apart));
        }
        let place = |frame: usize| {
            reached[frame].map_or((None, Pose::translation(Vector3::zeros())), |reached| (reached.link, reached.pose))
        };
        let mut weights = Vec::new();
        for (i, element) in elements.iter().enumerate() {
            let Element::Body { frame, body } = element else { continue };
            if let (Some(link), pose) = place(*frame) {
                let (m, r) = links[link].own.add_body(body, &pose);
                weights.push(Weight { element: i, link, m, r });
            }
        }
        let rotor = |element: &Element<T>| {
            let Element::Rotor { frame, rotor } = element else { return None };
            let (link, pose) = place(*frame);
            Some((link?, Rotor { e: pose.T.tr_mul(&rotor.e), ..*rotor }))
        };
        let rotors = elements.iter().filter_map(rotor).collect();
        let frames = (0..count).map(place).collect();
        let rings = Vec::new();
        let mut tree = Self { links, closures, given, frames, weights, gravity, moved, rotors, rings };
        tree.place_assemblies();
        for (i, element) in elements.iter().enumerate() {
            let Element::Ring { frames, closing } = element else { continue };
            let ends = frames.map(|frame| tree.frames[frame]);
            let (path, _) = tree.path(ends.map(|(link, _)| link));
            if let Some((assembly, _)) = path.iter().find_map(|(link, _)| tree.assembly_of(*link)) {
                return Err(TreeError::Through(i, assembly.element));
            }
            tree.moved[i] = Some(Moved::Ring(tree.rings.len()));
            tree.rings.push(Ring { element: i, ends, closing: *closing, path });
        }
        for j in 0..tree.links.len() {
            let touched = tree.touched(j);
            let is_joint = |k: usize| matches!(tree.links[k].by, MovedBy::Joint(_));
            let is_open = touched.iter().cloned().flatten().all(is_joint);
            if let MovedBy::Joint(axis) = &mut tree.links[j].by {
                (axis.touched, axis.is_open) = (touched, is_open);
            }
        }
        Ok(tree)
    }

    /// Returns the links that accelerate with a link, and those that their loads move, from this link on.
    fn touched(&self, first: usize) -> Vec<std::ops::Range<usize>> {
        let parents = |k: usize| self.parents(&self.links[k]).into_iter().flatten().filter(|parent| *parent >= first);
        let mut is_touched = vec![false; self.links.len()];
        is_touched[first] = true;
        for k in first + 1..self.links.len() {
            is_touched[k] = parents(k).any(|parent| is_touched[parent]);
        }
        for k in (first..self.links.len()).rev().filter(|_| !self.closures.is_empty()) {
            if is_touched[k] {
                parents(k).for_each(|parent| is_touched[parent] = true);
            }
        }
        // The links of an assembly go together.
        for closure in self.closures.iter().filter(|closure| closure.assembly.has_ia()) {
            let either = closure.first >= first && (is_touched[closure.first] || is_touched[closure.first + 1]);
            if either {
                is_touched[closure.first..=closure.first + 1].fill(true);
            }
        }
        let mut ranges: Vec<std::ops::Range<usize>> = Vec::new();
        for k in (first..self.links.len()).filter(|k| is_touched[*k]) {
            match ranges.last_mut().filter(|range| range.end == k) {
                Some(range) => range.end = k + 1,
                None => ranges.push(k..k + 1),
            }
        }
        ranges
    }
}

struct Builder<'a, T: Scalar> {
    elements: &'a [Element<T>],
    /// Elements at each frame.
    at: Vec<Vec<usize>>,
    used: Vec<bool>,
    reached: Vec<Option<Reached<T>>>,
    /// Joints and assemblies through which the tree is still to be continued.
    edges: Vec<Edge>,
    links: Vec<Link<T>>,
    /// Number of velocities of the joints so far.
    velocities: usize,
    closures: Vec<Closure<T>>,
    /// Joints whose pose is given.
    given: Vec<usize>,
    /// For each element, the link or assembly that it moves.
    moved: Vec<Option<Moved>>,
}

impl<T: Scalar> Builder<'_, T> {
    /// Starts at all frames at rest, and returns gravity.
    fn begin(&mut self) -> Result<Gravity<T>, TreeError> {
        let mut world = None;
        let mut starts = Vec::new();
        for (i, element) in self.elements.iter().enumerate() {
            match *element {
                Element::World { frame, gravity } => {
                    if world.replace(gravity).is_some() {
                        return Err(TreeError::Worlds(i));
                    }
                    starts.push((i, frame, Pose::translation(Vector3::zeros())));
                }
                Element::Fixed { frame, pose } => starts.push((i, frame, pose)),
                _ => {}
            }
        }
        let gravity = world.ok_or(TreeError::NoWorld)?;
        for (i, frame, pose) in starts {
            self.used[i] = true;
            self.spread(frame, Reached { link: None, pose, from: None }, i)?;
        }
        Ok(gravity)
    }

    /// Reaches a frame through an element, and all that are rigidly connected to it.
    fn spread(&mut self, frame: usize, first: Reached<T>, through: usize) -> Result<(), TreeError> {
        let mut open = vec![(frame, first, through)];
        while let Some((frame, reached, through)) = open.pop() {
            if self.reached[frame].is_some() {
                return Err(self.close(through, frame, reached.from.map(|(_, before)| before)));
            }
            self.reached[frame] = Some(reached);
            for i in std::mem::take(&mut self.at[frame]) {
                if self.used[i] || self.waits(i) {
                    continue;
                }
                self.used[i] = true;
                match self.elements[i] {
                    Element::Rigid { frames: [one, other], pose } => {
                        let (next, step) = if one == frame { (other, pose) } else { (one, pose.inverse()) };
                        let pose = reached.pose.then(&step);
                        open.push((next, Reached { link: reached.link, pose, from: Some((i, frame)) }, i));
                    }
                    Element::Joint { frames: [one, other], .. } => {
                        let is_reversed = one != frame;
                        let far = if is_reversed { one } else { other };
                        self.edges.push(Edge::Joint {
                            element: i,
                            parent: reached.link,
                            near: frame,
                            far,
                            is_reversed,
                        });
                    }
                    Element::Assembly { .. } => self.edges.push(Edge::Assembly(i)),
                    Element::World { .. }
                    | Element::Fixed { .. }
                    | Element::Body { .. }
                    | Element::Ring { .. }
                    | Element::Load { .. }
                    | Element::Rotor { .. } => {}
                }
            }
        }
        Ok(())
    }

    /// True if the element is an assembly with an outer frame that is not reached yet.
    fn waits(&self, element: usize) -> bool {
        match &self.elements[element] {
            Element::Assembly { frames, .. } => frames.outer.iter().any(|frame| self.reached[*frame].is_none()),
            _ => false,
        }
    }

    /// Goes through all joints and assemblies; those behind a joint come before others.
    fn traverse(&mut self) -> Result<(), TreeError> {
        while let Some(way) = self.edges.pop() {
            match way {
                Edge::Joint { element, parent, near, far, is_reversed } => {
                    let Element::Joint { joint, .. } = self.elements[element] else { continue };
                    if self.reached[far].is_some() {
                        return Err(self.close(element, far, Some(near)));
                    }
                    let attachment = self.reached[near].map_or(Pose::translation(Vector3::zeros()), |near| near.pose);
                    let e = if is_reversed { -joint.e } else { joint.e };
                    let (kind, position) = (joint.kind, joint.position);
                    let given = self.given.len();
                    if kind.count() > 1 {
                        self.given.push(element);
                    }
                    let touched = Vec::new();
                    let first = self.velocities;
                    self.velocities += kind.count();
                    let is_open = false;
                    let turns = turns(&e, &attachment.T);
                    let axis = Axis {
                        parent,
                        attachment,
                        kind,
                        e,
                        turns,
                        position,
                        given,
                        is_reversed,
                        first,
                        is_open,
                        touched,
                    };
                    let link = self.add_link(MovedBy::Joint(axis));
                    self.moved[element] = Some(Moved::Link { link, is_reversed });
                    let pose = Pose::translation(Vector3::zeros());
                    self.spread(far, Reached { link: Some(link), pose, from: Some((element, near)) }, element)?;
                }
                Edge::Assembly(element) => self.assemble(element)?,
            }
        }
        Ok(())
    }

    fn add_link(&mut self, by: MovedBy<T>) -> usize {
        self.links.push(Link { by, own: Inertia::none() });
        self.links.len() - 1
    }

    /// Adds the links of an assembly.
    fn assemble(&mut self, element: usize) -> Result<(), TreeError> {
        let Element::Assembly { frames, assembly, guess, position } = self.elements[element] else { return Ok(()) };
        let [Some(a), Some(b)] = frames.outer.map(|frame| self.reached[frame]) else { return Ok(()) };
        if a.link == b.link {
            return Err(TreeError::Still(element));
        }
        let closure = self.closures.len();
        let first = self.add_link(MovedBy::Closure { closure, inner: 0 });
        let rest = Pose::translation(Vector3::zeros());
        let [from_a, from_b] = frames.outer.map(|frame| Some((element, frame)));
        let ends = [(a.link, a.pose), (b.link, b.pose)];
        let place = AssemblyPlace::default();
        self.closures.push(Closure { element, ends, assembly, guess, position, first, place });
        self.moved[element] = Some(Moved::Closure(closure));
        let ia = frames.ia.map(|frame| (frame, self.add_link(MovedBy::Closure { closure, inner: 1 })));
        if let Some((frame, link)) = ia {
            self.spread(frame, Reached { link: Some(link), pose: rest, from: from_a }, element)?;
        }
        self.spread(frames.ib, Reached { link: Some(first), pose: rest, from: from_b }, element)?;
        if let Some(frame) = frames.im {
            self.spread(frame, Reached { link: Some(first), pose: assembly.im(), from: from_b }, element)?;
        }
        Ok(())
    }

    /// Returns the error of the loop that an element closes between a frame that was reached and the one before it.
    fn close(&self, through: usize, frame: usize, before: Option<usize>) -> TreeError {
        let path = |mut frame: Option<usize>| {
            let mut path = Vec::new();
            while let Some((element, before)) =
                frame.and_then(|frame| self.reached[frame]).and_then(|reached| reached.from)
            {
                path.push(element);
                frame = Some(before);
            }
            path
        };
        let (mut one, mut other) = (path(Some(frame)), path(before));
        while one.last().is_some() && one.last() == other.last() {
            one.pop();
            other.pop();
        }
        one.extend(other.into_iter().rev());
        one.push(through);
        // The loop is listed from its first element towards the neighbour that comes first.
        let first = (0..one.len()).min_by_key(|i| one[*i]).unwrap_or_default();
        one.rotate_left(first);
        if one.last() < one.get(1) {
            one[1..].reverse();
        }
        TreeError::Loop(one)
    }
}

impl<T: Scalar> Inertia<T> {
    /// Adds a body at a frame with this pose; returns its mass with its center of mass, resolved in the link's frame.
    fn add_body(&mut self, body: &Body<T>, pose: &Pose<T>) -> (T, Vector3<T>) {
        let r = pose.r + pose.T.tr_mul(&body.r_CM);
        self.m += body.m;
        self.c += r * body.m;
        self.I += pose.T.transpose() * body.I * pose.T
            + (Matrix3::identity() * r.norm_squared() - r * r.transpose()) * body.m;
        (body.m, r)
    }
}
