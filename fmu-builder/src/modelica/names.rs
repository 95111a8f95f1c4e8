//! Names, strings and numbers in Modelica syntax.

/// The name of a variable in OpenModelica's block of an FMU, with a `_` for each character that an
/// identifier cannot have.
pub(super) fn of_block(variable: &str) -> String {
    variable.replace(['.', '[', ']', ' ', ',', '(', ')'], "_")
}

/// OpenModelica's block of an FMU for Model Exchange.
pub(super) fn block(fmu: &str) -> String {
    format!("{fmu}_me_FMU")
}

/// An identifier for a variable with dots in its name.
pub(super) fn identifier(name: &str) -> String {
    name.replace(['.', '(', ')'], "_")
}

/// A text in quotation marks.
pub(super) fn text(text: &str) -> String {
    let mut quoted = String::from("\"");
    for character in text.chars() {
        match character {
            '"' => quoted += "\\\"",
            '\\' => quoted += "\\\\",
            '\n' => quoted += "\\n",
            '\r' => quoted += "\\r",
            '\t' => quoted += "\\t",
            other => quoted.push(other),
        }
    }
    quoted + "\""
}

/// A number with all its digits.
pub(super) fn real(value: f64) -> String {
    format!("{value:?}")
}

/// `{a, b, c}`
pub(super) fn list(elements: impl IntoIterator<Item = String>) -> String {
    format!("{{{}}}", elements.into_iter().collect::<Vec<_>>().join(", "))
}

/// Elements row by row, with a level of braces for each dimension; a scalar without any.
pub(super) fn array(elements: &[String], dimensions: &[usize]) -> String {
    match dimensions {
        [] => elements.concat(),
        [_] => list(elements.iter().cloned()),
        [_, rest @ ..] => list(elements.chunks(rest.iter().product()).map(|part| array(part, rest))),
    }
}

/// `[3,3]`, or nothing for a scalar.
pub(super) fn sizes(dimensions: &[usize]) -> String {
    if dimensions.is_empty() {
        return String::new();
    }
    format!("[{}]", dimensions.iter().map(usize::to_string).collect::<Vec<_>>().join(", "))
}

/// The elements of an array, row by row: `name[1, 1]`, …
pub(super) fn elements(name: &str, dimensions: &[usize]) -> Vec<String> {
    match dimensions {
        [] => vec![name.to_owned()],
        [size] => (1..=*size).map(|i| format!("{name}[{i}]")).collect(),
        [rows, columns, ..] => {
            (1..=*rows).flat_map(|i| (1..=*columns).map(move |j| format!("{name}[{i}, {j}]"))).collect()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_those_of_openmodelica() {
        for (variable, name) in
            [("frame_a.R.T[1,2]", "frame_a_R_T_1_2_"), ("der(x)", "der_x_"), ("lossPower", "lossPower")]
        {
            assert_eq!(of_block(variable), name);
        }
        assert_eq!(block("Spring"), "Spring_me_FMU");
    }

    #[test]
    fn texts_are_quoted() {
        assert_eq!(text("a \"b\"\\\nc"), r#""a \"b\"\\\nc""#);
    }

    #[test]
    fn arrays_have_braces_for_each_dimension() {
        let elements: Vec<String> = (1..=4).map(|i| i.to_string()).collect();
        assert_eq!(array(&elements[..1], &[]), "1");
        assert_eq!(array(&elements, &[4]), "{1, 2, 3, 4}");
        assert_eq!(array(&elements, &[2, 2]), "{{1, 2}, {3, 4}}");
        assert_eq!(super::elements("a", &[2, 2]), ["a[1, 1]", "a[1, 2]", "a[2, 1]", "a[2, 2]"]);
    }
}
