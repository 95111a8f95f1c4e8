//! Bodies whose mass and inertia tensor follow from their shape and density.

use fmu_runtime::{Number, Scalar, Shape, group};
use mechanics::direction::unit;
use mechanics::{constant, tree};
use nalgebra::{Matrix3, Vector3};
use ports::assembly::shown;

use super::super::frame::{axes, parallel};
use super::kind::{BodyKind, Solid};

group! {
    /// The place and the material of a shape: it reaches from r_shape to frame_b.
    pub struct Material<T>(_o: ()) {
        parameter r: Vector3<T> = [0.1, 0.0, 0.0], M, "Position of frame_b, resolved in frame_a";
        parameter r_shape: Vector3<T>, M, "Where the shape begins, resolved in frame_a; it ends at r";
        parameter density: T = 7700.0, KG_PER_M3, "Density", min = 0.0;
        calculated length: T, M, "Length of the shape";
        calculated lengthDirection: Vector3<T>, ONE, "Direction of the length, resolved in frame_a";
        calculated m: T, KG, "Mass";
        calculated r_CM: Vector3<T>, M, "Center of mass, resolved in frame_a";
        calculated I: Matrix3<T>, KG_M2, "Inertia tensor about the center of mass, resolved in frame_a";
    }
}

impl<T: Scalar> Material<T> {
    fn along(&self) -> Vector3<T> {
        self.r - self.r_shape
    }

    /// Returns a body whose cross section has this area and these second moments of area, over the two axes across the
    /// length, of which the first one lies in the plane of the length and `aside`.
    fn body(&self, area: T, [over_y, over_z]: [T; 2], aside: &Vector3<T>) -> tree::Body<T> {
        let along = self.along();
        let (per_area, axes) = (self.density * along.norm(), axes(&along, aside));
        let over_x = area * along.norm_squared() / constant::<T>(12.0);
        let moments = Vector3::new(over_y + over_z, over_x + over_z, over_x + over_y) * per_area;
        let tensor = axes.transpose() * Matrix3::from_diagonal(&moments) * axes;
        tree::Body { m: per_area * area, r_CM: (self.r + self.r_shape) * constant::<T>(0.5), I: tensor }
    }

    fn problem(&self) -> Option<String> {
        let is_short = self.along().norm().value() == 0.0;
        is_short.then(|| format!("r and r_shape are both {}, but the shape extends from r_shape to r", shown(&self.r)))
    }

    fn set_outputs(&mut self, body: &tree::Body<T>) {
        let along = self.along();
        (self.length, self.lengthDirection) = (along.norm(), unit(&along));
        (self.m, self.r_CM, self.I) = (body.m, body.r_CM, body.I);
    }
}

/// Describes the error of a hole that is not smaller than the outside.
fn hollow<T: Scalar>((inner, of_hole): (&str, T), (outer, of_outside): (&str, T)) -> Option<String> {
    (of_hole.value() > of_outside.value()).then(|| {
        let [inside, outside] = [of_hole, of_outside].map(|length| Number(length.value()));
        format!("{inner} is {inside} m, but {outer} is {outside} m, and a hole is not larger than the body")
    })
}

group! {
    /// ```text
    /// m = density length (width height - innerWidth innerHeight)
    /// ```
    pub struct BoxSolid<T>(_o: ()) {
        group material: Material<T> = (), "", name = "";
        parameter widthDirection: Vector3<T> = [0.0, 1.0, 0.0], ONE, "A direction in the plane of length and width, resolved in frame_a";
        parameter width: T = 0.05, M, "Width", min = 0.0;
        parameter height: T = 0.05, M, "Height, perpendicular to length and width", min = 0.0;
        parameter innerWidth: T = 0.0, M, "Width of the hole along the box", min = 0.0;
        parameter innerHeight: T = 0.0, M, "Height of the hole along the box", min = 0.0;
    }
}

impl<T: Scalar> Solid<T> for BoxSolid<T> {
    fn body(&self) -> tree::Body<T> {
        let (outer, inner) = (self.width * self.height, self.innerWidth * self.innerHeight);
        let over = |outside: T, inside: T| (outer * outside * outside - inner * inside * inside) / constant::<T>(12.0);
        let moments = [over(self.width, self.innerWidth), over(self.height, self.innerHeight)];
        self.material.body(outer - inner, moments, &self.widthDirection)
    }

    fn r(&self) -> Vector3<T> {
        self.material.r
    }

    fn problem(&self) -> Option<String> {
        let along = self.material.along();
        self.material
            .problem()
            .or_else(|| hollow(("innerWidth", self.innerWidth), ("width", self.width)))
            .or_else(|| hollow(("innerHeight", self.innerHeight), ("height", self.height)))
            .or_else(|| parallel(("widthDirection", &self.widthDirection), ("r - r_shape", &along)))
    }

    fn set_outputs(&mut self) {
        self.material.set_outputs(&self.body());
    }
}

/// A box.
///
/// Source: Modelica.Mechanics.MultiBody.Parts.BodyBox.
pub struct BodyBox;

impl BodyKind for BodyBox {
    const NAME: &'static str = "BodyBox";
    const TEXT: &'static str =
        "A rigid box with two frames, which are parallel; mass and inertia follow from its density";
    const HAS_FRAME_B: bool = true;
    type Solid<T: Scalar> = BoxSolid<T>;

    fn shapes() -> Vec<Shape<'static>> {
        let look = ["lengthDirection", "length", "widthDirection", "width", "height", "massColor"];
        vec![Shape::block("box", "frame_a", look).at("r_CM")]
    }
}

group! {
    /// ```text
    /// m = density length pi (diameter^2 - innerDiameter^2) / 4
    /// ```
    pub struct CylinderSolid<T>(_o: ()) {
        group material: Material<T> = (), "", name = "";
        parameter diameter: T = 0.05, M, "Diameter", min = 0.0;
        parameter innerDiameter: T = 0.0, M, "Diameter of the hole along the cylinder", min = 0.0;
    }
}

impl<T: Scalar> Solid<T> for CylinderSolid<T> {
    fn body(&self) -> tree::Body<T> {
        let [outer, inner] = [self.diameter, self.innerDiameter].map(|d| d * d * constant::<T>(0.25));
        let pi = constant::<T>(std::f64::consts::PI);
        let moment = (outer * outer - inner * inner) * pi * constant::<T>(0.25);
        // Any direction across the cylinder gives the same tensor.
        let aside = Vector3::ith(self.material.along().map(|element| element.value()).iamin(), T::one());
        self.material.body((outer - inner) * pi, [moment; 2], &aside)
    }

    fn r(&self) -> Vector3<T> {
        self.material.r
    }

    fn problem(&self) -> Option<String> {
        let hole = || hollow(("innerDiameter", self.innerDiameter), ("diameter", self.diameter));
        self.material.problem().or_else(hole)
    }

    fn set_outputs(&mut self) {
        self.material.set_outputs(&self.body());
    }
}

/// A cylinder.
///
/// Source: Modelica.Mechanics.MultiBody.Parts.BodyCylinder.
pub struct BodyCylinder;

impl BodyKind for BodyCylinder {
    const NAME: &'static str = "BodyCylinder";
    const TEXT: &'static str =
        "A rigid cylinder with two frames, which are parallel; mass and inertia follow from its density";
    const HAS_FRAME_B: bool = true;
    type Solid<T: Scalar> = CylinderSolid<T>;

    fn shapes() -> Vec<Shape<'static>> {
        vec![Shape::axis("cylinder", "frame_a", ["lengthDirection", "length", "diameter", "massColor"]).at("r_CM")]
    }
}
