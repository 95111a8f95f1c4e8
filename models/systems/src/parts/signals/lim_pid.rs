//! A controller with limited output, whose integral part does not wind up.

use fmu_runtime::{Event, ModelError, Number, Scalar, enumeration, group, structure};
use mechanics::constant;

use super::continuous::{INITIAL_OUTPUT, IntegratorInitType};
use super::signal::{InputSignal, Jet, OutputSignal, SignalRow, margin};
use crate::part::{Block, EventPoint, Events, Part, PartType};

enumeration! {
    /// The parts of a controller.
    pub enum SimpleController {
        PID = "proportional, integral and derivative",
        P = "proportional",
        PI = "proportional and integral",
        PD = "proportional and derivative",
    }
}

structure! {
    /// The options of such a controller.
    pub struct LimPidStructure {
        controllerType: SimpleController = SimpleController::PID, "The parts of the controller";
        withFeedForward: bool = false, "Whether there is an input u_ff that adds to the output";
        symmetric: bool = true, "Whether yMin is -yMax; otherwise it is a parameter of its own";
        initType: IntegratorInitType = IntegratorInitType::InitialState, "How its states begin";
    }
}

impl LimPidStructure {
    const fn integrates(&self) -> bool {
        matches!(self.controllerType, SimpleController::PI | SimpleController::PID)
    }

    const fn differentiates(&self) -> bool {
        matches!(self.controllerType, SimpleController::PD | SimpleController::PID)
    }

    fn begins_with_output(&self) -> bool {
        self.initType == IntegratorInitType::InitialOutput
    }
}

/// The smallest time constant of the derivative, in s.
const MIN_TIME: f64 = 1e-14;

/// A controller.
pub struct LimPidType;

group! {
    /// ```text
    /// v = k (wp u_s - u_m + I + D) + kFF u_ff,   y = v between yMin and yMax
    /// Ti I' = u_s - u_m + (y - v) / (k Ni)
    /// D = Td x',   x' = (wd u_s - u_m - x) Nd / Td
    /// ```
    ///
    /// Source: Modelica.Blocks.Continuous.LimPID.
    pub struct LimPid<T>(o: LimPidStructure) {
        parameter k: T = 1.0, ONE, "Gain of the controller", min = 1e-12;
        parameter Ti: T = 0.5, S, "Time constant of the integral part", min = 1e-12, when = o.integrates();
        parameter Td: T = 0.1, S, "Time constant of the derivative part", min = 0.0, when = o.differentiates();
        parameter yMax: T = 1.0, ONE, "Upper limit of the output";
        parameter yMin: T = -1.0, ONE, "Lower limit of the output", when = !o.symmetric;
        parameter wp: T = 1.0, ONE, "Weight of u_s in the proportional part", min = 0.0;
        parameter wd: T = 0.0, ONE, "Weight of u_s in the derivative part", min = 0.0, when = o.differentiates();
        parameter Ni: T = 0.9, ONE, "Ni Ti is the time constant with which the integral part follows the limits", min = 1e-12,
            when = o.integrates();
        parameter Nd: T = 10.0, ONE, "The higher Nd, the more ideal is the derivative", min = 1e-12,
            when = o.differentiates();
        parameter kFF: T = 1.0, ONE, "Gain of u_ff", when = o.withFeedForward;
        parameter xi_start: T = 0.0, ONE, "Start value of the integral part", when = o.integrates();
        parameter xd_start: T = 0.0, ONE, "Start value of the state of the derivative part", when = o.differentiates();
        parameter y_start: T = 0.0, ONE, "Start value of the output without k_FF u_ff", when = o.begins_with_output();
        group u_s: InputSignal<T> = SignalRow { text: "What the signal should be", ..SignalRow::input("u_s") }, "", name = "";
        group u_m: InputSignal<T> = SignalRow { text: "What the signal is", ..SignalRow::input("u_m") }, "", name = "";
        group u_ff: InputSignal<T> = SignalRow { text: "What is added to the output", ..SignalRow::input("u_ff") }
            .when(o.withFeedForward), "", name = "";
        group y: OutputSignal<T> = SignalRow::output("y"), "", name = "";
        group controlError: OutputSignal<T> = SignalRow { text: "u_s - u_m", ..SignalRow::output("controlError") }, "",
            name = "";
        output xi: T, ONE, "Integral part", name = "I.y", der = if o.integrates() { "I.der_y" } else { "" }, when = o.integrates();
        local der_xi: T, PER_S, "Derivative of I.y", name = "I.der_y", when = o.integrates();
        output xd: T, ONE, "State of the derivative part", name = "D.x", der = if o.differentiates() { "D.der_x" } else { "" },
            when = o.differentiates();
        local der_xd: T, PER_S, "Derivative of D.x", name = "D.der_x", when = o.differentiates();
        memory side: i32, "1 at the upper limit, -1 at the lower one, 0 between them";
    }
}

