//! Springs and dampers between two shafts or two rods.

use std::marker::PhantomData;

use fmu_runtime::unit::{DEG, M, M_PER_S, N, N_M, N_PER_M, NM_PER_RAD, NMS_PER_RAD, NS_PER_M, RAD, RAD_PER_S};
use fmu_runtime::{Connector, Scalar, group, structure};
use ports::HeatPort;

use super::domain::{Domain, InDomain};
use crate::part::{Compliance, Compliant, Kinematics, Loads, Part, PartType, Solution};

/// Adds the load `f`, which moves flange_a forward and flange_b backward.
pub fn between<T: Scalar>(f: T, add: &mut dyn FnMut(usize, T)) {
    add(0, f);
    add(1, -f);
}

group! {
    /// The motion of flange_b with respect to flange_a.
    pub struct Relative<T>(o: Domain) {
        x: T, "Relative angle", name = o.pick("phi_rel", "s_rel"), text = o.pick("Relative angle", "Relative position"),
            unit = o.pick(RAD, M), display = o.pick(DEG, "");
        v: T, "Relative angular velocity", name = o.pick("w_rel", "v_rel"),
            text = o.pick("Relative angular velocity", "Relative velocity"), unit = o.pick(RAD_PER_S, M_PER_S);
        a: T, RAD_PER_S2, "Relative angular acceleration", name = "a_rel", when = o == Domain::Rotational;
    }
}

impl<T: Scalar> Relative<T> {
    /// Returns the relative motion of a part between two flanges.
    pub fn of(motion: &Kinematics<'_, T>) -> Self {
        let [x, v] = relative(motion);
        Self { x, v, a: motion.a(1) - motion.a(0) }
    }
}

/// Returns relative position and velocity of flange_b with respect to flange_a.
pub fn relative<T: Scalar>(motion: &Kinematics<'_, T>) -> [T; 2] {
    [motion.x(1) - motion.x(0), motion.v(1) - motion.v(0)]
}

/// A spring.
pub struct SpringType<D>(PhantomData<D>);

group! {
    /// ```text
    /// phi_rel = flange_b.phi - flange_a.phi
    /// tau = flange_b.tau = -flange_a.tau = c (phi_rel - phi_rel0)
    /// ```
    ///
    /// and the same for rods, with s and f. Source: Spring of Modelica.Mechanics.
    pub struct Spring<T>(o: Domain) {
        parameter c: T = o.pick(1.0e5, 1.0), "Stiffness", unit = o.pick(NM_PER_RAD, N_PER_M), min = 0.0;
        parameter x_rel0: T = 0.0, "Angle at which the spring is relaxed", name = o.pick("phi_rel0", "s_rel0"),
            text = o.pick("Angle at which the spring is relaxed", "Length at which the spring is relaxed"),
            unit = o.pick(RAD, M);
        output x_rel: T, "Relative angle", name = o.pick("phi_rel", "s_rel"),
            text = o.pick("Relative angle", "Relative position"), unit = o.pick(RAD, M), display = o.pick(DEG, "");
        output f: T, "Torque between the flanges", name = o.pick("tau", "f"),
            text = o.pick("Torque between the flanges", "Force between the flanges"), unit = o.pick(N_M, N);
    }
}

impl<D: InDomain> PartType for SpringType<D> {
    const NAME: &'static str = D::DOMAIN.pick("Spring", "Translational.Spring");
    const TEXT: &'static str = D::DOMAIN.pick("A linear spring between two shafts", "A linear spring between two rods");
    const COMPLIANT: Option<Compliant> = Some(Compliant::Spring);
    type Structure = ();
    type In<T: Scalar> = Spring<T>;

    fn connectors(_: &()) -> Vec<(&'static str, Connector)> {
        D::DOMAIN.flanges()
    }

    fn options((): &(), _: bool) -> Domain {
        D::DOMAIN
    }
}

impl<T: Scalar> Spring<T> {
    fn load(&self, x_rel: T) -> T {
        self.c * (x_rel - self.x_rel0)
    }
}

crate::capabilities!(Spring: Loads);

impl<T: Scalar> Part<T> for Spring<T> {
    type Structure = ();

