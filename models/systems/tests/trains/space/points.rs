//! Springs and dampers that meet at points without mass: closed forms, a published trajectory, the limit of a small mass, energy,
//! derivatives.

use fmu_runtime::Trial;
use fmu_runtime::lifecycle::Interface;

use super::derivatives::by_parameters;
use super::energy::{drift, of_body};
use super::refused::message;
use crate::fixture::{INTERFACES, check, follow, published, train};

/// Two springs above each other act as one with c1 c2 / (c1 + c2).
#[test]
fn springs_in_series_act_as_one() {
    for interface in INTERFACES {
        let mut train = train(
            interface,
            "world World g=10
             slide Prismatic n[1]=0 n[2]=-1 n[3]=0 s_start=0.69 frame_a=world.frame_b
             weight Body m=2 frame_a=slide.frame_b
             top MultiBody.Spring c=300 s_unstretched=0.2 frame_a=world.frame_b
             low MultiBody.Spring c=600 s_unstretched=0.3 frame_a=top.frame_b frame_b=weight.frame_a",
        );
        train.set_tolerance(1e-11);
        // 20 N stretch 200 N/m by 0.1 m.
        let omega = 10.0;
        for i in 0..50 {
            let (sin, cos) = (omega * 0.02 * f64::from(i)).sin_cos();
            // Both are stretched all the time: they are relaxed at 0.5 m.
            let s = 0.6 + 0.09 * cos;
            assert!((train.real("slide.s") - s).abs() < 1e-8, "{i}: {} {s}", train.real("slide.s"));
            let at = -0.2 - 2.0 / 3.0 * (s - 0.5);
            let rate = 2.0 / 3.0 * 0.09 * omega * sin;
            assert!((train.real("top.frame_b.r_0[2]") - at).abs() < 1e-8);
            assert!((train.real("top.frame_b.v_0[2]") - rate).abs() < 1e-7);
            assert!((train.real("top.f") - train.real("low.f")).abs() < 1e-8);
            train.step(0.02);
        }
    }
}

/// Three springs at one point; a body hangs from one of them.
const THREE_SPRINGS: &str = "world World g=9.80665
    body1 Body m=0.8 r_CM[2]=-0.2 I_11=0.1 I_22=0.1 I_33=0.1 r_0_start[1]=0.5 r_0_start[2]=-0.3
    bar1 FixedTranslation r[1]=0.3 frame_a=world.frame_b
    bar2 FixedTranslation r[3]=0.3 frame_a=world.frame_b
    spring1 MultiBody.Spring c=20 s_unstretched=0.1 frame_a=bar1.frame_b
    spring2 MultiBody.Spring c=40 s_unstretched=0.1 frame_a=spring1.frame_b frame_b=body1.frame_a
    spring3 MultiBody.Spring c=20 s_unstretched=0.1 frame_a=bar2.frame_b frame_b=spring1.frame_b";

#[test]
fn three_springs_are_as_published() {
    let Some(rows) = published("MultiBody.ThreeSprings") else { return };
    let names = [
        "frame_a.r_0[1]", "frame_a.r_0[2]", "frame_a.r_0[3]", "v_0[1]", "v_0[2]", "v_0[3]", "w_a[1]", "w_a[2]",
        "w_a[3]",
    ];
    let names = names.map(|name| format!("body1.{}", name.replace("frame_a.r_0", "r_0")));
    for interface in INTERFACES {
        let mut train = train(interface, THREE_SPRINGS);
        train.set_tolerance(1e-8);
        let mut worst = 0.0_f64;
        let time = follow(&mut train, &rows, |train, row| {
            for (name, expected) in names.iter().zip(&row[1..]) {
                worst = worst.max((train.real(name) - expected).abs());
            }
        });
        assert!(time >= 9.9 && worst < 3e-4, "{worst} until {time}");
    }
}

