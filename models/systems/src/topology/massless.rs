//! Flanges without inertia where springs and dampers meet, as parts that a system adds.

use fmu_runtime::{Connector, Number};
use mechanics::drivetrain::{Drivetrain, DrivetrainError, Preference};
use mechanics::value;

use super::Topology;
use super::drivetrain::{Purpose, drivetrain};
use super::massless_nodes::{LinkedFlanges, MasslessFlange, MasslessPoint};
use super::shared::real_at;
use super::wiring::{NamedPart, Wiring, has_position};
use crate::MULTIBODY;
use crate::part::{Compliant, View};
use crate::parts::domain::Domain;
use crate::parts::massless::{Role, massless};
use crate::parts::space::point::point;
use crate::real::Real;

/// A flange of a part.
pub(super) struct Flange {
    /// Names of the part and of the connector.
    pub name: String,
    /// Rotational or translational.
    pub domain: Domain,
    /// The number of its position.
    pub position: usize,
}

impl Topology {
    /// Returns the system with a part for each point without mass, or else flange without inertia, if there are any.
    pub(super) fn completed(&self) -> Option<Box<Self>> {
        let Wiring { massless: flanges, points, .. } = self.wiring();
        if flanges.is_empty() && points.is_empty() {
            return None;
        }
        let copied = |named: &NamedPart| NamedPart {
            name: named.name.clone(),
            part: named.part.copied(),
            connections: named.connections.clone(),
        };
        let added = |flange: &MasslessFlange| {
            let connection = |own: &str, to: &String| (own.to_owned(), to.clone());
            let mut connections = vec![connection("flange", &flange.name)];
            connections.extend(flange.root.iter().map(|root| connection("root", root)));
            NamedPart { name: flange.name.clone(), part: massless(flange.domain, flange.role), connections }
        };
        let added_point = |MasslessPoint { name, world, is_state }: &MasslessPoint| NamedPart {
            name: name.clone(),
            part: point(*is_state),
            connections: vec![("frame_a".to_owned(), world.clone()), ("frame_b".to_owned(), name.clone())],
        };
        let own = self.parts.iter().map(copied);
        let parts = if MULTIBODY && !points.is_empty() {
            own.chain(points.iter().map(added_point)).collect()
        } else {
            own.chain(flanges.iter().map(added)).collect()
        };
        let (outputs, shared, found) = (self.outputs.clone(), self.shared.clone(), self.found.clone());
        Some(Box::new(Self { parts, outputs, shared, found, system: self.system, ..Self::default() }))
    }

    /// Makes the equations of the train; positions that move nothing with inertia are given then, if springs and dampers meet
    /// there.
    pub(super) fn train(&self, wiring: &mut Wiring, view: View<'_, Real>) -> Result<Drivetrain<Real>, String> {
        let massless = match drivetrain(&self.parts, wiring, view, Purpose::Structure) {
            Err(DrivetrainError::Massless(positions)) => positions,
            made => return made.map_err(|error| self.describe(error, wiring)),
        };
        let refused = |wiring: &Wiring| self.describe(DrivetrainError::Massless(massless.clone()), wiring);
        if !self.is_connected() {
            // Nothing meets at any flange, as long as only the types of parts are known.
            return Err(refused(wiring));
        }
        let places = |train: &Drivetrain<Real>, positions: &[usize]| -> Vec<usize> {
            let mut place = vec![None; train.count()];
            train.coordinates().iter().enumerate().for_each(|(k, position)| place[*position] = Some(k));
            positions.iter().filter_map(|position| place[*position]).collect()
        };
        let train = self.train_where_given(wiring, view, &massless).map_err(|_| refused(wiring))?;
        // The flange of a spring or damper is to give the motion, not one behind a gear.
        let flanges = self.flanges_of(&places(&train, &massless), wiring, &train);
        let flanges: Vec<_> = flanges.iter().map(|flange| flange.position).collect();
        let train = self.train_where_given(wiring, view, &flanges).map_err(|_| refused(wiring))?;
        let coordinates = places(&train, &flanges);
        let groups = self.linked(wiring, &train, &coordinates)?;
        let all: Vec<_> = groups.iter().flat_map(|group| &group.coordinates).copied().collect();
        let mut flanges = self.flanges_of(&all, wiring, &train).into_iter();
        let mut added = Vec::new();
        for LinkedFlanges { roots, .. } in &groups {
            let own: Vec<_> = flanges.by_ref().take(roots.len()).collect();
            let names: Vec<_> = own.iter().map(|flange| flange.name.clone()).collect();
            for (place, Flange { name, domain, .. }) in own.into_iter().enumerate() {
                let (role, root) = match roots[place] {
                    None => (Role::State, None),
                    Some(root) if root == place => (Role::Algebraic, None),
                    Some(root) => (Role::RelativeState, Some(names[root].clone())),
                };
                added.push(MasslessFlange { name, domain, role, root });
            }
        }
        wiring.massless = added;
        Ok(train)
    }

