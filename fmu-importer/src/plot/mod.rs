//! Curves for a person to read: stacked panels over a common time axis.

pub mod bode;
mod colours;
pub mod cost;
mod curve;
pub mod dynamic;
pub mod family;
mod figure;
pub mod fitted;
pub mod heat_map;
mod panels;
mod svg;
mod ticks;

use std::io::Write;
use std::path::Path;

use anyhow::{Context, Result, bail};
use fmu_builder::{Destination, FileKind};
use plotive::Prepare;
use plotive::des::Figure;
use plotive_pxl::PxlRender;

use crate::Trajectory;
use crate::values::file::small_extension;

pub use panels::{Panel, panels};

/// Largest number of panels; with more they would be too low to read.
pub const MAX_PANELS: usize = 6;

/// Draws a trajectory into a file, in the format of its extension.
///
/// `show` names variables, or beginnings of names up to a dot or a bracket. Without any, all continuous ones are shown
/// but for panels that are zero throughout, and at most six panels. Returns the number of panels that were left out for
/// that.
pub fn save(trajectory: &Trajectory, title: &str, show: &[String], file: &Destination) -> Result<usize> {
    let mut panels = panels(trajectory, show)?;
    let all = panels.len();
    if show.is_empty() {
        panels.truncate(MAX_PANELS);
    }
    if panels.is_empty() {
        bail!("nothing to plot: the FMU has no continuous output");
    }
    draw(figure::figure(trajectory, title, &panels), file)?;
    Ok(all - panels.len())
}

/// Writes a figure, in the format of the file's extension.
fn draw(figure: Figure, file: &Destination) -> Result<()> {
    let prepared = figure.prepare(&(), None).context("the plot cannot be drawn")?;
    let style = figure::style();
    let contents = match Format::of(file.path())? {
        Format::Svg => svg::render(&prepared, &style)?,
        Format::Png => {
            let params = plotive_pxl::Params { style, scale: 2.0, fontdb: None };
            prepared.to_png_data(&(), params).context("the plot cannot be drawn")?
        }
    };
    Ok(file.write(|writer| writer.write_all(&contents))?)
}

/// The kinds of pictures.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// Lines, for documents.
    Svg,
    /// Pixels.
    Png,
}

impl Format {
    /// Returns the format of a file's extension.
    pub fn of(path: &Path) -> Result<Self> {
        match small_extension(path).as_deref() {
            Some("svg") => Ok(Self::Svg),
            Some("png") => Ok(Self::Png),
            _ => bail!("{}: a plot is an .svg or a .png file", path.display()),
        }
    }

    /// Returns the kind of files that a plot of this name may replace.
    pub fn kind_of(path: &Path) -> Result<FileKind> {
        Ok(match Self::of(path)? {
            Self::Svg => FileKind::Svg,
            Self::Png => FileKind::Png,
        })
    }
}
