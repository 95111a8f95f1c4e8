//! Problems with an independently known solution.

use crate::component::integration::dense::Dense;
use crate::component::integration::explicit::Explicit;
use crate::component::integration::integrator::Integrator;
use crate::component::integration::linear::Factors;
use crate::component::integration::rosenbrock::Rosenbrock;
use crate::component::integration::system::{Solver, System};
use crate::component::model_error::ModelError;
use crate::rows::scalar::{Dual64, Scalar};

/// Returns a constant in the scalar type.
fn c<T: Scalar>(value: f64) -> T {
    nalgebra::convert(value)
}

/// Equations in any scalar type.
trait Problem {
    fn derivatives<T: Scalar>(&self, t: T, x: &[T], dx: &mut [T]);
    fn indicators<T: Scalar>(&self, _t: T, _x: &[T], _z: &mut [T]) {}
    fn event(&mut self, _t: f64, _x: &mut [f64]) -> Option<f64> {
        None
    }
}

/// A problem with its states, which counts its evaluations.
struct Counted<P> {
    problem: P,
    x: Vec<f64>,
    indicators: usize,
    derivatives: usize,
    jacobians: usize,
    events: usize,
}

impl<P: Problem> Counted<P> {
    fn new(problem: P, x: &[f64], indicators: usize) -> Self {
        Self { problem, x: x.to_vec(), indicators, derivatives: 0, jacobians: 0, events: 0 }
    }

    fn integrator(&self, solver: Solver, tolerance: f64) -> Integrator {
        let mut integrator = Integrator::new(vec![1.0; self.x.len()], self.indicators, solver);
        integrator.tolerance = tolerance;
        integrator
    }

    /// Returns the cost so far: a directional derivative costs about as much as three evaluations.
    fn cost(&self) -> usize {
        self.derivatives + 3 * self.jacobians
    }

    /// Returns the states after equal communication steps up to `end`.
    fn run(&mut self, integrator: &mut Integrator, end: f64, steps: u32) -> Result<Vec<f64>, ModelError> {
        for step in 0..steps {
            let [from, to] = [step, step + 1].map(|step| end * f64::from(step) / f64::from(steps));
            let mut x = self.x.clone();
            integrator.advance(self, &mut x, from, to)?;
            self.x = x;
        }
        Ok(self.x.clone())
    }
}

impl<P: Problem> System for Counted<P> {
    fn derivatives(&mut self, t: f64, x: &[f64], dx: &mut [f64]) -> Result<(), ModelError> {
        self.derivatives += 1;
        self.problem.derivatives(t, x, dx);
        Ok(())
    }

    fn directional_derivatives(
        &mut self,
        t: f64,
        x: &[f64],
        along_t: f64,
        along_x: &[f64],
        ddx: &mut [f64],
    ) -> Result<(), ModelError> {
        self.jacobians += 1;
        let x: Vec<_> = x.iter().zip(along_x).map(|(x, along)| Dual64::new(*x, *along)).collect();
        let mut dx = vec![Dual64::from_re(0.0); x.len()];
        self.problem.derivatives(Dual64::new(t, along_t), &x, &mut dx);
        ddx.iter_mut().zip(dx).for_each(|(ddx, dx)| *ddx = dx.eps);
        Ok(())
    }

    fn indicators(&mut self, t: f64, x: &[f64], z: &mut [f64]) -> Result<(), ModelError> {
        self.problem.indicators(t, x, z);
        Ok(())
    }

    fn indicator_rates(&mut self, t: f64, x: &[f64], dx: &[f64], rates: &mut [f64]) -> Result<(), ModelError> {
        let x: Vec<_> = x.iter().zip(dx).map(|(x, dx)| Dual64::new(*x, *dx)).collect();
        let mut z = vec![Dual64::from_re(0.0); rates.len()];
        self.problem.indicators(Dual64::new(t, 1.0), &x, &mut z);
        rates.iter_mut().zip(z).for_each(|(rate, z)| *rate = z.eps);
        Ok(())
    }

