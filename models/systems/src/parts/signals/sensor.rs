//! Sensors: signals that follow from the motion of flanges, or from the torque or force between two.

use fmu_runtime::structure::Setting;
use fmu_runtime::unit::{M, M_PER_S, M_PER_S2, N, N_M, RAD, RAD_PER_S, RAD_PER_S2, Unit, W};
use fmu_runtime::{Connector, Scalar, Structure, group};
use mechanics::drivetrain::{Preference, Relation};

use super::signal::{Jet, OutputSignal, SignalRow};
use crate::part::{AnyPart, Block, EventPoint, Part, PartType, Typed};
use crate::parts::domain::Domain;

/// Quantities that sensors measure.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Kind {
    /// Angle or position of a flange.
    #[default]
    Position,
    /// Its velocity.
    Velocity,
    /// Its acceleration.
    Acceleration,
    /// Position of one flange with respect to another one.
    RelPosition,
    /// Relative velocity.
    RelVelocity,
    /// Relative acceleration.
    RelAcceleration,
    /// Torque or force that a rigid connection bears.
    Load,
    /// Power that goes through it.
    Power,
    /// Power, velocity and load.
    Multi,
}

impl Kind {
    const ALL: [Self; 9] = [
        Self::Position,
        Self::Velocity,
        Self::Acceleration,
        Self::RelPosition,
        Self::RelVelocity,
        Self::RelAcceleration,
        Self::Load,
        Self::Power,
        Self::Multi,
    ];

    /// True if the sensor is between two flanges.
    const fn has_two_flanges(self) -> bool {
        self.is_relative() || self.is_rigid()
    }

    const fn is_relative(self) -> bool {
        matches!(self, Self::RelPosition | Self::RelVelocity | Self::RelAcceleration)
    }

    /// True if the sensor connects its flanges rigidly.
    const fn is_rigid(self) -> bool {
        matches!(self, Self::Load | Self::Power | Self::Multi)
    }

    /// True if accelerations, or loads that follow from them, are measured.
    const fn needs_accelerations(self) -> bool {
        self.is_rigid() || matches!(self, Self::Acceleration | Self::RelAcceleration)
    }

    const fn name(self, domain: Domain) -> &'static str {
        match self {
            Self::Position => domain.pick("AngleSensor", "PositionSensor"),
            Self::Velocity => domain.pick("SpeedSensor", "Translational.SpeedSensor"),
            Self::Acceleration => domain.pick("AccSensor", "Translational.AccSensor"),
            Self::RelPosition => domain.pick("RelAngleSensor", "RelPositionSensor"),
            Self::RelVelocity => domain.pick("RelSpeedSensor", "Translational.RelSpeedSensor"),
            Self::RelAcceleration => domain.pick("RelAccSensor", "Translational.RelAccSensor"),
            Self::Load => domain.pick("TorqueSensor", "ForceSensor"),
            Self::Power => domain.pick("PowerSensor", "Translational.PowerSensor"),
            Self::Multi => domain.pick("MultiSensor", "Translational.MultiSensor"),
        }
    }

    const fn text(self, domain: Domain) -> &'static str {
        match self {
            Self::Position => domain.pick("Measures an angle", "Measures a position"),
            Self::Velocity => domain.pick("Measures an angular velocity", "Measures a velocity"),
            Self::Acceleration => domain.pick("Measures an angular acceleration", "Measures an acceleration"),
            Self::RelPosition => domain.pick("Measures a relative angle", "Measures a distance"),
            Self::RelVelocity => domain.pick("Measures a relative angular velocity", "Measures a relative velocity"),
            Self::RelAcceleration => {
                domain.pick("Measures a relative angular acceleration", "Measures a relative acceleration")
            }
            Self::Load => domain.pick("Measures the torque between two shafts", "Measures the force between two rods"),
            Self::Power => domain
                .pick("Measures the power from one shaft to another", "Measures the power from one rod to another"),
            Self::Multi => domain.pick(
                "Measures power, angular velocity and torque between two shafts",
                "Measures power, velocity and force between two rods",
            ),
        }
    }

    /// The names of a position, a velocity and an acceleration, or of relative ones.
    const fn of_motion(self, order: usize, domain: Domain) -> (&'static str, &'static Unit) {
        let names = if self.is_relative() {
            domain.pick(["phi_rel", "w_rel", "a_rel"], ["s_rel", "v_rel", "a_rel"])
        } else {
            domain.pick(["phi", "w", "a"], ["s", "v", "a"])
        };
        (names[order], domain.pick([RAD, RAD_PER_S, RAD_PER_S2], [M, M_PER_S, M_PER_S2])[order])
    }

    /// The main signal.
    const fn row(self, domain: Domain) -> SignalRow {
        let (name, unit) = match self {
            Self::Position | Self::RelPosition => self.of_motion(0, domain),
            Self::Velocity | Self::RelVelocity => self.of_motion(1, domain),
            Self::Acceleration | Self::RelAcceleration => self.of_motion(2, domain),
            Self::Load => (domain.pick("tau", "f"), domain.pick(N_M, N)),
            Self::Power | Self::Multi => ("power", W),
        };
        let text = if self.is_relative() {
            "flange_b minus flange_a"
        } else if self.is_rigid() {
            "From flange_a to flange_b"
        } else {
            "Motion of the flange"
        };
        SignalRow { name, text, unit, exists: true }
    }
}

