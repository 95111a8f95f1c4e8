//! One-dimensional parts at the axes of assemblies: inertias, gears, friction.

use fmu_runtime::Trial;
use fmu_runtime::lifecycle::Interface;

use super::closers::{drift, energy, platform};
use crate::fixture::{INTERFACES, train};

/// The two cuts of the four-bar: bearings of crank and rocker, where the assembly has the rocker's, and where it has
/// the crank's.
const CUTS: [[&str; 2]; 2] = [["crank.axis", "rods.axis"], ["rods.axis", "rocker.axis"]];

/// Returns the lines of a four-bar with this cut, which starts at this angle of the joint and its velocity, with
/// further lines of parts at its axes.
fn four_bar(cut: usize, [phi, w]: [f64; 2], axes: &str) -> String {
    let parts = match cut {
        0 => format!(
            "crank Revolute frame_a=world.frame_b phi_start={phi:?} w_start={w:?}
             arm FixedTranslation frame_a=crank.frame_b r[1]=0.3
             rods JointRRR frame_a=arm.frame_b frame_b=ground.frame_b rRod1_ia[1]=0.7 rRod2_ib[1]=0.6 phi_guess=90
             wheel Body frame_a=crank.frame_b r_CM[1]=0.1 m=2 I_33=0.04
             lever Body frame_a=rods.frame_ib r_CM[1]=0.2 m=1 I_33=0.03"
        ),
        _ => format!(
            "rocker Revolute frame_a=ground.frame_b phi_start={phi:?} w_start={w:?}
             arm FixedTranslation frame_a=rocker.frame_b r[1]=0.6
             rods JointRRR frame_a=arm.frame_b frame_b=world.frame_b rRod1_ia[1]=0.7 rRod2_ib[1]=0.3 phi_guess=50
             wheel Body frame_a=rods.frame_ib r_CM[1]=0.1 m=2 I_33=0.04
             lever Body frame_a=rocker.frame_b r_CM[1]=0.2 m=1 I_33=0.03"
        ),
    };
    let [at_crank, at_rocker] = CUTS[cut];
    let axes = axes.replace("CRANK", at_crank).replace("ROCKER", at_rocker);
    format!(
        "world World
         ground FixedTranslation frame_a=world.frame_b r[1]=0.8
         {parts}
         bar Body frame_a=rods.frame_ia r_CM[1]=0.35 m=0.5 I_33=0.02
         {axes}"
    )
}

/// A part at the axis of an assembly moves as at that of a joint, if the mechanism is cut elsewhere.
#[test]
fn the_axis_of_an_assembly_is_that_of_a_joint() {
    let axes = "motor Torque flange=CRANK tau=9
        gear IdealGear ratio=3 flange_b=ROCKER
        rotor Inertia J=0.02 flange_a=gear.flange_a
        flywheel Inertia J=0.05 flange_a=CRANK
        differential IdealPlanetary sun=CRANK ring=ROCKER ratio=2
        third Inertia J=0.3 flange_a=differential.carrier
        shaft SpringDamper c=40 d=0.1 flange_a=rotor.flange_b
        end Inertia J=0.01 flange_a=shaft.flange_b
        lock Brake flange_a=gear.flange_a fn_max=1 f_normalized=0.3";
    for interface in INTERFACES {
        let mut one = train(interface, &four_bar(0, [0.9, 2.0], axes));
        one.set_tolerance(1e-10);
        let start = ["rods.phi", "rods.axis.w"].map(|name| one.real(name));
        let mut other = train(interface, &four_bar(1, start, axes));
        other.set_tolerance(1e-10);
        let mut modes = Vec::new();
        for i in 0..50 {
            let names = [
                ["crank.phi", "rods.phi"],
                ["crank.w", "rods.axis.w"],
                ["crank.a", "rods.axis.a"],
                ["rods.phi", "rocker.phi"],
                ["rods.axis.a", "rocker.a"],
                ["rods.tau", "rocker.tau"],
                ["crank.tau", "rods.tau"],
                ["rotor.w", "rotor.w"],
                ["third.a", "third.a"],
                ["end.a", "end.a"],
                ["lock.tau", "lock.tau"],
            ];
            for [of_one, of_other] in names {
                let found = [one.real(of_one), other.real(of_other)];
                let is_close = (found[0] - found[1]).abs() < 1e-7 * found[0].abs().max(1.0);
                assert!(is_close, "{interface:?} {i} {of_one}: {found:?}");
            }
            let mode = one.integer("lock.mode");
            assert_eq!(mode, other.integer("lock.mode"));
            if modes.last() != Some(&mode) {
                modes.push(mode);
            }
            // The brake slides, sticks and breaks away.
            let force = if (20..40).contains(&i) { 40.0 } else { 0.3 };
            for train in [&mut one, &mut other] {
                train.set("lock.f_normalized", force);
                train.step(0.02);
            }
        }
        assert!(modes.len() >= 3 && modes.contains(&0), "{modes:?}");
    }
}

