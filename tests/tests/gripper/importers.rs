//! Simulations by two importers, compared with direct calls of the equations.

use fmu_importer::Simulation;
use fmu_tests::finished::{Fmu, root};
use fmu_tests::fmpy::simulate;
use mechanics::frame::{Frame, Relative};
use mechanics::rotation::nearest;
use nalgebra::{Matrix3, Vector3};

use crate::fixture::{DEFAULTS, Data, LOADS};
use crate::schedule::Schedule;

const CYCLE: &str = "models/gripper/reference/pick_and_place.csv";
const SETTINGS: [&str; 2] = ["useMoment=true", "useInPlace=true"];
const DATA: Data = Data { use_moment: true, use_in_place: true, ..DEFAULTS };

/// A row of the cycle.
struct Moment {
    time: f64,
    a: Frame<f64>,
    b: Frame<f64>,
}

fn cycle() -> (Vec<Moment>, Schedule) {
    let mut reader = csv::Reader::from_path(root().join(CYCLE)).unwrap();
    let names: Vec<String> = reader.headers().unwrap().iter().map(str::to_owned).collect();
    let records: Vec<csv::StringRecord> = reader.records().map(Result::unwrap).collect();
    let find = |name: &str| names.iter().position(|known| known == name);
    let frame = |record: &csv::StringRecord, frame: &str| {
        let vector = |name: &str| {
            [1, 2, 3]
                .map(|i| find(&format!("{frame}.{name}[{i}]")).map_or(0.0, |column| record[column].parse().unwrap()))
        };
        let element = |i, j| match find(&format!("{frame}.R.T[{},{}]", i + 1, j + 1)) {
            Some(column) => record[column].parse().unwrap(),
            None => f64::from(i == j),
        };
        let rotation = nearest(&Matrix3::from_fn(element)).unwrap();
        Frame { r_0: vector("r_0").into(), T: rotation, v_0: vector("v_0").into(), w: vector("R.w").into() }
    };
    let active = find("active").unwrap();
    let changes = records.windows(2).filter(|pair| pair[0][active] != pair[1][active]);
    let changes = changes.map(|pair| pair[1][0].parse().unwrap()).collect();
    let row = |record: &csv::StringRecord| Moment {
        time: record[0].parse().unwrap(),
        a: frame(record, "frame_a"),
        b: frame(record, "frame_b"),
    };
    (records.iter().map(row).collect(), Schedule { ramp: 0.1, active: &records[0][active] == "true", changes })
}

/// Returns the loads with the state of one time and the motion of another row.
fn equations(cycle: &(Vec<Moment>, Schedule), time: f64, row: usize) -> Vec<f64> {
    let (rows, schedule) = cycle;
    let relative = |moment: &Moment| Relative::new(&moment.a, &moment.b);
    let captured = schedule.captured_at(time);
    let captured = rows.iter().find(|moment| moment.time >= captured).unwrap();
    DATA.loads(schedule.at(time).1, &relative(&rows[row]), &relative(captured))
}

fn outputs() -> Vec<String> {
    let elements = |(name, count): (&str, usize)| match count {
        1 => vec![name.to_owned()],
        _ => (1..=count).map(|i| format!("{name}[{i}]")).collect(),
    };
    LOADS.into_iter().flat_map(elements).collect()
}

/// Compares columns to 2e-9 N, N.m or W.
fn assert_same(names: &[String], found: &[Vec<f64>], expected: &[Vec<f64>]) {
    for (column, name) in names.iter().enumerate() {
        for (row, expected) in expected.iter().enumerate() {
            let (found, expected) = (found[column][row], expected[column]);
            // Positions of up to 0.7 m are differences of numbers rounded to 1e-16 m, at 1e6 N/m.
            assert!((found - expected).abs() < 2e-9, "{name}, row {row}: {found} is not {expected}");
        }
    }
}

