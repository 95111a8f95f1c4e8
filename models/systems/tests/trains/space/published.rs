//! The published trajectories of mechanisms, from examples of Modelica.Mechanics.MultiBody.

use crate::published::{Comparison, reference};

/// A box of steel of 0.5 m, 0.06 m and 0.06 m, in the library's density, as a body with two frames.
fn steel_box(name: &str, frame_a: &str) -> String {
    let (length, width) = (0.5_f64, 0.06_f64);
    let m = 7700.0 * length * width * width;
    let (along, across) = (m * width * width / 6.0, m * (length * length + width * width) / 12.0);
    format!(
        "{name} BodyShape frame_a={frame_a} r[1]=0.5 r_CM[1]=0.25 m={m:?} I_11={along:?} I_22={across:?} I_33={across:?}\n"
    )
}

#[test]
fn pendulum() {
    let columns = ["time", "rev.phi", "rev.w"];
    let Some(rows) = reference("systems/Pendulum", &columns) else { return };
    Comparison {
        text: "world World
               rev Revolute frame_a=world.frame_b
               damper Damper d=0.1 flange_b=rev.axis flange_a=rev.support
               body Body m=1 r_CM[1]=0.5 frame_a=rev.frame_b",
        inputs: &[],
        breaks: &[],
        columns: &columns,
        rows,
    }
    .is_reached([1, 20], [5e-4, 5e-4]);
}

#[test]
fn double_pendulum() {
    let columns = ["time", "revolute1.phi", "revolute1.w", "revolute2.phi", "revolute2.w"];
    let Some(rows) = reference("systems/DoublePendulum", &columns) else { return };
    let text = "world World
                revolute1 Revolute frame_a=world.frame_b
                damper Damper d=0.1 flange_b=revolute1.axis flange_a=revolute1.support
                revolute2 Revolute frame_a=boxBody1.frame_b\n"
        .to_owned()
        + &steel_box("boxBody1", "revolute1.frame_b")
        + &steel_box("boxBody2", "revolute2.frame_b");
    Comparison { text: &text, inputs: &[], breaks: &[], columns: &columns, rows }.is_reached([1, 20], [5e-4, 5e-4]);
}

/// The example's spring and damper lie along the prismatic joint, hence act as those at its axis.
#[test]
fn pendulum_with_spring_and_damper() {
    let columns = ["time", "prismatic.s", "prismatic.v", "revolute.phi", "revolute.w"];
    let Some(rows) = reference("systems/PendulumWithSpringDamper", &columns) else { return };
    Comparison {
        text: "world World
               bar1 FixedTranslation r[1]=0.3 frame_a=world.frame_b
               revolute Revolute frame_a=bar1.frame_b
               prismatic Prismatic frame_a=revolute.frame_b s_start=0.5
               body1 Body I_11=1 I_22=1 I_33=1 frame_a=prismatic.frame_b
               spring Translational.SpringDamper c=20 d=1 s_rel0=0.2 flange_a=prismatic.support flange_b=prismatic.axis",
        inputs: &[],
        breaks: &[],
        columns: &columns,
        rows,
    }
    .is_reached([1, 20], [5e-4, 5e-4]);
}