/// The structure of a sensor: its type says which one it is.
#[derive(Clone, Copy, Debug, Default)]
pub struct SensorStructure {
    domain: Domain,
    kind: Kind,
}

impl Structure for SensorStructure {
    fn visit(&mut self, _: &mut dyn FnMut(&'static str, &'static str, &mut dyn Setting)) {}
}

/// A sensor: its structure says which one it is, and in which domain.
pub struct SensorType;

pub(super) fn types() -> impl Iterator<Item = Box<dyn AnyPart>> {
    [Domain::Rotational, Domain::Translational].into_iter().flat_map(|domain| {
        Kind::ALL.map(|kind| {
            let names = (kind.name(domain), kind.text(domain));
            Typed::<SensorType>::named(names, SensorStructure { domain, kind })
        })
    })
}

impl PartType for SensorType {
    const NAME: &'static str = "Sensor";
    const TEXT: &'static str = "Measures a motion, or a load";
    type Structure = SensorStructure;
    type In<T: Scalar> = Sensor<T>;

    fn connectors(structure: &SensorStructure) -> Vec<(&'static str, Connector)> {
        let domain = structure.domain;
        if structure.kind.has_two_flanges() { domain.flanges() } else { vec![("flange", domain.flange_a())] }
    }

    fn options(structure: &SensorStructure, _: bool) -> SensorStructure {
        *structure
    }

    fn needs_accelerations(structure: &SensorStructure) -> bool {
        structure.kind.needs_accelerations()
    }

    fn own(structure: &SensorStructure) -> &'static [Preference] {
        if structure.kind.is_rigid() { &[Preference::Given] } else { &[] }
    }
}

group! {
    /// ```text
    /// phi = flange.phi,   w = flange.w,   a = flange.a
    /// phi_rel = flange_b.phi - flange_a.phi,   w_rel = flange_b.w - flange_a.w,   a_rel = flange_b.a - flange_a.a
    /// flange_a.phi = flange_b.phi,   tau = flange_a.tau = -flange_b.tau,   power = tau flange_a.w
    /// ```
    ///
    /// and for rods s, v, f, s_rel and v_rel. Source: Sensors of Modelica.Mechanics.
    pub struct Sensor<T>(o: SensorStructure) {
        group y: OutputSignal<T> = o.kind.row(o.domain), "", name = "";
        group v: OutputSignal<T> = SignalRow { name: o.domain.pick("w", "v"), text: "Velocity of both flanges",
            unit: o.domain.pick(RAD_PER_S, M_PER_S), exists: o.kind == Kind::Multi }, "", name = "";
        group load: OutputSignal<T> = Kind::Load.row(o.domain).when(o.kind == Kind::Multi), "", name = "";
    }
}

crate::capabilities!(Sensor: Block);

impl<T: Scalar> Part<T> for Sensor<T> {
    type Structure = SensorStructure;

    /// The load between the flanges keeps the own position, which is 0, on its given motion.
    fn relations(&self, structure: &SensorStructure) -> Vec<Relation<T>> {
        if !structure.kind.is_rigid() {
            return Vec::new();
        }
        let terms = vec![(1, T::one()), (0, -T::one()), (2, -T::one())];
        vec![Relation { terms, constant: T::zero() }]
    }
}

impl<T: Scalar> Block<T> for Sensor<T> {
    fn update(&mut self, structure: &SensorStructure, at: &EventPoint<'_, T>) {
        let (motion, kind) = (&at.motion, structure.kind);
        let measured = |of: &dyn Fn(usize) -> T| if kind.is_relative() { of(1) - of(0) } else { of(0) };
        let v = || measured(&|i| motion.v(i));
        // Accelerations are not known yet where positions and velocities are measured.
        self.y.set(match kind {
            Kind::Position | Kind::RelPosition => Jet([measured(&|i| motion.x(i)), v(), T::zero()]),
            Kind::Velocity | Kind::RelVelocity => Jet::constant(v()),
            Kind::Acceleration | Kind::RelAcceleration => Jet::constant(measured(&|i| motion.a(i))),
            Kind::Load => Jet::constant(at.reaction),
            Kind::Power | Kind::Multi => Jet::constant(at.reaction * v()),
        });
        if kind == Kind::Multi {
            self.v.set(Jet::constant(v()));
            self.load.set(Jet::constant(at.reaction));
        }
    }
}
