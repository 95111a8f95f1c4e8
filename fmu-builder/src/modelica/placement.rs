//! The placement of connectors around the icon.

use crate::description::{Connector, Terminal};

/// The centre of each connector, in order: the first on the left and the first on the right in the middle, where frames
/// come before flanges; other flanges on the right above it, support and heat port at the bottom, all others at the top,
/// by the letters with which their names end (frame_ia, frame_im, frame_ib).
pub(super) fn connectors(terminals: &[Terminal]) -> Vec<(f64, f64)> {
    let mut taken = [false; 2];
    let has_frames = terminals.iter().any(|terminal| is_frame(terminal.connector));
    let side = |terminal: &Terminal| side(terminal.connector, has_frames, &mut taken);
    let sides: Vec<Side> = terminals.iter().map(side).collect();
    let place = |(index, wanted): (usize, &Side)| {
        let mut row: Vec<usize> = (0..sides.len()).filter(|other| sides[*other] == *wanted).collect();
        if *wanted == Side::Above {
            row.sort_by_key(|other| rank(&terminals[*other].name));
        }
        let at = row.iter().position(|other| *other == index).unwrap_or_default();
        match wanted {
            Side::Left => (-100.0, 0.0),
            Side::Right => (100.0, 0.0),
            Side::Beside => (100.0, spread(at, row.len(), 80.0, 40.0)),
            Side::Above => (spread(at, row.len(), -80.0, 80.0), 100.0),
            Side::Below => (spread(at, row.len(), -80.0, 80.0), -100.0),
        }
    };
    sides.iter().enumerate().map(place).collect()
}

/// From the left to the right.
fn rank(name: &str) -> u8 {
    match name.as_bytes() {
        [.., b'a'] => 0,
        [.., b'b'] => 2,
        _ => 1,
    }
}

/// The heights of signals at one side, below the connectors if there are any.
pub(super) fn signal(index: usize, count: usize, has_connectors: bool) -> f64 {
    spread(index, count, if has_connectors { -40.0 } else { 80.0 }, -80.0)
}

#[derive(Clone, Copy, PartialEq)]
enum Side {
    Left,
    Right,
    Beside,
    Above,
    Below,
}

fn is_frame(connector: Connector) -> bool {
    matches!(connector, Connector::Frame_a | Connector::Frame_b)
}

fn side(connector: Connector, has_frames: bool, taken: &mut [bool; 2]) -> Side {
    let (side, position) = match connector {
        Connector::Frame_a | Connector::Flange_a | Connector::TranslationalFlange_a => (Side::Left, 0),
        Connector::Frame_b | Connector::Flange_b | Connector::TranslationalFlange_b => (Side::Right, 1),
        Connector::Support | Connector::HeatPort_a | Connector::HeatPort_b => return Side::Below,
    };
    if has_frames && !is_frame(connector) {
        return Side::Beside;
    }
    match std::mem::replace(&mut taken[position], true) {
        false => side,
        true if has_frames => Side::Above,
        true => Side::Beside,
    }
}

/// One in the middle, several from one end to the other.
fn spread(index: usize, count: usize, from: f64, to: f64) -> f64 {
    if count < 2 {
        return (from + to) / 2.0;
    }
    (from + (to - from) * index as f64 / (count - 1) as f64).round()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::example::assembly;

    #[test]
    fn no_two_connectors_lie_at_one_place() {
        let terminals = assembly().terminals;
        let places = connectors(&terminals);
        for (i, place) in places.iter().enumerate() {
            assert!(!places[..i].contains(place), "{} at {place:?}", terminals[i].name);
        }
    }

    #[test]
    fn connectors_lie_as_in_the_standard_library() {
        let mut terminals = assembly().terminals;
        terminals.retain(|terminal| terminal.name.starts_with("frame") || terminal.name.starts_with("flange"));
        terminals.sort_by_key(|terminal| terminal.name.starts_with("frame"));
        let middle = Terminal { name: "frame_im".to_owned(), ..terminals[2].clone() };
        terminals.push(middle);
        let places = connectors(&terminals);
        let at = |name: &str| places[terminals.iter().position(|terminal| terminal.name == name).unwrap()];
        let found = ["frame_a", "frame_b", "frame_ia", "frame_im", "frame_ib", "flange_a", "flange_b"].map(at);
        assert_eq!(
            found,
            [(-100.0, 0.0), (100.0, 0.0), (-80.0, 100.0), (0.0, 100.0), (80.0, 100.0), (100.0, 80.0), (100.0, 40.0)]
        );
    }
}
