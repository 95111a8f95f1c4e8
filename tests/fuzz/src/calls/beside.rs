//! The functions beside FMI: what they compute is what FMI's functions do, and they change nothing else.

use std::ffi::c_int;

use fmu_builder::description::{Causality, Variability};

use super::invoke::{Shape, open_if};
use super::{Expected, Modelled};
use crate::bytes::Bytes;
use crate::instance::{Array, OK};
use crate::variables::Base;

impl Modelled {
    /// `mechanics_linear`: the inputs are set to zero, and the results are the outputs then and columns of derivatives.
    pub(super) fn linear(&self, bytes: &mut Bytes<'_>) -> (c_int, Expected) {
        let one = &self.instance;
        let (first, second) = (Shape::of(bytes), Shape::of(bytes));
        let outputs = first.array(0, || self.reference(Base::Real, bytes));
        let inputs = second.array(0, || self.reference(Base::Real, bytes));
        let (rows, columns) = (first.count, second.count);
        let of = |count: usize, null: bool| if null { Array::NULL } else { Array::filled(f64::NAN, count) };
        let (mut factors, mut rest) = (of(rows * columns, second.nulls[1]), of(rows, first.nulls[1]));
        let status = one.linear(&outputs, rows, &inputs, columns, &mut factors, &mut rest);
        if status == OK {
            let real = |references: &Array<u32>| {
                let mut values = Array::filled(f64::NAN, references.slice().len());
                let count = references.slice().len();
                assert_eq!(one.get_real(references, count, &mut values, count), OK);
                values
            };
            assert!(real(&inputs).slice().iter().all(|value| *value == 0.0), "the inputs are not zero");
            let bits = |values: &[f64]| values.iter().map(|value| value.to_bits()).collect::<Vec<_>>();
            assert_eq!(bits(real(&outputs).slice()), bits(rest.slice()), "the outputs are others");
            for column in 0..columns {
                let known = vec![inputs.slice()[column]].into();
                let mut derivatives = Array::filled(f64::NAN, rows);
                let seed = Array::filled(1.0, 1);
                let status =
                    one.get_directional_derivative(&outputs, rows, &known, 1, &seed, 1, &mut derivatives, rows);
                assert_eq!(status, OK);
                let found = (0..rows).map(|row| factors.slice()[row * columns + column]);
                let same = found.clone().zip(derivatives.slice()).all(|(a, b)| a.to_bits() == b.to_bits());
                // The joint has a matrix of its own, which is compared in `tests/tests/linear_form.rs`.
                let is_joint = one.prepared.description.component == "JointUPS";
                assert!(same || is_joint && found.clone().all(|a| !a.is_nan()), "{factors:?}");
            }
        }
        let exist = |references: &Array<u32>| self.exist(Base::Real, references);
        (status, open_if(!first.is_wrong() && !second.is_wrong() && exist(&outputs) && exist(&inputs)))
    }

    /// `mechanics_law`: changes nothing, and has the same results again.
    pub(super) fn law(&self, bytes: &mut Bytes<'_>) -> (c_int, Expected) {
        let one = &self.instance;
        let [arguments, results] = (one.prepared.model)().law_sizes();
        let ((given, no_arguments), (asked, no_results)) = (self.count(bytes, arguments), self.count(bytes, results));
        let (branch, along) = (bytes.integer(), bytes.one_in(2));
        let mut numbers = |null: bool| -> Array<f64> {
            if null { Array::NULL } else { (0..given).map(|_| bytes.real()).collect::<Vec<_>>().into() }
        };
        let u = numbers(no_arguments);
        let direction = numbers(!along);
        let mut y = if no_results { Array::NULL } else { Array::filled(f64::NAN, asked) };
        let before = self.bytes();
        let status = one.law(branch, &u, &direction, given, &mut y, asked);
        if status == OK {
            assert!(self.bytes() == before, "the law changes the state");
            let first = y.clone();
            assert_eq!(one.law(branch, &u, &direction, given, &mut y, asked), OK);
            let bits = |values: &Array<f64>| values.slice().iter().map(|value| value.to_bits()).collect::<Vec<_>>();
            assert_eq!(bits(&first), bits(&y));
        }
        let null = no_arguments && given > 0 || no_results && asked > 0;
        let finite = u.slice().iter().chain(direction.slice()).all(|number| number.is_finite());
        (status, open_if(results > 0 && [given, asked] == [arguments, results] && !null && finite))
    }

