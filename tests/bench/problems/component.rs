//! Initial value problems with known solutions, which count how often solvers evaluate them.

use std::sync::atomic::{AtomicI32, Ordering};

use fmu_runtime::{
    Context, DefaultExperiment, Equations, Event, Events, Indicators, ModelError, Scalar, enumeration, model, structure,
};
use nalgebra::convert;

model! {
    /// ball:           x' = y,   y' = -10,   x = 1 at the start;   at x = 0: y becomes -y
    /// van_der_pol:    x' = y,   y' = 1000 (1 - x^2) y - x,   x = 2 at the start
    /// spring:         x' = 1e6 (cos t - x),   x = 1 at the start
    pub struct Problem<T>(s: Structure): Events + Indicators {
        state x: T, ONE, "First state", der = x_rate;
        state y: T, ONE, "Second state", der = y_rate;
        output x_rate: T, PER_S, "Derivative of x";
        output y_rate: T, PER_S, "Derivative of y";
        output impacts: i32, "Number of impacts of the ball";
        output evaluations: i32, "Number of evaluations, those along directions included";
    }
}

structure! {
    /// The structure options of the problem.
    pub struct Structure {
        problem: Kind = Kind::ball, "Which one";
    }
}

enumeration! {
    /// The problems.
    pub enum Kind {
        ball = "a ball that bounces without losses",
        van_der_pol = "van der Pol's oscillator, stiff and sudden in turn",
        spring = "a spring and a damper, a million times faster than what moves them",
    }
}

/// The evaluations since the last initialisation. The integrator works on copies of the variables, so none of them can count.
static EVALUATIONS: AtomicI32 = AtomicI32::new(0);

impl<T: Scalar> Equations<T> for Problem<T> {
    const DESCRIPTION: &'static str = "An initial value problem with a known solution";
    const ICON: &'static str =
        r##"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"><path d="M1 1h6v6h-6z" fill="#468"/></svg>"##;
    const EXPERIMENT: DefaultExperiment = DefaultExperiment::until(10.0, 0.1);

    fn initialise(&mut self, cx: &Context<'_, T, Self>) -> Result<(), ModelError> {
        self.x = convert(if cx.structure.problem == Kind::van_der_pol { 2.0 } else { 1.0 });
        EVALUATIONS.store(0, Ordering::Relaxed);
        Ok(())
    }

    fn evaluate(&mut self, cx: &Context<'_, T, Self>) -> Result<(), ModelError> {
        let (x, y) = (self.x, self.y);
        [self.x_rate, self.y_rate] = match cx.structure.problem {
            Kind::ball => [y, convert(-10.0)],
            Kind::van_der_pol => [y, convert::<f64, T>(1e3) * (T::one() - x * x) * y - x],
            Kind::spring => [convert::<f64, T>(1e6) * (cx.time.cos() - x), T::zero()],
        };
        // The counter is not an equation.
        self.evaluations = EVALUATIONS.fetch_add(1, Ordering::Relaxed) + 1;
        Ok(())
    }
}

impl<T: Scalar> Indicators<T> for Problem<T> {
    const COUNT: usize = 1;

    fn indicators(&self, cx: &Context<'_, T, Self>, indicators: &mut [T]) {
        indicators[0] = if cx.structure.problem == Kind::ball { self.x } else { T::one() };
    }
}

impl<T: Scalar> Events<T> for Problem<T> {
    fn event(&mut self, cx: &Context<'_, T, Self>, event: &mut Event) -> Result<(), ModelError> {
        if cx.structure.problem == Kind::ball && self.x <= T::zero() && self.y < T::zero() {
            self.y = -self.y;
            self.impacts += 1;
            event.states_changed = true;
        }
        Ok(())
    }
}

fmu_runtime::export!(Problem<f64>);
