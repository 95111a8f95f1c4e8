//! The declaration of a component library in one structure: the result of `mechanics_declare`.
//!
//! It is as close to the rows as possible, since every FMU contains the code that makes it; the builder derives
//! the complete description from it.

use serde::{Deserialize, Serialize};

use crate::attributes::RowAttributes;
use crate::connector::Connector;
use crate::enumeration::Enumeration;
use crate::initial::InitialValue;
use crate::picture::Picture;
use crate::row::{Base, Index, RowKind};
use crate::shape::Shape;
use crate::structure::StructureOption;
use crate::unit::Unit;

/// Version of the interface of `mechanics_declare`; both sides reject another one.
pub const INTERFACE_VERSION: u32 = 16;

/// The reason why a library of an FMU with `--small` gives no declaration.
pub const NO_DECLARATION: &str = "this library was made with --small: only an ordinary one declares its component";

/// The declaration of a component, borrowed from its constants or from the serialised bytes. `S` is the text of
/// attributes.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Declaration<'a, S = String> {
    /// Name of the component.
    pub component: &'a str,
    /// Description of the component in one line.
    pub summary: &'a str,
    /// Equations of the component in Markdown.
    pub equations: &'a str,
    /// Icon of the component as an SVG document.
    pub icon: &'a str,
    /// The packages of the component, each with its version.
    #[serde(borrow)]
    pub packages: Vec<(&'a str, &'a str)>,
    /// The default experiment.
    pub experiment: DefaultExperiment,
    /// The structure options with their current values.
    pub structure: Vec<StructureOption>,
    /// The units in use.
    pub units: Vec<Unit>,
    /// The enumerations in use.
    pub enumerations: Vec<Enumeration>,
    /// The connectors that rows name, whether these exist or not.
    pub connectors: Vec<NamedConnector>,
    /// The elements that exist, in the order of the declaration.
    #[serde(borrow)]
    pub elements: Vec<Element<'a, S>>,
    /// Number of Reals before the first table's elements.
    pub reals: usize,
    /// The dependencies of outputs and derivatives after initialisation, and during it; none in an outline.
    pub dependencies: [Dependencies; 2],
    /// A hash that distinguishes structures with the same variables; only if the configuration has no name.
    pub signature: Option<u64>,
    /// Number of event indicators.
    pub event_indicators: usize,
    /// True if the end of a step updates the memory.
    pub has_memory: bool,
    /// True if there can be events inside a step.
    pub has_events: bool,
    /// True if loads and heat flows that are outputs of connectors are positive out of the component.
    pub outflow: bool,
    /// The acausal model around the law of the component, if it has one.
    pub acausal: Option<AcausalModel>,
    /// Modelica code that the model in Modelica has besides the rows.
    pub modelica: &'a str,
    /// True if results change with time alone; not known in an outline.
    pub follows_time: bool,
    /// Shapes that a viewer draws.
    #[serde(borrow)]
    pub shapes: Vec<Shape<'a>>,
    /// Pictures on the documentation page; none in an outline.
    pub pictures: Vec<Picture>,
    /// Warnings about this configuration.
    pub warnings: Vec<String>,
}

impl<'a> Declaration<'a> {
    /// Reads a declaration from its serialised bytes.
    pub fn parse(bytes: &'a [u8]) -> Result<Self, String> {
        postcard::from_bytes(bytes).map_err(|error| error.to_string())
    }
}

/// An element of a row: a scalar variable, a table as a whole, or an attachment.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Element<'a, S = String> {
    /// Kind of the row.
    pub kind: RowKind,
    /// Value reference; for a table or an attachment its number.
    pub reference: u32,
    /// Names and descriptions of the groups around it, the outermost first.
    pub groups: Vec<(String, String)>,
    /// Name within the groups; empty if the element has the name of the last group.
    pub name: &'a str,
    /// Description in one line.
    pub text: &'a str,
    /// Position in a vector or matrix.
    pub index: Index,
    /// Position of the unit in the list of units.
    pub unit: Option<usize>,
    /// Positions of the units of the columns, for a table or an attachment with a table.
    pub columns: Vec<usize>,
    /// Attributes that the keys of the row give.
    pub row: RowAttributes<S>,
    /// Type and start value.
    pub start: Start<'a>,
}

