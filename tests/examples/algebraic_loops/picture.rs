//! Both methods in one plot.

use fmu_importer::Trajectory;

use crate::master::Point;

/// Returns the runs of Newton and, as far as it gets, of Gauss-Seidel, over the times of the first.
pub fn trajectory(newton: &[Point], gauss_seidel: &[Point]) -> Trajectory {
    let mut trajectory = Trajectory { time: newton.iter().map(|point| point.time).collect(), ..Trajectory::default() };
    let mut add = |name: &str, unit: Option<&str>, discrete: bool, values: Vec<f64>| {
        trajectory.add(name, unit.map(str::to_owned), discrete);
        *trajectory.columns.last_mut().expect("a column") = values;
    };
    let of = |points: &[Point], value: fn(&Point) -> f64| -> Vec<f64> {
        let missing = newton.len() - points.len();
        points.iter().map(value).chain(std::iter::repeat_n(f64::NAN, missing)).collect()
    };
    add("Gauss-Seidel", Some("iterations"), true, of(gauss_seidel, |point| point.iterations as f64));
    add("Newton", Some("iterations"), true, of(newton, |point| point.iterations as f64));
    add("inertia ratio", Some("1"), false, of(newton, |point| point.ratio));
    add("flange_b.w", Some("rad/s"), false, of(newton, |point| point.motion[1]));
    add("flange_b.tau", Some("N.m"), false, of(newton, |point| point.torque));
    trajectory
}

/// The plot's title.
pub const TITLE: &str = "Brake and JointSSR in an algebraic loop";

/// The curves from top to bottom.
pub const CURVES: [&str; 5] = ["Gauss-Seidel", "Newton", "inertia ratio", "flange_b.w", "flange_b.tau"];
