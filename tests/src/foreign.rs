//! An FMU that is not ours, compiled from C, with code that misbehaves.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;

use fmu_builder::Platform;
use tempfile::TempDir;

/// Compiles the library, with a behaviour.
fn library(folder: &Path, behaviour: &str) -> Vec<u8> {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/foreign.c");
    let library = folder.join("foreign.so");
    let compiler = std::env::var_os("CC").unwrap_or_else(|| "cc".into());
    let mut command = Command::new(compiler);
    command.args(["-shared", "-fPIC", "-w", &format!("-DBEHAVIOUR={behaviour}"), "-o"]);
    let done = command.arg(&library).arg(source).arg("-lm").status().unwrap();
    assert!(done.success());
    fs_err::read(library).unwrap()
}

/// Model Exchange interface of the FMU.
pub const EXCHANGE: &str = "<ModelExchange modelIdentifier=\"foreign\"/>";
/// Co-Simulation interface of the FMU, with steps of any size.
pub const VARIABLE: &str =
    "<CoSimulation modelIdentifier=\"foreign\" canHandleVariableCommunicationStepSize=\"true\"/>";
/// Co-Simulation interface of the FMU, with steps of one size.
pub const FIXED: &str = "<CoSimulation modelIdentifier=\"foreign\"/>";

/// Makes an archive that offers these interfaces.
pub fn archive(interfaces: &[&str]) -> (TempDir, PathBuf) {
    behaving(interfaces, "ORDINARY")
}

/// Makes an archive whose library has a behaviour without being told to.
pub fn behaving(interfaces: &[&str], behaviour: &str) -> (TempDir, PathBuf) {
    made_by("a C compiler", interfaces, behaviour)
}

/// Makes an archive that names a tool.
pub fn made_by(tool: &str, interfaces: &[&str], behaviour: &str) -> (TempDir, PathBuf) {
    packed(&description(tool, interfaces), behaviour)
}

/// Makes an archive for Model Exchange without states and event indicators.
pub fn stateless() -> (TempDir, PathBuf) {
    let description = description("a C compiler", &[EXCHANGE])
        .replace("<Real derivative=\"1\"/>", "<Real/>")
        .replace("<Derivatives><Unknown index=\"2\"/></Derivatives>", "")
        .replace(" numberOfEventIndicators=\"1\"", "");
    packed(&description, "ORDINARY")
}

fn description(tool: &str, interfaces: &[&str]) -> String {
    format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<fmiModelDescription fmiVersion=\"2.0\" modelName=\"Foreign\" \
         guid=\"1\" generationTool=\"{tool}\" numberOfEventIndicators=\"1\">{}\
         <DefaultExperiment startTime=\"0\" stopTime=\"0.95\" stepSize=\"0.1\"/><ModelVariables>\
         <ScalarVariable name=\"x\" valueReference=\"0\" causality=\"output\" variability=\"continuous\" \
         initial=\"exact\"><Real start=\"0\"/></ScalarVariable>\
         <ScalarVariable name=\"der(x)\" valueReference=\"1\" causality=\"local\" variability=\"continuous\" \
         initial=\"calculated\"><Real derivative=\"1\"/></ScalarVariable>\
         <ScalarVariable name=\"u\" valueReference=\"2\" causality=\"input\" variability=\"continuous\"><Real start=\"0\"/>\
         </ScalarVariable><ScalarVariable name=\"behaviour\" valueReference=\"0\" causality=\"parameter\" \
         variability=\"fixed\" initial=\"exact\"><Integer start=\"0\"/></ScalarVariable></ModelVariables><ModelStructure>\
         <Outputs><Unknown index=\"1\"/></Outputs><Derivatives><Unknown index=\"2\"/></Derivatives>\
         <InitialUnknowns><Unknown index=\"2\"/></InitialUnknowns></ModelStructure></fmiModelDescription>\n",
        interfaces.concat()
    )
}

fn packed(description: &str, behaviour: &str) -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("Foreign.fmu");
    let mut writer = zip::ZipWriter::new(fs_err::File::create(&path).unwrap());
    let entry = Platform::host().unwrap().entry("foreign");
    let content = library(folder.path(), behaviour);
    for (name, content) in [("modelDescription.xml", description.as_bytes()), (&entry, &content)] {
        writer.start_file(name, zip::write::SimpleFileOptions::default().unix_permissions(0o755)).unwrap();
        writer.write_all(content).unwrap();
    }
    writer.finish().unwrap();
    (folder, path)
}
