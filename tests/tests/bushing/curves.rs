//! Measured curves: forces at the points, energy, derivatives, and refused curves.

use std::fmt::Write;

use fmu_builder::{Archive, Settings};
use fmu_importer::validate;
use fmu_tests::api::Status;
use nalgebra::{Rotation3, Vector3};
use proptest::prelude::*;

use crate::fixture::{Fmu, Instance, describe, resolve, root};
use crate::structures::{assert_close, by_matrix, loads, move_frames};

/// The points of three curves.
type Curves = [&'static [[f64; 2]]; 3];

/// Force over displacement, each axis with its own grid: odd from 0, odd from a first point above 0, on both sides.
const FORCES: Curves = [
    &[[0.0, 0.0], [5e-4, 2345.6], [1e-3, 4876.1], [2e-3, 11_302.7], [3e-3, 24_870.0]],
    &[[7e-4, 1890.3], [1.9e-3, 5321.9]],
    &[[-4e-3, -3105.0], [-1e-3, -905.0], [0.0, -12.5], [2e-3, 1630.0], [3.3e-3, 2410.0], [5e-3, 6350.0]],
];
const FRICTION: [&[[f64; 2]]; 3] =
    [&[[0.0, 0.0], [0.05, 110.0], [0.5, 790.0]], &[[-0.4, -500.0], [0.0, 0.0], [0.2, 410.0]], &[[0.1, 125.0]]];
const MOMENTS: Curves = [
    &[[0.0, 0.0], [0.05, 120.0], [0.2, 390.0]],
    &[[-0.3, -700.0], [0.0, 0.0], [0.1, 260.0]],
    &[[0.0, 0.0], [0.5, 55.0]],
];
const TURNING: [&[[f64; 2]]; 3] =
    [&[[0.0, 0.0], [1.0, 22.0], [9.0, 90.0]], &[[-2.0, -40.0], [0.0, 0.0], [3.0, 71.0]], &[[2.0, 9.0]]];

const AXES: [(&str, [&str; 3], Curves); 4] = [
    ("TS", ["x", "y", "z"], FORCES),
    ("TD", ["x", "y", "z"], FRICTION),
    ("RS", ["1", "2", "3"], MOMENTS),
    ("RD", ["x", "y", "z"], TURNING),
];

/// Returns the settings of a set of curves in the configuration.
fn inline(set: &str) -> Vec<String> {
    let (_, axes, curves) = AXES.iter().find(|(name, ..)| *name == set).unwrap();
    let tables = axes.iter().zip(curves).map(|(axis, points)| format!("{set}_curve_{axis}={points:?}"));
    std::iter::once(format!("law_{set}=curve")).chain(tables).collect()
}

fn all_inline() -> Vec<String> {
    AXES.iter().flat_map(|(set, ..)| inline(set)).collect()
}

fn fmu(settings: &[String], others: &[&str]) -> Fmu {
    Fmu::new(&settings.iter().map(String::as_str).chain(others.iter().copied()).collect::<Vec<_>>())
}

/// Returns a file of six columns; shorter curves end with empty cells.
fn six_columns(curves: &Curves, separator: &str) -> String {
    let rows = curves.iter().map(|curve| curve.len()).max().unwrap();
    let mut text = ["x", "Fx", "y", "Fy", "z", "Fz"].join(separator) + "\n";
    for row in 0..rows {
        let cells = curves.iter().flat_map(|curve| match curve.get(row) {
            Some([argument, load]) => [format!("{argument:?}"), format!("{load:?}")],
            None => [String::new(), String::new()],
        });
        writeln!(text, "{}", cells.collect::<Vec<_>>().join(separator)).unwrap();
    }
    text
}

/// Returns the load of a curve on straight lines, which continue outside.
fn between(points: &[[f64; 2]], argument: f64) -> f64 {
    if points[0][0] >= 0.0 && argument < 0.0 {
        return -between(points, -argument);
    }
    let mut all = points.to_vec();
    if points[0][0] > 0.0 {
        all.insert(0, [0.0; 2]);
    }
    let inner = all.windows(2).position(|pair| argument <= pair[1][0]).unwrap_or(all.len() - 2);
    let [[x0, f0], [x1, f1]] = [all[inner], all[inner + 1]];
    f0 + (f1 - f0) / (x1 - x0) * (argument - x0)
}

#[test]
fn loads_at_measured_points_are_the_measured_ones() {
    let mut compared = 0;
    for smoothness in ["linear", "spline", "akima"] {
        let smooth = AXES.map(|(set, ..)| format!("sm_{set}={smoothness}"));
        // One set alone has the measured loads, as the others are 0.
        let others = ["TS=[0,0,0]", "TD=[0,0,0]", "RS=[0,0,0]", "RD=[0,0,0]"];
        for (number, (set, _, curves)) in AXES.into_iter().enumerate() {
            let others: Vec<_> = others.into_iter().filter(|other| !other.starts_with(set)).collect();
            let fmu = fmu(&[inline(set), vec![smooth[number].clone()]].concat(), &others);
            let instance = fmu.instance();
            instance.initialise();
            for (axis, points) in curves.into_iter().enumerate() {
                let mirrored = points.iter().map(|[argument, load]| [-argument, -load]);
                let both: Vec<_> = if points[0][0] < 0.0 { vec![] } else { mirrored.collect() };
                for [argument, load] in points.iter().copied().chain(both) {
                    let mut at = Vector3::zeros();
                    at[axis] = argument;
                    let output = match number {
                        0 | 1 => "frame_a.f",
                        _ => "frame_a.t",
                    };
                    match number {
                        0 => instance.set("frame_b.r_0", at.as_slice()),
                        1 => instance.set("frame_b.v_0", at.as_slice()),
                        2 => {
                            let rotation = nalgebra::Rotation3::new(at);
                            instance.set("frame_b.R.T", rotation.matrix().as_slice())
                        }
                        _ => instance.set("frame_b.R.w", at.as_slice()),
                    };
                    let found = instance.get(output)[axis];
                    assert!((found + load).abs() <= 1e-9 * load.abs(), "{set}, {axis}: {found} at {argument}");
                    let power = if number % 2 == 1 { argument * load } else { 0.0 };
                    assert!((instance.get("lossPower")[0] - power).abs() <= 1e-9 * power.abs());
                    compared += 1;
                }
            }
        }
    }
    assert!(compared > 100, "{compared}");
}

#[test]
fn all_sources_of_curves_give_the_same_loads_and_valid_fmus() {
    let folder = tempfile::tempdir().unwrap();
    let expected = {
        let fmu = fmu(&all_inline(), &["momentLaw=gimbal"]);
        let instance = fmu.instance();
        instance.initialise();
        move_frames(&instance, by_matrix);
        let mut findings = Vec::new();
        validate::file(&fmu.file, |finding| findings.push(finding.to_string()));
        assert_eq!(findings, [""; 0]);
        loads(&instance)
    };
    for (separator, source, parameter) in
        [(",", "attachment", "data"), (";", "file", "fileName"), ("\t", "attachment", "data")]
    {
        let mut settings = Vec::new();
        for (set, _, curves) in AXES {
            let path = folder.path().join(format!("{set}.csv"));
            fs_err::write(&path, six_columns(&curves, separator)).unwrap();
            settings.extend([format!("law_{set}=curve"), format!("DCM_{set}={source}"), format!("sr_{set}=1")]);
            settings.push(format!("{set}_{parameter}={}", path.display()));
        }
        let fmu = fmu(&settings, &["momentLaw=gimbal"]);
        let instance = fmu.instance();
        instance.initialise();
        move_frames(&instance, by_matrix);
        assert_eq!(loads(&instance), expected, "{source}");
    }
}

/// A report as Excel writes it in German: the forces at all its points are those of the report.
#[test]
fn a_report_becomes_an_fmu_by_its_configuration() {
    let folder = root().join("models/bushing/reference");
    let report = fs_err::read_to_string(folder.join("measured_forces.csv")).unwrap().replace(',', ".");
    for file in ["measured_forces.xlsx", "measured_forces.csv"] {
        let mut settings = Settings::from_toml(&folder.join("forces.toml")).unwrap();
        if file.ends_with(".csv") {
            settings.set(&format!("TS_data={{ file = '{}' }}", folder.join(file).display())).unwrap();
            settings.set("TS_data.sheet=").unwrap();
        }
        let fmu = Fmu::of(resolve(&settings).unwrap());
        let instance = fmu.instance();
        instance.initialise();
        let mut compared = 0;
        for line in report.lines().skip(1) {
            let cells: Vec<Option<f64>> = line.split(';').map(|cell| cell.parse().ok()).collect();
            for (axis, pair) in cells.chunks(2).enumerate() {
                let [Some(displacement), Some(force)] = *pair else { continue };
                let mut at = [0.0; 3];
                at[axis] = displacement * 1e-3;
                instance.set("frame_b.r_0", &at);
                let found = -instance.get("frame_a.f")[axis];
                assert!((found - force).abs() <= 1e-9 * force.abs(), "{found} is not {force} at {displacement} mm");
                compared += 1;
            }
        }
        assert_eq!(compared, 24);
    }
}

/// The curves on the page are the results of the finished FMU, between and beyond the rows.
#[test]
fn the_page_shows_what_the_fmu_computes() {
    let others = ["TD=[0,0,0]", "RD=[0,0,0]", "sm_TS=spline", "curveExtrapolation=hold"];
    let fmu = fmu(&inline("TS"), &others);
    let instance = fmu.instance();
    instance.initialise();
    let [picture] = &fmu.description.pictures[..] else { panic!("{:?}", fmu.description.pictures) };
    assert_eq!(picture.title, "TS: Translational stiffness along the axes of frame_a");
    assert_eq!(
        (&picture.argument, &picture.value),
        (&["Displacement".into(), "m".into()], &["Force that resists".into(), "N".into()])
    );
    for (axis, curve) in picture.curves.iter().enumerate() {
        assert_eq!(curve.name, ["x", "y", "z"][axis]);
        let given: Vec<_> = curve.points.iter().copied().filter(|point| point[0] != 0.0).collect();
        assert!(FORCES[axis].iter().all(|point| point[0] == 0.0 || given.contains(point)));
        assert!(curve.line[0][0] < curve.points[0][0] && curve.line.len() > 300);
        for [argument, load] in &curve.line {
            let mut at = [0.0; 3];
            at[axis] = *argument;
            instance.set("frame_b.r_0", &at);
            let found = -instance.get("frame_a.f")[axis];
            assert!((found - load).abs() <= 1e-12 * load.abs(), "{found} is not {load} at {argument} m");
        }
    }
    let page = Archive::open(&fmu.file).unwrap().read("documentation/index.html").unwrap();
    let page = String::from_utf8(page).unwrap();
    for part in ["<section id=\"tables\">", "Displacement [m]", "Force that resists [N]", "<circle"] {
        assert!(page.contains(part), "{part}");
    }
}

/// Neither constants are shown, nor values that are unknown when an FMU is built.
#[test]
fn the_page_shows_no_tables_that_are_constant_or_unknown() {
    for settings in
        [&[][..], &["nonlinear_TS=true"], &["law_TS=curve", "DCM_TS=file"], &["law_TS=curve", "DCM_TS=attachment"]]
    {
        assert_eq!(describe(settings).unwrap().pictures, [], "{settings:?}");
    }
    // An even table is looked up by magnitude.
    let settings = ["nonlinear_TS=true", "TS_table=[[0, 1e6, 2e6, 3e6], [1e-3, 4e6, 5e6, 6e6]]"];
    let picture = describe(&settings).unwrap().pictures.remove(0);
    assert_eq!((&*picture.value[0], &*picture.value[1]), ("Translational stiffness", "N/m"));
    assert_eq!(picture.curves[1].points, [[-1e-3, 5e6], [0.0, 2e6], [1e-3, 5e6]]);
}

/// A pair of units holds for the pairs of all axes.
#[test]
fn units_of_a_pair_of_columns_are_those_of_all_pairs() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("all.csv");
    fs_err::write(&path, "0;0;0;0;0;0\n1;4;2;5;3;6\n").unwrap();
    let data = format!("TS_data={{ file = '{}', units = ['mm', 'kN'] }}", path.display());
    let fmu = Fmu::new(&["law_TS=curve", "DCM_TS=attachment", &data]);
    let instance = fmu.instance();
    instance.initialise();
    instance.set("frame_b.r_0", &[1e-3, 2e-3, 3e-3]);
    assert_close(&instance.get("frame_a.f"), &[-4e3, -5e3, -6e3]);
}

