//! Loads that resist: coefficients that are constant, a signal or from a table, or measured curves.

use fmu_runtime::unit::{self, Unit};
use fmu_runtime::{Attachment, Scalar, Table, Text, declared, enumeration, group};
use mechanics::lookup_table::LookupTable;
use nalgebra::Vector3;

group! {
    /// Coefficients of three axes.
    pub struct Varying<T>(o: VaryingOptions) {
        tunable   value: Vector3<T> = o.of.value, "constant coefficients", name = o.of.name, text = o.of.text, unit = o.of.unit,
            min = 0.0, when = o.source.is_none();
        input     signal: Vector3<T> = o.of.value, "coefficients as a signal", name = o.of.signal, text = o.of.text,
            unit = o.of.unit, when = o.source == Some(DataSource::signal);
        parameter fileName: Text = "", "file", name = o.of.fileName.0, text = o.of.fileName.1, when = o.source == Some(DataSource::file);
        parameter data: Attachment, "file in the FMU", name = o.of.data.0, text = o.of.data.1, columns = o.columns(), sheet = o.of.sheet.0, when = o.source == Some(DataSource::attachment);
        parameter sheet: Text = "", "sheet of the file", name = o.of.sheet.0, text = o.of.sheet.1, when = matches!(o.source, Some(DataSource::attachment | DataSource::file));
        parameter sr: i32 = 0, "rows to skip", name = o.of.sr.0, text = o.of.sr.1, min = 0.0, when = o.is_tabulated();
        parameter sm: Smoothness = Smoothness::linear, "smoothness", name = o.of.sm.0, text = o.of.sm.1, when = o.is_tabulated();
        parameter rows: Table<4> = o.of.rows, "table", name = o.of.table.0, text = o.of.table.1, columns = o.columns(), when = o.is_inline(TableContent::coefficient);
        parameter curve_1: Table<2> = o.of.points[0], "curve", name = o.of.curves[0].0, text = o.of.curves[0].1, columns = &o.of.curve_columns[..2], when = o.is_inline(TableContent::curve);
        parameter curve_2: Table<2> = o.of.points[1], "curve", name = o.of.curves[1].0, text = o.of.curves[1].1, columns = &o.of.curve_columns[..2], when = o.is_inline(TableContent::curve);
        parameter curve_3: Table<2> = o.of.points[2], "curve", name = o.of.curves[2].0, text = o.of.curves[2].1, columns = &o.of.curve_columns[..2], when = o.is_inline(TableContent::curve);
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
    pub(crate) text: &'static str,
    unit: &'static Unit,
    value: [f64; 3],
    fileName: Row,
    data: Row,
    sheet: Row,
    sr: Row,
    sm: Row,
    pub(crate) table: Row,
    rows: &'static [[f64; 4]],
    pub(crate) columns: &'static [&'static Unit],
    /// The largest plausible argument, and the unit in which larger ones are plausible.
    pub(crate) largest: f64,
    pub(crate) instead: &'static str,
    pub(crate) curves: [Row; 3],
    /// Units of the columns of the three curves.
    curve_columns: &'static [&'static Unit],
    points: [&'static [[f64; 2]]; 3],
    /// True if the loads have a potential.
    pub(crate) elastic: bool,
}

/// Declares [`Coefficients`]: name, default, unit, description, their name in other descriptions, description of the
/// table, name of the signal, `elastic` for loads with a potential, and the description of a curve around its axis.
macro_rules! coefficients {
    ($(
        $name:ident: [$x:literal, $y:literal, $z:literal], $unit:ident, $text:literal, $what:literal, $table:literal, over $argument:ident to $largest:literal or $instead:literal,
        signal = $signal:literal, elastic = $elastic:literal,
        curve = $load:ident, $before:literal, [$a:literal, $b:literal, $c:literal], $after:literal;
    )*) => { $(
        #[doc = $text]
        pub const $name: &Coefficients = &Coefficients {
            name: stringify!($name),
            signal: $signal,
            text: $text,
            unit: unit::$unit,
            value: [$x, $y, $z],
            fileName: (concat!(stringify!($name), "_fileName"), declared(concat!("File with the ", $what))),
            data: (concat!(stringify!($name), "_data"), declared(concat!("File with the ", $what, ", copied into the FMU"))),
            sheet: (
                concat!("sheet_", stringify!($name)),
                declared(concat!("Sheet with the ", $what, ", if the file has several with data")),
            ),
            sr: (concat!("sr_", stringify!($name)), declared(concat!("Rows to skip at the top of the ", $what))),
            sm: (concat!("sm_", stringify!($name)), declared(concat!("How the rows of the ", $what, " are joined"))),
            table: (concat!(stringify!($name), "_table"), declared($table)),
            rows: &[[0.0, $x, $y, $z]],
            largest: $largest,
            instead: $instead,
            columns: &[unit::$argument, unit::$unit, unit::$unit, unit::$unit],
            curves: [
                (concat!(stringify!($name), "_curve_", $a), declared(concat!($before, $a, $after))),
                (concat!(stringify!($name), "_curve_", $b), declared(concat!($before, $b, $after))),
                (concat!(stringify!($name), "_curve_", $c), declared(concat!($before, $c, $after))),
            ],
            curve_columns: &[
                unit::$argument, unit::$load, unit::$argument, unit::$load, unit::$argument, unit::$load,
            ],
            points: [&[[0.0, 0.0], [0.1, 0.1 * $x]], &[[0.0, 0.0], [0.1, 0.1 * $y]], &[[0.0, 0.0], [0.1, 0.1 * $z]]],
            elastic: $elastic,
        };
    )* };
}

