//! Directional derivatives with respect to the elements of tables.

use fmu_tests::api::Status;

use crate::fixture::Fmu;
use crate::structures::{LOADS, by_matrix, loads, move_frames};

/// All sets with the same rows; the motion stays inside of them.
const ROWS: [[f64; 4]; 4] = [[-7.0, 3e4, 1e4, 2e4], [-0.5, 1e4, 2e4, 1e4], [0.3, 2e4, 3e4, 2e4], [9.0, 5e4, 9e4, 8e4]];

#[test]
fn rule_7_2_bushing_by_the_elements_of_its_tables() {
    for (smoothness, skip) in [("linear", 0), ("spline", 0), ("spline", 1)] {
        let rows = if skip == 1 { [&[[9.0; 4]], &ROWS[..]].concat() } else { ROWS.to_vec() };
        let options = ["TS", "TD", "RS", "RD"].into_iter().flat_map(|set| {
            let table = format!("{set}_table={rows:?}");
            let allowed = "allowNegative=true".to_owned();
            let [nonlinear, inline] = [format!("nonlinear_{set}=true"), format!("DCM_{set}=inline")];
            [allowed, nonlinear, inline, table, format!("sm_{set}={smoothness}"), format!("sr_{set}={skip}")]
        });
        let options: Vec<_> = options.collect();
        let fmu = Fmu::new(&options.iter().map(String::as_str).collect::<Vec<_>>());
        let instance = fmu.instance();
        assert_eq!(instance.fmi.setup_experiment(None, 0.0, None), Status::Ok);
        assert_eq!(instance.fmi.enter_initialization_mode(), Status::Ok);
        move_frames(&instance, by_matrix);
        let unknowns: Vec<u32> = LOADS.iter().flat_map(|name| instance.references(name)).collect();
        let mut effects = 0;
        for set in ["TS", "TD", "RS", "RD"] {
            let elements = instance.get(&format!("{set}_table"));
            for (index, known) in instance.references(&format!("{set}_table")).into_iter().enumerate() {
                let (status, exact) = instance.fmi.directional_derivative(&unknowns, &[known], &[1.0]);
                assert_eq!(status, Status::Ok, "{:?}", instance.fmi.messages());
                let h = 1e-5 * elements[index].abs().max(1.0);
                let at = |by: f64| {
                    assert_eq!(instance.fmi.set_real(&[known], &[elements[index] + by]), Status::Ok);
                    loads(&instance)
                };
                let (above, below) = (at(h), at(-h));
                at(0.0);
                for ((exact, above), below) in exact.iter().zip(&above).zip(&below) {
                    // Loads are linear in the ordinates; in the arguments there is what is cubic in the width.
                    let cubic = if index % 4 == 0 { 1e-7 * above.abs() } else { 0.0 };
                    let tolerance = 1e-7 * exact.abs() + 1e-14 * above.abs() / h + cubic;
                    let difference = (above - below) / (2.0 * h);
                    assert!((exact - difference).abs() <= tolerance, "{set} {index}: {exact} {difference}");
                    effects += usize::from(*exact != 0.0);
                }
            }
        }
        assert!(effects > 100, "{effects}");
    }
}

/// At a row both sides differ: the derivative is that of the side from which the motion comes.
#[test]
fn rule_7_3_at_a_row_the_rate_is_that_of_the_step() {
    let rows = "TS_table=[[0,1e6,1e6,1e6],[0.01,1e6,1e6,1e6],[0.02,2e6,2e6,2e6]]";
    let fmu = Fmu::new(&["nonlinear_TS=true", "TD=[0,0,0]", rows]);
    // Start, rate, and the slope of the coefficient just before.
    let cases = [(0.0, 0.01, 0.0), (0.02, -0.01, 1e8), (-0.02, 0.01, -1e8), (0.0, -0.01, 0.0), (0.01, 0.01, 1e8)];
    for (start, rate, slope) in cases {
        let instance = fmu.instance();
        instance.set("frame_b.r_0", &[start, 0.0, 0.0]);
        instance.initialise();
        assert_eq!(instance.set_rates("frame_b.r_0", &[rate, 0.0, 0.0]), Status::Ok);
        instance.step(0.0, 1.0);
        let r = start + rate;
        assert_eq!(instance.get("frame_b.r_0")[0], r);
        let force = instance.get("frame_a.f")[0];
        let found = instance.output_rates(&instance.references("frame_a.f"))[0];
        // f = -c(r) r
        let expected = (force / r - slope * r) * rate;
        assert!((found - expected).abs() <= 1e-9 * expected.abs(), "{start} {rate}: {found} {expected}");
    }
}
