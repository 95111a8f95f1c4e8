//! Shafts on bodies: beside joints with real bodies, published trajectories, energy and angular momentum, and what is refused.

use fmu_runtime::Trial;
use nalgebra::{Matrix3, Vector3};

use super::refused::message;
use crate::fixture::{INTERFACES, follow, published, range, train};

fn vector(train: &mut Trial, name: &str) -> Vector3<f64> {
    Vector3::from([1, 2, 3].map(|k| train.real(&format!("{name}[{k}]"))))
}

/// Returns the rotation from the world frame.
fn rotation(train: &mut Trial, name: &str) -> Matrix3<f64> {
    let [x, y, z, s] = [1, 2, 3, 4].map(|k| train.real(&format!("{name}.Q[{k}]")));
    let q = nalgebra::UnitQuaternion::from_quaternion(nalgebra::Quaternion::new(s, x, y, z));
    q.to_rotation_matrix().matrix().transpose()
}

/// Returns options of a wheel of 2 kg: `J` about an axis, half of it across.
fn wheel(axis: [f64; 3], inertia: f64) -> String {
    let e = Vector3::from(axis).normalize();
    let tensor = (Matrix3::identity() + e * e.transpose()) * (0.5 * inertia);
    let mut text = "m=2".to_owned();
    for (i, k) in [(0, 0), (1, 1), (2, 2), (1, 0), (2, 0), (2, 1)] {
        text += &format!(" I_{}{}={:?}", i + 1, k + 1, tensor[(i, k)]);
    }
    text
}

/// Compares names of one system with names of another one, in steps.
fn same(real: &str, ours: &str, names: &[[&str; 2]], steps: u32) {
    for interface in INTERFACES {
        let mut both = [real, ours].map(|text| train(interface, text));
        both.iter_mut().for_each(|train| train.set_tolerance(1e-10));
        for k in 1..=steps {
            both.iter_mut().for_each(|train| train.step(0.1));
            let [real, ours] = &mut both;
            for [one, other] in names {
                let (expected, found) = (real.real(one), ours.real(other));
                assert!(
                    (found - expected).abs() < 2e-7 * expected.abs().max(1.0),
                    "{other} at {k}: {found} {expected}"
                );
            }
        }
    }
}

const HULL: &str = "world World gravityType=NoGravity
    hull BodyShape r[1]=0.3 r[2]=0.1 r_CM[1]=0.1 m=3 I_11=0.3 I_22=0.5 I_33=0.4 I_21=0.05 w_0_start[1]=1 w_0_start[2]=-0.5 w_0_start[3]=2
    wave Sine amplitude=0.4 f=0.7 offset=0.2\n";

/// A motor on a body that moves freely drives a wheel about an oblique axis: a body on a joint, or a rotor.
#[test]
fn a_motor_on_a_free_body() {
    let tensor = wheel([1.0, 2.0, 2.0], 0.09);
    let real = format!(
        "{HULL}spin Revolute n[1]=1 n[2]=2 n[3]=2 w_start=3 frame_a=hull.frame_b
         disc Body {tensor} frame_a=spin.frame_b
         motor Torque useSupport=true flange=spin.axis support=spin.support tau=wave.y"
    );
    let ours = format!(
        "{HULL}spin Rotor1D J=0.09 n[1]=1 n[2]=2 n[3]=2 w_start=3 frame_a=hull.frame_b
         disc Body {tensor} frame_a=hull.frame_b
         motor Torque useSupport=true flange=spin.flange_a support=block.flange_b tau=wave.y
         block Mounting1D n[1]=0.5 n[2]=1 n[3]=1 frame_a=hull.frame_a"
    );
    let names =
        ["spin.phi", "spin.w", "spin.a", "hull.w_a[1]", "hull.w_a[2]", "hull.w_a[3]", "hull.r_0[1]", "hull.v_0[2]"];
    same(&real, &ours, &names.map(|name| [name; 2]), 20);
}

