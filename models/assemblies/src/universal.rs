//! Ports of assemblies with a universal joint at frame_a, rod 1, and rod 2 on a driven joint.

use fmu_runtime::{Connector, Fault, Scalar, group};
use mechanics::assembly::{Branch, InnerLoads, Joint, UniversalSpherical, first_branch};
use mechanics::motion::{Coordinate, Motion};
use nalgebra::Vector3;
use ports::{AcceleratedFrame, FrameLoad, Orientation};

use crate::{Names, PortOptions};

group! {
    /// Motion of the outer frames and loads at the inner ones.
    pub struct UniversalInputs<T>(o: PortOptions) {
        frame_a: AcceleratedFrame<T> = o.at([0.0; 3]), "Outer frame at rod 1", connector = Connector::Frame_a;
        frame_b: AcceleratedFrame<T> = o.at(o.frame_b), "Outer frame at the driven joint", connector = Connector::Frame_b;
        load_ia: FrameLoad<T>, "Inner frame fixed in rod 1, at the origin of frame_a", name = "frame_ia";
        load_ib: FrameLoad<T>, "Inner frame fixed in rod 2, at the driven joint", name = "frame_ib";
        load_im: FrameLoad<T>, "Inner frame fixed in rod 2, at the joint between the rods", name = "frame_im";
    }
}

group! {
    /// Loads at the outer frames and motion of the inner ones.
    pub struct UniversalOutputs<T>(o: PortOptions) {
        load_a:   FrameLoad<T>, "Outer frame at rod 1", name = "frame_a";
        load_b:   FrameLoad<T>, "Outer frame at the driven joint", name = "frame_b";
        frame_ia: AcceleratedFrame<T> = o.computed(), "Inner frame fixed in rod 1, at the origin of frame_a", connector = Connector::Frame_a;
        frame_ib: AcceleratedFrame<T> = o.computed(), "Inner frame fixed in rod 2, at the driven joint", connector = Connector::Frame_b;
        frame_im: AcceleratedFrame<T> = o.computed(), "Inner frame fixed in rod 2, at the joint between the rods", connector = Connector::Frame_b;
        f_rod:    T, N, "Force in rod 1, positive if it is pressed";
        totalPower: T, W, "Power that flows in at frames and axis, zero but for rounding", when = o.checkTotalPower;
    }
}

group! {
    /// What follows from axis 1 and rod 1.
    pub struct Rod1<T>(_o: ()) {
        rod1Length: T, M, "Length of rod 1";
        eRod1_ia: Vector3<T>, ONE, "Unit vector along rod 1 from the origin of frame_a, resolved in frame_ia";
        e2_ia:    Vector3<T>, ONE, "Unit vector along axis 2 of the universal joint, resolved in frame_ia";
    }
}

impl<T: Scalar> UniversalInputs<T> {
    /// The outer frames.
    pub fn ends(&self, orientation: Orientation) -> Result<[Motion<T>; 2], Fault> {
        Ok([self.frame_a.motion(orientation, "frame_a")?, self.frame_b.motion(orientation, "frame_b")?])
    }

    /// The branch nearer to `guess`.
    #[inline(never)]
    pub fn first_branch<J: Joint<T>>(
        &self,
        names: &Names,
        o: &PortOptions,
        assembly: &UniversalSpherical<T, J>,
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
        assembly: &UniversalSpherical<T, J>,
        branch: Branch,
        drive: T,
        y: &mut UniversalOutputs<T>,
    ) -> Result<Coordinate<T>, Fault> {
        let [a, b] = self.ends(o.orientation)?;
        let pose = assembly.pose(&a, &b, branch).map_err(|singular| names.fault(singular))?;
        let ia_load = self.load_ia.load();
        let inner = InnerLoads { ib: self.load_ib.load(), im: self.load_im.load(), drive };
        let loads = assembly.loads([&a, &b], &pose, &ia_load, &inner);
        let (ia, ib, im) = (&pose.universal.ia, &pose.closed.ib, &pose.closed.im);
        let x = pose.closed.x;
        if o.checkTotalPower {
            let outer = a.power(&loads.a) + b.power(&loads.b);
            y.totalPower = outer + ia.power(&ia_load) + ib.power(&inner.ib) + im.power(&inner.im) + drive * x.v;
        }
        y.load_a = loads.a.into();
        y.load_b = loads.b.into();
        y.frame_ia.put(ia, o.orientation);
        y.frame_ib.put(ib, o.orientation);
        y.frame_im.put(im, o.orientation);
        y.f_rod = loads.f_rod;
        Ok(x)
    }
}

impl<T: Scalar> Rod1<T> {
    /// The constants of an assembly.
    pub fn of<J>(assembly: &UniversalSpherical<T, J>) -> Self {
        let universal = &assembly.universal;
        Self { rod1Length: assembly.length, eRod1_ia: universal.eR_ia, e2_ia: universal.e2_ia }
    }
}
