//! Pictures for narrow screens, on which they are as readable as on wide ones: labels keep their size where panels of plots are
//! compressed and margins of drawings are cut off.

use std::collections::BTreeMap;
use std::ops::Range;
use std::path::Path;

use anyhow::Result;
use xtask::paths::files_below;

/// Width of a plot, in pixels of labels: a phone shows three quarters of it.
const WIDTH: f64 = 480.0;

/// Least width of panels, as a part of the usual one.
const MIN_FACTOR: f64 = 0.3;

/// Space around a drawing and between labels, in pixels.
const SPACE: f64 = 4.0;

/// Width of a letter of a drawing's labels, in pixels; most are narrower.
const LETTER: f64 = 7.5;

/// Ending of the names of pictures for narrow screens.
pub const ENDING: &str = "-narrow.svg";

/// Gives the pages in a folder the pictures for narrow screens, which lie beside the usual ones.
pub fn complete(staged: &Path) -> Result<()> {
    for page in files_below(staged)?.into_iter().filter(|file| file.extension().is_some_and(|end| end == "md")) {
        let mut text = String::new();
        for line in fs_err::read_to_string(&page)?.lines() {
            text += &match picture(line) {
                Some((alt, name)) => shown(&page, alt, name)?.unwrap_or_else(|| line.to_owned()),
                None => line.to_owned(),
            };
            text.push('\n');
        }
        fs_err::write(&page, text)?;
    }
    Ok(())
}

/// Returns text and name of the picture of which a line consists.
fn picture(line: &str) -> Option<(&str, &str)> {
    line.strip_prefix("![")?.strip_suffix(".svg)")?.split_once("](")
}

/// Writes the narrow picture beside a usual one; returns what shows either.
fn shown(page: &Path, alt: &str, name: &str) -> Result<Option<String>> {
    let file = page.with_file_name(format!("{name}.svg"));
    let Some(narrow) = narrow(&fs_err::read_to_string(file)?) else { return Ok(None) };
    fs_err::write(page.with_file_name(format!("{name}{ENDING}")), narrow)?;
    let alt = alt.replace('&', "&amp;").replace('"', "&quot;");
    Ok(Some(format!(
        "<p><picture><source media=\"(max-width: 45em)\" srcset=\"{name}{ENDING}\"><img alt=\"{alt}\" src=\"{name}.svg\"></picture></p>"
    )))
}

/// Returns a plot or a drawing of ours for narrow screens.
fn narrow(svg: &str) -> Option<String> {
    if svg.contains("<polygon ") { cropped(svg) } else { compressed(svg) }
}

/// Cuts the margins off a drawing.
fn cropped(svg: &str) -> Option<String> {
    let mut points: Vec<[f64; 2]> = Vec::new();
    for line in svg.lines().skip(1) {
        let place = ["points", "d"].into_iter().find_map(|name| attribute(line, name));
        let all = place.map(|place| numbers(&line[place])).unwrap_or_default();
        points.extend(all.chunks_exact(2).map(|pair| [pair[0], pair[1]]));
        if let (true, Some(x), Some(y)) = (line.starts_with("<text"), number(line, "x"), number(line, "y")) {
            let letters = line.split(['>', '<']).nth(2)?.chars().count();
            let width = letters as f64 * LETTER;
            let start = match attribute(line, "text-anchor").map(|place| &line[place]) {
                Some("end") => x - width,
                Some("middle") => x - width / 2.0,
                _ => x,
            };
            points.extend([[start, y - LETTER], [start + width, y + SPACE]]);
        }
    }
    let range = |axis: usize| {
        let all = points.iter().map(|point| point[axis]);
        (all.clone().fold(f64::INFINITY, f64::min) - SPACE, all.fold(f64::NEG_INFINITY, f64::max) + SPACE)
    };
    let ((left, right), (top, bottom)) = (range(0), range(1));
    let place = attribute(svg, "viewBox")?;
    let view = format!("{left:.0} {top:.0} {:.0} {:.0}", right - left, bottom - top);
    Some(format!("{}{view}{}", &svg[..place.start], &svg[place.end..]))
}

/// Compresses the panels of a plot.
fn compressed(svg: &str) -> Option<String> {
    let width = number(svg.lines().next()?, "width")?;
    let clips = svg.split("<clipPath ").skip(1).filter_map(|clip| clip.lines().nth(1));
    let panels: Vec<_> = clips.filter_map(|rect| Some((number(rect, "x")?, number(rect, "width")?))).collect();
    let left = panels.iter().map(|(x, _)| *x).reduce(f64::min)?;
    let right = panels.iter().map(|(x, width)| x + width).reduce(f64::max)?;
    let factor = ((WIDTH - width) / (right - left) + 1.0).clamp(MIN_FACTOR, 1.0);
    let mut plot = Compressed { width, left, right, factor, ends: BTreeMap::new() };
    Some(svg.lines().filter_map(|line| plot.line(line)).map(|line| line + "\n").collect())
}

/// A plot whose panels are compressed along x.
struct Compressed {
    width: f64,
    left: f64,
    right: f64,
    factor: f64,
    /// Ends of the last labels, by their heights.
    ends: BTreeMap<String, f64>,
}

impl Compressed {
    fn x(&self, x: f64) -> f64 {
        let inside = (x - self.left).clamp(0.0, self.right - self.left);
        x - inside * (1.0 - self.factor)
    }

