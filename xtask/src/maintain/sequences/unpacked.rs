//! The FMUs on which sequences run: all components, the sample, and configurations that reach other code.

use std::path::PathBuf;

use anyhow::{Context, Result};
use fmu_builder::{Archive, Cached, Library, Packer, Platform, Settings};
use fmu_commands::source::Libraries;
use rayon::prelude::*;

use crate::compile::components::{Component, components, own_components};
use crate::compile::platforms::compile_for;

/// An FMU unpacked below `target/`.
#[derive(Clone, Debug)]
pub struct Unpacked {
    /// Its name.
    pub name: String,
    /// Name of the component's package.
    pub package: String,
    /// Whether it is the component's default configuration.
    pub is_default: bool,
    /// The folder of its description and resources.
    pub folder: PathBuf,
    /// The library to load.
    pub library: PathBuf,
}

impl Unpacked {
    /// The argument for the program of the sequences.
    pub fn argument(&self) -> String {
        format!("{}={}", self.folder.display(), self.library.display())
    }
}

/// Configurations in addition to the default ones: names, packages and settings; `{}` is the workspace.
const OTHERS: [(&str, &str, &[&str]); 8] = [
    (
        "BushingMeasured",
        "bushing",
        &[
            "nonlinear_TS=true",
            "DCM_TS=attachment",
            "TS_data={}/models/bushing/reference/measured_stiffness.xlsx",
            "sr_TS=2",
            "sm_TS=spline",
            "nonlinear_TD=true",
            "DCM_TD=file",
            "TD_fileName={}/models/bushing/reference/measured_stiffness.csv",
            "sr_TD=2",
            "nonlinear_RS=true",
            "DCM_RS=signal",
            "nonlinear_RD=true",
        ],
    ),
    ("ClutchMotion", "clutch", &["flange_a=motion_in", "flange_b=motion_in"]),
    ("ClutchMixed", "clutch", &["flange_a=motion_in", "useHeatPort=true"]),
    ("BrakeSupport", "brake", &["useSupport=true", "useHeatPort=true"]),
    ("BrakeMotion", "brake", &["flange_a=motion_in", "useSupport=true", "support=motion_in"]),
    ("GripperCardan", "gripper", &["orientation=cardan"]),
    ("JointUPSPower", "joint-ups", &["orientation=quaternion", "checkTotalPower=true", "accelerations=false"]),
    ("JointSSRUnwrapped", "joint-ssr", &["unwrapAngle=true", "animation=false"]),
];

/// All of them, with the finished libraries.
pub fn all() -> Result<Vec<Unpacked>> {
    let manifest = crate::paths::root().join("Cargo.toml");
    let sample = components(&manifest)?.into_iter().find(|component| component.package == "sample");
    let mut components = own_components()?;
    components.push(sample.context("the sample is missing")?);
    Ok(unpack(&components, &OTHERS)?.into_iter().flatten().collect())
}

/// The components with their default configurations.
pub fn defaults() -> Result<Vec<Unpacked>> {
    Ok(unpack(&own_components()?, &[])?.into_iter().flatten().collect())
}

fn unpack(components: &[Component], others: &[(&str, &str, &[&str])]) -> Result<Vec<Vec<Unpacked>>> {
    let libraries = compile_for(&components.iter().collect::<Vec<_>>(), &[], false)?;
    let of_component = |(component, Libraries { host, platforms, origin }): (&Component, Libraries)| {
        let library = Cached::new(Library::load(&host)?);
        let packer = Packer::read(&platforms, origin)?;
        let others = others.iter().filter(|(_, package, _)| *package == component.package);
        let configurations = others.map(|(name, _, settings)| (Some(*name), *settings));
        let one = |(name, assignments): (Option<&str>, &[&str])| {
            let mut settings = Settings::default();
            let named = name.map(|name| format!("name={name}"));
            for assignment in assignments
                .iter()
                .map(|text| text.replace("{}", &crate::paths::root().display().to_string()))
                .chain(named)
            {
                settings.set(&assignment)?;
            }
            let description = settings.resolve(&library)?;
            let folder = crate::paths::root().join("target").join("sequences").join("fmu").join(&description.name);
            let file = packer.pack(&description, &folder.with_extension("fmu"))?;
            let archive = Archive::open(&file)?;
            for entry in archive.entries() {
                let path = folder.join(&entry.name);
                fs_err::create_dir_all(path.parent().context("a folder")?)?;
                fs_err::write(path, archive.read(&entry.name)?)?;
            }
            let library = folder.join(Platform::host()?.entry(&description.name));
            let package = component.package.clone();
            Ok(Unpacked { name: description.name, package, is_default: name.is_none(), folder, library })
        };
        std::iter::once((None, [].as_slice())).chain(configurations).map(one).collect()
    };
    components.par_iter().zip(libraries).map(of_component).collect()
}
