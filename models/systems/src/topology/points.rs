//! Points without mass in space, where springs and dampers meet.

use mechanics::disjoint_sets::DisjointSets;
use mechanics::points::{End, PointLine};
use mechanics::tree::Element;
use mechanics::value;
use nalgebra::Vector3;

use super::Topology;
use super::drivetrain::PartScalar;
use super::massless_nodes::{LinkedLine, LinkedPoints, MasslessPoint};
use super::mechanism::list;
use super::shared::real_at;
use super::wiring::{NamedPart, Owner, Wiring, is_frame};
use crate::part::{Compliant, Properties, View};
use crate::real::Real;

impl Topology {
    /// Returns the frames that are points without mass.
    pub(super) fn points(&self, wiring: &Wiring, view: View<'_, Real>) -> Vec<MasslessPoint> {
        let mut is_carried = vec![false; wiring.frame_count];
        let mut dampers = Vec::new();
        let mut lines = vec![Vec::new(); wiring.frame_count];
        let mut world = None;
        for (i, NamedPart { name, part, .. }) in self.parts.iter().enumerate() {
            if !part.properties().is_multibody {
                continue;
            }
            let (is_line, is_damper) = (is_line(part.properties()), is_damper(part.properties()));
            let connector = |own: usize| {
                let mut frames = part.connectors().into_iter().filter(|(_, kind)| is_frame(*kind));
                frames.nth(own).map(|(connector, _)| format!("{name}.{connector}"))
            };
            for element in Real::of(&**part).elements(view, wiring.offsets[i]) {
                if let Element::World { frame, .. } = element {
                    world = connector(frame);
                }
                let acts = matches!(element, Element::Load { .. });
                for own in element.frames() {
                    let frame = wiring.frames[i][own];
                    is_carried[frame] |= !(acts && is_line);
                    lines[frame].extend(connector(own).filter(|_| acts));
                }
            }
            if is_damper {
                dampers.push([wiring.frames[i][0], wiring.frames[i][1]]);
            }
        }
        let Some(world) = world else { return Vec::new() };
        let is_point = |frame: &usize| !is_carried[*frame] && lines[*frame].len() > 1;
        // One or two dampers to what moves by itself have their lengths as states.
        let is_state = |frame: usize| {
            let other_end = |[one, other]: &[usize; 2]| {
                if *one == frame { Some(*other) } else { (*other == frame).then_some(*one) }
            };
            let others: Vec<_> = dampers.iter().filter_map(other_end).collect();
            match others.as_slice() {
                [] => false,
                [one] => is_point(one),
                [one, other] => one == other || is_point(one) || is_point(other),
                _ => true,
            }
        };
        let point = |frame: usize| MasslessPoint {
            name: lines[frame][0].clone(),
            world: world.clone(),
            is_state: is_state(frame),
        };
        (0..wiring.frame_count).filter(|frame| is_point(frame)).map(point).collect()
    }

    /// Finds which points belong together.
    pub(super) fn linked_points(&self, wiring: &Wiring) -> Result<Vec<LinkedPoints>, String> {
        let is_point = |i: &usize| {
            let properties = self.parts[*i].part.properties();
            properties.is_massless && properties.is_multibody
        };
        let points: Vec<usize> = (0..self.parts.len()).filter(is_point).collect();
        let point_at = |frame: usize| points.iter().position(|part| wiring.frames[*part][1] == frame);
        let mut sets = DisjointSets::new(points.len());
        let mut lines = Vec::new();
        for (part, named) in self.parts.iter().enumerate() {
            if !is_line(named.part.properties()) {
                continue;
            }
            let frames = [wiring.frames[part][0], wiring.frames[part][1]];
            let ends = frames.map(point_at);
            if let [Some(one), Some(other)] = ends {
                sets.join(one, other);
            }
            let place = move |name| real_at(named, name).map(|own| wiring.offsets[part].passed.reals + own);
            lines.extend(ends.iter().flatten().next().map(|point| (*point, part, frames, ends, place)));
        }
        let mut groups = Vec::new();
        for set in 0..points.len() {
            let members: Vec<usize> = (0..points.len()).filter(|point| sets.of(*point) == set).collect();
            if members.is_empty() {
                continue;
            }
            let coordinate = |part: usize, own: usize| {
                let is_it = |owner: &Owner| owner.part == part && owner.own == own;
                wiring.coordinates.iter().position(is_it).unwrap_or_default()
            };
            let of_point = |point: &usize| [3, 4, 5].map(|own| coordinate(points[*point], own));
            let place = |point: usize| members.iter().position(|member| *member == point);
            let own = lines.iter().filter(|line| sets.of(line.0) == set);
            let mut group = LinkedPoints {
                parts: members.iter().map(|point| points[*point]).collect(),
                coordinates: members.iter().map(of_point).collect(),
                are_states: members.iter().map(|point| self.parts[points[*point]].part.is_integrated()).collect(),
                lines: own
                    .map(|(_, part, frames, ends, at)| LinkedLine {
                        part: *part,
                        frames: *frames,
                        points: ends.map(|end| end.and_then(place)),
                        values: ["c", "s_unstretched", "d"].map(at),
                        length: None,
                    })
                    .collect(),
                guided: Vec::new(),
            };
            for point in (0..members.len()).filter(|point| !group.are_states[*point]) {
                let is_there =
                    |line: &usize| is_damping(&group.lines[*line]) && group.lines[*line].points.contains(&Some(point));
                let mut dampers = (0..group.lines.len()).filter(is_there);
                let guides = [dampers.next(), dampers.next()];
                if guides[0].is_some() {
                    group.guided.push((point, guides));
                }
            }
            for line in group.guided.iter().flat_map(|(_, guides)| guides.iter().flatten()) {
                let LinkedLine { part, length, .. } = &mut group.lines[*line];
                *length = real_at(&self.parts[*part], "s").map(|own| wiring.offsets[*part].passed.reals + own);
            }
            match undamped(&group) {
                Some(point) => return Err(self.describe_undamped(&group, point)),
                None => groups.push(group),
            }
        }
        Ok(groups)
    }

