//! Pictures of the tables and curves, for the page of an FMU.

use fmu_runtime::{Curve, Picture};
use mechanics::lookup_table::LookupTable;

use crate::varying::{Coefficients, Lookup};

/// Draws the coefficients or curves of the three axes that are looked up.
pub(crate) fn picture(of: &Coefficients, lookup: &Lookup) -> Picture {
    let curve = |axis: usize, table: &LookupTable, column: usize| {
        let name = of.curves[axis].0.rsplit('_').next().unwrap_or_default();
        let points: Vec<_> = table.points(column).collect();
        // An even table is looked up by magnitude.
        let mirrored = points.iter().rev().filter(|[argument, _]| table.is_even() && *argument > 0.0);
        let points = mirrored.map(|[argument, value]| [-argument, *value]).chain(points.iter().copied()).collect();
        Curve::of(name, points, f64::NEG_INFINITY, &|argument| table.value(column, argument))
    };
    let (quantity, unit, curves) = match lookup {
        Lookup::None => (of.quantity(), of.columns[1], Vec::new()),
        Lookup::Coefficients(table) => {
            (of.quantity(), of.columns[1], (0..3).map(|axis| curve(axis, table, axis)).collect())
        }
        Lookup::Curves(tables) => {
            let quantity = if of.load().name == "N" { "Force that resists" } else { "Moment that resists" };
            (quantity, of.load(), tables.iter().enumerate().map(|(axis, table)| curve(axis, table, 0)).collect())
        }
    };
    let argument = of.table.1.split(" in ").next().unwrap_or_default();
    Picture {
        title: format!("{}: {}", of.name, of.text).into(),
        argument: [argument.into(), of.columns[0].name.clone()],
        value: [quantity.into(), unit.name.clone()],
        curves,
    }
}
