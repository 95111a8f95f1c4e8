//! Units as engineers write them: `mm`, `kN/mm`, `N·m/°`, `m/s²`, `1/min`.

/// A unit: its dimension, and its size in the coherent unit of the SI.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Unit {
    /// Exponents of kg, m, s, A, K, mol, cd, rad.
    pub dimension: [i32; 8],
    /// Its size is `numerator / denominator * 10^power`, so that powers of ten move the decimal point only.
    numerator: f64,
    denominator: f64,
    power: i32,
}

impl Unit {
    const ONE: Self = Self { dimension: [0; 8], numerator: 1.0, denominator: 1.0, power: 0 };

    /// Reads a unit; `None` if it is unknown.
    pub fn parse(text: &str) -> Option<Self> {
        let text = text.trim();
        if text.len() > LONGEST {
            return None;
        }
        if matches!(text, "-" | "–" | "") {
            return (!text.is_empty()).then_some(Self::ONE);
        }
        let mut parser = Parser { rest: text };
        let unit = parser.product()?;
        parser.rest.is_empty().then_some(unit)
    }

    /// The value in the coherent unit of the SI.
    pub fn to_si(&self, value: f64) -> f64 {
        let value = if self.numerator == self.denominator { value } else { value * self.numerator / self.denominator };
        if self.power == 0 {
            return value;
        }
        // 4.1 mm must be 0.0041 m, which 4.1 / 1000 is not always.
        let text = format!("{value:e}");
        let (digits, exponent) = text.split_once('e').unwrap_or((&text, "0"));
        let exponent = exponent.parse::<i32>().unwrap_or_default() + self.power;
        format!("{digits}e{exponent}").parse().unwrap_or(value)
    }

    /// Whether it is coherent with the SI.
    pub fn is_si(&self) -> bool {
        self.numerator == self.denominator && self.power == 0
    }

    /// A unit of the SI with this prefix.
    const fn si(dimension: [i32; 8], power: i32) -> Self {
        Self { dimension, numerator: 1.0, denominator: 1.0, power }
    }

    const fn of(self, numerator: f64, denominator: f64, power: i32) -> Self {
        Self { dimension: self.dimension, numerator, denominator, power }
    }

    fn times(mut self, other: Self, exponent: i32) -> Option<Self> {
        for (own, factor) in self.dimension.iter_mut().zip(other.dimension) {
            *own = own.checked_add(factor.checked_mul(exponent)?)?;
        }
        self.power = self.power.checked_add(other.power.checked_mul(exponent)?)?;
        let [above, below] = [other.numerator, other.denominator].map(|factor| factor.powi(exponent.abs()));
        let [above, below] = if exponent < 0 { [below, above] } else { [above, below] };
        (self.numerator, self.denominator) = (self.numerator * above, self.denominator * below);
        let usable = |factor: f64| factor.is_normal() && factor > 0.0;
        (usable(self.numerator) && usable(self.denominator) && self.power.abs() <= LARGEST_POWER).then_some(self)
    }
}

/// Longer texts are not units.
const LONGEST: usize = 64;

/// Units are not larger or smaller than this power of ten.
const LARGEST_POWER: i32 = 300;

struct Parser<'a> {
    rest: &'a str,
}

impl<'a> Parser<'a> {
    /// Factors between `·`, `.`, `*`, blanks and `/`; a slash divides by what follows up to the next one.
    fn product(&mut self) -> Option<Unit> {
        let (mut unit, mut sign) = (Unit::ONE, 1);
        loop {
            let factor = self.factor()?;
            unit = unit.times(factor, sign)?;
            let rest = self.rest.trim_start();
            let mut characters = rest.chars();
            match characters.next() {
                Some('/') => sign = -1,
                Some('.' | '*' | '·' | '⋅' | '×') => {}
                Some(')') | None => {
                    self.rest = rest;
                    return Some(unit);
                }
                _ if rest.len() < self.rest.len() => characters = rest.chars(),
                _ => return None,
            }
            self.rest = characters.as_str().trim_start();
        }
    }

