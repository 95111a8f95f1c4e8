//! The declaration of a component library in one structure: the result of `mechanics_describe`.
//!
//! It is as close to the rows as possible, since every FMU contains the code that makes it; the builder derives
//! the complete description from it.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use crate::component::capabilities::AcausalModel;
use crate::component::component::DefaultExperiment;
use crate::component::component_model::{ComponentModel, configure};
use crate::component::configuration::{Configuration, canonical, fingerprint};
use crate::component::dependencies::{Dependencies, Findings, findings, signature};
use crate::component::files::Files;
use crate::component::flows::Flows;
use crate::component::layout::Layout;
use crate::component::model_error::ModelError;
use crate::declaration::connector::Connector;
use crate::declaration::enumeration::Enumeration;
use crate::declaration::initial::InitialValue;
use crate::declaration::picture::Picture;
use crate::declaration::row::{Attributes, Base, ElementVisitor, Index, Prefix, RowKind};
use crate::declaration::shape::Shape;
use crate::declaration::structure::StructureOption;
use crate::declaration::unit::Unit;

/// Version of the interface of `mechanics_describe`; both sides reject another one.
pub const INTERFACE_VERSION: u32 = 13;

/// The declaration of a component, borrowed from its constants or from the serialised bytes.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Declaration<'a> {
    /// Name of the component.
    pub component: &'a str,
    /// Its description, one line.
    pub summary: &'a str,
    /// Markdown: its equations.
    pub equations: &'a str,
    /// SVG document.
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
    pub elements: Vec<Element<'a>>,
    /// Number of Reals before the first table's elements.
    pub reals: usize,
    /// The dependencies of outputs and derivatives after initialisation, and during it; none in an outline.
    pub dependencies: [Dependencies; 2],
    /// A hash that distinguishes structures with the same variables; only if the configuration has no name.
    pub signature: Option<u64>,
    /// Number of event indicators.
    pub event_indicators: usize,
    /// Whether the end of a step updates the memory.
    pub has_memory: bool,
    /// Whether there can be events inside a step.
    pub has_events: bool,
    /// Whether loads and heat flows that are outputs of connectors are positive out of the component.
    pub outflow: bool,
    /// The model around its law, if it has one.
    pub acausal: Option<AcausalModel>,
    /// What the model in Modelica has beside the rows.
    pub modelica: &'a str,
    /// Whether results change with time alone; not known in an outline.
    pub follows_time: bool,
    /// What a viewer draws.
    #[serde(borrow)]
    pub shapes: Vec<Shape<'a>>,
    /// What the page shows; nothing in an outline.
    pub pictures: Vec<Picture>,
    /// Warnings about this configuration.
    pub warnings: Vec<String>,
}

impl<'a> Declaration<'a> {
    /// The declaration in serialised bytes.
    pub fn parse(bytes: &'a [u8]) -> Result<Self, String> {
        postcard::from_bytes(bytes).map_err(|error| error.to_string())
    }
}

/// An element of a row: a scalar variable, a table as a whole, or an attachment.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Element<'a> {
    /// What the row declares.
    pub kind: RowKind,
    /// Value reference; for a table or an attachment its number.
    pub reference: u32,
    /// Names and descriptions of the groups around it, the outermost first.
    pub groups: Vec<(String, String)>,
    /// Name within the groups; empty if it has the name of the last one.
    pub name: &'a str,
    /// One line.
    pub text: &'a str,
    /// Position in a vector or matrix.
    pub index: Index,
    /// Position of the unit in the list of units.
    pub unit: Option<usize>,
    /// Positions of the units of the columns, for a table or an attachment that is one.
    pub columns: Vec<usize>,
    /// Name of the display unit.
    pub display: Option<&'a str>,
    /// Smallest value.
    pub min: Option<f64>,
    /// Largest value.
    pub max: Option<f64>,
    /// Nominal value.
    pub nominal: Option<f64>,
    /// For a state, the name of its derivative within the groups.
    pub derivative: Option<&'a str>,
    /// Whether a Real changes at events only.
    pub discrete: bool,
    /// Whether the row gives a start value.
    pub has_start: bool,
    /// What it is for, if the element is computed.
    pub initial: InitialValue,
    /// An expression in Modelica for the value, or for its default.
    pub modelica: Option<&'a str>,
    /// Another name that configurations may use.
    pub alias: Option<&'a str>,
    /// The description of the group without a name around it; empty outside of such groups.
    pub heading: &'a str,
    /// Type and start value.
    pub start: Start<'a>,
}

