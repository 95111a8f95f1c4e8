//! JointUPS: universal, prismatic and spherical joint.

use assemblies::look::{TelescopeLook, UniversalLook, shapes};
use assemblies::{Names, check_rod1, component, structure};
use fmu_runtime::{Connector, Context, Equations, ModelError, Scalar, Shape, Source, model};
use mechanics::assembly::{Universal, UniversalPrismatic};
use mechanics::motion::Coordinate;
use nalgebra::Vector3;
use ports::{AcceleratedFrame, FrameLoad, TranslationalBearing, TranslationalMotion};

model! {
    /// A telescope with a universal joint at frame_a and a spherical joint at frame_b.
    ///
    /// ```text
    /// rho = T_a (r_b - r_a),   axisLength = |rho| = s + s_offset,   eR = rho/axisLength
    /// axis 2 of the universal joint: e2 = n1_a x eR, normalised;   e3 = eR x e2
    /// frame_ia, frame_ib: turned so that eR, e2, e3 have the components of the position in which
    /// frame_a and frame_ia coincide and the telescope lies along nAxis_ia
    /// t: torque of the loads at frame_ia and frame_ib, resolved in frame_a                      [N.m]
    /// F = -axis.f eR - e2 (n1_a.t)/(axisLength n1_a.e3) + e3 (e2.t)/axisLength                  [N]
    /// frame_a.f = -F - frame_ia.f,   frame_a.t = -t - rho x F,   frame_b.f = F - frame_ib.f,   frame_b.t = 0
    /// ```
    ///
    /// Here all are resolved in frame_a. Singular where rho is parallel to n1_a or has no length.
    /// Source: Modelica.Mechanics.MultiBody.Joints.Assemblies.JointUPS.
    pub struct JointUPS<T>(s: Structure) {
        parameter n1_a: Vector3<T> = [0.0, 0.0, 1.0], ONE, "Axis 1 of the universal joint, fixed and resolved in frame_a; axis 2 is perpendicular to it and to the line from frame_a to frame_b";
        parameter nAxis_ia: Vector3<T> = [1.0, 0.0, 0.0], M, "Vector along the line from frame_a to frame_b, resolved in frame_ia";
        parameter s_offset: T, M, "Distance of the frames where s is zero: axisLength = s + s_offset";
        parameter look: TelescopeLook<T>, "Shapes", name = "", when = s.animation;
        parameter universal_look: UniversalLook<T>, "Shape of the universal joint", name = "",
            when = s.animation && s.showUniversalAxes;

        input frame_a: AcceleratedFrame<T> = s.ports().computed(), "Outer frame at the universal joint", connector = Connector::Frame_a;
        input frame_b: AcceleratedFrame<T> = s.ports().at([1.0, 0.0, 0.0]), "Outer frame at the spherical joint", connector = Connector::Frame_b;
        input load_ia: FrameLoad<T>, "Inner frame at the origin of frame_a, fixed in the telescope", name = "frame_ia";
        input load_ib: FrameLoad<T>, "Inner frame at the origin of frame_b, parallel to frame_ia", name = "frame_ib";
        input f: T, N, "Flange that drives the prismatic joint: force into the joint, which pushes the frames apart", name = "axis.f";

        output load_a: FrameLoad<T>, "Outer frame at the universal joint", name = "frame_a";
        output load_b: FrameLoad<T>, "Outer frame at the spherical joint", name = "frame_b";
        output frame_ia: AcceleratedFrame<T> = s.ports().computed(), "Inner frame at the origin of frame_a, fixed in the telescope", connector = Connector::Frame_a;
        output frame_ib: AcceleratedFrame<T> = s.ports().computed(), "Inner frame at the origin of frame_b, parallel to frame_ia", connector = Connector::Frame_b;
        output s: T, M, "Displacement of the drive, axisLength - s_offset";
        output axisLength: T, M, "Distance between the origins of frame_a and frame_b";
        output axis: TranslationalMotion<T> = s.accelerations, "Flange that drives the prismatic joint", connector = Connector::TranslationalFlange_a;
        output bearing: TranslationalBearing<T>, "Flange of the drive's housing", connector = Connector::TranslationalFlange_b;
        output totalPower: T, W, "Power that flows in at frames and axis, zero but for rounding", when = s.checkTotalPower;

        calculated eAxis_ia: Vector3<T>, ONE, "Unit vector from frame_a to frame_b, resolved in frame_ia";
        calculated e2_ia: Vector3<T>, ONE, "Unit vector along axis 2 of the universal joint, resolved in frame_ia";
        calculated e3_ia: Vector3<T>, ONE, "Unit vector perpendicular to eAxis_ia and e2_ia, resolved in frame_ia";
    }
}

structure! {
    /// The structure options of JointUPS.
    pub struct Structure {
        showUniversalAxes: bool = true, "Whether the universal joint is drawn by its two axes instead of a sphere";
    }
}

component!(JointUPS, "Universal, prismatic and spherical joint between two frames");

const NAMES: Names = Names { assembly: "JointUPS", axis1: "n1_a" };

impl<T: Scalar> Equations<T> for JointUPS<T> {
    type Data = ();

    fn shapes(s: &Structure) -> Vec<Shape<'static>> {
        s.drawn([shapes::telescope(), shapes::universal(s.showUniversalAxes)])
    }

    fn prepare(&self, _: &Source<'_, Structure>) -> Result<(), ModelError> {
        check_rod1(("n1_a", &self.n1_a), ("nAxis_ia", &self.nAxis_ia))
    }

    fn evaluate(&mut self, cx: &Context<'_, T, Self>) -> Result<(), ModelError> {
        let orientation = cx.structure.orientation;
        let a = self.frame_a.motion(orientation, "frame_a")?;
        let b = self.frame_b.motion(orientation, "frame_b")?;
        let universal = Universal::new(&self.n1_a, &self.nAxis_ia);
        (self.eAxis_ia, self.e2_ia, self.e3_ia) = (universal.eR_ia, universal.e2_ia, universal.e3_ia);
        let assembly = UniversalPrismatic { universal };
        let pose = assembly.pose(&a, &b).map_err(|singular| NAMES.fault(singular))?;
        let (ia, ib) = (self.load_ia.load(), self.load_ib.load());
        let [load_a, load_b] = assembly.loads([&a, &b], &pose, &ia, &ib, self.f);

        self.load_a = load_a.into();
        self.load_b = load_b.into();
        self.frame_ia.put(&pose.universal.ia, orientation);
        self.frame_ib.put(&pose.ib, orientation);
        self.axisLength = pose.x.x;
        self.s = pose.x.x - self.s_offset;
        self.axis = Coordinate { x: self.s, ..pose.x }.into();
        self.bearing = TranslationalBearing::of(self.f);
        if cx.structure.checkTotalPower {
            let outer = a.power(&load_a) + b.power(&load_b);
            self.totalPower = outer + pose.universal.ia.power(&ia) + pose.ib.power(&ib) + self.f * pose.x.v;
        }
        Ok(())
    }
}
