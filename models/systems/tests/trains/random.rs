//! Random trains with up to six friction elements. Accelerations that fulfil Newton's law and the conditions of all
//! elements are the only ones: the conditions are those of the minimum of a convex function.

use fmu_runtime::Trial;
use proptest::prelude::*;
use proptest::test_runner::RngSeed;

use crate::fixture::{INTERFACES, train};

/// Sliding friction of one pressed element, in N.m, by its normal force.
const MUE: f64 = 0.5;

/// A point of the train where elements can be, as sum of the angles of inertias with coefficients.
#[derive(Clone, Debug)]
struct Point {
    connector: String,
    motion: Vec<(usize, f64)>,
}

#[derive(Clone, Debug)]
struct Element {
    name: String,
    /// Coefficients of `a_rel` by the accelerations of the inertias.
    relative: Vec<f64>,
    n: f64,
    peak: f64,
}

#[derive(Clone, Debug)]
struct Case {
    text: String,
    inertias: Vec<f64>,
    elements: Vec<Element>,
    /// Torques on the inertias in each step.
    torques: Vec<Vec<f64>>,
}

fn case() -> impl Strategy<Value = Case> {
    let speed = prop_oneof![3 => Just(0.0), 1 => -2.0..2.0_f64];
    let inertias = prop::collection::vec((0.1..10.0_f64, speed), 3);
    let ratios = [0.3..4.0_f64, 0.3..4.0_f64, 0.3..4.0_f64];
    // A mass that a rack ties to the first inertia.
    let mass = 0.0..5.0_f64;
    // Where, to what or to the housing, pressed by what unless it is a bearing, static friction.
    let force = prop::option::weighted(0.8, 0.0..10.0_f64);
    let element = (0..5_usize, prop::option::of(0..5_usize), force, prop_oneof![Just(1.0), Just(1.5)]);
    let elements = prop::collection::vec(element, 1..=6);
    let torques = prop::collection::vec(prop::collection::vec(-10.0..10.0_f64, 3), 4);
    (inertias, ratios, mass, elements, torques).prop_map(
        |(inertias, [gear, planetary, rack], mass, elements, torques)| {
            let mut text = String::new();
            for (i, (inertia, speed)) in inertias.iter().enumerate() {
                text += &format!(
                    "i{i} Inertia stateSelect=prefer J={inertia} w_start={speed}\nt{i} Torque flange=i{i}.flange_a\n"
                );
            }
            text += &format!("r IdealGearR2T ratio={rack} flangeR=i0.flange_b\nm Mass m={mass} flange_a=r.flangeT\n");
            text += &format!("g IdealGear ratio={gear} flange_a=i0.flange_b\n");
            text += &format!("p IdealPlanetary ratio={planetary} sun=i1.flange_b carrier=i2.flange_b\n");
            let mut points: Vec<_> =
                (0..3).map(|i| Point { connector: format!("i{i}.flange_b"), motion: vec![(i, 1.0)] }).collect();
            points.push(Point { connector: "g.flange_b".to_owned(), motion: vec![(0, 1.0 / gear)] });
            let ring = vec![(1, -1.0 / planetary), (2, (1.0 + planetary) / planetary)];
            points.push(Point { connector: "p.ring".to_owned(), motion: ring });
            let element = |(k, (first, second, force, peak)): (usize, (usize, Option<usize>, Option<f64>, f64))| {
                let (name, mut relative) = (format!("e{k}"), vec![0.0; 3]);
                let mut add = |point: usize, sign: f64| {
                    points[point].motion.iter().for_each(|(i, coefficient)| relative[*i] += sign * coefficient);
                };
                let first_name = &points[first].connector;
                // What is between a shaft and itself is refused.
                let second = second.filter(|second| *second != first);
                // Sliding friction of a bearing is 1 N.m by default.
                let n = match (second, force) {
                    (None, None) => 1.0 / MUE,
                    (_, force) => force.unwrap_or_default(),
                };
                text += &match second {
                    Some(second) => {
                        add(second, 1.0);
                        add(first, -1.0);
                        format!("{name} Clutch flange_a={first_name} flange_b={} ", points[second].connector)
                    }
                    None => {
                        add(first, 1.0);
                        let part = if force.is_some() { "Brake" } else { "BearingFriction" };
                        format!("{name} {part} flange_a={first_name} ")
                    }
                };
                if second.is_some() || force.is_some() {
                    text += &format!("f_normalized={n} ");
                }
                text += &format!("peak={peak}\n");
                Element { name, relative, n, peak }
            };
            let elements = elements.into_iter().enumerate().map(element).collect();
            let mut inertias: Vec<_> = inertias.iter().map(|(inertia, _)| *inertia).collect();
            inertias[0] += mass / (rack * rack);
            Case { text, inertias, elements, torques }
        },
    )
}

/// Checks the law of motion, and the conditions of all elements.
fn check(case: &Case, train: &mut Trial, torques: &[f64]) -> Result<(), TestCaseError> {
    let a = [0, 1, 2].map(|i| train.real(&format!("i{i}.a")));
    let w = [0, 1, 2].map(|i| train.real(&format!("i{i}.w")));
    let mut loads = torques.to_vec();
    let mut size = 10.0;
    for Element { name, relative, n, peak } in &case.elements {
        let tau = train.real(&format!("{name}.tau"));
        loads.iter_mut().zip(relative).for_each(|(load, c)| *load -= c * tau);
        size += tau.abs();
        let of = |x: &[f64; 3]| relative.iter().zip(x).map(|(c, x)| c * x).sum::<f64>();
        let (a_rel, w_rel) = (of(&a), of(&w));
        let (small, sliding) = (1e-7 * (1.0 + a[0].abs() + a[1].abs() + a[2].abs()), n * MUE);
        let mode = train.integer(&format!("{name}.mode"));
        let report = || format!("{name} {mode}: a_rel {a_rel}, w_rel {w_rel}, tau {tau}, sliding {sliding}");
        match mode {
            0 => {
                prop_assert!(a_rel.abs() < small && w_rel.abs() < 1e-9, "{}", report());
                prop_assert!(tau.abs() <= peak * sliding * (1.0 + 1e-8), "{}", report());
            }
            1 | -1 => {
                let direction = f64::from(mode);
                prop_assert!((tau - direction * sliding).abs() < 1e-9 * sliding, "{}", report());
                let moves = direction * w_rel > 1e-12 || (w_rel.abs() <= 1e-12 && direction * a_rel > -small);
                prop_assert!(moves, "{}", report());
            }
            _ => prop_assert!(*n <= 0.0 && tau == 0.0, "{}", report()),
        }
    }
    for ((load, a), inertia) in loads.iter().zip(a).zip(&case.inertias) {
        prop_assert!((load - inertia * a).abs() < 1e-8 * size, "{load} {}", inertia * a);
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 48, failure_persistence: None, rng_seed: RngSeed::Fixed(19), ..ProptestConfig::default()
    })]

    #[test]
    fn every_element_fulfils_its_conditions(case in case()) {
        for interface in INTERFACES {
            let mut train = train(interface, &case.text);
            for (k, torques) in case.torques.iter().enumerate() {
                torques.iter().enumerate().for_each(|(i, tau)| train.set(&format!("t{i}.tau"), *tau));
                if k == 0 {
                    check(&case, &mut train, torques)?;
                }
                for _ in 0..5 {
                    train.step(0.03);
                    check(&case, &mut train, torques)?;
                }
            }
        }
    }
}
