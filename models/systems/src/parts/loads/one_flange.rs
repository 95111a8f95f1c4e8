//! Torques and forces on one flange.

use std::f64::consts::FRAC_PI_2;

use fmu_runtime::unit::{M_PER_S, N, N_M, RAD_PER_S, RPM};
use fmu_runtime::{Connector, Event, ModelError, Number, Scalar, group};
use mechanics::constant;
use mechanics::drivetrain::Compliance;
use ports::HeatPort;

use super::kind::{Kind, LoadStructure, Regularization};
use crate::part::{
    AnyPart, Compliant, EventPoint, Events, Kinematics, Loads, Part, PartType, Properties, Solution, Typed,
};
use crate::parts::domain::Domain;
use crate::parts::drive::drive;
use crate::parts::signals::margin;

/// Temperature in K at which coefficients of materials are given.
const T_20: f64 = 293.15;

/// The loads on one flange, in both domains.
pub struct LoadType;

group! {
    /// With w = flange.w - support.w and the load tau that accelerates the flange:
    ///
    /// ```text
    /// ConstantTorque                  tau = tau_constant
    /// TorqueStep                      tau = offsetTorque, from startTime on offsetTorque + stepTorque
    /// LinearSpeedDependentTorque      tau = tau_nominal |w / w_nominal|, otherwise tau_nominal w / w_nominal
    /// QuadraticSpeedDependentTorque   tau = tau_nominal (w / w_nominal)^2, otherwise with the sign of w
    /// SignTorque                      tau = tau_nominal r(w)
    /// EddyCurrentTorque               tau = -2 tau_nominal x / (1 + x^2),   x = w / (w_nominal (1 + alpha (T - TRef)))
    ///                                 alpha = alpha20 / (1 + alpha20 (TRef - 293.15 K))
    /// RollingResistance               f = -Cr fWeight r(v) / sqrt(1 + inclination^2)
    /// r                               the sign of the speed, regularised as `reg` says
    /// ```
    ///
    /// "Otherwise" is TorqueDirection = false. For rods the same with f, v and s. Each kink is an event. Outputs have the
    /// library's signs: tau accelerates, but that of EddyCurrentTorque is flange.tau, as f of all translational ones is
    /// flange.f. Source: Sources of Modelica.Mechanics, version 4.
    pub struct FlangeLoad<T>(o: LoadStructure) {
        parameter nominal: T = o.nominal().1, "Size", name = o.nominal().0, text = o.nominal_text(), unit = o.pick(N_M, N);
        parameter v_nominal: T = o.speed().1, "Nominal speed", name = o.speed().0, text = o.speed().2,
            unit = o.pick(RAD_PER_S, M_PER_S), min = 1e-15, when = o.kind.has_speed();
        parameter offset: T = 0.0, "Value before the jump", name = o.pick("offsetTorque", "offsetForce"),
            unit = o.pick(N_M, N), when = o.kind == Kind::Step;
        parameter startTime: T = 0.0, S, "Time of the jump", when = o.kind == Kind::Step;
        parameter TRef: T = T_20, K, "Reference temperature", min = 0.0, when = o.is_brake();
        parameter alpha20: T = 0.0, PER_K, "Temperature coefficient of the material at 20 degrees Celsius", when = o.is_brake();
        parameter T: T = T_20, K, "Temperature of the brake", min = 0.0, when = o.is_brake() && !o.useHeatPort;
        parameter CrConstant: T = 0.01, ONE, "Coefficient of rolling resistance", when = o.is_rolling() && !o.useCrInput;
        parameter inclinationConstant: T = 0.0, ONE, "Inclination: tangent of the angle",
            when = o.is_rolling() && !o.useInclinationInput;
        input cr: T = 0.01, ONE, "Coefficient of rolling resistance", when = o.is_rolling() && o.useCrInput;
        input inclination: T = 0.0, ONE, "Inclination: tangent of the angle",
            when = o.is_rolling() && o.useInclinationInput;
        group heatPort: HeatPort<T>, "Heat port", when = o.useHeatPort, connector = Connector::HeatPort_a;
        output v: T, "Speed of the flange with respect to the housing", name = o.pick("w", "v"),
            unit = o.pick(RAD_PER_S, M_PER_S), display = o.pick(RPM, ""), when = o.kind != Kind::Step;
        output f: T, "Load", name = o.pick("tau", "f"),
            text = if o.signs_flange() { "Load on the part at its flange" } else { "Load that accelerates the flange" },
            unit = o.pick(N_M, N);
        output lossPower: T, W, "Power turned into heat", when = o.is_brake();
        memory branch: i32, "The direction of the motion, 0 near a standstill; of a jump, whether it was";
    }
}

