//! Symbols and words of units, with their size and dimension in the SI.

use std::f64::consts::{PI, TAU};

use super::unit::Unit;

/// Spellings of a unit.
#[derive(Debug)]
pub struct Symbol {
    /// Quantity that the unit measures.
    pub quantity: &'static str,
    /// All spellings; words of more than three letters may also be in capitals.
    pub names: &'static [&'static str],
    /// Size and dimension of the unit.
    pub unit: Unit,
    /// Coherent unit of the SI.
    pub si: &'static str,
    /// True if the unit takes prefixes: `k` or `kilo`.
    pub has_prefixes: bool,
    /// True if quantities have this name, too: it is a unit only in brackets, behind `in`, in a product, or where the
    /// quantity fits.
    pub names_quantity: bool,
}

pub(super) const PREFIXES: [(char, i32); 9] =
    [('n', -9), ('µ', -6), ('μ', -6), ('u', -6), ('m', -3), ('c', -2), ('k', 3), ('M', 6), ('G', 9)];

pub(super) const WORDS: [(&str, i32); 8] =
    [("nano", -9), ("micro", -6), ("milli", -3), ("centi", -2), ("deci", -1), ("kilo", 3), ("mega", 6), ("giga", 9)];

const KG: [i32; 8] = [1, 0, 0, 0, 0, 0, 0, 0];
const M: [i32; 8] = [0, 1, 0, 0, 0, 0, 0, 0];
const M3: [i32; 8] = [0, 3, 0, 0, 0, 0, 0, 0];
const S: [i32; 8] = [0, 0, 1, 0, 0, 0, 0, 0];
const A: [i32; 8] = [0, 0, 0, 1, 0, 0, 0, 0];
const K: [i32; 8] = [0, 0, 0, 0, 1, 0, 0, 0];
const N: [i32; 8] = [1, 1, -2, 0, 0, 0, 0, 0];
const J: [i32; 8] = [1, 2, -2, 0, 0, 0, 0, 0];
const W: [i32; 8] = [1, 2, -3, 0, 0, 0, 0, 0];
const PA: [i32; 8] = [1, -1, -2, 0, 0, 0, 0, 0];
const V: [i32; 8] = [1, 2, -3, -1, 0, 0, 0, 0];
const OHM: [i32; 8] = [1, 2, -3, -2, 0, 0, 0, 0];
const HENRY: [i32; 8] = [1, 2, -2, -2, 0, 0, 0, 0];
const FARAD: [i32; 8] = [-1, -2, 4, 2, 0, 0, 0, 0];
const COULOMB: [i32; 8] = [0, 0, 1, 1, 0, 0, 0, 0];
const TESLA: [i32; 8] = [1, 0, -2, -1, 0, 0, 0, 0];
const WEBER: [i32; 8] = [1, 2, -2, -1, 0, 0, 0, 0];
const PER_S: [i32; 8] = [0, 0, -1, 0, 0, 0, 0, 0];
const M_PER_S: [i32; 8] = [0, 1, -1, 0, 0, 0, 0, 0];
const M_PER_S2: [i32; 8] = [0, 1, -2, 0, 0, 0, 0, 0];
const M3_PER_S: [i32; 8] = [0, 3, -1, 0, 0, 0, 0, 0];
const RAD: [i32; 8] = [0, 0, 0, 0, 0, 0, 0, 1];
const RAD_PER_S: [i32; 8] = [0, 0, -1, 0, 0, 0, 0, 1];

pub(super) const RPM: Unit = Unit::si(RAD_PER_S, 0).of(PI, 30.0, 0);
pub(super) const PER_MINUTE: Unit = Unit::si(PER_S, 0).of(1.0, 6.0, -1);
pub(super) const GRAM: Unit = Unit::si(KG, -3);
pub(super) const FREE_FALL: Unit = Unit::si(M_PER_S2, 0).of(980_665.0, 1.0, -5);

