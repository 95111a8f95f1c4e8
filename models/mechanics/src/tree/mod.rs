//! Mechanisms in space whose joints form a tree that begins at the world, with assemblies that close loops.
//!
//! Parts that are rigidly connected are one link. The frame of a link is that of its joint; m, c and I are its mass,
//! its mass times the position of its center of mass, and its inertia tensor about the frame's origin.
//!
//! ```text
//! s = T (a_0 - g)
//! f = m s + z x c + w x (w x c),   t = I z + w x (I w) + c x s        what moves one link
//! tau = e.t or e.f of all links behind the joint                      what moves a joint
//! tau = M(q) q'' + h(q, q')                                           column j of M: q''_j = 1 at rest without gravity
//! ```
//!
//! The velocities of a spherical or free joint are not rates of coordinates ([`JointKind`]): for them q' and q'' above
//! stand for these velocities and their rates, and the pose of the joint comes from outside ([`Tree::set_poses`]).
//!
//! Elements that only exert forces, such as springs in space, add their cut loads to the loads of the links at their ends.
//!
//! A rotor on a link turns with respect to it; the link has the inertia of the rotor at rest there (`rotor.rs`).
//!
//! Joints that close rings ([`Ring`]) move no link: they are conditions, which the coordinates of the tree fulfil.
//!
//! An assembly moves one or two links, which follow from the two links at its outer frames; it adds no coordinate. Their
//! loads go to both, see [`crate::assembly`]. So joints can accelerate each other although neither carries the other.
//!
//! Frames, loads and signs are those of [`crate::motion`] and [`crate::frame`].

mod articulated;
mod articulated_build;
mod articulated_inertia;
mod assembly;
mod assembly_bodies;
mod assembly_place;
mod build;
mod cluster;
mod cluster_plan;
mod element;
mod gravity;
mod joint;
mod link;
mod masses;
mod pivot;
mod pose;
mod ring;
mod ring_motion;
mod rolling;
mod rotor;

use nalgebra::Vector3;

use crate::Scalar;
use crate::assembly::{Clearance, CutLoads, Singular};
use crate::disjoint_sets::DisjointSets;
use crate::frame::Load;
use crate::motion::{Coordinate, Motion};
pub use articulated::{ArticulatedBodies, MassSolver};
pub use articulated_build::TreeCoordinates;
use assembly::AssemblyPose;
pub use assembly::{Assembly, AssemblyBranch};
use assembly_place::AssemblyPlace;
pub use build::TreeError;
pub use element::{AssemblyFrames, Body, Element, Rotor};
pub use gravity::Gravity;
pub use joint::{Closing, Joint, JointKind, MAX_ROWS, Row};
use link::{Axis, Inertia, Link, LinkPose, MovedBy, UnitResponse, add, at, carried, opposite};
pub use pose::Pose;
pub use ring::Ring;
use ring::RingLoads;
pub use rolling::wheel_contact;

/// A mechanism: links that joints and assemblies move.
#[derive(Clone, Debug)]
pub struct Tree<T: Scalar> {
    /// Links, each behind the one that moves it.
    links: Vec<Link<T>>,
    closures: Vec<Closure<T>>,
    /// Numbers of the elements that are joints whose pose is given.
    given: Vec<usize>,
    /// For each frame its link, none for the world, with its pose there.
    frames: Vec<LinkPose<T>>,
    weights: Vec<Weight<T>>,
    gravity: Gravity<T>,
    /// For each element, the link or assembly that it moves.
    moved: Vec<Option<Moved>>,
    /// Rotors on links, with the axis resolved there.
    rotors: Vec<(usize, Rotor<T>)>,
    /// Rings of joints.
    rings: Vec<Ring<T>>,
}

/// A body on a link, as gravity acts on it.
#[derive(Clone, Debug)]
struct Weight<T: Scalar> {
    element: usize,
    link: usize,
    m: T,
    /// Center of mass of the body, resolved in the link's frame.
    r: Vector3<T>,
}

