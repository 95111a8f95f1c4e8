//! Finished clutches and brakes.

pub use fmu_tests::finished::{Fmu, Instance, describe, root};

pub const FORWARD: f64 = 1.0;
pub const STUCK: f64 = 0.0;
pub const BACKWARD: f64 = -1.0;
pub const FREE: f64 = 2.0;

pub fn clutch(assignments: &[&str]) -> Fmu {
    Fmu::new("clutch", assignments)
}

pub fn brake(assignments: &[&str]) -> Fmu {
    Fmu::new("brake", assignments)
}

/// A scalar.
pub fn get(instance: &Instance<'_>, name: &str) -> f64 {
    instance.get(name)[0]
}

/// Sets scalars.
#[track_caller]
pub fn set(instance: &Instance<'_>, values: &[(&str, f64)]) {
    for (name, value) in values {
        let status = instance.set(name, &[*value]);
        assert_eq!(status, fmu_tests::api::Status::Ok, "{name}: {:?}", instance.fmi.messages());
    }
}

/// The event indicators.
pub fn indicators(instance: &Instance<'_>) -> Vec<f64> {
    let (status, indicators) = instance.fmi.get_event_indicators(4);
    assert_eq!(status, fmu_tests::api::Status::Ok);
    indicators
}

#[track_caller]
pub fn assert_close(computed: f64, expected: f64, tolerance: f64) {
    assert!((computed - expected).abs() <= tolerance, "{computed} is not {expected}");
}