    fn event(&mut self, t: f64, x: &mut [f64]) -> Result<Option<f64>, ModelError> {
        self.events += 1;
        Ok(self.problem.event(t, x))
    }

    fn completed_step(&mut self, _: f64, _: &[f64]) -> Result<bool, ModelError> {
        Ok(false)
    }
}

/// x' = -x^2 cos t, nonlinear and with a time of its own: x = 1 / (1 + sin t); and a circle beside it.
struct Mixed;

impl Problem for Mixed {
    fn derivatives<T: Scalar>(&self, t: T, x: &[T], dx: &mut [T]) {
        dx[0] = -x[0] * x[0] * t.cos();
        dx[1] = x[2] * x[0] * (T::one() + t.sin());
        dx[2] = -x[1];
    }
}

fn mixed(t: f64) -> [f64; 3] {
    [1.0 / (1.0 + t.sin()), t.sin(), t.cos()]
}

fn distance(one: &[f64], other: &[f64]) -> f64 {
    one.iter().zip(other).map(|(one, other)| (one - other).abs()).fold(0.0, f64::max)
}

/// Returns the errors at the end of equal steps, of the states inside a step and of the estimate there.
fn errors(is_implicit: bool, steps: u32) -> [f64; 3] {
    let mut system = Counted::new(Mixed, &mixed(0.0), 0);
    let mut explicit = Explicit::new(3);
    let mut implicit = Rosenbrock::new(3);
    let mut dense = Dense::new(3);
    let mut x = mixed(0.0).to_vec();
    let [mut error, mut dx, mut inside] = [(); 3].map(|()| vec![0.0; 3]);
    let h = 1.5 / f64::from(steps);
    let [mut worst, mut estimate] = [0.0_f64; 2];
    for step in 0..steps {
        let t = f64::from(step) * h;
        system.derivatives(t, &x, &mut dx).unwrap();
        if is_implicit {
            implicit.linearise(&mut system, t, &x).unwrap();
            implicit.step(&mut system, (t, h), (&x, &dx), &mut dense, &mut error, &mut []).unwrap();
        } else {
            explicit.step(&mut system, (t, h), (&x, &dx), &mut dense, &mut error, (None, &mut [])).unwrap();
        }
        for theta in [0.1, 0.35, 0.5, 0.8] {
            dense.states(&x, theta, &mut inside);
            worst = worst.max(distance(&inside, &mixed(t + theta * h)));
        }
        estimate = estimate.max(distance(&error, &[0.0; 3]));
        x.copy_from_slice(&dense.end);
    }
    [distance(&x, &mixed(1.5)), worst, estimate]
}

#[test]
fn both_methods_have_order_5_and_dense_output_and_estimates_of_order_4() {
    for is_implicit in [false, true] {
        let [coarse, fine] = [40, 80].map(|steps| errors(is_implicit, steps));
        let orders: [f64; 3] = std::array::from_fn(|i| (coarse[i] / fine[i]).log2());
        // The errors of single steps count, which have one order more.
        assert!(orders.iter().all(|order| (4.7..5.3).contains(order)), "{is_implicit}: {orders:?}");
    }
}

#[test]
fn the_tolerance_is_kept() {
    for solver in [Solver::Explicit, Solver::Implicit] {
        for exponent in 3..=11 {
            let tolerance = 10.0_f64.powi(-exponent);
            let mut system = Counted::new(Mixed, &mixed(0.0), 0);
            let mut integrator = system.integrator(solver, tolerance);
            let error = distance(&system.run(&mut integrator, 1.5, 1).unwrap(), &mixed(1.5));
            assert!(error < 5.0 * tolerance, "{solver:?} {tolerance}: {error}");
            assert!(system.derivatives < 1000, "{solver:?} {tolerance}: {}", system.derivatives);
        }
    }
}

/// x'' = mu (1 - x^2) x' - x
struct VanDerPol(f64);