#[test]
fn dampers_that_excite_vibrations_and_noise_are_told() {
    let warnings = |rows: &str| describe(&["law_TD=curve", &format!("TD_curve_x={rows}")]).map(|fmu| fmu.warnings);
    let falls = "row 3, column 2: the load falls as the velocity rises, so that the damper excites vibrations there";
    let found = warnings("[[0, 0], [0.1, 100], [0.2, 60], [0.3, 200]]").unwrap();
    assert_eq!(found, [format!("TD_curve_x, {falls}")]);
    let found = warnings("[[-0.3, -200], [-0.2, -60], [-0.1, -100], [0, 0], [0.1, 100]]").unwrap();
    assert_eq!(found, [format!("TD_curve_x, {}", falls.replace("row 3", "row 2"))]);
    assert_eq!(warnings("[[0, 0], [0.1, 100], [0.2, 99], [0.3, 200]]").unwrap(), [""; 0]);
    let noise = "TD_curve_x, row 2, column 2: the curve is 0.5 at 0.0, which looks like noise or an offset, but must be at \
                 most 0.0, since it is the load that resists, unless allowNegative is true";
    let message = warnings("[[-0.1, -100], [0, 0.5], [0.1, 100]]").unwrap_err().to_string();
    assert!(message.contains(noise), "{message}");
}

