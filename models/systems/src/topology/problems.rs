//! Reasons why a system cannot move, as messages.

use fmu_runtime::{InitialValue, Offsets};
use mechanics::drivetrain::{Drivetrain, DrivetrainError, Relation, RelationError};
use mechanics::value;

use super::drivetrain::PartScalar;
use super::mechanism::list;
use super::wiring::{NamedPart, Wiring};
use super::{GenericValues, Topology};
use crate::part::{InitialCondition, View};
use crate::real::Real;

impl Topology {
    /// Describes why a part cannot work with its parameters, if there is one.
    pub fn part_problem(&self, view: View<'_, Real>) -> Option<String> {
        let problem = |(NamedPart { name, part, .. }, offsets): (&NamedPart, &Offsets)| {
            Some(format!("{name}.{}", part.problem(view, *offsets)?))
        };
        self.parts.iter().zip(&self.wiring().offsets).find_map(problem).or_else(|| self.massless_problem(view))
    }

    /// Describes parameters that are hardly meant.
    pub fn part_warnings(&self, view: View<'_, Real>) -> Vec<String> {
        let warning = |(NamedPart { name, part, .. }, offsets): (&NamedPart, &Offsets)| {
            Some(format!("{name}.{}", part.warning(view, *offsets)?))
        };
        self.parts.iter().zip(&self.wiring().offsets).filter_map(warning).collect()
    }

    /// Describes a start value of a body that does not move freely.
    pub(super) fn carried_start(&self, wiring: &Wiring, view: View<'_, Real>) -> Option<String> {
        self.parts.iter().enumerate().find_map(|(i, NamedPart { name, part, .. })| {
            let is_carried = part.properties().can_be_free && !wiring.free_bodies[i];
            let wanted = if is_carried { Real::of(&**part).initial_conditions(view, wiring.offsets[i], false) } else { Vec::new() };
            let wanted = wanted.into_iter().find(|wanted| wanted.initial != InitialValue::ignore)?;
            Some(format!(
                "{name}.{} has a start value, but \"{name}\" does not move freely: its motion follows from the joints that carry \
                 it, or from another body, so give their start values",
                wanted.name
            ))
        })
    }

    /// Describes a part at the axis of an assembly that cannot be there, or has start values there.
    pub(super) fn axis_problem(
        &self,
        wiring: &Wiring,
        train: &Drivetrain<Real>,
        view: View<'_, Real>,
    ) -> Option<String> {
        let assembly = |position: usize| {
            let owners = train.position(position).iter().filter_map(|(k, _)| wiring.coordinates.get(*k));
            owners.map(|owner| &self.parts[owner.part]).find(|named| named.part.properties().axis1.is_some())
        };
        for (i, NamedPart { name, part, .. }) in self.parts.iter().enumerate() {
            let axis = |local: usize| assembly(wiring.positions[i][local]).map(|named| &named.name);
            if part.properties().is_multibody {
                let tied = if part.properties().axis1.is_none() {
                    (0..wiring.positions[i].len()).find_map(axis)
                } else {
                    None
                };
                if let Some(axis) = tied {
                    return Some(format!(
                        "\"{name}\" is tied to the axis of \"{axis}\", whose motion follows from that of the mechanism: put a \
                         spring between them"
                    ));
                }
                continue;
            }
            let wanted = Real::of(&**part).initial_conditions(view, wiring.offsets[i], false);
            let is_start = |wanted: &&InitialCondition<Real>| wanted.initial != InitialValue::ignore;
            for wanted in wanted.iter().filter(is_start) {
                if let Some(axis) = wanted.terms.iter().find_map(|(local, _)| axis(*local)) {
                    return Some(format!(
                        "{name}.{} has a start value, but \"{name}\" moves with the axis of \"{axis}\", whose motion follows from \
                         that of the mechanism: give start values of joints",
                        wanted.name
                    ));
                }
            }
        }
        None
    }

