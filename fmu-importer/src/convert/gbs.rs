//! Property files of bushings of Altair's multibody programs (.gbs): sections of constant and spline stiffness and of
//! constant damping.
//!
//! Source: Altair's public help, "Bushing Property File" with its pages on the blocks, "Select Force Models in the Bushing
//! Property File", and "General Bushing System Files": the force on body I is -K x, -g(x) and -C v, where x is the
//! displacement of body I relative to body J; g is a cubic spline, continued linearly. Body I is that at frame_b.

use mechanics::lookup_table::Smoothness;

use super::bushing::{Bushing, DIRECTIONS, Stiffness, coefficient, curve, unknown_block, unknown_keys};
use super::teim_orbit::{Block, refuse_other_types};
use super::units::{self, units};

/// Reads the bushing in the blocks of a file; errors are to be put behind its name.
pub fn bushing(blocks: &[Block]) -> Result<Bushing, String> {
    refuse_other_types(blocks, "gbs")?;
    let units = units(blocks)?;
    refuse_coupling(blocks)?;
    let mut bushing = Bushing {
        stiffness: std::array::from_fn(|_| Stiffness::Constant(0.0)),
        damping: [0.0; 6],
        smoothness: Smoothness::Spline,
        left_out: Vec::new(),
    };
    for (formulation, active, line) in activity(blocks)? {
        for (direction, name) in DIRECTIONS.iter().enumerate().filter(|(direction, _)| active[*direction]) {
            let units = &units[direction / 3];
            match formulation.as_str() {
                "CONSTANT_STIFFNESS" => {
                    let value = coefficient(section(blocks, &format!("{formulation}_{name}"))?, "K", &units.stiffness)?;
                    bushing.stiffness[direction] = Stiffness::Constant(value);
                }
                "SPLINE_STIFFNESS" => {
                    bushing.stiffness[direction] =
                        Stiffness::Spline(curve(section(blocks, &format!("{formulation}_{name}"))?, units)?);
                }
                "CONSTANT_DAMPING" => {
                    let value = coefficient(section(blocks, &format!("{formulation}_{name}"))?, "C", &units.damping)?;
                    bushing.damping[direction] = value;
                }
                _ => {
                    return Err(format!(
                        ":{line}: {formulation} is active for {name}, but has no counterpart: only CONSTANT_STIFFNESS, \
                         SPLINE_STIFFNESS and CONSTANT_DAMPING have one"
                    ));
                }
            }
        }
    }
    bushing.left_out = left_out(blocks);
    Ok(bushing)
}

/// Refuses forces of several axes that depend on each other, which have no counterpart.
fn refuse_coupling(blocks: &[Block]) -> Result<(), String> {
    let mut values = blocks.iter().filter(|block| block.name == "GLOBAL").flat_map(|block| &block.values);
    match values.find(|(key, ..)| key == "COUPLING") {
        None => Err(": [GLOBAL] has no COUPLING".to_owned()),
        Some((_, coupling, _)) if coupling.eq_ignore_ascii_case("uncoupled") => Ok(()),
        Some((_, coupling, line)) => Err(format!(
            ":{line}: COUPLING = '{coupling}' has no counterpart: each axis is computed for itself, as with 'uncoupled'"
        )),
    }
}

/// A formulation, true for the directions for which it is active, and its line.
type Activity = (String, [bool; 6], usize);

fn activity(blocks: &[Block]) -> Result<Vec<Activity>, String> {
    let block = blocks.iter().find(|block| block.name == "DIRECTIONS" && block.sub == "ACTIVITY");
    let block = block.ok_or(": the block [DIRECTIONS] with (ACTIVITY) is missing")?;
    let columns: Vec<_> = block.headings.iter().skip(1).map(String::as_str).collect();
    if columns != DIRECTIONS {
        return Err(format!(
            ":{}: (ACTIVITY) must have the columns formulation, {}",
            block.line,
            DIRECTIONS.join(", ")
        ));
    }
    let mut found: Vec<Activity> = Vec::new();
    for (cells, line) in &block.rows {
        let [formulation, switches @ ..] = &cells[..] else { continue };
        if switches.len() != DIRECTIONS.len() {
            return Err(format!(":{line}: the row has {} instead of 7 cells", cells.len()));
        }
        let mut active = [false; 6];
        for (active, switch) in active.iter_mut().zip(switches) {
            *active = match switch.as_str() {
                "0" => false,
                "1" => true,
                other => return Err(format!(":{line}: \"{other}\" must be 0 or 1")),
            };
        }
        found.push((formulation.to_ascii_uppercase(), active, *line));
    }
    for (direction, name) in DIRECTIONS.iter().enumerate() {
        let kind =
            |kind: &str| found.iter().filter(|(formulation, ..)| formulation.ends_with(kind)).collect::<Vec<_>>();
        for of in [kind("_STIFFNESS"), kind("_DAMPING")] {
            if let [(one, ..), (other, _, line), ..] =
                of.into_iter().filter(|(_, active, _)| active[direction]).collect::<Vec<_>>()[..]
            {
                return Err(format!(":{line}: {one} and {other} are both active for {name}, but exclude each other"));
            }
        }
    }
    Ok(found)
}

