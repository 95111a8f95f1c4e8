//! The gas in the cylinder of an engine.

use std::f64::consts::PI;

use fmu_runtime::{Connector, Event, ModelError, Number, Scalar, group};
use mechanics::constant;

use super::compliant::{between, relative};
use super::domain::Domain;
use crate::part::{EventPoint, Events, Kinematics, Loads, Part, PartType, Solution};

/// The gas in the cylinder of an engine.
pub struct GasForceType;

/// Pressure in bar over x, highest power first: of compression and expansion, each for a small and for a large x.
const PRESSURES: [[[f64; 5]; 2]; 2] = [
    [
        [177.4132, -287.2189, 151.8252, -24.9973, 2.4],
        [2_836_360.0, -10_569_296.0, 14_761_814.0, -9_158_505.0, 2_129_670.0],
    ],
    [
        [145.930, -131.707, 17.3438, 17.9272, 2.4],
        [-3_929_704.0, 14_748_765.0, -20_747_000.0, 12_964_477.0, -3_036_495.0],
    ],
];

/// The x from which the second polynomial holds, in compression and in expansion.
const LARGE: [f64; 2] = [0.986_061, 0.933];

/// The velocity in m/s, and the fraction of the length, by which a limit is passed where a branch ends, so that the next one
/// does not end there, too.
const BEYOND: f64 = 1e-9;

/// Pa per bar.
const BAR: f64 = 1e5;

group! {
    /// ```text
    /// s_rel = flange_b.s - flange_a.s,   x = 1 - s_rel / L
    /// f = flange_b.f = -flange_a.f = -press pi d^2 / 4
    /// press: a polynomial of x in pieces, one pair in compression (v_rel < 0), another one in expansion
    /// ```
    ///
    /// The piston is at the top at s_rel = 0, and at the bottom at s_rel = L. Beyond these there is no pressure: the run ends
    /// with an error, as in the library.
    /// Valid for one engine at full load: the pressure does not depend on the speed.
    ///
    /// Source: GasForce2 in Modelica.Mechanics.MultiBody.Examples.Loops.Utilities, version 4.
    pub struct GasForce<T>(_o: ()) {
        parameter L: T = 0.35, M, "Length of the cylinder", min = 1e-12;
        parameter d: T = 0.1, M, "Diameter of the cylinder", min = 0.0;
        output s_rel: T, M, "Relative position";
        output v_rel: T, M_PER_S, "Relative velocity: below 0 in compression";
        output x: T, ONE, "Normalised position of the piston: 1 at the top";
        output press: T, PA, "Pressure in the cylinder";
        output f: T, N, "Force between the flanges";
        memory expands: bool, "whether the pressure is that of expansion";
        memory is_large: bool, "whether x is in the second piece";
    }
}

impl PartType for GasForceType {
    const NAME: &'static str = "GasForce";
    const TEXT: &'static str = "The force of the gas in the cylinder of an engine, between two rods";
    type Structure = ();
    type In<T: Scalar> = GasForce<T>;

    fn connectors(_: &()) -> Vec<(&'static str, Connector)> {
        Domain::Translational.flanges()
    }

    fn options((): &(), _: bool) {}
}

impl<T: Scalar> GasForce<T> {
    /// Normalised position.
    fn position(&self, motion: &Kinematics<'_, T>) -> T {
        let [s_rel, _] = relative(motion);
        (T::one() - s_rel / self.L).max(T::zero()).min(T::one())
    }

    fn pressure(&self, x: T) -> T {
        let powers = PRESSURES[usize::from(self.expands)][usize::from(self.is_large)];
        powers.iter().fold(T::zero(), |sum, power| sum * x + constant(*power)) * constant(BAR)
    }

    fn force(&self, pressure: T) -> T {
        -pressure * constant(PI / 4.0) * self.d * self.d
    }
}

crate::capabilities!(GasForce: Loads + Events);

impl<T: Scalar> Part<T> for GasForce<T> {
    type Structure = ();

    fn set_outputs(&mut self, (): &(), motion: &Kinematics<'_, T>, _: Solution<'_, T>) {
        [self.s_rel, self.v_rel] = relative(motion);
        self.x = self.position(motion);
        self.press = self.pressure(self.x);
        self.f = self.force(self.press);
    }
}

impl<T: Scalar> Loads<T> for GasForce<T> {
    fn loads(&self, (): &(), motion: &Kinematics<'_, T>, add: &mut dyn FnMut(usize, T)) {
        between(self.force(self.pressure(self.position(motion))), add);
    }
}

impl<T: Scalar> Events<T> for GasForce<T> {
    fn indicator_count((): &()) -> usize {
        3
    }

    fn indicators(&self, (): &(), at: &EventPoint<'_, T>, indicators: &mut [T]) {
        let beyond = |is: bool| constant::<T>(if is { BEYOND } else { -BEYOND });
        let [s_rel, v_rel] = relative(&at.motion);
        let x = T::one() - s_rel / self.L;
        indicators[0] = v_rel + beyond(self.expands);
        indicators[1] = x - constant(LARGE[usize::from(self.expands)]) + beyond(self.is_large);
        // Above 0 in the cylinder.
        indicators[2] = (x + constant(BEYOND)) * (T::one() - x + constant(BEYOND));
    }

    fn event(&mut self, (): &(), at: &EventPoint<'_, T>, _: &mut Event) -> Result<(), ModelError> {
        let [s_rel, v_rel] = relative(&at.motion);
        let (s_rel, length) = (s_rel.value(), self.L.value());
        // Where the event is located, or beyond.
        let margin = 0.5 * BEYOND * length;
        if s_rel < -margin || s_rel > length + margin {
            return Err(ModelError::singular(format!(
                "s_rel = {} m, but the piston must stay in the cylinder, between 0 and L = {} m: check L, start values and where \
                 flange_a and flange_b are",
                Number(s_rel),
                Number(length)
            )));
        }
        self.expands = v_rel.value() >= 0.0;
        self.is_large = self.position(&at.motion).value() >= LARGE[usize::from(self.expands)];
        Ok(())
    }
}