/// The link or assembly that an element moves.
#[derive(Clone, Copy, Debug)]
enum Moved {
    /// A link that a joint moves; it is at the joint's first frame if reversed.
    Link { link: usize, is_reversed: bool },
    /// An assembly, by its number.
    Closure(usize),
    /// None, but it closes the ring with this number.
    Ring(usize),
}

/// An assembly that closes a loop.
#[derive(Clone, Debug)]
struct Closure<T: Scalar> {
    element: usize,
    /// Link and pose of frame_a and frame_b.
    ends: [LinkPose<T>; 2],
    assembly: Assembly<T>,
    guess: T,
    position: usize,
    /// The link at frame_ib; that at frame_ia, if there is one, is the next.
    first: usize,
    place: AssemblyPlace,
}

/// A position that the mechanism cannot take.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PositionError {
    /// The element that cannot take the position.
    pub element: usize,
    /// The reason why an assembly cannot; otherwise a body is in the center of gravity.
    pub singular: Option<Singular>,
}

/// Limit of the ratio by which an assembly moves more than its joints where these turn back at its dead centre: there
/// it is about the inverse of the distance from it.
const MAX_DEAD_CENTRE_GAIN: f64 = 100.0;

/// The buffers of an evaluation.
#[derive(Clone, Debug)]
pub struct Workspace<T: Scalar> {
    /// Motion of each link.
    motions: Vec<Motion<T>>,
    /// Pose of each link, seen from its parent.
    poses: Vec<Pose<T>>,
    /// Given poses of links, seen from the frames before them.
    given: Vec<Pose<T>>,
    /// Load on each link from its joint.
    loads: Vec<Load<T>>,
    /// Load of each link on the elements that act on it without moving it.
    cut_loads: Vec<Load<T>>,
    /// Accelerations and loads of a column of M.
    units: Vec<UnitResponse<T>>,
    /// The inertia of each link with all behind it, or of each body alone, resolved in the world frame, and its place seen from
    /// its parent.
    composites: Vec<(Inertia<T>, Vector3<T>)>,
    /// The accelerations of links by the velocities of their joints, then of bodies that assemblies move, resolved in the world
    /// frame.
    axes: Vec<[Vector3<T>; 2]>,
    closures: Vec<Closed<T>>,
    /// Loads in rings of joints.
    rings: Vec<RingLoads<T>>,
    /// Assemblies and joints' positions with the velocity of the assembly's coordinate by that of the position.
    slopes: Vec<(usize, usize, T)>,
    /// Velocity and acceleration of each rotor with respect to what carries it.
    turns: Vec<[T; 2]>,
    /// Gravity: that of the tree, or what has been [set](Tree::set_gravity).
    gravity: Gravity<T>,
    /// True if rods get another length where they cannot close a loop, for an analysis at random points.
    pub stretches: bool,
}

/// Motion and loads of an assembly in an evaluation.
#[derive(Clone, Debug)]
struct Closed<T: Scalar> {
    assembly_branch: AssemblyBranch<T>,
    /// The assembly, with the axis that was chosen at the start.
    assembly: Assembly<T>,
    /// The motion of frame_a and frame_b.
    ends: [Motion<T>; 2],
    pose: Option<AssemblyPose<T>>,
    /// Load that drives the assembly along its coordinate.
    drive: T,
    loads: CutLoads<T>,
    /// Motions of the outer frames and pose of the assembly for a column of M.
    unit: ([Motion<T>; 2], Option<AssemblyPose<T>>),
}

impl<T: Scalar> Closure<T> {
    /// Returns the loads on the assembly at frame_ib and frame_ia, opposite to those on its links there.
    fn inner(&self, load: impl Fn(usize) -> Load<T>) -> [Load<T>; 2] {
        let ia = if self.assembly.has_ia() { opposite(&load(self.first + 1)) } else { Load::none() };
        [opposite(&load(self.first)), ia]
    }
}

