//! Measurements: the rows of a file.

use std::f64::consts::FRAC_PI_2;
use std::path::Path;

use anyhow::{Result, anyhow, bail, ensure};
use spreadsheet::table::{Problem, TableOptions, table};

use crate::values::file;

/// Size of the largest file that is read, in bytes.
const MAX_BYTES: u64 = fmu_runtime::MAX_DATA_BYTES;

/// Smallest number of rows; with fewer hardly anything can be found.
const MIN_ROWS: usize = 8;

/// Kind of an axis: translation or rotation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AxisKind {
    /// Forces along x, y and z of frame_a.
    Translation,
    /// Moments of the three angles.
    Rotation,
}

impl AxisKind {
    /// Returns the names of the axes of this kind.
    pub fn names(self) -> [char; 3] {
        match self {
            Self::Translation => ['x', 'y', 'z'],
            Self::Rotation => ['1', '2', '3'],
        }
    }

    fn other(self) -> Self {
        match self {
            Self::Translation => Self::Rotation,
            Self::Rotation => Self::Translation,
        }
    }

    fn motions(self) -> &'static str {
        match self {
            Self::Translation => "translations",
            Self::Rotation => "angles",
        }
    }

    /// Returns the units of frequency, amplitude, dynamic stiffness and loss angle.
    fn units(self) -> [&'static str; 4] {
        match self {
            Self::Translation => ["Hz", "m", "N/m", "rad"],
            Self::Rotation => ["Hz", "rad", "N.m/rad", "rad"],
        }
    }
}

/// Axes that have the same measurements.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Axes {
    /// Kind of the axes.
    pub kind: AxisKind,
    /// True for those of the three axes that belong to them.
    pub which: [bool; 3],
}

impl Axes {
    /// Reads axes such as `xyz` or `123`, or some of these; `None` if a letter is none of them.
    pub fn parse(text: &str) -> Option<Self> {
        let kind =
            if text.starts_with(AxisKind::Rotation.names()) { AxisKind::Rotation } else { AxisKind::Translation };
        let mut which = [false; 3];
        for name in text.chars() {
            let axis = kind.names().iter().position(|known| *known == name)?;
            if std::mem::replace(&mut which[axis], true) {
                return None;
            }
        }
        (!text.is_empty()).then_some(Self { kind, which })
    }
}

/// A measurement.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Row {
    /// Frequency in Hz.
    pub frequency: f64,
    /// Half of the path between the turning points, in m or rad.
    pub amplitude: f64,
    /// Dynamic stiffness in N/m or N.m/rad.
    pub stiffness: f64,
    /// Loss angle in rad.
    pub angle: f64,
}

/// The measurements of a file.
#[derive(Clone, Debug)]
pub struct Measured {
    /// Rows in the order of the file.
    pub rows: Vec<Row>,
    /// The number of each row in the file, from 1.
    pub positions: Vec<u32>,
    /// Message about the reading of the file, in one line.
    pub found: String,
    /// Notes on the meaning of headings.
    pub notes: Vec<String>,
}

