//! Communication steps that are shorter than the steps of the integrator, and longer ones.

use std::cell::Cell;
use std::f64::consts::TAU;

use fmu_runtime::{Context, DefaultExperiment, Equations, Event, Events, Indicators, ModelError, Scalar, Trial, model};
use proptest::prelude::*;

thread_local! {
    static EVALUATIONS: Cell<usize> = const { Cell::new(0) };
    static LATEST: Cell<f64> = const { Cell::new(0.0) };
}

/// Returns a result with the number of evaluations that it took.
fn counted<V>(work: impl FnOnce() -> V) -> (V, usize) {
    EVALUATIONS.set(0);
    let result = work();
    (result, EVALUATIONS.get())
}

fn count() {
    EVALUATIONS.set(EVALUATIONS.get() + 1);
}

fn c<T: Scalar>(value: f64) -> T {
    nalgebra::convert(value)
}

model! {
    /// x' = -x^2 cos t, so x = 1 / (1 + sin t), and a circle beside it; nothing can be computed after `last`.
    pub struct Curve<T> {
        parameter last: T = 1e9, S, "Time of the last evaluation";
        state x: T = 1.0, ONE, "Hyperbola", der = x_rate;
        output x_rate: T, PER_S, "Its derivative";
        state y: T = 0.0, ONE, "Sine", der = y_rate;
        output y_rate: T, PER_S, "Its derivative";
        state z: T = 1.0, ONE, "Cosine", der = z_rate;
        output z_rate: T, PER_S, "Its derivative";
    }
}

impl<T: Scalar> Equations<T> for Curve<T> {
    const DESCRIPTION: &'static str = "Curve";
    const ICON: &'static str = "<svg xmlns=\"http://www.w3.org/2000/svg\"/>";
    const EXPERIMENT: DefaultExperiment = DefaultExperiment::until(1.0, 0.1);

    fn evaluate(&mut self, cx: &Context<'_, T, Self>) -> Result<(), ModelError> {
        count();
        LATEST.set(LATEST.get().max(cx.time.value()));
        if cx.time > self.last {
            return Err(ModelError::singular(format!("there is nothing at {} s", cx.time.value())));
        }
        self.x_rate = -self.x * self.x * cx.time.cos();
        self.y_rate = self.z * self.x * (T::one() + cx.time.sin());
        self.z_rate = -self.y;
        Ok(())
    }
}

/// Returns the largest relative error at equal communication points up to 4.5 s.
fn worst(curve: &mut Trial, steps: u32) -> f64 {
    let mut worst = 0.0_f64;
    let h = 4.5 / f64::from(steps);
    for step in 1..=steps {
        curve.step(h);
        let t = f64::from(step) * h;
        for (name, exact) in [("x", 1.0 / (1.0 + t.sin())), ("y", t.sin()), ("z", t.cos())] {
            worst = worst.max((curve.real(name) - exact).abs() / exact.abs().max(1.0));
        }
    }
    worst
}

#[test]
fn interpolated_points_have_the_error_that_the_tolerance_allows() {
    for exponent in 4..=10 {
        let tolerance = 10.0_f64.powi(-exponent);
        for steps in [100, 5000] {
            let mut curve = Trial::new::<Curve<f64>>(&[]);
            curve.set_tolerance(tolerance);
            let error = worst(&mut curve, steps);
            assert!(error < 30.0 * tolerance, "{tolerance} {steps}: {error}");
        }
    }
}

#[test]
fn where_the_equations_end_steps_do_not_go_beyond_the_communication_step() {
    let mut curve = Trial::new::<Curve<f64>>(&[]);
    curve.set("last", 1.0 + 1e-12);
    (0..1000).for_each(|_| curve.step(1e-3));
    assert!((curve.real("y") - 1.0_f64.sin()).abs() < 1e-5);
    let refused = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| curve.step(1e-3))).unwrap_err();
    let refused = refused.downcast_ref::<String>().unwrap();
    assert!(refused.starts_with("there is nothing at 1.0"), "{refused}");
}

#[test]
fn nothing_is_evaluated_beyond_the_stop_time() {
    for stop in [None, Some(0.75)] {
        LATEST.set(0.0);
        let mut curve = Trial::new::<Curve<f64>>(&[]);
        stop.into_iter().for_each(|stop| curve.set_stop_time(stop));
        (0..750).for_each(|_| curve.step(1e-3));
        let latest = LATEST.get();
        assert!(stop.map_or(latest > 0.76, |stop| latest <= stop + 1e-12), "{stop:?}: {latest}");
        assert!((curve.real("y") - 0.75_f64.sin()).abs() < 1e-5);
    }
}

