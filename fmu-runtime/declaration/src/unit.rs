//! Units as constants that carry their SI exponents, so that an unknown unit does not compile.

use std::borrow::Cow;
use std::f64::consts::PI;

use serde::{Deserialize, Serialize};

/// The base units, in the order of exponents.
pub const BASE_UNITS: [&str; 8] = ["kg", "m", "s", "A", "K", "mol", "cd", "rad"];

/// A unit: `base = factor * value` in kg^a m^b s^c A^d K^e mol^f cd^g rad^h.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Unit {
    /// Modelica's spelling, such as `N.m/rad`.
    pub name: Cow<'static, str>,
    /// Exponents of [`BASE_UNITS`].
    pub exponents: [i32; 8],
    /// Factor to the base unit.
    pub factor: f64,
    /// Units for display.
    pub display: Cow<'static, [DisplayUnit]>,
}

impl Unit {
    /// Returns the base units in the unit, with their exponents.
    pub fn powers(&self) -> impl Iterator<Item = (&'static str, i32)> {
        BASE_UNITS.into_iter().zip(self.exponents).filter(|(_, exponent)| *exponent != 0)
    }

    /// Returns true if the unit is another unit per second.
    pub fn is_per_second(&self, other: &Self) -> bool {
        let mut exponents = other.exponents;
        exponents[2] -= 1;
        self.exponents == exponents && (self.factor / other.factor - 1.0).abs() < 1e-12
    }
}

/// A unit for display: `display = factor * value + offset`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct DisplayUnit {
    /// Name, unique within its unit.
    pub name: Cow<'static, str>,
    /// Factor from the unit.
    pub factor: f64,
    /// Offset from the unit.
    pub offset: f64,
}

/// Degrees, for display of angles.
pub const DEG: &str = "deg";
/// Revolutions per minute, for display of angular velocities.
pub const RPM: &str = "rpm";
/// Degrees Celsius, for display of temperatures.
pub const DEG_C: &str = "degC";
/// Litres per minute, for display of volume flows.
pub const L_PER_MIN: &str = "l/min";

/// `deg`, for parameters that are given in degrees.
pub const DEGREE: &Unit = &Unit {
    name: Cow::Borrowed(DEG),
    exponents: [0, 0, 0, 0, 0, 0, 0, 1],
    factor: PI / 180.0,
    display: Cow::Borrowed(&[]),
};

macro_rules! units {
    ($($constant:ident = $name:literal [$kg:literal $m:literal $s:literal $a:literal $k:literal $rad:literal]
       $($display:ident $factor:expr, $offset:expr)?;)*) => {
    $(
        #[doc = concat!("`", $name, "`")]
        pub const $constant: &Unit = &Unit {
            name: Cow::Borrowed($name),
            exponents: [$kg, $m, $s, $a, $k, 0, 0, $rad],
            factor: 1.0,
            display: Cow::Borrowed(&[$(
                DisplayUnit { name: Cow::Borrowed($display), factor: $factor, offset: $offset }
            )?]),
        };
    )*
        /// All units with the names of their constants, which rows of variables use.
        pub const ALL: &[(&str, &Unit)] = &[("DEGREE", DEGREE), $((stringify!($constant), $constant)),*];
    };
}

// Exponents of kg, m, s, A, K, rad. Modelica's torque stiffness N.m/rad keeps its rad^-1.
units! {
    ONE          = "1"         [0 0 0 0 0 0];
    M            = "m"         [0 1 0 0 0 0];
    S            = "s"         [0 0 1 0 0 0];
    PER_S        = "1/s"       [0 0 -1 0 0 0];
    M_PER_S      = "m/s"       [0 1 -1 0 0 0];
    M_PER_S2     = "m/s2"      [0 1 -2 0 0 0];
    M3_PER_S2    = "m3/s2"     [0 3 -2 0 0 0];
    RAD          = "rad"       [0 0 0 0 0 1]  DEG 180.0 / PI, 0.0;
    RAD_PER_M    = "rad/m"     [0 -1 0 0 0 1];
    RAD_PER_S    = "rad/s"     [0 0 -1 0 0 1] RPM 30.0 / PI, 0.0;
    RAD_PER_S2   = "rad/s2"    [0 0 -2 0 0 1];
    KG           = "kg"        [1 0 0 0 0 0];
    KG_PER_M3    = "kg/m3"     [1 -3 0 0 0 0];
    KG_M2        = "kg.m2"     [1 2 0 0 0 0];
    N            = "N"         [1 1 -2 0 0 0];
    N_M          = "N.m"       [1 2 -2 0 0 0];
    N_PER_M      = "N/m"       [1 0 -2 0 0 0];
    NS_PER_M     = "N.s/m"     [1 0 -1 0 0 0];
    NM_PER_RAD   = "N.m/rad"   [1 2 -2 0 0 -1];
    NMS_PER_RAD  = "N.m.s/rad" [1 2 -1 0 0 -1];
    PA           = "Pa"        [1 -1 -2 0 0 0];
    J            = "J"         [1 2 -2 0 0 0];
    W            = "W"         [1 2 -3 0 0 0];
    K            = "K"         [0 0 0 0 1 0]  DEG_C 1.0, -273.15;
    M2           = "m2"        [0 2 0 0 0 0];
    M3           = "m3"        [0 3 0 0 0 0];
    HZ           = "Hz"        [0 0 -1 0 0 0];
    // Electrical.
    A            = "A"         [0 0 0 1 0 0];
    V            = "V"         [1 2 -3 -1 0 0];
    OHM          = "Ohm"       [1 2 -3 -2 0 0];
    H            = "H"         [1 2 -2 -2 0 0];
    F            = "F"         [-1 -2 4 2 0 0];
    C            = "C"         [0 0 1 1 0 0];
    WB           = "Wb"        [1 2 -2 -1 0 0];
    T            = "T"         [1 0 -2 -1 0 0];
    V_PER_S      = "V/s"       [1 2 -4 -1 0 0];
    A_PER_S      = "A/s"       [0 0 -1 1 0 0];
    NM_PER_A     = "N.m/A"     [1 2 -2 -1 0 0];
    VS_PER_RAD   = "V.s/rad"   [1 2 -2 -1 0 -1];
    N_PER_A      = "N/A"       [1 1 -2 -1 0 0];
    // Thermal.
    K_PER_S      = "K/s"       [0 0 -1 0 1 0];
    W_PER_K      = "W/K"       [1 2 -3 0 -1 0];
    K_PER_W      = "K/W"       [-1 -2 3 0 1 0];
    J_PER_K      = "J/K"       [1 2 -2 0 -1 0];
    J_PER_KG_K   = "J/(kg.K)"  [0 2 -2 0 -1 0];
    // Hydraulic.
    M3_PER_S     = "m3/s"      [0 3 -1 0 0 0]  L_PER_MIN 60_000.0, 0.0;
    KG_PER_S     = "kg/s"      [1 0 -1 0 0 0];
    PA_PER_S     = "Pa/s"      [1 -1 -3 0 0 0];
    PA_S         = "Pa.s"      [1 -1 -1 0 0 0];
    M3_PER_PA    = "m3/Pa"     [-1 4 2 0 0 0];
}
