//! The shapes of an FMU as visualizers of the Modelica Standard Library, bound to the frames.

use crate::description::Description;
use crate::shapes::{self, Shape, ShapeKind};

const FRAMES: &str = "Modelica.Mechanics.MultiBody.Frames";
const VECTORS: &str = "Modelica.Math.Vectors";

/// The shapes; none if the FMU has no animation.
pub(super) fn shapes(description: &Description) -> Result<Vec<Shape>, String> {
    shapes::read(&shapes::json(&description.shapes)).map_err(|reason| format!("its shapes cannot be drawn: {reason}"))
}

/// The parameters that have no other purpose than a shape, with whether they are colours.
pub(super) fn parameters(shape: &Shape) -> impl Iterator<Item = (&str, bool)> {
    let others =
        [&shape.length, &shape.height, &shape.width_direction].into_iter().flatten().map(|name| (&**name, false));
    let always = [(&*shape.width, false), (&*shape.specular_coefficient, false), (&*shape.color, true)];
    others.chain(always)
}

/// The declaration of a shape, without semicolon.
pub(super) fn declaration(shape: &Shape) -> String {
    let Shape { name, frame, width, color, specular_coefficient, .. } = shape;
    let kind = match shape.kind {
        ShapeKind::Cylinder => "cylinder",
        ShapeKind::Sphere => "sphere",
        ShapeKind::Box => "box",
    };
    let height = shape.height.as_ref().unwrap_or(width);
    let place = match (shape.kind, &shape.to) {
        (ShapeKind::Sphere, to) => {
            let middle = to.as_ref().map_or(format!("{frame}.r_0"), |to| format!("({frame}.r_0 + {to}.r_0)/2"));
            format!(
                "r = {middle}, R = {frame}.R, r_shape = {{-{width}/2, 0, 0}}, lengthDirection = {{1, 0, 0}}, \
                 widthDirection = {{0, 1, 0}}, length = {width}"
            )
        }
        (_, Some(to)) => {
            let along = format!("{to}.r_0 - {frame}.r_0");
            let across = match &shape.width_direction {
                Some(direction) => format!("{FRAMES}.resolve1({frame}.R, {direction})"),
                None => "{0, 1, 0}".to_owned(),
            };
            format!(
                "r = {frame}.r_0, R = {FRAMES}.nullRotation(), lengthDirection = {along}, widthDirection = {across}, \
                 length = {VECTORS}.length({along})"
            )
        }
        (_, None) => {
            let direction = shape.direction.as_deref().unwrap_or("{1, 0, 0}");
            let length = shape.length.as_ref().unwrap_or(width);
            format!(
                "r = {frame}.r_0, R = {frame}.R, r_shape = -{VECTORS}.normalize({direction})*{length}/2, \
                 lengthDirection = {direction}, widthDirection = {{0, 1, 0}}, length = {length}"
            )
        }
    };
    let condition = shape.condition.as_ref().map(|name| format!(" and {name} > 0")).unwrap_or_default();
    format!(
        "Modelica.Mechanics.MultiBody.Visualizers.Advanced.Shape {name}(\n    \
         shapeType = \"{kind}\", {place}, width = {width}, height = {height}, color = {color},\n    \
         specularCoefficient = {specular_coefficient}) if world.enableAnimation and animation{condition}"
    )
}
