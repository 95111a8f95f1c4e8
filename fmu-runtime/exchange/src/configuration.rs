//! The configuration as a library reads it: flat text, one `keyword rest` a line.
//!
//! ```text
//! component Bushing
//! name FrontLowerBushing
//! structure nonlinear_TS true
//! start TS[1] 41512a8800000000 4500000.0
//! table TS_table 1 4 0000000000000000 41512a8800000000 41512a8800000000 41286a0000000000
//! attachment TD_data 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08 measured.xlsx
//! ```
//!
//! A Real is given by the hexadecimal digits of its bits, which needs no parser of decimals in the
//! library; the decimal after it is for readers. An attachment is given by its SHA-256 and its name
//! in the resources.
//!
//! The canonical text gives structure options and start values only where they differ from the
//! defaults, in the order of the declaration, then the packages' versions and a fingerprint of the
//! complete description. The GUID is a hash over it.

use sha2::{Digest, Sha256};

use crate::number::real;

/// Values of a table parameter.
#[derive(Clone, Debug, PartialEq)]
pub struct TableValues<'a> {
    /// Name of the parameter.
    pub name: &'a str,
    /// Number of columns.
    pub columns: usize,
    /// Elements, row by row.
    pub elements: Vec<f64>,
}

/// A file in the resources.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AttachedFile<'a> {
    /// Name of the parameter.
    pub parameter: &'a str,
    /// SHA-256 of its content in hexadecimal digits.
    pub fingerprint: &'a str,
    /// Name of the file in the resources.
    pub file: &'a str,
}

/// A configuration, borrowed from its text.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Configuration<'a> {
    /// Name of the component.
    pub component: Option<&'a str>,
    /// Name of the FMU.
    pub name: Option<&'a str>,
    /// Description of the FMU in one line, escaped.
    pub description: Option<&'a str>,
    /// Structure options with their words.
    pub structure: Vec<(&'a str, &'a str)>,
    /// Scalar variables with their start values.
    pub starts: Vec<(&'a str, &'a str)>,
    /// Tables.
    pub tables: Vec<TableValues<'a>>,
    /// Attachments.
    pub attachments: Vec<AttachedFile<'a>>,
    /// Packages with their versions.
    pub versions: Vec<(&'a str, &'a str)>,
}

impl<'a> Configuration<'a> {
    /// Reads a configuration; the error names the line and what is expected.
    pub fn parse(text: &'a str) -> Result<Self, String> {
        let mut configuration = Self::default();
        for (number, line) in text.lines().enumerate() {
            configuration.line(line).map_err(|error| format!("configuration, line {}: {error}", number + 1))?;
        }
        Ok(configuration)
    }

    /// Returns the values given to a table, the last ones if there are several.
    pub fn table(&self, name: &str) -> Option<&TableValues<'a>> {
        self.tables.iter().rfind(|table| table.name == name)
    }

    /// Returns the file given to an attachment, the last one if there are several.
    pub fn attachment(&self, parameter: &str) -> Option<AttachedFile<'a>> {
        self.attachments.iter().rfind(|attachment| attachment.parameter == parameter).copied()
    }

    fn line(&mut self, line: &'a str) -> Result<(), String> {
        let (keyword, rest) = line.split_once(' ').unwrap_or((line, ""));
        let pair = || rest.split_once(' ').ok_or_else(|| format!("\"{line}\" lacks a value"));
        match keyword {
            "component" => self.component = Some(rest),
            "name" => self.name = Some(rest),
            "description" => self.description = Some(rest),
            "structure" => self.structure.push(pair()?),
            "start" => self.starts.push(pair()?),
            "version" => self.versions.push(pair()?),
            "table" => self.tables.push(table(rest)?),
            "attachment" => self.attachments.push(attachment(rest)?),
            "fingerprint" => {}
            _ => return Err(format!("unknown keyword \"{keyword}\"")),
        }
        Ok(())
    }
}

fn table(rest: &str) -> Result<TableValues<'_>, String> {
    let mut words = rest.split(' ');
    let name = words.next().unwrap_or_default();
    let mut size = || words.next().and_then(|word| word.parse::<usize>().ok());
    let (Some(rows), Some(columns)) = (size(), size()) else {
        return Err(format!("table \"{name}\" lacks its numbers of rows and columns"));
    };
    let elements: Vec<f64> = words
        .map(|word| real(word).ok_or_else(|| format!("table \"{name}\" has \"{word}\" where a number belongs")))
        .collect::<Result<_, _>>()?;
    if rows == 0 || columns == 0 || rows.checked_mul(columns) != Some(elements.len()) {
        return Err(format!("table \"{name}\" has {} elements, not {rows} rows of {columns}", elements.len()));
    }
    Ok(TableValues { name, columns, elements })
}

fn attachment(rest: &str) -> Result<AttachedFile<'_>, String> {
    let mut words = rest.splitn(3, ' ');
    let mut word = || words.next().unwrap_or_default();
    let (parameter, fingerprint, file) = (word(), word(), word());
    if fingerprint.len() != 64 {
        return Err(format!("attachment \"{parameter}\" has \"{fingerprint}\" where 64 digits of SHA-256 belong"));
    }
    if matches!(file, "" | "." | "..") || file.contains(['/', '\\', ':']) {
        return Err(format!(
            "attachment \"{parameter}\" is \"{file}\", but must be the name of a file in the resources"
        ));
    }
    Ok(AttachedFile { parameter, fingerprint, file })
}

/// Returns the canonical text without its fingerprint; `body` has the lines that differ from the defaults.
pub fn canonical(component: &str, packages: &[(&str, &str)], name: &str, description: &str, body: &str) -> String {
    let description = escape(description);
    let mut text = format!("component {component}\nname {name}\ndescription {description}\n{body}");
    for (package, version) in packages {
        text += &format!("version {package} {version}\n");
    }
    text
}

/// Escapes a text, whose only control characters are line breaks, to one line.
pub fn escape(text: &str) -> String {
    text.replace('\\', "\\\\").replace('\n', "\\n")
}

/// Reverses [`escape`].
pub fn unescape(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut characters = text.chars();
    while let Some(character) = characters.next() {
        match character {
            '\\' => plain.push(match characters.next() {
                Some('n') => '\n',
                other => other.unwrap_or('\\'),
            }),
            _ => plain.push(character),
        }
    }
    plain
}

/// Returns the SHA-256 of bytes in hexadecimal digits.
pub fn fingerprint(bytes: &[u8]) -> String {
    let digit = |value: u8| char::from(b"0123456789abcdef"[usize::from(value)]);
    Sha256::digest(bytes).iter().flat_map(|byte| [digit(byte >> 4), digit(byte & 15)]).collect()
}

/// Returns the GUID of an FMU: the first half of the SHA-256 of its canonical configuration.
pub fn guid(canonical: &str) -> String {
    let hex = fingerprint(canonical.as_bytes());
    format!("{{{}-{}-{}-{}-{}}}", &hex[..8], &hex[8..12], &hex[12..16], &hex[16..20], &hex[20..32])
}
