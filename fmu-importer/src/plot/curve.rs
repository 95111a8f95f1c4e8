//! Long curves with fewer points that look the same.

use super::ticks::is_drawable;

/// Picks points of a curve so that its smallest and largest value in each of `slots` equal parts of the time stay, and
/// its ends; leaves out values that the axis cannot show.
pub fn thin(time: &[f64], values: &[f64], slots: usize) -> (Vec<f64>, Vec<f64>) {
    let points = time.iter().zip(values).filter(|(_, value)| is_drawable(**value));
    let (time, values): (Vec<f64>, Vec<f64>) = points.unzip();
    let (Some(first), Some(last)) = (time.first(), time.last()) else {
        return (Vec::new(), Vec::new());
    };
    if time.len() <= 2 * slots {
        return (time, values);
    }
    let slot = |at: usize| ((time[at] - first) / (last - first) * slots as f64) as usize;
    let mut kept = vec![0];
    let mut begin = 0;
    while begin < time.len() {
        let end = (begin..time.len()).find(|at| slot(*at) != slot(begin)).unwrap_or(time.len());
        let extreme = |sign: f64| (begin..end).max_by(|a, b| (sign * values[*a]).total_cmp(&(sign * values[*b])));
        let mut pair: Vec<_> = [extreme(-1.0), extreme(1.0)].into_iter().flatten().collect();
        pair.sort_unstable();
        kept.extend(pair);
        begin = end;
    }
    kept.push(time.len() - 1);
    kept.dedup();
    kept.into_iter().map(|at| (time[at], values[at])).unzip()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::thin;

    proptest! {
        #[test]
        fn extremes_ends_and_order_stay(
            values in prop::collection::vec(-1e6_f64..1e6, 1..2000),
            slots in 1_usize..100,
        ) {
            let time: Vec<_> = (0..values.len()).map(|at| at as f64 * 0.01).collect();
            let (thin_time, thin_values) = thin(&time, &values, slots);
            let largest = |values: &[f64]| values.iter().copied().fold(f64::MIN, f64::max);
            let smallest = |values: &[f64]| values.iter().copied().fold(f64::MAX, f64::min);
            prop_assert_eq!(largest(&thin_values), largest(&values));
            prop_assert_eq!(smallest(&thin_values), smallest(&values));
            prop_assert_eq!(thin_time.first(), time.first());
            prop_assert_eq!(thin_time.last(), time.last());
            prop_assert!(thin_time.is_sorted());
            prop_assert!(thin_values.len() <= 2 * slots + 4);
        }
    }
}