/// Shafts with a spring, a clutch that slips and sticks, and a gear with a housing, between a motor and a second wheel.
#[test]
fn a_train_of_rotors_moves_as_bodies_on_joints() {
    let (one, two) = (wheel([0.0, 0.0, 1.0], 0.06), wheel([0.0, 0.0, 1.0], 0.1));
    let train = |flanges: [&str; 3]| {
        let [first, second, housing] = flanges;
        format!(
            "motor Torque useSupport=true flange={first} support={housing} tau=wave.y
             clutch Clutch fn_max=0.4 f_normalized=press.y flange_a={first} flange_b=gear.flange_a
             press Pulse period=0.9 width=60
             gear IdealGear ratio=-2 useSupport=true support={housing}
             shaft SpringDamper c=4 d=0.02 flange_a=gear.flange_b flange_b={second}
             brake Brake fn_max=0.05 f_normalized=1 useSupport=true flange_a={second} support={housing}"
        )
    };
    // The train needs a little inertia between clutch and spring: a rotor, or a joint with a wheel.
    let three = wheel([0.0, 0.0, 1.0], 0.01);
    let real = format!(
        "{HULL}a Revolute frame_a=hull.frame_b\nab Body {one} frame_a=a.frame_b
         b Revolute w_start=1 frame_a=hull.frame_a\nbb Body {two} frame_a=b.frame_b
         c Revolute frame_a=hull.frame_a\ncb Body {three} frame_a=c.frame_b
         {}",
        train(["a.axis", "b.axis", "a.support"]).replace("ratio=-2", "ratio=-2 flange_b=c.axis")
    );
    let ours = format!(
        "{HULL}a Rotor1D J=0.06 n[1]=0 n[3]=1 frame_a=hull.frame_b\nab Body {one} frame_a=hull.frame_b
         b Rotor1D J=0.1 n[1]=0 n[3]=1 w_start=1 frame_a=hull.frame_a\nbb Body {two} frame_a=hull.frame_a
         c Rotor1D J=0.01 n[1]=0 n[3]=1 frame_a=hull.frame_a\ncb Body {three} frame_a=hull.frame_a
         block Mounting1D n[1]=0 n[3]=1 frame_a=hull.frame_a
         {}",
        train(["a.flange_b", "b.flange_a", "block.flange_b"]).replace("ratio=-2", "ratio=-2 flange_b=c.flange_a")
    );
    // With joints the gear's housing takes nothing to the body, whereas the joints themselves do: its torques at both axes.
    // With rotors the housing takes their sum. Both are what acts on the body.
    let names = ["a.w", "b.w", "c.w", "hull.w_a[1]", "hull.w_a[2]", "hull.w_a[3]"];
    same(&real, &ours, &names.map(|name| [name; 2]), 20);
}

/// Motors on the links of an arm turn wheels: bodies on joints, or rotors.
#[test]
fn motors_on_the_links_of_an_arm_turn_wheels() {
    let [mut real, mut ours] = [HULL, HULL].map(str::to_owned);
    let mut names: Vec<_> = ["hull.w_a[1]", "hull.w_a[3]", "hull.v_0[2]"].map(str::to_owned).to_vec();
    for k in 1..=5 {
        let before = if k == 1 { "hull.frame_b".to_owned() } else { format!("b{}.frame_b", k - 1) };
        let s = f64::from(k);
        let axis = [s.sin(), s.cos(), 0.5];
        let n = format!("n[1]={:?} n[2]={:?} n[3]={:?}", axis[0], axis[1], axis[2]);
        let tensor = wheel(axis, 0.02);
        let arm = format!(
            "\nj{k} Revolute w_start=-0.3 n[1]=0 n[2]={:?} n[3]=1 frame_a={before}
             b{k} BodyShape r[1]=0.2 r_CM[1]=0.1 m=1 I_11=0.02 I_22=0.03 I_33=0.025 frame_a=j{k}.frame_b
             s{k} SpringDamper c=5 d=0.1 flange_a=j{k}.support flange_b=j{k}.axis\nm{k} Torque useSupport=true tau=0.1\n",
            s.sin()
        );
        let [motor, own] = [format!("m{k} Torque useSupport=true"), format!("frame_a=b{k}.frame_b")];
        real += &arm.replace(&motor, &format!("{motor} flange=r{k}.axis support=r{k}.support"));
        ours += &arm.replace(&motor, &format!("{motor} flange=r{k}.flange_a support=h{k}.flange_b"));
        real += &format!("r{k} Revolute w_start=9 {n} {own}\nd{k} Body {tensor} frame_a=r{k}.frame_b");
        ours +=
            &format!("r{k} Rotor1D J=0.02 w_start=9 {n} {own}\nh{k} Mounting1D {n} {own}\nd{k} Body {tensor} {own}");
        names.extend(["j.phi", "j.w", "r.w", "b.a_0[2]"].map(|name| name.replacen('.', &format!("{k}."), 1)));
    }
    same(&real, &ours, &names.iter().map(|name| [name.as_str(); 2]).collect::<Vec<_>>(), 10);
}

