//! A signal through given points in time.

use fmu_runtime::unit::S;
use fmu_runtime::{Event, ModelError, Number, Scalar, Source, Table, group, structure};
use mechanics::constant;

use super::signal::{Jet, OutputSignal, SignalRow};
use crate::part::{Block, EventPoint, Events, Part, PartData, PartType};

/// A signal through given points.
pub struct TimeTableType;

structure! {
    /// Options of a table over time.
    pub struct TimeTableStructure {
        useShiftTime: bool = false, "Whether time 0 of the table is shiftTime, and not startTime";
    }
}

group! {
    /// ```text
    /// y = offset + the straight line between the rows before and behind time - shiftTime, offset before startTime
    /// shiftTime = startTime, unless useShiftTime
    /// ```
    ///
    /// Two rows of the same time are a jump. Before the first row and behind the last one the nearest line goes on. Source:
    /// Modelica.Blocks.Sources.TimeTable.
    pub struct TimeTable<T>(o: TimeTableStructure) {
        parameter offset: T = 0.0, ONE, "Offset of the signal";
        parameter startTime: T = 0.0, S, "Until this time the signal is its offset",
            text = if o.useShiftTime { "Until this time the signal is its offset" }
                else { "Time of the first row; until then the signal is its offset" };
        parameter shiftTime: T = 0.0, S, "Time of the first row", when = o.useShiftTime;
        group y: OutputSignal<T> = SignalRow::output("y"), "", name = "";
        parameter table: Table<2> = &[[0.0, 0.0], [1.0, 1.0]], "Times in s, the first one 0, and values", columns = &[S];
        memory row: i32, "The row before the present time, from 1 on; 0 before the first one";
    }
}

impl PartType for TimeTableType {
    const NAME: &'static str = "TimeTable";
    const TEXT: &'static str = "A signal through given points in time";
    type Structure = TimeTableStructure;
    type In<T: Scalar> = TimeTable<T>;

    fn options(structure: &TimeTableStructure, _: bool) -> TimeTableStructure {
        structure.clone()
    }
}

/// The rows of the table.
fn rows(data: &PartData) -> &[[f64; 2]] {
    data.downcast_ref::<Vec<[f64; 2]>>().map_or(&[], Vec::as_slice)
}

crate::capabilities!(TimeTable: Block + Events);

impl<T: Scalar> Part<T> for TimeTable<T> {
    type Structure = TimeTableStructure;

    fn prepare(&self, source: &Source<'_, TimeTableStructure>) -> Result<Box<PartData>, ModelError> {
        let rows = source.table(self.table);
        if rows.first().is_none_or(|[time, _]| *time != 0.0) {
            let first = rows.first().map_or(0.0, |[time, _]| *time);
            return Err(ModelError::invalid(format!(
                "table[1,1] is {}, but the first time must be 0: startTime shifts the table",
                Number(first)
            )));
        }
        if let Some(i) = rows.windows(2).position(|pair| pair[1][0] < pair[0][0]) {
            return Err(ModelError::invalid(format!(
                "table[{},1] is {}, but times must not fall, and the one before is {}",
                i + 2,
                Number(rows[i + 1][0]),
                Number(rows[i][0])
            )));
        }
        Ok(Box::new(rows.to_vec()))
    }
}

impl<T: Scalar> TimeTable<T> {
    /// Time of the first row.
    fn shift(&self, structure: &TimeTableStructure) -> T {
        if structure.useShiftTime { self.shiftTime } else { self.startTime }
    }
}

impl<T: Scalar> Block<T> for TimeTable<T> {
    fn update(&mut self, structure: &TimeTableStructure, at: &EventPoint<'_, T>) {
        let rows = rows(at.data);
        let row = usize::try_from(self.row).unwrap_or_default().min(rows.len());
        let offset = Jet::constant(self.offset);
        self.y.set(if row == 0 {
            offset
        } else {
            let s = at.time - self.shift(structure);
            // Behind the last row, the line before it; a jump there has none.
            let next = row.min(rows.len() - 1);
            let ([t0, y0], [t1, y1]) = (rows[next.saturating_sub(1)], rows[next]);
            let slope = if t1 > t0 { (y1 - y0) / (t1 - t0) } else { 0.0 };
            let (from, value) = if t1 > t0 { (t0, y0) } else { (t1, y1) };
            let slope = constant::<T>(slope);
            offset + Jet([constant::<T>(value) + slope * (s - constant::<T>(from)), slope, T::zero()])
        });
    }
}

impl<T: Scalar> Events<T> for TimeTable<T> {
    fn indicator_count(_: &TimeTableStructure) -> usize {
        0
    }

    fn indicators(&self, _: &TimeTableStructure, _: &EventPoint<'_, T>, _: &mut [T]) {}

    fn event(
        &mut self,
        structure: &TimeTableStructure,
        at: &EventPoint<'_, T>,
        event: &mut Event,
    ) -> Result<(), ModelError> {
        let (rows, start, time) = (rows(at.data), self.startTime.value(), at.time.value());
        if time < start {
            self.row = 0;
            event.next_time = Some(start);
            return Ok(());
        }
        let shift = self.shift(structure).value();
        let passed = rows.partition_point(|[t, _]| shift + t <= time);
        self.row = i32::try_from(passed.max(1)).unwrap_or(i32::MAX);
        // At the last row the line only goes on, unless there is a jump. Nothing happens at the first one.
        event.next_time = rows.get(passed.max(1)).map(|[t, _]| shift + t);
        Ok(())
    }
}
