//! The configuration of a bushing with the fitted laws.

use std::fmt::Write;

use super::law::{Friction, Law, Maxwell};
use super::measured::{Axes, AxisKind};

/// Relaxation time where an axis has fewer elements than another; its stiffness there is 0.
const ANY_TIME: f64 = 1.0;

/// Returns the configuration in TOML; each law is for axes, and each axis has one law or none. All three axes of a kind
/// have some.
pub fn configuration(fits: &[(Axes, Law)], origin: &str) -> String {
    let (mut structure, mut parameters) = (String::new(), String::new());
    for (kind, letter, load) in [(AxisKind::Translation, 'T', 'F'), (AxisKind::Rotation, 'R', 'M')] {
        let of = |axis: usize| fits.iter().find(|(axes, _)| axes.kind == kind && axes.which[axis]).map(|(_, law)| law);
        let [Some(x), Some(y), Some(z)] = [of(0), of(1), of(2)] else { continue };
        let laws = [x, y, z];
        let mut row = |name: &str, value: &dyn Fn(&Law) -> f64| {
            let _ = writeln!(parameters, "{name} = {:?}", laws.map(|law| rounded(value(law))));
        };
        row(&format!("{letter}S"), &|law| law.stiffness);
        // The losses are those of the elements.
        row(&format!("{letter}D"), &|_| 0.0);
        let elements = laws.iter().map(|law| law.maxwell.len()).max().unwrap_or_default();
        for number in 0..elements {
            let element =
                |law: &Law| law.maxwell.get(number).copied().unwrap_or(Maxwell { stiffness: 0.0, tau: ANY_TIME });
            row(&format!("{letter}S_maxwell_{}", number + 1), &|law| element(law).stiffness);
            row(&format!("{letter}tau_maxwell_{}", number + 1), &|law| element(law).tau);
        }
        let rubs = laws.iter().any(|law| law.friction.is_some());
        if rubs {
            let friction = |law: &Law| law.friction.unwrap_or(Friction { stiffness: 0.0, limit: 0.0 });
            row(&format!("{letter}S_friction"), &|law| friction(law).stiffness);
            row(&format!("{letter}{load}_friction"), &|law| friction(law).limit);
        }
        if elements > 0 {
            let _ = writeln!(structure, "maxwell_{letter} = {elements}");
        }
        if rubs {
            let _ = writeln!(structure, "friction_{letter} = true");
        }
    }
    let section = if structure.is_empty() { String::new() } else { format!("[structure]\n{structure}\n") };
    let origin: String = origin.chars().filter(|character| !character.is_control()).collect();
    format!("# Fitted to {origin}.\ncomponent = \"bushing\"\n\n{section}[parameters]\n{parameters}")
}

/// Returns a value with six digits: more would not be known.
fn rounded(value: f64) -> f64 {
    format!("{value:.5e}").parse().unwrap_or(value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn axes_with_fewer_elements_have_some_of_no_stiffness() {
        let radial = Law {
            stiffness: 3.00000049e6,
            maxwell: vec![Maxwell { stiffness: 4e5, tau: 0.05 }],
            friction: Some(Friction { stiffness: 1.2e6, limit: 60.0 }),
        };
        let axial = Law { stiffness: 5e5, maxwell: Vec::new(), friction: None };
        let axes = |text| Axes::parse(text).unwrap();
        let text =
            configuration(&[(axes("z"), axial.clone()), (axes("xy"), radial)], "radial.csv (xy), a\nxial.csv (z)");
        assert_eq!(
            text,
            "# Fitted to radial.csv (xy), axial.csv (z).\ncomponent = \"bushing\"\n\n[structure]\nmaxwell_T = 1\nfriction_T = true\n\n\
             [parameters]\nTS = [3000000.0, 3000000.0, 500000.0]\nTD = [0.0, 0.0, 0.0]\n\
             TS_maxwell_1 = [400000.0, 400000.0, 0.0]\nTtau_maxwell_1 = [0.05, 0.05, 1.0]\n\
             TS_friction = [1200000.0, 1200000.0, 0.0]\nTF_friction = [60.0, 60.0, 0.0]\n"
        );
        let text = configuration(&[(axes("123"), axial)], "a");
        assert!(
            text.ends_with("\"bushing\"\n\n[parameters]\nRS = [500000.0, 500000.0, 500000.0]\nRD = [0.0, 0.0, 0.0]\n"),
            "{text}"
        );
    }
}