impl Problem for VanDerPol {
    fn derivatives<T: Scalar>(&self, _: T, x: &[T], dx: &mut [T]) {
        dx[0] = x[1];
        dx[1] = c::<T>(self.0) * (T::one() - x[0] * x[0]) * x[1] - x[0];
    }
}

#[test]
fn van_der_pol_with_mu_1000() {
    // The expected values come from another method with a tolerance of 1e-12: Radau IIA of order 5.
    let expected = [1.706_167_732_170_483, -0.892_809_701_024_797_5e-3];
    for (solver, tolerance, cost) in
        [(Solver::Auto, 1e-6, 5500), (Solver::Implicit, 1e-6, 8500), (Solver::Auto, 1e-10, 30_000)]
    {
        for steps in [1, 100] {
            let mut system = Counted::new(VanDerPol(1000.0), &[2.0, 0.0], 0);
            let mut integrator = system.integrator(solver, tolerance);
            let x = system.run(&mut integrator, 2000.0, steps).unwrap();
            assert!(distance(&x, &expected) < 2.0 * tolerance, "{solver:?} {tolerance}: {x:?}");
            let limit = cost + 20 * steps as usize;
            assert!(system.cost() < limit, "{solver:?} {tolerance} {steps}: {}", system.cost());
        }
    }
}

/// x' = -k (x - cos t) - sin t, whose solution from 1 is cos t.
struct StiffSpring(f64);

impl Problem for StiffSpring {
    fn derivatives<T: Scalar>(&self, t: T, x: &[T], dx: &mut [T]) {
        dx[0] = c::<T>(-self.0) * (x[0] - t.cos()) - t.sin();
    }
}

#[test]
fn a_stiff_spring_takes_no_more_steps_than_the_motion_that_it_follows() {
    for start in [1.0, 2.0] {
        for solver in [Solver::Auto, Solver::Implicit] {
            let mut system = Counted::new(StiffSpring(1e6), &[start], 0);
            let mut integrator = system.integrator(solver, 1e-6);
            let x = system.run(&mut integrator, 10.0, 1).unwrap();
            assert!((x[0] - 10.0_f64.cos()).abs() < 1e-7, "{start} {solver:?}: {x:?}");
            assert!(system.derivatives < 420, "{start} {solver:?}: {}", system.derivatives);
        }
    }
    let mut system = Counted::new(StiffSpring(1e6), &[2.0], 0);
    let mut integrator = system.integrator(Solver::Explicit, 1e-6);
    let refused = system.run(&mut integrator, 10.0, 1).unwrap_err();
    assert!(refused.to_string().contains("needs more than 100000 steps of the integrator"), "{refused}");
}

/// A stiff spring beside states at rest.
struct Beside(StiffSpring);

impl Problem for Beside {
    fn derivatives<T: Scalar>(&self, t: T, x: &[T], dx: &mut [T]) {
        self.0.derivatives(t, &x[..1], &mut dx[..1]);
        dx.iter_mut().zip(x).skip(1).for_each(|(dx, x)| *dx = -*x);
    }
}

fn start() -> [f64; 60] {
    std::array::from_fn(|i| f64::from(u8::from(i == 0)))
}

/// A Jacobian of 60 states costs as much as 30 explicit steps: with the stiffness 200, accuracy makes implicit steps shorter
/// than that pays for, whatever the communication step.
#[test]
fn implicit_steps_are_made_where_they_cost_less() {
    let cost = |solver, stiffness, end: f64, steps| {
        let mut system = Counted::new(Beside(StiffSpring(stiffness)), &start(), 0);
        let mut integrator = system.integrator(solver, 1e-6);
        let x = system.run(&mut integrator, end, steps).unwrap();
        assert!((x[0] - end.cos()).abs() < 1e-6, "{solver:?}: {x:?}");
        system.cost()
    };
    for (stiffness, end, steps, factor, [cheaper, other]) in [
        (2e3, 1.0, 200, 3, [Solver::Explicit, Solver::Implicit]),
        (2e2, 10.0, 10, 1, [Solver::Explicit, Solver::Implicit]),
        (2e3, 10.0, 10, 3, [Solver::Implicit, Solver::Explicit]),
    ] {
        let [chosen, best, worst] = [Solver::Auto, cheaper, other].map(|solver| cost(solver, stiffness, end, steps));
        assert!(5 * chosen < 8 * best, "{stiffness}, {steps} steps: {chosen}, {cheaper:?} {best}");
        assert!(factor * chosen < worst, "{stiffness}, {steps} steps: {chosen}, {other:?} {worst}");
    }
}

