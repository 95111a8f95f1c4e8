//! Brake: Coulomb friction between a shaft and a housing, stick and slip located exactly.

use fmu_runtime::DefaultExperiment;
use fmu_runtime::{
    Component, Connector, Context, Diagnostics, Equations, Event, Info, Inputs, ModelError, Scalar, Source, Table,
    model, structure,
};
use mechanics::friction::{Coefficient, Element, INDICATORS, Load, Memory};
use ports::friction::{self, CoulombFriction, Friction, FrictionHold, FrictionLaw, FrictionMemory, FrictionOptions};
use ports::{Coupling, FlangeLoad, FlangeMotion, FlangeOptions, HeatPortFlow, HeatPortTemperature};

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
    /// and beyond them, but not below 0. Inside a step a given motion is phi + w s + a s^2 / 2.
    /// Source: Modelica.Mechanics.Rotational.Components.Brake; MapleSim help, Rotational Brake.
    pub struct Brake<T>(s: Structure) {
        tunable   law: FrictionLaw<T> = (), "Friction", name = "";
        parameter hold: FrictionHold<T> = s.is_elastic(), "Sticking", name = "";
        parameter J_a: T = 1.0, KG_M2, "Inertia of the shaft", min = 0.0, when = s.has_shaft();
        parameter phi_a_start: T = 0.0, RAD, "Initial angle of the shaft", when = s.has_shaft();
        parameter w_a_start: T = 0.0, RAD_PER_S, "Initial angular velocity of the shaft", when = s.has_shaft();
        parameter J_support: T = 1.0, KG_M2, "Inertia of the housing", min = 0.0, when = s.has_housing();
        parameter phi_support_start: T = 0.0, RAD, "Initial angle of the housing", when = s.has_housing();
        parameter w_support_start: T = 0.0, RAD_PER_S, "Initial angular velocity of the housing", when = s.has_housing();

        input f_normalized: T = 0.0, ONE, "Normal force by fn_max, from 0 to 1";
        input torque_a: FlangeLoad<T>, "Left flange of the shaft", name = "flange_a", when = s.has_shaft(), connector = Connector::Flange_a;
        input motion_a: FlangeMotion<T> = FlangeOptions::rates(true), "Left flange of the shaft", name = "flange_a", when = !s.has_shaft();
        input torque_b: FlangeLoad<T>, "Right flange of the shaft", name = "flange_b", connector = Connector::Flange_b;
        input torque_support: FlangeLoad<T>, "Housing", name = "support", when = s.has_housing(), connector = Connector::Support;
        input motion_support: FlangeMotion<T> = FlangeOptions::rates(true), "Housing", name = "support",
            when = s.useSupport && !s.has_housing();
        input temperature: HeatPortTemperature<T>, "Heat port", name = "heatPort", when = s.useHeatPort, connector = Connector::HeatPort_a;

        output shaft_a: FlangeMotion<T> = FlangeOptions::rates(s.has_shaft() && s.has_housing()), "Left flange of the shaft",
            name = "flange_a", when = s.has_shaft();
        output load_a: FlangeLoad<T>, "Left flange of the shaft", name = "flange_a", when = !s.has_shaft();
        output shaft_b: FlangeMotion<T>, "Right flange of the shaft", name = "flange_b";
        output housing: FlangeMotion<T>, "Housing", name = "support", when = s.has_housing();
        output load_support: FlangeLoad<T>, "Housing", name = "support", when = s.useSupport && !s.has_housing();
        output heat: HeatPortFlow<T>, "Heat port", name = "heatPort", when = s.useHeatPort;
        output friction: Friction<T> = FrictionOptions { elastic: s.is_elastic(), phi_nominal: 1.0 }, "Friction", name = "";

        memory memory: FrictionMemory<T>, "Memory";

        parameter mue_pos: Table<2> = &[[0.0, 0.5]], "Relative velocity in rad/s, from 0 on, and coefficient of sliding friction", min = 0.0;
    }
}

structure! {
    /// The structure options of the brake.
    pub struct Structure {
        flange_a:    Coupling = Coupling::torque_in, "What is given at flange_a";
        useSupport:  bool = false, "Whether the housing is a flange and not the world at rest";
        support:     Coupling = Coupling::torque_in, "What is given at the support, with useSupport";
        useHeatPort: bool = false, "Adds the heat port";
    }
}

/// Sides of the friction element.
const HOUSING: usize = 0;
const SHAFT: usize = 1;

impl Structure {
    /// Whether the shaft's inertia is inside.
    fn has_shaft(&self) -> bool {
        self.flange_a == Coupling::torque_in
    }

    /// Whether the housing's inertia is inside.
    fn has_housing(&self) -> bool {
        self.useSupport && self.support == Coupling::torque_in
    }

    /// Whether both motions are given, so that only a spring can tell the torque while stuck.
    fn is_elastic(&self) -> bool {
        !self.has_shaft() && !self.has_housing()
    }
}

