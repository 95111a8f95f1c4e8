//! Parts without any effect, and systems in which nothing happens: what their connections say cannot be meant.

use mechanics::disjoint_sets::DisjointSets;
use mechanics::drivetrain::Drivetrain;
use mechanics::tree::Element;

use crate::drivetrain::PartScalar;
use crate::part::View;
use crate::wiring::{NamedPart, Wiring, is_frame};

/// Describes a part that acts between two connectors whose distance never changes, so that its loads cancel out.
pub fn part_without_effect(
    parts: &[NamedPart],
    wiring: &Wiring,
    train: &Drivetrain<f64>,
    elements: &[(usize, Element<f64>)],
    view: View<'_, f64>,
) -> Option<String> {
    let mut rigid = DisjointSets::new(wiring.frame_count);
    for (_, element) in elements {
        if let Element::Rigid { frames: [one, other], .. } = element {
            rigid.join(*one, *other);
        }
    }
    (0..parts.len()).find_map(|i| {
        let [one, other] = still_ends(i, parts, wiring, train, &mut rigid, view)?;
        let name = &parts[i].name;
        Some(format!(
            "{one} and {other} of \"{name}\" never move relative to each other, so it has no effect: connect one of them to a \
             part that moves, or leave \"{name}\" out"
        ))
    })
}

/// Returns the names of two connectors of a part between which it acts, if they never move relative to each other.
fn still_ends(
    i: usize,
    parts: &[NamedPart],
    wiring: &Wiring,
    train: &Drivetrain<f64>,
    rigid: &mut DisjointSets,
    view: View<'_, f64>,
) -> Option<[&'static str; 2]> {
    let part = &parts[i].part;
    let properties = part.properties();
    let connectors = part.connectors();
    if properties.acts_on_frames {
        let ends = ["frame_a", "frame_b"];
        let frame = |end: &str| {
            let mut frames = connectors.iter().filter(|(_, kind)| is_frame(*kind)).zip(&wiring.frames[i]);
            frames.find_map(|((name, _), frame)| (*name == end).then_some(*frame))
        };
        let [one, other] = [frame(ends[0])?, frame(ends[1])?];
        return (rigid.of(one) == rigid.of(other)).then_some(ends);
    }
    if properties.is_multibody || properties.is_connector {
        return None;
    }
    let equations = f64::of(&**part);
    let offsets = wiring.offsets[i];
    let between = if properties.has_friction {
        equations.friction_pair(view, offsets)?.between
    } else if properties.has_loads && equations.relations(view, offsets).is_empty() {
        [0, 1]
    } else {
        return None;
    };
    // The housing at rest has no connector.
    let [one, other] = between.map(|local| connectors.get(local).map(|(name, _)| *name));
    let [first, second] = between.map(|local| wiring.positions[i].get(local).map(|position| train.position(*position)));
    (first? == second?).then_some([one?, other?])
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
    };
    let name = &parts.first()?.name;
    (wiring.free == 0 && !parts.iter().any(does_something)).then(|| {
        format!(
            "\"{name}\": nothing in this system can move or act, so all that it computes is constant: add what moves, such as \
             an Inertia, a Mass, or a Body behind a joint"
        )
    })
}
