//! Clutch: Coulomb friction between two shafts, stick and slip located exactly.

use fmu_runtime::DefaultExperiment;
use fmu_runtime::{
    Component, Connector, Context, Diagnostics, Equations, Event, Info, Inputs, ModelError, Positive, Scalar, Source,
    Table, model, structure,
};
use mechanics::friction::{Coefficient, Element, INDICATORS, Load, Memory};
use ports::friction::{self, CoulombFriction, Friction, FrictionHold, FrictionLaw, FrictionMemory, FrictionOptions};
use ports::{Coupling, FlangeLoad, FlangeMotion, FlangeOptions, HeatPortFlow, HeatPortTemperature};

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
    /// mue: linear between the rows of mue_pos and beyond them, but not below 0. Inside a step a
    /// given motion is phi + w s + a s^2 / 2.
    /// Source: Modelica.Mechanics.Rotational.Components.Clutch; MapleSim help, Rotational Clutch.
    pub struct Clutch<T>(s: Structure) {
        tunable   law: FrictionLaw<T> = (), "Friction", name = "";
        parameter hold: FrictionHold<T> = s.is_elastic(), "Sticking", name = "";
        parameter J_a: T = 1.0, KG_M2, "Inertia at flange_a", min = 0.0, when = s.is_inert(s.flange_a);
        parameter J_b: T = 1.0, KG_M2, "Inertia at flange_b", min = 0.0, when = s.is_inert(s.flange_b);
        parameter phi_a_start: T = 0.0, RAD, "Initial angle of flange_a", when = s.is_inert(s.flange_a);
        parameter w_a_start: T = 0.0, RAD_PER_S, "Initial angular velocity of flange_a", when = s.is_inert(s.flange_a);
        parameter phi_b_start: T = 0.0, RAD, "Initial angle of flange_b", when = s.is_inert(s.flange_b);
        parameter w_b_start: T = 0.0, RAD_PER_S, "Initial angular velocity of flange_b", when = s.is_inert(s.flange_b);

        input f_normalized: T = 0.0, ONE, "Normal force by fn_max, from 0 to 1";
        input torque_a: FlangeLoad<T>, "Left flange", name = "flange_a", when = s.is_inert(s.flange_a), connector = Connector::Flange_a;
        input torque_b: FlangeLoad<T>, "Right flange", name = "flange_b", when = s.is_inert(s.flange_b), connector = Connector::Flange_b;
        input motion_a: FlangeMotion<T> = FlangeOptions::rates(true), "Left flange", name = "flange_a", when = !s.is_inert(s.flange_a);
        input motion_b: FlangeMotion<T> = FlangeOptions::rates(true), "Right flange", name = "flange_b", when = !s.is_inert(s.flange_b);
        input temperature: HeatPortTemperature<T>, "Heat port", name = "heatPort", when = s.useHeatPort, connector = Connector::HeatPort_a;

        output shaft_a: FlangeMotion<T> = FlangeOptions::rates(s.is_inert(s.flange_a) && s.is_inert(s.flange_b)), "Left flange",
            name = "flange_a", when = s.is_inert(s.flange_a);
        output shaft_b: FlangeMotion<T>, "Right flange", name = "flange_b", when = s.is_inert(s.flange_b);
        output load_a: FlangeLoad<T>, "Left flange", name = "flange_a", when = !s.is_inert(s.flange_a);
        output load_b: FlangeLoad<T>, "Right flange", name = "flange_b", when = !s.is_inert(s.flange_b);
        output heat: HeatPortFlow<T>, "Heat port", name = "heatPort", when = s.useHeatPort;
        output friction: Friction<T> = FrictionOptions { elastic: s.is_elastic(), phi_nominal: s.phi_nominal.0 }, "Friction", name = "";

        memory memory: FrictionMemory<T>, "Memory";

        parameter mue_pos: Table<2> = &[[0.0, 0.5]], "Relative velocity in rad/s, from 0 on, and coefficient of sliding friction", min = 0.0;
    }
}

