//! The published moving cases: the loop around an assembly is closed in Model Exchange.
//!
//! At each evaluation the accelerations of the driving joint follow from the balance there, which is
//! linear in them: it is evaluated at trial accelerations.

use std::io::Write;
use std::path::PathBuf;

use fmu_tests::api::Status;
use fmu_tests::finished::{Fmu, root};
use mechanics::frame::Load;
use mechanics::motion::{Coordinate, Motion, RelativeRotation};
use nalgebra::{DMatrix, DVector, Vector3};

use crate::bodies::{Body, G};
use crate::drive::{Assembly, V};

/// Returns the signals of a case by columns; `None`, with a message, if the data are missing.
pub fn published(case: &str) -> Option<(Vec<String>, Vec<Vec<f64>>)> {
    let name = case.rsplit('/').next().unwrap();
    let path: PathBuf = root().parent().unwrap().join("shared/reference").join(case).join(format!("{name}.csv"));
    let Ok(mut reader) = csv::Reader::from_path(&path) else {
        let _ = writeln!(std::io::stderr(), "skipped: there is no {}", path.display());
        return None;
    };
    let names: Vec<String> = reader.headers().unwrap().iter().map(str::to_owned).collect();
    let mut columns = vec![Vec::new(); names.len()];
    for record in reader.records() {
        for (column, value) in columns.iter_mut().zip(&record.unwrap()) {
            column.push(value.parse().unwrap());
        }
    }
    Some((names, columns))
}

