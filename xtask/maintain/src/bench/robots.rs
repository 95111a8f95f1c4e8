//! Accelerations of robots, by their FMUs and by Pinocchio in C++: chains about random axes, and a humanoid.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

use anyhow::{Context, Result};
use fmu_builder::console::say;
use serde_json::Value;

use super::archives::{folder, xtask_build};
use super::harness::unpack;
use xtask::environment::Environment;
use xtask::importer::importer;
use xtask::venv;

const COMPILER_MISSING: &str = "install a C++ compiler, or name it in CXX (Debian: apt-get install g++)";

/// Numbers of revolute joints in a chain.
const CHAINS: [usize; 5] = [1, 4, 16, 64, 128];

/// A robot of the package example-robot-data, below the folder of its packages.
const HUMANOID: &str = "share/example-robot-data/robots/simple_humanoid_description/urdf/simple_humanoid.urdf";

/// Definitions with which Pinocchio is to be compiled, as its package for CMake has them.
const DEFINITIONS: [&str; 5] = [
    "-DBOOST_MPL_LIMIT_LIST_SIZE=30",
    "-DBOOST_MPL_LIMIT_VECTOR_SIZE=30",
    "-DBOOST_MPL_CFG_NO_PREPROCESSED_HEADERS",
    "-DBOOST_FUSION_INVOKE_MAX_ARITY=12",
    "-DPINOCCHIO_WITH_URDFDOM",
];

/// Seconds for which each robot is measured.
const BUDGET: &str = "2";

/// Measures all robots and prints a table.
pub fn robots() -> Result<()> {
    let environment = Environment::prepare(xtask::paths::root())?;
    environment.add("tests/robots-requirements.txt", "the comparison with Pinocchio")?;
    let pinocchio = venv::packages(environment.python())?.join("cmeel.prefix");
    let folder = folder().join("robots");
    fs_err::create_dir_all(&folder)?;
    let compiler = std::env::var_os("CXX").unwrap_or_else(|| "g++".into());
    let program = compile(&compiler, &pinocchio, &folder)?;
    let humanoid = without_stops(&fs_err::read_to_string(pinocchio.join(HUMANOID))?);
    let mut robots: Vec<_> =
        CHAINS.into_iter().map(|joints| (format!("Chain{joints}"), chain(joints), "fixed")).collect();
    robots.push(("Humanoid".to_owned(), humanoid.clone(), "fixed"));
    robots.push(("FloatingHumanoid".to_owned(), humanoid, "floating"));
    say("| robot | built | ours | Pinocchio | in the world frame | ratio | in the world frame | largest difference |")?;
    say("| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |")?;
    for (name, text, base) in robots {
        let urdf = folder.join(&name).with_extension("urdf");
        fs_err::write(&urdf, text)?;
        let (file, build) = build(&urdf, &name, base)?;
        let unit = unpack(&environment, &[&file], &folder.join(&name))?.into_iter().next().context("a description")?;
        let rows = measure(&program, &urdf, base, &unit)?;
        let row = |name: &str| rows.get(name).copied().with_context(|| format!("no row \"{name}\""));
        say(format!(
            "| {name} | {build:.2} s | {:.2} µs | {:.2} µs | {:.2} µs | {:.2} | {:.2} | {:.0e} |",
            row("ours")? / 1e3,
            row("local")? / 1e3,
            row("world")? / 1e3,
            row("ratio_local")?,
            row("ratio_world")?,
            row("difference")?
        ))?;
    }
    Ok(())
}

/// Compiles the measuring program.
fn compile(compiler: &OsStr, pinocchio: &Path, folder: &Path) -> Result<PathBuf> {
    venv::run(Command::new(compiler).arg("--version")).context(COMPILER_MISSING)?;
    let program = folder.join("robot");
    let (include, library) = (pinocchio.join("include"), pinocchio.join("lib"));
    let mut command = Command::new(compiler);
    command.args(["-std=c++17", "-O3", "-DNDEBUG", "-Wall", "-Wextra"]).args(DEFINITIONS);
    for headers in [&include, &include.join("eigen3"), &include.join("urdfdom"), &include.join("urdfdom_headers")] {
        command.arg("-isystem").arg(headers);
    }
    command.arg("-o").args([&program, &xtask::paths::root().join("tests/bench/robot.cpp")]);
    command.arg("-L").arg(&library).arg("-Wl,-rpath").arg("-Xlinker").arg(&library);
    venv::run(command.args(["-lpinocchio_default", "-lpinocchio_parsers", "-ldl"]))?;
    Ok(program)
}

