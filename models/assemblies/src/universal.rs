//! Ports of assemblies with a universal joint at frame_a, rod 1, and rod 2 on a driven joint.

use fmu_runtime::{Connector, ModelError, Scalar, group};
use mechanics::assembly::{Branch, Joint, UniversalSpherical};
use mechanics::motion::Coordinate;
use nalgebra::Vector3;
use ports::{AcceleratedFrame, FrameLoad};

use crate::frames::{OuterFrames, OuterLoads, Rod2Frames, Rod2Loads, power};
use crate::{Names, PortOptions};

group! {
    /// Motion of the outer frames and loads at the inner ones.
    pub struct UniversalInputs<T>(o: PortOptions) {
        outer: OuterFrames<T> = o, "Outer frames", name = "";
        load_ia: FrameLoad<T>, "Inner frame fixed in rod 1, at the origin of frame_a", name = "frame_ia";
        rod2: Rod2Loads<T>, "Rod 2", name = "";
    }
}

group! {
    /// Loads at the outer frames and motion of the inner ones.
    pub struct UniversalOutputs<T>(o: PortOptions) {
        outer: OuterLoads<T>, "Outer frames", name = "";
        frame_ia: AcceleratedFrame<T> = o.computed(), "Inner frame fixed in rod 1, at the origin of frame_a", connector = Connector::Frame_a;
        rod2: Rod2Frames<T> = o, "Rod 2", name = "";
        f_rod: T, N, "Force in rod 1, positive if it is pressed";
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
    /// The coordinate of the driven joint, with the effort `drive` and the configuration of the positive
    /// root or the other one; puts the outputs into `y`.
    #[inline(never)]
    pub fn solve<J: Joint<T>>(
        &self,
        names: &Names,
        o: &PortOptions,
        assembly: &UniversalSpherical<T, J>,
        (drive, positive): (T, bool),
        y: &mut UniversalOutputs<T>,
    ) -> Result<Coordinate<T>, ModelError> {
        let [a, b] = self.outer.motions(o.orientation)?;
        let pose = assembly.pose(&a, &b, Branch::new(positive)).map_err(|singular| names.fault(singular))?;
        let (closed, ia) = (&pose.closed, &pose.universal.ia);
        let (load_ia, inner) = (self.load_ia.load(), self.rod2.loads(drive));
        let loads = assembly.loads([&a, &b], &pose, &load_ia, &inner);
        if o.checkTotalPower {
            y.totalPower = power([&a, &b], closed, &inner, &loads) + ia.power(&load_ia);
        }
        y.outer.put(&loads);
        y.frame_ia.put(ia, o.orientation);
        y.rod2.put(closed, o.orientation);
        y.f_rod = loads.f_rod;
        Ok(closed.x)
    }
}

impl<T: Scalar> Rod1<T> {
    /// The constants of an assembly.
    pub fn of<J>(assembly: &UniversalSpherical<T, J>) -> Self {
        let universal = &assembly.universal;
        Self { rod1Length: assembly.length, eRod1_ia: universal.eR_ia, e2_ia: universal.e2_ia }
    }
}
