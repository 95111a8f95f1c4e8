//! Texts in TeimOrbit form: blocks of values and tables.
//!
//! After the examples in Altair's public help, "Bushing Property File" and its pages on the blocks: `[BLOCK]`,
//! `(SUB-BLOCK)`, `{ headings }`, `KEY = 'value'`, rows of cells; a line of `$` is a comment.

/// A block, or a sub-block in it.
#[derive(Debug, Default)]
pub struct Block {
    /// Its name in capital letters.
    pub name: String,
    /// The sub-block, or nothing.
    pub sub: String,
    /// Its line, from 1.
    pub line: usize,
    /// Keys in capital letters, values, and their lines.
    pub values: Vec<(String, String, usize)>,
    /// Rows of cells with their lines.
    pub rows: Vec<(Vec<String>, usize)>,
    /// The headings of the rows, in capital letters.
    pub headings: Vec<String>,
}

/// The blocks of a text; errors are to be put behind the name of the file.
pub fn blocks(text: &str) -> Result<Vec<Block>, String> {
    let text = text.trim_start_matches('\u{feff}');
    let mut blocks: Vec<Block> = Vec::new();
    for (line, content) in text.lines().enumerate().map(|(line, content)| (line + 1, content)) {
        let content = content.split('$').next().unwrap_or_default().trim();
        if content.is_empty() {
            continue;
        }
        let inside = |open, close| content.strip_prefix(open).and_then(|rest: &str| rest.strip_suffix(close));
        if let Some(name) = inside('[', ']') {
            let name = name.trim().to_ascii_uppercase();
            if let Some(known) = blocks.iter().find(|block| block.name == name) {
                return Err(format!(":{line}: [{name}] is there already, at line {}", known.line));
            }
            blocks.push(Block { name, line, ..Block::default() });
            continue;
        }
        let Some(block) = blocks.last_mut() else {
            return Err(format!(":{line}: \"{content}\" stands before the first block"));
        };
        if let Some(sub) = inside('(', ')') {
            let name = block.name.clone();
            blocks.push(Block { name, sub: sub.trim().to_ascii_uppercase(), line, ..Block::default() });
        } else if let Some(headings) = inside('{', '}') {
            block.headings = headings.split_whitespace().map(str::to_ascii_uppercase).collect();
        } else if let Some((key, value)) = content.split_once('=') {
            let key = key.trim().to_ascii_uppercase();
            if let Some((_, _, known)) = block.values.iter().find(|(known, ..)| *known == key) {
                return Err(format!(":{line}: {key} is given already, at line {known}"));
            }
            block.values.push((key, unquoted(value).to_owned(), line));
        } else {
            block.rows.push((content.split_whitespace().map(|cell| unquoted(cell).to_owned()).collect(), line));
        }
    }
    Ok(blocks)
}

fn unquoted(text: &str) -> &str {
    text.trim().trim_matches('\'')
}

/// A number, also with the exponent letter of FORTRAN; the error is to be put behind the name of the file.
pub fn number(text: &str, line: usize) -> Result<f64, String> {
    let number = text.replace(['d', 'D'], "e").parse().ok().filter(|number: &f64| number.is_finite());
    number.ok_or_else(|| format!(":{line}: \"{text}\" is not a number"))
}

/// Refuses files that say that they are of another type; the error is to be put behind the name of the file.
pub fn refuse_other_types(blocks: &[Block], right: &str) -> Result<(), String> {
    let mut values = blocks.iter().flat_map(|block| &block.values);
    match values.find(|(key, value, _)| key == "FILE_TYPE" && !value.eq_ignore_ascii_case(right)) {
        Some((_, value, line)) => Err(format!(":{line}: FILE_TYPE is '{value}', but must be '{right}'")),
        None => Ok(()),
    }
}