    /// Describes a parameter with which the motion of a flange without inertia does not follow, if there is one.
    pub(super) fn massless_problem(&self, view: View<'_, Real>) -> Option<String> {
        let wiring = self.wiring();
        let flange = |k: usize| wiring.coordinates[k].part;
        for group in &wiring.linked {
            for part in &group.parts {
                let NamedPart { name, part: own, .. } = &self.parts[*part];
                let parameter = |key: &str| {
                    real_at(&self.parts[*part], key)
                        .map(|at| value(view.reals[wiring.offsets[*part].passed.reals + at]))
                };
                // Behind rods and gears, any flange of the group is meant.
                let meets = |k: &usize| wiring.positions[*part].contains(&wiring.positions[flange(*k)][0]);
                let near = |place: &usize| meets(&group.coordinates[*place]);
                let places = 0..group.coordinates.len();
                let at = |place: usize| &self.parts[flange(group.coordinates[place])].name;
                let first = places.clone().find(near).unwrap_or(0);
                let is_0 = |key: &str| parameter(key) == Some(0.0);
                match own.properties().compliant? {
                    Compliant::Damper if is_0("d") => {
                        return Some(format!(
                            "{name}.d is 0, but at \"{}\" nothing has inertia: give it a damping above 0, or take a Spring",
                            at(first)
                        ));
                    }
                    Compliant::Spring if is_0("c") => {
                        return Some(format!(
                            "{name}.c is 0, but at \"{}\" nothing has inertia: give it a stiffness above 0, or leave it out",
                            at(first)
                        ));
                    }
                    Compliant::Contact => {
                        let damping = parameter("d").filter(|d| *d > 0.0);
                        let is_open = |place: &usize| group.roots[*place].is_some();
                        let is_near = |place: &usize| near(place) || !places.clone().any(|place| near(&place));
                        if let (Some(d), Some(place)) = (damping, places.clone().find(|p| is_open(p) && is_near(p))) {
                            return Some(format!(
                                "{name}.d is {}, but at \"{}\" neither an inertia nor a damper that always acts decides the velocity: \
                                 give it the damping 0, or connect a Damper or an Inertia there",
                                Number(d),
                                at(place)
                            ));
                        }
                    }
                    Compliant::Damper | Compliant::Spring | Compliant::Constant => {}
                }
            }
        }
        if MULTIBODY { self.undamped_line(view) } else { None }
    }

    /// Returns the name of the first connector at a position.
    pub(super) fn name_of(&self, position: usize, wiring: &Wiring) -> String {
        let find = |(i, own): (usize, &Vec<usize>)| {
            let local = own.iter().position(|own| *own == position)?;
            let NamedPart { name, part, .. } = &self.parts[i];
            let flange = part.connectors().into_iter().filter(|(_, kind)| has_position(*kind)).nth(local);
            Some(flange.map_or_else(|| name.clone(), |(connector, _)| format!("{name}.{connector}")))
        };
        wiring.positions.iter().enumerate().find_map(find).unwrap_or_default()
    }

    /// Makes the equations of the train where these positions are given, too.
    fn train_where_given(
        &self,
        wiring: &mut Wiring,
        view: View<'_, Real>,
        positions: &[usize],
    ) -> Result<Drivetrain<Real>, DrivetrainError> {
        positions.iter().for_each(|position| wiring.preferences[*position] = Preference::Given);
        let train = drivetrain(&self.parts, wiring, view, Purpose::Structure);
        positions.iter().for_each(|position| wiring.preferences[*position] = Preference::Any);
        train
    }

    /// Returns the first flange of a spring or damper that moves with one coordinate alone, or with others, too.
    pub(super) fn flange_of(&self, coordinate: usize, wiring: &Wiring, train: &Drivetrain<Real>) -> Flange {
        self.flanges_of(&[coordinate], wiring, train).remove(0)
    }

    /// Returns these flanges for several coordinates.
    fn flanges_of(&self, coordinates: &[usize], wiring: &Wiring, train: &Drivetrain<Real>) -> Vec<Flange> {
        // For each coordinate, the number of those that move the flange, and the flange.
        let mut found = vec![None; train.coordinates().len()];
        for (NamedPart { name, part, .. }, positions) in self.parts.iter().zip(&wiring.positions) {
            let Some(compliant) = part.properties().compliant else { continue };
            let own = part.connectors().into_iter().filter(|(_, kind)| has_position(*kind));
            for ((connector, kind), position) in own.zip(positions) {
                let terms = train.position(*position);
                // A constant load is the last choice.
                let count = if compliant == Compliant::Constant { usize::MAX } else { terms.len() };
                for (k, _) in terms {
                    let is_better =
                        |(other, ..): &(usize, _, _, _, _)| *other > 1 && (count == 1 || *other == usize::MAX);
                    if found[*k].as_ref().is_none_or(is_better) {
                        found[*k] = Some((count, name, connector, kind, *position));
                    }
                }
            }
        }
        let flange = |coordinate: &usize| {
            let Some((_, name, connector, kind, position)) = found[*coordinate] else {
                let position = train.coordinates()[*coordinate];
                return Flange { name: self.name_of(position, wiring), domain: Domain::Rotational, position };
            };
            let is_sliding = matches!(kind, Connector::TranslationalFlange_a | Connector::TranslationalFlange_b);
            let domain = if is_sliding { Domain::Translational } else { Domain::Rotational };
            Flange { name: format!("{name}.{connector}"), domain, position }
        };
        coordinates.iter().map(flange).collect()
    }
}
