//! Differences of runs in place of their derivatives.

/// Change for central differences, of the quantities that are searched for.
const CHANGE: f64 = 1e-4;

/// Change for differences to one side, of runs that may have larger errors.
const ROUGH_CHANGE: f64 = 3e-4;

/// Returns the change of one quantity for a central difference, among those of all.
pub fn change(inner: &[f64], column: usize) -> Vec<f64> {
    let mut changes = vec![0.0; inner.len()];
    changes[column] = CHANGE * inner[column].abs().max(1.0);
    changes
}

/// Returns a point that is moved by a multiple of changes, as far as the bounds are.
pub fn moved(inner: &[f64], changes: &[f64], side: f64, bounds: &[[f64; 2]]) -> Vec<f64> {
    let moved = |((inner, change), [low, high]): ((&f64, &f64), &[f64; 2])| (inner + side * change).clamp(*low, *high);
    inner.iter().zip(changes).zip(bounds).map(moved).collect()
}

/// Returns the change of each quantity for a difference to one side: that where there is room within the bounds.
pub fn to_one_side(inner: &[f64], bounds: &[[f64; 2]]) -> Vec<f64> {
    let change = |(inner, [low, high]): (&f64, &[f64; 2])| {
        let change = ROUGH_CHANGE * inner.abs().max(1.0);
        let [up, down] = [1.0, -1.0].map(|side| (inner + side * change).clamp(*low, *high) - inner);
        if up >= -down { up } else { down }
    };
    inner.iter().zip(bounds).map(change).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn differences_are_to_the_side_where_there_is_room() {
        let bounds = [[-1.0, 2.0], [f64::NEG_INFINITY, 50.0]];
        for (inner, expected) in
            [([0.5, 3.0], [3e-4, 9e-4]), ([2.0, 50.0], [-6e-4, -0.015]), ([-1.0, -40.0], [3e-4, 0.012])]
        {
            for (((found, expected), at), [low, high]) in
                to_one_side(&inner, &bounds).iter().zip(expected).zip(inner).zip(bounds)
            {
                assert!((found.abs() - f64::abs(expected)).abs() < 1e-12, "{at}: {found} {expected}");
                assert!((low..=high).contains(&(at + found)), "{at}: {found}");
            }
        }
    }

    #[test]
    fn points_move_within_the_bounds() {
        let bounds = [[-1.0, 2.0], [f64::NEG_INFINITY, f64::INFINITY]];
        let changes = [change(&[2.0, -300.0], 0), change(&[2.0, -300.0], 1)];
        assert_eq!(moved(&[2.0, -300.0], &changes[0], 1.0, &bounds), [2.0, -300.0]);
        assert_eq!(moved(&[2.0, -300.0], &changes[0], -1.0, &bounds), [1.9998, -300.0]);
        assert_eq!(moved(&[2.0, -300.0], &changes[1], 1.0, &bounds), [2.0, -299.97]);
    }
}