impl<T: Scalar> Tree<T> {
    /// Converts the mechanism to another scalar type, number by number.
    pub fn map<U: Scalar>(&self, to: impl Fn(T) -> U) -> Tree<U> {
        let by = |by: &MovedBy<T>| match by {
            MovedBy::Joint(axis) => MovedBy::Joint(Axis {
                parent: axis.parent,
                attachment: axis.attachment.map(&to),
                kind: axis.kind,
                e: axis.e.map(&to),
                turns: axis.turns.each_ref().map(|turn| turn.map(&to)),
                position: axis.position,
                given: axis.given,
                is_reversed: axis.is_reversed,
                first: axis.first,
                is_open: axis.is_open,
                touched: axis.touched.clone(),
            }),
            MovedBy::Closure { closure, inner } => MovedBy::Closure { closure: *closure, inner: *inner },
        };
        let link = |link: &Link<T>| {
            let Inertia { m, c, I: inertia } = &link.own;
            Link { by: by(&link.by), own: Inertia { m: to(*m), c: c.map(&to), I: inertia.map(&to) } }
        };
        let place = |(link, pose): &LinkPose<T>| (*link, pose.map(&to));
        let closure = |closure: &Closure<T>| Closure {
            element: closure.element,
            ends: [place(&closure.ends[0]), place(&closure.ends[1])],
            assembly: closure.assembly.map(&to),
            guess: to(closure.guess),
            position: closure.position,
            first: closure.first,
            place: closure.place.clone(),
        };
        let weight = |weight: &Weight<T>| Weight {
            element: weight.element,
            link: weight.link,
            m: to(weight.m),
            r: weight.r.map(&to),
        };
        Tree {
            links: self.links.iter().map(link).collect(),
            closures: self.closures.iter().map(closure).collect(),
            given: self.given.clone(),
            frames: self.frames.iter().map(place).collect(),
            weights: self.weights.iter().map(weight).collect(),
            gravity: match &self.gravity {
                Gravity::Uniform(g) => Gravity::Uniform(g.map(&to)),
                Gravity::Point(mue) => Gravity::Point(to(*mue)),
            },
            moved: self.moved.clone(),
            rotors: self
                .rotors
                .iter()
                .map(|(link, rotor)| (*link, Rotor { J: to(rotor.J), e: rotor.e.map(&to), position: rotor.position }))
                .collect(),
            rings: self.rings.iter().map(|ring| ring.map(&to)).collect(),
        }
    }

    /// Allocates the workspace of an evaluation.
    pub fn workspace(&self) -> Workspace<T> {
        let (zero, count) = (Vector3::zeros(), self.links.len());
        let rest = [Motion::at_rest(zero); 2];
        let loads = CutLoads { a: Load::none(), b: Load::none(), f_rod: T::zero(), aux: T::zero() };
        let closed = |closure: &Closure<T>| Closed {
            assembly_branch: AssemblyBranch::default(),
            assembly: closure.assembly,
            ends: rest,
            pose: None,
            drive: T::zero(),
            loads,
            unit: (rest, None),
        };
        Workspace {
            motions: vec![Motion::at_rest(zero); count],
            poses: vec![Pose::translation(zero); count],
            given: vec![Pose::translation(zero); self.given.len()],
            loads: vec![Load::none(); count],
            cut_loads: vec![Load::none(); count],
            units: vec![UnitResponse::still(); count],
            composites: self.inertias().into_iter().map(|own| (own, zero)).collect(),
            axes: vec![[zero; 2]; self.axes()],
            closures: self.closures.iter().map(closed).collect(),
            rings: vec![RingLoads::none(); self.rings.len()],
            slopes: Vec::with_capacity(self.closures.len() * self.velocities()),
            turns: vec![[T::zero(); 2]; self.rotors.len()],
            gravity: self.gravity,
            stretches: false,
        }
    }

    /// Returns the number of velocities of the joints.
    fn velocities(&self) -> usize {
        let joint = |link: &Link<T>| match &link.by {
            MovedBy::Joint(axis) => axis.first + axis.kind.count(),
            MovedBy::Closure { .. } => 0,
        };
        self.links.iter().map(joint).max().unwrap_or_default()
    }

