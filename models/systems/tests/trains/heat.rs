//! Heat ports: closed forms, and energy including heat.

use fmu_runtime::Trial;

use crate::fixture::{INTERFACES, check, train, train_with_tables};
use crate::space::refused::message;

/// The difference of two temperatures falls exponentially, and what one capacitor loses, the other one gains.
#[test]
fn two_capacitors_equalise() {
    for link in [
        "link ThermalConductor G=3 port_a=a.port port_b=b.port",
        "link ThermalResistor R=0.3333333333333333 port_a=a.port port_b=b.port",
        "link Convection Gc=3 solid=a.port fluid=b.port",
        // Two in series.
        "link ThermalConductor G=6 port_a=a.port port_b=rest.port_a\nrest ThermalResistor R=0.16666666666666666 port_b=b.port",
    ] {
        for interface in INTERFACES {
            let text = format!("a HeatCapacitor C=20 T=400\nb HeatCapacitor C=5\n{link}");
            let mut train = train(interface, &text);
            train.set_tolerance(1e-11);
            let rate = 3.0 * (1.0 / 20.0 + 1.0 / 5.0);
            for i in 0..10 {
                let difference = 106.85 * (-rate * 0.4 * f64::from(i)).exp();
                let mean = (20.0 * 400.0 + 5.0 * 293.15) / 25.0;
                for (name, expected) in [
                    ("a.T", mean + 0.2 * difference),
                    ("b.T", mean - 0.8 * difference),
                    ("link.Q_flow", 3.0 * difference),
                    ("a.port.Q_flow", -3.0 * difference),
                    ("b.der_T", 0.6 * difference),
                ] {
                    let found = train.real(name);
                    assert!((found - expected).abs() < 1e-7, "{link} {name} {i}: {found} {expected}");
                }
                train.step(0.4);
            }
        }
    }
}

/// Kinetic energy, elastic energy and heat add up to a constant, also through the modes of a clutch.
#[test]
fn nothing_is_lost_but_as_heat() {
    let text = "engine Inertia J=2 w_start=30\nload Inertia J=3\nwheel Inertia J=1 w_start=4
        clutch Clutch fn_max=40 f_normalized=0.8 useHeatPort=true flange_a=engine.flange_b flange_b=load.flange_a heatPort=plate.port
        shaft SpringDamper c=900 d=2 useHeatPort=true flange_a=load.flange_b flange_b=wheel.flange_a heatPort=plate.port
        brake EddyCurrentTorque tau_nominal=4 w_nominal=20 alpha20=0.004 useHeatPort=true flange=wheel.flange_b heatPort=drum.port
        bearing BearingFriction useHeatPort=true flange_a=wheel.flange_a heatPort=drum.port
        damper Damper d=0.3 useHeatPort=true flange_a=engine.flange_a flange_b=wheel.flange_b
        gap ElastoBacklash c=500 d=3 b=0.3 useHeatPort=true flange_a=load.flange_a flange_b=wheel.flange_b heatPort=gas.solid
        gas Convection Gc=2 fluid=drum.port
        plate HeatCapacitor C=8 T=330\ndrum HeatCapacitor C=5
        more HeatCapacitor C=1 port=drum.port
        link ThermalConductor G=0.7 port_a=plate.port port_b=drum.port
        rest ThermalConductor G=1 port_a=damper.heatPort port_b=plate.port
        wheels Inertia J=2 w_start=3
        free OneWayClutch fn_max=3 f_normalized=1 useHeatPort=true flange_a=wheels.flange_b flange_b=wheel.flange_b heatPort=drum.port";
    for interface in INTERFACES {
        let mut train = train(interface, text);
        train.set_tolerance(1e-12);
        let energy = |train: &mut Trial| {
            let kinetic = [("engine", 2.0), ("load", 3.0), ("wheel", 1.0), ("wheels", 2.0)]
                .map(|(name, inertia)| 0.5 * inertia * train.real(&format!("{name}.w")).powi(2));
            let angle = train.real("shaft.phi_rel");
            let elastic = 450.0 * angle.powi(2) + 250.0 * (angle.abs() - 0.15).max(0.0).powi(2);
            let heat = 8.0 * (train.real("plate.T") - 330.0) + 6.0 * (train.real("drum.T") - 293.15);
            kinetic.iter().sum::<f64>() + elastic + heat
        };
        let begin = energy(&mut train);
        let mut modes = vec![train.integer("clutch.mode")];
        for _ in 0..60 {
            train.step(0.05);
            modes.push(train.integer("clutch.mode"));
            let rest = energy(&mut train) - begin;
            assert!(rest.abs() < 1e-9 * begin, "{interface:?}: {rest:e}");
            assert_eq!(train.real("more.T"), train.real("drum.T"));
        }
        assert!(modes.contains(&0) && modes[0] != 0 && train.real("drum.T") > 294.0, "{modes:?}");
        // What has no heat capacity passes its losses on.
        let rest = train.real("rest.Q_flow") - train.real("damper.lossPower");
        assert!(rest.abs() < 1e-9, "{rest}");
        assert_eq!(train.real("damper.heatPort.Q_flow"), -train.real("damper.lossPower"));
    }
}

