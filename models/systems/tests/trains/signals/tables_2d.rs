//! Tables over two signals, against the surfaces through their points.

use fmu_runtime::Trial;

use crate::fixture::{INTERFACES, train};

/// Returns the text of a table of a function at values of u1 and u2.
fn table(u1: &[f64], u2: &[f64], f: impl Fn(f64, f64) -> f64) -> String {
    let line = |first: f64, rest: &mut dyn Iterator<Item = f64>| {
        std::iter::once(first).chain(rest).map(|number| format!("{number}")).collect::<Vec<_>>().join(",")
    };
    let head = line(0.0, &mut u2.iter().copied());
    let rows = u1.iter().map(|x| line(*x, &mut u2.iter().map(|y| f(*x, *y))));
    let rows: Vec<_> = std::iter::once(head).chain(rows).collect();
    format!("table={} nu2={}", rows.join(";"), u2.len())
}

/// Two signals that cross the table on a straight line, both ways beyond it.
const PATH: &str = "u1 Ramp height=6 duration=6 offset=-1\nu2 Ramp height=-4.5 duration=6 offset=3.5\n";

fn arguments(t: f64) -> [f64; 2] {
    [-1.0 + t, 3.5 - 0.75 * t]
}

/// Follows the path, and compares the signal with a function, beyond the table too.
fn follow(text: &str, expected: impl Fn(f64, f64) -> f64) {
    for interface in INTERFACES {
        let mut train = train(interface, &format!("{PATH}law CombiTable2Ds u1=u1.y u2=u2.y {text}"));
        for i in 0..36 {
            let [x, y] = arguments(0.161 * f64::from(i));
            let (found, expected) = (train.real("law.y"), expected(x, y));
            assert!((found - expected).abs() < 1e-10, "{interface:?} {text} {x} {y}: {found} {expected}");
            train.step(0.161);
        }
    }
}

const U1: [f64; 5] = [0.0, 1.0, 2.0, 3.0, 4.0];
const U2: [f64; 4] = [0.0, 1.0, 2.0, 3.0];

#[test]
fn what_is_linear_in_each_argument_is_reproduced() {
    let bilinear = |x: f64, y: f64| 2.0 - x + 3.0 * y + 0.5 * x * y;
    for smoothness in ["LinearSegments", "ContinuousDerivative"] {
        for (u1, u2) in [(&[0.3, 0.9, 2.5, 3.1][..], &[0.1, 1.7, 2.2][..]), (&[0.0, 2.0][..], &[1.0, 2.0][..])] {
            follow(&format!("smoothness={smoothness} {}", table(u1, u2, bilinear)), bilinear);
        }
    }
}

/// The spline goes on with its slopes where the table ends; at steps of one length it is exact for polynomials of second order.
#[test]
fn the_spline_reproduces_polynomials_of_second_order() {
    let value = |x: f64, y: f64| 1.0 + x * x - 0.5 * y * y + 0.25 * x * y + y;
    // By x and y at the nearest place of the table; by both.
    let expected = |x: f64, y: f64| {
        let (a, b) = (x.clamp(0.0, 4.0), y.clamp(0.0, 3.0));
        let slopes = [2.0 * a + 0.25 * b, 1.0 - b + 0.25 * a];
        value(a, b) + slopes[0] * (x - a) + slopes[1] * (y - b) + 0.25 * (x - a) * (y - b)
    };
    follow(&format!("smoothness=ContinuousDerivative {}", table(&U1, &U2, value)), expected);
    let held = |x: f64, y: f64| value(x.clamp(0.0, 4.0), y.clamp(0.0, 3.0));
    follow(&format!("smoothness=ContinuousDerivative extrapolation=HoldLastPoint {}", table(&U1, &U2, value)), held);
}

