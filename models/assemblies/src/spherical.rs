//! Ports of assemblies whose rod 1 has a spherical joint at both ends and a mass in the middle.

use fmu_runtime::{Connector, Fault, Scalar, group};
use mechanics::assembly::{Branch, InnerLoads, Joint, PointMass, SphericalSpherical, first_branch};
use mechanics::motion::{Coordinate, Motion};
use nalgebra::Vector3;
use ports::{AcceleratedFrame, FrameLoad, Orientation};

use crate::{Names, PortOptions};

group! {
    /// Motion of the outer frames and loads at the inner ones.
    pub struct SphericalInputs<T>(o: PortOptions) {
        frame_a: AcceleratedFrame<T> = o.at([0.0; 3]), "Outer frame at rod 1", connector = Connector::Frame_a;
        frame_b: AcceleratedFrame<T> = o.at(o.frame_b), "Outer frame at the driven joint", connector = Connector::Frame_b;
        load_ib: FrameLoad<T>, "Inner frame fixed in rod 2, at the driven joint", name = "frame_ib";
        load_im: FrameLoad<T>, "Inner frame fixed in rod 2, at the joint between the rods", name = "frame_im";
    }
}

group! {
    /// Loads at the outer frames and motion of the inner ones.
    pub struct SphericalOutputs<T>(o: PortOptions) {
        load_a:   FrameLoad<T>, "Outer frame at rod 1", name = "frame_a";
        load_b:   FrameLoad<T>, "Outer frame at the driven joint", name = "frame_b";
        frame_ib: AcceleratedFrame<T> = o.computed(), "Inner frame fixed in rod 2, at the driven joint", connector = Connector::Frame_b;
        frame_im: AcceleratedFrame<T> = o.computed(), "Inner frame fixed in rod 2, at the joint between the rods", connector = Connector::Frame_b;
        f_rod:    T, N, "Force in rod 1 between frame_a and its mass, positive if it is pressed";
        totalPower: T, W, "Power that flows in at frames, axis and mass, zero but for rounding", when = o.checkTotalPower;
    }
}

group! {
    /// Rod 1; the option is whether it can have a mass, which needs accelerations.
    pub struct Rod1<T>(accelerations: bool) {
        rod1Length: T = 1.0, M, "Distance between the two spherical joints", min = 1e-15;
        rod1Mass: T = 0.0, KG, "Mass of rod 1, a point in its middle", min = 0.0, when = accelerations;
        g: Vector3<T> = [0.0, -9.80665, 0.0], M_PER_S2, "Acceleration of gravity, resolved in the world frame",
            when = accelerations;
    }
}

impl<T: Scalar> Rod1<T> {
    /// The mass of rod 1.
    pub fn mass(&self) -> PointMass<T> {
        PointMass { m: self.rod1Mass, g: self.g, neglected: false }
    }
}

impl<T: Scalar> SphericalInputs<T> {
    /// The outer frames.
    fn ends(&self, orientation: Orientation) -> Result<[Motion<T>; 2], Fault> {
        Ok([self.frame_a.motion(orientation, "frame_a")?, self.frame_b.motion(orientation, "frame_b")?])
    }

    /// The branch nearer to `guess`.
    #[inline(never)]
    pub fn first_branch<J: Joint<T>>(
        &self,
        names: &Names,
        o: &PortOptions,
        assembly: &SphericalSpherical<T, J>,
        guess: T,
    ) -> Result<Branch, Fault> {
        let [a, b] = self.ends(o.orientation)?;
        first_branch(&assembly.joint, &a, &b, assembly.length, guess).map_err(|singular| names.fault(singular))
    }

    /// The coordinate of the driven joint; puts the outputs into `y`.
    #[inline(never)]
    pub fn solve<J: Joint<T>>(
        &self,
        names: &Names,
        o: &PortOptions,
        assembly: &SphericalSpherical<T, J>,
        branch: Branch,
        drive: T,
        y: &mut SphericalOutputs<T>,
    ) -> Result<Coordinate<T>, Fault> {
        let [a, b] = self.ends(o.orientation)?;
        let pose = assembly.pose(&a, &b, branch).map_err(|singular| names.fault(singular))?;
        let inner = InnerLoads { ib: self.load_ib.load(), im: self.load_im.load(), drive };
        let loads = assembly.loads([&a, &b], &pose, &inner);
        let (ib, im, x) = (&pose.closed.ib, &pose.closed.im, pose.closed.x);
        if o.checkTotalPower {
            let outer = a.power(&loads.a) + b.power(&loads.b);
            y.totalPower =
                outer + ib.power(&inner.ib) + im.power(&inner.im) + drive * x.v + assembly.mass.power(&a, im);
        }
        y.load_a = loads.a.into();
        y.load_b = loads.b.into();
        y.frame_ib.put(ib, o.orientation);
        y.frame_im.put(im, o.orientation);
        y.f_rod = loads.f_rod;
        Ok(x)
    }
}
