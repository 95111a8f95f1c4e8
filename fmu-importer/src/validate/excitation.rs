//! Inputs and parameters that bring an unknown FMU into motion.
//!
//! Both interfaces must see the same inputs. In Co-Simulation these are polynomials over a communication step, so they
//! are straight lines here, and parabolas where an input is the speed or the acceleration of another. Their sizes
//! follow from nominal and start values, since nothing else gives their order of magnitude.

use std::collections::BTreeMap;

use fmu_builder::ModelDescription;
use fmu_builder::description::{Causality, Enumeration, RowAttributes, Variability, Variable, VariableType};

use crate::load::{Failure, Instance};
use crate::simulate::run_inputs::Inputs;
use crate::values::value::Value;

/// Number of pieces of the run, in each of which inputs follow another polynomial, and others have another level.
pub const PIECES: usize = 8;
/// Change of a declared value, as a fraction of it.
const PART: f64 = 0.2;

/// Inputs over a run.
pub struct Excitation {
    /// Start and length of a piece in s.
    begin: f64,
    piece: f64,
    /// True if the FMU follows inputs inside a communication step.
    pub interpolates: bool,
    smooth: Vec<Smooth>,
    levels: Vec<Level>,
}

/// A continuous input: value, first and second derivative at the beginning of each piece.
struct Smooth {
    reference: u32,
    pieces: Vec<[f64; 3]>,
}

/// An input that changes in steps.
struct Level {
    reference: u32,
    pieces: Vec<Value>,
}

/// Returns a number between -1 and 1, without a pattern in its two arguments.
fn scattered(which: usize, place: usize) -> f64 {
    let golden = 0.618_033_988_749_894_9;
    let plastic = 0.754_877_666_246_692_8;
    2.0 * ((which + 1) as f64 * golden + (place * (which + 3)) as f64 * plastic).fract() - 1.0
}

/// A value near a given one, within its bounds. `part` from -1 to 1 says where.
fn near(variable: &Variable, value: f64, part: f64, scale: f64) -> f64 {
    if !variable.is_real() {
        return value;
    }
    let RowAttributes { min, max, nominal, .. } = &*variable.attributes;
    let size = match nominal {
        Some(nominal) if *nominal > 0.0 => *nominal,
        _ if value != 0.0 => PART * value.abs(),
        _ => 1.0,
    };
    let change = scale * size * part;
    let is_inside = |value: f64| min.is_none_or(|min| value >= min) && max.is_none_or(|max| value <= max);
    [change, -change].map(|change| value + change).into_iter().find(|near| is_inside(*near)).unwrap_or(value)
}

/// Returns the start value of a Real.
fn start(variable: &Variable) -> f64 {
    match variable.kind {
        VariableType::Real { start, .. } => start.unwrap_or(0.0),
        _ => 0.0,
    }
}

/// Returns the input of which this one is the time derivative: it has the same place and the unit without a second.
fn integral(model: &ModelDescription, rate: &Variable) -> Option<usize> {
    let unit = |variable: &Variable| match &variable.kind {
        VariableType::Real { unit: Some(unit), .. } => model.units.iter().find(|other| other.name == *unit),
        _ => None,
    };
    let place = |variable: &Variable| {
        let (path, name) = variable.name.rsplit_once('.').unwrap_or(("", &variable.name));
        (path.to_owned(), name.split_once('[').map(|(_, index)| index.to_owned()))
    };
    model.variables.iter().position(|other| {
        is_smooth(other)
            && place(other) == place(rate)
            && unit(rate).zip(unit(other)).is_some_and(|(rate, other)| rate.is_per_second(other))
    })
}

fn is_smooth(variable: &Variable) -> bool {
    variable.causality == Causality::Input && variable.variability == Variability::Continuous
}

/// Returns true for the orientation or the angular velocity of a frame, which as polynomials are not a motion.
fn turns_frame(variable: &Variable) -> bool {
    let (path, name) = variable.name.rsplit_once('.').unwrap_or(("", &variable.name));
    path.ends_with(".R") || name.starts_with("Q[") || name.starts_with("phi[")
}

