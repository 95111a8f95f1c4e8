//! Compares the XML with the FMU's own library.

use std::collections::BTreeSet;
use std::path::Path;

use fmu_exchange::{DeclarationRequest, NO_DECLARATION, Standard};

use super::report::Report;
use crate::archive::platform::Platform;
use crate::description::library::{Describe, Library};
use crate::description::model_description::model_description;
use crate::description::model_description_3::model_description_3;
use crate::description::{DataType, Description};
use crate::error::Error;
use crate::read::element::{self, Element};
use crate::read::interpret::is_of_fmi_3;
use crate::read::{Archive, ModelDescription};

/// Loads the binary for this computer, if there is one and it is ours, and compares, unless it was made with `--small`.
pub(super) fn check(
    archive: &Archive,
    root: &Element,
    model: &ModelDescription,
    report: &mut Report,
) -> Result<(), Error> {
    // Other tools' FMUs may have a file of this name as well.
    if !model.generation_tool.as_deref().is_some_and(|tool| tool.starts_with("mechanical-fmus ")) {
        return Ok(());
    }
    let configuration = archive.read("resources/configuration.txt").ok();
    report.expect(configuration.is_some(), "V-7", || "resources/configuration.txt is missing".to_owned());
    let interface = model.co_simulation.as_ref().or(model.model_exchange.as_ref());
    let (Some(configuration), Some(interface), Ok(platform)) = (configuration, interface, Platform::host()) else {
        return Ok(());
    };
    let standard = if is_of_fmi_3(root) { Standard::Fmi3 } else { Standard::Fmi2 };
    let entry = platform.entry_of(standard, &interface.model_identifier);
    // Code for another platform is found where the binaries are checked.
    let Some(binary) = archive.read(&entry).ok().filter(|binary| platform.accepts(binary).is_ok()) else {
        return Ok(());
    };
    let folder = tempfile::tempdir()?;
    let path = folder.path().join(format!("library.{}", platform.extension()));
    fs_err::write(&path, binary)?;
    let resources = folder.path().join("resources");
    unpack_resources(archive, &resources)?;
    let configuration = String::from_utf8_lossy(&configuration);
    let request = DeclarationRequest { resources: resources.to_str(), ..DeclarationRequest::new(&configuration) };
    // The library is unloaded before its folder is removed, as Windows requires.
    let described = Library::load(&path).and_then(|library| library.describe(request));
    if matches!(&described, Err(Error::Refused(reason)) if reason == NO_DECLARATION) {
        return Ok(());
    }
    report.expect(described.is_ok(), "V-7", || match &described {
        Err(error) => format!("{entry}: {error}"),
        Ok(_) => String::new(),
    });
    match described {
        Ok(description) => compare(root, &description, standard, report),
        Err(_) => Ok(()),
    }
}

/// Unpacks the resources, among which are the attached files.
fn unpack_resources(archive: &Archive, folder: &Path) -> Result<(), Error> {
    for entry in archive.entries() {
        // The names were checked when the archive was opened.
        if let Some(name) =
            entry.name.strip_prefix("resources/").filter(|name| !name.is_empty() && !name.ends_with('/'))
        {
            let file = folder.join(name);
            fs_err::create_dir_all(file.parent().unwrap_or(folder))?;
            fs_err::write(file, archive.read(&entry.name)?)?;
        }
    }
    Ok(())
}

/// Attributes that depend on the build of the FMU, not on its model.
const OF_THE_BUILD: [&str; 3] = ["generationTool", "generationDateAndTime", "license"];

/// Compares the document with the one that is written for the library.
pub(super) fn compare(
    root: &Element,
    library: &Description,
    standard: Standard,
    report: &mut Report,
) -> Result<(), Error> {
    let text = match standard {
        Standard::Fmi2 => model_description(library, None)?,
        Standard::Fmi3 => model_description_3(library, None)?,
    };
    let compiled = element::parse(&text).expect("a document that was just written");
    let mut comparison = Comparison { library, report };
    comparison.attributes(root, &compiled, "modelDescription.xml", "8.5");
    comparison.children(root, &compiled, "modelDescription.xml", "8.5");
    Ok(())
}

