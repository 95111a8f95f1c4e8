//! The mechanism of each assembly also by plain joints: the same motion.

use fmu_runtime::lifecycle::Interface;

use super::closers::drift;
use crate::fixture::train;

/// A crank, with an arm that carries one end of the loop, and the ground at its other end.
const CRANK: &str = "world World g=9.81
    crank Revolute frame_a=world.frame_b AXIS phi=0.3 phi.initial=enforce w=8 w.initial=enforce
    web BodyShape frame_a=crank.frame_b r[2]=0.15 r[3]=LIFT r_CM[2]=0.05 m=2 I_11=0.03 I_22=0.02 I_33=0.02
    ground FixedTranslation frame_a=world.frame_b r[1]=0.8 r[2]=0.1\n";

fn crank(axis: &str, lift: &str) -> String {
    CRANK.replace("AXIS", axis).replace("LIFT", lift)
}

const IN_SPACE: [&str; 2] = ["n[1]=1 n[3]=0.2", "0.05"];

const ROD_1: &str = "Body r_CM[1]=0.4 m=0.6 I_11=0.001 I_22=0.02 I_33=0.02";
const ROD_2: &str = "Body r_CM[2]=0.2 m=1.5 I_11=0.02 I_22=0.01 I_33=0.02";

/// Compares an assembly, whose coordinate `x` is that of the joint "driven", with plain joints, where START is that
/// coordinate at the start.
fn same(frame: [&str; 2], assembly: &str, x: &str, joints: &str, more: &[[&str; 2]]) {
    let head = crank(frame[0], frame[1]);
    let mut assembled = train(Interface::CoSimulation, &format!("{head}{assembly}"));
    assembled.set_tolerance(1e-11);
    let coordinate = format!("rods.{x}");
    let start = format!("{:?}", assembled.real(&coordinate));
    let mut plain = train(Interface::CoSimulation, &format!("{head}{}", joints.replace("START", &start)));
    plain.set_tolerance(1e-11);
    let driven = format!("driven.{x}");
    let mut names = vec![[coordinate.as_str(), driven.as_str()]];
    let common = [
        "crank.phi", "crank.w", "crank.a", "crank.frame_a.f[2]", "crank.frame_a.t[2]", "two.r_0[2]", "two.v_0[1]",
        "two.w_a[3]",
    ];
    names.extend(common.map(|name| [name; 2]));
    names.extend(more);
    let mut turned = 0.0_f64;
    for k in 0..=40 {
        for [one, other] in &names {
            let [expected, found] = [assembled.real(one), plain.real(other)];
            let is_close = (found - expected).abs() <= 1e-8 * expected.abs().max(1.0);
            assert!(is_close, "{other} at {k}: {found} {expected}");
        }
        turned = turned.max((plain.real("crank.phi") - 0.3).abs());
        assembled.step(0.05);
        plain.step(0.05);
    }
    assert!(turned > 1.0, "it moves: {turned}");
}

const DRIVEN_TURNS: &str = "driven Revolute frame_a=ground.frame_b n[1]=0.1 n[3]=1 phi_start=START
    tip FixedTranslation frame_a=driven.frame_b r[1]=-0.1 r[2]=0.4\n";
const DRIVEN_SLIDES: &str = "driven Prismatic frame_a=ground.frame_b n[1]=1 n[2]=0.1 n[3]=0.3 s_start=START
    tip FixedTranslation frame_a=driven.frame_b r[1]=-0.3 r[2]=0.2\n";
const TURNING: &str =
    "frame_a=web.frame_b frame_b=ground.frame_b n_b[1]=0.1 n_b[3]=1 rRod2_ib[1]=-0.1 rRod2_ib[2]=0.4 phi_guess=0";
