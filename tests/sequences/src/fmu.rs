//! An unpacked FMU as an importer sees it: the description, the resources and a library.

use std::path::{Path, PathBuf};

use c_interface::{Api, Message, Setup, Slave};
use roxmltree::{Document, Node};

/// The four types that the C interface tells apart; items of enumerations are Integers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Real,
    Integer,
    Boolean,
    String,
}

/// A variable of the description.
#[derive(Clone, Debug)]
pub struct Variable {
    pub name: String,
    pub reference: u32,
    pub causality: String,
    pub variability: String,
    pub kind: Kind,
    /// Empty without unit.
    pub unit: String,
    /// Lower bound of a Real.
    pub min: Option<f64>,
}

/// An unpacked FMU.
pub struct Fmu {
    pub name: String,
    pub variables: Vec<Variable>,
    pub states: usize,
    pub indicators: usize,
    pub api: Api,
    guid: String,
    location: String,
}

impl Fmu {
    /// Reads the description in a folder and loads a library, which need not be that of the folder.
    pub fn open(folder: &Path, library: &Path) -> Self {
        let path = folder.join("modelDescription.xml");
        let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let document = Document::parse(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let root = document.root_element();
        let variables: Vec<_> = elements(root, "ScalarVariable").map(variable).collect();
        assert!(!variables.is_empty(), "{} has no variables", path.display());
        let api = Api::load(library).unwrap_or_else(|error| panic!("{}: {error}", library.display()));
        let resources = std::path::absolute(folder.join("resources")).expect("a path");
        Self {
            name: attribute(root, "modelName"),
            variables,
            states: elements(root, "Derivatives").flat_map(|list| list.children()).filter(Node::is_element).count(),
            indicators: root.attribute("numberOfEventIndicators").map_or(0, |count| count.parse().expect("a count")),
            api,
            guid: attribute(root, "guid"),
            location: format!("file://{}", resources.display()),
        }
    }

    /// A new instance, with or without a logger.
    pub fn instantiate(&self, kind: i32, logger: bool) -> Slave {
        self.try_instantiate(Setup { logger, logging_on: logger, ..Setup::new(kind, &self.guid) })
            .unwrap_or_else(|messages| panic!("{}: {messages:?}", self.name))
    }

    /// A new instance, or what the library said.
    pub fn try_instantiate(&self, setup: Setup<'_>) -> Result<Slave, Vec<Message>> {
        self.api.instantiate(Setup { location: Some(self.location.as_bytes()), ..setup })
    }

    /// The value references of the variables that are wanted.
    pub fn references(&self, wanted: impl Fn(&Variable) -> bool) -> Vec<u32> {
        self.variables.iter().filter(|variable| wanted(variable)).map(|variable| variable.reference).collect()
    }
}

impl Variable {
    /// Whether it is a Real of this causality.
    pub fn is_real(&self, causality: &str) -> bool {
        self.kind == Kind::Real && self.causality == causality
    }

    /// Whether it may change by itself, or be set, at any time.
    pub fn is_continuous(&self) -> bool {
        self.variability == "continuous"
    }

    /// Whether its values must fit those of others: an element of a rotation matrix or quaternion.
    pub fn is_orientation(&self) -> bool {
        self.name.contains(".R.T[") || self.name.contains(".Q[")
    }
}

/// The folders and libraries of the arguments `folder=library`.
pub fn open_all(arguments: &[String]) -> Vec<Fmu> {
    let open = |argument: &String| {
        let (folder, library) = argument.split_once('=').expect("folder=library");
        Fmu::open(&PathBuf::from(folder), &PathBuf::from(library))
    };
    assert!(!arguments.is_empty(), "no FMU is given");
    arguments.iter().map(open).collect()
}

fn elements<'a>(root: Node<'a, 'a>, name: &'static str) -> impl Iterator<Item = Node<'a, 'a>> {
    root.descendants().filter(move |node| node.has_tag_name(name))
}

fn attribute(node: Node<'_, '_>, name: &str) -> String {
    node.attribute(name).unwrap_or_else(|| panic!("{name} is missing")).to_owned()
}

fn variable(node: Node<'_, '_>) -> Variable {
    let kind = node.first_element_child().expect("a type");
    Variable {
        name: attribute(node, "name"),
        reference: attribute(node, "valueReference").parse().expect("a number"),
        causality: attribute(node, "causality"),
        variability: attribute(node, "variability"),
        kind: match kind.tag_name().name() {
            "Real" => Kind::Real,
            "Integer" | "Enumeration" => Kind::Integer,
            "Boolean" => Kind::Boolean,
            "String" => Kind::String,
            other => panic!("unknown type {other}"),
        },
        unit: kind.attribute("unit").unwrap_or_default().to_owned(),
        min: kind.attribute("min").and_then(|min| min.parse().ok()),
    }
}
