//! Transfer functions and filters against other blocks and against their amplitudes.

use std::f64::consts::PI;

use crate::fixture::{INTERFACES, check, train};

#[test]
fn transfer_functions_are_the_blocks_that_they_describe() {
    let text = "step Step height=2 startTime=0.15
        late FirstOrder k=3 T=0.5 y_start=1 u=step.y
        same_late TransferFunction nb=1 na=2 b[1]=3 a[1]=0.5 a[2]=1 initType=InitialOutput y_start=1 u=step.y
        second SecondOrder k=0.5 w=4 D=0.25 initType=SteadyState u=late.y
        same_second TransferFunction nb=1 na=3 b[1]=8 a[1]=1 a[2]=2 a[3]=16 initType=SteadyState u=late.y
        slope Derivative k=2 T=0.1 x_start=0.5 u=late.y
        same_slope TransferFunction nb=2 na=2 b[1]=2 b[2]=0 a[1]=0.1 a[2]=1 x_start[1]=0.5 u=late.y
        sum Integrator k=2 u=step.y
        same_sum TransferFunction nb=1 na=2 b[1]=2 a[1]=1 a[2]=0 u=step.y
        drive Position phi=same_second.y flange=turned.flange_a
        turned Inertia
        shaft Inertia";
    for interface in INTERFACES {
        let mut train = train(interface, text);
        train.set_tolerance(1e-11);
        check(&mut train, &[("same_late.y", 1.0), ("same_second.y", 0.5)]);
        for i in 0..12 {
            for (one, other) in [
                ("late.y", "same_late.y"),
                ("second.y", "same_second.y"),
                ("second.yd", "drive.w"),
                ("second.der_yd", "turned.a"),
                ("slope.y", "same_slope.y"),
                ("sum.y", "same_sum.y"),
            ] {
                let [one_value, other_value] = [one, other].map(|name| train.real(name));
                assert!((one_value - other_value).abs() < 1e-7, "{interface:?} {one} {i}: {one_value} {other_value}");
            }
            train.step(0.11);
        }
    }
}

/// Amplitude over frequency, relative to the cut-off, by the formula of each kind.
fn amplitude(kind: &str, order: i32, ratio: f64) -> f64 {
    let n = f64::from(order);
    // The frequency at which the amplitude is -3 dB, and the square of its reciprocal less 1.
    let level = 10.0_f64.powf(0.3) - 1.0;
    let root = |square: &dyn Fn(f64) -> f64| {
        let (mut low, mut high) = (0.1, 100.0);
        for _ in 0..100 {
            let middle: f64 = 0.5 * (low + high);
            if square(middle) < level + 1.0 { low = middle } else { high = middle }
        }
        low
    };
    match kind {
        "CriticalDamping" => (1.0 + (10.0_f64.powf(0.3 / n) - 1.0) * ratio * ratio).powf(-0.5 * n),
        "Butterworth" => (1.0 + ratio.powi(2 * order)).sqrt().recip(),
        "ChebyshevI" => {
            let epsilon = 10.0_f64.powf(0.05) - 1.0;
            let cosh = |w: f64| if w < 1.0 { (n * w.acos()).cos() } else { (n * w.acosh()).cosh() };
            // At frequency 0 the amplitude is 1, although even orders have a ripple there.
            let square = |w: f64| (1.0 + epsilon * cosh(w).powi(2)) / (1.0 + epsilon * cosh(0.0).powi(2));
            square(ratio * root(&|w| if w < 1.0 { 0.0 } else { square(w) })).sqrt().recip()
        }
        _ => {
            // The polynomials follow from each other: t_n = (2 n - 1) t_(n-1) + s^2 t_(n-2).
            let square = |w: f64| {
                let (mut before, mut own) = ([1.0, 0.0], [1.0, w]);
                for k in 2..=order {
                    let factor = f64::from(2 * k - 1);
                    let next = [0, 1].map(|i| factor * own[i] - w * w * before[i]);
                    (before, own) = (own, next);
                }
                let at_zero = (1..=order).map(|k| f64::from(2 * k - 1)).product::<f64>();
                (own[0] * own[0] + own[1] * own[1]) / (at_zero * at_zero)
            };
            square(ratio * root(&square)).sqrt().recip()
        }
    }
}

