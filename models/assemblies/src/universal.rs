//! Ports of assemblies with a universal joint at frame_a, rod 1, and rod 2 on a driven joint.

use fmu_runtime::{Connector, ModelError, Scalar, group};
use mechanics::assembly::{Branch, Joint, UniversalSpherical};
use mechanics::motion::Coordinate;
use nalgebra::Vector3;

use crate::frames::{InnerFrame, OuterFrames, Rod2Frames, power};
use crate::{Names, PortOptions};

group! {
    /// All frames, and what follows at rod 1.
    pub struct UniversalFrames<T>(o: PortOptions) {
        group outer: OuterFrames<T> = o, "Outer frames", name = "";
        group frame_ia: InnerFrame<T> = o.computed(), "Inner frame fixed in rod 1, at the origin of frame_a", connector = Connector::Frame_a;
        group rod2: Rod2Frames<T> = o, "Rod 2", name = "";
        output f_rod: T, N, "Force in rod 1, positive if it is pressed";
        output totalPower: T, W, "Power that flows in at frames and axis, zero but for rounding", when = o.checkTotalPower;
    }
}

group! {
    /// Constants that follow from axis 1 and rod 1.
    pub struct Rod1<T>(_o: ()) {
        rod1Length: T, M, "Length of rod 1";
        eRod1_ia: Vector3<T>, ONE, "Unit vector along rod 1 from the origin of frame_a, resolved in frame_ia";
        e2_ia:    Vector3<T>, ONE, "Unit vector along axis 2 of the universal joint, resolved in frame_ia";
    }
}

impl<T: Scalar> UniversalFrames<T> {
    /// The coordinate of the driven joint, with the effort `drive` and the configuration of the positive
    /// root or the other one. Takes loads and motion.
    #[inline(never)]
    pub fn solve<J: Joint<T>>(
        &mut self,
        names: &Names,
        o: &PortOptions,
        assembly: &UniversalSpherical<T, J>,
        (drive, positive): (T, bool),
    ) -> Result<Coordinate<T>, ModelError> {
        let [a, b] = self.outer.motions(o.orientation)?;
        let pose = assembly.pose(&a, &b, Branch::new(positive)).map_err(|singular| names.error(singular))?;
        let (closed, ia) = (&pose.closed, &pose.universal.ia);
        let (load_ia, inner) = (self.frame_ia.load.load(), self.rod2.loads(drive));
        let loads = assembly.loads([&a, &b], &pose, &load_ia, &inner);
        if o.checkTotalPower {
            self.totalPower = power([&a, &b], closed, &inner, &loads) + ia.power(&load_ia);
        }
        self.outer.put(&loads);
        self.frame_ia.motion.put(ia, o.orientation);
        self.rod2.put(closed, o.orientation);
        self.f_rod = loads.f_rod;
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
