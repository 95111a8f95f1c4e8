//! Colours in an order: dark for small values, light for large ones, also for colour-blind people and in grey.

use plotive::color::{Rgb8, Rgba8};
use plotive::des::cmap::{LerpColorMap, LerpMethod};

/// Viridis at even distances; without its yellow, which is hard to see on white.
const STOPS: [[u8; 3]; 5] = [[68, 1, 84], [59, 82, 139], [33, 145, 140], [94, 201, 98], [189, 223, 38]];

/// Returns the colour of a part of the range, from 0 to 1.
pub fn at(part: f64) -> Rgba8 {
    let place = part.clamp(0.0, 1.0) * (STOPS.len() - 1) as f64;
    let from = (place as usize).min(STOPS.len() - 2);
    let between = place - from as f64;
    let [red, green, blue] = std::array::from_fn(|channel| {
        let [a, b] = [STOPS[from], STOPS[from + 1]].map(|stop| f64::from(stop[channel]));
        (a + between * (b - a)).round() as u32
    });
    Rgba8::from_u32(red << 24 | green << 16 | blue << 8 | 0xff)
}

/// Returns the same colours for a colour bar.
pub fn map() -> LerpColorMap {
    let [first, stops @ .., last] = STOPS.map(|[red, green, blue]| Rgb8::new(red, green, blue));
    let place = |at: usize| (at + 1) as f32 / (STOPS.len() - 1) as f32;
    let stops = stops.into_iter().enumerate().map(|(at, colour)| (place(at), colour));
    LerpColorMap::new(LerpMethod::SRgb, first, last).with_stops(stops.collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stops_and_what_lies_between_them() {
        assert_eq!(at(0.0), Rgba8::from_u32(0x440154ff));
        assert_eq!(at(0.5), Rgba8::from_u32(0x21918cff));
        assert_eq!(at(7.0), Rgba8::from_u32(0xbddf26ff));
        assert_eq!(at(0.125), Rgba8::from_u32(0x402a70ff));
    }
}
