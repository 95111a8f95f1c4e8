//! The motion of an FMU's shapes: a page that plays it, or a picture of one moment.

mod mesh;
mod page;
mod painter;
mod picture;
mod scene;

use std::path::Path;

use anyhow::{Context, Result, bail};
use fmu_builder::shapes::Shape;
use fmu_builder::{Archive, FileKind, shapes};

use crate::{Simulation, Trajectory};

pub use picture::{LIGHT, view};
pub use scene::{Body, Scene};

/// The shapes of an FMU, with the variables that a run must record to draw them.
pub struct Animation {
    shapes: Vec<Shape>,
    /// Name of the direction of gravity, if the FMU has one.
    gravity: Option<String>,
}

impl Animation {
    /// Reads the shapes in the archive, and makes the simulation record their variables.
    pub fn prepare(path: &Path, simulation: &mut Simulation) -> Result<Self> {
        let archive = Archive::open(path)?;
        if !archive.entries().iter().any(|entry| entry.name == shapes::ENTRY) {
            bail!("{} has no shapes to draw: no {}", path.display(), shapes::ENTRY);
        }
        let text = String::from_utf8(archive.read(shapes::ENTRY)?).context(shapes::ENTRY)?;
        Self::of(&text, simulation)
    }

    /// Reads a text with shapes, and makes the simulation record their variables.
    pub fn of(text: &str, simulation: &mut Simulation) -> Result<Self> {
        let shapes = shapes::read(text).map_err(anyhow::Error::msg).context(shapes::ENTRY)?;
        for shape in &shapes {
            for frame in [Some(&shape.frame), shape.to.as_ref()].into_iter().flatten() {
                simulation.record(&format!("{frame}.r_0"))?;
            }
            let orientations = ["R.T", "Q", "phi"].map(|name| format!("{}.{name}", shape.frame));
            let exists = |name: &String| {
                let element = format!("{name}[");
                simulation.variables().iter().any(|variable| variable.name.starts_with(&element))
            };
            if let Some(orientation) = orientations.iter().find(|name| exists(name)) {
                simulation.record(orientation)?;
            }
            let always = [&shape.color, &shape.width].map(Some);
            let vectors = [&shape.direction, &shape.width_direction, &shape.at].map(Option::as_ref);
            let scalars = [&shape.length, &shape.height, &shape.condition].map(Option::as_ref);
            for name in always.into_iter().chain(vectors).chain(scalars).flatten() {
                if shapes::numbers(name).is_none() {
                    simulation.record(name)?;
                }
            }
        }
        // The axes of a part of type World are shapes.
        let world = |shape: &Shape| Some(format!("{}.n", shape.name.strip_suffix(".x")?));
        let exists = |name: &String| {
            let element = format!("{name}[1]");
            simulation.variables().iter().any(|variable| variable.name == element)
        };
        let gravity = shapes.iter().filter_map(world).find(exists);
        if let Some(name) = &gravity {
            simulation.record(name)?;
        }
        Ok(Self { shapes, gravity })
    }

    /// Returns the shapes along a trajectory.
    pub fn scene(&self, trajectory: &Trajectory) -> Result<Scene> {
        Scene::new(&self.shapes, self.gravity.as_deref(), trajectory)
    }
}

/// Format of an animation, by the extension of the file.
enum Format {
    Page,
    Picture,
}

fn format(path: &Path) -> Result<Format> {
    match path.extension().and_then(|extension| extension.to_str()) {
        Some("html") => Ok(Format::Page),
        Some("svg") => Ok(Format::Picture),
        _ => bail!("{}: an animation must end with .html, a picture with .svg", path.display()),
    }
}

/// Rejects a file with another extension.
pub fn check(path: &Path) -> Result<()> {
    format(path).map(|_| ())
}

/// Returns the kind of files that an animation of this name may replace.
pub fn kind_of(path: &Path) -> Result<FileKind> {
    Ok(match format(path)? {
        Format::Page => FileKind::Html,
        Format::Picture => FileKind::Svg,
    })
}

/// Returns the page, or the picture at a time in s, by default at the start; depending on the extension of the file.
pub fn render(scene: &Scene, title: &str, path: &Path, at: Option<f64>) -> Result<String> {
    Ok(match format(path)? {
        Format::Page => page::page(scene, title),
        Format::Picture => picture::picture(scene, at.map_or(0, |time| scene.row(time))),
    })
}
