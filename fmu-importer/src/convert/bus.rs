//! Property files of bushings of Adams (.bus): a curve for each direction, and constant damping.
//!
//! Source: the public help of Adams, "Bushing" of the Curve Manager (six curves of force over deflection, whose slope is the
//! stiffness, and six constants of damping) and "BUSHING" of the solver (the force on body I resists the displacement of body
//! I relative to body J) and "XML File Format" (the same curves, with Akima's interpolation); Altair's public help on AutoBush,
//! which reads the same files, by Akima's method and with linear extrapolation. Blocks and keys are named as in public programs
//! that read them; two of them, by different authors, name them alike. Body I is that at frame_b.

use mechanics::lookup_table::Smoothness;

use super::bushing::{Bushing, DIRECTIONS, Stiffness, coefficient, curve, unknown_block, unknown_keys};
use super::teim_orbit::{Block, refuse_other_types};
use super::units::{self, units};

/// Reads the bushing in the blocks of a file; errors are to be put behind its name.
pub fn bushing(blocks: &[Block]) -> Result<Bushing, String> {
    refuse_other_types(blocks, "bus")?;
    let units = units(blocks)?;
    let block = |name: &str| {
        blocks.iter().find(|block| block.name == name).ok_or_else(|| format!(": the block [{name}] is missing"))
    };
    let mut bushing = Bushing {
        stiffness: std::array::from_fn(|_| Stiffness::Constant(0.0)),
        damping: [0.0; 6],
        smoothness: Smoothness::Akima,
        left_out: left_out(blocks),
    };
    let damping = block("DAMPING")?;
    for (direction, name) in DIRECTIONS.iter().enumerate() {
        let units = &units[direction / 3];
        bushing.stiffness[direction] = Stiffness::Spline(curve(block(&format!("{name}_CURVE"))?, units)?);
        bushing.damping[direction] = coefficient(damping, &format!("{name}_DAMPING"), &units.damping)?;
    }
    Ok(bushing)
}

/// Returns notes on unknown blocks and keys, which are not read.
fn left_out(blocks: &[Block]) -> Vec<String> {
    let mut notes = Vec::new();
    for block in blocks.iter().filter(|block| block.name != "MDI_HEADER") {
        let is_curve = |name: &str| DIRECTIONS.iter().any(|direction| name.strip_prefix(direction) == Some("_CURVE"));
        let is_known = |key: &str| match block.name.as_str() {
            "UNITS" => units::KEYS.contains(&key),
            "DAMPING" => DIRECTIONS.iter().any(|direction| key.strip_prefix(direction) == Some("_DAMPING")),
            _ => false,
        };
        if !is_curve(&block.name) && !["UNITS", "DAMPING"].contains(&block.name.as_str()) {
            notes.push(unknown_block(block));
            continue;
        }
        notes.extend(unknown_keys(block, is_known));
    }
    notes
}

#[cfg(test)]
mod tests {
    use super::super::teim_orbit::blocks;
    use super::*;

    const MOUNT: &str = include_str!("../../../models/bushing/reference/mount.bus");

    fn read(text: &str) -> Result<Bushing, String> {
        blocks(text).and_then(|blocks| bushing(&blocks))
    }

    /// The expected values are converted from millimetres, degrees and newtons by hand.
    #[test]
    fn curves_and_damping_become_those_of_the_si() {
        let mount = read(MOUNT).unwrap();
        let expected = [
            vec![[-0.0045, -9120.0], [-0.0015, -2080.0], [0.0, 0.0], [0.0015, 1990.0], [0.0045, 8750.0]],
            vec![[-0.01, -12500.0], [0.0, 0.0], [0.01, 12500.0]],
            vec![[-0.01, -2400.0], [0.01, 2400.0]],
        ];
        for (found, expected) in mount.stiffness.iter().zip(expected) {
            assert_eq!(*found, Stiffness::Spline(expected));
        }
        let angle = 10.0_f64.to_radians();
        let Stiffness::Spline(torsion) = &mount.stiffness[3] else { panic!("{mount:?}") };
        assert!((torsion[1][0] / angle - 1.0).abs() < 1e-14 && torsion[1][1] == 16.0, "{torsion:?}");
        let degrees = 180.0 / std::f64::consts::PI;
        let expected = [1400.0, 1200.0, 500.0, 2e-3 * degrees, 2e-3 * degrees, 4e-4 * degrees];
        for (found, expected) in mount.damping.iter().zip(expected) {
            assert!((found / expected - 1.0).abs() < 1e-14, "{found} is not {expected}");
        }
        assert!(mount.left_out.is_empty(), "{:?}", mount.left_out);
        let more = MOUNT.replace("[DAMPING]", "[OTHER]\nA = 1\n[DAMPING]\nFX_SCALE = 2");
        let named =
            ["line 13: [OTHER] is unknown and ignored", "line 16: FX_SCALE in [DAMPING] is unknown and ignored"];
        assert_eq!(read(&more).unwrap().left_out, named);
    }