/// Rotors behind gears, and a mass, move as the loops in space do.
#[test]
fn loops_in_space_keep_their_energy_with_inertias_at_their_axes() {
    let crank = "world World g=9.81
        crank Revolute frame_a=world.frame_b w_start=12
        arm FixedTranslation frame_a=crank.frame_b r[1]=0.1 r[3]=0.02
        disc Body frame_a=arm.frame_b m=3 I_11=0.02 I_22=0.02 I_33=0.05\n";
    let bodies = [("disc", 3.0, [0.02, 0.02, 0.05]), ("tip", 0.8, [0.01; 3])];
    let tip = "tip Body frame_a=rods.frame_im m=0.8 I_11=0.01 I_22=0.01 I_33=0.01\n";
    let rocker = format!(
        "{crank}ground FixedTranslation frame_a=world.frame_b r[1]=0.4 r[2]=0.05 r[3]=0.1
         rods JointSSR frame_a=arm.frame_b frame_b=ground.frame_b n_b[1]=0.1 n_b[3]=1 rRod2_ib[1]=0.25 rod1Length=0.42 phi_guess=90
         {tip}gear IdealGear ratio=-4 flange_b=rods.axis
         rotor Inertia J=0.003 flange_a=gear.flange_a"
    );
    let of_rotor = |train: &mut Trial| {
        let (w, w_axis) = (train.real("rotor.w"), train.real("rods.axis.w"));
        assert!((w + 4.0 * w_axis).abs() < 1e-11 * w.abs().max(1.0), "{w} {w_axis}");
        [0.5 * 0.003 * w * w, 0.0]
    };
    let found = drift(&rocker, &bodies, of_rotor);
    assert!(found < 1e-9, "{found:e}");
    let slider = format!(
        "{crank}ground FixedTranslation frame_a=world.frame_b r[2]=0.05 r[3]=0.1
         rods JointUSP frame_a=arm.frame_b frame_b=ground.frame_b n_b[1]=1 n_b[2]=0.1 n_b[3]=0.3 n1_a[2]=1 \
             rRod1_ia[1]=0.4 rRod1_ia[2]=0.1 rRod2_ib[1]=0.05 s_guess=0.4
         {tip}mass Mass m=0.3 L=0.2 flange_a=rods.axis
         rack IdealGearR2T ratio=20 flangeT=mass.flange_b
         rotor Inertia J=0.001 flange_a=rack.flangeR"
    );
    let of_both = |train: &mut Trial| {
        let v = train.real("rods.axis.v");
        assert!((train.real("mass.s") - train.real("rods.axis.s") - 0.1).abs() < 1e-12);
        [0.5 * (0.3 + 0.001 * 400.0) * v * v, 0.0]
    };
    let found = drift(&slider, &bodies, of_both);
    assert!(found < 1e-9, "{found:e}");
}