#[test]
fn filters_have_the_amplitudes_of_their_kind() {
    for kind in ["CriticalDamping", "Bessel", "Butterworth", "ChebyshevI"] {
        for order in [1, 2, 3, 6] {
            for (pass, ratio) in
                [("LowPass", 1.0), ("LowPass", 0.6), ("LowPass", 1.7), ("HighPass", 1.4), ("HighPass", 0.7)]
            {
                let f = 2.0 * ratio;
                let filter = |source: &str| {
                    format!("Filter analogFilter={kind} order={order} filterType={pass} f_cut=2 gain=3 u={source}.y")
                };
                let text = format!(
                    "sine Sine f={f}\ncosine Sine f={f} phase={}\none {}\nother {}\nshaft Inertia",
                    PI / 2.0,
                    filter("sine"),
                    filter("cosine")
                );
                let mut train = train(INTERFACES[0], &text);
                train.set_tolerance(1e-9);
                train.step(25.0);
                let expected = 3.0 * amplitude(kind, order, if pass == "LowPass" { ratio } else { 1.0 / ratio });
                let found = train.real("one.y").hypot(train.real("other.y"));
                assert!((found - expected).abs() < 1e-5, "{kind} {order} {pass} {ratio}: {found} {expected}");
            }
        }
    }
}

/// A band is a low pass of the frequency |f^2 - f_min f_cut| / f (f_cut - f_min), and what stops one that of its reciprocal.
#[test]
fn bands_have_the_amplitudes_of_their_kind() {
    for kind in ["CriticalDamping", "Bessel", "Butterworth", "ChebyshevI"] {
        for order in [1, 2, 4] {
            for (pass, f) in [("BandPass", 1.1), ("BandPass", 3.0), ("BandStop", 1.3), ("BandStop", 6.0)] {
                // A narrow band of high order takes long to settle.
                for low in [0.8, 1.95].into_iter().take(if order < 3 { 2 } else { 1 }) {
                    let filter = |source: &str| {
                        format!(
                            "Filter analogFilter={kind} order={order} filterType={pass} f_min={low} f_cut=2.2 gain=3 u={source}.y"
                        )
                    };
                    let text = format!(
                        "sine Sine f={f}\ncosine Sine f={f} phase={}\none {}\nother {}\nshaft Inertia",
                        PI / 2.0,
                        filter("sine"),
                        filter("cosine")
                    );
                    let mut train = train(INTERFACES[0], &text);
                    train.set_tolerance(1e-9);
                    train.step(60.0);
                    let shifted = (f * f - low * 2.2_f64).abs() / (f * (2.2 - low));
                    let ratio = if pass == "BandPass" { shifted } else { 1.0 / shifted };
                    let expected = 3.0 * amplitude(kind, order, ratio);
                    let found = train.real("one.y").hypot(train.real("other.y"));
                    assert!((found - expected).abs() < 3e-5, "{kind} {order} {pass} {low} {f}: {found} {expected}");
                }
            }
        }
    }
}

/// A steady start lets nothing of a constant through a band, and all of it past one that is stopped.
#[test]
fn bands_begin_where_they_do_not_change() {
    for order in 1..=4 {
        let text = format!(
            "level Constant k=2\npass Filter filterType=BandPass order={order} u=level.y
            stop Filter filterType=BandStop order={order} analogFilter=Bessel u=level.y\nshaft Inertia"
        );
        let mut train = train(INTERFACES[0], &text);
        for _ in 0..5 {
            check(&mut train, &[("pass.y", 0.0), ("stop.y", 2.0)]);
            train.step(0.3);
        }
    }
}

/// A filtered signal gives a motion with its derivatives, and begins where it does not move.
#[test]
fn a_filtered_step_gives_a_smooth_motion() {
    for interface in INTERFACES {
        let text = "step Step height=2 offset=1 startTime=0.1
            smooth Filter order=3 f_cut=2 u=step.y
            drive Position phi=smooth.y flange=shaft.flange_a
            shaft Inertia";
        let mut train = train(interface, text);
        train.set_tolerance(1e-10);
        check(&mut train, &[("shaft.phi", 1.0), ("shaft.w", 0.0), ("shaft.a", 0.0)]);
        let r = 4.0 * PI / (10.0_f64.powf(0.1) - 1.0).sqrt();
        for i in 1..8 {
            train.step(0.1);
            let s = 0.1 * f64::from(i - 1);
            let z = r * s;
            for (name, expected) in [
                ("shaft.phi", 1.0 + 2.0 * (1.0 - (-z).exp() * (1.0 + z + 0.5 * z * z))),
                ("shaft.w", r * (-z).exp() * z * z),
                ("shaft.a", r * r * (-z).exp() * (2.0 * z - z * z)),
            ] {
                let found = train.real(name);
                assert!((found - expected).abs() < 1e-6, "{interface:?} {name} {s}: {found} {expected}");
            }
        }
    }
}