/// Returns the block of an active formulation.
fn section<'b>(blocks: &'b [Block], name: &str) -> Result<&'b Block, String> {
    let mut found = blocks.iter().filter(|block| block.name == name);
    // The data are in a sub-block, if there is one.
    let block = found.clone().find(|block| !block.rows.is_empty() || !block.values.is_empty());
    block.or_else(|| found.next()).ok_or_else(|| format!(": the block [{name}] is missing, although it is active"))
}

/// Returns notes on what is not read: blocks without a counterpart, unknown ones, and further keys of known blocks.
fn left_out(blocks: &[Block]) -> Vec<String> {
    let mut notes = Vec::new();
    for block in blocks.iter().filter(|block| block.name != "HEADER") {
        let direction = DIRECTIONS.iter().find_map(|direction| block.name.strip_suffix(direction)?.strip_suffix('_'));
        let keys: &[&str] = match direction.unwrap_or(&block.name) {
            "UNITS" => &units::KEYS,
            "GLOBAL" => &["COUPLING"],
            "DIRECTIONS" | "SPLINE_STIFFNESS" => &[],
            "CONSTANT_STIFFNESS" => &["K"],
            "CONSTANT_DAMPING" => &["C"],
            // These blocks belong to formulations that are not active.
            "CUBIC_STIFFNESS" | "RUBBER_DAMPING" | "HYDROMOUNT_DAMPING" => continue,
            "FRICTION" => {
                notes.push(format!("line {}: [FRICTION] has no counterpart and is ignored", block.line));
                continue;
            }
            _ => {
                notes.push(unknown_block(block));
                continue;
            }
        };
        notes.extend(unknown_keys(block, |key| keys.contains(&key)));
    }
    notes
}

#[cfg(test)]
mod tests {
    use super::super::teim_orbit::blocks;
    use super::*;

    const MOUNT: &str = include_str!("../../../models/bushing/reference/mount.gbs");

    fn read(text: &str) -> Result<Bushing, String> {
        blocks(text).and_then(|blocks| bushing(&blocks))
    }

    /// The expected values are converted from millimetres, degrees and newtons by hand.
    #[test]
    fn all_sections_become_those_of_the_si() {
        let mount = read(MOUNT).unwrap();
        let Stiffness::Spline(points) = &mount.stiffness[0] else { panic!("{mount:?}") };
        assert_eq!((points.len(), points[0], points[6]), (7, [-0.0045, -9120.0], [0.0045, 8750.0]));
        let degrees = 180.0 / std::f64::consts::PI;
        let expected = [1.25e6, 2.4e5, 1.6 * degrees, 1.6 * degrees, 0.35 * degrees];
        for (stiffness, expected) in mount.stiffness[1..].iter().zip(expected) {
            let Stiffness::Constant(found) = stiffness else { panic!("{mount:?}") };
            assert!((found / expected - 1.0).abs() < 1e-14, "{found} is not {expected}");
        }
        let expected = [1400.0, 1200.0, 500.0, 2e-3 * degrees, 2e-3 * degrees, 4e-4 * degrees];
        for (found, expected) in mount.damping.iter().zip(expected) {
            assert!((found / expected - 1.0).abs() < 1e-14, "{found} is not {expected}");
        }
        assert!(mount.left_out.is_empty());
        let text = mount.configuration("mount.gbs");
        for part in [
            "# From mount.gbs, in SI units.\n", "law_TS = \"curve\"", "sm_TS = \"spline\"",
            "    [-0.0045, -9120.0],\n", "\nRS = [",
        ] {
            assert!(text.contains(part), "{part}\n{text}");
        }
        assert!(!text.contains("law_RS"), "{text}");
        toml::from_str::<toml::Table>(&text).unwrap();
    }

    #[test]
    fn other_units_and_ways_of_writing_are_the_same() {
        let other = MOUNT
            .replace("LENGTH = 'mm'", "length='MM'   $ as in the drawing")
            .replace("'SPLINE_STIFFNESS' ", "spline_stiffness ")
            .replace("K = 1250.0", "K = 1.25D3")
            .replace("(SPLINE_DATA)\n", "");
        assert_eq!(read(&other).unwrap().configuration(""), read(MOUNT).unwrap().configuration(""));
        let more = MOUNT.replace("COUPLING", "PRELOAD = 3\nCOUPLING").replace("K = 350.0", "K = 350.0\nK2 = 1");
        let more = read(&format!("{more}[FRICTION]\nMU = 0.3\n[HYSTERESIS_FX]\nA = 1\n[CUBIC_STIFFNESS_FX]\nA = 1\n"))
            .unwrap();
        assert_eq!(
            more.left_out,
            [
                "line 15: PRELOAD in [GLOBAL] is unknown and ignored",
                "line 49: K2 in [CONSTANT_STIFFNESS_TZ] is unknown and ignored",
                "line 63: [FRICTION] has no counterpart and is ignored",
                "line 65: [HYSTERESIS_FX] is unknown and ignored",
            ]
        );
    }