    /// Returns sets of positions: those of joints that share a mass matrix, with those of the assemblies that follow
    /// from them.
    pub fn couplings(&self) -> Vec<Vec<usize>> {
        let mut sets = DisjointSets::new(self.links.len());
        for (k, link) in self.links.iter().enumerate() {
            self.parents(link).into_iter().flatten().for_each(|parent| sets.join(k, parent));
        }
        for ring in &self.rings {
            ring.path.windows(2).for_each(|links| sets.join(links[0].0, links[1].0));
        }
        let mut couplings = vec![Vec::new(); self.links.len()];
        for (k, link) in self.links.iter().enumerate() {
            couplings[sets.of(k)].extend(match &link.by {
                MovedBy::Joint(axis) => axis.position..axis.position + axis.kind.count(),
                MovedBy::Closure { closure, inner } => {
                    let position = self.closures[*closure].position;
                    position..position + usize::from(*inner == 0)
                }
            });
        }
        for (link, Rotor { position, .. }) in &self.rotors {
            couplings[sets.of(*link)].push(*position);
        }
        for ring in &self.rings {
            if let (Some((link, _)), Some((first, count))) = (ring.path.first(), ring.following()) {
                couplings[sets.of(*link)].extend(first..first + count);
            }
        }
        couplings.retain(|coupling| !coupling.is_empty());
        couplings
    }

    /// Returns the positions of the revolute joints between two others, of which one carries the other.
    pub fn turning_between(&self, positions: [usize; 2]) -> Vec<usize> {
        let joint = |link: usize| match &self.links[link].by {
            MovedBy::Joint(axis) => Some(axis),
            MovedBy::Closure { .. } => None,
        };
        let has = |link: usize, position: usize| {
            joint(link).is_some_and(|axis| (axis.position..axis.position + axis.kind.count()).contains(&position))
        };
        let way = |[near, far]: [usize; 2]| {
            let mut link = (0..self.links.len()).find(|link| has(*link, far))?;
            let mut between = Vec::new();
            loop {
                link = joint(link)?.parent?;
                if has(link, near) {
                    return Some(between);
                }
                between.extend(joint(link).filter(|axis| axis.kind == JointKind::Revolute).map(|axis| axis.position));
            }
        };
        let [one, other] = positions;
        way([one, other]).or_else(|| way([other, one])).unwrap_or_default()
    }

    /// Iterates over what closes loops: positions that follow, as first one and number, and positions of the joints that move them.
    pub fn loops(&self) -> impl Iterator<Item = ((usize, usize), Vec<usize>)> {
        let ring = move |ring: &Ring<T>| (ring.following().unwrap_or_default(), self.in_ring(ring).collect());
        let closure = |Closure { position, place, .. }: &Closure<T>| {
            ((*position, 1), place.movers.iter().map(|mover| mover.position).collect())
        };
        self.rings.iter().map(ring).chain(self.closures.iter().map(closure))
    }

    /// Returns the links from which a link's motion follows.
    fn parents(&self, link: &Link<T>) -> [Option<usize>; 2] {
        match &link.by {
            MovedBy::Joint(axis) => [axis.parent, None],
            MovedBy::Closure { closure, .. } => [0, 1].map(|end| self.closures[*closure].ends[end].0),
        }
    }

    /// Returns the elements that are joints whose pose is given, in the order of [`Self::set_poses`].
    pub fn posed(&self) -> &[usize] {
        &self.given
    }

    /// Sets the pose of the second frame seen from the first one, for each joint of [`Self::posed`].
    pub fn set_poses(&self, workspace: &mut Workspace<T>, mut pose: impl FnMut(usize) -> Pose<T>) {
        for (i, (element, given)) in self.given.iter().zip(&mut workspace.given).enumerate() {
            let is_reversed = matches!(self.moved[*element], Some(Moved::Link { is_reversed: true, .. }));
            *given = if is_reversed { pose(i).inverse() } else { pose(i) };
        }
    }

    /// Iterates over the elements that are assemblies, in the order of [`Self::set_assembly_branches`].
    pub fn assemblies(&self) -> impl Iterator<Item = usize> {
        self.closures.iter().map(|closure| closure.element)
    }

    /// Sets the configuration and axis that were chosen at the start, for each assembly.
    pub fn set_assembly_branches(
        &self,
        workspace: &mut Workspace<T>,
        mut assembly_branch: impl FnMut(usize) -> AssemblyBranch<T>,
    ) {
        for (i, closed) in workspace.closures.iter_mut().enumerate() {
            closed.assembly_branch = assembly_branch(i);
        }
    }

