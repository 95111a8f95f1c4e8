//! Loops that assemblies close, against closed forms of their angles and of their motion.

use fmu_runtime::Trial;
use fmu_runtime::lifecycle::Interface;

use crate::fixture::{INTERFACES, train};

/// A crank of 0.05 m, a rod of 0.2 m and a piston along x.
const SLIDER_CRANK: &str = "world World gravityType=NoGravity
    bearing Revolute frame_a=world.frame_b phi_start=0.4 w_start=30
    web BodyShape frame_a=bearing.frame_b r[1]=0.05 r_CM[1]=0.02 m=1.2 I_33=0.002
    rod JointRRP frame_a=web.frame_b frame_b=world.frame_b n_b[1]=1 rRod1_ia[1]=0.2 rRod2_ib[1]=0 s_guess=0.25
    bar Body frame_a=rod.frame_ia r_CM[1]=0.07 m=0.4 I_33=0.0012
    piston Body frame_a=rod.frame_im m=0.6 I_33=0.01";

/// Returns the distance of the piston, its angle to the rod, and their derivatives by the angle of the crank.
fn triangle(phi: f64) -> [f64; 4] {
    let (r, l) = (0.05_f64, 0.2_f64);
    let psi = -(r * phi.sin() / l).asin();
    let slope = -r * phi.cos() / (l * psi.cos());
    [r * phi.cos() + l * psi.cos(), psi, -r * phi.sin() - l * psi.sin() * slope, slope]
}

/// Returns the energy of the slider-crank at an angle, by the square of the angular velocity.
fn inertia(phi: f64) -> f64 {
    let [_, psi, x, turn] = triangle(phi);
    let r = 0.05;
    let v = [-r * phi.sin() - 0.07 * psi.sin() * turn, r * phi.cos() + 0.07 * psi.cos() * turn];
    let crank = 0.002 + 1.2 * 0.02 * 0.02;
    let rod = 0.4 * (v[0] * v[0] + v[1] * v[1]) + 0.0012 * turn * turn;
    0.5 * (crank + rod + 0.6 * x * x)
}

#[test]
fn a_slider_crank_moves_as_its_energy_says() {
    for interface in INTERFACES {
        let mut train = train(interface, SLIDER_CRANK);
        train.set_tolerance(1e-10);
        let energy = inertia(0.4) * 900.0;
        for _ in 0..50 {
            let (phi, w) = (train.real("bearing.phi"), train.real("bearing.w"));
            let [x, _, slope, _] = triangle(phi);
            assert!((train.real("rod.distance") - x).abs() < 1e-12);
            assert!((train.real("piston.r_0[1]") - x).abs() < 1e-12 && train.real("piston.r_0[2]").abs() < 1e-12);
            assert!((train.real("piston.v_0[1]") - slope * w).abs() < 1e-10);
            let expected = (energy / inertia(phi)).sqrt();
            assert!((w - expected).abs() < 1e-8 * expected, "{interface:?}: {w} {expected}");
            // This acceleration follows from the energy.
            let h = 1e-5;
            let rate = (inertia(phi + h) - inertia(phi - h)) / (2.0 * h);
            let a = -0.5 * rate / inertia(phi) * w * w;
            assert!((train.real("bearing.a") - a).abs() < 1e-6 * (a.abs() + 100.0), "{} {a}", train.real("bearing.a"));
            train.step(0.01);
        }
        assert!(train.real("bearing.phi") > 10.0, "it turns");
    }
}

/// The force that drives the piston does as much work as at the crank.
#[test]
fn a_force_at_the_axis_of_an_assembly_moves_the_crank() {
    for interface in INTERFACES {
        let text = SLIDER_CRANK.to_owned()
            + "\npush Force flange=rod.axis f=50
               spring Translational.SpringDamper flange_a=rod.bearing flange_b=rod.axis c=1000 d=3 s_rel0=0.2";
        let mut train = train(interface, &text);
        for _ in 0..20 {
            let (phi, w) = (train.real("bearing.phi"), train.real("bearing.w"));
            let [x, _, slope, _] = triangle(phi);
            let f = 50.0 - 1000.0 * (x - 0.2) - 3.0 * slope * w;
            assert!((train.real("rod.f") - f).abs() < 1e-9, "{} {f}", train.real("rod.f"));
            assert!((train.real("spring.v_rel") - slope * w).abs() < 1e-10);
            let h = 1e-5;
            let rate = (inertia(phi + h) - inertia(phi - h)) / (2.0 * h);
            let a = (f * slope - rate * w * w) / (2.0 * inertia(phi));
            assert!((train.real("bearing.a") - a).abs() < 1e-6 * (a.abs() + 100.0), "{} {a}", train.real("bearing.a"));
            // The force in the rod moves the piston along x, against the drive.
            let [f_a, f_b] = ["rod.frame_a.f[1]", "rod.frame_b.f[2]"].map(|name| train.real(name));
            assert!(f_a.is_finite() && f_b.is_finite() && train.real("rod.f_rod").abs() > 0.1);
            train.step(0.01);
        }
    }
}

/// A crank of 0.1 m, a coupler of 0.35 m, a rocker of 0.3 m, and 0.4 m between the bearings.
const FOUR_BAR: &str = "world World g=9.81
    one Revolute frame_a=world.frame_b phi_start=0.3 w_start=12
    crank BodyShape frame_a=one.frame_b r[1]=0.1 r_CM[1]=0.05 m=2 I_33=0.01
    ground FixedTranslation frame_a=world.frame_b r[1]=0.4
    rods JointRRR frame_a=crank.frame_b frame_b=ground.frame_b rRod1_ia[1]=0.35 rRod2_ib[1]=0.3 phi_guess=90
    coupler Body frame_a=rods.frame_ia r_CM[1]=0.175 m=1 I_33=0.01
    rocker Body frame_a=rods.frame_ib r_CM[1]=0.15 m=1.5 I_33=0.02";

