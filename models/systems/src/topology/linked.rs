//! Flanges without inertia: which springs and dampers connect them, and which of them have states.

use mechanics::disjoint_sets::DisjointSets;
use mechanics::drivetrain::{Compliance, Drivetrain, DrivetrainError};
use mechanics::{constant, value};

use super::Topology;
use super::massless_nodes::LinkedFlanges;
use super::wiring::{NamedPart, Wiring};
use crate::part::Compliant;
use crate::real::Real;

/// Largest number of flanges that springs and dampers connect: the work grows with its cube.
const MAX_LINKED: usize = 300;

/// A spring, damper or constant load at flanges without inertia.
struct Link {
    part: usize,
    kind: Compliant,
    /// The flanges, each with the coefficient by which its ends move apart.
    flanges: Vec<(usize, f64)>,
    /// True if other coordinates move its ends apart, too.
    leads_out: bool,
}

/// The flanges without inertia of a system, by the numbers of their coordinates.
struct Massless<'a> {
    topology: &'a Topology,
    wiring: &'a Wiring,
    train: &'a Drivetrain<Real>,
    coordinates: &'a [usize],
}

impl Topology {
    /// Finds which coordinates without inertia belong together, and which of them have states.
    pub(super) fn linked(
        &self,
        wiring: &Wiring,
        train: &Drivetrain<Real>,
        coordinates: &[usize],
    ) -> Result<Vec<LinkedFlanges>, String> {
        if coordinates.is_empty() {
            return Ok(Vec::new());
        }
        let massless = Massless { topology: self, wiring, train, coordinates };
        let links = massless.links()?;
        let roots = massless.roots(&links)?;
        massless.groups(&links, &roots)
    }
}

