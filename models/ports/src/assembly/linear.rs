//! The linear form of an assembly: accelerations of inner frames and loads at outer frames, by those that are given.
//!
//! With the motion fixed, loads are linear, so their matrix M follows from unit loads. Without mass no power is lost:
//! for all velocities, the power of the loads at outer frames, M times those at inner frames, is the opposite of
//! that at inner frames. So velocities of inner frames are −Mᵀ times those of outer frames, each resolved as its loads, and
//! accelerations depend on accelerations as velocities on velocities.

use crate::{AcceleratedFrame, FrameLoad};
use fmu_runtime::{Jacobian, JacobianIndex, Scalar};
use mechanics::frame::Load;
use mechanics::motion::Motion;
use nalgebra::{Matrix3, RowVector3, Vector3};

/// A frame with the indices of its variables.
pub struct FrameIndices<'a, T: Scalar> {
    /// Rotation matrix from the world frame to the frame.
    pub rotation: &'a Matrix3<T>,
    /// Its force and torque.
    pub load: [[JacobianIndex; 3]; 2],
    /// Its acceleration and angular acceleration.
    pub acceleration: [[JacobianIndex; 3]; 2],
}

/// The indices of a drive.
#[derive(Clone, Copy)]
pub struct DriveIndices {
    /// Force or torque.
    effort: JacobianIndex,
    /// Acceleration.
    acceleration: JacobianIndex,
    /// The reaction at the bearing.
    reaction: JacobianIndex,
}

