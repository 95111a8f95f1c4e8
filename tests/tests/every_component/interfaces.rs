//! Both interfaces compute the same.

use fmu_importer::validate;

use crate::points::for_each_structure;

#[test]
fn validate_finds_nothing_in_any_structure() {
    for_each_structure(|fmu| {
        let mut findings = Vec::new();
        let checked = validate::file(&fmu.file, |finding| findings.push(finding.to_string()));
        assert_eq!(findings, [""; 0]);
        assert_eq!(checked.interfaces.len(), 2);
    });
}
