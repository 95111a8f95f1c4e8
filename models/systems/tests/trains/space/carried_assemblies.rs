//! Assemblies on arms of many joints, whose accelerations follow by articulated bodies: the same as by a mass matrix.

use fmu_runtime::lifecycle::Interface;

use super::chains::{arm, chain, compare, four_bar, swinging_arm};
use super::closers::drift;
use super::derivatives::{by_inputs, by_parameters};
use crate::fixture::train;

/// A crank on a carrier, and an assembly from there to the carrier, with friction at its axis and what is behind it.
const LOOP: &str = "
    Xcrank Revolute frame_a=TIP n[1]=0.1 n[3]=1 phi_start=0.9 w_start=2
    Xarm BodyShape frame_a=Xcrank.frame_b r[1]=0.1 r[3]=0.02 r_CM[1]=0.1 m=2 I_11=0.03 I_22=0.03 I_33=0.04
    Xground FixedTranslation frame_a=TIP r[1]=GROUND r[2]=0.05 r[3]=0.1
    Xrods ASSEMBLY frame_a=Xarm.frame_b frame_b=Xground.frame_b
    Xlever Body frame_a=Xrods.frame_ib r_CM[1]=0.1 r_CM[2]=0.05 m=1 I_11=0.02 I_22=0.02 I_33=0.03
    Xhinge Revolute frame_a=Xrods.frame_ib n[1]=1 w_start=1
    Xbob Body frame_a=Xhinge.frame_b r_CM[2]=-0.2 m=0.3 I_11=0.02 I_22=0.02 I_33=0.03
    Xrub BRAKE useSupport=true FLANGES fn_max=1 f_normalized=LOAD
    Xdrive Damper flange_a=Xcrank.support flange_b=Xcrank.axis d=0.2";

/// A body in rod 1, where it has a frame.
const ROD: &str = "\n    Xbar Body frame_a=Xrods.frame_ia r_CM[1]=0.15 m=0.5 I_11=0.02 I_22=0.03 I_33=0.02";

/// Assemblies with the place of their frame_b along x, of which those that turn begin with that.
const KINDS: [(&str, &str); 6] = [
    ("0.4", "JointUSR n1_a[2]=1 rRod1_ia[1]=0.42 n_b[1]=0.1 n_b[3]=1 rRod2_ib[1]=0.25 phi_guess=90"),
    ("0.4", "JointSSR rod1Length=0.42 n_b[1]=0.1 n_b[3]=1 rRod2_ib[1]=0.25 phi_guess=90"),
    ("0.0", "JointUSP n1_a[2]=1 rRod1_ia[1]=0.4 rRod1_ia[2]=0.1 n_b[1]=1 n_b[3]=0.3 rRod2_ib[1]=0.05 s_guess=0.4"),
    ("0.0", "JointSSP rod1Length=0.42 rod1Mass=0.7 n_b[1]=1 n_b[3]=0.3 rRod2_ib[1]=0.05 s_guess=0.4"),
    ("0.4", "JointUPS n1_a[1]=0 n1_a[3]=1 nAxis_ia[1]=1"),
    ("0.4", "LineForceWithTwoMasses m_a=0.4 m_b=0.3 L_a=0.1 L_b=0.05"),
];

/// Returns a loop at a carrier, whose parts have names that begin in this way, with names of its variables.
fn closed(kind: usize, begin: &str, tip: &str, load: &str) -> (String, Vec<String>) {
    let (ground, assembly) = KINDS[kind];
    let has_rod = !(assembly.contains("SS") || assembly.contains("Line"));
    let mut text = LOOP.to_owned() + if has_rod { ROD } else { "" };
    let flanges = "flange_a=Xrods.axis support=Xrods.bearing";
    if assembly.contains("Line") {
        text = text
            .lines()
            .filter(|line| !line.contains("rods.frame_ib") && !line.contains("bob"))
            .collect::<Vec<_>>()
            .join("\n");
        text = text.replace(" FLANGES", " flange_a=Xrods.flange_b support=Xrods.flange_a");
    }
    let brake = if assembly.ends_with("guess=90") { "Brake" } else { "Translational.Brake" };
    let text = text.replace("FLANGES", flanges).replace("BRAKE", brake).replace("ASSEMBLY", assembly);
    let text = text.replace("TIP", tip).replace("GROUND", ground).replace("LOAD", load).replace('X', begin);
    let names = ["crank.a", "arm.a_0[1]", "arm.z_a[3]", "rods.frame_a.f[2]", "rods.frame_b.f[1]", "crank.frame_a.t[2]"];
    (text, names.map(|name| format!("{begin}{name}")).to_vec())
}

