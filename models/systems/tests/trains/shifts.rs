//! A gear that is shifted at random: no run breaks off, and both interfaces agree.

use fmu_runtime::lifecycle::Interface;

use crate::fixture::train;

const GEAR: &str = "engine Inertia
    load Inertia J=10
    gear IdealPlanetary ratio=1.5 sun=engine.flange_b carrier=load.flange_a
    clutch Clutch flange_a=gear.sun flange_b=gear.ring cgeo=2 fn_max=100
    brake Brake flange_a=gear.ring cgeo=2 fn_max=100
    torque Torque flange=engine.flange_a
    fan QuadraticSpeedDependentTorque flange=load.flange_b tau_nominal=-20 w_nominal=10";

/// Random numbers from 0 to 1, by Marsaglia's xorshift.
struct Random(u64);

impl Random {
    fn next(&mut self) -> f64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as f64 / (1_u64 << 53) as f64
    }
}

/// Returns the speeds of engine and load after each of sixty steps.
fn run(interface: Interface, seed: u64) -> Vec<[f64; 2]> {
    let mut train = train(interface, GEAR);
    train.set_tolerance(1e-9);
    let mut random = Random(seed);
    let step = |_| {
        train.set("torque.tau", 60.0 * random.next() - 30.0);
        for name in ["clutch.f_normalized", "brake.f_normalized"] {
            // Open, closed, or between.
            let force = 3.0 * random.next() - 1.0;
            train.set(name, force.clamp(0.0, 1.0));
        }
        train.step(0.1);
        [train.real("engine.w"), train.real("load.w")]
    };
    (0..60).map(step).collect()
}

#[test]
fn no_shift_breaks_off() {
    for seed in 1..=20 {
        let [found, expected] =
            [Interface::CoSimulation, Interface::ModelExchange].map(|interface| run(interface, 0x9E37_79B9 * seed));
        for (i, (found, expected)) in found.iter().zip(&expected).enumerate() {
            let off = [0, 1].map(|k| (found[k] - expected[k]).abs());
            assert!(off[0].max(off[1]) < 1e-5, "seed {seed}, step {i}: {found:?} {expected:?}");
        }
    }
}