/// A bevel gear ties shafts about two axes: joints with real bodies, or rotors.
#[test]
fn a_bevel_gear_ties_shafts_about_two_axes() {
    let (one, two) = (wheel([1.0, 0.0, 0.0], 0.08), wheel([0.0, 3.0, 4.0], 0.12));
    let real = format!(
        "{HULL}a Revolute n[1]=1 n[3]=0 frame_a=hull.frame_b\nab Body {one} frame_a=a.frame_b
         b Revolute n[2]=3 n[3]=4 w_start=2 frame_a=hull.frame_b\nbb Body {two} frame_a=b.frame_b
         gear IdealGear ratio=-1.5 flange_a=a.axis flange_b=b.axis
         motor Torque flange=a.axis useSupport=true support=a.support tau=wave.y"
    );
    let ours = format!(
        "{HULL}a Rotor1D J=0.08 frame_a=hull.frame_b\nab Body {one} frame_a=hull.frame_b
         b Rotor1D J=0.12 n[1]=0 n[2]=3 n[3]=4 w_start=2 stateSelect=prefer frame_a=hull.frame_b\nbb Body {two} frame_a=hull.frame_b
         gear BevelGear1D ratio=-1.5 n_b[1]=0 n_b[2]=3 n_b[3]=4 frame_a=hull.frame_b flange_a=a.flange_b flange_b=b.flange_a
         motor Torque flange=a.flange_a useSupport=true support=block.flange_b tau=wave.y
         block Mounting1D frame_a=hull.frame_a"
    );
    let names = ["a.w", "b.w", "hull.w_a[1]", "hull.w_a[2]", "hull.w_a[3]"];
    same(&real, &ours, &names.map(|name| [name; 2]), 20);
}

/// A rotor on the rod of a four-bar linkage, whose motion follows from that of the crank.
#[test]
fn a_rotor_in_a_closed_loop_moves_as_a_body() {
    let loop_of = |rest: &str| {
        format!(
            "world World\ncrank Revolute w_start=4 frame_a=world.frame_b\nweb BodyShape r[1]=0.2 r_CM[1]=0.1 m=1 I_33=0.1 frame_a=crank.frame_b
             ground FixedTranslation r[1]=0.8 frame_a=world.frame_b
             rods JointRRR rRod1_ia[1]=0.7 rRod2_ib[1]=0 rRod2_ib[2]=0.4 frame_a=web.frame_b frame_b=ground.frame_b
             rod Body r_CM[1]=0.3 m=1 I_33=0.05 frame_a=rods.frame_ia\n{rest}"
        )
    };
    let tensor = wheel([0.0, 1.0, 3.0], 0.07);
    let real = loop_of(&format!(
        "spin Revolute n[2]=1 n[3]=3 w_start=20 frame_a=rods.frame_ia\ndisc Body {tensor} frame_a=spin.frame_b"
    ));
    let ours = loop_of(&format!(
        "spin Rotor1D J=0.07 n[1]=0 n[2]=1 n[3]=3 w_start=20 frame_a=rods.frame_ia\ndisc Body {tensor} frame_a=rods.frame_ia"
    ));
    same(&real, &ours, &["crank.phi", "crank.w", "spin.w", "rods.phi"].map(|name| [name; 2]), 15);
}

