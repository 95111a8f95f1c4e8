//! The parts of a system and their connections as a drawing.

use fmu_exchange::StructureOption;

/// Draws the system as an SVG document, if there are parts, but not too many, and programs are to draw.
#[cfg(not(feature = "drawing"))]
pub fn svg(_: &[StructureOption]) -> Option<String> {
    None
}

#[cfg(feature = "drawing")]
pub use drawn::svg;

#[cfg(feature = "drawing")]
mod drawn {
    use std::collections::HashMap;
    use std::fmt::Write as _;

    use fmu_exchange::StructureKind;
    use layout::core::base::Orientation;
    use layout::core::color::Color;
    use layout::core::format::{ClipHandle, RenderBackend};
    use layout::core::geometry::Point;
    use layout::core::style::{LineStyleKind, StyleAttr};
    use layout::std_shapes::shapes::{Arrow, Element, LineEndKind, ShapeKind};
    use layout::topo::layout::VisualGraph;

    use super::StructureOption;

    /// Largest number of parts of a drawing; one of more parts is unreadable.
    const MAX_PARTS: usize = 200;

    /// Number of connections above which it takes too long to look for the layout with the fewest crossings.
    const MAX_UNTANGLED: usize = 40;

    /// Height of the letters in pixels.
    const FONT: usize = 13;

    /// Mean width of the letters in pixels.
    const WIDTH: f64 = 7.2;

    /// Draws the system as an SVG document, if there are parts, but not too many.
    pub fn svg(options: &[StructureOption]) -> Option<String> {
        let parts = parts(options);
        if parts.is_empty() || parts.len() > MAX_PARTS {
            return None;
        }
        let [frame, white] = [0x3a_45_50_ff, 0xff_ff_ff_ff].map(Color::new);
        let look = StyleAttr::new(frame, 1, Some(white), 4, FONT);
        let mut graph = VisualGraph::new(Orientation::LeftToRight);
        let node = |part: &Part<'_>| {
            let shape = ShapeKind::new_box(&format!("{}\n{}", part.name, part.type_name));
            let letters = part.name.len().max(part.type_name.len()) as f64;
            let size = Point::new(WIDTH * letters + 16.0, 3.0 * FONT as f64);
            Element::create(shape, look.clone(), Orientation::LeftToRight, size)
        };
        let handles: Vec<_> = parts.iter().map(|part| graph.add_node(node(part))).collect();
        let connections = connections(&parts);
        for [(first, one), (second, other)] in &connections {
            let text = format!("{} {}", label(one), label(other));
            let line = LineStyleKind::Normal;
            let line = Arrow::new(LineEndKind::None, LineEndKind::None, line, text.trim(), &look, &None, &None);
            graph.add_edge(line, handles[*first], handles[*second]);
        }
        let mut canvas = Canvas::default();
        graph.do_it(false, connections.len() > MAX_UNTANGLED, false, &mut canvas);
        Some(canvas.finish())
    }

    /// A part with its connectors, and the connectors to which these are connected.
    struct Part<'a> {
        name: &'a str,
        type_name: &'a str,
        connections: Vec<(&'a str, &'a str)>,
    }

    fn parts(options: &[StructureOption]) -> Vec<Part<'_>> {
        let mut parts: Vec<Part<'_>> = Vec::new();
        for StructureOption { name, kind, value, .. } in options {
            let Some((name, key)) = name.rsplit_once('.') else { continue };
            match (kind, parts.last_mut()) {
                (StructureKind::Part(_), _) => parts.push(Part { name, type_name: value, connections: Vec::new() }),
                (StructureKind::Connection(_), Some(part)) if !value.is_empty() => part.connections.push((key, value)),
                _ => {}
            }
        }
        parts
    }

    /// Returns the connections, each with the numbers of its parts and the names of their connectors, the first part
    /// first.
    fn connections<'a>(parts: &[Part<'a>]) -> Vec<[(usize, &'a str); 2]> {
        let numbers: HashMap<_, _> = parts.iter().enumerate().map(|(i, part)| (part.name, i)).collect();
        let all = parts
            .iter()
            .enumerate()
            .flat_map(|(i, part)| part.connections.iter().map(move |connection| (i, connection)));
        let ends = all.filter_map(|(i, (own, to))| {
            let (other, connector) = to.rsplit_once('.')?;
            let mut ends = [(i, *own), (*numbers.get(other)?, connector)];
            ends.sort_unstable();
            Some(ends)
        });
        ends.collect()
    }

    /// Returns the name of a connector, or nothing if it says no more than the drawing.
    fn label(connector: &str) -> &str {
        let is_plain = ["flange", "flange_a", "flange_b", "frame_a", "frame_b"].contains(&connector);
        if is_plain { "" } else { connector }
    }

    /// The shapes of an SVG document.
    #[derive(Default)]
    struct Canvas {
        shapes: String,
        /// Texts, which cover lines.
        texts: String,
        width: f64,
        height: f64,
    }

    impl Canvas {
        fn finish(self) -> String {
            let Self { shapes, texts, width, height } = self;
            format!(
                "<svg xmlns=\"http://www.w3.org/2000/svg\" role=\"img\" width=\"{width:.0}\" height=\"{height:.0}\" \
                 viewBox=\"0 0 {width:.0} {height:.0}\" font-family=\"sans-serif\" font-size=\"{FONT}\" \
                 text-anchor=\"middle\" fill=\"none\" stroke=\"#3a4550\">\n{shapes}{texts}</svg>\n"
            )
        }

        fn grow(&mut self, x: f64, y: f64) {
            self.width = self.width.max(x + 8.0);
            self.height = self.height.max(y + 8.0);
        }
    }

    impl RenderBackend for Canvas {
        fn draw_rect(&mut self, xy: Point, size: Point, _: &StyleAttr, _: Option<String>, _: Option<ClipHandle>) {
            self.grow(xy.x + size.x, xy.y + size.y);
            let Point { x: width, y: height } = size;
            let _ = writeln!(
                self.shapes,
                "<rect x=\"{:.1}\" y=\"{:.1}\" width=\"{width:.1}\" height=\"{height:.1}\" rx=\"4\" fill=\"white\"/>",
                xy.x, xy.y
            );
        }

        fn draw_line(&mut self, _: Point, _: Point, _: &StyleAttr, _: Option<String>) {}

        fn draw_circle(&mut self, _: Point, _: Point, _: &StyleAttr, _: Option<String>) {}

        fn draw_text(&mut self, xy: Point, text: &str, _: &StyleAttr) {
            let first = xy.y - FONT as f64 * (text.lines().count() as f64 - 1.0) / 2.0;
            for (i, line) in text.lines().enumerate() {
                let y = first + FONT as f64 * (i as f64 * 1.15 + 0.3);
                // A text of one line is the label of a line.
                let style = match (text.contains('\n'), i) {
                    (true, 0) => "stroke=\"none\" font-weight=\"bold\"",
                    (true, _) => "stroke=\"none\"",
                    (false, _) => "stroke=\"white\" stroke-width=\"4\" paint-order=\"stroke\"",
                };
                let x = xy.x;
                let _ = writeln!(self.texts, "<text x=\"{x:.1}\" y=\"{y:.1}\" fill=\"black\" {style}>{line}</text>");
            }
        }

        fn draw_arrow(
            &mut self,
            path: &[(Point, Point)],
            _: bool,
            _: (bool, bool),
            _: &StyleAttr,
            _: Option<String>,
            _: &str,
        ) {
            let [first, second, rest @ ..] = path else { return };
            for (one, other) in path {
                self.grow(one.x.max(other.x), one.y.max(other.y));
            }
            let point = |point: &Point| format!("{:.1} {:.1}", point.x, point.y);
            let mut curve =
                format!("M {} C {} {} {}", point(&first.0), point(&first.1), point(&second.0), point(&second.1));
            for (control, end) in rest {
                let _ = write!(curve, " S {} {}", point(control), point(end));
            }
            let _ = writeln!(self.shapes, "<path d=\"{curve}\" stroke-width=\"2\"/>");
        }

        fn create_clip(&mut self, _: Point, _: Point, _: usize) -> ClipHandle {
            0
        }
    }
}

