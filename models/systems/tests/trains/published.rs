//! The Modelica Association's published trajectories.

use std::f64::consts::PI;
use std::io::Write;
use std::path::Path;

use fmu_runtime::Trial;
use fmu_runtime::lifecycle::Interface;

use crate::fixture::train;

/// The rows of a trajectory; `None`, with a message, if the data are missing.
pub fn reference(case: &str, columns: &[&str]) -> Option<Vec<Vec<f64>>> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(3).expect("the workspace lies in a folder");
    let path = root.join(format!("shared/reference/{case}.csv"));
    if !path.exists() {
        let _ = writeln!(std::io::stderr(), "skipped: {} is absent", path.display());
        return None;
    }
    let mut reader = csv::Reader::from_path(path).expect("a table");
    let names: Vec<String> = reader.headers().expect("a header").iter().map(str::to_owned).collect();
    let column = |name: &&str| names.iter().position(|known| known == name).expect(name);
    let wanted: Vec<usize> = columns.iter().map(column).collect();
    let rows = reader.records().map(|row| row.expect("a row"));
    Some(rows.map(|row| wanted.iter().map(|column| row[*column].parse().expect("a number")).collect()).collect())
}

/// An input with its derivatives, from a time on.
pub struct Signal {
    name: &'static str,
    /// The derivative of an order, or the value.
    at: fn(f64, i32) -> f64,
}

fn sine(amplitude: f64, f: f64, t: f64, order: i32) -> f64 {
    let omega = 2.0 * PI * f;
    amplitude * omega.powi(order) * (omega * t + f64::from(order) * PI / 2.0).sin()
}

/// A run of a system beside its trajectory.
pub struct Comparison<'a> {
    pub text: &'a str,
    pub inputs: &'a [Signal],
    /// Times at which inputs jump or have kinks.
    pub breaks: &'a [f64],
    /// The first column is the time.
    pub columns: &'a [&'a str],
    pub rows: Vec<Vec<f64>>,
}

impl Comparison<'_> {
    /// The largest deviation, as a fraction of a signal's range, if each `every`th row ends a communication step.
    fn deviation(&self, interface: Interface, every: usize) -> f64 {
        let rows = &self.rows;
        let column = |i: usize| rows.iter().map(move |row| row[i]);
        let range = |i: usize| column(i).fold(f64::MIN, f64::max) - column(i).fold(f64::MAX, f64::min);
        let ranges: Vec<_> = (0..self.columns.len()).map(range).collect();
        let mut train = train(interface, self.text);
        self.inputs.iter().for_each(|input| train.set(input.name, (input.at)(0.0, 0)));
        let (mut time, mut largest) = (0.0, 0.0_f64);
        for (i, row) in rows.iter().enumerate() {
            let is_break = self.breaks.iter().any(|at| (row[0] - at).abs() < 1e-9);
            if row[0] <= time || !(i % every == 0 || is_break || i + 1 == rows.len()) {
                continue;
            }
            self.advance(&mut train, interface, time, row[0]);
            time = row[0];
            let near = |other: usize| rows.get(other).is_some_and(|other| (other[0] - time).abs() < 1e-6);
            let is_event = near(i + 1) || near(i - 1);
            for (k, name) in self.columns.iter().enumerate().skip(1) {
                if name.ends_with(".mode") {
                    let mode = f64::from(train.integer(name));
                    assert!(is_event || mode == row[k], "{name} at {time}: {mode} {}", row[k]);
                } else {
                    largest = largest.max((train.real(name) - row[k]).abs() / ranges[k]);
                }
            }
        }
        largest
    }

    fn advance(&self, train: &mut Trial, interface: Interface, begin: f64, end: f64) {
        match interface {
            Interface::CoSimulation => {
                for Signal { name, at } in self.inputs {
                    train.set(name, at(begin, 0));
                    train.set_derivatives(name, &[1, 2, 3, 4, 5, 6, 7, 8].map(|order| at(begin, order)));
                }
                train.step(end - begin);
            }
            // Inputs are constant inside a step.
            Interface::ModelExchange => {
                let count = ((end - begin) / 2.5e-3).ceil().max(1.0);
                let h = (end - begin) / count;
                for k in 0..count as i32 {
                    let middle = begin + (f64::from(k) + 0.5) * h;
                    self.inputs.iter().for_each(|Signal { name, at }| train.set(name, at(middle, 0)));
                    train.step(h);
                }
            }
        }
    }

    /// Whether both interfaces stay within these fractions of the range, Co-Simulation at two communication steps.
    pub fn is_reached(&self, steps: [usize; 2], tolerances: [f64; 2]) {
        for (interface, every, tolerance) in [
            (Interface::CoSimulation, steps[0], tolerances[0]),
            (Interface::CoSimulation, steps[1], tolerances[0]),
            (Interface::ModelExchange, steps[1], tolerances[1]),
        ] {
            let largest = self.deviation(interface, every);
            assert!(largest <= tolerance, "{interface:?}, every {every}: {largest:e}");
        }
    }
}