/// Values with one row or column are those of the table over the other argument.
#[test]
fn a_single_row_or_column_is_a_table_over_the_other_argument() {
    let f = |x: f64| if x < 1.0 { 2.0 * x } else { 2.0 - 0.5 * (x - 1.0) };
    let linear = |x: f64| if x < 2.0 { f(x) } else { f(2.0) + (x - 2.0) * -0.5 };
    follow(&table(&[0.0, 1.0, 2.0], &[7.0], |x, _| f(x)), |x, _| linear(x));
    follow(&table(&[7.0], &[0.0, 1.0, 2.0], |_, y| f(y)), |_, y| linear(y));
}

/// Akima's spline over one argument, as `CombiTable1Ds` has it, times a linear function of the other one.
#[test]
fn the_spline_is_akimas_along_each_argument() {
    let points = [(0.0, 1.0), (0.7, 2.5), (1.1, 2.4), (2.4, -1.0), (3.9, 0.5)];
    let [x, y]: [Vec<f64>; 2] = [points.map(|(x, _)| x).into(), points.map(|(_, y)| y).into()];
    let rows: Vec<_> = points.iter().map(|(x, y)| format!("{x},{y}")).collect();
    let at = |u: f64| y[x.iter().position(|own| *own == u).unwrap()];
    let u = [0.0, 0.5, 2.0];
    let tables = [table(&x, &u, |a, b| at(a) * (1.0 + 0.5 * b)), table(&u, &x, |a, b| at(b) * (1.0 + 0.5 * a))];
    for (table, [one, other]) in tables.into_iter().zip([["u1", "u2"], ["u2", "u1"]]) {
        let text = format!(
            "{PATH}line CombiTable1Ds smoothness=ContinuousDerivative table={} u={one}.y
            law CombiTable2Ds smoothness=ContinuousDerivative u1=u1.y u2=u2.y {table}",
            rows.join(";")
        );
        let mut train = train(INTERFACES[0], &text);
        for _ in 0..30 {
            let [line, factor, found] = ["line.y[1]", &format!("{other}.y"), "law.y"].map(|name| train.real(name));
            let expected = line * (1.0 + 0.5 * factor);
            assert!((found - expected).abs() < 1e-10, "{found} {expected}");
            train.step(0.17);
        }
    }
}

/// The kinks of the surface are events: without them the integral would have errors of the order of the tolerance.
#[test]
fn kinks_of_the_surface_are_events() {
    let f = |x: f64, y: f64| if x > 2.0 { 3.0 } else { 1.5 * x } + if y > 1.0 { 0.0 } else { 4.0 * (1.0 - y) };
    for interface in INTERFACES {
        let text = format!(
            "{PATH}law CombiTable2Ds u1=u1.y u2=u2.y extrapolation=HoldLastPoint {}
            motor Torque tau=law.y flange=shaft.flange_a\nshaft Inertia J=1",
            table(&[0.0, 2.0, 4.0], &[0.0, 1.0, 3.0], f)
        );
        let mut train = train(interface, &text);
        train.set_tolerance(1e-4);
        train.step(6.0);
        // Along u1: from t = 1 to 3 a rise to 3, then 3; along u2: from t = 10/3 to 14/3 a rise to 4, then 4.
        let expected = 0.5 * 2.0 * 3.0 + 3.0 * 3.0 + 0.5 * 4.0 * 4.0 / 3.0 + 4.0 * (6.0 - 14.0 / 3.0);
        let found = train.real("shaft.w");
        assert!((found - expected).abs() < 1e-9, "{interface:?}: {found} {expected}");
    }
}

/// The values hold until the next row and column, and beyond the table as MSL has it: on the plane of the last four.
#[test]
fn values_hold_until_the_next_row_and_column() {
    let f = |x: f64, y: f64| 10.0 * x + y;
    let inside = |x: f64, y: f64| f(x.floor(), y.floor());
    let outside = |x: f64, y: f64| !(0.0..=4.0).contains(&x) || !(0.0..=3.0).contains(&y);
    follow(&format!("smoothness=ConstantSegments {}", table(&U1, &U2, f)), |x, y| {
        if outside(x, y) { f(x, y) } else { inside(x, y) }
    });
    follow(&format!("smoothness=ConstantSegments extrapolation=HoldLastPoint {}", table(&U1, &U2, f)), |x, y| {
        inside(x.clamp(0.0, 4.0), y.clamp(0.0, 3.0))
    });
}