/// The masses of six hydraulic drives: the force at each axis is that on its mass, and the work is theirs.
#[test]
fn masses_at_the_axes_of_a_stewart_platform() {
    let forces = [90.0, 60.0, 75.0, 110.0, 55.0, 80.0];
    let masses: String = (0..6).map(|i| format!("mass{i} Mass m=4 flange_a=leg{i}.axis\n")).collect();
    let mut train = train(Interface::CoSimulation, &(platform(forces) + &masses));
    train.set_tolerance(1e-10);
    let mut bodies = vec![("plate", 20.0, [0.9, 1.6, 0.8])];
    let names: Vec<_> = (0..6).flat_map(|i| [format!("cylinder{i}"), format!("rod{i}")]).collect();
    let legs = [("cylinder", 3.0, [0.05, 0.01, 0.05]), ("rod", 2.0, [0.03, 0.005, 0.03])];
    bodies.extend(names.iter().enumerate().map(|(k, name)| (name.as_str(), legs[k % 2].1, legs[k % 2].2)));
    let total = |train: &mut Trial| {
        let of_leg = |i: usize| {
            let [s, v, a] = ["s", "v", "a"].map(|of| train.real(&format!("mass{i}.{of}")));
            let f = train.real(&format!("leg{i}.f"));
            assert!((f + 4.0 * a - forces[i]).abs() < 1e-8 * forces[i], "{f} {a}");
            2.0 * v * v - forces[i] * s
        };
        (0..6).map(of_leg).sum::<f64>() + energy(train, &bodies).iter().sum::<f64>()
    };
    let begin = total(&mut train);
    for _ in 0..3 {
        train.step(0.1);
        let now = total(&mut train);
        assert!((now - begin).abs() < 1e-7, "{now} {begin}");
    }
    assert!(train.real("mass0.v").abs() > 0.1);
}

/// A brake at the piston, by a rack: it holds what the crank needs, slips beyond its limit, and holds again.
#[test]
fn a_brake_at_the_axis_of_a_slider_crank_sticks() {
    let slider_crank = "world World gravityType=NoGravity
        bearing Revolute frame_a=world.frame_b phi_start=1
        web FixedTranslation frame_a=bearing.frame_b r[1]=0.1
        disc Body frame_a=bearing.frame_b m=1 I_33=0.02
        rod JointRRP frame_a=web.frame_b frame_b=world.frame_b n_b[1]=1 rRod1_ia[1]=0.4 rRod2_ib[1]=0 s_guess=0.5
        piston Body frame_a=rod.frame_im m=2
        motor Torque flange=bearing.axis tau=1.5
        push Force flange=rod.axis f=5
        rack IdealGearR2T ratio=10 flangeT=rod.axis
        brake Brake flange_a=rack.flangeR fn_max=10 f_normalized=1";
    // The velocity of the piston by that of the crank.
    let slope = |phi: f64| {
        let (sin, cos) = phi.sin_cos();
        -0.1 * sin - 0.01 * sin * cos / (0.16 - 0.01 * sin * sin).sqrt()
    };
    for interface in INTERFACES {
        let mut train = train(interface, slider_crank);
        train.step(0.2);
        assert_eq!(train.integer("brake.mode"), 0);
        assert!((train.real("bearing.phi") - 1.0).abs() < 1e-9 && train.real("bearing.w").abs() < 1e-9);
        let expected = (5.0 + 1.5 / slope(1.0)) / 10.0;
        assert!((train.real("brake.tau") - expected).abs() < 1e-9, "{} {expected}", train.real("brake.tau"));
        assert!((train.real("rod.f") - 5.0 + 10.0 * expected).abs() < 1e-8, "{}", train.real("rod.f"));
        // The sliding torque is half of the normal force.
        train.set("motor.tau", 6.0);
        train.step(0.01);
        assert_eq!(train.integer("brake.mode"), -1);
        let (phi, w) = (train.real("bearing.phi"), train.real("bearing.w"));
        let inertia = |phi: f64| 0.02 + 2.0 * slope(phi).powi(2);
        let rate = (inertia(phi + 1e-5) - inertia(phi - 1e-5)) / 2e-5;
        let expected = (6.0 + (5.0 + 50.0) * slope(phi) - 0.5 * rate * w * w) / inertia(phi);
        assert!((train.real("bearing.a") - expected).abs() < 1e-6 && w > 0.0, "{} {expected}", train.real("bearing.a"));
        train.set("motor.tau", 0.0);
        train.step(0.5);
        assert_eq!(train.integer("brake.mode"), 0);
        assert!((train.real("brake.tau") - 0.5).abs() < 1e-8 && train.real("bearing.w").abs() < 1e-9);
    }
}

