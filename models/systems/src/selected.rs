//! The outputs of a system, where its configuration names them: all other variables are local.

use std::collections::BTreeSet;

use fmu_runtime::{Attributes, ElementVisitor, Enumeration, Index, RowKind, write_name};

/// Passes variables on as outputs or as local ones.
pub struct Selected<'a> {
    /// The names of the outputs.
    pub outputs: &'a BTreeSet<String>,
    /// Where they are passed.
    pub visitor: &'a mut dyn ElementVisitor,
}

impl Selected<'_> {
    fn choose<'b>(&self, attributes: &Attributes<'b>, index: Index) -> Attributes<'b> {
        if !matches!(attributes.kind(), RowKind::output | RowKind::local) {
            return *attributes;
        }
        let mut name = String::new();
        // Writing to a text does not fail.
        let _ = write_name(&mut name, attributes, index);
        attributes.with_kind(if self.outputs.contains(&name) { RowKind::output } else { RowKind::local })
    }
}

impl ElementVisitor for Selected<'_> {
    fn real(&mut self, attributes: &Attributes<'_>, index: Index, start: f64) {
        self.visitor.real(&self.choose(attributes, index), index, start);
    }
    fn integer(&mut self, attributes: &Attributes<'_>, index: Index, start: i32) {
        self.visitor.integer(&self.choose(attributes, index), index, start);
    }
    fn enumeration(&mut self, attributes: &Attributes<'_>, kind: &'static Enumeration, start: i32) {
        self.visitor.enumeration(&self.choose(attributes, Index::None), kind, start);
    }
    fn boolean(&mut self, attributes: &Attributes<'_>, start: bool) {
        self.visitor.boolean(&self.choose(attributes, Index::None), start);
    }
    fn string(&mut self, attributes: &Attributes<'_>, start: &'static str) {
        self.visitor.string(attributes, start);
    }
    fn table(&mut self, attributes: &Attributes<'_>, columns: usize, start: &'static [f64]) {
        self.visitor.table(attributes, columns, start);
    }
    fn attachment(&mut self, attributes: &Attributes<'_>) {
        self.visitor.attachment(attributes);
    }
    fn constrained(&mut self, count: usize, repair: fn(&mut [f64])) {
        self.visitor.constrained(count, repair);
    }
}
