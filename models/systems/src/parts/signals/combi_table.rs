//! Tables of several columns over time, or over a signal.

use fmu_runtime::structure::{Count as Number, Setting};
use fmu_runtime::unit::{S, Unit};
use fmu_runtime::{Event, ModelError, Scalar, Source, Structure, group};
use mechanics::constant;

use super::axis::{Extrapolation, Place};
use super::elements::{Count, Elements};
use super::output_vector::{MAX_OUTPUTS, OutputVector};
use super::pieces::{Pieces, Smoothness};
use super::rows::{Columns, Rows};
use super::signal::{InputSignal, Jet, SignalRow};
use crate::part::{AnyPart, Block, EventPoint, Events, Part, PartData, PartType, Typed};

/// The options of such a table.
#[allow(non_snake_case, reason = "Modelica's names")]
#[derive(Clone, Copy, Debug)]
pub struct CombiStructure {
    /// True if the argument is time.
    is_of_time: bool,
    nout: Number<{ MAX_OUTPUTS as i32 }>,
    smoothness: Smoothness,
    extrapolation: Extrapolation,
    useShiftTime: bool,
}

impl Default for CombiStructure {
    fn default() -> Self {
        Self {
            is_of_time: true,
            nout: Number(1),
            smoothness: Smoothness::LinearSegments,
            extrapolation: Extrapolation::LastTwoPoints,
            useShiftTime: false,
        }
    }
}

impl Structure for CombiStructure {
    fn visit(&mut self, visit: &mut dyn FnMut(&'static str, &'static str, &mut dyn Setting)) {
        visit("nout", "Number of outputs: of columns behind the first one", &mut self.nout);
        visit("smoothness", "How the rows are joined", &mut self.smoothness);
        visit("extrapolation", "How the table continues beyond its rows", &mut self.extrapolation);
        if self.is_of_time {
            visit(
                "useShiftTime",
                "Whether time 0 of the table is shiftTime, and not startTime",
                &mut self.useShiftTime,
            );
        }
    }
}

impl CombiStructure {
    fn outputs(&self) -> usize {
        self.nout.0 as usize
    }

    /// True if the piece is chosen at each evaluation, since nothing jumps between two of them.
    fn is_smooth(&self) -> bool {
        !self.is_of_time && self.smoothness.is_smooth() && self.extrapolation == Extrapolation::LastTwoPoints
    }
}

/// A table over time, or over a signal.
pub struct CombiType;

pub(super) fn types() -> [Box<dyn AnyPart>; 2] {
    [
        (("CombiTimeTable", "Signals over time, from a table"), true),
        (("CombiTable1Ds", "Signals over another one, from a table"), false),
    ]
    .map(|(names, is_of_time)| {
        Typed::<CombiType>::named(names, CombiStructure { is_of_time, ..CombiStructure::default() })
    })
}

impl PartType for CombiType {
    const NAME: &'static str = "CombiTable";
    const TEXT: &'static str = "Signals from a table";
    type Structure = CombiStructure;
    type In<T: Scalar> = CombiTable<T>;

    fn options(structure: &CombiStructure, _: bool) -> CombiStructure {
        *structure
    }
}

/// A row of zeros and one of ones: the middle is the table that there is without another one, with any number of columns.
const START: &[f64; 2 * MAX_COLUMNS] = &{
    let mut start = [0.0; 2 * MAX_COLUMNS];
    let mut i = MAX_COLUMNS;
    while i < start.len() {
        start[i] = 1.0;
        i += 1;
    }
    start
};

const MAX_COLUMNS: usize = MAX_OUTPUTS + 1;

/// The unit of the first column; the others have those of their headings, converted to SI units.
const OF_TIME: &[&Unit] = &[S];

group! {
    /// ```text
    /// CombiTimeTable   y[i] = offset[i] + column i + 1 of the table at time - shiftTime, offset[i] before startTime
    ///                  shiftTime = startTime, unless useShiftTime
    /// CombiTable1Ds    y[i] = column i + 1 of the table at u
    /// ```
    ///
    /// Source: Modelica.Blocks.Sources.CombiTimeTable and Modelica.Blocks.Tables.CombiTable1Ds.
    pub struct CombiTable<T>(o: CombiStructure) {
        parameter offset: Elements<T, MAX_OUTPUTS> = Count::of(if o.is_of_time { o.outputs() } else { 0 }), ONE,
            "Offsets of the outputs";
        parameter startTime: T = 0.0, S, "Until this time the outputs are their offsets",
            text = if o.useShiftTime { "Until this time the outputs are their offsets" }
                else { "Time 0 of the table; until then the outputs are their offsets" }, when = o.is_of_time;
        parameter shiftTime: T = 0.0, S, "Time 0 of the table", when = o.useShiftTime;
        group u: InputSignal<T> = SignalRow::input("u").when(!o.is_of_time), "", name = "";
        group y: OutputVector<T> = o.outputs(), "", name = "";
        parameter table: Rows = {
            let count = o.outputs() + 1;
            Columns { count, start: &START[MAX_COLUMNS - count..MAX_COLUMNS + count] }
        }, "Rows of the table",
            text = if o.is_of_time { "Times in s, and values" } else { "Arguments, and values" },
            columns = if o.is_of_time { OF_TIME } else { &[] };
        memory has_begun: bool, "Whether startTime has passed";
        memory piece: i32, "The piece between two rows";
        memory period: i32, "The number of the period";
    }
}

