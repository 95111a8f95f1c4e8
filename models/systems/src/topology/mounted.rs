//! Shafts on bodies: their angles count from a body, which takes what acts on their housings.
//!
//! Where all that acts on the shafts of a train acts between them and their housing, no torque of them is left for the body,
//! however that moves: torques do no work if body, housing and shafts turn together. So only rotors load the body, by their
//! inertia. What acts between such a shaft and a housing at rest is refused.

use mechanics::disjoint_sets::DisjointSets;
use mechanics::drivetrain::{Preference, Relation};
use mechanics::tree::Tree;
use mechanics::{constant, value};

use super::drivetrain::PartScalar;
use super::wiring::{NamedPart, Wiring};
use crate::MULTIBODY;
use crate::part::{Kinematics, Mount, View};
use crate::real::Real;

/// Size of the difference of two directions that counts as rounding.
const ROUNDING: f64 = 1e-9;

/// A flange that counts from a body.
struct Mounted {
    part: usize,
    mount: Mount<Real>,
    /// Its train.
    train: usize,
}

/// Shafts that what acts between them connects, as far as they are on bodies.
struct Trains {
    mounted: Vec<Mounted>,
    /// For each position, the first flange of its train that counts from a body, if there is one.
    of: Vec<Option<usize>>,
}

impl Trains {
    fn new(parts: &[NamedPart], wiring: &Wiring, view: View<'_, Real>) -> Option<Self> {
        if !MULTIBODY {
            return None;
        }
        let mounts = |(i, named): (usize, &NamedPart)| {
            let mounts = Real::of(&*named.part).mounts(view, wiring.offsets[i]);
            mounts.into_iter().map(move |mount| Mounted { part: i, mount, train: 0 })
        };
        let mut mounted: Vec<Mounted> = parts.iter().enumerate().flat_map(mounts).collect();
        if mounted.is_empty() {
            return None;
        }
        let mut sets = DisjointSets::new(wiring.preferences.len());
        for (i, named) in parts.iter().enumerate() {
            let (positions, properties) = (&wiring.positions[i], named.part.properties());
            let axes = mounted.iter().filter(|mounted| mounted.part == i).count();
            let ties = if properties.is_multibody {
                axes == 1
            } else {
                properties.has_loads || properties.has_friction || !relations(named, wiring, i, view).is_empty()
            };
            // A gear between two axes ties two trains, but not their housings; what is given counts from the housing.
            let shaft = |position: &&usize| axes == 1 || !is_given(wiring, i, **position);
            let mut shafts = positions.iter().filter(shaft).filter(|_| ties);
            if let Some(first) = shafts.next() {
                shafts.for_each(|other| sets.join(*first, *other));
            }
        }
        let mut of = vec![None; wiring.preferences.len()];
        for (number, Mounted { part, mount, train }) in mounted.iter_mut().enumerate() {
            *train = sets.of(wiring.positions[*part][mount.flange]);
            of[*train].get_or_insert(number);
        }
        let of = (0..of.len()).map(|position| of[sets.of(position)]).collect();
        Some(Self { mounted, of })
    }
}

fn is_given(wiring: &Wiring, part: usize, position: usize) -> bool {
    wiring.preferences[position] == Preference::Given && wiring.owners[position].is_some_and(|owner| owner.part == part)
}

fn relations(named: &NamedPart, wiring: &Wiring, i: usize, view: View<'_, Real>) -> Vec<Relation<Real>> {
    Real::of(&*named.part).relations(view, wiring.offsets[i])
}

/// Describes a part that cannot be at a shaft on a body, whatever the parameters are.
pub fn not_on_a_body(parts: &[NamedPart], wiring: &Wiring, view: View<'_, Real>) -> Option<String> {
    let Trains { mounted, of } = Trains::new(parts, wiring, view)?;
    let motion = (0..wiring.preferences.len()).map(|i| constant(0.3 + (0.754_877 * i as f64).fract()));
    let motion: Vec<Real> = motion.collect();
    parts.iter().enumerate().find_map(|(i, named)| {
        if mounted.iter().any(|mounted| mounted.part == i) {
            return None;
        }
        let (NamedPart { name, part, .. }, positions, offsets) = (named, &wiring.positions[i], wiring.offsets[i]);
        let carrier = positions.iter().find_map(|position| of[*position])?;
        let shaft = &parts[mounted[carrier].part].name;
        let turns = |local: usize| of[positions[local]].is_some() && !is_given(wiring, i, positions[local]);
        let (properties, equations) = (part.properties(), Real::of(&**part));
        if properties.is_multibody || properties.is_connector {
            return Some(format!(
                "\"{name}\" is tied to \"{shaft}\", whose angle counts from the body that carries it, but \"{name}\" does not: put \
                 an Inertia in place of each Rotor1D there, and a Fixed in place of a Mounting1D"
            ));
        }
        if value(equations.inertia(view, offsets)) != 0.0 {
            return Some(format!(
                "\"{name}\" turns with \"{shaft}\" on a body, on which its inertia would not react: put a Rotor1D at that body in its \
                 place"
            ));
        }
        let uneven = |sum: f64, size: f64| sum.abs() > ROUNDING * size;
        let is_tied = relations(named, wiring, i, view).iter().any(|relation| {
            let shafts = relation.terms.iter().filter(|(local, _)| turns(*local)).map(|(_, c)| value(*c));
            uneven(shafts.clone().sum(), shafts.map(f64::abs).sum())
        });
        let rubs = properties.has_friction
            && equations.friction_pair(view, offsets).is_some_and(|pair| turns(pair.between[0]) != turns(pair.between[1]));
        let (mut sum, mut size) = (0.0, 0.0);
        if properties.has_loads {
            let add = &mut |local: usize, load: Real| {
                if turns(local) {
                    (sum, size) = (sum + value(load), size + value(load).abs());
                }
            };
            equations.loads(view, offsets, &Kinematics::new([&motion; 3], positions), add);
        }
        let acts_alone = properties.has_loads && positions.len() == 1;
        (is_tied || rubs || acts_alone || uneven(sum, size)).then(|| {
            format!(
                "\"{name}\" acts on \"{shaft}\", whose angle counts from the body that carries it, and its housing is at rest: set \
                 {name}.useSupport = true, and connect its support to a Mounting1D at that body"
            )
        })
    })
}

/// Describes shafts of one train that are not on the same body about the same axis.
pub fn axes_differ(parts: &[NamedPart], wiring: &Wiring, tree: &Tree<Real>, view: View<'_, Real>) -> Option<String> {
    let Trains { mounted, of } = Trains::new(parts, wiring, view)?;
    let on_link = |Mounted { part, mount, .. }: &Mounted| tree.on_link(wiring.frames[*part][0], &mount.e);
    mounted.iter().find_map(|other| {
        let first = &mounted[of[other.train]?];
        let [(one, e_one), (two, e_two)] = [first, other].map(on_link);
        let [first_name, other_name] = [first, other].map(|mounted| &parts[mounted.part].name);
        if one != two {
            return Some(format!(
                "\"{first_name}\" and \"{other_name}\" are in one drive train, but not on the same body: connect their frame_a to \
                 frames that are rigidly connected"
            ));
        }
        (value((e_one - e_two).norm()) > ROUNDING).then(|| {
            format!(
                "{first_name}.{} and {other_name}.{} have different directions on the body, but both are axes of one drive train: \
                 make them equal, or put a BevelGear1D between",
                first.mount.name, other.mount.name
            )
        })
    })
}
