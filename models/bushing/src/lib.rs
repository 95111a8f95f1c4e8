//! Bushing: three-axis stiffness and damping, translational and rotational, between two frames.

use fmu_runtime::description::DefaultExperiment;
use fmu_runtime::unit::{DEG, RPM};
use fmu_runtime::{
    Choice, Component, Context, Equations, Fault, Info, Notices, Scalar, Source, Table, Text, enumeration, model,
    structure,
};
use mechanics::compliance::{force, loss_power, moment};
use mechanics::euler::{Axes, Sequence};
use mechanics::frame::Relative;
use nalgebra::Vector3;
use ports::{AngleMemory, EulerAngles, FrameLoad, FrameMotion, MomentLaw, Orientation};

model! {
    /// Massless bushing between frame_a and frame_b.
    ///
    /// ```text
    /// T = T_b T_a^T,   r = T_a (r_b - r_a),   v = T_a (v_b - v_a) - w_a x r,   omega = T^T w_b - w_a
    /// theta: Euler angles of T in the sequence RotSeq
    /// F = -TS (r - r0) - TD v                     force on the body at frame_b, resolved in frame_a  [N]
    /// m_i = -RS_i (theta_i - theta0_i)            moments of the three angles                        [N.m]
    /// literal: m_i about axis RotSeq[i] of frame_a;   gimbal: M with J^T M = m, J = [axes of rotation]
    /// M = moment of the springs - RD omega        moment on the body at frame_b                      [N.m]
    /// frame_a.f = F,      frame_a.t = M + r x F   cut loads, acting on the component
    /// frame_b.f = -T F,   frame_b.t = -T M
    /// lossPower = v TD v + omega RD omega         [W]
    /// ```
    ///
    /// Products with TS, TD, RS, RD are componentwise; theta - theta0 is taken in (-pi, pi]. Valid
    /// away from the singularity of the sequence (cos theta_2 = 0).
    /// Source: MapleSim help, Multibody, Forces and Moments, Bushing.
    pub struct Bushing<T>(s: Structure) {
        parameter RotSeq: [i32; 3] = [1, 2, 3], "Axes of the Euler angles: neighbours differ", min = 1.0, max = 3.0;
        parameter r0: Vector3<T> = [0.0; 3], M, "Undeformed position of frame_b relative to frame_a, resolved in frame_a";
        parameter theta0: Vector3<T> = [0.0; 3], RAD, "Undeformed Euler angles of frame_b relative to frame_a", display = DEG;

        parameter TS: Vector3<T> = [4.5e6, 4.5e6, 8.0e5], N_PER_M, "Translational stiffness along the axes of frame_a",
            min = 0.0, when = !s.nonlinear_TS;
        parameter TD: Vector3<T> = [1.0e4; 3], NS_PER_M, "Translational damping along the axes of frame_a",
            min = 0.0, when = !s.nonlinear_TD;
        parameter RS: Vector3<T> = [2.6e3, 2.6e3, 1.0e2], NM_PER_RAD, "Rotational stiffness of the three Euler angles",
            min = 0.0, when = !s.nonlinear_RS;
        parameter RD: Vector3<T> = [26.0, 26.0, 5.0], NMS_PER_RAD, "Rotational damping about the axes of frame_a",
            min = 0.0, when = !s.nonlinear_RD;

        input frame_a: FrameMotion<T> = s.orientation.into(), "Inboard frame";
        input frame_b: FrameMotion<T> = s.orientation.into(), "Outboard frame";
        input K_in:  Vector3<T> = [4.5e6, 4.5e6, 8.0e5], N_PER_M, "Translational stiffness along the axes of frame_a",
            when = s.nonlinear_TS && s.DCM_TS == DataSource::signal;
        input D_in:  Vector3<T> = [1.0e4; 3], NS_PER_M, "Translational damping along the axes of frame_a",
            when = s.nonlinear_TD && s.DCM_TD == DataSource::signal;
        input Ka_in: Vector3<T> = [2.6e3, 2.6e3, 1.0e2], NM_PER_RAD, "Rotational stiffness of the three Euler angles",
            when = s.nonlinear_RS && s.DCM_RS == DataSource::signal;
        input Da_in: Vector3<T> = [26.0, 26.0, 5.0], NMS_PER_RAD, "Rotational damping about the axes of frame_a",
            when = s.nonlinear_RD && s.DCM_RD == DataSource::signal;

        output load_a: FrameLoad<T>, "Inboard frame", name = "frame_a";
        output load_b: FrameLoad<T>, "Outboard frame", name = "frame_b";
        output lossPower: T, W, "Power that the dampers turn into heat";
        output r_out:  Vector3<T>, M, "Position of frame_b relative to frame_a, resolved in resolvedFrame", when = s.sensor_T;
        output v_out:  Vector3<T>, M_PER_S, "Velocity of frame_b relative to frame_a, resolved in resolvedFrame", when = s.sensor_Tv;
        output th_out: Vector3<T>, RAD, "Euler angles of frame_b relative to frame_a", display = DEG, when = s.sensor_R;
        output w_out:  Vector3<T>, RAD_PER_S, "Angular velocity of frame_b relative to frame_a, resolved in resolvedFrame",
            display = RPM, when = s.sensor_Rw;

        memory memory: AngleMemory<T>, "Memory of the Euler angles";
        internal angles: EulerAngles<T>, "Angles of frame_b relative to frame_a";

        parameter TS_fileName: Text = "", "File with the translational stiffness", when = s.from(s.nonlinear_TS, s.DCM_TS, DataSource::file);
        parameter TD_fileName: Text = "", "File with the translational damping", when = s.from(s.nonlinear_TD, s.DCM_TD, DataSource::file);
        parameter RS_fileName: Text = "", "File with the rotational stiffness", when = s.from(s.nonlinear_RS, s.DCM_RS, DataSource::file);
        parameter RD_fileName: Text = "", "File with the rotational damping", when = s.from(s.nonlinear_RD, s.DCM_RD, DataSource::file);
        parameter TS_table: Table<4> = &[[0.0, 4.5e6, 4.5e6, 8.0e5]], "Displacement in m and translational stiffness in N/m",
            when = s.from(s.nonlinear_TS, s.DCM_TS, DataSource::inline);
        parameter TD_table: Table<4> = &[[0.0, 1.0e4, 1.0e4, 1.0e4]], "Velocity in m/s and translational damping in N.s/m",
            when = s.from(s.nonlinear_TD, s.DCM_TD, DataSource::inline);
        parameter RS_table: Table<4> = &[[0.0, 2.6e3, 2.6e3, 1.0e2]], "Angle in rad and rotational stiffness in N.m/rad",
            when = s.from(s.nonlinear_RS, s.DCM_RS, DataSource::inline);
        parameter RD_table: Table<4> = &[[0.0, 26.0, 26.0, 5.0]], "Angular velocity in rad/s and rotational damping in N.m.s/rad",
            when = s.from(s.nonlinear_RD, s.DCM_RD, DataSource::inline);
    }
}

