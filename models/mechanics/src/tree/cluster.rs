//! Coordinates of articulated bodies that are eliminated together: those of a ring of joints, of joints that gears tie to each
//! other, or of joints that move links of an assembly.
//!
//! Inwards each stays open from its joints up to the last link that has all of them behind it. There F are the loads that keep
//! the link at rest while the coordinates accelerate, and H their inertias. With rates y = Z w + d that fulfil the conditions of
//! rings ([`NullSpace`]):
//!
//! ```text
//! H_j += S.F_j,   H_own += S.F_own + S.U,   F_own += U        at each joint S of a coordinate: U = A S
//! h = S.F,   F -= U h / D,   H -= h h^T / D                    at each other joint S, which is eliminated at once
//! Z^T H Z = L L^T,   Y = L^-1 Z^T F^T,   A -= Y^T Y           at the last link
//! u = L^-1 Z^T (tau - H d),   p += F d + Y^T u                for loads tau: inwards
//! y = Z L^-T (u - Y a) + d                                    and outwards
//! ```

use std::ops::Range;

use nalgebra::{DMatrix, Vector3};

use super::articulated_inertia::ArticulatedInertia;
use super::pivot::Pivot;
use crate::frame::Load;
use crate::null_space::NullSpace;
use crate::{Scalar, value, vanishes};

/// Coordinates that are eliminated together.
#[derive(Clone, Debug)]
#[allow(non_snake_case)]
pub(super) struct Cluster<T: Scalar> {
    /// Their numbers, in rising order.
    pub coordinates: Vec<usize>,
    /// Inertias that they move without the mechanism.
    J: DMatrix<T>,
    /// Lower half of H.
    H: DMatrix<T>,
    /// For each coordinate, a limit of its inertia if nothing else gives way.
    most: Vec<f64>,
    /// Place of F at the last link, empty if that is the world.
    pub columns: Range<usize>,
    /// Conditions on the rates.
    pub space: NullSpace<T>,
    /// Y, row after row.
    rows: Vec<Load<T>>,
    /// Loads on the coordinates, and on the free directions.
    loads: Vec<T>,
    halves: Vec<T>,
}

#[allow(non_snake_case)]
impl<T: Scalar> Cluster<T> {
    /// Makes a cluster without conditions; `J` are the inertias that two coordinates share without the mechanism.
    #[inline(never)]
    pub fn new(coordinates: Vec<usize>, columns: Range<usize>, J: impl Fn(usize, usize) -> T) -> Self {
        let count = coordinates.len();
        let J = DMatrix::from_fn(count, count, |i, j| J(coordinates[i], coordinates[j]));
        Self {
            H: J.clone(),
            J,
            most: vec![0.0; count],
            columns,
            space: NullSpace::new(count, 0, 0),
            rows: vec![Load::none(); count],
            loads: vec![T::zero(); count],
            halves: vec![T::zero(); count],
            coordinates,
        }
    }

    /// Begins with what does not depend on the mechanism.
    pub fn begin(&mut self) {
        self.H.copy_from(&self.J);
        self.most.iter_mut().enumerate().for_each(|(k, most)| *most = value(self.J[(k, k)]));
    }

    /// Adds an inertia that two coordinates share, or to the own one of a coordinate.
    pub fn couple(&mut self, one: usize, other: usize, mass: T) {
        self.H[(one.max(other), one.min(other))] += mass;
    }

    /// Opens a coordinate at a joint, beside which the cluster has these loads F.
    #[inline(never)]
    pub fn open(&mut self, own: usize, pivot: &Pivot<T>, columns: &mut [Load<T>], most: f64) {
        for (j, column) in columns.iter().enumerate() {
            let mass = pivot.along(column);
            self.couple(own, j, if own == j { mass + mass } else { mass });
        }
        self.couple(own, own, pivot.along(&pivot.load));
        self.most[own] += most;
        columns[own].f += pivot.load.f;
        columns[own].t += pivot.load.t;
    }

