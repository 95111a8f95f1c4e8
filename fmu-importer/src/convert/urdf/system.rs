//! The system of a robot.

use nalgebra::Vector3;

use super::draw::Draw;
use super::joints::{drive, settings};
use super::mesh::Packages;
use super::names::{Names, identifier};
use super::robot::{Inertial, Joint, Kind, Robot, robot};
use super::text::{Text, number, quoted};
use super::tree::{Tree, tree};
use super::xml::{Element, Origin, document};

/// Characters of the longest name of an FMU.
const MAX_NAME: usize = 55;

/// A configuration of a system.
#[derive(Debug)]
pub struct System {
    /// The configuration as TOML.
    pub text: String,
    /// Differences from the robot.
    pub notes: Vec<String>,
}

/// Makes the system of a robot; errors are to be put behind the name of the file. `is_floating` lets its root move freely.
pub fn system(urdf: &str, file: &str, is_floating: bool, packages: &Packages) -> Result<System, String> {
    let document = document(urdf)?;
    let robot = robot(Element::root(&document))?;
    let tree = tree(&robot)?;
    let mut names = Names::default();
    names.take("world", "");
    let links: Vec<_> = robot.links.iter().map(|link| names.take(&link.name, "_link")).collect();
    let joints = robot.joints.iter().map(|joint| names.take(&joint.name, "_joint")).collect();
    let frames = vec![String::new(); links.len()];
    let mut notes = robot.notes.clone();
    let mut writer =
        Writer { robot: &robot, links, joints, frames, names, text: Text::default(), draw: Draw::new(packages) };
    writer.head(file, &tree);
    settings(&robot, &mut writer.text);
    writer.root(&tree, is_floating);
    for index in &tree.joints {
        writer.joint(*index);
        drive(&robot, &writer.joints, *index, &mut writer.text, &mut writer.names, &mut notes);
        writer.link(robot.joints[*index].child);
    }
    notes.extend(writer.draw.notes());
    Ok(System { text: writer.text.finish(), notes })
}

/// Writes the parts of a robot.
struct Writer<'a> {
    robot: &'a Robot,
    /// Names of the parts of links.
    links: Vec<String>,
    /// Names of the parts of joints.
    joints: Vec<String>,
    /// For each link that has been written or is carried by what has been, the connector that is its frame.
    frames: Vec<String>,
    names: Names,
    text: Text,
    draw: Draw<'a>,
}

