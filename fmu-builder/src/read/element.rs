//! An XML document as a tree, small and strict.
//!
//! The description of an unknown FMU must not exhaust memory or stack, and `quick-xml` limits neither depth nor numbers.

use quick_xml::events::{BytesStart, Event};
use quick_xml::{Reader, XmlVersion};

use crate::description::MAX_DESCRIPTION_BYTES as MAX_BYTES;

/// Number of attributes and elements; an element counts as several attributes, since it needs as much memory.
const MAX_ITEMS: usize = 4_000_000;
const ITEMS_OF_ELEMENT: usize = 4;
const MAX_ATTRIBUTES: usize = 256;
const MAX_DEPTH: usize = 32;
/// Length of the longest message; longer ones are truncated.
const MAX_NAME_LENGTH: usize = 2000;

/// An element with its attributes and children; text between elements means nothing in FMI.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Element {
    pub name: String,
    pub line: usize,
    pub attributes: Vec<(String, String)>,
    pub children: Vec<Element>,
}

impl Element {
    /// Returns the value of an attribute.
    pub fn attribute(&self, name: &str) -> Option<&str> {
        self.attributes.iter().find(|(other, _)| other == name).map(|(_, value)| value.as_str())
    }

    /// Returns the first child of a name.
    pub fn child(&self, name: &str) -> Option<&Element> {
        self.children.iter().find(|child| child.name == name)
    }

    /// Returns the children of the first child of a name.
    pub fn list(&self, name: &str) -> &[Element] {
        self.child(name).map_or(&[], |list| &list.children)
    }
}

/// Reads a document and returns its root; the error names the line.
pub(crate) fn parse(text: &str) -> Result<Element, String> {
    parse_up_to(text, MAX_ITEMS).map_err(|reason| shown(&reason))
}

/// The root of a document without its children; what follows its tag is not looked at.
pub(crate) fn root(text: &str) -> Result<Element, String> {
    let mut reader = Reader::from_str(text);
    loop {
        match reader.read_event().map_err(|error| error.to_string())? {
            Event::Start(tag) | Event::Empty(tag) => return element(&tag, 1),
            Event::Eof => return Err("there is no element".to_owned()),
            _ => {}
        }
    }
}

/// A message that quotes the document: without control characters, and truncated.
pub(crate) fn shown(message: &str) -> String {
    let mut shown = String::new();
    for sign in message.chars() {
        if shown.len() >= MAX_NAME_LENGTH {
            return shown + "…";
        }
        if sign.is_control() { shown.extend(sign.escape_debug()) } else { shown.push(sign) }
    }
    shown
}

fn parse_up_to(text: &str, most_items: usize) -> Result<Element, String> {
    if text.len() > MAX_BYTES {
        return Err(format!("has {} bytes; the limit is {MAX_BYTES}", text.len()));
    }
    let mut items = 0;
    let mut reader = Reader::from_str(text);
    let mut open: Vec<Element> = Vec::new();
    let mut root = None;
    let mut line = 1;
    let mut counted = 0;
    loop {
        let event = reader.read_event();
        let position = usize::try_from(reader.buffer_position()).unwrap_or(text.len()).min(text.len());
        // The line of an element is that where its tag ends.
        line += text.as_bytes()[counted..position.max(counted)].iter().filter(|byte| **byte == b'\n').count();
        counted = position.max(counted);
        let fail = |reason: String| format!("line {line}: {reason}");
        let event = event.map_err(|error| fail(error.to_string()))?;
        if let Event::Start(tag) | Event::Empty(tag) = &event {
            items += ITEMS_OF_ELEMENT + attribute_count(tag).map_err(fail)?;
            if items > most_items {
                return Err(fail("too many elements and attributes".to_owned()));
            }
        }
        match event {
            Event::Start(tag) => {
                if open.len() == MAX_DEPTH {
                    return Err(fail(format!("elements are nested more than {MAX_DEPTH} deep")));
                }
                open.push(element(&tag, line).map_err(fail)?);
            }
            Event::Empty(tag) => {
                let element = element(&tag, line).map_err(fail)?;
                attach(element, &mut open, &mut root).map_err(fail)?;
            }
            Event::End(_) => {
                if let Some(element) = open.pop() {
                    attach(element, &mut open, &mut root).map_err(fail)?;
                }
            }
            Event::DocType(_) => {
                return Err(fail("a document type declaration is not allowed".to_owned()));
            }
            // Other readers would read another text.
            Event::Decl(declaration) => {
                let encoding = declaration.encoding().transpose().map_err(|error| fail(error.to_string()))?;
                if let Some(encoding) = encoding.filter(|it| !is_utf8(it)) {
                    return Err(fail(format!("encoding=\"{encoding}\" is not UTF-8")));
                }
            }
            // A tool's own annotations may be any XML.
            Event::Text(content) if !content.trim().is_empty() && open.iter().all(|around| around.name != "Tool") => {
                return Err(fail(format!("text between elements: \"{}\"", content.trim())));
            }
            Event::Eof => break,
            _ => {}
        }
    }
    match open.last() {
        Some(element) => Err(format!("line {line}: <{}> is not closed", element.name)),
        None => root.ok_or_else(|| "there is no element".to_owned()),
    }
}

fn is_utf8(encoding: &str) -> bool {
    ["UTF-8", "US-ASCII"].iter().any(|known| encoding.eq_ignore_ascii_case(known))
}

/// Replaces control characters, which a terminal would interpret, whether XML allows them or not.
fn cleaned(text: &str) -> String {
    text.replace(|sign: char| sign.is_control() && !matches!(sign, '\t' | '\n' | '\r'), "\u{fffd}")
}