/// Converts and builds a robot; returns the FMU and the seconds that building it took.
fn build(urdf: &Path, name: &str, base: &str) -> Result<(PathBuf, f64)> {
    let (system, file) = (urdf.with_extension("toml"), urdf.with_extension("fmu"));
    let mut convert = importer()?;
    convert.arg("convert").args([urdf, &system]).arg("--force");
    if base == "floating" {
        convert.arg("--floating");
    }
    venv::run(&mut convert)?;
    let (system, out) = (system.display().to_string(), file.display().to_string());
    let name = format!("name={name}");
    let arguments = ["--config", &system, "--out", &out, "--set", &name];
    // Once more, in case that this has compiled the library.
    xtask_build(&arguments)?;
    let start = Instant::now();
    xtask_build(&arguments)?;
    Ok((file, start.elapsed().as_secs_f64()))
}

/// Runs the measuring program; returns its rows.
fn measure(program: &Path, urdf: &Path, base: &str, unit: &Value) -> Result<BTreeMap<String, f64>> {
    let text = |key: &str| unit[key].as_str().map(str::to_owned).context("a description");
    let states: Vec<_> = unit["states"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
    let inputs = unit["inputs"].as_array().context("inputs")?;
    let torques = unit["references"].as_object().context("references")?.iter();
    let torques: Vec<_> =
        torques.filter(|(_, own)| inputs.contains(own)).map(|(name, own)| format!("{name}={own}")).collect();
    let mut command = Command::new(program);
    command.arg(urdf).args([base, &text("library")?, &text("token")?, &text("resources")?, BUDGET]);
    let output = venv::run(command.args([states.join(","), torques.join(",")]))?;
    let row = |line: &str| {
        let (name, value) = line.split_once(' ').context("a row")?;
        Ok((name.to_owned(), value.parse()?))
    };
    String::from_utf8(output.stdout)?.lines().map(row).collect()
}

/// Returns a URDF without limits of motion, for which the FMU would have stops.
fn without_stops(urdf: &str) -> String {
    let mut pieces = urdf.split('"');
    let mut text = pieces.next().unwrap_or_default().to_owned();
    while let (Some(value), Some(after)) = (pieces.next(), pieces.next()) {
        let is_limit = ["lower=", "upper="].iter().any(|name| text.ends_with(name));
        text += &format!("\"{}\"{after}", if is_limit { "0" } else { value });
    }
    text
}

/// Returns the URDF of a chain of revolute joints about random axes.
fn chain(joints: usize) -> String {
    let mut state = joints as u64;
    // SplitMix64 (S. Vigna).
    let mut random = || {
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut bits = state;
        bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (bits ^ (bits >> 31)) as f64 / u64::MAX as f64
    };
    let mut text = format!("<robot name=\"Chain{joints}\">\n<link name=\"link0\"/>\n");
    for i in 1..=joints {
        let mut vector = |size: f64| [(); 3].map(|()| format!("{:.4}", size * (2.0 * random() - 1.0))).join(" ");
        let (center, turn, place, angles, axis) = (vector(0.1), vector(1.0), vector(0.2), vector(1.0), vector(1.0));
        let [one, two, three] = [(); 3].map(|()| 0.005 + 0.005 * random());
        let (xx, yy, zz, mass) = (two + three, one + three, one + two, 0.5 + random());
        text += &format!(
            "<link name=\"link{i}\"><inertial><origin xyz=\"{center}\" rpy=\"{turn}\"/><mass value=\"{mass:.4}\"/>\
             <inertia ixx=\"{xx:.5}\" ixy=\"0\" ixz=\"0\" iyy=\"{yy:.5}\" iyz=\"0\" izz=\"{zz:.5}\"/></inertial></link>\n\
             <joint name=\"joint{i}\" type=\"revolute\"><parent link=\"link{}\"/><child link=\"link{i}\"/>\
             <origin xyz=\"{place}\" rpy=\"{angles}\"/><axis xyz=\"{axis}\"/>\
             <limit lower=\"0\" upper=\"0\" effort=\"0\" velocity=\"0\"/></joint>\n",
            i - 1
        );
    }
    text + "</robot>\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn without_a_compiler_it_says_what_to_install() {
        let error = compile(OsStr::new("no-c++"), Path::new("."), Path::new(".")).unwrap_err();
        let expected = "install a C++ compiler, or name it in CXX (Debian: apt-get install g++): cannot run no-c++";
        assert!(format!("{error:#}").starts_with(expected), "{error:#}");
    }

    #[test]
    fn limits_of_motion_are_removed_and_others_kept() {
        let text = without_stops("<limit effort=\"5\" lower=\"-1.5\" upper=\"2\"/><mass value=\"3\"/>");
        assert_eq!(text, "<limit effort=\"5\" lower=\"0\" upper=\"0\"/><mass value=\"3\"/>");
    }
}