    fn set_outputs(&mut self, (): &(), motion: &Kinematics<'_, T>, _: Solution<'_, T>) {
        [self.x_rel, _] = relative(motion);
        self.f = self.load(self.x_rel);
    }
}

impl<T: Scalar> Loads<T> for Spring<T> {
    fn loads(&self, (): &(), motion: &Kinematics<'_, T>, add: &mut dyn FnMut(usize, T)) {
        let [x_rel, _] = relative(motion);
        between(self.load(x_rel), add);
    }

    fn compliance(&self, (): &(), [x_rel, _]: [T; 2], _: bool) -> Compliance<T> {
        Compliance { load: self.load(x_rel), stiffness: self.c, ..Compliance::none() }
    }
}

structure! {
    /// The options of a part that turns power into heat.
    pub struct HeatPortStructure {
        useHeatPort: bool = false, "Adds the heat port";
    }
}

/// Options of the rows of a damper.
#[derive(Clone, Copy, Debug, Default)]
pub struct DamperRows {
    domain: Domain,
    heat_port: bool,
}

impl DamperRows {
    const fn pick<V: Copy>(self, rotational: V, translational: V) -> V {
        self.domain.pick(rotational, translational)
    }
}

/// The flanges of a damper, and its heat port.
fn damper_connectors(domain: Domain, structure: &HeatPortStructure) -> Vec<(&'static str, Connector)> {
    let mut connectors = domain.flanges();
    connectors.extend(structure.useHeatPort.then_some(("heatPort", Connector::HeatPort_a)));
    connectors
}

/// A damper.
pub struct DamperType<D>(PhantomData<D>);

group! {
    /// ```text
    /// w_rel = flange_b.w - flange_a.w,   tau = flange_b.tau = -flange_a.tau = d w_rel
    /// lossPower = tau w_rel
    /// ```
    ///
    /// and the same for rods, with v and f. Source: Damper of Modelica.Mechanics.
    pub struct Damper<T>(o: DamperRows) {
        parameter d: T = 0.0, "Damping", unit = o.pick(NMS_PER_RAD, NS_PER_M), min = 0.0;
        group heatPort: HeatPort<T>, "Heat port", when = o.heat_port, connector = Connector::HeatPort_a;
        output relative: Relative<T> = o.domain, "Relative motion", name = "";
        output f: T, "Torque between the flanges", name = o.pick("tau", "f"),
            text = o.pick("Torque between the flanges", "Force between the flanges"), unit = o.pick(N_M, N);
        output lossPower: T, W, "Power turned into heat";
    }
}

impl<D: InDomain> PartType for DamperType<D> {
    const NAME: &'static str = D::DOMAIN.pick("Damper", "Translational.Damper");
    const TEXT: &'static str = D::DOMAIN.pick("A linear damper between two shafts", "A linear damper between two rods");
    const COMPLIANT: Option<Compliant> = Some(Compliant::Damper);
    type Structure = HeatPortStructure;
    type In<T: Scalar> = Damper<T>;

    fn connectors(structure: &HeatPortStructure) -> Vec<(&'static str, Connector)> {
        damper_connectors(D::DOMAIN, structure)
    }

    fn options(structure: &HeatPortStructure, _: bool) -> DamperRows {
        DamperRows { domain: D::DOMAIN, heat_port: structure.useHeatPort }
    }
}

crate::capabilities!(Damper: Loads);

impl<T: Scalar> Part<T> for Damper<T> {
    type Structure = HeatPortStructure;

    fn set_outputs(&mut self, _: &HeatPortStructure, motion: &Kinematics<'_, T>, _: Solution<'_, T>) {
        self.relative = Relative::of(motion);
        self.f = self.d * self.relative.v;
        self.lossPower = self.f * self.relative.v;
        self.heatPort.Q_flow = -self.lossPower;
    }
}

impl<T: Scalar> Loads<T> for Damper<T> {
    fn loads(&self, _: &HeatPortStructure, motion: &Kinematics<'_, T>, add: &mut dyn FnMut(usize, T)) {
        let [_, v] = relative(motion);
        between(self.d * v, add);
    }

    fn compliance(&self, _: &HeatPortStructure, [_, v_rel]: [T; 2], _: bool) -> Compliance<T> {
        Compliance { load: self.d * v_rel, damping: self.d, ..Compliance::none() }
    }
}

