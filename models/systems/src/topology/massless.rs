//! Flanges without inertia where springs and dampers meet: which of them have states, and on what they depend.

use fmu_runtime::{Connector, Number};
use mechanics::disjoint_sets::DisjointSets;
use mechanics::drivetrain::{Compliance, Drivetrain, DrivetrainError, MasslessGroup, Preference};

use super::Topology;
use super::drivetrain::{PartScalar, drivetrain};
use super::shared::real_at;
use super::wiring::{NamedPart, Wiring, has_position};
use crate::MULTIBODY;
use crate::part::{Compliant, View};
use crate::parts::domain::Domain;
use crate::parts::massless::{Role, massless};
use crate::parts::space::point::point;

/// A flange without inertia.
#[derive(Debug)]
pub struct MasslessFlange {
    /// One of the connectors there: it names the motion.
    name: String,
    domain: Domain,
    role: Role,
    /// Name of the flange relative to which the state counts.
    root: Option<String>,
}

/// Coordinates without inertia that springs and dampers connect.
#[derive(Clone, Debug)]
pub struct LinkedFlanges {
    /// The coordinates.
    pub coordinates: Vec<usize>,
    /// For each, the place of the one with whose balance it moves, if dampers do not connect it to what moves by itself.
    pub roots: Vec<Option<usize>>,
    /// The springs and dampers.
    pub parts: Vec<usize>,
}