    /// Chooses the configuration and axis of each assembly at the start, at these positions.
    ///
    /// # Errors
    ///
    /// Returns an assembly that cannot close its loop; those before it in [`Self::assemblies`] can.
    pub fn choose(&self, workspace: &mut Workspace<T>, motion: [&[T]; 3]) -> Result<(), PositionError> {
        self.forward_kinematics(workspace, motion, true)
    }

    /// Moves all links: computes their motion from positions, velocities and accelerations of all positions.
    ///
    /// # Errors
    ///
    /// Returns an assembly that cannot close its loop.
    pub fn set_motion(&self, workspace: &mut Workspace<T>, motion: [&[T]; 3]) -> Result<(), PositionError> {
        self.forward_kinematics(workspace, motion, false)
    }

    fn forward_kinematics(
        &self,
        workspace: &mut Workspace<T>,
        motion: [&[T]; 3],
        chooses: bool,
    ) -> Result<(), PositionError> {
        let world = Motion::at_rest(Vector3::zeros());
        self.turn_rotors(workspace, motion);
        for (k, link) in self.links.iter().enumerate() {
            match &link.by {
                MovedBy::Joint(axis) => {
                    let parent = axis.parent.map_or(&world, |parent| &workspace.motions[parent]);
                    (workspace.poses[k], workspace.motions[k]) = axis.moved(parent, motion, &workspace.given);
                }
                MovedBy::Closure { closure, inner: 0 } => {
                    let Closure { element, ends, guess, .. } = &self.closures[*closure];
                    let closed = &mut workspace.closures[*closure];
                    for (end, (link, pose)) in closed.ends.iter_mut().zip(ends) {
                        *end = at(link.map_or(&world, |link| &workspace.motions[link]), pose);
                    }
                    self.close(*closure, closed, (chooses, workspace.stretches), *guess)
                        .map_err(|singular| PositionError { element: *element, singular: Some(singular) })?;
                    if let Some(pose) = &closed.pose {
                        workspace.motions[k] = *pose.inner()[0];
                    }
                }
                MovedBy::Closure { closure, inner } => {
                    if let Some(pose) = &workspace.closures[*closure].pose {
                        workspace.motions[k] = *pose.inner()[*inner];
                    }
                }
            }
        }
        Ok(())
    }

    /// Closes the loop of an assembly between outer frames that are known.
    fn close(
        &self,
        closure: usize,
        closed: &mut Closed<T>,
        (chooses, stretches): (bool, bool),
        guess: T,
    ) -> Result<(), Singular> {
        let own = &self.closures[closure].assembly;
        let Closed { assembly_branch, assembly, ends, pose, .. } = closed;
        if stretches {
            *assembly = *own;
        }
        if chooses {
            let mut chosen = assembly.choose(ends, guess);
            if let (Err(singular), true) = (&chosen, stretches) {
                *assembly = own.stretched(singular);
                chosen = assembly.choose(ends, guess);
            }
            *assembly_branch = chosen?;
        }
        assembly.assume(assembly_branch);
        match assembly.write_pose(ends, assembly_branch, pose) {
            Err(singular) if stretches => {
                *assembly = assembly.stretched(&singular);
                assembly.write_pose(ends, assembly_branch, pose)
            }
            result => result,
        }
    }

    /// Sets the load that drives each assembly along its coordinate, in N.m or N.
    pub fn set_drives(&self, workspace: &mut Workspace<T>, mut drive: impl FnMut(usize) -> T) {
        workspace.closures.iter_mut().enumerate().for_each(|(i, closed)| closed.drive = drive(i));
    }

    /// Adds the cut load at a frame, resolved in it, of an element that acts there without moving it.
    pub fn add_cut(&self, workspace: &mut Workspace<T>, frame: usize, load: &Load<T>) {
        if let (Some(link), pose) = &self.frames[frame] {
            add(&mut workspace.cut_loads[*link], &carried(load, pose));
        }
    }

