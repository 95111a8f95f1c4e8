//! Random mechanisms, assembled forwards: joint by joint from frame_b to frame_a.

use mechanics::assembly::{
    Branch, CutLoads, DrivenJoint, InnerLoads, PointMass, Prismatic, Revolute, Singular, SphericalSpherical, Universal,
    UniversalPrismatic, UniversalSpherical, first_branch,
};
use mechanics::frame::Load;
use mechanics::motion::{Coordinate, Motion};
use nalgebra::{Rotation3, Vector3};
use proptest::prelude::*;

pub type V = Vector3<f64>;

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Kind {
    Ups,
    Usr,
    Usp,
    Ssr,
    Ssp,
}

pub const KINDS: [Kind; 5] = [Kind::Ups, Kind::Usr, Kind::Usp, Kind::Ssr, Kind::Ssp];

/// Random numbers between -1 and 1, the same ones for the same seed: splitmix64.
pub struct Dice(pub u64);

impl Dice {
    pub fn number(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut bits = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        bits = (bits ^ (bits >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((bits ^ (bits >> 31)) >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
    }
    fn vector(&mut self) -> V {
        V::from_fn(|_, _| self.number())
    }
    /// Returns a vector that is not too short.
    fn arm(&mut self) -> Option<V> {
        let vector = self.vector();
        (vector.norm() > 0.2).then_some(vector)
    }
    fn load(&mut self, scale: f64) -> Load<f64> {
        Load { f: self.vector(), t: self.vector() * scale }
    }
    fn motion(&mut self, r_0: V, scale: f64) -> Motion<f64> {
        let rotation = Rotation3::from_scaled_axis(self.vector() * 3.0);
        Motion {
            r_0,
            T: rotation.matrix().transpose(),
            v_0: self.vector() * scale,
            w: self.vector(),
            a_0: self.vector() * scale,
            z: self.vector(),
        }
    }
}

/// A mechanism of the size `scale` in a known configuration.
#[derive(Clone, Debug)]
pub struct Mechanism {
    pub kind: Kind,
    pub n1: V,
    pub rod1: V,
    pub e: V,
    pub q: V,
    pub mass: PointMass<f64>,
    pub a: Motion<f64>,
    pub b: Motion<f64>,
    /// Coordinate with which the mechanism was assembled.
    pub x: f64,
    pub ia: Load<f64>,
    pub inner: InnerLoads<f64>,
}

/// Motion and loads by the equations under test.
pub struct Solution {
    pub x: Coordinate<f64>,
    pub ia: Option<Motion<f64>>,
    pub ib: Motion<f64>,
    pub im: Option<Motion<f64>>,
    pub loads: CutLoads<f64>,
}

impl Mechanism {
    /// Assembles a random mechanism; none if the seed gives one near its singularities.
    pub fn new(kind: Kind, scale: f64, seed: u64) -> Option<Self> {
        let mut dice = Dice(seed);
        let (n1, rod1) = (dice.arm()?, dice.arm()? * scale);
        let e = dice.arm()?.normalize();
        let q = dice.arm()? * scale;
        let along = dice.arm()?.normalize();
        let x = dice.number() * if matches!(kind, Kind::Usr | Kind::Ssr) { 3.0 } else { scale };
        let origin = dice.vector() * scale;
        let b = dice.motion(origin, scale);
        let length = rod1.norm();
        let (ib, lever) = match kind {
            Kind::Usr | Kind::Ssr => {
                let turn = Rotation3::from_scaled_axis(-e * x);
                let axis = b.T.transpose() * e;
                let ib = Motion { T: turn.matrix() * b.T, ..b };
                let arm = ib.T.transpose() * q;
                (ib, axis.cross(&arm).dot(&along) / arm.norm())
            }
            _ => {
                let axis = b.T.transpose() * e;
                (Motion { r_0: b.r_0 + axis * x, ..b }, axis.dot(&along))
            }
        };
        let sphere = if kind == Kind::Ups { b.r_0 } else { ib.r_0 + ib.T.transpose() * q };
        let a = dice.motion(sphere - along * length, scale);
        let away = n1.normalize().cross(&(a.T * along)).norm();
        let straight = n1.normalize().cross(&rod1.normalize()).norm();
        if (kind != Kind::Ups && lever.abs() < 0.1) || away < 0.1 || straight < 0.1 {
            return None;
        }
        let ia = dice.load(scale);
        let torque = if matches!(kind, Kind::Usr | Kind::Ssr) { scale } else { 1.0 };
        let inner = InnerLoads { ib: dice.load(scale), im: dice.load(scale), drive: dice.number() * torque };
        let mass = PointMass { m: dice.number().abs(), g: V::new(0.0, -9.80665, 0.0) * scale, neglected: false };
        let mass = PointMass { m: if matches!(kind, Kind::Ssr | Kind::Ssp) { mass.m } else { 0.0 }, ..mass };
        let x = if kind == Kind::Ups { length } else { x };
        Some(Self { kind, n1, rod1, e, q, mass, a, b, x, ia, inner })
    }

    pub fn length(&self) -> f64 {
        self.rod1.norm()
    }

    pub fn solve(&self) -> Result<Solution, Singular> {
        self.solve_at(&self.a, &self.b, self.length())
    }

    /// Solves the mechanism with other outer frames, and another length of rod 1.
    pub fn solve_at(&self, a: &Motion<f64>, b: &Motion<f64>, length: f64) -> Result<Solution, Singular> {
        let (e, q) = (self.e, self.q);
        match self.kind {
            Kind::Ups => self.solve_ups(a, b),
            Kind::Usr => self.solve_usx(a, b, length, Revolute { e, q }),
            Kind::Usp => self.solve_usx(a, b, length, Prismatic { e, q }),
            Kind::Ssr => self.solve_ssx(a, b, length, Revolute { e, q }),
            Kind::Ssp => self.solve_ssx(a, b, length, Prismatic { e, q }),
        }
    }

    fn solve_ups(&self, a: &Motion<f64>, b: &Motion<f64>) -> Result<Solution, Singular> {
        let assembly = UniversalPrismatic { universal: Universal::new(&self.n1, &self.rod1) };
        let pose = assembly.pose(a, b)?;
        let [at_a, at_b] = assembly.loads([a, b], &pose, &self.ia, &self.inner.ib, self.inner.drive);
        let loads = CutLoads { a: at_a, b: at_b, f_rod: self.inner.drive, aux: 1.0 };
        Ok(Solution { x: pose.x, ia: Some(pose.universal.ia), ib: pose.ib, im: None, loads })
    }

    fn branch(
        &self,
        joint: &impl DrivenJoint<f64>,
        a: &Motion<f64>,
        b: &Motion<f64>,
        length: f64,
    ) -> Result<Branch, Singular> {
        first_branch(joint, a, b, length, self.x)
    }

    fn solve_usx<J: DrivenJoint<f64>>(
        &self,
        a: &Motion<f64>,
        b: &Motion<f64>,
        length: f64,
        joint: J,
    ) -> Result<Solution, Singular> {
        let branch = self.branch(&joint, a, b, length)?;
        let assembly = UniversalSpherical::new(&self.n1, &(self.rod1.normalize() * length), joint);
        let pose = assembly.pose(a, b, branch)?;
        let loads = assembly.loads([a, b], &pose, &self.ia, &self.inner);
        let (closed, ia) = (pose.closed, pose.universal.ia);
        Ok(Solution { x: closed.x, ia: Some(ia), ib: closed.ib, im: Some(closed.im), loads })
    }

    fn solve_ssx<J: DrivenJoint<f64>>(
        &self,
        a: &Motion<f64>,
        b: &Motion<f64>,
        length: f64,
        joint: J,
    ) -> Result<Solution, Singular> {
        let branch = self.branch(&joint, a, b, length)?;
        let assembly = SphericalSpherical { length, mass: self.mass, joint };
        let pose = assembly.pose(a, b, branch)?;
        let loads = assembly.loads([a, b], &pose, &self.inner);
        Ok(Solution { x: pose.closed.x, ia: None, ib: pose.closed.ib, im: Some(pose.closed.im), loads })
    }

    /// Returns the powers that flow in at the inner frames, the drive and the mass; of the mass only the inertia and
    /// weight given by `forces`, on the velocities of this solution.
    pub fn inner_powers(&self, solution: &Solution, a: &Motion<f64>, forces: &Solution) -> Vec<f64> {
        let mut powers = vec![solution.ib.power(&self.inner.ib), self.inner.drive * solution.x.v];
        powers.extend(solution.ia.map(|ia| ia.power(&self.ia)));
        if let (Some(im), Some(forces)) = (solution.im, forces.im) {
            powers.push(im.power(&self.inner.im));
            let velocities = Motion { a_0: forces.a_0, ..im };
            powers.push(self.mass.power(&Motion { a_0: self.a.a_0, ..*a }, &velocities));
        }
        powers
    }
}

/// Returns a number of random cases: `all` with TEST_ALL, which `cargo xtask test --all` sets.
pub fn cases(all: u32) -> u32 {
    if std::env::var_os("TEST_ALL").is_some() { all } else { all.min(256) }
}

/// Calls `check` with `count` random mechanisms of each kind, or with fewer; see [`cases`].
pub fn for_all(count: u32, scale: f64, check: impl Fn(&Mechanism) -> Result<(), TestCaseError>) {
    for kind in KINDS {
        // About one in four seeds gives a mechanism.
        let config = ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(cases(count)) };
        let config = ProptestConfig { max_global_rejects: 20 * count, ..config };
        let result = proptest::test_runner::TestRunner::new(config).run(&any::<u64>(), |seed| {
            let Some(mechanism) = Mechanism::new(kind, scale, seed) else {
                return Err(TestCaseError::reject("near a singularity"));
            };
            check(&mechanism)
        });
        if let Err(error) = result {
            panic!("{kind:?}: {error}");
        }
    }
}