/// Returns the types of loads on one flange.
pub(super) fn types() -> Vec<Box<dyn AnyPart>> {
    let in_domain = |domain: Domain| {
        let kinds = Kind::ALL
            .into_iter()
            .filter(move |kind| domain == Domain::Translational || *kind != Kind::RollingResistance);
        kinds.map(move |kind| {
            let (type_name, text) = kind.names(domain);
            let properties = Properties {
                type_name,
                text,
                has_events: kind.has_events(),
                follows_time: kind == Kind::Step,
                compliant: kind.is_constant().then_some(Compliant::Constant),
                ..Properties::of::<LoadType>()
            };
            Box::new(Typed::<LoadType>::of_family(LoadStructure::new(domain, kind), properties)) as Box<dyn AnyPart>
        })
    };
    [Domain::Rotational, Domain::Translational].into_iter().flat_map(in_domain).collect()
}

impl PartType for LoadType {
    const NAME: &'static str = "FlangeLoad";
    const TEXT: &'static str = "A load on one flange";
    const COMPLIANT: Option<Compliant> = Some(Compliant::Constant);
    type Structure = LoadStructure;
    type In<T: Scalar> = FlangeLoad<T>;

    fn connectors(structure: &LoadStructure) -> Vec<(&'static str, Connector)> {
        let mut connectors = structure.domain.flange_and_support(structure.useSupport);
        connectors.extend(structure.useHeatPort.then_some(("heatPort", Connector::HeatPort_a)));
        connectors
    }

    fn options(structure: &LoadStructure, _: bool) -> LoadStructure {
        *structure
    }

    fn uses_temperature(structure: &LoadStructure) -> bool {
        structure.is_brake()
    }
}

impl LoadStructure {
    /// True if the output of the load is the flange's cut load, and not the load that accelerates it.
    const fn signs_flange(&self) -> bool {
        self.pick(self.is_brake(), true)
    }
}

/// The sign of a speed, regularised below `v0`; `side` is -1 or 1 beyond it.
pub fn regularised<T: Scalar>(reg: Regularization, side: i32, v: T, v0: T) -> T {
    let x = v / v0;
    let quarter = constant::<T>(FRAC_PI_2) * x;
    match (reg, side) {
        (Regularization::Exp, _) => (x * constant::<T>(50.0)).tanh(),
        (Regularization::Linear, 0) => x,
        (Regularization::Sine, 0) => quarter.sin(),
        (Regularization::CoSine, 0) => {
            let size = T::one() - quarter.cos();
            if x.value() < 0.0 { -size } else { size }
        }
        (_, side) => constant(f64::from(side)),
    }
}

/// The two indicators of [`regularised`], of which one changes its sign where `side` does.
pub fn limit_indicators<T: Scalar>(side: i32, v: T, v0: T) -> [T; 2] {
    let [below, above] = [v + v0, v0 - v];
    [if side < 0 { -below } else { below }, if side > 0 { -above } else { above }].map(|one| one + margin(v, v0))
}

/// The side of a speed beyond `v0`, 0 if it is not.
pub fn side<T: Scalar>(v: T, v0: T) -> i32 {
    let (v, v0) = (v.value(), v0.value());
    if v > v0 { 1 } else { -i32::from(v < -v0) }
}

impl<T: Scalar> FlangeLoad<T> {
    fn speed(structure: &LoadStructure, motion: &Kinematics<'_, T>) -> T {
        if structure.useSupport { motion.v(0) - motion.v(1) } else { motion.v(0) }
    }