/// Angular momentum of a free body with a rotor, and its energy less the work of the motor, stay what they are.
#[test]
fn angular_momentum_and_energy_are_kept() {
    let text = "world World gravityType=NoGravity
        hull Body r_CM[1]=0 m=3 I_11=0.3 I_22=0.5 I_33=0.4 I_21=0.05 w_0_start[1]=1 w_0_start[2]=-0.5 w_0_start[3]=2
        wave Sine amplitude=0.4 f=0.7
        spin Rotor1D J=0.1 n[1]=2 n[2]=-1 n[3]=2 w_start=5 frame_a=hull.frame_a
        block Mounting1D n[1]=2 n[2]=-1 n[3]=2 frame_a=hull.frame_a
        motor Torque useSupport=true flange=spin.flange_a support=block.flange_b tau=wave.y
        damper Damper d=0.02 useHeatPort=true flange_a=block.flange_b flange_b=spin.flange_b heatPort=oil.port
        oil HeatCapacitor C=0.5
        speed SpeedSensor flange=spin.flange_b
        power Product u1=wave.y u2=speed.w
        work Integrator u=power.y";
    let tensor = Matrix3::new(0.3, 0.05, 0.0, 0.05, 0.5, 0.0, 0.0, 0.0, 0.4);
    let e = Vector3::new(2.0, -1.0, 2.0) / 3.0;
    for interface in INTERFACES {
        let mut train = train(interface, text);
        train.set_tolerance(1e-12);
        let sums = |train: &mut Trial| {
            let (omega, w) = (vector(train, "hull.w_a"), train.real("spin.w"));
            let momentum = rotation(train, "hull").transpose() * (tensor * omega + e * (0.1 * w));
            let kinetic = 0.5 * omega.dot(&(tensor * omega)) + 0.05 * w * w + 0.1 * w * e.dot(&omega);
            (momentum, kinetic - train.real("work.y") + 0.5 * (train.real("oil.T") - 293.15))
        };
        let (momentum, energy) = sums(&mut train);
        for _ in 0..30 {
            train.step(0.1);
            let (now, rest) = sums(&mut train);
            assert!((now - momentum).norm() < 1e-9 * momentum.norm(), "{interface:?}: {now} {momentum}");
            assert!((rest - energy).abs() < 1e-9 * energy, "{interface:?}: {rest} {energy}");
        }
        // The cut torques at frame_a, and what takes the motor's torque to the body.
        let (omega, w) = (vector(&mut train, "hull.w_a"), train.real("spin.w"));
        let load = omega.cross(&(e * (0.1 * w))) - e * (0.1 * e.dot(&vector(&mut train, "hull.z_a")));
        assert!((vector(&mut train, "spin.frame_a.t") - load).norm() < 1e-9);
        let torque = train.real("wave.y") - 0.02 * w;
        assert!((vector(&mut train, "block.frame_a.t") - e * torque).norm() < 1e-9);
    }
}

/// Modelica's GyroscopicEffects and ActuatedDrive against the published trajectories.
#[test]
fn the_published_trajectories_are_reached() {
    let body = 7700.0 * std::f64::consts::PI * 0.05 * 0.05 * 0.2 * 0.05 * 0.05 / 2.0;
    let carrier = |world: &str, number: u32, cylinder: u32| {
        format!(
            "spherical{number} Spherical frame_a={world}.frame_b
             bodyCylinder{cylinder} BodyCylinder r[1]=0.25 diameter=0.05 frame_a=spherical{number}.frame_b
             fixedRotation{number} FixedRotation angle=45 n[1]=0 n[2]=1 n[3]=0 frame_a=bodyCylinder{cylinder}.frame_b\n"
        )
    };
    let gyroscope = "world World\nfixed MultiBody.Fixed\n".to_owned()
        + &carrier("world", 1, 1)
        + "revolute Revolute n[1]=1 n[3]=0 w_start=10 frame_a=fixedRotation1.frame_b
           fixedTranslation FixedTranslation r[1]=-0.1 frame_a=revolute.frame_b
           bodyCylinder2 BodyCylinder r[1]=0.2 diameter=0.1 frame_a=fixedTranslation.frame_b\n"
        + &carrier("fixed", 2, 3)
        + &format!(
            "fixedTranslation1 FixedTranslation r[1]=-0.1 frame_a=fixedRotation2.frame_b
             bodyCylinder4 BodyCylinder r[1]=0.2 diameter=0.1 frame_a=fixedTranslation1.frame_b
             rotor1D Rotor1D J={body:?} w_start=10 frame_a=fixedRotation2.frame_b"
        );
    let drive = "world World gravityType=NoGravity
        revolute Revolute n[1]=1 n[3]=0 frame_a=world.frame_b
        bodyCylinder BodyShape r[1]=0.5 m=0 I_11=2 frame_a=revolute.frame_b
        sine Sine amplitude=1 f=1
        torque MultiBody.Torque frame_a=world.frame_b frame_b=bodyCylinder.frame_b torque[1]=sine.y
        fixed MultiBody.Fixed
        rotor1D Rotor1D J=2 frame_a=fixed.frame_b
        torque1 Torque useSupport=true flange=rotor1D.flange_a support=mounting1D.flange_b tau=sine.y
        mounting1D Mounting1D frame_a=fixed.frame_b";
    let bodies = [
        "bodyCylinder2.w_a[1]", "bodyCylinder2.w_a[2]", "bodyCylinder2.w_a[3]", "bodyCylinder3.w_a[1]",
        "bodyCylinder3.w_a[2]", "bodyCylinder3.w_a[3]",
    ];
    let turns = ["revolute.phi", "revolute.w", "rotor1D.phi", "rotor1D.w"];
    for (name, text, names) in
        [("GyroscopicEffects", &*gyroscope, [&bodies[..], &turns].concat()), ("ActuatedDrive", drive, turns.to_vec())]
    {
        let Some(rows) = published(&format!("MultiBody.{name}")) else { return };
        for (interface, every) in [(INTERFACES[0], 1), (INTERFACES[0], 10), (INTERFACES[1], 1)] {
            let mut train = train(interface, text);
            train.set_tolerance(1e-8);
            follow(&mut train, rows.iter().step_by(every), |train, row| {
                for (column, name) in (1..).zip(&names) {
                    let (found, expected) = (train.real(name), row[column]);
                    let allowed = 5e-4 * range(&rows, column) + 1e-6;
                    assert!((found - expected).abs() < allowed, "{name} at {}: {found} {expected}", row[0]);
                }
            });
        }
    }
}

