//! Mechanisms of many joints, whose accelerations follow by articulated bodies: the same as by a mass matrix.

use std::fmt::Write as _;

use fmu_runtime::lifecycle::Interface;
use proptest::prelude::*;
use proptest::test_runner::RngSeed;

use super::closers::drift;
use super::derivatives::{by_inputs, by_parameters};
use super::refused::refusal;
use crate::fixture::{INTERFACES, train};

/// A joint of its own that a planetary gear ties to two shafts: with any, accelerations follow by the mass matrix.
const GEARED: &str = "\nlone Revolute frame_a=world.frame_b\nlone_end Body frame_a=lone.frame_b m=1 I_33=1
    planets IdealPlanetary sun=lone.axis ratio=2\nplanet_ring Inertia flange_a=planets.ring J=1
    planet_carrier Inertia flange_a=planets.carrier J=1";

/// Start values of joints without parts at their axes: joints with gears between them have none of their own.
const START: &str = " phi_start=0.4 w_start=-1";

/// Joints of limbs with parts at their axes, where LIMB stands for the number of the limb and AXIS for its axis.
const JOINTS: [&str; 14] = [
    "jLIMB Revolute AXIS phi_start=0.4 w_start=-1",
    "jLIMB Revolute AXIS w_start=2\ndLIMB Damper flange_a=jLIMB.support flange_b=jLIMB.axis d=0.3",
    "jLIMB Revolute AXIS phi_start=-1\nmLIMB Torque flange=jLIMB.axis tau=2",
    "jLIMB Revolute AXIS w_start=1\ngLIMB IdealGear flange_b=jLIMB.axis ratio=-7\nrLIMB Inertia flange_b=gLIMB.flange_a J=0.02",
    "jLIMB Revolute AXIS\naLIMB Position flange=jLIMB.axis",
    "jLIMB Prismatic AXIS s_start=0.2\nsLIMB Translational.SpringDamper flange_a=jLIMB.support flange_b=jLIMB.axis c=200 d=3",
    "jLIMB Spherical w_rel_a_start[1]=1 w_rel_a_start[3]=-2 angles_start[1]=0.3",
    "jLIMB Universal n_a[2]=1 n_b[3]=1 w_b_start=2",
    "jLIMB Revolute AXIS w_start=1\nfLIMB Brake useSupport=true flange_a=jLIMB.axis support=jLIMB.support fn_max=1 f_normalized=0.6",
    "jLIMB Revolute AXIS phi_start=0.3\nfLIMB Brake useSupport=true flange_a=jLIMB.axis support=jLIMB.support fn_max=900 f_normalized=1",
    "jLIMB Revolute AXIS w_start=-1\nrLIMB Inertia J=0.05 w_start=2\nfLIMB Clutch flange_a=jLIMB.axis flange_b=rLIMB.flange_a fn_max=1 f_normalized=0.2",
    "jLIMB Revolute AXIS w_start=1\ngLIMB LossyGear flange_b=jLIMB.axis ratio=-7 lossTable=0,0.8,0.7,0.1,0.2\nrLIMB Inertia flange_b=gLIMB.flange_a J=0.02",
    "jLIMB FreeMotion r_rel_a_start[1]=0.5 v_rel_a_start[2]=0.5 w_rel_a_start[3]=1 angles_start[2]=0.7",
    "jLIMB Revolute AXIS phi_start=0.2\nrLIMB Rotor1D J=0.002 w_start=40 n[1]=1 n[2]=0.5 frame_a=bLIMB.frame_b
     hLIMB Mounting1D n[1]=1 n[2]=0.5 frame_a=bLIMB.frame_b\nmLIMB Torque useSupport=true flange=rLIMB.flange_a support=hLIMB.flange_b tau=0.1
     fLIMB Brake useSupport=true flange_a=rLIMB.flange_b support=hLIMB.flange_b fn_max=1 f_normalized=0.05",
];

/// A limb: number of its joint, limb that carries it, reversed or not, axis and place of the joint.
type Limb = (usize, usize, bool, [f64; 3], [f64; 3]);

fn limb() -> impl Strategy<Value = Limb> {
    let vector = || prop::array::uniform3(-0.5..0.5_f64);
    (0..JOINTS.len(), 0..100_usize, any::<bool>(), vector(), vector())
}

