//! Chains of clutches and brakes in Model Exchange, whose loops a master closes, against an independent solution.

mod chain;
mod master;
mod reference;

use std::sync::OnceLock;

use proptest::prelude::*;

use crate::fixture::{FORWARD, Fmu, STUCK, brake, clutch};
use chain::{Chain, Owner, given};
use master::{BRAKE, CLUTCH, Master};

/// Returns the possible locations of the inertias of a number of shafts: no element is between two given motions, which
/// would not be exact.
fn forms(shafts: usize) -> Vec<Vec<Owner>> {
    let mut forms = vec![Vec::new()];
    for shaft in 0..shafts {
        let all = [Owner::Left, Owner::Right, Owner::Master].into_iter();
        let has = |owner: &Owner| match owner {
            Owner::Left => shaft > 0,
            Owner::Right => shaft + 1 < shafts,
            Owner::Master => true,
        };
        let owners: Vec<Owner> = all.filter(has).collect();
        forms = forms.iter().flat_map(|head| owners.iter().map(|next| [&head[..], &[*next]].concat())).collect();
    }
    forms.retain(|owners| (0..shafts - 1).all(|k| given(owners, k) != [true, true]));
    forms
}

/// Returns clutches and brakes, by their given sides.
fn fmu(is_brake: bool, given: [bool; 2]) -> &'static Fmu {
    static FMUS: OnceLock<Vec<Fmu>> = OnceLock::new();
    let make = || {
        let forms = [[false, false], [true, false], [false, true]];
        let word = |given| if given { "motion_in" } else { "torque_in" };
        let clutches =
            forms.map(|[a, b]| clutch(&[&format!("flange_a={}", word(a)), &format!("flange_b={}", word(b))]));
        let brakes = forms.map(|[support, a]| {
            let [support, a] = [format!("support={}", word(support)), format!("flange_a={}", word(a))];
            brake(&["useSupport=true", &support, &a])
        });
        clutches.into_iter().chain(brakes).collect()
    };
    &FMUS.get_or_init(make)[3 * usize::from(is_brake) + usize::from(given[0]) + 2 * usize::from(given[1])]
}

fn master<'a>(chain: &'a Chain, owners: &'a [Owner]) -> Master<'a> {
    let element =
        |(k, is_brake): (usize, &bool)| (fmu(*is_brake, given(owners, k)), if *is_brake { BRAKE } else { CLUTCH });
    let fmus: Vec<_> = chain.brakes.iter().enumerate().map(element).collect();
    Master::new(chain, owners, &fmus)
}

/// Returns the largest difference to the independent solution in all forms, by the largest angle or velocity; `None` if
/// the law does not determine the motion.
fn error(chain: &Chain) -> Option<f64> {
    let expected = reference::motions(chain)?;
    let numbers = |motions: &[Vec<[f64; 2]>]| motions.iter().flatten().flatten().copied().collect::<Vec<_>>();
    let expected = numbers(&expected);
    let size = expected.iter().fold(1.0_f64, |most, value| most.max(value.abs()));
    let mut error = 0.0_f64;
    for owners in forms(chain.speeds.len()) {
        let found = numbers(&master(chain, &owners).motions());
        let of_form = found.iter().zip(&expected).fold(0.0_f64, |most, (a, b)| most.max((a - b).abs())) / size;
        assert!(of_form < 1e-9, "{owners:?}: {of_form:e}\n{found:?}\n{expected:?}\n{chain:?}");
        error = error.max(of_form);
    }
    Some(error)
}

/// Makes a single element with a constant normal force.
fn single(inertias: [f64; 2], speeds: [f64; 2], [peak, tau0]: [f64; 2], torques: [f64; 2], is_brake: bool) -> Chain {
    Chain {
        inertias: inertias.to_vec(),
        speeds: speeds.to_vec(),
        tau0: vec![tau0],
        peaks: vec![peak],
        loads: vec![(vec![1.0], torques.to_vec()); 2],
        interval: 2.0,
        brakes: vec![is_brake],
    }
}

/// With 8.25 N.m the torque while stuck is 5.5 N.m, below the limit of 6; the acceleration of sliding would say more.
#[test]
fn an_element_sticks_whatever_contains_the_inertia() {
    for is_brake in [false, true] {
        for speed in [-1.0, 1.0] {
            let chain = single([1.0, 0.5], [0.0, speed], [1.2, 5.0], [0.0, 8.25], is_brake);
            let holds = speed < 0.0;
            assert!(error(&chain).unwrap() < 1e-13);
            for owners in forms(2) {
                let mut master = master(&chain, &owners);
                master.motions();
                assert_eq!(master.modes(), [if holds { STUCK } else { FORWARD }], "{owners:?}");
            }
        }
    }
}

/// With either side heavier, sliding ends, and the event has an end.
#[test]
fn nothing_acts_and_the_sides_meet() {
    for is_brake in [false, true] {
        for inertias in [[0.5, 2.0], [2.0, 0.5], [1e-3, 1.0], [1.0, 1e-3]] {
            for speeds in [[0.0, 3.0], [3.0, 0.0]] {
                let chain = single(inertias, speeds, [1.0, 5.0], [0.0, 0.0], is_brake);
                assert!(error(&chain).unwrap() < 1e-12);
                for owners in forms(2) {
                    let mut master = master(&chain, &owners);
                    master.motions();
                    assert_eq!(master.modes(), [STUCK]);
                }
            }
        }
    }
}

/// Returns chains of which some elements are never pressed, some always, the others in pulses.
fn chains() -> impl Strategy<Value = Chain> {
    let force = prop_oneof![1 => Just(0.0), 3 => 0.2..1.0_f64];
    let torque = prop_oneof![1 => Just(0.0), 3 => -10.0..10.0_f64];
    (1..=3_usize).prop_flat_map(move |clutches| {
        let shafts = clutches + 1;
        let inertia = (-1.5..1.5_f64).prop_map(|power| 10_f64.powf(power));
        let speed = prop_oneof![Just(0.0), -5.0..5.0_f64];
        let loads = (prop::collection::vec(force.clone(), clutches), prop::collection::vec(torque.clone(), shafts));
        (
            prop::collection::vec(inertia, shafts),
            prop::collection::vec(speed, shafts),
            prop::collection::vec(1.0..10.0_f64, clutches),
            prop::collection::vec(prop_oneof![Just(1.0), 1.0..1.5_f64], clutches),
            prop::collection::vec(loads, 5),
            prop::collection::vec(any::<bool>(), clutches),
        )
            .prop_map(|(inertias, speeds, tau0, peaks, loads, brakes)| Chain {
                peaks,
                interval: 0.3,
                inertias,
                speeds,
                tau0,
                loads,
                brakes,
            })
    })
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(48) })]

    /// The inertias differ by up to three orders of magnitude.
    #[test]
    fn chains_move_as_an_independent_solution(chain in chains()) {
        prop_assume!(error(&chain).is_some());
    }
}