structure! {
    /// The structure options of the clutch.
    pub struct Structure {
        flange_a:    Coupling = Coupling::torque_in, "What is given at flange_a";
        flange_b:    Coupling = Coupling::torque_in, "What is given at flange_b";
        useHeatPort: bool = false, "Adds the heat port";
        phi_nominal: Positive = Positive(1e-4), "Nominal value of phi_rel in rad, which solvers use to scale it";
    }
}

impl Structure {
    fn is_inert(&self, flange: Coupling) -> bool {
        flange == Coupling::torque_in
    }

    /// Whether both motions are given, so that only a spring can tell the torque while stuck.
    fn is_elastic(&self) -> bool {
        !self.is_inert(self.flange_a) && !self.is_inert(self.flange_b)
    }
}

impl Component for Clutch<f64> {
    const INFO: Info = Info {
        name: "Clutch",
        description: "Coulomb friction between two shafts, with sticking and sliding located exactly",
        icon: include_str!("../icon.svg"),
        packages: &[(env!("CARGO_PKG_NAME"), env!("CARGO_PKG_VERSION")), mechanics::PACKAGE],
        experiment: DefaultExperiment { start_time: 0.0, stop_time: 1.0, step_size: 1e-2, tolerance: 1e-6 },
    };
    type Structure = Structure;
    type Data = Coefficient;
    type In<T: Scalar> = Clutch<T>;
}

impl<T: Scalar> Equations<T> for Clutch<T> {
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
                ("J_a", self.J_a, s.is_inert(s.flange_a)),
                ("J_b", self.J_b, s.is_inert(s.flange_b)),
                ("c_stuck", self.hold.c_stuck, s.is_elastic()),
            ],
        )
    }

    fn initialise(&mut self, cx: &Context<'_, T, Self>) -> Result<(), ModelError> {
        let mut element = self.element(cx, &|x| x);
        element.initialise([[self.phi_a_start, self.w_a_start], [self.phi_b_start, self.w_b_start]]);
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
        [self.shaft_a, self.shaft_b] = computed.sides.map(FlangeMotion::from);
        self.load_a.tau = -computed.tau;
        self.load_b.tau = computed.tau;
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

impl<T: Scalar> CoulombFriction<T> for Clutch<T> {
    /// Side 1 is flange_a, side 2 is flange_b.
    fn element<'a, S: Scalar>(&self, cx: &Context<'a, T, Self>, to: &impl Fn(T) -> S) -> Element<'a, S> {
        let s = cx.structure;
        let a_is_given = !s.is_inert(s.flange_a);
        let b_is_given = !s.is_inert(s.flange_b);
        Element {
            coefficient: cx.data,
            peak: to(self.law.peak),
            K_locked: to(self.hold.K_locked),
            w_small: to(self.hold.w_small),
            c_stuck: to(self.hold.c_stuck),
            d_stuck: to(self.hold.d_stuck),
            inertia: [(!a_is_given).then(|| to(self.J_a)), (!b_is_given).then(|| to(self.J_b))],
            reference: usize::from(b_is_given && !a_is_given),
            given: [[to(self.motion_a.phi), to(self.motion_a.w)], [to(self.motion_b.phi), to(self.motion_b.w)]],
            time_derivative: to(cx.time_derivative()),
            load: self.load(self, s, to),
            x: self.memory.with(&self.friction, &self.shaft_a, to),
        }
    }

    fn load<S: Scalar>(&self, u: &Self, s: &Structure, to: &impl Fn(T) -> S) -> Load<S> {
        let side = |coupling, torque: &FlangeLoad<T>, motion: &FlangeMotion<T>| {
            if s.is_inert(coupling) { to(torque.tau) } else { to(motion.a) }
        };
        Load {
            sides: [side(s.flange_a, &u.torque_a, &u.motion_a), side(s.flange_b, &u.torque_b, &u.motion_b)],
            n: to(self.law.normal(u.f_normalized)),
        }
    }

    fn keep<S: Scalar>(&mut self, x: &Memory<S>, from: &impl Fn(S) -> T) {
        self.memory.keep(x, &mut self.friction, &mut self.shaft_a, from);
    }
}
