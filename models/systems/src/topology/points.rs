//! Points without mass in space, where springs meet.

use mechanics::disjoint_sets::DisjointSets;
use mechanics::tree::Element;

use super::Topology;
use super::drivetrain::PartScalar;
use super::shared::real_at;
use super::wiring::{NamedPart, Wiring, is_frame};
use crate::part::{Compliant, View};

/// Points that springs connect.
#[derive(Debug, Default)]
pub struct LinkedPoints {
    /// The parts of the points.
    pub parts: Vec<usize>,
    /// The coordinates of each point.
    pub coordinates: Vec<[usize; 3]>,
    /// The springs.
    pub springs: Vec<LinkedSpring>,
}

/// A spring at a point.
#[derive(Debug)]
pub struct LinkedSpring {
    /// The part.
    pub part: usize,
    /// Numbers of its frames.
    pub frames: [usize; 2],
    /// The points at its ends, by their places.
    pub points: [Option<usize>; 2],
    /// Places of its stiffness and its relaxed length among the Reals.
    pub values: [usize; 2],
}

impl Topology {
    /// Returns the frames that are points without mass: one of their connectors, and that of the world.
    pub(super) fn points(&self, wiring: &Wiring, view: View<'_, f64>) -> Vec<[String; 2]> {
        let mut is_carried = vec![false; wiring.frame_count];
        let mut springs = vec![Vec::new(); wiring.frame_count];
        let mut world = None;
        for (i, NamedPart { name, part, .. }) in self.parts.iter().enumerate() {
            if !part.properties().is_multibody {
                continue;
            }
            let is_spring = is_spring(part.properties());
            let connector = |own: usize| {
                let mut frames = part.connectors().into_iter().filter(|(_, kind)| is_frame(*kind));
                frames.nth(own).map(|(connector, _)| format!("{name}.{connector}"))
            };
            for element in f64::of(&**part).elements(view, wiring.offsets[i]) {
                if let Element::World { frame, .. } = element {
                    world = connector(frame);
                }
                let acts = matches!(element, Element::Load { .. });
                for own in element.frames() {
                    let frame = wiring.frames[i][own];
                    is_carried[frame] |= !(acts && is_spring);
                    springs[frame].extend(connector(own).filter(|_| acts));
                }
            }
        }
        let Some(world) = world else { return Vec::new() };
        let is_point = |frame: &usize| !is_carried[*frame] && springs[*frame].len() > 1;
        (0..wiring.frame_count).filter(is_point).map(|frame| [springs[frame][0].clone(), world.clone()]).collect()
    }

    /// Finds which points belong together.
    pub(super) fn linked_points(&self, wiring: &Wiring) -> Vec<LinkedPoints> {
        let is_point = |i: &usize| {
            let properties = self.parts[*i].part.properties();
            properties.is_massless && properties.is_multibody
        };
        let points: Vec<usize> = (0..self.parts.len()).filter(is_point).collect();
        let point_at = |frame: usize| points.iter().position(|part| wiring.frames[*part][1] == frame);
        let mut sets = DisjointSets::new(points.len());
        let mut springs = Vec::new();
        for (part, named) in self.parts.iter().enumerate() {
            if !is_spring(named.part.properties()) {
                continue;
            }
            let frames = [wiring.frames[part][0], wiring.frames[part][1]];
            let ends = frames.map(point_at);
            if let [Some(one), Some(other)] = ends {
                sets.join(one, other);
            }
            let place = move |name| real_at(named, name).map_or(0, |own| wiring.offsets[part].passed.reals + own);
            springs.extend(ends.iter().flatten().next().map(|point| (*point, part, frames, ends, place)));
        }
        let mut groups = Vec::new();
        for set in 0..points.len() {
            let members: Vec<usize> = (0..points.len()).filter(|point| sets.of(*point) == set).collect();
            if members.is_empty() {
                continue;
            }
            let coordinate = |part: usize, own: usize| {
                let is_it = |owner: &super::wiring::Owner| owner.part == part && owner.own == own;
                wiring.coordinates.iter().position(is_it).unwrap_or_default()
            };
            let of_point = |point: &usize| [3, 4, 5].map(|own| coordinate(points[*point], own));
            let place = |point: usize| members.iter().position(|member| *member == point);
            let own = springs.iter().filter(|spring| sets.of(spring.0) == set);
            groups.push(LinkedPoints {
                parts: members.iter().map(|point| points[*point]).collect(),
                coordinates: members.iter().map(of_point).collect(),
                springs: own
                    .map(|(_, part, frames, ends, at)| LinkedSpring {
                        part: *part,
                        frames: *frames,
                        points: ends.map(|end| end.and_then(place)),
                        values: ["c", "s_unstretched"].map(at),
                    })
                    .collect(),
            });
        }
        groups
    }
}

fn is_spring(properties: &crate::part::Properties) -> bool {
    properties.acts_on_frames && properties.compliant == Some(Compliant::Spring)
}