    /// Sets a uniform acceleration of gravity in place of the tree's, resolved in the world frame, in m/s2.
    pub fn set_gravity(&self, workspace: &mut Workspace<T>, g: Vector3<T>) {
        workspace.gravity = Gravity::Uniform(g);
    }

    /// Finds the loads that lead to the motion, and passes for each joint its positions with the loads along these, in N.m
    /// or N.
    ///
    /// # Errors
    ///
    /// Returns a body in the center of gravity.
    pub fn loads(&self, workspace: &mut Workspace<T>, mut pass: impl FnMut(usize, T)) -> Result<(), PositionError> {
        let Workspace { motions, poses, given, loads, cut_loads, closures, rings, turns, gravity, .. } = workspace;
        let g = match gravity {
            Gravity::Uniform(g) => *g,
            Gravity::Point(_) => Vector3::zeros(),
        };
        for (((link, motion), load), cut) in self.links.iter().zip(&*motions).zip(loads.iter_mut()).zip(&*cut_loads) {
            let Motion { T: rotation, w, .. } = motion;
            *load = link.own.load(&(rotation * (motion.a_0 - g)), &motion.z);
            load.f += w.cross(&w.cross(&link.own.c));
            load.t += w.cross(&(link.own.I * w));
            add(load, cut);
        }
        self.load_rotors(motions, turns, loads, &mut pass);
        for (ring, own) in self.rings.iter().zip(&*rings) {
            for (end, (link, pose)) in ring.ends.iter().enumerate() {
                if let Some(link) = link {
                    let Load { f, t } = carried(own.on(end), pose);
                    add(&mut loads[*link], &Load { f: -f, t: -t });
                }
            }
        }
        if let Gravity::Point(_) = gravity {
            for Weight { element, link, m, r } in &self.weights {
                let motion = &motions[*link];
                let place = motion.translated(r).r_0;
                if place.norm().value() == 0.0 {
                    return Err(PositionError { element: *element, singular: None });
                }
                let f = motion.T * (gravity.at(&place) * -*m);
                add(&mut loads[*link], &Load { f, t: r.cross(&f) });
            }
        }
        for (k, link) in self.links.iter().enumerate().rev() {
            match &link.by {
                MovedBy::Joint(axis) => {
                    for i in 0..axis.kind.count() {
                        pass(axis.position + i, axis.along(i, given, &loads[k]));
                    }
                    if let Some(parent) = axis.parent {
                        let load = carried(&loads[k], &poses[k]);
                        add(&mut loads[parent], &load);
                    }
                }
                MovedBy::Closure { closure, inner: 0 } => {
                    let (closure, closed) = (&self.closures[*closure], &mut closures[*closure]);
                    let Some(pose) = &closed.pose else { continue };
                    let inner = closure.inner(|link| loads[link]);
                    let Closed { assembly, ends, drive, .. } = &*closed;
                    closed.loads = assembly.loads(ends, pose, inner, *drive, Some(gravity));
                    for ((link, pose), load) in closure.ends.iter().zip([&closed.loads.a, &closed.loads.b]) {
                        if let Some(link) = link {
                            add(&mut loads[*link], &carried(load, pose));
                        }
                    }
                }
                MovedBy::Closure { .. } => {}
            }
        }
        Ok(())
    }

    /// Returns the motion of a frame.
    pub fn frame(&self, workspace: &Workspace<T>, frame: usize) -> Motion<T> {
        let (link, pose) = &self.frames[frame];
        at(&link.map_or(Motion::at_rest(Vector3::zeros()), |link| workspace.motions[link]), pose)
    }

    /// Returns the load that drives a joint along its first coordinate, in N.m or N; `element` is its number.
    pub fn driving_load(&self, workspace: &Workspace<T>, element: usize) -> T {
        match self.moved[element] {
            Some(Moved::Link { link, .. }) => match &self.links[link].by {
                MovedBy::Joint(axis) => axis.along(0, &workspace.given, &workspace.loads[link]),
                MovedBy::Closure { .. } => T::zero(),
            },
            Some(Moved::Closure(closure)) => workspace.closures[closure].drive,
            Some(Moved::Ring(ring)) => workspace.rings[ring].drive(),
            None => T::zero(),
        }
    }