struct Comparison<'a> {
    library: &'a Description,
    report: &'a mut Report,
}

impl Comparison<'_> {
    fn children(&mut self, written: &Element, compiled: &Element, owner: &str, rule: &str) {
        let [says, has] = [written, compiled].map(|element| element.children.len());
        self.report.expect(says == has, rule, || {
            format!("{owner}: <{}> has {says} elements in the XML, but {has} in the library", compiled.name)
        });
        for (written, compiled) in written.children.iter().zip(&compiled.children) {
            let [says, has] = [written, compiled].map(|element| self.label(element, owner));
            // The attributes below are at another place, too.
            if written.name != compiled.name || says != has {
                self.report.expect(false, rule, || format!("{says} is {has} in the library"));
                return;
            }
            let rule = match compiled.name.as_str() {
                "ModelExchange" | "CoSimulation" => "4.3",
                "ModelStructure" => "MS-4",
                _ => rule,
            };
            self.attributes(written, compiled, &has, rule);
            self.children(written, compiled, &has, rule);
        }
    }

    fn attributes(&mut self, written: &Element, compiled: &Element, owner: &str, rule: &str) {
        let names = |element: &Element| element.attributes.iter().map(|(name, _)| name.clone()).collect::<Vec<_>>();
        let names: BTreeSet<String> = names(written).into_iter().chain(names(compiled)).collect();
        let is_compared = |name: &&String| !OF_THE_BUILD.contains(&name.as_str()) && !name.starts_with("xmlns");
        for name in names.iter().filter(is_compared) {
            let [says, has] = [written, compiled].map(|element| element.attribute(name));
            let rule = match name.as_str() {
                "start" => "V-7",
                "numberOfEventIndicators" => "M-1",
                _ => rule,
            };
            self.report.expect(same(name, says, has), rule, || {
                let [says, has] =
                    [says, has].map(|value| value.map_or("nothing".to_owned(), |value| format!("{value:?}")));
                format!("{owner}: {name} is {says} in the XML, but {has} in the library")
            });
        }
    }

    /// Returns the subject of an element, for a message.
    fn label(&self, element: &Element, owner: &str) -> String {
        let name = element.attribute("name").unwrap_or_default();
        match element.name.as_str() {
            "ScalarVariable" => format!("variable \"{name}\""),
            tag if tag != "Real" && DataType::parse(tag).is_some() && !name.is_empty() => {
                format!("variable \"{name}\"")
            }
            "Unit" => format!("unit \"{name}\""),
            "DisplayUnit" => format!("{owner}: display unit \"{name}\""),
            "SimpleType" => format!("type \"{name}\""),
            "Item" => format!("{owner}: item \"{name}\""),
            "Category" => format!("log category \"{name}\""),
            "Unknown" => {
                let index = element.attribute("index").and_then(|index| index.parse::<usize>().ok());
                let variable = index.and_then(|index| self.library.variables.get(index.checked_sub(1)?));
                format!("{owner}: variable \"{}\"", variable.map_or("", |variable| &variable.name))
            }
            "Real" | "Integer" | "Boolean" | "String" | "Enumeration" | "BaseUnit" => owner.to_owned(),
            other => other.to_owned(),
        }
    }
}

/// Returns true if two values of an attribute are the same text or number; a missing Boolean attribute is false.
fn same(name: &str, says: Option<&str>, has: Option<&str>) -> bool {
    let number = |text: Option<&str>| text.and_then(|text| text.parse::<f64>().ok());
    let same_number = || number(says).is_some_and(|says| number(has) == Some(says));
    match name {
        "name" | "description" | "guid" | "version" => says == has,
        "start" => says == has || same_number(),
        _ => says.unwrap_or("false") == has.unwrap_or("false") || same_number(),
    }
}
