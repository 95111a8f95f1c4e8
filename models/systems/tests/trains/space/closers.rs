//! Loops in space that assemblies with universal and spherical joints close.

use fmu_runtime::Trial;
use fmu_runtime::lifecycle::Interface;

use crate::fixture::{INTERFACES, train};

/// A crank about an axis across, and a rocker about another one; between them a rod of which frame_ia does not matter.
const ROCKER: &str = "world World g=9.81
    crank Revolute frame_a=world.frame_b n[1]=1 n[3]=0.2 phi_start=0.3 w_start=8
    web BodyShape frame_a=crank.frame_b r[2]=0.15 r[3]=0.05 r_CM[2]=0.05 m=2 I_11=0.03 I_22=0.02 I_33=0.02
    ground FixedTranslation frame_a=world.frame_b r[1]=0.8 r[2]=0.1
    rods ASSEMBLY frame_a=web.frame_b frame_b=ground.frame_b n_b[1]=0.1 n_b[3]=1 rRod2_ib[1]=-0.1 rRod2_ib[2]=0.4 \
        phi_guess=0
    rocker Body frame_a=rods.frame_ib r_CM[2]=0.2 m=1.5 I_11=0.02 I_22=0.01 I_33=0.02
    end Body frame_a=rods.frame_im m=0.4
    spring SpringDamper flange_a=rods.bearing flange_b=rods.axis c=4 d=0.05";

const ROD: [f64; 3] = [0.8, 0.3, -0.05];

fn length() -> f64 {
    ROD.iter().map(|r| r * r).sum::<f64>().sqrt()
}

fn rocker(assembly: &str) -> String {
    let [x, y, z] = ROD;
    let rod = match assembly {
        "JointUSR" => format!("n1_a[1]=0.3 n1_a[2]=-1 n1_a[3]=0.1 rRod1_ia[1]={x} rRod1_ia[2]={y} rRod1_ia[3]={z}"),
        _ => format!("rod1Length={:?}", length()),
    };
    ROCKER.replace("ASSEMBLY", assembly).replace("phi_guess=0", &format!("phi_guess=0 {rod}"))
}

/// A joint whose angle follows from the distance of two points, as RevoluteWithLengthConstraint of the Modelica Standard Library.
#[test]
fn a_joint_with_a_given_length_is_an_assembly_without_mass() {
    let start =
        |text: &str| text.replace("phi_start=0.3 w_start=8", "phi=0.3 phi.initial=enforce w=8 w.initial=enforce");
    let others: String =
        ROCKER.lines().filter(|line| !line.trim_start().starts_with("rods ")).map(|line| format!("{line}\n")).collect();
    let joints = [
        ("rods.frame_ib", "hinge.frame_b"),
        ("rods.frame_im", "tip.frame_b"),
        ("rods.bearing", "hinge.support"),
        ("rods.axis", "hinge.axis"),
    ];
    let others = joints.iter().fold(others, |text, (of_assembly, own)| text.replace(of_assembly, own));
    let ring = format!(
        "{others}hinge Revolute frame_a=ground.frame_b n[1]=0.1 n[3]=1 HINGE
         tip FixedTranslation frame_a=hinge.frame_b r[1]=-0.1 r[2]=0.4
         rod SphericalSpherical frame_a=web.frame_b frame_b=tip.frame_b rodLength={:?}",
        length()
    );
    let mut assembly = train(Interface::CoSimulation, &rocker("JointSSR"));
    let hinge = format!("phi_start={:?}", assembly.real("rods.phi"));
    let mut ring = train(Interface::CoSimulation, &start(&ring).replace("HINGE", &hinge));
    [&mut assembly, &mut ring].into_iter().for_each(|train| train.set_tolerance(1e-10));
    for _ in 0..20 {
        for (of_assembly, own) in [("crank.phi", "crank.phi"), ("rods.phi", "hinge.phi"), ("end.v_0[3]", "end.v_0[3]")]
        {
            let (found, expected) = (assembly.real(of_assembly), ring.real(own));
            assert!((found - expected).abs() < 1e-7 * expected.abs().max(1.0), "{own}: {found} {expected}");
        }
        [&mut assembly, &mut ring].into_iter().for_each(|train| train.step(0.05));
    }
}

/// Variables that both systems have.
const COMMON: [&str; 9] = [
    "crank.phi", "crank.w", "crank.a", "rods.phi", "rods.axis.w", "rods.axis.a", "rods.tau", "end.v_0[3]",
    "rods.frame_b.t[2]",
];