/// Each axis has a file: each is an inline table.
#[test]
fn an_inline_curve_may_be_a_file_of_its_own() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("x.csv");
    fs_err::write(&path, "0,0\n0.001,4000\n0.002,9000\n").unwrap();
    let fmu = Fmu::new(&["law_TS=curve", &format!("TS_curve_x={}", path.display())]);
    let instance = fmu.instance();
    instance.initialise();
    instance.set("frame_b.r_0", &[1.5e-3, 0.0, 0.0]);
    assert_close(&instance.get("frame_a.f"), &[-6500.0, 0.0, 0.0]);
}

#[test]
fn straight_curves_are_constant_coefficients() {
    let of = |settings: &[&str]| {
        let fmu = Fmu::new(settings);
        let instance = fmu.instance();
        instance.initialise();
        move_frames(&instance, by_matrix);
        loads(&instance)
    };
    // The default curves are those of the default coefficients.
    assert_close(&of(&["law_TS=curve", "law_TD=curve", "law_RS=curve", "law_RD=curve"]), &of(&[]));
}

#[test]
fn outside_its_rows_a_curve_goes_on_straight_or_is_held() {
    for (extrapolation, expected) in [("", 40_000.0), ("curveExtrapolation=hold", 20_000.0)] {
        let curve = "TS_curve_x=[[0.0, 0.0], [1e-3, 10e3], [2e-3, 20e3]]";
        let fmu = Fmu::new(
            &["law_TS=curve", curve, extrapolation].into_iter().filter(|text| !text.is_empty()).collect::<Vec<_>>(),
        );
        let instance = fmu.instance();
        instance.initialise();
        for sign in [1.0, -1.0] {
            instance.set("frame_b.r_0", &[sign * 4e-3, 0.0, 0.0]);
            assert_close(&instance.get("frame_a.f"), &[-sign * expected, 0.0, 0.0]);
        }
    }
}

