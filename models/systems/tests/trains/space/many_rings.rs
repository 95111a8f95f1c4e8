//! Several rings of joints at once, at and beside singular positions, with loads, and at random.

use std::f64::consts::FRAC_PI_2;

use fmu_runtime::lifecycle::Interface;
use proptest::prelude::*;
use proptest::test_runner::RngSeed;

use super::derivatives::{by_inputs, by_parameters};
use super::refused::message;
use crate::fixture::{INTERFACES, published, train};

/// The mechanism of A02 of IFToMM's multibody benchmark with this number of windows: cranks beside each other with couplers
/// between them, which fold into one line. Cranks begin at this angle from the vertical, with this angular velocity.
pub fn windows(count: usize, [phi, w]: [f64; 2]) -> (String, Vec<(String, f64, [f64; 3])>) {
    let mut text = "world World g=9.81\n".to_owned();
    let mut bodies = Vec::new();
    let inertia = "m=1 I_11=0.08 I_22=0.08";
    let start = |i: usize| {
        if i == 0 {
            format!("phi={phi:?} phi.initial=enforce w={w:?} w.initial=enforce")
        } else {
            format!("phi_start={phi:?} w_start={w:?}")
        }
    };
    for i in 0..=count {
        text += &format!(
            "base{i} FixedTranslation frame_a=world.frame_b r[1]={i}
             c{i} Revolute frame_a=base{i}.frame_b {}
             mid{i} FixedTranslation frame_a=c{i}.frame_b r[1]=0 r[2]=0.5
             b{i} Body frame_a=mid{i}.frame_b {inertia} I_33={:?}
             top{i} FixedTranslation frame_a=c{i}.frame_b r[1]=0 r[2]=1\n",
            start(i),
            1.0 / 12.0
        );
        bodies.push((format!("b{i}"), 1.0, [0.08, 0.08, 1.0 / 12.0]));
    }
    for i in 0..count {
        text += &format!(
            "k{i} Revolute frame_a=top{i}.frame_b phi_start={:?} w_start={:?}
             half{i} FixedTranslation frame_a=k{i}.frame_b r[1]=0.5
             d{i} Body frame_a=half{i}.frame_b {inertia} I_33={:?}
             bar{i} FixedTranslation frame_a=k{i}.frame_b r[1]=1\n",
            -phi,
            -w,
            1.0 / 12.0
        );
        bodies.push((format!("d{i}"), 1.0, [0.08, 0.08, 1.0 / 12.0]));
    }
    for i in 0..count {
        text += &format!("l{i} Revolute frame_a=bar{i}.frame_b frame_b=top{}.frame_b\n", i + 1);
    }
    (text, bodies)
}

/// Energy in J that two windows exchange.
const SWING: f64 = 69.0;

#[test]
fn two_windows_keep_their_energy_through_singular_positions() {
    let (text, bodies) = windows(2, [0.0, -1.0]);
    let named: Vec<_> = bodies.iter().map(|(name, m, moments)| (name.as_str(), *m, *moments)).collect();
    let mut train = train(Interface::CoSimulation, &text);
    train.set_tolerance(1e-11);
    let energy = |train: &mut fmu_runtime::Trial| super::closers::energy(train, &named).iter().sum::<f64>();
    let begin = energy(&mut train);
    let mut drift = 0.0_f64;
    for _ in 0..100 {
        train.step(0.1);
        drift = drift.max((energy(&mut train) - begin).abs() / SWING);
    }
    assert!(drift < 1e-9, "{drift:e}");
}

/// Where all bars are in line, and beside that: those of the one ordinary differential equation.
#[test]
fn accelerations_are_exact_at_singular_positions() {
    for beside in [0.02, -4e-3, 1e-3, -1e-4, 1e-6, -1e-9, 0.0] {
        let phi = beside - FRAC_PI_2;
        let (text, _) = windows(2, [phi, -1.5]);
        let expected = 9.81 * 3.5 / 3.0 * phi.sin();
        for interface in INTERFACES {
            let mut train = train(interface, &text);
            for (name, expected) in [("c0.a", expected), ("c2.a", expected), ("k1.a", -expected)] {
                let found = train.real(name);
                assert!((found - expected).abs() < 1e-8, "{interface:?} {name} at {beside}: {found} {expected}");
            }
        }
    }
}

