//! JointRRR and JointRRP: in a plane, the universal joint is a revolute joint.

use mechanics::assembly::{DrivenJoint, Prismatic, Revolute, UniversalSpherical, first_branch};
use mechanics::motion::Motion;
use nalgebra::Rotation3;
use proptest::prelude::*;

use crate::mechanism::{Dice, V, cases};

/// Checks that rod 1 turns relative to frame_a about the common axis only.
fn check<J: DrivenJoint<f64>>(
    joint: J,
    rod1: V,
    a: Motion<f64>,
    b: Motion<f64>,
    guess: f64,
) -> Result<(), TestCaseError> {
    let Ok(branch) = first_branch(&joint, &a, &b, rod1.norm(), guess) else {
        return Err(TestCaseError::reject("out of reach"));
    };
    let assembly = UniversalSpherical::new(&V::z(), &rod1, joint);
    let pose = assembly.pose(&a, &b, branch).unwrap();
    let universal = &pose.universal;
    prop_assert!((universal.T * V::z() - V::z()).norm() < 1e-13);
    prop_assert!((assembly.universal.e3_ia - V::z()).norm() < 1e-13, "the axis of rotation seen from frame_ia");
    for frame in [universal.ia, pose.closed.ib, pose.closed.im] {
        let relative = a.T * frame.T.transpose();
        prop_assert!((relative * V::z() - V::z()).norm() < 1e-12);
        prop_assert!((frame.w - V::z() * frame.w.z).norm() < 1e-11 * (1.0 + frame.w.norm()));
        prop_assert!((frame.z - V::z() * frame.z.z).norm() < 1e-9 * (1.0 + frame.z.norm()));
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { max_global_rejects: 40_000, ..ProptestConfig::with_cases(cases(2_000)) })]

    #[test]
    fn planar_mechanisms_stay_planar(seed: u64, slides: bool) {
        let mut dice = Dice(seed);
        let n: [f64; 28] = std::array::from_fn(|_| dice.number());
        let tilt = Rotation3::from_scaled_axis(V::new(n[0], n[1], n[2]) * 3.0);
        let world = |x: f64, y: f64| tilt * V::new(x, y, 0.0);
        let frame = |i: usize| Motion {
            r_0: world(n[i], n[i + 1]),
            T: (tilt * Rotation3::from_scaled_axis(V::z() * (3.0 * n[i + 2]))).matrix().transpose(),
            v_0: world(n[i + 3], n[i + 4]),
            w: V::z() * n[i + 5],
            a_0: world(n[i + 6], n[i + 7]),
            z: V::z() * n[i + 8],
        };
        let (a, b) = (frame(3), frame(12));
        let (rod1, q) = (V::new(n[21], n[22], 0.0), V::new(n[23], n[24], 0.0));
        prop_assume!(rod1.norm() > 0.3 && q.norm() > 0.3);
        if slides {
            check(Prismatic { e: V::new(n[25], n[26], 0.0).normalize(), q }, rod1, a, b, n[27])?;
        } else {
            check(Revolute { e: V::z(), q }, rod1, a, b, n[27])?;
        }
    }
}
