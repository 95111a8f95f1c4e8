//! Access to the scalar variables of a description by FMI 3.0: arrays as a whole, by a function for each type.

use std::collections::{BTreeMap, BTreeSet};

use c_interface::{CInstance, IntegerType, Status, Variables};
use fmu_builder::description::DataType;

use super::failure::{Done, Failure, Names};
use super::given::Elements;
use super::instance::Instance;
use crate::values::value::Value;

/// Variables of one type, with the number of their values.
struct Sized {
    references: Vec<u32>,
    size: usize,
}

impl Variables for Sized {
    fn references(&self) -> &[u32] {
        &self.references
    }

    fn size(&self) -> usize {
        self.size
    }
}

/// Returns the names of the functions that get and set values of a type.
fn names(kind: DataType) -> [Names; 2] {
    match kind {
        DataType::Float32 => [["fmi3GetFloat32"; 2], ["fmi3SetFloat32"; 2]],
        DataType::Float64 => [["fmi3GetFloat64"; 2], ["fmi3SetFloat64"; 2]],
        DataType::Int8 => [["fmi3GetInt8"; 2], ["fmi3SetInt8"; 2]],
        DataType::UInt8 => [["fmi3GetUInt8"; 2], ["fmi3SetUInt8"; 2]],
        DataType::Int16 => [["fmi3GetInt16"; 2], ["fmi3SetInt16"; 2]],
        DataType::UInt16 => [["fmi3GetUInt16"; 2], ["fmi3SetUInt16"; 2]],
        DataType::Int32 => [["fmi3GetInt32"; 2], ["fmi3SetInt32"; 2]],
        DataType::UInt32 => [["fmi3GetUInt32"; 2], ["fmi3SetUInt32"; 2]],
        DataType::Int64 | DataType::Enumeration => [["fmi3GetInt64"; 2], ["fmi3SetInt64"; 2]],
        DataType::UInt64 => [["fmi3GetUInt64"; 2], ["fmi3SetUInt64"; 2]],
        DataType::Boolean => [["fmi3GetBoolean"; 2], ["fmi3SetBoolean"; 2]],
        DataType::String => [["fmi3GetString"; 2], ["fmi3SetString"; 2]],
    }
}

/// Returns the type of the functions for integers.
fn whole(kind: DataType) -> IntegerType {
    match kind {
        DataType::Int8 => IntegerType::Int8,
        DataType::UInt8 => IntegerType::UInt8,
        DataType::Int16 => IntegerType::Int16,
        DataType::UInt16 => IntegerType::UInt16,
        DataType::Int32 => IntegerType::Int32,
        DataType::UInt32 => IntegerType::UInt32,
        DataType::UInt64 => IntegerType::UInt64,
        _ => IntegerType::Int64,
    }
}

impl Instance {
    /// Returns the number of the array that an element belongs to.
    pub(super) fn array_of(&self, element: u32) -> usize {
        self.model().arrays.partition_point(|array| array.elements.end <= element as usize)
    }

    /// Returns the arrays of elements by types, each once.
    fn by_type(&self, elements: impl Iterator<Item = u32>) -> Vec<(DataType, Vec<usize>)> {
        let arrays: BTreeSet<usize> = elements.map(|element| self.array_of(element)).collect();
        let of_type =
            |kind| arrays.iter().copied().filter(|array| self.model().arrays[*array].data_type == kind).collect();
        let by_type = DataType::ALL.into_iter().map(|kind| (kind, of_type(kind)));
        by_type.filter(|(_, arrays): &(_, Vec<_>)| !arrays.is_empty()).collect()
    }

    fn sized(&self, arrays: &[usize]) -> Sized {
        let arrays = || arrays.iter().map(|array| &self.model().arrays[*array]);
        Sized {
            references: arrays().map(|array| array.value_reference).collect(),
            size: arrays().map(|array| array.elements.len()).sum(),
        }
    }