/// Returns the power through the frames at a pose and a rate of it.
fn power(instance: &Instance<'_>, r: Vector3<f64>, v: Vector3<f64>) -> f64 {
    instance.set("frame_b.r_0", r.as_slice());
    instance.set("frame_b.v_0", v.as_slice());
    -Vector3::from_column_slice(&instance.get("frame_a.f")).dot(&v)
}

/// Returns the integral of a curve from 0, by trapezia between all points and the end.
fn integral(points: &[[f64; 2]], end: f64) -> f64 {
    let sign = end.signum();
    let mut places: Vec<f64> = points.iter().map(|[argument, _]| *argument).collect();
    if points[0][0] >= 0.0 {
        places.extend(points.iter().map(|[argument, _]| -argument));
    }
    places.retain(|place| place * sign > 0.0 && place.abs() < end.abs());
    places.extend([0.0, end]);
    places.sort_by(f64::total_cmp);
    let trapezia = places.windows(2).map(|p| (between(points, p[0]) + between(points, p[1])) / 2.0 * (p[1] - p[0]));
    sign * trapezia.sum::<f64>()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(8))]

    /// From one place to another, the work is the difference of the integrals of the curves, whatever the way.
    #[test]
    fn work_on_elastic_curves_is_the_difference_of_their_integrals(
        corners in proptest::collection::vec([-6e-3..6e-3_f64, -3e-3..3e-3, -7e-3..7e-3], 2..5),
    ) {
        let fmu = fmu(&inline("TS"), &["TD=[0,0,0]"]);
        let instance = fmu.instance();
        instance.initialise();
        let mut work = 0.0;
        const PARTS: u32 = 4000;
        for pair in corners.windows(2) {
            let (from, to) = (Vector3::from(pair[0]), Vector3::from(pair[1]));
            // The midpoint rule over unit time.
            for part in 0..PARTS {
                let at = from + (to - from) * ((f64::from(part) + 0.5) / f64::from(PARTS));
                work += power(&instance, at, to - from) / f64::from(PARTS);
                prop_assert_eq!(instance.get("lossPower")[0], 0.0);
            }
        }
        let energy = |place: &[f64; 3]| (0..3).map(|axis| integral(FORCES[axis], place[axis])).sum::<f64>();
        let expected = energy(&corners[corners.len() - 1]) - energy(&corners[0]);
        let size = corners.iter().map(energy).fold(1.0_f64, f64::max);
        prop_assert!((work - expected).abs() < 1e-5 * size, "{work} is not {expected}");
    }

    /// The work of turns is the difference of the integrals, too, in the moment law that has a potential.
    #[test]
    fn work_on_curves_of_turns_is_the_difference_of_their_integrals(
        corners in proptest::collection::vec([-0.4..0.4_f64, -0.4..0.4, -0.8..0.8], 2..4),
    ) {
        let fmu = fmu(&inline("RS"), &["RD=[0,0,0]", "momentLaw=gimbal", "RotSeq=[1,2,3]"]);
        let instance = fmu.instance();
        instance.initialise();
        let turned = |[first, second, third]: [f64; 3]| {
            Rotation3::from_axis_angle(&Vector3::x_axis(), first)
                * Rotation3::from_axis_angle(&Vector3::y_axis(), second)
                * Rotation3::from_axis_angle(&Vector3::z_axis(), third)
        };
        let mut work = 0.0;
        const PARTS: u32 = 2000;
        for pair in corners.windows(2) {
            let at = |part: f64| turned(std::array::from_fn(|i| pair[0][i] + (pair[1][i] - pair[0][i]) * part / f64::from(PARTS)));
            for part in 0..PARTS {
                let part = f64::from(part);
                instance.set("frame_b.R.T", at(part + 0.5).matrix().as_slice());
                let small = (at(part + 1.0) * at(part).inverse()).scaled_axis();
                work -= Vector3::from_column_slice(&instance.get("frame_a.t")).dot(&small);
            }
        }
        let energy = |place: &[f64; 3]| (0..3).map(|axis| integral(MOMENTS[axis], place[axis])).sum::<f64>();
        let expected = energy(&corners[corners.len() - 1]) - energy(&corners[0]);
        let size = corners.iter().map(energy).fold(1.0_f64, f64::max);
        prop_assert!((work - expected).abs() < 1e-4 * size, "{work} is not {expected}");
    }

    #[test]
    fn damping_curves_only_take_energy(v in [-3.0..3.0_f64, -3.0..3.0, -3.0..3.0], w in [-20.0..20.0_f64, -20.0..20.0, -20.0..20.0]) {
        let fmu = fmu(&[inline("TD"), inline("RD")].concat(), &[]);
        let instance = fmu.instance();
        instance.initialise();
        instance.set("frame_b.v_0", &v);
        instance.set("frame_b.R.w", &w);
        let expected: f64 =
            (0..3).map(|axis| v[axis] * between(FRICTION[axis], v[axis]) + w[axis] * between(TURNING[axis], w[axis])).sum();
        let loss = instance.get("lossPower")[0];
        prop_assert!(expected >= 0.0 && (loss - expected).abs() <= 1e-12 * expected, "{loss} is not {expected}");
    }
}

