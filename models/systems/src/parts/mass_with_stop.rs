//! A mass on a guide between two stops.

use fmu_runtime::structure::Setting;
use fmu_runtime::{Connector, ModelError, Number, Scalar, Source, Structure, group};
use mechanics::constant;
use mechanics::drivetrain::{Preference, Relation};
use mechanics::friction::{Coefficient, Extrapolation, LawBranch, LawParameters, Mode};
use ports::HeatPort;

use super::domain::Domain;
use super::movement::{Movement, MovementOptions, MovementStructure};
use crate::part::{
    Blocked, ElementLaw, FrictionElement, FrictionEvent, FrictionPair, InitialCondition, Kinematics, Loads, Part,
    PartType, Solution,
};

/// A mass on a guide between two stops.
pub struct MassWithStopAndFrictionType;

/// Static friction as a multiple of sliding friction at v = 0.
const PEAK: f64 = 1.001;

/// The options of a mass between stops.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct StopStructure {
    heat_port: bool,
    movement: MovementStructure,
}

impl Structure for StopStructure {
    fn visit(&mut self, visit: &mut dyn FnMut(&'static str, &'static str, &mut dyn Setting)) {
        visit("useHeatPort", "Adds the heat port", &mut self.heat_port);
        self.movement.visit(visit);
    }
}

/// Options of the rows of a mass between stops.
#[derive(Clone, Copy, Default)]
pub struct StopRows {
    heat_port: bool,
    movement: MovementOptions,
}

group! {
    /// ```text
    /// s = flange_a.s + L/2 = flange_b.s - L/2,   v = s',   a = v',   m a = flange_a.f + flange_b.f - f
    /// v > 0:   f = F_prop v + F_Coulomb + F_Stribeck exp(-fexp v)        v < 0: the same with the opposite sign
    /// v = 0:   |f| <= 1.001 (F_Coulomb + F_Stribeck), without a limit against the motion into a stop
    /// smin + L/2 <= s <= smax - L/2
    /// ```
    ///
    /// At a stop everything that is rigidly connected comes to rest, and f includes the force of the stop. The impacts take
    /// the energy impactLoss in all, which is not heat at the port. Source:
    /// Modelica.Mechanics.Translational.Components.MassWithStopAndFriction.
    pub struct MassWithStopAndFriction<T>(o: StopRows) {
        parameter m: T = 1.0, KG, "Mass", min = 1e-12;
        parameter L: T = 0.0, M, "Length from flange_a to flange_b", min = 0.0;
        parameter smin: T = -25.0, M, "Stop of the left end";
        parameter smax: T = 25.0, M, "Stop of the right end";
        parameter F_prop: T = 1.0, NS_PER_M, "Friction by velocity", min = 0.0;
        parameter F_Coulomb: T = 5.0, N, "Constant friction", min = 0.0;
        parameter F_Stribeck: T = 10.0, N, "Friction that vanishes at higher velocities", min = 0.0;
        parameter fexp: T = 2.0, S_PER_M, "Exponential decay of that friction", min = 0.0;
        group heatPort: HeatPort<T>, "Heat port", when = o.heat_port, connector = Connector::HeatPort_a;
        group movement: Movement<T> = o.movement, "", name = "";
        output f: T, N, "Force of friction and stops, positive against a motion with v > 0";
        output lossPower: T, W, "Power turned into heat";
        output mode: i32, "-1 Backward, 0 Stuck, 1 Forward, 2 Free", min = -1.0, max = 2.0;
        output locked: bool, "Whether friction or a stop holds it";
        output stopped: i32, "-1 at the left stop, 1 at the right stop, otherwise 0", min = -1.0, max = 1.0;
        output impactLoss: T, J, "Energy that impacts have taken so far", discrete = true;
        memory breaks: bool, "whether it broke away and does not move yet";
    }
}

impl PartType for MassWithStopAndFrictionType {
    const NAME: &'static str = "MassWithStopAndFriction";
    const TEXT: &'static str = "A rod with mass and friction between two stops";
    type Structure = StopStructure;
    type In<T: Scalar> = MassWithStopAndFriction<T>;

    fn structure() -> StopStructure {
        StopStructure { movement: MovementStructure::new(Domain::Translational), ..StopStructure::default() }
    }

    fn connectors(structure: &StopStructure) -> Vec<(&'static str, Connector)> {
        let mut connectors = Domain::Translational.flanges();
        connectors.extend(structure.heat_port.then_some(("heatPort", Connector::HeatPort_a)));
        connectors
    }

