//! The FMUs on which sequences run: all components, the sample, and configurations that reach other code.

use std::path::PathBuf;

use anyhow::{Context, Result};
use fmu_builder::description::Description;
use fmu_builder::{Archive, Cached, Library, Packer, Platform, Settings, Standard};
use fmu_commands::source::Libraries;
use rayon::prelude::*;

use xtask::components::{Component, components, own_components, systems};
use xtask::paths::files_below;
use xtask::platforms::compile_for;

/// An FMU unpacked below `target/`.
#[derive(Clone, Debug)]
pub struct Unpacked {
    /// Name of the FMU.
    pub name: String,
    /// Name of the component's package.
    pub package: String,
    /// Standard of its description.
    pub standard: Standard,
    /// True if the FMU has the component's default configuration.
    pub is_default: bool,
    /// Folder of its description and resources.
    pub folder: PathBuf,
    /// Library to load.
    pub library: PathBuf,
}

impl Unpacked {
    /// True if the FMU is for FMI 3.0.
    pub fn is_fmi_3(&self) -> bool {
        self.standard == Standard::Fmi3
    }

    /// Returns the argument for the program of the sequences.
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

/// Configurations with the same points as coefficients in tables and as curves, in all directions, for the counts of
/// instructions.
const LOOKED_UP: [(&str, &str, &[&str]); 2] = [
    (
        "BushingTables",
        "bushing",
        &[
            "nonlinear_TS=true",
            "TS_table=[[0,1e6,1e6,1e5],[5e-4,2e6,2e6,2e5],[1e-3,3e6,3e6,3e5],[2e-3,4e6,4e6,4e5],[4e-3,5e6,5e6,5e5]]",
            "nonlinear_TD=true",
            "TD_table=[[0,1e4,1e4,1e3],[0.05,2e4,2e4,2e3],[0.1,3e4,3e4,3e3],[0.2,4e4,4e4,4e3],[0.4,5e4,5e4,5e3]]",
            "nonlinear_RS=true",
            "RS_table=[[0,1e3,1e3,1e2],[5e-3,2e3,2e3,2e2],[0.01,3e3,3e3,3e2],[0.02,4e3,4e3,4e2],[0.04,5e3,5e3,5e2]]",
            "nonlinear_RD=true",
            "RD_table=[[0,10,10,1],[0.05,20,20,2],[0.1,30,30,3],[0.2,40,40,4],[0.4,50,50,5]]",
        ],
    ),
    (
        "BushingCurves",
        "bushing",
        &[
            "law_TS=curve",
            "TS_curve_x=[[0,0],[5e-4,1e3],[1e-3,3e3],[2e-3,8e3],[4e-3,2e4]]",
            "TS_curve_y=[[0,0],[5e-4,1e3],[1e-3,3e3],[2e-3,8e3],[4e-3,2e4]]",
            "TS_curve_z=[[0,0],[5e-4,1e2],[1e-3,3e2],[2e-3,8e2],[4e-3,2e3]]",
            "law_TD=curve",
            "TD_curve_x=[[0,0],[0.05,1e3],[0.1,3e3],[0.2,8e3],[0.4,2e4]]",
            "TD_curve_y=[[0,0],[0.05,1e3],[0.1,3e3],[0.2,8e3],[0.4,2e4]]",
            "TD_curve_z=[[0,0],[0.05,1e2],[0.1,3e2],[0.2,8e2],[0.4,2e3]]",
            "law_RS=curve",
            "RS_curve_1=[[0,0],[5e-3,10],[0.01,30],[0.02,80],[0.04,200]]",
            "RS_curve_2=[[0,0],[5e-3,10],[0.01,30],[0.02,80],[0.04,200]]",
            "RS_curve_3=[[0,0],[5e-3,1],[0.01,3],[0.02,8],[0.04,20]]",
            "law_RD=curve",
            "RD_curve_x=[[0,0],[0.05,1],[0.1,3],[0.2,8],[0.4,20]]",
            "RD_curve_y=[[0,0],[0.05,1],[0.1,3],[0.2,8],[0.4,20]]",
            "RD_curve_z=[[0,0],[0.05,0.1],[0.1,0.3],[0.2,0.8],[0.4,2]]",
        ],
    ),
];

/// Name of the configuration beside the default ones that is run with FMI 3.0, too: its tables have any number of rows.
const OTHER_OF_FMI_3: &str = "BushingMeasured";

/// Unpacks all FMUs, with the finished libraries.
pub fn all() -> Result<Vec<Unpacked>> {
    let manifest = xtask::paths::root().join("Cargo.toml");
    let sample = components(&manifest)?.into_iter().find(|component| component.name == "sample");
    let mut components = own_components()?;
    components.push(sample.context("the sample is missing")?);
    Ok(unpack(&components, &OTHERS, &[Standard::Fmi2, Standard::Fmi3])?.into_iter().flatten().collect())
}

/// Unpacks the examples of systems, also those in folders, but for parts of other systems.
pub fn examples() -> Result<Vec<Unpacked>> {
    let component = systems()?.pop().context("the systems are missing")?;
    let libraries = compile_for(&[&component], &[], false)?.pop().context("a library")?;
    let library = Cached::new(Library::load(&libraries.host)?);
    let packer = Packer::read(&libraries.platforms, libraries.origin, libraries.compression)?;
    let folder = xtask::paths::root().join("examples");
    let mut paths = files_below(&folder)?;
    paths.retain(|path| path.extension().is_some_and(|own| own == "toml") && !path.starts_with(folder.join("parts")));
    let example = |file: PathBuf| {
        let mut settings = Settings::from_toml(&file)?;
        // Examples of the library may have the name of another one.
        let stem = file.file_stem().context("a file has a name")?.to_string_lossy().replace('-', "_");
        settings.set(&format!("name=Example_{stem}"))?;
        let description = settings.resolve(&library)?;
        let (folder, library) = unpacked(&packer, &description, Standard::Fmi2)?;
        let (name, package) = (description.name, component.name.clone());
        Ok(Unpacked { name, package, standard: Standard::Fmi2, is_default: false, folder, library })
    };
    paths.into_par_iter().map(example).collect()
}

/// Unpacks the components with their default configurations, and those that look up tables and curves.
pub fn counted() -> Result<Vec<Unpacked>> {
    Ok(unpack(&own_components()?, &LOOKED_UP, &[Standard::Fmi2])?.into_iter().flatten().collect())
}

fn unpack(
    components: &[Component],
    others: &[(&str, &str, &[&str])],
    standards: &[Standard],
) -> Result<Vec<Vec<Unpacked>>> {
    let libraries = compile_for(&components.iter().collect::<Vec<_>>(), &[], false)?;
    let of_component = |(component, Libraries { host, platforms, origin, compression }): (&Component, Libraries)| {
        let library = Cached::new(Library::load(&host)?);
        let packer = Packer::read(&platforms, origin, compression)?;
        let others = others.iter().filter(|(_, package, _)| *package == component.name);
        let configurations = others.map(|(name, _, settings)| (Some(*name), *settings));
        let one = |(name, assignments): (Option<&str>, &[&str])| {
            let is_default = name.is_none();
            let mut settings = Settings::default();
            let named = name.map(|name| format!("name={name}"));
            for assignment in assignments
                .iter()
                .map(|text| text.replace("{}", &xtask::paths::root().display().to_string()))
                .chain(named)
            {
                settings.set(&assignment)?;
            }
            let description = settings.resolve(&library)?;
            let of_standard = |standard: &Standard| {
                let (folder, library) = unpacked(&packer, &description, *standard)?;
                let (name, package) = (description.name.clone(), component.name.clone());
                Ok(Unpacked { name, package, standard: *standard, is_default, folder, library })
            };
            let is_wanted =
                |standard: &&Standard| **standard == Standard::Fmi2 || is_default || description.name == OTHER_OF_FMI_3;
            standards.iter().filter(is_wanted).map(of_standard).collect()
        };
        let all: Result<Vec<Vec<_>>> = std::iter::once((None, [].as_slice())).chain(configurations).map(one).collect();
        Ok(all?.into_iter().flatten().collect())
    };
    components.par_iter().zip(libraries).map(of_component).collect()
}

/// Packs and unpacks an FMU; returns its folder and its library.
fn unpacked(packer: &Packer, description: &Description, standard: Standard) -> Result<(PathBuf, PathBuf)> {
    let all = xtask::paths::root().join("target").join("sequences").join("fmu");
    let file = packer.pack(description, standard, &all)?;
    let archive = Archive::open(&file)?;
    let folder = file.with_extension("");
    for entry in archive.entries() {
        let path = folder.join(&entry.name);
        fs_err::create_dir_all(path.parent().context("a folder")?)?;
        fs_err::write(path, archive.read(&entry.name)?)?;
    }
    let library = folder.join(Platform::host()?.entry_of(standard, &description.name));
    Ok((folder, library))
}