model! {
    /// h' = v, v' = -g + u, at h = 0: v becomes -e v; x' = k (u - x)
    /// ticks = number of multiples of period up to now, flashes = number of times that sin(2 pi t) has come above 0.9
    pub struct Ball<T>: Events + Indicators {
        tunable g: T = 10.0, M_PER_S2, "Gravity";
        parameter e: T = 0.9, ONE, "Share of the speed that an impact leaves";
        parameter k: T = 3.0, PER_S, "Stiffness per damping";
        parameter period: T = 0.37, S, "Time between two ticks";
        input u: T, M_PER_S2, "Acceleration upwards, and what x follows";
        state h: T = 5.0, M, "Height", der = v;
        state v: T = 0.0, M_PER_S, "Velocity", der = a;
        output a: T, M_PER_S2, "Acceleration";
        state x: T, ONE, "Follower", der = x_rate;
        output x_rate: T, PER_S, "Its derivative";
        output impacts: i32, "Number of impacts";
        output ticks: i32, "Number of multiples of period";
        output flashes: i32, "Number of times that the sine has come above 0.9";
        output events: i32, "Number of events";
        memory next: T, S, "When the next tick is due";
        memory is_bright: bool, "Whether the sine is above 0.9";
        memory is_pushed: bool, "Whether u is above 1";
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
        count();
        self.a = self.u - self.g;
        self.x_rate = self.k * (self.u - self.x);
        Ok(())
    }
}

impl<T: Scalar> Indicators<T> for Ball<T> {
    const COUNT: usize = 3;

    fn indicators(&self, cx: &Context<'_, T, Self>, indicators: &mut [T]) {
        indicators[0] = self.h;
        // It acts on nothing.
        indicators[1] = (cx.time * c::<T>(TAU)).sin() - c::<T>(0.9);
        indicators[2] = self.u - T::one();
    }
}

impl<T: Scalar> Events<T> for Ball<T> {
    fn event(&mut self, cx: &Context<'_, T, Self>, event: &mut Event) -> Result<(), ModelError> {
        self.events += 1;
        if self.h <= T::zero() && self.v < T::zero() {
            self.v *= -self.e;
            self.impacts += 1;
            event.states_changed = true;
        }
        let is_bright = (cx.time * c::<T>(TAU)).sin() > c(0.9);
        self.flashes += i32::from(is_bright && !self.is_bright);
        self.is_bright = is_bright;
        self.is_pushed = self.u > T::one();
        if cx.time >= self.next {
            self.ticks += 1;
            self.next += self.period;
            event.again = cx.time >= self.next;
        }
        event.next_time = Some(self.next.value());
        Ok(())
    }
}

fn ball() -> Trial {
    Trial::new::<Ball<f64>>(&[])
}

fn bits(ball: &mut Trial) -> Vec<u64> {
    let reals = ["h", "v", "x", "a", "x_rate"].map(|name| ball.real(name).to_bits());
    let integers = ["impacts", "ticks", "flashes", "events"].map(|name| ball.integer(name) as u64);
    reals.into_iter().chain(integers).collect()
}

#[test]
fn steps_without_changes_evaluate_nothing() {
    let mut curve = Trial::new::<Curve<f64>>(&[]);
    let ((), evaluations) = counted(|| (0..100_000).for_each(|_| curve.step(1e-5)));
    assert!(evaluations < 150, "{evaluations}");
    assert!((curve.real("y") - 1.0_f64.sin()).abs() < 1e-5);
    // Setting what is there already is no change.
    let mut ball = ball();
    let setting = |ball: &mut Trial| {
        ball.set("u", 0.5);
        ball.step(1e-5);
    };
    let ((), evaluations) = counted(|| (0..90_000).for_each(|_| setting(&mut ball)));
    assert!(evaluations < 400, "{evaluations}");
}

#[test]
fn only_what_changes_an_indicator_or_is_discrete_is_an_event() {
    let mut ball = ball();
    ball.set("period", 100.0);
    let step = |ball: &mut Trial, name: &str, value: f64| {
        ball.set(name, value);
        ball.step(1e-3);
        ball.step(1e-3);
        ball.integer("events")
    };
    let before = step(&mut ball, "u", 0.0);
    assert_eq!(step(&mut ball, "u", 0.25), before);
    assert_eq!(step(&mut ball, "u", 0.75), before);
    assert_eq!(step(&mut ball, "u", 1.25), before + 1);
    assert!(!ball.warnings().iter().any(|warning| warning.contains("u")));
    assert_eq!(step(&mut ball, "g", 11.0), before + 2);
    assert_eq!(step(&mut ball, "g", 11.0), before + 2);
}