    /// The load that accelerates the flange.
    fn load(&self, structure: &LoadStructure, v: T) -> T {
        let (size, ratio) = (self.nominal, v / self.v_nominal);
        match structure.kind {
            Kind::Constant => size,
            Kind::Step if self.branch == 0 => self.offset,
            Kind::Step => self.offset + size,
            Kind::Linear if structure.has_one_direction && self.branch < 0 => -size * ratio,
            Kind::Linear => size * ratio,
            Kind::Quadratic => size * ratio * if structure.has_one_direction { ratio } else { ratio.abs() },
            Kind::Sign => size * regularised(structure.reg, self.branch, v, self.v_nominal),
            Kind::EddyCurrent => {
                let x = ratio / self.resistance(structure);
                -constant::<T>(2.0) * size * x / (T::one() + x * x)
            }
            Kind::RollingResistance => {
                let cr = if structure.useCrInput { self.cr } else { self.CrConstant };
                let slope = if structure.useInclinationInput { self.inclination } else { self.inclinationConstant };
                let along = (T::one() + slope * slope).sqrt();
                -cr * size / along * regularised(structure.reg, self.branch, v, self.v_nominal)
            }
        }
    }

    /// The resistance of the brake's material, divided by that at the reference temperature.
    fn resistance(&self, structure: &LoadStructure) -> T {
        let temperature = if structure.useHeatPort { self.heatPort.T } else { self.T };
        T::one() + self.alpha20 / self.reference_resistance() * (temperature - self.TRef)
    }

    /// The resistance at the reference temperature, divided by that at 20 degrees Celsius.
    fn reference_resistance(&self) -> T {
        T::one() + self.alpha20 * (self.TRef - constant::<T>(T_20))
    }
}

crate::capabilities!(FlangeLoad: Loads + Events);

impl<T: Scalar> Part<T> for FlangeLoad<T> {
    type Structure = LoadStructure;

    fn problem(&self) -> Option<String> {
        let resistance = self.reference_resistance().value();
        (resistance <= 0.0).then(|| {
            format!(
                "alpha20 is {}, but 1 + alpha20 (TRef - 293.15 K), which is {} with TRef = {} K, must be above 0",
                Number(self.alpha20.value()),
                Number(resistance),
                Number(self.TRef.value())
            )
        })
    }

    fn set_outputs(&mut self, structure: &LoadStructure, motion: &Kinematics<'_, T>, _: Solution<'_, T>) {
        self.v = Self::speed(structure, motion);
        let load = self.load(structure, self.v);
        self.f = if structure.signs_flange() { -load } else { load };
        self.lossPower = -load * self.v;
        self.heatPort.Q_flow = load * self.v;
    }
}

impl<T: Scalar> Loads<T> for FlangeLoad<T> {
    fn loads(&self, structure: &LoadStructure, motion: &Kinematics<'_, T>, add: &mut dyn FnMut(usize, T)) {
        drive(self.load(structure, Self::speed(structure, motion)), structure.useSupport, add);
    }

    fn compliance(&self, structure: &LoadStructure, _: [T; 2], _: bool) -> Compliance<T> {
        Compliance { load: self.load(structure, T::zero()), ..Compliance::none() }
    }
}

impl<T: Scalar> Events<T> for FlangeLoad<T> {
    fn indicator_count(structure: &LoadStructure) -> usize {
        match structure.kind {
            Kind::Linear => usize::from(structure.has_one_direction),
            _ => 2 * usize::from(structure.has_limits()),
        }
    }

    fn indicators(&self, structure: &LoadStructure, at: &EventPoint<'_, T>, indicators: &mut [T]) {
        let v = Self::speed(structure, &at.motion);
        match indicators {
            [turns] => *turns = v + if self.branch < 0 { -margin(v, v) } else { margin(v, v) },
            [_, _] => indicators.copy_from_slice(&limit_indicators(self.branch, v, self.v_nominal)),
            _ => {}
        }
    }

    fn event(
        &mut self,
        structure: &LoadStructure,
        at: &EventPoint<'_, T>,
        event: &mut Event,
    ) -> Result<(), ModelError> {
        let v = Self::speed(structure, &at.motion);
        self.branch = match structure.kind {
            Kind::Step => {
                let has_jumped = at.time.value() >= self.startTime.value();
                // Flanges without inertia jump with it, and contacts there must choose again.
                event.again = has_jumped != (self.branch != 0);
                event.next_time = (!has_jumped).then(|| self.startTime.value());
                i32::from(has_jumped)
            }
            Kind::Linear if v.value() < 0.0 => -1,
            Kind::Linear => 1,
            _ => side(v, self.v_nominal),
        };
        Ok(())
    }
}
