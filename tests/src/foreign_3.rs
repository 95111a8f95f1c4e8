//! FMUs of FMI 3.0 that are not ours, compiled from C: without event mode, without states, with every type, and with code
//! that misbehaves.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;

use fmu_builder::{Platform, Standard};
use tempfile::TempDir;

/// Properties and behaviour of the FMU.
#[derive(Clone, Copy)]
pub struct Foreign<'a> {
    /// Interfaces of the FMU.
    pub interfaces: &'a [&'a str],
    /// One of the behaviours in the source.
    pub behaviour: &'a str,
    /// True if it has continuous states.
    pub states: bool,
    /// True if it claims an event mode.
    pub event_mode: bool,
}

/// An FMU with Co-Simulation and Model Exchange, without an optional capability.
pub const PLAIN: Foreign<'_> =
    Foreign { interfaces: &["ModelExchange", "CoSimulation"], behaviour: "ORDINARY", states: true, event_mode: false };

/// FMUs that offer what they claim, and nothing else.
pub const CORRECT: [Foreign<'_>; 5] = [
    PLAIN,
    Foreign { event_mode: true, ..PLAIN },
    Foreign { event_mode: true, behaviour: "RETURNS_EARLY", ..PLAIN },
    Foreign { interfaces: &["ModelExchange"], states: false, ..PLAIN },
    Foreign { interfaces: &["CoSimulation"], behaviour: "TERMINATES", ..PLAIN },
];

impl Foreign<'_> {
    /// Makes the archive.
    pub fn packed(&self) -> (TempDir, PathBuf) {
        self.packed_with(&|text| text)
    }

    /// Makes the archive with another description.
    pub fn packed_with(&self, change: &dyn Fn(String) -> String) -> (TempDir, PathBuf) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("Foreign.fmu");
        let mut writer = zip::ZipWriter::new(fs_err::File::create(&path).unwrap());
        let entry = Platform::host().unwrap().entry_of(Standard::Fmi3, "foreign");
        let (description, library) = (change(self.description()), self.library(folder.path()));
        for (name, content) in [("modelDescription.xml", description.as_bytes()), (&entry, &library)] {
            writer.start_file(name, zip::write::SimpleFileOptions::default().unix_permissions(0o755)).unwrap();
            writer.write_all(content).unwrap();
        }
        writer.finish().unwrap();
        (folder, path)
    }

    fn library(&self, folder: &Path) -> Vec<u8> {
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/foreign_3.c");
        let library = folder.join("foreign.so");
        let compiler = std::env::var_os("CC").unwrap_or_else(|| "cc".into());
        let flag = |name: &str, value: bool| format!("-D{name}={}", i32::from(value));
        let mut command = Command::new(compiler);
        command.args(["-shared", "-fPIC", "-w", &format!("-DBEHAVIOUR={}", self.behaviour)]);
        command.args([flag("STATES", self.states), flag("HAS_EVENT_MODE", self.event_mode)]);
        assert!(command.arg("-o").arg(&library).arg(source).status().unwrap().success());
        fs_err::read(library).unwrap()
    }

    fn description(&self) -> String {
        let of_interface = |name: &&str| {
            let own = match (*name, self.event_mode) {
                ("CoSimulation", true) => " hasEventMode=\"true\" mightReturnEarlyFromDoStep=\"true\"",
                _ => "",
            };
            let steps = if *name == "CoSimulation" { " canHandleVariableCommunicationStepSize=\"true\"" } else { "" };
            format!(
                "<{name} modelIdentifier=\"foreign\" canGetAndSetFMUState=\"true\" \
                 providesDirectionalDerivatives=\"true\"{steps}{own}/>"
            )
        };
        let interfaces: String = self.interfaces.iter().map(of_interface).collect();
        let (derivative, of_states, initial) = match self.states {
            true => (
                "derivative=\"1\"",
                "<ContinuousStateDerivative valueReference=\"2\" dependencies=\"3\"/>",
                "<InitialUnknown valueReference=\"2\"/><EventIndicator valueReference=\"11\"/>",
            ),
            false => ("", "", ""),
        };
        format!(
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<fmiModelDescription fmiVersion=\"3.0\" modelName=\"Foreign\" \
             instantiationToken=\"1\" generationTool=\"a C compiler\">{interfaces}\
             <TypeDefinitions><EnumerationType name=\"Gear\"><Item name=\"low\" value=\"3\"/>\
             <Item name=\"high\" value=\"7\"/></EnumerationType></TypeDefinitions>\
             <DefaultExperiment startTime=\"0\" stopTime=\"0.9\" stepSize=\"0.1\"/><ModelVariables>\
             <Float64 name=\"time\" valueReference=\"0\" causality=\"independent\" variability=\"continuous\"/>\
             <Float64 name=\"x\" valueReference=\"1\" causality=\"output\" variability=\"continuous\" initial=\"exact\" \
             start=\"0 0\"><Dimension start=\"2\"/></Float64>\
             <Float64 name=\"der(x)\" valueReference=\"2\" causality=\"local\" variability=\"continuous\" \
             initial=\"calculated\" {derivative}><Dimension valueReference=\"12\"/></Float64>\
             <Float64 name=\"u\" valueReference=\"3\" causality=\"input\" variability=\"continuous\" start=\"0\">\
             <Dimension start=\"2\"/></Float64>\
             <Float32 name=\"gain\" valueReference=\"4\" causality=\"parameter\" variability=\"fixed\" initial=\"exact\" \
             start=\"1\"/>\
             <Int8 name=\"small\" valueReference=\"5\" causality=\"parameter\" variability=\"fixed\" start=\"1 -1\">\
             <Dimension start=\"2\"/><Alias name=\"little\"/></Int8>\
             <UInt64 name=\"large\" valueReference=\"6\" causality=\"parameter\" variability=\"fixed\" \
             start=\"5000000000\"/>\
             <Boolean name=\"on\" valueReference=\"7\" causality=\"parameter\" variability=\"fixed\" start=\"true\"/>\
             <Enumeration name=\"gear\" valueReference=\"8\" causality=\"parameter\" variability=\"fixed\" \
             declaredType=\"Gear\" start=\"7\"/>\
             <String name=\"text\" valueReference=\"9\" causality=\"parameter\" variability=\"fixed\">\
             <Start value=\"start\"/></String>\
             <Binary name=\"blob\" valueReference=\"10\" causality=\"local\" variability=\"discrete\"/>\
             <Float64 name=\"z\" valueReference=\"11\" causality=\"local\" variability=\"continuous\" \
             initial=\"calculated\"/>\
             <UInt64 name=\"n\" valueReference=\"12\" causality=\"local\" variability=\"constant\" start=\"2\"/>\
             </ModelVariables><ModelStructure><Output valueReference=\"1\"/>{of_states}{initial}</ModelStructure>\
             </fmiModelDescription>\n"
        )
    }
}