    /// Eliminates another joint, where the cluster has these loads F; sets what couples both.
    #[inline(never)]
    pub fn pass(&mut self, pivot: &Pivot<T>, columns: &mut [Load<T>], couplings: &mut [T]) {
        for j in 0..columns.len() {
            couplings[j] = pivot.along(&columns[j]);
            let by = couplings[j] * pivot.inverse;
            columns[j].f -= pivot.load.f * by;
            columns[j].t -= pivot.load.t * by;
            couplings[..=j].iter().enumerate().for_each(|(i, h)| self.H[(j, i)] -= *h * by);
        }
    }

    /// Eliminates the coordinates, where they have these loads F, from the inertia of the last link.
    ///
    /// # Errors
    ///
    /// Returns a coordinate that moves nothing that has inertia, perhaps.
    #[inline(never)]
    pub fn eliminate(
        &mut self,
        columns: &[Load<T>],
        inertia: Option<&mut ArticulatedInertia<T>>,
        most: &mut dyn FnMut(&[usize], &mut [f64]),
    ) -> Result<(), usize> {
        let Self { coordinates, H, most: limits, space, rows, .. } = self;
        space.reduce(H).map_err(|k| coordinates[k])?;
        if space.without_inertia(limits).is_some() {
            most(coordinates, limits);
            if let Some(k) = space.without_inertia(limits) {
                return Err(coordinates[k]);
            }
        }
        let Some(inertia) = inertia else { return Ok(()) };
        let count = space.directions();
        for j in 0..count {
            let mut row = Load::none();
            for (k, Load { f, t }) in columns.iter().enumerate() {
                let by = space.free(k, j);
                row.f += f * by;
                row.t += t * by;
            }
            for (i, before) in rows[..j].iter().enumerate() {
                let by = space.root(j, i);
                row.f -= before.f * by;
                row.t -= before.t * by;
            }
            let by = T::one() / space.root(j, j);
            rows[j] = Load { f: row.f * by, t: row.t * by };
            inertia.eliminate_joint(&rows[j], T::one());
        }
        Ok(())
    }

    /// True if there are loads on the coordinates among those of all.
    pub fn is_loaded(&self, loads: &[T]) -> bool {
        self.coordinates.iter().any(|k| !vanishes(loads[*k]))
    }

    /// Replaces the loads on the coordinates by those that are left, in the first places; adds to the load on the last link.
    #[inline(never)]
    pub fn halve(&mut self, columns: &[Load<T>], all: &mut [T], load: &mut Load<T>, drifts: bool) {
        let Self { coordinates, H, space, rows, loads, halves, .. } = self;
        loads.iter_mut().zip(&*coordinates).for_each(|(own, k)| *own = all[*k]);
        if drifts {
            for (i, own) in loads.iter_mut().enumerate() {
                let entry = |k: usize| if i >= k { H[(i, k)] } else { H[(k, i)] };
                *own = space.drift.iter().enumerate().fold(*own, |left, (k, drift)| left - entry(k) * *drift);
            }
            for (Load { f, t }, drift) in columns.iter().zip(&space.drift) {
                load.f += f * *drift;
                load.t += t * *drift;
            }
        }
        let halves = &mut halves[..space.directions()];
        space.halve(loads, halves);
        coordinates.iter().for_each(|k| all[*k] = T::zero());
        for ((u, k), Load { f, t }) in halves.iter().zip(&*coordinates).zip(&*rows) {
            all[*k] = *u;
            load.f += f * *u;
            load.t += t * *u;
        }
    }

    /// Replaces the loads that are left by the accelerations of the coordinates, where the last link has this one.
    #[inline(never)]
    pub fn accelerate(&mut self, all: &mut [T], [s, z]: &[Vector3<T>; 2], drifts: bool) {
        let Self { coordinates, space, rows, loads, halves, .. } = self;
        let halves = &mut halves[..space.directions()];
        for ((own, k), Load { f, t }) in halves.iter_mut().zip(&*coordinates).zip(&*rows) {
            *own = all[*k] - f.dot(s) - t.dot(z);
        }
        space.finish(halves, loads, drifts);
        coordinates.iter().zip(&*loads).for_each(|(k, own)| all[*k] = *own);
    }
}