/// Without a mass, how rod 1 is held at frame_a means nothing.
#[test]
fn a_universal_joint_is_a_spherical_one_where_rod_1_has_no_mass() {
    for interface in INTERFACES {
        let mut both = ["JointUSR", "JointSSR"].map(|assembly| train(interface, &rocker(assembly)));
        both.iter_mut().for_each(|train| train.set_tolerance(1e-10));
        let mut turned = 0.0;
        for _ in 0..40 {
            let [one, other] = both.each_mut().map(|train| COMMON.map(|name| train.real(name)));
            for ((name, one), other) in COMMON.iter().zip(one).zip(other) {
                assert!((one - other).abs() <= 1e-8 * other.abs().max(1.0), "{interface:?} {name}: {one} {other}");
            }
            turned = f64::max(turned, one[0].abs());
            both.iter_mut().for_each(|train| train.step(0.05));
        }
        assert!(turned > 3.0, "it moves: {turned}");
    }
}

/// Returns kinetic and potential energy of all bodies of a loop in space, each given by its mass, with its center of
/// mass in its frame, and its moments of inertia.
pub fn energy(train: &mut Trial, bodies: &[(&str, f64, [f64; 3])]) -> [f64; 2] {
    let (mut kinetic, mut potential) = (0.0, 0.0);
    for (name, m, moments) in bodies {
        let [r, v, w] = ["r_0", "v_0", "w_a"].map(|of| [1, 2, 3].map(|k| train.real(&format!("{name}.{of}[{k}]"))));
        kinetic += 0.5 * m * v.iter().map(|v| v * v).sum::<f64>();
        kinetic += 0.5 * moments.iter().zip(w).map(|(i, w)| i * w * w).sum::<f64>();
        potential += m * 9.81 * r[1];
    }
    [kinetic, potential]
}

/// Returns the largest change of kinetic, potential and elastic energy over 10 s, by the largest kinetic energy.
pub fn drift(text: &str, bodies: &[(&str, f64, [f64; 3])], more: impl Fn(&mut Trial) -> [f64; 2]) -> f64 {
    let mut train = train(Interface::CoSimulation, text);
    train.set_tolerance(1e-11);
    let all = |train: &mut Trial| {
        let ([kinetic, potential], [k, p]) = (energy(train, bodies), more(train));
        [kinetic + k, kinetic + k + potential + p]
    };
    let [_, begin] = all(&mut train);
    let (mut size, mut largest) = (0.0_f64, 0.0_f64);
    for _ in 0..100 {
        train.step(0.1);
        let [kinetic, now] = all(&mut train);
        (size, largest) = (size.max(kinetic), largest.max((now - begin).abs()));
    }
    assert!(size > 1.0, "it moves: {size}");
    largest / size
}

/// A crank about z, and a slide along another direction; a rod with a body at frame_ia, or with a point mass.
#[test]
fn loops_in_space_keep_their_energy() {
    let crank = "world World g=9.81
        crank Revolute frame_a=world.frame_b w_start=12
        arm FixedTranslation frame_a=crank.frame_b r[1]=0.1 r[3]=0.02
        disc Body frame_a=arm.frame_b m=3 I_11=0.02 I_22=0.02 I_33=0.05
        ground FixedTranslation frame_a=world.frame_b r[2]=0.05 r[3]=0.1\n";
    let disc = ("disc", 3.0, [0.02, 0.02, 0.05]);
    let piston = ("piston", 0.8, [0.001; 3]);
    let common =
        "frame_a=arm.frame_b frame_b=ground.frame_b n_b[1]=1 n_b[2]=0.1 n_b[3]=0.3 rRod2_ib[1]=0.05 s_guess=0.4";
    let spring = "piston Body frame_a=rods.frame_im m=0.8
        spring Translational.Spring flange_a=rods.bearing flange_b=rods.axis c=500 s_rel0=0.35\n";
    let elastic = |train: &mut Trial| 250.0 * (train.real("rods.s") - 0.35).powi(2);

    let usp = format!(
        "{crank}rods JointUSP {common} n1_a[2]=1 rRod1_ia[1]=0.4 rRod1_ia[2]=0.1
         bar Body frame_a=tip.frame_b m=0.5 I_11=0.004 I_22=0.003 I_33=0.002
         tip FixedTranslation frame_a=rods.frame_ia r[1]=0.2\n{spring}"
    );
    let bodies = [disc, piston, ("bar", 0.5, [0.004, 0.003, 0.002])];
    let found = drift(&usp, &bodies, |train| [0.0, elastic(train)]);
    assert!(found < 1e-9, "{found:e}");

    let ssp = format!("{crank}rods JointSSP {common} rod1Length=0.42 rod1Mass=0.7\n{spring}");
    let found = drift(&ssp, &[disc, piston], |train| {
        // The mass is in the middle between the disc and the piston.
        let middle = |train: &mut Trial, of: &str| {
            [1, 2, 3].map(|k| 0.5 * (train.real(&format!("disc.{of}[{k}]")) + train.real(&format!("piston.{of}[{k}]"))))
        };
        let [r, v] = ["r_0", "v_0"].map(|of| middle(train, of));
        [0.35 * v.iter().map(|v| v * v).sum::<f64>(), 0.7 * 9.81 * r[1] + elastic(train)]
    });
    assert!(found < 1e-9, "{found:e}");
}