#[test]
fn derivatives_of_curves_are_those_of_differences() {
    for smoothness in ["linear", "spline", "akima"] {
        let smooth = AXES.map(|(set, ..)| format!("sm_{set}={smoothness}"));
        let fmu = fmu(&[all_inline(), smooth.to_vec(), vec!["allowNegative=true".to_owned()]].concat(), &[]);
        let instance = fmu.instance();
        assert_eq!(instance.fmi.setup_experiment(None, 0.0, None), Status::Ok);
        assert_eq!(instance.fmi.enter_initialization_mode(), Status::Ok);
        move_frames(&instance, by_matrix);
        let unknowns: Vec<u32> = ["frame_a.f", "frame_a.t", "frame_b.t", "lossPower"]
            .iter()
            .flat_map(|name| instance.references(name))
            .collect();
        let values = |instance: &Instance<'_>| instance.fmi.get_real(&unknowns).1;
        let tables = AXES.iter().flat_map(|(set, axes, _)| axes.map(|axis| format!("{set}_curve_{axis}")));
        let inputs = ["frame_b.r_0", "frame_b.v_0", "frame_b.R.w"].map(str::to_owned);
        let mut effects = 0;
        for name in tables.chain(inputs) {
            let at = instance.get(&name);
            for (index, known) in instance.references(&name).into_iter().enumerate() {
                let (status, exact) = instance.fmi.directional_derivative(&unknowns, &[known], &[1.0]);
                assert_eq!(status, Status::Ok, "{:?}", instance.fmi.messages());
                let h = 1e-7 * at[index].abs().max(1e-2);
                let moved = |by: f64| {
                    assert_eq!(instance.fmi.set_real(&[known], &[at[index] + by]), Status::Ok);
                    values(&instance)
                };
                // An odd curve begins at the origin.
                if name.contains("curve") && at[index] == 0.0 {
                    continue;
                }
                let (above, below) = (moved(h), moved(-h));
                moved(0.0);
                for ((exact, above), below) in exact.iter().zip(&above).zip(&below) {
                    let difference = (above - below) / (2.0 * h);
                    let tolerance = 1e-5 * exact.abs() + 1e-14 * above.abs() / h + 1e-6;
                    assert!((exact - difference).abs() <= tolerance, "{name} {index}: {exact} is not {difference}");
                    effects += usize::from(*exact != 0.0);
                }
            }
        }
        assert!(effects > 60, "{effects}");
    }
}

