//! Components that give derivatives, event indicators and events only: Co-Simulation follows from these.

use fmu_runtime::{
    Context, DefaultExperiment, Diagnostics, Equations, Event, Events, Indicators, Memory, ModelError, Scalar, Trial,
    model,
};
use proptest::prelude::*;

model! {
    /// A ball on a floor, and a follower of an input.
    ///
    /// h' = v,   v' = -g,   at h = 0: v becomes -e v
    /// x' = k (u - x)
    /// ticks = number of multiples of period up to now, ceiling = number of times that v h was seen above 1
    pub struct Ball<T>: Events + Indicators + Memory {
        parameter g: T = 10.0, M_PER_S2, "Gravity";
        parameter e: T = 0.99, ONE, "Share of the speed that an impact leaves";
        parameter k: T = 1.0, PER_S, "Stiffness per damping";
        parameter period: T = 0.1, S, "Time between two ticks";

        input u: T, ONE, "What x follows", der = u_rate;
        input u_rate: T, PER_S, "Its derivative";

        state h: T = 5.0, M, "Height", der = v;
        state v: T = 0.0, M_PER_S, "Velocity", der = a;
        output a: T, M_PER_S2, "Acceleration";
        state x: T, ONE, "Follower", der = x_rate;
        output x_rate: T, PER_S, "Its derivative";
        output impacts: i32, "Number of impacts";
        output ticks: i32, "Number of multiples of period";
        output peaks: i32, "Number of internal steps that ended with h above 4.9 for the first time";
        memory next: T, S, "When the next tick is due";
        memory is_high: bool, "Whether h was above 4.9 at the end of the last internal step";
    }
}

impl<T: Scalar> Equations<T> for Ball<T> {
    const DESCRIPTION: &'static str = "Bounces";
    const ICON: &'static str = "<svg xmlns=\"http://www.w3.org/2000/svg\"/>";
    const EXPERIMENT: DefaultExperiment = DefaultExperiment::until(1.0, 0.1);

    fn initialise(&mut self, cx: &Context<'_, T, Self>) -> Result<(), ModelError> {
        self.next = cx.time + self.period;
        Ok(())
    }

    fn evaluate(&mut self, _: &Context<'_, T, Self>) -> Result<(), ModelError> {
        self.a = -self.g;
        self.x_rate = self.k * (self.u - self.x);
        Ok(())
    }
}

impl<T: Scalar> Indicators<T> for Ball<T> {
    const COUNT: usize = 1;

    fn indicators(&self, _: &Context<'_, T, Self>, indicators: &mut [T]) {
        indicators[0] = self.h;
    }
}

impl<T: Scalar> Events<T> for Ball<T> {
    fn event(&mut self, cx: &Context<'_, T, Self>, event: &mut Event) -> Result<(), ModelError> {
        if self.h <= T::zero() && self.v < T::zero() {
            self.v *= -self.e;
            self.impacts += 1;
            event.states_changed = true;
        }
        if cx.time >= self.next {
            self.ticks += 1;
            self.next += self.period;
            event.again = cx.time >= self.next;
        }
        event.next_time = Some(self.next.value());
        Ok(())
    }
}

impl<T: Scalar> Memory<T> for Ball<T> {
    fn completed_step(&mut self, _: &Context<'_, T, Self>, diagnostics: &mut Diagnostics) {
        let is_high = self.h.value() > 4.9;
        if is_high && !self.is_high {
            self.peaks += 1;
            diagnostics.ask_for_event();
        }
        self.is_high = is_high;
    }
}

fn ball(values: &[(&str, f64)]) -> Trial {
    let mut trial = Trial::new::<Ball<f64>>(&[]);
    values.iter().for_each(|(name, value)| trial.set(name, *value));
    trial
}

/// Returns height, follower, impacts and ticks after equal communication steps up to `end`.
fn run(mut trial: Trial, end: f64, steps: u32) -> (f64, f64, i32, i32) {
    (0..steps).for_each(|_| trial.step(end / f64::from(steps)));
    (trial.real("h"), trial.real("x"), trial.integer("impacts"), trial.integer("ticks"))
}

/// Returns the time at which the floor is hit for the n-th time, from 0, and the height of the ball half a flight
/// later.
fn flight(n: i32) -> (f64, f64) {
    let e = 0.99_f64;
    let time = 1.0 + 2.0 * e * (1.0 - e.powi(n)) / (1.0 - e);
    (time + e.powi(n + 1), 5.0 * e.powi(2 * n + 2))
}

