//! Which parts can affect which: what is connected, and how far an effect goes.
//!
//! Relations tie positions into bodies, which move as one or in several coordinates. A part loads the bodies that it is
//! connected to, and so changes their accelerations. Inertias, gears, friction and given motions also change where bodies
//! are, and how fast: with that the loads of all parts at these bodies, and so the accelerations of the bodies at their
//! other ends. Elements that are stuck pass loads on, also to what gives the motion of a body; such a body passes nothing on.

use fmu_runtime::Base;
use fmu_runtime::model::Sparsity;
use mechanics::disjoint_sets::DisjointSets;

use crate::drivetrain::PartScalar;
use crate::part::View;
use crate::wiring::{NamedPart, Owner, SharedInputs, Wiring};

/// With more pairs of parts than this, nearly all affect each other.
const MAX_EFFORT: usize = 20_000_000;

/// To factor the matrix of friction elements takes as many steps as the cube of their number, of which so many count as one
/// Real.
const FACTORING: usize = 30;

/// Where parameters may have changed, masses and coordinates are found again, which takes as many times as long.
const START: usize = 50;

/// A part in space takes as many times as long as others, and its mass matrix as the cube of the coordinates, of which so
/// many steps count as one Real.
const EFFORT_OF_REALS: usize = 12;
const EFFORT_OF_FACTORING: usize = 2;

/// Anything affects anything.
fn whole(wiring: &Wiring, effort: usize) -> Sparsity {
    let start_effort = effort + START * wiring.size.passed.reals;
    Sparsity { effort, start_effort, around_start: true, ..Sparsity::whole() }
}

/// Parts in space affect each other through the mechanism, all of them.
pub fn in_space(wiring: &Wiring) -> Sparsity {
    whole(wiring, EFFORT_OF_REALS * wiring.size.passed.reals + wiring.free.saturating_pow(3) / EFFORT_OF_FACTORING)
}

/// The influences between parts that are wired, with any parameters.
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
    // Free positions, each with a given one that a friction element can hold it to.
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
    // From here on bodies in place of positions. Some are there several times.
    let mut touched = wiring.positions.clone();
    for position in touched.iter_mut().chain(&mut tied).flatten() {
        *position = bodies.of(*position);
    }
    let mut at: Vec<Vec<usize>> = vec![Vec::new(); count];
    // Where loads go: all parts at a body that is free, and those that hold it.
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
    add_inputs(&mut influences, wiring);
    influences
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