coefficients! {
    TS: [4.5e6, 4.5e6, 8.0e5], N_PER_M, "Translational stiffness along the axes of frame_a", "translational stiffness", "Displacement in m and translational stiffness in N/m", over M to 0.1 or "mm", signal = "K_in", elastic = true, curve = N, "Displacement along ", ["x", "y", "z"], " of frame_a in m and the force that resists it in N";
    TD: [1.0e4, 1.0e4, 1.0e4], NS_PER_M, "Translational damping along the axes of frame_a", "translational damping", "Velocity in m/s and translational damping in N.s/m", over M_PER_S to 50.0 or "mm/s", signal = "D_in", elastic = false, curve = N, "Velocity along ", ["x", "y", "z"], " of frame_a in m/s and the force that resists it in N";
    RS: [2.6e3, 2.6e3, 1.0e2], NM_PER_RAD, "Rotational stiffness of the three Euler angles", "rotational stiffness", "Angle in rad and rotational stiffness in N.m/rad", over RAD to 6.3 or "deg", signal = "Ka_in", elastic = true, curve = N_M, "Euler angle ", ["1", "2", "3"], " in rad and the moment that resists it in N.m";
    RD: [26.0, 26.0, 5.0], NMS_PER_RAD, "Rotational damping about the axes of frame_a", "rotational damping", "Angular velocity in rad/s and rotational damping in N.m.s/rad", over RAD_PER_S to 1000.0 or "deg/s", signal = "Da_in", elastic = false, curve = N_M, "Angular velocity about ", ["x", "y", "z"], " of frame_a in rad/s and the moment that resists it in N.m";
}

/// Options of a [`Varying`].
#[derive(Clone, Copy, Debug)]
pub struct VaryingOptions {
    /// Names and defaults of the coefficients.
    pub of: &'static Coefficients,
    /// Source of the coefficients, unless they are constant.
    pub source: Option<DataSource>,
    /// Content of tables: coefficients or curves.
    pub law: TableContent,
}

impl Coefficients {
    /// Returns the name of the quantity, such as "Rotational stiffness", without the directions.
    pub(crate) fn quantity(&self) -> &'static str {
        let text = self.text.split(" along ").next().unwrap_or_default();
        text.split(" of ").next().unwrap_or_default()
    }

    /// Returns the unit of the loads.
    pub(crate) fn load(&self) -> &'static Unit {
        self.curve_columns[1]
    }
}

impl Default for VaryingOptions {
    fn default() -> Self {
        Self { of: TS, source: None, law: TableContent::coefficient }
    }
}

impl VaryingOptions {
    /// True if the coefficients come from tables.
    pub fn is_tabulated(&self) -> bool {
        self.source.is_some_and(|source| source != DataSource::signal)
    }

    /// True if the coefficients come from tables with this content.
    pub fn has(&self, law: TableContent) -> bool {
        self.is_tabulated() && self.law == law
    }

    /// Returns the units of the columns of a file.
    fn columns(&self) -> &'static [&'static Unit] {
        if self.law == TableContent::curve { self.of.curve_columns } else { self.of.columns }
    }

    fn is_inline(&self, law: TableContent) -> bool {
        self.source == Some(DataSource::inline) && self.law == law
    }
}

enumeration! {
    /// Contents of the tables.
    pub enum TableContent {
        coefficient = "coefficients: the load divided by the deflection or velocity",
        curve = "curves of the load over the deflection or velocity, each axis with its own grid",
    }
}

enumeration! {
    /// Where varying coefficients and curves come from.
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
        linear | "Linearly interpolate table points" = "by straight lines",
        spline | "cubic" | "cubic spline" = "by a natural cubic spline",
        akima = "by Akima's cubic spline, which overshoots less and depends on the nearest points only",
    }
}

enumeration! {
    /// How a table is extrapolated.
    pub enum Extrapolation {
        hold = "with the value of the last row",
        linear = "with the slope at the last row",
    }
}

/// Tables in which loads are looked up.
#[derive(Debug, Default)]
pub enum Lookup {
    /// No tables: the coefficients are constant or a signal.
    #[default]
    None,
    /// A table of the coefficients of the three axes.
    Coefficients(LookupTable),
    /// A curve for each axis.
    Curves(Box<[LookupTable; 3]>),
}

impl Lookup {
    /// Returns the loads that resist a deflection or velocity, axis by axis; none if nothing is looked up.
    // Not inlined, so that constant coefficients stay fast.
    #[inline(never)]
    fn load<T: Scalar>(&self, argument: &Vector3<T>, time_derivative: T) -> Vector3<T> {
        match self {
            Lookup::None => Vector3::zeros(),
            Lookup::Coefficients(table) => Vector3::from_fn(|axis, _| {
                let argument = argument[axis];
                table.lookup_directional(axis, argument, time_derivative) * argument
            }),
            Lookup::Curves(curves) => {
                Vector3::from_fn(|axis, _| curves[axis].lookup_directional(0, argument[axis], time_derivative))
            }
        }
    }
}

impl<T: Scalar> Varying<T> {
    /// Returns the loads that resist a deflection or velocity, axis by axis.
    #[inline(always)]
    pub fn load(&self, lookup: &Lookup, nonlinear: bool, time_derivative: T, argument: &Vector3<T>) -> Vector3<T> {
        match lookup {
            Lookup::None if nonlinear => self.signal.component_mul(argument),
            Lookup::None => self.value.component_mul(argument),
            lookup => lookup.load(argument, time_derivative),
        }
    }
}