/// A link that drags another one round: the angle at the axis counts turns, as a spring there must.
#[test]
fn the_angle_at_the_axis_goes_on_over_turns() {
    let text = "world World gravityType=NoGravity
        one Revolute frame_a=world.frame_b w_start=30
        crank FixedTranslation frame_a=one.frame_b r[1]=0.4
        disc Body frame_a=crank.frame_b m=2 I_33=0.1
        ground FixedTranslation frame_a=world.frame_b r[1]=0.1
        rods JointRRR frame_a=crank.frame_b frame_b=ground.frame_b rRod1_ia[1]=0.35 rRod2_ib[1]=0.4 phi_guess=60 phi_offset=10
        tip Body frame_a=rods.frame_im m=1 I_33=0.05
        spring Spring flange_a=rods.bearing flange_b=rods.axis c=0.8";
    let bodies = [("disc", 2.0, [0.0, 0.0, 0.1]), ("tip", 1.0, [0.0, 0.0, 0.05])];
    let without_weight = |train: &mut Trial| {
        let [_, weight] = energy(train, &bodies);
        [0.0, 0.4 * train.real("rods.phi").powi(2) - weight]
    };
    let found = drift(text, &bodies, without_weight);
    assert!(found < 1e-9, "{found:e}");
    for interface in INTERFACES {
        let mut train = train(interface, text);
        let mut last = train.real("rods.phi");
        let mut most = 0.0_f64;
        // Steps of more than a turn.
        for _ in 0..6 {
            train.step(0.25);
            let phi = train.real("rods.phi");
            let one = train.real("one.phi");
            assert!((phi - one).abs() < 3.0, "both turn together: {phi} {one}");
            assert!((train.real("rods.tau") + 0.8 * phi).abs() < 1e-9 && train.real("spring.phi_rel") == phi);
            assert!((train.real("rods.angle") - phi - 10_f64.to_radians()).abs() < 1e-12);
            most = most.max((phi - last).abs());
            last = phi;
        }
        assert!(most > 4.0, "{most}");
    }
}

/// Returns a platform on six telescopes between a ring at the ground and one of its own; three prismatic and three
/// revolute joints, which nothing drives, carry it.
pub fn platform(forces: [f64; 6]) -> String {
    let mut text = "world World g=9.81
        x Prismatic frame_a=world.frame_b s_start=0.05 v_start=0.2
        y Prismatic frame_a=x.frame_b n[1]=0 n[2]=1 s_start=1 v_start=-0.3
        z Prismatic frame_a=y.frame_b n[1]=0 n[3]=1 s_start=-0.03 v_start=0.1
        rx Revolute frame_a=z.frame_b n[1]=1 n[3]=0 phi_start=0.1 w_start=0.4
        ry Revolute frame_a=rx.frame_b n[2]=1 n[3]=0 phi_start=-0.15 w_start=0.3
        rz Revolute frame_a=ry.frame_b phi_start=0.08 w_start=-0.5
        plate Body frame_a=rz.frame_b m=20 I_11=0.9 I_22=1.6 I_33=0.8\n"
        .to_owned();
    for (i, force) in forces.iter().enumerate() {
        let at = |radius: f64, angle: f64| (radius * angle.to_radians().cos(), radius * angle.to_radians().sin());
        let pair = 120.0 * (i / 2) as f64;
        let below = at(0.8, pair + if i % 2 == 0 { -10.0 } else { 10.0 });
        let above = at(0.5, pair + if i % 2 == 0 { -50.0 } else { 50.0 });
        text += &format!(
            "foot{i} FixedTranslation frame_a=world.frame_b r[1]={:?} r[3]={:?}
             head{i} FixedTranslation frame_a=rz.frame_b r[1]={:?} r[3]={:?}
             leg{i} JointUPS frame_a=foot{i}.frame_b frame_b=head{i}.frame_b n1_a[1]=1 n1_a[3]=0 nAxis_ia[1]=0 nAxis_ia[2]=1
             near{i} FixedTranslation frame_a=leg{i}.frame_ia r[2]=0.2
             cylinder{i} Body frame_a=near{i}.frame_b m=3 I_11=0.05 I_22=0.01 I_33=0.05
             far{i} FixedTranslation frame_a=leg{i}.frame_ib r[2]=-0.2
             rod{i} Body frame_a=far{i}.frame_b m=2 I_11=0.03 I_22=0.005 I_33=0.03
             push{i} Force flange=leg{i}.axis f={force:?}\n",
            below.0, below.1, above.0, above.1
        );
    }
    text
}