/// The indices of an assembly.
pub struct AssemblyIndices<'a, T: Scalar, const N: usize> {
    /// Indices of the outer frames.
    pub outer: [FrameIndices<'a, T>; 2],
    /// Indices of the inner frames.
    pub inner: [FrameIndices<'a, T>; N],
    /// The vector from the last but one to the last inner frame, if these are parallel frames of one body, resolved in them.
    pub arm: Option<Vector3<T>>,
    /// The drive.
    pub drive: DriveIndices,
    /// The force in rod 1, if there is one.
    pub f_rod: Option<JacobianIndex>,
}

/// Loads at the outer frames, and the force in rod 1.
pub struct Response<T: Scalar> {
    /// Loads at frame_a and frame_b.
    pub outer: [Load<T>; 2],
    /// The force in rod 1.
    pub f_rod: T,
}

impl<T: Scalar> From<[Load<T>; 2]> for Response<T> {
    fn from(outer: [Load<T>; 2]) -> Self {
        Self { outer, f_rod: T::zero() }
    }
}

/// A load that acts on an assembly alone.
pub enum Applied<T: Scalar> {
    /// A load at the inner frame of this index.
    AtInner(usize, Load<T>),
    /// The effort of the drive.
    Drive(T),
}

/// The loads at the outer frames of what acts alone; never of a load at the end of an arm.
pub type OuterLoads<'a, T> = dyn Fn(Applied<T>) -> Response<T> + 'a;

/// A matrix for each outer frame, and for force and torque there or for acceleration and angular acceleration.
pub type Blocks<T> = [[Matrix3<T>; 2]; 2];

/// Response to the three components of a vector: force and torque at each outer frame, by columns, and force in rod 1.
#[derive(Clone, Copy)]
struct Columns<T: Scalar> {
    loads: Blocks<T>,
    f_rod: RowVector3<T>,
}

impl<T: Scalar> Columns<T> {
    fn new(response: &dyn Fn(Vector3<T>) -> Response<T>) -> Self {
        let unit = |i| response(Vector3::ith(i, T::one()));
        let [x, y, z] = [unit(0), unit(1), unit(2)];
        let load = |i: usize| {
            let columns = [&x.outer[i], &y.outer[i], &z.outer[i]];
            [columns.map(|load| load.f), columns.map(|load| load.t)].map(|vectors| Matrix3::from_columns(&vectors))
        };
        Self { loads: [load(0), load(1)], f_rod: RowVector3::new(x.f_rod, y.f_rod, z.f_rod) }
    }

    /// Computes the response to a force at the end of an arm, given as the matrix of its cross product, from the
    /// responses to a force and to a torque at its beginning.
    fn of_force_at(arm: &Matrix3<T>, [force, torque]: &[Self; 2]) -> Self {
        let load = |i: usize, kind: usize| force.loads[i][kind] + torque.loads[i][kind] * arm;
        let loads = [0, 1].map(|i| [load(i, 0), load(i, 1)]);
        Self { loads, f_rod: force.f_rod + torque.f_rod * arm }
    }
}

impl<'a, T: Scalar> FrameIndices<'a, T> {
    /// The indices of a frame with this motion.
    pub fn new(motion: &'a Motion<T>, indices: &AcceleratedFrame<T>, load: &FrameLoad<T>) -> Self {
        let of_vectors = |vectors: [&Vector3<T>; 2]| vectors.map(|vector| JacobianIndex::of_vector(&(*vector).into()));
        Self {
            rotation: &motion.T,
            load: of_vectors([&load.f, &load.t]),
            acceleration: of_vectors([&indices.a_0, &indices.z]),
        }
    }

    /// Returns true if the matrix has a row or column of the frame.
    fn takes_part(&self) -> bool {
        self.load.iter().chain(&self.acceleration).flatten().any(|index| index.exists())
    }
}

impl DriveIndices {
    /// From variables that hold their indices: effort, acceleration and reaction at the bearing.
    pub fn new<T: Scalar>(effort: T, acceleration: T, reaction: T) -> Self {
        let [effort, acceleration, reaction] = [effort, acceleration, reaction].map(JacobianIndex::of);
        Self { effort, acceleration, reaction }
    }
}

impl<T: Scalar, const N: usize> AssemblyIndices<'_, T, N> {
    /// Sets the derivatives of an assembly without mass, with the loads at the outer frames that follow from loads at the
    /// inner frames and the drive. Returns how the acceleration of the last inner frame follows from those of the outer
    /// frames, if that `is_needed`.
    pub fn set(&self, jacobian: &mut Jacobian<'_>, is_needed: bool, loads: &OuterLoads<'_, T>) -> Blocks<T> {
        let takes_part = |i: usize| self.inner[i].takes_part() || (is_needed && i + 1 == N);
        let mut both = [Columns { loads: [[Matrix3::zeros(); 2]; 2], f_rod: RowVector3::zeros() }; 2];
        let mut moved = [[[Matrix3::zeros(); 2]; 2]; 2];
        for (i, inner) in self.inner.iter().enumerate() {
            let begins_arm = self.arm.is_some() && i + 2 == N;
            let is_used = takes_part(i) || (begins_arm && takes_part(N - 1));
            if !is_used {
                continue;
            }
            match &self.arm {
                Some(arm) if i + 1 == N => {
                    let arm = arm.cross_matrix();
                    both[0] = Columns::of_force_at(&arm, &both);
                    // The torque moves this frame as it moves the frame before.
                    let turning = -inner.rotation.tr_mul(&arm);
                    let [forces, torques] = &mut moved;
                    for (force, torque) in forces.iter_mut().flatten().zip(torques.iter().flatten()) {
                        *force += turning * torque;
                    }
                }
                _ => {
                    for kind in 0..2 {
                        both[kind] = Columns::new(&|unit| {
                            let mut given = Load::none();
                            *(if kind == 0 { &mut given.f } else { &mut given.t }) = unit;
                            loads(Applied::AtInner(i, given))
                        });
                        moved[kind] = self.accelerations(&both[kind].loads);
                    }
                    // Accelerations of origins are resolved in the world frame.
                    for part in moved[0].iter_mut().flatten() {
                        *part = product(inner.rotation, part);
                    }
                }
            }
            for (kind, columns) in both.iter().enumerate() {
                self.set_loads(jacobian, inner.load[kind], columns);
                for (outer, parts) in self.outer.iter().zip(&moved[kind]) {
                    for (from, part) in outer.acceleration.iter().zip(parts) {
                        set_block(jacobian, inner.acceleration[kind], *from, part);
                    }
                }
            }
        }
        self.set_drive(jacobian, &loads(Applied::Drive(T::one())));
        moved[0]
    }

    /// Sets the derivatives by accelerations of loads that follow from the sum of the accelerations of frame_a and of the
    /// last inner frame; `moved` is what [`set`](Self::set) returned.
    pub fn set_inertia(
        &self,
        jacobian: &mut Jacobian<'_>,
        moved: &Blocks<T>,
        loads: &dyn Fn(Vector3<T>) -> Response<T>,
    ) {
        let columns = Columns::new(loads);
        for (i, (outer, parts)) in self.outer.iter().zip(moved).enumerate() {
            for (kind, (from, part)) in outer.acceleration.iter().zip(parts).enumerate() {
                let sum = if (i, kind) == (0, 0) { part + Matrix3::identity() } else { *part };
                let loads = columns.loads.map(|of| of.map(|load| load * sum));
                self.set_loads(jacobian, *from, &Columns { loads, f_rod: columns.f_rod * sum });
            }
        }
    }

    fn set_loads(&self, jacobian: &mut Jacobian<'_>, from: [JacobianIndex; 3], columns: &Columns<T>) {
        for (outer, parts) in self.outer.iter().zip(&columns.loads) {
            for (load, part) in outer.load.iter().zip(parts) {
                set_block(jacobian, *load, from, part);
            }
        }
        if let Some(f_rod) = self.f_rod {
            (0..3).for_each(|i| jacobian.set(f_rod, from[i], columns.f_rod[i]));
        }
    }

    /// Returns the velocities along unit loads, by the accelerations of the outer frames.
    fn accelerations(&self, loads: &Blocks<T>) -> Blocks<T> {
        let along = |i: usize| {
            let [f, t] = &loads[i];
            let across = if is_zero(f) { *f } else { -f.tr_mul(self.outer[i].rotation) };
            [across, -t.transpose()]
        };
        [along(0), along(1)]
    }

    fn set_drive(&self, jacobian: &mut Jacobian<'_>, response: &Response<T>) {
        let DriveIndices { effort, acceleration, reaction } = self.drive;
        for (outer, load) in self.outer.iter().zip(&response.outer) {
            let moved = [outer.rotation.tr_mul(&load.f), load.t];
            for (kind, vector) in [load.f, load.t].iter().enumerate() {
                for i in 0..3 {
                    jacobian.set(outer.load[kind][i], effort, vector[i]);
                    jacobian.set(acceleration, outer.acceleration[kind][i], -moved[kind][i]);
                }
            }
        }
        jacobian.set(reaction, effort, -T::one());
        if let Some(f_rod) = self.f_rod {
            jacobian.set(f_rod, effort, response.f_rod);
        }
    }
}

/// Multiplies the transpose of a rotation matrix by a matrix. Many parts of an assembly do not act on each other.
fn product<T: Scalar>(rotation: &Matrix3<T>, part: &Matrix3<T>) -> Matrix3<T> {
    if is_zero(part) { *part } else { rotation.tr_mul(part) }
}

fn is_zero<T: Scalar>(block: &Matrix3<T>) -> bool {
    block.iter().all(|entry| *entry == T::zero())
}

#[inline(always)]
fn set_block<T: Scalar>(
    jacobian: &mut Jacobian<'_>,
    rows: [JacobianIndex; 3],
    columns: [JacobianIndex; 3],
    block: &Matrix3<T>,
) {
    jacobian.set_block(rows, columns, &block.transpose().into());
}
