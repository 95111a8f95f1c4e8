//! Vectors, matrices and tables, recognised among the scalar variables.

use crate::description::Variable;

/// A scalar variable, or an array with its elements row by row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Group<'a> {
    /// Name without the last indices.
    pub name: &'a str,
    /// Sizes of the array; none for a scalar.
    pub dimensions: Vec<usize>,
    /// Positions of the elements among the variables.
    pub members: std::ops::Range<usize>,
}

/// Returns the variables in their order, with the elements of an array as one group.
pub(crate) fn group_arrays(variables: &[Variable]) -> Vec<Group<'_>> {
    let mut groups: Vec<Group<'_>> = Vec::new();
    let mut position = 0;
    while position < variables.len() {
        let group = array(variables, position).unwrap_or_else(|| Group {
            name: &variables[position].name,
            dimensions: Vec::new(),
            members: position..position + 1,
        });
        position = group.members.end;
        groups.push(group);
    }
    groups
}

/// Returns the complete array that starts here, with indices from 1, the last index fastest.
fn array(variables: &[Variable], first: usize) -> Option<Group<'_>> {
    // Tables have hundreds of thousands of elements, so nothing is allocated for each, and bytes are looked at.
    let first_name = &variables[first].name;
    let name = &first_name[..first_name.rfind('[')?];
    let elements = || variables[first..].iter().map_while(|variable| indices(&variable.name, name));
    let dimensions: Vec<usize> = numbers(elements().last()?).collect();
    let mut expected = vec![1; dimensions.len()];
    let mut count = 0;
    for indices in elements() {
        if !numbers(indices).eq(expected.iter().copied()) {
            return None;
        }
        count += 1;
        for (index, size) in expected.iter_mut().zip(&dimensions).rev() {
            if *index < *size {
                *index += 1;
                break;
            }
            *index = 1;
        }
    }
    let is_complete = dimensions.iter().try_fold(1_usize, |product, size| product.checked_mul(*size)) == Some(count);
    is_complete.then(|| Group { name, dimensions, members: first..first + count })
}

/// Returns the indices of an element of an array: `1,2` of `a.b[1,2]` in `a.b`.
fn indices<'a>(element: &'a str, array: &str) -> Option<&'a [u8]> {
    let list = element.as_bytes().strip_prefix(array.as_bytes())?.strip_prefix(b"[")?.strip_suffix(b"]")?;
    // A comma is followed by a digit, and so is the bracket.
    let mut before = b',';
    for byte in list {
        if !(byte.is_ascii_digit() || *byte == b',' && before != b',') {
            return None;
        }
        before = *byte;
    }
    (before != b',').then_some(list)
}

/// Returns the indices in a list.
fn numbers(list: &[u8]) -> impl Iterator<Item = usize> {
    list.split(|byte| *byte == b',').map(number)
}

/// Returns the number that digits stand for, the largest possible one if it is too large.
fn number(digits: &[u8]) -> usize {
    let mut number = 0_usize;
    for digit in digits {
        number = number.saturating_mul(10).saturating_add(usize::from(digit - b'0'));
    }
    number
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::example::{description, real};

    #[test]
    fn arrays_become_one_group() {
        let variables = description().variables;
        let groups = group_arrays(&variables);
        let shown: Vec<String> = groups.iter().map(|group| format!("{}{:?}", group.name, group.dimensions)).collect();
        assert_eq!(shown[..6], ["time[]", "c[2]", "s[]", "x[]", "f[]", "der(x)[]"]);
        assert!(shown.contains(&"table[2, 2]".to_owned()));
        assert_eq!(groups.iter().map(|group| group.members.len()).sum::<usize>(), variables.len());
    }

    #[test]
    fn incomplete_arrays_stay_scalars() {
        let variables: Vec<_> = ["a[1]", "a[3]", "b[0]", "b[1]", "c[2,1]", "c[1,1]"].map(real).into();
        assert_eq!(group_arrays(&variables).len(), 6);
    }

    #[test]
    fn what_is_no_list_of_indices_belongs_to_the_name() {
        let names =
            ["a[]", "a[,]", "a[1,]", "a[,1]", "a[1,,1]", "a[x]", "a[-1]", "[1]x", "a]", "a[99999999999999999999]"];
        let variables: Vec<_> = names.map(real).into();
        let groups = group_arrays(&variables);
        assert!(groups.iter().all(|group| group.dimensions.is_empty()), "{groups:?}");
        // Elements of another rank or array end one.
        let variables: Vec<_> =
            ["a[1]", "a[2]", "ab[1]", "b[1].x[1]", "b[1].x[2]", "b[2].x[1]", "c[1]", "c[1,1]"].map(real).into();
        let groups = group_arrays(&variables);
        let shown: Vec<String> = groups.iter().map(|group| format!("{}{:?}", group.name, group.dimensions)).collect();
        assert_eq!(shown, ["a[2]", "ab[1]", "b[1].x[2]", "b[2].x[1]", "c[1][]", "c[1, 1]"]);
    }
}
