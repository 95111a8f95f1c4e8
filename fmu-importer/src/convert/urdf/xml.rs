//! Elements of an XML document with their lines, and what their attributes say.

use nalgebra::{Rotation3, Vector3};
use roxmltree::{Document, Error, Node, ParsingOptions};

/// How a file with macros becomes one without.
const EXPAND: &str = "expand the macros of xacro first: xacro robot.urdf.xacro > robot.urdf";

/// An element of the document.
#[derive(Clone, Copy)]
pub struct Element<'a>(Node<'a, 'a>);

/// A position and an orientation with respect to the frame that has it.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Origin {
    /// The position, in m.
    pub xyz: Vector3<f64>,
    /// Angles about fixed axes x, y and z, in rad.
    pub rpy: Vector3<f64>,
}

impl Origin {
    /// Returns the matrix that resolves vectors of the turned frame in the other one.
    pub fn rotation(&self) -> Rotation3<f64> {
        Rotation3::from_euler_angles(self.rpy.x, self.rpy.y, self.rpy.z)
    }

    /// Resolves a direction of the turned frame in the other one, exactly where nothing is turned.
    pub fn turned(&self, direction: &Vector3<f64>) -> Vector3<f64> {
        if self.rpy == Vector3::zeros() { *direction } else { self.rotation() * direction }
    }
}

/// Reads a document; errors are to be put behind the name of the file.
pub fn document(text: &str) -> Result<Document<'_>, String> {
    let options = ParsingOptions { allow_dtd: true, ..ParsingOptions::default() };
    let document = Document::parse_with_options(text, options).map_err(|error| match error {
        Error::UnknownNamespace(prefix, at) if prefix == "xacro" => {
            format!(":{}: this is a xacro file; {EXPAND}", at.row)
        }
        other => format!(": {other}"),
    })?;
    for node in document.descendants().filter(Node::is_element) {
        let element = Element(node);
        let is_macro = node.tag_name().namespace().is_some_and(|namespace| namespace.contains("xacro"));
        if is_macro {
            return Err(element.problem(&format!("<xacro:{}>", node.tag_name().name()), EXPAND));
        }
        let is_macro = |value: &str| ["${", "$("].iter().any(|sign| value.contains(sign));
        if let Some(attribute) = node.attributes().find(|attribute| is_macro(attribute.value())) {
            return Err(element.problem(&format!("{} = \"{}\"", attribute.name(), attribute.value()), EXPAND));
        }
    }
    Ok(document)
}

impl<'a> Element<'a> {
    /// Returns the outermost element.
    pub fn root(document: &'a Document<'a>) -> Self {
        Self(document.root_element())
    }

    /// Name of the element.
    pub fn name(&self) -> &'a str {
        self.0.tag_name().name()
    }

    /// Returns the line where the element begins.
    pub fn line(&self) -> u32 {
        self.0.document().text_pos_at(self.0.range().start).row
    }

    /// Returns the elements of a name inside of this one.
    pub fn all(self, name: &'static str) -> impl Iterator<Item = Self> + 'a {
        self.elements().filter(move |element| element.name() == name)
    }

    /// Returns the elements inside of this one.
    pub fn elements(self) -> impl Iterator<Item = Self> + 'a {
        self.0.children().filter(Node::is_element).map(Self)
    }

    /// Returns the first element of a name inside of this one.
    pub fn first(self, name: &'static str) -> Option<Self> {
        self.all(name).next()
    }

    /// Returns the text inside of the element.
    pub fn text(&self) -> &'a str {
        self.0.text().unwrap_or_default().trim()
    }

    /// Returns an attribute.
    pub fn attribute(&self, name: &str) -> Option<&'a str> {
        self.0.attribute(name)
    }

    /// Describes a problem; it names the link, joint or transmission that the element belongs to.
    pub fn problem(&self, what: &str, right: &str) -> String {
        let named = ["link", "joint", "transmission"];
        let is_owner = |node: &Node<'_, '_>| named.contains(&node.tag_name().name()) && node.has_attribute("name");
        let owner = self.0.ancestors().filter(is_owner).last();
        let inside = owner.filter(|owner| *owner != self.0).map(|_| format!("<{}> ", self.name())).unwrap_or_default();
        let owner = owner
            .map(|node| format!("{} \"{}\": ", node.tag_name().name(), node.attribute("name").unwrap_or_default()));
        format!(":{}: {}{inside}{what}: {right}", self.line(), owner.unwrap_or_default())
    }

    /// Returns an attribute that has to be there.
    pub fn needed(&self, name: &str) -> Result<&'a str, String> {
        self.attribute(name).ok_or_else(|| {
            self.problem(&format!("there is no {name}"), &format!("write <{} {name}=\"…\">", self.name()))
        })
    }

    /// Returns the attribute as a number, if it is there.
    pub fn number(&self, name: &str) -> Result<Option<f64>, String> {
        let Some(text) = self.attribute(name) else { return Ok(None) };
        self.parsed(name, text).map(Some)
    }

    fn parsed(&self, name: &str, text: &str) -> Result<f64, String> {
        let number = text.trim().parse().ok().filter(|number: &f64| number.is_finite());
        number.ok_or_else(|| {
            let whole = self.attribute(name).unwrap_or(text);
            self.problem(&format!("{name} = \"{whole}\""), &format!("\"{text}\" is not a number"))
        })
    }

    /// Returns the attribute as a number that has to be there.
    pub fn needed_number(&self, name: &str) -> Result<f64, String> {
        self.parsed(name, self.needed(name)?)
    }

    /// Returns the attribute as a number that has to be there and is not negative, of this unit.
    pub fn size(&self, name: &str, unit: &str) -> Result<f64, String> {
        let number = self.needed_number(name)?;
        if number < 0.0 {
            return Err(self.problem(&format!("{name} = \"{number}\""), &format!("must be at least 0 {unit}")));
        }
        Ok(number)
    }

    /// Returns the attribute as three numbers, if it is there.
    pub fn vector(&self, name: &str) -> Result<Option<Vector3<f64>>, String> {
        let Some(text) = self.attribute(name) else { return Ok(None) };
        let words: Vec<_> = text.split_whitespace().collect();
        let [x, y, z] = words[..] else {
            let found = format!("has {} numbers, but must have three, separated by blanks", words.len());
            return Err(self.problem(&format!("{name} = \"{text}\""), &found));
        };
        Ok(Some(Vector3::new(self.parsed(name, x)?, self.parsed(name, y)?, self.parsed(name, z)?)))
    }

    /// Returns the origin inside of the element, by default without displacement.
    pub fn origin(self) -> Result<Origin, String> {
        let Some(origin) = self.first("origin") else { return Ok(Origin::default()) };
        let read = |name| origin.vector(name).map(Option::unwrap_or_default);
        Ok(Origin { xyz: read("xyz")?, rpy: read("rpy")? })
    }
}