/// A spring and a damper in parallel.
pub struct SpringDamperType<D>(PhantomData<D>);

group! {
    /// ```text
    /// tau = flange_b.tau = -flange_a.tau = tau_c + tau_d
    /// tau_c = c (phi_rel - phi_rel0),   tau_d = d w_rel
    /// lossPower = tau_d w_rel
    /// ```
    ///
    /// and the same for rods, with s, v and f. Source: SpringDamper of Modelica.Mechanics.
    pub struct SpringDamper<T>(o: DamperRows) {
        parameter c: T = o.pick(1.0e5, 1.0), "Stiffness", unit = o.pick(NM_PER_RAD, N_PER_M), min = 0.0;
        parameter d: T = o.pick(0.0, 1.0), "Damping", unit = o.pick(NMS_PER_RAD, NS_PER_M), min = 0.0;
        parameter x_rel0: T = 0.0, "Angle at which the spring is relaxed", name = o.pick("phi_rel0", "s_rel0"),
            text = o.pick("Angle at which the spring is relaxed", "Length at which the spring is relaxed"),
            unit = o.pick(RAD, M);
        group heatPort: HeatPort<T>, "Heat port", when = o.heat_port, connector = Connector::HeatPort_a;
        output relative: Relative<T> = o.domain, "Relative motion", name = "";
        output f: T, "Torque between the flanges", name = o.pick("tau", "f"),
            text = o.pick("Torque between the flanges", "Force between the flanges"), unit = o.pick(N_M, N);
        output f_c: T, "Torque of the spring", name = o.pick("tau_c", "f_c"),
            text = o.pick("Torque of the spring", "Force of the spring"), unit = o.pick(N_M, N);
        output f_d: T, "Torque of the damper", name = o.pick("tau_d", "f_d"),
            text = o.pick("Torque of the damper", "Force of the damper"), unit = o.pick(N_M, N);
        output lossPower: T, W, "Power turned into heat";
    }
}

impl<D: InDomain> PartType for SpringDamperType<D> {
    const NAME: &'static str = D::DOMAIN.pick("SpringDamper", "Translational.SpringDamper");
    const TEXT: &'static str = D::DOMAIN.pick(
        "A linear spring and a linear damper in parallel between two shafts",
        "A linear spring and a linear damper in parallel between two rods",
    );
    const COMPLIANT: Option<Compliant> = Some(Compliant::Damper);
    type Structure = HeatPortStructure;
    type In<T: Scalar> = SpringDamper<T>;

    fn connectors(structure: &HeatPortStructure) -> Vec<(&'static str, Connector)> {
        damper_connectors(D::DOMAIN, structure)
    }

    fn options(structure: &HeatPortStructure, _: bool) -> DamperRows {
        DamperRows { domain: D::DOMAIN, heat_port: structure.useHeatPort }
    }
}

impl<T: Scalar> SpringDamper<T> {
    fn loads_of(&self, [x, v]: [T; 2]) -> [T; 2] {
        [self.c * (x - self.x_rel0), self.d * v]
    }
}

crate::capabilities!(SpringDamper: Loads);

impl<T: Scalar> Part<T> for SpringDamper<T> {
    type Structure = HeatPortStructure;

    fn set_outputs(&mut self, _: &HeatPortStructure, motion: &Kinematics<'_, T>, _: Solution<'_, T>) {
        self.relative = Relative::of(motion);
        [self.f_c, self.f_d] = self.loads_of(relative(motion));
        self.f = self.f_c + self.f_d;
        self.lossPower = self.f_d * self.relative.v;
        self.heatPort.Q_flow = -self.lossPower;
    }
}

impl<T: Scalar> Loads<T> for SpringDamper<T> {
    fn loads(&self, _: &HeatPortStructure, motion: &Kinematics<'_, T>, add: &mut dyn FnMut(usize, T)) {
        let [spring, damper] = self.loads_of(relative(motion));
        between(spring + damper, add);
    }

    fn compliance(&self, _: &HeatPortStructure, relative: [T; 2], _: bool) -> Compliance<T> {
        let [spring, damper] = self.loads_of(relative);
        Compliance { load: spring + damper, stiffness: self.c, damping: self.d, ..Compliance::none() }
    }
}
