//! The Modelica Association's published trajectories.

use std::f64::consts::PI;
use std::io::Write;

use crate::fixture::{Instance, brake, clutch, get, root, set};

/// The columns of a trajectory; `None`, with a message, if the data are missing.
fn reference(case: &str, columns: &[&str]) -> Option<Vec<Vec<f64>>> {
    let path = root().join(format!("../shared/reference/{case}/{case}.csv"));
    if !path.exists() {
        let _ = writeln!(std::io::stderr(), "skipped: {} is absent", path.display());
        return None;
    }
    let mut reader = csv::Reader::from_path(path).unwrap();
    let names: Vec<String> = reader.headers().unwrap().iter().map(str::to_owned).collect();
    let wanted: Vec<usize> =
        columns.iter().map(|name| names.iter().position(|known| known == name).expect(name)).collect();
    let rows = reader.records().map(|row| row.unwrap());
    Some(rows.map(|row| wanted.iter().map(|column| row[*column].parse().unwrap()).collect()).collect())
}

/// Sets a torque of 10 sin(2 pi t) with its derivatives.
fn drive(instance: &Instance<'_>, name: &str, t: f64) {
    let omega = 2.0 * PI;
    set(instance, &[(name, 10.0 * (omega * t).sin())]);
    let reference = instance.references(name)[0];
    for order in 1..=8 {
        let value = 10.0 * omega.powi(order) * (omega * t + f64::from(order) * PI / 2.0).sin();
        instance.fmi.set_real_input_derivatives(&[reference], &[order], &[value]);
    }
}

/// Steps from row to row of a trajectory, and compares with each row.
fn follow(instance: &Instance<'_>, torque: &str, outputs: &[&str], rows: &[Vec<f64>]) {
    instance.initialise();
    let last = outputs.len();
    let sizes: Vec<f64> = (1..=last)
        .map(|i| {
            let (low, high) =
                rows.iter().fold((f64::MAX, f64::MIN), |(low, high), row| (low.min(row[i]), high.max(row[i])));
            high - low
        })
        .collect();
    let (mut time, mut mismatches) = (0.0, 0);
    for row in rows {
        if row[0] > time {
            drive(instance, torque, time);
            set(instance, &[("f_normalized", if time >= 0.5 { 100.0 } else { 0.0 })]);
            instance.step(time, row[0] - time);
            time = row[0];
        }
        for (i, name) in outputs.iter().enumerate() {
            let computed = get(instance, name);
            if *name == "mode" {
                mismatches += usize::from(computed != row[i + 1]);
            } else {
                assert!(
                    (computed - row[i + 1]).abs() <= 2e-5 * sizes[i],
                    "{name} at {time}: {computed} {}",
                    row[i + 1]
                );
            }
        }
    }
    // A duplicated row is an event; one of the two is before it.
    assert!(mismatches <= 4, "{mismatches} rows with another mode");
}

#[test]
fn test_friction_the_brake() {
    let columns = ["time", "inertia1.phi", "inertia1.w", "brake.mode"];
    let Some(rows) = reference("TestFriction", &columns) else { return };
    let fmu = brake(&[]);
    follow(&fmu.instance(), "flange_a.tau", &["flange_a.phi", "flange_a.w", "mode"], &rows);
}

#[test]
fn test_friction_the_clutch() {
    let columns = ["time", "inertia2.phi", "inertia2.w", "clutch.phi_rel", "clutch.w_rel", "clutch.mode"];
    let Some(rows) = reference("TestFriction", &columns) else { return };
    let fmu = clutch(&[]);
    let outputs = ["flange_a.phi", "flange_a.w", "phi_rel", "w_rel", "mode"];
    follow(&fmu.instance(), "flange_a.tau", &outputs, &rows);
}

const RATIO: f64 = 1.5;

/// Engine, planetary gear and load of SimpleGearShift with the clutch between sun and ring and the
/// brake at the ring. The ring has no inertia, so that both elements get motions.
struct GearShift<'a> {
    clutch: Instance<'a>,
    brake: Instance<'a>,
}

