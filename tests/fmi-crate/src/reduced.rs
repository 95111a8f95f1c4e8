//! FMI 3.0 for the `fmi` crate without what its version 0.8 cannot read, though the standard allows it.

use std::fs;
use std::io;

use fmi::fmi3::import::Fmi3Import;
use fmi::traits::FmiImport;
use fmu_builder::Archive;
use quick_xml::events::Event;
use quick_xml::{Reader, Writer};

/// Attributes of floating-point variables that the crate refuses as unknown.
const UNKNOWN: [&str; 6] = ["unit", "displayUnit", "nominal", "quantity", "unbounded", "relativeQuantity"];

/// Unpacks an FMU and opens it with a reduced description; all else is as in the archive.
pub fn open(archive: &Archive) -> Result<Fmi3Import, String> {
    let text = archive.read("modelDescription.xml").map_err(|error| error.to_string())?;
    let text = reduced(&String::from_utf8_lossy(&text)).map_err(|error| format!("it cannot read the file: {error}"))?;
    let folder = tempfile::tempdir().and_then(|folder| unpack(archive, folder.path()).map(|()| folder));
    let folder = folder.map_err(|error| format!("the FMU cannot be unpacked: {error}"))?;
    Fmi3Import::new(folder, &text).map_err(|error| format!("it cannot read the file: {error}"))
}

fn unpack(archive: &Archive, folder: &std::path::Path) -> io::Result<()> {
    // The names were checked when the archive was opened.
    for entry in archive.entries().iter().filter(|entry| !entry.name.ends_with('/')) {
        let file = folder.join(&entry.name);
        fs::create_dir_all(file.parent().expect("it is in the folder"))?;
        fs::write(file, archive.read(&entry.name).map_err(io::Error::other)?)?;
    }
    Ok(())
}

/// A description whose floating-point variables have only attributes that the crate knows.
fn reduced(text: &str) -> Result<String, quick_xml::Error> {
    let mut reader = Reader::from_str(text);
    let mut writer = Writer::new(Vec::new());
    loop {
        let mut event = reader.read_event()?;
        match &mut event {
            Event::Eof => return Ok(String::from_utf8_lossy(&writer.into_inner()).into_owned()),
            Event::Start(tag) | Event::Empty(tag) if ["Float64", "Float32"].contains(&tag.name().as_ref()) => {
                let all = tag.to_owned();
                let known = all.attributes().flatten().filter(|attribute| !UNKNOWN.contains(&attribute.key.as_ref()));
                tag.clear_attributes().extend_attributes(known);
            }
            _ => {}
        }
        writer.write_event(event)?;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_the_crate_cannot_read_is_left_out() {
        let text = r#"<a unit="m"><Float64 name="x" unit="m" start="1" nominal="2"><Dimension start="3"/></Float64><Float64 quantity="q" description="a &lt; b"/></a>"#;
        let left = r#"<a unit="m"><Float64 name="x" start="1"><Dimension start="3"/></Float64><Float64 description="a &lt; b"/></a>"#;
        assert_eq!(reduced(text).unwrap(), left);
    }

    /// Once the crate reads this, nothing need be left out.
    #[test]
    fn the_crate_refuses_units() {
        let model = |attribute: &str| {
            format!(
                r#"<fmiModelDescription fmiVersion="3.0" modelName="m" instantiationToken="t"><ModelVariables><Float64 name="x" valueReference="1"{attribute}/></ModelVariables><ModelStructure/></fmiModelDescription>"#
            )
        };
        let open = |text: String| Fmi3Import::new(tempfile::tempdir().unwrap(), &text);
        assert!(open(model("")).is_ok());
        for attribute in UNKNOWN {
            let attribute = format!(r#" {attribute}="1""#);
            assert!(open(model(&attribute)).is_err(), "the crate reads{attribute} now");
        }
    }
}
