//! Springs that meet at points without mass: a closed form, a published trajectory, energy, derivatives.

use fmu_runtime::Trial;
use fmu_runtime::lifecycle::Interface;

use super::derivatives::by_parameters;
use super::energy::{drift, of_body};
use super::refused::message;
use crate::fixture::{INTERFACES, follow, published, train};

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