/// A run goes on from a saved state with the same bits: the point from which the next search begins is part of it.
#[test]
fn saved_states_go_on_with_the_same_bits() {
    for interface in INTERFACES {
        let mut train = train(interface, THREE_SPRINGS);
        (0..10).for_each(|_| train.step(0.05));
        let state = train.save();
        let ends = [0, 1].map(|_| {
            train.restore(&state);
            (0..10).for_each(|_| train.step(0.05));
            ["body1.r_0[1]", "spring1.frame_b.r_0[2]", "spring2.f"].map(|name| train.real(name).to_bits())
        });
        assert_eq!(ends[0], ends[1], "{interface:?}");
    }
}

#[test]
fn the_energy_is_constant() {
    let energy = |train: &mut Trial| {
        // The mass is 0.2 m below the frame of the first body, which has the moments of inertia.
        let at_frame = of_body(train, "body1", [0.0, 0.1, 0.1, 0.1], [0.0, 0.0]);
        let square = |v: [f64; 3]| v.iter().map(|v| v * v).sum::<f64>();
        let center = [1, 2, 3].map(|k| train.real(&format!("com.r_0[{k}]")));
        let rate = [1, 2, 3].map(|k| train.real(&format!("com.v_0[{k}]")));
        let springs: f64 = [("spring1", 20.0), ("spring2", 40.0), ("spring3", 20.0)]
            .into_iter()
            .map(|(name, c)| 0.5 * c * (train.real(&format!("{name}.s")) - 0.1).powi(2))
            .sum();
        let kinetic = at_frame + 0.4 * square(rate);
        [kinetic + 0.8 * 9.80665 * center[1] + springs, kinetic]
    };
    let text = format!(
        "{}\nrod FixedTranslation r[2]=-0.2 frame_a=body1.frame_a\ncom Body m=0.8 I_11=0 I_22=0 I_33=0 frame_a=rod.frame_b",
        THREE_SPRINGS.replace("m=0.8 r_CM[2]=-0.2", "m=0")
    );
    let drift = drift(&text, 1e-10, energy);
    assert!(drift < 1e-7, "{drift:e}");
}

#[test]
fn derivatives_are_those_of_differences() {
    by_parameters(
        THREE_SPRINGS,
        &["spring1.c", "spring2.s_unstretched", "bar1.r[2]", "body1.r_0_start[3]", "body1.v_0_start[2]"],
        &["body1.a_0[1]", "spring1.f", "spring1.frame_b.r_0[3]", "spring1.frame_b.v_0[2]", "spring3.v"],
    );
}

/// A rod that pushes holds no point: it would buckle.
#[test]
fn points_that_springs_do_not_hold_are_refused() {
    let found = message(|| {
        train(
            Interface::CoSimulation,
            "world World
             slide Prismatic n[1]=0 n[2]=-1 n[3]=0 s_start=0.4 frame_a=world.frame_b
             weight Body frame_a=slide.frame_b
             top MultiBody.Spring c=300 s_unstretched=0.2 frame_a=world.frame_b
             low MultiBody.Spring c=600 s_unstretched=0.3 frame_a=top.frame_b frame_b=weight.frame_a",
        )
        .real("slide.s");
    });
    let expected = "the springs at \"top.frame_b\" do not hold this point, which has no mass, at 0.0 s: they must be stretched, and pull \
                    from different sides; otherwise connect a Body to it";
    assert!(found.contains(expected), "{found}");
}

/// A point on the axis of three springs with dampers that lead to a rim, and of one that leads to a slide on the axis.
const CONE: &str = "world World
    slide Prismatic frame_a=world.frame_b
    rim1 FixedTranslation r[2]=0.5 frame_a=world.frame_b
    rim2 FixedTranslation r[2]=-0.25 r[3]=0.4330127018922193 frame_a=world.frame_b
    rim3 FixedTranslation r[2]=-0.25 r[3]=-0.4330127018922193 frame_a=world.frame_b
    pull SpringDamperParallel c=30 d=4 frame_a=slide.frame_b
    one SpringDamperParallel c=10 d=2 frame_a=rim1.frame_b frame_b=pull.frame_b
    two SpringDamperParallel c=10 d=2 frame_a=rim2.frame_b frame_b=pull.frame_b
    three SpringDamperParallel c=10 d=2 frame_a=pull.frame_b frame_b=rim3.frame_b
    drive Translational.Speed s_start=1 flange=slide.axis";

