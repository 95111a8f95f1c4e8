//! FMUs as other tools make them, compiled from C with switches: freedoms of FMI that our FMUs do not use, and claims
//! that are not true.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;

use fmu_builder::Platform;
use tempfile::TempDir;

/// Name of the FMU, and of its library.
pub const NAME: &str = "Corpus";

/// An FMU before it is compiled.
#[derive(Clone)]
pub struct Corpus {
    source: &'static str,
    description: Vec<u8>,
    switches: Vec<String>,
}

/// Returns an element `CoSimulation` or `ModelExchange` with further attributes.
pub fn interface(element: &str, attributes: &str) -> String {
    format!("<{element} modelIdentifier=\"{NAME}\" canNotUseMemoryManagementFunctions=\"true\" {attributes}/>")
}

impl Corpus {
    /// Makes an FMU of FMI 2.0 without any deviation, with these elements of interfaces.
    pub fn new(interfaces: &[String]) -> Self {
        Self::of("corpus.c", &DESCRIPTION.replace("<Interfaces/>", &interfaces.concat()))
    }

    /// Makes an FMU for Co-Simulation, with attributes of that.
    pub fn co_simulation(attributes: &str) -> Self {
        Self::new(&[interface("CoSimulation", attributes)])
    }

    /// Makes an FMU for Model Exchange, with attributes of that.
    pub fn model_exchange(attributes: &str) -> Self {
        Self::new(&[interface("ModelExchange", attributes)])
    }

    /// Makes an FMU with a source beside this one, and a description.
    pub fn of(source: &'static str, description: &str) -> Self {
        Self { source, description: description.as_bytes().to_owned(), switches: Vec::new() }
    }

    /// Compiles the FMU with a switch of the source, such as `ENDS=1`.
    pub fn with(mut self, switch: &str) -> Self {
        self.switches.push(format!("-D{switch}"));
        self
    }

    /// Replaces text in the description.
    pub fn replaced(mut self, from: &str, to: &str) -> Self {
        let text = String::from_utf8(self.description).unwrap();
        assert!(text.contains(from), "{from} is not in {text}");
        self.description = text.replace(from, to).into_bytes();
        self
    }

    /// Writes the description in ISO-8859-1.
    pub fn in_latin_1(mut self) -> Self {
        let text = String::from_utf8(self.description).unwrap().replacen("UTF-8", "ISO-8859-1", 1);
        self.description = text.chars().map(|sign| u8::try_from(u32::from(sign)).unwrap()).collect();
        self
    }

    /// Writes the archive, in a folder of its own.
    pub fn write(&self) -> (TempDir, PathBuf) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(NAME).with_extension("fmu");
        let entry = Platform::host().unwrap().entry(NAME);
        let library = self.library(folder.path());
        let mut writer = zip::ZipWriter::new(fs_err::File::create(&path).unwrap());
        for (name, content) in [("modelDescription.xml", &self.description), (&entry, &library)] {
            writer.start_file(name, zip::write::SimpleFileOptions::default().unix_permissions(0o755)).unwrap();
            writer.write_all(content).unwrap();
        }
        writer.finish().unwrap();
        (folder, path)
    }

    fn library(&self, folder: &Path) -> Vec<u8> {
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src").join(self.source);
        let library = folder.join("library");
        let mut compiler = Command::new(std::env::var_os("CC").unwrap_or_else(|| "cc".into()));
        compiler
            .args(["-shared", "-fPIC", "-w", "-O1", "-o"])
            .arg(&library)
            .arg(source)
            .args(&self.switches)
            .arg("-lm");
        assert!(compiler.status().unwrap().success());
        fs_err::read(library).unwrap()
    }
}

const DESCRIPTION: &str = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>
<fmiModelDescription fmiVersion=\"2.0\" modelName=\"Corpus\" guid=\"{00000000-0000-4000-8000-000000000001}\">
<Interfaces/>
<TypeDefinitions><SimpleType name=\"Gear\"><Enumeration><Item name=\"Neutral\" value=\"1\"/><Item name=\"First\" value=\"2\"/></Enumeration></SimpleType></TypeDefinitions>
<LogCategories><Category name=\"logStatusWarning\"/></LogCategories>
<DefaultExperiment startTime=\"0\" stopTime=\"1\" stepSize=\"0.1\"/>
<ModelVariables>
<ScalarVariable name=\"x\" valueReference=\"0\" causality=\"output\" variability=\"continuous\" initial=\"exact\"><Real start=\"1\"/></ScalarVariable>
<ScalarVariable name=\"der(x)\" valueReference=\"1\" causality=\"local\" variability=\"continuous\" initial=\"calculated\"><Real derivative=\"1\"/></ScalarVariable>
<ScalarVariable name=\"u\" valueReference=\"2\" causality=\"input\" variability=\"continuous\"><Real start=\"0.5\"/></ScalarVariable>
<ScalarVariable name=\"y\" valueReference=\"3\" causality=\"output\" variability=\"continuous\" initial=\"calculated\"><Real/></ScalarVariable>
<ScalarVariable name=\"gear\" valueReference=\"0\" causality=\"input\" variability=\"discrete\"><Enumeration declaredType=\"Gear\" start=\"1\"/></ScalarVariable>
</ModelVariables>
<ModelStructure>
<Outputs><Unknown index=\"1\" dependencies=\"1\"/><Unknown index=\"4\" dependencies=\"3\" dependenciesKind=\"constant\"/></Outputs>
<Derivatives><Unknown index=\"2\"/></Derivatives>
<InitialUnknowns><Unknown index=\"2\"/><Unknown index=\"4\"/></InitialUnknowns>
</ModelStructure>
</fmiModelDescription>
";