    /// Returns an element in its new place, unless it is a label on another one.
    fn line(&mut self, line: &str) -> Option<String> {
        if let Some(place) = attribute(line, "transform") {
            return self.moved(line, place);
        }
        let mut changed = line.to_owned();
        if line.starts_with("<svg") {
            let width = self.x(self.width);
            let view = format!("0 0 {width:.2} {}", number(line, "height")?);
            replace(&mut changed, "width", &format!("{width:.2}"))?;
            replace(&mut changed, "viewBox", &view)?;
        } else if let (Some(x), Some(width)) = (number(line, "x"), number(line, "width")) {
            replace(&mut changed, "x", &format!("{:.2}", self.x(x)))?;
            replace(&mut changed, "width", &format!("{:.2}", self.x(x + width) - self.x(x)))?;
        } else if let Some(place) = attribute(line, "d") {
            changed.replace_range(place.clone(), &along_x(&line[place], |x| self.x(x)));
        }
        Some(changed)
    }

    /// Returns a label, a marker or the ticks of an axis in their new place.
    fn moved(&mut self, line: &str, place: Range<usize>) -> Option<String> {
        let matrix = numbers(&line[place.clone()]);
        let [a, b, c, d, x, y] = matrix[..] else { return Some(line.to_owned()) };
        let path = attribute(line, "d")?;
        let points = numbers(&line[path.clone()]);
        let low = points.iter().step_by(2).copied().fold(f64::INFINITY, f64::min);
        let high = points.iter().step_by(2).copied().fold(f64::NEG_INFINITY, f64::max);
        // The title stays in the middle.
        let new = if x == self.width / 2.0 { self.x(self.width) / 2.0 } else { self.x(x) };
        let is_label = line.contains(" stroke=\"none\"");
        if is_label && a == 1.0 {
            let end = self.ends.entry(y.to_string()).or_insert(f64::NEG_INFINITY);
            if new + low < *end + SPACE {
                return None;
            }
            *end = new + high;
        }
        let mut changed = line.to_owned();
        replace(&mut changed, "transform", &format!("matrix({a} {b} {c} {d} {new:.2} {y})"))?;
        if !is_label && low >= 0.0 {
            // Ticks along x.
            let ticks = along_x(&line[path], |tick| self.x(x + tick) - self.x(x));
            replace(&mut changed, "d", &ticks)?;
        }
        Some(changed)
    }
}

/// Returns the place of an attribute's value.
fn attribute(element: &str, name: &str) -> Option<Range<usize>> {
    let name = format!(" {name}=\"");
    let start = element.find(&name)? + name.len();
    Some(start..start + element[start..].find('"')?)
}

fn number(element: &str, name: &str) -> Option<f64> {
    element[attribute(element, name)?].parse().ok()
}

fn replace(element: &mut String, name: &str, value: &str) -> Option<()> {
    let place = attribute(element, name)?;
    element.replace_range(place, value);
    Some(())
}

fn is_of_number(letter: char) -> bool {
    letter.is_ascii_digit() || ".-".contains(letter)
}

/// Returns the numbers in a text.
fn numbers(text: &str) -> Vec<f64> {
    text.split(|letter| !is_of_number(letter)).filter_map(|number| number.parse().ok()).collect()
}

/// Changes the first number of each pair of a path.
fn along_x(path: &str, change: impl Fn(f64) -> f64) -> String {
    let (mut changed, mut rest, mut is_x) = (String::new(), path, true);
    while let Some(start) = rest.find(is_of_number) {
        let number = &rest[start..];
        let end = number.find(|letter| !is_of_number(letter)).unwrap_or(number.len());
        changed += &rest[..start];
        match number[..end].parse() {
            Ok(x) if is_x => changed += &format!("{:.2}", change(x)),
            _ => changed += &number[..end],
        }
        is_x = !is_x;
        rest = &number[end..];
    }
    changed + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn panels_are_compressed_and_labels_keep_their_size() {
        let text = |x: f64| {
            format!("<path d=\"M-9,0 L9,5\" fill=\"#222222\" stroke=\"none\" transform=\"matrix(1 0 0 1 {x} 290)\"/>\n")
        };
        let plot = |width: &str, panel: &str, labels: &str, ticks: &str, curve: &str| {
            format!(
                "<svg height=\"300\" viewBox=\"0 0 {width} 300\" width=\"{width}\" xmlns=\"a\">\n<clipPath id=\"plotive1\">\n\
                 <rect height=\"200\" width=\"{panel}\" x=\"100.00\"/>\n</clipPath>\n{labels}<path d=\"{ticks}\" fill=\"none\" \
                 stroke=\"#222222\" transform=\"matrix(1 0 0 1 100.00 213)\"/>\n<path d=\"{curve}\" fill=\"none\"/>\n"
            )
        };
        let usual = plot(
            "1000",
            "740",
            &[100.0, 130.0, 180.0].map(text).concat(),
            "M0,-4 L0,4 M740,-4",
            "M100,3 L840,4 L900,4",
        );
        let labels = [100.0, 124.0].map(|x| text(x).replace(&format!("{x} 290"), &format!("{x:.2} 290"))).concat();
        let expected =
            plot("482.00", "222.00", &labels, "M0.00,-4 L0.00,4 M222.00,-4", "M100.00,3 L322.00,4 L382.00,4");
        assert_eq!(narrow(&usual).unwrap(), expected);
    }

    #[test]
    fn drawings_lose_their_margins() {
        let drawing = |view: &str| {
            format!(
                "<svg viewBox=\"{view}\">\n<polygon points=\"50,60 70,80\"/>\n<text x=\"90\" y=\"70\" text-anchor=\"end\">abcdef</text>\n"
            )
        };
        assert_eq!(narrow(&drawing("0 0 600 340")).unwrap(), drawing("41 56 53 28"));
        assert_eq!(narrow("<svg viewBox=\"0 0 1 1\">\n<path d=\"M0,0\"/>\n"), None);
    }
}
