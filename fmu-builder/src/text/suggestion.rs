//! "Did you mean": the valid name that is most like a wrong one.

/// Returns the candidate most like `name`, or the shortest that contains it, if one is worth a question; of two as short,
/// the one that begins with it.
pub fn suggestion<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let name = name.to_lowercase();
    let length = name.chars().count();
    let limit = 1 + length / 4;
    let begins = |candidate: &str| length > 2 && candidate.to_lowercase().starts_with(&name);
    let contains = |candidate: &str| length > 3 && candidate.to_lowercase().contains(&name);
    candidates
        .into_iter()
        // The distance is at least the difference of the lengths, which is much cheaper.
        .filter(|candidate| {
            candidate.chars().count().abs_diff(length) <= limit || begins(candidate) || contains(candidate)
        })
        .map(|candidate| (strsim::damerau_levenshtein(&name, &candidate.to_lowercase()), candidate))
        .filter(|(distance, candidate)| *distance <= limit || begins(candidate) || contains(candidate))
        .min_by_key(|(distance, candidate)| (*distance, !begins(candidate)))
        .map(|(_, candidate)| candidate)
}

/// Returns the second half of a message on an unknown name.
pub(crate) fn did_you_mean<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> String {
    suggestion(name, candidates).map(|found| format!("; did you mean \"{found}\"?")).unwrap_or_default()
}

/// Returns the position of a name, which may be spelled as in a list to choose from: `X and Y` is `xAndY`.
pub(crate) fn spelled(text: &str, names: &[String]) -> Option<usize> {
    let letters = |text: &str| -> String {
        text.chars().filter(|c| !matches!(c, ' ' | '_' | '-')).flat_map(char::to_lowercase).collect()
    };
    let meant = letters(text);
    names.iter().position(|name| name == text).or_else(|| names.iter().position(|name| letters(name) == meant))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_most_similar_name_is_found() {
        let names = ["TS", "TD", "c_r", "frame_a.r_0"];
        assert_eq!(suggestion("TSS", names), Some("TS"));
        assert_eq!(suggestion("ts", names), Some("TS"));
        assert_eq!(suggestion("frame_a.r0", names), Some("frame_a.r_0"));
        assert_eq!(suggestion("velocity", names), None);
        assert_eq!(suggestion("frame", names), Some("frame_a.r_0"));
        assert_eq!(suggestion("fr", names), None);
        assert_eq!(suggestion("Gear", ["Generator", "IdealGearR2T", "IdealGear"]), Some("IdealGear"));
        assert_eq!(suggestion("Gear", ["GearConstraint", "IdealGear"]), Some("IdealGear"));
        assert_eq!(suggestion("Gear", ["IdealGear", "GearIdeal"]), Some("GearIdeal"));
        assert_eq!(suggestion("ear", ["IdealGear"]), None);
    }
}
