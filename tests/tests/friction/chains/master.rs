//! A master for Model Exchange that closes the loops between friction elements on common shafts.

use fmu_tests::api::Status;
use nalgebra::{DMatrix, DVector};

use super::chain::{Chain, Owner, given};
use crate::fixture::{Fmu, Instance, set};

/// Iterations of an event before it counts as endless.
const ITERATIONS: usize = 30;

/// The names of an element's sides: prefix of the flange, then the suffix of its inertia's parameters.
type Sides = [(&'static str, &'static str); 2];

pub const CLUTCH: Sides = [("flange_a", "a"), ("flange_b", "b")];
pub const BRAKE: Sides = [("support", "support"), ("flange_a", "a")];

/// An element between two shafts.
struct Element<'a> {
    instance: Instance<'a>,
    /// References of phi, w, a and tau of each side.
    sides: [[u32; 4]; 2],
    /// Whether the motion of a side is given.
    given: [bool; 2],
    states: usize,
}

impl Element<'_> {
    fn get(&self, reference: u32) -> f64 {
        let (status, values) = self.instance.fmi.get_real(&[reference]);
        assert_eq!(status, Status::Ok);
        values[0]
    }

    fn set(&self, reference: u32, value: f64) {
        assert_eq!(self.instance.fmi.set_real(&[reference], &[value]), Status::Ok);
    }
}

/// Elements, and the shafts between them.
pub struct Master<'a> {
    chain: &'a Chain,
    owners: &'a [Owner],
    elements: Vec<Element<'a>>,
    /// Angle, angular velocity and angular acceleration of the shafts whose inertia is here.
    shafts: Vec<[f64; 3]>,
    /// Torques on the shafts from outside.
    torques: Vec<f64>,
    /// The inputs that close the loops.
    solution: DVector<f64>,
    time: f64,
}