/// At a row, and at 0 of an odd curve, the derivative is that of the side from which the motion comes.
#[test]
fn rule_7_3_at_a_point_of_a_curve_the_rate_is_that_of_the_step() {
    let curve = "TS_curve_x=[[0,0],[0.01,1e4],[0.02,5e4]]";
    let fmu = Fmu::new(&["law_TS=curve", "TD=[0,0,0]", curve]);
    for (start, rate, slope) in [(0.0, 0.01, 1e6), (0.02, -0.01, 4e6), (-0.02, 0.01, 4e6), (0.01, -0.01, 1e6)] {
        let instance = fmu.instance();
        instance.set("frame_b.r_0", &[start, 0.0, 0.0]);
        instance.initialise();
        assert_eq!(instance.set_rates("frame_b.r_0", &[rate, 0.0, 0.0]), Status::Ok);
        instance.step(0.0, 1.0);
        let found = instance.output_rates(&instance.references("frame_a.f"))[0];
        assert!((found + slope * rate).abs() <= 1e-9 * slope * rate.abs(), "{start} {rate}: {found}");
    }
}

#[test]
fn ms4_curves_take_no_dependency_away() {
    let knowns = |options: &[String]| -> Vec<Vec<String>> {
        let description = describe(&options.iter().map(String::as_str).collect::<Vec<_>>()).unwrap();
        let name = |index: &usize| description.variables[*index].name.clone();
        let outputs = &description.model_structure.outputs;
        outputs.iter().map(|unknown| unknown.dependencies.as_ref().unwrap().iter().map(name).collect()).collect()
    };
    let flat = "=[[0,0],[1,0]]";
    let zeros = AXES.iter().flat_map(|(set, axes, _)| {
        std::iter::once(format!("law_{set}=curve")).chain(axes.map(|axis| format!("{set}_curve_{axis}{flat}")))
    });
    let expected = knowns(&[]);
    assert_eq!(knowns(&zeros.collect::<Vec<_>>()), expected);
    let files = AXES.map(|(set, ..)| [format!("law_{set}=curve"), format!("DCM_{set}=file")]);
    assert_eq!(knowns(files.as_flattened()), expected);
    let description = describe(&files.as_flattened().iter().map(String::as_str).collect::<Vec<_>>()).unwrap();
    let initial: Vec<&str> = description
        .model_structure
        .initial_unknowns
        .iter()
        .flat_map(|unknown| unknown.dependencies.as_ref().unwrap())
        .map(|index| description.variables[*index].name.as_str())
        .collect();
    for name in AXES.iter().flat_map(|(set, ..)| [format!("sr_{set}"), format!("sm_{set}")]) {
        assert!(initial.contains(&name.as_str()), "{name}");
    }
    assert!(initial.contains(&"curveExtrapolation"));
}

#[test]
fn a_signal_is_no_curve() {
    for (nonlinear, exists) in [("nonlinear_TS=true", true), ("nonlinear_TS=false", false)] {
        let description = describe(&["law_TS=curve", "DCM_TS=signal", nonlinear]).unwrap();
        assert_eq!(description.variables.iter().any(|variable| variable.name == "K_in[1]"), exists);
        let expected = "law_TS = curve has no effect here; it would have one with DCM_TS = inline";
        assert!(description.warnings.iter().any(|warning| warning == expected), "{:?}", description.warnings);
    }
}