/// Returns the parts of limbs at a hull that turns about an axis or that nothing holds, and names of accelerations and
/// loads. At a fixed hull, each limb would have a mass matrix of its own, too small for articulated bodies.
fn mechanism(limbs: &[Limb], is_free: bool) -> (String, Vec<String>) {
    let mut text = "world World g=9.81\nhull Body m=5 r_CM[1]=0.1 I_11=0.3 I_22=0.4 I_33=0.5".to_owned();
    if !is_free {
        text += " frame_a=held.frame_b\nheld Revolute frame_a=world.frame_b n[1]=1 w_start=0.5";
    }
    let mut names = Vec::new();
    for (k, (joint, parent, is_reversed, axis, place)) in limbs.iter().enumerate() {
        let [near, far] = if *is_reversed { ["frame_b", "frame_a"] } else { ["frame_a", "frame_b"] };
        let parent = match parent % (k + 1) {
            0 => "hull.frame_a".to_owned(),
            other => format!("b{}.frame_b", other - 1),
        };
        let [x, y, z] = axis;
        let along = format!("n[1]={x:?} n[2]={y:?} n[3]={:?}", z + 1.0);
        let joint = JOINTS[*joint].replace("LIMB", &k.to_string()).replace("AXIS", &along);
        let (first, more) = joint.split_once('\n').unwrap_or((&joint, ""));
        let [r_x, r_y, r_z] = place;
        let _ = write!(
            text,
            "\no{k} FixedTranslation frame_a={parent} r[1]={r_x:?} r[2]={r_y:?} r[3]={r_z:?}\n{first} {near}=o{k}.frame_b
            b{k} BodyShape frame_a=j{k}.{far} m={:?} r[1]=0.3 r[2]={y:?} r_CM[1]=0.1 r_CM[3]={z:?} I_11=0.05 I_22=0.04 I_33=0.03 I_21=0.01\n{more}",
            1.0 + x
        );
        names.extend(["a_0[1]", "a_0[3]", "z_a[2]", "r_0[1]", "v_0[2]"].map(|name| format!("b{k}.{name}")));
        if !first.contains("FreeMotion") {
            names.extend(["frame_a.f[1]", "frame_a.t[3]", "frame_b.f[2]"].map(|name| format!("j{k}.{name}")));
        }
    }
    (text, names)
}

fn config(cases: u32) -> ProptestConfig {
    ProptestConfig { cases, failure_persistence: None, rng_seed: RngSeed::Fixed(52), ..ProptestConfig::default() }
}

fn limbs() -> impl Strategy<Value = Vec<Limb>> {
    prop::collection::vec(limb(), 9..14)
}

proptest! {
    #![proptest_config(config(3))]

    #[test]
    fn many_joints_move_as_by_a_mass_matrix(limbs in limbs(), is_free in any::<bool>()) {
        let (text, names) = mechanism(&limbs, is_free);
        compare(&text, &names);
    }
}

proptest! {
    #![proptest_config(config(64))]

    #[test]
    #[ignore = "expensive: 64 random mechanisms"]
    fn any_joints_move_as_by_a_mass_matrix(limbs in limbs(), is_free in any::<bool>()) {
        let (text, names) = mechanism(&limbs, is_free);
        compare(&text, &names);
    }
}

/// Compares accelerations and loads with those by a mass matrix, which have other last digits.
pub fn compare(text: &str, names: &[String]) {
    for interface in INTERFACES {
        let [mut by_bodies, mut by_blocks] = [text.to_owned(), text.to_owned() + GEARED].map(|text| {
            let mut train = train(interface, &text);
            if interface == Interface::CoSimulation {
                train.set_tolerance(1e-10);
            }
            train
        });
        let mut bits = |name: &String| [&mut by_bodies, &mut by_blocks].map(|train| train.real(name).to_bits());
        assert!(names.iter().map(&mut bits).any(|[one, other]| one != other), "the mass matrix is taken: {text}");
        for tolerance in [1e-9, 1e-6, 1e-6, 1e-6] {
            let sizes: f64 = names.iter().map(|name| by_blocks.real(name).abs()).fold(1.0, f64::max);
            for name in names {
                let [found, expected] = [by_bodies.real(name), by_blocks.real(name)];
                assert!((found - expected).abs() < tolerance * sizes, "{name}: {found} {expected}");
            }
            by_bodies.step(0.01);
            by_blocks.step(0.01);
        }
    }
}