impl Writer<'_> {
    fn head(&mut self, file: &str, tree: &Tree) {
        let Robot { name, links, joints, .. } = self.robot;
        let moving = joints.iter().filter(|joint| joint.kind != Kind::Fixed).count();
        let text = &mut self.text;
        text.line(format_args!(
            "# The robot {} of {file}: {} links, {moving} joints that move, {} that do not. Its root is {}.",
            quoted(name),
            links.len(),
            joints.len() - moving,
            quoted(&links[tree.root].name)
        ));
        text.line("# Units are those of the SI and rad, but angles of a FixedRotation are yaw, pitch and roll in deg.");
        text.line(format_args!("name = \"{}\"", name_of_fmu(name)));
        text.line(format_args!("description = \"A robot with {} links and {moving} joints that move\"", links.len()));
    }

    /// Writes the world and the root.
    fn root(&mut self, tree: &Tree, is_floating: bool) {
        self.text.line("\n[parts]");
        self.text.line("# Gravity is 9.80665 m/s2 along -z.");
        self.text.part("world", "World");
        self.text.key("n", "[0, 0, -1]");
        self.text.line("");
        let name = quoted(&self.robot.links[tree.root].name);
        self.frames[tree.root] = "world.frame_b".to_owned();
        if is_floating {
            self.text.line(format_args!("# Link {name} moves freely."));
            let base = self.names.take("floating_base", "");
            self.free(&base, "world.frame_b");
            self.frames[tree.root] = format!("{base}.frame_b");
        } else {
            self.text.line(format_args!("# Link {name} is fixed in the world."));
        }
        self.link(tree.root);
    }

    /// Writes the body and the shapes of a link; its frame is then that of the body.
    fn link(&mut self, index: usize) {
        let link = &self.robot.links[index];
        if let Some(inertial) = &link.inertial {
            let carrier = std::mem::replace(&mut self.frames[index], format!("{}.frame_a", self.links[index]));
            body(&mut self.text, &self.links[index], inertial, &carrier);
        }
        self.draw.link(&mut self.text, &mut self.names, link, &self.frames[index]);
    }

    /// Writes a joint, and before it the rigid part to where it is.
    fn joint(&mut self, index: usize) {
        let (robot, name) = (self.robot, self.joints[index].clone());
        let joint = &robot.joints[index];
        let [parent, child] = [joint.parent, joint.child].map(|link| quoted(&robot.links[link].name));
        let kind = joint.kind.name();
        let heading = format!("\n# Joint {}, {kind}: {child} on {parent}.", quoted(&joint.name));
        self.text.line(heading + &limits(joint));
        let mut frame = self.frames[joint.parent].clone();
        if joint.origin != Origin::default() {
            let own = joint.kind == Kind::Fixed;
            let place = if own { name.clone() } else { self.names.take(&format!("{name}_origin"), "") };
            rigid(&mut self.text, &place, &joint.origin, &frame);
            frame = format!("{place}.frame_b");
        }
        match joint.kind {
            Kind::Fixed => {}
            Kind::Floating => {
                self.free(&name, &frame);
                frame = format!("{name}.frame_b");
            }
            Kind::Planar => frame = self.planar(joint, &name, &frame),
            Kind::Revolute | Kind::Continuous | Kind::Prismatic => {
                let is_slide = joint.kind == Kind::Prismatic;
                self.text.part(&name, if is_slide { "Prismatic" } else { "Revolute" });
                self.text.vector("n", &joint.axis);
                if joint.mimic.is_none() {
                    let [lower, upper] = joint.limit.and_then(|limit| limit.range).unwrap_or([f64::MIN, f64::MAX]);
                    self.text.number(if is_slide { "s" } else { "phi" }, 0.0_f64.clamp(lower, upper));
                }
                self.text.word("frame_a", &frame);
                frame = format!("{name}.frame_b");
            }
        }
        self.frames[joint.child] = frame;
    }

    /// Writes a joint that lets its second frame move freely.
    fn free(&mut self, name: &str, frame: &str) {
        self.text.part(name, "FreeMotion");
        for start in ["r_rel_a_start", "angles_start"] {
            self.text.key(start, "[0, 0, 0]");
        }
        self.text.word("frame_a", frame);
    }

    /// Writes the joints of a planar one: two slides across its axis, and one that turns about it; returns the last frame.
    fn planar(&mut self, joint: &Joint, name: &str, frame: &str) -> String {
        let n = joint.axis.normalize();
        // For the axis z, the slides are along x and y.
        let aside = if n.x.abs() < 0.9 { Vector3::x() } else { Vector3::y() };
        let x = (aside - n * n.dot(&aside)).normalize();
        let mut frame = frame.to_owned();
        for (suffix, direction) in [("_x", x), ("_y", n.cross(&x))] {
            let slide = self.names.take(&format!("{name}{suffix}"), "");
            self.text.part(&slide, "Prismatic");
            self.text.vector("n", &direction);
            self.text.word("frame_a", &frame);
            frame = format!("{slide}.frame_b");
        }
        self.text.part(name, "Revolute");
        self.text.vector("n", &joint.axis);
        self.text.word("frame_a", &frame);
        format!("{name}.frame_b")
    }
}

/// Returns the name of an FMU, which begins with an upper-case letter.
fn name_of_fmu(name: &str) -> String {
    let name: String = identifier(name).chars().take(MAX_NAME).collect();
    let (first, rest) = name.split_at(1);
    format!("{}{rest}", first.to_ascii_uppercase())
}

/// Describes the limits of a joint.
fn limits(joint: &Joint) -> String {
    let Some(limit) = joint.limit else { return String::new() };
    let [position, load] = if joint.kind == Kind::Prismatic { ["m", "N"] } else { ["rad", "N.m"] };
    let range = limit.range.map(|[lower, upper]| format!("{} to {} {position}, ", number(lower), number(upper)));
    let (effort, velocity) = (number(limit.effort), number(limit.velocity));
    format!(" Limits: {}{effort} {load}, {velocity} {position}/s.", range.unwrap_or_default())
}

/// Writes a rigid part.
fn rigid(text: &mut Text, name: &str, origin: &Origin, frame: &str) {
    let is_turned = origin.rpy != Vector3::zeros();
    text.part(name, if is_turned { "FixedRotation" } else { "FixedTranslation" });
    if origin.xyz != Vector3::zeros() {
        text.vector("r", &origin.xyz);
    }
    if is_turned {
        text.word("rotationType", "PlanarRotationSequence");
        text.key("sequence", "[3, 2, 1]");
        let angles = Vector3::new(origin.rpy.z, origin.rpy.y, origin.rpy.x).map(f64::to_degrees);
        text.vector("angles", &angles);
    }
    text.word("frame_a", frame);
}

/// Writes a body.
fn body(text: &mut Text, name: &str, inertial: &Inertial, frame: &str) {
    let Inertial { m, center, tensor } = inertial;
    text.part(name, "Body");
    text.number("m", *m);
    if *center != Vector3::zeros() {
        text.vector("r_CM", center);
    }
    // Moments have defaults other than 0, products have not.
    for (key, i, j) in [("I_11", 0, 0), ("I_22", 1, 1), ("I_33", 2, 2), ("I_21", 1, 0), ("I_31", 2, 0), ("I_32", 2, 1)]
    {
        if i == j || tensor[(i, j)] != 0.0 {
            text.number(key, tensor[(i, j)]);
        }
    }
    text.word("frame_a", frame);
}