/// Each kind, with friction that slides or sticks at its axis.
#[test]
fn assemblies_on_an_arm_move_as_by_a_mass_matrix() {
    let (arm, names) = arm(10);
    for kind in 0..KINDS.len() {
        let load = ["0.1", "90"][kind % 2];
        let (own, more) = closed(kind, "", "b9.frame_b", load);
        compare(&(arm.clone() + &own), &[names.clone(), more].concat());
    }
}

/// Two loops with the same crank, and a third one that hangs on rod 2 of another.
#[test]
fn assemblies_that_share_links_move_as_by_a_mass_matrix() {
    let (arm, mut names) = arm(10);
    let mut text = arm;
    for (kind, begin, tip) in [(0, "one_", "b9.frame_b"), (2, "two_", "one_rods.frame_ib"), (4, "three_", "b9.frame_b")]
    {
        let (own, more) = closed(kind, begin, tip, "0.1");
        let is_there = |text: &&str| !text.contains("three_crank") && !text.contains("three_drive");
        let own = own.replace("frame_a=three_crank.frame_b", "frame_a=one_crank.frame_b");
        text += &own.lines().filter(is_there).map(|line| format!("\n{line}")).collect::<String>();
        names.extend(more.into_iter().filter(|name| is_there(&name.as_str())));
    }
    compare(&text, &names);
}

/// A telescope with masses across a ring of joints.
#[test]
fn an_assembly_in_a_ring_moves_as_by_a_mass_matrix() {
    let (arm, mut names) = arm(10);
    let telescope = "
        low FixedTranslation frame_a=crank.frame_b r[1]=0.1 r[3]=0.05\nhigh FixedTranslation frame_a=rocker.frame_b r[2]=0.4
        ram JointUPS frame_a=low.frame_b frame_b=high.frame_b n1_a[1]=0 n1_a[3]=1 nAxis_ia[1]=1
        cylinder Body frame_a=ram.frame_ia r_CM[1]=0.1 m=1 I_11=0.01 I_22=0.02 I_33=0.02
        piston Body frame_a=ram.frame_ib r_CM[1]=-0.1 m=0.5 I_11=0.01 I_22=0.02 I_33=0.02
        seal Translational.Brake useSupport=true flange_a=ram.axis support=ram.bearing fn_max=1 f_normalized=5";
    names.extend(["crank.a", "rocker.a", "last.a", "ram.axis.a", "seal.f", "cylinder.a_0[1]"].map(str::to_owned));
    compare(&(arm + &four_bar("", "b9", "0.1") + telescope), &names);
}

