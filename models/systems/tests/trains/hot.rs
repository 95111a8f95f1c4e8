//! Friction that depends on the temperature: closed forms, energy, breaking away while it gets hot, and what is refused.

use fmu_runtime::Trial;
use fmu_runtime::lifecycle::Interface;

use crate::fixture::{INTERFACES, train_with_tables};
use crate::space::refused::message;

/// Coefficients that fall by 0.002 per kelvin, whatever the speed is.
const FALLING: [[f64; 3]; 4] = [[300.0, 0.0, 0.5], [320.0, 0.0, 0.46], [320.0, 10.0, 0.46], [400.0, 0.0, 0.3]];

/// Makes a system with tables over temperature and speed, of which elements of the last column are multiplied by a factor.
fn hot(interface: Interface, tables: &[(&str, &[[f64; 3]], f64)], text: &str) -> Trial {
    let table = |(name, rows, factor): &(&'static str, &[[f64; 3]], f64)| {
        (*name, 3, rows.iter().flat_map(|[temperature, speed, mu]| [*temperature, *speed, factor * mu]).collect())
    };
    let tables: Vec<_> = tables.iter().map(|(name, rows, factor)| (leaked(name), *rows, *factor)).collect();
    train_with_tables(interface, &tables.iter().map(table).collect::<Vec<_>>(), text)
}

fn leaked(name: &str) -> &'static str {
    name.to_owned().leak()
}

/// Friction of 10 N.m times a coefficient that falls with the temperature warms 5 J/K:
///
///     w' = -20 mu(T),   T - 300 = (40^2 - w^2) / 20,   so w' = -(A + B w^2),   A = 6.8,   B = 0.002
#[test]
fn friction_that_warms_itself_follows_the_closed_form() {
    let law = "useTemperature=true heatPort=plate.port";
    #[rustfmt::skip]
    let cases = [
        ("Clutch",
         "a Inertia w_start=40\nb Inertia\ne Clutch fn_max=10 f_normalized=1 flange_a=b.flange_a flange_b=a.flange_a",
         "mue_pos", 1.0, "e.w_rel"),
        ("OneWayClutch",
         "a Inertia w_start=40\nb Inertia\ne OneWayClutch fn_max=10 f_normalized=1 flange_a=b.flange_a flange_b=a.flange_a",
         "mue_pos", 1.0, "e.w_rel"),
        ("Brake", "a Inertia J=0.5 w_start=40\ne Brake fn_max=10 f_normalized=1 flange_a=a.flange_a", "mue_pos", 1.0,
         "a.w"),
        ("BearingFriction", "a Inertia J=0.5 w_start=40\ne BearingFriction flange_a=a.flange_a", "tau_pos", 10.0,
         "a.w"),
        ("Translational.Brake",
         "a Mass m=0.5 v_start=40\ne Translational.Brake fn_max=10 f_normalized=1 flange_a=a.flange_a", "mue_pos", 1.0,
         "a.v"),
        ("SupportFriction", "a Mass m=0.5 v_start=40\ne SupportFriction flange_a=a.flange_a", "f_pos", 10.0, "a.v"),
    ];
    let (a, b) = (6.8_f64, 0.002_f64);
    let phase = (40.0 * (b / a).sqrt()).atan();
    for (kind, text, table, factor, speed) in cases {
        for interface in INTERFACES {
            let text = format!("{text} {law}\nplate HeatCapacitor C=5 T=300");
            let mut train = hot(interface, &[(&format!("e.{table}"), &FALLING, factor)], &text);
            train.set_tolerance(1e-10);
            for k in 1..=12 {
                train.step(0.5);
                let angle = phase - (a * b).sqrt() * 0.5 * f64::from(k);
                let w = (a / b).sqrt() * angle.max(0.0).tan();
                let temperature = 300.0 + (1600.0 - w * w) / 20.0;
                for (name, expected) in [(speed, w), ("plate.T", temperature), ("e.heatPort.T", temperature)] {
                    let found = train.real(name);
                    assert!((found - expected).abs() < 1e-6, "{kind} {name} at {k}: {found} {expected}");
                }
                assert_eq!(train.integer("e.mode"), i32::from(angle > 0.0), "{kind} {k}");
            }
        }
    }
}