structure! {
    /// The structure options of the bushing.
    pub struct Structure {
        orientation:   Orientation = Orientation::matrix, "How the orientation of the frames is given";
        momentLaw:     MomentLaw = MomentLaw::literal, "How the moments of the Euler angles act";
        nonlinear_TS:  bool = false, "Whether the translational stiffness varies";
        DCM_TS:        DataSource = DataSource::inline, "Where a varying translational stiffness comes from";
        nonlinear_TD:  bool = false, "Whether the translational damping varies";
        DCM_TD:        DataSource = DataSource::inline, "Where a varying translational damping comes from";
        nonlinear_RS:  bool = false, "Whether the rotational stiffness varies";
        DCM_RS:        DataSource = DataSource::inline, "Where a varying rotational stiffness comes from";
        nonlinear_RD:  bool = false, "Whether the rotational damping varies";
        DCM_RD:        DataSource = DataSource::inline, "Where a varying rotational damping comes from";
        sensor_T:      bool = false, "Adds the output r_out";
        sensor_Tv:     bool = false, "Adds the output v_out";
        sensor_R:      bool = false, "Adds the output th_out";
        sensor_Rw:     bool = false, "Adds the output w_out";
        resolvedFrame: ResolvedFrame = ResolvedFrame::frame_a, "Frame in which r_out, v_out and w_out are resolved";
    }
}

enumeration! {
    /// Where varying coefficients come from.
    pub enum DataSource {
        inline = "a table in the configuration",
        attachment = "a file copied into the FMU",
        file = "a file read when the simulation starts",
        signal | "input" = "input ports",
    }
}