/// A mass on a stiff spring and a damper, beside states at rest: the eigenvalues are much smaller than the elements of the
/// Jacobian.
struct Mass;

impl Problem for Mass {
    fn derivatives<T: Scalar>(&self, t: T, x: &[T], dx: &mut [T]) {
        dx[0] = x[1];
        dx[1] = c::<T>(-1e6) * (x[0] - t.cos()) - c::<T>(5e3) * x[1];
        dx.iter_mut().zip(x).skip(2).for_each(|(dx, x)| *dx = -*x);
    }
}

#[test]
fn eigenvalues_are_bounded_closely() {
    // Those of the mass are -208.7 and -4791.3, of the others -1.
    let mut system = Counted::new(Mass, &start(), 0);
    let mut implicit = Rosenbrock::new(60);
    implicit.linearise(&mut system, 0.0, &start()).unwrap();
    let bound = implicit.spectral_bound(&[1.0; 60]);
    assert!((4791.2..5500.0).contains(&bound), "{bound}");
}

fn the_explicit_method_returns(problem: impl Problem) {
    let mut system = Counted::new(problem, &start(), 0);
    let mut integrator = system.integrator(Solver::Auto, 1e-6);
    system.run(&mut integrator, 10.0, 10).unwrap();
    assert!(integrator.progress.is_implicit);
    system.run(&mut integrator, 0.5, 100).unwrap();
    assert!(!integrator.progress.is_implicit);
}

#[test]
fn the_explicit_method_returns_where_long_steps_end() {
    the_explicit_method_returns(Beside(StiffSpring(2e3)));
    the_explicit_method_returns(Mass);
}

/// A ball that falls onto the floor.
struct Ball {
    bounce: f64,
    impacts: Vec<f64>,
}

impl Problem for Ball {
    fn derivatives<T: Scalar>(&self, _: T, x: &[T], dx: &mut [T]) {
        dx[0] = x[1];
        dx[1] = c(-10.0);
    }

    fn indicators<T: Scalar>(&self, _: T, x: &[T], z: &mut [T]) {
        z[0] = x[0];
    }

    fn event(&mut self, t: f64, x: &mut [f64]) -> Option<f64> {
        if x[0] <= 0.0 && x[1] < 0.0 {
            x[1] *= -self.bounce;
            self.impacts.push(t);
        }
        None
    }
}

/// Time at which the ball hits the floor that falls from 5 m and keeps 0.99 of its speed: 1 s, then after each flight.
fn impact(n: i32) -> f64 {
    1.0 + 2.0 * 0.99 * (1.0 - 0.99_f64.powi(n)) / (1.0 - 0.99)
}

#[test]
fn a_ball_hits_the_floor_a_thousand_times() {
    for steps in [1, 7, 1000] {
        let mut system = Counted::new(Ball { bounce: 0.99, impacts: Vec::new() }, &[5.0, 0.0], 1);
        let mut integrator = system.integrator(Solver::Auto, 1e-6);
        system.run(&mut integrator, 0.5 * (impact(999) + impact(1000)), steps).unwrap();
        let impacts = &system.problem.impacts;
        assert_eq!(impacts.len(), 1000);
        let worst = (0..).zip(impacts).map(|(n, t)| (t - impact(n)).abs()).fold(0.0, f64::max);
        assert!(worst < 1e-7, "{steps}: {worst}");
        assert!(system.derivatives < 25_000, "{steps}: {}", system.derivatives);
    }
}

