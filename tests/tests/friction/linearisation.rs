//! The clutch linearised by FMPy, compared with its analytical linearisation.

use std::collections::BTreeMap;

use fmu_tests::finished::{printed, python};
use serde_json::Value;

use crate::fixture::clutch;

const KNOWNS: [&str; 7] =
    ["flange_a.phi", "flange_a.w", "phi_rel", "w_rel", "f_normalized", "flange_a.tau", "flange_b.tau"];

const J_A: f64 = 0.7;
const J_B: f64 = 0.4;
const FN_MAX: f64 = 20.0;
const F: f64 = 0.6;
/// Coefficient of friction at low speed, and its change with the speed in s/rad.
const MUE: f64 = 0.5;
const SLOPE: f64 = -0.02;
const W_REL: f64 = 3.0;

type Row = [f64; 7];

/// Returns derivatives by the knowns, of state derivatives and outputs while the clutch slides forward.
fn on_paper() -> BTreeMap<&'static str, Row> {
    let unit = |known: &str| KNOWNS.map(|name| f64::from(u8::from(name == known)));
    let sum = |parts: &[(f64, Row)]| -> Row {
        std::array::from_fn(|i| parts.iter().map(|(factor, row)| factor * row[i]).sum())
    };
    let (mue, tau) = (MUE + SLOPE * W_REL, FN_MAX * F * (MUE + SLOPE * W_REL));
    let d_tau = sum(&[(FN_MAX * mue, unit("f_normalized")), (FN_MAX * F * SLOPE, unit("w_rel"))]);
    let a_a = sum(&[(1.0 / J_A, unit("flange_a.tau")), (1.0 / J_A, d_tau)]);
    let a_b = sum(&[(1.0 / J_B, unit("flange_b.tau")), (-1.0 / J_B, d_tau)]);
    BTreeMap::from([
        ("flange_a.phi", unit("flange_a.phi")),
        ("flange_a.w", unit("flange_a.w")),
        ("flange_a.a", a_a),
        ("flange_b.phi", sum(&[(1.0, unit("flange_a.phi")), (1.0, unit("phi_rel"))])),
        ("flange_b.w", sum(&[(1.0, unit("flange_a.w")), (1.0, unit("w_rel"))])),
        ("flange_b.a", a_b),
        ("phi_rel", unit("phi_rel")),
        ("w_rel", unit("w_rel")),
        ("a_rel", sum(&[(1.0, a_b), (-1.0, a_a)])),
        ("tau", d_tau),
        ("lossPower", sum(&[(W_REL, d_tau), (tau, unit("w_rel"))])),
    ])
}

#[test]
fn fmpy_linearises_the_clutch_as_it_is_done_on_paper() {
    let Some(mut python) = python() else { return };
    let fmu = clutch(&["mue_pos=[[0.0,0.5],[10.0,0.3]]", "fn_max=20", "J_a=0.7", "J_b=0.4"]);
    python.arg("-c").arg(include_str!("linearise.py")).arg(&fmu.file);
    python.args(["w_a_start=1", "w_b_start=4", "f_normalized=0.6", "flange_a.tau=1.5", "flange_b.tau=-0.5"]);
    let answer: Value = serde_json::from_str(&printed(&mut python)).unwrap();
    let names = |key: &str| -> Vec<String> { serde_json::from_value(answer[key].clone()).unwrap() };
    let columns = |key: &str| -> Vec<Vec<f64>> { serde_json::from_value(answer[key].clone()).unwrap() };
    let (knowns, unknowns) = (names("knowns"), names("unknowns"));
    let expected = on_paper();
    assert_eq!(knowns.len(), KNOWNS.len(), "{knowns:?}");
    let derivatives: Vec<_> = unknowns[..4].iter().map(String::as_str).collect();
    assert_eq!(derivatives, ["flange_a.w", "flange_a.a", "w_rel", "a_rel"]);
    assert!(expected.keys().all(|name| unknowns[4..].iter().any(|other| other == name)), "{unknowns:?}");
    for (kind, tolerance) in [("exact", 1e-14), ("differences", 1e-8)] {
        for (known, column) in knowns.iter().zip(columns(kind)) {
            let position = KNOWNS.iter().position(|name| name == known).unwrap();
            for (unknown, found) in unknowns.iter().zip(column) {
                let expected = expected[unknown.as_str()][position];
                let difference = (found - expected).abs();
                assert!(
                    difference <= tolerance * expected.abs().max(10.0),
                    "{kind}: d {unknown} / d {known} = {found} is not {expected}"
                );
            }
        }
    }
}