#[test]
fn what_is_no_curve_is_refused() {
    let refused = |set: &str, assignments: &[&str], message: &str| {
        let law = format!("law_{set}=curve");
        let assignments = [&[law.as_str()], assignments].concat();
        assert_eq!(describe(&assignments).unwrap_err().to_string(), format!("the FMU would not start: {message}"));
    };
    refused(
        "TS",
        &["TS_curve_y=[[0, 0.5], [1e-3, 900]]"],
        "TS_curve_y, row 1, column 2 is 0.5 at 0, but must be 0 there, since a curve without rows below 0 is odd: move \
         it to the origin, or give rows on both sides",
    );
    refused(
        "TS",
        &["TS_curve_y=[[1e-17, 0.5], [1e-3, 900]]"],
        "TS_curve_y, row 1, column 2 is 0.5 at 0, but must be 0 there, since a curve without rows below 0 is odd: move \
         it to the origin, or give rows on both sides",
    );
    refused(
        "TS",
        &["TS_curve_x=[[0, 0]]"],
        "TS_curve_x, row 1, column 1 is the only row, but a curve needs two, or one above 0",
    );
    refused(
        "RS",
        &["RS_curve_2=[[-0.2, -9], [-0.1, -4]]"],
        "RS_curve_2, row 2, column 1 is -0.1, but a curve must reach 0",
    );
    refused(
        "TS",
        &["TS_curve_x=[[0, 0], [2e-3, 30], [1e-3, 20]]"],
        "TS_curve_x, row 3, column 1 is 0.001, but must be greater than 0.002 in the row before; of a loop of loading and \
         unloading, the curve is the mean (the command convert finds it, with the friction)",
    );
    refused(
        "TS",
        &["TS_curve_x=[[0, 0], [1e-3, 30], [1e-3, 20]]"],
        "TS_curve_x, row 3, column 1 is 0.001, but must be greater than 0.001 in the row before",
    );
    for rows in ["[2e-3, 30], [1e-3, 20]", "[2e-3, 30], [1e-3, 20], [-1e-3, -20]"] {
        let message = "TS_curve_x, row 2, column 1 is 0.001, but must be greater than 0.002 in the row before; the rows are \
                       in the opposite order";
        refused("TS", &[&format!("TS_curve_x=[{rows}]")], message);
    }
    refused(
        "TS",
        &["TS_curve_x=[[0, 0], [1e-3, 20]]", "sr_TS=2"],
        "sr_TS = 2 skips all rows of TS_curve_x: at least one must be left",
    );
    refused(
        "TS",
        &["TS_curve_z=[[-1e-3, 20], [1e-3, -20]]"],
        "TS_curve_z, row 1, column 2: the curve is 20.0 at -0.001, but must be at most 0.0, since it is the load that \
         resists, unless allowNegative is true",
    );
    refused(
        "TD",
        &["TD_curve_x=[[-1, -20], [0, 3], [1, 20]]"],
        "TD_curve_x, row 2, column 2: the curve is 3.0 at 0.0, but must be at most 0.0, since it is the load that \
         resists, unless allowNegative is true",
    );
    refused(
        "TD",
        &["TD_curve_x=[[1, 20], [2, 15]]"],
        "TD_curve_x, row 2, column 2: the curve falls towards its end, and continued linearly changes its sign, but must \
         keep resisting (curveExtrapolation = hold) unless allowNegative is true",
    );
    assert!(describe(&["law_TD=curve", "TD_curve_x=[[1, 20], [2, 15]]", "curveExtrapolation=hold"]).is_ok());
    // A spring may be preloaded, and measured with an offset.
    let preloaded = ["law_TS=curve", "TS_curve_x=[[-1e-3, 10], [0, 30], [1e-3, 40]]", "allowAsymmetry=true"];
    assert_eq!(describe(&preloaded).unwrap().warnings, [""; 0]);
    refused(
        "TS",
        &["sm_TS=spline", "TS_curve_x=[[-3e-3, -900], [-1e-3, 0], [1e-3, 0], [3e-3, 900]]"],
        "TS_curve_x, row 2, column 2: the curve is -28.867513459481316 at 0.0005773502691896258, where a spline overshoots \
         (sm_TS = linear does not), but must be at least 0.0, since it is the load that resists, unless allowNegative is \
         true",
    );
}

#[test]
fn curves_that_do_not_resist_can_be_allowed() {
    for (set, curve, warning) in [
        ("TS", "[[1e-3, 20], [2e-3, -1]]", "row 2, column 2: the curve is -1.0 at 0.002: a load that does not resist"),
        ("TD", "[[1, 20], [2, -1]]", "row 2, column 2: the curve is -1.0 at 2.0: it creates energy"),
        (
            "TD",
            "[[1, 20], [2, 15]]",
            "row 2, column 2: the curve falls towards its end, and continued linearly changes its sign: it creates \
             energy there",
        ),
    ] {
        let [law, curve] = [format!("law_{set}=curve"), format!("{set}_curve_x={curve}")];
        let description = describe(&[&law, &curve, "allowNegative=true"]).unwrap();
        assert_eq!(description.warnings, [format!("{set}_curve_x, {warning}")]);
    }
}

