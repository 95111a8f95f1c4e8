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

/// A cylinder of steel about the direction of its length, which is `(axis, length)`, as a body with two frames.
fn steel_cylinder(name: &str, frame_a: &str, (axis, length): (usize, f64), diameter: f64) -> String {
    let m = 7700.0 * std::f64::consts::PI / 4.0 * diameter * diameter * length.abs();
    let across = m * (length * length + 0.75 * diameter * diameter) / 12.0;
    let mut moments = [across; 3];
    moments[axis - 1] = m * diameter * diameter / 8.0;
    body(name, frame_a, (axis, length), (m, moments))
}

/// A box of steel along y, which is `width` along x and `height` along z.
fn steel_bar(name: &str, frame_a: &str, length: f64, [width, height]: [f64; 2]) -> String {
    let m = 7700.0 * width * height * length.abs();
    let moment = |one: f64, other: f64| m * (one * one + other * other) / 12.0;
    body(name, frame_a, (2, length), (m, [moment(length, height), moment(width, height), moment(length, width)]))
}

fn body(name: &str, frame_a: &str, (axis, length): (usize, f64), (m, moments): (f64, [f64; 3])) -> String {
    let [i_11, i_22, i_33] = moments;
    let half = 0.5 * length;
    format!(
        "{name} BodyShape frame_a={frame_a} r[{axis}]={length:?} r_CM[{axis}]={half:?} m={m:?} \
         I_11={i_11:?} I_22={i_22:?} I_33={i_33:?}\n"
    )
}

/// The association's own comparison of this case failed; the angle is compared.
#[test]
fn engine_with_one_cylinder() {
    let columns = ["time", "inertia.phi"];
    let Some(rows) = reference("systems/Engine1b_analytic", &columns) else { return };
    let text = "world World
        bearing Revolute frame_a=world.frame_b n[1]=1 n[3]=0
        inertia Inertia J=1 w_start=10 stateSelect=prefer flange_b=bearing.axis
        mid FixedTranslation r[1]=0.05 frame_a=crank2.frame_b
        cylinder FixedTranslation r[1]=0.15 r[2]=0.45 frame_a=world.frame_b
        rods JointRRP n_a[1]=1 n_a[3]=0 n_b[1]=0 n_b[2]=-1 rRod1_ia[1]=0 rRod1_ia[2]=0.2 rRod2_ib[1]=0 rRod2_ib[2]=-0.1 \
            frame_a=mid.frame_b frame_b=cylinder.frame_b
        gas GasForce flange_a=rods.bearing flange_b=rods.axis\n"
        .to_owned()
        + &steel_cylinder("crank1", "bearing.frame_b", (1, 0.1), 0.05)
        + &steel_bar("crank2", "crank1.frame_b", 0.1, [0.02, 0.05])
        + &steel_cylinder("crank3", "crank2.frame_b", (1, 0.1), 0.03)
        + &steel_bar("crank4", "crank3.frame_b", -0.1, [0.02, 0.05])
        + &steel_cylinder("piston", "rods.frame_ib", (2, -0.1), 0.1)
        + &steel_bar("rod", "rods.frame_ia", 0.2, [0.02, 0.06]);
    Comparison { text: &text, inputs: &[], breaks: &[], columns: &columns, rows }.is_reached([1, 20], [5e-4, 5e-4]);
}
