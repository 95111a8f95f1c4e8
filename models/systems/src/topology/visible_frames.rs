//! Shapes and frames of connected parts that a viewer draws.
//!
//! Parts have no parameters of their looks. Those of the assemblies' components have their defaults, as numbers:
//! lengths are multiples of half the size of the mechanism.

use std::collections::{BTreeMap, BTreeSet};

use fmu_runtime::{Attributes, ElementVisitor, Enumeration, Index, RowKind, Shape, Size, Variable, write_name};
use ports::assembly::look::{BoxLook, MassLook, PlanarLook, RevoluteLook, RodsLook, TelescopeLook, UniversalLook};

use crate::topology::look::{Look, ViewedFrame};
use crate::topology::wiring::{NamedPart, Wiring, is_frame};

/// Returns the shapes and frames of these parts; variables of frames begin at `end`, which is moved behind them.
pub fn look(parts: &[NamedPart], wiring: &Wiring, end: &mut Size) -> Look {
    let looks = Rows::of_looks();
    let mut known = Rows::default();
    let mut names: BTreeMap<usize, String> = BTreeMap::new();
    let mut turning = BTreeSet::new();
    let in_space = || parts.iter().zip(&wiring.frames).filter(|(named, _)| named.part.properties().is_multibody);
    for (NamedPart { name, part, .. }, frames) in in_space() {
        part.declare(name, false, &mut known);
        let of_frames = part.connectors().into_iter().filter(|(_, kind)| is_frame(*kind));
        for ((connector, _), frame) in of_frames.zip(frames) {
            let full = format!("{name}.{connector}");
            if known.0.contains_key(&origin(&full)) || !names.contains_key(frame) {
                names.insert(*frame, full);
            }
        }
    }
    let (mut shapes, mut needed) = (Vec::new(), BTreeSet::new());
    for (NamedPart { name, part, .. }, frames) in in_space() {
        let of_frames: Vec<_> = part.connectors().into_iter().filter(|(_, kind)| is_frame(*kind)).collect();
        let number = |connector| of_frames.iter().position(|(own, _)| *own == connector).map(|i| frames[i]);
        for Shape(entries) in part.shapes() {
            let is_turned = entries.iter().any(|(key, _)| matches!(*key, "direction" | "widthDirection" | "at"));
            let full = |(key, value): (&'static str, &'static str)| {
                let text = match (key, number(value)) {
                    ("type", _) => value.to_owned(),
                    ("frame" | "to", Some(frame)) => {
                        needed.insert(frame);
                        turning.extend((is_turned && key == "frame").then_some(frame));
                        names[&frame].clone()
                    }
                    _ if value.starts_with(|first: char| first == '[' || first.is_ascii_digit()) => value.to_owned(),
                    _ => looks.number(value).unwrap_or_else(|| format!("{name}.{value}")),
                };
                (key, text)
            };
            shapes.push(entries.into_iter().map(full).collect());
        }
    }
    let frames = needed.into_iter().map(|frame| {
        let name = names[&frame].clone();
        let has_origin = !known.0.contains_key(&origin(&name));
        let seen = ViewedFrame { frame, name, place: end.reals, has_origin, has_orientation: turning.contains(&frame) };
        *end = end.plus(seen.size());
        seen
    });
    Look { frames: frames.collect(), shapes }
}

fn origin(frame: &str) -> String {
    format!("{frame}.r_0")
}

/// Names of rows with their start values, if these are numbers.
#[derive(Default)]
struct Rows(BTreeMap<String, Vec<f64>>);

impl Rows {
    /// Collects the parameters of all looks.
    fn of_looks() -> Self {
        fn add<V: Variable<f64>>(rows: &mut Rows) {
            V::declare(&Attributes::new(RowKind::parameter, "", None, false, &[]), None, rows);
        }
        let mut rows = Self::default();
        add::<PlanarLook<f64>>(&mut rows);
        add::<UniversalLook<f64>>(&mut rows);
        add::<RodsLook<f64>>(&mut rows);
        add::<TelescopeLook<f64>>(&mut rows);
        add::<RevoluteLook<f64>>(&mut rows);
        add::<BoxLook<f64>>(&mut rows);
        add::<MassLook<f64>>(&mut rows);
        rows
    }

    /// Returns the start value as text, if there is such a row.
    fn number(&self, name: &str) -> Option<String> {
        match self.0.get(name)?.as_slice() {
            [one] => Some(one.to_string()),
            all => Some(format!("{all:?}")),
        }
    }

    fn add(&mut self, attributes: &Attributes<'_>, index: Index, start: f64) {
        // An internal row is no variable of the FMU.
        if attributes.kind() == RowKind::internal {
            return;
        }
        let mut name = String::new();
        // Writing to a text does not fail.
        let _ = write_name(&mut name, attributes, Index::None);
        if matches!(index, Index::None | Index::One(1)) {
            self.0.remove(&name);
        }
        self.0.entry(name).or_default().push(start);
    }
}

impl ElementVisitor for Rows {
    fn real(&mut self, attributes: &Attributes<'_>, index: Index, start: f64) {
        self.add(attributes, index, start);
    }
    fn integer(&mut self, attributes: &Attributes<'_>, index: Index, start: i32) {
        self.add(attributes, index, start.into());
    }
    fn enumeration(&mut self, _: &Attributes<'_>, _: &'static Enumeration, _: i32) {}
    fn boolean(&mut self, _: &Attributes<'_>, _: bool) {}
    fn string(&mut self, _: &Attributes<'_>, _: &'static str) {}
    fn table(&mut self, _: &Attributes<'_>, _: usize, _: &'static [f64]) {}
    fn attachment(&mut self, _: &Attributes<'_>) {}
}