    /// A symbol or a product in parentheses, and its exponent.
    fn factor(&mut self) -> Option<Unit> {
        let unit = if let Some(inner) = self.rest.strip_prefix('(') {
            self.rest = inner;
            let unit = self.product()?;
            self.rest = self.rest.strip_prefix(')')?;
            unit
        } else if self.rest.starts_with('1') {
            self.rest = &self.rest[1..];
            return Some(Unit::ONE);
        } else {
            let end = self.rest.find(|c: char| !(c.is_alphabetic() || matches!(c, '°' | '%' | '"')));
            let (symbol, rest) = self.rest.split_at(end.unwrap_or(self.rest.len()));
            self.rest = rest;
            symbol_unit(symbol)?
        };
        Unit::ONE.times(unit, self.exponent()?)
    }

    fn exponent(&mut self) -> Option<i32> {
        if let Some(rest) = self.rest.strip_prefix('²') {
            self.rest = rest;
            return Some(2);
        }
        if let Some(rest) = self.rest.strip_prefix('³') {
            self.rest = rest;
            return Some(3);
        }
        let text = self.rest.strip_prefix('^').unwrap_or(self.rest);
        let sign = usize::from(text.starts_with(['-', '+']));
        let digits = text[sign..].bytes().take_while(u8::is_ascii_digit).count();
        if digits == 0 {
            return (text.len() == self.rest.len() && sign == 0).then_some(1);
        }
        let (exponent, rest) = text.split_at(sign + digits);
        self.rest = rest;
        exponent.parse().ok().filter(|exponent: &i32| exponent.abs() <= 9)
    }
}

/// A symbol with or without a prefix.
fn symbol_unit(symbol: &str) -> Option<Unit> {
    let known = |symbol: &str| SYMBOLS.iter().find(|(known, ..)| *known == symbol);
    if let Some((_, unit, _)) = known(symbol) {
        return Some(*unit);
    }
    let first = symbol.chars().next()?;
    let (_, power) = PREFIXES.iter().find(|(prefix, _)| *prefix == first)?;
    let (_, unit, _) = known(&symbol[first.len_utf8()..]).filter(|(.., prefixed)| *prefixed)?;
    Some(Unit { power: unit.power + power, ..*unit })
}

const PREFIXES: [(char, i32); 9] =
    [('n', -9), ('µ', -6), ('μ', -6), ('u', -6), ('m', -3), ('c', -2), ('k', 3), ('M', 6), ('G', 9)];

const KG: [i32; 8] = [1, 0, 0, 0, 0, 0, 0, 0];
const M: [i32; 8] = [0, 1, 0, 0, 0, 0, 0, 0];
const S: [i32; 8] = [0, 0, 1, 0, 0, 0, 0, 0];
const N: [i32; 8] = [1, 1, -2, 0, 0, 0, 0, 0];
const J: [i32; 8] = [1, 2, -2, 0, 0, 0, 0, 0];
const W: [i32; 8] = [1, 2, -3, 0, 0, 0, 0, 0];
const PA: [i32; 8] = [1, -1, -2, 0, 0, 0, 0, 0];
const PER_S: [i32; 8] = [0, 0, -1, 0, 0, 0, 0, 0];
const RAD: [i32; 8] = [0, 0, 0, 0, 0, 0, 0, 1];
const RAD_PER_S: [i32; 8] = [0, 0, -1, 0, 0, 0, 0, 1];

const DEGREE: Unit = Unit::si(RAD, 0).of(std::f64::consts::PI, 180.0, 0);
const RPM: Unit = Unit::si(RAD_PER_S, 0).of(std::f64::consts::PI, 30.0, 0);