#[test]
fn simple_gear_shift() {
    let columns = ["time", "engine.phi", "engine.w", "load.phi", "load.w", "clutch.w_rel", "brake.mode", "clutch.mode"];
    let Some(rows) = reference("SimpleGearShift/SimpleGearShift", &columns) else { return };
    fn ramp(t: f64, order: i32) -> f64 {
        match order {
            0 => (10.0 * (t - 2.0)).clamp(0.0, 1.0),
            1 if (2.0 - 1e-9..2.1 - 1e-9).contains(&t) => 10.0,
            _ => 0.0,
        }
    }
    let torque = |t: f64, order| if order == 0 && t >= 0.5 { 20.0 } else { 0.0 };
    let released = |t: f64, order| if order == 0 { 1.0 - ramp(t, 0) } else { -ramp(t, order) };
    Comparison {
        text: "engine Inertia flange_a=torque.flange
               load Inertia J=10 flange_a=gear.carrier stateSelect=prefer
               gear IdealPlanetary ratio=1.5 sun=engine.flange_b
               clutch Clutch flange_a=gear.sun flange_b=gear.ring cgeo=2 fn_max=100
               brake Brake flange_a=gear.ring cgeo=2 fn_max=100
               torque Torque
               fan QuadraticSpeedDependentTorque flange=load.flange_b tau_nominal=-20 w_nominal=10.471975511966",
        inputs: &[
            Signal { name: "torque.tau", at: torque },
            Signal { name: "clutch.f_normalized", at: ramp },
            Signal { name: "brake.f_normalized", at: released },
        ],
        breaks: &[0.5, 2.0, 2.1],
        columns: &columns,
        rows,
    }
    .is_reached([2, 20], [2e-6, 2e-4]);
}

#[test]
fn test_friction() {
    let columns = [
        "time",
        "inertia1.phi",
        "inertia1.w",
        "inertia2.phi",
        "inertia2.w",
        "clutch.phi_rel",
        "clutch.w_rel",
        "brake.mode",
        "clutch.mode",
    ];
    let Some(rows) = reference("TestFriction/TestFriction", &columns) else { return };
    let torque = |t, order| sine(10.0, 1.0, t, order);
    let force = |t: f64, order| if order == 0 && t >= 0.5 { 100.0 } else { 0.0 };
    Comparison {
        text: "inertia1 Inertia flange_a=torque1.flange
               brake Brake flange_a=inertia1.flange_b
               torque1 Torque
               inertia2 Inertia flange_a=torque2.flange
               clutch Clutch flange_a=inertia2.flange_b
               inertia3 Inertia flange_a=clutch.flange_b
               torque2 Torque",
        inputs: &[
            Signal { name: "torque1.tau", at: torque },
            Signal { name: "torque2.tau", at: torque },
            Signal { name: "brake.f_normalized", at: force },
            Signal { name: "clutch.f_normalized", at: force },
        ],
        breaks: &[0.5],
        columns: &columns,
        rows,
    }
    .is_reached([10, 100], [2e-5, 1e-4]);
}

/// With the housings of gear and torque connected, and standing still.
#[test]
fn first_and_first_grounded() {
    let columns = ["time", "damper.phi_rel", "damper.w_rel", "inertia3.phi", "inertia3.w"];
    let housed = "torque Torque useSupport=true support=fixed.flange
                  idealGear IdealGear ratio=10 useSupport=true support=fixed.flange\n";
    let grounded = "torque Torque\nidealGear IdealGear ratio=10\n";
    let rest = "inertia1 Inertia J=0.1 flange_a=torque.flange flange_b=idealGear.flange_a
                inertia2 Inertia J=2 flange_a=idealGear.flange_b stateSelect=prefer
                spring Spring c=1e4 flange_a=inertia2.flange_b
                inertia3 Inertia J=2 flange_a=spring.flange_b
                damper Damper d=10 flange_a=inertia2.flange_b flange_b=fixed.flange
                fixed Fixed";
    for (case, gear) in [("First", housed), ("FirstGrounded", grounded)] {
        let Some(rows) = reference(&format!("systems/{case}"), &columns) else { return };
        let torque = |t, order| sine(10.0, 5.0, t, order);
        Comparison {
            text: &format!("{gear}{rest}"),
            inputs: &[Signal { name: "torque.tau", at: torque }],
            breaks: &[],
            columns: &columns,
            rows,
        }
        .is_reached([1, 10], [5e-4, 5e-4]);
    }
}

/// Two masses driven at the frequency of their springs, one with a damper.
#[test]
fn oscillator() {
    let columns = ["time", "mass1.s", "mass1.v", "damper1.s_rel", "damper1.v_rel"];
    let Some(rows) = reference("systems/Oscillator", &columns) else { return };
    let force = |t, order| sine(1.0, 15.9155, t, order);
    Comparison {
        text: "mass1 Mass L=1 s_start=-0.5
               spring1 Translational.Spring s_rel0=1 c=1e4 flange_a=mass1.flange_b flange_b=fixed1.flange
               fixed1 Translational.Fixed s0=1
               force1 Force flange=mass1.flange_a
               mass2 Mass L=1 s_start=-0.5
               spring2 Translational.Spring s_rel0=1 c=1e4 flange_a=mass2.flange_b flange_b=fixed2.flange
               damper1 Translational.Damper d=10 flange_a=mass2.flange_b flange_b=spring2.flange_b
               fixed2 Translational.Fixed s0=1
               force2 Force flange=mass2.flange_a",
        inputs: &[Signal { name: "force1.f", at: force }, Signal { name: "force2.f", at: force }],
        breaks: &[],
        columns: &columns,
        rows,
    }
    // An input that is constant for 2.5 ms is a coarse one at this frequency.
    .is_reached([1, 10], [5e-4, 2e-3]);
}