#[cfg(all(test, feature = "drawing"))]
mod tests {
    use fmu_exchange::{Connector, StructureKind};
    use proptest::prelude::*;

    use super::*;

    fn option(name: String, kind: StructureKind, value: &str) -> StructureOption {
        let default = String::new();
        StructureOption {
            name,
            description: String::new(),
            kind,
            aliases: Vec::new(),
            default,
            value: value.to_owned(),
        }
    }

    /// Makes parts with two connectors each; a connection is from the first part to the second one.
    fn system(parts: usize, connections: &[(usize, usize)]) -> Vec<StructureOption> {
        let connector = |part: usize, side: &str| format!("p{part}.{side}");
        let mut options = Vec::new();
        for part in 0..parts {
            options.push(option(format!("p{part}.type"), StructureKind::Part(Vec::new()), "Wheel"));
            for (from, to) in connections.iter().filter(|(from, _)| *from == part) {
                let kind = StructureKind::Connection(Connector::Flange_b);
                options.push(option(connector(*from, "ring"), kind, &connector(*to, "flange_a")));
            }
        }
        options
    }

    #[test]
    fn parts_and_labels_are_drawn_once() {
        let drawing = svg(&system(3, &[(0, 1), (2, 1)])).unwrap();
        for (text, count) in [(">p0<", 1), (">p1<", 1), (">p2<", 1), (">Wheel<", 3), (">ring<", 2), ("<path", 2)] {
            assert_eq!(drawing.matches(text).count(), count, "{text}: {drawing}");
        }
        assert_eq!(svg(&[]), None);
        assert_eq!(svg(&system(201, &[])), None);
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]
        #[test]
        fn any_system_is_drawn(
            parts in 1..30_usize,
            ends in prop::collection::vec((0..30_usize, 0..30_usize), 0..60),
        ) {
            let ends: Vec<_> = ends.into_iter().map(|(from, to)| (from % parts, to % parts)).collect();
            let options = system(parts, &ends);
            let drawing = svg(&options).unwrap();
            let count = |text: &str| drawing.matches(text).count();
            prop_assert_eq!((count("<rect"), count(">Wheel<"), count("<path")), (parts, parts, ends.len()));
            let names: Vec<_> = (0..parts).map(|part| count(&format!(">p{part}<"))).collect();
            prop_assert_eq!(names, vec![1; parts]);
            prop_assert!(!drawing.contains("NaN") && !drawing.contains("inf"), "{}", drawing);
        }
    }
}
