//! Sources: signals that follow from time.

use std::f64::consts::TAU;

use fmu_runtime::structure::Setting;
use fmu_runtime::{Event, ModelError, Scalar, Structure, group};
use mechanics::constant;

use super::signal::{Jet, OutputSignal, SignalRow};
use crate::part::{AnyPart, Block, EventPoint, Events, Part, PartType, Typed, kinds};

kinds! {
    /// The sources, with their rows in common.
    pub enum Kind {
        Constant = "Constant", "A constant signal";
        Step = "Step", "A signal that jumps once";
        Ramp = "Ramp", "A signal that changes from one value to another along a straight line";
        Sine = "Sine", "A sine wave";
        ExpSine = "ExpSine", "A sine wave that fades away";
        Pulse = "Pulse", "A signal that jumps up and down";
        Trapezoid = "Trapezoid", "A signal that goes up and down along straight lines";
        KinematicPTP2 = "KinematicPTP2", "A motion from one place to another, as fast as velocity and acceleration may be";
    }
}

impl Kind {
    const fn is_wave(self) -> bool {
        matches!(self, Self::Sine | Self::ExpSine)
    }

    const fn is_periodic(self) -> bool {
        matches!(self, Self::Pulse | Self::Trapezoid)
    }

    const fn is_path(self) -> bool {
        matches!(self, Self::KinematicPTP2)
    }

    const fn has_offset(self) -> bool {
        !matches!(self, Self::Constant | Self::KinematicPTP2)
    }
}

/// The structure of a source: its type says which one it is.
#[derive(Clone, Copy, Debug, Default)]
pub struct SourceStructure {
    kind: Kind,
}

impl Structure for SourceStructure {
    fn visit(&mut self, _: &mut dyn FnMut(&'static str, &'static str, &mut dyn Setting)) {}
}

/// A source: its structure says which one it is.
pub struct SourceType;

pub(super) fn types() -> impl Iterator<Item = Box<dyn AnyPart>> {
    let make = |kind: &Kind| Typed::<SourceType>::named(kind.names(), SourceStructure { kind: *kind });
    Kind::ALL.iter().map(make)
}

impl PartType for SourceType {
    const NAME: &'static str = "Source";
    const TEXT: &'static str = "A signal that follows from time";
    type Structure = SourceStructure;
    type In<T: Scalar> = Source<T>;

    fn options(structure: &SourceStructure, _: bool) -> Kind {
        structure.kind
    }
}

group! {
    /// With s = time - startTime; before startTime all but the last are y = offset:
    ///
    /// ```text
    /// Constant   y = k
    /// Step       y = offset + height
    /// Ramp       y = offset + height min(s / duration, 1)
    /// Sine       y = offset + amplitude sin(2 pi f s + phase)
    /// ExpSine    the same times exp(-damping s)
    /// Pulse      y = offset + amplitude in the first width percent of each period, otherwise offset
    /// Trapezoid  y rises to offset + amplitude in `rising`, stays for `width`, falls in `falling`, in each period
    /// KinematicPTP2   q from q_begin to q_end with |qd| <= qd_max and |qdd| <= qdd_max
    /// ```
    ///
    /// nperiod < 0: the periods never end. Source: Modelica.Blocks.Sources.
    pub struct Source<T>(o: Kind) {
        parameter k: T = 1.0, ONE, "Value", when = o == Kind::Constant;
        parameter height: T = 1.0, ONE, "Height of the change", when = matches!(o, Kind::Step | Kind::Ramp);
        parameter amplitude: T = 1.0, ONE, "Amplitude", when = o.is_wave() || o.is_periodic();
        parameter f: T = 1.0, HZ, "Frequency", alias = "freqHz", when = o.is_wave();
        parameter phase: T = 0.0, RAD, "Phase at startTime", display = "deg", when = o.is_wave();
        parameter damping: T = 1.0, PER_S, "Damping", when = o == Kind::ExpSine;
        parameter duration: T = 2.0, S, "Duration of the change", min = 0.0, when = o == Kind::Ramp;
        parameter rising: T = 0.0, S, "How long it rises", min = 0.0, when = o == Kind::Trapezoid;
        parameter width: T = if o == Kind::Pulse { 50.0 } else { 0.5 }, ONE, "Duration at the top",
            text = if o == Kind::Pulse { "Part of each period at the top, in percent" } else { "How long it stays at the top" },
            unit = if o == Kind::Pulse { fmu_runtime::unit::ONE } else { fmu_runtime::unit::S }, min = 0.0,
            max = if o == Kind::Pulse { 100.0 } else { f64::MAX }, when = o.is_periodic();
        parameter falling: T = 0.0, S, "How long it falls", min = 0.0, when = o == Kind::Trapezoid;
        parameter period: T = 1.0, S, "Period", min = 1e-12, when = o.is_periodic();
        parameter nperiod: i32 = -1, "Number of periods; below 0 without end", when = o.is_periodic();
        parameter q_begin: T = 0.0, ONE, "Value at the beginning", when = o.is_path();
        parameter q_end: T = 1.0, ONE, "Value at the end", when = o.is_path();
        parameter qd_max: T = 1.0, PER_S, "The largest velocity", min = 1e-12, when = o.is_path();
        parameter qdd_max: T = 1.0, ONE, "The largest acceleration, per s2", min = 1e-12, when = o.is_path();
        parameter offset: T = 0.0, ONE, "Offset of the signal", when = o.has_offset();
        parameter startTime: T = 0.0, S, "Until this time the signal is its offset",
            text = if o.is_path() { "Time at which the motion begins" } else { "Until this time the signal is its offset" },
            when = o != Kind::Constant;
        group y: OutputSignal<T> = SignalRow::output(if o.is_path() { "q" } else { "y" }), "", name = "";
        group qd: OutputSignal<T> = SignalRow { text: "Velocity of the motion", ..SignalRow::output("qd") }.when(o.is_path()),
            "", name = "";
        group qdd: OutputSignal<T> = SignalRow { text: "Acceleration of the motion", ..SignalRow::output("qdd") }.when(o.is_path()),
            "", name = "";
        output moving: bool, "Whether it moves", when = o.is_path();
        memory piece: i32, "The piece of the signal: 0 before the first one";
        memory count: i32, "The number of periods that have passed";
    }
}