/// Returns x 0.05 s later, by Runge-Kutta's method of order 4.
fn after(rate: impl Fn(f64, f64) -> f64, t: f64, x: f64) -> f64 {
    let h = 1e-3;
    (0..50).fold(x, |x, k| {
        let t = t + h * f64::from(k);
        let k1 = rate(t, x);
        let k2 = rate(t + h / 2.0, x + h / 2.0 * k1);
        let k3 = rate(t + h / 2.0, x + h / 2.0 * k2);
        let k4 = rate(t + h, x + h * k3);
        x + h / 6.0 * (k1 + 2.0 * k2 + 2.0 * k3 + k4)
    })
}

/// On the axis of a cone one equation of first order is left, `(4 + 6 x^2/(x^2 + 1/4)) x' = 4 u + 30 (l - x) - 30 x`, where l is
/// where the slide is and u its speed.
#[test]
fn a_cone_of_dampers_moves_on_its_axis() {
    let rate = |t: f64, x: f64| {
        let damping = 4.0 + 6.0 * x * x / (x * x + 0.25);
        (4.0 * 0.2 + 30.0 * (1.0 + 0.2 * t) - 60.0 * x) / damping
    };
    for interface in INTERFACES {
        let mut train = train(interface, &format!("{CONE} v=0.2"));
        train.set_tolerance(1e-11);
        // At the start the springs balance.
        let mut x: f64 = 0.5;
        for i in 0..40 {
            let t = 0.05 * f64::from(i);
            let found =
                ["r_0[1]", "v_0[1]", "r_0[2]", "v_0[3]"].map(|name| train.real(&format!("pull.frame_b.{name}")));
            for (found, expected) in found.into_iter().zip([x, rate(t, x), 0.0, 0.0]) {
                assert!((found - expected).abs() < 1e-9, "{interface:?} {t}: {found} {expected}");
            }
            x = after(rate, t, x);
            train.step(0.05);
        }
    }
}

/// With a damper on the axis alone, its length is the state, and the motion is exponential: `4 x' = 4 u + 30 (l - x) - 30 x`.
#[test]
fn a_damper_on_the_axis_of_springs_relaxes_with_damping_by_stiffness() {
    let springs = CONE.replace("SpringDamperParallel c=10 d=2", "MultiBody.Spring c=10");
    for interface in INTERFACES {
        let mut train = train(interface, &format!("{springs} v=0.2"));
        train.set_tolerance(1e-11);
        for i in 0..40 {
            let t = 0.02 * f64::from(i);
            let steady = (30.8 - 0.4) / 60.0;
            let fading = (0.5 - steady) * (-15.0 * t).exp();
            let [x, v] = [steady + 0.1 * t + fading, 0.1 - 15.0 * fading];
            let expected = [
                ("pull.s", 1.0 + 0.2 * t - x),
                ("pull.v", 0.2 - v),
                ("pull.frame_b.r_0[1]", x),
                ("pull.frame_b.v_0[1]", v),
            ];
            for (name, expected) in expected {
                let found = train.real(name);
                assert!((found - expected).abs() < 1e-9, "{interface:?} {t}: {name} {found} {expected}");
            }
            train.step(0.02);
        }
    }
}