enumeration! {
    /// Frame in which the sensors are resolved.
    pub enum ResolvedFrame {
        frame_a = "the inboard frame",
        frame_b = "the outboard frame",
        world = "the world frame",
    }
}

impl Structure {
    fn from(&self, nonlinear: bool, source: DataSource, wanted: DataSource) -> bool {
        nonlinear && source == wanted
    }
}

impl Component for Bushing<f64> {
    const INFO: Info = Info {
        name: "Bushing",
        description: "Translational and rotational stiffness and damping in three directions between two frames",
        icon: include_str!("../icon.svg"),
        packages: &[(env!("CARGO_PKG_NAME"), env!("CARGO_PKG_VERSION")), mechanics::PACKAGE],
        experiment: DefaultExperiment { start_time: 0.0, stop_time: 10.0, step_size: 1e-3, tolerance: 1e-6 },
    };
    type Structure = Structure;
    type Data = Sequence;
    type In<T: Scalar> = Bushing<T>;
}

impl<T: Scalar> Equations<T> for Bushing<T> {
    type Data = Sequence;
    const HAS_MEMORY: bool = true;

    fn review(&self, s: &Structure, notices: &mut Notices) -> Result<(), Fault> {
        let sources = [
            ("DCM_TS", s.nonlinear_TS, s.DCM_TS),
            ("DCM_TD", s.nonlinear_TD, s.DCM_TD),
            ("DCM_RS", s.nonlinear_RS, s.DCM_RS),
            ("DCM_RD", s.nonlinear_RD, s.DCM_RD),
        ];
        for (option, nonlinear, source) in sources {
            if nonlinear && source != DataSource::signal {
                let word = source.text();
                return Err(Fault::invalid(format!("{option} = \"{word}\" is not supported yet; use \"signal\"")));
            }
        }
        if self.sequence()?.is_proper() {
            notices.warn(format!(
                "RotSeq = {} is singular at theta_2 = 0, the undeformed pose; three different axes avoid that",
                Axes(self.RotSeq)
            ));
        }
        Ok(())
    }

    fn prepare(&self, _source: &Source<'_, Structure>) -> Result<Sequence, Fault> {
        self.sequence()
    }

    fn evaluate(&mut self, cx: &Context<'_, T, Self>) -> Result<(), Fault> {
        let s = cx.structure;
        let a = self.frame_a.frame(s.orientation, "frame_a")?;
        let b = self.frame_b.frame(s.orientation, "frame_b")?;
        let relative = Relative::new(&a, &b);
        let angles = cx.data.angles(&relative.T, self.memory.theta1);

        let ts = if s.nonlinear_TS { self.K_in } else { self.TS };
        let td = if s.nonlinear_TD { self.D_in } else { self.TD };
        let rs = if s.nonlinear_RS { self.Ka_in } else { self.RS };
        let rd = if s.nonlinear_RD { self.Da_in } else { self.RD };
        let force = force(&relative, &ts, &td, &self.r0);
        let moment = moment(&relative, *cx.data, &angles, s.momentLaw.into(), &rs, &rd, &self.theta0);
        let (load_a, load_b) = relative.cut_loads(&force, &moment);
        self.load_a = load_a.into();
        self.load_b = load_b.into();
        self.lossPower = loss_power(&relative, &td, &rd);

        let resolve = |vector: Vector3<T>| match s.resolvedFrame {
            ResolvedFrame::frame_a => vector,
            ResolvedFrame::frame_b => relative.T * vector,
            ResolvedFrame::world => a.T.transpose() * vector,
        };
        self.r_out = resolve(relative.r);
        self.v_out = resolve(relative.v);
        self.w_out = resolve(relative.omega);
        self.th_out = angles.theta;
        self.angles = angles.into();
        Ok(())
    }

    fn completed_step(&mut self, _cx: &Context<'_, T, Self>, notices: &mut Notices) {
        self.memory.follow(&self.angles, self.RotSeq, notices);
    }
}

impl<T: Scalar> Bushing<T> {
    fn sequence(&self) -> Result<Sequence, Fault> {
        Sequence::new(self.RotSeq).map_err(|wrong| Fault::invalid(format!("RotSeq is {wrong}")))
    }
}
