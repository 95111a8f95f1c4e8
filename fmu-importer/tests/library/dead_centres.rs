//! The time at which a loop passes its dead centre, in both interfaces.

use std::io::Write;

use fmu_builder::Settings;
use fmu_importer::{Event, Interface, Simulation};
use fmu_tests::finished::{Fmu, resolve};

/// Crank and rod of equal length, which move a mass: at 90 degrees both configurations of the loop meet.
const EQUAL_CRANK: &str = r#"name = "EqualCrank"
[parts.world]
type = "World"
[parts.bearing]
type = "Revolute"
w_start = 3.0
frame_a = "world.frame_b"
[parts.crank]
type = "BodyShape"
r = [0.1, 0, 0]
frame_a = "bearing.frame_b"
[parts.rod]
type = "JointRRP"
n_b = [1, 0, 0]
rRod1_ia = [0.1, 0, 0]
rRod2_ib = [0, 0, 0]
s_guess = 0.2
frame_a = "crank.frame_b"
frame_b = "world.frame_b"
[parts.piston]
type = "Body"
m = 1.0
frame_a = "rod.frame_ib"
"#;

#[test]
fn a_dead_centre_has_one_time_in_both_interfaces_with_every_step_and_tolerance() {
    let mut file = tempfile::Builder::new().suffix(".toml").tempfile().unwrap();
    file.write_all(EQUAL_CRANK.as_bytes()).unwrap();
    let fmu = Fmu::of("systems", resolve("systems", &Settings::from_toml(file.path()).unwrap()).unwrap());
    let mut times = Vec::new();
    for interface in [Interface::CoSimulation, Interface::ModelExchange] {
        for step in [1e-3, 1e-2, 1e-1] {
            for tolerance in [1e-4, 1e-6, 1e-10] {
                let mut simulation = Simulation::load_as(&fmu.file, interface).unwrap();
                (simulation.step, simulation.stop, simulation.tolerance) = (step, 3.0, Some(tolerance));
                let mut said = Vec::new();
                let heard = |event: Event<'_>| {
                    if let Event::Message(message) = event {
                        said.push(message.to_string());
                    }
                };
                simulation.run_with(heard).unwrap();
                let [message] = &said[..] else { panic!("{interface:?} {step} {tolerance}: {said:?}") };
                let (event, time) = message.split_once("both configurations meet, at ").unwrap();
                assert!(event.contains("\"rod\" has passed its dead centre"), "{message}");
                times.push(time.split_once(" s").unwrap().0.parse::<f64>().unwrap());
            }
        }
    }
    let [first, last] = [f64::min, f64::max].map(|of| times.iter().copied().reduce(of).unwrap());
    assert!(last - first < 1e-6, "{times:?}");
}
