//! The exact motion of two shafts with a clutch between them, in closed form.
//!
//! While one slides on the other, the slip s = w_a - w_b > 0 follows s' = g + k s, since the friction torque is
//! 50 N.m - 0.2 N.m.s/rad s; so s is an exponential, and the slip angle and the heat are integrals of it. The momentum
//! J_a w_a + J_b w_b follows from the torques alone.

const J_A: f64 = 0.2;
const J_B: f64 = 1.0;
/// Friction torque at rest [N.m], and its decrease with the slip [N.m.s/rad].
const FRICTION: [f64; 2] = [50.0, 0.2];

/// The values compared at the end of a run.
#[derive(Clone, Copy, Debug, Default)]
pub struct Outcome {
    /// Slip angle: rotation of flange_a relative to flange_b [rad].
    pub slip_angle: f64,
    /// Heat from friction [J].
    pub heat: f64,
    /// Angular velocity of both shafts [rad/s].
    pub w: f64,
}

/// Slides for `time` with these torques from `slip` on, or until the slip is zero; returns the slip after that.
fn slide(outcome: &mut Outcome, slip: f64, [tau_a, tau_b]: [f64; 2], time: f64) -> f64 {
    let both = 1.0 / J_A + 1.0 / J_B;
    let k = both * FRICTION[1];
    let g = tau_a / J_A - tau_b / J_B - both * FRICTION[0];
    // The slip is s = factor e^(k t) + offset.
    let (factor, offset) = (slip + g / k, -g / k);
    let meets = (-offset / factor).ln() / k;
    let ends = if meets > 0.0 { meets.min(time) } else { time };
    let e = (k * ends).exp();
    let angle = factor / k * (e - 1.0) + offset * ends;
    let square =
        factor * factor / (2.0 * k) * (e * e - 1.0) + 2.0 * factor * offset / k * (e - 1.0) + offset * offset * ends;
    outcome.slip_angle += angle;
    outcome.heat += FRICTION[0] * angle - FRICTION[1] * square;
    if ends < time { 0.0 } else { factor * e + offset }
}

/// Returns the outcome of the run of `tests/bench/engagement.c`.
pub fn exact() -> Outcome {
    let mut outcome = Outcome::default();
    let slip = slide(&mut outcome, 100.0, [20.0, -10.0], 1.5);
    assert_eq!(slip, 0.0, "the shafts meet and stay together");
    let slip = slide(&mut outcome, slip, [20.0, -300.0], 0.2);
    assert!(slip > 0.0, "the load breaks the clutch away");
    let slip = slide(&mut outcome, slip, [20.0, -10.0], 1.3);
    assert_eq!(slip, 0.0, "the shafts meet again");
    let momentum = J_A * 100.0 + 1.5 * 10.0 + 0.2 * -280.0 + 1.3 * 10.0;
    outcome.w = momentum / (J_A + J_B);
    outcome
}