/// Kinetic energy and heat add up to a constant while the coefficient depends on both, through rows of both.
#[test]
fn nothing_is_lost_but_as_heat() {
    let rows = [
        [300.0, 0.0, 0.4],
        [300.0, 5.0, 0.3],
        [300.0, 20.0, 0.35],
        [310.0, 0.0, 0.6],
        [310.0, 8.0, 0.3],
        [330.0, 0.0, 0.2],
    ];
    let text = "a Inertia J=2 w_start=30\nb Inertia J=3\nc Inertia w_start=-9
        clutch Clutch fn_max=40 f_normalized=0.8 useTemperature=true flange_a=a.flange_b flange_b=b.flange_a heatPort=plate.port
        other Clutch fn_max=10 f_normalized=0.5 useTemperature=true useHeatPort=true flange_a=b.flange_b flange_b=c.flange_a heatPort=drum.port
        plate HeatCapacitor C=20 T=301\ndrum HeatCapacitor C=5\nlink ThermalConductor G=3 port_a=plate.port port_b=drum.port";
    for interface in INTERFACES {
        let mut train = hot(interface, &[("clutch.mue_pos", &rows, 1.0), ("other.mue_pos", &rows, 1.0)], text);
        train.set_tolerance(1e-12);
        let energy = |train: &mut Trial| {
            let kinetic = train.real("a.w").powi(2) + 1.5 * train.real("b.w").powi(2) + 0.5 * train.real("c.w").powi(2);
            kinetic + 20.0 * (train.real("plate.T") - 301.0) + 5.0 * (train.real("drum.T") - 293.15)
        };
        let begin = energy(&mut train);
        for _ in 0..60 {
            train.step(0.1);
            let rest = energy(&mut train) - begin;
            assert!(rest.abs() < 1e-9 * begin, "{interface:?}: {rest:e}");
        }
        assert_eq!(train.integer("other.mode"), 0);
        assert!(train.real("plate.T") > 310.0, "{}", train.real("plate.T"));
    }
}

/// It holds 4 N.m while the coefficient is above 0.4, up to 350 K; its temperature is given, then one of the FMU.
#[test]
fn it_breaks_away_when_it_is_hot() {
    let shafts = "a Inertia\nload Torque tau=4 flange=a.flange_a
        brake Brake fn_max=10 f_normalized=1 useTemperature=true showEventTime=true showLaw=true flange_a=a.flange_b";
    let tables = [("brake.mue_pos", &FALLING[..], 1.0)];
    for interface in INTERFACES {
        let text = format!(
            "{shafts} heatPort=oven.port\noven PrescribedTemperature T=rise.y\nrise Ramp offset=300 height=100 duration=10"
        );
        let mut train = hot(interface, &tables, &text);
        train.step(4.9);
        assert_eq!(train.integer("brake.mode"), 0);
        train.step(0.2);
        assert_eq!(train.integer("brake.mode"), 1);
        assert!((train.real("brake.eventTime") - 5.0).abs() < 1e-6, "{}", train.real("brake.eventTime"));
        assert!((train.real("brake.mue") - 0.398).abs() < 1e-9, "{}", train.real("brake.mue"));

        let mut train = hot(interface, &tables, shafts);
        for (temperature, mode) in [(340.0, 0), (349.0, 0), (351.0, 1)] {
            train.set("brake.heatPort.T", temperature);
            train.step(0.1);
            assert_eq!(train.integer("brake.mode"), mode, "{temperature}");
        }
        // (4 - 10 * 0.398) / 1
        assert!((train.real("a.a") - 0.02).abs() < 1e-9, "{}", train.real("a.a"));
    }
}

#[test]
fn wrong_tables_are_refused() {
    let text = "a Inertia\nbrake Brake useTemperature=true flange_a=a.flange_b";
    for (rows, expected) in [
        (
            [[300.0, 0.0, 0.5], [290.0, 0.0, 0.4]],
            "brake.mue_pos[2,1] is 290.0, but must not be less than the temperature in the row before",
        ),
        ([[0.0, 0.0, 0.5], [290.0, 0.0, 0.4]], "brake.mue_pos[1,1] is 0.0, but must be a temperature above 0 K"),
        ([[300.0, 0.0, 0.5], [300.0, 0.0, 0.4]], "brake.mue_pos[2,2] is 0.0, but must be greater than the one before"),
    ] {
        let found = message(|| {
            hot(INTERFACES[0], &[("brake.mue_pos", &rows, 1.0)], text).real("a.w");
        });
        assert!(found.contains(expected), "{found}");
    }
}

/// A temperature that follows from the losses at once would depend on itself.
#[test]
fn a_temperature_without_capacity_is_refused() {
    let text = "a Inertia\nbrake Brake useTemperature=true flange_a=a.flange_b heatPort=air.solid
        air Convection Gc=1\nambient FixedTemperature port=air.fluid";
    let found = message(|| {
        hot(INTERFACES[0], &[("brake.mue_pos", &FALLING, 1.0)], text).real("a.w");
    });
    let expected = "the load of \"brake\" depends on the temperature at its heatPort, which follows from its losses at once: \
                    connect a HeatCapacitor there";
    assert!(found.contains(expected), "{found}");
}
