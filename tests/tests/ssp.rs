//! A system of two bushings, checked by the schema and run by the SSP master of FMPy.

use fmu_builder::System;
use fmu_tests::finished::{Fmu, printed, python};

/// Makes a bushing whose inputs may all be zero, since masters start with that.
fn bushing(name: &str, stiffness: &str) -> Fmu {
    Fmu::new("bushing", &[&format!("name={name}"), &format!("TS={stiffness}"), "orientation=cardan"])
}

#[test]
fn two_bushings_share_the_motion_of_an_arm() {
    let Some(mut python) = python() else { return };
    let folder = tempfile::tempdir().unwrap();
    let (front, rear) = (bushing("Front", "[1e6,1e6,1e6]"), bushing("Rear", "[3e6,1e6,1e6]"));
    let mut system = System::new("Arm").unwrap();
    system.add("front", &front.file).unwrap();
    system.add("rear", &rear.file).unwrap();
    system.input("body", &["front.frame_a", "rear.frame_a"]).unwrap();
    system.input("arm", &["front.frame_b", "rear.frame_b"]).unwrap();
    let path = folder.path().join("Arm.ssp");
    system.write(&path).unwrap();
    // The master sets inputs to zero until the first connection, so it is the end that counts.
    let script = "import sys, fmpy.ssp.ssd, fmpy.ssp.simulation\n\
        path = sys.argv[1]\n\
        fmpy.ssp.ssd.read_ssd(path, validate=True)\n\
        result = fmpy.ssp.simulation.simulate_ssp(path, stop_time=0.1, step_size=0.01,\n\
        \x20   input={'arm_r_0_1': lambda time: 1e-3, 'arm_v_0_2': lambda time: 1e-2})\n\
        for name in sys.argv[2:]:\n\
        \x20   print(repr(float(result[name][-1])))";
    let outputs = ["front.frame_a.f[1]", "front.frame_b.f[1]", "rear.frame_a.f[1]", "rear.frame_a.f[2]"];
    let said = printed(python.args(["-c", script]).arg(&path).args(outputs));
    let loads: Vec<f64> = said.lines().filter_map(|line| line.parse().ok()).collect();
    // Stiffness times 1 mm on the arm, with the opposite sign on the bushing at frame_b; damping 1e4 N.s/m.
    for (found, expected) in loads.iter().zip([-1e3, 1e3, -3e3, -1e2]) {
        assert!((found - expected).abs() <= 1e-9 * expected.abs(), "{outputs:?}: {loads:?}");
    }
    assert_eq!(loads.len(), 4, "{said}");
}

/// The shaft between two clutches: the first one contains its inertia, the second one takes its motion and returns a
/// load. FMPy reads the factor -1 of a connection and does not apply it.
#[test]
fn a_connected_load_has_the_right_sign() {
    let Some(mut python) = python() else { return };
    let folder = tempfile::tempdir().unwrap();
    let first = Fmu::new("clutch", &["name=First", "J_b=2"]);
    let second = ["name=Second", "flange_a=motion_in", "fn_max=6", "J_b=1000", "w_b_start=-10"];
    let system = |flows: &str| {
        let second = Fmu::new("clutch", &[&second[..], &[flows]].concat());
        let mut system = System::new("Drive").unwrap();
        system.add("first", &first.file).unwrap();
        system.add("second", &second.file).unwrap();
        system.connect("first.flange_b", "second.flange_a").unwrap();
        system.input("press", &["second.f_normalized"]).unwrap();
        let path = folder.path().join("Drive.ssp");
        system.write(&path).unwrap();
        (path, system.reversed().len())
    };
    assert_eq!(system("flows=inflow").1, 1);
    let (path, reversed) = system("flows=outflow");
    assert_eq!(reversed, 0);
    let script = "import sys, fmpy.ssp.simulation\n\
        result = fmpy.ssp.simulation.simulate_ssp(sys.argv[1], stop_time=1.0, step_size=1/128,\n\
        \x20   input={'press': lambda time: 1.0})\n\
        print(repr(float(result['first.flange_b.w'][-1])), repr(float(result['second.tau'][-1])))";
    let said = printed(python.args(["-c", script]).arg(&path));
    let [w, tau] = *said.split_whitespace().map(|word| word.parse().unwrap()).collect::<Vec<f64>>() else {
        panic!("{said}")
    };
    // The slower side brakes the shaft with 3 N.m; inputs and loads come a step late each.
    assert_eq!(tau, -3.0);
    assert!((w + 1.5 * 126.0 / 128.0).abs() < 1e-12, "{w}");
}
