//! A robot as its URDF describes it: links, joints and transmissions.
//!
//! Source: the pages "urdf/XML" of the wiki of ROS on robot, link, joint and transmission.

use std::collections::BTreeMap;

use nalgebra::{Matrix3, Vector3};

use super::visual::{Color, Visual};
use super::xml::{Element, Origin};

/// A robot.
#[derive(Debug)]
pub struct Robot {
    /// Its name, empty if it has none.
    pub name: String,
    /// Its links, in the order of the file.
    pub links: Vec<Link>,
    /// Its joints, in the order of the file.
    pub joints: Vec<Joint>,
    /// For each joint, the reduction of a gear between its motor and itself.
    pub reductions: Vec<Option<f64>>,
    /// Elements that are left out.
    pub notes: Vec<String>,
}

/// A rigid body.
#[derive(Debug)]
pub struct Link {
    /// Name.
    pub name: String,
    /// Mass and inertia, if it has any.
    pub inertial: Option<Inertial>,
    /// Shapes that are drawn.
    pub visuals: Vec<Visual>,
}

/// Mass and inertia.
#[derive(Clone, Copy, Debug)]
pub struct Inertial {
    /// Mass in kg.
    pub m: f64,
    /// Center of mass in the frame of the link, in m.
    pub center: Vector3<f64>,
    /// Inertia tensor about it, resolved in the frame of the link, in kg m2.
    pub tensor: Matrix3<f64>,
}

/// Types of joints.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Turns about its axis between its limits.
    Revolute,
    /// Turns about its axis.
    Continuous,
    /// Slides along its axis.
    Prismatic,
    /// Does not move.
    Fixed,
    /// Moves freely.
    Floating,
    /// Slides across its axis in both directions, and turns about it.
    Planar,
}

/// Names of the types of joints.
const KINDS: [(&str, Kind); 6] = [
    ("revolute", Kind::Revolute),
    ("continuous", Kind::Continuous),
    ("prismatic", Kind::Prismatic),
    ("fixed", Kind::Fixed),
    ("floating", Kind::Floating),
    ("planar", Kind::Planar),
];

impl Kind {
    /// Returns the name in a file.
    pub fn name(self) -> &'static str {
        KINDS.iter().find(|(_, kind)| *kind == self).map_or("", |(name, _)| name)
    }

    /// True if the joint has one coordinate.
    pub fn has_axis(self) -> bool {
        matches!(self, Self::Revolute | Self::Continuous | Self::Prismatic)
    }
}

/// A joint.
#[derive(Debug)]
pub struct Joint {
    /// Name.
    pub name: String,
    /// Line in the file.
    pub line: u32,
    /// Type.
    pub kind: Kind,
    /// Number of the link that carries it.
    pub parent: usize,
    /// Number of the link that it carries.
    pub child: usize,
    /// Where it is in the frame of its parent.
    pub origin: Origin,
    /// Its axis, of any length.
    pub axis: Vector3<f64>,
    /// Its limits, if it has any.
    pub limit: Option<Limit>,
    /// Viscous damping in N.m.s/rad or N.s/m.
    pub damping: f64,
    /// Coulomb friction in N.m or N.
    pub friction: f64,
    /// The joint that it follows.
    pub mimic: Option<Mimic>,
}

/// Limits of a joint.
#[derive(Clone, Copy, Debug)]
pub struct Limit {
    /// The smallest and the largest position, in rad or m, if they are a range.
    pub range: Option<[f64; 2]>,
    /// The largest torque or force, in N.m or N.
    pub effort: f64,
    /// The largest velocity, in rad/s or m/s.
    pub velocity: f64,
}

/// A joint follows another one: x = multiplier x' + offset.
#[derive(Clone, Copy, Debug)]
pub struct Mimic {
    /// Number of the other joint.
    pub joint: usize,
    /// Factor.
    pub multiplier: f64,
    /// Position where that of the other joint is 0.
    pub offset: f64,
}

/// Reads a robot; errors are to be put behind the name of the file.
pub fn robot(root: Element<'_>) -> Result<Robot, String> {
    if root.name() != "robot" {
        return Err(format!(":{}: <{}>: a URDF begins with <robot>", root.line(), root.name()));
    }
    let mut materials = BTreeMap::new();
    for material in root.all("material") {
        if let (Some(name), Some(color)) = (material.attribute("name"), Color::of(material)?) {
            materials.insert(name, color);
        }
    }
    let (mut links, mut notes) = (Vec::new(), Vec::new());
    let link_numbers = numbers(root, "link")?;
    for element in root.all("link") {
        let visuals = element.all("visual").map(|visual| Visual::read(visual, &materials)).collect::<Result<_, _>>()?;
        links.push(Link {
            name: element.needed("name")?.to_owned(),
            inertial: inertial(element, &mut notes)?,
            visuals,
        });
    }
    if links.is_empty() {
        return Err(root.problem("<robot>", "there is no link"));
    }
    let joint_numbers = numbers(root, "joint")?;
    let joints: Vec<_> = root
        .all("joint")
        .map(|element| joint(element, &link_numbers, &joint_numbers, &mut notes))
        .collect::<Result<_, _>>()?;
    let reductions = reductions(root, &joint_numbers, &mut notes)?;
    Ok(Robot { name: root.attribute("name").unwrap_or_default().to_owned(), links, joints, reductions, notes })
}