/// Symbols, and whether they take prefixes. The sizes are definitions: international inch, pound and standard
/// acceleration of free fall.
const SYMBOLS: [(&str, Unit, bool); 39] = [
    ("m", Unit::si(M, 0), true),
    ("g", Unit::si(KG, -3), true),
    ("s", Unit::si(S, 0), true),
    ("A", Unit::si([0, 0, 0, 1, 0, 0, 0, 0], 0), true),
    ("K", Unit::si([0, 0, 0, 0, 1, 0, 0, 0], 0), true),
    ("mol", Unit::si([0, 0, 0, 0, 0, 1, 0, 0], 0), true),
    ("cd", Unit::si([0, 0, 0, 0, 0, 0, 1, 0], 0), true),
    ("rad", Unit::si(RAD, 0), true),
    ("N", Unit::si(N, 0), true),
    ("Nm", Unit::si(J, 0), true),
    ("Nmm", Unit::si(J, -3), true),
    ("Ns", Unit::si([1, 1, -1, 0, 0, 0, 0, 0], 0), true),
    ("Nms", Unit::si([1, 2, -1, 0, 0, 0, 0, 0], 0), true),
    ("J", Unit::si(J, 0), true),
    ("W", Unit::si(W, 0), true),
    ("Pa", Unit::si(PA, 0), true),
    ("bar", Unit::si(PA, 5), true),
    ("Hz", Unit::si(PER_S, 0), true),
    ("sec", Unit::si(S, 0), false),
    ("Sec", Unit::si(S, 0), false),
    ("min", Unit::si(S, 0).of(6.0, 1.0, 1), false),
    ("h", Unit::si(S, 0).of(3.6, 1.0, 3), false),
    ("t", Unit::si(KG, 3), false),
    ("deg", DEGREE, false),
    ("degree", DEGREE, false),
    ("degrees", DEGREE, false),
    ("Grad", DEGREE, false),
    ("°", DEGREE, false),
    ("rev", Unit::si(RAD, 0).of(std::f64::consts::TAU, 1.0, 0), false),
    ("rpm", RPM, false),
    ("in", Unit::si(M, 0).of(254.0, 1.0, -4), false),
    ("inch", Unit::si(M, 0).of(254.0, 1.0, -4), false),
    ("ft", Unit::si(M, 0).of(3048.0, 1.0, -4), false),
    ("lb", Unit::si(KG, 0).of(45_359_237.0, 1.0, -8), false),
    ("lbf", Unit::si(N, 0).of(44_482_216_152_605.0, 1.0, -13), false),
    ("kgf", Unit::si(N, 0).of(980_665.0, 1.0, -5), false),
    ("kp", Unit::si(N, 0).of(980_665.0, 1.0, -5), false),
    ("daN", Unit::si(N, 1), false),
    ("%", Unit::si([0; 8], -2), false),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units_have_the_sizes_of_their_definitions() {
        for (text, si, size) in [
            ("mm", "m", 1e-3),
            ("µm", "m", 1e-6),
            ("kN", "N", 1e3),
            ("daN", "N", 10.0),
            ("N/mm", "N/m", 1e3),
            ("kN/mm", "N/m", 1e6),
            ("N mm^-1", "N/m", 1e3),
            ("N.mm/deg", "N.m/rad", 0.18 / std::f64::consts::PI),
            ("Nm/°", "N.m/rad", 180.0 / std::f64::consts::PI),
            ("N·m/rad", "N.m/rad", 1.0),
            ("kNm·s/rad", "N.m.s/rad", 1e3),
            ("Ns/mm", "N.s/m", 1e3),
            ("N/(mm/s)", "N.s/m", 1e3),
            ("m/s²", "m/s2", 1.0),
            ("km/h", "m/s", 1.0 / 3.6),
            ("rpm", "rad/s", std::f64::consts::PI / 30.0),
            ("°/s", "rad/s", std::f64::consts::PI / 180.0),
            ("lbf/in", "N/m", 4.448_221_615_260_5 / 0.0254),
            ("-", "1", 1.0),
            ("1/min", "1/s", 1.0 / 60.0),
            ("t/s2", "N/m", 1e3),
        ] {
            let [unit, si] = [text, si].map(|text| Unit::parse(text).unwrap_or_else(|| panic!("{text}")));
            assert_eq!(unit.dimension, si.dimension, "{text}");
            assert!(si.is_si());
            assert!((unit.to_si(1.0) / size - 1.0).abs() < 4e-16, "{text}: {}", unit.to_si(1.0));
        }
        for unknown in [
            "",
            "Fx",
            "N/",
            "/m",
            "(N",
            "N)",
            "m^",
            "N//m",
            "m^99",
            "mils",
            "kmin",
            "2",
            "mm m m^-",
            "N+m",
            "((km^9)^9)^9",
            "(((h/min)^9)^9)^9",
        ] {
            assert_eq!(Unit::parse(unknown), None, "{unknown}");
        }
    }

    #[test]
    fn powers_of_ten_move_the_decimal_point_only() {
        let (mm, stiff) = (Unit::parse("mm").unwrap(), Unit::parse("kN/mm").unwrap());
        for tenths in 0..10_000 {
            let text = format!("{}.{}", tenths / 10, tenths % 10);
            let value: f64 = text.parse().unwrap();
            assert_eq!(mm.to_si(value), format!("{text}e-3").parse().unwrap());
            assert_eq!(stiff.to_si(-value), format!("-{text}e6").parse().unwrap());
        }
    }
}