#[test]
fn what_acts_on_nothing_is_seen_as_often_as_it_changes() {
    for h in [1e-4, 1e-2, 0.1] {
        let mut ball = ball();
        ball.set("g", 0.0);
        (0..(20.0 / h) as usize).for_each(|_| ball.step(h));
        assert_eq!((ball.integer("flashes"), ball.integer("ticks")), (20, 54), "{h}");
    }
}

/// Short steps of an input that changes smoothly take three or four evaluations each.
#[test]
fn short_steps_with_other_inputs_are_cheap_and_exact() {
    for (h, accuracy, most) in [(1e-2, 1e-5, 9.0), (1e-3, 1e-6, 5.0), (1e-4, 1e-7, 5.0)] {
        let (mut ball, steps) = (ball(), (0.9 / h) as usize);
        // The exact answer to the stairs, step by step.
        let (mut x, mut v, mut height) = (0.0, 0.0, 5.0);
        let run = || {
            for step in 0..steps {
                let u = (step as f64 * h).sin();
                ball.set("u", u);
                ball.step(h);
                x = u + (x - u) * (-3.0 * h).exp();
                height += h * (v + 0.5 * h * (u - 10.0));
                v += h * (u - 10.0);
            }
        };
        let ((), evaluations) = counted(run);
        for (name, exact) in [("x", x), ("v", v), ("h", height)] {
            let found = ball.real(name);
            assert!((found - exact).abs() < accuracy, "{h} {name}: {found} {exact}");
        }
        assert!((evaluations as f64) < most * steps as f64 + 400.0, "{h}: {evaluations}");
    }
}

#[derive(Clone, Copy, Debug)]
struct Move {
    h: f64,
    /// The input, if it changes.
    u: Option<f64>,
    saves: bool,
}

fn moves(longest: f64) -> impl Strategy<Value = Vec<Move>> {
    let h = prop_oneof![(0.0..1.0_f64).prop_map(move |part| longest * 1e-3_f64.powf(part)), Just(1e-2)];
    let u = prop_oneof![4 => Just(None), 1 => (0.0..2.0_f64).prop_map(Some)];
    let one = (h, u, any::<bool>()).prop_map(|(h, u, saves)| Move { h, u, saves });
    prop::collection::vec(one, 1..80)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn saved_and_restored_states_change_no_bit(moves in moves(0.3), other in 1e-4..0.5_f64) {
        let [mut plain, mut restored] = [ball(), ball()];
        for Move { h, u, saves } in moves {
            if let Some(u) = u {
                plain.set("u", u);
                restored.set("u", u);
            }
            if saves {
                let saved = restored.save();
                // A step that is taken back.
                restored.set("u", 1.9 - other);
                restored.step(other);
                restored.real("a");
                restored.step(other);
                if h > 0.01 {
                    restored = ball();
                    restored.step(1.0);
                }
                restored.restore(&saved);
            }
            plain.step(h);
            restored.step(h);
            prop_assert_eq!(bits(&mut plain), bits(&mut restored));
        }
    }

    #[test]
    fn communication_points_change_results_within_the_tolerance_only(moves in moves(0.3), parts in 1..40_usize) {
        let [mut whole, mut divided] = [ball(), ball()];
        for Move { h, u, .. } in moves {
            if let Some(u) = u {
                whole.set("u", u);
                divided.set("u", u);
            }
            whole.step(h);
            // Unequal parts.
            let share = |i: usize| ((i as f64) / parts as f64).powf(1.3);
            (0..parts).for_each(|i| divided.step(h * (share(i + 1) - share(i))));
            for name in ["h", "v", "x"] {
                let [one, other] = [&mut whole, &mut divided].map(|ball| ball.real(name));
                // An impact that is a little earlier changes the velocity at once.
                let near_impact = name == "v" && whole.real("h").abs() < 1e-3;
                prop_assert!(near_impact || (one - other).abs() < 1e-4, "{}: {} {}", name, one, other);
            }
            for name in ["impacts", "ticks", "flashes"] {
                let [one, other] = [&mut whole, &mut divided].map(|ball| ball.integer(name));
                prop_assert!((one - other).abs() <= 1, "{}: {} {}", name, one, other);
            }
        }
    }
}