/// Returns the numbers of the links or joints by their names, which have to differ.
fn numbers<'a>(root: Element<'a>, kind: &'static str) -> Result<BTreeMap<&'a str, usize>, String> {
    let mut numbers = BTreeMap::new();
    let mut lines = Vec::new();
    for (number, element) in root.all(kind).enumerate() {
        let name = element.needed("name")?;
        lines.push(element.line());
        if let Some(first) = numbers.insert(name, number) {
            let right = format!("each {kind} has a name of its own, and this is that of line {}", lines[first]);
            return Err(element.problem(&format!("name = \"{name}\""), &right));
        }
    }
    Ok(numbers)
}

/// Fraction of the largest moment of inertia below which others are rounding.
const ROUNDING: f64 = 1e-9;

/// Largest part of a tensor that is rounding where all of its parts are 0, in kg m2.
const MAX_ROUNDING: f64 = 1e-9;

/// Moment of inertia below which nothing is measured, in kg m2.
const MIN_INERTIA: f64 = 1e-15;

fn inertial(link: Element<'_>, notes: &mut Vec<String>) -> Result<Option<Inertial>, String> {
    let Some(element) = link.first("inertial") else { return Ok(None) };
    let m = match element.first("mass") {
        Some(mass) => mass.size("value", "kg")?,
        None => 0.0,
    };
    let origin = element.origin()?;
    let tensor = match element.first("inertia") {
        Some(inertia) => {
            let [mut xx, mut yy, mut zz] =
                [inertia.needed_number("ixx")?, inertia.needed_number("iyy")?, inertia.needed_number("izz")?];
            let [xy, xz, yz] =
                [inertia.needed_number("ixy")?, inertia.needed_number("ixz")?, inertia.needed_number("iyz")?];
            let largest = xx.max(yy).max(zz);
            for (name, moment) in [("ixx", &mut xx), ("iyy", &mut yy), ("izz", &mut zz)] {
                // Programs that write such files leave rounding in moments that are 0.
                if *moment < -ROUNDING * largest.max(MAX_ROUNDING) {
                    return Err(inertia.problem(&format!("{name} = \"{moment}\""), "must be at least 0 kg m2"));
                }
                *moment = moment.max(0.0);
            }
            Matrix3::new(xx, xy, xz, xy, yy, yz, xz, yz, zz)
        }
        None => Matrix3::zeros(),
    };
    if m == 0.0 && tensor == Matrix3::zeros() {
        return Ok(None);
    }
    let least = tensor.symmetric_eigenvalues().min();
    // A tensor that is nothing but rounding may have a negative moment, which all three together make up for.
    let is_rounding = least < 0.0 && -least < MIN_INERTIA;
    let tensor = if is_rounding { tensor - Matrix3::identity() * (2.0 * least) } else { tensor };
    if !is_rounding && least < -ROUNDING * tensor.amax() {
        notes.push(format!(
            "line {}: link \"{}\" has the principal moment {least} kg m2, which no body has: correct its moments of inertia \
             before you build the system",
            element.line(),
            link.attribute("name").unwrap_or_default()
        ));
    }
    let tensor = if origin.rpy == Vector3::zeros() {
        tensor
    } else {
        let rotation = origin.rotation();
        let turned = rotation.matrix() * tensor * rotation.matrix().transpose();
        // Rounding would show where axes are turned by right angles.
        turned.map(|element| if element.abs() < 1e-15 * tensor.amax() { 0.0 } else { element })
    };
    Ok(Some(Inertial { m, center: origin.xyz, tensor }))
}

