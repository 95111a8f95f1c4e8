//! The block of units.

use spreadsheet::units::Unit;

use super::teim_orbit::Block;

/// The words for units, as the help has them, and how they are written otherwise.
const WORDS: [(&str, &[(&str, &str)]); 4] = [
    ("LENGTH", &[("mm", "mm"), ("m", "m"), ("meter", "m"), ("cm", "cm"), ("foot", "ft"), ("inch", "in")]),
    (
        "ANGLE",
        &[("degree", "deg"), ("degrees", "deg"), ("deg", "deg"), ("radian", "rad"), ("radians", "rad"), ("rad", "rad")],
    ),
    ("FORCE", &[("newton", "N"), ("knewton", "kN"), ("kg_force", "kgf"), ("pound_force", "lbf")]),
    ("TIME", &[("second", "s"), ("sec", "s"), ("millisecond", "ms"), ("minute", "min"), ("hour", "h")]),
];

/// The keys of the block; that of masses is not needed.
pub const KEYS: [&str; 5] = ["LENGTH", "ANGLE", "FORCE", "MASS", "TIME"];

/// The conversions of one kind of direction to the SI.
pub struct Units {
    pub argument: Unit,
    pub load: Unit,
    pub stiffness: Unit,
    pub damping: Unit,
}

/// The units of forces and of moments; errors are to be put behind the name of the file.
pub fn units(blocks: &[Block]) -> Result<[Units; 2], String> {
    let block = blocks.iter().find(|block| block.name == "UNITS").ok_or(": the block [UNITS] is missing")?;
    let mut words = [""; 4];
    for ((key, known), word) in WORDS.iter().zip(&mut words) {
        let value = block.values.iter().find(|(name, ..)| name == key);
        let (_, value, line) = value.ok_or_else(|| format!(":{}: [UNITS] has no {key}", block.line))?;
        let found = known.iter().find(|(name, _)| name.eq_ignore_ascii_case(value));
        *word = found.map(|(_, unit)| *unit).ok_or_else(|| {
            let names: Vec<_> = known.iter().map(|(name, _)| *name).collect();
            format!(":{line}: {key} = '{value}' is not a known unit; available: {}", names.join(", "))
        })?;
    }
    let [length, angle, force, time] = words;
    let unit = |text: &str| Unit::parse(text).ok_or_else(|| format!(":{}: {text} is not a known unit", block.line));
    let of = |argument: &str, load: &str| {
        Ok::<_, String>(Units {
            argument: unit(argument)?,
            load: unit(load)?,
            stiffness: unit(&format!("{load}/{argument}"))?,
            damping: unit(&format!("{load}.{time}/{argument}"))?,
        })
    };
    Ok([of(length, force)?, of(angle, &format!("{force}.{length}"))?])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_words_are_known_units() {
        for (_, words) in WORDS {
            for (word, unit) in words {
                assert!(Unit::parse(unit).is_some(), "{word}");
            }
        }
    }
}
