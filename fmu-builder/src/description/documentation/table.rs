//! HTML tables.

use std::borrow::Cow;

/// A cell, as HTML.
pub(super) struct Cell(pub String);

impl Cell {
    pub fn text(text: &str) -> Self {
        Cell(format!("<td>{}</td>", escape(text)))
    }
    pub fn name(text: &str) -> Self {
        Cell(format!("<td class=\"name\"><code>{}</code></td>", escape(text)))
    }
    pub fn number(text: &str) -> Self {
        Cell(format!("<td class=\"number\">{}</td>", escape(text)))
    }
}

/// Returns a table, or nothing if it would be empty; columns without entries are omitted.
pub(super) fn table(head: &[&str], rows: &[Vec<Cell>]) -> Option<String> {
    if rows.is_empty() {
        return None;
    }
    let used = |column: usize| {
        rows.iter().any(|row| !matches!(row[column].0.as_str(), "<td></td>" | "<td class=\"number\"></td>"))
    };
    let columns: Vec<usize> = (0..head.len()).filter(|column| used(*column)).collect();
    let mut html = String::from("<div class=\"table\">\n<table>\n<thead><tr>");
    for column in &columns {
        html += &format!("<th>{}</th>", escape(head[*column]));
    }
    html += "</tr></thead>\n<tbody>\n";
    for row in rows {
        let cells: String = columns.iter().map(|column| row[*column].0.as_str()).collect();
        html += &format!("<tr>{cells}</tr>\n");
    }
    Some(html + "</tbody>\n</table>\n</div>\n")
}

/// Text escaped for HTML.
pub(super) fn escape(text: &str) -> Cow<'_, str> {
    if !text.bytes().any(|byte| matches!(byte, b'&' | b'<' | b'>' | b'"')) {
        return text.into();
    }
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;").into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn empty_columns_are_left_out() {
        let rows = [vec![Cell::text("a"), Cell::text(""), Cell::number("1")]];
        let html = table(&["A", "B", "C"], &rows).unwrap();
        assert!(html.contains("<th>A</th><th>C</th>"));
        assert!(table(&["A"], &[]).is_none());
    }
}
