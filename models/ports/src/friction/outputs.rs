//! The table of the friction law, outputs and warnings.

use fmu_runtime::{Curve, Diagnostics, ModelError, Number, Picture, Scalar, Source};
use mechanics::friction::{Coefficient, CoefficientError, Extrapolation, LawBranch, Mode, Sliding};

use super::{Friction, FrictionOptions};

/// A relative speed that friction elements do not reach, in rad/s: a coefficient that is extrapolated to 0 beyond it
/// is not worth a warning.
const MAX_SPEED: f64 = 1e3;

/// Successive steps with a change of the mode that count as chatter.
const MAX_CHANGES: i32 = 10;

/// Describes an element of the table that gives no coefficient; `offset` is the row and column before those of the coefficient.
#[cold]
pub(super) fn refused(table: &str, offset: [usize; 2], wrong: CoefficientError) -> ModelError {
    match wrong {
        CoefficientError::Empty => ModelError::invalid(format!("{table} has no rows; it needs at least one")),
        CoefficientError::Element { row, column, value, needed } => ModelError::invalid(format!(
            "{table}[{},{}] is {}, but {needed}",
            row + offset[0],
            column + offset[1],
            Number(value)
        )),
    }
}

impl FrictionOptions {
    /// Returns symbol, name and unit of what the table gives, and what is 0 where that is.
    pub(super) const fn value(self) -> (&'static str, [&'static str; 2], &'static str) {
        self.pick(
            self.of(
                ("tau", ["Torque of sliding friction", "N.m"], "friction torque"),
                ("f", ["Force of sliding friction", "N"], "friction force"),
            ),
            (
                "mue",
                ["Coefficient of sliding friction", "1"],
                self.of(
                    "coefficient, and with it the friction torque,",
                    "coefficient, and with it the friction force,",
                ),
            ),
        )
    }

    /// Warns of a law that is 0 from some speed on, extrapolated from these rows.
    pub(super) fn warn_of_zero(self, rows: &[[f64; 2]], coefficient: &Coefficient, source: &Source<'_, ()>) {
        let ends_above = rows.last().is_some_and(|[_, mu]| *mu > 0.0);
        if let Some(speed) = coefficient.clamped_from().filter(|speed| ends_above && *speed < MAX_SPEED) {
            let (table, (.., what), unit) = (self.table(), self.value(), self.of("rad/s", "m/s"));
            source.warn(format!(
                "{table} falls at its end: extrapolated, the {what} is 0 from {} {unit} on; give rows up to the highest \
                 speed, or set extrapolation = hold",
                Number(speed)
            ));
        }
    }

    /// Returns the picture of the law with these curves.
    pub(super) fn picture(self, curves: Vec<Curve>) -> Picture {
        let (_, value, _) = self.value();
        Picture {
            title: self.table().into(),
            argument: [
                self.pick(self.of("Angular velocity", "Velocity"), "Relative velocity").into(),
                self.of("rad/s", "m/s").into(),
            ],
            value: value.map(Into::into),
            curves,
        }
    }
}

impl<T: Scalar> Friction<T> {
    /// Prepares the coefficient of sliding friction, or a bearing's torque, from the table, and shows the curve on the
    /// page.
    ///
    /// # Errors
    ///
    /// A table without rows, or with an invalid element.
    pub fn prepare(&self, options: FrictionOptions, source: &Source<'_, ()>) -> Result<Coefficient, ModelError> {
        let (rows, table) = (source.table(self.mue_pos), options.table());
        let coefficient = |rows: &[[f64; 2]], extrapolation| {
            Coefficient::new(rows, extrapolation).map_err(|wrong| refused(table, [0, 0], wrong))
        };
        if source.is_dependency_analysis() {
            // One row is a constant, for any importer.
            return coefficient(&[[0.0, 1.0], [1.0, 0.5]][..rows.len().min(2)], Extrapolation::Linear);
        }
        let coefficient = coefficient(rows, options.extrapolation.into())?;
        options.warn_of_zero(rows, &coefficient, source);
        source.show(|| {
            let (symbol, ..) = options.value();
            options.picture(vec![Curve::of(symbol, rows.to_vec(), 0.0, &|speed| coefficient.mu(speed))])
        });
        Ok(match source.direction(self.mue_pos) {
            Some(direction) => coefficient.along(rows, direction),
            None => coefficient,
        })
    }

