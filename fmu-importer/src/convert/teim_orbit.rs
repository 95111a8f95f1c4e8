//! Texts in TeimOrbit form: blocks of values and tables.
//!
//! After the examples in Altair's public help, "Bushing Property File" and its pages on the blocks: `[BLOCK]`,
//! `(SUB-BLOCK)`, `{ headings }`, `KEY = 'value'`, rows of cells; a line of `$` is a comment. Lines may also end as on old
//! computers, and quotation marks be double.

/// A block, or a sub-block in it.
#[derive(Debug, Default)]
pub struct Block {
    /// Name of the block in capital letters.
    pub name: String,
    /// Name of the sub-block, or nothing.
    pub sub: String,
    /// Line of the block, from 1.
    pub line: usize,
    /// Keys in capital letters, values, and their lines.
    pub values: Vec<(String, String, usize)>,
    /// Rows of cells with their lines.
    pub rows: Vec<(Vec<String>, usize)>,
    /// The headings of the rows, in capital letters.
    pub headings: Vec<String>,
}

/// Reads the blocks of a text; errors are to be put behind the name of the file.
pub fn blocks(text: &str) -> Result<Vec<Block>, String> {
    let text = text.trim_start_matches('\u{feff}').replace("\r\n", "\n").replace('\r', "\n");
    let mut blocks: Vec<Block> = Vec::new();
    for (line, content) in text.lines().enumerate().map(|(line, content)| (line + 1, content)) {
        let content = without_comment(content).trim();
        if content.is_empty() {
            continue;
        }
        let inside = |open, close| content.strip_prefix(open).and_then(|rest: &str| rest.strip_suffix(close));
        if let Some(name) = inside('[', ']') {
            let name = name.trim().to_ascii_uppercase();
            if let Some(known) = blocks.iter().find(|block| block.name == name) {
                return Err(format!(":{line}: [{name}] is already defined at line {}", known.line));
            }
            blocks.push(Block { name, line, ..Block::default() });
            continue;
        }
        let Some(block) = blocks.last_mut() else {
            return Err(format!(":{line}: \"{content}\" is before the first block"));
        };
        if let Some(sub) = inside('(', ')') {
            let name = block.name.clone();
            blocks.push(Block { name, sub: sub.trim().to_ascii_uppercase(), line, ..Block::default() });
        } else if let Some(headings) = inside('{', '}') {
            block.headings = headings.split_whitespace().map(str::to_ascii_uppercase).collect();
        } else if let Some((key, value)) = content.split_once('=').filter(|_| !content.starts_with(QUOTES)) {
            let key = key.trim().to_ascii_uppercase();
            if let Some((_, _, known)) = block.values.iter().find(|(known, ..)| *known == key) {
                return Err(format!(":{line}: {key} is given already, at line {known}"));
            }
            block.values.push((key, unquoted(value).to_owned(), line));
        } else {
            block.rows.push((cells(content), line));
        }
    }
    Ok(blocks)
}

const QUOTES: [char; 2] = ['\'', '"'];

/// Returns the text inside quotation marks, if there are some.
fn unquoted(text: &str) -> &str {
    text.trim().trim_matches(QUOTES).trim()
}

/// Returns a line up to the `$` of a comment; between quotation marks it begins none.
fn without_comment(line: &str) -> &str {
    let mut open = None;
    for (place, character) in line.char_indices() {
        match open {
            None if character == '$' => return &line[..place],
            None if QUOTES.contains(&character) => open = Some(character),
            Some(quote) if quote == character => open = None,
            _ => {}
        }
    }
    // A quotation mark that is not closed is an apostrophe.
    if open.is_some() { line.split('$').next().unwrap_or_default() } else { line }
}

/// Returns the cells of a row, between blanks or tabs that are not between quotation marks.
fn cells(row: &str) -> Vec<String> {
    let mut cells = Vec::new();
    let mut rest = row.trim_start();
    while let Some(first) = rest.chars().next() {
        let quoted = QUOTES.contains(&first).then(|| rest[1..].find(first)).flatten();
        let end = quoted.map_or_else(|| rest.find(char::is_whitespace).unwrap_or(rest.len()), |length| length + 2);
        cells.push(unquoted(&rest[..end]).to_owned());
        rest = rest[end..].trim_start();
    }
    cells
}

/// Reads a number, also with the exponent letter of FORTRAN; the error is to be put behind the name of the file.
pub fn number(text: &str, line: usize) -> Result<f64, String> {
    let number = text.replace(['d', 'D'], "e").parse().ok().filter(|number: &f64| number.is_finite());
    number.ok_or_else(|| format!(":{line}: \"{text}\" is not a number"))
}

/// Refuses files whose header names another type; the error is to be put behind the name of the file.
pub fn refuse_other_types(blocks: &[Block], right: &str) -> Result<(), String> {
    let mut values = blocks.iter().flat_map(|block| &block.values);
    match values.find(|(key, value, _)| key == "FILE_TYPE" && !value.eq_ignore_ascii_case(right)) {
        Some((_, value, line)) => Err(format!(":{line}: FILE_TYPE is '{value}', but must be '{right}'")),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The text is written as by old editors, other programs and people.
    #[test]
    fn oddities_of_real_files_are_read() {
        let text = "\u{feff}$---------MDI_HEADER\r[MDI_HEADER]\rFILE_TYPE\t=\t\"bus\"\r(COMMENTS)\r{comment_string}\r\
                    'k = 5 $/piece'\r'k = 6'\r\"the supplier's data\"\rthe supplier's data $ of 2019\r[ units ]\r\
                    LENGTH='mm'$ not inches\r{ x\tfx }\r-1.0\t\t-2.5D2\r";
        let crlf = text.replace('\r', "\r\n");
        let unix = text.replace('\r', "\n");
        for text in [text, &crlf, &unix] {
            let [header, comments, units] = &blocks(text).unwrap()[..] else { panic!("{text}") };
            assert_eq!(header.values, [("FILE_TYPE".to_owned(), "bus".to_owned(), 3)]);
            assert_eq!(comments.values, []);
            let rows: Vec<_> = comments.rows.iter().map(|(cells, _)| cells.join("|")).collect();
            assert_eq!(rows, ["k = 5 $/piece", "k = 6", "the supplier's data", "the|supplier's|data"]);
            assert_eq!((units.name.as_str(), units.line), ("UNITS", 10));
            assert_eq!(units.values, [("LENGTH".to_owned(), "mm".to_owned(), 11)]);
            assert_eq!(units.headings, ["X", "FX"]);
            let [(cells, 13)] = &units.rows[..] else { panic!("{:?}", units.rows) };
            assert_eq!([0, 1].map(|cell| number(&cells[cell], 13).unwrap()), [-1.0, -250.0]);
        }
    }
}