/// Two equal dampers from both sides of an axis hold a point on a circle around the line between their ends:
/// `2 * 3 x^2/(x^2 + 1/4) x' = 20 (l - x) - 10 x`.
#[test]
fn two_dampers_hold_a_point_on_a_circle() {
    let rate = |t: f64, x: f64| (20.0 * (1.0 + 0.2 * t - x) - 10.0 * x) * (x * x + 0.25) / (6.0 * x * x);
    for interface in INTERFACES {
        let mut train = train(
            interface,
            "world World
             slide Prismatic frame_a=world.frame_b
             drive Translational.Speed s_start=1 v=0.2 flange=slide.axis
             left FixedTranslation r[2]=0.5 frame_a=world.frame_b
             right FixedTranslation r[2]=-0.5 frame_a=world.frame_b
             pull MultiBody.Spring c=20 frame_a=slide.frame_b
             back MultiBody.Spring c=10 frame_a=world.frame_b frame_b=pull.frame_b
             one MultiBody.Damper d=3 frame_a=left.frame_b frame_b=pull.frame_b
             other MultiBody.Damper d=3 frame_a=pull.frame_b frame_b=right.frame_b",
        );
        train.set_tolerance(1e-11);
        let mut x: f64 = 2.0 / 3.0;
        for i in 0..40 {
            let t = 0.05 * f64::from(i);
            let s = (x * x + 0.25).sqrt();
            let v = rate(t, x);
            let expected = [
                ("pull.frame_b.r_0[1]", x),
                ("pull.frame_b.v_0[1]", v),
                ("pull.frame_b.r_0[3]", 0.0),
                ("one.s", s),
                ("other.v", x * v / s),
            ];
            for (name, expected) in expected {
                let found = train.real(name);
                assert!((found - expected).abs() < 1e-9, "{interface:?} {t}: {name} {found} {expected}");
            }
            x = after(rate, t, x);
            train.step(0.05);
        }
    }
}

/// Where it rests, a disturbance along the axis decays with the time 7/60 s: 4 + 6/2 N.s/m by 60 N/m.
#[test]
fn a_disturbance_at_rest_decays_with_damping_by_stiffness() {
    let mut train = train(Interface::ModelExchange, &format!("{CONE} v=0"));
    train.step(0.1);
    check(&mut train, &[("pull.frame_b.r_0[1]", 0.5), ("pull.frame_b.v_0[1]", 0.0)]);
    let rate = train.directional_derivative("pull.frame_b.v_0[1]", "pull.frame_b.r_0[1]");
    assert!((rate + 60.0 / 7.0).abs() < 1e-9, "{rate}");
}

/// A body, two points with dampers in all directions, of which one connects both, a point with two dampers and one with springs
/// alone.
const MIXED: &str = "world World g=9.81
    body Body m=0.8 I_11=0.1 I_22=0.1 I_33=0.1 r_0_start[1]=0.4 r_0_start[2]=-0.9 r_0_start[3]=0.2 v_0_start[1]=0.5
    bar1 FixedTranslation r[1]=0.8 frame_a=world.frame_b
    bar2 FixedTranslation r[2]=0.1 r[3]=0.7 frame_a=world.frame_b
    a SpringDamperParallel c=40 d=3 s_unstretched=0.1 frame_a=world.frame_b useHeatPort=true heatPort=heat.port
    b SpringDamperParallel c=30 d=2 s_unstretched=0.1 frame_a=bar1.frame_b frame_b=a.frame_b useHeatPort=true heatPort=heat.port
    e SpringDamperParallel c=35 d=2.5 s_unstretched=0.2 frame_a=a.frame_b frame_b=bar2.frame_b useHeatPort=true heatPort=heat.port
    f MultiBody.Damper d=1.5 frame_a=a.frame_b frame_b=body.frame_a useHeatPort=true heatPort=heat.port
    g MultiBody.Spring c=60 s_unstretched=0.2 frame_a=a.frame_b
    h MultiBody.Spring c=70 s_unstretched=0.2 frame_a=g.frame_b frame_b=body.frame_a
    k MultiBody.Spring c=20 s_unstretched=0.1 frame_a=bar1.frame_b frame_b=g.frame_b
    m MultiBody.Damper d=2 frame_a=a.frame_b useHeatPort=true heatPort=heat.port
    n SpringDamperParallel c=25 d=1 frame_a=bar1.frame_b frame_b=m.frame_b useHeatPort=true heatPort=heat.port
    o SpringDamperParallel c=25 d=1.2 s_unstretched=0.3 frame_a=m.frame_b frame_b=body.frame_a useHeatPort=true heatPort=heat.port
    p SpringDamperParallel c=20 d=1 frame_a=bar2.frame_b frame_b=m.frame_b useHeatPort=true heatPort=heat.port
    q MultiBody.Damper d=1.8 frame_a=body.frame_a useHeatPort=true heatPort=heat.port
    r MultiBody.Spring c=30 s_unstretched=0.1 frame_a=bar2.frame_b frame_b=q.frame_b
    t SpringDamperParallel c=25 d=1 s_unstretched=0.1 frame_a=q.frame_b frame_b=world.frame_b useHeatPort=true heatPort=heat.port
    u MultiBody.Spring c=20 s_unstretched=0.1 frame_a=g.frame_b frame_b=q.frame_b
    heat HeatCapacitor C=1 T=1";