impl PartType for LimPidType {
    const NAME: &'static str = "LimPID";
    const TEXT: &'static str = "A PID controller with limited output";
    type Structure = LimPidStructure;
    type In<T: Scalar> = LimPid<T>;

    fn options(structure: &LimPidStructure, _: bool) -> LimPidStructure {
        structure.clone()
    }

    fn starts_steady(structure: &LimPidStructure) -> Option<&'static str> {
        structure.begins_with_output().then_some(INITIAL_OUTPUT)
    }

    fn starts_anywhere(structure: &LimPidStructure) -> bool {
        structure.initType == IntegratorInitType::NoInit
    }
}

impl<T: Scalar> LimPid<T> {
    fn limits(&self, structure: &LimPidStructure) -> [T; 2] {
        [if structure.symmetric { -self.yMax } else { self.yMin }, self.yMax]
    }

    /// The output without limits but for the integral part: that of its value is included, its derivatives are not.
    fn without_integral(&mut self, structure: &LimPidStructure) -> Jet<T> {
        let [s, m, ff] = [&self.u_s, &self.u_m, &self.u_ff].map(InputSignal::jet);
        let mut sum = s.scaled(self.wp) - m;
        if structure.differentiates() {
            let Jet([u, du, ddu]) = s.scaled(self.wd) - m;
            let time = (self.Td / self.Nd).max(constant(MIN_TIME));
            self.der_xd = (u - self.xd) / time;
            let second = (du - self.der_xd) / time;
            if self.Td.value() > 0.0 {
                sum = sum + Jet([self.der_xd, second, (ddu - second) / time]).scaled(self.Td);
            }
        }
        if structure.integrates() {
            sum.0[0] += self.xi;
        }
        let v = sum.scaled(self.k);
        if structure.withFeedForward { v + ff.scaled(self.kFF) } else { v }
    }
}

crate::capabilities!(LimPid: Block + Events);

impl<T: Scalar> Part<T> for LimPid<T> {
    type Structure = LimPidStructure;
}

impl<T: Scalar> Block<T> for LimPid<T> {
    fn begin_block(&mut self, structure: &LimPidStructure, _: &EventPoint<'_, T>) {
        (self.xi, self.xd) = (self.xi_start, self.xd_start);
        if structure.begins_with_output() {
            let [s, m] = [self.u_s.u, self.u_m.u];
            self.xd = self.wd * s - m;
            self.xi = self.y_start / self.k - (self.wp * s - m);
        }
    }

    fn update(&mut self, structure: &LimPidStructure, _: &EventPoint<'_, T>) {
        let [low, high] = self.limits(structure);
        let mut v = self.without_integral(structure);
        let error = self.u_s.jet() - self.u_m.jet();
        let limit = match self.side {
            0 => None,
            ..0 => Some(low),
            _ => Some(high),
        };
        if structure.integrates() {
            let rate = |order: usize, v: &Jet<T>| {
                let y = limit.map_or(v.0[order], |limit| if order == 0 { limit } else { T::zero() });
                (error.0[order] + (y - v.0[order]) / (self.k * self.Ni)) / self.Ti
            };
            // The integral part gives each next derivative of v.
            let first = rate(0, &v);
            v.0[1] += self.k * first;
            let second = rate(1, &v);
            v.0[2] += self.k * second;
            self.der_xi = first;
        }
        self.y.set(limit.map_or(v, Jet::constant));
        self.controlError.set(error);
    }
}

impl<T: Scalar> Events<T> for LimPid<T> {
    fn indicator_count(_: &LimPidStructure) -> usize {
        2
    }

    fn indicators(&self, structure: &LimPidStructure, _: &EventPoint<'_, T>, indicators: &mut [T]) {
        let [low, high] = self.limits(structure);
        let Jet([v, ..]) = self.clone().without_integral(structure);
        let [below, above] = [v - low, high - v];
        indicators[0] = if self.side < 0 { -below } else { below } + margin(v, low);
        indicators[1] = if self.side > 0 { -above } else { above } + margin(v, high);
    }

    fn event(&mut self, structure: &LimPidStructure, _: &EventPoint<'_, T>, _: &mut Event) -> Result<(), ModelError> {
        let [low, high] = self.limits(structure).map(|limit| limit.value());
        if low > high {
            return Err(ModelError::invalid(format!(
                "yMin = {} is above yMax = {}: the lower limit must not be above the upper one",
                Number(low),
                Number(high)
            )));
        }
        let v = self.without_integral(structure).0[0].value();
        self.side = if v > high { 1 } else { -i32::from(v < low) };
        Ok(())
    }
}
