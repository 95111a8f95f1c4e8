//! Brake: Coulomb friction between a shaft and a housing, stick and slip located exactly.

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
    /// A shaft that a normal force presses to a housing.
    ///
    /// ```text
    /// phi_rel = flange_a.phi - support.phi,   w_rel = phi_rel',   a_rel = w_rel';   flange_b moves as flange_a
    /// fn = fn_max f_normalized                            normal force                              [N]
    /// tau:                                                friction torque                           [N.m]
    ///    2 Free      tau = 0                              while fn <= 0
    ///    1 Forward   tau = cgeo fn mue(w_rel)
    ///   -1 Backward  tau = -cgeo fn mue(-w_rel)
    ///    0 Stuck     a_rel = -K_locked w_rel, w_rel = 0   while |tau| <= peak cgeo fn mue(0)
    /// torque_in: J_a flange_a.a = flange_a.tau + flange_b.tau - tau,   J_support support.a = support.tau + tau
    /// motion_in: flange_a.tau = tau - flange_b.tau,                    support.tau = -tau
    /// no side torque_in, Stuck: tau = c_stuck (phi_rel - anchor) + d_stuck w_rel
    /// lossPower = tau w_rel;   no side torque_in, Stuck: d_stuck w_rel^2                            [W]
    /// ```
    ///
    /// Without useSupport the support is the world at rest. mue: linear between the rows of mue_pos
    /// and beyond them, but not below 0. Inside a step a given motion is phi + w s + a s^2 / 2.
    /// Source: Modelica.Mechanics.Rotational.Components.Brake; MapleSim help, Rotational Brake.
    pub struct Brake<T>(s: Structure) {
        tunable   peak: T = 1.0, ONE, "Static friction as a multiple of sliding friction at w_rel = 0", min = 1.0;
        tunable   cgeo: T = 1.0, ONE, "Geometry constant N (r_o + r_i) / 2: torque by friction coefficient and normal force", min = 0.0;
        tunable   fn_max: T = 1.0, N, "Normal force at f_normalized = 1", min = 0.0;
        parameter w_small: T = 1.0e10, RAD_PER_S, "Largest overshoot of w_rel through 0 that counts as an arrival at 0 (Model Exchange)", min = 0.0;
        parameter K_locked: T = 0.0, PER_S, "Rate at which a rest of w_rel decays while stuck (Model Exchange)", min = 0.0;
        parameter J_a: T = 1.0, KG_M2, "Inertia of the shaft", min = 0.0, when = s.has_shaft();
        parameter phi_a_start: T = 0.0, RAD, "Initial angle of the shaft", when = s.has_shaft();
        parameter w_a_start: T = 0.0, RAD_PER_S, "Initial angular velocity of the shaft", when = s.has_shaft();
        parameter J_support: T = 1.0, KG_M2, "Inertia of the housing", min = 0.0, when = s.has_housing();
        parameter phi_support_start: T = 0.0, RAD, "Initial angle of the housing", when = s.has_housing();
        parameter w_support_start: T = 0.0, RAD_PER_S, "Initial angular velocity of the housing", when = s.has_housing();
        parameter c_stuck: T = 1.0e5, NM_PER_RAD, "Stiffness while stuck", min = 0.0, when = s.is_elastic();
        parameter d_stuck: T = 10.0, NMS_PER_RAD, "Damping while stuck", min = 0.0, when = s.is_elastic();

        input f_normalized: T = 0.0, ONE, "Normal force by fn_max, from 0 to 1";
        input torque_a: FlangeLoad<T>, "Left flange of the shaft", name = "flange_a", when = s.has_shaft(), connector = Connector::Flange_a;
        input motion_a: FlangeMotion<T> = FlangeOptions { rates: true }, "Left flange of the shaft", name = "flange_a", when = !s.has_shaft();
        input torque_b: FlangeLoad<T>, "Right flange of the shaft", name = "flange_b", connector = Connector::Flange_b;
        input torque_support: FlangeLoad<T>, "Housing", name = "support", when = s.has_housing(), connector = Connector::Support;
        input motion_support: FlangeMotion<T> = FlangeOptions { rates: true }, "Housing", name = "support",
            when = s.useSupport && !s.has_housing();
        input temperature: HeatPortTemperature<T>, "Heat port", name = "heatPort", when = s.useHeatPort, connector = Connector::HeatPort_a;

        output shaft_a: FlangeMotion<T> = FlangeOptions { rates: s.has_shaft() && s.has_housing() }, "Left flange of the shaft",
            name = "flange_a", when = s.has_shaft();
        output load_a: FlangeLoad<T>, "Left flange of the shaft", name = "flange_a", when = !s.has_shaft();
        output shaft_b: FlangeMotion<T>, "Right flange of the shaft", name = "flange_b";
        output housing: FlangeMotion<T>, "Housing", name = "support", when = s.has_housing();
        output load_support: FlangeLoad<T>, "Housing", name = "support", when = s.useSupport && !s.has_housing();
        output heat: HeatPortFlow<T>, "Heat port", name = "heatPort", when = s.useHeatPort;
        output phi_rel: T, RAD, "Angle of the shaft relative to the housing", der = if s.is_elastic() { "" } else { "w_rel" };
        output w_rel: T, RAD_PER_S, "Angular velocity of the shaft relative to the housing", der = if s.is_elastic() { "" } else { "a_rel" };
        output a_rel: T, RAD_PER_S2, "Angular acceleration of the shaft relative to the housing";
        output tau: T, N_M, "Friction torque, positive if the shaft is faster";
        output lossPower: T, W, "Power turned into heat";
        output mode: i32, "-1 Backward, 0 Stuck, 1 Forward, 2 Free", min = -1.0, max = 2.0;
        output locked: bool, "Whether shaft and housing are stuck";

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

    fn prepare(&self, source: &Source<'_, Structure>) -> Result<Coefficient, Fault> {
        let s = source.structure;
        let needed = [
            ("J_a", self.J_a, s.has_shaft()),
            ("J_support", self.J_support, s.has_housing()),
            ("c_stuck", self.c_stuck, s.is_elastic()),
        ];
        needed.iter().filter(|(.., exists)| *exists).try_for_each(|(name, value, _)| positive(name, *value))?;
        coefficient(source.table(self.mue_pos))
    }

    fn initialise(&mut self, cx: &Context<'_, T, Self>) -> Result<(), Fault> {
        let mut element = self.element(cx, &|x| x);
        element.initialise([[self.phi_support_start, self.w_support_start], [self.phi_a_start, self.w_a_start]]);
        let x = element.x;
        self.keep(&x, &|x| x);
        Ok(())
    }

    fn evaluate(&mut self, cx: &Context<'_, T, Self>) -> Result<(), Fault> {
        let mut element = self.element(cx, &|x| x);
        let computed = element.evaluate();
        let x = element.x;
        (self.phi_rel, self.w_rel, self.a_rel) = (x.phi_rel, x.w_rel, computed.a_rel);
        self.shaft_a = computed.sides[SHAFT].into();
        self.shaft_b = computed.sides[SHAFT].into();
        self.housing = computed.sides[HOUSING].into();
        self.tau = computed.tau;
        self.load_a.tau = computed.tau - self.torque_b.tau;
        self.load_support.tau = -computed.tau;
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

impl<T: Scalar> Brake<T> {
    /// The friction element at this point.
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
            peak: to(self.peak),
            K_locked: to(self.K_locked),
            w_small: to(self.w_small),
            c_stuck: to(self.c_stuck),
            d_stuck: to(self.d_stuck),
            inertia,
            reference: if s.has_shaft() && !s.has_housing() { HOUSING } else { SHAFT },
            given,
            load: self.load(self, s, to),
            x: self.memory.with(to, self.mode, [self.phi_rel, self.w_rel], [self.shaft_a.phi, self.shaft_a.w]),
        }
    }

    /// What acts with the inputs that `u` has.
    fn load<S: Scalar>(&self, u: &Self, s: &Structure, to: &impl Fn(T) -> S) -> Load<S> {
        let shaft = if s.has_shaft() { to(u.torque_a.tau + u.torque_b.tau) } else { to(u.motion_a.a) };
        let housing = match (s.useSupport, s.has_housing()) {
            (false, _) => S::zero(),
            (true, true) => to(u.torque_support.tau),
            (true, false) => to(u.motion_support.a),
        };
        Load { sides: [housing, shaft], n: to(self.cgeo * self.fn_max * u.f_normalized) }
    }

    fn keep<S: Scalar>(&mut self, x: &Memory<S>, from: &impl Fn(S) -> T) {
        [self.phi_rel, self.w_rel] = [x.phi_rel, x.w_rel].map(from);
        [self.shaft_a.phi, self.shaft_a.w] = [x.phi, x.w].map(from);
        self.mode = x.mode.number();
        self.memory.keep(x, from);
    }
}
