//! Parts without any effect, and systems in which nothing happens: what their connections say cannot be meant.

use mechanics::disjoint_sets::DisjointSets;
use mechanics::drivetrain::Drivetrain;
use mechanics::tree::Element;

use super::drivetrain::PartScalar;
use super::wiring::{NamedPart, Wiring, has_position, is_frame};
use crate::part::View;
use crate::real::Real;

/// Describes a part that acts between two frames of one rigid body, so that its loads cancel out.
pub fn between_rigid_frames(
    parts: &[NamedPart],
    wiring: &Wiring,
    elements: &[(usize, Element<Real>)],
) -> Option<String> {
    let mut rigid = DisjointSets::new(wiring.frame_count);
    for (_, element) in elements {
        if let Element::Rigid { frames: [one, other], .. } = element {
            rigid.join(*one, *other);
        }
    }
    let ends = ["frame_a", "frame_b"];
    parts.iter().zip(&wiring.frames).find_map(|(named, frames)| {
        if !named.part.properties().acts_on_frames {
            return None;
        }
        let connectors = named.part.connectors();
        let mut of = |end: &str| {
            let mut own = connectors.iter().filter(|(_, kind)| is_frame(*kind)).zip(frames);
            own.find_map(|((name, _), frame)| (*name == end).then(|| rigid.of(*frame)))
        };
        (of(ends[0])? == of(ends[1])?).then(|| without_effect(&named.name, ends))
    })
}

/// Describes a part that acts between two flanges whose distance never changes, so that its loads cancel out.
pub fn between_rigid_flanges(
    parts: &[NamedPart],
    wiring: &Wiring,
    train: &Drivetrain<Real>,
    view: View<'_, Real>,
) -> Option<String> {
    parts.iter().enumerate().find_map(|(i, NamedPart { name, part, .. })| {
        let properties = part.properties();
        if properties.is_multibody || properties.is_connector {
            return None;
        }
        let (equations, offsets) = (Real::of(&**part), wiring.offsets[i]);
        let between = if properties.has_friction {
            equations.friction_pair(view, offsets)?.between
        } else if properties.has_loads && equations.relations(view, offsets).is_empty() {
            [0, 1]
        } else {
            return None;
        };
        // A housing at rest has no connector.
        let flanges: Vec<_> = part.connectors().into_iter().filter(|(_, kind)| has_position(*kind)).collect();
        let [one, other] = between.map(|local| Some((flanges.get(local)?.0, *wiring.positions[i].get(local)?)));
        let [(one, first), (other, second)] = [one?, other?];
        (train.position(first) == train.position(second)).then(|| without_effect(name, [one, other]))
    })
}

fn without_effect(name: &str, [one, other]: [&str; 2]) -> String {
    format!(
        "{one} and {other} of \"{name}\" never move relative to each other, so it has no effect: connect one of them to a part \
         that moves, or leave \"{name}\" out"
    )
}

/// Describes a system of parts that only hold each other, so that nothing moves and nothing is computed.
pub fn nothing_happens(parts: &[NamedPart], wiring: &Wiring) -> Option<String> {
    let does_something = |named: &NamedPart| {
        let properties = named.part.properties();
        properties.is_block
            || properties.is_connector
            || properties.has_loads
            || properties.has_friction
            || properties.has_memory
            || properties.acts_on_frames
            || properties.thermal.is_some()
            || named.part.is_integrated()
            || properties.follows_time
    };
    let name = &parts.first()?.name;
    (wiring.free == 0 && !parts.iter().any(does_something)).then(|| {
        format!(
            "\"{name}\": nothing in this system can move or act, so all that it computes is constant: add what moves, such as \
             an Inertia, a Mass, or a Body behind a joint"
        )
    })
}
