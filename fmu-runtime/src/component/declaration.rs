//! The declaration of a component: the answer of `mechanics_declare`.

use std::path::PathBuf;

use fmu_exchange::configuration::{Configuration, canonical};
use fmu_exchange::unit::Unit;
use fmu_exchange::{
    Base, Declaration, DeclarationRequest, DefaultExperiment, Detail, Element, Enumeration, Index, NamedConnector,
    Start, fingerprint,
};

use crate::component::component_model::{ComponentModel, configure};
use crate::component::dependencies::{DependencyAnalysis, dependency_analysis, signature};
use crate::component::files::Files;
use crate::component::flows::Flows;
use crate::component::layout::Layout;
use crate::component::model_error::ModelError;
use crate::component::motion::bounded_tolerance;
use crate::rows::row::{Attributes, ElementVisitor, Prefix};

/// Makes the declaration of a component under a configuration, serialised, and sets the model's structure options.
pub fn declaration(model: &mut dyn ComponentModel, request: DeclarationRequest<'_>) -> Result<Vec<u8>, String> {
    let configuration = Configuration::parse(request.configuration)?;
    let layout = configure(model, &configuration)?;
    let files = Files::of_build(request.resources.map(PathBuf::from));
    let mut warnings = model.validate_configuration(&layout.start).map_err(|error| error.to_string())?;
    let is_outline = request.detail == Detail::Outline;
    let started = if is_outline { Ok(Vec::new()) } else { try_start(model, &layout, &files) };
    match started {
        Ok(mut found) => warnings.append(&mut found),
        Err(ModelError::Invalid(reason)) => return Err(format!("the FMU would not start: {reason}")),
        // The importer may set inputs for which there is a solution.
        Err(ModelError::Singular(reason)) => warnings.push(format!("the start values have no solution: {reason}")),
    }
    warnings.append(&mut files.warnings());
    let dependency_analysis = match request.detail {
        Detail::Complete => dependency_analysis(model, &layout, &configuration)?,
        Detail::Outline | Detail::Runnable => DependencyAnalysis { dependencies: [None, None], follows_time: false },
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
        experiment: DefaultExperiment {
            tolerance: bounded_tolerance(info.experiment.tolerance, model.bounding_indicators()),
            ..info.experiment
        },
        structure: model.structure(),
        units: collector.units.into_iter().cloned().collect(),
        enumerations: collector.enumerations.into_iter().cloned().collect(),
        connectors: collector.connectors,
        elements: collector.elements,
        reals: collector.counts[0],
        dependencies: dependency_analysis.dependencies,
        // The bits of results may depend on the platform, on which the fingerprint of a complete declaration must not
        // depend.
        signature: if is_outline { signature(model, &layout) } else { None },
        event_indicators: model.indicator_count(),
        has_memory: model.has_memory(),
        has_events: model.has_events(),
        outflow: model.flows() == Flows::outflow,
        acausal: model.acausal(),
        modelica: model.modelica(),
        follows_time: dependency_analysis.follows_time,
        shapes: model.shapes(),
        pictures: if is_outline { Vec::new() } else { files.into_pictures() },
        warnings,
    };
    // Messages of that package would take room in each FMU, and nothing but a mistake here can provoke one.
    postcard::to_allocvec(&declaration).map_err(|_| "the declaration cannot be serialised".to_owned())
}

/// Initialises once, so that start values that the FMU would reject are rejected when it is built; returns warnings.
fn try_start(model: &dyn ComponentModel, layout: &Layout, files: &Files) -> Result<Vec<String>, ModelError> {
    let mut values = layout.start.clone();
    let data = model.prepare(&values, layout, Some(files), &[])?;
    let time = model.info().experiment.start_time;
    model.initialise(&mut values, &data, time)?;
    Ok(model.start_warnings(&values, &data, time))
}

/// Returns the canonical text of the default configuration.
pub fn default_configuration(model: &mut dyn ComponentModel) -> Result<String, String> {
    let info = model.info();
    let packages: Vec<_> = info.all_packages().collect();
    let text = canonical(info.name, &packages, info.name, info.description, "");
    let fingerprint = fingerprint(&declaration(model, DeclarationRequest::new(&text))?);
    Ok(format!("{text}fingerprint {fingerprint}\n"))
}

/// Collects the elements that exist.
struct Collector<'a> {
    /// Layout with the configured start values.
    layout: &'a Layout,
    connectors: Vec<NamedConnector>,
    elements: Vec<Element<'a, &'static str>>,
    units: Vec<&'static Unit>,
    enumerations: Vec<&'static Enumeration>,
    /// Numbers of elements so far: Reals, Integers, Booleans, Strings, tables, attachments.
    counts: [usize; 6],
}

impl<'a> Collector<'a> {
    fn new(layout: &'a Layout) -> Self {
        Self { layout, connectors: vec![], elements: vec![], units: vec![], enumerations: vec![], counts: [0; 6] }
    }

    /// Adds an element whose start value is at this index among those of its type.
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
            row: attributes.row,
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

/// Returns the position of a constant in a list, to which it is added if it is new.
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
