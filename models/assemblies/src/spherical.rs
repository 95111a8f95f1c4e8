//! Ports of assemblies whose rod 1 has a spherical joint at both ends and a mass in the middle.

use fmu_runtime::{Jacobian, ModelError, Scalar, group};
use mechanics::assembly::{Branch, InnerLoads, Joint, PointMass, SphericalSpherical, SphericalSphericalPose};
use mechanics::motion::{Coordinate, Motion};
use nalgebra::Vector3;

use crate::frames::{OuterFrames, Rod2Frames, power};
use crate::linear::{DrivePlaces, Places};
use crate::{Names, PortOptions};

group! {
    /// All frames, and what follows at rod 1.
    pub struct SphericalFrames<T>(o: PortOptions) {
        group outer: OuterFrames<T> = o, "Outer frames", name = "";
        group rod2: Rod2Frames<T> = o, "Rod 2", name = "";
        output f_rod: T, N, "Force in rod 1 between frame_a and its mass, positive if it is pressed";
        output totalPower: T, W, "Power that flows in at frames, axis and mass, zero but for rounding", when = o.checkTotalPower;
    }
}

group! {
    /// Rod 1; the option is whether it can have a mass, which needs accelerations.
    pub struct Rod1<T>(accelerations: bool) {
        rod1Length: T = 1.0, M, "Distance between the origins of the two spherical joints", min = 1e-15;
        rod1Mass: T = 0.0, KG, "Mass of rod 1 (= point mass located in middle of rod connecting the two spherical joints)", min = 0.0, when = accelerations;
        g: Vector3<T> = [0.0, -9.80665, 0.0], M_PER_S2, "Acceleration of gravity, resolved in the world frame",
            when = accelerations, modelica = "MechanicalFMUs.Internal.uniformGravity(world.gravityType, world.g, world.n, rod1Mass)";
    }
}

impl<T: Scalar> Rod1<T> {
    /// The mass of rod 1.
    pub fn mass(&self) -> PointMass<T> {
        PointMass { m: self.rod1Mass, g: self.g, neglected: false }
    }
}

impl<T: Scalar> SphericalFrames<T> {
    /// The motion of the outer frames, and the assembly with it.
    #[inline(always)]
    fn pose<J: Joint<T>>(
        &self,
        names: &Names<'_>,
        o: &PortOptions,
        assembly: &SphericalSpherical<T, J>,
        positive: bool,
    ) -> Result<([Motion<T>; 2], SphericalSphericalPose<T>), ModelError> {
        let [a, b] = self.outer.motions(o.orientation)?;
        let pose = assembly.pose(&a, &b, Branch::new(positive)).map_err(|singular| names.error(singular))?;
        Ok(([a, b], pose))
    }

    /// Sets the derivatives of accelerations and loads, with the places of frames and drive; false if there is the
    /// total power, whose derivatives are not among them.
    #[inline(never)]
    pub fn linear_form<J: Joint<T> + Copy>(
        &self,
        names: &Names<'_>,
        o: &PortOptions,
        (assembly, positive): (&SphericalSpherical<T, J>, bool),
        (places, drive): (&Self, DrivePlaces<T>),
        jacobian: &mut Jacobian<'_>,
    ) -> Result<bool, ModelError> {
        if o.checkTotalPower {
            return Ok(false);
        }
        let ([a, b], pose) = self.pose(names, o, assembly, positive)?;
        let outer = [places.outer.a.places(&a), places.outer.b.places(&b)];
        let inner = [places.rod2.ib.places(&pose.closed.ib), places.rod2.im.places(&pose.closed.im)];
        let places = Places { outer, inner, drive, f_rod: Some(places.f_rod) };
        let moved = places.set(jacobian, &|[ib, im], drive| {
            assembly.massless_loads([&a, &b], &pose, &InnerLoads { ib: *ib, im: *im, drive }).into()
        });
        if assembly.mass.m != T::zero() {
            places.set_inertia(jacobian, &moved, &|a_0| assembly.inertial_loads([&a, &b], &pose, a_0).into());
        }
        Ok(true)
    }

    /// The coordinate of the driven joint and the denominator of f_rod, with the effort `drive` and the configuration of
    /// the positive root or the other one. Takes loads and motion.
    #[inline(never)]
    pub fn solve<J: Joint<T>>(
        &mut self,
        names: &Names<'_>,
        o: &PortOptions,
        assembly: &SphericalSpherical<T, J>,
        (drive, positive): (T, bool),
    ) -> Result<(Coordinate<T>, T), ModelError> {
        let ([a, b], pose) = self.pose(names, o, assembly, positive)?;
        let (closed, inner) = (&pose.closed, self.rod2.loads(drive));
        let loads = assembly.loads([&a, &b], &pose, &inner);
        if o.checkTotalPower {
            self.totalPower = power([&a, &b], closed, &inner, &loads) + assembly.mass.power(&a, &closed.im);
        }
        self.outer.put(&loads);
        self.rod2.put(closed, o.orientation);
        self.f_rod = loads.f_rod;
        Ok((closed.x, loads.aux))
    }
}