    /// `mechanics_sensitivity`: has the same results again, is linear in the direction, and along inputs and states it is the
    /// directional derivative.
    pub(super) fn sensitivity(&self, bytes: &mut Bytes<'_>) -> (c_int, Expected) {
        let one = &self.instance;
        let (first, second) = (Shape::of(bytes), Shape::of(bytes));
        let unknowns = first.array(0, || self.reference(Base::Real, bytes));
        let knowns = second.array(0, || self.reference(Base::Real, bytes));
        let seeds = second.array(1, || bytes.real());
        let (asked, no_indicators) = self.count(bytes, one.variables().indicators);
        let (rows, columns) = (first.count, second.count);
        let of = |count: usize, null: bool| if null { Array::NULL } else { Array::filled(f64::NAN, count) };
        let along = |seeds: &Array<f64>| {
            let (mut derivatives, mut indicators) = (of(rows, first.nulls[1]), of(asked, no_indicators));
            let status =
                one.sensitivity(&unknowns, rows, &knowns, columns, seeds, &mut derivatives, &mut indicators, asked);
            (status, [derivatives.slice(), indicators.slice()].concat())
        };
        let (status, derivatives) = along(&seeds);
        if status == OK {
            // The first call may have computed what getters tell.
            let before = self.bytes();
            let bits = |values: &[f64]| values.iter().map(|value| value.to_bits()).collect::<Vec<_>>();
            let (again, same) = along(&seeds);
            assert_eq!((again, bits(&same)), (OK, bits(&derivatives)));
            assert!(self.bytes() == before, "the sensitivity changes the state");
            let is_usual = |value: &f64| *value == 0.0 || (1e-100..1e100).contains(&value.abs());
            let twice: Array<f64> = seeds.slice().iter().map(|seed| 2.0 * seed).collect::<Vec<_>>().into();
            if seeds.slice().iter().all(is_usual) {
                let (status, doubled) = along(&twice);
                assert_eq!(status, OK);
                for (value, double) in derivatives.iter().zip(&doubled).filter(|(value, _)| is_usual(value)) {
                    assert!((double - 2.0 * value).abs() <= 1e-9 * double.abs(), "{double} is not twice {value}");
                }
            }
            self.is_directional_derivative([&unknowns, &knowns], &seeds, &derivatives[..rows]);
        }
        let places = self
            .all(Base::Real, &knowns, |it| it.state || matches!(it.causality, Causality::Parameter | Causality::Input))
            && self.all(Base::Real, &unknowns, |it| {
                it.state || !matches!(it.causality, Causality::Parameter | Causality::Input)
            });
        let null = first.is_wrong() || second.is_wrong() || no_indicators && asked > 0;
        let finite = seeds.slice().iter().all(|seed| seed.is_finite());
        (status, open_if(!null && places && finite && asked == one.variables().indicators))
    }

    /// Checks that these are the directional derivatives, where all knowns are states or inputs that change continuously, and
    /// the unknowns are outputs.
    fn is_directional_derivative(&self, [unknowns, knowns]: [&Array<u32>; 2], seeds: &Array<f64>, values: &[f64]) {
        let (rows, columns) = (values.len(), seeds.slice().len());
        let is_known = self.all(Base::Real, knowns, |it| {
            it.state || it.causality == Causality::Input && it.variability == Variability::Continuous
        });
        if !is_known || !self.all(Base::Real, unknowns, |it| it.causality == Causality::Output && !it.state) {
            return;
        }
        let mut derivatives = Array::filled(f64::NAN, rows);
        let one = &self.instance;
        let status =
            one.get_directional_derivative(unknowns, rows, knowns, columns, seeds, columns, &mut derivatives, rows);
        assert_eq!(status, OK);
        let same = values.iter().zip(derivatives.slice()).all(|(a, b)| a.to_bits() == b.to_bits());
        assert!(same, "{values:?} instead of {derivatives:?}");
    }
}
