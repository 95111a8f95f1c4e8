//! Parts at the axis of a joint: motor, gear, stops, damping, friction, and the joint that it follows.

use super::names::Names;
use super::robot::{Joint, Kind, Limit, Mimic, Robot};
use super::text::{Text, number};

/// The effort for which stops are made if the joint has none, in N.m or N.
const EFFORT: f64 = 100.0;

fn is_slide(joint: &Joint) -> bool {
    joint.kind == Kind::Prismatic
}

/// True if the joint has a motor: those that follow others have none.
fn is_driven(joint: &Joint) -> bool {
    joint.kind.has_axis() && joint.mimic.is_none()
}

/// True if something at the joint makes a rotary motor drive it.
fn has_rotary_motor(robot: &Robot, joint: usize) -> bool {
    !is_slide(&robot.joints[joint]) || gear_ratio(robot, joint).is_some()
}

/// Returns the reduction of the gear at a joint, if it has one that is worth a part.
fn gear_ratio(robot: &Robot, joint: usize) -> Option<f64> {
    robot.reductions[joint].filter(|ratio| *ratio != 1.0)
}

/// Writes what all joints have in common.
pub fn settings(robot: &Robot, text: &mut Text) {
    let driven: Vec<_> = (0..robot.joints.len()).filter(|joint| is_driven(&robot.joints[*joint])).collect();
    if !driven.is_empty() {
        text.line("\n[parameters]");
    }
    if driven.iter().any(|joint| has_rotary_motor(robot, *joint)) {
        text.setting("motor = \"Torque\"", "torques are given, motions follow; with \"Position\" the other way round");
    }
    if driven.iter().any(|joint| !has_rotary_motor(robot, *joint)) {
        text.setting("actuator = \"Force\"", "the same for joints that slide");
    }
    if robot.joints.iter().any(|joint| joint.limit.is_some_and(|limit| limit.range.is_some())) {
        text.line("\n[constants]");
        text.setting("deflection = 0.01", "of the stops at the effort of their joint, in rad or m");
        text.setting("relaxation = 0.01", "of the stops, in s: their damping divided by their stiffness");
    }
}

/// Writes the parts at the axis of a joint.
pub fn drive(
    robot: &Robot,
    names: &[String],
    index: usize,
    text: &mut Text,
    taken: &mut Names,
    notes: &mut Vec<String>,
) {
    let (joint, name) = (&robot.joints[index], &names[index]);
    if !joint.kind.has_axis() {
        return;
    }
    let mut part = |text: &mut Text, suffix: &str, kind: &str| {
        let own = taken.take(&format!("{name}{suffix}"), "");
        text.part(&own, kind);
        own
    };
    let [axis, support] = ["axis", "support"].map(|flange| format!("{name}.{flange}"));
    match joint.mimic {
        Some(mimic) => follow(robot, names, (joint, mimic), text, &mut part, &axis),
        None => motor(robot, index, text, &mut part, &axis),
    }
    if let Some(limit) = &joint.limit {
        stops(joint, limit, text, &mut part, [&axis, &support], notes);
    }
    let pick = |rotational: &'static str, translational| if is_slide(joint) { translational } else { rotational };
    if joint.damping != 0.0 {
        part(text, "_damper", "Damper");
        text.number("d", joint.damping);
        text.word("flange_a", &support);
        text.word("flange_b", &axis);
    }
    if joint.friction != 0.0 {
        part(text, "_friction", pick("BearingFriction", "SupportFriction"));
        text.key(pick("tau_pos", "f_pos"), format_args!("[[0, {}]]", number(joint.friction)));
        text.word("flange_a", &axis);
    }
}

type NewPart<'a> = &'a mut dyn FnMut(&mut Text, &str, &str) -> String;

