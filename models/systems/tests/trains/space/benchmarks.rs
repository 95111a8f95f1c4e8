//! Problems of the library of benchmarks for multibody dynamics of the IFToMM, with their published solutions.

use std::f64::consts::PI;

use crate::fixture::{INTERFACES, train};

/// A01: a point mass of 1 kg on a rod of 1 m, from the horizontal; the solution in elliptic functions at 1 s and at 10 s.
#[test]
fn a_simple_pendulum_swings_as_solved() {
    let text = format!(
        "world World g=9.81
        joint Revolute frame_a=world.frame_b phi_start={PI:?}
        mass Body m=1 r_CM[1]=1 I_11=0 I_22=0 I_33=0 frame_a=joint.frame_b"
    );
    for interface in INTERFACES {
        let mut train = train(interface, &text);
        train.set_tolerance(1e-11);
        let mut time = 0.0;
        for (end, x, y) in
            [(1.0, 0.986_291_751_132, -0.165_010_853_126), (10.0, -0.275_087_462_576, -0.961_419_205_099)]
        {
            while time < end - 1e-9 {
                train.step(0.1);
                time += 0.1;
            }
            let (sin, cos) = train.real("joint.phi").sin_cos();
            assert!((cos - x).abs() < 2e-7 && (sin - y).abs() < 2e-7, "{interface:?} at {end}: {cos} {sin}");
            // It begins at the height 0, at rest.
            let energy = 0.5 * train.real("joint.w").powi(2) + 9.81 * sin;
            assert!(energy.abs() < 5e-7, "{energy}");
        }
    }
}

/// A03: Andrews' squeezing mechanism, seven bodies in three loops. All three end where the rods to E meet.
const SQUEEZER: &str = "world World gravityType=NoGravity
    beta Revolute frame_a=world.frame_b phi_start=-0.0617138900142764
    OF BodyShape r[1]=0.007 r_CM[1]=0.00092 m=0.04325 I_33=2.194e-6 frame_a=beta.frame_b
    B FixedTranslation r[1]=-0.03635 r[2]=0.03273 frame_a=world.frame_b
    first JointRRR rRod1_ia[1]=0.028 rRod2_ib[1]=0.035 phi_guess=-63.9 frame_a=OF.frame_b frame_b=B.frame_b
    FE Body r_CM[1]=0.0115 m=0.00365 I_33=4.41e-7 frame_a=first.frame_ia
    BE BodyShape r[1]=0.018 r[2]=0.020 r_CM[1]=0.01874 r_CM[2]=0.01043 m=0.02373 I_33=5.255e-6 frame_a=first.frame_ib
    A FixedTranslation r[1]=-0.06934 r[2]=-0.00227 frame_a=world.frame_b
    second JointRRR rRod1_ia[1]=0.020 rRod2_ib[1]=0.040 phi_guess=27.9 frame_a=first.frame_im frame_b=A.frame_b
    GE Body r_CM[1]=0.01421 m=0.00706 I_33=5.667e-7 frame_a=second.frame_ia
    AG Body r_CM[1]=0.02308 r_CM[2]=0.00916 m=0.07050 I_33=1.169e-5 frame_a=second.frame_ib
    third JointRRR rRod1_ia[1]=0.020 rRod2_ib[1]=0.040 phi_guess=-19.5 frame_a=first.frame_im frame_b=A.frame_b
    HE Body r_CM[1]=0.01421 m=0.00706 I_33=5.667e-7 frame_a=third.frame_ia
    AH Body r_CM[1]=0.01228 r_CM[2]=-0.00449 m=0.05498 I_33=1.912e-5 frame_a=third.frame_ib
    C FixedTranslation r[1]=0.014 r[2]=0.072 frame_a=world.frame_b
    spring MultiBody.Spring c=4530 s_unstretched=0.07785 frame_a=C.frame_b frame_b=BE.frame_b
    motor ConstantTorque tau_constant=0.033 flange=beta.axis";

#[test]
fn a_squeezing_mechanism_moves_as_published() {
    for interface in INTERFACES {
        let mut train = train(interface, SQUEEZER);
        train.set_tolerance(1e-11);
        let angles = |train: &mut fmu_runtime::Trial| {
            let quarter = PI / 2.0;
            let of = ["first", "second", "third"].map(|name| train.real(&format!("{name}.angle")));
            [train.real("beta.phi"), of[0] + quarter, of[1], of[2] + quarter]
        };
        let check = |train: &mut fmu_runtime::Trial, expected: [f64; 4], bound: f64| {
            let found = angles(train);
            let is_close = found.iter().zip(expected).all(|(found, expected)| (found - expected).abs() < bound);
            assert!(is_close, "{interface:?}: {found:?} {expected:?}");
        };
        // beta, gamma, delta, epsilon
        let start = [-0.061_713_890_014_276_4, 0.455_279_819_163_07, 0.487_364_979_543_843, 1.230_547_444_549_821];
        check(&mut train, start, 1e-9);
        (0..30).for_each(|_| train.step(1e-3));
        let end = [15.810_771_196_299_04, 0.040_822_240_130_73, 0.524_409_965_880_53, 1.048_080_741_042_26];
        check(&mut train, end, 1e-7);
    }
}
