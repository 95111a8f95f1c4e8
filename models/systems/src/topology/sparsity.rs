//! Influences between parts: which are connected, and how far an effect goes.
//!
//! Relations tie positions into bodies, which move as one or in several coordinates. A part loads the bodies that it is
//! connected to, and so changes their accelerations. Inertias, gears, friction and given motions also change where bodies
//! are, and how fast: with that the loads of all parts at these bodies, and so the accelerations of the bodies at their
//! other ends. Elements that are stuck pass loads on, also to what gives the motion of a body; such a body passes nothing on.

use fmu_runtime::Base;
use fmu_runtime::model::Sparsity;
use mechanics::disjoint_sets::DisjointSets;

use crate::part::View;
use crate::real::Real;
use crate::topology::drivetrain::PartScalar;
use crate::topology::wiring::{NamedPart, Owner, SharedInputs, Wiring};

/// Number of pairs of parts beyond which nearly all affect each other.
const MAX_EFFORT: usize = 20_000_000;

/// Number of steps in factoring the matrix of friction elements, which grow with the cube of their number, that count
/// as one Real.
const FACTORING: usize = 30;

/// Factor of the effort where parameters may have changed: masses and coordinates are found again.
const START: usize = 50;

/// Factor of the effort of a part in space; and number of steps in factoring its mass matrix, which grow with the cube
/// of the coordinates, that count as one Real.
const EFFORT_OF_REALS: usize = 12;
const EFFORT_OF_FACTORING: usize = 2;

/// Returns the sparsity of a system in which any variable may affect any other.
fn whole(wiring: &Wiring, effort: usize) -> Sparsity {
    let start_effort = effort + START * wiring.size.passed.reals;
    Sparsity { effort, start_effort, around_start: true, ..Sparsity::whole() }
}

/// Returns the sparsity of parts in space, which all affect each other through the mechanism.
pub fn in_space(wiring: &Wiring) -> Sparsity {
    whole(wiring, EFFORT_OF_REALS * wiring.size.passed.reals + wiring.free.saturating_pow(3) / EFFORT_OF_FACTORING)
}

/// Returns the influences between connected parts, with any parameters.
pub fn influences(parts: &[NamedPart], wiring: &Wiring, view: View<'_, Real>) -> Sparsity {
    let Connections { touched, tied, at, loaded } = Connections::of(Bodies::of(parts, wiring, view), wiring);
    let effort = wiring.friction_pairs.len().saturating_pow(3) / FACTORING;
    let mut influences =
        Sparsity { offsets: wiring.offsets.clone(), reaches: Vec::with_capacity(parts.len()), ..whole(wiring, effort) };
    let (mut seen, mut seen_bodies) = (vec![usize::MAX; parts.len()], vec![usize::MAX; at.len()]);
    let mut pairs = 0;
    for (i, tied) in tied.iter().enumerate() {
        let mut reach = Vec::new();
        let mut add = |parts: &[usize]| {
            pairs += parts.len();
            for part in parts {
                if std::mem::replace(&mut seen[*part], i) != i {
                    reach.push(*part);
                }
            }
        };
        add(&[i]);
        touched[i].iter().for_each(|body| add(&loaded[*body]));
        for body in tied {
            add(&at[*body]);
            for next in at[*body].iter().flat_map(|part| &touched[*part]) {
                if std::mem::replace(&mut seen_bodies[*next], i) != i {
                    add(&loaded[*next]);
                }
            }
        }
        if pairs > MAX_EFFORT {
            return whole(wiring, effort);
        }
        influences.reaches.push(reach);
    }
    if add_signals(&mut influences, &wiring.signals.consumers) > MAX_EFFORT {
        return whole(wiring, effort);
    }
    add_inputs(&mut influences, wiring);
    influences
}

/// The bodies of a drive train: positions that relations of parts or friction elements move together.
struct Bodies {
    sets: DisjointSets,
    /// True for each body with a coordinate of its own.
    is_free: Vec<bool>,
    /// For each part, the positions that it ties to others; its own are there too.
    tied: Vec<Vec<usize>>,
    /// Free positions, each with a given one at which a friction element can hold it.
    held: Vec<(usize, usize)>,
}

impl Bodies {
    fn of(parts: &[NamedPart], wiring: &Wiring, view: View<'_, Real>) -> Self {
        let count = wiring.preferences.len();
        let tied = vec![Vec::new(); parts.len()];
        let mut bodies = Self { sets: DisjointSets::new(count), is_free: vec![false; count], tied, held: Vec::new() };
        for (i, positions) in wiring.positions.iter().enumerate() {
            for relation in Real::of(&*parts[i].part).relations(view, wiring.offsets[i]) {
                let first = positions[relation.terms[0].0];
                for (local, _) in &relation.terms {
                    bodies.sets.join(first, positions[*local]);
                    bodies.tied[i].push(positions[*local]);
                }
            }
            bodies.tied[i].extend(own_positions(wiring, i));
        }
        bodies.find_free(wiring);
        for i in &wiring.friction_pairs {
            let Some(pair) = Real::of(&*parts[*i].part).friction_pair(view, wiring.offsets[*i]) else { continue };
            bodies.add_friction(*i, pair.between.map(|local| wiring.positions[*i][local]));
        }
        bodies.find_free(wiring);
        bodies
    }

