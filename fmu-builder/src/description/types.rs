//! The description of an FMU: everything from which an archive is written.
//!
//! [`describe`](super::describe()) makes it from the declaration of a component library and the user's
//! configuration.

use std::collections::BTreeMap;
use std::sync::Arc;

use fmu_exchange::unit::Unit;
use fmu_exchange::{AcausalModel, Connector, DefaultExperiment, Enumeration, Picture, RowAttributes, StructureOption};

use crate::description::data_type::DataType;

/// The complete description of one configured component.
#[derive(Clone, Debug, PartialEq)]
pub struct Description {
    /// Name of the component.
    pub component: String,
    /// `modelName` and `modelIdentifier`: a C identifier, first letter upper-case.
    pub name: String,
    /// Description of this FMU in one line.
    pub description: String,
    /// Markdown: equations, frames and signs, range of validity, source.
    pub documentation: String,
    /// The component's icon, an SVG document.
    pub icon: String,
    /// Warnings about this configuration, for the user.
    pub warnings: Vec<String>,
    /// Messages about the reading of files with tables.
    pub notes: Vec<String>,
    /// Packages and their versions: the runtime's first, then the component's.
    pub versions: Vec<(String, String)>,
    /// Fingerprint over declaration, packages' versions and configuration, braces included; `fmi2Instantiate` compares
    /// it.
    pub guid: String,
    /// Canonical text of the configuration, which goes into `resources/`.
    pub configuration: String,
    /// The structure options with their present values.
    pub structure: Vec<StructureOption>,
    /// The units in use.
    pub units: Vec<Unit>,
    /// The enumerations in use.
    pub enumerations: Vec<Enumeration>,
    /// The tables in use; their elements are among the variables.
    pub tables: Vec<TableParameter>,
    /// The attachments in use. They are not FMI variables.
    pub attachments: Vec<Attachment>,
    /// Names and contents of the attached files; the library does not know them.
    pub resources: BTreeMap<String, Vec<u8>>,
    /// The variables that exist in this structure, in the order of `ModelVariables`.
    pub variables: Vec<Variable>,
    /// The physical connectors formed by variables.
    pub terminals: Vec<Terminal>,
    /// True if loads and heat flows that are outputs of connectors are positive out of the component.
    pub outflow: bool,
    /// `ModelStructure`: unknowns and their dependencies.
    pub model_structure: ModelStructure,
    /// A hash over the results of the equations at some random points, if there are any: it distinguishes
    /// structures with the same variables.
    pub signature: Option<u64>,
    /// Number of event indicators for Model Exchange.
    pub event_indicators: usize,
    /// True if events change the component; otherwise its indicators only tell a solver where a step should end.
    pub changes_at_events: bool,
    /// The model in Modelica around the component's law, if it has one.
    pub acausal: Option<AcausalModel>,
    /// Expressions in Modelica, by name without indices: of calculated parameters, and of parameters that have their
    /// defaults.
    pub formulas: BTreeMap<String, String>,
    /// Other names that configurations may use, with the names of the variables, both without indices.
    pub aliases: BTreeMap<String, String>,
    /// Descriptions of the groups without a name around parameters, by the parameters' names without indices.
    pub headings: BTreeMap<String, String>,
    /// Text of the model in Modelica besides the variables.
    pub modelica: String,
    /// True if results change with time alone.
    pub follows_time: bool,
    /// The shapes: the keys of each shape with their values.
    pub shapes: Vec<Vec<(String, String)>>,
    /// Diagrams of tables and curves for the documentation page.
    pub pictures: Vec<Picture>,
    /// Categories of the log, in the order of `LogCategories`.
    pub log_categories: Vec<LogCategory>,
    /// The default experiment: start, stop, step and tolerance.
    pub default_experiment: DefaultExperiment,
    /// The capability flags.
    pub capabilities: Capabilities,
}