#[test]
fn a_wheel_with_an_arm_moves_as_by_a_mass_matrix() {
    let (text, names) = mechanism(&(0..7).map(|k| limb_of(k, 0)).collect::<Vec<_>>(), true);
    let (_, arm) = text.split_once("I_33=0.5").unwrap();
    let wheel = "roller RollingWheel radius=0.4 m=3 I_axis=0.16 I_long=0.2 w_0_start[2]=5";
    let arm = arm.replace("hull.frame_a", "roller.frame_a");
    compare(&format!("world World g=9.81 n[2]=0 n[3]=-1\n{wheel}{arm}"), &names);
}

#[test]
fn joints_with_rotors_on_their_links_move_as_by_a_mass_matrix() {
    let (text, mut names) = mechanism(&(0..8).map(|k| limb_of(k, 13 * (k % 2))).collect::<Vec<_>>(), true);
    names.extend(
        [1, 3, 5, 7].into_iter().flat_map(|k| [format!("r{k}.frame_a.t[2]"), format!("r{k}.a"), format!("f{k}.tau")]),
    );
    compare(&text, &names);
}

/// Joints with friction that slides, sticks and breaks away, in lossy gears too, and between two joints that are far apart.
#[test]
fn friction_at_all_joints_acts_as_by_a_mass_matrix() {
    let (text, mut names) = mechanism(&(0..12).map(|k| limb_of(k, 8 + k % 4)).collect::<Vec<_>>(), true);
    let text = text
        + "\nmotor Torque flange=j9.axis tau=30\nlink Clutch flange_a=j1.axis flange_b=j8.axis fn_max=2 f_normalized=0.5";
    names.extend((0..12).filter(|k| k % 4 < 3).map(|k| format!("f{k}.tau")));
    names.extend(["link.tau", "r2.a", "r3.a"].map(str::to_owned));
    compare(&text, &names);
}

/// A four-bar of four revolute joints at the end of an arm, with friction and a motor at the joint that closes the ring.
const FOUR_BAR: &str = "
    Xcrank Revolute frame_a=TIP.frame_b phi=1.2 phi.initial=enforce w=2 w.initial=enforce
    Xone BodyShape frame_a=Xcrank.frame_b m=1 r[1]=0.3 r_CM[1]=0.15 I_11=0.01 I_22=0.01 I_33=0.01
    Xfirst Revolute frame_a=Xone.frame_b
    Xtwo BodyShape frame_a=Xfirst.frame_b m=1 r[2]=0.8 r_CM[2]=0.4 I_11=0.05 I_22=0.05 I_33=0.05
    Xground FixedTranslation frame_a=TIP.frame_b r[1]=0.9
    Xrocker Revolute frame_a=Xground.frame_b
    Xthree BodyShape frame_a=Xrocker.frame_b m=1 r[2]=0.9 r_CM[2]=0.45 I_11=0.05 I_22=0.05 I_33=0.05
    Xlast Revolute frame_a=Xtwo.frame_b frame_b=Xthree.frame_b closes=true
    Xrub Brake useSupport=true flange_a=Xlast.axis support=Xlast.support fn_max=1 f_normalized=LOAD
    Xwheel Inertia flange_b=Xlast.axis J=0.02
    Xdrive Damper flange_a=Xcrank.support flange_b=Xcrank.axis d=0.2";

const OF_FOUR_BAR: [&str; 11] = [
    "crank.a", "rocker.a", "last.a", "last.phi", "rub.tau", "two.a_0[1]", "three.z_a[3]", "crank.frame_a.f[1]",
    "last.frame_a.f[1]", "last.frame_b.f[2]", "first.frame_b.t[1]",
];

/// Returns a four-bar whose parts have names that begin in this way.
pub fn four_bar(begin: &str, tip: &str, load: &str) -> String {
    FOUR_BAR.replace("TIP", tip).replace("LOAD", load).replace('X', begin)
}

/// With friction at the joint that closes the ring, which slides or sticks, and with another ring behind.
#[test]
fn rings_on_an_arm_move_as_by_a_mass_matrix() {
    let (arm, names) = arm(10);
    for (load, more) in [("0.1", String::new()), ("900", String::new()), ("0.1", four_bar("other_", "three", "0.2"))] {
        let own = OF_FOUR_BAR.iter().map(|name| (*name).to_owned());
        let behind = OF_FOUR_BAR.iter().filter(|_| !more.is_empty()).map(|name| format!("other_{name}"));
        let names: Vec<_> = names.iter().cloned().chain(own).chain(behind).collect();
        compare(&format!("{arm}{}{more}", four_bar("", "b9", load)), &names);
    }
}

