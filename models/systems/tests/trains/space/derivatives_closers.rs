//! Exact derivatives of loops in space, with inertias and friction at the axes of their assemblies, and of grippers.

use fmu_runtime::Trial;
use fmu_runtime::lifecycle::Interface;

use super::derivatives::{by_inputs, by_parameters, by_parameters_of};
use crate::fixture::train;

/// Returns the lines of a crank, an assembly with bodies and parts at its axis, and a slide or a rocker behind it.
fn closed(assembly: &str) -> String {
    let (domain, own) = match assembly {
        "JointUSR" => {
            ("", "n1_a[1]=0.3 n1_a[2]=1 rRod1_ia[1]=0.35 rRod1_ia[2]=0.1 rRod2_ib[1]=0 rRod2_ib[2]=0.3 phi_guess=100")
        }
        "JointUSP" => ("Translational.", "n1_a[2]=1 rRod1_ia[1]=0.4 rRod1_ia[2]=0.1 rRod2_ib[1]=0.05 s_guess=0.4"),
        "JointSSR" => ("", "rod1Length=0.42 rod1Mass=0.3 rRod2_ib[1]=0 rRod2_ib[2]=0.3 phi_guess=100"),
        "JointSSP" => ("Translational.", "rod1Length=0.42 rod1Mass=0.3 rRod2_ib[1]=0.05 s_guess=0.4"),
        _ => ("Translational.", "n1_a[1]=0 n1_a[3]=1 nAxis_ia[1]=1 nAxis_ia[2]=0.1"),
    };
    let (direction, at) = if assembly.ends_with('R') {
        ("n_b[1]=0.1 n_b[3]=1", "r[1]=0.45 r[2]=0.02 r[3]=0.05")
    } else if assembly == "JointUPS" {
        ("", "r[1]=0.5 r[2]=0.1 r[3]=0.05")
    } else {
        ("n_b[1]=1 n_b[2]=0.1 n_b[3]=0.2", "r[2]=0.05 r[3]=0.1")
    };
    let inner = match assembly {
        "JointUSR" | "JointUSP" => {
            "bar Body frame_a=rods.frame_ia r_CM[1]=0.2 m=0.6 I_11=0.01 I_22=0.02 I_33=0.02
             far Body frame_a=rods.frame_im m=0.5 I_11=0.01 I_22=0.01 I_33=0.02"
        }
        "JointUPS" => {
            "bar Body frame_a=rods.frame_ia r_CM[1]=0.1 m=0.6 I_11=0.01 I_22=0.02 I_33=0.02
             far Body frame_a=rods.frame_ib r_CM[1]=-0.1 m=0.5 I_11=0.01 I_22=0.01 I_33=0.02"
        }
        _ => "far Body frame_a=rods.frame_im m=0.5 I_11=0.01 I_22=0.01 I_33=0.02",
    };
    let axis = if domain.is_empty() {
        "drum Inertia J=0.01 flange_a=rods.axis"
    } else {
        "drum Mass m=0.4 flange_a=rods.axis\nrack IdealGearR2T ratio=15 flangeT=rods.axis"
    };
    let turning = if domain.is_empty() { "rods.axis" } else { "rack.flangeR" };
    format!(
        "world World g=9.81
         crank Revolute frame_a=world.frame_b n[2]=0.1 phi_start=0.4 w_start=5
         web BodyShape frame_a=crank.frame_b r[1]=0.1 r[3]=0.03 r_CM[1]=0.03 m=1.5 I_11=0.02 I_22=0.02 I_33=0.03
         ground FixedTranslation frame_a=world.frame_b {at}
         rods {assembly} frame_a=web.frame_b frame_b=ground.frame_b {direction} {own}
         {inner}
         {axis}
         brake Brake flange_a={turning} fn_max=0.3 f_normalized=0.5
         motor Torque flange=crank.axis tau=0.7
         spring {domain}SpringDamper flange_a=rods.bearing flange_b=rods.axis c=20 d=0.1"
    )
}

const OUTPUTS: [&str; 8] = [
    "crank.a", "crank.tau", "rods.axis.a", "rods.frame_a.f[2]", "rods.frame_b.t[1]", "far.a_0[2]", "brake.tau",
    "drum.a",
];

const ASSEMBLIES: [&str; 5] = ["JointUSR", "JointUSP", "JointSSR", "JointSSP", "JointUPS"];

#[test]
fn derivatives_of_loops_in_space_by_inputs_are_those_of_differences() {
    for assembly in ASSEMBLIES {
        let mut train = train(Interface::ModelExchange, &closed(assembly));
        train.step(0.05);
        by_inputs(&mut train, &["motor.tau", "brake.f_normalized"], &OUTPUTS);
    }
}

#[test]
fn derivatives_of_loops_in_space_by_parameters_at_the_start_are_those_of_differences() {
    for assembly in ASSEMBLIES {
        let mut parameters = vec!["crank.phi_start", "crank.w_start", "ground.r[1]", "web.r[3]", "far.m", "spring.c"];
        parameters.push(if assembly.ends_with('R') { "drum.J" } else { "drum.m" });
        parameters.extend(match assembly {
            "JointUSR" => vec!["rods.n1_a[1]", "rods.rRod1_ia[2]", "rods.rRod2_ib[2]", "rods.n_b[1]"],
            "JointUSP" => vec!["rods.n1_a[3]", "rods.rRod1_ia[1]", "rods.rRod2_ib[3]", "rods.n_b[2]"],
            "JointSSR" | "JointSSP" => vec!["rods.rod1Length", "rods.rod1Mass", "rods.rRod2_ib[3]", "rods.n_b[2]"],
            _ => vec!["rods.n1_a[2]", "rods.nAxis_ia[2]"],
        });
        by_parameters(&closed(assembly), &parameters, &OUTPUTS);
    }
}

/// Makes a box in a gripper.
fn gripped() -> Trial {
    let mut train = train(
        Interface::ModelExchange,
        "world World g=9.81
         lift Prismatic frame_a=world.frame_b n[1]=0.1 n[2]=1 v_start=0.3
         hand Body frame_a=lift.frame_b m=5
         case Body m=2 I_11=0.05 I_22=0.04 I_33=0.06 r_0_start[1]=0.001 r_0_start[2]=-0.002 angles_start[3]=0.05 \
             w_0_start[1]=0.2 v_0_start[3]=0.1
         grip Gripper T=0.4 cT=2000 dT=50 cR=40 dR=1 frame_a=hand.frame_a frame_b=case.frame_a
         motor Force flange=lift.axis f=60",
    );
    train.set("grip.useMoment", true);
    train.set("grip.active", true);
    train
}

/// The gripper holds, and is on both ramps.
#[test]
fn derivatives_of_grippers_are_those_of_differences() {
    let outputs = ["lift.a", "case.a_0[1]", "case.a_0[2]", "case.z_a[3]", "grip.frame_a.f[2]", "grip.frame_b.t[3]"];
    for is_active in [true, false] {
        let mut train = gripped();
        train.step(0.05);
        train.set("grip.active", is_active);
        train.step(0.1);
        by_inputs(&mut train, &["motor.f"], &outputs);
    }
    let parameters = [
        "case.r_0_start[1]", "case.angles_start[2]", "case.v_0_start[3]", "case.w_0_start[1]", "grip.cT", "grip.dR",
        "lift.n[1]",
    ];
    by_parameters_of(gripped, &parameters, &outputs);
}
