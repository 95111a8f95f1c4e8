//! The example of two FMUs in an algebraic loop: convergence rate and result.

#[path = "../../examples/algebraic_loops/crank.rs"]
mod crank;
#[path = "../../examples/algebraic_loops/master.rs"]
mod master;
mod monolithic;
#[path = "../../examples/algebraic_loops/part.rs"]
mod part;
#[path = "../../examples/algebraic_loops/picture.rs"]
mod picture;

use std::f64::consts::TAU;
use std::path::PathBuf;

use fmu_builder::Destination;
use fmu_importer::plot;
use fmu_tests::finished::{archive, root};

use master::{Method, Point, STEP, STOP};

fn run(method: Method, h: f64, stop: f64) -> Vec<Point> {
    let files: [PathBuf; 2] = ["brake", "joint-ssr"].map(archive);
    master::run([&files[0], &files[1]], method, h, stop).unwrap()
}

#[test]
fn newton_needs_two_iterations_where_gauss_seidel_needs_many_or_fails() {
    let (newton, gauss_seidel) = (run(Method::Newton, STEP, STOP), run(Method::GaussSeidel, STEP, STOP));
    assert_eq!(newton.len(), 301);
    assert!(newton.last().unwrap().motion[0] - newton[0].motion[0] > TAU, "less than a turn");
    assert!(newton.iter().any(|point| point.ratio > 1.2));
    let most = |points: &[Point]| points.iter().map(|point| point.iterations).max().unwrap();
    assert!(most(&newton) <= 4, "{}", most(&newton));
    // The error shrinks by the ratio in each iteration, either by nine digits or more before the limit, or not.
    let factor = |point: &Point| point.ratio.powi(point.iterations as i32);
    for (point, other) in gauss_seidel.iter().zip(&newton) {
        assert!((1e-14..1e-8).contains(&factor(point)), "{point:?}");
        assert!((point.torque - other.torque).abs() < 1e-7 && (point.motion[1] - other.motion[1]).abs() < 1e-9);
    }
    assert!(most(&gauss_seidel) > 100);
    let failed = &newton[gauss_seidel.len()];
    assert!(failed.ratio > 0.87, "{failed:?}");
    assert!(failed.time < 0.06, "{failed:?}");
}

/// The torque is piecewise linear, which is second-order accurate.
#[test]
fn the_loop_closes_at_the_solution_of_lagrange_s_equation() {
    let steps = [8e-3, 4e-3, 2e-3];
    let errors = steps.map(|h| {
        let points = run(Method::Newton, h, STOP);
        let exact = monolithic::motions(h, points.len() - 1);
        let error = |(point, [phi, w]): (&Point, &[f64; 2])| [point.motion[0] - phi, (point.motion[1] - w) / 10.0];
        points.iter().zip(&exact).map(error).collect::<Vec<_>>()
    });
    let largest = errors.each_ref().map(|errors| errors.iter().flatten().fold(0.0_f64, |most, e| most.max(e.abs())));
    println!("{largest:?}");
    assert!(largest[2] < 3e-4, "{largest:?}");
    assert!(largest.windows(2).all(|pair| (3.8..4.2).contains(&(pair[0] / pair[1]))), "{largest:?}");
    // Without that second-order error, the error is almost zero.
    let [coarse, fine] = [1, 2].map(|i| errors[i].last().unwrap());
    let left = [0, 1].map(|i| ((4.0 * fine[i] - coarse[i]) / 3.0).abs());
    assert!(left[0].max(left[1]) < 2e-6, "{left:?}");
}

/// The plot is made by `cargo run -p fmu-tests --example algebraic_loops -- docs/algebraic-loops.svg`.
#[test]
fn the_plot_in_the_documentation_is_that_of_the_example() {
    let [newton, gauss_seidel] = [Method::Newton, Method::GaussSeidel].map(|method| run(method, STEP, STOP));
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("plot.svg");
    let curves = picture::CURVES.map(str::to_owned);
    let trajectory = picture::trajectory(&newton, &gauss_seidel);
    plot::save(&trajectory, picture::TITLE, &curves, &Destination::new(&file).unwrap()).unwrap();
    let [drawn, kept] =
        [file, root().join("docs/algebraic-loops.svg")].map(|path| fs_err::read_to_string(path).unwrap());
    assert!(drawn == kept, "docs/algebraic-loops.svg is another plot");
    let page = fs_err::read_to_string(root().join("docs/algebraic-loops.md")).unwrap();
    assert!(page.contains("](algebraic-loops.svg)"));
}
