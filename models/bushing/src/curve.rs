//! Curves: measured loads over deflections or velocities, one axis each.

use fmu_runtime::{Number, Source};
use mechanics::lookup_table::LookupTable;
use spreadsheet::Rows;

use crate::Structure;
use crate::sanity_checks::{ROUNDING, is_zero_offset, warn_if_wrong_units};
use crate::table_rows::{Part, Rules};
use crate::varying::{Coefficients, Extrapolation, Smoothness};

/// Returns the points of an axis, from 0, in rows of six columns, two for each axis. Where a curve has fewer rows than
/// another one, both its cells are empty.
pub(crate) fn pairs(rows: &Rows, axis: usize) -> Result<Part<2>, String> {
    let before = 2 * axis;
    let mut part =
        Part { origin: rows.origin.clone(), positions: Vec::new(), before, rows: Vec::new(), direction: None };
    for (row, position) in rows.numbers.as_chunks::<6>().0.iter().zip(&rows.positions) {
        let pair = [row[before], row[before + 1]];
        if let Some(empty) = pair.iter().position(|number| number.is_nan()) {
            if pair[1 - empty].is_nan() {
                continue;
            }
            let column = before + empty + 1;
            return Err(format!("{}, row {position}, column {column} is empty, but must be a number", part.origin));
        }
        part.rows.push(pair);
        part.positions.push(*position);
    }
    if part.rows.is_empty() {
        return Err(format!("{}, columns {} and {} are empty", part.origin, before + 1, before + 2));
    }
    Ok(part)
}

/// Checks the points of an axis, warns of doubtful ones, and makes their table. Without rows below 0 the curve is odd.
///
/// # Errors
///
/// Names the cell that cannot be right, and says what would be.
pub(crate) fn curve(
    of: &Coefficients,
    mut part: Part<2>,
    smoothness: Smoothness,
    rules: Rules,
    source: &Source<'_, Structure>,
) -> Result<LookupTable, String> {
    begin_at_origin(&mut part);
    if let Some(doubt) = warn_if_wrong_units(of, part.before + 1, &part.rows) {
        source.warn(format!("{}, {doubt}", part.origin));
    }
    let is_offset = is_zero_offset(&part.rows);
    if is_offset {
        source.warn(format!(
            "{} is {}, slightly below 0, so the curve is not odd, but used as given on both sides: without this row, or \
             with 0 in its place, the curve is odd",
            part.element(0, 0),
            Number(part.rows[0][0])
        ));
    }
    let table = part.table(smoothness, rules.curve_extrapolation)?;
    let size = part.rows.iter().fold(0.0_f64, |size, row| size.max(row[1].abs()));
    check_ends(&part, &table, size)?;
    if of.elastic && table.is_even() && size > 0.0 {
        warn_of_stop(&part, size, source);
    }
    check_resistance(of, &part, &table, (smoothness, size), rules, source)?;
    let may_differ = table.is_even() || is_offset || rules.allow_asymmetry;
    if let Some(doubt) = doubt_symmetry(&part.rows, &table).filter(|_| !may_differ) {
        source.warn(format!("{}, columns {} and {}: {doubt}", part.origin, part.before + 1, part.before + 2));
    }
    if table.is_even() { odd(part).table(smoothness, rules.curve_extrapolation) } else { Ok(table) }
}

/// Adds the origin to a curve that begins above it, since an odd curve goes through the origin.
fn begin_at_origin(part: &mut Part<2>) {
    let reach = part.rows[part.rows.len() - 1][0];
    let is_rising = part.rows.is_sorted_by(|row, next| row[0] < next[0]);
    if is_rising && part.rows[0][0] > ROUNDING * reach {
        part.rows.insert(0, [0.0; 2]);
        part.positions.insert(0, part.positions[0]);
        if let Some(direction) = &mut part.direction {
            direction.insert(0, [0.0; 2]);
        }
    }
}

/// Refuses a curve with one row, one that does not reach 0, and an odd one with a load there. `size` is the largest load.
fn check_ends(part: &Part<2>, table: &LookupTable, size: f64) -> Result<(), String> {
    let last = part.rows.len() - 1;
    if last == 0 {
        return Err(format!("{} is the only row, but a curve needs two, or one above 0", part.element(0, 0)));
    }
    if part.rows[last][0] < 0.0 {
        let end = Number(part.rows[last][0]);
        return Err(format!("{} is {end}, but a curve must reach 0", part.element(last, 0)));
    }
    if table.is_even() && part.rows[0][1].abs() > ROUNDING * size {
        return Err(format!(
            "{} is {} at 0, but must be 0 there, since a curve without rows below 0 is odd: move it to the \
             origin, or give rows on both sides",
            part.element(0, 1),
            Number(part.rows[0][1])
        ));
    }
    Ok(())
}

/// Warns of an odd curve whose load begins behind a gap, as at a stop.
fn warn_of_stop(part: &Part<2>, size: f64, source: &Source<'_, Structure>) {
    let reach = part.rows[part.rows.len() - 1][0];
    let free = |row: &&[f64; 2]| row[0] > ROUNDING * reach && row[1].abs() <= ROUNDING * size;
    if let Some([gap, _]) = part.rows.iter().rfind(free) {
        source.warn(format!(
            "{}, columns {} and {}: the load is 0 up to {gap}, as at a stop, and the curve has no rows below 0, so it acts \
             on both sides; for a stop on one side only, add a row [-{gap}, 0] and set allowAsymmetry = true; for one on \
             both sides, add the rows below 0",
            part.origin,
            part.before + 1,
            part.before + 2,
            gap = Number(*gap)
        ));
    }
}