impl Measured {
    /// Reads frequency, amplitude, dynamic stiffness and loss angle.
    ///
    /// # Errors
    ///
    /// When a column is missing, has no unit or one of another quantity; when a number cannot be; with too few rows.
    pub fn read(path: &Path, kind: AxisKind, form: &TableOptions) -> Result<Self> {
        let content = file::read(path, MAX_BYTES)?;
        let columns = "frequency, amplitude, dynamic stiffness and loss angle, in this order";
        let read = |kind: AxisKind| table(&path.to_string_lossy(), &content, form, &kind.units(), false);
        let table = read(kind).map_err(|Problem { message, of_columns }| {
            let other = kind.other();
            if !of_columns {
                anyhow!(message)
            } else if read(other).is_ok_and(|table| !table.assumed) {
                let names = String::from_iter(other.names());
                anyhow!("{message}; those of {} are given as {names}={}", other.motions(), path.display())
            } else {
                anyhow!("the columns must be {columns}: {message}")
            }
        })?;
        let origin = &table.origin;
        ensure!(
            !table.assumed,
            "{origin} gives no units: use headings such as \"amplitude [mm]\", or --units Hz,mm,N/mm,deg"
        );
        let (mut rows, mut notes) = (Vec::new(), Vec::new());
        let heading = &table.headings[1];
        let is_double = is_peak_to_peak(heading);
        if is_double {
            notes.push(format!(
                "column {} \"{heading}\" is the path between the turning points: half of it is the amplitude",
                table.columns[1]
            ));
        }
        for (numbers, position) in table.numbers.chunks_exact(4).zip(&table.positions) {
            let &[frequency, amplitude, stiffness, angle] = numbers else { continue };
            for (column, what, value) in
                [(0, "frequency", frequency), (1, "amplitude", amplitude), (2, "dynamic stiffness", stiffness)]
            {
                ensure!(
                    value > 0.0,
                    "{origin}, row {position}, column {}: the {what} is {value:?}, but must be above 0",
                    table.columns[column]
                );
            }
            let place = format!("{origin}, row {position}, column {}", table.columns[3]);
            ensure!(
                angle >= 0.0,
                "{place}: the loss angle is {:.4} deg, but must be at least 0: the load leads the deflection",
                angle.to_degrees()
            );
            ensure!(
                angle < FRAC_PI_2,
                "{place}: the loss angle is {:.4} deg, but must be below 90 deg",
                angle.to_degrees()
            );
            let amplitude = if is_double { amplitude / 2.0 } else { amplitude };
            rows.push(Row { frequency, amplitude, stiffness, angle });
        }
        if rows.len() < MIN_ROWS {
            bail!("at least {MIN_ROWS} rows are needed, but {origin} has {}", rows.len());
        }
        Ok(Self { rows, positions: table.positions, found: table.found, notes })
    }

    /// Returns the different amplitudes, in ascending order: those within a tenth of each other are one.
    pub fn amplitudes(&self) -> Vec<f64> {
        let mut all: Vec<f64> = self.rows.iter().map(|row| row.amplitude).collect();
        all.sort_by(f64::total_cmp);
        all.dedup_by(|next, first| *next < 1.1 * *first);
        all
    }
}

/// Returns true if a heading means the path between the turning points instead of half of it.
fn is_peak_to_peak(heading: &str) -> bool {
    let words: Vec<_> = heading.split(|c: char| !c.is_alphanumeric()).map(str::to_lowercase).collect();
    let text = format!(" {} ", words.iter().filter(|word| !word.is_empty()).cloned().collect::<Vec<_>>().join(" "));
    const WORDS: [&str; 11] = [
        "p p", "pp", "pk pk", "pkpk", "p to p", "p2p", "pk to pk", "peak to peak", "peak peak", "double amplitude",
        "spitze spitze",
    ];
    WORDS.iter().any(|word| text.contains(&format!(" {word} "))) || text.contains("doppelamplitude")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn double_amplitudes_are_recognised_by_their_headings() {
        for heading in
            ["p-p amplitude", "Amplitude pk-pk [mm]", "x (peak-to-peak)", "Double Amplitude", "amplitude_pp", "P-P"]
        {
            assert!(is_peak_to_peak(heading), "{heading}");
        }
        for heading in
            ["amplitude", "amplitude (peak)", "dynamic displacement", "app", "upper amplitude", "0-p amplitude"]
        {
            assert!(!is_peak_to_peak(heading), "{heading}");
        }
    }

    #[test]
    fn axes_are_some_of_a_kind() {
        let xz = Axes::parse("zx").unwrap();
        assert_eq!((xz.kind, xz.which), (AxisKind::Translation, [true, false, true]));
        assert_eq!(Axes::parse("2").unwrap(), Axes { kind: AxisKind::Rotation, which: [false, true, false] });
        for wrong in ["", "xx", "x1", "1x", "w", "data"] {
            assert_eq!(Axes::parse(wrong), None, "{wrong}");
        }
    }
}
