//! Names that have another meaning for Modelica or Windows.

/// Predefined classes and top-level packages of Modelica, which a model of the same name would hide.
const MODELICA: &str = "Real Integer Boolean String Clock Complex StateSelect AssertionLevel ExternalObject \
    Connections Modelica ModelicaServices ModelicaReference OpenModelica MechanicalFMUs";

/// Returns the reason why an FMU cannot have this name, which is an identifier, if it cannot.
pub fn reserved(name: &str) -> Option<&'static str> {
    if MODELICA.split(' ').any(|class| class == name) {
        return Some("hides a name of Modelica: models next to it would use the FMU instead");
    }
    // The description of the package of Modelica models is a file of this name.
    let is_file = is_device(name) || name.eq_ignore_ascii_case("package");
    is_file.then_some("cannot be the name of a file on Windows")
}

/// Returns true if a file of this name, without its extensions, would be a device on Windows.
pub(crate) fn is_device(file: &str) -> bool {
    let stem = file.split('.').next().unwrap_or_default().trim_end().to_ascii_uppercase();
    let port = stem.strip_prefix("COM").or_else(|| stem.strip_prefix("LPT"));
    matches!(&*stem, "CON" | "PRN" | "AUX" | "NUL") || port.is_some_and(|n| matches!(n.as_bytes(), [b'1'..=b'9']))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn devices_of_windows_have_any_case_and_extension() {
        for file in ["con", "Aux.csv", "nul.tar.gz", "COM1", "lpt9.xlsx", "PRN .txt"] {
            assert!(is_device(file), "{file}");
        }
        for file in ["Console", "COM", "COM0", "COM10", "lpt", "axu.con", ""] {
            assert!(!is_device(file), "{file}");
        }
    }

    #[test]
    fn classes_of_modelica_are_compared_exactly() {
        assert!(reserved("Real").is_some() && reserved("Modelica").is_some() && reserved("Package").is_some());
        assert_eq!([reserved("REAL"), reserved("Reals"), reserved("ModelicaFront")], [None; 3]);
    }
}