#[test]
fn an_assembly_is_advised_for_a_ring_on_an_arm() {
    let mut train = train(Interface::CoSimulation, &(chain(&[0; 13]) + &four_bar("", "b12", "0.1")));
    train.real("crank.phi");
    let said = train.warnings().concat();
    assert!(said.contains("\"last\" closes a ring of which 3 of 5 conditions"), "{said}");
    assert!(said.contains("is faster"), "{said}");
}

/// Gears between neighbours and far apart, and a planetary gear between two joints and a motor.
#[test]
fn gears_between_joints_act_as_by_a_mass_matrix() {
    let joints = [0, 0, 1, 0, 9, 0, 0, 8, 13, 0, 1, 0, 0, 0];
    let (text, mut names) =
        mechanism(&joints.iter().enumerate().map(|(k, joint)| limb_of(k, *joint)).collect::<Vec<_>>(), true);
    let text = text.replace(START, "")
        + "\nnear IdealGear flange_a=j9.axis flange_b=j10.axis ratio=-1\nfar IdealGear flange_a=j1.axis flange_b=j12.axis ratio=3
        sum IdealPlanetary sun=j3.axis ring=j5.axis carrier=shaft.flange_a ratio=2\nshaft Inertia J=0.1
        push Torque flange=shaft.flange_b tau=5";
    names.extend(["shaft.a", "f7.tau", "f4.tau"].map(str::to_owned));
    compare(&text, &names);
}

/// Returns an arm of six joints under gravity, and its bodies: name, mass, and moments of inertia.
pub fn swinging_arm() -> (String, Vec<(String, f64, [f64; 3])>) {
    let mut text = "world World g=9.81\n".to_owned();
    let mut bodies = Vec::new();
    let mut before = "world.frame_b".to_owned();
    for k in 0..6 {
        text += &format!(
            "a{k} Revolute frame_a={before} n[1]={} n[3]=1 w_start={}
            half{k} FixedTranslation frame_a=a{k}.frame_b r[1]=0.1\nc{k} Body frame_a=half{k}.frame_b m=1 I_11=0.01 I_22=0.02 I_33=0.03
            b{k} FixedTranslation frame_a=a{k}.frame_b r[1]=0.2\n",
            k % 3, (-1.0_f64).powi(k)
        );
        before = format!("b{k}.frame_b");
        bodies.push((format!("c{k}"), 1.0, [0.01, 0.02, 0.03]));
    }
    (text, bodies)
}

#[test]
fn an_arm_with_a_ring_keeps_its_energy() {
    let (mut text, mut bodies) = swinging_arm();
    text += "crank Revolute frame_a=b5.frame_b w_start=2
        mid_1 FixedTranslation frame_a=crank.frame_b r[1]=0.15\none Body frame_a=mid_1.frame_b m=1 I_11=0.01 I_22=0.01 I_33=0.01
        web FixedTranslation frame_a=crank.frame_b r[1]=0.3\nfirst Revolute frame_a=web.frame_b
        mid_2 FixedTranslation frame_a=first.frame_b r[2]=0.4\ntwo Body frame_a=mid_2.frame_b m=1 I_11=0.05 I_22=0.05 I_33=0.05
        coupler FixedTranslation frame_a=first.frame_b r[2]=0.8\nground FixedTranslation frame_a=b5.frame_b r[1]=0.9
        rocker Revolute frame_a=ground.frame_b
        mid_3 FixedTranslation frame_a=rocker.frame_b r[2]=0.45\nthree Body frame_a=mid_3.frame_b m=1 I_11=0.05 I_22=0.05 I_33=0.05
        lever FixedTranslation frame_a=rocker.frame_b r[2]=0.9\nlast Revolute frame_a=coupler.frame_b frame_b=lever.frame_b";
    bodies.extend([
        ("one".to_owned(), 1.0, [0.01; 3]),
        ("two".to_owned(), 1.0, [0.05; 3]),
        ("three".to_owned(), 1.0, [0.05; 3]),
    ]);
    let bodies: Vec<_> = bodies.iter().map(|(name, m, moments)| (name.as_str(), *m, *moments)).collect();
    let drifted = drift(&text, &bodies, |_| [0.0; 2]);
    assert!(drifted < 1e-8, "{drifted:e}");
}