/// Those of the one ordinary differential equation, along the motion that keeps the rings closed.
#[test]
fn derivatives_beside_singular_positions_are_exact() {
    for beside in [0.01, -2e-3, 1e-4, -1e-6] {
        let (text, _) = windows(2, [beside + 0.015 - FRAC_PI_2, -1.5]);
        let mut train = train(Interface::CoSimulation, &text);
        train.set_tolerance(1e-11);
        train.step(0.01);
        let phi = train.real("c0.phi");
        let moved = [("c0.phi", 1.0), ("c1.phi", 1.0), ("c2.phi", 1.0), ("k0.phi", -1.0), ("k1.phi", -1.0)];
        let by_phi: f64 = moved.iter().map(|(state, by)| by * train.directional_derivative("c0.a", state)).sum();
        let by_w: f64 =
            moved.iter().map(|(state, by)| by * train.directional_derivative("c0.a", &state.replace("phi", "w"))).sum();
        let expected = 9.81 * 3.5 / 3.0 * phi.cos();
        // The terms are derivatives along which rings do not stay closed, of 80 1/s2.
        assert!((by_phi - expected).abs() < 1e-4, "at {beside}: {by_phi} {expected}");
        assert!(by_w.abs() < 1e-6, "at {beside}: {by_w}");
    }
}

#[test]
fn states_are_restored_beside_a_singular_position() {
    let (text, _) = windows(2, [0.1 - FRAC_PI_2, -1.5]);
    for interface in INTERFACES {
        let mut train = train(interface, &text);
        (0..6).for_each(|_| train.step(0.01));
        let saved = train.save();
        let ends = [0, 1].map(|_| {
            train.restore(&saved);
            (0..6).for_each(|_| train.step(0.01));
            ["c0.phi", "c2.w", "k1.a", "l1.phi"].map(|name| train.real(name).to_bits())
        });
        assert_eq!(ends[0], ends[1], "{interface:?}");
    }
}

/// Neither what moves faster elsewhere nor another mechanism in such a position changes anything.
#[test]
fn singular_positions_are_those_of_each_mechanism() {
    let (text, _) = windows(2, [-FRAC_PI_2, -1.5]);
    let renamed = |line: &str| {
        let words = line.split_whitespace().enumerate().map(|(i, word)| match word.split_once('=') {
            None if i == 0 => format!("other_{word}"),
            Some((key, place)) if key.starts_with("frame") && !place.starts_with("world") => {
                format!("{key}=other_{place}")
            }
            _ => word.to_owned(),
        });
        words.collect::<Vec<_>>().join(" ")
    };
    let other: Vec<String> = text.lines().skip(1).map(renamed).collect();
    let fast = "fast ConstantSpeed w_fixed=100\nshaft Inertia J=1 flange_a=fast.flange";
    let text = format!("{text}{}\n{fast}\n", other.join("\n"));
    let expected = -9.81 * 3.5 / 3.0;
    for interface in INTERFACES {
        let mut train = train(interface, &text);
        for name in ["c0.a", "c2.a", "other_c0.a", "other_c2.a"] {
            let found = train.real(name);
            assert!((found - expected).abs() < 1e-8, "{interface:?} {name}: {found} {expected}");
        }
    }
}

#[test]
fn a_ring_that_rests_in_a_singular_position_is_refused() {
    let (text, _) = windows(1, [-FRAC_PI_2, 0.0]);
    let found = message(|| {
        train(Interface::CoSimulation, &text).real("c0.a");
    });
    let expected = "the ring of \"c0\", \"c1\", \"k0\" and \"l0\" is in a singular position at 0.0 s, from which it can go on in several \
                    ways: begin beside it, or with velocities that take it through";
    assert!(found.contains(expected), "{found}");
}

/// Modelica.Mechanics.MultiBody.Examples.Loops.Fourbar1, but with a coupler without mass as in Fourbar2: five joints without
/// masses between them.
const FOURBAR_1: &str = "world World
    j1 Revolute frame_a=world.frame_b n[1]=1 n[3]=0 phi=0 phi.initial=enforce w=5.235987755982989 w.initial=enforce
    b1 BodyCylinder frame_a=j1.frame_b r[1]=0 r[2]=0.5 r[3]=0.1 diameter=0.05
    b0 FixedTranslation frame_a=world.frame_b r[1]=1.2
    j2 Prismatic frame_a=b0.frame_b n[1]=1 s_start=-0.2
    b2 BodyCylinder frame_a=j2.frame_b r[1]=0 r[2]=0.2 r[3]=0 diameter=0.05
    rev Revolute frame_a=b2.frame_b n[2]=1 n[3]=0
    rev1 Revolute frame_a=rev.frame_b
    b3 FixedTranslation frame_a=rev1.frame_b r[1]=-1 r[2]=0.3 r[3]=0.1
    j3 Revolute frame_a=b1.frame_b n[1]=1 n[3]=0
    j4 Revolute frame_a=j3.frame_b n[2]=1 n[3]=0
    j5 Revolute frame_a=j4.frame_b frame_b=b3.frame_b";

