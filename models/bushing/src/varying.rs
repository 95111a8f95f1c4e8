//! Coefficients: constant, a signal, or from a table in the configuration or a file.

use fmu_runtime::unit::{self, Unit};
use fmu_runtime::{Attachment, Scalar, Table, Text, enumeration, group};
use mechanics::table::LookupTable;
use nalgebra::Vector3;

group! {
    /// Coefficients of three axes.
    pub struct Varying<T>(o: VaryingOptions) {
        tunable   value: Vector3<T> = o.of.value, "constant coefficients", name = o.of.name, text = o.of.text, unit = o.of.unit,
            min = 0.0, when = o.source.is_none();
        input     signal: Vector3<T> = o.of.value, "coefficients as a signal", name = o.of.signal, text = o.of.text,
            unit = o.of.unit, when = o.source == Some(DataSource::signal);
        parameter fileName: Text = "", "file", name = o.of.fileName.0, text = o.of.fileName.1, when = o.source == Some(DataSource::file);
        parameter data: Attachment, "file in the FMU", name = o.of.data.0, text = o.of.data.1, columns = o.of.columns, when = o.source == Some(DataSource::attachment);
        parameter sheet: Text = "", "sheet of the file", name = o.of.sheet.0, text = o.of.sheet.1, when = matches!(o.source, Some(DataSource::attachment | DataSource::file));
        parameter sr: i32 = 0, "rows to skip", name = o.of.sr.0, text = o.of.sr.1, min = 0.0, when = o.is_tabulated();
        parameter sm: Smoothness = Smoothness::linear, "smoothness", name = o.of.sm.0, text = o.of.sm.1, when = o.is_tabulated();
        parameter rows: Table<4> = o.of.rows, "table", name = o.of.table.0, text = o.of.table.1, columns = o.of.columns, when = o.source == Some(DataSource::inline);
    }
}

/// Name and description of a row.
type Row = (&'static str, &'static str);

/// Names, descriptions and default of the rows of a [`Varying`].
#[allow(non_snake_case, reason = "the parameters' names")]
#[derive(Debug)]
pub struct Coefficients {
    pub(crate) name: &'static str,
    signal: &'static str,
    text: &'static str,
    unit: &'static Unit,
    value: [f64; 3],
    fileName: Row,
    data: Row,
    sheet: Row,
    sr: Row,
    sm: Row,
    table: Row,
    rows: &'static [[f64; 4]],
    columns: &'static [&'static Unit],
}

/// Declares [`Coefficients`]: name, default, unit, description, what they are in other descriptions, description
/// of the table, and name of the signal.
macro_rules! coefficients {
    ($(
        $name:ident: [$x:literal, $y:literal, $z:literal], $unit:ident, $text:literal, $what:literal, $table:literal, over $argument:ident,
        signal = $signal:literal;
    )*) => { $(
        #[doc = $text]
        pub const $name: &Coefficients = &Coefficients {
            name: stringify!($name),
            signal: $signal,
            text: $text,
            unit: unit::$unit,
            value: [$x, $y, $z],
            fileName: (concat!(stringify!($name), "_fileName"), concat!("File with the ", $what)),
            data: (concat!(stringify!($name), "_data"), concat!("File with the ", $what, ", copied into the FMU")),
            sheet: (
                concat!("sheet_", stringify!($name)),
                concat!("Sheet with the ", $what, ", if the file has several with data"),
            ),
            sr: (concat!("sr_", stringify!($name)), concat!("Rows to skip at the top of the ", $what)),
            sm: (concat!("sm_", stringify!($name)), concat!("How the rows of the ", $what, " are joined")),
            table: (concat!(stringify!($name), "_table"), $table),
            rows: &[[0.0, $x, $y, $z]],
            columns: &[unit::$argument, unit::$unit, unit::$unit, unit::$unit],
        };
    )* };
}

coefficients! {
    TS: [4.5e6, 4.5e6, 8.0e5], N_PER_M, "Translational stiffness along the axes of frame_a", "translational stiffness", "Displacement in m and translational stiffness in N/m", over M, signal = "K_in";
    TD: [1.0e4, 1.0e4, 1.0e4], NS_PER_M, "Translational damping along the axes of frame_a", "translational damping", "Velocity in m/s and translational damping in N.s/m", over M_PER_S, signal = "D_in";
    RS: [2.6e3, 2.6e3, 1.0e2], NM_PER_RAD, "Rotational stiffness of the three Euler angles", "rotational stiffness", "Angle in rad and rotational stiffness in N.m/rad", over RAD, signal = "Ka_in";
    RD: [26.0, 26.0, 5.0], NMS_PER_RAD, "Rotational damping about the axes of frame_a", "rotational damping", "Angular velocity in rad/s and rotational damping in N.m.s/rad", over RAD_PER_S, signal = "Da_in";
}

/// Options of a [`Varying`].
#[derive(Clone, Copy, Debug)]
pub struct VaryingOptions {
    /// Which coefficients they are.
    pub of: &'static Coefficients,
    /// Where the coefficients come from, if they vary.
    pub source: Option<DataSource>,
}

impl Default for VaryingOptions {
    fn default() -> Self {
        Self { of: TS, source: None }
    }
}

impl VaryingOptions {
    /// Whether the coefficients come from a table.
    pub fn is_tabulated(&self) -> bool {
        self.source.is_some_and(|source| source != DataSource::signal)
    }
}

enumeration! {
    /// Where varying coefficients come from.
    pub enum DataSource {
        inline | "GUI" = "a table in the configuration",
        attachment = "a file copied into the FMU",
        file = "a file read when the simulation starts",
        signal | "input" = "input ports",
    }
}

enumeration! {
    /// How a table is interpolated between its rows.
    pub enum Smoothness {
        linear = "by straight lines",
        spline = "by a natural cubic spline",
    }
}

enumeration! {
    /// How a table is extrapolated.
    pub enum Extrapolation {
        hold = "with the value of the last row",
        linear = "with the slope at the last row",
    }
}

impl<T: Scalar> Varying<T> {
    /// The coefficients: from a table at the argument, a signal, or constant.
    #[inline]
    pub fn at(
        &self,
        table: &Option<LookupTable>,
        nonlinear: bool,
        time_derivative: T,
        argument: impl FnOnce() -> Vector3<T>,
    ) -> Vector3<T> {
        match table {
            Some(table) => {
                let argument = argument();
                Vector3::from_fn(|axis, _| table.one_sided(axis, argument[axis], time_derivative))
            }
            None if nonlinear => self.signal,
            None => self.value,
        }
    }
}
