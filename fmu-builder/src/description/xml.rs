//! Elements and attributes: escaping, legal characters, finite numbers.

use std::borrow::Cow;

use quick_xml::Writer;
use quick_xml::events::{BytesDecl, BytesEnd, BytesStart, Event};

use crate::error::Error;

/// The writer, which writes to memory and cannot fail.
pub(crate) struct Xml {
    writer: Writer<Vec<u8>>,
}

impl Xml {
    pub fn new() -> Result<Self, Error> {
        let mut xml = Self { writer: Writer::new_with_indent(Vec::new(), b' ', 2) };
        xml.event(Event::Decl(BytesDecl::new("1.0", Some("UTF-8"), None)))?;
        Ok(xml)
    }
    pub fn into_text(self) -> String {
        String::from_utf8(self.writer.into_inner()).expect("quick-xml writes what it was given") + "\n"
    }
    fn event(&mut self, event: Event<'_>) -> Result<(), Error> {
        Ok(self.writer.write_event(event)?)
    }
    pub fn open(&mut self, element: Element) -> Result<(), Error> {
        self.event(Event::Start(element.tag))
    }
    pub fn close(&mut self, name: &str) -> Result<(), Error> {
        self.event(Event::End(BytesEnd::new(name)))
    }
    pub fn empty(&mut self, element: Element) -> Result<(), Error> {
        self.event(Event::Empty(element.tag))
    }
}

/// A tag with its attributes.
pub(crate) struct Element {
    tag: BytesStart<'static>,
}

impl Element {
    pub fn new(name: &'static str) -> Self {
        Self { tag: BytesStart::new(name) }
    }
    pub fn attribute(mut self, name: &str, value: impl AsRef<str>) -> Self {
        self.tag.push_attribute((name, legal(value.as_ref())));
        self
    }
    pub fn flag(self, name: &str, value: bool) -> Self {
        if value { self.attribute(name, "true") } else { self }
    }
    pub fn text(self, name: &str, value: &str) -> Self {
        if value.is_empty() { self } else { self.attribute(name, value) }
    }
    pub fn optional(self, name: &str, value: Option<impl AsRef<str>>) -> Self {
        match value {
            Some(value) => self.attribute(name, value),
            None => self,
        }
    }
    pub fn optional_real(self, name: &str, value: Option<f64>, owner: impl Fn() -> String) -> Result<Self, Error> {
        match value {
            Some(value) => self.real(name, value, owner),
            None => Ok(self),
        }
    }
    pub fn real(self, name: &str, value: f64, owner: impl Fn() -> String) -> Result<Self, Error> {
        if value.is_finite() {
            return Ok(self.attribute(name, format!("{value:?}")));
        }
        Err(Error::Variable { variable: owner(), reason: format!("{name} is {value}, which XML cannot carry") })
    }
}

/// Returns the text without the characters that XML 1.0 does not allow.
fn legal(text: &str) -> Cow<'_, str> {
    let illegal = |character: char| {
        (character < ' ' && !matches!(character, '\t' | '\n' | '\r')) || matches!(character, '\u{fffe}' | '\u{ffff}')
    };
    // Bytes are faster to look at, and most texts are ASCII.
    if text.bytes().all(|byte| (b' '..0x80).contains(&byte)) {
        return text.into();
    }
    if text.contains(illegal) { text.replace(illegal, "").into() } else { text.into() }
}