macro_rules! symbols {
    ($($quantity:literal $si:literal { $($names:literal $(+ $prefixes:ident)? $(($ambiguous:ident))? = $unit:expr;)* })*) => {
        /// All symbols. The sizes are definitions: international inch, pound and standard acceleration of free fall.
        pub const SYMBOLS: &[Symbol] = &[$($(Symbol {
            quantity: $quantity,
            names: &split::<{ count($names) }>($names),
            unit: $unit,
            si: $si,
            has_prefixes: symbols!(@ $($prefixes)?),
            names_quantity: symbols!(@ $($ambiguous)?),
        },)*)*];
    };
    (@) => { false };
    (@ $word:ident) => { true };
}

/// Counts the words in a text.
const fn count(text: &str) -> usize {
    let (bytes, mut at, mut words) = (text.as_bytes(), 0, 1);
    while at < bytes.len() {
        if bytes[at] == b' ' {
            words += 1;
        }
        at += 1;
    }
    words
}

/// Splits a text into words.
const fn split<const WORDS: usize>(text: &'static str) -> [&'static str; WORDS] {
    let mut words = [""; WORDS];
    let (mut rest, mut word) = (text, 0);
    while word < WORDS {
        let (bytes, mut end) = (rest.as_bytes(), 0);
        while end < bytes.len() && bytes[end] != b' ' {
            end += 1;
        }
        let (first, behind) = rest.split_at(end);
        words[word] = first;
        rest = if behind.is_empty() { behind } else { behind.split_at(1).1 };
        word += 1;
    }
    words
}