    /// Returns the values of elements, given those of whole arrays.
    fn picked<T: Clone>(
        &self,
        elements: &[u32],
        mut get: impl FnMut(DataType, &Sized) -> Done<Vec<T>>,
    ) -> Done<Vec<T>> {
        let mut values: Vec<T> = Vec::new();
        let mut begins = BTreeMap::new();
        for (kind, arrays) in self.by_type(elements.iter().copied()) {
            let mut begin = values.len();
            values.extend(get(kind, &self.sized(&arrays))?);
            for array in arrays {
                begins.insert(array, begin);
                begin += self.model().arrays[array].elements.len();
            }
        }
        let value = |element: &u32| {
            let array = self.array_of(*element);
            values[begins[&array] + *element as usize - self.model().arrays[array].elements.start].clone()
        };
        Ok(elements.iter().map(value).collect())
    }

    /// Gets elements of any type but String as numbers.
    pub(super) fn numbers_of_arrays(&self, elements: &[u32]) -> Done<Vec<f64>> {
        self.picked(elements, |kind, variables| {
            let [get, _] = names(kind);
            let (vr, size) = (variables.references(), variables.size());
            match kind {
                DataType::Float64 => self.call(get, |fmi| fmi.get_real(variables)),
                DataType::Float32 => {
                    let values = self.call(get, |fmi| fmi.get_floats_32(vr, size))?;
                    Ok(values.into_iter().map(f64::from).collect())
                }
                DataType::Boolean => {
                    let values = self.call(get, |fmi| fmi.get_boolean(variables))?;
                    Ok(values.into_iter().map(f64::from).collect())
                }
                _ => {
                    let values = self.call(get, |fmi| fmi.get_integers(whole(kind), vr, size))?;
                    Ok(values.into_iter().map(|value| value as f64).collect())
                }
            }
        })
    }

    /// Gets elements of Strings.
    pub(super) fn strings_of_arrays(&self, elements: &[u32]) -> Done<Vec<Option<String>>> {
        self.picked(elements, |kind, variables| {
            let [get, _] = names(kind);
            self.call(get, |fmi| fmi.get_string(variables))
        })
    }

    /// Sets elements, together with the values that their arrays were given before.
    pub(super) fn set_in_arrays(&self, values: &[(u32, &Value)]) -> Done {
        let mut changed: BTreeMap<usize, Elements> = BTreeMap::new();
        for (element, value) in values {
            let array = self.array_of(*element);
            let variable = &self.model().arrays[array];
            let elements = changed.entry(array).or_insert_with(|| self.given.borrow().0[array].clone());
            let position = *element as usize - variable.elements.start;
            let fits = match (elements, value) {
                (Elements::Reals(reals), Value::Real(value)) => {
                    reals[position] = *value;
                    // Beyond its range, a number would become infinite.
                    variable.data_type == DataType::Float64 || (*value as f32).is_infinite() == value.is_infinite()
                }
                (Elements::Integers(numbers), Value::Integer(value)) => {
                    numbers[position] = *value;
                    let (min, max) = variable.data_type.limits();
                    (min..=max).contains(&numbers[position])
                }
                (Elements::Integers(numbers), Value::Boolean(value)) => {
                    numbers[position] = i128::from(*value);
                    true
                }
                (Elements::Strings(texts), Value::String(value)) => {
                    texts[position].clone_from(value);
                    true
                }
                _ => false,
            };
            if !fits {
                let [_, [_, call]] = names(variable.data_type);
                let (name, kind) = (&self.model().variables[*element as usize].name, variable.data_type.name());
                let reason = format!("`{name}` cannot be {}, it is {kind}", value.shown());
                return Err(Failure { call, status: Status::Ok, reason });
            }
        }
        for (kind, arrays) in self.by_type(values.iter().map(|(element, _)| *element)) {
            self.set_arrays(kind, &arrays, &changed)?;
            let mut given = self.given.borrow_mut();
            arrays.iter().for_each(|array| given.0[*array] = changed[array].clone());
        }
        Ok(())
    }

