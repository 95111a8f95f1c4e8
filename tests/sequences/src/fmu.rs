//! An unpacked FMU as an importer sees it: the description, the resources and a library.

use std::fmt::Debug;
use std::ops::Deref;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use c_interface::{Api, CInstance, Message, Setup, Standard, Variables};
use roxmltree::{Document, Node};

/// The types that the C interface of FMI 3.0 tells apart; in FMI 2.0 enumerations are Integers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Real,
    Integer,
    Enumeration,
    Boolean,
    String,
    /// A structural parameter: the number of rows of a table.
    RowCount,
}

/// A variable of the description.
#[derive(Clone, Debug)]
pub struct Variable {
    pub name: String,
    pub reference: u32,
    /// The number of its values.
    pub size: usize,
    /// The structural parameter that is the number of its rows.
    pub row_count: Option<u32>,
    pub causality: String,
    pub variability: String,
    pub kind: Kind,
    /// Empty without unit.
    pub unit: String,
    /// Lower bound of a Real.
    pub min: Option<f64>,
}

/// Variables of a call.
pub struct Chosen {
    references: Vec<u32>,
    size: usize,
}

impl Variables for Chosen {
    fn references(&self) -> &[u32] {
        &self.references
    }

    fn size(&self) -> usize {
        self.size
    }
}

impl Deref for Chosen {
    type Target = [u32];

    fn deref(&self) -> &[u32] {
        &self.references
    }
}

impl<'a> FromIterator<&'a Variable> for Chosen {
    fn from_iter<I: IntoIterator<Item = &'a Variable>>(variables: I) -> Self {
        let (references, sizes): (_, Vec<_>) =
            variables.into_iter().map(|variable| (variable.reference, variable.size)).unzip();
        Self { references, size: sizes.iter().sum() }
    }
}

/// An unpacked FMU.
pub struct Fmu {
    pub name: String,
    pub standard: Standard,
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
        let standard = if attribute(root, "fmiVersion") == "2.0" { Standard::Fmi2 } else { Standard::Fmi3 };
        let variables: Vec<_> = elements(root, "ModelVariables")
            .flat_map(|list| list.children())
            .filter(Node::is_element)
            .map(|node| variable(standard, node))
            .collect();
        assert!(!variables.is_empty(), "{} has no variables", path.display());
        let api = Api::load_as(library, standard).unwrap_or_else(|error| panic!("{}: {error}", library.display()));
        let resources = std::path::absolute(folder.join("resources")).expect("a path");
        // Those that FMI 3.0 lists in the structure.
        let listed = |list: &'static str| {
            let sizes = elements(root, list).map(|node| {
                let reference = number(&attribute(node, "valueReference"));
                variables.iter().find(|variable| variable.reference == reference).expect("a variable").size
            });
            sizes.sum()
        };
        let (states, indicators, guid, location) = match standard {
            Standard::Fmi2 => (
                elements(root, "Derivatives").flat_map(|list| list.children()).filter(Node::is_element).count(),
                root.attribute("numberOfEventIndicators").map_or(0, number),
                "guid",
                format!("file://{}", resources.display()),
            ),
            Standard::Fmi3 => (
                listed("ContinuousStateDerivative"),
                listed("EventIndicator"),
                "instantiationToken",
                resources.join("").display().to_string(),
            ),
        };
        let (name, guid) = (attribute(root, "modelName"), attribute(root, guid));
        Self { name, standard, variables, states, indicators, api, guid, location }
    }

    /// A new instance, with or without a logger.
    pub fn instantiate(&self, kind: i32, logger: bool) -> CInstance {
        self.try_instantiate(Setup { logger, logging_on: logger, ..Setup::new(kind, &self.guid) })
            .unwrap_or_else(|messages| panic!("{}: {messages:?}", self.name))
    }

    /// A new instance, or what the library said.
    pub fn try_instantiate(&self, setup: Setup<'_>) -> Result<CInstance, Vec<Message>> {
        self.api.instantiate(Setup { location: Some(self.location.as_bytes()), ..setup })
    }

    /// A new instance with what FMI 3.0 has for Co-Simulation.
    pub fn instantiate_with(&self, setup: Setup<'_>) -> CInstance {
        self.try_instantiate(Setup { guid: Some(self.guid.as_bytes()), ..setup })
            .unwrap_or_else(|messages| panic!("{}: {messages:?}", self.name))
    }

    /// The variables that are wanted.
    pub fn references(&self, wanted: impl Fn(&Variable) -> bool) -> Chosen {
        self.variables.iter().filter(|variable| wanted(variable)).collect()
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

    /// Whether its values must fit those of others: a rotation matrix, a quaternion, or an element of one.
    pub fn is_orientation(&self) -> bool {
        let array = self.name.split('[').next().unwrap_or_default();
        array.ends_with(".R.T") || array.ends_with(".Q")
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

fn number<T: FromStr<Err: Debug>>(text: &str) -> T {
    text.parse().expect("a number")
}

fn variable(standard: Standard, node: Node<'_, '_>) -> Variable {
    // In FMI 2.0 the type is an element inside.
    let typed = if standard == Standard::Fmi2 { node.first_element_child().expect("a type") } else { node };
    let dimensions = || node.children().filter(|child| child.has_tag_name("Dimension"));
    let row_count = dimensions().find_map(|dimension| dimension.attribute("valueReference"));
    let size = |dimension: Node<'_, '_>| -> usize {
        let start = dimension.attribute("start").or_else(|| {
            let list = node.parent()?;
            list.children().find(|node| node.attribute("valueReference") == row_count)?.attribute("start")
        });
        number(start.expect("a size"))
    };
    Variable {
        name: attribute(node, "name"),
        reference: number(&attribute(node, "valueReference")),
        size: dimensions().map(size).product(),
        row_count: row_count.map(number),
        causality: attribute(node, "causality"),
        variability: attribute(node, "variability"),
        kind: match typed.tag_name().name() {
            "Real" | "Float64" => Kind::Real,
            "Integer" | "Int32" => Kind::Integer,
            "Enumeration" => Kind::Enumeration,
            "Boolean" => Kind::Boolean,
            "String" => Kind::String,
            "UInt64" => Kind::RowCount,
            other => panic!("unknown type {other}"),
        },
        unit: typed.attribute("unit").unwrap_or_default().to_owned(),
        min: typed.attribute("min").and_then(|min| min.parse().ok()),
    }
}