const SLIDING: &str = "frame_a=web.frame_b frame_b=ground.frame_b n_b[1]=1 n_b[2]=0.1 n_b[3]=0.3 rRod2_ib[1]=-0.3 rRod2_ib[2]=0.2 s_guess=0.4";
const UNIVERSAL: &str = "n1_a[2]=1 n1_a[3]=0 rRod1_ia[1]=0.8 rRod1_ia[2]=0.1";
/// The second axis is that across the first one and the rod.
const UNIVERSAL_JOINT: &str = "swivel Universal frame_a=web.frame_b n_a[1]=0 n_a[2]=1 n_b[2]=0 n_b[3]=-1
    rod FixedTranslation frame_a=swivel.frame_b r[1]=0.8 r[2]=0.1
    last Spherical frame_a=rod.frame_b frame_b=tip.frame_b closes=true\n";

/// With the rod between universal and spherical joints as one part, and by joints alone.
#[test]
fn joint_usr_is_a_universal_a_spherical_and_a_revolute_joint() {
    let assembly = format!(
        "rods JointUSR {TURNING} {UNIVERSAL}\none {ROD_1} frame_a=rods.frame_ia\ntwo {ROD_2} frame_a=rods.frame_ib"
    );
    let joints = format!(
        "{DRIVEN_TURNS}{UNIVERSAL_JOINT}one {ROD_1} frame_a=swivel.frame_b\ntwo {ROD_2} frame_a=driven.frame_b"
    );
    let rod = [["one.v_0[2]"; 2], ["one.w_a[1]"; 2]];
    same(IN_SPACE, &assembly, "phi", &joints, &rod);
    let joints = format!(
        "{DRIVEN_TURNS}rod UniversalSpherical frame_a=web.frame_b frame_b=tip.frame_b n1_a[2]=1 n1_a[3]=0 rRod_ia[1]=0.8 rRod_ia[2]=0.1
        one {ROD_1} frame_a=rod.frame_ia
        two {ROD_2} frame_a=driven.frame_b"
    );
    let loads = [
        ["rods.f_rod", "rod.f_rod"],
        ["rods.frame_a.f[3]", "rod.frame_a.f[3]"],
        ["rods.frame_a.t[1]", "rod.frame_a.t[1]"],
    ];
    same(IN_SPACE, &assembly, "phi", &joints, &[&rod[..], &loads].concat());
}

#[test]
fn joint_usp_is_a_universal_a_spherical_and_a_prismatic_joint() {
    let assembly = format!(
        "rods JointUSP {SLIDING} {UNIVERSAL}\none {ROD_1} frame_a=rods.frame_ia\ntwo {ROD_2} frame_a=rods.frame_ib"
    );
    let joints = format!(
        "{DRIVEN_SLIDES}{UNIVERSAL_JOINT}one {ROD_1} frame_a=swivel.frame_b\ntwo {ROD_2} frame_a=driven.frame_b"
    );
    same(IN_SPACE, &assembly, "s", &joints, &[["one.v_0[2]"; 2], ["one.w_a[1]"; 2]]);
}

/// A line with a mass gives the rod one.
#[test]
fn joint_ssr_is_a_rod_between_spherical_joints_and_a_revolute_joint() {
    let assembly = format!("rods JointSSR {TURNING} rod1Length=0.85 rod1Mass=0.7\ntwo {ROD_2} frame_a=rods.frame_ib");
    let joints = format!(
        "{DRIVEN_TURNS}rod SphericalSpherical frame_a=web.frame_b frame_b=tip.frame_b rodLength=0.85
        mass LineForceWithMass frame_a=web.frame_b frame_b=tip.frame_b m=0.7
        two {ROD_2} frame_a=driven.frame_b"
    );
    same(IN_SPACE, &assembly, "phi", &joints, &[]);
}

#[test]
fn joint_ssp_is_a_rod_between_spherical_joints_and_a_prismatic_joint() {
    let assembly = format!("rods JointSSP {SLIDING} rod1Length=0.85\ntwo {ROD_2} frame_a=rods.frame_ib");
    let joints = format!(
        "{DRIVEN_SLIDES}rod SphericalSpherical frame_a=web.frame_b frame_b=tip.frame_b rodLength=0.85
        two {ROD_2} frame_a=driven.frame_b"
    );
    let loads = [["rods.f_rod", "rod.f_rod"], ["rods.frame_a.f[3]", "rod.frame_a.f[3]"]];
    same(IN_SPACE, &assembly, "s", &joints, &loads);
}

