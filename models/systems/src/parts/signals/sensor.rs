//! Sensors: signals that follow from the motion of flanges.

use std::marker::PhantomData;

use fmu_runtime::structure::Setting;
use fmu_runtime::unit::{M, M_PER_S, RAD, RAD_PER_S};
use fmu_runtime::{Connector, Scalar, Structure, group};

use super::signal::{Jet, OutputSignal, SignalRow};
use crate::part::{AnyPart, Block, EventPoint, Kinematics, Part, PartType, Solution, Typed};
use crate::parts::domain::{Domain, InDomain, Rotational, Translational};

/// The structure of a sensor: its type says which one it is.
#[derive(Clone, Copy, Debug, Default)]
pub struct SensorStructure {
    domain: Domain,
    /// True if the sensor is between two flanges.
    is_relative: bool,
    /// True if the sensor measures a velocity, false for a position.
    is_velocity: bool,
}

impl Structure for SensorStructure {
    fn visit(&mut self, _: &mut dyn FnMut(&'static str, &'static str, &mut dyn Setting)) {}
}

impl SensorStructure {
    const fn name(self) -> &'static str {
        let Self { domain, is_relative, is_velocity } = self;
        match (is_relative, is_velocity) {
            (false, false) => domain.pick("AngleSensor", "PositionSensor"),
            (false, true) => domain.pick("SpeedSensor", "Translational.SpeedSensor"),
            (true, false) => domain.pick("RelAngleSensor", "RelPositionSensor"),
            (true, true) => domain.pick("RelSpeedSensor", "Translational.RelSpeedSensor"),
        }
    }

    const fn text(self) -> &'static str {
        let Self { domain, is_relative, is_velocity } = self;
        match (is_relative, is_velocity) {
            (false, false) => domain.pick("Measures an angle", "Measures a position"),
            (false, true) => domain.pick("Measures an angular velocity", "Measures a velocity"),
            (true, false) => domain.pick("Measures a relative angle", "Measures a distance"),
            (true, true) => domain.pick("Measures a relative angular velocity", "Measures a relative velocity"),
        }
    }

    const fn row(self) -> SignalRow {
        let Self { domain, is_relative, is_velocity } = self;
        let (name, unit) = match (is_relative, is_velocity) {
            (false, false) => (domain.pick("phi", "s"), domain.pick(RAD, M)),
            (false, true) => (domain.pick("w", "v"), domain.pick(RAD_PER_S, M_PER_S)),
            (true, false) => (domain.pick("phi_rel", "s_rel"), domain.pick(RAD, M)),
            (true, true) => (domain.pick("w_rel", "v_rel"), domain.pick(RAD_PER_S, M_PER_S)),
        };
        let text = if is_relative { "flange_b minus flange_a" } else { "Motion of the flange" };
        SignalRow { name, text, unit, exists: true }
    }
}

/// A sensor of a domain.
pub struct SensorType<D, const IS_RELATIVE: bool, const IS_VELOCITY: bool>(PhantomData<D>);

pub(super) fn types() -> Vec<Box<dyn AnyPart>> {
    in_domain::<Rotational>().into_iter().chain(in_domain::<Translational>()).collect()
}

fn in_domain<D: InDomain>() -> [Box<dyn AnyPart>; 4] {
    [
        Box::<Typed<SensorType<D, false, false>>>::default(),
        Box::<Typed<SensorType<D, false, true>>>::default(),
        Box::<Typed<SensorType<D, true, false>>>::default(),
        Box::<Typed<SensorType<D, true, true>>>::default(),
    ]
}

impl<D: InDomain, const IS_RELATIVE: bool, const IS_VELOCITY: bool> SensorType<D, IS_RELATIVE, IS_VELOCITY> {
    const STRUCTURE: SensorStructure =
        SensorStructure { domain: D::DOMAIN, is_relative: IS_RELATIVE, is_velocity: IS_VELOCITY };
}

impl<D: InDomain, const IS_RELATIVE: bool, const IS_VELOCITY: bool> PartType
    for SensorType<D, IS_RELATIVE, IS_VELOCITY>
{
    const NAME: &'static str = Self::STRUCTURE.name();
    const TEXT: &'static str = Self::STRUCTURE.text();
    type Structure = SensorStructure;
    type In<T: Scalar> = Sensor<T>;

    fn structure() -> SensorStructure {
        Self::STRUCTURE
    }

    fn connectors(structure: &SensorStructure) -> Vec<(&'static str, Connector)> {
        if structure.is_relative { D::DOMAIN.flanges() } else { vec![("flange", D::DOMAIN.flange_a())] }
    }

    fn options(structure: &SensorStructure, _: bool) -> SensorStructure {
        *structure
    }
}

group! {
    /// ```text
    /// phi = flange.phi,   w = flange.w,   phi_rel = flange_b.phi - flange_a.phi,   w_rel = flange_b.w - flange_a.w
    /// ```
    ///
    /// and for rods s, v, s_rel and v_rel. Source: Sensors of Modelica.Mechanics.
    pub struct Sensor<T>(o: SensorStructure) {
        group y: OutputSignal<T> = o.row(), "", name = "";
    }
}

crate::capabilities!(Sensor: Block);

impl<T: Scalar> Part<T> for Sensor<T> {
    type Structure = SensorStructure;

    fn set_outputs(&mut self, _: &SensorStructure, _: &Kinematics<'_, T>, _: Solution<'_, T>) {}
}

impl<T: Scalar> Block<T> for Sensor<T> {
    fn update(&mut self, structure: &SensorStructure, at: &EventPoint<'_, T>) {
        let motion = &at.motion;
        let measured = |of: &dyn Fn(usize) -> T| if structure.is_relative { of(1) - of(0) } else { of(0) };
        // Accelerations are not known yet.
        self.y.set(if structure.is_velocity {
            Jet::constant(measured(&|i| motion.v(i)))
        } else {
            Jet([measured(&|i| motion.x(i)), measured(&|i| motion.v(i)), T::zero()])
        });
    }
}