    /// Sets arrays of one type.
    fn set_arrays(&self, kind: DataType, arrays: &[usize], values: &BTreeMap<usize, Elements>) -> Done {
        let [_, set] = names(kind);
        let vr = self.sized(arrays).references;
        let (mut reals, mut numbers, mut texts) = (Vec::new(), Vec::new(), Vec::new());
        for array in arrays {
            match &values[array] {
                Elements::Reals(values) => reals.extend(values),
                Elements::Integers(values) => numbers.extend(values),
                Elements::Strings(values) => texts.extend(values.iter().map(|text| Some(text.as_bytes()))),
            }
        }
        self.done(set, |fmi: &CInstance| match kind {
            DataType::Float64 => fmi.set_real(&vr, &reals),
            DataType::Float32 => fmi.set_floats_32(&vr, &reals.iter().map(|real| *real as f32).collect::<Vec<_>>()),
            DataType::Boolean => {
                fmi.set_boolean(&vr, &numbers.iter().map(|number| i32::from(*number != 0)).collect::<Vec<_>>())
            }
            DataType::String => fmi.set_string(&vr, &texts),
            _ => fmi.set_integers(whole(kind), &vr, &numbers),
        })
    }

    /// Returns the arrays of some elements, with a seed for each of their elements: 0 for the others.
    fn seeded(&self, elements: &[u32], seeds: &[f64]) -> (Sized, Vec<f64>) {
        let mut begins = BTreeMap::new();
        let mut size = 0;
        for array in elements.iter().map(|element| self.array_of(*element)).collect::<BTreeSet<_>>() {
            begins.insert(array, size);
            size += self.model().arrays[array].elements.len();
        }
        let mut all = vec![0.0; size];
        for (element, seed) in elements.iter().zip(seeds) {
            let array = self.array_of(*element);
            all[begins[&array] + *element as usize - self.model().arrays[array].elements.start] += seed;
        }
        (self.sized(&begins.into_keys().collect::<Vec<_>>()), all)
    }

    /// Returns the derivatives of elements along seeds of others, all of the type Float64.
    pub(super) fn directional_derivative_of_arrays(
        &self,
        unknowns: &[u32],
        knowns: &[u32],
        seeds: &[f64],
    ) -> Done<Vec<f64>> {
        let (known, seeds) = self.seeded(knowns, seeds);
        self.picked(unknowns, |_, variables| {
            let derivative = |fmi: &CInstance| fmi.directional_derivative(variables, known.references(), &seeds);
            self.call(["fmi3GetDirectionalDerivative"; 2], derivative)
        })
    }

    /// `mechanics3_sensitivity` of elements, and of the event indicators, of which there are so many.
    pub(super) fn sensitivity_of_arrays(
        &self,
        unknowns: &[u32],
        knowns: &[u32],
        seeds: &[f64],
        count: usize,
    ) -> Done<[Vec<f64>; 2]> {
        let (known, seeds) = self.seeded(knowns, seeds);
        let mut indicators = Vec::new();
        let mut derive = |variables: &Sized| {
            let derive = |fmi: &CInstance| fmi.sensitivity(variables, known.references(), &seeds, count);
            let [derivatives, own] = self.call(["mechanics3_sensitivity"; 2], derive)?;
            indicators = own;
            Ok(derivatives)
        };
        let derivatives = match unknowns {
            [] => derive(&self.sized(&[]))?,
            _ => self.picked(unknowns, |_, variables| derive(variables))?,
        };
        Ok([derivatives, indicators])
    }

    /// `fmi3GetOutputDerivatives` of elements; those of an array have one order.
    pub(super) fn output_derivatives_of_arrays(&self, elements: &[u32], orders: &[i32]) -> Done<Vec<f64>> {
        let order = orders.first().copied().unwrap_or(1);
        self.picked(elements, |_, variables| {
            let orders = vec![order; variables.references().len()];
            let get = |fmi: &CInstance| fmi.get_real_output_derivatives(variables, &orders);
            self.call(["fmi3GetOutputDerivatives"; 2], get)
        })
    }

    /// `fmi3GetAdjointDerivative`: the derivatives of elements weighted with seeds, along each of the knowns.
    pub fn adjoint_derivative(&self, unknowns: &[u32], knowns: &[u32], seeds: &[f64]) -> Done<Vec<f64>> {
        let (unknown, seeds) = self.seeded(unknowns, seeds);
        self.picked(knowns, |_, variables| {
            let derivative = |fmi: &CInstance| fmi.adjoint_derivative(unknown.references(), variables, &seeds);
            self.call(["fmi3GetAdjointDerivative"; 2], derivative)
        })
    }
}