/// A connector that a row names.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct NamedConnector {
    /// Names and descriptions of the row and of the groups around it, the outermost first.
    pub path: Vec<(String, String)>,
    /// What it is.
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
    /// Number of columns, and the elements row by row.
    Table(usize, Vec<f64>),
    /// A file, which has none.
    Attachment,
}

/// A request for a declaration.
#[derive(Clone, Copy, Debug, Default)]
pub struct DescribeRequest<'a> {
    /// The configuration; an empty one means the defaults.
    pub configuration: &'a str,
    /// The folder of attached files while there is no FMU.
    pub resources: Option<&'a str>,
    /// Whether the dependencies, which take most of the time, and the pictures are left out; there is a signature instead, which
    /// tells structures with the same variables apart. It need not start: its parameters are not the user's.
    pub outline: bool,
}

impl<'a> DescribeRequest<'a> {
    /// A complete declaration under a configuration without attached files.
    pub fn new(configuration: &'a str) -> Self {
        Self { configuration, ..Self::default() }
    }
}

/// The declaration of a component under a configuration, serialised. The model's structure
/// options are set by that.
pub fn declaration(model: &mut dyn ComponentModel, request: DescribeRequest<'_>) -> Result<Vec<u8>, String> {
    let configuration = Configuration::parse(request.configuration)?;
    let layout = configure(model, &configuration)?;
    let files = Files::of_build(request.resources.map(PathBuf::from));
    let mut warnings = model.review(&layout.start).map_err(|fault| fault.to_string())?;
    let started = if request.outline { Ok(()) } else { try_start(model, &layout, &files) };
    match started {
        Ok(()) => {}
        Err(ModelError::Invalid(reason)) => return Err(format!("the FMU would not start: {reason}")),
        // The importer may set inputs for which there is a solution.
        Err(ModelError::Singular(reason)) => warnings.push(format!("the start values have no solution: {reason}")),
    }
    warnings.append(&mut files.warnings());
    let findings = if request.outline {
        Findings { dependencies: [None, None], follows_time: false }
    } else {
        findings(model, &layout, &configuration)?
    };
    let mut collector = Collector::new(&layout);
    model.declare(&mut collector);
    let info = model.info();
    let declaration = Declaration {
        component: info.name,
        summary: info.description,
        equations: model.equations(),
        icon: info.icon,
        packages: info.all_packages().collect(),
        experiment: info.experiment,
        structure: model.structure(),
        units: collector.units.into_iter().cloned().collect(),
        enumerations: collector.enumerations.into_iter().cloned().collect(),
        connectors: collector.connectors,
        elements: collector.elements,
        reals: collector.counts[0],
        dependencies: findings.dependencies,
        // Its bits may depend on the platform, on which the fingerprint of a complete declaration must not depend.
        signature: if request.outline { signature(model, &layout) } else { None },
        event_indicators: model.indicator_count(),
        has_memory: model.has_memory(),
        has_events: model.has_events(),
        outflow: model.flows() == Flows::outflow,
        acausal: model.acausal(),
        modelica: model.modelica(),
        follows_time: findings.follows_time,
        shapes: model.shapes(),
        pictures: if request.outline { Vec::new() } else { files.into_pictures() },
        warnings,
    };
    postcard::to_allocvec(&declaration).map_err(|error| error.to_string())
}

/// Initialises once, so that start values that the FMU would reject are rejected when it is built.
fn try_start(model: &dyn ComponentModel, layout: &Layout, files: &Files) -> Result<(), ModelError> {
    let mut values = layout.start.clone();
    let data = model.prepare(&values, layout, Some(files), &[])?;
    model.initialise(&mut values, &data, model.info().experiment.start_time)
}

/// The canonical text of the default configuration.
pub fn default_configuration(model: &mut dyn ComponentModel) -> Result<String, String> {
    let info = model.info();
    let packages: Vec<_> = info.all_packages().collect();
    let text = canonical(info.name, &packages, info.name, info.description, "");
    let fingerprint = fingerprint(&declaration(model, DescribeRequest::new(&text))?);
    Ok(format!("{text}fingerprint {fingerprint}\n"))
}

/// Collects the elements that exist.
struct Collector<'a> {
    /// Where the configured start values are.
    layout: &'a Layout,
    connectors: Vec<NamedConnector>,
    elements: Vec<Element<'a>>,
    units: Vec<&'static Unit>,
    enumerations: Vec<&'static Enumeration>,
    /// Elements so far: Reals, Integers, Booleans, Strings, tables, attachments.
    counts: [usize; 6],
}