#[test]
fn rule_13_15_the_fmi_importer_gives_the_loads_of_the_equations() {
    let fmu = Fmu::new("gripper", &SETTINGS);
    let mut simulation = Simulation::load(&fmu.file).unwrap();
    simulation.read_inputs(root().join(CYCLE)).unwrap();
    simulation.step = 2e-3;
    let trajectory = simulation.run().unwrap();
    let cycle = cycle();
    assert_eq!(trajectory.time.len(), cycle.0.len());
    let expected: Vec<_> = (0..cycle.0.len()).map(|row| equations(&cycle, cycle.0[row].time, row)).collect();
    let found: Vec<_> = outputs().iter().map(|name| trajectory.column(name).unwrap().to_vec()).collect();
    assert_same(&outputs(), &found, &expected);
    let states: Vec<f64> = cycle.0.iter().map(|moment| cycle.1.at(moment.time).0).collect();
    assert_eq!(trajectory.column("state").unwrap(), states);
    assert!([1.0, 2.0, 3.0, 4.0].iter().all(|state| states.contains(state)));
}

/// In the air, weight and gripper act on the part, so their impulse is its change of momentum.
#[test]
fn the_loads_move_the_part_as_it_moves() {
    let cycle = cycle();
    let (mut impulse, mut first) = (Vector3::zeros(), None);
    let flight: Vec<_> = (0..cycle.0.len()).filter(|row| (1.2..=3.0).contains(&cycle.0[*row].time)).collect();
    for pair in flight.windows(2) {
        for row in pair {
            let loads = equations(&cycle, cycle.0[*row].time, *row);
            let on_the_part = -Vector3::from_column_slice(&loads[6..9]);
            impulse += cycle.0[*row].b.T.transpose() * on_the_part * 1e-3;
        }
        first.get_or_insert(pair[0]);
        let (from, to) = (&cycle.0[first.unwrap()], &cycle.0[pair[1]]);
        let momentum = (to.b.v_0 - from.b.v_0) * 2.0 + Vector3::z() * (2.0 * 9.81 * (to.time - from.time));
        assert!((impulse - momentum).norm() < 2e-3, "at {}: {impulse} is not {momentum}", to.time);
    }
    assert!(impulse.z > 30.0);
}

/// FMPy sets the inputs at the start of a step, and records the outputs at its end.
#[test]
fn rule_13_15_fmpy_gives_the_loads_of_the_equations_in_co_simulation() {
    let Some(columns) = fmpy("CoSimulation") else { return };
    let cycle = cycle();
    let steps = columns[0].len() - 1;
    let expected: Vec<_> = (0..steps).map(|row| equations(&cycle, cycle.0[row + 1].time, row)).collect();
    let found: Vec<_> = columns[1..].iter().map(|column| column[1..].to_vec()).collect();
    assert_same(&outputs(), &found, &expected);
}

/// In Model Exchange, FMPy evaluates at the times of the output, with the inputs at these times, and at the events.
#[test]
fn rule_13_15_fmpy_gives_the_loads_of_the_equations_in_model_exchange() {
    let Some(columns) = fmpy("ModelExchange") else { return };
    let cycle = cycle();
    let mut compared = 0;
    for (i, time) in columns[0].iter().enumerate().skip(1) {
        let row = (time * 500.0).round() as usize;
        if (cycle.0[row].time - time).abs() > 1e-9 {
            continue;
        }
        let expected = equations(&cycle, *time, row);
        for (column, name) in outputs().iter().enumerate() {
            let (found, expected) = (columns[column + 1][i], expected[column]);
            // FMPy's times and its interpolation of the inputs are not exactly those of the rows.
            assert!((found - expected).abs() < 1e-6, "{name} at {time}: {found} is not {expected}");
        }
        compared += 1;
    }
    assert!(compared >= cycle.0.len() - 1, "only {compared} rows");
}

/// Returns time and loads from FMPy; `None`, with a message, if it is missing.
fn fmpy(interface: &str) -> Option<Vec<Vec<f64>>> {
    let stop = cycle().0.last().unwrap().time;
    simulate(&Fmu::new("gripper", &SETTINGS).file, interface, CYCLE, [2e-3, stop], &outputs())
}
