//! Parameters of the shapes that a viewer draws. The equations do not use them.
//!
//! Defaults are those of Modelica's World and Modelica.Mechanics.MultiBody.Types.Defaults; a default that the library
//! computes from another parameter is its value for that parameter's default, except in Modelica models.

use fmu_runtime::group;
use nalgebra::Vector3;

/// Red, green and blue from 0 to 255.
type Color = [i32; 3];

// Colors of the Modelica Standard Library, which draws the box of a prismatic joint as red as revolute joints.
const JOINT: Color = [255, 0, 0];
const ROD: Color = [155, 155, 155];
const SENSOR: Color = [255, 255, 0];
const MASS: Color = [0, 128, 255];

group! {
    /// Reflection of light by surfaces.
    pub struct Reflection<T>(_o: ()) {
        specularCoefficient: T = 0.7, ONE, "Reflection of ambient light (= 0: light is completely absorbed)", min = 0.0, modelica = "world.defaultSpecularCoefficient";
    }
}

group! {
    /// Parameters of the shapes of two rods with spheres at the ends of rod 1.
    pub struct RodsLook<T>(_o: ()) {
        sphereDiameter: T = 0.1, M, "Diameter of the spheres representing the joints at the ends of rod 1", min = 0.0, modelica = "world.defaultJointLength";
        sphereColor: Color = JOINT, "Color of the spheres representing the joints at the ends of rod 1 (red, green, blue)", min = 0.0, max = 255.0;
        rod1Diameter: T = 0.05, M, "Diameter of rod 1", min = 0.0, modelica = "sphereDiameter/Modelica.Mechanics.MultiBody.Types.Defaults.JointRodDiameterFraction";
        rod1Color: Color = ROD, "Color of rod 1 (red, green, blue)", min = 0.0, max = 255.0;
        rod2Diameter: T = 0.05, M, "Diameter of rod 2 connecting the driven and the spherical joint", min = 0.0, modelica = "rod1Diameter";
        rod2Color: Color = ROD, "Color of rod 2 connecting the driven and the spherical joint (red, green, blue)", min = 0.0, max = 255.0, modelica = "rod1Color";
        reflection: Reflection<T>, "Reflection of light", name = "";
    }
}

group! {
    /// Parameters of the shapes of a telescope between two spheres.
    pub struct TelescopeLook<T>(_o: ()) {
        sphereDiameter: T = 0.1, M, "Diameter of spheres representing the spherical joints", min = 0.0, modelica = "world.defaultJointLength";
        sphereColor: Color = JOINT, "Color of spheres representing the spherical joints (red, green, blue)", min = 0.0, max = 255.0;
        axisDiameter: T = 0.05, M, "Diameter of cylinder on the connecting line from frame_a to frame_b", min = 0.0, modelica = "sphereDiameter/Modelica.Mechanics.MultiBody.Types.Defaults.JointRodDiameterFraction";
        axisColor: Color = SENSOR, "Color of cylinder on the connecting line from frame_a to frame_b (red, green, blue)", min = 0.0, max = 255.0;
        reflection: Reflection<T>, "Reflection of light", name = "";
    }
}

group! {
    /// Parameters of the shapes of rods between revolute joints of a planar assembly.
    pub struct PlanarLook<T>(_o: ()) {
        cylinderLength: T = 0.1, M, "Length of cylinders representing the revolute joints", min = 0.0, modelica = "world.defaultJointLength";
        cylinderDiameter: T = 0.05, M, "Diameter of cylinders representing the revolute joints", min = 0.0, modelica = "world.defaultJointWidth";
        cylinderColor: Color = JOINT, "Color of cylinders representing the revolute joints (red, green, blue)", min = 0.0, max = 255.0;
        rodDiameter: T = 0.055, M, "Diameter of the two rods connecting the joints", min = 0.0, modelica = "1.1*cylinderDiameter";
        rodColor: Color = ROD, "Color of the two rods connecting the joints (red, green, blue)", min = 0.0, max = 255.0;
        reflection: Reflection<T>, "Reflection of light", name = "";
    }
}

group! {
    /// Parameters of the shapes of the two axes of the universal joint.
    pub struct UniversalLook<T>(_o: ()) {
        cylinderLength: T = 0.1, M, "Length of cylinders representing the two universal joint axes", min = 0.0, modelica = "world.defaultJointLength";
        cylinderDiameter: T = 0.05, M, "Diameter of cylinders representing the two universal joint axes", min = 0.0, modelica = "world.defaultJointWidth";
        cylinderColor: Color = JOINT, "Color of cylinders representing the two universal joint axes (red, green, blue)", min = 0.0, max = 255.0;
    }
}

group! {
    /// Parameters of the shape of the driven revolute joint.
    pub struct RevoluteLook<T>(_o: ()) {
        revoluteDiameter: T = 0.05, M, "Diameter of cylinder representing the revolute joint", min = 0.0, modelica = "world.defaultJointWidth";
        revoluteLength: T = 0.1, M, "Length of cylinder representing the revolute joint", min = 0.0, modelica = "world.defaultJointLength";
        revoluteColor: Color = JOINT, "Color of cylinder representing the revolute joint (red, green, blue)", min = 0.0, max = 255.0;
    }
}

