//! The last resort where pivoting finds no solution: all loads grow from 0, and the states change one by one on the way
//! (Katzenelson, Bell System Technical Journal 44 (1965) 1605).
//!
//! Without loads every element holds, with no torque. Torques and accelerations are straight lines over the fraction t of
//! the loads until the first condition ends; the element then takes the state on the other side, and t goes on in the
//! direction in which that one holds. Small additional limits, another one for each element, let no two conditions end at
//! once.

use nalgebra::{DMatrix, DVector};

use super::losses::Losses;
use super::stick_state::{Limits, StickState};

/// Additional limits, as a fraction of the loads.
const APART: f64 = 1e-7;

/// A gear: its element, the losses, the torque without those of elements, and the direction in which it moves already.
pub(super) struct PathGear {
    pub element: usize,
    pub losses: Losses<f64>,
    pub torque: f64,
    pub rolls: Option<f64>,
}

/// A problem with all loads.
pub(super) struct LoadPath {
    /// The matrix of accelerations, with a small diagonal.
    pub a: DMatrix<f64>,
    pub b: DVector<f64>,
    pub limits: Vec<Limits<f64>>,
    pub by_torques: DMatrix<f64>,
    pub gears: Vec<PathGear>,
    /// True if only the driving sides of gears may change.
    pub holds: bool,
}

/// State of an element, and whether flange_b of a gear drives.
pub(super) type State = (StickState, bool);

/// The end of a state: the element, the value of the condition at t = 0 and t = 1, and the next state.
struct End {
    element: usize,
    values: [f64; 2],
    next: State,
}

fn direction(state: StickState) -> f64 {
    match state {
        StickState::Forward => 1.0,
        StickState::Backward => -1.0,
        StickState::Absent | StickState::Holds => 0.0,
    }
}

impl LoadPath {
    fn gear(&self, element: usize) -> Option<(usize, &PathGear)> {
        self.gears.iter().enumerate().find(|(_, gear)| gear.element == element)
    }

    /// Returns the additional limit of an element.
    fn apart(&self, element: usize) -> f64 {
        let largest = self.gears.iter().map(|gear| gear.torque.abs()).fold(0.0, f64::max);
        let stiffness = (0..self.b.len()).map(|i| self.b[i].abs() / self.a[(i, i)]).filter(|size| size.is_finite());
        APART * stiffness.fold(largest, f64::max) * (1.0 + (0.618_034 * (element + 1) as f64).fract())
    }

    /// Returns torque at flange_a without those of elements, and friction of both sides, of a gear at a fraction (0 or 1).
    fn data(&self, gear: &PathGear, t: usize) -> (f64, [f64; 2]) {
        let apart = self.apart(gear.element);
        match (gear.rolls, t) {
            (None, 0) => (0.0, gear.losses.tau.map(|tau| tau + apart)),
            (None, _) => (gear.torque, gear.losses.tau.map(|tau| tau + apart)),
            // Such that it loses nothing without loads, while a drives.
            (Some(direction), 0) => (direction * apart, [-(1.0 - gear.losses.eta[0]) * apart; 2]),
            (Some(_), _) => (gear.torque, gear.losses.tau),
        }
    }

    /// Returns the torques at t = 0 and t = 1 in given states.
    fn torques(&self, states: &[State]) -> Option<[DVector<f64>; 2]> {
        let count = states.len();
        let mut matrix = self.a.clone();
        let mut right = [0.0, 1.0].map(|t| -t * &self.b);
        for (i, (state, side)) in states.iter().enumerate() {
            if *state == StickState::Holds {
                continue;
            }
            matrix.row_mut(i).fill(0.0);
            matrix[(i, i)] = 1.0;
            let Some((g, gear)) = self.gear(i).filter(|_| *state != StickState::Absent) else {
                let [forward, backward] = self.limits[i].map(|limit| limit + self.apart(i));
                let torque = match state {
                    StickState::Forward => -forward,
                    StickState::Backward => backward,
                    _ => 0.0,
                };
                right.iter_mut().for_each(|right| right[i] = torque);
                continue;
            };
            let [eta1, eta2] = gear.losses.eta;
            let (own, slope) = if *side { (eta2, eta2 - 1.0) } else { (1.0, 1.0 - eta1) };
            for j in 0..count {
                matrix[(i, j)] = slope * self.by_torques[(g, j)];
            }
            matrix[(i, i)] += own;
            for (t, right) in right.iter_mut().enumerate() {
                let (m, tau) = self.data(gear, t);
                right[i] = -direction(*state) * if *side { eta2 * tau[1] } else { tau[0] } - slope * m;
            }
        }
        let factors = matrix.lu();
        let [first, last] = right;
        Some([factors.solve(&first)?, factors.solve(&last)?])
    }

