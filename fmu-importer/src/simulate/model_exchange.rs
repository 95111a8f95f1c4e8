//! Integration of an FMU for Model Exchange: the method of Dormand and Prince with steps of variable size, events
//! located by bisection.

use anyhow::{Result, bail};

use super::drive::Drive;
use super::simulation::Advance;
use super::trajectory::number;
use crate::load::{Failure, Instance};

/// Relative tolerance where the FMU proposes none, and the largest that is used.
const TOLERANCE: f64 = 1e-6;
/// More event iterations than these at one time do not end.
const ITERATIONS: usize = 1000;
/// More events than these in one step between two communication points are too many.
const EVENTS: usize = 100_000;
/// Bisections that bring an interval down to rounding.
const BISECTIONS: usize = 60;

/// Nodes, weights of the stages, and weights of the error: Dormand and Prince, J. Comput. Appl. Math. 6 (1980) 19.
const NODES: [f64; 7] = [0.0, 0.2, 0.3, 0.8, 8.0 / 9.0, 1.0, 1.0];
const STAGES: [&[f64]; 7] = [
    &[],
    &[1.0 / 5.0],
    &[3.0 / 40.0, 9.0 / 40.0],
    &[44.0 / 45.0, -56.0 / 15.0, 32.0 / 9.0],
    &[19372.0 / 6561.0, -25360.0 / 2187.0, 64448.0 / 6561.0, -212.0 / 729.0],
    &[9017.0 / 3168.0, -355.0 / 33.0, 46732.0 / 5247.0, 49.0 / 176.0, -5103.0 / 18656.0],
    &[35.0 / 384.0, 0.0, 500.0 / 1113.0, 125.0 / 192.0, -2187.0 / 6784.0, 11.0 / 84.0],
];
const ERROR: [f64; 7] =
    [71.0 / 57600.0, 0.0, -71.0 / 16695.0, 71.0 / 1920.0, -17253.0 / 339_200.0, 22.0 / 525.0, -1.0 / 40.0];

/// What an integration remembers between communication points.
pub struct Integration {
    tolerance: f64,
    nominals: Vec<f64>,
    states: Vec<f64>,
    indicators: Vec<f64>,
    /// The size of the next step, if the error decides.
    h: f64,
    /// The time of the next event that the FMU knows beforehand.
    next_event: Option<f64>,
}

/// An event that was handled.
enum Settled {
    Continue,
    Terminate,
}

impl Integration {
    /// Handles the events of the initialisation and enters Continuous-Time Mode.
    pub fn begin(instance: &Instance, drive: &Drive, time: f64, tolerance: Option<f64>) -> Result<Self> {
        let mut integration = Self {
            tolerance: tolerance.unwrap_or(TOLERANCE).min(TOLERANCE),
            nominals: Vec::new(),
            states: Vec::new(),
            indicators: Vec::new(),
            h: f64::INFINITY,
            next_event: None,
        };
        if let Settled::Terminate = integration.settle(instance, drive, time)? {
            bail!("the FMU ends the simulation at the start");
        }
        Ok(integration)
    }

    /// Integrates from a time to another, between which the inputs are straight lines.
    pub fn advance(&mut self, instance: &Instance, drive: &Drive, (begin, end): (f64, f64)) -> Result<Advance> {
        let mut time = begin;
        // The inputs are those after the jump, if there was one.
        let mut slope = instance.derivatives()?;
        let mut events = 0;
        while time < end {
            let limit = self.next_event.map_or(end, |event| event.clamp(time, end));
            let (next, states, next_slope) = if limit > time {
                self.step(instance, drive, begin, (time, limit), &slope)?
            } else {
                (limit, self.states.clone(), slope.clone())
            };
            let step = Step { begin, from: (time, &self.states, &slope), to: (next, &states, &next_slope) };
            let found = self.locate(instance, drive, &step)?;
            let (next, states) = found.clone().unwrap_or((next, states.clone()));
            self.put(instance, drive, (begin, next), &states)?;
            let (asks, terminate) = instance.completed_integrator_step()?;
            if terminate {
                return Ok(Advance::Until(next));
            }
            (time, self.states) = (next, states);
            let timed = self.next_event.is_some_and(|event| event <= time);
            let driven = time == end && drive.jumps(time);
            if found.is_some() || asks || timed || driven {
                events += 1;
                if events > EVENTS {
                    bail!("more than {EVENTS} events until {} s", number(time));
                }
                instance.enter_event_mode()?;
                if let Settled::Terminate = self.settle(instance, drive, time)? {
                    return Ok(Advance::Until(time));
                }
                slope = instance.derivatives()?;
            } else {
                self.indicators = instance.event_indicators()?;
                slope = next_slope;
            }
        }
        Ok(Advance::Whole)
    }

    /// Event iteration; then Continuous-Time Mode.
    fn settle(&mut self, instance: &Instance, drive: &Drive, time: f64) -> Result<Settled> {
        drive.apply(instance, time)?;
        for _ in 0..ITERATIONS {
            let info = instance.new_discrete_states()?;
            if info.terminate_simulation == 1 {
                return Ok(Settled::Terminate);
            }
            if info.new_discrete_states_needed == 0 {
                instance.enter_continuous_time_mode()?;
                self.next_event = (info.next_event_time_defined == 1).then_some(info.next_event_time);
                self.states = instance.continuous_states()?;
                self.nominals = instance.nominals()?;
                self.indicators = instance.event_indicators()?;
                self.h = f64::INFINITY;
                return Ok(Settled::Continue);
            }
        }
        bail!("the event iteration at {} s does not end in {ITERATIONS} rounds", number(time))
    }