group! {
    /// Parameters of the shape of the driven prismatic joint, with that from which its color follows, if there is one.
    pub struct BoxLook<T>(color: &'static str) {
        boxWidthDirection: Vector3<T> = [0.0, 1.0, 0.0], ONE, "Vector in width direction of prismatic joint, resolved in frame_b";
        boxWidth: T = 0.05, M, "Width of prismatic joint box", min = 0.0, modelica = "world.defaultJointWidth";
        boxHeight: T = 0.05, M, "Height of prismatic joint box", min = 0.0, modelica = "boxWidth";
        boxColor: Color = JOINT, "Color of prismatic joint box (red, green, blue)", min = 0.0, max = 255.0, modelica = color;
    }
}

group! {
    /// Parameters of the shape of the mass of rod 1.
    pub struct MassLook<T>(_o: ()) {
        massDiameter: T = 0.1, M, "Diameter of the sphere that shows the mass of rod 1", min = 0.0;
        massColor: Color = MASS, "Color of the sphere that shows the mass of rod 1 (red, green, blue)", min = 0.0, max = 255.0;
    }
}

/// Shapes of the rods, joints and mass between the frames of an assembly.
pub mod shapes {
    type Shape = fmu_runtime::Shape<'static>;

    const SPHERE: [&str; 2] = ["sphereDiameter", "sphereColor"];
    const PIN: [&str; 3] = ["cylinderLength", "cylinderDiameter", "cylinderColor"];

    /// Returns the shape of a joint at this frame that turns about an axis.
    pub fn pin(name: &'static str, frame: &'static str, direction: &'static str) -> Shape {
        let [length, diameter, color] = PIN;
        Shape::axis(name, frame, [direction, length, diameter, color])
    }

    fn ball(name: &'static str, frame: &'static str) -> Shape {
        Shape::sphere(name, frame, SPHERE)
    }

    /// Returns the shapes of the universal joint, by its axes or as a sphere.
    pub fn universal(axes: bool) -> Vec<Shape> {
        if axes { universal_axes() } else { spherical() }
    }

    /// Returns the shapes of the two axes of the universal joint.
    fn universal_axes() -> Vec<Shape> {
        vec![pin("universalShape1", "frame_a", "n1_a"), pin("universalShape2", "frame_ia", "e2_ia")]
    }

    /// Returns the shape of the spherical joint at frame_a.
    pub fn spherical() -> Vec<Shape> {
        vec![ball("sphericalShape_a", "frame_a")]
    }

    /// Returns the shapes of two rods that meet in a sphere; rod 1 begins at `begin`.
    pub fn rods(begin: &'static str) -> Vec<Shape> {
        vec![
            Shape::rod("rod1", [begin, "frame_im"], ["rod1Diameter", "rod1Color"]),
            Shape::rod("rod2", ["frame_ib", "frame_im"], ["rod2Diameter", "rod2Color"]),
            ball("sphericalShape_b", "frame_im"),
        ]
    }

    /// Returns the shape of the mass of rod 1, if it is drawn.
    pub fn mass(drawn: bool) -> Vec<Shape> {
        let mass = Shape::sphere("mass", "frame_a", ["massDiameter", "massColor"]).to("frame_im").only_if("rod1Mass");
        drawn.then_some(mass).into_iter().collect()
    }

    /// Returns the shape of the driven revolute joint at this frame, with its axis.
    pub fn revolute([frame, axis]: [&'static str; 2]) -> Vec<Shape> {
        vec![Shape::axis("revolute", frame, [axis, "revoluteLength", "revoluteDiameter", "revoluteColor"])]
    }

    /// Returns the shape of the driven prismatic joint between these frames.
    pub fn slide(frames: [&'static str; 2]) -> Vec<Shape> {
        let look = ["boxWidthDirection", "boxWidth", "boxHeight", "boxColor"];
        vec![Shape::slide("prismatic", frames, look)]
    }

    /// Returns the shapes of two rods of a planar assembly, with the joint at frame_a, whose axis is the vector `first`
    /// there, and the one in the `middle`, between the rods.
    pub fn planar(first: &'static str, middle: Shape) -> Vec<Shape> {
        vec![
            Shape::rod("shape_rod1", ["frame_ia", "frame_im"], ["rodDiameter", "rodColor"]),
            Shape::rod("shape_rod2", ["frame_ib", "frame_im"], ["rodDiameter", "rodColor"]),
            pin("shape_rev1", "frame_a", first),
            middle,
        ]
    }

    /// Returns the shape of the joint at frame_b of JointRRR, whose axis is the vector `third` there.
    pub fn third(third: &'static str) -> Vec<Shape> {
        vec![pin("shape_rev3", "frame_b", third)]
    }

    /// Returns the shapes of the telescope of JointUPS with spheres at both ends, as the library has them, and of the
    /// axes of the universal joint.
    pub fn telescope(axes: bool) -> Vec<Shape> {
        let axis = Shape::rod("axisCylinder", ["frame_a", "frame_b"], ["axisDiameter", "axisColor"]);
        let mut shapes = vec![axis, ball("sphericalShape_b", "frame_b")];
        shapes.extend(spherical());
        shapes.extend(if axes { universal_axes() } else { Vec::new() });
        shapes
    }
}
