//! Texts: encoding, the line `sep=`, and the delimiter.

use std::borrow::Cow;

use csv_core::{ReadFieldResult, ReaderBuilder};
use encoding_rs::{Encoding, UTF_8, UTF_16LE};

use crate::numbers::{Evidence, Numbers, is_number};

/// Format of a delimited text; properties that are not given are recognised.
#[derive(Clone, Copy, Debug, Default)]
pub struct Dialect {
    /// The encoding.
    pub encoding: Option<&'static Encoding>,
    /// Character between the cells; a space stands for any number of blanks.
    pub delimiter: Option<char>,
    /// The decimal sign.
    pub decimal: Option<char>,
}

/// A text with the format that was recognised.
#[derive(Clone, Debug)]
pub struct Text<'a> {
    /// The text behind a byte order mark and a line `sep=`, which counts as a line.
    pub content: Cow<'a, str>,
    /// Number of lines before the content.
    pub lines: u32,
    /// The encoding.
    pub encoding: &'static Encoding,
    /// True if the content has characters that the encoding does not know.
    pub malformed: bool,
    /// Character that separated the cells; a space stands for any number of blanks, which are one tab now.
    pub delimiter: char,
}

impl<'a> Text<'a> {
    /// Recognises the format of a text. Without a byte order mark it is UTF-8, or the encoding that is given.
    pub fn new(bytes: &'a [u8], dialect: Dialect) -> Result<Self, String> {
        let marked = Encoding::for_bom(bytes).map(|(encoding, _)| encoding);
        if let (Some(marked), Some(given)) = (marked, dialect.encoding)
            && marked != given
        {
            return Err(format!("is marked as {}, not {}", marked.name(), given.name()));
        }
        let encoding = marked.or(dialect.encoding).unwrap_or(UTF_8);
        let (content, malformed) = encoding.decode_with_bom_removal(bytes);
        Self::decoded((content, malformed, encoding), dialect)
    }

    /// Recognises the format of a text in UTF-8, or in UTF-16 with a byte order mark. Where no others are read, the tables of all
    /// encodings would be 130 kB of an archive.
    pub fn unicode(bytes: &'a [u8]) -> Result<Self, String> {
        let (encoding, mark) = Encoding::for_bom(bytes).unwrap_or((UTF_8, 0));
        let bytes = &bytes[mark..];
        let content = if encoding == UTF_8 {
            String::from_utf8_lossy(bytes)
        } else {
            let unit = if encoding == UTF_16LE { u16::from_le_bytes } else { u16::from_be_bytes };
            // A single byte at the end is no character.
            let units = bytes.chunks(2).map(|pair| <[u8; 2]>::try_from(pair).map_or(0xfffd, unit));
            Cow::Owned(String::from_utf16_lossy(&units.collect::<Vec<_>>()))
        };
        let malformed = content.contains(char::REPLACEMENT_CHARACTER);
        Self::decoded((content, malformed, encoding), Dialect::default())
    }

    /// Recognises the format of a text, without its mark, that has an encoding and may have characters that this does not know.
    fn decoded(
        (content, malformed, encoding): (Cow<'a, str>, bool, &'static Encoding),
        dialect: Dialect,
    ) -> Result<Self, String> {
        if content.contains('\0') {
            return Err("is not a text file, or its encoding is not UTF-8".to_owned());
        }
        let (content, declared) = match declared(&content) {
            Some((delimiter, length)) => (rest(content, length), Some(delimiter)),
            None => (content, None),
        };
        let delimiter = dialect.delimiter.or(declared).unwrap_or_else(|| delimiter(&content));
        let content = if delimiter == ' ' { Cow::Owned(with_tabs(&content)) } else { content };
        Ok(Self { lines: declared.is_some().into(), content, encoding, malformed, delimiter })
    }

    /// Returns the byte that separates the cells of the content.
    pub fn separator(&self) -> u8 {
        match self.delimiter {
            ' ' => b'\t',
            delimiter => u8::try_from(delimiter).unwrap_or(b','),
        }
    }

    /// Visits all cells with row and column from 1.
    pub fn visit(&self, visitor: &mut dyn FnMut(u32, usize, &str) -> Result<(), String>) -> Result<(), String> {
        let bytes = self.content.as_bytes();
        let mut reader = ReaderBuilder::new().delimiter(self.separator()).build();
        // No field is longer than the text.
        let mut field = vec![0; bytes.len() + 1];
        let (mut at, mut length) = (0, 0);
        let (mut row, mut column, mut counted) = (self.lines + 1, 0, 0);
        loop {
            if column == 0 {
                // Blank lines belong to the following record.
                let blank = bytes[at..].iter().take_while(|byte| matches!(byte, b'\r' | b'\n')).count();
                row += lines(&bytes[counted..at + blank]);
                counted = at + blank;
                column = 1;
            }
            if length == 0 {
                // A blank before a quotation mark is not part of the cell.
                let blanks = bytes[at..].iter().take_while(|byte| **byte == b' ').count();
                at += if bytes.get(at + blanks) == Some(&b'"') { blanks } else { 0 };
            }
            let (result, read, written) = reader.read_field(&bytes[at..], &mut field[length..]);
            at += read;
            length += written;
            match result {
                ReadFieldResult::InputEmpty | ReadFieldResult::OutputFull => {}
                ReadFieldResult::End => return Ok(()),
                ReadFieldResult::Field { record_end } => {
                    visitor(row, column, String::from_utf8_lossy(&field[..length]).trim())?;
                    column = if record_end { 0 } else { column + 1 };
                    length = 0;
                }
            }
        }
    }