/// Returns the inputs that can be changed, by their positions. Where there are states, whose rates may depend on
/// velocities that fit the motion, frames do not turn.
pub fn inputs(model: &ModelDescription) -> Vec<usize> {
    let has_states = !model.model_structure.derivatives.is_empty();
    let is_input = |variable: &Variable| {
        variable.causality == Causality::Input
            && !matches!(variable.kind, VariableType::String { .. })
            && !(has_states && turns_frame(variable))
    };
    (0..model.variables.len()).filter(|position| is_input(&model.variables[*position])).collect()
}

/// Returns the parameters and start values of states that can be changed, by their positions.
pub fn parameters(model: &ModelDescription) -> Vec<usize> {
    let is_parameter = |variable: &Variable| {
        matches!(variable.kind, VariableType::Real { start: Some(_), .. }) && variable.causality != Causality::Input
    };
    (0..model.variables.len()).filter(|position| is_parameter(&model.variables[*position])).collect()
}

/// Returns a start value near the declared one; `part` from -1 to 1 says where, or the position does.
pub fn varied(model: &ModelDescription, position: usize, scale: f64, part: Option<f64>) -> (u32, Value) {
    let variable = &model.variables[position];
    let part = part.unwrap_or_else(|| scattered(position, 1));
    (variable.value_reference, Value::Real(near(variable, start(variable), part, scale)))
}

impl Excitation {
    /// Makes the inputs of a run from `begin` over `PIECES` of the length `piece` in s. The inputs at `positions`
    /// change, by `scale` times their ordinary size; the others keep their start values.
    pub fn new(
        model: &ModelDescription,
        positions: &[usize],
        (begin, piece): (f64, f64),
        interpolates: bool,
        scale: f64,
    ) -> Self {
        let mut excitation = Self { begin, piece, interpolates, smooth: Vec::new(), levels: Vec::new() };
        let integral = |rate: &usize| Some((*rate, integral(model, &model.variables[*rate])?));
        let integrals = positions.iter().filter_map(integral).filter(|(_, of)| positions.contains(of)).collect();
        for position in positions {
            let variable = &model.variables[*position];
            let reference = variable.value_reference;
            if is_smooth(variable) {
                let pieces = excitation.pieces(model, *position, &integrals, scale);
                excitation.smooth.push(Smooth { reference, pieces });
            } else {
                let pieces = (0..PIECES).map(|piece| level(model, *position, piece, scale)).collect();
                excitation.levels.push(Level { reference, pieces });
            }
        }
        excitation
    }

    /// Returns the polynomials of a continuous input; `integrals` has the input for each one that is its time
    /// derivative.
    fn pieces(
        &self,
        model: &ModelDescription,
        position: usize,
        integrals: &BTreeMap<usize, usize>,
        scale: f64,
    ) -> Vec<[f64; 3]> {
        let variable = &model.variables[position];
        let at = |place: usize| match place {
            0 => start(variable),
            _ => near(variable, start(variable), scattered(position, place), scale),
        };
        let integral = integrals.get(&position);
        let has_rate = integrals.values().any(|of| *of == position);
        if !self.interpolates {
            // An input that is held cannot move with its speed.
            let moves = integral.is_none() && !has_rate;
            return (0..PIECES).map(|piece| [if moves { at(piece + 1) } else { start(variable) }, 0.0, 0.0]).collect();
        }
        if let Some(integral) = integral {
            let pieces = self.pieces(model, *integral, integrals, scale);
            return pieces.into_iter().map(|[_, rate, bend]| [rate, bend, 0.0]).collect();
        }
        let mut next = [start(variable), 0.0];
        (0..PIECES)
            .map(|piece| {
                if !has_rate {
                    let [from, to] = [at(piece), at(piece + 1)];
                    return [from, (to - from) / self.piece, 0.0];
                }
                // The change after the run is as large as it would be after one piece without a speed.
                let [x, v] = next;
                let bend = (at(piece + 1) - start(variable)) * 2.0 / (self.piece * self.piece * PIECES as f64);
                next = [x + self.piece * (v + 0.5 * self.piece * bend), v + self.piece * bend];
                [x, v, bend]
            })
            .collect()
    }

    /// Returns the end of the run in s.
    pub fn end(&self) -> f64 {
        self.knot(PIECES)
    }

