//! Clutch: Coulomb friction between two shafts, stick and slip located exactly.

use fmu_runtime::{
    Connector, Context, DefaultExperiment, Equations, ModelError, Number, Positive, Scalar, Source, model, structure,
};
use mechanics::friction::{Coefficient, Computed};
use ports::friction::{Friction, FrictionComponent, FrictionOptions, FrictionStructure, Inertia, InertiaNames, Side};
use ports::{Coupling, Flange, FlangeOptions, friction_capabilities, inertia};

model! {
    /// Two shafts with friction discs on them that a normal force presses together.
    ///
    /// ```text
    /// phi_rel = flange_b.phi - flange_a.phi,   w_rel = phi_rel',   a_rel = w_rel'
    /// fn = fn_max f_normalized                            normal force                              [N]
    /// tau:                                                friction torque                           [N.m]
    ///    2 Free      tau = 0                              while cgeo fn <= 0
    ///    1 Forward   tau = cgeo fn mue(w_rel)
    ///   -1 Backward  tau = -cgeo fn mue(-w_rel)
    ///    0 Stuck     a_rel = -K_locked w_rel, w_rel = 0   while |tau| <= peak cgeo fn mue(0)
    /// torque_in: J_a flange_a.a = flange_a.tau + tau,     J_b flange_b.a = flange_b.tau - tau
    /// motion_in: flange_a.tau = -tau,                     flange_b.tau = tau
    /// both motion_in, Stuck: tau = c_stuck (phi_rel - anchor) + d_stuck w_rel
    /// lossPower = tau w_rel;   both motion_in: d_stuck w_rel^2 while Stuck, 0 where tau w_rel < 0    [W]
    /// ```
    ///
    /// mue: linear between the rows of mue_pos and beyond them, but not below 0; with extrapolation = hold
    /// constant beyond them. Inside a step a given motion is phi + w s + a s^2 / 2.
    /// Source: Modelica.Mechanics.Rotational.Components.Clutch; MapleSim help, Rotational Clutch.
    pub struct Clutch<T>(s: Structure, data: Coefficient): Events + Indicators + Steps + Memory + Acausal {
        parameter inertia_a: Inertia<T> = INERTIAS[0], "Inertia at flange_a", name = "", when = s.flange_a == Coupling::torque_in;
        parameter inertia_b: Inertia<T> = INERTIAS[1], "Inertia at flange_b", name = "", when = s.flange_b == Coupling::torque_in;
        group flange_a: Flange<T> = FlangeOptions { coupling: s.flange_a, has_states: s.flange_b == Coupling::torque_in },
            "Left flange", connector = Connector::Flange_a;
        group flange_b: Flange<T> = s.flange_b.into(), "Right flange", connector = Connector::Flange_b;
        group friction: Friction<T> = s.friction(), "Friction", name = "";
    }
}

structure! {
    /// The structure options of the clutch.
    pub struct Structure {
        flange_a:    Coupling = Coupling::torque_in, "What is given at flange_a";
        flange_b:    Coupling = Coupling::torque_in, "What is given at flange_b";
        friction: FrictionStructure;
        phi_nominal: Positive = Positive(1e-4), "Nominal value of phi_rel in rad, which solvers use to scale it";
    }
}

impl Structure {
    #[inline]
    fn friction(&self) -> FrictionOptions {
        let elastic = self.flange_a == Coupling::motion_in && self.flange_b == Coupling::motion_in;
        FrictionOptions {
            elastic,
            phi_nominal: self.phi_nominal.0,
            driven: self.flange_a != self.flange_b,
            ..self.friction.options()
        }
    }
}

const INERTIAS: [InertiaNames; 2] =
    [inertia!("a", "at flange_a", "of flange_a"), inertia!("b", "at flange_b", "of flange_b")];

impl<T: Scalar> Equations<T> for Clutch<T> {
    const DESCRIPTION: &'static str = "Coulomb friction between two shafts, with sticking and sliding located exactly";
    const ICON: &'static str = include_str!("../icon.svg");
    const EXPERIMENT: DefaultExperiment = DefaultExperiment::until(1.0, 1e-2);
    const PACKAGES: &'static [(&'static str, &'static str)] = &[mechanics::PACKAGE];

    fn prepare(&self, source: &Source<'_, Structure>) -> Result<Coefficient, ModelError> {
        self.prepare_friction(source)
    }

    fn check_initial_point(&self, cx: &Context<'_, T, Self>) -> Result<(), ModelError> {
        self.friction.check_radii(cx.structure.friction())
    }

    fn initialise(&mut self, cx: &Context<'_, T, Self>) -> Result<(), ModelError> {
        self.initialise_friction(cx);
        Ok(())
    }

    // Inlined into the step, which saves a tenth of its time.
    #[inline(always)]
    fn evaluate(&mut self, cx: &Context<'_, T, Self>) -> Result<(), ModelError> {
        let s = cx.structure;
        let Computed { tau, sides: [a, b], .. } = self.evaluate_friction(cx);
        self.flange_a.set_outputs(s.flange_a, a, -tau);
        self.flange_b.set_outputs(s.flange_b, b, tau);
        Ok(())
    }
}

friction_capabilities!(Clutch);

impl<T: Scalar> FrictionComponent<T> for Clutch<T> {
    const INERTIAS: [InertiaNames; 2] = INERTIAS;
    const FLANGE_A: usize = 0;

    fn flanges(s: &Structure) -> String {
        include_str!("clutch.mo").replace("{phi_nominal}", &Number(s.phi_nominal.0).to_string())
    }

    fn options(s: &Structure) -> FrictionOptions {
        s.friction()
    }

    fn parts(&self) -> (&Friction<T>, &Flange<T>) {
        (&self.friction, &self.flange_a)
    }

    fn parts_mut(&mut self) -> (&mut Friction<T>, &mut Flange<T>) {
        (&mut self.friction, &mut self.flange_a)
    }

    #[inline(always)]
    fn sides(&self, s: &Structure) -> [Side<T>; 2] {
        [Side::new(s.flange_a, &self.inertia_a, &self.flange_a), Side::new(s.flange_b, &self.inertia_b, &self.flange_b)]
    }
}
