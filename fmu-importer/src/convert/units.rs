//! The block of units.

use spreadsheet::units::{SYMBOLS, Symbol, Unit};

use super::teim_orbit::Block;

/// Quantities of the block, each with the unit of the SI.
const QUANTITIES: [(&str, &str); 4] = [("LENGTH", "m"), ("ANGLE", "rad"), ("FORCE", "N"), ("TIME", "s")];

/// The keys of the block; that of masses is not needed.
pub const KEYS: [&str; 5] = ["LENGTH", "ANGLE", "FORCE", "MASS", "TIME"];

/// The conversions of one kind of direction to the SI.
pub struct Units {
    pub argument: Unit,
    pub load: Unit,
    pub stiffness: Unit,
    pub damping: Unit,
}

/// Returns the units of forces and of moments; errors are to be put behind the name of the file.
pub fn units(blocks: &[Block]) -> Result<[Units; 2], String> {
    let block = blocks.iter().find(|block| block.name == "UNITS").ok_or(": the block [UNITS] is missing")?;
    let mut words = [const { String::new() }; 4];
    for ((key, si), word) in QUANTITIES.iter().zip(&mut words) {
        let value = block.values.iter().find(|(name, ..)| name == key);
        let (_, value, line) = value.ok_or_else(|| format!(":{}: [UNITS] has no {key}", block.line))?;
        // Programs do not tell small letters from capitals here.
        let spellings = [value.clone(), value.to_lowercase()];
        let dimension = |text: &str| Unit::parse(text).map(|unit| unit.dimension);
        let measures = |text: &String| dimension(text).is_some() && dimension(text) == dimension(si);
        *word = spellings
            .into_iter()
            .find(measures)
            .ok_or_else(|| format!(":{line}: {key} = '{value}' is not a known unit; available: {}", available(si)))?;
    }
    let [length, angle, force, time] = &words;
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

/// Returns the first spelling of each unit, and a word with a prefix.
fn available(si: &str) -> String {
    let symbols = SYMBOLS.iter().filter(|symbol| symbol.si == si && !symbol.names_quantity);
    let prefixed = |symbol: &&Symbol| symbol.has_prefixes.then(|| format!("milli{}, kilo{0}", symbol.names[1]));
    let names = symbols.clone().flat_map(|symbol| symbol.names.iter().take(2).map(|name| (*name).to_owned()));
    names.chain(symbols.filter_map(|symbol| prefixed(&symbol))).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The words are those of the public help of these programs.
    #[test]
    fn words_of_property_files_are_known_units() {
        for (words, si) in [
            ("mm millimeter MM cm m meter METER km inch foot", "m"),
            ("degree degrees deg DEGREES radian radians rad", "rad"),
            ("newton NEWTON N knewton kilonewton kg_force kilogram_force kgf pound_force lbf", "N"),
            ("second SECOND sec s millisecond ms minute hour", "s"),
        ] {
            for word in words.split(' ') {
                let unit = Unit::parse(word).or(Unit::parse(&word.to_lowercase()));
                assert_eq!(unit.map(|unit| unit.dimension), Unit::parse(si).map(|unit| unit.dimension), "{word}");
            }
        }
    }
}