/// The bearing of a rocker brakes: at each end of its swing, where the crank does not move it, friction changes its
/// direction. Friction has taken the energy that the crank has lost.
#[test]
fn friction_at_a_rocker_takes_energy_over_many_swings() {
    let text = "world World gravityType=NoGravity
        crank Revolute frame_a=world.frame_b phi_start=1 w_start=20
        arm FixedTranslation frame_a=crank.frame_b r[1]=0.1
        disc Body frame_a=crank.frame_b m=1 I_33=0.02
        ground FixedTranslation frame_a=world.frame_b r[1]=0.4
        rods JointRRR frame_a=arm.frame_b frame_b=ground.frame_b rRod1_ia[1]=0.35 rRod2_ib[1]=0.3 phi_guess=120
        lever Body frame_a=rods.frame_ib I_33=0.01 m=1
        rotor Inertia J=0.005 flange_a=rods.axis
        brake Brake flange_a=rods.axis fn_max=0.4 f_normalized=1";
    // Crank and rod lie in one line, both ways.
    let ends = [0.45_f64, 0.25].map(|length| std::f64::consts::PI - ((0.09 + 0.16 - length * length) / 0.24).acos());
    for interface in INTERFACES {
        let mut train = train(interface, text);
        train.set_tolerance(1e-10);
        let energy =
            |train: &mut Trial| 0.01 * train.real("crank.w").powi(2) + 0.0075 * train.real("rods.axis.w").powi(2);
        let begin = energy(&mut train);
        let (mut way, mut swings) = (0.0, 0);
        let mut last = ["rods.phi", "rods.axis.w"].map(|name| train.real(name));
        for _ in 0..300 {
            train.step(0.005);
            let now = ["rods.phi", "rods.axis.w"].map(|name| train.real(name));
            if now[1] * last[1] < 0.0 {
                let end = if now[1] > 0.0 { ends[0] } else { ends[1] };
                assert!((now[0] - end).abs() < 0.02, "{now:?} {end}");
                way += (end - last[0]).abs() + (now[0] - end).abs();
                swings += 1;
            } else {
                way += (now[0] - last[0]).abs();
            }
            assert_eq!(f64::from(train.integer("brake.mode")), now[1].signum());
            let lost = begin - energy(&mut train);
            assert!((lost - 0.2 * way).abs() < 1e-7 * begin, "{interface:?} {swings}: {lost} {}", 0.2 * way);
            last = now;
        }
        assert!(swings > 5, "{swings}");
    }
    // The crank begins where the rocker turns back: in line with the rod, which points to the end of the swing.
    for (end, length, turn) in [(ends[0], 0.45, 0.0), (ends[1], 0.25, std::f64::consts::PI)] {
        let tip = [0.4 + 0.3 * end.cos(), 0.3 * end.sin()];
        assert!((tip[0].hypot(tip[1]) - length).abs() < 1e-12);
        let start = tip[1].atan2(tip[0]) + turn;
        let text = text.replace("phi_start=1", &format!("phi_start={start:?}"));
        let mut train = train(Interface::CoSimulation, &text);
        train.step(0.02);
        assert!((train.real("crank.w") - 20.0).abs() < 0.5, "{}", train.real("crank.w"));
    }
}