/// Rods with brakes, guides, dampers and contacts, and shafts with backlash and a brake.
#[test]
fn nothing_of_rods_and_backlash_is_lost_but_as_heat() {
    let text = "cart Mass m=2 v_start=3\nload Mass m=3\nend Mass m=1 s_start=0.5 v_start=-4
        brake Translational.Brake fn_max=6 f_normalized=0.5 useHeatPort=true flange_a=cart.flange_a heatPort=rail.port
        guide SupportFriction useHeatPort=true flange_a=load.flange_a heatPort=rail.port
        buffer Translational.SpringDamper c=300 d=2 useHeatPort=true flange_a=cart.flange_b flange_b=load.flange_a heatPort=oil.port
        damper Translational.Damper d=0.3 useHeatPort=true flange_a=load.flange_b flange_b=end.flange_a heatPort=oil.port
        gap ElastoGap c=500 d=3 s_rel0=0.1 n=1.5 useHeatPort=true flange_a=load.flange_b flange_b=end.flange_a heatPort=oil.port
        eddy EddyCurrentForce f_nominal=2 v_nominal=2 alpha20=0.004 useHeatPort=true flange=end.flange_b heatPort=rail.port
        shaft Inertia J=1 w_start=8\nwheel Inertia J=2
        play ElastoBacklash2 c=400 d=2 b=0.3 useHeatPort=true flange_a=shaft.flange_b flange_b=wheel.flange_a heatPort=oil.port
        hold Brake fn_max=12 f_normalized=0.5 useHeatPort=true flange_a=wheel.flange_b heatPort=rail.port
        rail HeatCapacitor C=2 T=310\noil HeatCapacitor C=0.5
        link ThermalConductor G=0.7 port_a=rail.port port_b=oil.port";
    for interface in INTERFACES {
        let mut train = train(interface, text);
        train.set_tolerance(1e-12);
        let energy = |train: &mut Trial| {
            let kinetic = [("cart.v", 1.0), ("load.v", 1.5), ("end.v", 0.5), ("shaft.w", 0.5), ("wheel.w", 1.0)]
                .map(|(name, half)| half * train.real(name).powi(2));
            let depth = (0.1 - train.real("gap.s_rel")).max(0.0);
            let turned = (train.real("play.phi_rel").abs() - 0.15).max(0.0);
            let elastic = 150.0 * train.real("buffer.s_rel").powi(2) + 200.0 * depth.powf(2.5) + 200.0 * turned.powi(2);
            let heat = 2.0 * (train.real("rail.T") - 310.0) + 0.5 * (train.real("oil.T") - 293.15);
            kinetic.iter().sum::<f64>() + elastic + heat
        };
        let begin = energy(&mut train);
        let (mut touches, mut modes) = ([false; 2], Vec::new());
        for _ in 0..60 {
            train.step(0.05);
            touches[0] |= train.real("gap.f") != 0.0;
            touches[1] |= train.real("play.tau") != 0.0;
            modes.push(["brake.mode", "guide.mode", "hold.mode"].map(|name| train.integer(name)));
            let rest = energy(&mut train) - begin;
            assert!(rest.abs() < 1e-9 * begin, "{interface:?}: {rest:e}");
        }
        assert_eq!(touches, [true; 2]);
        for (i, name) in ["brake", "guide", "hold"].into_iter().enumerate() {
            assert!(
                modes.iter().any(|mode| mode[i] == 0) && modes.iter().any(|mode| mode[i] != 0),
                "{name}: {modes:?}"
            );
        }
        assert!(train.real("oil.T") > 294.0, "{}", train.real("oil.T"));
    }
}