/// Kinetic, potential and elastic energy and the heat: their sum is constant, and so is the power at each instant.
#[test]
fn energy_goes_from_springs_into_heat() {
    let springs = [
        ("a", 40.0, 0.1),
        ("b", 30.0, 0.1),
        ("e", 35.0, 0.2),
        ("g", 60.0, 0.2),
        ("h", 70.0, 0.2),
        ("k", 20.0, 0.1),
        ("n", 25.0, 0.0),
        ("o", 25.0, 0.3),
        ("p", 20.0, 0.0),
        ("r", 30.0, 0.1),
        ("t", 25.0, 0.1),
        ("u", 20.0, 0.1),
    ];
    for interface in INTERFACES {
        let mut train = train(interface, MIXED);
        train.set_tolerance(1e-11);
        let energy = |train: &mut Trial| {
            let stretch =
                |(name, c, relaxed): (&str, f64, f64)| 0.5 * c * (train.real(&format!("{name}.s")) - relaxed).powi(2);
            let elastic: f64 = springs.map(stretch).iter().sum();
            of_body(train, "body", [0.8, 0.1, 0.1, 0.1], [9.81, 0.0]) + elastic + train.real("heat.T")
        };
        let begin = energy(&mut train);
        for _ in 0..50 {
            let mut power = [1, 2, 3]
                .map(|i| {
                    let gravity = if i == 2 { 9.81 } else { 0.0 };
                    0.8 * train.real(&format!("body.v_0[{i}]")) * (train.real(&format!("body.a_0[{i}]")) + gravity)
                })
                .iter()
                .sum::<f64>();
            for name in ["a", "b", "e", "f", "g", "h", "k", "m", "n", "o", "p", "q", "r", "t", "u"] {
                power += train.real(&format!("{name}.f")) * train.real(&format!("{name}.v"));
            }
            assert!(power.abs() < 1e-9, "{power:e}");
            train.step(0.02);
            let change = energy(&mut train) - begin;
            assert!(change.abs() < 1e-9 * begin.abs().min(10.0), "{interface:?} {change:e} of {begin}");
        }
        assert!(train.real("heat.T") > 1.2, "{}", train.real("heat.T"));
    }
}

/// With masses at the points with dampers, the motion comes as much closer as these are smaller.
#[test]
fn small_masses_lead_to_the_same_motion() {
    let run = |text: &str| {
        let mut train = train(Interface::CoSimulation, text);
        train.set_tolerance(1e-8);
        (0..40).for_each(|_| train.step(0.01));
        ["body.v_0[1]", "body.v_0[2]", "body.r_0[3]", "a.s", "h.f", "m.f", "t.f"].map(|name| train.real(name))
    };
    let massless = run(MIXED);
    let mut start = train(Interface::CoSimulation, MIXED);
    let mut at = |name: &str, point: &str| {
        let r = [1, 2, 3].map(|i| format!(" r_0_start[{i}]={:?}", start.real(&format!("{point}.r_0[{i}]"))));
        format!("\n{name} Body frame_a={point}{}", r.concat())
    };
    let [x, y] = [at("x", "a.frame_b"), at("y", "m.frame_b")];
    let errors = [1e-3, 1e-4].map(|m| {
        let mass = format!(" m={m} I_11=1e-3 I_22=1e-3 I_33=1e-3");
        let found = run(&format!("{MIXED}{x}{mass}{y}{mass}"));
        found.iter().zip(massless).map(|(one, other)| (one - other).abs()).fold(0.0, f64::max)
    });
    assert!(errors[1] < 0.01 && errors[1] < 0.15 * errors[0], "{errors:?}");
}

