//! Plots of made-up trajectories.

use std::path::Path;

use fmu_builder::Destination;
use fmu_importer::Trajectory;
use fmu_importer::plot::{Format, panels, save};

fn names(trajectory: &Trajectory, show: &[&str]) -> Vec<Vec<String>> {
    let show: Vec<_> = show.iter().map(|name| (*name).to_owned()).collect();
    let panels = panels(trajectory, &show).unwrap();
    let names = |columns: &[usize]| {
        let names = columns.iter().map(|column| trajectory.names[*column].clone());
        names.collect()
    };
    panels.iter().map(|panel| names(&panel.columns)).collect()
}

/// Returns a trajectory of ten seconds at a kilohertz.
fn trajectory() -> Trajectory {
    let mut trajectory = Trajectory::default();
    let newton = || Some("N".to_owned());
    let watt = || Some("W".to_owned());
    trajectory.add("frame_b.f[1]", newton(), false);
    trajectory.add("frame_b.f[2]", newton(), false);
    trajectory.add("lossPower", watt(), false);
    trajectory.add("frame_a.f[1]", newton(), false);
    trajectory.add("elasticPower", watt(), false);
    trajectory.add("mode", None, true);
    trajectory.time = (0..=10_000).map(|step| step as f64 * 1e-3).collect();
    let curve = |column: usize| {
        let noise = |time: f64| (time * 12_345.678).sin() * 0.1;
        let wave = move |time: &f64| 4000.0 * ((time * (1.0 + column as f64)).sin() + noise(*time));
        match column {
            3 => vec![0.0; trajectory.time.len()],
            5 => trajectory.time.iter().map(|time| time.floor() % 3.0).collect(),
            _ => trajectory.time.iter().map(wave).collect::<Vec<_>>(),
        }
    };
    trajectory.columns = (0..6).map(curve).collect();
    trajectory
}

fn saved(trajectory: &Trajectory, file: &str) -> Vec<u8> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(file);
    save(trajectory, "Bushing", &[], &Destination::new(&path).unwrap()).unwrap();
    fs_err::read(path).unwrap()
}

#[test]
fn arrays_and_scalars_of_a_unit_share_a_panel() {
    let panels = names(&trajectory(), &[]);
    let expected = [vec!["frame_b.f[1]", "frame_b.f[2]"], vec!["lossPower", "elasticPower"]];
    assert_eq!(panels, expected);
}

#[test]
fn loads_and_angles_come_first_and_matrices_not_at_all() {
    let mut trajectory = Trajectory { time: vec![0.0, 1.0], ..Trajectory::default() };
    for (name, unit) in [("a.R.T[1,1]", "1"), ("a.Q[1]", "1"), ("w", "rad/s"), ("phi", "rad"), ("a.f[1]", "N")] {
        trajectory.add(name, Some(unit.to_owned()), false);
        trajectory.columns.last_mut().unwrap().extend([1.0, 2.0]);
    }
    assert_eq!(names(&trajectory, &[]), [["a.f[1]"], ["phi"], ["w"]]);
    assert_eq!(names(&trajectory, &["a.R.T"]), [["a.R.T[1,1]"]]);
}

#[test]
fn what_is_shown_can_be_chosen() {
    let trajectory = trajectory();
    assert_eq!(names(&trajectory, &["mode", "frame_a"]), [["mode"], ["frame_a.f[1]"]]);
    assert_eq!(names(&trajectory, &["frame_b.f[2]"]), [["frame_b.f[2]"]]);
    let error = panels(&trajectory, &["lossPowr".to_owned()]).unwrap_err();
    assert_eq!(format!("{error:#}"), "nothing to show: there is no variable `lossPowr`; did you mean `lossPower`?");
}

#[test]
fn an_svg_stays_small() {
    let svg = String::from_utf8(saved(&trajectory(), "plot.svg")).unwrap();
    assert!(svg.starts_with("<svg"), "{}", &svg[..100]);
    assert!(svg.len() < 300_000, "{} bytes", svg.len());
}

#[test]
fn a_png_has_twice_the_size_of_the_svg() {
    let png = saved(&trajectory(), "plot.png");
    let number = |at: usize| u32::from_be_bytes(png[at..at + 4].try_into().unwrap());
    assert_eq!(&png[1..4], b"PNG");
    assert_eq!((number(16), number(20)), (2000, 940));
}

#[test]
fn constants_and_short_runs_can_be_drawn() {
    for values in [
        vec![0.0],
        vec![5.0, 5.0],
        vec![1e-300, 1e300],
        vec![f64::NAN, 1.0],
        vec![-1.7e308, 1.7e308],
        vec![1.0, 1.7e308, 2.0],
    ] {
        let mut trajectory = Trajectory::default();
        trajectory.add("x", None, false);
        trajectory.time = (0..values.len()).map(|step| step as f64).collect();
        trajectory.columns = vec![values];
        assert!(!saved(&trajectory, "plot.svg").is_empty());
    }
}

#[test]
fn other_formats_are_refused() {
    let error = Format::of(Path::new("plot.pdf")).unwrap_err();
    assert_eq!(error.to_string(), "plot.pdf: a plot is an .svg or a .png file");
    assert_eq!(Format::of(Path::new("PLOT.PNG")).unwrap(), Format::Png);
}
