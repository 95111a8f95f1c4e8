//! Flanges of the system: connectors of its FMU.

use std::marker::PhantomData;

use fmu_runtime::unit::{DEG, M, M_PER_S, M_PER_S2, N, N_M, RAD, RAD_PER_S, RAD_PER_S2, RPM};
use fmu_runtime::{Connector, Diagnostics, Scalar, enumeration, group, structure};
use mechanics::drivetrain::{Preference, Relation};

use super::domain::{Domain, InDomain};
use super::input_motion::InputMotion;
use crate::part::{Kinematics, Loads, Memory, Part, PartType, Solution};

enumeration! {
    /// The inputs at a flange of the system.
    pub enum FlangeCoupling {
        torque_in | "force_in" = "the torque or the force; the motion is an output",
        motion_in = "the motion; the torque or the force is an output",
    }
}

structure! {
    /// The options of a flange of the system.
    pub struct FlangeStructure {
        coupling: FlangeCoupling = FlangeCoupling::torque_in, "What is given from outside";
    }
}

/// The side of a flange, which has the icon of Flange_a or Flange_b.
pub trait Side: Send + Sync + 'static {
    /// True for the side of Modelica's Flange_b.
    const IS_B: bool;
}

/// A flange with the icon of Flange_a.
pub struct A;

/// A flange with the icon of Flange_b.
pub struct B;

impl Side for A {
    const IS_B: bool = false;
}

impl Side for B {
    const IS_B: bool = true;
}

/// A flange of the system.
pub struct FlangeType<D, S>(PhantomData<(D, S)>);

/// Options of the rows of a flange.
#[derive(Clone, Copy, Default)]
pub struct FlangeRows {
    domain: Domain,
    coupling: FlangeCoupling,
}

impl FlangeRows {
    fn pick<V: Copy>(self, rotational: V, translational: V) -> V {
        self.domain.pick(rotational, translational)
    }

    fn moves(self) -> bool {
        self.coupling == FlangeCoupling::motion_in
    }

    /// Returns the name of the rate of an input, empty for an output.
    fn rate(self, name: &'static str) -> &'static str {
        if self.moves() { name } else { "" }
    }
}

group! {
    /// ```text
    /// torque_in: tau acts on the system, whose motion there is phi, w, a
    /// motion_in: the system has the motion phi, w = phi', a = w' there, which takes tau
    /// ```
    ///
    /// and the same for rods, with s, v and f. Source: Flange_a and Flange_b of Modelica.Mechanics.
    pub struct Flange<T>(o: FlangeRows) {
        output x: T, "angle", name = o.pick("phi", "s"), text = o.pick("angle", "position of the flange"),
            unit = o.pick(RAD, M), display = o.pick(DEG, ""), input = o.moves(), der = o.rate(o.pick("w", "v"));
        output v: T, "angular velocity, der(phi)", name = o.pick("w", "v"),
            text = o.pick("angular velocity, der(phi)", "velocity, der(s)"), unit = o.pick(RAD_PER_S, M_PER_S),
            display = o.pick(RPM, ""), input = o.moves(), der = o.rate("a");
        output a: T, "angular acceleration, der(w)", text = o.pick("angular acceleration, der(w)", "acceleration, der(v)"),
            unit = o.pick(RAD_PER_S2, M_PER_S2), input = o.moves();
        output f: T, "cut torque acting on the system", name = o.pick("tau", "f"),
            text = o.pick("cut torque acting on the system", "cut force acting on the system"),
            unit = o.pick(N_M, N), input = !o.moves();
        memory seen: InputMotion<T>, "The given motion at the end of the last step";
    }
}

impl<D: InDomain, S: Side> FlangeType<D, S> {
    const SIDE: Connector = if S::IS_B { D::DOMAIN.flange_b() } else { D::DOMAIN.flange_a() };
}

impl<D: InDomain, S: Side> PartType for FlangeType<D, S> {
    const NAME: &'static str = if S::IS_B {
        D::DOMAIN.pick("Flange_b", "Translational.Flange_b")
    } else {
        D::DOMAIN.pick("Flange_a", "Translational.Flange_a")
    };
    const TEXT: &'static str = "A flange of the system, to which other FMUs can be connected";
    const CONNECTOR: Option<Connector> = Some(Self::SIDE);
    type Structure = FlangeStructure;
    type In<T: Scalar> = Flange<T>;

    fn connectors(_: &FlangeStructure) -> Vec<(&'static str, Connector)> {
        vec![("flange", Self::SIDE)]
    }

    fn options(structure: &FlangeStructure, _: bool) -> FlangeRows {
        FlangeRows { domain: D::DOMAIN, coupling: structure.coupling }
    }

    fn own(structure: &FlangeStructure) -> &'static [Preference] {
        match structure.coupling {
            FlangeCoupling::torque_in => &[],
            FlangeCoupling::motion_in => &[Preference::Given],
        }
    }
}

crate::capabilities!(Flange: Loads + Memory);

impl<T: Scalar> Memory<T> for Flange<T> {
    fn completed_step(&mut self, diagnostics: &mut Diagnostics) {
        self.seen.follow(Some(self.x), [self.v, self.a], diagnostics);
    }
}

impl<T: Scalar> Part<T> for Flange<T> {
    type Structure = FlangeStructure;

    fn relations(&self, structure: &FlangeStructure) -> Vec<Relation<T>> {
        match structure.coupling {
            FlangeCoupling::torque_in => Vec::new(),
            FlangeCoupling::motion_in => vec![Relation::equal(0, 1)],
        }
    }

    fn own(&self, _: usize) -> [T; 3] {
        [self.x, self.v, self.a]
    }

    fn set_outputs(&mut self, structure: &FlangeStructure, motion: &Kinematics<'_, T>, solution: Solution<'_, T>) {
        match structure.coupling {
            FlangeCoupling::torque_in => [self.x, self.v, self.a] = [motion.x(0), motion.v(0), motion.a(0)],
            FlangeCoupling::motion_in => self.f = solution.reaction,
        }
    }
}

impl<T: Scalar> Loads<T> for Flange<T> {
    fn loads(&self, structure: &FlangeStructure, _: &Kinematics<'_, T>, add: &mut dyn FnMut(usize, T)) {
        if structure.coupling == FlangeCoupling::torque_in {
            add(0, self.f);
        }
    }
}