    /// Marks the bodies that have a coordinate.
    fn find_free(&mut self, wiring: &Wiring) {
        for Owner { part, .. } in &wiring.coordinates[..wiring.free] {
            for position in own_positions(wiring, *part) {
                self.is_free[self.sets.of(position)] = true;
            }
        }
    }

    /// Joins the bodies between which a part has friction, as far as they are free.
    fn add_friction(&mut self, part: usize, [one, other]: [usize; 2]) {
        let [one_free, other_free] = [one, other].map(|position| self.is_free[self.sets.of(position)]);
        self.tied[part].extend([(one, one_free), (other, other_free)].iter().filter(|end| end.1).map(|end| end.0));
        match (one_free, other_free) {
            (true, true) => self.sets.join(one, other),
            (true, false) => self.held.push((one, other)),
            (false, true) => self.held.push((other, one)),
            (false, false) => {}
        }
    }
}

/// Returns the positions that a part has of its own.
fn own_positions(wiring: &Wiring, part: usize) -> impl Iterator<Item = usize> {
    let is_own = move |position: &usize| wiring.owners[*position].is_some_and(|owner| owner.part == part);
    wiring.positions[part].iter().copied().filter(is_own)
}

/// Which parts and bodies meet; some are there several times.
struct Connections {
    /// For each part, the bodies that it touches.
    touched: Vec<Vec<usize>>,
    /// For each part, the bodies that it ties to others, or moves.
    tied: Vec<Vec<usize>>,
    /// For each body, the parts at it.
    at: Vec<Vec<usize>>,
    /// For each body, the receivers of its loads: all parts at a body that is free, and those that hold it.
    loaded: Vec<Vec<usize>>,
}

impl Connections {
    fn of(bodies: Bodies, wiring: &Wiring) -> Self {
        let Bodies { mut sets, is_free, mut tied, held } = bodies;
        let mut touched = wiring.positions.clone();
        for position in touched.iter_mut().chain(&mut tied).flatten() {
            *position = sets.of(*position);
        }
        let mut at: Vec<Vec<usize>> = vec![Vec::new(); is_free.len()];
        let mut loaded = at.clone();
        for (i, touched) in touched.iter().enumerate() {
            for body in touched {
                at[*body].push(i);
                if is_free[*body] || wiring.given[i].is_some() {
                    loaded[*body].push(i);
                }
            }
        }
        for (one, given) in held {
            let holders = loaded[sets.of(given)].clone();
            loaded[sets.of(one)].extend(holders);
        }
        Self { touched, tied, at, loaded }
    }
}

/// Adds what each part affects through signals and heat, as far as these go.
///
/// Returns the number of pairs of parts that were looked at; stops once it exceeds [`MAX_EFFORT`].
fn add_signals(influences: &mut Sparsity, consumers: &[Vec<usize>]) -> usize {
    if consumers.iter().all(Vec::is_empty) {
        return 0;
    }
    let direct = influences.reaches.clone();
    let [mut seen, mut followed] = [0; 2].map(|_| vec![usize::MAX; direct.len()]);
    let mut pairs = 0;
    for (part, reach) in influences.reaches.iter_mut().enumerate() {
        if pairs > MAX_EFFORT {
            break;
        }
        reach.iter().for_each(|one| seen[*one] = part);
        let own = reach.len();
        let mut next = 0;
        while let Some(one) = reach.get(next).copied() {
            next += 1;
            for consumer in &consumers[one] {
                if std::mem::replace(&mut followed[*consumer], part) != part {
                    pairs += direct[*consumer].len();
                    reach.extend(
                        direct[*consumer].iter().filter(|one| std::mem::replace(&mut seen[**one], part) != part),
                    );
                }
            }
        }
        reach[own..].sort_unstable();
    }
    pairs
}

/// Adds the inputs of the system as one more part, which affects what those affect to which it gives values.
fn add_inputs(influences: &mut Sparsity, wiring: &Wiring) {
    let SharedInputs { reals, integers, booleans, .. } = &wiring.feeds;
    let fed = |base, (_, to): &(usize, usize)| influences.part(base, *to);
    let fed = (reals.iter().map(|feed| fed(Base::Real, feed)))
        .chain(integers.iter().map(|feed| fed(Base::Integer, feed)))
        .chain(booleans.iter().map(|feed| fed(Base::Boolean, feed)));
    let mut is_reached = vec![false; influences.reaches.len()];
    fed.flat_map(|part| &influences.reaches[part]).for_each(|part| is_reached[*part] = true);
    let own = influences.reaches.len();
    let reach = (0..own).filter(|part| is_reached[*part]).chain([own]).collect();
    influences.offsets.push(wiring.size);
    influences.reaches.push(reach);
}
