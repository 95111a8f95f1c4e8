//! The placement of connectors around the icon.

use crate::description::{Connector, Terminal};

/// The centre of each connector, in order: the first on the left and the first on the right in
/// the middle, support and heat port at the bottom, all others at the top.
pub(super) fn connectors(terminals: &[Terminal]) -> Vec<(f64, f64)> {
    let mut taken = [false; 2];
    let sides: Vec<Side> = terminals.iter().map(|terminal| side(terminal.connector, &mut taken)).collect();
    let count = |wanted: Side| sides.iter().filter(|side| **side == wanted).count();
    let mut placed = [0, 0];
    let place = |side: &Side| match side {
        Side::Left => (-100.0, 0.0),
        Side::Right => (100.0, 0.0),
        Side::Above | Side::Below => {
            let (row, y) = if *side == Side::Above { (0, 100.0) } else { (1, -100.0) };
            placed[row] += 1;
            (spread(placed[row] - 1, count(*side), -80.0, 80.0), y)
        }
    };
    sides.iter().map(place).collect()
}

/// The heights of signals at one side, in the lower half.
pub(super) fn signal(index: usize, count: usize) -> f64 {
    spread(index, count, -40.0, -80.0)
}

#[derive(Clone, Copy, PartialEq)]
enum Side {
    Left,
    Right,
    Above,
    Below,
}

fn side(connector: Connector, taken: &mut [bool; 2]) -> Side {
    let (side, position) = match connector {
        Connector::Frame_a | Connector::Flange_a | Connector::TranslationalFlange_a => (Side::Left, 0),
        Connector::Frame_b | Connector::Flange_b | Connector::TranslationalFlange_b => (Side::Right, 1),
        Connector::Support | Connector::HeatPort_a | Connector::HeatPort_b => return Side::Below,
    };
    if std::mem::replace(&mut taken[position], true) { Side::Above } else { side }
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
        assert_eq!(places[..2], [(-100.0, 0.0), (100.0, 0.0)]);
        for (i, place) in places.iter().enumerate() {
            assert!(!places[..i].contains(place), "{} at {place:?}", terminals[i].name);
        }
    }
}
