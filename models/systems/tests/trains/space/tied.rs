//! Joints in series that gears tie to each other: closed forms of mechanisms with one degree of freedom.

use fmu_runtime::lifecycle::Interface;

use crate::fixture::{INTERFACES, train};

const G: f64 = 9.80665;

/// A planar arm whose elbow turns by `k` times the angle of its shoulder, as does a wheel at the world.
///
/// ```text
/// T = M(q) q'^2 / 2,   M = I_0 k^2 + I_1 + m_1 d_1^2 + m_2 L^2 + (1 + k)^2 (I_2 + m_2 d_2^2) + 2 (1 + k) m_2 L d_2 cos(k q)
/// V = m_1 g d_1 sin q + m_2 g (L sin q + d_2 sin((1 + k) q))
/// M q'' = tau - M'(q) q'^2 / 2 - V'(q)
/// ```
const ARM: &str = "world World
    shoulder Revolute frame_a=world.frame_b
    upper BodyShape frame_a=shoulder.frame_b r[1]=0.9 r_CM[1]=0.4 m=2 I_11=0.1 I_22=0.1 I_33=0.05
    elbow Revolute frame_a=upper.frame_b
    lower Body frame_a=elbow.frame_b r_CM[1]=0.3 m=1.5 I_11=0.1 I_22=0.1 I_33=0.02
    lead Revolute frame_a=world.frame_b
    wheel Body frame_a=lead.frame_b m=1 I_11=0.1 I_22=0.1 I_33=0.03
    drive Torque flange=shoulder.axis tau=1.3\n";

#[test]
fn an_elbow_follows_its_shoulder() {
    let gears = |k: f64, leader: &str, to_leader: f64| {
        format!(
            "gear IdealGear ratio={k:?} flange_a=elbow.axis flange_b={leader}.axis
             other IdealGear ratio={to_leader:?} flange_a=lead.axis flange_b=shoulder.axis"
        )
    };
    let cases = [
        (1.0, gears(1.0, "shoulder", 1.0)),
        (-1.0, gears(-1.0, "shoulder", -1.0)),
        (2.0, gears(2.0, "shoulder", 2.0)),
        (-0.5, gears(-0.5, "shoulder", -0.5)),
        // Both joints of the arm follow the one at the world, backwards.
        (1.0, gears(-1.0, "lead", -1.0)),
        (
            1.0,
            "one Disc flange_a=elbow.axis flange_b=shoulder.axis\nother Disc flange_a=lead.axis flange_b=elbow.axis"
                .into(),
        ),
    ];
    for interface in INTERFACES {
        for (k, gears) in &cases {
            check(interface, *k, gears);
        }
    }
}

fn check(interface: Interface, k: f64, gears: &str) {
    let mut train = train(interface, &format!("{ARM}{gears}"));
    for _ in 0..5 {
        let [q, w, a] = ["phi", "w", "a"].map(|name| train.real(&format!("shoulder.{name}")));
        let mass = 0.03 * k * k
            + 0.05
            + 2.0 * 0.16
            + 1.5 * 0.81
            + (1.0 + k).powi(2) * (0.02 + 1.5 * 0.09)
            + 2.0 * (1.0 + k) * 1.5 * 0.9 * 0.3 * (k * q).cos();
        let by_angle = -2.0 * k * (1.0 + k) * 1.5 * 0.9 * 0.3 * (k * q).sin();
        let weight = G * (2.0 * 0.4 * q.cos() + 1.5 * (0.9 * q.cos() + 0.3 * (1.0 + k) * ((1.0 + k) * q).cos()));
        let expected = (1.3 - 0.5 * by_angle * w * w - weight) / mass;
        assert!((a - expected).abs() < 1e-12 * expected.abs().max(1.0), "{interface:?} {gears}: {a} {expected}");
        assert!((train.real("elbow.a") - k * a).abs() < 1e-12 * a.abs().max(1.0));
        train.step(0.1);
    }
}

/// Loops that the second of two tied joints moves, with a ratio that is nearly 1, and with 1.
#[test]
fn tied_joints_move_a_loop() {
    let text = |ratio: f64| {
        format!(
            "world World
             shoulder Revolute frame_a=world.frame_b
             upper BodyShape frame_a=shoulder.frame_b r[1]=0.5 r_CM[1]=0.2 m=2 I_11=0.1 I_22=0.1 I_33=0.05
             elbow Revolute frame_a=upper.frame_b
             lower BodyShape frame_a=elbow.frame_b r[1]=0.4 r_CM[1]=0.3 m=1.5 I_11=0.1 I_22=0.1 I_33=0.02
             gear IdealGear ratio={ratio:?} flange_a=elbow.axis flange_b=shoulder.axis
             post FixedTranslation frame_a=world.frame_b r[1]=1.2 r[2]=0.3
             loop JointRRR frame_a=lower.frame_b frame_b=post.frame_b rRod1_ia[1]=0.7 rRod1_ia[2]=0.3 rRod2_ib[1]=-0.5 \
                 rRod2_ib[2]=0.4
             rod Body frame_a=loop.frame_im m=1.2 r_CM[2]=0.1 I_11=0.1 I_22=0.1 I_33=0.03"
        )
    };
    let [mut nearly, mut tied] = [1.0 + 1e-10, 1.0].map(|ratio| train(Interface::ModelExchange, &text(ratio)));
    for _ in 0..3 {
        for name in ["shoulder.a", "elbow.a", "rod.a_0[1]", "rod.a_0[2]"] {
            let (expected, found) = (nearly.real(name), tied.real(name));
            assert!((found - expected).abs() < 1e-6 * expected.abs().max(1.0), "{name}: {found} {expected}");
        }
        nearly.step(0.05);
        tied.step(0.05);
    }
}