impl GearShift<'_> {
    /// Angle, angular velocity and angular acceleration of the ring.
    fn ring(engine: [f64; 3], load: [f64; 3]) -> [f64; 3] {
        [0, 1, 2].map(|i| ((1.0 + RATIO) * load[i] - engine[i]) / RATIO)
    }

    fn give(&self, engine: [f64; 3], load: [f64; 3]) {
        let ring = Self::ring(engine, load);
        for (instance, flange, motion) in
            [(&self.clutch, "flange_a", engine), (&self.clutch, "flange_b", ring), (&self.brake, "flange_a", ring)]
        {
            for (name, value) in ["phi", "w", "a"].iter().zip(motion) {
                set(instance, &[(&format!("{flange}.{name}"), value)]);
            }
        }
    }

    /// The clutch is pressed from 2 s to 2.1 s, and the brake released.
    fn press(&self, t: f64) {
        let ramp = ((t - 2.0) / 0.1).clamp(0.0, 1.0);
        set(&self.clutch, &[("f_normalized", ramp)]);
        set(&self.brake, &[("f_normalized", 1.0 - ramp)]);
    }

    /// Rates of angle and angular velocity of engine and load.
    fn rates(&self, t: f64, x: [f64; 4]) -> [f64; 4] {
        self.press(t);
        self.give([x[0], x[1], 0.0], [x[2], x[3], 0.0]);
        let (tau_clutch, tau_brake) = (get(&self.clutch, "tau"), get(&self.brake, "tau"));
        let sun = -(tau_clutch + tau_brake) / RATIO;
        let load = -20.0 * (x[3] / 10.471_975_511_966).powi(2);
        let engine = if t >= 0.5 { 20.0 } else { 0.0 };
        [x[1], engine - sun + tau_clutch, x[3], (load + (1.0 + RATIO) * sun) / 10.0]
    }

    fn step(&self, t: f64, x: [f64; 4], h: f64) -> [f64; 4] {
        let moved = |k: [f64; 4], h: f64| [0, 1, 2, 3].map(|i| x[i] + h * k[i]);
        let a = self.rates(t, x);
        let b = self.rates(t + h / 2.0, moved(a, h / 2.0));
        let c = self.rates(t + h / 2.0, moved(b, h / 2.0));
        let d = self.rates(t + h, moved(c, h));
        let mean = [0, 1, 2, 3].map(|i| (a[i] + 2.0 * (b[i] + c[i]) + d[i]) / 6.0);
        // The elements locate their events from here on.
        self.give([x[0], x[1], mean[1]], [x[2], x[3], mean[3]]);
        self.press(t);
        let slope = if (2.0 - 1e-9..2.1 - 1e-9).contains(&t) { 10.0 } else { 0.0 };
        self.clutch.set_rates("f_normalized", &[slope]);
        self.brake.set_rates("f_normalized", &[-slope]);
        self.clutch.step(t, h);
        self.brake.step(t, h);
        moved(mean, h)
    }
}

#[test]
fn simple_gear_shift() {
    let columns = ["time", "engine.phi", "engine.w", "load.phi", "load.w", "brake.mode", "clutch.mode"];
    let Some(rows) = reference("SimpleGearShift", &columns) else { return };
    let parameters = ["cgeo=2", "fn_max=100", "c_stuck=1e6", "d_stuck=1500", "flange_a=motion_in"];
    let clutch = clutch(&[&parameters[..], &["flange_b=motion_in"]].concat());
    let brake = brake(&parameters);
    let shift = GearShift { clutch: clutch.instance(), brake: brake.instance() };
    set(&shift.brake, &[("f_normalized", 1.0)]);
    shift.clutch.initialise();
    shift.brake.initialise();
    let mut rows = rows.into_iter().filter(|row| (row[0] * 200.0 - (row[0] * 200.0).round()).abs() < 1e-6).peekable();
    let (mut x, mut compared, mut mismatches) = ([0.0; 4], 0, 0);
    let sizes = [250.0, 60.0, 110.0, 45.0];
    for i in 0..10_000 {
        let t = f64::from(i) * 5e-4;
        while rows.peek().is_some_and(|row| (row[0] - t).abs() < 1e-6) {
            let row = rows.next().unwrap();
            for i in 0..4 {
                assert!(
                    (x[i] - row[i + 1]).abs() <= 5e-4 * sizes[i],
                    "{} at {t}: {} {}",
                    columns[i + 1],
                    x[i],
                    row[i + 1]
                );
            }
            for (instance, mode) in [(&shift.brake, row[5]), (&shift.clutch, row[6])] {
                mismatches += usize::from(get(instance, "mode") != mode);
            }
            compared += 1;
        }
        x = shift.step(t, x, 5e-4);
    }
    assert!(compared > 900, "{compared}");
    assert!(mismatches < 20, "{mismatches}");
}
