//! The Reals that an instance keeps for its integrator between steps, behind all others, so that an FMU state has them:
//! scalars, then the last step of the integrator, then the values that the importer may set between steps.

use crate::component::integration::integrator::Integrator;
pub use crate::component::integration::knowledge::{KNOWLEDGE, Knowledge};
use crate::component::integration::open_step::OpenStep;
use crate::component::integration::progress::Progress;

/// Index of the tolerance.
pub const TOLERANCE: usize = 0;
/// Index of the number of communication steps in succession in which nothing has changed.
pub const CALM: usize = 6;
/// Indices of the open step: its beginning, its length, the end of the part of it that counts.
pub const BEGIN: usize = 8;
pub const LENGTH: usize = 9;
pub const END: usize = 10;
const PART: usize = 11;
const IS_EVENT: usize = 12;
const DUE: usize = 7;
const LIMIT: [usize; 2] = [13, 14];
const IS_AFTER_EVENT: usize = 15;
const HAS_RATES: usize = 16;
/// Indices of the progress.
const PROGRESS: [usize; 5] = [1, 2, 3, 4, 17];
/// Number of scalars.
pub const SCALARS: usize = 18;
/// Number of arrays with a value for each state.
const OF_STATES: usize = 7;
/// Number of arrays with a value for each indicator.
const OF_INDICATORS: usize = 2;

/// Returns the index of the values that the importer may set, and the number of all Reals with `watched` such values.
pub fn sizes(states: usize, indicators: usize, watched: usize) -> [usize; 2] {
    let place = SCALARS + OF_STATES * states + OF_INDICATORS * indicators;
    [place, place + watched]
}

#[inline]
fn flag(value: bool) -> f64 {
    f64::from(u8::from(value))
}

impl Integrator {
    /// Reads what was [kept](Self::store), which is known; arrays that are not stay as they are.
    #[inline]
    pub fn load(&mut self, kept: &[f64], known: Knowledge) {
        let time = |index: usize| Some(kept[index]).filter(|time| *time < f64::MAX);
        self.progress = Progress::from_reals(PROGRESS.map(|i| kept[i]));
        self.due = time(DUE);
        self.open = (known == Knowledge::Motion).then(|| OpenStep {
            begin: kept[BEGIN],
            h: kept[LENGTH],
            part: kept[PART],
            end: kept[END],
            is_event: kept[IS_EVENT] == 1.0,
        });
        self.limit_known = time(LIMIT[0]).zip(time(LIMIT[1]));
        self.indicators.is_after_event = kept[IS_AFTER_EVENT] == 1.0;
        self.indicators.has_first_rates = kept[HAS_RATES] == 1.0;
        let mut rest = &kept[SCALARS..];
        for (own, needed) in self.arrays() {
            let (now, later) = rest.split_at(own.len());
            if known >= needed {
                own.copy_from_slice(now);
            }
            rest = later;
        }
    }

    /// Keeps progress, due events and what is known of the motion.
    #[inline]
    pub fn store(&mut self, kept: &mut [f64], known: Knowledge) {
        let time = |time: Option<f64>| time.unwrap_or(f64::MAX);
        kept[KNOWLEDGE] = f64::from(known as u8);
        for (i, real) in PROGRESS.into_iter().zip(self.progress.to_reals()) {
            kept[i] = real;
        }
        kept[DUE] = time(self.due);
        let limit = self.limit_known.unzip();
        (kept[LIMIT[0]], kept[LIMIT[1]]) = (time(limit.0), time(limit.1));
        if let Some(OpenStep { begin, h, part, end, is_event }) = self.open {
            (kept[BEGIN], kept[LENGTH], kept[PART], kept[END]) = (begin, h, part, end);
            kept[IS_EVENT] = flag(is_event);
        }
        kept[IS_AFTER_EVENT] = flag(self.indicators.is_after_event);
        kept[HAS_RATES] = flag(self.indicators.has_first_rates);
        let mut rest = &mut kept[SCALARS..];
        for (own, needed) in self.arrays() {
            let (now, later) = rest.split_at_mut(own.len());
            if known >= needed {
                now.copy_from_slice(own);
            }
            rest = later;
        }
    }

    /// The arrays that are kept, with the least knowledge that needs each.
    #[inline]
    fn arrays(&mut self) -> [(&mut Vec<f64>, Knowledge); OF_STATES + OF_INDICATORS] {
        let Self { x, dx, dense, slopes, indicators, .. } = self;
        let [c0, c1, c2] = &mut dense.coefficients;
        [
            (x, Knowledge::Slopes),
            (dx, Knowledge::Slopes),
            (&mut dense.end, Knowledge::Motion),
            (c0, Knowledge::Motion),
            (c1, Knowledge::Motion),
            (c2, Knowledge::Motion),
            (slopes, Knowledge::Motion),
            (&mut indicators.first, Knowledge::Signs),
            (&mut indicators.first_rates, Knowledge::Slopes),
        ]
    }
}
