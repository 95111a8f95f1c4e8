//! An independent solution of the chain without FMUs: all clutches are solved together, by trying every combination of
//! modes.

use nalgebra::{DMatrix, DVector};

use super::chain::Chain;

/// Contact of a clutch: sliding in a direction, stuck, or neither.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Contact {
    Free,
    Stuck,
    Slides(f64),
}

/// Fraction of the largest velocity below which relative velocities are 0.
const ZERO: f64 = 1e-12;

/// Returns the motion after each of the loads; `None` where the law does not determine it, which happens with peak > 1
/// only: either of two elements may break away.
pub fn motions(chain: &Chain) -> Option<Vec<Vec<[f64; 2]>>> {
    let mut motion: Vec<[f64; 2]> = chain.speeds.iter().map(|w| [0.0, *w]).collect();
    let mut motions = Vec::new();
    for (forces, torques) in &chain.loads {
        let mut rest = chain.interval;
        for _ in 0..1000 {
            let (contacts, accelerations) = contacts(chain, forces, torques, &motion)?;
            let mut h = rest;
            for (k, contact) in contacts.iter().enumerate() {
                let [w, a] = [motion[k + 1][1] - motion[k][1], accelerations[k + 1] - accelerations[k]];
                if let Contact::Slides(direction) = contact
                    && direction * a < 0.0
                {
                    h = h.min(-w / a);
                }
            }
            for ([phi, w], a) in motion.iter_mut().zip(&accelerations) {
                (*phi, *w) = (*phi + (*w + 0.5 * a * h) * h, *w + a * h);
            }
            rest -= h;
            if rest <= 0.0 {
                break;
            }
        }
        assert!(rest <= 0.0, "events without end");
        motions.push(motion.clone());
    }
    Some(motions)
}

/// Returns the contacts and accelerations at a point. A single element stays stuck if it can; several may have one
/// solution only.
fn contacts(chain: &Chain, forces: &[f64], torques: &[f64], motion: &[[f64; 2]]) -> Option<(Vec<Contact>, Vec<f64>)> {
    let size = motion.iter().fold(1.0_f64, |most, [_, w]| most.max(w.abs()));
    let choices: Vec<Vec<Contact>> = (0..forces.len())
        .map(|k| {
            let w = motion[k + 1][1] - motion[k][1];
            match w {
                _ if forces[k] <= 0.0 => vec![Contact::Free],
                w if w.abs() > ZERO * size => vec![Contact::Slides(w.signum())],
                _ => vec![Contact::Stuck, Contact::Slides(1.0), Contact::Slides(-1.0)],
            }
        })
        .collect();
    let mut all = vec![Vec::new()];
    for choice in &choices {
        all = all.iter().flat_map(|head| choice.iter().map(|next| [&head[..], &[*next]].concat())).collect();
    }
    all.sort_by_key(|contacts| contacts.iter().filter(|contact| **contact != Contact::Stuck).count());
    let mut found = all.into_iter().filter_map(|contacts| {
        let (accelerations, held) = solve(chain, forces, torques, &contacts);
        let is_consistent = contacts.iter().enumerate().all(|(k, contact)| match contact {
            Contact::Stuck => held[k].abs() <= chain.peaks[k] * chain.tau0[k] * forces[k] * (1.0 + 1e-12),
            Contact::Slides(direction) if choices[k].len() > 1 => {
                direction * (accelerations[k + 1] - accelerations[k]) > 0.0
            }
            _ => true,
        });
        is_consistent.then_some((contacts, accelerations))
    });
    let first = found.next().expect("a solution");
    let stays = first.0 == [Contact::Stuck];
    (stays || found.next().is_none()).then_some(first)
}

/// Returns accelerations of the shafts and torques of the clutches: `J_i a_i = T_i + tau_i - tau_(i - 1)`.
fn solve(chain: &Chain, forces: &[f64], torques: &[f64], contacts: &[Contact]) -> (Vec<f64>, Vec<f64>) {
    let (shafts, clutches) = (torques.len(), contacts.len());
    let (mut matrix, mut right) =
        (DMatrix::zeros(shafts + clutches, shafts + clutches), DVector::zeros(shafts + clutches));
    for shaft in 0..shafts {
        matrix[(shaft, shaft)] = chain.inertias[shaft];
        right[shaft] = torques[shaft];
    }
    for (k, contact) in contacts.iter().enumerate() {
        let row = shafts + k;
        matrix[(k, row)] = -1.0;
        matrix[(k + 1, row)] = 1.0;
        match contact {
            Contact::Stuck => (matrix[(row, k)], matrix[(row, k + 1)]) = (-1.0, 1.0),
            Contact::Slides(direction) => {
                matrix[(row, row)] = 1.0;
                right[row] = direction * chain.tau0[k] * forces[k];
            }
            Contact::Free => matrix[(row, row)] = 1.0,
        }
    }
    let solution = matrix.lu().solve(&right).expect("a solution");
    (solution.rows(0, shafts).iter().copied().collect(), solution.rows(shafts, clutches).iter().copied().collect())
}
