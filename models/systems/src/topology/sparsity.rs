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
pub fn influences(parts: &[NamedPart], wiring: &Wiring, view: View<'_, f64>) -> Sparsity {
    let count = wiring.preferences.len();
    let is_own = |i: usize, position: usize| wiring.owners[position].is_some_and(|owner| owner.part == i);
    let mut bodies = DisjointSets::new(count);
    // For each part, the positions that it ties to others; its own are there too.
    let mut tied: Vec<Vec<usize>> = vec![Vec::new(); parts.len()];
    for (i, positions) in wiring.positions.iter().enumerate() {
        for relation in f64::of(&*parts[i].part).relations(view, wiring.offsets[i]) {
            let first = positions[relation.terms[0].0];
            for (local, _) in &relation.terms {
                bodies.join(first, positions[*local]);
                tied[i].push(positions[*local]);
            }
        }
        for position in positions.iter().filter(|position| is_own(i, **position)) {
            tied[i].push(*position);
        }
    }
    let mut is_free = vec![false; count];
    let mark = |bodies: &mut DisjointSets, is_free: &mut [bool]| {
        for Owner { part: i, .. } in &wiring.coordinates[..wiring.free] {
            for position in wiring.positions[*i].iter().filter(|position| is_own(*i, **position)) {
                is_free[bodies.of(*position)] = true;
            }
        }
    };
    mark(&mut bodies, &mut is_free);
    // Free positions, each with a given one at which a friction element can hold it.
    let mut held = Vec::new();
    for i in &wiring.friction_pairs {
        let Some(pair) = f64::of(&*parts[*i].part).friction_pair(view, wiring.offsets[*i]) else { continue };
        let [one, other] = pair.between.map(|local| wiring.positions[*i][local]);
        let [one_free, other_free] = [one, other].map(|position| is_free[bodies.of(position)]);
        if one_free {
            tied[*i].push(one);
        }
        if other_free {
            tied[*i].push(other);
        }
        match (one_free, other_free) {
            (true, true) => bodies.join(one, other),
            (true, false) => held.push((one, other)),
            (false, true) => held.push((other, one)),
            (false, false) => {}
        }
    }
    mark(&mut bodies, &mut is_free);
    // From here on bodies replace positions. Some are there several times.
    let mut touched = wiring.positions.clone();
    for position in touched.iter_mut().chain(&mut tied).flatten() {
        *position = bodies.of(*position);
    }
    let mut at: Vec<Vec<usize>> = vec![Vec::new(); count];
    // Receivers of loads: all parts at a body that is free, and those that hold it.
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
        let holders = loaded[bodies.of(given)].clone();
        loaded[bodies.of(one)].extend(holders);
    }
    let effort = wiring.friction_pairs.len().saturating_pow(3) / FACTORING;
    let mut influences =
        Sparsity { offsets: wiring.offsets.clone(), reaches: Vec::with_capacity(parts.len()), ..whole(wiring, effort) };
    let (mut seen, mut seen_bodies) = (vec![usize::MAX; parts.len()], vec![usize::MAX; count]);
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
    add_signals(&mut influences, &wiring.signals.consumers);
    add_inputs(&mut influences, wiring);
    influences
}

/// Lets what affects a block affect those, too, to which it gives signals.
fn add_signals(influences: &mut Sparsity, consumers: &[Vec<usize>]) {
    if consumers.iter().all(Vec::is_empty) {
        return;
    }
    let mut has_changed = true;
    while std::mem::take(&mut has_changed) {
        for part in 0..consumers.len() {
            let own = &influences.reaches[part];
            let next = own.iter().flat_map(|one| &consumers[*one]).flat_map(|one| &influences.reaches[*one]);
            let mut new: Vec<_> = next.copied().filter(|one| !own.contains(one)).collect();
            new.sort_unstable();
            new.dedup();
            has_changed |= !new.is_empty();
            influences.reaches[part].extend(new);
        }
    }
}

/// Adds the inputs of the system as one more part, which affects what those affect to which it gives values.
fn add_inputs(influences: &mut Sparsity, wiring: &Wiring) {
    let SharedInputs { reals, integers, booleans } = &wiring.feeds;
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
