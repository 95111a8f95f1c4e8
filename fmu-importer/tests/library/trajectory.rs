//! Trajectories as CSV.

use fmu_importer::Trajectory;
use proptest::prelude::*;

#[test]
fn names_with_a_comma_are_quoted() {
    let mut trajectory = Trajectory::default();
    trajectory.add("T[1,2]", None, false);
    trajectory.time = vec![0.1, 0.2];
    trajectory.columns = vec![vec![1e-7, 4000.0]];
    let mut text = Vec::new();
    trajectory.write_csv(&mut text).unwrap();
    assert_eq!(String::from_utf8(text).unwrap(), "time,\"T[1,2]\"\n0.1,1e-7\n0.2,4000\n");
}

proptest! {
    #[test]
    fn numbers_read_back_as_the_same_bits(value in prop::num::f64::NORMAL | prop::num::f64::ZERO) {
        let mut trajectory = Trajectory::default();
        trajectory.add("x", None, false);
        trajectory.time = vec![0.0];
        trajectory.columns = vec![vec![value]];
        let mut text = Vec::new();
        trajectory.write_csv(&mut text).unwrap();
        let text = String::from_utf8(text).unwrap();
        let cell = text.trim_end().rsplit(',').next().unwrap();
        prop_assert_eq!(cell.parse::<f64>().unwrap().to_bits(), value.to_bits());
        prop_assert!(cell.len() <= 24);
    }
}
