//! The table of the friction law over speed and temperature, or load.

use fmu_runtime::{Curve, ModelError, Number, Scalar, Source};
use mechanics::friction::{Coefficient, CoefficientsByTemperature, Extrapolation};

use super::outputs::refused;
use super::{Friction, FrictionOptions};

/// The rows of one temperature or load.
struct Group<'a> {
    /// Index of the first one.
    first: usize,
    rows: &'a [[f64; 3]],
}

/// Returns speed and coefficient of rows of the table.
fn over_speed(rows: &[[f64; 3]]) -> Vec<[f64; 2]> {
    rows.iter().map(|[_, speed, mu]| [*speed, *mu]).collect()
}

impl<T: Scalar> Friction<T> {
    /// Prepares the coefficients of sliding friction, or a bearing's torques, each at a temperature or load, and shows the curves on
    /// the page.
    ///
    /// # Errors
    ///
    /// A table without rows, or with an invalid element.
    pub fn prepare_by_temperature(
        &self,
        options: FrictionOptions,
        source: &Source<'_, ()>,
    ) -> Result<CoefficientsByTemperature, ModelError> {
        let (rows, table) = (source.table(self.by_temperature), options.table());
        if source.is_dependency_analysis() {
            // Any temperature or load matters.
            let at = |condition, mu| {
                let rows = [[0.0, mu], [1.0, 0.5 * mu]];
                (condition, Coefficient::new(&rows, Extrapolation::Linear).unwrap_or_default())
            };
            return Ok(CoefficientsByTemperature::new(vec![at(-1e6, 1.0), at(1e6, 3.0)]));
        }
        let mut previous = 0.0;
        for (row, [condition, ..]) in rows.iter().enumerate() {
            let needed = if !options.by_load && (!condition.is_finite() || *condition <= 0.0) {
                "must be a temperature above 0 K"
            } else if *condition < previous {
                options.with_load(
                    "must not be less than the load in the row before",
                    "must not be less than the temperature in the row before",
                )
            } else {
                previous = *condition;
                continue;
            };
            let (row, value) = (row + 1, Number(*condition));
            return Err(ModelError::invalid(format!("{table}[{row},1] is {value}, but {needed}")));
        }
        let mut groups: Vec<Group<'_>> = Vec::new();
        for rows in rows.chunk_by(|one, other| one[0] == other[0]) {
            let first = groups.last().map_or(0, |group| group.first + group.rows.len());
            groups.push(Group { first, rows });
        }
        if groups.is_empty() {
            return Err(ModelError::invalid(format!("{table} has no rows; it needs at least one")));
        }
        let coefficient = |Group { first, rows }: &Group<'_>| {
            let own = over_speed(rows);
            let coefficient = Coefficient::new(&own, options.extrapolation.into());
            let coefficient = coefficient.map_err(|wrong| refused(table, [*first, 1], wrong))?;
            options.warn_of_zero(&own, &coefficient, source);
            Ok((rows[0][0], coefficient))
        };
        let coefficients: Vec<_> = groups.iter().map(coefficient).collect::<Result<_, ModelError>>()?;
        source.show(|| {
            let curve = |(Group { rows, .. }, (_, coefficient)): (&Group<'_>, &(_, Coefficient))| {
                let curve = Curve::of("", over_speed(rows), 0.0, &|speed| coefficient.mu(speed));
                let unit = options.with_load("N", "K");
                Curve { name: format!("{} {unit}", Number(rows[0][0])).into(), ..curve }
            };
            options.picture(groups.iter().zip(&coefficients).map(curve).collect())
        });
        Ok(CoefficientsByTemperature::new(coefficients))
    }
}