/// Refuses, or warns of, loads that do not resist, and dampers that excite vibrations. Without a potential every load that
/// does not resist creates energy; a spring may be preloaded.
fn check_resistance(
    of: &Coefficients,
    part: &Part<2>,
    table: &LookupTable,
    (smoothness, size): (Smoothness, f64),
    rules: Rules,
    source: &Source<'_, Structure>,
) -> Result<(), String> {
    let base = if of.elastic { table.value(0, 0.0) } else { 0.0 };
    let judge = |what: String, right: String, wrong: &str| {
        if !rules.allow_negative {
            return Err(format!("{what}, but {right} unless allowNegative is true"));
        }
        source.warn(format!("{what}: {wrong}"));
        Ok(())
    };
    if let Some((row, argument, load)) = table.opposite_sign_point(base) {
        let what = format!("{}: the curve is {} at {}", part.element(row, 1), Number(load), Number(argument));
        let bound = if load < base { "least" } else { "most" };
        let is_noise = (load - base).abs() < NOISE * size;
        let what = if is_noise { format!("{what}, which looks like noise or an offset") } else { what };
        let swings = smoothness != Smoothness::linear && part.rows.iter().all(|row| row[0] != argument);
        let what =
            if swings { format!("{what}, where a spline overshoots (sm_{} = linear does not)", of.name) } else { what };
        let right = format!("must be at {bound} {}, since it is the load that resists,", Number(base));
        judge(what, right, if of.elastic { "a load that does not resist" } else { "it creates energy" })?;
    } else if rules.curve_extrapolation == Extrapolation::linear && table.turns_back() {
        let what = format!(
            "{}: the curve falls towards its end, and continued linearly changes its sign",
            part.element(part.rows.len() - 1, 1)
        );
        if of.elastic {
            source.warn(format!("{what}; curveExtrapolation = hold keeps the load of the last row"));
        } else {
            judge(what, "must keep resisting (curveExtrapolation = hold)".to_owned(), "it creates energy there")?;
        }
    } else if let Some(row) = falls(&part.rows, NOISE * size).filter(|_| !of.elastic) {
        source.warn(format!(
            "{}: the load falls as the velocity rises, so that the damper excites vibrations there",
            part.element(row, 1)
        ));
    }
    Ok(())
}

/// Adds to the points of an odd curve their mirror images, so that a look-up need not tell odd curves from others.
fn odd(part: Part<2>) -> Part<2> {
    let from = usize::from(part.rows[0][0] <= ROUNDING * part.rows[part.rows.len() - 1][0]);
    let both = |rows: &[[f64; 2]]| {
        rows[from..].iter().rev().map(|[argument, load]| [-argument, -load]).chain(rows.iter().copied()).collect()
    };
    let (rows, direction) = (both(&part.rows), part.direction.as_deref().map(both));
    let positions = part.positions[from..].iter().rev().chain(&part.positions).copied().collect();
    Part { rows, direction, positions, ..part }
}

/// Describes the doubt about a curve on both sides of 0 that is not odd, by more than noise, where it has both.
fn doubt_symmetry(rows: &[[f64; 2]], table: &LookupTable) -> Option<String> {
    let reach = rows[rows.len() - 1][0].min(-rows[0][0]);
    let loads = |argument: f64| [argument, -argument].map(|argument| table.value(0, argument));
    let places = || rows.iter().map(|row| row[0].abs()).filter(|argument| *argument <= reach);
    let size = places().flat_map(loads).fold(0.0_f64, |size, load| size.max(load.abs()));
    let even = |argument: f64| (loads(argument)[0] + loads(argument)[1]).abs() / 2.0;
    let worst = places().max_by(|one, other| even(*one).total_cmp(&even(*other)).then(other.total_cmp(one)))?;
    let [above, below] = loads(worst).map(Number);
    let seen = if worst == 0.0 {
        format!("the curve is {above} at 0")
    } else {
        format!("the curve is {above} at {}, but {below} at {}", Number(worst), Number(-worst))
    };
    (even(worst) > NOISE * size).then(|| {
        format!(
            "{seen}, so it is not odd: give only rows from 0 on to make it odd, or set allowAsymmetry = true if this \
                 is intended"
        )
    })
}

/// Returns the first row with a load that is smaller, by more than noise, than that of its neighbour closer to 0.
fn falls(rows: &[[f64; 2]], noise: f64) -> Option<usize> {
    let is_smaller = |outer: &[f64; 2], inner: &[f64; 2]| outer[1].abs() < inner[1].abs() - noise;
    (1..rows.len()).find_map(|row| match (&rows[row - 1], &rows[row]) {
        (inner, outer) if inner[0] >= 0.0 => is_smaller(outer, inner).then_some(row),
        (outer, inner) if inner[0] <= 0.0 => is_smaller(outer, inner).then_some(row - 1),
        _ => None,
    })
}

/// Fraction of the largest load below which differences are noise of the measurement.
const NOISE: f64 = 0.02;
