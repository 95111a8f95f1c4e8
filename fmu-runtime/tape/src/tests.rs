//! Derivatives of each function beside those of dual numbers.

use num_traits::Signed;
use scalar::{Dual64, Scalar, constant};
use simba::scalar::{ComplexField, RealField};

use crate::Tape;

/// Points within the domain of all functions but `acosh`.
const POINTS: [[f64; 2]; 5] = [[0.3, 0.7], [0.9, 0.1], [0.51, 0.52], [0.05, 0.95], [0.42, 0.42]];

/// Compares a function of two numbers at some points.
macro_rules! compare {
    ($($name:ident |$a:ident, $b:ident| $result:expr;)*) => {$(
        #[test]
        fn $name() {
            fn function<T: Scalar>([$a, $b]: [T; 2]) -> T {
                $result
            }
            for point @ [x, y] in POINTS {
                let [along_x, along_y] = [[1.0, 0.0], [0.0, 1.0]].map(|along| {
                    function([Dual64::new(x, along[0]), Dual64::new(y, along[1])])
                });
                let mut tape = Tape::default();
                tape.begin(&point, &[0, 1]);
                let value = tape.record(|numbers| {
                    numbers[0] = function([numbers[0], numbers[1]]);
                    numbers[0].value()
                });
                let found = tape.sweep(&[0], &[2.0]);
                let near = |one: f64, other: f64| (one - other).abs() <= 1e-13 * other.abs().max(1.0);
                assert!(near(value, function(point)) && near(value, along_x.re), "{point:?}: {value} {along_x}");
                for (found, dual) in found.iter().zip([along_x, along_y]) {
                    assert!(near(*found, 2.0 * dual.eps), "{point:?}: {found} {dual}");
                }
            }
        }
    )*};
}

compare! {
    sums |a, b| a + b - (b - constant(2.0)) + a;
    products |a, b| -(a * b) * a;
    quotients |a, b| a / b / (constant::<T>(3.0) / a);
    assignments |a, b| { let mut sum = a; sum += b; sum *= a; sum -= b; sum /= a + b; sum };
    reciprocals |a, b| a.recip() * b;
    sines |a, b| a.sin() * b.cos() + b.sin_cos().0;
    tangents |a, b| a.tan() * b;
    arcs |a, b| a.asin() + b.acos() * a.atan();
    angles |a, b| a.atan2(b) + (-a).atan2(-b);
    hyperbolic |a, b| a.sinh() + b.cosh() * a.tanh();
    inverse_hyperbolic |a, b| a.asinh() + (a + constant(1.5)).acosh() * b.atanh();
    exponentials |a, b| a.exp() + b.exp2() * a.exp_m1();
    logarithms |a, b| a.ln() + b.log2() * a.log10() + b.ln_1p() + a.log(b + constant(1.5));
    roots |a, b| a.sqrt() + b.cbrt() * a + (a * b).try_sqrt().unwrap_or(a);
    powers |a, b| a.powi(3) + b.powi(-2) + a.powf(b);
    lengths |a, b| a.hypot(b) + a.modulus_squared() + (-b).modulus();
    magnitudes |a, b| ComplexField::abs(a - b * constant(2.0)) + Signed::signum(&a) * b;
    choices |a, b| a.max(b) * constant(2.0) + a.min(b) + a.clamp(constant(0.4), constant(0.6));
    constants |a, b| T::pi() * a + T::frac_pi_2() * constant(2.0) - b * T::zero() + T::one();
}

#[test]
fn jumps_and_signs_have_no_derivatives_of_their_own() {
    let mut tape = Tape::default();
    tape.begin(&[-1.7], &[0]);
    let values = tape.record(|numbers| {
        let x = numbers[0];
        numbers[0] = x.floor() + x.round() + x.trunc() + x.ceil() + x.fract();
        [x.floor(), x.ceil(), x.round(), x.trunc(), x.fract(), x.copysign(constant(1.0))].map(Scalar::value)
    });
    assert_eq!(values.map(|value| (value * 10.0).round()), [-20.0, -10.0, -20.0, -10.0, -7.0, 17.0]);
    assert_eq!(tape.sweep(&[0], &[1.0]), [1.0]);
}

#[test]
fn arguments_may_be_given_twice_and_results_be_constants() {
    let mut tape = Tape::default();
    for _ in 0..2 {
        tape.begin(&[2.0, 5.0, 7.0], &[1, 0, 1]);
        tape.record(|numbers| {
            let [a, b, c] = [numbers[0], numbers[1], numbers[2]];
            // An argument is replaced, too.
            numbers[1] = a * b * c;
            numbers[2] = c * c;
        });
        assert_eq!(tape.sweep(&[1, 2, 0, 1], &[1.0, 1.0, 0.5, 1.0]), [28.0, 70.5, 28.0]);
        assert_eq!(tape.sweep(&[2], &[1.0]), [0.0; 3]);
    }
}

/// After a panic the thread records nothing that another evaluation would find, and the tape can be used again.
#[test]
fn a_panic_ends_the_record() {
    let mut tape = Tape::default();
    let evaluate = |tape: &mut Tape, panics: bool| {
        tape.begin(&[3.0], &[0]);
        tape.record(|numbers| {
            numbers[0] = numbers[0] * numbers[0];
            assert!(!panics, "on purpose");
        });
        tape.sweep(&[0], &[1.0])
    };
    assert_eq!(evaluate(&mut tape, false), [6.0]);
    std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| evaluate(&mut tape, true))).unwrap_err();
    assert_eq!(evaluate(&mut tape, false), [6.0]);
    assert_eq!(evaluate(&mut Tape::default(), false), [6.0]);
}

/// Tapes record on several threads at once, and one inside another.
#[test]
fn records_do_not_mix() {
    fn cube(inner: bool) -> Vec<f64> {
        let mut tape = Tape::default();
        tape.begin(&[2.0], &[0]);
        tape.record(|numbers| {
            numbers[0] = numbers[0] * numbers[0];
            if inner {
                assert_eq!(cube(false), [12.0]);
            }
            numbers[0] = numbers[0].sqrt() * numbers[0];
        });
        tape.sweep(&[0], &[1.0])
    }
    let threads: Vec<_> = (0..4).map(|_| std::thread::spawn(|| (0..1000).all(|_| cube(true) == [12.0]))).collect();
    assert!(threads.into_iter().all(|thread| thread.join().unwrap()));
}