    /// Returns the beginning of a piece, or the end of the last one.
    pub fn knot(&self, piece: usize) -> f64 {
        self.begin + piece as f64 * self.piece
    }

    /// Returns the piece that a time belongs to, and the time since its beginning; `after` decides between two.
    fn place(&self, time: f64, after: bool) -> (usize, f64) {
        let reached = |piece: &usize| if after { time >= self.knot(*piece) } else { time > self.knot(*piece) };
        let piece = (1..PIECES).rev().find(reached).unwrap_or(0);
        (piece, time - self.knot(piece))
    }

    fn set_smooth(&self, instance: &Instance, time: f64, after: bool) -> Result<(), Failure> {
        if self.smooth.is_empty() {
            return Ok(());
        }
        let (piece, s) = self.place(time, after);
        let references: Vec<_> = self.smooth.iter().map(|smooth| smooth.reference).collect();
        let value = |smooth: &Smooth| {
            let [x, v, bend] = smooth.pieces[piece];
            x + s * (v + 0.5 * s * bend)
        };
        instance.set_reals(&references, &self.smooth.iter().map(value).collect::<Vec<_>>())
    }

    /// Sets the derivatives of the continuous inputs from a communication point on.
    pub fn set_derivatives(&self, instance: &Instance, time: f64) -> Result<(), Failure> {
        if !self.interpolates {
            return Ok(());
        }
        let (piece, s) = self.place(time, true);
        let (mut references, mut orders, mut values) = (Vec::new(), Vec::new(), Vec::new());
        for smooth in &self.smooth {
            let [_, v, bend] = smooth.pieces[piece];
            for (order, value) in [(1, v + s * bend), (2, bend)] {
                if value != 0.0 {
                    references.push(smooth.reference);
                    orders.push(order);
                    values.push(value);
                }
            }
        }
        if references.is_empty() { Ok(()) } else { instance.set_input_derivatives(&references, &orders, &values) }
    }
}

/// Returns the value of an input that changes in steps.
fn level(model: &ModelDescription, position: usize, piece: usize, scale: f64) -> Value {
    let variable = &model.variables[position];
    let part = scattered(position, piece);
    let whole = |min: i128, max: i128| {
        let reach = (max - min).min(10);
        (min + ((part + 1.0) / 2.0 * (reach + 1) as f64) as i128).min(max)
    };
    match &variable.kind {
        VariableType::Boolean { start } => Value::Boolean(if piece == 0 { start.unwrap_or(false) } else { part > 0.0 }),
        VariableType::Integer { data_type, start } => {
            let (least, most) = data_type.limits();
            let [min, max] = variable.attributes.integer_bounds();
            let start = start.unwrap_or(0).clamp(least, most);
            let [min, max] = [min.unwrap_or(start - 1), max.unwrap_or(start + 1)].map(|bound| bound.clamp(least, most));
            Value::Integer(whole(min, max.max(min)))
        }
        VariableType::Enumeration { declared_type, start } => {
            let items = model.enumerations.iter().find(|other| other.name == *declared_type);
            let values: Vec<i32> = items.into_iter().flat_map(Enumeration::values).collect();
            let place = whole(0, values.len().saturating_sub(1) as i128);
            Value::Integer(values.get(place as usize).copied().or(*start).unwrap_or(1).into())
        }
        _ => Value::Real(near(variable, start(variable), part, scale)),
    }
}

impl Inputs for Excitation {
    fn apply(&self, instance: &Instance, time: f64) -> Result<(), Failure> {
        self.leave(instance, time)?;
        let (piece, _) = self.place(time, true);
        self.levels.iter().try_for_each(|level| instance.set(level.reference, &level.pieces[piece]))
    }

    fn approach(&self, instance: &Instance, time: f64) -> Result<(), Failure> {
        self.set_smooth(instance, time, false)
    }

    fn leave(&self, instance: &Instance, time: f64) -> Result<(), Failure> {
        self.set_smooth(instance, time, true)
    }

    fn jump(&self, time: f64) -> bool {
        (1..PIECES).any(|piece| time == self.knot(piece))
    }

    fn vary(&self) -> bool {
        !self.smooth.is_empty()
    }
}