#[test]
fn joint_ups_is_a_universal_a_prismatic_and_a_spherical_joint() {
    let assembly = format!(
        "rods JointUPS frame_a=web.frame_b frame_b=ground.frame_b n1_a[1]=0 n1_a[2]=1 n1_a[3]=0 nAxis_ia[1]=1 nAxis_ia[2]=0.1
        one {ROD_1} frame_a=rods.frame_ia
        two {ROD_2} frame_a=rods.frame_ib"
    );
    let joints = format!(
        "swivel Universal frame_a=web.frame_b n_a[1]=0 n_a[2]=1 n_b[2]=0 n_b[3]=-1
        driven Prismatic frame_a=swivel.frame_b n[1]=1 n[2]=0.1 s_start=START
        last Spherical frame_a=driven.frame_b frame_b=ground.frame_b closes=true
        one {ROD_1} frame_a=swivel.frame_b
        two {ROD_2} frame_a=driven.frame_b"
    );
    same(IN_SPACE, &assembly, "s", &joints, &[["one.v_0[2]"; 2], ["one.w_a[1]"; 2]]);
}

#[test]
fn joint_rrp_is_two_revolute_joints_and_a_prismatic_one() {
    let assembly = format!(
        "rods JointRRP frame_a=web.frame_b frame_b=ground.frame_b n_b[1]=1 rRod1_ia[1]=0.8 rRod2_ib[1]=0 rRod2_ib[2]=0.1 s_guess=0.2
        one {ROD_1} frame_a=rods.frame_ia
        two {ROD_2} frame_a=rods.frame_ib"
    );
    let joints = |last: &str| {
        format!(
            "driven Prismatic frame_a=ground.frame_b s_start=START
            tip FixedTranslation frame_a=driven.frame_b r[1]=0 r[2]=0.1
            first Revolute frame_a=web.frame_b
            rod FixedTranslation frame_a=first.frame_b r[1]=0.8
            last {last}
            one {ROD_1} frame_a=first.frame_b
            two {ROD_2} frame_a=driven.frame_b"
        )
    };
    for last in [
        "Revolute frame_a=rod.frame_b frame_b=tip.frame_b",
        "RevolutePlanarLoopConstraint frame_a=rod.frame_b frame_b=tip.frame_b",
    ] {
        same(["", "0"], &assembly, "s", &joints(last), &[["one.v_0[2]"; 2], ["one.w_a[3]"; 2]]);
    }
}

#[test]
fn rods_keep_their_energy() {
    let head = crank(IN_SPACE[0], IN_SPACE[1]);
    let text = format!(
        "{head}{}rod UniversalSpherical frame_a=middle.frame_a frame_b=tip.frame_b n1_a[2]=1 n1_a[3]=0 rRod_ia[1]=0.8 rRod_ia[2]=0.1
        middle Body frame_a=web.frame_b m=1 I_11=0.01 I_22=0.01 I_33=0.01
        half FixedTranslation frame_a=rod.frame_ia r[1]=0.4
        one Body frame_a=half.frame_b m=0.6 I_11=0.001 I_22=0.02 I_33=0.02
        two Body frame_a=tip.frame_b m=1.5 I_11=0.02 I_22=0.01 I_33=0.02
        three Body frame_a=web.frame_a m=0.1 I_11=0.001 I_22=0.001 I_33=0.001",
        DRIVEN_TURNS.replace("START", "0")
    )
    .replace("r_CM[2]=0.05 m=2 I_11=0.03 I_22=0.02 I_33=0.02", "m=0 I_11=0 I_22=0 I_33=0");
    let bodies = [("middle", 1.0, [0.01; 3]), ("one", 0.6, [0.001, 0.02, 0.02]), ("two", 1.5, [0.02, 0.01, 0.02])];
    let found = drift(&text, &[&bodies[..], &[("three", 0.1, [0.001; 3])]].concat(), |_| [0.0; 2]);
    assert!(found < 1e-9, "{found:e}");
}