#[test]
fn a_four_bar_in_space_is_as_published() {
    let Some(rows) = published("MultiBody.Fourbar2") else { return };
    for interface in INTERFACES {
        let mut train = train(interface, FOURBAR_1);
        train.set_tolerance(1e-8);
        let mut time = 0.0;
        for row in rows.iter().step_by(25) {
            if row[0] > time {
                train.step(row[0] - time);
                time = row[0];
            }
            let found = ["j1.phi", "j1.w"].map(|name| train.real(name));
            let close = (found[0] - row[1]).abs() < 1e-3 && (found[1] - row[2]).abs() < 1e-2;
            assert!(close, "{interface:?} {time}: {found:?} {row:?}");
        }
    }
}

/// A four-bar in space with a spherical joint, a motor, a brake and springs, also at the joint that closes it.
const DRIVEN: &str = "world World g=9.81
    crank Revolute frame_a=world.frame_b n[1]=0.2 phi=0.3 phi.initial=enforce w=2 w.initial=enforce
    web BodyShape frame_a=crank.frame_b r[1]=0.3 r_CM[1]=0.15 m=1 I_11=0.01 I_22=0.02 I_33=0.01
    ball Spherical frame_a=web.frame_b w_rel_a_start[1]=0.4
    coupler BodyShape frame_a=ball.frame_b r[1]=0 r[2]=0.8 r_CM[2]=0.4 m=1 I_11=0.05 I_22=0.02 I_33=0.05
    ground FixedTranslation frame_a=world.frame_b r[1]=0.9
    rocker Revolute frame_a=ground.frame_b n[2]=0.1
    lever BodyShape frame_a=rocker.frame_b r[1]=0 r[2]=0.9 r_CM[2]=0.4 m=1 I_11=0.05 I_22=0.05 I_33=0.06
    cardan Revolute frame_a=lever.frame_b n[1]=1 n[3]=0.2
    piece Body frame_a=cardan.frame_b m=0.2 I_11=0.01 I_22=0.01 I_33=0.02
    last Revolute frame_a=coupler.frame_b frame_b=cardan.frame_b closes=true n[1]=0.2 n[3]=1
    motor Torque flange=crank.axis tau=1.5
    brake Brake flange_a=rocker.axis fn_max=10 f_normalized=LOCK
    spring SpringDamper flange_a=last.support flange_b=last.axis c=5 d=0.3";

const DRIVEN_OUTPUTS: [&str; 10] = [
    "crank.a", "rocker.a", "last.a", "last.phi", "ball.z_rel_b[1]", "last.frame_a.f[1]", "last.frame_b.t[2]",
    "rocker.frame_b.f[2]", "coupler.frame_b.r_0[3]", "brake.tau",
];

#[test]
fn derivatives_of_rings_are_those_of_differences() {
    for lock in ["0.01", "3.0"] {
        let text = DRIVEN.replace("LOCK", lock);
        let mut train = train(Interface::ModelExchange, &text);
        train.step(0.1);
        by_inputs(&mut train, &["motor.tau"], &DRIVEN_OUTPUTS);
        let parameters = ["crank.phi", "crank.w", "web.r[1]", "lever.m", "last.n[1]", "ball.w_rel_a_start[1]"];
        by_parameters(&text, &parameters, &DRIVEN_OUTPUTS);
    }
}

/// A crank that turns a rocker to and fro, with a brake at one of its joints.
const ROCKER: &str = "world World g=0
    crank Revolute frame_a=world.frame_b phi=1.2 phi.initial=enforce w=2 w.initial=enforce
    web BodyShape frame_a=crank.frame_b r[1]=0.3 r_CM[1]=0.15 m=1 I_11=0.01 I_22=0.01 I_33=0.01
    first Revolute frame_a=web.frame_b
    coupler BodyShape frame_a=first.frame_b r[2]=0.8 r_CM[2]=0.4 m=1 I_11=0.05 I_22=0.05 I_33=0.05
    ground FixedTranslation frame_a=world.frame_b r[1]=0.9
    rocker Revolute frame_a=ground.frame_b
    lever BodyShape frame_a=rocker.frame_b r[2]=0.9 r_CM[2]=0.45 m=1 I_11=0.05 I_22=0.05 I_33=0.05
    last Revolute frame_a=coupler.frame_b frame_b=lever.frame_b closes=true
    fly Inertia flange_a=crank.axis J=0.5
    brake Brake useSupport=true flange_a=AT.axis support=AT.support fn_max=1 f_normalized=0.1";

/// A brake where a joint turns back has no hold on the crank, which goes on.
#[test]
fn brakes_let_joints_of_a_ring_turn_back() {
    for joint in ["first", "rocker", "last"] {
        let ends = INTERFACES.map(|interface| {
            let mut train = train(interface, &ROCKER.replace("AT", joint));
            let mut before = train.real("crank.w");
            for _ in 0..600 {
                train.step(0.01);
                let w = train.real("crank.w");
                assert!((w - before).abs() < 0.05, "{joint}, {interface:?}: from {before} rad/s to {w}");
                before = w;
            }
            ["crank.phi", "crank.w"].map(|name| train.real(name))
        });
        assert!(ends[0][0] > 8.0, "{joint}: {ends:?}");
        let close = ends[0].iter().zip(ends[1]).all(|(one, other)| (one - other).abs() < 1e-4);
        assert!(close, "{joint}: {ends:?}");
    }
}