    /// Recognises the number format of the text, from all its cells.
    pub fn numbers(&self) -> Result<Numbers, String> {
        let mut evidence = Evidence::default();
        self.visit(&mut |_, _, cell| {
            evidence.add(cell);
            Ok(())
        })?;
        evidence.decide(None, self.delimiter == ',')
    }
}

/// Returns the number of lines that end in a text, at a line feed or at a carriage return without one.
fn lines(text: &[u8]) -> u32 {
    let ends = |(at, byte): (usize, &u8)| *byte == b'\n' || *byte == b'\r' && text.get(at + 1) != Some(&b'\n');
    text.iter().enumerate().map(|place| u32::from(ends(place))).sum()
}

/// Puts tabs between the words of each line. The sign of a comment before headings is not a word.
fn with_tabs(content: &str) -> String {
    let words = |line: &str| {
        let mut words: Vec<_> = line.split_whitespace().collect();
        if words.first() == Some(&"#") && !words.iter().any(|word| is_number(word)) {
            words.remove(0);
        }
        words.join("\t")
    };
    let lines = content.split('\n').flat_map(|line| line.trim_end_matches('\r').split('\r'));
    lines.map(words).collect::<Vec<_>>().join("\n")
}

/// Returns the delimiter that a first line `sep=;` declares, and the length of the line.
fn declared(content: &str) -> Option<(char, usize)> {
    let line = content.split(['\r', '\n']).next()?;
    let name = line.get(..4)?;
    let quoted = line.strip_prefix('"').and_then(|line| line.strip_suffix('"'));
    let value = if name.eq_ignore_ascii_case("sep=") { Some(&line[4..]) } else { quoted?.strip_prefix("sep=") };
    let mut value = value?.chars();
    let delimiter = value.next().unwrap_or('\t');
    let end = line.len();
    let ending = if content[end..].starts_with("\r\n") { 2 } else { content[end..].len().min(1) };
    value.next().is_none().then_some((delimiter, end + ending))
}

fn rest(content: Cow<'_, str>, from: usize) -> Cow<'_, str> {
    match content {
        Cow::Borrowed(content) => Cow::Borrowed(&content[from..]),
        Cow::Owned(mut content) => {
            content.drain(..from);
            Cow::Owned(content)
        }
    }
}

/// Recognises the delimiter: a tab, a semicolon or a bar if the last line has one, since that is not a heading; or else
/// commas, if numbers are between them, or blanks: next to a comma, blanks separate cells and do not group digits.
fn delimiter(content: &str) -> char {
    let last = content.trim_ascii_end().rsplit(['\r', '\n']).next().unwrap_or_default();
    if let Some(found) = last.chars().find(|c| matches!(c, ';' | '\t' | '|')) {
        return found;
    }
    let blank = last.trim().contains([' ', '\u{a0}']);
    let mut commas = last.trim_end_matches(',').split(',').map(|part| part.trim().trim_matches('"'));
    if last.contains(',') && (!blank || commas.all(|part| is_number(part) && !part.contains(char::is_whitespace))) {
        return ',';
    }
    let mut words = last.split_whitespace();
    let numbers = if last.contains(',') { words.all(is_number) } else { words.next().is_some_and(is_number) };
    if blank && numbers { ' ' } else { ',' }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        /// Those of the standard library are those of the WHATWG, with replacements for what is no character.
        #[test]
        fn unicode_is_decoded_as_browsers_do(
            mark in prop::sample::select(vec![&[][..], b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff"]),
            bytes in prop::collection::vec(prop_oneof![any::<u8>(), 0xd8_u8..=0xdf, b'0'..=b'9'], 0..40),
        ) {
            let bytes = [mark, &bytes].concat();
            let [found, expected] = [Text::unicode(&bytes), Text::new(&bytes, Dialect::default())];
            // An end that is cut inside of a character may be one or two replacements.
            let compared = |text: Result<Text<'_>, String>| {
                let end = char::REPLACEMENT_CHARACTER;
                let content = |text: Text<'_>| (text.content.trim_end_matches(end).to_owned(), text.encoding, text.delimiter);
                text.map(content)
            };
            prop_assert_eq!(compared(found), compared(expected));
        }
    }
}