/// Writes the motor of a joint, and its gear.
fn motor(robot: &Robot, index: usize, text: &mut Text, part: NewPart<'_>, axis: &str) {
    let is_slide = is_slide(&robot.joints[index]);
    let mut driven = axis.to_owned();
    if let Some(ratio) = gear_ratio(robot, index) {
        let gear = part(text, "_gear", if is_slide { "IdealGearR2T" } else { "IdealGear" });
        let [motor_side, joint_side] = if is_slide { ["flangeR", "flangeT"] } else { ["flange_a", "flange_b"] };
        text.number("ratio", ratio);
        text.word(joint_side, axis);
        driven = format!("{gear}.{motor_side}");
        let rotor = part(text, "_rotor", "Inertia");
        text.number("J", 0.0);
        text.word("flange_b", &driven);
        driven = format!("{rotor}.flange_a");
    }
    part(text, "_motor", if has_rotary_motor(robot, index) { "=motor" } else { "=actuator" });
    text.word("flange", &driven);
}

/// Writes the gear by which a joint follows another one.
fn follow(
    robot: &Robot,
    names: &[String],
    (joint, mimic): (&Joint, Mimic),
    text: &mut Text,
    part: NewPart<'_>,
    axis: &str,
) {
    let is_slide = is_slide(joint);
    let Mimic { joint: leader, multiplier, offset } = mimic;
    if multiplier == 0.0 {
        part(text, "_hold", "Fixed");
        text.number(if is_slide { "s0" } else { "phi0" }, offset);
        text.word("flange", axis);
        return;
    }
    let of_leader = format!("{}.axis", names[leader]);
    let mut own = axis.to_owned();
    if offset != 0.0 {
        let place = part(text, "_offset", if is_slide { "Rod" } else { "Disc" });
        text.number(if is_slide { "L" } else { "deltaPhi" }, offset);
        text.word("flange_b", axis);
        own = format!("{place}.flange_a");
    }
    match (self::is_slide(&robot.joints[leader]), is_slide) {
        (false, false) => {
            part(text, "_mimic", "IdealGear");
            text.number("ratio", multiplier);
            text.word("flange_a", &own);
            text.word("flange_b", &of_leader);
        }
        (false, true) => {
            part(text, "_mimic", "IdealGearR2T");
            text.number("ratio", 1.0 / multiplier);
            text.word("flangeR", &of_leader);
            text.word("flangeT", &own);
        }
        (true, false) => {
            part(text, "_mimic", "IdealGearR2T");
            text.number("ratio", multiplier);
            text.word("flangeR", &own);
            text.word("flangeT", &of_leader);
        }
        (true, true) => {
            let first = part(text, "_mimic", "IdealGearR2T");
            text.word("flangeT", &of_leader);
            part(text, "_mimic2", "IdealGearR2T");
            text.number("ratio", 1.0 / multiplier);
            text.word("flangeR", &format!("{first}.flangeR"));
            text.word("flangeT", &own);
        }
    }
}

/// Writes the stops of a joint.
fn stops(
    joint: &Joint,
    limit: &Limit,
    text: &mut Text,
    part: NewPart<'_>,
    [axis, support]: [&str; 2],
    notes: &mut Vec<String>,
) {
    let Some([lower, upper]) = limit.range else { return };
    let effort = if limit.effort > 0.0 {
        limit.effort
    } else {
        notes.push(format!(
            "line {}: joint \"{}\" has no effort, so its stops are those for {EFFORT}",
            joint.line, joint.name
        ));
        EFFORT
    };
    let stiffness = |text: &mut Text| {
        text.key("c", format_args!("\"={}/deflection\"", number(effort)));
        text.key("d", format_args!("\"={}/deflection*relaxation\"", number(effort)));
    };
    if is_slide(joint) {
        for (suffix, s_rel0, [flange_a, flange_b]) in
            [("_lower", lower, [support, axis]), ("_upper", -upper, [axis, support])]
        {
            part(text, suffix, "ElastoGap");
            text.number("s_rel0", s_rel0);
            stiffness(text);
            text.word("flange_a", flange_a);
            text.word("flange_b", flange_b);
        }
    } else {
        part(text, "_stops", "ElastoBacklash");
        text.number("b", rounded(upper - lower));
        text.number("phi_rel0", rounded((upper + lower) / 2.0));
        stiffness(text);
        text.word("flange_a", support);
        text.word("flange_b", axis);
    }
}

/// Returns a number to twelve decimals.
fn rounded(value: f64) -> f64 {
    (value * 1e12).round() / 1e12
}
