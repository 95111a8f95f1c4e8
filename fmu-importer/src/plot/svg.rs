//! The figure as SVG text.

use anyhow::Result;
use plotive::{Style, drawing::PreparedFigure};
use plotive_svg::SvgSurface;

/// Renders a figure; coordinates are rounded to a hundredth of a pixel, which halves the size.
pub fn render(figure: &PreparedFigure, style: &Style) -> Result<Vec<u8>> {
    let size = figure.size();
    let mut surface = SvgSurface::new(size.width() as u32, size.height() as u32);
    figure.draw(&mut surface, style);
    let mut text = Vec::new();
    surface.write(&mut text)?;
    Ok(rounded(&String::from_utf8(text)?).into_bytes())
}

/// Rounds the numbers in all path data.
fn rounded(svg: &str) -> String {
    let mut parts = svg.split(" d=\"");
    let mut text = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        text.push_str(" d=\"");
        let (path, rest) = part.split_at(part.find('"').unwrap_or(part.len()));
        let is_number = |character: char| character.is_ascii_digit() || ".-".contains(character);
        let mut path = path;
        while let Some(begin) = path.find(is_number) {
            let number = &path[begin..];
            let end = number.find(|character| !is_number(character)).unwrap_or(number.len());
            text.push_str(&path[..begin]);
            text.push_str(&hundredths(&number[..end]));
            path = &number[end..];
        }
        text.push_str(path);
        text.push_str(rest);
    }
    text
}

fn hundredths(number: &str) -> String {
    match number.parse::<f64>() {
        // Adding zero makes a negative zero positive.
        Ok(value) => ((value * 100.0).round() / 100.0 + 0.0).to_string(),
        Err(_) => number.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::rounded;

    #[test]
    fn only_path_data_is_rounded() {
        let svg = r#"<g id="1.23456"><path d="M-0.001,12.3456 L3,4.999 z"/></g>"#;
        let expected = r#"<g id="1.23456"><path d="M0,12.35 L3,5 z"/></g>"#;
        assert_eq!(rounded(svg), expected);
    }
}
