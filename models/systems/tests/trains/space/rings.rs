//! Rings that joints close without an assembly.

use fmu_runtime::Trial;
use fmu_runtime::lifecycle::Interface;

use super::closers::drift;
use crate::fixture::{INTERFACES, train};

/// A planar four-bar of four revolute joints; ROCKER stands for the end of the ring.
const BARS: &str = "world World g=9.81
    crank Revolute frame_a=world.frame_b phi=0.4 phi.initial=enforce w=3 w.initial=enforce
    mid_1 FixedTranslation frame_a=crank.frame_b r[1]=0.15
    one Body frame_a=mid_1.frame_b m=1 I_11=0.01 I_22=0.01 I_33=0.01
    web FixedTranslation frame_a=crank.frame_b r[1]=0.3
    ground FixedTranslation frame_a=world.frame_b r[1]=0.9\n";

const FOUR_BAR: &str = "first Revolute frame_a=web.frame_b
    mid_2 FixedTranslation frame_a=first.frame_b r[2]=0.4
    two Body frame_a=mid_2.frame_b m=1 I_11=0.05 I_22=0.05 I_33=0.05
    coupler FixedTranslation frame_a=first.frame_b r[2]=0.8
    rocker Revolute frame_a=ground.frame_b
    mid_3 FixedTranslation frame_a=rocker.frame_b r[2]=0.45
    three Body frame_a=mid_3.frame_b m=1 I_11=0.05 I_22=0.05 I_33=0.05
    lever FixedTranslation frame_a=rocker.frame_b r[2]=0.9
    last Revolute frame_a=coupler.frame_b frame_b=lever.frame_b";

/// A four-bar linkage in a plane that an assembly closes.
const ASSEMBLED: &str = "rods JointRRR frame_a=web.frame_b frame_b=ground.frame_b rRod1_ia[2]=0.8 rRod1_ia[1]=0 \
        rRod2_ib[2]=0.9 rRod2_ib[1]=0 phi_guess=0
    mid_2 FixedTranslation frame_a=rods.frame_ia r[2]=0.4
    two Body frame_a=mid_2.frame_b m=1 I_11=0.05 I_22=0.05 I_33=0.05
    mid_3 FixedTranslation frame_a=rods.frame_ib r[2]=0.45
    three Body frame_a=mid_3.frame_b m=1 I_11=0.05 I_22=0.05 I_33=0.05";

const OF_BARS: [(&str, f64, [f64; 3]); 3] =
    [("one", 1.0, [0.01; 3]), ("two", 1.0, [0.05; 3]), ("three", 1.0, [0.05; 3])];

