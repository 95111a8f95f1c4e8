//! Bushing: three-axis stiffness and damping, translational and rotational, between two frames.

use fmu_runtime::DefaultExperiment;
use fmu_runtime::unit::{DEG, RPM};
use fmu_runtime::{
    Attachment, Component, Connector, Context, Diagnostics, Equations, Info, ModelError, Scalar, Source, Table, Text,
    enumeration, model, structure,
};
use mechanics::compliance::{deflection, force, loss_power, moment};
use mechanics::euler::{Axes, Sequence};
use mechanics::frame::Relative;
use mechanics::table;
use nalgebra::Vector3;
use ports::{AngleMemory, EulerAngles, FrameLoad, FrameMotion, MomentLaw, Orientation};

use coefficients::{Rules, Set};

mod coefficients;

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
    /// Products with TS, TD, RS, RD are componentwise. With nonlinear_… they are signals, or come from
    /// tables at r - r0, v, theta - theta0 and omega, component by component; theta - theta0 is taken in (-pi, pi]. Valid
    /// away from the singularity of the sequence (cos theta_2 = 0).
    /// Source: MapleSim help, Multibody, Forces and Moments, Bushing.
    pub struct Bushing<T>(s: Structure) {
        parameter RotSeq: [i32; 3] = [1, 2, 3], "Axes of the Euler angles: neighbours differ", min = 1.0, max = 3.0;
        parameter r0: Vector3<T> = [0.0; 3], M, "Undeformed position of frame_b relative to frame_a, resolved in frame_a";
        parameter theta0: Vector3<T> = [0.0; 3], RAD, "Undeformed Euler angles of frame_b relative to frame_a", display = DEG;

        tunable   TS: Vector3<T> = [4.5e6, 4.5e6, 8.0e5], N_PER_M, "Translational stiffness along the axes of frame_a",
            min = 0.0, when = !s.nonlinear_TS;
        tunable   TD: Vector3<T> = [1.0e4; 3], NS_PER_M, "Translational damping along the axes of frame_a",
            min = 0.0, when = !s.nonlinear_TD;
        tunable   RS: Vector3<T> = [2.6e3, 2.6e3, 1.0e2], NM_PER_RAD, "Rotational stiffness of the three Euler angles",
            min = 0.0, when = !s.nonlinear_RS;
        tunable   RD: Vector3<T> = [26.0, 26.0, 5.0], NMS_PER_RAD, "Rotational damping about the axes of frame_a",
            min = 0.0, when = !s.nonlinear_RD;

        input frame_a: FrameMotion<T> = s.orientation.into(), "Inboard frame", connector = Connector::Frame_a;
        input frame_b: FrameMotion<T> = s.orientation.into(), "Outboard frame", connector = Connector::Frame_b;
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
        parameter TS_data: Attachment, "File with the translational stiffness, copied into the FMU", when = s.from(s.nonlinear_TS, s.DCM_TS, DataSource::attachment);
        parameter sheet_TS: Text = "", "Sheet with the translational stiffness, if the file has several with data", when = s.in_file(s.nonlinear_TS, s.DCM_TS);
        parameter sr_TS: i32 = 0, "Rows to skip at the top of the translational stiffness", min = 0.0, when = s.tabulated(s.nonlinear_TS, s.DCM_TS);
        parameter sm_TS: Smoothness = Smoothness::linear, "How the rows of the translational stiffness are joined", when = s.tabulated(s.nonlinear_TS, s.DCM_TS);
        parameter TD_fileName: Text = "", "File with the translational damping", when = s.from(s.nonlinear_TD, s.DCM_TD, DataSource::file);
        parameter TD_data: Attachment, "File with the translational damping, copied into the FMU", when = s.from(s.nonlinear_TD, s.DCM_TD, DataSource::attachment);
        parameter sheet_TD: Text = "", "Sheet with the translational damping, if the file has several with data", when = s.in_file(s.nonlinear_TD, s.DCM_TD);
        parameter sr_TD: i32 = 0, "Rows to skip at the top of the translational damping", min = 0.0, when = s.tabulated(s.nonlinear_TD, s.DCM_TD);
        parameter sm_TD: Smoothness = Smoothness::linear, "How the rows of the translational damping are joined", when = s.tabulated(s.nonlinear_TD, s.DCM_TD);
        parameter RS_fileName: Text = "", "File with the rotational stiffness", when = s.from(s.nonlinear_RS, s.DCM_RS, DataSource::file);
        parameter RS_data: Attachment, "File with the rotational stiffness, copied into the FMU", when = s.from(s.nonlinear_RS, s.DCM_RS, DataSource::attachment);
        parameter sheet_RS: Text = "", "Sheet with the rotational stiffness, if the file has several with data", when = s.in_file(s.nonlinear_RS, s.DCM_RS);
        parameter sr_RS: i32 = 0, "Rows to skip at the top of the rotational stiffness", min = 0.0, when = s.tabulated(s.nonlinear_RS, s.DCM_RS);
        parameter sm_RS: Smoothness = Smoothness::linear, "How the rows of the rotational stiffness are joined", when = s.tabulated(s.nonlinear_RS, s.DCM_RS);
        parameter RD_fileName: Text = "", "File with the rotational damping", when = s.from(s.nonlinear_RD, s.DCM_RD, DataSource::file);
        parameter RD_data: Attachment, "File with the rotational damping, copied into the FMU", when = s.from(s.nonlinear_RD, s.DCM_RD, DataSource::attachment);
        parameter sheet_RD: Text = "", "Sheet with the rotational damping, if the file has several with data", when = s.in_file(s.nonlinear_RD, s.DCM_RD);
        parameter sr_RD: i32 = 0, "Rows to skip at the top of the rotational damping", min = 0.0, when = s.tabulated(s.nonlinear_RD, s.DCM_RD);
        parameter sm_RD: Smoothness = Smoothness::linear, "How the rows of the rotational damping are joined", when = s.tabulated(s.nonlinear_RD, s.DCM_RD);
        parameter extrapolation: Extrapolation = Extrapolation::hold, "How all tables go on outside their rows", when = s.any_table();
        parameter allowNegative: bool = false, "Whether tables may have negative coefficients", when = s.any_table();
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

enumeration! {
    /// How the rows of a table are joined.
    pub enum Smoothness {
        linear = "by straight lines",
        spline = "by a natural cubic spline",
    }
}

enumeration! {
    /// How a table goes on outside its rows.
    pub enum Extrapolation {
        hold = "with the value of the last row",
        linear = "with the slope at the last row",
    }
}

impl Structure {
    fn from(&self, nonlinear: bool, source: DataSource, wanted: DataSource) -> bool {
        nonlinear && source == wanted
    }

    fn tabulated(&self, nonlinear: bool, source: DataSource) -> bool {
        nonlinear && source != DataSource::signal
    }

    fn in_file(&self, nonlinear: bool, source: DataSource) -> bool {
        nonlinear && matches!(source, DataSource::attachment | DataSource::file)
    }

    fn any_table(&self) -> bool {
        let sets = [
            (self.nonlinear_TS, self.DCM_TS),
            (self.nonlinear_TD, self.DCM_TD),
            (self.nonlinear_RS, self.DCM_RS),
            (self.nonlinear_RD, self.DCM_RD),
        ];
        sets.into_iter().any(|(nonlinear, source)| self.tabulated(nonlinear, source))
    }
}

/// What is prepared of the parameters.
#[derive(Debug, Default)]
pub struct Data {
    sequence: Sequence,
    /// The tables of TS, TD, RS and RD, where they come from tables.
    tables: [Option<table::LookupTable>; 4],
}

impl Component for Bushing<f64> {
    const INFO: Info = Info {
        name: "Bushing",
        description: "Translational and rotational stiffness and damping in three directions between two frames",
        icon: include_str!("../icon.svg"),
        packages: &[(env!("CARGO_PKG_NAME"), env!("CARGO_PKG_VERSION")), mechanics::PACKAGE, spreadsheet::PACKAGE],
        experiment: DefaultExperiment { start_time: 0.0, stop_time: 10.0, step_size: 1e-3, tolerance: 1e-6 },
    };
    type Structure = Structure;
    type Data = Data;
    type In<T: Scalar> = Bushing<T>;
}

impl<T: Scalar> Equations<T> for Bushing<T> {
    type Data = Data;
    const HAS_MEMORY: bool = true;

    fn review(&self, _: &Structure, diagnostics: &mut Diagnostics) -> Result<(), ModelError> {
        if self.sequence()?.is_proper() {
            diagnostics.warn(format!(
                "RotSeq = {} is singular at theta_2 = 0, the undeformed pose; three different axes avoid that",
                Axes(self.RotSeq)
            ));
        }
        Ok(())
    }

    fn prepare(&self, source: &Source<'_, Structure>) -> Result<Data, ModelError> {
        let rules = Rules { extrapolation: self.extrapolation, allow_negative: self.allowNegative };
        let mut tables = [const { None }; 4];
        for (table, set) in tables.iter_mut().zip(self.sets(source.structure)) {
            *table = set.prepare(source, rules).map_err(ModelError::Invalid)?;
        }
        Ok(Data { sequence: self.sequence()?, tables })
    }

    fn evaluate(&mut self, cx: &Context<'_, T, Self>) -> Result<(), ModelError> {
        let s = cx.structure;
        let a = self.frame_a.frame(s.orientation, "frame_a")?;
        let b = self.frame_b.frame(s.orientation, "frame_b")?;
        let relative = Relative::new(&a, &b);
        let angles = cx.data.sequence.angles(&relative.T, self.memory.theta1);

        let [ts, td, rs, rd] = &cx.data.tables;
        let time_derivative = cx.time_derivative();
        let ts = coefficients(ts, s.nonlinear_TS, self.TS, self.K_in, time_derivative, || relative.r - self.r0);
        let td = coefficients(td, s.nonlinear_TD, self.TD, self.D_in, time_derivative, || relative.v);
        let rs = coefficients(rs, s.nonlinear_RS, self.RS, self.Ka_in, time_derivative, || {
            deflection(&angles, &self.theta0)
        });
        let rd = coefficients(rd, s.nonlinear_RD, self.RD, self.Da_in, time_derivative, || relative.omega);
        let force = force(&relative, &ts, &td, &self.r0);
        let moment = moment(&relative, cx.data.sequence, &angles, s.momentLaw.into(), &rs, &rd, &self.theta0);
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

    fn completed_step(&mut self, _cx: &Context<'_, T, Self>, diagnostics: &mut Diagnostics) {
        self.memory.follow(&self.angles, self.RotSeq, diagnostics);
    }
}

impl<T: Scalar> Bushing<T> {
    fn sequence(&self) -> Result<Sequence, ModelError> {
        Sequence::new(self.RotSeq).map_err(|wrong| ModelError::invalid(format!("RotSeq is {wrong}")))
    }

    /// The parameters of the varying coefficients.
    fn sets(&self, s: &Structure) -> [Set; 4] {
        macro_rules! set {
            ($name:literal, $nonlinear:ident, $DCM:ident, $table:ident, $data:ident, $fileName:ident, $sheet:ident, $sr:ident, $sm:ident) => {
                Set {
                    name: $name,
                    from: s.$nonlinear.then_some(s.$DCM),
                    table: self.$table,
                    data: self.$data,
                    fileName: self.$fileName,
                    sheet: self.$sheet,
                    sr: self.$sr,
                    sm: self.$sm,
                }
            };
        }
        [
            set!("TS", nonlinear_TS, DCM_TS, TS_table, TS_data, TS_fileName, sheet_TS, sr_TS, sm_TS),
            set!("TD", nonlinear_TD, DCM_TD, TD_table, TD_data, TD_fileName, sheet_TD, sr_TD, sm_TD),
            set!("RS", nonlinear_RS, DCM_RS, RS_table, RS_data, RS_fileName, sheet_RS, sr_RS, sm_RS),
            set!("RD", nonlinear_RD, DCM_RD, RD_table, RD_data, RD_fileName, sheet_RD, sr_RD, sm_RD),
        ]
    }
}

/// The coefficients of three axes: from a table at the argument, a signal, or constant.
#[inline]
fn coefficients<T: Scalar>(
    table: &Option<table::LookupTable>,
    nonlinear: bool,
    constant: Vector3<T>,
    signal: Vector3<T>,
    time_derivative: T,
    argument: impl FnOnce() -> Vector3<T>,
) -> Vector3<T> {
    match table {
        Some(table) => {
            let argument = argument();
            Vector3::from_fn(|axis, _| table.arriving(axis, argument[axis], time_derivative))
        }
        None if nonlinear => signal,
        None => constant,
    }
}
