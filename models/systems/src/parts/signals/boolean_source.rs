//! Sources of true and false, which change at exact times.

use fmu_runtime::structure::Setting;
use fmu_runtime::unit::S;
use fmu_runtime::{Event, ModelError, Number, Scalar, Source, Structure, Table, group};

use crate::part::{AnyPart, Block, EventPoint, Events, Part, PartData, PartType, Typed, kinds};

kinds! {
    /// The sources, with their rows in common.
    pub enum Kind {
        Constant = "BooleanConstant", "A signal that is always true, or always false";
        Step = "BooleanStep", "A signal that changes once";
        Pulse = "BooleanPulse", "A signal that is true in a part of each period";
        Table = "BooleanTable", "A signal that changes at given times";
    }
}

impl Kind {
    const fn starts(self) -> bool {
        matches!(self, Self::Step | Self::Pulse)
    }
}

/// The structure of such a source: its type says which one it is.
#[derive(Clone, Copy, Debug, Default)]
pub struct BooleanStructure {
    kind: Kind,
}

impl Structure for BooleanStructure {
    fn visit(&mut self, _: &mut dyn FnMut(&'static str, &'static str, &mut dyn Setting)) {}
}

/// Such a source: its structure says which one it is.
pub struct BooleanType;

pub(super) fn types() -> impl Iterator<Item = Box<dyn AnyPart>> {
    let make = |kind: &Kind| Typed::<BooleanType>::named(kind.names(), BooleanStructure { kind: *kind });
    Kind::ALL.iter().map(make)
}

impl PartType for BooleanType {
    const NAME: &'static str = "BooleanSource";
    const TEXT: &'static str = "A source of true and false";
    type Structure = BooleanStructure;
    type In<T: Scalar> = BooleanSource<T>;

    fn options(structure: &BooleanStructure, _: bool) -> Kind {
        structure.kind
    }
}

group! {
    /// ```text
    /// BooleanConstant   y = k
    /// BooleanStep       y = startValue before startTime, then not startValue
    /// BooleanPulse      y = true in the first width percent of each period from startTime on, otherwise false
    /// BooleanTable      y = startValue, which changes at each time of table, shifted by shiftTime
    /// ```
    ///
    /// Source: Modelica.Blocks.Sources.
    pub struct BooleanSource<T>(o: Kind) {
        parameter k: bool = true, "Value", when = o == Kind::Constant;
        parameter startValue: bool = false, "Value before the first change",
            when = matches!(o, Kind::Step | Kind::Table);
        parameter width: T = 50.0, ONE, "Part of each period in which it is true, in percent", min = 1e-12, max = 100.0,
            when = o == Kind::Pulse;
        parameter period: T = 1.0, S, "Period", min = 1e-12, when = o == Kind::Pulse;
        parameter startTime: T = 0.0, S, "Time of the change",
            text = if o == Kind::Pulse { "Time of the first pulse" } else { "Time of the change" }, when = o.starts();
        parameter shiftTime: T = 0.0, S, "By how much the times of the table are later", when = o == Kind::Table;
        output y: bool, "Output signal";
        parameter table: Table<1> = &[[0.0], [1.0]], "Times in s at which it changes", columns = &[S], when = o == Kind::Table;
        memory is: bool, "The value since the last event";
    }
}

crate::capabilities!(BooleanSource: Block + Events);

impl<T: Scalar> Part<T> for BooleanSource<T> {
    type Structure = BooleanStructure;

    fn prepare(&self, source: &Source<'_, BooleanStructure>) -> Result<Box<PartData>, ModelError> {
        if source.structure.kind != Kind::Table {
            return Ok(Box::new(()));
        }
        let times = source.table(self.table).as_flattened();
        if let Some(i) = times.windows(2).position(|pair| pair[1] <= pair[0]) {
            return Err(ModelError::invalid(format!(
                "table[{},1] is {}, but times must rise, and the one before is {}",
                i + 2,
                Number(times[i + 1]),
                Number(times[i])
            )));
        }
        Ok(Box::new(times.to_vec()))
    }
}

impl<T: Scalar> Block<T> for BooleanSource<T> {
    fn update(&mut self, structure: &BooleanStructure, _: &EventPoint<'_, T>) {
        self.y = if structure.kind == Kind::Constant { self.k } else { self.is };
    }
}

impl<T: Scalar> Events<T> for BooleanSource<T> {
    fn indicator_count(_: &BooleanStructure) -> usize {
        0
    }

    fn indicators(&self, _: &BooleanStructure, _: &EventPoint<'_, T>, _: &mut [T]) {}

    fn event(
        &mut self,
        structure: &BooleanStructure,
        at: &EventPoint<'_, T>,
        event: &mut Event,
    ) -> Result<(), ModelError> {
        let (time, start) = (at.time.value(), self.startTime.value());
        match structure.kind {
            Kind::Constant => {}
            Kind::Step => {
                self.is = self.startValue != (time >= start);
                event.next_time = Some(start).filter(|start| time < *start);
            }
            Kind::Pulse => {
                let (period, top) = (self.period.value(), 0.01 * self.width.value() * self.period.value());
                let begin = |count: f64| start + count * period;
                // Rounding may have made it one too few or one too many.
                let near = ((time - start) / period).floor() - 1.0;
                let passed = [0.0, 1.0, 2.0].map(|more| near + more).into_iter().rfind(|count| begin(*count) <= time);
                let count = passed.unwrap_or(-1.0).max(-1.0);
                self.is = count >= 0.0 && time < begin(count) + top;
                event.next_time = Some(if self.is { begin(count) + top } else { begin(count + 1.0) });
            }
            Kind::Table => {
                let times = at.data.downcast_ref::<Vec<f64>>().map_or(&[][..], Vec::as_slice);
                let shift = self.shiftTime.value();
                let passed = times.partition_point(|t| t + shift <= time);
                self.is = self.startValue != (passed % 2 == 1);
                event.next_time = times.get(passed).map(|t| t + shift);
            }
        }
        Ok(())
    }
}
