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
    // Tables have hundreds of thousands of elements, so nothing is allocated for each.
    let (name, _) = indices(&variables[first].name)?;
    let elements = || variables[first..].iter().map_while(|variable| indices(&variable.name).filter(|it| it.0 == name));
    let (_, last) = elements().last()?;
    let dimensions: Vec<_> = numbers(last).flatten().collect();
    let mut expected = vec![1; dimensions.len()];
    let mut count = 0;
    for (_, indices) in elements() {
        if !numbers(indices).eq(expected.iter().copied().map(Some)) {
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

/// Splits name and indices: `a.b[1,2]` → `a.b` and `1,2`.
fn indices(name: &str) -> Option<(&str, &str)> {
    let (base, list) = name.strip_suffix(']')?.rsplit_once('[')?;
    numbers(list).all(|index| index.is_some()).then_some((base, list))
}

/// Returns the indices in a list, none in place of what is not one.
fn numbers(list: &str) -> impl Iterator<Item = Option<usize>> {
    list.split(',').map(|index| index.parse().ok())
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
}
