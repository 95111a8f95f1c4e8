//! `name=value` as on the command line.

use crate::model::{enumerations, message, variables};
use fmu_importer::assignment::parse;
use fmu_importer::value::Value;
use proptest::prelude::*;

fn assigned(text: &str) -> anyhow::Result<Vec<(String, Value)>> {
    let variables = variables();
    let values = parse(text, &variables, &enumerations())?;
    let named = |(position, value): (usize, Value)| (variables[position].name.clone(), value);
    Ok(values.into_iter().map(named).collect())
}

#[test]
fn scalars_take_values_of_their_type() {
    let cases = [
        ("TS[2]=4e6", "TS[2]", Value::Real(4e6)),
        (" m = -0.5 ", "m", Value::Real(-0.5)),
        ("on=false", "on", Value::Boolean(false)),
        ("gear=-1", "gear", Value::Integer(-1)),
        ("serial=18446744073709551615", "serial", Value::Integer(u64::MAX.into())),
        ("onlyOne=xAndY", "onlyOne", Value::Integer(2)),
        ("onlyOne=1", "onlyOne", Value::Integer(1)),
        ("file=a=b.csv", "file", Value::String("a=b.csv".to_owned())),
        ("file=a,b", "file", Value::String("a,b".to_owned())),
        ("file=[a,b", "file", Value::String("[a,b".to_owned())),
    ];
    for (text, name, value) in cases {
        assert_eq!(assigned(text).unwrap(), [(name.to_owned(), value)], "{text}");
    }
}

#[test]
fn arrays_take_lists() {
    let real = |name: &str, value| (name.to_owned(), Value::Real(value));
    assert_eq!(assigned("TS=[1, 2,3]").unwrap(), [real("TS[1]", 1.0), real("TS[2]", 2.0), real("TS[3]", 3.0)]);
    assert_eq!(
        assigned("frame_a.R.T=[[1,2],[3,4]]").unwrap(),
        [
            real("frame_a.R.T[1,1]", 1.0),
            real("frame_a.R.T[1,2]", 2.0),
            real("frame_a.R.T[2,1]", 3.0),
            real("frame_a.R.T[2,2]", 4.0),
        ]
    );
}

#[test]
fn every_mistake_has_its_message() {
    let cases = [
        ("TS", "`TS` is not of the form name=value"),
        (
            "TSS=1",
            "cannot set `TSS=1` (only parameters and inputs can be set): there is no variable `TSS`; did you \
             mean `TS`?",
        ),
        (
            "lossPower=1",
            "cannot set `lossPower=1` (only parameters and inputs can be set): `lossPower` is an \
             output",
        ),
        ("TS=1", "cannot set `TS=1`: `TS` is a vector of 3, but the given value is one value; all alike: TS=[1,1,1]"),
        ("TS=[1,2]", "cannot set `TS=[1,2]`: `TS` is a vector of 3, but the given value is a vector of 2"),
        (
            "frame_a.R.T=[1,2,3,4]",
            "cannot set `frame_a.R.T=[1,2,3,4]`: `frame_a.R.T` is a matrix of 2 × 2, but the given value is a \
             vector of 4",
        ),
        ("TS=[1,2,3", "cannot set `TS=[1,2,3`: the brackets do not match"),
        ("m=[1,2]", "cannot set `m=[1,2]`: `m` is one value, but the given value is a vector of 2"),
        ("TS=1,2,3", "cannot set `TS=1,2,3`: `TS` is a vector of 3, in brackets: TS=[…]"),
        ("m=0,5", "cannot set `m`: `0,5` is not a number (decimal point)"),
        ("TS[2]=-1,5e3", "cannot set `TS[2]`: `-1,5e3` is not a number (decimal point)"),
        ("m=1,2,3", "cannot set `m`: `1,2,3` is not a number"),
        ("m=heavy", "cannot set `m`: `heavy` is not a number"),
        ("m=NaN", "cannot set `m`: `NaN` is not a finite number"),
        ("TS=[1,,3]", "cannot set `TS[2]`: the value is missing"),
        ("on=maybe", "cannot set `on`: `maybe` is neither true nor false"),
        ("gear=1.5", "cannot set `gear`: `1.5` is not a whole number"),
        ("onlyOne=none", "cannot set `onlyOne`: `none` is not one of all, xAndY"),
        ("onlyOne=3", "cannot set `onlyOne`: `3` is not one of all, xAndY"),
    ];
    for (text, expected) in cases {
        assert_eq!(message(assigned(text)), expected);
    }
}

proptest! {
    #[test]
    fn numbers_arrive_bit_by_bit(values in prop::array::uniform3(prop::num::f64::NORMAL)) {
        let [a, b, c] = values;
        let read = assigned(&format!("TS=[{a:e},{b:e},{c:e}]")).unwrap();
        let read: Vec<_> = read.into_iter().map(|(_, value)| value).collect();
        prop_assert_eq!(read, values.map(Value::Real));
    }

    #[test]
    fn no_text_panics(text in "[TSmon=\\[\\],0-9\" ]{0,20}") {
        let _ = assigned(&text);
    }
}
