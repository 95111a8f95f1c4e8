//! The folder of the package.

use std::collections::BTreeSet;
use std::io::Write;
use std::path::{Path, PathBuf};

use super::names::text;
use super::wrapper::{PACKAGE, wrapper};
use crate::archive::destination::Destination;
use crate::description::Description;
use crate::description::icon::draw;
use crate::error::Error;

/// Width of the drawing in a model's icon, in pixels.
const WIDTH: u32 = 320;

/// Writes the model of an FMU into the package `MechanicalFMUs` in a folder, which is created if it does not exist;
/// [`modelica_package`] completes the package.
///
/// # Errors
///
/// When the icon is not a drawing, or a file cannot be written.
pub fn modelica_model(description: &Description, folder: &Path) -> Result<(), Error> {
    let package = folder.join(PACKAGE);
    let icon = draw(description, WIDTH)?;
    let images = package.join("Resources").join("Images");
    fs_err::create_dir_all(&images)?;
    replace(&images.join(format!("{}.png", description.name)), &icon.png)?;
    replace(&package.join(format!("{}.mo", description.name)), wrapper(description, &icon).as_bytes())
}

/// Makes a package of all models in its folder, whenever they were written; returns that folder.
///
/// # Errors
///
/// When a file cannot be written.
pub fn modelica_package(folder: &Path) -> Result<PathBuf, Error> {
    let package = folder.join(PACKAGE);
    replace(&package.join("package.mo"), head().as_bytes())?;
    let order: String = models(&package)?.into_iter().map(|name| name + "\n").collect();
    replace(&package.join("package.order"), order.as_bytes())?;
    Ok(package)
}

fn head() -> String {
    let summary = text("Mechanical components as FMUs, with their physical connectors");
    let info = text(
        "<html>\n<p>Each model holds the block that a tool makes of an FMU and connects it with the connectors of \
         the Modelica Standard Library. Import the FMU first: OpenModelica calls the block of Name.fmu \
         Name_me_FMU, and the model Name looks for it under that name. A block of another name is given with \
         <code>redeclare model FMU = …</code>.</p>\n</html>",
    );
    let version = text(env!("CARGO_PKG_VERSION"));
    format!(
        "within;\npackage {PACKAGE} {summary}\n  extends Modelica.Icons.Package;\n  annotation (\n    \
         version = {version},\n    uses(Modelica(version = \"4.0.0\")),\n    Documentation(info = {info}));\n\
         end {PACKAGE};\n"
    )
}

/// The models in the folder of a package.
fn models(package: &Path) -> Result<BTreeSet<String>, Error> {
    let mut models = BTreeSet::new();
    for entry in fs_err::read_dir(package)? {
        let path = entry?.path();
        let stem = path.file_stem().and_then(|stem| stem.to_str()).filter(|stem| *stem != "package");
        if let (Some(stem), true) = (stem, path.extension().is_some_and(|extension| extension == "mo")) {
            models.insert(stem.to_owned());
        }
    }
    Ok(models)
}

/// Writes a file in one step.
fn replace(path: &Path, content: &[u8]) -> Result<(), Error> {
    Destination::new(path)?.write(|writer| writer.write_all(content))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::example::{assembly, description};

    #[test]
    fn models_are_added_one_by_one() {
        let folder = tempfile::tempdir().unwrap();
        modelica_model(&description(), folder.path()).unwrap();
        let package = modelica_package(folder.path()).unwrap();
        let read = |name: &str| fs_err::read_to_string(package.join(name)).unwrap();
        assert_eq!(read("package.order"), "FrontSpring\n");
        for _ in 0..2 {
            modelica_model(&assembly(), folder.path()).unwrap();
            modelica_package(folder.path()).unwrap();
            assert_eq!(read("package.order"), "FrontSpring\nTestAssembly\n");
        }
        assert!(read("package.mo").contains("package MechanicalFMUs "));
        assert!(
            read("TestAssembly.mo").starts_with("within MechanicalFMUs;\nmodel TestAssembly \"One of \\\"each\\\"")
        );
        assert!(package.join("Resources/Images/FrontSpring.png").exists());
    }

    #[test]
    fn a_folder_that_cannot_be_made_is_named() {
        let folder = tempfile::tempdir().unwrap();
        fs_err::write(folder.path().join("MechanicalFMUs"), "a file").unwrap();
        let message = modelica_model(&description(), folder.path()).unwrap_err().to_string();
        assert!(message.contains("MechanicalFMUs/Resources/Images`: "), "{message}");
    }
}
