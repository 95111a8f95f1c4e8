//! Brake: Coulomb friction between a shaft and a housing, stick and slip located exactly.

use fmu_runtime::{Connector, Context, DefaultExperiment, Equations, ModelError, Scalar, Source, model, structure};
use mechanics::friction::{Coefficient, Computed};
use ports::friction::{Friction, FrictionComponent, FrictionOptions, FrictionStructure, Inertia, InertiaNames, Side};
use ports::{Coupling, Flange, FlangeOptions, friction_capabilities, inertia};

model! {
    /// A shaft that a normal force presses to a housing.
    ///
    /// ```text
    /// phi_rel = flange_a.phi - support.phi,   w_rel = phi_rel',   a_rel = w_rel';   flange_b moves as flange_a
    /// fn = fn_max f_normalized                            normal force                              [N]
    /// tau:                                                friction torque                           [N.m]
    ///    2 Free      tau = 0                              while cgeo fn <= 0
    ///    1 Forward   tau = cgeo fn mue(w_rel)
    ///   -1 Backward  tau = -cgeo fn mue(-w_rel)
    ///    0 Stuck     a_rel = -K_locked w_rel, w_rel = 0   while |tau| <= peak cgeo fn mue(0)
    /// torque_in: J_a flange_a.a = flange_a.tau + flange_b.tau - tau,   J_support support.a = support.tau + tau
    /// motion_in: flange_a.tau = tau - flange_b.tau,                    support.tau = -tau
    /// no side torque_in, Stuck: tau = c_stuck (phi_rel - anchor) + d_stuck w_rel
    /// lossPower = tau w_rel;   no side torque_in: d_stuck w_rel^2 while Stuck, 0 where tau w_rel < 0 [W]
    /// ```
    ///
    /// Without useSupport the support is the world at rest. mue: linear between the rows of mue_pos
    /// and beyond them, but not below 0; with extrapolation = hold constant beyond them. Inside a step a
    /// given motion is phi + w s + a s^2 / 2.
    /// Source: Modelica.Mechanics.Rotational.Components.Brake; MapleSim help, Rotational Brake.
    pub struct Brake<T>(s: Structure, data: Coefficient): Events + Indicators + Steps + Memory + Acausal {
        parameter shaft: Inertia<T> = INERTIAS[SHAFT], "Shaft", name = "", when = s.flange_a == Coupling::torque_in;
        parameter housing: Inertia<T> = INERTIAS[HOUSING], "Housing", name = "", when = s.housing() == Coupling::torque_in;
        group flange_a: Flange<T> = FlangeOptions { coupling: s.flange_a, has_states: s.housing() == Coupling::torque_in },
            "Left flange of the shaft", connector = Connector::Flange_a;
        group flange_b: Flange<T> = Coupling::torque_in.into(), "Right flange of the shaft", connector = Connector::Flange_b;
        group support: Flange<T> = s.housing().into(), "Housing", when = s.useSupport, connector = Connector::Support;
        group friction: Friction<T> = s.friction(), "Friction", name = "";
    }
}

structure! {
    /// The structure options of the brake.
    pub struct Structure {
        flange_a:    Coupling = Coupling::torque_in, "What is given at flange_a";
        useSupport:  bool = false, "Whether the housing is a flange and not the world at rest";
        support:     Coupling = Coupling::torque_in, "What is given at the support, with useSupport";
        friction:    FrictionStructure;
    }
}

impl Structure {
    /// Returns the input at the housing: the motion of the world, if it is not a flange.
    fn housing(&self) -> Coupling {
        if self.useSupport { self.support } else { Coupling::motion_in }
    }

    #[inline]
    fn friction(&self) -> FrictionOptions {
        let elastic = self.flange_a == Coupling::motion_in && self.housing() == Coupling::motion_in;
        FrictionOptions { elastic, driven: self.useSupport && self.flange_a != self.support, ..self.friction.options() }
    }
}

/// Indices of the sides of the friction.
const HOUSING: usize = 0;
const SHAFT: usize = 1;

const INERTIAS: [InertiaNames; 2] =
    [inertia!("support", "of the housing", "of the housing"), inertia!("a", "of the shaft", "of the shaft")];

impl<T: Scalar> Equations<T> for Brake<T> {
    const DESCRIPTION: &'static str =
        "Coulomb friction between a shaft and a housing, with sticking and sliding located exactly";
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
        let Computed { tau, sides: [housing, shaft], .. } = self.evaluate_friction(cx);
        self.flange_a.set_outputs(s.flange_a, shaft, tau - self.flange_b.tau);
        self.flange_b.motion = shaft.into();
        self.support.set_outputs(s.housing(), housing, -tau);
        Ok(())
    }
}

friction_capabilities!(Brake);

impl<T: Scalar> FrictionComponent<T> for Brake<T> {
    const INERTIAS: [InertiaNames; 2] = INERTIAS;
    const FLANGE_A: usize = SHAFT;

    fn flanges(s: &Structure) -> String {
        include_str!("brake.mo").replace("{useSupport}", if s.useSupport { "true" } else { "false" })
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
        let mut shaft = Side::new(s.flange_a, &self.shaft, &self.flange_a);
        if s.flange_a == Coupling::torque_in {
            shaft.load += self.flange_b.tau;
        }
        [Side::new(s.housing(), &self.housing, &self.support), shaft]
    }
}
