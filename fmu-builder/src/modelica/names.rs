//! Names, strings and numbers in Modelica syntax.

/// Returns an identifier for a variable with dots in its name, or for one element of an array.
pub(super) fn identifier(name: &str) -> String {
    name.trim_end_matches(']').replace(['.', '(', ')', '[', ','], "_")
}

/// Returns a text in quotation marks.
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

/// Returns a number with all its digits.
pub(super) fn real(value: f64) -> String {
    format!("{value:?}")
}

/// Returns an array of one dimension, `{a, b, c}`.
pub(super) fn list(elements: impl IntoIterator<Item = String>) -> String {
    format!("{{{}}}", elements.into_iter().collect::<Vec<_>>().join(", "))
}

/// Returns elements row by row, with a level of braces for each dimension; a scalar without any.
pub(super) fn array(elements: &[String], dimensions: &[usize]) -> String {
    match dimensions {
        [] => elements.concat(),
        [_] => list(elements.iter().cloned()),
        [_, rest @ ..] => list(elements.chunks(rest.iter().product()).map(|part| array(part, rest))),
    }
}

/// Returns `{a, b, c}`, or an array without elements, for which Modelica has no braces.
pub(super) fn list_of(zero: &str, elements: &[String]) -> String {
    if elements.is_empty() { format!("fill({zero}, 0)") } else { list(elements.iter().cloned()) }
}

/// Returns value references as an array.
pub(super) fn integers<'a>(references: impl IntoIterator<Item = &'a u32>) -> String {
    list_of("0", &references.into_iter().map(u32::to_string).collect::<Vec<_>>())
}

/// `[3,3]`, or nothing for a scalar.
pub(super) fn sizes(dimensions: &[impl ToString]) -> String {
    if dimensions.is_empty() {
        return String::new();
    }
    format!("[{}]", dimensions.iter().map(ToString::to_string).collect::<Vec<_>>().join(", "))
}

/// Returns the elements of an array, row by row: `name[1, 1]`, …
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
    fn names_become_identifiers() {
        assert_eq!(["a.b", "der(x)", "a.f[2]", "c[1,2]"].map(identifier), ["a_b", "der_x_", "a_f_2", "c_1_2"]);
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