    /// Returns the conditions of all states. What holds until both of two conditions end has both as one.
    fn ends(&self, states: &[State], torques: &[DVector<f64>; 2]) -> Vec<Vec<End>> {
        let accelerations = [0, 1].map(|t| &self.a * &torques[t] + &self.b * t as f64);
        let mut ends = Vec::new();
        for (i, (state, side)) in states.iter().enumerate() {
            let both = |of: &dyn Fn(usize) -> f64| [0, 1].map(of);
            let end = |values, next| End { element: i, values, next };
            let sign = direction(*state);
            let gear = self.gear(i);
            let is_rolling = gear.is_some_and(|(_, gear)| gear.rolls.is_some());
            if *state == StickState::Absent || (self.holds && !is_rolling) {
                continue;
            }
            if sign != 0.0 && !is_rolling {
                ends.push(vec![end(both(&|t| sign * accelerations[t][i]), (StickState::Holds, *side))]);
            }
            let Some((g, gear)) = gear else {
                if sign == 0.0 {
                    let [forward, backward] = self.limits[i].map(|limit| limit + self.apart(i));
                    ends.push(vec![end(both(&|t| torques[t][i] + forward), (StickState::Forward, false))]);
                    ends.push(vec![end(both(&|t| backward - torques[t][i]), (StickState::Backward, false))]);
                }
                continue;
            };
            let [eta1, eta2] = gear.losses.eta;
            let data = both(&|t| self.data(gear, t).0 + (self.by_torques.row(g) * &torques[t])[0]);
            let tau = [0, 1].map(|t| self.data(gear, t).1);
            if sign == 0.0 {
                for (sign, next) in [(1.0, StickState::Forward), (-1.0, StickState::Backward)] {
                    let line = |t: usize| sign * torques[t][i] + (1.0 - eta1) * sign * data[t] + tau[t][0];
                    let back = |t: usize| eta2 * (sign * torques[t][i] + tau[t][1]) + (eta2 - 1.0) * sign * data[t];
                    ends.push(vec![end(both(&line), (next, false)), end(both(&back), (next, true))]);
                }
            } else {
                let denominator = 1.0 - eta1 * eta2;
                if denominator > 1e-12 {
                    let corner = |t: usize| eta2 * (tau[t][1] - tau[t][0]) / denominator;
                    let above = both(&|t| sign * data[t] - corner(t));
                    ends.push(vec![end(above.map(|above| if *side { -above } else { above }), (*state, !*side))]);
                }
            }
        }
        ends
    }

    /// Follows the path from states without loads to those with all.
    pub fn follow(&self, mut states: Vec<State>) -> Option<Vec<State>> {
        let (mut t, mut forward, mut crossed) = (0.0_f64, 1.0, None::<(usize, State)>);
        for _ in 0..300 * (states.len() + 1) {
            let torques = self.torques(&states)?;
            let ends = self.ends(&states, &torques);
            let slope = |end: &End| end.values[1] - end.values[0];
            // The condition of the new state towards the one before holds behind the crossing.
            if let Some((element, before)) = crossed {
                let back = ends.iter().flatten().find(|end| {
                    end.element == element
                        && end.next.0 == before.0
                        && (before.0 == StickState::Holds || end.next.1 == before.1)
                        || end.element == element && states[element].0 == StickState::Holds && end.next == before
                });
                forward = slope(back?).signum();
            }
            let mut first: Option<(f64, usize, State)> = None;
            for group in &ends {
                // The group ends where the last of its conditions does.
                let value = |end: &End, t: f64| end.values[0] + t * slope(end);
                let roots =
                    group.iter().filter(|end| slope(end) * forward < 0.0).map(|end| (-end.values[0] / slope(end), end));
                for (root, end) in roots {
                    let is_behind =
                        crossed.is_some_and(|(element, before)| element == end.element && before == end.next);
                    let others_hold = group.iter().any(|other| {
                        !std::ptr::eq(other, end)
                            && (value(other, root) > 0.0 || (value(other, root) == 0.0 && slope(other) * forward > 0.0))
                    });
                    let ahead = (root - t) * forward;
                    if is_behind || others_hold || ahead < -1e-12 {
                        continue;
                    }
                    if first.is_none_or(|(known, ..)| ahead < (known - t) * forward) {
                        first = Some((root, end.element, end.next));
                    }
                }
            }
            match first {
                Some((root, element, next)) if root < 1.0 || forward < 0.0 => {
                    if root < -1e-9 {
                        return None;
                    }
                    crossed = Some((element, states[element]));
                    states[element] = next;
                    t = root;
                }
                _ if forward > 0.0 => return Some(states),
                _ => return None,
            }
        }
        None
    }
}