    /// Refuses friction surfaces whose inner radius is not less than the outer one.
    ///
    /// # Errors
    ///
    /// Such radii.
    pub fn check_radii(&self, options: FrictionOptions) -> Result<(), ModelError> {
        let [r_o, r_i] = [self.r_o, self.r_i].map(|radius| Number(radius.value()));
        if !options.surfaces || r_i.0 < r_o.0 {
            return Ok(());
        }
        Err(ModelError::invalid(format!("r_i is {r_i}, but must be less than r_o = {r_o}")))
    }

    /// Sets the outputs from the relative motion, from friction torque, lost power and curve parameter, and from the
    /// branch of the law.
    #[inline(always)]
    pub fn set_outputs(
        &mut self,
        options: FrictionOptions,
        motion: [T; 3],
        [tau, loss_power, sa]: [T; 3],
        branch: LawBranch,
        coefficient: impl Sliding<T>,
        time_derivative: T,
    ) {
        self.cgeo_of_surfaces = self.cgeo(options);
        [self.phi_rel, self.w_rel, self.a_rel] = motion;
        (self.tau, self.lossPower) = (tau, loss_power);
        self.heatPort.Q_flow = -loss_power;
        self.locked = branch.mode == Mode::Stuck;
        if options.law {
            (self.f_n, self.sa) = (self.fn_max * self.f_normalized, sa);
            self.mue = coefficient.directional(self.w_rel.abs(), time_derivative);
            let is_still = branch.breaks && self.w_rel.value() == 0.0;
            let starts = |mode| is_still && branch.mode == mode;
            (self.startForward, self.startBackward) = (starts(Mode::Forward), starts(Mode::Backward));
        }
    }

    /// Warns once of a normal force above the maximum, once of a reversal that is right only if the given motion does not
    /// depend on the friction torque, once if sticking and sliding alternate from step to step, and once of a speed at which the table's coefficient would be negative.
    pub(super) fn warn(&mut self, mue_pos: &Coefficient, diagnostics: &mut Diagnostics) {
        let f = self.f_normalized.value();
        if f > 1.0 && !self.memory.warned_of_force {
            self.memory.warned_of_force = true;
            diagnostics
                .warn(format!("f_normalized is {}: the normal force exceeds fn_max and is not limited", Number(f)));
        }
        if self.memory.reverses && !self.memory.warned_of_reversal {
            self.memory.warned_of_reversal = true;
            diagnostics.warn(
                "w_rel has changed its sign within a step, under the acceleration that was given for the whole step; if that \
                 depends on the friction torque, let this component contain the inertia (torque_in), or use Model Exchange",
            );
        }
        if self.memory.changes >= MAX_CHANGES && !self.memory.warned_of_chatter {
            self.memory.warned_of_chatter = true;
            diagnostics.warn(format!(
                "mode has changed in each of {MAX_CHANGES} successive steps; if the given acceleration follows from the \
                 friction torque of the step before, this needs an inertia inside that is smaller than the one outside: let \
                 this component contain both inertias (torque_in), or use Model Exchange"
            ));
        }
        let w_rel = self.w_rel.value();
        let slides = Mode::from_number(self.mode).direction().is_some();
        let is_beyond = |from: &f64| slides && w_rel.abs() > *from;
        if let Some(from) = mue_pos.clamped_from().filter(is_beyond)
            && !self.memory.warned_of_speed
        {
            self.memory.warned_of_speed = true;
            diagnostics.warn(format!(
                "w_rel is {} rad/s: mue_pos would be negative above {} rad/s and is 0 there",
                Number(w_rel),
                Number(from)
            ));
        }
    }
}