impl Description {
    /// The first input that an importer gives with its derivatives, which only Co-Simulation of FMI 2.0 can take.
    pub fn input_with_derivatives(&self) -> Option<&Variable> {
        self.variables.iter().find(|variable| variable.attributes.with_derivatives)
    }

    /// The variables that the FMU remembers at the end of each step: each a rotation that it follows.
    pub fn remembered(&self) -> impl Iterator<Item = &Variable> {
        let has_memory = !self.capabilities.completed_integrator_step_not_needed;
        self.variables.iter().filter(move |variable| has_memory && variable.attributes.remembered)
    }

    /// True if the component has continuous states, or event indicators at which it changes.
    pub fn has_states_or_events(&self) -> bool {
        (self.event_indicators > 0 && self.changes_at_events) || !self.model_structure.derivatives.is_empty()
    }
}

/// A file that is copied into `resources/` when the FMU is built.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Attachment {
    /// Modelica's identifier of the parameter that names the file.
    pub name: String,
    /// Description in one line.
    pub description: String,
    /// Units of the columns, if the file is a table.
    pub units: Vec<String>,
    /// Name of the parameter that names the sheet, if the file can have several.
    pub sheet: Option<String>,
    /// Name of the file in `resources/`, once it is chosen.
    pub file: Option<String>,
}

/// A table parameter, flattened to the variables `name[i,j]`.
#[derive(Clone, Debug, PartialEq)]
pub struct TableParameter {
    /// Name without indices.
    pub name: String,
    /// Number of the table among those of all structures, from 0.
    pub number: u32,
    /// Number of rows in this configuration.
    pub rows: usize,
    /// Number of columns, the same in every configuration.
    pub columns: usize,
    /// Units of the columns, if they are declared.
    pub units: Vec<String>,
}

/// One scalar variable.
#[derive(Clone, Debug, PartialEq)]
pub struct Variable {
    /// Structured name, such as `frame_a.R.T[1,2]`.
    pub name: String,
    /// Value reference, unique among all variables.
    pub value_reference: u32,
    /// Description in one line.
    pub description: String,
    /// FMI causality.
    pub causality: Causality,
    /// FMI variability.
    pub variability: Variability,
    /// FMI initial; `None` for inputs and the independent variable.
    pub initial: Option<Initial>,
    /// Display unit, bounds and what else its row says; of a variable that was read, what is in the XML. All elements of a
    /// table share it.
    pub attributes: Arc<RowAttributes<String>>,
    /// Type, start and unit.
    pub kind: VariableType,
}

impl Variable {
    /// Returns true if the variable is a Real.
    pub fn is_real(&self) -> bool {
        matches!(self.kind, VariableType::Real { .. })
    }

    /// Returns true if the variable is a Real that changes with time.
    pub fn is_continuous(&self) -> bool {
        self.is_real() && self.variability == Variability::Continuous
    }

    /// Returns the unit of a Real that has one.
    pub fn unit(&self) -> Option<&str> {
        match &self.kind {
            VariableType::Real { unit, .. } => unit.as_deref(),
            _ => None,
        }
    }

    /// Returns the position of the variable that this one is the derivative of.
    pub fn derivative_of(&self) -> Option<usize> {
        match self.kind {
            VariableType::Real { derivative, .. } => derivative,
            _ => None,
        }
    }

    /// Returns true if the variable is computed from a start value of its own.
    pub fn has_start(&self) -> bool {
        let is_computed =
            matches!(self.causality, Causality::Output | Causality::Local | Causality::CalculatedParameter);
        is_computed && matches!(self.initial, Some(Initial::Exact | Initial::Approx))
    }
}