#[test]
fn events_that_become_infinitely_frequent_are_refused() {
    let mut system = Counted::new(Ball { bounce: 0.5, impacts: Vec::new() }, &[5.0, 0.0], 1);
    let mut integrator = system.integrator(Solver::Auto, 1e-6);
    let refused = system.run(&mut integrator, 10.0, 1).unwrap_err().to_string();
    assert!(
        refused.starts_with("the events at 2.99999999") && refused.ends_with("become infinitely frequent"),
        "{refused}"
    );
}

/// A clock that is wound up at time events, and a state that the fast oscillation of another one drives.
struct Clock(f64);

impl Problem for Clock {
    fn derivatives<T: Scalar>(&self, _: T, _: &[T], dx: &mut [T]) {
        dx[0] = -T::one();
    }

    fn event(&mut self, t: f64, x: &mut [f64]) -> Option<f64> {
        if t >= self.0 {
            x[0] += 1.0;
            self.0 += 0.1;
        }
        Some(self.0)
    }
}

#[test]
fn time_events_are_met_exactly() {
    for steps in [1, 3, 100] {
        let mut system = Counted::new(Clock(0.1), &[0.0], 0);
        let mut integrator = system.integrator(Solver::Auto, 1e-6);
        let x = system.run(&mut integrator, 1.05, steps).unwrap();
        assert!((x[0] - 8.95).abs() < 1e-12, "{steps}: {x:?}");
    }
}

/// Times are rounded: the caller may have an input to set there first.
#[test]
fn a_time_event_at_the_end_but_for_rounding_is_left_to_the_caller() {
    let mut system = Counted::new(Clock(1.0 - 1e-12), &[0.0], 0);
    let mut integrator = system.integrator(Solver::Auto, 1e-6);
    integrator.event(&mut system, 0.0).unwrap();
    assert!(integrator.proceed(&mut system, 0.0, 1.0).unwrap().is_event);
    assert!((integrator.states()[0] + 1.0).abs() < 1e-12, "{:?}", integrator.states());
}

/// A state that dips below zero between two points above.
struct Dip(Vec<f64>);

impl Problem for Dip {
    fn derivatives<T: Scalar>(&self, t: T, _: &[T], dx: &mut [T]) {
        dx[0] = c::<T>(2.0) * (t - c::<T>(0.5));
    }

    fn indicators<T: Scalar>(&self, _: T, x: &[T], z: &mut [T]) {
        z[0] = x[0];
    }

    fn event(&mut self, t: f64, _: &mut [f64]) -> Option<f64> {
        self.0.push(t);
        None
    }
}

#[test]
fn two_changes_inside_a_step_are_seen() {
    // x = (t - 1/2)^2 - 1/16 is negative from 1/4 to 3/4.
    let mut system = Counted::new(Dip(Vec::new()), &[0.1875], 1);
    let mut integrator = system.integrator(Solver::Auto, 1e-2);
    system.run(&mut integrator, 1.0, 1).unwrap();
    assert_eq!(system.problem.0.len(), 3);
    assert!(distance(&system.problem.0, &[0.0, 0.25, 0.75]) < 1e-14, "{:?}", system.problem.0);
}

/// An oscillator of 1 rad/s.
struct Oscillator;

impl Problem for Oscillator {
    fn derivatives<T: Scalar>(&self, _: T, x: &[T], dx: &mut [T]) {
        dx[0] = x[1];
        dx[1] = -x[0];
    }
}

#[test]
fn energy_and_phase_stay_within_the_tolerance_per_radian() {
    for steps in [1, 10, 1000] {
        let mut system = Counted::new(Oscillator, &[1.0, 0.0], 0);
        let mut integrator = system.integrator(Solver::Auto, 1e-6);
        let x = system.run(&mut integrator, 100.0, steps).unwrap();
        assert!(distance(&x, &[100.0_f64.cos(), -100.0_f64.sin()]) < 1e-4, "{steps}: {x:?}");
        assert!((x[0].hypot(x[1]) - 1.0).abs() < 5e-5, "{steps}: {x:?}");
    }
}

