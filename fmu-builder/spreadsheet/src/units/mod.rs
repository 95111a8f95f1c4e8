//! Units as laboratories write them: `mm`, `kN/mm`, `N·m/°`, `m/s²`, `1/min`, `kilogram_force`, `degC`.
//!
//! A table of symbols and words, with prefixes, and products and quotients of these. Crates that know units check
//! dimensions at compile time, or do not know these spellings; none moves the decimal point of a number exactly.

mod conversion;
mod parser;
mod symbols;
mod unit;

pub use symbols::{SYMBOLS, Symbol};
pub use unit::{Conversion, Unit};

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
            ("N*s/mm", "N.s/m", 1e3),
            ("N-s/mm", "N.s/m", 1e3),
            ("N/(mm/s)", "N.s/m", 1e3),
            ("m/s²", "m/s2", 1.0),
            ("km/h", "m/s", 1.0 / 3.6),
            ("rpm", "rad/s", std::f64::consts::PI / 30.0),
            ("U/min", "rad/s", std::f64::consts::PI / 30.0),
            ("rev/min", "rad/s", std::f64::consts::PI / 30.0),
            ("°/s", "rad/s", std::f64::consts::PI / 180.0),
            ("lbf/in", "N/m", 4.448_221_615_260_5 / 0.0254),
            ("psi", "Pa", 4.448_221_615_260_5 / 0.0254 / 0.0254),
            ("-", "1", 1.0),
            ("1/min", "1/s", 1.0 / 60.0),
            ("min-1", "1/s", 1.0 / 60.0),
            ("t/s2", "N/m", 1e3),
            ("millimeter", "m", 1e-3),
            ("Millimetres", "m", 1e-3),
            ("kilogram_force", "N", 9.80665),
            ("kilogram_force/millimeter", "N/m", 9806.65),
            ("kgf", "N", 9.80665),
            ("l/min", "m3/s", 1e-3 / 60.0),
            ("mOhm", "kg.m2/(s3.A2)", 1e-3),
            ("kΩ", "V/A", 1e3),
            ("mH", "V.s/A", 1e-3),
            ("µF", "A.s/V", 1e-6),
            ("W/K", "kg.m2/(s3.K)", 1.0),
            ("J/(kg.degC)", "m2/(s2.K)", 1.0),
            ("kWh", "J", 3.6e6),
        ] {
            let [unit, si] = [text, si].map(|text| Unit::parse(text).unwrap_or_else(|| panic!("{text}")));
            assert_eq!(unit.dimension, si.dimension, "{text}");
            assert!(si.is_si());
            assert!((unit.to_si(1.0) / size - 1.0).abs() < 5e-16, "{text}: {}", unit.to_si(1.0));
        }
        for unknown in [
            "", "Fx", "N/", "/m", "(N", "N)", "m^", "N//m", "m^99", "mils", "kmin", "2", "mm m m^-", "N+m", "N-", "_",
            "kilo", "((km^9)^9)^9", "(((h/min)^9)^9)^9",
        ] {
            assert_eq!(Unit::parse(unknown), None, "{unknown}");
        }
    }

    #[test]
    fn numbers_are_converted_between_any_two_units_of_a_quantity() {
        for (from, to, value, expected) in [
            ("deg", "deg", 37.0, 37.0),
            ("rad", "deg", std::f64::consts::PI, 180.0),
            ("mm", "m", 4.1, 0.0041),
            ("degC", "K", 20.0, 293.15),
            ("K", "degC", 300.0, 26.85),
            ("degF", "degC", 212.0, 100.0),
            ("°C", "°C", 21.5, 21.5),
            ("bar", "kPa", 2.5, 250.0),
            ("1/min", "rad/s", 30.0, std::f64::consts::PI),
            ("1/min", "1/s", 30.0, 0.5),
            ("g", "m/s2", 2.0, 19.6133),
            ("g", "kg", 2.0, 2e-3),
        ] {
            let [unit, target] = [from, to].map(|text| Unit::parse(text).unwrap());
            let found = unit.to(&target).unwrap().apply(value);
            assert!((found - expected).abs() <= 1e-13 * expected.abs(), "{value} {from} are {found} {to}");
        }
        for (from, to) in [("N", "m"), ("1/s", "rad/s"), ("Hz", "rad/s"), ("kg", "m/s2"), ("N.m", "N.m/rad")] {
            let [unit, target] = [from, to].map(|text| Unit::parse(text).unwrap());
            assert_eq!(unit.to(&target), None, "{from} to {to}");
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

    /// Reads each listed symbol as its unit, alone and in a product, and checks that it is listed once.
    #[test]
    fn every_listed_symbol_is_a_unit() {
        let mut known = std::collections::BTreeSet::new();
        for symbol in SYMBOLS {
            for name in symbol.names {
                assert!(known.insert(name), "{name} is listed twice");
                assert_eq!(Unit::parse(name), Some(symbol.unit), "{name}");
                let per_second = Unit::parse(&format!("{name}/s")).unwrap_or_else(|| panic!("{name}/s"));
                assert_eq!(per_second.dimension[2], symbol.unit.dimension[2] - 1, "{name}/s");
                assert!(!Unit::parse(name).unwrap().to_si(1.0).is_nan());
            }
            let si = Unit::parse(symbol.si).unwrap_or_else(|| panic!("{}", symbol.si));
            assert!(si.is_si() && si.dimension == symbol.unit.dimension, "{}", symbol.si);
        }
    }
}
