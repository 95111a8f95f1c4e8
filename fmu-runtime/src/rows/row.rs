//! One row of a declaration, and its elements.

use fmu_exchange::unit::Unit;
use fmu_exchange::{Connector, Enumeration, Index, InitialValue, RowAttributes, RowKind};

/// The name of the group that a row belongs to.
#[derive(Clone, Copy)]
pub struct Prefix<'a> {
    pub(crate) outer: Option<&'a Prefix<'a>>,
    pub(crate) name: &'a str,
    pub(crate) text: &'a str,
    pub(crate) connector: Option<Connector>,
}

/// The attributes of a variable, apart from its type and start value.
#[derive(Clone, Copy)]
pub struct Attributes<'a> {
    pub(crate) prefix: Option<&'a Prefix<'a>>,
    pub(crate) kind: RowKind,
    pub(crate) name: &'static str,
    pub(crate) text: &'static str,
    pub(crate) unit: Option<&'static Unit>,
    pub(crate) exists: bool,
    pub(crate) connector: Option<Connector>,
    pub(crate) columns: &'static [&'static Unit],
    /// The attributes that the builder describes as they are.
    pub(crate) row: RowAttributes<&'static str>,
}

/// Declares the keys of a row: each with the type of its value, and with the attribute that it sets.
macro_rules! keys {
    ($attributes:ident: $($(#[doc = $doc:literal])* $key:ident($value:ident: $Type:ty) $set:block)*) => {
        /// The attributes of a variable beyond name, unit and description: the keys of a row.
        #[allow(non_camel_case_types)]
        #[derive(Clone, Copy, Debug)]
        pub enum Key {
            $($(#[doc = $doc])* $key($Type),)*
        }

        impl Key {
            /// Sets the attribute.
            fn set(self, $attributes: &mut Attributes<'_>) {
                match self { $(Self::$key($value) => $set,)* }
            }
        }
    };
}

keys! { attributes:
    /// The FMI name where the field cannot have it, such as `R.T`; empty for a group whose members
    /// get no prefix.
    name(name: &'static str) { attributes.name = name }
    /// The smallest value.
    min(min: f64) { attributes.row.min = Some(min) }
    /// The largest value.
    max(max: f64) { attributes.row.max = Some(max) }
    /// The nominal value, positive.
    nominal(nominal: f64) { attributes.row.nominal = Some(nominal) }
    /// FMI's quantity, such as `Work`, if it is not that of the unit; empty for none.
    quantity(quantity: &'static str) { attributes.row.quantity = Some(quantity) }
    /// The unit for display, one of the unit's own; empty for none.
    display(display: &'static str) { attributes.row.display = unless_empty(display) }
    /// True if the variable exists in this structure. Otherwise its value reference is left unused.
    when(exists: bool) { attributes.exists = exists }
    /// The name of the derivative, within the same group; empty for none. A computed variable with a derivative is a
    /// continuous-time state; an input varies with the other one inside a step.
    der(name: &'static str) { attributes.row.derivative = unless_empty(name) }
    /// True if a Real changes at events only.
    discrete(discrete: bool) { attributes.row.discrete = discrete }
    /// True if the variable is an input, although its kind is different.
    input(is_input: bool) { if is_input { attributes.kind = RowKind::input } }
    /// The unit, if it depends on the structure or on the options of the group.
    unit(unit: &'static Unit) { attributes.unit = Some(unit) }
    /// The description where these decide it.
    text(text: &'static str) { attributes.text = text }
    /// Use of the start value of a computed variable; otherwise a state with a start value has it.
    initial(initial: InitialValue) { attributes.row.initial = Some(initial) }
    /// The connector that the variables with this group's name make up.
    connector(connector: Connector) { attributes.connector = Some(connector) }
    /// The units of the columns of a table, or of an attachment that is one.
    columns(units: &'static [&'static Unit]) { attributes.columns = units }
    /// The name, within the same group, of the String parameter that names the sheet of an attachment.
    sheet(name: &'static str) { attributes.row.sheet = Some(name) }
    /// An expression in Modelica, in terms of other parameters of the component, of `world` and of its frames at the start:
    /// the value of a calculated parameter, or the default of another one, whose start value is that of the expression. None if
    /// it is empty.
    modelica(expression: &'static str) { attributes.row.modelica = unless_empty(expression) }
    /// Another name that configurations may use, unless it is empty.
    alias(name: &'static str) { attributes.row.alias = unless_empty(name) }
    /// True if the memory keeps this angle at the end of each step, to follow it through further turns.
    remembered(remembered: bool) { attributes.row.remembered = remembered }
}

fn unless_empty(text: &'static str) -> Option<&'static str> {
    Some(text).filter(|text| !text.is_empty())
}

impl<'a> Prefix<'a> {
    /// Makes the prefix of a part of a model, which may be a connector of that model.
    pub fn new(name: &'a str, text: &'a str, connector: Option<Connector>) -> Self {
        Self { outer: None, name, text, connector }
    }
}

impl<'a> Attributes<'a> {
    /// Makes the attributes of a group without a name of its own behind this prefix: a part of a model.
    pub fn part(prefix: &'a Prefix<'a>) -> Self {
        Self { prefix: Some(prefix), ..Attributes::new(RowKind::group, "", None, false, &[]) }
    }

    /// Returns the attributes with another kind of row.
    pub fn with_kind(self, kind: RowKind) -> Self {
        Self { kind, ..self }
    }

    /// Returns the attributes of a parameter as those of one that the start determines, from its start value on.
    pub fn found_at_start(self) -> Self {
        let row = RowAttributes { initial: Some(InitialValue::guess), ..self.row };
        Self { kind: RowKind::calculated, row, ..self }
    }

    /// Returns the bounds, both included.
    pub fn bounds(&self) -> (f64, f64) {
        (self.row.min.unwrap_or(f64::NEG_INFINITY), self.row.max.unwrap_or(f64::INFINITY))
    }

    /// Returns the attributes as those of an input with the name of this group.
    pub fn as_input(self, group: &'a Prefix<'a>) -> Self {
        let row = RowAttributes { derivative: None, heading: None, ..self.row };
        Self { kind: RowKind::input, prefix: Some(group), name: "", row, ..self }
    }

    /// Returns the attributes of an input as those of one that is given with its derivatives, with this description.
    pub fn with_derivatives(self, text: &'static str) -> Self {
        let row = RowAttributes { with_derivatives: true, ..self.row };
        Self { text, row, ..self }
    }

    /// Returns the attributes as those of a variable that another one gives its value.
    pub fn without_start(self) -> Self {
        let row = RowAttributes { has_start: false, derivative: None, ..self.row };
        Self { kind: RowKind::local, row, ..self }
    }

    /// Passes the row of a component as one of a part of a model. Inputs of the component's connectors are computed
    /// there.
    pub fn in_part(&self, part: &Attributes<'_>, pass: &mut dyn FnMut(&Attributes<'_>)) {
        let mut outer = self.prefix;
        let mut is_of_connector = false;
        while let Some(prefix) = outer {
            is_of_connector |= prefix.connector.is_some();
            outer = prefix.outer;
        }
        let is_given = is_of_connector && self.kind == RowKind::input;
        let kind = if is_given { RowKind::internal } else { self.kind };
        within(self.prefix, part.prefix, &mut |prefix| pass(&Attributes { kind, prefix, connector: None, ..*self }));
    }

    /// Returns the attributes as those of an element of an array that may have less of them. Computed ones have no start
    /// value.
    pub fn element(self, exists: bool) -> Self {
        let has_start = self.row.has_start && !self.kind.is_computed();
        Self { exists: self.exists && exists, row: RowAttributes { has_start, ..self.row }, ..self }
    }

    /// Passes the row of a connector to which another part is connected: what it takes is computed.
    pub fn joined(&self, pass: &mut dyn FnMut(&Attributes<'_>)) {
        let is_of_connector = self.prefix.is_some_and(|prefix| prefix.connector.is_some());
        let own = if is_of_connector && self.kind == RowKind::input { self.without_start() } else { *self };
        within(self.prefix, None, &mut |prefix| pass(&Attributes { prefix, connector: None, ..own }));
    }

    /// Returns true if the variable exists in this structure.
    pub fn exists(&self) -> bool {
        self.exists
    }

    /// Returns true if the variable is an input of this structure.
    pub fn is_input(&self) -> bool {
        self.exists && self.kind == RowKind::input
    }

    /// Returns true if the variable is an output of this structure.
    pub fn is_output(&self) -> bool {
        self.exists && self.kind == RowKind::output
    }

    /// Returns the attributes with the name of the derivative, if that is a variable.
    pub fn derivative(&self) -> Option<Self> {
        self.row.derivative.map(|name| Self { name, ..*self })
    }

    /// Makes the attributes of a row of a component. Its name and its description are `words`, with a line break between:
    /// each row calls this, and with fewer arguments it is shorter.
    #[inline(never)]
    pub fn new(kind: RowKind, words: &'static str, unit: Option<&'static Unit>, has_start: bool, keys: &[Key]) -> Self {
        let (name, text) = words.split_once('\n').unwrap_or((words, ""));
        let mut attributes = Self {
            prefix: None,
            kind,
            name,
            text,
            unit,
            exists: true,
            connector: None,
            columns: &[],
            row: RowAttributes { has_start, ..RowAttributes::default() },
        };
        for key in keys {
            key.set(&mut attributes);
        }
        attributes
    }

    /// Makes the attributes of a row of a group, which exists only if the group's own row does. A group whose name is empty
    /// gives no prefix.
    #[inline(never)]
    pub fn member(
        kind: RowKind,
        words: &'static str,
        unit: Option<&'static Unit>,
        has_start: bool,
        keys: &[Key],
        group: &Attributes<'a>,
        prefix: &'a Prefix<'a>,
    ) -> Self {
        let own = Self::new(kind, words, unit, has_start, keys);
        let prefix = if group.name.is_empty() { group.prefix } else { Some(prefix) };
        let heading = Some(group.text).filter(|text| group.name.is_empty() && !text.is_empty());
        Self { prefix, exists: own.exists && group.exists, row: RowAttributes { heading, ..own.row }, ..own }
    }

    /// Returns the kind of the row.
    pub fn kind(&self) -> RowKind {
        self.kind
    }

    /// Returns true if the variable is a continuous-time state.
    pub(crate) fn is_state(&self) -> bool {
        self.row.state_derivative(self.kind).is_some()
    }

    /// Returns the prefix for the members of the group that this row declares.
    pub fn as_prefix(&self) -> Prefix<'a> {
        Prefix { outer: self.prefix, name: self.name, text: self.text, connector: self.connector }
    }
}

/// Passes a prefix behind that of a part, without connectors.
fn within(own: Option<&Prefix<'_>>, part: Option<&Prefix<'_>>, pass: &mut dyn FnMut(Option<&Prefix<'_>>)) {
    let Some(Prefix { outer, name, text, .. }) = own else { return pass(part) };
    within(*outer, part, &mut |outer| pass(Some(&Prefix { outer, name, text, connector: None })));
}

/// Receives the elements of a declaration in the order of their value references.
///
/// Elements of rows that do not exist in the structure are passed, too: they leave a gap.
pub trait ElementVisitor {
    /// Receives a Real.
    fn real(&mut self, attributes: &Attributes<'_>, index: Index, start: f64);
    /// Receives an Integer.
    fn integer(&mut self, attributes: &Attributes<'_>, index: Index, start: i32);
    /// Receives an enumeration, stored as an Integer from 1.
    fn enumeration(&mut self, attributes: &Attributes<'_>, kind: &'static Enumeration, start: i32);
    /// Receives a Boolean.
    fn boolean(&mut self, attributes: &Attributes<'_>, start: bool);
    /// Receives a String.
    fn string(&mut self, attributes: &Attributes<'_>, start: &'static str);
    /// Receives a table, row by row; its elements come after all other Reals.
    fn table(&mut self, attributes: &Attributes<'_>, columns: usize, start: &'static [f64]);
    /// Receives a file in the resources.
    fn attachment(&mut self, _attributes: &Attributes<'_>) {}
    /// Declares that the last `count` Reals are valid only together: `repair` makes arbitrary ones valid.
    fn constrained(&mut self, _count: usize, _repair: fn(&mut [f64])) {}
}