fn attach(element: Element, open: &mut [Element], root: &mut Option<Element>) -> Result<(), String> {
    match open.last_mut() {
        Some(parent) => parent.children.push(element),
        None if root.is_none() => *root = Some(element),
        None => return Err(format!("<{}> after the end of the document", element.name)),
    }
    Ok(())
}

/// Counts the attributes of a tag beforehand: looking for duplicate attributes takes quadratic time.
fn attribute_count(tag: &BytesStart<'_>) -> Result<usize, String> {
    let count = tag.attributes().with_checks(false).take(MAX_ATTRIBUTES + 1).count();
    match count {
        ..=MAX_ATTRIBUTES => Ok(count),
        _ => Err(format!("<{}> has more than {MAX_ATTRIBUTES} attributes", tag.name().as_ref())),
    }
}

fn element(tag: &BytesStart<'_>, line: usize) -> Result<Element, String> {
    let mut attributes = Vec::new();
    for attribute in tag.attributes() {
        let attribute = attribute.map_err(|error| error.to_string())?;
        let value = attribute.normalized_value(XmlVersion::Explicit1_0).map_err(|error| error.to_string())?;
        if value.contains(|sign: char| sign.is_ascii_control() && !matches!(sign, '\t' | '\n' | '\r' | '\x7f')) {
            return Err(format!("{}=\"{}\" has control characters", attribute.key.as_ref(), value.escape_debug()));
        }
        attributes.push((cleaned(attribute.key.as_ref()), cleaned(&value)));
    }
    Ok(Element { name: cleaned(tag.name().as_ref()), line, attributes, children: Vec::new() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_document_becomes_a_tree() {
        let root = parse("<?xml version=\"1.0\"?>\n<a x=\"1 &lt; 2\">\n  <!-- note --><b/>\n  <b y='&#10;'/>\n</a>\n")
            .unwrap();
        assert_eq!(root.attribute("x"), Some("1 < 2"));
        assert_eq!(root.children.len(), 2);
        assert_eq!(root.child("b").unwrap().line, 3);
        assert_eq!(root.children[1].attribute("y"), Some("\n"));
        let from_windows = parse("<a x='the wheel&#x92;s'/>").unwrap();
        assert_eq!(from_windows.attribute("x"), Some("the wheel\u{fffd}s"));
    }

    #[test]
    fn the_root_is_read_without_what_follows() {
        let found = root("<?xml version=\"1.0\"?>\n<!-- note -->\n<a x=\"1\">\n<b").unwrap();
        assert_eq!((found.name.as_str(), found.attribute("x"), found.children.len()), ("a", Some("1"), 0));
        assert_eq!(root("<!-- note -->").unwrap_err(), "there is no element");
    }

    #[test]
    fn annotations_of_tools_may_be_any_xml() {
        let text = "<VendorAnnotations><Tool name='T'>made <b>by</b> hand</Tool></VendorAnnotations>";
        assert_eq!(parse(text).unwrap().children[0].children[0].name, "b");
        assert!(parse("<VendorAnnotations>by hand</VendorAnnotations>").is_err());
    }

    #[test]
    fn messages_are_cut_and_quote_nothing_that_a_terminal_obeys() {
        assert_eq!(shown("a\u{1b}b\u{9b}"), "a\\u{1b}b\\u{9b}");
        assert_eq!(shown(&"ä".repeat(5000)).chars().count(), MAX_NAME_LENGTH / 2 + 1);
        assert_eq!(parse("<a\u{9b}2J x='' x\u{9b}=''/>").unwrap().attributes[1].0, "x\u{fffd}");
    }

    #[test]
    fn broken_documents_are_refused() {
        for (text, message) in [
            ("", "there is no element"),
            ("<a>\n<b>", "line 2: <b> is not closed"),
            ("<a/><b/>", "line 1: <b> after the end of the document"),
            ("<a>text</a>", "line 1: text between elements: \"text\""),
            ("<a x='&#27;[2J'/>", "line 1: x=\"\\u{1b}[2J\" has control characters"),
            ("<a>\u{1b}[2J\u{9b}</a>", "line 1: text between elements: \"\\u{1b}[2J\\u{9b}\""),
            ("<?xml version='1.0' encoding='UTF-7'?><a/>", "line 1: encoding=\"UTF-7\" is not UTF-8"),
            ("<!DOCTYPE a><a/>", "line 1: a document type declaration is not allowed"),
        ] {
            assert_eq!(parse(text).unwrap_err(), message);
        }
        for (text, message) in [
            (" ".repeat(MAX_BYTES + 1), "has 67108865 bytes; the limit is 67108864"),
            ("<a>".repeat(33), "line 1: elements are nested more than 32 deep"),
            (
                format!("<a{}/>", (0..257).map(|i| format!(" x{i}=''")).collect::<String>()),
                "line 1: <a> has more than 256 attributes",
            ),
        ] {
            assert_eq!(parse(&text).unwrap_err(), message);
        }
        let most = "line 1: too many elements and attributes";
        assert_eq!(parse_up_to("<a x='' y='' z=''><b x='' y=''/><c x='' y=''/></a>", 19).unwrap().children.len(), 2);
        assert_eq!(parse_up_to("<a x='' y='' z=''><b x='' y=''/><c x='' y=''/></a>", 18).unwrap_err(), most);
        for text in ["<a></b>", "<a x=1/>", "<a x='1' x='2'/>", "<a x='&unknown;'/>", &"<a>".repeat(100)] {
            assert!(parse(text).unwrap_err().starts_with("line 1: "), "{text}");
        }
    }
}
