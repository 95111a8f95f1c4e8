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
    /// Quantity in this unit, by the name that `Modelica.Units.SI` has for it; empty if there is not exactly one.
    pub quantity: Cow<'static, str>,
    /// Units for display.
    pub display: Cow<'static, [DisplayUnit]>,
}

impl Unit {
    /// A unit without quantity and units for display, for the key `unit` of a row.
    pub const fn new(name: &'static str, exponents: [i32; 8], factor: f64) -> Self {
        Self { name: Cow::Borrowed(name), exponents, factor, quantity: Cow::Borrowed(""), display: Cow::Borrowed(&[]) }
    }

    /// The base units in it, with their exponents.
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
    quantity: Cow::Borrowed("Angle"),
    display: Cow::Borrowed(&[]),
};

macro_rules! units {
    ($($constant:ident = $name:literal [$kg:literal $m:literal $s:literal $a:literal $k:literal $rad:literal]
       $quantity:literal $($display:ident $factor:expr, $offset:expr)?;)*) => {
    $(
        #[doc = concat!("`", $name, "`")]
        pub const $constant: &Unit = &Unit {
            name: Cow::Borrowed($name),
            exponents: [$kg, $m, $s, $a, $k, 0, 0, $rad],
            factor: 1.0,
            quantity: Cow::Borrowed($quantity),
            display: Cow::Borrowed(&[$(
                DisplayUnit { name: Cow::Borrowed($display), factor: $factor, offset: $offset }
            )?]),
        };
    )*
        /// All units with the names of their constants, which rows of variables use.
        pub const ALL: &[(&str, &Unit)] = &[("DEGREE", DEGREE), $((stringify!($constant), $constant)),*];
    };
}

// Exponents of kg, m, s, A, K, rad; the quantity. Modelica's torque stiffness N.m/rad keeps its rad^-1.
units! {
    ONE          = "1"         [0 0 0 0 0 0]     "";
    M            = "m"         [0 1 0 0 0 0]     "Length";
    S            = "s"         [0 0 1 0 0 0]     "Time";
    PER_S        = "1/s"       [0 0 -1 0 0 0]    "";
    PER_S2       = "1/s2"      [0 0 -2 0 0 0]    "";
    M_PER_S      = "m/s"       [0 1 -1 0 0 0]    "Velocity";
    M_PER_S2     = "m/s2"      [0 1 -2 0 0 0]    "Acceleration";
    M3_PER_S2    = "m3/s2"     [0 3 -2 0 0 0]    "";
    RAD          = "rad"       [0 0 0 0 0 1]     "Angle" DEG 180.0 / PI, 0.0;
    RAD_PER_M    = "rad/m"     [0 -1 0 0 0 1]    "";
    RAD_PER_S    = "rad/s"     [0 0 -1 0 0 1]    "AngularVelocity" RPM 30.0 / PI, 0.0;
    RAD_PER_S2   = "rad/s2"    [0 0 -2 0 0 1]    "AngularAcceleration";
    KG           = "kg"        [1 0 0 0 0 0]     "Mass";
    KG_PER_M3    = "kg/m3"     [1 -3 0 0 0 0]    "Density";
    KG_M2        = "kg.m2"     [1 2 0 0 0 0]     "MomentOfInertia";
    N            = "N"         [1 1 -2 0 0 0]    "Force";
    N_M          = "N.m"       [1 2 -2 0 0 0]    "Torque";
    N_PER_M      = "N/m"       [1 0 -2 0 0 0]    "TranslationalSpringConstant";
    NS_PER_M     = "N.s/m"     [1 0 -1 0 0 0]    "TranslationalDampingConstant";
    NM_PER_RAD   = "N.m/rad"   [1 2 -2 0 0 -1]   "RotationalSpringConstant";
    NMS_PER_RAD  = "N.m.s/rad" [1 2 -1 0 0 -1]   "RotationalDampingConstant";
    PA           = "Pa"        [1 -1 -2 0 0 0]   "Pressure";
    J            = "J"         [1 2 -2 0 0 0]    "Energy";
    W            = "W"         [1 2 -3 0 0 0]    "Power";
    K            = "K"         [0 0 0 0 1 0]     "ThermodynamicTemperature" DEG_C 1.0, -273.15;
    M2           = "m2"        [0 2 0 0 0 0]     "Area";
    M3           = "m3"        [0 3 0 0 0 0]     "Volume";
    HZ           = "Hz"        [0 0 -1 0 0 0]    "Frequency";
    // Electrical.
    A            = "A"         [0 0 0 1 0 0]     "ElectricCurrent";
    V            = "V"         [1 2 -3 -1 0 0]   "ElectricPotential";
    OHM          = "Ohm"       [1 2 -3 -2 0 0]   "Resistance";
    H            = "H"         [1 2 -2 -2 0 0]   "Inductance";
    F            = "F"         [-1 -2 4 2 0 0]   "Capacitance";
    C            = "C"         [0 0 1 1 0 0]     "ElectricCharge";
    WB           = "Wb"        [1 2 -2 -1 0 0]   "MagneticFlux";
    T            = "T"         [1 0 -2 -1 0 0]   "MagneticFluxDensity";
    V_PER_S      = "V/s"       [1 2 -4 -1 0 0]   "VoltageSlope";
    A_PER_S      = "A/s"       [0 0 -1 1 0 0]    "CurrentSlope";
    NM_PER_A     = "N.m/A"     [1 2 -2 -1 0 0]   "ElectricalTorqueConstant";
    VS_PER_RAD   = "V.s/rad"   [1 2 -2 -1 0 -1]  "";
    N_PER_A      = "N/A"       [1 1 -2 -1 0 0]   "ElectricalForceConstant";
    // Thermal.
    K_PER_S      = "K/s"       [0 0 -1 0 1 0]    "TemperatureSlope";
    W_PER_K      = "W/K"       [1 2 -3 0 -1 0]   "ThermalConductance";
    PER_K        = "1/K"       [0 0 0 0 -1 0]    "LinearTemperatureCoefficient";
    K_PER_W      = "K/W"       [-1 -2 3 0 1 0]   "ThermalResistance";
    J_PER_K      = "J/K"       [1 2 -2 0 -1 0]   "HeatCapacity";
    J_PER_KG_K   = "J/(kg.K)"  [0 2 -2 0 -1 0]   "SpecificHeatCapacity";
    // Hydraulic.
    M3_PER_S     = "m3/s"      [0 3 -1 0 0 0]    "VolumeFlowRate" L_PER_MIN 60_000.0, 0.0;
    KG_PER_S     = "kg/s"      [1 0 -1 0 0 0]    "MassFlowRate";
    PA_PER_S     = "Pa/s"      [1 -1 -3 0 0 0]   "";
    PA_S         = "Pa.s"      [1 -1 -1 0 0 0]   "DynamicViscosity";
    M3_PER_PA    = "m3/Pa"     [-1 4 2 0 0 0]    "";
}