#[test]
fn doubtful_curves_are_warned_of() {
    let warnings = |curve: &str, others: &[&str]| {
        let curve = format!("TS_curve_x={curve}");
        describe(&[&["law_TS=curve", &curve], others].concat()).unwrap().warnings
    };
    let offset = "[[-4e-5, -36], [0, 0], [1e-3, 900]]";
    let expected = "TS_curve_x, row 1, column 1 is -0.00004, slightly below 0, so the curve is not odd, but used as given \
                    on both sides: without this row, or with 0 in its place, the curve is odd";
    assert_eq!(warnings(offset, &[]), [expected]);
    for usual in ["[[-6e-5, -54], [1e-3, 900]]", "[[-1e-17, 0], [1e-3, 900]]", "[[1e-17, 0], [1e-3, 900]]"] {
        assert_eq!(warnings(usual, &[]), [""; 0], "{usual}");
    }
    let odd =
        ", so it is not odd: give only rows from 0 on to make it odd, or set allowAsymmetry = true if this is intended";
    for (curve, seen) in [
        ("[[-2e-3, -900], [0, 0], [2e-3, 1000]]", "the curve is 1000.0 at 0.002, but -900.0 at -0.002"),
        // The curve is compared where it has both sides, also with points at other places.
        ("[[-1e-3, -300], [0, 0], [2e-3, 1000]]", "the curve is 500.0 at 0.001, but -300.0 at -0.001"),
        ("[[-1e-3, -470], [0, 30], [1e-3, 530]]", "the curve is 30.0 at 0"),
    ] {
        assert_eq!(warnings(curve, &[]), [format!("TS_curve_x, columns 1 and 2: {seen}{odd}")]);
        assert_eq!(warnings(curve, &["allowAsymmetry=true"]), [""; 0], "{curve}");
    }
    // Noise of 2 % of the largest load.
    // A stop at one end has a curve of that side only.
    let stop = "TS_curve_x, columns 1 and 2: the load is 0 up to 0.002, as at a stop, and the curve has no rows below 0, so it \
                acts on both sides; for a stop on one side only, add a row [-0.002, 0] and set allowAsymmetry = true; for one \
                on both sides, add the rows below 0";
    assert_eq!(warnings("[[2e-3, 0], [3e-3, 300], [5e-3, 2400]]", &[]), [stop]);
    assert_eq!(warnings("[[0, 0], [1e-3, 0], [2e-3, 0], [3e-3, 300]]", &[]), [stop]);
    let lookup_directional = "[[-2e-3, 0], [2e-3, 0], [3e-3, 300], [5e-3, 2400]]";
    assert_eq!(warnings(lookup_directional, &["allowAsymmetry=true"]), [""; 0]);
    assert_eq!(warnings("[[-3e-3, -300], [-2e-3, 0], [2e-3, 0], [3e-3, 300]]", &[]), [""; 0]);
    assert_eq!(warnings("[[-2e-3, -970], [0, 0], [2e-3, 1000]]", &[]), [""; 0]);
    let expected = "TS_curve_x, row 2, column 2: the curve falls towards its end, and continued linearly changes its \
                    sign; curveExtrapolation = hold keeps the load of the last row";
    assert_eq!(warnings("[[1e-3, 900], [2e-3, 800]]", &[]), [expected]);
    assert_eq!(warnings("[[1e-3, 900], [2e-3, 800]]", &["curveExtrapolation=hold"]), [""; 0]);
}

#[test]
fn wrong_files_of_curves_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let refused = |text: &str, message: &str| {
        let path = folder.path().join("report.csv");
        fs_err::write(&path, text).unwrap();
        let data = format!("TS_data={}", path.display());
        let found = describe(&["law_TS=curve", "DCM_TS=attachment", &data]).unwrap_err().to_string();
        let expected = format!("the FMU would not start: report.csv{message} (TS_data; sr_TS = 0, sheet_TS = \"\")");
        assert_eq!(found, expected);
    };
    refused("0;0;0;0;0;0\n1e-3;100;1e-3;;1e-3;100\n", ", row 2, column 4 is empty, but must be a number");
    refused("0;0;;;0;0\n1;1;;;1;1\n", ", columns 3 and 4 are empty");
    refused("0;0;0;0;0;0;0\n", ", row 1 has 7 columns, but must have 6");
    refused(
        "0;0;0;0;0;0\n1;1;1;1;1;-1\n",
        ", row 2, column 6: the curve is -1.0 at 1.0, but must be at least 0.0, since it is the load that resists, \
         unless allowNegative is true",
    );
}

#[test]
fn one_pair_of_columns_is_the_curve_of_one_axis() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("one.csv");
    fs_err::write(&file, "0,0\n1e-3,900\n").unwrap();
    let data = format!("TS_data={}", file.display());
    let message = describe(&["law_TS=curve", "DCM_TS=attachment", &data]).unwrap_err().to_string();
    let hint = "one.csv, columns 3 and 4 are empty; the curve of one axis is TS_curve_x, with DCM_TS = inline (TS_data";
    assert!(message.contains(hint), "{message}");
}

#[test]
fn labels_of_the_smoothness_are_accepted() {
    for (label, item) in [
        ("Linearly interpolate table points", "linear"),
        ("linearly interpolate table points", "linear"),
        ("cubic", "spline"),
        ("Cubic Spline", "spline"),
        ("spline", "spline"),
    ] {
        let description = describe(&["law_TS=curve", &format!("sm_TS={label}")]).unwrap();
        let expected = format!("start sm_TS {item}\n");
        assert_eq!(description.configuration.contains(&expected), item != "linear", "{}", description.configuration);
    }
}