/// A flange of a part.
struct Flange {
    name: String,
    domain: Domain,
    position: usize,
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
        let added_point = |[frame, world]: &[String; 2]| NamedPart {
            name: frame.clone(),
            part: point(),
            connections: vec![("frame_a".to_owned(), world.clone()), ("frame_b".to_owned(), frame.clone())],
        };
        let own = self.parts.iter().map(copied);
        let parts = if MULTIBODY && !points.is_empty() {
            own.chain(points.iter().map(added_point)).collect()
        } else {
            own.chain(flanges.iter().map(added)).collect()
        };
        let (outputs, shared) = (self.outputs.clone(), self.shared.clone());
        Some(Box::new(Self { parts, outputs, shared, system: self.system, ..Self::default() }))
    }

    /// Makes the equations of the train; positions that move nothing with inertia are given then, if springs and dampers meet
    /// there.
    pub(super) fn train(&self, wiring: &mut Wiring, view: View<'_, f64>) -> Result<Drivetrain<f64>, String> {
        let massless = match drivetrain(&self.parts, wiring, view, false) {
            Err(DrivetrainError::Massless(positions)) => positions,
            made => return made.map_err(|error| self.describe(error, wiring)),
        };
        let refused = |wiring: &Wiring| self.describe(DrivetrainError::Massless(massless.clone()), wiring);
        let places = |train: &Drivetrain<f64>, positions: &[usize]| -> Vec<usize> {
            let place = |position: &usize| train.coordinates().iter().position(|own| own == position);
            positions.iter().filter_map(place).collect()
        };
        let train = self.train_where_given(wiring, view, &massless).map_err(|_| refused(wiring))?;
        // The flange of a spring or damper is to give the motion, not one behind a gear.
        let flanges: Vec<_> =
            places(&train, &massless).iter().map(|k| self.flange_of(*k, wiring, &train).position).collect();
        let train = self.train_where_given(wiring, view, &flanges).map_err(|_| refused(wiring))?;
        let coordinates = places(&train, &flanges);
        let groups = self.linked(wiring, &train, &coordinates)?;
        let mut added = Vec::new();
        for LinkedFlanges { coordinates, roots, .. } in &groups {
            let flange = |k: usize| self.flange_of(k, wiring, &train);
            for (place, k) in coordinates.iter().enumerate() {
                let (role, root) = match roots[place] {
                    None => (Role::State, None),
                    Some(root) if root == place => (Role::Algebraic, None),
                    Some(root) => (Role::RelativeState, Some(flange(coordinates[root]).name)),
                };
                let Flange { name, domain, .. } = flange(*k);
                added.push(MasslessFlange { name, domain, role, root });
            }
        }
        wiring.massless = added;
        Ok(train)
    }

    /// Finds which coordinates without inertia belong together, and which of them have states.
    pub(super) fn linked(
        &self,
        wiring: &Wiring,
        train: &Drivetrain<f64>,
        massless: &[usize],
    ) -> Result<Vec<LinkedFlanges>, String> {
        let mut place = vec![None; train.coordinates().len()];
        massless.iter().enumerate().for_each(|(i, k)| place[*k] = Some(i));
        let flange = |i: usize| self.flange_of(massless[i], wiring, train);
        let name = |i: usize| flange(i).name;
        let body = |i: usize| flange(i).domain.pick("an Inertia", "a Mass");
        let (mut groups, mut damped) = (DisjointSets::new(massless.len()), DisjointSets::new(massless.len()));
        let mut touched = vec![0; massless.len()];
        let mut links = Vec::new();
        let mut stranger = None;
        for (i, NamedPart { name: own, part, .. }) in self.parts.iter().enumerate() {
            let properties = part.properties();
            if !(properties.has_loads || properties.has_friction) {
                continue;
            }
            let moves = |position: &usize| train.position(*position).iter().find_map(|(k, _)| place[*k]);
            if properties.compliant.is_none() {
                let node = wiring.positions[i].iter().find_map(moves);
                stranger = stranger.or_else(|| node.map(|node| (own, node)));
                continue;
            }
            let (terms, _) = train.difference([wiring.positions[i][0], wiring.positions[i][1]]);
            let nodes: Vec<_> = terms.iter().filter_map(|(k, n)| Some((place[*k]?, *n))).collect();
            let Some((first, _)) = nodes.first() else { continue };
            for (node, _) in &nodes {
                touched[*node] += 1;
                groups.join(*first, *node);
            }
            if properties.compliant == Some(Compliant::Damper) {
                nodes.iter().for_each(|(node, _)| damped.join(*first, *node));
            }
            links.push((i, nodes, terms.len()));
        }
        if let Some(alone) = touched.iter().position(|count| *count < 2) {
            return Err(self.describe(DrivetrainError::Massless(vec![train.coordinates()[massless[alone]]]), wiring));
        }
        if let Some((own, node)) = stranger {
            return Err(format!(
                "\"{own}\" acts at \"{}\", which has no inertia, so that only springs and dampers can meet there: connect {} to it",
                name(node),
                body(node)
            ));
        }
        // Sets of flanges that dampers connect to what moves by itself, and one of them with gears or rods in between.
        let (mut held, mut geared) = (vec![false; massless.len()], vec![None; massless.len()]);
        for (i, nodes, count) in &links {
            if self.parts[*i].part.properties().compliant != Some(Compliant::Damper) {
                continue;
            }
            let set = damped.of(nodes[0].0);
            let [is_alone, is_pair] = [nodes.len() == 1, nodes.len() == 2 && nodes[0].1 == -nodes[1].1];
            held[set] |= is_alone || nodes.len() < *count;
            if !(is_alone || is_pair) {
                geared[set] = Some(*i);
            }
        }
        let mut first = vec![None; massless.len()];
        let mut roots = Vec::new();
        for node in 0..massless.len() {
            let set = damped.of(node);
            if let Some(i) = geared[set] {
                let own = &self.parts[i].name;
                if !held[set] || links.iter().any(|(part, nodes, _)| *part == i && nodes.len() > 2) {
                    return Err(format!(
                        "\"{own}\" acts over a gear at \"{}\", which has no inertia: connect {} to it",
                        name(node),
                        body(node)
                    ));
                }
            }
            roots.push((!held[set]).then(|| *first[set].get_or_insert(node)));
        }
        let mut all = Vec::new();
        for set in 0..massless.len() {
            let members: Vec<_> = (0..massless.len()).filter(|node| groups.of(*node) == set).collect();
            if members.is_empty() {
                continue;
            }
            let place = |node: usize| members.iter().position(|member| *member == node);
            let group = LinkedFlanges {
                coordinates: members.iter().map(|node| massless[*node]).collect(),
                roots: members.iter().map(|node| roots[*node].and_then(place)).collect(),
                parts: links.iter().filter(|link| groups.of(link.1[0].0) == set).map(|link| link.0).collect(),
            };
            let system = group.of_train(train, &wiring.positions);
            let mut q = vec![0.0; train.coordinates().len()];
            let law = &mut |part: usize, _| {
                let is_spring = self.parts[part].part.properties().compliant == Some(Compliant::Spring);
                Compliance { stiffness: f64::from(u8::from(is_spring)), ..Compliance::none() }
            };
            if let Err(place) = system.find_positions(&mut system.buffers(), &mut q, law) {
                return Err(format!(
                    "nothing that always acts holds \"{}\", which has no inertia: connect {}, a Spring, or a Damper to it that leads to what \
                     has inertia or is held",
                    name(members[place]),
                    body(members[place])
                ));
            }
            all.push(group);
        }
        Ok(all)
    }

    /// Describes a parameter with which the motion of a flange without inertia does not follow, if there is one.
    pub(super) fn massless_problem(&self, view: View<'_, f64>) -> Option<String> {
        let wiring = self.wiring();
        let flange = |k: usize| wiring.coordinates[k].part;
        for group in &wiring.linked {
            for part in &group.parts {
                let NamedPart { name, part: own, .. } = &self.parts[*part];
                let parameter = |key: &str| {
                    real_at(&self.parts[*part], key).map(|at| view.reals[wiring.offsets[*part].passed.reals + at])
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
                    Compliant::Damper | Compliant::Spring => {}
                }
            }
        }
        None
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
        view: View<'_, f64>,
        positions: &[usize],
    ) -> Result<Drivetrain<f64>, DrivetrainError> {
        positions.iter().for_each(|position| wiring.preferences[*position] = Preference::Given);
        let train = drivetrain(&self.parts, wiring, view, false);
        positions.iter().for_each(|position| wiring.preferences[*position] = Preference::Any);
        train
    }

    /// Returns the first flange of a spring or damper that moves with one coordinate alone, or with others, too.
    fn flange_of(&self, coordinate: usize, wiring: &Wiring, train: &Drivetrain<f64>) -> Flange {
        let mut flanges = Vec::new();
        for (NamedPart { name, part, .. }, positions) in self.parts.iter().zip(&wiring.positions) {
            let own = part.connectors().into_iter().filter(|(_, kind)| has_position(*kind));
            for ((connector, kind), position) in own.zip(positions).filter(|_| part.properties().compliant.is_some()) {
                let terms = train.position(*position);
                if terms.iter().any(|(k, _)| *k == coordinate) {
                    flanges.push((terms.len(), name, connector, kind, *position));
                }
            }
        }
        let first = flanges.iter().find(|flange| flange.0 == 1).or(flanges.first());
        let Some((_, name, connector, kind, position)) = first else {
            let position = train.coordinates()[coordinate];
            return Flange { name: self.name_of(position, wiring), domain: Domain::Rotational, position };
        };
        let is_sliding = matches!(kind, Connector::TranslationalFlange_a | Connector::TranslationalFlange_b);
        let domain = if is_sliding { Domain::Translational } else { Domain::Rotational };
        Flange { name: format!("{name}.{connector}"), domain, position: *position }
    }
}

impl LinkedFlanges {
    /// Makes the equations of the group; `positions` has those of each part.
    pub fn of_train<T: PartScalar>(&self, train: &Drivetrain<T>, positions: &[Vec<usize>]) -> MasslessGroup<T> {
        let links = self.parts.iter().map(|part| (*part, [positions[*part][0], positions[*part][1]]));
        MasslessGroup::new(train, self.coordinates.clone(), self.roots.clone(), links)
    }
}