/// The losses of a gear, in both directions of power, and of a mass on a guide between its stops warm oil and rail; those of
/// impacts do not.
#[test]
fn gears_and_guides_warm_what_is_around() {
    let text = "a Inertia J=2 w_start=20 stateSelect=prefer
        gear LossyGear ratio=1.5 useHeatPort=true flange_a=a.flange_b flange_b=b.flange_a heatPort=oil.port
        b Inertia J=0.5
        shaft Spring c=300 flange_a=b.flange_b flange_b=c.flange_a
        c Inertia J=1.5 w_start=-3
        oil HeatCapacitor C=4
        wall Translational.Fixed s0=-1
        spring Translational.Spring c=400 s_rel0=1 flange_a=wall.flange flange_b=stop.flange_a
        stop MassWithStopAndFriction smin=-0.3 smax=0.25 F_prop=0.5 F_Coulomb=1 F_Stribeck=2 fexp=3 v_start=8 useHeatPort=true heatPort=rail.port
        rail HeatCapacitor C=0.5";
    for interface in INTERFACES {
        let tables = [("gear.lossTable", 5, vec![0.0, 0.8, 0.7, 0.2, 0.3, 20.0, 0.9, 0.85, 0.5, 0.6])];
        let mut train = train_with_tables(interface, &tables, text);
        train.set_tolerance(1e-12);
        let energies = |train: &mut Trial| {
            let kinetic = [("a", 1.0), ("b", 0.25), ("c", 0.75)]
                .map(|(name, half)| half * train.real(&format!("{name}.w")).powi(2));
            let turning = kinetic.iter().sum::<f64>() + 150.0 * train.real("shaft.phi_rel").powi(2);
            let sliding = 0.5 * train.real("stop.v").powi(2) + 200.0 * train.real("stop.s").powi(2);
            [
                turning + 4.0 * (train.real("oil.T") - 293.15),
                sliding + train.real("stop.impactLoss") + 0.5 * (train.real("rail.T") - 293.15),
            ]
        };
        let begin = energies(&mut train);
        let mut modes = Vec::new();
        for k in 0..60 {
            train.step(0.05);
            modes.push([train.integer("gear.mode"), train.integer("stop.stopped")]);
            for (now, begin) in energies(&mut train).into_iter().zip(begin) {
                assert!((now - begin).abs() < 1e-9 * begin, "{interface:?} at {k}: {now} {begin}");
            }
        }
        assert!(train.real("stop.impactLoss") > 1.0 && train.real("rail.T") > 294.0 && train.real("oil.T") > 300.0);
        assert_eq!(train.real("gear.heatPort.Q_flow"), -train.real("gear.lossPower"));
    }
}

