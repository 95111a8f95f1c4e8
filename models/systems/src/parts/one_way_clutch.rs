//! A free-wheel with a clutch beside it.

use fmu_runtime::{Connector, ModelError, Scalar, Source, group};
use mechanics::friction::Mode;
use ports::friction::{Friction, FrictionOptions};

use super::domain::Domain;
use super::friction::{ClutchStructure, FrictionPartStructure, law, set_branch};
use crate::part::{
    Blocked, ElementLaw, FrictionElement, FrictionEvent, FrictionPair, FrictionSolution, Kinematics, Part, PartType,
    Solution,
};

/// A free-wheel with a clutch beside it.
pub struct OneWayClutchType;

group! {
    /// ```text
    /// w_rel = flange_b.w - flange_a.w >= 0
    /// w_rel > 0:   tau = cgeo fn mue(w_rel)                       0 where f_normalized <= 0
    /// w_rel = 0:   tau <= peak cgeo fn mue(0)                     without a limit below 0
    /// flange_b.tau = tau = -flange_a.tau
    /// ```
    ///
    /// A given motion that would turn it backward ends in an impact, which takes the energy impactLoss in all. Source:
    /// Modelica.Mechanics.Rotational.Components.OneWayClutch, without its hysteresis of 1e-4 at the limit.
    pub struct OneWayClutch<T>(o: FrictionOptions) {
        group friction: Friction<T> = o, "", name = "";
        output stuck: bool, "Whether both flanges turn as one";
        output impactLoss: T, J, "Energy that impacts have taken so far", discrete = true;
    }
}

impl PartType for OneWayClutchType {
    const NAME: &'static str = "OneWayClutch";
    const TEXT: &'static str = "A free-wheel with a clutch beside it: flange_b is never slower than flange_a";
    type Structure = ClutchStructure;
    type In<T: Scalar> = OneWayClutch<T>;

    fn connectors(structure: &ClutchStructure) -> Vec<(&'static str, Connector)> {
        let mut connectors = Domain::Rotational.flanges();
        connectors.extend(structure.friction().heat_port.then_some(("heatPort", Connector::HeatPort_a)));
        connectors
    }

    fn options(structure: &ClutchStructure, _: bool) -> FrictionOptions {
        structure.friction()
    }

    fn uses_temperature(structure: &ClutchStructure) -> bool {
        structure.friction().by_temperature
    }
}

crate::capabilities!(OneWayClutch: FrictionElement);

impl<T: Scalar> Part<T> for OneWayClutch<T> {
    type Structure = ClutchStructure;

    fn set_outputs(&mut self, structure: &ClutchStructure, motion: &Kinematics<'_, T>, solution: Solution<'_, T>) {
        let Some(FrictionSolution { coefficient, tau, sa, time_derivative }) = solution.friction else { return };
        let branch = self.friction.branch();
        let relative = |of: &dyn Fn(usize) -> T| if branch.mode == Mode::Stuck { T::zero() } else { of(1) - of(0) };
        let motion = [motion.x(1) - motion.x(0), relative(&|i| motion.v(i)), relative(&|i| motion.a(i))];
        let loads = [tau, tau * motion[1], sa];
        self.friction.set_outputs(structure.friction(), motion, loads, branch, coefficient, time_derivative);
        self.stuck = branch.mode == Mode::Stuck;
    }
}

impl<T: Scalar> FrictionElement<T> for OneWayClutch<T> {
    fn friction_pair(&self, structure: &ClutchStructure) -> Option<FrictionPair<T>> {
        let friction = &self.friction;
        let n = friction.cgeo(structure.friction()) * friction.fn_max * friction.f_normalized;
        // Without a normal force it turns as with one, but without friction.
        let mut branch = friction.branch();
        if branch.mode == Mode::Free {
            branch.mode = Mode::Forward;
        }
        let pair = FrictionPair::new([0, 1], friction.parameters(&|x| x), n, branch);
        Some(FrictionPair { blocked: Some(Blocked::Backward), condition: friction.heatPort.T, ..pair })
    }

    fn law(&self, source: &Source<'_, ClutchStructure>) -> Result<ElementLaw, ModelError> {
        law(&self.friction, source.structure.friction(), &source.with(&()))
    }

    fn set_branch(&mut self, found: &FrictionEvent<T>) {
        let mut found = *found;
        if found.branch.mode == Mode::Forward && (self.friction.fn_max * self.friction.f_normalized).value() <= 0.0 {
            found.branch.mode = Mode::Free;
        }
        set_branch(&mut self.friction, &found);
        self.impactLoss += found.impact_loss;
    }
}
