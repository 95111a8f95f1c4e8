//! From elements between frames to links.

use nalgebra::{Matrix3, Vector3};

use super::element::{Body, Element, Gravity, Pose};
use super::{Link, Tree};
use crate::Scalar;

/// Why elements are no tree; elements by their numbers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TreeError {
    /// There is no world.
    NoWorld,
    /// There are two worlds: this one is the second.
    Worlds(usize),
    /// This element is not connected to the world.
    Apart(usize),
    /// These elements close a loop, in this order.
    Loop(Vec<usize>),
}

/// How a frame was reached: its link with its pose there, and the element that led to it with the frame before it.
#[derive(Clone, Copy)]
struct Reached<T: Scalar> {
    link: Option<usize>,
    pose: Pose<T>,
    from: Option<(usize, usize)>,
}

/// A joint that leads to another link: its number, the link and the frame before it, and whether that frame is its first one.
struct Way {
    element: usize,
    parent: Option<usize>,
    near: usize,
    far: usize,
    is_reversed: bool,
}

impl<T: Scalar> Tree<T> {
    /// The mechanism of elements between frames, whose numbers are below `count`.
    ///
    /// # Errors
    ///
    /// Elements that are not connected to the world, or that close a loop.
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
            ways: Vec::new(),
            links: Vec::new(),
            joints: vec![None; elements.len()],
        };
        let gravity = builder.begin()?;
        builder.go()?;
        let Builder { mut links, reached, joints, .. } = builder;
        if let Some(apart) = elements.iter().position(|element| element.frames().any(|frame| reached[frame].is_none()))
        {
            return Err(TreeError::Apart(apart));
        }
        let place = |frame: usize| {
            reached[frame].map_or((None, Pose::translation(Vector3::zeros())), |reached| (reached.link, reached.pose))
        };
        let mut weights = Vec::new();
        for element in elements {
            let Element::Body { frame, body } = element else { continue };
            if let (Some(link), pose) = place(*frame) {
                weights.push((link, links[link].add(body, &pose)));
            }
        }
        // Links stand behind their parents, and what a link carries directly behind it.
        for k in (0..links.len()).rev() {
            let end = links[k].end.max(k + 1);
            links[k].end = end;
            if let Some(parent) = links[k].parent {
                links[parent].end = links[parent].end.max(end);
            }
        }
        Ok(Self { links, frames: (0..count).map(place).collect(), weights, gravity, joints })
    }
}

struct Builder<'a, T: Scalar> {
    elements: &'a [Element<T>],
    /// For each frame, the elements there.
    at: Vec<Vec<usize>>,
    used: Vec<bool>,
    reached: Vec<Option<Reached<T>>>,
    /// Joints whose other frame is not reached yet.
    ways: Vec<Way>,
    links: Vec<Link<T>>,
    /// For each element that is a joint, the link that it moves, and whether that is at its first frame.
    joints: Vec<Option<(usize, bool)>>,
}

impl<T: Scalar> Builder<'_, T> {
    /// Begins at all frames at rest.
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
                if std::mem::replace(&mut self.used[i], true) {
                    continue;
                }
                match self.elements[i] {
                    Element::Rigid { frames: [one, other], pose } => {
                        let (next, step) = if one == frame { (other, pose) } else { (one, pose.inverse()) };
                        let pose = reached.pose.then(&step);
                        open.push((next, Reached { link: reached.link, pose, from: Some((i, frame)) }, i));
                    }
                    Element::Joint { frames: [one, other], .. } => {
                        let is_reversed = one != frame;
                        let far = if is_reversed { one } else { other };
                        self.ways.push(Way { element: i, parent: reached.link, near: frame, far, is_reversed });
                    }
                    Element::World { .. } | Element::Fixed { .. } | Element::Body { .. } => {}
                }
            }
        }
        Ok(())
    }

    /// Goes through all joints; those behind a joint come before others, so that what a link carries stands behind it.
    fn go(&mut self) -> Result<(), TreeError> {
        while let Some(Way { element, parent, near, far, is_reversed }) = self.ways.pop() {
            let Element::Joint { joint, .. } = self.elements[element] else { continue };
            if self.reached[far].is_some() {
                return Err(self.close(element, far, Some(near)));
            }
            let attachment = self.reached[near].map_or(Pose::translation(Vector3::zeros()), |near| near.pose);
            let link = self.links.len();
            let e = if is_reversed { -joint.e } else { joint.e };
            let zero = Vector3::zeros();
            self.links.push(Link {
                parent,
                end: 0,
                attachment,
                kind: joint.kind,
                e,
                position: joint.position,
                m: T::zero(),
                c: zero,
                I: Matrix3::zeros(),
            });
            self.joints[element] = Some((link, is_reversed));
            let pose = Pose::translation(zero);
            self.spread(far, Reached { link: Some(link), pose, from: Some((element, near)) }, element)?;
        }
        Ok(())
    }

    /// The loop that an element closes between a frame that was reached and the one before it.
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
        // From the first element to the neighbour that comes first.
        let first = (0..one.len()).min_by_key(|i| one[*i]).unwrap_or_default();
        one.rotate_left(first);
        if one.last() < one.get(1) {
            one[1..].reverse();
        }
        TreeError::Loop(one)
    }
}

impl<T: Scalar> Link<T> {
    /// Adds a body at a frame with this pose; returns its mass with its center of mass, resolved in the link's frame.
    fn add(&mut self, body: &Body<T>, pose: &Pose<T>) -> (T, Vector3<T>) {
        let r = pose.r + pose.T.tr_mul(&body.r_CM);
        self.m += body.m;
        self.c += r * body.m;
        self.I += pose.T.transpose() * body.I * pose.T
            + (Matrix3::identity() * r.norm_squared() - r * r.transpose()) * body.m;
        (body.m, r)
    }
}
