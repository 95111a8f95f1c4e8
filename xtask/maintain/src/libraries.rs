//! The libraries of all components in a folder, as the Python package and the playground have them.

use std::path::Path;

use anyhow::Result;
use fmu_builder::console::note;
use prebuilt::Prebuilt;
use xtask::components::{own_components, systems};
use xtask::platforms::compile_for_package;
use xtask::targets::{TARGETS, Target};
use xtask::toolchain::Toolchain;

/// Compiles all components for platforms, or for this computer if none is named, and writes their libraries into a folder,
/// which is emptied.
pub fn write(folder: &Path, targets: &[&Target], small: bool) -> Result<()> {
    let mut compiled = Vec::new();
    // Each list is compiled as by `cargo xtask build`: together, cargo would give them the features of all, and other
    // bytes.
    for components in [own_components()?, systems()?] {
        let libraries = compile_for_package(&components.iter().collect::<Vec<_>>(), targets, small)?;
        compiled.extend(components.into_iter().zip(libraries));
    }
    Prebuilt::write(folder, &compiled)
}

/// Returns the platforms for which this computer has tools, and says which are left out and why.
pub fn possible() -> Vec<&'static Target> {
    let (possible, left_out) = choose(|target| Toolchain::find(&[target], false).map(drop));
    left_out.iter().for_each(note);
    possible
}

fn choose(find: impl Fn(&'static Target) -> Result<()>) -> (Vec<&'static Target>, Vec<String>) {
    let (mut possible, mut left_out) = (Vec::new(), Vec::new());
    for target in &TARGETS {
        match find(target) {
            Ok(()) => possible.push(target),
            Err(error) => {
                left_out.push(format!("the playground packs no FMUs for {}: {error:#}", target.platform.folder()));
            }
        }
    }
    (possible, left_out)
}

#[cfg(test)]
mod tests {
    use anyhow::bail;
    use fmu_builder::Platform;

    use super::*;

    #[test]
    fn a_platform_without_tools_is_left_out_and_the_reason_told() {
        let (possible, left_out) = choose(|target| match target.platform {
            Platform::Win64 => bail!("tools for these platforms are missing:\n  the linker"),
            _ => Ok(()),
        });
        let folders: Vec<_> = possible.iter().map(|target| target.platform.folder()).collect();
        assert_eq!(folders, ["linux64", "aarch64-linux", "darwin64"]);
        let expected = "the playground packs no FMUs for win64: tools for these platforms are missing:\n  the linker";
        assert_eq!(left_out, [expected]);
    }
}