    /// Returns the loads on a joint at its two frames, or on an assembly at its outer ones, resolved there; `element`
    /// is its number.
    pub fn cut_loads(&self, workspace: &Workspace<T>, element: usize) -> [Load<T>; 2] {
        let (k, is_reversed) = match self.moved[element] {
            Some(Moved::Link { link, is_reversed }) => (link, is_reversed),
            Some(Moved::Closure(closure)) => {
                let CutLoads { a, b, .. } = workspace.closures[closure].loads;
                return [a, b];
            }
            Some(Moved::Ring(ring)) => return workspace.rings[ring].cuts(),
            None => return [Load::none(); 2],
        };
        let MovedBy::Joint(axis) = &self.links[k].by else { return [Load::none(); 2] };
        let (pose, load) = (&workspace.poses[k], &workspace.loads[k]);
        let far = opposite(load);
        let from_near = Pose { r: pose.r - axis.attachment.r, T: pose.T };
        let Load { f, t } = carried(load, &from_near);
        let near = Load { f: axis.attachment.T * f, t: axis.attachment.T * t };
        if is_reversed { [far, near] } else { [near, far] }
    }

    /// Returns the coordinate of an assembly, the force in rod 1 and its denominator; `element` is its number.
    pub fn closed(&self, workspace: &Workspace<T>, element: usize) -> Option<(Coordinate<T>, T, T)> {
        let Some(Moved::Closure(closure)) = self.moved[element] else { return None };
        let Closed { pose, loads, .. } = &workspace.closures[closure];
        pose.as_ref().map(|pose| (pose.x(), loads.f_rod, loads.aux))
    }
}

impl<T: Scalar> Workspace<T> {
    /// Returns the choice made for an assembly, and the motion of its outer frames; `i` counts [`Tree::assemblies`].
    pub fn chosen(&self, i: usize) -> (&AssemblyBranch<T>, &[Motion<T>; 2]) {
        let Closed { assembly_branch, ends, .. } = &self.closures[i];
        (assembly_branch, ends)
    }

    /// Returns the distance of an assembly from its dead centre; `i` counts [`Tree::assemblies`].
    pub fn clearance(&self, i: usize) -> Clearance<T> {
        let Closed { assembly_branch, assembly, ends, .. } = &self.closures[i];
        assembly.clearance(ends, assembly_branch)
    }

    /// True if joints come to rest, or move against each other, near the dead centre of an assembly, and turn back
    /// there: it moves more than they do by a factor without limit. `v` are the velocities of their positions. To be
    /// called after [`Tree::masses`] or [`Tree::resolve`]; `i` counts [`Tree::assemblies`].
    pub fn turns_joints(&self, i: usize, v: &[T]) -> bool {
        let Closed { assembly, pose, ends, .. } = &self.closures[i];
        let [length, scale] = assembly.sizes();
        let rate = self.clearance(i).rate.abs();
        let way = ends[1].position_of(&ends[0]).v.norm();
        let moved = pose.as_ref().map_or(T::zero(), |pose| pose.x().v).abs() + rate * scale;
        let of_joints = self.slopes.iter().filter(|(closure, ..)| *closure == i);
        let of_joints = of_joints.fold(T::zero(), |sum, (_, position, slope)| sum + (*slope * v[*position]).abs());
        let factor = crate::constant::<T>(MAX_DEAD_CENTRE_GAIN);
        way * factor < rate * length || of_joints > moved * factor
    }

    /// Returns the reason why the loop of an assembly cannot be followed at its dead centre; `i` counts
    /// [`Tree::assemblies`].
    pub fn dead_centre(&self, i: usize) -> Singular {
        let Closed { assembly, ends, .. } = &self.closures[i];
        assembly.dead_centre(ends)
    }

    /// Returns the velocities of assemblies' coordinates by those of joints: number of the assembly, position of the
    /// joint, ratio.
    pub fn slopes(&self) -> &[(usize, usize, T)] {
        &self.slopes
    }

    /// Removes all [cut loads](Tree::add_cut).
    pub fn clear_cuts(&mut self) {
        self.cut_loads.fill(Load::none());
        self.rings.fill(RingLoads::none());
    }
}