    #[test]
    fn every_mistake_has_its_message() {
        #[rustfmt::skip]
        let cases = [
            ("[UNITS]", "[OTHER]", ": the block [UNITS] is missing"),
            ("'gbs'", "'bus'", ":3: FILE_TYPE is 'bus', but must be 'gbs'"),
            ("[GLOBAL]", "[UNITS]", ":14: [UNITS] is already defined at line 7"),
            ("MASS   = 'kg'", "FORCE = 'newton'", ":11: FORCE is given already, at line 10"),
            ("ANGLE  = 'degree'\n", "", ":7: [UNITS] has no ANGLE"),
            (
                "'mm'",
                "'furlong'",
                ":8: LENGTH = 'furlong' is not a known unit; available: m, meter, dm, in, inch, ft, foot, yd, yard, mile, \
                 miles, millimeter, kilometer",
            ),
            ("[HEADER]\n", "", ":2: \"FILE_TYPE    = 'gbs'\" is before the first block"),
            ("COUPLING = 'uncoupled'\n", "", ": [GLOBAL] has no COUPLING"),
            ("'uncoupled'", "'spherical'",
             ":15: COUPLING = 'spherical' has no counterpart: each axis is computed for itself"),
            ("[DIRECTIONS]", "[WAYS]", ": the block [DIRECTIONS] with (ACTIVITY) is missing"),
            ("FX  FY  FZ", "FY  FX  FZ", ":18: (ACTIVITY) must have the columns formulation, FX, FY, FZ, TX, TY, TZ"),
            ("'CUBIC_STIFFNESS'      0   0   0   0   0   0", "'CUBIC_STIFFNESS'  0",
             ":22: the row has 2 instead of 7 cells"),
            ("'SPLINE_STIFFNESS'     1", "'SPLINE_STIFFNESS'     2", ":20: \"2\" must be 0 or 1"),
            ("'CONSTANT_STIFFNESS'   0", "'CONSTANT_STIFFNESS'   1",
             ":21: SPLINE_STIFFNESS and CONSTANT_STIFFNESS are both active for FX, but exclude each other"),
            ("'SPLINE_STIFFNESS'     1   0   0   0   0   0\n 'CONSTANT_STIFFNESS'   0   1   1   1   1   1\n 'CUBIC_STIFFNESS'      0",
             "'CUBIC_STIFFNESS'      1",
             ":20: CUBIC_STIFFNESS is active for FX, but has no counterpart: only CONSTANT_STIFFNESS, SPLINE_STIFFNESS"),
            ("'CONSTANT_DAMPING'     1   1   1   1   1   1\n 'RUBBER_DAMPING'       0", "'RUBBER_DAMPING'       1",
             ":23: RUBBER_DAMPING is active for FX, but has no counterpart"),
            ("[CONSTANT_STIFFNESS_FY]", "[OTHER]",
             ": the block [CONSTANT_STIFFNESS_FY] is missing, although it is active"),
            ("K = 1250.0", "C = 1250.0", ":38: [CONSTANT_STIFFNESS_FY] has no K"),
            ("K = 1250.0", "K = stiff", ":39: \"stiff\" is not a number"),
            ("K = 1250.0", "K = -1", ":39: K is -1, but must be at least 0"),
            ("K = 1250.0", "K = 1e308", ":39: \"1e308\" is too large"),
            ("K = 1250.0", "K = 1e999", ":39: \"1e999\" is not a number"),
            ("{ disp      force }", "{ force disp }",
             ":28: [SPLINE_STIFFNESS_FX] has the columns FORCE, DISP, but must have displacement (disp, x, ax) and"),
            ("  -3.0   -4610.0", "  -3.0", ":31: the row has 1 instead of 2 cells, displacement and force"),
            ("  -3.0   -4610.0", "  -5.0   -4610.0", ":31: displacements must increase"),
        ];
        for (from, to, expected) in cases {
            assert!(MOUNT.contains(from), "{from}");
            let message = read(&MOUNT.replacen(from, to, 1)).unwrap_err();
            assert!(message.starts_with(expected), "{message} is not {expected}");
        }
        let mut lines: Vec<_> = MOUNT.lines().collect();
        lines.drain(29..32);
        let message = read(&lines.join("\n")).unwrap_err();
        assert_eq!(message, ":28: [SPLINE_STIFFNESS_FX] must have displacements on both sides of 0");
        lines.drain(30..33);
        let message = read(&lines.join("\n")).unwrap_err();
        assert_eq!(message, ":28: [SPLINE_STIFFNESS_FX] must have two rows or more");
    }
}