/// A mechanism: for each link the one before it, its joint with an axis, and its place; pairs of links whose joints close rings.
#[derive(Clone, Debug)]
struct Mechanism {
    links: Vec<(usize, usize, [i32; 3], [i32; 3])>,
    closings: Vec<(usize, usize, usize, [i32; 3])>,
}

impl Mechanism {
    /// Returns the text of the system; all rings are closed where all coordinates are 0.
    fn text(&self) -> String {
        let kinds = ["Revolute", "Revolute", "Spherical", "Prismatic", "Spherical"];
        let joint = |kind: usize, [x, y, z]: [i32; 3]| match kinds[kind] {
            "Spherical" => "Spherical".to_owned(),
            name => format!("{name} n[1]={x} n[2]={y} n[3]={z}"),
        };
        let mut text = "world World g=9.81\n".to_owned();
        let mut places = vec![[0.0; 3]];
        let frame = |link: usize| if link == 0 { "world.frame_b".to_owned() } else { format!("end{link}.frame_b") };
        for (i, (before, kind, axis, r)) in self.links.iter().enumerate() {
            let (i, before) = (i + 1, before % (i + 1));
            let r = r.map(|r| 0.1 * f64::from(r));
            places.push([0, 1, 2].map(|k| places[before][k] + r[k]));
            text += &format!(
                "j{i} {} frame_a={}
                 b{i} Body frame_a=j{i}.frame_b r_CM[1]={:?} r_CM[2]={:?} r_CM[3]={:?} m=1 I_11=0.1 I_22=0.12 I_33=0.15
                 end{i} FixedTranslation frame_a=j{i}.frame_b r[1]={:?} r[2]={:?} r[3]={:?}\n",
                joint(*kind, *axis),
                frame(before),
                r[0] / 2.0,
                r[1] / 2.0,
                r[2] / 2.0,
                r[0],
                r[1],
                r[2]
            );
        }
        for (i, (one, other, kind, axis)) in self.closings.iter().enumerate() {
            let (one, other) = (one % places.len(), other % places.len());
            let [x, y, z] = [0, 1, 2].map(|k| places[other][k] - places[one][k]);
            text += &format!(
                "way{i} FixedTranslation frame_a={} r[1]={x:?} r[2]={y:?} r[3]={z:?}
                 close{i} {} frame_a=way{i}.frame_b frame_b={}\n",
                frame(one),
                joint(*kind, *axis),
                frame(other)
            );
        }
        text
    }
}

fn mechanism() -> impl Strategy<Value = Mechanism> {
    let axis = || [-2..3, -2..3, 1..3];
    let place = || [-3..4, -3..4, 2..5];
    let link = (0..8usize, 0..5usize, axis(), place());
    let closing = (0..9usize, 0..9usize, 0..5usize, axis());
    (prop::collection::vec(link, 2..8), prop::collection::vec(closing, 1..4))
        .prop_map(|(links, closings)| Mechanism { links, closings })
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 24, failure_persistence: None, rng_seed: RngSeed::Fixed(52), ..ProptestConfig::default()
    })]

    #[test]
    fn random_mechanisms_run_or_are_refused_by_name(mechanism in mechanism()) {
        let text = mechanism.text();
        let count = mechanism.links.len();
        let run = std::panic::catch_unwind(|| {
            let mut train = train(Interface::CoSimulation, &text);
            train.set_tolerance(1e-6);
            train.step(0.05);
            (1..=count).map(|i| train.real(&format!("b{i}.r_0[2]"))).sum::<f64>()
        });
        match run {
            Ok(sum) => prop_assert!(sum.is_finite(), "{text}"),
            Err(refused) => {
                let said = refused.downcast_ref::<String>().cloned().unwrap_or_default();
                let names = ["\"j", "\"close", "\"b", "\"way"];
                prop_assert!(names.iter().any(|name| said.contains(name)), "{text}\n{said}");
            }
        }
    }
}

/// A mechanism that cannot be moved by any of its joints.
#[test]
fn a_truss_is_refused() {
    let said = message(|| {
        let text = "world World
            one Revolute frame_a=world.frame_b
            bar BodyShape frame_a=one.frame_b r[1]=1
            two Prismatic frame_a=world.frame_b frame_b=bar.frame_b n[1]=1";
        train(Interface::CoSimulation, text).real("one.phi");
    });
    assert!(said.contains("\"one\" and \"two\" close a ring in which nothing can move"), "{said}");
}