#[test]
fn derivatives_through_dampers_are_those_of_differences() {
    by_parameters(
        MIXED,
        &[
            "a.c", "b.d", "f.d", "g.c", "n.s_unstretched", "q.d", "r.c", "t.c", "bar2.r[2]", "body.r_0_start[3]",
            "body.v_0_start[2]",
        ],
        &[
            "body.a_0[1]", "f.f", "m.lossPower", "a.frame_b.r_0[3]", "a.frame_b.v_0[2]", "g.frame_b.v_0[1]",
            "m.frame_b.v_0[3]", "q.v", "t.f", "q.frame_b.r_0[1]", "q.frame_b.v_0[2]",
        ],
    );
}

#[test]
fn derivatives_by_states_are_those_of_differences() {
    let mut train = train(
        Interface::ModelExchange,
        "world World
         bar1 FixedTranslation r[1]=0.8 frame_a=world.frame_b
         bar2 FixedTranslation r[2]=0.1 r[3]=0.7 frame_a=world.frame_b
         bar3 FixedTranslation r[1]=0.2 r[2]=-0.9 frame_a=world.frame_b
         a SpringDamperParallel c=40 d=3 s_unstretched=0.1 frame_a=world.frame_b
         b SpringDamperParallel c=30 d=2 s_unstretched=0.1 frame_a=bar1.frame_b frame_b=a.frame_b
         e SpringDamperParallel c=35 d=2.5 s_unstretched=0.2 frame_a=a.frame_b frame_b=bar2.frame_b
         f MultiBody.Damper d=1.5 frame_a=a.frame_b frame_b=bar3.frame_b
         q MultiBody.Damper d=1.8 frame_a=bar3.frame_b
         r MultiBody.Spring c=30 s_unstretched=0.1 frame_a=bar2.frame_b frame_b=q.frame_b
         t SpringDamperParallel c=25 d=1 s_unstretched=0.1 frame_a=q.frame_b frame_b=world.frame_b
         u MultiBody.Spring c=20 s_unstretched=0.1 frame_a=a.frame_b frame_b=q.frame_b",
    );
    train.step(0.1);
    let knowns = ["q.s", "t.s", "a.frame_b.r_0[1]", "a.frame_b.r_0[2]", "a.frame_b.r_0[3]"];
    // Away from rest.
    let states: Vec<_> =
        knowns.iter().zip([0.02, -0.03, 0.04, 0.05, -0.06]).map(|(name, by)| train.real(name) + by).collect();
    for (i, known) in knowns.iter().enumerate() {
        let mut at = |shift: f64, output: &str| {
            let mut moved = states.clone();
            moved[i] += shift;
            train.set_continuous_states(&moved);
            assert_eq!(train.real(known).to_bits(), moved[i].to_bits());
            if shift == 0.0 { train.directional_derivative(output, known) } else { train.real(output) }
        };
        for output in
            ["q.v", "t.v", "a.frame_b.v_0[1]", "a.frame_b.v_0[3]", "q.frame_b.r_0[2]", "q.frame_b.v_0[1]", "u.f"]
        {
            let h = 1e-5;
            let difference = (at(h, output) - at(-h, output)) / (2.0 * h);
            let exact = at(0.0, output);
            assert!(
                (exact - difference).abs() < 1e-6 * difference.abs().max(10.0),
                "{output} by {known}: {exact} {difference}"
            );
        }
    }
}