/// A stationary temperature follows from the losses and the conductance; what gives a temperature takes the flow.
#[test]
fn losses_heat_what_is_around() {
    let text = "drive ConstantSpeed w_fixed=10\ndamper Damper d=0.5 useHeatPort=true flange_a=drive.flange flange_b=wall.flange heatPort=air.solid
        wall Fixed\nair Convection Gc=4\nambient FixedTemperature T=300 port=air.fluid
        sun PrescribedHeatFlow Q_flow=6 alpha=0.01 T_ref=290 port=air.solid";
    for interface in INTERFACES {
        let mut train = train(interface, text);
        // 4 (T - 300) = 50 + 6 (1 + 0.01 (T - 290))
        let hot = (50.0 + 6.0 * (1.0 - 2.9) + 1200.0) / (4.0 - 0.06);
        let q = 4.0 * (hot - 300.0);
        for _ in 0..2 {
            for (name, expected) in [
                ("damper.heatPort.T", hot),
                ("sun.port.T", hot),
                ("air.dT", hot - 300.0),
                ("air.Q_flow", q),
                ("ambient.port.Q_flow", q),
                ("ambient.port.T", 300.0),
                ("sun.port.Q_flow", 50.0 - q),
            ] {
                let found = train.real(name);
                assert!((found - expected).abs() < 1e-10, "{name}: {found} {expected}");
            }
            train.step(0.1);
        }
    }
}

/// Temperatures and conductances may be signals, and the temperature of a brake acts on its torque at once.
#[test]
fn temperatures_are_signals_too() {
    let text = "wave Sine amplitude=20 f=0.3 offset=350\nplate PrescribedTemperature T=wave.y
        speed SpeedSensor flange=shaft.flange_b\ncooling Gain k=2 u=speed.w
        air Convection Gc=cooling.y solid=drum.port fluid=plate.port\ndrum HeatCapacitor C=50 T=300
        shaft Inertia J=2 w_start=5\nbrake EddyCurrentTorque tau_nominal=3 w_nominal=4 alpha20=0.01 useHeatPort=true flange=shaft.flange_a heatPort=drum.port";
    for interface in INTERFACES {
        let mut train = train(interface, text);
        train.set_tolerance(1e-11);
        // An independent integration by Heun's method with small steps.
        let slope = |t: f64, [w, hot]: [f64; 2]| {
            let x = w / (4.0 * (1.0 + 0.01 * (hot - 293.15)));
            let tau = 6.0 * x / (1.0 + x * x);
            let ambient = 350.0 + 20.0 * (0.6 * std::f64::consts::PI * t).sin();
            [-0.5 * tau, (tau * w + 2.0 * w * (ambient - hot)) / 50.0]
        };
        let (mut state, h) = ([5.0, 300.0], 1e-5);
        for i in 0..10 {
            for k in 0..20_000 {
                let t = 0.2 * f64::from(i) + h * f64::from(k);
                let first = slope(t, state);
                let second = slope(t + h, std::array::from_fn(|i| state[i] + h * first[i]));
                state = std::array::from_fn(|i| state[i] + 0.5 * h * (first[i] + second[i]));
            }
            train.step(0.2);
            let found = [train.real("shaft.w"), train.real("drum.T")];
            assert!((found[0] - state[0]).abs() < 1e-7 && (found[1] - state[1]).abs() < 1e-6, "{found:?} {state:?}");
        }
        let [w, hot] = [train.real("shaft.w"), train.real("drum.T")];
        let by_temperature = |hot: f64| slope(0.0, [w, hot])[0];
        let expected = (by_temperature(hot + 0.01) - by_temperature(hot - 0.01)) / 0.02;
        let found = train.directional_derivative("shaft.a", "drum.T");
        assert!((found - expected).abs() < 1e-6 * expected.abs(), "{found} {expected}");
        let found = train.directional_derivative("drum.der_T", "shaft.w");
        assert!(found != 0.0);
    }
}

/// A heat port to which nothing is connected is one of the FMU.
#[test]
fn an_open_heat_port_is_one_of_the_system() {
    let text = "shaft Inertia w_start=3\nwall Fixed\ndamper Damper d=2 useHeatPort=true flange_a=wall.flange flange_b=shaft.flange_a
        brake EddyCurrentTorque tau_nominal=3 w_nominal=4 alpha20=0.01 useHeatPort=true flange=shaft.flange_b";
    let mut train = train(INTERFACES[0], text);
    train.set("brake.heatPort.T", 393.15);
    train.set("damper.heatPort.T", 300.0);
    let x = 3.0 / 8.0;
    let tau = 6.0 * x / (1.0 + x * x);
    check(&mut train, &[("damper.heatPort.Q_flow", -18.0), ("brake.tau", tau), ("brake.heatPort.Q_flow", -3.0 * tau)]);
}

