//! Dependencies of the elements of variables, as a library of FMI 3.0 gives them.

use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, HashMap, HashSet};

use c_interface::{Dependency, Status};
use fmu_builder::ArrayVariable;

use super::failure::{Done, Failure};
use super::instance::Instance;

const CALL: &str = "fmi3GetVariableDependencies";

impl Instance {
    /// Returns those of the knowns on which each of the elements depends.
    ///
    /// # Errors
    ///
    /// Also when the FMU gives elements that do not exist.
    pub fn dependencies(&self, elements: &[u32], knowns: &[u32]) -> Done<Vec<Vec<u32>>> {
        let arrays = &self.model().arrays;
        let by_reference: HashMap<u32, &ArrayVariable> =
            arrays.iter().map(|array| (array.value_reference, array)).collect();
        let knowns: HashSet<&u32> = knowns.iter().collect();
        let mut found: BTreeMap<usize, Vec<Dependency>> = BTreeMap::new();
        let mut list = |element: &u32| {
            let number = self.array_of(*element);
            let array = &arrays[number];
            let all = match found.entry(number) {
                Entry::Occupied(entry) => entry.into_mut(),
                Entry::Vacant(entry) => {
                    let all = self.call([CALL; 2], |fmi| fmi.dependencies(array.value_reference))?;
                    all.iter().try_for_each(|one| check(one, array, &by_reference))?;
                    entry.insert(all)
                }
            };
            let position = *element as usize - array.elements.start + 1;
            let of_element = all.iter().filter(|one| one.element == 0 || one.element == position);
            let independent = of_element.filter_map(|one| Some((one, by_reference.get(&one.independent)?)));
            let places = independent.flat_map(|(one, array)| match one.independent_element {
                0 => array.elements.clone(),
                position => array.elements.start + position - 1..array.elements.start + position,
            });
            Ok(places.map(|place| place as u32).filter(|place| knowns.contains(place)).collect())
        };
        elements.iter().map(&mut list).collect()
    }
}

/// Checks that a dependency is of elements that exist; a variable that is not known here may be a Clock or a Binary.
fn check(one: &Dependency, dependent: &ArrayVariable, by_reference: &HashMap<u32, &ArrayVariable>) -> Done {
    let independent = by_reference.get(&one.independent).map(|array| (one.independent_element, *array));
    for (element, array) in [(one.element, dependent)].into_iter().chain(independent) {
        if element > array.elements.len() {
            let (name, size) = (&array.name, array.elements.len());
            let elements = if size == 1 { "element" } else { "elements" };
            let reason = format!("it gives element {element} of `{name}`, which has {size} {elements}");
            return Err(Failure { call: CALL, status: Status::Ok, reason });
        }
    }
    Ok(())
}