    fn options(structure: &StopStructure, has_states: bool) -> StopRows {
        StopRows {
            heat_port: structure.heat_port,
            movement: structure.movement.rows(has_states, "Position of the middle"),
        }
    }

    /// The mass, and the guide.
    fn own(_: &StopStructure) -> &'static [Preference] {
        &[Preference::Preferred, Preference::Given]
    }
}

impl<T: Scalar> MassWithStopAndFriction<T> {
    /// Returns the part of the friction that vanishes with the velocity.
    fn smooth_friction(&self, v: T) -> T {
        let decay = (-self.fexp * v.abs()).exp() - T::one();
        self.F_prop * v + if v.value() < 0.0 { -self.F_Stribeck * decay } else { self.F_Stribeck * decay }
    }
}

crate::capabilities!(MassWithStopAndFriction: Loads + FrictionElement);

impl<T: Scalar> Part<T> for MassWithStopAndFriction<T> {
    type Structure = StopStructure;

    fn problem(&self) -> Option<String> {
        let [room, length] = [(self.smax - self.smin).value(), self.L.value()];
        (room <= length).then(|| {
            format!(
                "smax is {} and smin {}, but between them must be more than the length L = {}",
                Number(self.smax.value()),
                Number(self.smin.value()),
                Number(length)
            )
        })
    }

    fn relations(&self, _: &StopStructure) -> Vec<Relation<T>> {
        let at = |flange, distance: f64| Relation {
            constant: constant::<T>(distance) * self.L,
            ..Relation::equal(flange, 2)
        };
        vec![at(0, -0.5), at(1, 0.5)]
    }

    fn inertia(&self) -> T {
        self.m
    }

    fn start(&self, structure: &StopStructure, own: usize) -> [T; 2] {
        self.movement.start(&structure.movement, own)
    }

    fn initial_conditions(&self, structure: &StopStructure, rests: bool) -> Vec<InitialCondition<T>> {
        self.movement.initial_conditions(&structure.movement, 2, rests)
    }

    fn own(&self, own: usize) -> [T; 3] {
        if own == 0 { self.movement.own(own) } else { [T::zero(); 3] }
    }

    fn set_own(&mut self, own: usize, motion: [T; 2]) {
        if own == 0 {
            self.movement.set_own(own, motion);
        }
    }

    fn set_outputs(&mut self, _: &StopStructure, motion: &Kinematics<'_, T>, solution: Solution<'_, T>) {
        self.movement.set_outputs(motion, 2);
        self.locked = self.mode == Mode::Stuck.number();
        let v = if self.locked { T::zero() } else { motion.v(2) };
        self.f = solution.friction.map_or(T::zero(), |friction| friction.tau) + self.smooth_friction(v);
        self.lossPower = self.f * v;
        self.heatPort.Q_flow = -self.lossPower;
    }
}

impl<T: Scalar> Loads<T> for MassWithStopAndFriction<T> {
    fn loads(&self, _: &StopStructure, motion: &Kinematics<'_, T>, add: &mut dyn FnMut(usize, T)) {
        let v = if self.mode == Mode::Stuck.number() { T::zero() } else { motion.v(2) };
        add(2, -self.smooth_friction(v));
    }
}

impl<T: Scalar> FrictionElement<T> for MassWithStopAndFriction<T> {
    fn friction_pair(&self, _: &StopStructure) -> Option<FrictionPair<T>> {
        let half = constant::<T>(0.5) * self.L;
        let parameters = LawParameters { peak: constant(PEAK), K_locked: T::zero(), w_small: constant(1e10) };
        let branch = LawBranch { mode: Mode::from_number(self.mode), breaks: self.breaks };
        let pair = FrictionPair::new([3, 2], parameters, self.F_Coulomb + self.F_Stribeck, branch);
        let blocked = match self.stopped {
            1 => Some(Blocked::Forward),
            -1 => Some(Blocked::Backward),
            _ => None,
        };
        Some(FrictionPair { blocked, stops: Some([self.smin + half, self.smax - half]), ..pair })
    }

    fn law(&self, _: &Source<'_, StopStructure>) -> Result<ElementLaw, ModelError> {
        Ok(ElementLaw::sliding(Coefficient::new(&[[0.0, 1.0]], Extrapolation::Hold).unwrap_or_default()))
    }

    fn set_branch(&mut self, found: &FrictionEvent<T>) {
        self.mode = found.branch.mode.number();
        self.breaks = found.branch.breaks;
        self.stopped = match found.blocked {
            Some(Blocked::Forward) => 1,
            Some(Blocked::Backward) => -1,
            None => 0,
        };
        self.impactLoss += found.impact_loss;
    }
}