/// Dampers along lines in space warm what is around as much as the body loses.
#[test]
fn dampers_between_frames_turn_energy_into_heat() {
    let text = "world World g=0
        slide Prismatic s_start=1 v_start=2 frame_a=world.frame_b
        load Body m=3 frame_a=slide.frame_b
        post MultiBody.Fixed r[1]=-0.2 r[2]=0.7
        strut SpringDamperParallel c=40 d=2 s_unstretched=0.9 useHeatPort=true frame_a=post.frame_b frame_b=load.frame_a heatPort=oil.port
        more MultiBody.Damper d=0.5 useHeatPort=true frame_a=post.frame_b frame_b=load.frame_a heatPort=air.solid
        air Convection Gc=3 fluid=oil.port
        oil HeatCapacitor C=4";
    for interface in INTERFACES {
        let mut train = train(interface, text);
        train.set_tolerance(1e-12);
        let energy = |train: &mut Trial| {
            let kinetic = 1.5 * train.real("slide.v").powi(2) + 20.0 * (train.real("strut.s") - 0.9).powi(2);
            kinetic + 4.0 * (train.real("oil.T") - 293.15)
        };
        let begin = energy(&mut train);
        for _ in 0..40 {
            train.step(0.1);
            let rest = energy(&mut train) - begin;
            assert!(rest.abs() < 1e-9 * begin, "{interface:?}: {rest:e}");
            let loss = 0.5 * train.real("more.v").powi(2);
            assert!((train.real("more.heatPort.Q_flow") + loss).abs() < 1e-9, "{loss}");
            assert!((train.real("more.heatPort.T") - train.real("oil.T") - loss / 3.0).abs() < 1e-9);
        }
        assert!(train.real("oil.T") > 294.0, "{}", train.real("oil.T"));
    }
}

#[test]
fn temperatures_that_follow_from_nothing_are_refused() {
    let damper = "shaft Inertia w_start=3\nwall Fixed\ndamper Damper d=2 useHeatPort=true flange_a=wall.flange flange_b=shaft.flange_a";
    #[rustfmt::skip]
    let cases = [
        (format!("{damper} heatPort=link.port_a\nlink ThermalConductor"),
         "nothing to which heat can flow from \"damper.heatPort\" has a heat capacity or a given temperature: connect a HeatCapacitor"),
        (format!("{damper} heatPort=link.port_a\nlink ThermalConductor G=0\nair FixedTemperature port=link.port_b"),
         "the temperature at \"damper.heatPort\", or at a port that exchanges heat with it, follows from nothing, since conductances"),
        (format!("{damper} heatPort=link.solid\nlink Convection Gc=0\nair FixedTemperature port=link.fluid"),
         "the temperature at \"damper.heatPort\", or at a port that exchanges heat with it, follows from nothing, since conductances"),
        (format!("{damper} heatPort=one.port\none FixedTemperature\nother FixedTemperature port=one.port"),
         "\"other\" is connected to a port whose temperature is given already: put a ThermalConductor between them"),
        (format!("{damper} heatPort=one.port\none FixedTemperature\nother HeatCapacitor port=one.port"),
         "\"other\" is connected to a port whose temperature is given already"),
        (
            "shaft Inertia\nbrake EddyCurrentTorque useHeatPort=true flange=shaft.flange_a heatPort=air.solid
             air Convection Gc=2\nambient FixedTemperature port=air.fluid"
                .to_owned(),
            "the load of \"brake\" depends on the temperature at its heatPort, which follows from its losses at once: connect a \
             HeatCapacitor there",
        ),
    ];
    for (text, expected) in cases {
        let message = message(|| {
            train(INTERFACES[0], &text).real("shaft.w");
        });
        assert!(message.contains(expected), "{message}\n{expected}");
    }
}