    /// Sets the time, the states, and the inputs as they are inside of the interval.
    fn put(
        &self,
        instance: &Instance,
        drive: &Drive,
        (begin, time): (f64, f64),
        states: &[f64],
    ) -> Result<(), Failure> {
        instance.set_time(time)?;
        instance.set_continuous_states(states)?;
        if time > begin { drive.approach(instance, time) } else { Ok(()) }
    }

    fn derivatives(
        &self,
        instance: &Instance,
        drive: &Drive,
        times: (f64, f64),
        states: &[f64],
    ) -> Result<Vec<f64>, Failure> {
        self.put(instance, drive, times, states)?;
        instance.derivatives()
    }

    /// A step that is as exact as the tolerance asks: its end, the states and their derivatives there.
    fn step(
        &mut self,
        instance: &Instance,
        drive: &Drive,
        begin: f64,
        (time, limit): (f64, f64),
        slope: &[f64],
    ) -> Result<(f64, Vec<f64>, Vec<f64>)> {
        loop {
            let h = self.h.min(limit - time);
            let next = if h < limit - time { time + h } else { limit };
            let mut slopes = vec![slope.to_vec()];
            let mut states = self.states.clone();
            for stage in 1..NODES.len() {
                states = (self.states.iter().enumerate())
                    .map(|(i, state)| {
                        let change = STAGES[stage].iter().zip(&slopes).map(|(weight, slope)| weight * slope[i]);
                        state + h * change.sum::<f64>()
                    })
                    .collect();
                let at = if NODES[stage] == 1.0 { next } else { time + NODES[stage] * h };
                slopes.push(self.derivatives(instance, drive, (begin, at), &states)?);
            }
            let error = (0..states.len())
                .map(|i| {
                    let error = h * ERROR.iter().zip(&slopes).map(|(weight, slope)| weight * slope[i]).sum::<f64>();
                    let size = self.states[i].abs().max(states[i].abs()).max(self.nominals[i].abs());
                    (error / (self.tolerance * size)).abs()
                })
                .fold(0.0, |largest: f64, error| if error.is_nan() { f64::INFINITY } else { largest.max(error) });
            self.h = h * (0.9 * error.powf(-0.2)).clamp(0.2, 5.0);
            if error <= 1.0 {
                return Ok((next, states, slopes.pop().unwrap_or_default()));
            }
            if time + self.h <= time {
                bail!("the integration comes no further than {} s", number(time));
            }
        }
    }

    /// The first time in a step at which the sign of an event indicator has changed, and the states there.
    fn locate(&self, instance: &Instance, drive: &Drive, step: &Step) -> Result<Option<(f64, Vec<f64>)>> {
        let changed = |indicators: Vec<f64>| {
            indicators.iter().zip(&self.indicators).any(|(after, before)| (*after > 0.0) != (*before > 0.0))
        };
        let (mut low, mut high) = (step.from.0, step.to.0);
        self.put(instance, drive, (step.begin, high), step.to.1)?;
        if !changed(instance.event_indicators()?) {
            return Ok(None);
        }
        let mut states = step.to.1.clone();
        for _ in 0..BISECTIONS {
            let middle = 0.5 * (low + high);
            if middle <= low || middle >= high {
                break;
            }
            let between = step.states(middle);
            self.put(instance, drive, (step.begin, middle), &between)?;
            if changed(instance.event_indicators()?) {
                (high, states) = (middle, between);
            } else {
                low = middle;
            }
        }
        Ok(Some((high, states)))
    }
}

/// The two ends of a step: time, states, derivatives.
struct Step<'a> {
    begin: f64,
    from: (f64, &'a Vec<f64>, &'a Vec<f64>),
    to: (f64, &'a Vec<f64>, &'a Vec<f64>),
}

impl Step<'_> {
    /// The states between the ends, by Hermite's cubic interpolation.
    fn states(&self, time: f64) -> Vec<f64> {
        let h = self.to.0 - self.from.0;
        let s = (time - self.from.0) / h;
        let (a, b) = (s * s * (3.0 - 2.0 * s), s * (1.0 - s));
        (0..self.from.1.len())
            .map(|i| {
                let [x, y, dx, dy] = [self.from.1[i], self.to.1[i], self.from.2[i], self.to.2[i]];
                x + a * (y - x) + h * b * ((1.0 - s) * dx - s * dy)
            })
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_weights_are_those_of_a_method_of_order_five() {
        for (node, stage) in NODES.iter().zip(STAGES) {
            assert!((stage.iter().sum::<f64>() - node).abs() < 1e-15, "{node}");
        }
        let weights = STAGES[6];
        for order in 1..=5 {
            let sum: f64 = weights.iter().zip(NODES).map(|(weight, node)| weight * node.powi(order - 1)).sum();
            assert!((sum - 1.0 / f64::from(order)).abs() < 1e-15, "{order}");
        }
        assert!(ERROR.iter().sum::<f64>().abs() < 1e-15);
    }

    #[test]
    fn cubics_are_interpolated_exactly() {
        let [x, slope] = [|t: f64| vec![t * t * t - 2.0 * t], |t: f64| vec![3.0 * t * t - 2.0]];
        let (from, to) = (1.0, 3.0);
        let (a, b, c, d) = (x(from), x(to), slope(from), slope(to));
        let step = Step { begin: from, from: (from, &a, &c), to: (to, &b, &d) };
        for time in [1.0, 1.5, 2.9, 3.0] {
            assert!((step.states(time)[0] - x(time)[0]).abs() < 1e-12, "{time}");
        }
    }
}