/// Bricard's mechanism, A04 of IFToMM's multibody benchmark: six rods along the edges of a cube.
fn bricard() -> String {
    let mut text = "world World g=9.81\n".to_owned();
    let rods = [[1.0, 0.0, 0.0], [0.0, -1.0, 0.0], [0.0, 0.0, 1.0], [-1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];
    let axes = [[0, 1, 0], [0, 0, 1], [1, 0, 0], [0, 1, 0], [0, 0, 1], [1, 0, 0]];
    let mut before = "world.frame_b".to_owned();
    let n = |[x, y, z]: [i32; 3]| format!("n[1]={x} n[2]={y} n[3]={z}");
    for (i, [x, y, z]) in rods.into_iter().enumerate() {
        let moment = |along: f64| if along == 0.0 { 1.01 / 12.0 } else { 0.02 / 12.0 };
        text += &format!(
            "j{i} Revolute frame_a={before} {}
             half{i} FixedTranslation frame_a=j{i}.frame_b r[1]={} r[2]={} r[3]={}
             b{i} Body frame_a=half{i}.frame_b m=1 I_11={:?} I_22={:?} I_33={:?}
             rod{i} FixedTranslation frame_a=j{i}.frame_b r[1]={x} r[2]={y} r[3]={z}\n",
            n(axes[i]),
            x / 2.0,
            y / 2.0,
            z / 2.0,
            moment(x),
            moment(y),
            moment(z)
        );
        before = format!("rod{i}.frame_b");
    }
    text + &format!(
        "ground FixedTranslation frame_a=world.frame_b r[3]=1 r[1]=0
        j5 Revolute frame_a={before} frame_b=ground.frame_b {}",
        n(axes[5])
    )
}

const LONG: f64 = 1.01 / 12.0;
const THIN: f64 = 0.02 / 12.0;
const OF_BRICARD: [(&str, f64, [f64; 3]); 5] = [
    ("b0", 1.0, [THIN, LONG, LONG]),
    ("b1", 1.0, [LONG, THIN, LONG]),
    ("b2", 1.0, [LONG, LONG, THIN]),
    ("b3", 1.0, [THIN, LONG, LONG]),
    ("b4", 1.0, [LONG, THIN, LONG]),
];

/// Returns the points at the joints behind the rods, from the bodies in their middles.
fn corners(train: &mut Trial) -> Vec<[f64; 3]> {
    let mut corners = vec![[0.0; 3]];
    for i in 0..5 {
        let middle = [1, 2, 3].map(|k| train.real(&format!("b{i}.r_0[{k}]")));
        let last = corners[i];
        corners.push([0, 1, 2].map(|k| 2.0 * middle[k] - last[k]));
    }
    corners
}

fn distance(one: &[f64; 3], other: &[f64; 3]) -> f64 {
    one.iter().zip(other).map(|(one, other)| (one - other).powi(2)).sum::<f64>().sqrt()
}

#[test]
fn rings_keep_their_energy() {
    let of_bars = drift(&format!("{BARS}{FOUR_BAR}"), &OF_BARS, |_| [0.0; 2]);
    assert!(of_bars < 1e-9, "four-bar: {of_bars:e}");
    let of_bricard = drift(&bricard(), &OF_BRICARD, |_| [0.0; 2]);
    assert!(of_bricard < 1e-9, "Bricard: {of_bricard:e}");
}

#[test]
fn bricards_mechanism_closes_to_rounding() {
    for interface in INTERFACES {
        let mut train = train(interface, &bricard());
        train.set_tolerance(1e-10);
        for steps in [1, 9] {
            (0..steps).for_each(|_| train.step(1.0));
            let corners = corners(&mut train);
            assert!(distance(&corners[5], &[0.0, 0.0, 1.0]) < 1e-14, "{interface:?} {:?}", corners[5]);
        }
    }
}

/// With a coarse tolerance, whose errors in energy grow, the ring stays closed.
#[test]
#[ignore = "expensive: 1,000 s"]
fn bricards_mechanism_stays_closed_for_long() {
    let mut train = train(Interface::CoSimulation, &bricard());
    train.set_tolerance(1e-5);
    let mut moved = 0.0_f64;
    for k in 1..=250 {
        train.step(4.0);
        let corners = corners(&mut train);
        let gap = distance(&corners[5], &[0.0, 0.0, 1.0]);
        assert!(gap <= 1e-9, "{gap:e} m at {} s", 4 * k);
        moved = moved.max(distance(&corners[3], &[1.0, -1.0, 1.0]));
    }
    assert!(moved > 1.0, "it moves: {moved}");
}

/// Position, velocity, acceleration and the loads at both ends of the coupler, by joints and by an assembly.
#[test]
fn a_four_bar_of_joints_moves_as_an_assembly() {
    for interface in INTERFACES {
        let mut both = [FOUR_BAR, ASSEMBLED].map(|ring| train(interface, &format!("{BARS}{ring}")));
        both.iter_mut().for_each(|train| train.set_tolerance(1e-11));
        let names = [
            "crank.phi", "crank.w", "crank.a", "two.r_0[1]", "three.r_0[2]", "two.v_0[1]", "three.a_0[1]",
            "two.w_a[3]", "crank.frame_a.f[1]", "crank.frame_a.f[2]", "crank.frame_b.f[1]",
        ];
        let mut turned = 0.0_f64;
        for _ in 0..40 {
            let [one, other] = both.each_mut().map(|train| names.map(|name| train.real(name)));
            for ((name, one), other) in names.iter().zip(one).zip(other) {
                // In Model Exchange the rate of a state also brings it back to where the ring closes.
                let is_rate = name.ends_with(".a") || name.contains(".a_0[") || name.contains(".f[");
                let limit = match interface {
                    Interface::CoSimulation => 1e-8,
                    Interface::ModelExchange => {
                        if is_rate {
                            1e-6
                        } else {
                            1e-7
                        }
                    }
                };
                assert!((one - other).abs() <= limit * other.abs().max(1.0), "{interface:?} {name}: {one} {other}");
            }
            turned = turned.max((one[0] - 0.4).abs());
            both.iter_mut().for_each(|train| train.step(0.05));
        }
        assert!(turned > 1.0, "it moves: {turned}");
    }
}

/// Returns the message with which a system is refused.
fn refusal(parts: &str) -> String {
    super::refused::message(|| {
        train(Interface::CoSimulation, &format!("world World\n{parts}")).real("world.g");
    })
}

#[test]
fn rings_that_cannot_close_or_move_are_refused() {
    let ring = |rocker: &str| {
        format!(
            "one Revolute frame_a=world.frame_b
             crank BodyShape frame_a=one.frame_b r[2]=0.2
             two Revolute frame_a=crank.frame_b
             rod BodyShape frame_a=two.frame_b r[1]=1
             three Revolute frame_a=rod.frame_b {rocker}"
        )
    };
    let cases = [
        (
            ring(
                "\nrocker BodyShape frame_a=three.frame_b r[2]=-0.5\nfour Revolute frame_a=rocker.frame_b frame_b=world.frame_b",
            ),
            "the ring of \"one\", \"two\", \"three\" and \"four\" does not close at the start: 0.3 m are missing",
        ),
        (
            ring("frame_b=post.frame_b\npost FixedTranslation frame_a=world.frame_b r[1]=1"),
            "\"one\", \"two\" and \"three\" close a ring in which nothing can move: put a joint with more freedom in place of one of \
             them, or leave one out",
        ),
        (
            "one Revolute frame_a=world.frame_b
             rods JointRRP frame_a=arm.frame_b frame_b=world.frame_b rRod1_ia[1]=1 n_b[1]=1
             arm FixedTranslation frame_a=one.frame_b r[2]=0.3
             load Body frame_a=rods.frame_ib
             two Revolute frame_a=rods.frame_ia frame_b=world.frame_b"
                .to_owned(),
            "\"two\" closes a ring that leads through \"rods\": put joints in place of this assembly",
        ),
    ];
    for (parts, expected) in cases {
        let message = refusal(&parts);
        assert!(message.contains(expected), "{message}\n{expected}");
    }
}

/// The crank's angle is given at the start, and any joint may close the ring.
#[test]
fn any_joint_can_close_a_ring() {
    let closed_by = |joint: &str| {
        let text = format!("{BARS}{FOUR_BAR}");
        let mut train = train(
            Interface::CoSimulation,
            &text.replace(&format!("{joint} Revolute"), &format!("{joint} Revolute closes=true")),
        );
        train.set_tolerance(1e-11);
        train.step(1.0);
        ["crank.phi", "crank.a", "last.frame_a.f[1]", "rocker.frame_b.f[2]", "two.v_0[1]"].map(|name| train.real(name))
    };
    let last = closed_by("last");
    for joint in ["first", "rocker"] {
        let found = closed_by(joint);
        let is_same = found.iter().zip(last).all(|(one, other)| (one - other).abs() < 1e-8 * other.abs().max(1.0));
        assert!(is_same, "{joint}: {found:?} {last:?}");
    }
}

/// Under its weight, with a spring at the crank, the four-bar rests where the energy has an extremum.
#[test]
fn a_ring_can_start_at_rest() {
    let text = format!("steady true\n{BARS}{FOUR_BAR}")
        .replace("phi=0.4 phi.initial=enforce w=3 w.initial=enforce", "phi_start=0.4")
        + "\nspring SpringDamper flange_a=crank.support flange_b=crank.axis c=50 d=1";
    let mut train = train(Interface::CoSimulation, &text);
    let begin = ["crank.phi", "rocker.phi"].map(|name| train.real(name));
    assert!(["crank.a", "first.a", "rocker.a"].iter().all(|name| train.real(name).abs() < 1e-8));
    train.step(1.0);
    let end = ["crank.phi", "rocker.phi"].map(|name| train.real(name));
    assert!(begin.iter().zip(end).all(|(one, other)| (one - other).abs() < 1e-5), "{begin:?} {end:?}");
}

/// A spring at the axis of the joint that closes the ring is one between the same links elsewhere.
#[test]
fn loads_act_at_the_joint_that_closes_a_ring() {
    let spring =
        |joint: &str| format!("\nspring SpringDamper flange_a={joint}.support flange_b={joint}.axis c=5 d=0.3");
    let text = format!("{BARS}{FOUR_BAR}").replace("last Revolute", "last Revolute closes=true") + &spring("last");
    let free = format!("{BARS}{FOUR_BAR}").replace("first Revolute", "first Revolute closes=true") + &spring("last");
    let [mut one, mut other] = [text, free].map(|text| train(Interface::CoSimulation, &text));
    for _ in 0..10 {
        for name in ["crank.a", "last.phi", "last.w", "last.a", "last.tau", "last.frame_b.t[3]", "rocker.frame_a.f[1]"]
        {
            let (one, other) = (one.real(name), other.real(name));
            assert!((one - other).abs() < 1e-5 * other.abs().max(1.0), "{name}: {one} {other}");
        }
        [&mut one, &mut other].into_iter().for_each(|train| {
            train.set_tolerance(1e-9);
            train.step(0.1);
        });
    }
}

/// The log names what is redundant, and the assembly that takes the place of three joints.
#[test]
fn planar_rings_are_noted() {
    let mut ring = train(Interface::CoSimulation, &format!("{BARS}{FOUR_BAR}"));
    ring.real("crank.phi");
    let said = ring.warnings().concat();
    let expected = "\"last\" closes a ring of which 3 of 5 conditions follow from others, as in a planar ring: loads along them are the \
                    least ones; a JointRRR in place of ";
    assert!(said.contains(expected) && said.ends_with("is faster"), "{said}");
    let mut bricard = train(Interface::CoSimulation, &bricard());
    bricard.real("j0.phi");
    let said = bricard.warnings().concat();
    assert!(said.contains("\"j5\" closes a ring of which 1 of 5 conditions follow"), "{said}");
}

/// A ring whose joints all have given motions.
#[test]
fn a_ring_of_given_motions_is_refused() {
    let message = refusal(
        "one Revolute frame_a=world.frame_b
         drive Position flange=one.axis
         crank Body frame_a=one.frame_b
         two Revolute frame_a=one.frame_b frame_b=world.frame_b",
    );
    let expected = "\"one\" and \"two\" close a ring whose joints all have given motions: leave one of the motions out";
    assert!(message.contains(expected), "{message}");
}
