//! The placement of connectors around the icon.

use crate::description::{Connector, Terminal};

/// A place in the diagram.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Placement {
    pub x: f64,
    pub y: f64,
    /// Half of the distance to the next connector in the row.
    pub room: f64,
}

/// Returns the place of each connector, in order: the first on the left and the first on the right in the middle, where
/// frames come before flanges; other flanges on the right above it, support and heat port at the bottom, all others at
/// the top, by the letters with which their names end (frame_ia, frame_im, frame_ib).
pub(super) fn connectors(terminals: &[Terminal]) -> Vec<Placement> {
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
        let from = match wanted {
            Side::Left | Side::Right => 0.0,
            Side::Beside => 80.0,
            Side::Above | Side::Below => -80.0,
        };
        let to = if *wanted == Side::Beside { 40.0 } else { -from };
        let (along, room) = spread(at, row.len(), from, to);
        let (x, y) = match wanted {
            Side::Left => (-100.0, along),
            Side::Right | Side::Beside => (100.0, along),
            Side::Above => (along, 100.0),
            Side::Below => (along, -100.0),
        };
        Placement { x, y, room }
    };
    sides.iter().enumerate().map(place).collect()
}

/// Returns the rank of a connector from the left to the right.
fn rank(name: &str) -> u8 {
    match name.as_bytes() {
        [.., b'a'] => 0,
        [.., b'b'] => 2,
        _ => 1,
    }
}

/// Returns the height of a signal among those at one side, below the connectors if there are any, and its room.
pub(super) fn signal(index: usize, count: usize, has_connectors: bool) -> (f64, f64) {
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

/// Returns a place in the middle for one item, or from one end to the other for several, with half of the distance
/// between them.
fn spread(index: usize, count: usize, from: f64, to: f64) -> (f64, f64) {
    if count < 2 {
        return ((from + to) / 2.0, f64::INFINITY);
    }
    let distance = (to - from) / (count - 1) as f64;
    let tenths = |x: f64| (10.0 * x).round() / 10.0;
    (tenths(from + distance * index as f64), (5.0 * distance.abs()).floor() / 10.0)
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
    fn ports_in_a_row_leave_room_for_each_other() {
        for count in 2..100 {
            let places: Vec<_> = (0..count).map(|index| signal(index, count, false)).collect();
            for pair in places.windows(2) {
                let [(above, room), (below, _)] = [pair[0], pair[1]];
                assert!(room > 0.0 && above - room >= below + room - 0.11, "{count}: {pair:?}");
            }
            assert_eq!((places[0].0, places[count - 1].0), (80.0, -80.0));
        }
        assert_eq!(signal(0, 1, true), (-60.0, f64::INFINITY));
    }

    #[test]
    fn connectors_lie_as_in_the_standard_library() {
        let mut terminals = assembly().terminals;
        terminals.retain(|terminal| terminal.name.starts_with("frame") || terminal.name.starts_with("flange"));
        terminals.sort_by_key(|terminal| terminal.name.starts_with("frame"));
        let middle = Terminal { name: "frame_im".to_owned(), ..terminals[2].clone() };
        terminals.push(middle);
        let places = connectors(&terminals);
        let at = |name: &str| {
            let place = places[terminals.iter().position(|terminal| terminal.name == name).unwrap()];
            (place.x, place.y)
        };
        let found = ["frame_a", "frame_b", "frame_ia", "frame_im", "frame_ib", "flange_a", "flange_b"].map(at);
        assert_eq!(
            found,
            [(-100.0, 0.0), (100.0, 0.0), (-80.0, 100.0), (0.0, 100.0), (80.0, 100.0), (100.0, 80.0), (100.0, 40.0)]
        );
    }
}
