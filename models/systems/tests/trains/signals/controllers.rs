//! Controllers against their equations, solved by small steps of Runge and Kutta.

use crate::fixture::{INTERFACES, check, train};

/// The states of a controller and of a shaft: I, x, w.
type State = [f64; 3];

/// Set point and feed forward at a time.
fn inputs(t: f64) -> [f64; 2] {
    [if t < 0.2 { 0.0 } else { 4.0 }, 0.3 * (3.0 * t).sin()]
}

fn output(t: f64, [integral, x, w]: State) -> [f64; 2] {
    let [s, ff] = inputs(t);
    let v = 5.0 * (0.7 * s - w + integral + 0.2 * (0.3 * s - w - x) / (0.2 / 8.0)) + 0.5 * ff;
    [v, v.clamp(-1.5, 2.0)]
}

fn slope(t: f64, state: State) -> State {
    let [_, x, w] = state;
    let ([s, _], [v, y]) = (inputs(t), output(t, state));
    [(s - w + (y - v) / (5.0 * 0.6)) / 0.4, (0.3 * s - w - x) / (0.2 / 8.0), (y - 0.1 * w) / 0.5]
}

#[test]
fn a_limited_controller_brings_a_shaft_to_speed() {
    let text = "set Step height=4 startTime=0.2
        extra Sine amplitude=0.3 f=0.4774648292756860
        speed SpeedSensor flange=shaft.flange_a
        control LimPID k=5 Ti=0.4 Td=0.2 wp=0.7 wd=0.3 Ni=0.6 Nd=8 kFF=0.5 yMax=2 yMin=-1.5 symmetric=false withFeedForward=true \
         u_s=set.y u_m=speed.w u_ff=extra.y
        motor Torque tau=control.y flange=shaft.flange_a
        damper Damper d=0.1 flange_a=shaft.flange_b flange_b=wall.flange
        wall Fixed
        shaft Inertia J=0.5";
    for interface in INTERFACES {
        let mut train = train(interface, text);
        train.set_tolerance(1e-10);
        let (mut state, mut t, mut was_limited) = ([0.0; 3], 0.0_f64, [false; 2]);
        for i in 0..30 {
            let [v, y] = output(t, state);
            was_limited[usize::from(v == y)] = true;
            // At the step itself the value before it is shown.
            if i != 2 {
                for (name, expected) in [
                    ("control.I.y", state[0]),
                    ("control.D.x", state[1]),
                    ("shaft.w", state[2]),
                    ("control.y", y),
                    ("control.controlError", inputs(t)[0] - state[2]),
                ] {
                    let found = train.real(name);
                    assert!((found - expected).abs() < 2e-5, "{interface:?} {name} {t}: {found} {expected}");
                }
            }
            train.step(0.1);
            for _ in 0..4000 {
                let h = 0.1 / 4000.0;
                let ahead = |k: State, h: f64| std::array::from_fn(|i| state[i] + h * k[i]);
                let k1 = slope(t, state);
                let k2 = slope(t + h / 2.0, ahead(k1, h / 2.0));
                let k3 = slope(t + h / 2.0, ahead(k2, h / 2.0));
                // Just before the end, which may be the step.
                let k4 = slope(t + h * (1.0 - 1e-9), ahead(k3, h));
                state = ahead(std::array::from_fn(|i| (k1[i] + 2.0 * (k2[i] + k3[i]) + k4[i]) / 6.0), h);
                t += h;
            }
            t = 0.1 * f64::from(i + 1);
        }
        assert_eq!(was_limited, [true; 2]);
    }
}

#[test]
fn controllers_have_the_parts_that_they_are_asked_for() {
    for interface in INTERFACES {
        let text = "ramp Ramp height=0.2 duration=1 offset=0.1
            zero Constant k=0
            p LimPID k=3 controllerType=P u_s=ramp.y u_m=zero.y
            pi LimPID k=3 Ti=2 controllerType=PI xi_start=0.05 u_s=ramp.y u_m=zero.y
            pd LimPID k=3 Td=0.5 Nd=1e9 wd=1 xd_start=0.1 controllerType=PD yMax=5 u_s=ramp.y u_m=zero.y
            off LimPID k=3 Td=0 xi_start=0.05 Ti=2 u_s=ramp.y u_m=zero.y
            begun LimPID k=3 Ti=2 initType=InitialOutput y_start=0.75 yMax=5 u_s=ramp.y u_m=zero.y
            shaft Inertia";
        let mut train = train(interface, text);
        train.set_tolerance(1e-9);
        check(&mut train, &[("begun.y", 0.75), ("begun.D.x", 0.0), ("begun.I.y", 0.15)]);
        train.step(0.5);
        let u = 0.2;
        let integral = (0.1 * 0.5 + 0.2 * 0.125) / 2.0;
        for (name, expected) in [
            ("p.y", 3.0 * u),
            ("pi.y", 3.0 * (u + 0.05 + integral)),
            ("pd.y", 3.0 * (u + 0.5 * 0.2)),
            ("off.y", 3.0 * (u + 0.05 + integral)),
            ("begun.y", 3.0 * (u + 0.15 + integral)),
        ] {
            let found = train.real(name);
            assert!((found - expected).abs() < 1e-6, "{interface:?} {name}: {found} {expected}");
        }
    }
}