#[test]
fn a_periodic_table_repeats_itself_along_both_arguments() {
    let wave = |x: f64, y: f64| {
        let triangle = |s: f64| (s.rem_euclid(2.0) - 1.0).abs();
        triangle(x) * (1.0 + triangle(y))
    };
    let u = [0.0, 1.0, 2.0];
    follow(&format!("extrapolation=Periodic {}", table(&u, &u, wave)), wave);
}

/// The torque of a motor over speed and pedal: derivatives by both are those of differences.
#[test]
fn derivatives_pass_through_a_table() {
    let f = |w: f64, pedal: f64| pedal * (30.0 - 0.4 * w) - 0.01 * w * w;
    let rows = table(&[0.0, 10.0, 20.0, 30.0], &[0.0, 0.5, 1.0], f);
    for smoothness in ["LinearSegments", "ContinuousDerivative"] {
        let text = format!(
            "speed SpeedSensor flange=shaft.flange_b
            pedal Gain
            law CombiTable2Ds smoothness={smoothness} u1=speed.w u2=pedal.y {rows}
            motor Torque tau=law.y flange=shaft.flange_a\nshaft Inertia J=2 w_start=12"
        );
        let mut train = train(INTERFACES[1], &text);
        train.set("pedal.u", 0.3);
        train.step(0.01);
        train.set_continuous_states(&[0.0, 12.0]);
        let exact = ["shaft.w", "pedal.u"].map(|known| train.directional_derivative("shaft.a", known));
        let mut at = |w: f64, pedal: f64| {
            train.set_continuous_states(&[0.0, w]);
            train.set("pedal.u", pedal);
            train.real("shaft.a")
        };
        let e = 1e-5;
        let by_speed = (at(12.0 + e, 0.3) - at(12.0 - e, 0.3)) / (2.0 * e);
        let by_pedal = (at(12.0, 0.3 + e) - at(12.0, 0.3 - e)) / (2.0 * e);
        for (exact, difference) in exact.into_iter().zip([by_speed, by_pedal]) {
            assert!((exact - difference).abs() < 1e-7, "{smoothness}: {exact} {difference}");
        }
        if smoothness == "ContinuousDerivative" {
            assert!((exact[0] + 0.5 * (0.4 * 0.3 + 0.02 * 12.0)).abs() < 1e-9, "{}", exact[0]);
        }
    }
}

/// Behind an event at a bound of the table the speed goes on without an error.
#[test]
fn a_motor_runs_up_through_its_table() {
    let rows = table(&[0.0, 2.0, 4.0], &[0.0, 1.0], |w, pedal| pedal * if w < 4.0 { 4.0 } else { 0.0 });
    let text = format!(
        "speed SpeedSensor flange=shaft.flange_b\npedal Constant k=1
        law CombiTable2Ds u1=speed.w u2=pedal.y {rows}
        motor Torque tau=law.y flange=shaft.flange_a\nshaft Inertia J=1"
    );
    for interface in INTERFACES {
        let mut train: Trial = train(interface, &text);
        train.set_tolerance(1e-10);
        for i in 0..20 {
            let t = 0.13 * f64::from(i);
            let expected = if t < 0.5 { 4.0 * t } else { 4.0 - 2.0 * (-2.0 * (t - 0.5)).exp() };
            let found = train.real("shaft.w");
            assert!((found - expected).abs() < 1e-8, "{interface:?} {t}: {found} {expected}");
            train.step(0.13);
        }
    }
}
