//! The shapes of an FMU as visualizers of the Modelica Standard Library, bound to the frames.
//!
//! A shape of a component names its connectors and parameters. A shape of a system names frames and values inside of the
//! FMU, too: these become variables of the model, with the values that the FMU has at outputs.

use std::collections::BTreeMap;

use super::levels::{Levels, slice};
use super::names::{identifier, list};
use crate::description::{Causality, Connector, Description};
use crate::shapes::{self, Shape, ShapeKind};

const FRAMES: &str = "Modelica.Mechanics.MultiBody.Frames";
const VECTORS: &str = "Modelica.Math.Vectors";

/// Name of half the size of the mechanism, of which lengths of shapes are multiples where they are numbers.
const HALF_SIZE: &str = "halfSize";

/// Returns the shapes; none if the FMU has no animation.
pub(super) fn shapes(description: &Description) -> Result<Vec<Shape>, String> {
    shapes::read(&shapes::json(&description.shapes)).map_err(|reason| format!("its shapes cannot be drawn: {reason}"))
}

/// Returns the parameters that have no other purpose than a shape, with true for colours.
pub(super) fn parameters(shape: &Shape) -> impl Iterator<Item = (&str, bool)> {
    let others =
        [&shape.length, &shape.height, &shape.width_direction].into_iter().flatten().map(|name| (&**name, false));
    let always = [(&*shape.width, false), (&*shape.specular_coefficient, false), (&*shape.color, true)];
    others.chain(always)
}

/// The shapes of a model, with the variables that they need.
#[derive(Default)]
pub(super) struct Drawing {
    /// The shapes, without semicolon.
    pub shapes: Vec<String>,
    /// Names and declarations of the variables that the shapes refer to, without semicolon.
    pub variables: Vec<(String, String)>,
    /// Initial equations, without semicolon.
    pub initial: Vec<String>,
}

impl Drawing {
    /// Declares these shapes; values inside the FMU are added to the levels.
    pub fn new(
        description: &Description,
        parameters: &[String],
        levels: &mut Levels,
        shapes: &[Shape],
    ) -> Result<Self, String> {
        let mut names = Names { description, parameters, levels, variables: Vec::new(), known: BTreeMap::new() };
        let mut drawing = Self::default();
        for shape in shapes {
            drawing.shapes.push(declaration(shape, &mut names)?);
        }
        let is_scaled = drawing.shapes.iter().any(|shape| shape.contains(HALF_SIZE));
        if is_scaled {
            let mut origins = Vec::new();
            for frame in shapes.iter().flat_map(|shape| [Some(&shape.frame), shape.to.as_ref()]).flatten() {
                let origin = names.origin(frame)?;
                if !origins.contains(&origin) {
                    origins.push(origin);
                }
            }
            drawing.initial.push(format!("{HALF_SIZE} = Internal.halfSize({})", list(origins)));
            let declaration = format!(
                "parameter Real {HALF_SIZE}(fixed = false, unit = \"m\") \"Half the size of the mechanism at the start\""
            );
            drawing.variables.push((HALF_SIZE.to_owned(), declaration));
        }
        drawing.variables.append(&mut names.variables);
        Ok(drawing)
    }
}

/// The names of shapes as expressions of the model.
struct Names<'a> {
    description: &'a Description,
    /// The parameters of the model.
    parameters: &'a [String],
    levels: &'a mut Levels,
    variables: Vec<(String, String)>,
    /// The names of variables that are known already, by the names inside the FMU.
    known: BTreeMap<String, String>,
}

impl Names<'_> {
    /// Returns true if the model has a connector of this name.
    fn is_connector(&self, frame: &str) -> bool {
        let is_frame = |connector| matches!(connector, Connector::Frame_a | Connector::Frame_b);
        self.description.terminals.iter().any(|terminal| terminal.name == frame && is_frame(terminal.connector))
    }

    /// Returns the position of a frame.
    fn origin(&mut self, frame: &str) -> Result<String, String> {
        match self.is_connector(frame) {
            true => Ok(format!("{}.r_0", identifier(frame))),
            false => self.value(&format!("{frame}.r_0")),
        }
    }

    /// Returns the orientation of a frame; none if the FMU does not have it.
    fn orientation(&mut self, frame: &str) -> Result<Option<String>, String> {
        if self.is_connector(frame) {
            return Ok(Some(format!("{}.R", identifier(frame))));
        }
        let matrix = format!("{frame}.R.T");
        if self.references(&matrix).is_empty() {
            return Ok(None);
        }
        if let Some(name) = self.known.get(&matrix) {
            return Ok(Some(name.clone()));
        }
        let elements = self.observe(&matrix);
        let rows = elements.chunks(3).map(slice);
        let name = format!("{}_drawn", identifier(&format!("{frame}.R")));
        let declaration = format!("{FRAMES}.Orientation {name} = {FRAMES}.from_T({}, zeros(3))", list(rows));
        self.declare(&matrix, name.clone(), declaration);
        Ok(Some(name))
    }

    /// Returns a number or a vector, or a variable with such a value.
    fn value(&mut self, name: &str) -> Result<String, String> {
        if let Some(numbers) = shapes::numbers(name) {
            return Ok(match &numbers[..] {
                [one] if !name.starts_with('[') => one.to_string(),
                several => list(several.iter().map(f64::to_string)),
            });
        }
        let identifier = identifier(name);
        if self.parameters.contains(&identifier) {
            return Ok(identifier);
        }
        if let Some(known) = self.known.get(name) {
            return Ok(known.clone());
        }
        let elements = self.observe(name);
        let (size, value) = match &elements[..] {
            [] => return Err(format!("its shapes cannot be drawn: it has no {name}")),
            [one] if !self.description.variables.iter().any(|variable| variable.name == format!("{name}[1]")) => {
                (String::new(), one.clone())
            }
            several => (format!("[{}]", several.len()), slice(several)),
        };
        let drawn = format!("{identifier}_drawn");
        self.declare(name, drawn.clone(), format!("Real {drawn}{size} = {value}"));
        Ok(drawn)
    }

    /// Returns a length, which is a multiple of half the size of the mechanism if it is a number.
    fn length(&mut self, name: &str) -> Result<String, String> {
        let value = self.value(name)?;
        Ok(if shapes::numbers(name).is_some() { format!("{value}*{HALF_SIZE}") } else { value })
    }

    fn declare(&mut self, of: &str, name: String, declaration: String) {
        self.variables.push((name.clone(), declaration));
        self.known.insert(of.to_owned(), name);
    }

    /// Returns the references of a variable with its elements.
    fn references(&self, name: &str) -> Vec<u32> {
        let is_element =
            |full: &str| full.strip_prefix(name).is_some_and(|rest| rest.is_empty() || rest.starts_with('['));
        let variables = self.description.variables.iter().filter(|variable| is_element(&variable.name));
        let known = variables.filter(|variable| variable.causality != Causality::Input && variable.is_real());
        known.map(|variable| variable.value_reference).collect()
    }

    fn observe(&mut self, name: &str) -> Vec<String> {
        self.references(name).into_iter().map(|reference| self.levels.add_observed(reference)).collect()
    }
}