fn refused(rest: &str) -> String {
    message(|| {
        train(INTERFACES[0], &format!("{HULL}{rest}")).real("hull.r_0[1]");
    })
}

const ROTOR: &str = "spin Rotor1D J=0.1 frame_a=hull.frame_b\n";

#[test]
fn what_does_not_react_on_the_body_is_refused() {
    let housing =
        "acts on \"spin\", whose angle counts from the body that carries it, and its housing is at rest: set ";
    for (rest, expected) in [
        ("motor Torque flange=spin.flange_a", housing),
        ("brake Brake flange_a=spin.flange_a", housing),
        (
            "gear IdealGear ratio=2 flange_a=spin.flange_a\nother Rotor1D frame_a=hull.frame_b flange_a=gear.flange_b",
            housing,
        ),
        ("wall Fixed flange=spin.flange_a", housing),
        (
            "disc Inertia flange_a=spin.flange_b",
            "\"disc\" turns with \"spin\" on a body, on which its inertia would not react: put a Rotor1D at that body in its place",
        ),
        (
            "arm Revolute frame_a=hull.frame_a axis=spin.flange_b\nend Body I_33=1 frame_a=arm.frame_b",
            "\"arm\" is tied to \"spin\", whose angle counts from the body that carries it, but \"arm\" does not: put an Inertia in place \
             of each Rotor1D there, and a Fixed in place of a Mounting1D",
        ),
        (
            "block Mounting1D n[1]=0 n[2]=1 frame_a=hull.frame_b\nmotor Torque useSupport=true flange=spin.flange_a support=block.flange_b",
            "spin.n and block.n have different directions on the body, but both are axes of one drive train: make them equal, or put a \
             BevelGear1D between",
        ),
        (
            "block Mounting1D frame_a=world.frame_b\nmotor Torque useSupport=true flange=spin.flange_a support=block.flange_b",
            "\"spin\" and \"block\" are in one drive train, but not on the same body: connect their frame_a to frames that are rigidly \
             connected",
        ),
    ] {
        let found = refused(&format!("{ROTOR}{rest}"));
        assert!(found.contains(expected), "{rest}: {found}");
    }
}

#[test]
fn rotors_that_have_no_body_are_refused() {
    let found = refused("spin Rotor1D J=0.9 frame_a=hull.frame_b");
    let expected = "can move without moving any inertia: a body at frame_a of \"spin\" must have the rotor's inertia at rest, so about \
                    its axis more than J";
    assert!(found.contains(expected), "{found}");
    let found = refused("spin Rotor1D n[1]=0 frame_a=hull.frame_b");
    assert!(found.contains("spin.n is [0.0, 0.0, 0.0], but must have a direction"), "{found}");
    let found = refused("spin Rotor1D\ndisc Disc flange_a=spin.flange_a");
    let expected = "\"spin\" acts at frame_a on nothing that is connected to the world: connect frame_a to a body, a joint, a rigid part or \
                    the World";
    assert!(found.contains(expected), "{found}");
}