/// The pieces of a signal between kinks, by the times in s at which they end, from a time on.
struct Pieces {
    /// When the first piece begins.
    begin: f64,
    ends: [f64; 3],
}

impl<T: Scalar> Source<T> {
    /// Durations of acceleration and of the whole motion, and the acceleration itself, 0 if it does not move.
    fn path(&self) -> [T; 3] {
        let distance = self.q_end - self.q_begin;
        let [slowness, inertia] = [self.qd_max, self.qdd_max].map(|most| distance.abs() / most);
        // The largest velocity and acceleration of the way from 0 to 1 are the reciprocals.
        if distance.value() == 0.0 {
            return [T::zero(); 3];
        }
        let direction = if distance.value() > 0.0 { T::one() } else { -T::one() };
        if slowness.value() * slowness.value() <= inertia.value() {
            let half = inertia.sqrt();
            [half, half + half, direction * self.qdd_max]
        } else {
            let accelerates = inertia / slowness;
            [accelerates, slowness + accelerates, direction * self.qdd_max]
        }
    }

    /// The pieces of the present period.
    fn pieces(&self, kind: Kind, count: i32) -> Pieces {
        let start = self.startTime.value();
        let never = f64::INFINITY;
        let begin = if kind.is_periodic() { start + f64::from(count) * self.period.value() } else { start };
        let ends = match kind {
            Kind::Constant | Kind::Step | Kind::Sine | Kind::ExpSine => [never; 3],
            Kind::Ramp => [start + self.duration.value(), never, never],
            Kind::Pulse => [begin + 0.01 * self.width.value() * self.period.value(), never, never],
            Kind::Trapezoid => {
                let top = self.rising.value() + self.width.value();
                [begin + self.rising.value(), begin + top, begin + top + self.falling.value()]
            }
            Kind::KinematicPTP2 => {
                let [accelerates, total, _] = self.path().map(|one| one.value());
                [start + accelerates, start + (total - accelerates), start + total]
            }
        };
        Pieces { begin, ends }
    }