/// A run goes on from a saved state with the same bits.
#[test]
fn saved_states_of_points_with_dampers_go_on_with_the_same_bits() {
    for interface in INTERFACES {
        let mut train = train(interface, MIXED);
        (0..4).for_each(|_| train.step(0.05));
        let state = train.save();
        let ends = [0, 1].map(|_| {
            train.restore(&state);
            (0..4).for_each(|_| train.step(0.05));
            ["body.r_0[1]", "a.frame_b.r_0[2]", "g.frame_b.r_0[3]", "m.f", "q.s"].map(|name| train.real(name).to_bits())
        });
        assert_eq!(ends[0], ends[1], "{interface:?}");
    }
}

#[test]
fn points_that_dampers_do_not_move_are_refused() {
    let between = "world World
        body Body r_0_start[1]=1
        spring MultiBody.Spring c=10 frame_a=world.frame_b
        damper MultiBody.Damper d=2 frame_a=spring.frame_b
        other MultiBody.Spring c=10 frame_a=damper.frame_b frame_b=body.frame_a";
    let series = "world World
        body Body r_0_start[1]=1
        spring MultiBody.Spring c=10 s_unstretched=0.3 frame_a=world.frame_b
        damper MultiBody.Damper d=2 frame_a=spring.frame_b frame_b=body.frame_a";
    let plane = "world World
        bar1 FixedTranslation r[1]=1 frame_a=world.frame_b
        bar2 FixedTranslation r[2]=1 frame_a=world.frame_b
        a SpringDamperParallel c=10 d=2 frame_a=world.frame_b
        b SpringDamperParallel c=10 d=2 frame_a=bar1.frame_b frame_b=a.frame_b
        c SpringDamperParallel c=10 d=2 frame_a=bar2.frame_b frame_b=a.frame_b";
    let line = "world World
        bar FixedTranslation r[1]=1 frame_a=world.frame_b
        slide Prismatic s_start=1 frame_a=bar.frame_b
        body Body frame_a=slide.frame_b
        a SpringDamperParallel c=10 d=2 frame_a=world.frame_b
        b SpringDamperParallel c=10 d=2 frame_a=a.frame_b frame_b=body.frame_a";
    let cases = [
        (
            line.to_owned(),
            "the two dampers at \"a.frame_b\" are in line at 0.0 s, where their lengths do not say where this point is, which has no \
             mass: they must lead from it in different directions; otherwise connect a Body to it",
        ),
        (
            between.to_owned(),
            "\"damper\" acts at \"spring.frame_b\", which nothing else carries, but damps this point, which has no mass, not in all \
             directions: let at least three dampers lead from it, three for each of several such points that they connect, or one or \
             two to what has mass or is held; or connect a Body to it; springs and dampers in series along one line are translational \
             parts between the flanges of a LineForceWithMass with m = 0",
        ),
        (
            series.to_owned(),
            "the springs at \"spring.frame_b\" do not hold this point, which has no mass, at 0.0 s: they must be stretched, and pull from \
             different sides; otherwise connect a Body to it",
        ),
        (
            plane.to_owned(),
            "the dampers at \"a.frame_b\" do not act in all directions at 0.0 s, so that the velocity of this point, which has no mass, \
             does not follow from them: they must not lead from it in one plane only; otherwise connect a Body to it",
        ),
        (
            CONE.replace("one SpringDamperParallel c=10 d=2", "one SpringDamperParallel c=10 d=0"),
            "one.d is 0, but at \"pull.frame_b\" nothing has mass: give it a damping above 0, or take a MultiBody.Spring",
        ),
    ];
    for (text, expected) in cases {
        let found = message(|| {
            train(Interface::CoSimulation, &text).real("time");
        });
        assert!(found.contains(expected), "{found}\ninstead of\n{expected}");
    }
}