impl<'a> Collector<'a> {
    fn new(layout: &'a Layout) -> Self {
        Self { layout, connectors: vec![], elements: vec![], units: vec![], enumerations: vec![], counts: [0; 6] }
    }

    /// Adds an element whose start value is at this place of its type.
    fn add(
        &mut self,
        count: usize,
        attributes: &Attributes<'_>,
        index: Index,
        start: impl FnOnce(&mut Self, usize) -> Start<'a>,
    ) {
        const BASES: [Base; 4] = [Base::Real, Base::Integer, Base::Boolean, Base::String];
        let (slot, base) = (self.counts[count], BASES.get(count));
        self.counts[count] += 1;
        self.connect(&attributes.as_prefix());
        if !attributes.exists || !attributes.kind.is_visible() {
            return;
        }
        let mut groups = Vec::new();
        collect_groups(attributes.prefix, &mut groups);
        let unit = attributes.unit.map(|unit| position(&mut self.units, unit));
        let columns = attributes.columns.iter().map(|unit| position(&mut self.units, *unit)).collect();
        let start = start(self, slot);
        self.elements.push(Element {
            kind: attributes.kind,
            reference: base.map_or(slot as u32, |base| base.reference(slot)),
            groups,
            name: attributes.name,
            text: attributes.text,
            index,
            unit,
            columns,
            display: attributes.display,
            min: attributes.min,
            max: attributes.max,
            nominal: attributes.nominal,
            derivative: attributes.derivative.filter(|_| attributes.is_state()),
            discrete: attributes.discrete,
            has_start: attributes.has_start,
            initial: attributes.initial(),
            modelica: attributes.modelica,
            alias: attributes.alias,
            heading: attributes.heading,
            start,
        });
    }

    /// Notes the connectors that a row or the groups around it name, each once.
    fn connect(&mut self, prefix: &Prefix<'_>) {
        if let Some(connector) = prefix.connector {
            let mut path = Vec::new();
            collect_groups(Some(prefix), &mut path);
            let named = NamedConnector { path, connector };
            if !self.connectors.contains(&named) {
                self.connectors.push(named);
            }
        }
        if let Some(outer) = prefix.outer {
            self.connect(outer);
        }
    }
}

fn collect_groups(prefix: Option<&Prefix<'_>>, groups: &mut Vec<(String, String)>) {
    if let Some(prefix) = prefix {
        collect_groups(prefix.outer, groups);
        groups.push((prefix.name.to_owned(), prefix.text.to_owned()));
    }
}

/// Position of a constant in a list; it is added if it is new.
fn position<V: PartialEq>(list: &mut Vec<&'static V>, value: &'static V) -> usize {
    list.iter().position(|known| *known == value).unwrap_or_else(|| {
        list.push(value);
        list.len() - 1
    })
}

impl ElementVisitor for Collector<'_> {
    fn real(&mut self, attributes: &Attributes<'_>, index: Index, _: f64) {
        self.add(0, attributes, index, |collector, slot| Start::Real(collector.layout.start.reals[slot]));
    }

    fn integer(&mut self, attributes: &Attributes<'_>, index: Index, _: i32) {
        self.add(1, attributes, index, |collector, slot| Start::Integer(collector.layout.start.integers[slot]));
    }

    fn enumeration(&mut self, attributes: &Attributes<'_>, kind: &'static Enumeration, _: i32) {
        self.add(1, attributes, Index::None, |collector, slot| {
            Start::Enumeration(position(&mut collector.enumerations, kind), collector.layout.start.integers[slot])
        });
    }

    fn boolean(&mut self, attributes: &Attributes<'_>, _: bool) {
        self.add(2, attributes, Index::None, |collector, slot| Start::Boolean(collector.layout.start.booleans[slot]));
    }

    fn string(&mut self, attributes: &Attributes<'_>, _: &'static str) {
        self.add(3, attributes, Index::None, |collector, slot| Start::String(&collector.layout.start.strings[slot]));
    }

    fn table(&mut self, attributes: &Attributes<'_>, _: usize, _: &'static [f64]) {
        self.add(4, attributes, Index::None, |collector, slot| {
            let layout = collector.layout;
            let table = &layout.tables[slot];
            Start::Table(table.columns, layout.start.reals[table.elements(0)].to_vec())
        });
    }

    fn attachment(&mut self, attributes: &Attributes<'_>) {
        self.add(5, attributes, Index::None, |_, _| Start::Attachment);
    }
}
