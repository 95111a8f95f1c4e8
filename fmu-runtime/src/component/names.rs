//! Names of scalar variables: they are not stored, but looked up in the declaration.

use std::fmt::{self, Write};

use fmu_exchange::{Base, Enumeration, Index, write_element_name};

use crate::rows::row::{Attributes, ElementVisitor, Prefix};
use crate::rows::values::TableShape;

/// Passes a component's declaration to a visitor.
pub type Declare<'a> = &'a dyn Fn(&mut dyn ElementVisitor);

/// A scalar variable that is not an element of a table.
pub struct ScalarVariable<'a> {
    /// Base type of the variable.
    pub base: Base,
    /// Value reference of the variable.
    pub reference: u32,
    /// Row of the variable.
    pub attributes: &'a Attributes<'a>,
    /// Position of the variable in an array.
    pub index: Index,
    enumeration: Option<&'static Enumeration>,
}

/// Passes each scalar variable to `visit`, also those that do not exist in this structure.
pub fn scalars(declare: Declare<'_>, visit: &mut dyn FnMut(ScalarVariable<'_>)) {
    declare(&mut Scalars { counts: [0; 4], visit });
}

/// Returns the name of the variable of this base type and value reference, for a message.
pub fn name(declare: Declare<'_>, tables: &[TableShape], base: Base, reference: u32) -> String {
    let slot = base.slot(reference);
    let table = tables.iter().find(|t| t.elements(0).contains(&slot));
    if let (Base::Real, Some(table)) = (base, table) {
        let element = slot - table.offset;
        return format!("{}[{},{}]", table.name, element / table.columns + 1, element % table.columns + 1);
    }
    let mut name = String::new();
    let mut visit = |scalar: ScalarVariable<'_>| {
        if (scalar.base, scalar.reference) == (base, reference) {
            let _ = write_name(&mut name, scalar.attributes, scalar.index);
        }
    };
    scalars(declare, &mut visit);
    if name.is_empty() { format!("value reference {reference}") } else { name }
}

/// Returns the name of a Real that is not an element of a table, by its position.
pub fn real_name(declare: Declare<'_>, slot: usize) -> String {
    name(declare, &[], Base::Real, Base::Real.reference(slot))
}

/// Finds a variable by its name: base type, value reference, and its enumeration, if it has one.
pub fn find(
    declare: Declare<'_>,
    tables: &[TableShape],
    name: &str,
) -> Option<(Base, u32, Option<&'static Enumeration>)> {
    let mut found = None;
    let mut visit = |scalar: ScalarVariable<'_>| {
        let ScalarVariable { base, reference, attributes, index, enumeration } = scalar;
        let is_variable = attributes.exists && attributes.kind.is_visible();
        if is_variable && is_name(name, attributes, index) {
            found = Some((base, reference, enumeration));
        }
    };
    scalars(declare, &mut visit);
    let element = || {
        let mut references = tables.iter().flat_map(|table| table.elements(0)).map(|slot| Base::Real.reference(slot));
        references.find(|reference| self::name(declare, tables, Base::Real, *reference) == name)
    };
    found.or_else(|| element().map(|reference| (Base::Real, reference, None)))
}

struct Scalars<'a> {
    /// Numbers of Reals, Integers, Booleans and Strings so far.
    counts: [usize; 4],
    visit: &'a mut dyn FnMut(ScalarVariable<'_>),
}

impl Scalars<'_> {
    fn pass(
        &mut self,
        base: Base,
        attributes: &Attributes<'_>,
        index: Index,
        enumeration: Option<&'static Enumeration>,
    ) {
        let reference = base.reference(self.counts[base as usize]);
        self.counts[base as usize] += 1;
        (self.visit)(ScalarVariable { base, reference, attributes, index, enumeration });
    }
}

impl ElementVisitor for Scalars<'_> {
    fn real(&mut self, attributes: &Attributes<'_>, index: Index, _: f64) {
        self.pass(Base::Real, attributes, index, None);
    }
    fn integer(&mut self, attributes: &Attributes<'_>, index: Index, _: i32) {
        self.pass(Base::Integer, attributes, index, None);
    }
    fn enumeration(&mut self, attributes: &Attributes<'_>, kind: &'static Enumeration, _: i32) {
        self.pass(Base::Integer, attributes, Index::None, Some(kind));
    }
    fn boolean(&mut self, attributes: &Attributes<'_>, _: bool) {
        self.pass(Base::Boolean, attributes, Index::None, None);
    }
    fn string(&mut self, attributes: &Attributes<'_>, _: &'static str) {
        self.pass(Base::String, attributes, Index::None, None);
    }
    fn table(&mut self, _: &Attributes<'_>, _: usize, _: &'static [f64]) {}
}

/// Writes the name of an element, which may be that of its group.
pub fn write_name(out: &mut dyn Write, attributes: &Attributes<'_>, index: Index) -> fmt::Result {
    fn prefix_to(out: &mut dyn Write, prefix: Option<&Prefix<'_>>, end: &str) -> fmt::Result {
        let Some(prefix) = prefix else { return Ok(()) };
        prefix_to(out, prefix.outer, ".")?;
        out.write_str(prefix.name)?;
        out.write_str(end)
    }
    prefix_to(out, attributes.prefix, if attributes.name.is_empty() { "" } else { "." })?;
    write_element_name(out, attributes.name, index)
}

/// Returns the name of a row as a whole, such as that of a table.
pub fn row_name(attributes: &Attributes<'_>) -> String {
    let mut name = String::new();
    let _ = write_name(&mut name, attributes, Index::None);
    name
}

/// Returns true if an element has this name.
pub fn is_name(name: &str, attributes: &Attributes<'_>, index: Index) -> bool {
    let mut comparison = Comparison(name);
    write_name(&mut comparison, attributes, index).is_ok() && comparison.0.is_empty()
}

/// Writer that fails as soon as the written text differs from the expected one, so that comparing is cheap.
struct Comparison<'a>(&'a str);

impl Write for Comparison<'_> {
    fn write_str(&mut self, part: &str) -> fmt::Result {
        self.0 = self.0.strip_prefix(part).ok_or(fmt::Error)?;
        Ok(())
    }
}