fn joint(
    element: Element<'_>,
    links: &BTreeMap<&str, usize>,
    joints: &BTreeMap<&str, usize>,
    notes: &mut Vec<String>,
) -> Result<Joint, String> {
    let name = element.needed("name")?.to_owned();
    let given = element.needed("type")?;
    let kind = KINDS.iter().find(|(name, _)| *name == given).map(|(_, kind)| *kind).ok_or_else(|| {
        let known = KINDS.map(|(name, _)| name).join(", ");
        element.problem(&format!("type = \"{given}\""), &format!("the types of joints are {known}"))
    })?;
    let link = |role| -> Result<usize, String> {
        let found = element
            .first(role)
            .ok_or_else(|| element.problem(&format!("there is no <{role}>"), &format!("write <{role} link=\"…\"/>")))?;
        let link = found.needed("link")?;
        links
            .get(link)
            .copied()
            .ok_or_else(|| found.problem(&format!("link = \"{link}\""), "there is no link of this name"))
    };
    let [parent, child] = [link("parent")?, link("child")?];
    let axis = match element.first("axis") {
        Some(axis) => {
            let xyz = axis.vector("xyz")?.unwrap_or_else(Vector3::x);
            if xyz == Vector3::zeros() && (kind.has_axis() || kind == Kind::Planar) {
                return Err(axis.problem("xyz = \"0 0 0\"", "an axis must have a direction"));
            }
            xyz
        }
        None => Vector3::x(),
    };
    let (mut damping, mut friction) = (0.0, 0.0);
    if let Some(dynamics) = element.first("dynamics") {
        for (name, value) in [("damping", &mut damping), ("friction", &mut friction)] {
            if dynamics.attribute(name).is_some() {
                *value = dynamics.size(name, "in SI units")?;
            }
        }
    }
    let mimic = match element.first("mimic") {
        Some(_) if kind == Kind::Fixed => {
            notes.push(format!("line {}: joint \"{name}\" is fixed, so its <mimic> has no effect", element.line()));
            None
        }
        Some(mimic) => Some(self::mimic(mimic, kind, joints)?),
        None => None,
    };
    let limit = match element.first("limit").filter(|_| kind.has_axis()) {
        Some(limit) => Some(self::limit(limit, kind, &name, notes)?),
        None => {
            if matches!(kind, Kind::Revolute | Kind::Prismatic) {
                notes.push(format!(
                    "line {}: joint \"{name}\" has no <limit>, so it moves without stops",
                    element.line()
                ));
            }
            None
        }
    };
    let origin = element.origin()?;
    Ok(Joint { name, line: element.line(), kind, parent, child, origin, axis, limit, damping, friction, mimic })
}

fn limit(element: Element<'_>, kind: Kind, joint: &str, notes: &mut Vec<String>) -> Result<Limit, String> {
    let read = |name| element.number(name).map(Option::unwrap_or_default);
    let (lower, upper) = (read("lower")?, read("upper")?);
    let mut range = (kind != Kind::Continuous).then_some([lower, upper]);
    if range.is_some() && lower >= upper {
        notes.push(format!(
            "line {}: joint \"{joint}\": lower = {lower} is not below upper = {upper}, so it moves without stops",
            element.line()
        ));
        range = None;
    }
    Ok(Limit { range, effort: read("effort")?.abs(), velocity: read("velocity")?.abs() })
}

fn mimic(element: Element<'_>, kind: Kind, joints: &BTreeMap<&str, usize>) -> Result<Mimic, String> {
    let leader = element.needed("joint")?;
    let shown = format!("joint = \"{leader}\"");
    let joint = joints.get(leader).copied().ok_or_else(|| element.problem(&shown, "there is no joint of this name"))?;
    if !kind.has_axis() {
        let right = "only a revolute, continuous or prismatic joint can follow another one";
        return Err(element.problem(&format!("in a {} joint", kind.name()), right));
    }
    let read = |name, default| element.number(name).map(|number| number.unwrap_or(default));
    Ok(Mimic { joint, multiplier: read("multiplier", 1.0)?, offset: read("offset", 0.0)? })
}

/// Returns for each joint the reduction of its transmission, if it has a simple one.
fn reductions(
    root: Element<'_>,
    joints: &BTreeMap<&str, usize>,
    notes: &mut Vec<String>,
) -> Result<Vec<Option<f64>>, String> {
    let mut reductions = vec![None; joints.len()];
    for transmission in root.all("transmission") {
        let (of, actuators) = (transmission.all("joint").collect::<Vec<_>>(), transmission.all("actuator").count());
        let ([joint], 1) = (&of[..], actuators) else {
            let name = transmission.attribute("name").unwrap_or_default();
            notes.push(format!(
                "line {}: transmission \"{name}\" has {} joints and {actuators} actuators and is left out: only one of each has a \
                 counterpart",
                transmission.line(),
                of.len()
            ));
            continue;
        };
        let name = joint.needed("name")?;
        let Some(number) = joints.get(name) else {
            notes.push(format!(
                "line {}: transmission \"{}\" drives \"{name}\", which is no joint, and is left out",
                transmission.line(),
                transmission.attribute("name").unwrap_or_default()
            ));
            continue;
        };
        let inner = || transmission.first("actuator").and_then(|actuator| actuator.first("mechanicalReduction"));
        let Some(element) = inner().or_else(|| transmission.first("mechanicalReduction")) else { continue };
        let reduction = element.text().parse().ok().filter(|ratio: &f64| ratio.is_finite() && *ratio != 0.0);
        reductions[*number] = Some(
            reduction
                .ok_or_else(|| element.problem(&format!("\"{}\"", element.text()), "must be a number other than 0"))?,
        );
    }
    Ok(reductions)
}
