//! The links of a robot as a tree, from the root outwards.

use super::robot::{Joint, Kind, Robot};

/// The tree of a robot.
#[derive(Debug)]
pub struct Tree {
    /// Number of the link that no joint carries.
    pub root: usize,
    /// Numbers of the joints, each behind the one that carries its parent.
    pub joints: Vec<usize>,
}

/// Describes a mistake at a joint.
fn problem(joint: &Joint, what: &str) -> String {
    format!(":{}: joint \"{}\": {what}", joint.line, joint.name)
}

/// Orders the joints of a robot, and refuses what is no tree, or cannot move as a mechanism.
pub fn tree(robot: &Robot) -> Result<Tree, String> {
    let Robot { links, joints, .. } = robot;
    let mut carriers: Vec<Option<usize>> = vec![None; links.len()];
    for (number, joint) in joints.iter().enumerate() {
        if let Some(other) = carriers[joint.child].replace(number) {
            return Err(problem(
                joint,
                &format!(
                    "child = \"{}\": joint \"{}\" carries this link already, and a URDF has no loops",
                    links[joint.child].name, joints[other].name
                ),
            ));
        }
    }
    let roots: Vec<_> = (0..links.len()).filter(|link| carriers[*link].is_none()).collect();
    let root = match roots[..] {
        [root] => root,
        [] => {
            return Err(": joints carry each other in a circle: one link must be the child of no joint, so that it can be the root".to_owned());
        }
        _ => {
            let names: Vec<_> = roots.iter().map(|root| format!("\"{}\"", links[*root].name)).collect();
            return Err(format!(
                ": no joint carries the links {}: one of them can be the root, the others must be the child of a joint",
                names.join(", ")
            ));
        }
    };
    let mut order = Vec::new();
    let mut reached = vec![root];
    // In depth, so that a limb is in one place of the file.
    while let Some(link) = reached.pop() {
        let outwards: Vec<_> = (0..joints.len()).filter(|joint| joints[*joint].parent == link).collect();
        reached.extend(outwards.iter().rev().map(|joint| joints[*joint].child));
        order.extend(carriers[link]);
    }
    if let Some(left) = (0..joints.len()).find(|joint| !order.contains(joint)) {
        return Err(problem(&joints[left], "it hangs in a circle of joints: no way leads to it from the root"));
    }
    let tree = Tree { root, joints: order };
    refuse_massless(robot, &tree)?;
    refuse_wrong_mimics(robot)?;
    Ok(tree)
}

/// Refuses joints that would move nothing that has mass.
fn refuse_massless(robot: &Robot, tree: &Tree) -> Result<(), String> {
    let mut has_mass: Vec<_> = robot.links.iter().map(|link| link.inertial.is_some()).collect();
    for number in tree.joints.iter().rev() {
        let joint = &robot.joints[*number];
        if has_mass[joint.child] {
            has_mass[joint.parent] = true;
        } else if joint.kind != Kind::Fixed {
            let child = &robot.links[joint.child].name;
            return Err(problem(
                joint,
                &format!(
                    "it moves link \"{child}\" without mass: give this link or one behind it an <inertial> with a mass, or the joint \
                     the type fixed"
                ),
            ));
        }
    }
    Ok(())
}

/// Refuses joints that follow one that does not move about or along an axis, or each other in a circle.
fn refuse_wrong_mimics(robot: &Robot) -> Result<(), String> {
    for joint in &robot.joints {
        let mut follows = joint.mimic;
        let mut steps = 0;
        while let Some(mimic) = follows {
            let leader = &robot.joints[mimic.joint];
            if !leader.kind.has_axis() {
                let right = "only a revolute, continuous or prismatic joint can be followed";
                return Err(problem(
                    joint,
                    &format!("<mimic> joint = \"{}\", which is {}: {right}", leader.name, leader.kind.name()),
                ));
            }
            follows = leader.mimic;
            steps += 1;
            if steps > robot.joints.len() {
                return Err(problem(joint, "<mimic>: joints follow each other in a circle: one of them must lead"));
            }
        }
    }
    Ok(())
}
