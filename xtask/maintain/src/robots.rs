//! Robots of the package example-robot-data, converted and built, must have the accelerations that Pinocchio computes, and
//! take the same torques for given motions.

use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::checks::Check;
use xtask::environment::Environment;
use xtask::importer::{self, run};
use xtask::venv;

/// Files of the package: arms, hands, quadrupeds and humanoids, some with joints that follow others.
const ROBOTS: [&str; 14] = [
    "allegro_hand_description/urdf/allegro_right_hand.urdf",
    "anymal_b_simple_description/robots/anymal-kinova.urdf",
    "baxter_description/urdf/baxter.urdf",
    "double_pendulum_description/urdf/double_pendulum_simple.urdf",
    "g1_description/urdf/g1_29dof_with_hand_rev_1_0.urdf",
    "panda_description/urdf/panda.urdf",
    "pr2_description/urdf/pr2.urdf",
    "romeo_description/urdf/romeo_small.urdf",
    "simple_humanoid_description/urdf/simple_humanoid.urdf",
    "solo_description/robots/solo12.urdf",
    "talos_data/robots/talos_full_v2.urdf",
    "tiago_pro_description/robots/tiago_pro.urdf",
    "ur_description/urdf/ur5_gripper.urdf",
    "xarm_description/urdf/xarm7.urdf",
];

/// Where the package has its robots, below the packages of Python.
const FOLDER: &str = "cmeel.prefix/share/example-robot-data/robots";

/// States at which each robot is compared.
const STATES: &str = "100";

/// Largest difference of accelerations, relative to the largest one.
const MAX_DIFFERENCE: &str = "1e-11";

/// Converts the robots, with fixed and with floating base, and with given motions, builds them, and compares them.
pub fn check(environment: &Environment) -> Result<Vec<Check>> {
    const NAME: &str = "robots";
    if let Some(why) = environment.too_old() {
        return Ok(vec![Check::skipped(NAME, why)]);
    }
    if cfg!(windows) {
        return Ok(vec![Check::skipped(NAME, "Pinocchio has no package for Windows")]);
    }
    environment.add("tests/robots-requirements.txt", "the comparison with Pinocchio")?;
    let robots = venv::packages(environment.python())?.join(FOLDER);
    let folder = xtask::paths::root().join("target").join("robots");
    let mut compare = Command::new(environment.python());
    compare.arg(xtask::paths::root().join("tests").join("compare_robots.py")).args([STATES, MAX_DIFFERENCE]);
    let example = xtask::paths::root().join("examples").join("bench-arm.urdf");
    for form in ["fixed", "floating", "inverse"] {
        // On a floating base without mass, the rail of the example would move nothing.
        let example = Some(&example).filter(|_| form != "floating").cloned();
        let files: Vec<_> = ROBOTS.iter().map(|robot| robots.join(robot)).chain(example).collect();
        let out = folder.join(form);
        fs_err::create_dir_all(&out)?;
        let mut systems = Vec::new();
        for (number, urdf) in files.iter().enumerate() {
            let system = out.join(format!("{number}.toml"));
            let name = convert(urdf, &system, form)?;
            compare.arg(urdf).arg(out.join(format!("{name}.fmu")));
            systems.push(system);
        }
        // In a process of its own: the fuzz targets, whose memory is limited, inherit the peak of this one.
        let mut build = Command::new(std::env::current_exe()?.with_file_name("xtask"));
        venv::run(build.args(["build", "--config"]).args(systems).arg("--out").arg(out))?;
    }
    if !run(&mut compare)? {
        bail!("accelerations or torques differ from those of Pinocchio, see above");
    }
    Ok(vec![Check::passed(NAME)])
}

/// Converts a robot; returns the name of its FMU.
fn convert(urdf: &Path, system: &Path, form: &str) -> Result<String> {
    let mut command = importer::importer()?;
    command.arg("convert").args([urdf, system]).arg("--force");
    if form == "floating" {
        command.arg("--floating");
    }
    venv::run(&mut command)?;
    let mut text = fs_err::read_to_string(system)?;
    if form == "inverse" {
        text = text.replacen("\nmotor = \"Torque\"", "\nmotor = \"Position\"", 1);
        text = text.replacen("\nactuator = \"Force\"", "\nactuator = \"Position\"", 1);
        fs_err::write(system, &text)?;
    }
    let name = text.lines().find_map(|line| line.strip_prefix("name = \"")?.strip_suffix('"'));
    Ok(name.with_context(|| format!("{}: there is no name", system.display()))?.to_owned())
}
