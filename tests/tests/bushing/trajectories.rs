//! Simulations by two importers, compared with direct calls of the equations.

use std::path::Path;

use fmu_importer::{Simulation, Trajectory};
use mechanics::compliance::{MomentRule, force, loss_power, moment};
use mechanics::euler::Sequence;
use mechanics::frame::{Frame, Relative};
use mechanics::rotation::nearest;
use nalgebra::{Matrix3, Vector3};

use crate::fixture::{archive, root};

pub const ROAD_LOAD: &str = "models/bushing/reference/road_load.csv";

/// Returns the rows of the road-load cycle: time, r_0, v_0, R.T by rows, R.w of frame_b.
fn road_load() -> Vec<(f64, Frame<f64>)> {
    let mut reader = csv::Reader::from_path(root().join(ROAD_LOAD)).unwrap();
    let names: Vec<String> = reader.headers().unwrap().iter().map(str::to_owned).collect();
    let column = |name: String| names.iter().position(|known| *known == name).unwrap_or_else(|| panic!("no {name}"));
    let vector = |name: &str| [1, 2, 3].map(|i| column(format!("frame_b.{name}[{i}]")));
    let matrix = [1, 2, 3].map(|i| [1, 2, 3].map(|j| column(format!("frame_b.R.T[{i},{j}]"))));
    let (r, v, w) = (vector("r_0"), vector("v_0"), vector("R.w"));
    reader
        .records()
        .map(|record| {
            let record = record.unwrap();
            let at = |column: usize| record[column].parse::<f64>().unwrap();
            let frame = Frame {
                r_0: Vector3::from(r.map(at)),
                T: Matrix3::from_fn(|i, j| at(matrix[i][j])),
                v_0: Vector3::from(v.map(at)),
                w: Vector3::from(w.map(at)),
            };
            (at(0), frame)
        })
        .collect()
}

/// Returns frame_a.f, frame_a.t, frame_b.f, frame_b.t and lossPower with the default parameters.
fn equations(b: &Frame<f64>) -> Vec<f64> {
    let a = Frame { r_0: Vector3::zeros(), T: Matrix3::identity(), v_0: Vector3::zeros(), w: Vector3::zeros() };
    let b = Frame { T: nearest(&b.T).unwrap(), ..*b };
    let relative = Relative::new(&a, &b);
    let (ts, td) = (Vector3::new(4.5e6, 4.5e6, 8.0e5), Vector3::repeat(1.0e4));
    let (rs, rd) = (Vector3::new(2.6e3, 2.6e3, 1.0e2), Vector3::new(26.0, 26.0, 5.0));
    let sequence = Sequence::new([1, 2, 3]).unwrap();
    let angles = sequence.angles(&relative.T, 0.0);
    let zero = Vector3::zeros();
    let f = force(&relative, &ts, &td, &zero);
    let m = moment(&relative, sequence, &angles, MomentRule::Literal, &rs, &rd, &zero);
    let (load_a, load_b) = relative.cut_loads(&f, &m);
    let vectors = [load_a.f, load_a.t, load_b.f, load_b.t];
    let mut values: Vec<f64> = vectors.iter().flat_map(|vector| vector.iter().copied()).collect();
    values.push(loss_power(&relative, &td, &rd));
    values
}

pub fn outputs() -> Vec<String> {
    let vectors = ["frame_a.f", "frame_a.t", "frame_b.f", "frame_b.t"];
    let elements = vectors.iter().flat_map(|name| (1..=3).map(move |i| format!("{name}[{i}]")));
    elements.chain(["lossPower".to_owned()]).collect()
}

/// Compares with 1e-12 of each output's largest magnitude.
fn assert_same(name: &str, computed: &[f64], expected: &[f64]) {
    assert_eq!(computed.len(), expected.len(), "{name}");
    let size = expected.iter().fold(0.0_f64, |size, value| size.max(value.abs()));
    assert!(size > 0.0, "{name} is nothing but zero");
    for (row, (computed, expected)) in computed.iter().zip(expected).enumerate() {
        assert!((computed - expected).abs() <= 1e-12 * size, "{name}, row {row}: {computed:?} is not {expected:?}");
    }
}

#[test]
fn rule_13_15_the_fmi_importer_gives_the_loads_of_the_equations() {
    let mut simulation = Simulation::load(archive()).unwrap();
    simulation.read_inputs(root().join(ROAD_LOAD)).unwrap();
    simulation.step = 1e-3;
    simulation.stop = 10.0;
    let trajectory: Trajectory = simulation.run().unwrap();
    let rows = road_load();
    assert_eq!(trajectory.time.len(), rows.len());
    let expected: Vec<Vec<f64>> = rows.iter().map(|(_, frame)| equations(frame)).collect();
    for (i, name) in outputs().iter().enumerate() {
        let expected: Vec<f64> = expected.iter().map(|row| row[i]).collect();
        assert_same(name, trajectory.column(name).unwrap(), &expected);
    }
}

/// FMPy sets the inputs at the start of a step, and records the outputs at its end.
#[test]
fn rule_13_15_fmpy_gives_the_loads_of_the_equations_in_co_simulation() {
    let Some(columns) = fmpy(&archive(), "CoSimulation") else { return };
    let rows = road_load();
    let steps = columns[0].len() - 1;
    assert_eq!(steps, 2000);
    let expected: Vec<Vec<f64>> = rows[..steps].iter().map(|(_, frame)| equations(frame)).collect();
    for (i, name) in outputs().iter().enumerate() {
        let expected: Vec<f64> = expected.iter().map(|row| row[i]).collect();
        assert_same(name, &columns[i + 1][1..], &expected);
    }
}

/// In Model Exchange FMPy takes no steps here, since there are no states: it evaluates at the times of
/// the output, with the inputs at these times.
#[test]
fn rule_13_15_fmpy_gives_the_loads_of_the_equations_in_model_exchange() {
    let Some(columns) = fmpy(&archive(), "ModelExchange") else { return };
    let rows = road_load();
    for (row, time) in columns[0].iter().enumerate().skip(1) {
        let position = (time * 1000.0).round() as usize;
        assert!((rows[position].0 - time).abs() < 1e-9, "{time} is no row of the cycle");
        let expected = equations(&rows[position].1);
        for (i, name) in outputs().iter().enumerate() {
            let (computed, expected) = (columns[i + 1][row], expected[i]);
            assert!(
                (computed - expected).abs() <= 1e-8 * (1.0 + expected.abs()),
                "{name} at {time}: {computed} is not {expected}"
            );
        }
    }
}

/// Returns time and outputs from FMPy over the first two seconds; `None`, with a message, if it is missing.
pub fn fmpy(fmu: &Path, interface: &str) -> Option<Vec<Vec<f64>>> {
    fmu_tests::fmpy::simulate(fmu, interface, ROAD_LOAD, [1e-3, 2.0], &outputs())
}