    /// The signal, and its velocity and acceleration where it is a motion.
    fn signals(&self, kind: Kind, time: T) -> [Jet<T>; 3] {
        let zero = T::zero();
        let nothing = Jet::constant(zero);
        let begin = self.startTime + constant::<T>(f64::from(self.count)) * self.period;
        let s = time - if kind.is_periodic() { begin } else { self.startTime };
        let line = |height: T, duration: T, s: T| Jet([height * s / duration, height / duration, zero]);
        let high = Jet::constant(self.amplitude);
        let signal = match (kind, self.piece) {
            (Kind::Constant, _) => return [Jet::constant(self.k), nothing, nothing],
            (Kind::KinematicPTP2, piece) => return self.motion(piece, s),
            (_, 0) => nothing,
            (Kind::Step, _) | (Kind::Ramp, 2..) => Jet::constant(self.height),
            (Kind::Ramp, _) => line(self.height, self.duration, s),
            (Kind::Sine | Kind::ExpSine, _) => {
                let omega = constant::<T>(TAU) * self.f;
                let (sin, cos) = (omega * s + self.phase).sin_cos();
                let wave = Jet([sin, omega * cos, -omega * omega * sin]).scaled(self.amplitude);
                if kind == Kind::Sine { wave } else { wave * self.decay(s) }
            }
            (Kind::Pulse, 1) => high,
            (Kind::Pulse, _) => nothing,
            (Kind::Trapezoid, 1) => line(self.amplitude, self.rising, s),
            (Kind::Trapezoid, 2) => high,
            (Kind::Trapezoid, 3) => high - line(self.amplitude, self.falling, s - self.rising - self.width),
            (Kind::Trapezoid, _) => nothing,
        };
        [signal + Jet::constant(self.offset), nothing, nothing]
    }

    fn decay(&self, s: T) -> Jet<T> {
        let decay = (-self.damping * s).exp();
        Jet([decay, -self.damping * decay, self.damping * self.damping * decay])
    }

    /// Position, velocity and acceleration.
    fn motion(&self, piece: i32, s: T) -> [Jet<T>; 3] {
        let zero = T::zero();
        let [accelerates, total, a] = self.path();
        let half = constant::<T>(0.5);
        let v = a * accelerates;
        let [q, qd, qdd] = match piece {
            0 => [self.q_begin, zero, zero],
            1 => [self.q_begin + half * a * s * s, a * s, a],
            2 => [self.q_begin + v * (s - half * accelerates), v, zero],
            3 => {
                let rest = total - s;
                [self.q_end - half * a * rest * rest, a * rest, -a]
            }
            _ => [self.q_end, zero, zero],
        };
        [Jet([q, qd, qdd]), Jet([qd, qdd, zero]), Jet::constant(qdd)]
    }
}

crate::capabilities!(Source: Block + Events);

impl<T: Scalar> Part<T> for Source<T> {
    type Structure = SourceStructure;
}

impl<T: Scalar> Block<T> for Source<T> {
    fn update(&mut self, structure: &SourceStructure, at: &EventPoint<'_, T>) {
        let [y, qd, qdd] = self.signals(structure.kind, at.time);
        self.y.set(y);
        self.qd.set(qd);
        self.qdd.set(qdd);
        self.moving = (1..4).contains(&self.piece) && structure.kind.is_path();
    }
}

impl<T: Scalar> Events<T> for Source<T> {
    fn indicator_count(_: &SourceStructure) -> usize {
        0
    }

    fn indicators(&self, _: &SourceStructure, _: &EventPoint<'_, T>, _: &mut [T]) {}

    fn event(
        &mut self,
        structure: &SourceStructure,
        at: &EventPoint<'_, T>,
        event: &mut Event,
    ) -> Result<(), ModelError> {
        let (kind, time) = (structure.kind, at.time.value());
        if kind == Kind::Constant {
            return Ok(());
        }
        (self.piece, self.count) = (0, 0);
        if kind.is_periodic() {
            let passed = (time - self.startTime.value()) / self.period.value();
            // Rounding may have made it one too few or one too many.
            let near = (passed.floor() as i32).saturating_sub(1).max(0);
            let has_begun = |count: &i32| self.pieces(kind, *count).begin <= time;
            self.count = (near..near.saturating_add(3)).take_while(has_begun).last().unwrap_or(0);
        }
        let Pieces { begin, ends } = self.pieces(kind, self.count);
        let is_over = self.nperiod >= 0 && kind.is_periodic() && self.count >= self.nperiod;
        if is_over {
            return Ok(());
        }
        if time < begin {
            event.next_time = Some(begin);
            return Ok(());
        }
        let over = ends.iter().take_while(|end| time >= **end).count();
        self.piece = 1 + over as i32;
        let next_period =
            if kind.is_periodic() { self.pieces(kind, self.count.saturating_add(1)).begin } else { f64::INFINITY };
        let next = ends.get(over).copied().unwrap_or(f64::INFINITY).min(next_period);
        event.next_time = Some(next).filter(|next| next.is_finite());
        Ok(())
    }
}