    /// At a clearance of two points, Akima's spline overshoots; with further points it does not.
    #[test]
    fn lines_are_taken_where_a_spline_swings_out() {
        let text = mount_with_clearance("-1.0 0.0\n1.0 0.0");
        let mount = read(&text).unwrap();
        assert_eq!(
            mount.notes(),
            [
                "between the points of FY a spline overshoots to loads that do not resist: sm_TS = linear instead of akima"
            ]
        );
        let configuration = mount.configuration("mount.bus");
        assert!(configuration.contains("sm_TS = \"linear\"") && configuration.contains("sm_RS = \"akima\""));
        let mount = read(&mount_with_clearance("-1.0 0.0\n-0.5 0.0\n0.5 0.0\n1.0 0.0")).unwrap();
        assert_eq!(mount.notes(), [""; 0]);
        let configuration = mount.configuration("mount.bus");
        assert!(configuration.contains("sm_TS = \"akima\"") && configuration.contains("\nallowAsymmetry = true\n"));
    }

    /// Returns a mount whose stiffness along y sets in, rising, on both sides of these points.
    fn mount_with_clearance(points: &str) -> String {
        let (begin, rest) = MOUNT.split_once("[FY_CURVE]").unwrap();
        let (_, end) = rest.split_once("[FZ_CURVE]").unwrap();
        let curve = format!("-4.0 -9000.0\n-2.0 -1000.0\n{points}\n2.0 1000.0\n4.0 9000.0\n");
        format!("{begin}[FY_CURVE]\n{{ y fy }}\n{curve}[FZ_CURVE]{end}")
    }

    #[test]
    fn every_mistake_has_its_message() {
        #[rustfmt::skip]
        let cases = [
            ("'bus'", "'gbs'", ":3: FILE_TYPE is 'gbs', but must be 'bus'"),
            ("[DAMPING]", "[OTHER]", ": the block [DAMPING] is missing"),
            ("[TY_CURVE]", "[OTHER]", ": the block [TY_CURVE] is missing"),
            ("FY_DAMPING", "FU_DAMPING", ":13: [DAMPING] has no FY_DAMPING"),
            ("FY_DAMPING = 1.2", "FY_DAMPING = -1.2", ":15: FY_DAMPING is -1.2, but must be at least 0"),
            ("FY_DAMPING = 1.2", "FY_DAMPING = much", ":15: \"much\" is not a number"),
            ("'degrees'", "'mil'",
             ":9: ANGLE = 'mil' is not a known unit; available: rad, radian, deg, degree, gon, rev, revs, milliradian"),
            ("{ x  fx }", "{ fx  x }",
             ":21: [FX_CURVE] has the columns FX, X, but must have displacement (disp, x, ax) and then force (force, fx, tx)"),
            ("{ ax  tx }", "{ TX  other }", ":39: [TX_CURVE] has the columns TX, OTHER, but must have displacement"),
            ("{ az  tz }", "{ other az }", ":47: [TZ_CURVE] has the columns OTHER, AZ, but must have displacement"),
            ("-10.0  -12500.0\n", "", ":30: [FY_CURVE] must have displacements on both sides of 0"),
        ];
        for (from, to, expected) in cases {
            assert!(MOUNT.contains(from), "{from}");
            let message = read(&MOUNT.replacen(from, to, 1)).unwrap_err();
            assert!(message.starts_with(expected), "{message} is not {expected}");
        }
    }
}