/// Type of a variable with its attributes.
#[derive(Clone, Debug, PartialEq)]
pub enum VariableType {
    /// A real number.
    Real {
        /// Name of the unit, or none.
        unit: Option<String>,
        /// Start value if FMI requires one.
        start: Option<f64>,
        /// Position in `variables` of the variable whose derivative this is, from 0.
        derivative: Option<usize>,
    },
    /// A whole number.
    Integer {
        /// Type in FMI 3.0, which says how large the number can be; Int32 in FMI 2.0.
        data_type: DataType,
        /// Start value if FMI requires one.
        start: Option<i128>,
    },
    /// A Boolean.
    Boolean {
        /// Start value if FMI requires one.
        start: Option<bool>,
    },
    /// A text.
    String {
        /// Start value if FMI requires one.
        start: Option<String>,
    },
    /// One item of an enumeration, stored as its number.
    Enumeration {
        /// Name of the enumeration.
        declared_type: String,
        /// Start value if FMI requires one, from 1.
        start: Option<i32>,
    },
}

/// FMI causality.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Causality {
    /// The size of arrays, of FMI 3.0.
    StructuralParameter,
    /// Constant during the simulation, set by the importer before it.
    Parameter,
    /// Constant during the simulation, computed from parameters.
    CalculatedParameter,
    /// Given by the importer.
    Input,
    /// Computed for the importer.
    Output,
    /// Computed, for information.
    Local,
    /// Time.
    Independent,
}

/// FMI variability.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Variability {
    /// Never changes.
    Constant,
    /// Fixed after initialisation.
    Fixed,
    /// May be changed between steps.
    Tunable,
    /// Changes at events only.
    Discrete,
    /// Changes at any time.
    Continuous,
}

/// FMI initial.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Initial {
    /// Starts with the start value.
    Exact,
    /// The start value is a guess.
    Approx,
    /// Computed from other variables.
    Calculated,
}

/// The lists of `ModelStructure`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ModelStructure {
    /// All outputs.
    pub outputs: Vec<Unknown>,
    /// The state derivatives, in the order of the states.
    pub derivatives: Vec<Unknown>,
    /// The variables computed during initialisation, in ascending order.
    pub initial_unknowns: Vec<Unknown>,
}

/// One unknown of the model structure.
#[derive(Clone, Debug, PartialEq)]
pub struct Unknown {
    /// Position in `variables`, from 0.
    pub index: usize,
    /// Positions of the variables it depends on, ascending, from 0; `None` means all knowns.
    pub dependencies: Option<Vec<usize>>,
}

/// Inputs and outputs that form a connector.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Terminal {
    /// Name, such as `frame_a`: its variables are called `frame_a.…`.
    pub name: String,
    /// Description in one line.
    pub description: String,
    /// The connector.
    pub connector: Connector,
    /// Variables of the connector.
    pub members: Vec<Member>,
}

impl Terminal {
    /// Returns true if a member, by its name without indices, is a flow variable.
    pub fn is_flow(&self, member: &str) -> bool {
        self.connector.flows().contains(&member)
    }
}

/// A variable of a connector.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Member {
    /// Name within the connector, such as `R.T[1,2]`.
    pub name: String,
    /// Position in `variables`, from 0.
    pub index: usize,
}

/// A category of the log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LogCategory {
    /// FMI's name, such as `logStatusError`.
    pub name: String,
    /// Description in one line.
    pub description: String,
}

/// The capability flags that differ between components or versions of the runtime.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Capabilities {
    /// `completedIntegratorStepNotNeeded` (Model Exchange).
    pub completed_integrator_step_not_needed: bool,
    /// True if a step may end at an event inside, for FMI 3.0.
    pub might_return_early_from_do_step: bool,
    /// `canGetAndSetFMUstate`.
    pub can_get_and_set_fmu_state: bool,
    /// `canSerializeFMUstate`.
    pub can_serialize_fmu_state: bool,
    /// `providesDirectionalDerivative`.
    pub provides_directional_derivative: bool,
    /// `canInterpolateInputs` (Co-Simulation).
    pub can_interpolate_inputs: bool,
    /// `maxOutputDerivativeOrder` (Co-Simulation).
    pub max_output_derivative_order: u32,
}
