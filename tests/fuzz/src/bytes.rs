//! Arbitrary bytes, read from the front; zeros follow after the end.

/// The remaining bytes of the input.
#[derive(Clone, Copy)]
pub(crate) struct Bytes<'a>(pub &'a [u8]);

/// Special values of Reals.
const SPECIAL: [f64; 24] = [
    0.0,
    -0.0,
    1.0,
    -1.0,
    0.5,
    0.1,
    1e-3,
    2.0,
    10.0,
    -10.0,
    1e6,
    -1e6,
    1e-9,
    1e-300,
    f64::MIN_POSITIVE,
    5e-324,
    1e300,
    -1e300,
    f64::MAX,
    f64::EPSILON,
    std::f64::consts::FRAC_PI_2,
    f64::NAN,
    f64::INFINITY,
    f64::NEG_INFINITY,
];

impl<'a> Bytes<'a> {
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub fn byte(&mut self) -> u8 {
        let Some((first, rest)) = self.0.split_first() else { return 0 };
        self.0 = rest;
        *first
    }

    pub fn array<const N: usize>(&mut self) -> [u8; N] {
        std::array::from_fn(|_| self.byte())
    }

    pub fn word(&mut self) -> u16 {
        u16::from_le_bytes(self.array())
    }

    /// Returns a number below the given one.
    pub fn below(&mut self, count: usize) -> usize {
        usize::from(self.byte()) % count.max(1)
    }

    /// Returns true with a probability of one in the given number.
    pub fn one_in(&mut self, count: u8) -> bool {
        self.byte() % count == count - 1
    }

    pub fn take(&mut self, count: usize) -> &'a [u8] {
        let (taken, rest) = self.0.split_at(count.min(self.0.len()));
        self.0 = rest;
        taken
    }

    /// Returns up to 255 bytes after their count.
    pub fn counted(&mut self) -> &'a [u8] {
        let count = self.byte();
        self.take(usize::from(count))
    }

    /// Returns a small number, a special one, or any.
    pub fn real(&mut self) -> f64 {
        match self.byte() {
            byte if usize::from(byte) < SPECIAL.len() => SPECIAL[usize::from(byte)],
            24..32 => f64::from_le_bytes(self.array()),
            byte => (f64::from(byte) - 144.0) / 32.0,
        }
    }

    pub fn integer(&mut self) -> i32 {
        match self.byte() {
            0 => i32::MIN,
            1 => i32::MAX,
            2 => i32::from_le_bytes(self.array()),
            byte => i32::from(byte) - 16,
        }
    }
}
