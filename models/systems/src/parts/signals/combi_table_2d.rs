//! Tables over two signals.

use fmu_runtime::structure::{Count, Setting};
use fmu_runtime::unit::{ONE, Unit};
use fmu_runtime::{Event, ModelError, Scalar, Source, Structure, group};
use mechanics::constant;

use super::axis::{Extrapolation, Place};
use super::grid::{Grid, Smoothness2D};
use super::rows::{Columns, Rows};
use super::signal::{InputSignal, Jet, OutputSignal, SignalRow};
use crate::part::{AnyPart, Block, EventPoint, Events, Part, PartData, PartType, Typed};

/// The largest number of values of u2.
const MAX_VALUES: usize = 32;

/// The options of a table over two signals.
#[derive(Clone, Copy, Debug)]
pub struct Combi2DStructure {
    nu2: Count<{ MAX_VALUES as i32 }>,
    smoothness: Smoothness2D,
    extrapolation: Extrapolation,
}

impl Default for Combi2DStructure {
    fn default() -> Self {
        Self { nu2: Count(2), smoothness: Smoothness2D::LinearSegments, extrapolation: Extrapolation::LastTwoPoints }
    }
}

impl Structure for Combi2DStructure {
    fn visit(&mut self, visit: &mut dyn FnMut(&'static str, &'static str, &mut dyn Setting)) {
        visit("nu2", "Number of values of u2: of columns behind the first one", &mut self.nu2);
        visit("smoothness", "How the values are joined", &mut self.smoothness);
        visit("extrapolation", "How the table continues beyond its rows and columns", &mut self.extrapolation);
    }
}

impl Combi2DStructure {
    fn columns(&self) -> usize {
        self.nu2.0 as usize + 1
    }

    /// True if the piece is chosen at each evaluation, since nothing jumps between two of them.
    fn is_smooth(&self) -> bool {
        self.smoothness == Smoothness2D::ContinuousDerivative && self.extrapolation == Extrapolation::LastTwoPoints
    }
}

/// A table over two signals.
pub struct Combi2DType;

pub(super) fn types() -> Vec<Box<dyn AnyPart>> {
    vec![Box::<Typed<Combi2DType>>::default()]
}

impl PartType for Combi2DType {
    const NAME: &'static str = "CombiTable2Ds";
    const TEXT: &'static str = "A signal over two others, from a table";
    type Structure = Combi2DStructure;
    type In<T: Scalar> = CombiTable2D<T>;

    fn options(structure: &Combi2DStructure, _: bool) -> Combi2DStructure {
        *structure
    }
}

/// Whole numbers from below 0 to above: around the middle, the two rows of a table with any number of columns.
const START: &[f64; 2 * MAX_VALUES + 2] = &{
    let mut start = [0.0; 2 * MAX_VALUES + 2];
    let mut i = 0;
    while i < start.len() {
        start[i] = i as f64 - MAX_VALUES as f64;
        i += 1;
    }
    start
};

/// Numbers of a table are without unit: of a column of values the first one is another quantity.
const UNITS: &[&Unit; MAX_VALUES + 1] = &[ONE; MAX_VALUES + 1];

group! {
    /// ```text
    /// y = the table at u1 and u2
    /// table[1,2...]   values of u2, rising;   table[2...,1]   values of u1, rising;   table[1,1] has no meaning
    /// ```
    ///
    /// Source: Modelica.Blocks.Tables.CombiTable2Ds.
    pub struct CombiTable2D<T>(o: Combi2DStructure) {
        group u1: InputSignal<T> = SignalRow::input("u1"), "", name = "";
        group u2: InputSignal<T> = SignalRow::input("u2"), "", name = "";
        group y: OutputSignal<T> = SignalRow::output("y"), "", name = "";
        parameter table: Rows = {
            let count = o.columns();
            Columns { count, start: &START[MAX_VALUES + 1 - count..MAX_VALUES + 1 + count] }
        }, "Values of u2, then in each row a value of u1 and the values there", columns = &UNITS[..o.columns()];
        memory piece_1: i32, "The piece between two rows";
        memory period_1: i32, "The number of the period of u1";
        memory piece_2: i32, "The piece between two columns";
        memory period_2: i32, "The number of the period of u2";
    }
}

crate::capabilities!(CombiTable2D: Block + Events);

impl<T: Scalar> Part<T> for CombiTable2D<T> {
    type Structure = Combi2DStructure;

    fn prepare(&self, source: &Source<'_, Combi2DStructure>) -> Result<Box<PartData>, ModelError> {
        let structure = source.structure;
        if structure.nu2.0 == 0 {
            return Err(ModelError::invalid(format!("nu2 is 0, but must be from 1 to {MAX_VALUES}")));
        }
        let elements = source.elements(self.table.0);
        Ok(Box::new(Grid::new(elements, structure.columns(), structure.smoothness, structure.extrapolation)?))
    }
}

impl<T: Scalar> CombiTable2D<T> {
    fn arguments(&self) -> [Jet<T>; 2] {
        [self.u1.jet(), self.u2.jet()]
    }

    fn places(&self) -> [Place; 2] {
        [Place { piece: self.piece_1, period: self.period_1 }, Place { piece: self.piece_2, period: self.period_2 }]
    }
}

fn grid(data: &PartData) -> Option<&Grid> {
    data.downcast_ref()
}

impl<T: Scalar> Block<T> for CombiTable2D<T> {
    fn update(&mut self, structure: &Combi2DStructure, at: &EventPoint<'_, T>) {
        let Some(grid) = grid(at.data) else { return };
        let arguments = self.arguments();
        let places = if structure.is_smooth() {
            [0, 1].map(|k| grid.axes[k].find(arguments[k].0[0].value()))
        } else {
            self.places()
        };
        let (patch, origins) = grid.patch(places);
        let [t1, t2] = [0, 1].map(|k| arguments[k] - Jet::constant(constant(origins[k])));
        let zero = Jet::constant(T::zero());
        let along_2 = |row: &[f64; 4]| row.iter().rev().fold(zero, |sum, c| sum * t2 + Jet::constant(constant(*c)));
        self.y.set(patch.iter().rev().fold(zero, |sum, row| sum * t1 + along_2(row)));
    }
}

impl<T: Scalar> Events<T> for CombiTable2D<T> {
    fn indicator_count(structure: &Combi2DStructure) -> usize {
        if structure.is_smooth() { 0 } else { 4 }
    }

    fn indicators(&self, _: &Combi2DStructure, at: &EventPoint<'_, T>, indicators: &mut [T]) {
        let Some(grid) = grid(at.data) else { return };
        let (arguments, places) = (self.arguments(), self.places());
        for (k, pair) in indicators.chunks_exact_mut(2).enumerate() {
            grid.axes[k].indicators(places[k], arguments[k].0[0], pair);
        }
    }

    fn event(&mut self, structure: &Combi2DStructure, at: &EventPoint<'_, T>, _: &mut Event) -> Result<(), ModelError> {
        let Some(grid) = grid(at.data) else { return Ok(()) };
        let values = self.arguments().map(|argument| argument.0[0].value());
        for ((name, x), axis) in ["u1", "u2"].into_iter().zip(values).zip(&grid.axes) {
            axis.check(name, x, structure.extrapolation)?;
        }
        let [one, two] = [0, 1].map(|k| grid.axes[k].find(values[k]));
        (self.piece_1, self.period_1) = (one.piece, one.period);
        (self.piece_2, self.period_2) = (two.piece, two.period);
        Ok(())
    }
}