const JOINTS: [&str; 6] = ["x", "y", "z", "rx", "ry", "rz"];

/// Forces that do not change have done the work of their lengths.
#[test]
fn the_energy_of_a_stewart_platform_is_the_work_of_its_forces() {
    let forces = [90.0, 60.0, 75.0, 110.0, 55.0, 80.0];
    let names: Vec<_> = (0..6).flat_map(|i| [format!("cylinder{i}"), format!("rod{i}")]).collect();
    let legs = [("cylinder", 3.0, [0.05, 0.01, 0.05]), ("rod", 2.0, [0.03, 0.005, 0.03])];
    let mut bodies = vec![("plate", 20.0, [0.9, 1.6, 0.8])];
    bodies.extend(names.iter().enumerate().map(|(k, name)| (name.as_str(), legs[k % 2].1, legs[k % 2].2)));
    let mut train = train(Interface::CoSimulation, &platform(forces));
    train.set_tolerance(1e-10);
    let total = |train: &mut Trial| {
        let work: f64 = (0..6).map(|i| forces[i] * train.real(&format!("leg{i}.s"))).sum();
        energy(train, &bodies).iter().sum::<f64>() - work
    };
    let begin = total(&mut train);
    for _ in 0..5 {
        train.step(0.1);
        let now = total(&mut train);
        assert!((now - begin).abs() < 1e-7, "{now} {begin}");
        for name in ["x.f", "y.f", "z.f", "rx.tau", "ry.tau", "rz.tau"] {
            assert!(train.real(name).abs() < 1e-8, "nothing drives {name}: {}", train.real(name));
        }
    }
    assert!(train.real("plate.v_0[2]").abs() > 0.1);
}

#[test]
fn a_stewart_platform_moves_by_its_own_inverse_dynamics() {
    // Its forces for a motion that is given at the joints move it like that where nothing is given.
    let given = platform([0.0; 6]);
    let words =
        |line: &str| line.split_whitespace().filter(|word| !word.contains("_start=")).collect::<Vec<_>>().join(" ");
    let given = given.lines().map(words).collect::<Vec<_>>().join("\n") + "\n";
    let given = JOINTS.iter().fold(given, |text, name| {
        let domain = if name.len() == 1 { "Translational." } else { "" };
        format!("{text}drive_{name} {domain}Position flange={name}.axis\n")
    });
    let mut given = train(Interface::ModelExchange, &given);
    let mut free = train(Interface::ModelExchange, &platform([0.0; 6]));
    let wanted = [0.7, -1.1, 0.4, 0.9, -0.6, 1.3];
    let (of_slide, of_turn) = (["s", "v", "a"], ["phi", "w", "a"]);
    for (name, a) in JOINTS.iter().zip(wanted) {
        let names = if name.len() == 1 { of_slide } else { of_turn };
        for (k, variable) in names.iter().enumerate() {
            let value = if k == 2 { a } else { free.real(&format!("{name}.{variable}")) };
            given.set(&format!("drive_{name}.{variable}"), value);
        }
    }
    // The loads of the drives as forces of the telescopes: the transposed matrix of their velocities by those of the joints.
    let mut loads = nalgebra::DVector::zeros(6);
    for (k, name) in JOINTS.iter().enumerate() {
        loads[k] = given.real(&format!("drive_{name}.{}", if name.len() == 1 { "f" } else { "tau" }));
    }
    let mut matrix = nalgebra::DMatrix::zeros(6, 6);
    for (k, name) in JOINTS.iter().enumerate() {
        let variable = if name.len() == 1 { "v" } else { "w" };
        for i in 0..6 {
            let leg = format!("leg{i}.axis.v");
            matrix[(k, i)] = given.directional_derivative(&leg, &format!("drive_{name}.{variable}"));
        }
    }
    let forces = matrix.lu().solve(&loads).expect("a regular position");
    for (i, force) in forces.iter().enumerate() {
        free.set(&format!("push{i}.f"), *force);
    }
    for (name, a) in JOINTS.iter().zip(wanted) {
        let found = free.real(&format!("{name}.a"));
        assert!((found - a).abs() < 1e-9, "{name}: {found} {a}");
    }
}