impl Massless<'_> {
    fn name(&self, flange: usize) -> String {
        self.topology.flange_of(self.coordinates[flange], self.wiring, self.train).name
    }

    /// Parts with inertia that can be connected to a flange.
    fn body(&self, flange: usize) -> &'static str {
        let flange = self.topology.flange_of(self.coordinates[flange], self.wiring, self.train);
        flange.domain.pick("an Inertia", "a Mass")
    }

    /// Returns the springs, dampers and constant loads, or what else acts on a flange.
    fn links(&self) -> Result<Vec<Link>, String> {
        let Self { topology, wiring, train, coordinates } = self;
        let mut place = vec![None; train.coordinates().len()];
        coordinates.iter().enumerate().for_each(|(i, k)| place[*k] = Some(i));
        let mut touched = vec![0; coordinates.len()];
        let (mut links, mut stranger) = (Vec::new(), None);
        for (i, NamedPart { name, part, .. }) in topology.parts.iter().enumerate() {
            let properties = part.properties();
            if !(properties.has_loads || properties.has_friction) {
                continue;
            }
            let Some(kind) = properties.compliant else {
                let moves = |position: &usize| train.position(*position).iter().find_map(|(k, _)| place[*k]);
                let flange = wiring.positions[i].iter().find_map(moves);
                stranger = stranger.or_else(|| flange.map(|flange| (name, flange)));
                continue;
            };
            let (terms, _) = train.ahead(&wiring.positions[i]);
            let flanges: Vec<_> = terms.iter().filter_map(|(k, n)| Some((place[*k]?, value(*n)))).collect();
            if !flanges.is_empty() {
                flanges.iter().for_each(|(flange, _)| touched[*flange] += 1);
                links.push(Link { part: i, kind, leads_out: flanges.len() < terms.len(), flanges });
            }
        }
        if let Some(alone) = touched.iter().position(|count| *count < 2) {
            let position = train.coordinates()[coordinates[alone]];
            return Err(topology.describe(DrivetrainError::Massless(vec![position]), wiring));
        }
        match stranger {
            Some((name, flange)) => Err(format!(
                "\"{name}\" acts at \"{}\", which has no inertia, so that only springs, dampers and constant loads can meet there: \
                 connect {} to it",
                self.name(flange),
                self.body(flange)
            )),
            None => Ok(links),
        }
    }

    /// Returns for each flange the one with whose balance it moves, unless dampers connect it to what moves by itself.
    fn roots(&self, links: &[Link]) -> Result<Vec<Option<usize>>, String> {
        let count = self.coordinates.len();
        let dampers = || links.iter().filter(|link| link.kind == Compliant::Damper);
        let mut sets = DisjointSets::new(count);
        for link in dampers() {
            link.flanges.iter().for_each(|(flange, _)| sets.join(link.flanges[0].0, *flange));
        }
        // Those that dampers connect to what moves by itself, and dampers whose ends a gear moves apart.
        let (mut held, mut geared) = (vec![false; count], vec![None; count]);
        for link in dampers() {
            let set = sets.of(link.flanges[0].0);
            held[set] |= link.leads_out || link.flanges.len() == 1;
            let is_plain = match link.flanges.as_slice() {
                [_] => true,
                [one, other] => one.1 == -other.1,
                _ => false,
            };
            if !is_plain {
                geared[set] = Some(link);
            }
        }
        let mut first = vec![None; count];
        let mut roots = Vec::new();
        for flange in 0..count {
            let set = sets.of(flange);
            match geared[set] {
                Some(link) if !held[set] || link.flanges.len() > 2 => {
                    return Err(format!(
                        "\"{}\" acts over a gear at \"{}\", which has no inertia: connect {} to it",
                        self.topology.parts[link.part].name,
                        self.name(flange),
                        self.body(flange)
                    ));
                }
                _ => roots.push((!held[set]).then(|| *first[set].get_or_insert(flange))),
            }
        }
        Ok(roots)
    }

    /// Returns the groups of flanges that springs and dampers connect, each of which springs hold where dampers do not.
    fn groups(&self, links: &[Link], roots: &[Option<usize>]) -> Result<Vec<LinkedFlanges>, String> {
        let Self { topology, wiring, train, coordinates } = self;
        let mut sets = DisjointSets::new(coordinates.len());
        for Link { flanges, .. } in links {
            flanges.iter().for_each(|(flange, _)| sets.join(flanges[0].0, *flange));
        }
        let mut members = vec![Vec::new(); coordinates.len()];
        (0..coordinates.len()).for_each(|flange| members[sets.of(flange)].push(flange));
        let mut groups = Vec::new();
        for members in members.into_iter().filter(|members| !members.is_empty()) {
            if members.len() > MAX_LINKED {
                return Err(format!(
                    "springs and dampers connect {} flanges without inertia to \"{}\", but can connect at most {MAX_LINKED}: connect {} \
                     to some of them",
                    members.len() - 1,
                    self.name(members[0]),
                    self.body(members[0])
                ));
            }
            let place = |flange: usize| members.binary_search(&flange).ok();
            let own = links.iter().filter(|link| place(link.flanges[0].0).is_some());
            let group = LinkedFlanges {
                coordinates: members.iter().map(|flange| coordinates[*flange]).collect(),
                roots: members.iter().map(|flange| roots[*flange].and_then(place)).collect(),
                parts: own.map(|link| link.part).collect(),
            };
            let system = group.of_train(train, &wiring.positions);
            let mut q = vec![constant(0.0); train.coordinates().len()];
            let law = &mut |part: usize, _| {
                let is_spring = topology.parts[part].part.properties().compliant == Some(Compliant::Spring);
                Compliance { stiffness: constant(f64::from(u8::from(is_spring))), ..Compliance::none() }
            };
            if let Err(place) = system.find_positions(&mut system.buffers(), &mut q, law) {
                return Err(format!(
                    "nothing that always acts holds \"{}\", which has no inertia: connect {}, a Spring, or a Damper to it that leads to \
                     what has inertia or is held",
                    self.name(members[place]),
                    self.body(members[place])
                ));
            }
            groups.push(group);
        }
        Ok(groups)
    }
}