impl<'a> Master<'a> {
    /// Elements of these FMUs, at the initial point with the first loads.
    pub fn new(chain: &'a Chain, owners: &'a [Owner], fmus: &[(&'a Fmu, Sides)]) -> Self {
        let mut elements = Vec::new();
        for (k, (fmu, names)) in fmus.iter().enumerate() {
            let instance = fmu.model_exchange();
            let given = given(owners, k);
            set(&instance, &[("fn_max", chain.tau0[k]), ("cgeo", 2.0), ("peak", chain.peaks[k])]);
            set(&instance, &[("f_normalized", chain.loads[0].0[k])]);
            for side in 0..2 {
                let (flange, suffix) = names[side];
                let shaft = k + side;
                if given[side] {
                    set(&instance, &[(&format!("{flange}.w"), chain.speeds[shaft])]);
                } else {
                    set(&instance, &[(&format!("J_{suffix}"), chain.inertias[shaft])]);
                    set(&instance, &[(&format!("w_{suffix}_start"), chain.speeds[shaft])]);
                }
            }
            instance.initialise();
            let reference = |name: String| instance.references(&name)[0];
            let sides =
                names.map(|(flange, _)| ["phi", "w", "a", "tau"].map(|part| reference(format!("{flange}.{part}"))));
            let states = fmu.description.model_structure.derivatives.len();
            elements.push(Element { instance, sides, given, states });
        }
        let shafts = chain.speeds.iter().map(|w| [0.0, *w, 0.0]).collect();
        let torques = chain.loads[0].1.clone();
        let mut master =
            Self { chain, owners, elements, shafts, torques, solution: DVector::zeros(2 * owners.len()), time: 0.0 };
        master.settle();
        master
    }

    /// Angles and angular velocities of the shafts.
    pub fn motion(&self) -> Vec<[f64; 2]> {
        (0..self.owners.len()).map(|shaft| [0, 1].map(|part| self.part(shaft, part))).collect()
    }

    /// Angle, angular velocity or angular acceleration of a shaft, from where its inertia is.
    fn part(&self, shaft: usize, part: usize) -> f64 {
        match self.owner(shaft) {
            Some((k, side)) => self.elements[k].get(self.elements[k].sides[side][part]),
            None => self.shafts[shaft][part],
        }
    }

    fn owner(&self, shaft: usize) -> Option<(usize, usize)> {
        match self.owners[shaft] {
            Owner::Left => Some((shaft - 1, 1)),
            Owner::Right => Some((shaft, 0)),
            Owner::Master => None,
        }
    }

    /// The elements at a shaft with their sides there.
    fn at(&self, shaft: usize) -> impl Iterator<Item = (&Element<'a>, usize)> {
        let left = shaft.checked_sub(1).map(|k| (k, 1));
        let right = (shaft < self.elements.len()).then_some((shaft, 0));
        left.into_iter().chain(right).map(|(k, side)| (&self.elements[k], side))
    }

    /// Gives angles and angular velocities to the sides that take them.
    fn propagate(&self) {
        for _ in 0..self.owners.len() {
            for shaft in 0..self.owners.len() {
                for part in [0, 1] {
                    let value = self.part(shaft, part);
                    for (element, side) in self.at(shaft).filter(|(element, side)| element.given[*side]) {
                        element.set(element.sides[side][part], value);
                    }
                }
            }
        }
    }

    /// How far each input is from what the outputs make of it: the acceleration of each shaft and the torque on its
    /// inertia.
    fn residual(&mut self, inputs: &DVector<f64>) -> DVector<f64> {
        let count = self.owners.len();
        for shaft in 0..count {
            for (element, side) in self.at(shaft) {
                let [.., a, tau] = element.sides[side];
                if element.given[side] {
                    element.set(a, inputs[shaft])
                } else {
                    element.set(tau, inputs[count + shaft])
                }
            }
        }
        let mut residual = DVector::zeros(2 * count);
        for shaft in 0..count {
            let cut = self.at(shaft).filter(|(element, side)| element.given[*side]);
            let cut: f64 = cut.map(|(element, side)| element.get(element.sides[side][3])).sum();
            let torque = self.torques[shaft] - cut;
            let a = match self.owner(shaft) {
                Some(_) => self.part(shaft, 2),
                None => inputs[count + shaft] / self.chain.inertias[shaft],
            };
            residual[shaft] = inputs[shaft] - a;
            residual[count + shaft] = inputs[count + shaft] - torque;
        }
        residual
    }

    /// Closes the loops, which are linear in the present modes.
    fn solve(&mut self) {
        self.propagate();
        let count = 2 * self.owners.len();
        let zero = DVector::zeros(count);
        let at_zero = self.residual(&zero);
        let mut slopes = DMatrix::zeros(count, count);
        for column in 0..count {
            let mut unit = zero.clone();
            unit[column] = 1.0;
            slopes.set_column(column, &(self.residual(&unit) - &at_zero));
        }
        let slopes = slopes.lu();
        let mut solution = zero;
        for _ in 0..4 {
            let residual = self.residual(&solution);
            solution -= slopes.solve(&residual).expect("the loops can be closed");
        }
        self.residual(&solution);
        for shaft in 0..self.owners.len() {
            self.shafts[shaft][2] = solution[shaft];
        }
        self.solution = solution;
    }

    /// Iterates an event, for which all elements are in event mode.
    fn settle(&mut self) {
        for _ in 0..ITERATIONS {
            self.solve();
            let mut again = false;
            for element in &self.elements {
                let (status, info) = element.instance.fmi.new_discrete_states();
                assert_eq!(status, Status::Ok);
                again |= info.new_discrete_states_needed != 0;
            }
            if !again {
                for element in &self.elements {
                    assert_eq!(element.instance.fmi.enter_continuous_time_mode(), Status::Ok);
                }
                self.solve();
                return;
            }
        }
        panic!("the event at {} s does not end", self.time);
    }

    fn states(&self) -> Vec<Vec<f64>> {
        let states = |element: &Element<'_>| element.instance.fmi.get_continuous_states(element.states).1;
        self.elements.iter().map(states).collect()
    }

    /// Moves to `time` from the states at an earlier point, with the accelerations there; all loads are constant.
    fn place(&mut self, from: &Start, h: f64) {
        let moved = |[phi, w, a]: [f64; 3]| [phi + (w + 0.5 * a * h) * h, w + a * h];
        for (element, (states, rates)) in self.elements.iter().zip(from.states.iter().zip(&from.rates)) {
            let pairs = states.chunks(2).zip(rates.chunks(2));
            let states: Vec<f64> = pairs.flat_map(|(x, rate)| moved([x[0], x[1], rate[1]])).collect();
            assert_eq!(element.instance.fmi.set_time(from.time + h), Status::Ok);
            assert_eq!(element.instance.fmi.set_continuous_states(&states), Status::Ok);
        }
        for (shaft, start) in self.shafts.iter_mut().zip(&from.shafts) {
            let [phi, w] = moved(*start);
            *shaft = [phi, w, start[2]];
        }
        self.time = from.time + h;
        self.propagate();
    }

    /// The signs of all event indicators.
    fn signs(&self) -> Vec<bool> {
        let indicators = |element: &Element<'_>| element.instance.fmi.get_event_indicators(4).1;
        self.elements.iter().flat_map(indicators).map(|z| z > 0.0).collect()
    }

    /// Simulates until `end` under constant loads; returns the number of events.
    fn run(&mut self, end: f64) -> usize {
        let mut events = 0;
        while self.time < end {
            let rates = |element: &Element<'_>| element.instance.fmi.get_derivatives(element.states).1;
            let rates = self.elements.iter().map(rates).collect();
            let start = Start { time: self.time, states: self.states(), rates, shafts: self.shafts.clone() };
            let before = self.signs();
            let (mut lo, mut hi) = (0.0, end - self.time);
            self.place(&start, hi);
            let is_event = self.signs() != before;
            // Bisection down to rounding.
            loop {
                let middle = 0.5 * (lo + hi);
                if !is_event || middle <= lo || middle >= hi || hi - lo < 1e-16 {
                    break;
                }
                self.place(&start, middle);
                if self.signs() == before { lo = middle } else { hi = middle }
            }
            self.place(&start, hi);
            if !is_event {
                self.time = end;
            }
            for element in &self.elements {
                assert_eq!(element.instance.fmi.completed_integrator_step().0, Status::Ok);
            }
            if is_event {
                events += 1;
                assert!(events < 1000, "events without end at {} s", self.time);
                self.enter_event_mode();
                self.settle();
            }
        }
        events
    }

    fn enter_event_mode(&self) {
        for element in &self.elements {
            assert_eq!(element.instance.fmi.enter_event_mode(), Status::Ok);
        }
    }

    /// Simulates all loads; the motion after each.
    pub fn motions(&mut self) -> Vec<Vec<[f64; 2]>> {
        let mut motions = Vec::new();
        for (i, (forces, torques)) in self.chain.loads.iter().enumerate() {
            if i > 0 {
                self.enter_event_mode();
                for (element, f) in self.elements.iter().zip(forces) {
                    set(&element.instance, &[("f_normalized", *f)]);
                }
                self.torques.clone_from(torques);
                self.settle();
            }
            self.run((i + 1) as f64 * self.chain.interval);
            motions.push(self.motion());
        }
        motions
    }

    /// The modes of the elements.
    pub fn modes(&self) -> Vec<f64> {
        self.elements.iter().map(|element| crate::fixture::get(&element.instance, "mode")).collect()
    }
}

/// A point from which the motion is known.
struct Start {
    time: f64,
    states: Vec<Vec<f64>>,
    rates: Vec<Vec<f64>>,
    shafts: Vec<[f64; 3]>,
}