    /// Describes gears that let nothing move, the last of which has this relation.
    fn locked(&self, relation: usize, position: &str, wiring: &Wiring) -> String {
        let values = GenericValues::new(wiring.size);
        let mut edges = Vec::new();
        for (i, named) in self.parts.iter().enumerate() {
            for Relation { terms, .. } in Real::of(&*named.part).relations(values.view(), wiring.offsets[i]) {
                let ends: Vec<_> = terms.iter().map(|(local, _)| wiring.positions[i][*local]).collect();
                let is_gear = terms.len() > 2 || terms.iter().any(|(_, coefficient)| value(*coefficient).abs() != 1.0);
                edges.push((i, ends, is_gear));
            }
        }
        let (last, ends, _) = &edges[relation];
        // The shortest way from one of its ends to another one; each position with the relation that leads to it.
        let mut way = vec![None; wiring.preferences.len()];
        let mut reached = std::collections::VecDeque::from([ends[0]]);
        let mut through = vec![*last];
        'search: while let Some(from) = reached.pop_front() {
            for (number, (_, others, _)) in edges.iter().enumerate().filter(|(number, _)| *number < relation) {
                for to in others.iter().filter(|to| others.contains(&from) && **to != ends[0]) {
                    if way[*to].is_some() {
                        continue;
                    }
                    way[*to] = Some((from, number));
                    reached.push_back(*to);
                    if ends[1..].contains(to) {
                        let mut at = *to;
                        while let Some((before, number)) = way[at] {
                            through.extend(edges[number].2.then_some(edges[number].0));
                            at = before;
                        }
                        break 'search;
                    }
                }
            }
        }
        through.sort_unstable();
        through.dedup();
        let names: Vec<_> = through.iter().map(|i| format!("\"{}\"", self.parts[*i].name)).collect();
        let (tie, leave) = if names.len() == 1 { ("ties", "it") } else { ("tie", "one of them") };
        format!(
            "{} {tie} shafts in a circle whose ratios do not agree, so that \"{position}\" cannot move: make the product of the \
             ratios around the circle 1, put a clutch into it, or leave {leave} out",
            list(&names)
        )
    }

    /// Describes why there are no equations of motion.
    pub fn describe(&self, error: DrivetrainError, wiring: &Wiring) -> String {
        let name = |position: usize| self.name_of(position, wiring);
        let position = match &error {
            DrivetrainError::NoInertia(position) => *position,
            DrivetrainError::Massless(positions) => positions[0],
            _ => 0,
        };
        match error {
            DrivetrainError::NoInertia(_) | DrivetrainError::Massless(_) => format!(
                "nothing that moves with \"{}\" has inertia: connect an Inertia to it, or hold it by Fixed or Position",
                name(position)
            ),
            DrivetrainError::OtherCoordinates => {
                "with these ratios other motions are free than with others, as where the ratio of a gear with useSupport is 1, or \
                 planetary gears with the same ratio share all shafts: change a ratio, or leave out a gear that adds nothing"
                    .to_owned()
            }
            DrivetrainError::GearCircle(gears) => {
                let names: Vec<_> = gears.iter().map(|i| format!("\"{}\"", self.parts[*i].name)).collect();
                let tie = if names.len() == 1 { "ties" } else { "tie" };
                format!(
                    "{} {tie} shafts that other gears tie already, so that the torques through them do not follow from the \
                     motion: leave one of these gears out, take an IdealGear, or put a spring or a clutch in between",
                    list(&names)
                )
            }
            DrivetrainError::GearInSpace(gear) => format!(
                "\"{}\" is between two axes or rotors of the mechanism in space: a LossyGear must have a shaft on one side that does not \
                 carry the mechanism, such as that of a motor",
                self.parts[gear].name
            ),
            DrivetrainError::Locked(relation, position) => self.locked(relation, &name(position), wiring),
            DrivetrainError::Relation(RelationError::Contradiction(_)) => {
                "lengths of rods contradict each other: between two points all rods must have the same length"
                    .to_owned()
            }
            DrivetrainError::Relation(RelationError::Overdetermined { given: [one, other], .. }) => {
                let is_assembly = |position: &usize| {
                    wiring.owners[*position]
                        .is_some_and(|owner| self.parts[owner.part].part.properties().axis1.is_some())
                };
                if let Some(axis) = [one, other].iter().find(|position| is_assembly(position)) {
                    return format!(
                        "the motion at the axis of \"{}\" follows from that of the mechanism, and cannot be given or tied to \
                         another one: put a spring between, or give the motion of a joint",
                        name(*axis)
                    );
                }
                let is_sensor = |position: &usize| {
                    wiring.owners[*position].is_some_and(|owner| self.parts[owner.part].part.properties().is_block)
                };
                if let Some(sensor) = [one, other].iter().find(|position| is_sensor(position)) {
                    return format!(
                        "what goes through \"{}\" is not determined, since its flanges are also connected rigidly in another way, or \
                         both given motions: leave the other connection out, or put a spring or a clutch into it",
                        name(*sensor)
                    );
                }
                let is_fixed = |position: usize| {
                    let owner = wiring.owners[position].map(|owner| self.parts[owner.part].part.properties().type_name);
                    owner.is_some_and(|name| name.rsplit('.').next() == Some("Fixed"))
                };
                let are_fixed = one != other && is_fixed(one) && is_fixed(other);
                let [one, other] = [one, other].map(name);
                if are_fixed {
                    return format!(
                        "\"{one}\" and \"{other}\" both hold the same shaft or rod still, so that one of them is redundant and \
                         nothing tells how they share its load: leave one of them out, or put a spring in between"
                    );
                }
                let what = if one == other {
                    format!("\"{one}\" gives a motion to what gears and shafts hold still")
                } else {
                    format!("gears and shafts tie the motions that \"{one}\" and \"{other}\" give to each other")
                };
                format!("{what}: remove a part that prescribes a motion, or put a spring or a clutch in between")
            }
        }
    }
}
