//! Our components beside plain C that makes the same checks (`tests/bench/plain`), measured in pairs.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};

use super::harness::{Harness, Measured, compiler};
use xtask::venv;

/// Options of the C compiler.
pub const OPTIONS: [&str; 4] = ["-O3", "-fPIC", "-shared", "-fvisibility=hidden"];

/// Names of the components, with the largest cost of a cycle, relative to that in C.
const COMPONENTS: [(&str, f64); 3] = [("Bushing", 1.5), ("JointUSR", 1.6), ("Clutch", 3.0)];

/// A component in our FMU and in plain C.
pub struct Pair {
    /// Name of the component.
    pub name: &'static str,
    /// Largest cost of a cycle, relative to that in C.
    pub most: f64,
    /// Our FMU.
    pub ours: Measured,
    /// The equations in C.
    pub plain: Measured,
}

/// Measures the pairs, in turns; fails where both do not compute the same.
pub fn pairs<'a>(
    harness: &Harness,
    unit: impl Fn(&str) -> Option<&'a Measured>,
    folder: &Path,
    budget: f64,
    rounds: usize,
) -> Result<Vec<Pair>> {
    let mut pairs = Vec::new();
    for (name, most) in COMPONENTS {
        let unit = unit(name).with_context(|| format!("{name} was not built"))?;
        let start = start(name);
        let ours = unit.started_at(|variable| start.iter().find(|(name, _)| name == variable).map(|(_, value)| *value));
        let plain = ours.numbered_through(&compile(name, folder)?);
        pairs.push(Pair { name, most, ours, plain });
    }
    for _ in 0..rounds {
        for Pair { name, ours, plain, .. } in &mut pairs {
            for unit in [&mut *ours, &mut *plain] {
                harness.measure(unit, budget, 0.0, &[])?;
            }
            let is_same = |(a, b): (&f64, &f64)| (a - b).abs() <= 1e-12 * a.abs().max(1.0);
            if ours.result.len() != plain.result.len() || !ours.result.iter().zip(&plain.result).all(is_same) {
                bail!("{name} computes {:?}, but {:?} in C", ours.result, plain.result);
            }
        }
    }
    Ok(pairs)
}

fn compile(name: &str, folder: &Path) -> Result<PathBuf> {
    let library = folder.join(name).with_extension("so");
    let source = xtask::paths::root().join("tests").join("bench").join("plain").join(name).with_extension("c");
    let mut command = Command::new(compiler());
    command.args(OPTIONS).args(["-std=gnu11", "-Wall", "-Wextra", "-o"]).args([&library, &source]).arg("-lm");
    venv::run(&mut command)?;
    Ok(library)
}

/// Returns the inputs of a motion in which no term vanishes; of the clutch, of sliding.
fn start(name: &str) -> Vec<(String, f64)> {
    match name {
        "Clutch" => {
            [("f_normalized", 1.0), ("flange_a.tau", 1.0), ("flange_b.tau", 5.0)].map(|(n, v)| (n.to_owned(), v)).into()
        }
        "JointUSR" => {
            let mut start = frame("frame_a", [0.1, 0.0, 0.05], 0.1);
            start.extend(frame("frame_b", [1.1, 0.9, 0.02], 0.2));
            let loads = [("frame_ia.f[1]", 10.0), ("frame_ib.t[2]", 7.0), ("frame_im.f[3]", 3.0), ("axis.tau", 20.0)];
            start.extend(loads.map(|(name, value)| (name.to_owned(), value)));
            start
        }
        _ => {
            let mut start = frame("frame_a", [0.1, 0.2, 0.3], 0.3);
            start.extend(frame("frame_b", [0.11, 0.19, 0.32], 0.4));
            start
        }
    }
}

/// Returns the motion of a frame that is turned by an angle about (1, 2, 2) / 3.
fn frame(name: &str, r_0: [f64; 3], angle: f64) -> Vec<(String, f64)> {
    let (sin, cos) = angle.sin_cos();
    let e = [1.0, 2.0, 2.0].map(|e| e / 3.0);
    let mut start = Vec::new();
    for i in 0..3 {
        for (member, value) in [("r_0", r_0[i]), ("v_0", 0.1 * e[i]), ("R.w", angle), ("a_0", e[i]), ("z", 0.1)] {
            start.push((format!("{name}.{member}[{}]", i + 1), value));
        }
        for j in 0..3 {
            let turning = match (j + 3 - i) % 3 {
                0 => cos,
                1 => sin * e[3 - i - j],
                _ => -sin * e[3 - i - j],
            };
            start.push((format!("{name}.R.T[{},{}]", i + 1, j + 1), e[i] * e[j] * (1.0 - cos) + turning));
        }
    }
    start
}