/// x' = 1, which cannot be computed from x = 1 on.
struct Wall;

impl Problem for Wall {
    fn derivatives<T: Scalar>(&self, _: T, x: &[T], dx: &mut [T]) {
        dx[0] = if x[0] < T::one() { T::one() } else { c(f64::NAN) };
    }
}

#[test]
fn where_nothing_can_be_computed_the_reason_is_told() {
    for solver in [Solver::Explicit, Solver::Implicit] {
        let mut system = Counted::new(Wall, &[0.0], 0);
        let mut integrator = system.integrator(solver, 1e-6);
        let refused = system.run(&mut integrator, 2.0, 1).unwrap_err().to_string();
        assert!(refused.starts_with("the states change too fast at "), "{refused}");
        assert!(system.derivatives < 2000, "{}", system.derivatives);
    }
}

#[test]
fn linear_equations_are_solved_with_pivots() {
    let matrix = [[0.0, 2.0, 1.0], [1.0, 0.0, 3.0], [4.0, 1.0, 0.0]];
    let mut factors = Factors::new(3);
    assert!(factors.factorise(|i, j| matrix[i][j]));
    let mut b = matrix.map(|row| row[0] - 2.0 * row[1] + 3.0 * row[2]);
    factors.solve(&mut b);
    assert!(distance(&b, &[1.0, -2.0, 3.0]) < 1e-14, "{b:?}");
    assert!(!factors.factorise(|i, j| (i + j) as f64 * f64::from(i < 2)));
}

/// x' = 2 sqrt(1 - x), which comes to 1, beyond which the equations have no solution, where t is 1: 1 - x = (1 - t)^2. There it
/// creeps on.
struct Creep(usize);

impl System for Creep {
    fn derivatives(&mut self, t: f64, x: &[f64], dx: &mut [f64]) -> Result<(), ModelError> {
        self.0 += 1;
        if x[0] > 1.0 {
            return Err(ModelError::singular(format!("the end is reached, at {t} s")));
        }
        dx[0] = 2.0 * (1.0 - x[0]).sqrt() + 1e-9;
        Ok(())
    }

    fn directional_derivatives(
        &mut self,
        _: f64,
        _: &[f64],
        _: f64,
        _: &[f64],
        ddx: &mut [f64],
    ) -> Result<(), ModelError> {
        ddx.fill(0.0);
        Ok(())
    }

    fn indicators(&mut self, _: f64, _: &[f64], _: &mut [f64]) -> Result<(), ModelError> {
        Ok(())
    }

    fn indicator_rates(&mut self, _: f64, _: &[f64], _: &[f64], _: &mut [f64]) -> Result<(), ModelError> {
        Ok(())
    }

    fn event(&mut self, _: f64, _: &mut [f64]) -> Result<Option<f64>, ModelError> {
        Ok(None)
    }

    fn completed_step(&mut self, _: f64, _: &[f64]) -> Result<bool, ModelError> {
        Ok(false)
    }
}

#[test]
fn where_nothing_goes_on_the_last_refusal_is_said() {
    for solver in [Solver::Explicit, Solver::Implicit] {
        let (mut system, mut integrator) = (Creep(0), Integrator::new(vec![1.0], 0, solver));
        let refused = integrator.advance(&mut system, &mut [0.0], 0.0, 3.0).unwrap_err().to_string();
        let time = refused.strip_prefix("the end is reached, at ").and_then(|rest| rest.strip_suffix(" s"));
        let time: f64 = time.expect(&refused).parse().unwrap();
        assert!((time - 1.0).abs() < 1e-3, "{refused}");
        assert!(system.0 < 20_000, "{}", system.0);
    }
}
