//! The description of a component that gives none.

/// The icon of a component that has none of its own: a block.
pub const BLOCK: &str = r##"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"><rect x="1" y="1" width="6" height="6" rx="1" fill="#468"/></svg>"##;

/// The first line of a doc comment, without the full stop at its end.
pub const fn first_line(doc: &'static str) -> &'static str {
    let doc = doc.trim_ascii_start();
    let (bytes, mut end) = (doc.as_bytes(), 0);
    while end < bytes.len() && bytes[end] != b'\n' {
        end += 1;
    }
    let line = doc.split_at(end).0.trim_ascii_end();
    match line.as_bytes() {
        [.., b'.'] => line.split_at(line.len() - 1).0,
        _ => line,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_description_is_the_first_line_of_the_doc_comment() {
        for (doc, line) in [
            (" A wheel.\n\n w' = a\n", "A wheel"),
            ("A wheel and äöü\n", "A wheel and äöü"),
            (" phi' = w,   w' = a ", "phi' = w,   w' = a"),
            ("", ""),
        ] {
            assert_eq!(first_line(doc), line);
        }
    }
}
