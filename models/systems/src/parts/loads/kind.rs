//! The loads on one flange, with the names that they have in both domains.

use fmu_runtime::structure::Setting;
use fmu_runtime::{Structure, enumeration};

use crate::parts::domain::Domain;

/// The loads on one flange, with their rows in common.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Kind {
    /// A constant.
    #[default]
    Constant,
    /// A jump.
    Step,
    /// Proportional to the speed.
    Linear,
    /// Proportional to the square of the speed.
    Quadratic,
    /// A constant that changes its sign with the speed.
    Sign,
    /// An eddy current brake.
    EddyCurrent,
    /// The resistance of a rolling wheel.
    RollingResistance,
}

impl Kind {
    /// All of them.
    pub const ALL: [Self; 7] = [
        Self::Constant,
        Self::Step,
        Self::Linear,
        Self::Quadratic,
        Self::Sign,
        Self::EddyCurrent,
        Self::RollingResistance,
    ];

    /// Name of the type, and one line.
    pub const fn names(self, domain: Domain) -> (&'static str, &'static str) {
        let [rotational, translational] = match self {
            Self::Constant => [("ConstantTorque", "A constant torque"), ("ConstantForce", "A constant force")],
            Self::Step => [("TorqueStep", "A torque that jumps once"), ("ForceStep", "A force that jumps once")],
            Self::Linear => [
                ("LinearSpeedDependentTorque", "A torque that grows with the speed"),
                ("LinearSpeedDependentForce", "A force that grows with the velocity"),
            ],
            Self::Quadratic => [
                ("QuadraticSpeedDependentTorque", "A torque that grows with the square of the speed"),
                ("QuadraticSpeedDependentForce", "A force that grows with the square of the velocity"),
            ],
            Self::Sign => [
                ("SignTorque", "A torque that changes its sign with the speed"),
                ("SignForce", "A force that changes its sign with the velocity"),
            ],
            Self::EddyCurrent => [
                ("EddyCurrentTorque", "An eddy current brake of a shaft"),
                ("EddyCurrentForce", "An eddy current brake of a rod"),
            ],
            Self::RollingResistance => [("RollingResistance", "The resistance of a rolling wheel"); 2],
        };
        domain.pick(rotational, translational)
    }

    /// True if there is a row of a nominal speed.
    pub const fn has_speed(self) -> bool {
        !self.is_constant()
    }

    /// True if the load is regularised around a standstill.
    pub const fn is_regularised(self) -> bool {
        matches!(self, Self::Sign | Self::RollingResistance)
    }

    /// True if a direction can be chosen.
    pub const fn has_direction(self) -> bool {
        matches!(self, Self::Linear | Self::Quadratic)
    }

    /// True if the load changes at time events only.
    pub const fn is_constant(self) -> bool {
        matches!(self, Self::Constant | Self::Step)
    }

    /// True if there are events.
    pub const fn has_events(self) -> bool {
        self.is_regularised() || matches!(self, Self::Step | Self::Linear)
    }
}

enumeration! {
    /// How a load goes through zero around a standstill.
    pub enum Regularization {
        Exp = "tanh(v / (0.02 v0))",
        Sine = "sin(pi v / (2 v0)) below v0",
        Linear = "v / v0 below v0",
        CoSine | "Cosine" = "1 - cos(pi v / (2 v0)) below v0",
    }
}

/// The structure of a load on one flange: its type says which one it is.
#[derive(Clone, Copy, Debug, Default)]
#[allow(non_snake_case, reason = "Modelica's names")]
pub struct LoadStructure {
    /// The domain.
    pub domain: Domain,
    /// Which load it is.
    pub kind: Kind,
    /// True if the housing has a flange.
    pub useSupport: bool,
    /// True if the load has the same direction for both directions of the motion.
    pub has_one_direction: bool,
    /// How it goes through zero.
    pub reg: Regularization,
    /// True if there is a heat port.
    pub useHeatPort: bool,
    /// True if the coefficient of rolling resistance is an input.
    pub useCrInput: bool,
    /// True if the inclination is an input.
    pub useInclinationInput: bool,
}

impl LoadStructure {
    /// The default options of a load.
    pub fn new(domain: Domain, kind: Kind) -> Self {
        Self { domain, kind, has_one_direction: true, ..Self::default() }
    }

    /// Returns the value for the domain.
    pub const fn pick<V: Copy>(&self, rotational: V, translational: V) -> V {
        self.domain.pick(rotational, translational)
    }

    /// Name and start value of the torque or the force that gives the size.
    pub const fn nominal(&self) -> (&'static str, f64) {
        match self.kind {
            Kind::Constant => (self.pick("tau_constant", "f_constant"), 1.0),
            Kind::Step => (self.pick("stepTorque", "stepForce"), 1.0),
            Kind::RollingResistance => ("fWeight", 1.0),
            Kind::EddyCurrent => (self.pick("tau_nominal", "f_nominal"), 1.0),
            _ => (self.pick("tau_nominal", "f_nominal"), -1.0),
        }
    }

    /// Description of the torque or the force that gives the size.
    pub const fn nominal_text(&self) -> &'static str {
        match self.kind {
            Kind::Constant => "Its value; positive accelerates forward",
            Kind::Step => "Height of the jump; positive accelerates forward",
            Kind::Sign => "Its size; below 0 for a load",
            Kind::EddyCurrent => "The largest value, which always brakes",
            Kind::RollingResistance => "Load on the wheel by gravity",
            Kind::Linear | Kind::Quadratic => "Its value at the nominal speed; below 0 for a load",
        }
    }

    /// Name, start value and description of the speed.
    pub const fn speed(&self) -> (&'static str, f64, &'static str) {
        match self.kind {
            Kind::Sign | Kind::RollingResistance => {
                (self.pick("w0", "v0"), 0.1, "Speed below which the load is less than its full value")
            }
            Kind::EddyCurrent => {
                (self.pick("w_nominal", "v_nominal"), 1.0, "Speed of the largest value at the reference temperature")
            }
            _ => (self.pick("w_nominal", "v_nominal"), 1.0, "Nominal speed"),
        }
    }

    /// True if this is an eddy current brake.
    pub const fn is_brake(&self) -> bool {
        matches!(self.kind, Kind::EddyCurrent)
    }

    /// True if this is the resistance of a wheel.
    pub const fn is_rolling(&self) -> bool {
        matches!(self.kind, Kind::RollingResistance)
    }

    /// True if the load has kinks beside a standstill.
    pub fn has_limits(&self) -> bool {
        self.kind.is_regularised() && self.reg != Regularization::Exp
    }
}

impl Structure for LoadStructure {
    fn visit(&mut self, visit: &mut dyn FnMut(&'static str, &'static str, &mut dyn Setting)) {
        if self.kind.has_direction() {
            let name = self.domain.pick("TorqueDirection", "ForceDirection");
            visit(
                name,
                "Whether the direction is the same for both directions of the motion",
                &mut self.has_one_direction,
            );
        }
        if self.kind.is_regularised() {
            visit("reg", "How the load goes through zero around a standstill", &mut self.reg);
        }
        if self.is_rolling() {
            visit("useCrInput", "Whether the coefficient of rolling resistance is the input cr", &mut self.useCrInput);
            visit("useInclinationInput", "Whether the inclination is an input", &mut self.useInclinationInput);
        }
        if self.is_brake() {
            visit("useHeatPort", "Adds the heat port", &mut self.useHeatPort);
        }
        visit("useSupport", "Whether the housing has a flange; otherwise it is at rest", &mut self.useSupport);
    }
}
