//! Selection of the sheet.

/// Selects the sheet of this name, or the only one that has data.
pub(crate) fn choose<'a>(
    name: &str,
    sheets: &'a [String],
    wanted: &str,
    mut has_data: impl FnMut(&str) -> bool,
) -> Result<&'a str, String> {
    let list = |sheets: &[&String]| sheets.iter().map(|sheet| format!("\"{sheet}\"")).collect::<Vec<_>>().join(", ");
    if !wanted.is_empty() {
        let found = sheets.iter().find(|sheet| *sheet == wanted);
        let all: Vec<_> = sheets.iter().collect();
        return found
            .map(String::as_str)
            .ok_or_else(|| format!("{name} has no sheet \"{wanted}\"; available: {}", list(&all)));
    }
    let filled: Vec<_> = sheets.iter().filter(|sheet| has_data(sheet)).collect();
    match filled[..] {
        [] => Err(format!("{name} has no rows")),
        [sheet] => Ok(sheet),
        _ => Err(format!("{name} has data in the sheets {}: one of them must be chosen", list(&filled))),
    }
}
