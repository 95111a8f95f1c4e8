//! A vehicle on a road.

use fmu_runtime::structure::Setting;
use fmu_runtime::{Connector, Event, ModelError, Scalar, Structure, group};
use mechanics::constant;
use mechanics::drivetrain::{Preference, Relation};

use super::kind::Regularization;
use super::one_flange::{limit_indicators, regularised, side};
use crate::part::{EventPoint, Events, Kinematics, Loads, Part, PartType, Solution};
use crate::parts::domain::Domain;
use crate::parts::movement::{Movement, MovementOptions, MovementStructure, own_motion};

/// Standard gravity in m/s2.
const G_N: f64 = 9.80665;

/// A vehicle on a road.
pub struct VehicleType;

/// The options of a vehicle.
#[derive(Clone, Copy, Debug)]
#[allow(non_snake_case, reason = "Modelica's names")]
pub struct VehicleStructure {
    movement: MovementStructure,
    useWindInput: bool,
    useCrInput: bool,
    useInclinationInput: bool,
}

impl Default for VehicleStructure {
    fn default() -> Self {
        let movement = MovementStructure::new(Domain::Translational);
        Self { movement, useWindInput: false, useCrInput: false, useInclinationInput: false }
    }
}

impl Structure for VehicleStructure {
    fn visit(&mut self, visit: &mut dyn FnMut(&'static str, &'static str, &mut dyn Setting)) {
        visit("useWindInput", "Whether the velocity of the wind is the input vWind", &mut self.useWindInput);
        visit("useCrInput", "Whether the coefficient of rolling resistance is the input cr", &mut self.useCrInput);
        visit("useInclinationInput", "Whether the inclination is an input", &mut self.useInclinationInput);
        self.movement.visit(visit);
    }
}

/// Options of the rows of a vehicle.
#[derive(Clone, Copy, Debug, Default)]
pub struct VehicleRows {
    movement: MovementOptions,
    structure: VehicleStructure,
}

group! {
    /// ```text
    /// flangeR.phi R = flangeT.s = s,   v = s',   a = v'
    /// (m + J/R^2) a = flangeR.tau/R + flangeT.f - fDrag - fRoll - fGrav
    /// fDrag = Cd A rho (v - vWind) |v - vWind| / 2
    /// fRoll = Cr m g cos(alpha) min(max(v / vReg, -1), 1),   fGrav = m g sin(alpha),   inclination = tan(alpha)
    /// ```
    ///
    /// The ends of the straight line between -vReg and vReg are events. Source: Vehicle of Modelica.Mechanics.Translational,
    /// version 4; the wind acts at once, without the filter of the library's Speed.
    pub struct Vehicle<T>(o: VehicleRows) {
        parameter m: T = 1.0, KG, "Mass", min = 0.0;
        parameter g: T = G_N, M_PER_S2, "Acceleration of gravity";
        parameter J: T = 0.0, KG_M2, "Moment of inertia of all that turns with the wheels", min = 0.0;
        parameter R: T = 1.0, M, "Radius of the wheels", min = 1e-12;
        parameter A: T = 1.0, M2, "Cross section", min = 0.0;
        parameter Cd: T = 0.5, ONE, "Drag coefficient", min = 0.0;
        parameter rho: T = 1.2, KG_PER_M3, "Density of the air", min = 0.0;
        parameter vWindConstant: T = 0.0, M_PER_S, "Velocity of the wind, forward", when = !o.structure.useWindInput;
        parameter CrConstant: T = 0.015, ONE, "Coefficient of rolling resistance", when = !o.structure.useCrInput;
        parameter vReg: T = 1e-3, M_PER_S, "Velocity below which rolling resistance is proportional to it", min = 1e-15;
        parameter inclinationConstant: T = 0.0, ONE, "Inclination of the road: tangent of the angle",
            when = !o.structure.useInclinationInput;
        input vWind: T = 0.0, M_PER_S, "Velocity of the wind, forward", when = o.structure.useWindInput;
        input cr: T = 0.015, ONE, "Coefficient of rolling resistance", when = o.structure.useCrInput;
        input inclination: T = 0.0, ONE, "Inclination of the road: tangent of the angle",
            when = o.structure.useInclinationInput;
        group movement: Movement<T> = o.movement, "", name = "";
        memory side: i32, "-1 or 1 where the vehicle rolls faster than vReg";
    }
}

impl PartType for VehicleType {
    const NAME: &'static str = "Vehicle";
    const TEXT: &'static str = "A vehicle on a road, with drag, rolling resistance and inclination";
    type Structure = VehicleStructure;
    type In<T: Scalar> = Vehicle<T>;

    fn connectors(_: &VehicleStructure) -> Vec<(&'static str, Connector)> {
        vec![("flangeR", Domain::Rotational.flange_a()), ("flangeT", Domain::Translational.flange_b())]
    }

    fn options(structure: &VehicleStructure, has_states: bool) -> VehicleRows {
        VehicleRows { movement: structure.movement.rows(has_states, "Position"), structure: *structure }
    }

    fn own(_: &VehicleStructure) -> &'static [Preference] {
        &[Preference::Inertia]
    }
}

impl<T: Scalar> Vehicle<T> {
    /// The force of drag, rolling resistance and inclination together, forward.
    fn resistance(&self, structure: &VehicleStructure, v: T) -> T {
        let pick = |is_input: bool, input: T, constant: T| if is_input { input } else { constant };
        let cr = pick(structure.useCrInput, self.cr, self.CrConstant);
        let slope = pick(structure.useInclinationInput, self.inclination, self.inclinationConstant);
        let v_air = v - pick(structure.useWindInput, self.vWind, self.vWindConstant);
        let weight = self.m * self.g / (T::one() + slope * slope).sqrt();
        let rolling = cr * regularised(Regularization::Linear, self.side, v, self.vReg);
        let drag = constant::<T>(0.5) * self.Cd * self.A * self.rho * v_air * v_air.abs();
        -(drag + weight * (rolling + slope))
    }
}

crate::capabilities!(Vehicle: Loads + Events);

impl<T: Scalar> Part<T> for Vehicle<T> {
    type Structure = VehicleStructure;

    fn relations(&self, _: &VehicleStructure) -> Vec<Relation<T>> {
        let wheel = Relation { terms: vec![(0, self.R), (2, -T::one())], constant: T::zero() };
        vec![wheel, Relation::equal(1, 2)]
    }

    fn inertia(&self) -> T {
        self.m + self.J / (self.R * self.R)
    }

    own_motion!(movement, structure.movement, 2);

    fn set_outputs(&mut self, _: &VehicleStructure, motion: &Kinematics<'_, T>, _: Solution<'_, T>) {
        self.movement.set_outputs(motion, 2);
    }
}

impl<T: Scalar> Loads<T> for Vehicle<T> {
    fn loads(&self, structure: &VehicleStructure, motion: &Kinematics<'_, T>, add: &mut dyn FnMut(usize, T)) {
        add(2, self.resistance(structure, motion.v(2)));
    }
}

impl<T: Scalar> Events<T> for Vehicle<T> {
    fn indicator_count(_: &VehicleStructure) -> usize {
        2
    }

    fn indicators(&self, _: &VehicleStructure, at: &EventPoint<'_, T>, indicators: &mut [T]) {
        indicators.copy_from_slice(&limit_indicators(self.side, at.motion.v(2), self.vReg));
    }

    fn event(&mut self, _: &VehicleStructure, at: &EventPoint<'_, T>, _: &mut Event) -> Result<(), ModelError> {
        self.side = side(at.motion.v(2), self.vReg);
        Ok(())
    }
}