impl<S> Element<'_, S> {
    /// The name of its derivative within the groups, if it is a state.
    pub fn derivative(&self) -> Option<&S> {
        self.row.state_derivative(self.kind)
    }

    /// The purpose of its start value, if it is computed.
    pub fn initial(&self) -> InitialValue {
        self.row.initial_value(self.kind)
    }
}

/// A connector that a row names.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct NamedConnector {
    /// Names and descriptions of the row and of the groups around it, the outermost first.
    pub path: Vec<(String, String)>,
    /// Connector that the row names.
    pub connector: Connector,
}

/// Type and start value of an element.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum Start<'a> {
    /// A Real.
    Real(f64),
    /// An Integer.
    Integer(i32),
    /// Position of the enumeration in the list of enumerations, and the item from 1.
    Enumeration(usize, i32),
    /// A Boolean.
    Boolean(bool),
    /// A String.
    String(&'a str),
    /// A table: number of columns, and the elements row by row.
    Table(usize, Vec<f64>),
    /// An attached file, which has no start value.
    Attachment,
}

/// A request for a declaration.
#[derive(Clone, Copy, Debug, Default)]
pub struct DeclarationRequest<'a> {
    /// The configuration; an empty one means the defaults.
    pub configuration: &'a str,
    /// The folder of attached files while there is no FMU.
    pub resources: Option<&'a str>,
    /// How much the declaration tells.
    pub detail: Detail,
}

/// How much a declaration tells.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Detail {
    /// Everything that an FMU needs.
    #[default]
    Complete = 0,
    /// No dependencies, which take most of the time, and no pictures; there is a signature instead, which tells structures
    /// with the same variables apart. The component need not start: its parameters are not the user's.
    Outline = 1,
    /// Everything but the dependencies, which a simulation by Co-Simulation does not need.
    Runnable = 2,
}

impl Detail {
    /// Returns the detail of a number; others are complete.
    pub fn of(number: i32) -> Self {
        match number {
            1 => Self::Outline,
            2 => Self::Runnable,
            _ => Self::Complete,
        }
    }
}

impl<'a> DeclarationRequest<'a> {
    /// Requests a complete declaration under a configuration without attached files.
    pub fn new(configuration: &'a str) -> Self {
        Self { configuration, ..Self::default() }
    }
}

/// FMI's `DefaultExperiment`, in seconds.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct DefaultExperiment {
    /// Start time.
    pub start_time: f64,
    /// Stop time.
    pub stop_time: f64,
    /// Communication step.
    pub step_size: f64,
    /// Relative tolerance.
    pub tolerance: f64,
}

impl DefaultExperiment {
    /// From 0 to `stop_time`, in steps of `step_size`, with the tolerance 1e-6.
    pub const fn until(stop_time: f64, step_size: f64) -> Self {
        Self { start_time: 0.0, stop_time, step_size, tolerance: 1e-6 }
    }
}

/// A model in Modelica around the law of a component.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct AcausalModel {
    /// Declarations and equations. They call `Internal.law(fmu, ready, branch, arguments, number of results)`; the
    /// builder declares `fmu`, `ready` and the parameters before them.
    pub text: String,
    /// The parameters of the FMU that the model does not have.
    pub without: Vec<String>,
}

/// Known variables, each with the value references of the Reals that depend on it; `None` if the dependencies are
/// unknown.
pub type Dependencies = Option<Vec<Known>>;

/// Type and value reference of a known, and the Reals that depend on it.
type Known = ((Base, u32), Vec<u32>);
