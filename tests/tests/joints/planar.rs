//! JointRRR and JointRRP in planar motion, through their finished archives.

use fmu_tests::api::Status;
use fmu_tests::finished::Fmu;
use mechanics::frame::Load;
use mechanics::motion::Motion;
use nalgebra::Rotation3;
use proptest::prelude::*;
use proptest::test_runner::TestRunner;

use crate::drive::{Assembly, V};

/// A planar mechanism, assembled joint by joint from frame_b to frame_a.
struct Planar {
    slides: bool,
    n_a: V,
    n_b: V,
    rod1: V,
    rod2: V,
    a: Motion<f64>,
    b: Motion<f64>,
    /// Coordinate of the driven joint.
    x: f64,
    loads: [Load<f64>; 3],
    drive: f64,
}

const NUMBERS: usize = 48;

impl Planar {
    /// From numbers between -1 and 1; `None` if it is near a dead centre.
    fn new(slides: bool, numbers: &[f64]) -> Option<Self> {
        let mut numbers = numbers.iter().copied();
        let mut number = || numbers.next().expect("a number");
        let mut vector = || V::new(number(), number(), number());
        let [plane, of_a, of_b] = [0; 3].map(|_| Rotation3::from_scaled_axis(vector() * 3.0));
        let loads = [0; 3].map(|_| Load { f: vector(), t: vector() });
        let normal = plane * V::z();
        let mut across = |length: f64| {
            let angle = 3.0 * number();
            plane * V::new(angle.cos(), angle.sin(), 0.0) * length
        };
        let (along, slide) = (across(1.0), across(1.0));
        let [rod1, rod2, r_b, v_a, v_b, a_a, a_b] = [0.9, 0.6, 1.0, 1.0, 1.0, 1.0, 1.0].map(&mut across);
        let mut frame = |rotation: Rotation3<f64>, [r_0, v_0, a_0]: [V; 3]| {
            let turning = rotation.inverse() * normal;
            Motion { r_0, T: *rotation.inverse().matrix(), v_0, w: turning * number(), a_0, z: turning * number() }
        };
        let mut a = frame(of_a, [V::zeros(), v_a, a_a]);
        let b = frame(of_b, [r_b, v_b, a_b]);
        let x = number() * if slides { 1.0 } else { 3.0 };
        let (end, lever) = if slides {
            (r_b + slide * x + rod2, slide.dot(&along))
        } else {
            let arm = Rotation3::from_scaled_axis(normal * x) * rod2;
            (r_b + arm, normal.cross(&arm.normalize()).dot(&along))
        };
        a.r_0 = end - along * rod1.norm();
        let n_b = if slides { b.T * slide } else { b.T * normal };
        (lever.abs() > 0.1).then(|| Self {
            slides,
            n_a: a.T * normal * (1.5 + number()),
            n_b,
            rod1: a.T * rod1,
            rod2: b.T * rod2,
            a,
            b,
            x,
            loads,
            drive: number(),
        })
    }

    /// Applies the mechanism to an instance; returns the powers that flow in, the last one the sum given
    /// by the FMU.
    fn powers(&self, assembly: &Assembly<'_>) -> Vec<f64> {
        assert_eq!(assembly.instance.fmi.reset(), Status::Ok);
        for (name, vector) in [("n_a", self.n_a), ("rRod1_ia", self.rod1), ("rRod2_ib", self.rod2)] {
            assembly.set(name, vector.as_slice());
        }
        let (effort, velocity) = if self.slides {
            assembly.set("n_b", self.n_b.as_slice());
            assembly.set("s_guess", &[self.x]);
            ("axis.f", "axis.v")
        } else {
            assembly.set("phi_guess", &[self.x.to_degrees()]);
            ("axis.tau", "axis.w")
        };
        let (outer, inner) = ([("frame_a", self.a), ("frame_b", self.b)], ["frame_ia", "frame_ib", "frame_im"]);
        outer.iter().for_each(|(name, motion)| assembly.set_motion(name, motion));
        inner.iter().zip(&self.loads).for_each(|(name, load)| assembly.set_load(name, load));
        assembly.set(effort, &[self.drive]);
        assembly.instance.initialise();
        let flows_out = outer.iter().map(|(name, motion)| motion.power(&assembly.load(name)));
        let flows_in = inner.iter().zip(&self.loads).map(|(name, load)| assembly.motion(name).power(load));
        let driven = [self.drive * assembly.number(velocity), assembly.number("totalPower")];
        flows_out.chain(flows_in).chain(driven).collect()
    }
}

/// Checks a component on random mechanisms, 10,000 with TEST_ALL.
fn check(component: &str, slides: bool) {
    let fmu = Fmu::new(component, &["checkTotalPower=true"]);
    let assembly = Assembly::new(fmu.instance());
    let cases = if std::env::var_os("TEST_ALL").is_some() { 10_000 } else { 256 };
    let config = ProptestConfig { cases, max_global_rejects: 10_000, ..ProptestConfig::default() };
    let config = ProptestConfig { failure_persistence: None, ..config };
    let numbers = proptest::collection::vec(-1.0..1.0, NUMBERS);
    let result = TestRunner::new(config).run(&numbers, |numbers| {
        let Some(mechanism) = Planar::new(slides, &numbers) else {
            return Err(TestCaseError::reject("near a dead centre"));
        };
        let powers = mechanism.powers(&assembly);
        let (total, powers) = powers.split_last().unwrap();
        let largest = powers.iter().fold(0.0_f64, |largest, power| largest.max(power.abs()));
        let sum: f64 = powers.iter().sum();
        prop_assert!(sum.abs() <= 1e-12 * largest, "{sum:e} of {powers:?}");
        prop_assert!(total.abs() <= 1e-12 * largest, "totalPower = {total:e} of {powers:?}");
        Ok(())
    });
    if let Err(error) = result {
        panic!("{component}: {error}");
    }
}

#[test]
fn all_power_that_flows_into_joint_rrr_flows_out() {
    check("joint-rrr", false);
}

#[test]
fn all_power_that_flows_into_joint_rrp_flows_out() {
    check("joint-rrp", true);
}
