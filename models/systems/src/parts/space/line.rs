//! Springs and dampers between two frames, whose force is along the line between these.

use fmu_runtime::structure::Setting;
use fmu_runtime::{Connector, Scalar, Shape, Structure, group};
use mechanics::frame::{Load, Relative};
use mechanics::tree::Element;
use nalgebra::Vector3;
use ports::HeatPort;

use super::frame::{frames, loaded};
use crate::part::{ActsOnFrames, Compliant, Kinematics, Multibody, Part, PartType, Solution, Space};

/// Distance in m below which frames count as being at the same place.
const SAME_PLACE: f64 = 1e-10;

/// Options of an element along a line: spring, damper or both.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[allow(non_snake_case, reason = "Modelica's names")]
pub struct LineStructure {
    spring: bool,
    damper: bool,
    useHeatPort: bool,
    /// True if the length is a state.
    is_state: bool,
}

impl Structure for LineStructure {
    fn visit(&mut self, visit: &mut dyn FnMut(&'static str, &'static str, &mut dyn Setting)) {
        if self.damper {
            visit("useHeatPort", "Adds the heat port", &mut self.useHeatPort);
        }
    }
}

/// A spring, a damper, or both in parallel.
pub struct LineType<const SPRING: bool, const DAMPER: bool>;

group! {
    /// ```text
    /// r = T_a (r_b - r_a),   s = |r|,   v = s',   e_a = r / s
    /// f = c (s - s_unstretched) + d v
    /// frame_a.f = -e_a f,   frame_b.f = T e_a f,   no torques        cut loads, acting on the part
    /// lossPower = d v^2
    /// ```
    ///
    /// with T the rotation matrix from frame_a to frame_b. There is no force where s = 0.
    ///
    /// Source: Spring, Damper and SpringDamperParallel of Modelica.Mechanics.MultiBody.Forces, without mass.
    pub struct Line<T>(o: LineStructure) {
        parameter c: T = if o.spring { 1.0 } else { 0.0 }, N_PER_M, "Stiffness", min = 0.0, when = o.spring;
        parameter s_unstretched: T = 0.0, M, "Length of the relaxed spring", when = o.spring;
        parameter d: T = 0.0, NS_PER_M, "Damping", min = 0.0, when = o.damper;
        group heatPort: HeatPort<T>, "Heat port", when = o.useHeatPort, connector = Connector::HeatPort_a;
        output s: T, M, "Distance from frame_a to frame_b", der = if o.is_state { "v" } else { "" };
        output v: T, M_PER_S, "Rate of s";
        output e_a: Vector3<T>, ONE, "Direction from frame_a to frame_b, of length 1 and resolved in frame_a";
        output f: T, N, "Force, positive if it pulls the frames together";
        output f_d: T, N, "Force of the damper", when = o.spring && o.damper;
        output lossPower: T, W, "Power turned into heat", when = o.damper;
    }
}

impl<const SPRING: bool, const DAMPER: bool> PartType for LineType<SPRING, DAMPER> {
    const NAME: &'static str = match (SPRING, DAMPER) {
        (true, true) => "SpringDamperParallel",
        (true, false) => "MultiBody.Spring",
        _ => "MultiBody.Damper",
    };
    const TEXT: &'static str = match (SPRING, DAMPER) {
        (true, true) => "A linear spring and a linear damper in parallel along the line between two frames",
        (true, false) => "A linear spring along the line between two frames",
        _ => "A linear damper along the line between two frames",
    };
    const COMPLIANT: Option<Compliant> = Some(if DAMPER { Compliant::Damper } else { Compliant::Spring });
    type Structure = LineStructure;
    type In<T: Scalar> = Line<T>;

    fn structure() -> LineStructure {
        LineStructure { spring: SPRING, damper: DAMPER, ..LineStructure::default() }
    }

    fn shapes() -> Vec<Shape<'static>> {
        vec![Shape::rod("line", ["frame_a", "frame_b"], ["0.035", "[0, 150, 60]"])]
    }

    fn connectors(structure: &LineStructure) -> Vec<(&'static str, Connector)> {
        let mut connectors = frames();
        connectors.extend(structure.useHeatPort.then_some(("heatPort", Connector::HeatPort_a)));
        connectors
    }

    fn options(structure: &LineStructure, has_states: bool) -> LineStructure {
        LineStructure { is_state: has_states, ..*structure }
    }
}

impl<T: Scalar> Line<T> {
    /// Computes the outputs; returns the loads at both frames.
    fn pull(&mut self, relative: &Relative<T>) -> [Load<T>; 2] {
        self.s = relative.r.norm();
        self.e_a = relative.r / self.s;
        self.v = self.e_a.dot(&relative.v);
        self.f_d = self.d * self.v;
        self.f = self.c * (self.s - self.s_unstretched) + self.f_d;
        self.lossPower = self.f_d * self.v;
        self.heatPort.Q_flow = -self.lossPower;
        relative.cut_loads(&(self.e_a * -self.f), &Vector3::zeros()).into()
    }
}

crate::capabilities!(Line: Multibody + ActsOnFrames);

impl<T: Scalar> Part<T> for Line<T> {
    type Structure = LineStructure;

    fn set_outputs(&mut self, _: &LineStructure, _: &Kinematics<'_, T>, solution: Solution<'_, T>) {
        if let Some(space) = solution.space {
            self.pull(&space.relative());
        }
    }
}

impl<T: Scalar> Multibody<T> for Line<T> {
    fn elements(&self, _: &LineStructure) -> Vec<Element<T>> {
        loaded(2)
    }
}

impl<T: Scalar> ActsOnFrames<T> for Line<T> {
    fn cut_loads(&self, _: &LineStructure, space: &Space<'_, T>) -> Result<[Load<T>; 2], String> {
        let relative = space.relative();
        if relative.r.norm().value() <= SAME_PLACE {
            return Err(
                "frame_a and frame_b are at the same place, where its force has no direction; start values or the \
                        mechanism must keep them apart"
                    .to_owned(),
            );
        }
        Ok(self.clone().pull(&relative))
    }
}