crate::capabilities!(CombiTable: Block + Events);

impl<T: Scalar> Part<T> for CombiTable<T> {
    type Structure = CombiStructure;

    fn prepare(&self, source: &Source<'_, CombiStructure>) -> Result<Box<PartData>, ModelError> {
        let CombiStructure { is_of_time, smoothness, extrapolation, .. } = *source.structure;
        let outputs = source.structure.outputs();
        if outputs == 0 {
            return Err(ModelError::invalid(format!("nout is 0, but must be from 1 to {MAX_OUTPUTS}")));
        }
        let elements = source.elements(self.table.0);
        Ok(Box::new(Pieces::new(elements, outputs + 1, smoothness, extrapolation, is_of_time)?))
    }
}

impl<T: Scalar> CombiTable<T> {
    /// The argument with its derivatives.
    fn argument(&self, structure: &CombiStructure, time: T) -> Jet<T> {
        if structure.is_of_time { Jet([time - self.shift(structure), T::one(), T::zero()]) } else { self.u.jet() }
    }

    /// Time 0 of the table.
    fn shift(&self, structure: &CombiStructure) -> T {
        if structure.useShiftTime { self.shiftTime } else { self.startTime }
    }

    fn place(&self) -> Place {
        Place { piece: self.piece, period: self.period }
    }
}

fn pieces(data: &PartData) -> Option<&Pieces> {
    data.downcast_ref()
}

impl<T: Scalar> Block<T> for CombiTable<T> {
    fn update(&mut self, structure: &CombiStructure, at: &EventPoint<'_, T>) {
        let Some(pieces) = pieces(at.data) else { return };
        let Jet([x, dx, ddx]) = self.argument(structure, at.time);
        let place = if structure.is_smooth() { pieces.axis.find(x.value()) } else { self.place() };
        for column in 0..structure.outputs() {
            let ([a, b, c, d], origin) = pieces.polynomial(column, place);
            let [a, b, c, d] = [a, b, c, d].map(constant::<T>);
            let t = x - constant::<T>(origin);
            let slope = b + t * (c + c + t * constant::<T>(3.0) * d);
            let curvature = c + c + t * constant::<T>(6.0) * d;
            let value = Jet([a + t * (b + t * (c + t * d)), slope * dx, curvature * dx * dx + slope * ddx]);
            let offset = Jet::constant(self.offset[column]);
            self.y.0[column].set(if !structure.is_of_time {
                value
            } else if self.has_begun {
                offset + value
            } else {
                offset
            });
        }
    }
}

impl<T: Scalar> Events<T> for CombiTable<T> {
    fn indicator_count(structure: &CombiStructure) -> usize {
        if structure.is_of_time || structure.is_smooth() { 0 } else { 2 }
    }

    fn indicators(&self, structure: &CombiStructure, at: &EventPoint<'_, T>, indicators: &mut [T]) {
        let Some(pieces) = pieces(at.data) else { return };
        let Jet([x, ..]) = self.argument(structure, at.time);
        pieces.axis.indicators(self.place(), x, indicators);
    }

    fn event(
        &mut self,
        structure: &CombiStructure,
        at: &EventPoint<'_, T>,
        event: &mut Event,
    ) -> Result<(), ModelError> {
        let Some(pieces) = pieces(at.data) else { return Ok(()) };
        let (time, start) = (at.time.value(), self.startTime.value());
        self.has_begun = !structure.is_of_time || time >= start;
        if !self.has_begun {
            event.next_time = Some(start);
            return Ok(());
        }
        let x = self.argument(structure, at.time).0[0].value();
        let name = if structure.is_of_time { "the time of the table" } else { "u" };
        pieces.axis.check(name, x, structure.extrapolation)?;
        let mut place = pieces.axis.find(x);
        if structure.is_of_time {
            let shift = self.shift(structure).value();
            let mut end = pieces.axis.bounds(place)[1] + shift;
            // Rounding of the sum may leave the time before the end of a piece that is over.
            while end <= time {
                place = pieces.axis.next(place);
                end = pieces.axis.bounds(place)[1] + shift;
            }
            let is_over = structure.extrapolation == Extrapolation::NoExtrapolation && !end.is_finite();
            // At its end a table without extrapolation is still defined.
            event.next_time =
                if is_over { Some(time + AFTER * (1.0 + time.abs())) } else { Some(end).filter(|end| end.is_finite()) };
        }
        (self.piece, self.period) = (place.piece, place.period);
        Ok(())
    }
}

/// How much behind its end a table without extrapolation is refused, in s and as part of the time.
const AFTER: f64 = 1e-9;
