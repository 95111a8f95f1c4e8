//! Parameters of the shapes that a viewer draws. The equations do not use them.
//!
//! Defaults are those of Modelica's World and Modelica.Mechanics.MultiBody.Types.Defaults; a default
//! that the library computes from another parameter is its value for that parameter's default.

use fmu_runtime::group;
use nalgebra::Vector3;

/// Red, green and blue from 0 to 255.
type Color = [i32; 3];

const JOINT: Color = [255, 0, 0];
const ROD: Color = [155, 155, 155];
const SENSOR: Color = [255, 255, 0];

group! {
    /// Two rods with spheres at the ends of rod 1.
    pub struct RodsLook<T>(_o: ()) {
        sphereDiameter: T = 0.1, M, "Diameter of the spheres at the ends of rod 1", min = 0.0;
        sphereColor: Color = JOINT, "Colour of the spheres: red, green, blue", min = 0.0, max = 255.0;
        rod1Diameter: T = 0.05, M, "Diameter of rod 1", min = 0.0;
        rod1Color: Color = ROD, "Colour of rod 1: red, green, blue", min = 0.0, max = 255.0;
        rod2Diameter: T = 0.05, M, "Diameter of rod 2", min = 0.0;
        rod2Color: Color = ROD, "Colour of rod 2: red, green, blue", min = 0.0, max = 255.0;
        specularCoefficient: T = 0.7, ONE, "Reflection of ambient light: 0 for none", min = 0.0;
    }
}

group! {
    /// A telescope between two spheres.
    pub struct TelescopeLook<T>(_o: ()) {
        sphereDiameter: T = 0.1, M, "Diameter of the spheres at frame_a and frame_b", min = 0.0;
        sphereColor: Color = JOINT, "Colour of the spheres: red, green, blue", min = 0.0, max = 255.0;
        axisDiameter: T = 0.05, M, "Diameter of the cylinder from frame_a to frame_b", min = 0.0;
        axisColor: Color = SENSOR, "Colour of that cylinder: red, green, blue", min = 0.0, max = 255.0;
        specularCoefficient: T = 0.7, ONE, "Reflection of ambient light: 0 for none", min = 0.0;
    }
}

group! {
    /// Rods between revolute joints of a planar assembly.
    pub struct PlanarLook<T>(_o: ()) {
        cylinderLength: T = 0.1, M, "Length of the cylinders of the revolute joints", min = 0.0;
        cylinderDiameter: T = 0.05, M, "Diameter of the cylinders of the revolute joints", min = 0.0;
        cylinderColor: Color = JOINT, "Colour of these cylinders: red, green, blue", min = 0.0, max = 255.0;
        rodDiameter: T = 0.055, M, "Diameter of the rods", min = 0.0;
        rodColor: Color = ROD, "Colour of the rods: red, green, blue", min = 0.0, max = 255.0;
        specularCoefficient: T = 0.7, ONE, "Reflection of ambient light: 0 for none", min = 0.0;
    }
}

group! {
    /// The two axes of the universal joint.
    pub struct UniversalLook<T>(_o: ()) {
        cylinderLength: T = 0.1, M, "Length of the cylinders of the universal joint's axes", min = 0.0;
        cylinderDiameter: T = 0.05, M, "Diameter of the cylinders of the universal joint's axes", min = 0.0;
        cylinderColor: Color = JOINT, "Colour of these cylinders: red, green, blue", min = 0.0, max = 255.0;
    }
}

group! {
    /// The driven revolute joint.
    pub struct RevoluteLook<T>(_o: ()) {
        revoluteDiameter: T = 0.05, M, "Diameter of the revolute joint's cylinder", min = 0.0;
        revoluteLength: T = 0.1, M, "Length of the revolute joint's cylinder", min = 0.0;
        revoluteColor: Color = JOINT, "Colour of this cylinder: red, green, blue", min = 0.0, max = 255.0;
    }
}

group! {
    /// The driven prismatic joint.
    pub struct BoxLook<T>(_o: ()) {
        boxWidthDirection: Vector3<T> = [0.0, 1.0, 0.0], ONE, "Direction of the width of the prismatic joint's box, resolved in frame_b";
        boxWidth: T = 0.05, M, "Width of the box", min = 0.0;
        boxHeight: T = 0.05, M, "Height of the box", min = 0.0;
        boxColor: Color = JOINT, "Colour of the box: red, green, blue", min = 0.0, max = 255.0;
    }
}