#[test]
fn the_thousandth_flight_is_met_whatever_the_communication_steps() {
    for steps in [1, 10, 1000] {
        let (end, height) = flight(999);
        let (h, _, impacts, _) = run(ball(&[("period", 1e6)]), end, steps);
        assert_eq!(impacts, 1000, "{steps}");
        assert!((h - height).abs() < 1e-6 * height, "{steps}: {h} {height}");
    }
}

/// At 1e6 s, times are multiples of 1.2e-10 s: their difference is 5 % more than a step of 1e-9 s.
#[test]
fn the_length_of_a_step_counts_and_not_the_difference_of_rounded_times() {
    let mut trial = ball(&[("g", 0.0), ("period", 1e9)]);
    trial.step(1e6);
    trial.set("u", 1.0);
    (0..1000).for_each(|_| trial.step(1e-9));
    let x = trial.real("x");
    assert!((x - 1e-6).abs() < 1e-11, "{x}");
}

#[test]
fn impacts_without_end_are_refused() {
    let mut trial = ball(&[("e", 0.5)]);
    let refused = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| trial.step(5.0))).unwrap_err();
    let refused = refused.downcast_ref::<String>().unwrap();
    assert!(refused.contains("become infinitely frequent"), "{refused}");
}

#[test]
fn inputs_are_polynomials_inside_a_step() {
    // x = t - 1 + exp(-t) where u = t.
    let mut trial = ball(&[("u_rate", 1.0)]);
    trial.step(2.0);
    assert!((trial.real("u") - 2.0).abs() < 1e-15);
    assert!((trial.real("x") - 1.0 - f64::exp(-2.0)).abs() < 1e-6);
}

#[test]
fn what_follows_stiffly_stays_on_its_input_and_jumps_with_it() {
    let mut trial = ball(&[("k", 1e6), ("u", 1.0)]);
    for step in 1..=200 {
        trial.set("u_rate", f64::from(step % 3));
        if step % 10 == 0 {
            trial.set("u", 1.0);
        }
        trial.step(0.01);
        let lag = f64::from(step % 3) / 1e6;
        assert!((trial.real("x") + lag - trial.real("u")).abs() < 1e-6, "{step}");
    }
}

#[test]
fn memory_follows_the_steps_inside_and_may_ask_for_events() {
    let mut trial = ball(&[("e", 1.0)]);
    trial.step(9.5);
    // Peaks are counted at the beginning and at 2, 4, 6 and 8 s.
    assert_eq!(trial.integer("peaks"), 5);
    assert_eq!(trial.integer("impacts"), 5);
}

#[test]
fn model_exchange_by_another_method_gives_the_same() {
    let values = [("e", 0.9), ("k", 1e4), ("u_rate", 2.0)];
    let mut trials = [ball(&values), Trial::in_model_exchange::<Ball<f64>>(&[])];
    values.iter().for_each(|(name, value)| trials[1].set(name, *value));
    for step in 0..8 {
        for trial in &mut trials {
            trial.set("u", f64::from(step % 3));
            trial.step(0.37);
        }
        let [one, other] = &mut trials;
        for name in ["h", "v", "x", "u"] {
            let [one, other] = [one.real(name), other.real(name)];
            assert!((one - other).abs() < 1e-5 * one.abs().max(1.0), "{step}, {name}: {one} {other}");
        }
        for name in ["impacts", "ticks"] {
            assert_eq!(one.integer(name), other.integer(name), "{step}, {name}");
        }
    }
    assert_eq!(trials[1].integer("impacts"), 2);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    /// A step may be divided anywhere.
    #[test]
    fn results_depend_on_the_communication_steps_only_within_the_tolerance(
        g in 1.0..20.0_f64,
        e in 0.5..1.0_f64,
        log_k in -2.0..6.0_f64,
        period in 0.01..1.0_f64,
        u in -1.0..1.0_f64,
        parts in proptest::collection::vec(0.01..1.0_f64, 2..6),
    ) {
        let values = [("g", g), ("e", e), ("k", 10.0_f64.powf(log_k)), ("period", period), ("u", u)];
        let end = parts.iter().sum::<f64>().min(2.0);
        let [mut whole, mut divided] = [ball(&values), ball(&values)];
        whole.step(end);
        let scale = end / parts.iter().sum::<f64>();
        parts.iter().for_each(|part| divided.step(part * scale));
        for name in ["h", "x"] {
            let [one, other] = [&mut whole, &mut divided].map(|trial| trial.real(name));
            prop_assert!((one - other).abs() < 1e-5 * one.abs().max(1.0), "{}: {} {}", name, one, other);
        }
        for name in ["impacts", "ticks"] {
            // An event that is due at the very end may fall on either side by rounding.
            let [one, other] = [&mut whole, &mut divided].map(|trial| trial.integer(name));
            prop_assert!((one - other).abs() <= 1, "{}: {} {}", name, one, other);
        }
    }
}
