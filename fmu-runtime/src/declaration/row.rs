//! One row of a declaration, and its elements.

use fmu_declaration::unit::Unit;
use fmu_declaration::{Connector, Enumeration, Index, InitialValue, RowKind};

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
    pub(crate) display: Option<&'static str>,
    pub(crate) min: Option<f64>,
    pub(crate) max: Option<f64>,
    pub(crate) nominal: Option<f64>,
    pub(crate) exists: bool,
    pub(crate) derivative: Option<&'static str>,
    pub(crate) discrete: bool,
    pub(crate) has_start: bool,
    pub(crate) initial: Option<InitialValue>,
    pub(crate) connector: Option<Connector>,
    pub(crate) columns: &'static [&'static Unit],
    pub(crate) sheet: Option<&'static str>,
    pub(crate) modelica: Option<&'static str>,
    pub(crate) alias: Option<&'static str>,
    pub(crate) remembered: bool,
    /// Description of the group without a name around the variable.
    pub(crate) heading: &'static str,
}

/// The attributes of a variable beyond name, unit and description: the keys of a row.
#[allow(non_camel_case_types)]
#[derive(Clone, Copy, Debug)]
pub enum Key {
    /// The FMI name where the field cannot have it, such as `R.T`; empty for a group whose members
    /// get no prefix.
    name(&'static str),
    /// The smallest value.
    min(f64),
    /// The largest value.
    max(f64),
    /// The nominal value, positive.
    nominal(f64),
    /// The unit for display, one of the unit's own; empty for none.
    display(&'static str),
    /// True if the variable exists in this structure. Otherwise its value reference is left unused.
    when(bool),
    /// The name of the derivative, within the same group, unless it is empty. It makes a computed variable
    /// a continuous-time state. An input varies with that other input inside a step.
    der(&'static str),
    /// True if a Real changes at events only.
    discrete(bool),
    /// True if the variable is an input, although its kind is different.
    input(bool),
    /// The unit, if it depends on the structure or on the options of the group.
    unit(&'static Unit),
    /// The description, if it depends on the structure or on the options of the group.
    text(&'static str),
    /// Use of the start value of a computed variable; without the key, a state with a start value begins with it.
    initial(InitialValue),
    /// The connector that the variables with this group's name make up.
    connector(Connector),
    /// The units of the columns of a table, or of an attachment that is one.
    columns(&'static [&'static Unit]),
    /// The name, within the same group, of the String parameter that names the sheet of an attachment.
    sheet(&'static str),
    /// An expression in Modelica, in terms of other parameters of the component, of `world` and of its frames at the start:
    /// the value of a calculated parameter, or the default of another one, whose start value is that of the expression. None if
    /// it is empty.
    modelica(&'static str),
    /// Another name that configurations may use, unless it is empty.
    alias(&'static str),
    /// True if the memory keeps this angle at the end of each step, to follow it through further turns.
    remembered(bool),
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
        Self { prefix: Some(prefix), ..Attributes::new(RowKind::group, "", "", None, false, &[]) }
    }

    /// Returns the attributes with another kind of row.
    pub fn with_kind(self, kind: RowKind) -> Self {
        Self { kind, ..self }
    }

    /// Returns the attributes as those of an input with the name of this group.
    pub fn as_input(self, group: &'a Prefix<'a>) -> Self {
        Self { kind: RowKind::input, prefix: Some(group), name: "", derivative: None, heading: "", ..self }
    }

    /// Returns the attributes as those of a variable that another one gives its value.
    pub fn without_start(self) -> Self {
        Self { kind: RowKind::local, has_start: false, derivative: None, ..self }
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

    /// Returns true if the variable is an input of this structure.
    pub fn is_input(&self) -> bool {
        self.exists && self.kind == RowKind::input
    }

    /// Returns the attributes with the name of the derivative, if that is a variable.
    pub fn derivative(&self) -> Option<Self> {
        self.derivative.map(|name| Self { name, ..*self })
    }

    /// Makes the attributes of a row of a component.
    #[inline(never)]
    pub fn new(
        kind: RowKind,
        name: &'static str,
        text: &'static str,
        unit: Option<&'static Unit>,
        has_start: bool,
        keys: &[Key],
    ) -> Self {
        let mut attributes = Self {
            prefix: None,
            kind,
            name,
            text,
            unit,
            display: None,
            min: None,
            max: None,
            nominal: None,
            exists: true,
            derivative: None,
            discrete: false,
            has_start,
            initial: None,
            connector: None,
            columns: &[],
            sheet: None,
            modelica: None,
            alias: None,
            remembered: false,
            heading: "",
        };
        for key in keys {
            match *key {
                Key::name(name) => attributes.name = name,
                Key::min(min) => attributes.min = Some(min),
                Key::max(max) => attributes.max = Some(max),
                Key::nominal(nominal) => attributes.nominal = Some(nominal),
                Key::display(display) => attributes.display = Some(display).filter(|display| !display.is_empty()),
                Key::when(exists) => attributes.exists = exists,
                Key::der(name) => attributes.derivative = Some(name).filter(|name| !name.is_empty()),
                Key::discrete(discrete) => attributes.discrete = discrete,
                Key::input(true) => attributes.kind = RowKind::input,
                Key::input(false) => {}
                Key::unit(unit) => attributes.unit = Some(unit),
                Key::text(text) => attributes.text = text,
                Key::initial(initial) => attributes.initial = Some(initial),
                Key::connector(connector) => attributes.connector = Some(connector),
                Key::columns(units) => attributes.columns = units,
                Key::sheet(name) => attributes.sheet = Some(name),
                Key::modelica(expression) => attributes.modelica = Some(expression).filter(|text| !text.is_empty()),
                Key::alias(name) => attributes.alias = Some(name).filter(|name| !name.is_empty()),
                Key::remembered(remembered) => attributes.remembered = remembered,
            }
        }
        attributes
    }

    /// Returns the attributes as those of a row of a group, which exists only if the group's own row does. A group
    /// whose name is empty gives no prefix.
    #[inline(never)]
    pub fn member_of(self, group: &Attributes<'a>, prefix: &'a Prefix<'a>) -> Attributes<'a> {
        let prefix = if group.name.is_empty() { group.prefix } else { Some(prefix) };
        let heading = if group.name.is_empty() { group.text } else { "" };
        Attributes { prefix, exists: self.exists && group.exists, heading, ..self }
    }

    /// Returns the kind of the row.
    pub fn kind(&self) -> RowKind {
        self.kind
    }

    /// Returns true if the variable is a continuous-time state.
    pub(crate) fn is_state(&self) -> bool {
        self.derivative.is_some() && self.kind != RowKind::input
    }

    /// Returns the use of the start value, if the variable is computed.
    pub(crate) fn initial(&self) -> InitialValue {
        let of_state = if self.is_state() && self.has_start { InitialValue::enforce } else { InitialValue::ignore };
        self.initial.unwrap_or(of_state)
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