#[test]
fn derivatives_with_rings_and_gears_are_those_of_differences() {
    let text = chain(&[0, 2, 0, 1, 3, 0, 4, 0, 0, 2]).replace(START, "")
        + &four_bar("", "b9", "0.1")
        + "\nfar IdealGear flange_a=j2.axis flange_b=j7.axis ratio=2";
    let outputs = ["j0.a", "j2.a", "crank.a", "last.a", "b9.a_0[1]", "two.a_0[3]", "last.frame_a.f[1]", "rub.tau"];
    let mut moving = train(Interface::ModelExchange, &text);
    moving.step(0.02);
    by_inputs(&mut moving, &["rub.f_normalized", "a6.phi", "a6.a"], &outputs);
    by_parameters(&text, &["j3.w_start", "one.r[1]", "far.ratio"], &outputs[..7]);
}

fn limb_of(k: usize, joint: usize) -> Limb {
    let s = k as f64;
    (joint, k, k % 3 == 1, [(2.0 * s).sin() / 2.0, s.cos() / 2.0, 0.3], [0.2, (3.0 * s).sin() / 4.0, 0.1])
}

/// Returns an arm of this number of joints with friction at a free hull, with names of its variables.
pub fn arm(joints: usize) -> (String, Vec<String>) {
    mechanism(&(0..joints).map(|k| limb_of(k, 8 + k % 3)).collect::<Vec<_>>(), true)
}

/// Returns a chain of these joints at a hull that turns about an axis.
pub fn chain(joints: &[usize]) -> String {
    mechanism(&joints.iter().enumerate().map(|(k, joint)| limb_of(k, *joint)).collect::<Vec<_>>(), false).0
}

#[test]
fn derivatives_of_many_joints_are_those_of_differences() {
    let text = chain(&[0, 2, 5, 1, 3, 6, 4, 0, 7, 2, 8, 9]);
    let outputs = [
        "j0.a", "j5.z_rel_b[2]", "j8.a_b", "b9.a_0[1]", "b3.z_a[2]", "j4.frame_a.f[2]", "j7.frame_a.t[1]", "f10.tau",
        "f11.tau",
    ];
    let mut moving = train(Interface::ModelExchange, &text);
    moving.step(0.02);
    by_inputs(&mut moving, &["m1.tau", "m9.tau", "f10.f_normalized", "a6.phi", "a6.w", "a6.a"], &outputs);
    let parameters = ["j0.w_start", "j2.s_start", "b4.I_21", "o7.r[2]", "g4.ratio"];
    by_parameters(&text, &parameters, &outputs[..4]);
}

/// Errors of mechanisms with and without a mass matrix are the same.
#[test]
fn many_joints_without_inertia_are_named_as_few_are() {
    let chain = chain(&[0; 9]).replace("world World g=9.81\n", "");
    let ends = [
        ("\nend Revolute frame_a=b8.frame_b\ntip Body frame_a=end.frame_b m=0 I_11=0 I_22=0 I_33=0", "\"end\" can move"),
        ("\nend Spherical frame_a=b8.frame_b\ntip Body frame_a=end.frame_b r_CM[1]=1 I_11=0 I_22=0 I_33=0", "\"end\" can move"),
        (
            "\nouter Revolute frame_a=b8.frame_b\ninner Revolute frame_a=outer.frame_b\ntip Body frame_a=inner.frame_b r_CM[1]=1",
            "\"outer\" and \"inner\" can move",
        ),
        (
            "\nyaw Revolute frame_a=b8.frame_b\npitch Revolute frame_a=yaw.frame_b n[2]=1 n[3]=0 phi_start=1.5707963267948966
            roll Revolute frame_a=pitch.frame_b n[1]=1 n[3]=0\ntop Body frame_a=roll.frame_b I_11=1 I_22=2 I_33=3",
            "gimbal lock: \"pitch\" is at",
        ),
        (
            "\nend Revolute frame_a=b8.frame_b\nweb FixedTranslation frame_a=end.frame_b r[1]=0.1
            base FixedTranslation frame_a=b8.frame_b r[1]=0.3 r[2]=0.4
            ram JointUPS frame_a=web.frame_b frame_b=base.frame_b n1_a[1]=0 n1_a[3]=1 nAxis_ia[1]=1
            tip Body frame_a=ram.frame_ia m=0 I_11=0 I_22=0 I_33=0",
            "\"end\" can move",
        ),
    ];
    for (end, expected) in ends {
        let [by_bodies, by_blocks] = ["", GEARED].map(|more| refusal(&format!("{chain}{end}{more}")));
        assert!(by_bodies.contains(expected), "{by_bodies}");
        assert_eq!(by_bodies, by_blocks);
    }
}
