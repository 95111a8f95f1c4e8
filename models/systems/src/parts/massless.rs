//! Flanges without inertia where springs and dampers meet: no type of the configuration, but a part that a system adds for each.

use fmu_runtime::structure::Setting;
use fmu_runtime::unit::{DEG, M, M_PER_S, RAD, RAD_PER_S, RPM};
use fmu_runtime::{Connector, Scalar, Structure, group};
use mechanics::drivetrain::{Preference, Relation};

use super::domain::Domain;
use crate::part::{AnyPart, Kinematics, Part, PartType, Properties, Solution, Typed};

/// How the motion of a flange without inertia follows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Role {
    /// Its springs balance: its position is no state.
    #[default]
    Algebraic,
    /// Dampers connect it to what moves by itself: its position is a state.
    State,
    /// Dampers connect it to a flange of the first kind: its position relative to that is a state.
    RelativeState,
}

/// Domain and role of a flange without inertia.
#[derive(Clone, Copy, Debug, Default)]
pub struct MasslessStructure {
    domain: Domain,
    role: Role,
}

impl Structure for MasslessStructure {
    fn visit(&mut self, _: &mut dyn FnMut(&'static str, &'static str, &mut dyn Setting)) {}
}

impl MasslessStructure {
    const fn pick<V: Copy>(self, rotational: V, translational: V) -> V {
        self.domain.pick(rotational, translational)
    }

    const fn is_relative(self) -> bool {
        matches!(self.role, Role::RelativeState)
    }

    /// Name of the derivative of the state.
    const fn rate(self) -> &'static str {
        match self.role {
            Role::Algebraic => "",
            Role::State => self.pick("w", "v"),
            Role::RelativeState => self.pick("w_rel", "v_rel"),
        }
    }
}

/// Makes the part for a flange.
pub fn massless(domain: Domain, role: Role) -> Box<dyn AnyPart> {
    let properties = Properties { is_massless: true, ..Properties::of::<MasslessType>() };
    Box::new(Typed::<MasslessType>::of_family(MasslessStructure { domain, role }, properties))
}

/// A flange without inertia.
pub struct MasslessType;

group! {
    /// The motion of a flange without inertia, which follows from the springs and dampers there. The state is phi, or
    /// phi_rel relative to another such flange, or there is none.
    pub struct Massless<T>(o: MasslessStructure) {
        output state: T, "Angle of the flange",
            name = if o.is_relative() { o.pick("phi_rel", "s_rel") } else { o.pick("phi", "s") },
            text = if o.is_relative() {
                o.pick("Angle relative to the flange that balances with this one", "Position relative to the flange that balances with this one")
            } else {
                o.pick("Angle of the flange", "Position of the flange")
            },
            unit = o.pick(RAD, M), display = o.pick(DEG, ""), der = o.rate();
        output rate: T, "Angular velocity of the flange",
            name = if o.is_relative() { o.pick("w_rel", "v_rel") } else { o.pick("w", "v") },
            text = if o.is_relative() {
                o.pick("Relative angular velocity", "Relative velocity")
            } else {
                o.pick("Angular velocity of the flange", "Velocity of the flange")
            },
            unit = o.pick(RAD_PER_S, M_PER_S), display = o.pick(RPM, "");
        output x: T, "Angle of the flange", name = o.pick("phi", "s"),
            text = o.pick("Angle of the flange", "Position of the flange"), unit = o.pick(RAD, M), display = o.pick(DEG, ""),
            when = o.is_relative();
        output v: T, "Angular velocity of the flange", name = o.pick("w", "v"),
            text = o.pick("Angular velocity of the flange", "Velocity of the flange"), unit = o.pick(RAD_PER_S, M_PER_S),
            display = o.pick(RPM, ""), when = o.is_relative();
    }
}

impl PartType for MasslessType {
    const NAME: &'static str = "Massless";
    const TEXT: &'static str = "A flange without inertia, where springs and dampers meet";
    type Structure = MasslessStructure;
    type In<T: Scalar> = Massless<T>;

    fn connectors(structure: &MasslessStructure) -> Vec<(&'static str, Connector)> {
        let kind = structure.domain.flange_b();
        let mut connectors = vec![("flange", kind)];
        connectors.extend(structure.is_relative().then_some(("root", kind)));
        connectors
    }

    fn options(structure: &MasslessStructure, _: bool) -> MasslessStructure {
        *structure
    }

    fn own(_: &MasslessStructure) -> &'static [Preference] {
        &[Preference::Given]
    }

    fn is_integrated(structure: &MasslessStructure) -> bool {
        structure.role != Role::Algebraic
    }
}

crate::capabilities!(Massless);

impl<T: Scalar> Part<T> for Massless<T> {
    type Structure = MasslessStructure;

    fn relations(&self, structure: &MasslessStructure) -> Vec<Relation<T>> {
        vec![Relation::equal(0, if structure.is_relative() { 2 } else { 1 })]
    }

    fn own(&self, _: usize) -> [T; 3] {
        [self.state, T::zero(), T::zero()]
    }

    fn set_own(&mut self, _: usize, [state, _]: [T; 2]) {
        self.state = state;
    }

    fn set_outputs(&mut self, structure: &MasslessStructure, motion: &Kinematics<'_, T>, _: Solution<'_, T>) {
        self.rate = motion.v(0);
        match structure.role {
            Role::Algebraic => self.state = motion.x(0),
            Role::State => {}
            Role::RelativeState => {
                self.rate -= motion.v(1);
                [self.x, self.v] = [motion.x(0), motion.v(0)];
            }
        }
    }
}
