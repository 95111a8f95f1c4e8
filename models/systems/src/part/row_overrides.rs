//! Rows that a system passes on in another way than the parts declare them.

use fmu_runtime::{Attributes, ElementVisitor, Enumeration, Index};

/// Callback to which a changed row is passed.
type Pass<'a> = &'a mut dyn FnMut(&Attributes<'_>);

/// A visitor that passes rows on after a change.
pub struct RowOverrides<'a> {
    /// Passes each row on as it is to be, or not at all, then without `groups`.
    pub change: &'a dyn Fn(&Attributes<'_>, Index, Pass<'_>),
    /// True if it is passed on which rows constrain each other.
    pub groups: bool,
    /// Visitor to which the rows are passed.
    pub visitor: &'a mut dyn ElementVisitor,
}

impl ElementVisitor for RowOverrides<'_> {
    fn real(&mut self, attributes: &Attributes<'_>, index: Index, start: f64) {
        (self.change)(attributes, index, &mut |changed| self.visitor.real(changed, index, start));
    }
    fn integer(&mut self, attributes: &Attributes<'_>, index: Index, start: i32) {
        (self.change)(attributes, index, &mut |changed| self.visitor.integer(changed, index, start));
    }
    fn enumeration(&mut self, attributes: &Attributes<'_>, kind: &'static Enumeration, start: i32) {
        (self.change)(attributes, Index::None, &mut |changed| self.visitor.enumeration(changed, kind, start));
    }
    fn boolean(&mut self, attributes: &Attributes<'_>, start: bool) {
        (self.change)(attributes, Index::None, &mut |changed| self.visitor.boolean(changed, start));
    }
    fn string(&mut self, attributes: &Attributes<'_>, start: &'static str) {
        (self.change)(attributes, Index::None, &mut |changed| self.visitor.string(changed, start));
    }
    fn table(&mut self, attributes: &Attributes<'_>, columns: usize, start: &'static [f64]) {
        (self.change)(attributes, Index::None, &mut |changed| self.visitor.table(changed, columns, start));
    }
    fn attachment(&mut self, attributes: &Attributes<'_>) {
        (self.change)(attributes, Index::None, &mut |changed| self.visitor.attachment(changed));
    }
    fn constrained(&mut self, count: usize, repair: fn(&mut [f64])) {
        if self.groups {
            self.visitor.constrained(count, repair);
        }
    }
}
