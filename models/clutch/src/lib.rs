//! Clutch: Coulomb friction between two shafts, stick and slip located exactly.

use fmu_runtime::description::DefaultExperiment;
use fmu_runtime::{
    Component, Connector, Context, Equations, Event, Fault, Info, Inputs, Notices, Scalar, Source, Table, model,
    structure,
};
use mechanics::friction::{Coefficient, Element, INDICATORS, Load, Memory};
use nalgebra::convert;
use ports::friction::{FrictionMemory, coefficient, positive, restless};
use ports::{Coupling, FlangeLoad, FlangeMotion, FlangeOptions, HeatPortFlow, HeatPortTemperature};

model! {
    /// Two shafts with friction discs on them that a normal force presses together.
    ///
    /// ```text
    /// phi_rel = flange_b.phi - flange_a.phi,   w_rel = phi_rel',   a_rel = w_rel'
    /// fn = fn_max f_normalized                            normal force                              [N]
    /// tau:                                                friction torque                           [N.m]
    ///    2 Free      tau = 0                              while fn <= 0
    ///    1 Forward   tau = cgeo fn mue(w_rel)
    ///   -1 Backward  tau = -cgeo fn mue(-w_rel)
    ///    0 Stuck     a_rel = -K_locked w_rel, w_rel = 0   while |tau| <= peak cgeo fn mue(0)
    /// torque_in: J_a flange_a.a = flange_a.tau + tau,     J_b flange_b.a = flange_b.tau - tau
    /// motion_in: flange_a.tau = -tau,                     flange_b.tau = tau
    /// both motion_in, Stuck: tau = c_stuck (phi_rel - anchor) + d_stuck w_rel
    /// lossPower = tau w_rel;   both motion_in, Stuck: d_stuck w_rel^2                               [W]
    /// ```
    ///
    /// mue: linear between the rows of mue_pos and beyond them, but not below 0. Inside a step a
    /// given motion is phi + w s + a s^2 / 2.
    /// Source: Modelica.Mechanics.Rotational.Components.Clutch; MapleSim help, Rotational Clutch.
    pub struct Clutch<T>(s: Structure) {
        tunable   peak: T = 1.0, ONE, "Static friction as a multiple of sliding friction at w_rel = 0", min = 1.0;
        tunable   cgeo: T = 1.0, ONE, "Geometry constant N (r_o + r_i) / 2: torque by friction coefficient and normal force", min = 0.0;
        tunable   fn_max: T = 1.0, N, "Normal force at f_normalized = 1", min = 0.0;
        parameter w_small: T = 1.0e10, RAD_PER_S, "Largest overshoot of w_rel through 0 that counts as an arrival at 0 (Model Exchange)", min = 0.0;
        parameter K_locked: T = 0.0, PER_S, "Rate at which a rest of w_rel decays while stuck (Model Exchange)", min = 0.0;
        parameter J_a: T = 1.0, KG_M2, "Inertia at flange_a", min = 0.0, when = s.is_inert(s.flange_a);
        parameter J_b: T = 1.0, KG_M2, "Inertia at flange_b", min = 0.0, when = s.is_inert(s.flange_b);
        parameter phi_a_start: T = 0.0, RAD, "Initial angle of flange_a", when = s.is_inert(s.flange_a);
        parameter w_a_start: T = 0.0, RAD_PER_S, "Initial angular velocity of flange_a", when = s.is_inert(s.flange_a);
        parameter phi_b_start: T = 0.0, RAD, "Initial angle of flange_b", when = s.is_inert(s.flange_b);
        parameter w_b_start: T = 0.0, RAD_PER_S, "Initial angular velocity of flange_b", when = s.is_inert(s.flange_b);
        parameter c_stuck: T = 1.0e5, NM_PER_RAD, "Stiffness while stuck", min = 0.0, when = s.is_elastic();
        parameter d_stuck: T = 10.0, NMS_PER_RAD, "Damping while stuck", min = 0.0, when = s.is_elastic();

        input f_normalized: T = 0.0, ONE, "Normal force by fn_max, from 0 to 1";
        input torque_a: FlangeLoad<T>, "Left flange", name = "flange_a", when = s.is_inert(s.flange_a), connector = Connector::Flange_a;
        input torque_b: FlangeLoad<T>, "Right flange", name = "flange_b", when = s.is_inert(s.flange_b), connector = Connector::Flange_b;
        input motion_a: FlangeMotion<T> = FlangeOptions { rates: true }, "Left flange", name = "flange_a", when = !s.is_inert(s.flange_a);
        input motion_b: FlangeMotion<T> = FlangeOptions { rates: true }, "Right flange", name = "flange_b", when = !s.is_inert(s.flange_b);
        input temperature: HeatPortTemperature<T>, "Heat port", name = "heatPort", when = s.useHeatPort, connector = Connector::HeatPort_a;

        output shaft_a: FlangeMotion<T> = FlangeOptions { rates: s.is_inert(s.flange_a) && s.is_inert(s.flange_b) }, "Left flange",
            name = "flange_a", when = s.is_inert(s.flange_a);
        output shaft_b: FlangeMotion<T>, "Right flange", name = "flange_b", when = s.is_inert(s.flange_b);
        output load_a: FlangeLoad<T>, "Left flange", name = "flange_a", when = !s.is_inert(s.flange_a);
        output load_b: FlangeLoad<T>, "Right flange", name = "flange_b", when = !s.is_inert(s.flange_b);
        output heat: HeatPortFlow<T>, "Heat port", name = "heatPort", when = s.useHeatPort;
        output phi_rel: T, RAD, "Angle of flange_b relative to flange_a", nominal = 1e-4, der = if s.is_elastic() { "" } else { "w_rel" };
        output w_rel: T, RAD_PER_S, "Angular velocity of flange_b relative to flange_a", der = if s.is_elastic() { "" } else { "a_rel" };
        output a_rel: T, RAD_PER_S2, "Angular acceleration of flange_b relative to flange_a";
        output tau: T, N_M, "Friction torque, positive if flange_b is faster";
        output lossPower: T, W, "Power turned into heat";
        output mode: i32, "-1 Backward, 0 Stuck, 1 Forward, 2 Free", min = -1.0, max = 2.0;
        output locked: bool, "Whether the shafts are stuck";

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

    fn prepare(&self, source: &Source<'_, Structure>) -> Result<Coefficient, Fault> {
        let s = source.structure;
        let needed = [
            ("J_a", self.J_a, s.is_inert(s.flange_a)),
            ("J_b", self.J_b, s.is_inert(s.flange_b)),
            ("c_stuck", self.c_stuck, s.is_elastic()),
        ];
        needed.iter().filter(|(.., exists)| *exists).try_for_each(|(name, value, _)| positive(name, *value))?;
        coefficient(source.table(self.mue_pos))
    }

    fn initialise(&mut self, cx: &Context<'_, T, Self>) -> Result<(), Fault> {
        let mut element = self.element(cx, &|x| x);
        element.initialise([[self.phi_a_start, self.w_a_start], [self.phi_b_start, self.w_b_start]]);
        let x = element.x;
        self.keep(&x, &|x| x);
        Ok(())
    }

    fn evaluate(&mut self, cx: &Context<'_, T, Self>) -> Result<(), Fault> {
        let mut element = self.element(cx, &|x| x);
        let computed = element.evaluate();
        let x = element.x;
        (self.phi_rel, self.w_rel, self.a_rel) = (x.phi_rel, x.w_rel, computed.a_rel);
        [self.shaft_a, self.shaft_b] = computed.sides.map(FlangeMotion::from);
        self.tau = computed.tau;
        self.load_a.tau = -computed.tau;
        self.load_b.tau = computed.tau;
        self.lossPower = computed.loss_power;
        self.heat.Q_flow = -computed.loss_power;
        self.locked = self.mode == 0;
        Ok(())
    }

    fn indicators(&self, cx: &Context<'_, T, Self>, indicators: &mut [T]) {
        let mut element = self.element(cx, &T::value);
        let computed = element.evaluate();
        indicators.copy_from_slice(&element.indicators(&computed).map(convert));
    }

    fn event(&mut self, cx: &Context<'_, T, Self>, event: &mut Event) -> Result<(), Fault> {
        let mut element = self.element(cx, &T::value);
        let settled = element.settle();
        let x = element.x;
        self.keep(&x, &convert);
        event.states_changed = settled.states;
        event.again = settled.mode;
        Ok(())
    }

    fn advance(&mut self, cx: &Context<'_, T, Self>, inputs: &Inputs<'_, Self>, h: f64) -> Result<(), Fault> {
        let mut element = self.element(cx, &T::value);
        let load = |power| self.load(&inputs.coefficients(power), cx.structure, &T::value);
        element.advance(inputs.order(), load, h).map_err(|_| restless())?;
        let x = element.x;
        self.keep(&x, &convert);
        Ok(())
    }

    fn completed_step(&mut self, cx: &Context<'_, T, Self>, notices: &mut Notices) {
        self.memory.check(self.f_normalized, self.mode, self.w_rel, cx.data, notices);
    }
}

impl<T: Scalar> Clutch<T> {
    /// The friction element at this point: side 1 is flange_a, side 2 is flange_b.
    fn element<'a, S: Scalar>(&self, cx: &Context<'a, T, Self>, to: &impl Fn(T) -> S) -> Element<'a, S> {
        let s = cx.structure;
        let a_is_given = !s.is_inert(s.flange_a);
        let b_is_given = !s.is_inert(s.flange_b);
        Element {
            coefficient: cx.data,
            peak: to(self.peak),
            K_locked: to(self.K_locked),
            w_small: to(self.w_small),
            c_stuck: to(self.c_stuck),
            d_stuck: to(self.d_stuck),
            inertia: [(!a_is_given).then(|| to(self.J_a)), (!b_is_given).then(|| to(self.J_b))],
            reference: usize::from(b_is_given && !a_is_given),
            given: [[to(self.motion_a.phi), to(self.motion_a.w)], [to(self.motion_b.phi), to(self.motion_b.w)]],
            load: self.load(self, s, to),
            x: self.memory.with(to, self.mode, [self.phi_rel, self.w_rel], [self.shaft_a.phi, self.shaft_a.w]),
        }
    }

    /// What acts with the inputs that `u` has.
    fn load<S: Scalar>(&self, u: &Self, s: &Structure, to: &impl Fn(T) -> S) -> Load<S> {
        let side = |coupling, torque: &FlangeLoad<T>, motion: &FlangeMotion<T>| {
            if s.is_inert(coupling) { to(torque.tau) } else { to(motion.a) }
        };
        Load {
            sides: [side(s.flange_a, &u.torque_a, &u.motion_a), side(s.flange_b, &u.torque_b, &u.motion_b)],
            n: to(self.cgeo * self.fn_max * u.f_normalized),
        }
    }

    fn keep<S: Scalar>(&mut self, x: &Memory<S>, from: &impl Fn(S) -> T) {
        [self.phi_rel, self.w_rel] = [x.phi_rel, x.w_rel].map(from);
        [self.shaft_a.phi, self.shaft_a.w] = [x.phi, x.w].map(from);
        self.mode = x.mode.number();
        self.memory.keep(x, from);
    }
}