/// Returns the declaration of a shape, without semicolon.
fn declaration(shape: &Shape, names: &mut Names<'_>) -> Result<String, String> {
    let kind = match shape.kind {
        ShapeKind::Cylinder => "cylinder",
        ShapeKind::Sphere => "sphere",
        ShapeKind::Box => "box",
    };
    let (width, color) = (names.length(&shape.width)?, names.value(&shape.color)?);
    let height = shape.height.as_ref().map(|height| names.length(height)).transpose()?.unwrap_or_else(|| width.clone());
    let specular = names.value(&shape.specular_coefficient)?;
    let condition = match &shape.condition {
        Some(name) => format!(" and {} > 0", names.value(name)?),
        None => String::new(),
    };
    Ok(format!(
        "Modelica.Mechanics.MultiBody.Visualizers.Advanced.Shape {}(\n    \
         shapeType = \"{kind}\", {}, width = {width}, height = {height}, color = {color},\n    \
         specularCoefficient = {specular}) if world.enableAnimation and animation{condition}",
        identifier(&shape.name),
        pose(shape, names, &width)?
    ))
}

/// Returns position, orientation, direction and length of a shape.
fn pose(shape: &Shape, names: &mut Names<'_>, width: &str) -> Result<String, String> {
    const UNTURNED: &str = "Modelica.Mechanics.MultiBody.Frames.nullRotation()";
    let origin = names.origin(&shape.frame)?;
    let other = shape.to.as_ref().map(|to| names.origin(to)).transpose()?;
    let orientation = names.orientation(&shape.frame)?;
    let matrix = orientation.clone().unwrap_or_else(|| UNTURNED.to_owned());
    let at = shape.at.as_ref().map(|at| names.length(at)).transpose()?;
    let across = shape.width_direction.as_ref().map(|direction| names.value(direction)).transpose()?;
    let along_frame = across.clone().unwrap_or_else(|| "{0, 1, 0}".to_owned());
    Ok(match (shape.kind, other, &shape.direction) {
        (ShapeKind::Sphere, other, _) => {
            let middle = other.map_or_else(|| origin.clone(), |other| format!("({origin} + {other})/2"));
            let place = at.map(|at| format!("{at} + ")).unwrap_or_default();
            format!(
                "r = {middle}, R = {matrix}, r_shape = {place}{{-{width}/2, 0, 0}}, lengthDirection = {{1, 0, 0}}, \
                 widthDirection = {{0, 1, 0}}, length = {width}"
            )
        }
        (_, Some(other), _) => {
            let along = format!("{other} - {origin}");
            let across = match (across, orientation) {
                (Some(direction), Some(matrix)) => format!("{FRAMES}.resolve1({matrix}, {direction})"),
                (Some(direction), None) => direction,
                (None, _) => "{0, 1, 0}".to_owned(),
            };
            format!(
                "r = {origin}, R = {UNTURNED}, lengthDirection = {along}, widthDirection = {across}, \
                 length = {VECTORS}.length({along})"
            )
        }
        (_, None, None) if at.is_some() => {
            let at = at.unwrap_or_default();
            format!(
                "r = {origin}, R = {matrix}, lengthDirection = {at}, widthDirection = {along_frame}, \
                 length = {VECTORS}.length({at})"
            )
        }
        (_, None, direction) => {
            let direction = direction.as_ref().map_or_else(|| Ok("{1, 0, 0}".to_owned()), |name| names.value(name))?;
            let length = shape.length.as_ref().map_or_else(|| Ok(width.to_owned()), |name| names.length(name))?;
            let before = at.map_or_else(|| "-".to_owned(), |at| format!("{at} - "));
            format!(
                "r = {origin}, R = {matrix}, r_shape = {before}{VECTORS}.normalize({direction})*{length}/2, \
                 lengthDirection = {direction}, widthDirection = {along_frame}, length = {length}"
            )
        }
    })
}