/// A platform on six telescopes with masses at the end of an arm, and one on its own.
#[test]
fn a_stewart_platform_moves_as_by_a_mass_matrix() {
    for (count, carrier) in [(10, "b9.frame_b"), (14, "world.frame_b")] {
        let (arm, mut names) = arm(count);
        let plate = "plate Body m=20 I_11=0.9 I_22=1.6 I_33=0.8";
        let mut text = if count == 10 {
            format!(
                "{arm}\n{plate} frame_a=float.frame_b
                float FreeMotion frame_a=b9.frame_b r_rel_a_start[2]=1 v_rel_a_start[2]=0.3 w_rel_a_start[1]=0.4"
            )
        } else {
            // It carries the arm.
            let hull = "hull Body m=5 r_CM[1]=0.1 I_11=0.3 I_22=0.4 I_33=0.5";
            let free = format!("{plate} v_0_start[2]=0.3 w_0_start[1]=0.4 r_0_start[2]=1");
            arm.replace(hull, &free).replace("hull.frame_a", "plate.frame_a")
        };
        for i in 0..6 {
            let at = |radius: f64, angle: f64| [radius * angle.to_radians().cos(), radius * angle.to_radians().sin()];
            let pair = 120.0 * f64::from(i / 2);
            let [x, z] = at(0.8, pair + if i % 2 == 0 { -10.0 } else { 10.0 });
            let [r_x, r_z] = at(0.5, pair + if i % 2 == 0 { -50.0 } else { 50.0 });
            text += &format!(
                "\nfoot{i} FixedTranslation frame_a={carrier} r[1]={x:?} r[3]={z:?}
                head{i} FixedTranslation frame_a=plate.frame_a r[1]={r_x:?} r[3]={r_z:?}
                leg{i} JointUPS frame_a=foot{i}.frame_b frame_b=head{i}.frame_b n1_a[1]=1 n1_a[3]=0 nAxis_ia[1]=0 nAxis_ia[2]=1
                cylinder{i} Body frame_a=leg{i}.frame_ia r_CM[2]=0.2 m=3 I_11=0.05 I_22=0.01 I_33=0.05
                rod{i} Body frame_a=leg{i}.frame_ib r_CM[2]=-0.2 m=2 I_11=0.03 I_22=0.005 I_33=0.03
                seal{i} Translational.Brake useSupport=true flange_a=leg{i}.axis support=leg{i}.bearing fn_max=1 f_normalized={}",
                if i % 2 == 0 { 5 } else { 500 }
            );
            names.extend([format!("leg{i}.axis.a"), format!("seal{i}.f"), format!("rod{i}.a_0[2]")]);
        }
        names.extend(["plate.a_0[1]", "plate.z_a[2]"].map(str::to_owned));
        compare(&text, &names);
    }
}

#[test]
fn an_assembly_behind_thirty_joints_moves_as_by_a_mass_matrix() {
    let (arm, names) = arm(30);
    let (own, more) = closed(0, "", "b29.frame_b", "0.1");
    compare(&(arm + &own), &[names, more].concat());
}

#[test]
fn an_arm_with_an_assembly_keeps_its_energy() {
    let (mut text, mut bodies) = swinging_arm();
    text += "crank Revolute frame_a=b5.frame_b w_start=2
        web FixedTranslation frame_a=crank.frame_b r[1]=0.1 r[3]=0.02\ndisc Body frame_a=web.frame_b m=3 I_11=0.02 I_22=0.02 I_33=0.05
        ground FixedTranslation frame_a=b5.frame_b r[1]=0.4 r[2]=0.05 r[3]=0.1
        rods JointUSR frame_a=web.frame_b frame_b=ground.frame_b n1_a[2]=1 rRod1_ia[1]=0.42 n_b[1]=0.1 n_b[3]=1 rRod2_ib[1]=0.25 phi_guess=90
        mid FixedTranslation frame_a=rods.frame_ia r[1]=0.2\nbar Body frame_a=mid.frame_b m=0.5 I_11=0.004 I_22=0.003 I_33=0.002
        tip Body frame_a=rods.frame_im m=0.8 I_11=0.01 I_22=0.01 I_33=0.01";
    bodies.extend([
        ("disc".to_owned(), 3.0, [0.02, 0.02, 0.05]),
        ("bar".to_owned(), 0.5, [0.004, 0.003, 0.002]),
        ("tip".to_owned(), 0.8, [0.01; 3]),
    ]);
    let bodies: Vec<_> = bodies.iter().map(|(name, m, moments)| (name.as_str(), *m, *moments)).collect();
    let drifted = drift(&text, &bodies, |_| [0.0; 2]);
    assert!(drifted < 1e-8, "{drifted:e}");
}

#[test]
fn derivatives_with_assemblies_are_those_of_differences() {
    let (own, _) = closed(2, "", "b9.frame_b", "0.1");
    let (other, _) = closed(3, "next_", "b9.frame_b", "0.1");
    let text = chain(&[0, 2, 0, 1, 3, 0, 4, 0, 0, 2]) + &own + &other;
    let outputs = ["j0.a", "j2.a", "crank.a", "next_crank.a", "b9.a_0[1]", "bob.a_0[3]", "rods.frame_a.f[1]", "rub.f"];
    let mut moving = train(Interface::ModelExchange, &text);
    moving.step(0.02);
    by_inputs(&mut moving, &["rub.f_normalized", "a6.phi", "a6.a"], &outputs);
    by_parameters(&text, &["j3.w_start", "arm.r[1]", "next_rods.rod1Mass"], &outputs[..7]);
}