impl Component for Brake<f64> {
    const INFO: Info = Info {
        name: "Brake",
        description: "Coulomb friction between a shaft and a housing, with sticking and sliding located exactly",
        icon: include_str!("../icon.svg"),
        packages: &[(env!("CARGO_PKG_NAME"), env!("CARGO_PKG_VERSION")), mechanics::PACKAGE],
        experiment: DefaultExperiment { start_time: 0.0, stop_time: 1.0, step_size: 1e-2, tolerance: 1e-6 },
    };
    type Structure = Structure;
    type Data = Coefficient;
    type In<T: Scalar> = Brake<T>;
}

impl<T: Scalar> Equations<T> for Brake<T> {
    type Data = Coefficient;
    const HAS_DYNAMICS: bool = true;
    const HAS_MEMORY: bool = true;

    fn indicator_count(_: &Structure) -> usize {
        INDICATORS
    }

    fn prepare(&self, source: &Source<'_, Structure>) -> Result<Coefficient, ModelError> {
        let s = source.structure;
        friction::prepare(
            source,
            self.mue_pos,
            [
                ("J_a", self.J_a, s.has_shaft()),
                ("J_support", self.J_support, s.has_housing()),
                ("c_stuck", self.hold.c_stuck, s.is_elastic()),
            ],
        )
    }

    fn initialise(&mut self, cx: &Context<'_, T, Self>) -> Result<(), ModelError> {
        let mut element = self.element(cx, &|x| x);
        element.initialise([[self.phi_support_start, self.w_support_start], [self.phi_a_start, self.w_a_start]]);
        self.keep(&element.x, &|x| x);
        Ok(())
    }

    fn begin_steps(&mut self, cx: &Context<'_, T, Self>) {
        friction::begin_steps(self, cx);
    }

    // Inlined into the step, where it saves a tenth of the time.
    #[inline(always)]
    fn evaluate(&mut self, cx: &Context<'_, T, Self>) -> Result<(), ModelError> {
        let mut element = self.element(cx, &|x| x);
        let computed = element.evaluate();
        self.friction.put(&element.x, &computed);
        self.shaft_a = computed.sides[SHAFT].into();
        self.shaft_b = computed.sides[SHAFT].into();
        self.housing = computed.sides[HOUSING].into();
        self.load_a.tau = computed.tau - self.torque_b.tau;
        self.load_support.tau = -computed.tau;
        self.heat.Q_flow = -computed.loss_power;
        Ok(())
    }

    fn indicators(&self, cx: &Context<'_, T, Self>, indicators: &mut [T]) {
        friction::indicators(self, cx, indicators);
    }

    fn event(&mut self, cx: &Context<'_, T, Self>, event: &mut Event) -> Result<(), ModelError> {
        friction::event(self, cx, event);
        Ok(())
    }

    fn advance(&mut self, cx: &Context<'_, T, Self>, inputs: &Inputs<'_, Self>, h: f64) -> Result<(), ModelError> {
        friction::advance(self, cx, inputs, h)
    }

    fn completed_step(&mut self, cx: &Context<'_, T, Self>, diagnostics: &mut Diagnostics) {
        if self.memory.breaks {
            friction::give_way(self, cx, diagnostics);
        }
        self.memory.check(self.f_normalized, &self.friction, cx.data, diagnostics);
    }
}

impl<T: Scalar> CoulombFriction<T> for Brake<T> {
    fn element<'a, S: Scalar>(&self, cx: &Context<'a, T, Self>, to: &impl Fn(T) -> S) -> Element<'a, S> {
        let s = cx.structure;
        let mut given = [[S::zero(); 2]; 2];
        given[SHAFT] = [to(self.motion_a.phi), to(self.motion_a.w)];
        if s.useSupport {
            given[HOUSING] = [to(self.motion_support.phi), to(self.motion_support.w)];
        }
        let inertia = [s.has_housing().then(|| to(self.J_support)), s.has_shaft().then(|| to(self.J_a))];
        Element {
            coefficient: cx.data,
            peak: to(self.law.peak),
            K_locked: to(self.hold.K_locked),
            w_small: to(self.hold.w_small),
            c_stuck: to(self.hold.c_stuck),
            d_stuck: to(self.hold.d_stuck),
            inertia,
            reference: if s.has_shaft() && !s.has_housing() { HOUSING } else { SHAFT },
            given,
            time_derivative: to(cx.time_derivative()),
            load: self.load(self, s, to),
            x: self.memory.with(&self.friction, &self.shaft_a, to),
        }
    }

    fn load<S: Scalar>(&self, u: &Self, s: &Structure, to: &impl Fn(T) -> S) -> Load<S> {
        let shaft = if s.has_shaft() { to(u.torque_a.tau + u.torque_b.tau) } else { to(u.motion_a.a) };
        let housing = match (s.useSupport, s.has_housing()) {
            (false, _) => S::zero(),
            (true, true) => to(u.torque_support.tau),
            (true, false) => to(u.motion_support.a),
        };
        Load { sides: [housing, shaft], n: to(self.law.normal(u.f_normalized)) }
    }

    fn keep<S: Scalar>(&mut self, x: &Memory<S>, from: &impl Fn(S) -> T) {
        self.memory.keep(x, &mut self.friction, &mut self.shaft_a, from);
    }
}