    /// Describes dampers that do not act in all directions at a point, wherever their other ends are.
    fn describe_undamped(&self, group: &LinkedPoints, point: usize) -> String {
        let is_there = |line: &&LinkedLine| is_damping(line) && line.points.contains(&Some(point));
        let name = |line: &LinkedLine| format!("\"{}\"", self.parts[line.part].name);
        let dampers: Vec<_> = group.lines.iter().filter(is_there).map(name).collect();
        let (act, damp) = if dampers.len() == 1 { ("acts", "damps") } else { ("act", "damp") };
        format!(
            "{} {act} at \"{}\", which nothing else carries, but {damp} this point, which has no mass, not in all directions: let at least \
             three dampers lead from it, three for each of several such points that they connect, or one or two to what has mass or is \
             held; or connect a Body to it; springs and dampers in series along one line are translational parts between the flanges of \
             a LineForceWithMass with m = 0",
            list(&dampers),
            self.parts[group.parts[point]].name
        )
    }

    /// Describes a damping of 0 at a point without mass, if there is one.
    pub(super) fn undamped_line(&self, view: View<'_, Real>) -> Option<String> {
        let groups = &self.wiring().linked_points;
        groups.iter().find_map(|group| {
            let line =
                group.lines.iter().find(|line| line.values[2].is_some_and(|place| value(view.reals[place]) == 0.0))?;
            let point = line.points.into_iter().flatten().next()?;
            Some(format!(
                "{}.d is 0, but at \"{}\" nothing has mass: give it a damping above 0, or take a MultiBody.Spring",
                self.parts[line.part].name, self.parts[group.parts[point]].name
            ))
        })
    }
}

/// Returns a point at which dampers do not act in all directions, wherever their other ends are.
fn undamped(group: &LinkedPoints) -> Option<usize> {
    let mut points = group.buffers::<f64>();
    for (line, linked) in points.lines.iter_mut().zip(&group.lines) {
        let mut end = |i: usize| {
            let at = somewhere(linked.frames[i]);
            match linked.points[i] {
                Some(point) => {
                    points.r[point] = at;
                    End::Point(point)
                }
                None => End::Other([at, Vector3::zeros()]),
            }
        };
        let d = if is_damping(linked) { 1.0 } else { 0.0 };
        *line = PointLine { ends: [end(0), end(1)], c: 0.0, relaxed: 0.0, d, length: None };
    }
    points.undamped()
}

/// Returns an arbitrary place for a frame.
fn somewhere(frame: usize) -> Vector3<f64> {
    Vector3::from_fn(|i, _| {
        let number = (3 * frame + i + 1) as u64;
        let mixed = number.wrapping_mul(0x9E37_79B9_7F4A_7C15);
        let mixed = (mixed ^ (mixed >> 32)).wrapping_mul(0xD6E8_FEB8_6659_FD93);
        (mixed >> 40) as f64 / f64::from(1 << 24)
    })
}

fn is_line(properties: &Properties) -> bool {
    properties.acts_on_frames && properties.compliant.is_some()
}

fn is_damper(properties: &Properties) -> bool {
    is_line(properties) && properties.compliant == Some(Compliant::Damper)
}

fn is_damping(line: &LinkedLine) -> bool {
    line.values[2].is_some()
}
