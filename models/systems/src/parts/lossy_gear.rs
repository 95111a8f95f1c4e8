//! A gear with losses.

use fmu_runtime::unit::{N_M, ONE, RAD_PER_S};
use fmu_runtime::{Connector, ModelError, Number, Scalar, Source, Table, group, structure};
use mechanics::constant;
use mechanics::drivetrain::{Preference, Relation};
use mechanics::friction::{LawBranch, LawParameters, LossTable, LossTableError, Mode};
use ports::HeatPort;

use super::domain::Domain;
use super::gear::{RATIO_IS_0, gear};
use crate::part::{ElementLaw, FrictionElement, FrictionEvent, FrictionPair, Kinematics, Part, PartType, Solution};

/// A speed that gears do not reach, in rad/s: losses that are extrapolated to a bound beyond it are not worth a warning.
const MAX_SPEED: f64 = 1e4;

/// A gear with losses.
pub struct LossyGearType;

structure! {
    /// The options of a gear with losses.
    pub struct LossyGearStructure {
        useSupport: bool = false, "Whether the housing has a flange; otherwise it is at rest";
        useHeatPort: bool = false, "Adds the heat port";
    }
}

group! {
    /// ```text
    /// phi_a = flange_a.phi - support.phi = ratio (flange_b.phi - support.phi),   w_a = phi_a',   a_a = w_a'
    /// flange_b.tau = -ratio (flange_a.tau - tauLoss),   sigma = sign(w_a),   u = sigma flange_a.tau
    /// sigma tauLoss = max((1 - eta_mf1) u + tau_bf1, (1 - 1/eta_mf2) u + tau_bf2)    flange_a drives, or flange_b
    /// w_a = 0:   tauLoss such that a_a = 0, within these limits
    /// ```
    ///
    /// The efficiencies eta_mf and the friction torques of bearings tau_bf follow from |w_a| by lossTable. Beyond its rows
    /// they are extrapolated, but efficiencies stay from 0 to 1, and torques at least 0. Source:
    /// Modelica.Mechanics.Rotational.Components.LossyGear.
    pub struct LossyGear<T>(use_heat_port: bool) {
        parameter ratio: T = 1.0, ONE, "Transmission ratio flange_a.phi / flange_b.phi";
        group heatPort: HeatPort<T>, "Heat port", when = use_heat_port, connector = Connector::HeatPort_a;
        output phi_a: T, RAD, "Angle between flange_a and the housing";
        output phi_b: T, RAD, "Angle between flange_b and the housing";
        output w_a: T, RAD_PER_S, "Angular velocity of flange_a with respect to the housing";
        output a_a: T, RAD_PER_S2, "Angular acceleration of flange_a with respect to the housing";
        output tauLoss: T, N_M, "Lost torque, at flange_a";
        output lossPower: T, W, "Power turned into heat";
        output mode: i32, "-1 Backward, 0 Stuck, 1 Forward, 2 Free: without losses", min = -1.0, max = 2.0;
        output locked: bool, "Whether the gear is stuck";
        memory breaks: bool, "whether it broke away and does not move yet";
        parameter lossTable: Table<5> = &[[0.0, 1.0, 1.0, 0.0, 0.0]],
            "Angular velocity |w_a|, from 0 on, efficiencies where flange_a and where flange_b drives, friction torques of bearings at flange_a in both cases",
            columns = &[RAD_PER_S, ONE, ONE, N_M, N_M];
    }
}

impl PartType for LossyGearType {
    const NAME: &'static str = "LossyGear";
    const TEXT: &'static str = "A gear without inertia, with efficiency and bearing friction";
    type Structure = LossyGearStructure;
    type In<T: Scalar> = LossyGear<T>;

    fn connectors(structure: &LossyGearStructure) -> Vec<(&'static str, Connector)> {
        let mut connectors = Domain::Rotational.flanges_and_support(structure.useSupport);
        connectors.extend(structure.useHeatPort.then_some(("heatPort", Connector::HeatPort_a)));
        connectors
    }

    fn options(structure: &LossyGearStructure, _: bool) -> bool {
        structure.useHeatPort
    }

    fn own(structure: &LossyGearStructure) -> &'static [Preference] {
        if structure.useSupport { &[] } else { &[Preference::Given] }
    }
}

crate::capabilities!(LossyGear: FrictionElement);

impl<T: Scalar> Part<T> for LossyGear<T> {
    type Structure = LossyGearStructure;

    fn problem(&self) -> Option<String> {
        (self.ratio.value() == 0.0).then(|| RATIO_IS_0.to_owned())
    }

    fn relations(&self, structure: &LossyGearStructure) -> Vec<Relation<T>> {
        vec![gear(self.ratio, structure.useSupport)]
    }

    fn set_outputs(&mut self, _: &LossyGearStructure, motion: &Kinematics<'_, T>, solution: Solution<'_, T>) {
        let is_stuck = self.mode == Mode::Stuck.number();
        let relative = |of: &dyn Fn(usize) -> T| if is_stuck { T::zero() } else { of(0) - of(2) };
        (self.phi_a, self.phi_b) = (motion.x(0) - motion.x(2), motion.x(1) - motion.x(2));
        (self.w_a, self.a_a) = (relative(&|i| motion.v(i)), relative(&|i| motion.a(i)));
        self.tauLoss = solution.friction.map_or(T::zero(), |friction| friction.tau);
        self.lossPower = self.tauLoss * self.w_a;
        self.heatPort.Q_flow = -self.lossPower;
        self.locked = is_stuck;
    }
}

impl<T: Scalar> FrictionElement<T> for LossyGear<T> {
    fn friction_pair(&self, _: &LossyGearStructure) -> Option<FrictionPair<T>> {
        let branch = LawBranch { mode: Mode::from_number(self.mode), breaks: self.breaks };
        let parameters = LawParameters { peak: T::one(), K_locked: T::zero(), w_small: constant(1e10) };
        Some(FrictionPair { is_gear: true, ..FrictionPair::new([2, 0], parameters, T::one(), branch) })
    }

    fn law(&self, source: &Source<'_, LossyGearStructure>) -> Result<ElementLaw, ModelError> {
        if source.is_dependency_analysis() {
            let losses = LossTable::new(&[[0.0, 0.8, 0.7, 0.1, 0.2], [1.0, 0.7, 0.8, 0.3, 0.3]]);
            return Ok(losses.map(ElementLaw::gear).unwrap_or_default());
        }
        let losses = LossTable::new(source.table(self.lossTable)).map_err(|wrong| match wrong {
            LossTableError::Empty => ModelError::invalid("lossTable has no rows; it needs at least one".to_owned()),
            LossTableError::Element { row, column, value, needed } => {
                ModelError::invalid(format!("lossTable[{row},{column}] is {}, but {needed}", Number(value)))
            }
        })?;
        if let Some(speed) = losses.clamped_from().filter(|speed| *speed < MAX_SPEED) {
            source.warn(format!(
                "lossTable, extrapolated, reaches an efficiency of 0 or 1 or a torque of 0 at {} rad/s, where it is held: give rows \
                 up to the highest speed",
                Number(speed)
            ));
        }
        Ok(ElementLaw::gear(losses))
    }

    fn set_branch(&mut self, found: &FrictionEvent<T>) {
        self.mode = found.branch.mode.number();
        self.breaks = found.branch.breaks;
    }
}
