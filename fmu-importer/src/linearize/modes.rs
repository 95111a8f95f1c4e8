//! Modes of a linear system: frequencies, damping, participating states, and motions without a restoring load.

use std::f64::consts::TAU;

use anyhow::Result;
use nalgebra::{Complex, DMatrix, DVector};

use super::point::Held;
use super::spectrum::{Spectrum, sparse};

/// Part of the largest element below which an element of a rigid-body mode is rounding.
const ROUNDING: f64 = 1e-7;

/// All modes of a linear system.
pub struct Modes {
    /// Modes of the eigenvalue zero, then the others by the sizes of their eigenvalues.
    pub modes: Vec<Mode>,
    /// Names of the elements that hold motions, which are no modes.
    pub held: Vec<String>,
    /// Number of motions that elements hold.
    pub held_motions: usize,
}

/// A mode.
pub struct Mode {
    /// Kind of the motion.
    pub kind: ModeKind,
    /// The eigenvalue in rad/s; of a pair the one with the positive imaginary part.
    pub eigenvalue: Complex<f64>,
    /// The states in the mode, the largest of them 1.
    pub shape: DVector<Complex<f64>>,
    /// Participation of each state, together 1.
    pub participation: Vec<f64>,
}

/// Kinds of modes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ModeKind {
    /// A motion at constant speed that no load resists, eigenvalue 0 twice.
    RigidBody,
    /// A state that keeps any value, eigenvalue 0 once.
    Neutral,
    /// A complex pair.
    Oscillation,
    /// A real eigenvalue.
    Exponential,
}

impl ModeKind {
    /// Returns the name of the kind.
    pub fn name(self) -> &'static str {
        match self {
            Self::RigidBody => "rigid body",
            Self::Neutral => "neutral",
            Self::Oscillation => "oscillation",
            Self::Exponential => "exponential",
        }
    }
}

impl Mode {
    /// Returns the natural frequency in Hz, the absolute value of the eigenvalue; 0 for exponentials.
    pub fn frequency(&self) -> f64 {
        if self.kind == ModeKind::Oscillation { self.eigenvalue.norm() / TAU } else { 0.0 }
    }

    /// Returns the damping ratio; 1 or -1 for exponentials.
    pub fn damping_ratio(&self) -> Option<f64> {
        (self.eigenvalue.norm() > 0.0).then(|| -self.eigenvalue.re / self.eigenvalue.norm())
    }

    /// Returns the time in s in which the mode decays to 1/e; negative if it grows.
    pub fn time_constant(&self) -> Option<f64> {
        (self.eigenvalue.re != 0.0).then(|| -1.0 / self.eigenvalue.re)
    }

    /// Returns the states with the largest participation, down to a part of the largest.
    pub fn participants(&self, part: f64) -> Vec<usize> {
        let largest = self.participation.iter().copied().fold(0.0, f64::max);
        let mut states: Vec<usize> =
            (0..self.participation.len()).filter(|state| self.participation[*state] >= part * largest).collect();
        // Rounding does not decide which one comes first.
        let rounded = |state: usize| (self.participation[state] * 1e6).round();
        states.sort_by(|one, other| rounded(*other).total_cmp(&rounded(*one)));
        states
    }
}

impl Modes {
    /// Computes the modes of a matrix whose elements are known to a part `rounding` of the largest ones.
    pub fn of(a: &DMatrix<f64>, held: &[Held], rounding: f64) -> Result<Self> {
        if a.nrows() == 0 {
            return Ok(Self { modes: Vec::new(), held: Vec::new(), held_motions: 0 });
        }
        let spectrum = Spectrum::of(a, rounding)?;
        let (free, names) = not_held(&spectrum.rest, held);
        let held_motions = spectrum.rest.ncols() - free.ncols();
        let mut modes: Vec<Mode> = free.column_iter().map(|shape| zero(a, shape.into_owned(), rounding)).collect();
        for pair in spectrum.pairs {
            let parts: Vec<f64> = pair.right.iter().zip(pair.left.iter()).map(|(v, l)| (v * l).norm()).collect();
            let sum: f64 = parts.iter().sum();
            modes.push(Mode {
                kind: if pair.value.im == 0.0 { ModeKind::Exponential } else { ModeKind::Oscillation },
                eigenvalue: pair.value,
                shape: pair.right,
                participation: parts.into_iter().map(|part| part / sum).collect(),
            });
        }
        Ok(Self { modes, held: names, held_motions })
    }
}

/// Returns a base of the displacements that change nothing and that no element holds, and the names of the elements that hold the others.
fn not_held(rest: &DMatrix<f64>, held: &[Held]) -> (DMatrix<f64>, Vec<String>) {
    let mut free = rest.clone();
    let mut names = Vec::new();
    for element in held {
        let motion = &element.motion * &free;
        let size = element.motion.amax();
        let holds = |value: f64| value.abs() > ROUNDING * size;
        if (&element.motion * rest).iter().any(|value| holds(*value)) {
            names.push(element.name.clone());
        }
        let largest = (0..free.ncols()).max_by(|one, other| motion[*one].abs().total_cmp(&motion[*other].abs()));
        let Some(pivot) = largest.filter(|column| holds(motion[*column])) else { continue };
        // Combinations in which the element does not move.
        let column = free.column(pivot).into_owned();
        for other in (0..free.ncols()).filter(|other| *other != pivot) {
            let changed = free.column(other) - &column * (motion[other] / motion[pivot]);
            free.set_column(other, &changed);
        }
        free = free.remove_column(pivot);
    }
    (sparse(free), names)
}

/// Returns the mode of a displacement at which nothing changes.
fn zero(a: &DMatrix<f64>, shape: DVector<f64>, rounding: f64) -> Mode {
    // Some motion has this displacement as its velocity.
    let svd = a.clone().svd(true, true);
    let least = rounding * svd.singular_values.amax();
    let is_motion = svd.solve(&shape, least).is_ok_and(|speed| (a * speed - &shape).norm() < 1e-6 * shape.norm());
    let sum: f64 = shape.iter().map(|element| element.abs()).sum();
    Mode {
        kind: if is_motion { ModeKind::RigidBody } else { ModeKind::Neutral },
        eigenvalue: Complex::new(0.0, 0.0),
        participation: shape.iter().map(|element| element.abs() / sum).collect(),
        shape: shape.map(Complex::from),
    }
}