/// Returns the angle of the rocker by Freudenstein's equation.
fn rocker(phi: f64) -> f64 {
    let (a, b, c, d) = (0.1_f64, 0.35_f64, 0.3_f64, 0.4_f64);
    let [x, y] = [d - a * phi.cos(), -a * phi.sin()];
    // |(x, y) + c (cos, sin)| = b
    let k = (b * b - c * c - x * x - y * y) / (2.0 * c);
    y.atan2(x) + (k / x.hypot(y)).acos()
}

#[test]
fn a_four_bar_has_the_angles_of_freudenstein() {
    for interface in INTERFACES {
        let mut train = train(interface, FOUR_BAR);
        train.set_tolerance(1e-10);
        for _ in 0..40 {
            let (phi, w) = (train.real("one.phi"), train.real("one.w"));
            let expected = rocker(phi);
            assert!((train.real("rods.angle") - expected).abs() < 1e-8, "{} {expected}", train.real("rods.angle"));
            let h = 1e-5;
            let slope = (rocker(phi + h) - rocker(phi - h)) / (2.0 * h);
            assert!((train.real("rocker.w_a[3]") - slope * w).abs() < 1e-6);
            train.step(0.05);
        }
        assert!(train.real("one.phi").abs() > 7.0, "it turns: {}", train.real("one.phi"));
    }
}

#[test]
fn a_four_bar_keeps_its_energy() {
    let mut train = train(Interface::CoSimulation, FOUR_BAR);
    train.set_tolerance(1e-11);
    let energy = |train: &mut Trial| {
        let mut kinetic = 0.0;
        let mut potential = 0.0;
        for (name, along, [m, moment]) in
            [("crank", 0.05, [2.0, 0.01]), ("coupler", 0.175, [1.0, 0.01]), ("rocker", 0.15, [1.5, 0.02])]
        {
            let [r, v] = ["r_0", "v_0"].map(|vector| [1, 2].map(|k| train.real(&format!("{name}.{vector}[{k}]"))));
            let w = train.real(&format!("{name}.w_a[3]"));
            // The angle follows from the motion of the far ends.
            let direction = match name {
                "crank" => train.real("one.phi").sin_cos(),
                "rocker" => train.real("rods.angle").sin_cos(),
                _ => {
                    let end = [1, 2].map(|k| train.real(&format!("rods.frame_im.r_0[{k}]")));
                    ((end[1] - r[1]) / 0.35, (end[0] - r[0]) / 0.35)
                }
            };
            let (sin, cos) = direction;
            let at = [v[0] - along * sin * w, v[1] + along * cos * w];
            kinetic += 0.5 * m * (at[0] * at[0] + at[1] * at[1]) + 0.5 * moment * w * w;
            potential += m * 9.81 * (r[1] + along * sin);
        }
        [kinetic + potential, kinetic]
    };
    let [begin, mut size] = energy(&mut train);
    let mut largest = 0.0_f64;
    for _ in 0..100 {
        train.step(0.1);
        let [now, kinetic] = energy(&mut train);
        largest = largest.max((now - begin).abs());
        size = size.max(kinetic);
    }
    assert!(largest < 1e-9 * size, "{:e}", largest / size);
}

/// The other root: the rocker is below, or the piston behind.
#[test]
fn the_guess_chooses_the_configuration() {
    let mut below = train(Interface::CoSimulation, &FOUR_BAR.replace("phi_guess=90", "phi_guess=-90"));
    assert!(below.real("rods.angle") < 0.0, "{}", below.real("rods.angle"));
    let mut behind = train(Interface::CoSimulation, &SLIDER_CRANK.replace("s_guess=0.25", "s_guess=-0.2"));
    let expected = 0.05 * 0.4_f64.cos() - (0.04 - (0.05 * 0.4_f64.sin()).powi(2)).sqrt();
    assert!((behind.real("rod.s") - expected).abs() < 1e-12);
    // The configuration is kept.
    behind.step(1.0);
    assert!(behind.real("rod.s") < 0.0);
}

/// A second loop that begins at a rod of the first one, and ends at another joint: both share one mass matrix.
#[test]
fn loops_can_hang_on_loops() {
    let text = FOUR_BAR.to_owned()
        + "\nwall FixedTranslation frame_a=world.frame_b r[1]=1.2 r[2]=0.3
           pivot Revolute frame_a=wall.frame_b
           arm BodyShape frame_a=pivot.frame_b r[1]=-0.3 m=1 r_CM[1]=-0.1
           tie JointRRR frame_a=rods.frame_im frame_b=arm.frame_b rRod1_ia[1]=0.5 rRod2_ib[1]=0.4 phi_guess=120
           load Body frame_a=tie.frame_im m=0.5 I_33=0.01
           hold SpringDamper flange_a=pivot.support flange_b=pivot.axis c=200 d=2";
    for interface in INTERFACES {
        let mut train = train(interface, &text);
        for _ in 0..10 {
            train.step(0.05);
            // The rod between them keeps its length.
            let [one, other] =
                ["rods", "tie"].map(|name| [1, 2].map(|k| train.real(&format!("{name}.frame_im.r_0[{k}]"))));
            assert!(((one[0] - other[0]).hypot(one[1] - other[1]) - 0.5).abs() < 1e-12);
        }
    }
}
