//! What the descriptions say.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::f64::consts::{PI, TAU};

use crate::points::for_each_structure;

#[test]
fn n5_names_are_short() {
    for_each_structure(|fmu| {
        for variable in &fmu.description.variables {
            assert!(variable.name.len() <= 55, "{}", variable.name);
        }
    });
}

#[test]
fn u3_display_units_are_the_unit_times_their_factor_plus_their_offset() {
    // A value of the unit, and what a viewer shows.
    let known = [("deg", PI, 180.0), ("rpm", TAU, 60.0), ("degC", 273.15, 0.0)];
    let seen = RefCell::new(BTreeSet::new());
    for_each_structure(|fmu| {
        for display in fmu.description.units.iter().flat_map(|unit| unit.display.iter()) {
            let wanted = known.iter().find(|(name, ..)| *name == display.name);
            let (name, value, shown) = wanted.unwrap_or_else(|| panic!("{}", display.name));
            assert!((display.factor * value + display.offset - shown).abs() < 1e-12, "{name}");
            seen.borrow_mut().insert(*name);
        }
    });
    assert_eq!(seen.into_inner().len(), known.len());
}