symbols! {
    "length" "m" {
        "m meter meters metre metres" + prefixes = Unit::si(M, 0);
        "dm" = Unit::si(M, -1);
        "in inch inches" = Unit::si(M, 0).of(254.0, 1.0, -4);
        "ft foot feet" = Unit::si(M, 0).of(3048.0, 1.0, -4);
        "yd yard yards" = Unit::si(M, 0).of(9144.0, 1.0, -4);
        "mile miles" = Unit::si(M, 0).of(1_609_344.0, 1.0, -3);
    }
    "volume" "m3" {
        "l L liter liters litre litres" + prefixes (ambiguous) = Unit::si(M3, -3);
        "gal gallon gallons" = Unit::si(M3, 0).of(3_785_411_784.0, 1.0, -12);
    }
    "angle" "rad" {
        "rad radian radians" + prefixes = Unit::si(RAD, 0);
        "deg degree degrees Grad °" = Unit::si(RAD, 0).of(PI, 180.0, 0);
        "gon" = Unit::si(RAD, 0).of(PI, 200.0, 0);
        "rev revs revolution revolutions turn turns Umdr" = Unit::si(RAD, 0).of(TAU, 1.0, 0);
        "U r" (ambiguous) = Unit::si(RAD, 0).of(TAU, 1.0, 0);
    }
    "time" "s" {
        "s second seconds" + prefixes = Unit::si(S, 0);
        "sec Sec secs" = Unit::si(S, 0);
        "min minute minutes" = Unit::si(S, 0).of(6.0, 1.0, 1);
        "h hour hours" = Unit::si(S, 0).of(3.6, 1.0, 3);
        "day days" = Unit::si(S, 0).of(8.64, 1.0, 4);
    }
    "frequency" "1/s" {
        "Hz hertz" + prefixes = Unit::si(PER_S, 0);
    }
    "velocity" "m/s" {
        "kmh kph" = Unit::si(M_PER_S, 0).of(1.0, 3.6, 0);
        "mph" = Unit::si(M_PER_S, 0).of(44704.0, 1.0, -5);
    }
    "angular velocity" "rad/s" {
        "rpm RPM Upm UPM" = RPM;
    }
    "acceleration" "m/s2" {
        "gn" = FREE_FALL;
    }
    "mass" "kg" {
        "g gram grams gramme grammes" + prefixes = GRAM;
        "t tonne tonnes" = Unit::si(KG, 3);
        "lb lbs lbm pound pounds" = Unit::si(KG, 0).of(45_359_237.0, 1.0, -8);
        "oz ounce ounces" = Unit::si(KG, 0).of(28_349_523_125.0, 1.0, -12);
    }
    "force" "N" {
        "N newton newtons" + prefixes = Unit::si(N, 0);
        "daN" = Unit::si(N, 1);
        "kgf kp kg_force kilogram_force kilopond" = Unit::si(N, 0).of(980_665.0, 1.0, -5);
        "lbf pound_force" = Unit::si(N, 0).of(44_482_216_152_605.0, 1.0, -13);
        "ozf ounce_force" = Unit::si(N, 0).of(2_780_138_509_537_812.5, 1.0, -16);
    }
    "torque, energy" "J" {
        "Nm" + prefixes = Unit::si(J, 0);
        "Nmm" + prefixes = Unit::si(J, -3);
        "J joule joules" + prefixes = Unit::si(J, 0);
        "Wh" + prefixes = Unit::si(J, 0).of(3.6, 1.0, 3);
    }
    "impulse" "N.s" {
        "Ns" + prefixes = Unit::si([1, 1, -1, 0, 0, 0, 0, 0], 0);
    }
    "angular impulse" "N.m.s" {
        "Nms" + prefixes = Unit::si([1, 2, -1, 0, 0, 0, 0, 0], 0);
    }
    "power" "W" {
        "W watt watts" + prefixes = Unit::si(W, 0);
        "PS" = Unit::si(W, 0).of(73_549_875.0, 1.0, -5);
    }
    "pressure" "Pa" {
        "Pa pascal pascals" + prefixes = Unit::si(PA, 0);
        "hPa" = Unit::si(PA, 2);
        "bar bars" + prefixes = Unit::si(PA, 5);
        "psi" (ambiguous) = Unit::si(PA, 0).of(44_482_216_152_605.0, 64516.0, -5);
        "atm" = Unit::si(PA, 0).of(101_325.0, 1.0, 0);
    }
    "volume flow" "m3/s" {
        "lpm" = Unit::si(M3_PER_S, 0).of(1.0, 6.0, -4);
        "gpm" = Unit::si(M3_PER_S, 0).of(3_785_411_784.0, 6.0, -13);
    }
    "temperature" "K" {
        "K kelvin kelvins" + prefixes = Unit::si(K, 0);
        "degC °C celsius" = Unit::si(K, 0).from(273.15);
        "degF °F fahrenheit" = Unit::si(K, 0).of(5.0, 9.0, 0).from(459.67 * 5.0 / 9.0);
    }
    "electric current" "A" {
        "A ampere amperes amp amps" + prefixes = Unit::si(A, 0);
    }
    "voltage" "V" {
        "V" + prefixes (ambiguous) = Unit::si(V, 0);
        "volt volts" + prefixes = Unit::si(V, 0);
    }
    "resistance" "V/A" {
        "Ohm ohm ohms \u{2126} \u{3a9}" + prefixes = Unit::si(OHM, 0);
    }
    "inductance" "V.s/A" {
        "H" + prefixes (ambiguous) = Unit::si(HENRY, 0);
        "henry henries" + prefixes = Unit::si(HENRY, 0);
    }
    "capacitance" "A.s/V" {
        "F" + prefixes (ambiguous) = Unit::si(FARAD, 0);
        "farad farads" + prefixes = Unit::si(FARAD, 0);
    }
    "electric charge" "A.s" {
        "C" + prefixes (ambiguous) = Unit::si(COULOMB, 0);
        "coulomb coulombs" + prefixes = Unit::si(COULOMB, 0);
        "Ah" + prefixes = Unit::si(COULOMB, 0).of(3.6, 1.0, 3);
    }
    "magnetic flux" "V.s" {
        "Wb weber webers" + prefixes = Unit::si(WEBER, 0);
    }
    "magnetic flux density" "V.s/m2" {
        "T" + prefixes (ambiguous) = Unit::si(TESLA, 0);
        "tesla teslas" + prefixes = Unit::si(TESLA, 0);
    }
    "amount of substance" "mol" {
        "mol mole moles" + prefixes = Unit::si([0, 0, 0, 0, 0, 1, 0, 0], 0);
    }
    "luminous intensity" "cd" {
        "cd candela candelas" + prefixes = Unit::si([0, 0, 0, 0, 0, 0, 1, 0], 0);
    }
    "ratio" "1" {
        "%" = Unit::si([0; 8], -2);
        "percent" = Unit::si([0; 8], -2);
    }
}
