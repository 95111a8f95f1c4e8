//! Mechanisms in space to measure.

/// Name of the engine with six cylinders on one crankshaft.
pub const ENGINE: &str = "SixCylinders";

/// Angles of the cranks, in deg.
const CRANKS: [f64; 6] = [0.0, 120.0, 240.0, 240.0, 120.0, 0.0];

/// Numbers of revolute joints in a chain.
pub const CHAINS: [usize; 5] = [4, 8, 16, 32, 64];

/// Returns the configuration of an engine of which each cylinder has a piston, a rod and gas: those of Modelica's
/// Engine1b_analytic, six times.
pub fn engine() -> String {
    let mut text = format!(
        "name = \"{ENGINE}\"\n[parts.world]\ntype = \"World\"\n[parts.bearing]\ntype = \"Revolute\"\nn = [1, 0, 0]\n\
         frame_a = \"world.frame_b\"\n[parts.inertia]\ntype = \"Inertia\"\nJ = 1\nw_start = 10\nstateSelect = \"prefer\"\n\
         flange_b = \"bearing.axis\"\n[parts.shaft]\ntype = \"Body\"\nm = 5\nframe_a = \"bearing.frame_b\"\n"
    );
    for (i, angle) in CRANKS.into_iter().enumerate() {
        let (x, (sin, cos)) = (0.1 * (i + 1) as f64, angle.to_radians().sin_cos());
        let (y, z) = (0.05 * cos, 0.05 * sin);
        text += &format!(
            "[parts.crank{i}]\ntype = \"FixedTranslation\"\nr = [{x:?}, {y:?}, {z:?}]\nframe_a = \"bearing.frame_b\"\n\
             [parts.cylinder{i}]\ntype = \"FixedTranslation\"\nr = [{x:?}, 0.45, 0]\nframe_a = \"world.frame_b\"\n\
             [parts.rods{i}]\ntype = \"JointRRP\"\nn_a = [1, 0, 0]\nn_b = [0, -1, 0]\nrRod1_ia = [0, 0.2, 0]\n\
             rRod2_ib = [0, -0.1, 0]\nframe_a = \"crank{i}.frame_b\"\nframe_b = \"cylinder{i}.frame_b\"\n\
             [parts.gas{i}]\ntype = \"GasForce\"\nflange_a = \"rods{i}.bearing\"\nflange_b = \"rods{i}.axis\"\n\
             [parts.piston{i}]\ntype = \"Body\"\nr_CM = [0, -0.05, 0]\nm = 6\nI_11 = 0.009\nI_22 = 0.0075\nI_33 = 0.009\n\
             frame_a = \"rods{i}.frame_ib\"\n\
             [parts.rod{i}]\ntype = \"Body\"\nr_CM = [0, 0.1, 0]\nm = 1.8\nI_11 = 0.0066\nI_22 = 0.0006\nI_33 = 0.0061\n\
             frame_a = \"rods{i}.frame_ia\"\n"
        );
    }
    text
}

/// Returns the configuration of bodies that hang from each other by revolute joints, with axes in two directions.
pub fn chain(joints: usize) -> String {
    let mut text = format!("name = \"Joints{joints}\"\n[parts.world]\ntype = \"World\"\n");
    let mut before = "world.frame_b".to_owned();
    for i in 0..joints {
        let axis = if i % 2 == 0 { "[0, 0, 1]" } else { "[0, 1, 0]" };
        text += &format!(
            "[parts.joint{i}]\ntype = \"Revolute\"\nn = {axis}\nphi_start = 0.1\nframe_a = \"{before}\"\n[parts.body{i}]\n\
             type = \"BodyShape\"\nr = [0.1, 0, 0]\nr_CM = [0.05, 0, 0]\nframe_a = \"joint{i}.frame_b\"\n"
        );
        before = format!("body{i}.frame_b");
    }
    text
}
