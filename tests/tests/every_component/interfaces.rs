//! Comparison of both interfaces, which must compute the same.

use fmu_importer::validate;
use fmu_tests::finished::Fmu;

use crate::points::for_each_structure;

#[test]
fn validate_finds_nothing_in_any_structure() {
    for_each_structure(check);
}

/// A solver finds the instant at which the normal force appears up to rounding; the sides have begun to move then.
#[test]
fn friction_sticks_where_the_normal_force_appears_at_rest() {
    let static_friction = ["peak=2", "fn_max=0.9", "J_a=0.003"];
    let spring = ["flange_a=motion_in", "useSupport=true", "support=motion_in", "fn_max=100"];
    for assignments in [&static_friction[..], &spring] {
        check(&Fmu::new("brake", assignments));
    }
}

fn check(fmu: &Fmu) {
    let mut findings = Vec::new();
    let checked = validate::file(&fmu.file, |finding| findings.push(finding.to_string()));
    assert_eq!(findings, [""; 0]);
    assert_eq!(checked.interfaces.len(), 2);
}