/// A mechanism around an assembly, with the coordinates `q` of the driving joints.
trait Mechanism {
    /// Moves the outer frames, loads the inner ones, and returns the residual of the balance of the
    /// driving joints.
    fn residual(&self, assembly: &Assembly<'_>, q: &[f64], v: &[f64], a: &[f64]) -> Vec<f64>;

    /// Returns the accelerations for which the residual is zero.
    fn accelerations(&self, assembly: &Assembly<'_>, q: &[f64], v: &[f64]) -> Vec<f64> {
        let n = q.len();
        let at_zero = DVector::from_vec(self.residual(assembly, q, v, &vec![0.0; n]));
        let columns: Vec<_> = (0..n)
            .map(|i| {
                let mut trial = vec![0.0; n];
                trial[i] = 1.0;
                DVector::from_vec(self.residual(assembly, q, v, &trial)) - &at_zero
            })
            .collect();
        let solution = DMatrix::from_columns(&columns).lu().solve(&-at_zero).expect("a regular mass matrix");
        solution.as_slice().to_vec()
    }
}

/// Integrates over the published times with a Runge-Kutta method and compares coordinates and
/// velocities, relative to the range of each signal.
fn compare(component: &str, settings: &[&str], case: &str, mechanism: &impl Mechanism, start: (Vec<f64>, Vec<f64>)) {
    let Some((names, columns)) = published(case) else { return };
    let fmu = Fmu::new(component, settings);
    let assembly = Assembly::new(fmu.model_exchange());
    let fmi = &assembly.instance.fmi;
    let n = start.0.len();
    let mut state: Vec<f64> = [start.0, start.1].concat();
    // The balance needs no accelerations to have a position at the start.
    assert_eq!(fmi.setup_experiment(None, 0.0, None), Status::Ok);
    assert_eq!(fmi.enter_initialization_mode(), Status::Ok);
    mechanism.residual(&assembly, &state[..n], &state[n..], &vec![0.0; n]);
    assert_eq!(fmi.exit_initialization_mode(), Status::Ok);
    assert_eq!(fmi.enter_continuous_time_mode(), Status::Ok);

    let slope = |time: f64, x: &[f64]| {
        assert_eq!(fmi.set_time(time), Status::Ok);
        [x[n..].to_vec(), mechanism.accelerations(&assembly, &x[..n], &x[n..])].concat()
    };
    let moved = |x: &[f64], rate: &[f64], h: f64| -> Vec<f64> { x.iter().zip(rate).map(|(x, r)| x + r * h).collect() };
    let mut errors = vec![0.0_f64; 2 * n];
    let mut time = columns[0][0];
    // Every second row is enough: the method is more accurate than the data all the same.
    for row in (0..columns[0].len()).step_by(2) {
        let h = columns[0][row] - time;
        if h > 0.0 {
            let first = slope(time, &state);
            let second = slope(time + h / 2.0, &moved(&state, &first, h / 2.0));
            let third = slope(time + h / 2.0, &moved(&state, &second, h / 2.0));
            let fourth = slope(time + h, &moved(&state, &third, h));
            for i in 0..2 * n {
                state[i] += h / 6.0 * (first[i] + 2.0 * second[i] + 2.0 * third[i] + fourth[i]);
            }
            time = columns[0][row];
            assert_eq!(fmi.completed_integrator_step().0, Status::Ok);
        }
        for i in 0..2 * n {
            errors[i] = errors[i].max((state[i] - columns[i + 1][row]).abs());
        }
    }
    for i in 0..2 * n {
        let (low, high) =
            columns[i + 1].iter().fold((f64::MAX, f64::MIN), |(low, high), value| (low.min(*value), high.max(*value)));
        let error = errors[i] / (high - low);
        println!("{case}: {} within {error:.1e} of its range", names[i + 1]);
        assert!(error < 1e-4, "{case}: {} is off by {error:e} of its range", names[i + 1]);
    }
}

fn coordinate(q: f64, v: f64, a: f64) -> Coordinate<f64> {
    Coordinate { x: q, v, a }
}

fn turned(frame: &Motion<f64>, e: V, q: f64, v: f64, a: f64) -> Motion<f64> {
    let (sin, cos) = q.sin_cos();
    frame.turned(&RelativeRotation::about(&e, [sin, cos], v, a))
}

/// Returns the torque of a load at a frame about a point, in the world frame.
fn torque_about(point: V, frame: &Motion<f64>, load: &Load<f64>) -> V {
    let f = frame.T.transpose() * load.f;
    frame.T.transpose() * load.t + (frame.r_0 - point).cross(&f)
}

const NO_LOAD: Load<f64> = Load { f: Vector3::new(0.0, 0.0, 0.0), t: Vector3::new(0.0, 0.0, 0.0) };

/// A crank about x, JointUSP to a slider with a damper.
struct CrankUsp {
    crank: Body,
    rod1: Body,
    rod2: Body,
}

impl Mechanism for CrankUsp {
    fn residual(&self, assembly: &Assembly<'_>, q: &[f64], v: &[f64], a: &[f64]) -> Vec<f64> {
        let crank = turned(&Motion::at_rest(V::zeros()), V::x(), q[0], v[0], a[0]);
        let frame_a = crank.translated(&V::new(0.0, 0.5, 0.1));
        assembly.set_motion("frame_a", &frame_a);
        assembly.set_motion("frame_b", &Motion::at_rest(V::new(1.2, 0.0, 0.0)));
        assembly.set_load("frame_im", &NO_LOAD);
        assembly.set_load("frame_ia", &self.rod1.load(&assembly.motion("frame_ia")));
        assembly.set_load("frame_ib", &self.rod2.load(&assembly.motion("frame_ib")));
        assembly.set("axis.f", &[-50.0 * assembly.number("axis.v")]);
        let own = torque_about(V::zeros(), &crank, &self.crank.load(&crank));
        let from_assembly = torque_about(V::zeros(), &frame_a, &assembly.load("frame_a"));
        vec![(own - from_assembly).x]
    }
}

#[test]
fn four_bar_with_joint_usp_is_as_published() {
    let mechanism = CrankUsp {
        crank: Body::cylinder(V::new(0.0, 0.5, 0.1), 0.05),
        rod1: Body::cylinder(V::new(1.0, -0.3, 0.1), 0.05),
        rod2: Body::cylinder(V::new(0.0, 0.2, 0.0), 0.05),
    };
    let settings = ["n1_a=[0,0,-1]", "n_b=[-1,0,0]", "rRod1_ia=[1,-0.3,0.1]", "rRod2_ib=[0,0.2,0]"];
    let start = (vec![0.0], vec![5.235987755982989]);
    compare("joint-usp", &settings, "FourbarVariants/JointUSP", &mechanism, start);
}

/// A slider along x, JointSSR to a lever with a damper.
struct SliderSsr {
    slider: Body,
    lever: Body,
    tip: Body,
}

impl Mechanism for SliderSsr {
    fn residual(&self, assembly: &Assembly<'_>, q: &[f64], v: &[f64], a: &[f64]) -> Vec<f64> {
        let slider = Motion::at_rest(V::x()).slid(&V::x(), &coordinate(q[0], v[0], a[0]));
        let frame_a = slider.translated(&V::new(0.0, 0.2, 0.0));
        assembly.set_motion("frame_a", &frame_a);
        assembly.set_motion("frame_b", &Motion::at_rest(V::zeros()));
        assembly.set_load("frame_ib", &self.lever.load(&assembly.motion("frame_ib")));
        assembly.set_load("frame_im", &self.tip.load(&assembly.motion("frame_im")));
        assembly.set("axis.tau", &[-0.5 * assembly.number("axis.w")]);
        let own = self.slider.load(&slider).f;
        vec![own.x - assembly.vector("frame_a.f").x]
    }
}

#[test]
fn four_bar_with_joint_ssr_is_as_published() {
    let mechanism = SliderSsr {
        slider: Body::cylinder(V::new(0.0, 0.2, 0.0), 0.05),
        lever: Body::point(0.1, V::new(0.0, 0.25, 0.05)),
        tip: Body::point(0.1, V::zeros()),
    };
    let length = format!("rod1Length={}", V::new(-1.0, 0.3, 0.1).norm());
    let settings = ["n_b=[1,0,0]", "rRod2_ib=[0,0.5,0.1]", &length, "rod1Mass=0.1"];
    compare("joint-ssr", &settings, "FourbarVariants/JointSSR", &mechanism, (vec![0.0], vec![-0.2]));
}

/// A bar on a universal joint, carried by a telescope with a spring and a mass.
struct BarUps {
    bar: Body,
    mass: Body,
}

impl Mechanism for BarUps {
    fn residual(&self, assembly: &Assembly<'_>, q: &[f64], v: &[f64], a: &[f64]) -> Vec<f64> {
        let centre = V::new(2.0, 0.0, 0.0);
        let fork = turned(&Motion::at_rest(centre), V::z(), q[0], v[0], a[0]);
        let bar = turned(&fork, V::y(), q[1], v[1], a[1]);
        let frame_b = bar.translated(&V::new(-1.4141, 0.0, 0.0));
        assembly.set_motion("frame_a", &Motion::at_rest(V::zeros()));
        assembly.set_motion("frame_b", &frame_b);
        assembly.set_load("frame_ib", &self.mass.load(&assembly.motion("frame_ib")));
        assembly.set("axis.f", &[-10.0 * (assembly.number("axis.s") - 0.5)]);
        let own = torque_about(centre, &bar, &self.bar.load(&bar));
        let total = own - torque_about(centre, &frame_b, &assembly.load("frame_b"));
        vec![total.z, (bar.T * total).y]
    }
}

#[test]
fn bar_with_joint_ups_is_as_published() {
    let mechanism = BarUps { bar: Body::bar(V::new(-1.4141, 0.0, 0.0)), mass: Body::point(10.0, V::zeros()) };
    compare("joint-ups", &[], "Joints/JointUPS2", &mechanism, (vec![0.0; 2], vec![2.0; 2]));
}

#[test]
fn weight_acts_along_minus_y() {
    let body = Body::cylinder(V::x(), 0.05);
    assert_eq!(body.load(&Motion::at_rest(V::zeros())).f, G * body.m);
}
