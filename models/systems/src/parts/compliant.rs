//! Springs and dampers between two shafts.

use fmu_runtime::unit::DEG;
use fmu_runtime::{Connector, Scalar, group};

use crate::part::{Found, Motion, Part, PartType};

fn flanges() -> Vec<(&'static str, Connector)> {
    vec![("flange_a", Connector::Flange_a), ("flange_b", Connector::Flange_b)]
}

/// The torque `tau` turns flange_a forward and flange_b backward.
fn between<T: Scalar>(tau: T, add: &mut dyn FnMut(usize, T)) {
    add(0, tau);
    add(1, -tau);
}

/// A spring.
pub struct SpringType;

group! {
    /// ```text
    /// phi_rel = flange_b.phi - flange_a.phi
    /// tau = flange_b.tau = -flange_a.tau = c (phi_rel - phi_rel0)
    /// ```
    ///
    /// Source: Modelica.Mechanics.Rotational.Components.Spring.
    pub struct Spring<T>(_o: ()) {
        parameter c: T = 1.0e5, NM_PER_RAD, "Stiffness", min = 0.0;
        parameter phi_rel0: T = 0.0, RAD, "Angle at which the spring is relaxed";
        output phi_rel: T, RAD, "Relative angle", display = DEG;
        output tau: T, N_M, "Torque between the flanges";
    }
}

impl PartType for SpringType {
    const NAME: &'static str = "Spring";
    const TEXT: &'static str = "A linear spring between two shafts";
    type Structure = ();
    type In<T: Scalar> = Spring<T>;

    fn connectors(_: &()) -> Vec<(&'static str, Connector)> {
        flanges()
    }
}

impl<T: Scalar> Spring<T> {
    fn torque(&self, motion: &Motion<'_, T>) -> T {
        self.c * (motion.x(1) - motion.x(0) - self.phi_rel0)
    }
}

impl<T: Scalar> Part<T> for Spring<T> {
    type Structure = ();

    fn options((): &(), _: bool) {}

    fn loads(&self, (): &(), motion: &Motion<'_, T>, add: &mut dyn FnMut(usize, T)) {
        between(self.torque(motion), add);
    }

    fn put(&mut self, (): &(), motion: &Motion<'_, T>, _: Found<'_, T>) {
        (self.phi_rel, self.tau) = (motion.x(1) - motion.x(0), self.torque(motion));
    }
}

/// A damper.
pub struct DamperType;

group! {
    /// ```text
    /// w_rel = flange_b.w - flange_a.w,   tau = flange_b.tau = -flange_a.tau = d w_rel
    /// lossPower = tau w_rel
    /// ```
    ///
    /// Source: Modelica.Mechanics.Rotational.Components.Damper.
    pub struct Damper<T>(_o: ()) {
        parameter d: T = 0.0, NMS_PER_RAD, "Damping", min = 0.0;
        output phi_rel: T, RAD, "Relative angle", display = DEG;
        output w_rel: T, RAD_PER_S, "Relative angular velocity";
        output a_rel: T, RAD_PER_S2, "Relative angular acceleration";
        output tau: T, N_M, "Torque between the flanges";
        output lossPower: T, W, "Power turned into heat";
    }
}

impl PartType for DamperType {
    const NAME: &'static str = "Damper";
    const TEXT: &'static str = "A linear damper between two shafts";
    type Structure = ();
    type In<T: Scalar> = Damper<T>;

    fn connectors(_: &()) -> Vec<(&'static str, Connector)> {
        flanges()
    }
}

impl<T: Scalar> Part<T> for Damper<T> {
    type Structure = ();

    fn options((): &(), _: bool) {}

    fn loads(&self, (): &(), motion: &Motion<'_, T>, add: &mut dyn FnMut(usize, T)) {
        between(self.d * (motion.v(1) - motion.v(0)), add);
    }

    fn put(&mut self, (): &(), motion: &Motion<'_, T>, _: Found<'_, T>) {
        self.phi_rel = motion.x(1) - motion.x(0);
        self.w_rel = motion.v(1) - motion.v(0);
        self.a_rel = motion.a(1) - motion.a(0);
        self.tau = self.d * self.w_rel;
        self.lossPower = self.tau * self.w_rel;
    }
}

/// A spring and a damper in parallel.
pub struct SpringDamperType;

group! {
    /// ```text
    /// tau = flange_b.tau = -flange_a.tau = tau_c + tau_d
    /// tau_c = c (phi_rel - phi_rel0),   tau_d = d w_rel
    /// lossPower = tau_d w_rel
    /// ```
    ///
    /// Source: Modelica.Mechanics.Rotational.Components.SpringDamper.
    pub struct SpringDamper<T>(_o: ()) {
        parameter c: T = 1.0e5, NM_PER_RAD, "Stiffness", min = 0.0;
        parameter d: T = 0.0, NMS_PER_RAD, "Damping", min = 0.0;
        parameter phi_rel0: T = 0.0, RAD, "Angle at which the spring is relaxed";
        output phi_rel: T, RAD, "Relative angle", display = DEG;
        output w_rel: T, RAD_PER_S, "Relative angular velocity";
        output a_rel: T, RAD_PER_S2, "Relative angular acceleration";
        output tau: T, N_M, "Torque between the flanges";
        output tau_c: T, N_M, "Torque of the spring";
        output tau_d: T, N_M, "Torque of the damper";
        output lossPower: T, W, "Power turned into heat";
    }
}

impl PartType for SpringDamperType {
    const NAME: &'static str = "SpringDamper";
    const TEXT: &'static str = "A linear spring and a linear damper in parallel between two shafts";
    type Structure = ();
    type In<T: Scalar> = SpringDamper<T>;

    fn connectors(_: &()) -> Vec<(&'static str, Connector)> {
        flanges()
    }
}

impl<T: Scalar> SpringDamper<T> {
    fn torques(&self, motion: &Motion<'_, T>) -> [T; 2] {
        let spring = self.c * (motion.x(1) - motion.x(0) - self.phi_rel0);
        [spring, self.d * (motion.v(1) - motion.v(0))]
    }
}

impl<T: Scalar> Part<T> for SpringDamper<T> {
    type Structure = ();

    fn options((): &(), _: bool) {}

    fn loads(&self, (): &(), motion: &Motion<'_, T>, add: &mut dyn FnMut(usize, T)) {
        let [spring, damper] = self.torques(motion);
        between(spring + damper, add);
    }

    fn put(&mut self, (): &(), motion: &Motion<'_, T>, _: Found<'_, T>) {
        self.phi_rel = motion.x(1) - motion.x(0);
        self.w_rel = motion.v(1) - motion.v(0);
        self.a_rel = motion.a(1) - motion.a(0);
        [self.tau_c, self.tau_d] = self.torques(motion);
        self.tau = self.tau_c + self.tau_d;
        self.lossPower = self.tau_d * self.w_rel;
    }
}
