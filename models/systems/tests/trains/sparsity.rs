//! Influences between parts, against derivatives: a value may affect only the parts that its own part reaches.

use fmu_runtime::configuration::Configuration;
use fmu_runtime::model::{Data, Layout, Sparsity};
use fmu_runtime::{ComponentModel, Dual64, Values};
use proptest::prelude::*;
use systems::system;

/// Returns the options of a system with parts of all kinds in a row, so that effects can end. `stiff` joins parts that
/// springs keep apart.
fn parts(stiff: bool) -> Vec<(String, &'static str)> {
    let mut options = Vec::new();
    let mut part = |name: &str, of: &'static str, connections: &[(&str, &'static str)]| {
        options.push((format!("{name}.type"), of));
        options.extend(connections.iter().map(|(connector, to)| (format!("{name}.{connector}"), *to)));
    };
    part("engine", "Torque", &[("flange", "a.flange_a")]);
    part("a", "Inertia", &[]);
    part("c", "Clutch", &[("flange_a", "a.flange_b"), ("flange_b", "b.flange_a"), ("f_normalized", "input.pedal")]);
    part("b", "Inertia", &[]);
    part(
        "s",
        if stiff { "IdealGear" } else { "SpringDamper" },
        &[("flange_a", "b.flange_b"), ("flange_b", "d.flange_a")],
    );
    part("d", "Inertia", &[]);
    part("p", "IdealPlanetary", &[("sun", "d.flange_b"), ("carrier", "e.flange_a"), ("ring", "f.flange_a")]);
    part("e", "Inertia", &[]);
    part("f", "Inertia", &[]);
    part("brake", "Brake", &[("flange_a", "f.flange_b"), ("f_normalized", "input.pedal")]);
    part("t", "Spring", &[("flange_a", "e.flange_b"), ("flange_b", "g.flange_a")]);
    part("g", "Inertia", &[]);
    part("ground", "Fixed", &[("flange", "u.flange_b")]);
    part("u", "SpringDamper", &[("flange_a", "g.flange_b")]);
    part("drive", "Speed", &[("flange", "v.flange_a")]);
    part("v", "Damper", &[("flange_b", "h.flange_a")]);
    part("h", "Inertia", &[]);
    part("rack", "IdealGearR2T", &[("flangeR", "h.flange_b"), ("flangeT", "m.flange_a")]);
    part("m", "Mass", &[]);
    part("w", "Translational.Spring", &[("flange_a", "m.flange_b"), ("flange_b", "n.flange_a")]);
    part("n", "Mass", &[]);
    part("wall", "Translational.Spring", &[("flange_a", "n.flange_b"), ("flange_b", "floor.flange")]);
    part("floor", "Translational.Fixed", &[]);
    options
}

fn model(options: &[(String, impl AsRef<str>)]) -> (Box<dyn ComponentModel>, Layout) {
    let mut model = system(Vec::new());
    let (types, others): (Vec<_>, Vec<_>) = options.iter().partition(|(option, _)| option.ends_with(".type"));
    for (option, word) in types.into_iter().chain(others) {
        model.set_structure(option, word.as_ref()).unwrap();
    }
    let layout = Layout::new(&|visitor| model.declare(visitor), &Configuration::default()).unwrap();
    (model, layout)
}

/// Returns the start values with other Reals in front of those of tables.
fn with_reals(layout: &Layout, reals: Vec<f64>) -> Values {
    let mut values = layout.start.clone();
    let count = values.before_tables;
    values.reals[..count].iter_mut().zip(reals).for_each(|(value, real)| *value = real);
    values
}

/// Checks that no derivative is where the influences rule it out.
fn fits(model: &dyn ComponentModel, layout: &Layout, values: &Values, initial: bool) -> Result<(), TestCaseError> {
    let influences = model.influences();
    let part = |slot| influences.part(fmu_runtime::Base::Real, slot);
    let Ok(data) = model.prepare(values, layout, None, &[]) else { return Ok(()) };
    let name = |slot| fmu_runtime::real_name(&|visitor| model.declare(visitor), slot);
    for known in 0..values.before_tables {
        // K_locked acts on the rest that rounding leaves of relative velocities; random ones are larger. One rate holds
        // for all elements.
        if !initial && name(known).ends_with(".K_locked") {
            continue;
        }
        let mut duals: Vec<_> = values.reals.iter().map(|value| Dual64::from_re(*value)).collect();
        duals[known].eps = 1.0;
        if model.differentiate(&mut duals, &mut values.clone(), &data, Dual64::from_re(0.5), initial).is_err() {
            continue;
        }
        let largest = duals.iter().map(|dual| dual.eps.abs()).fold(0.0, f64::max);
        // The temperature at a connected port is no variable of the FMU; a part whose load depends on it is reached.
        let is_seen = |slot: &usize| !name(*slot).ends_with(".heatPort.T");
        let moved = (0..values.before_tables).filter(|slot| duals[*slot].eps.abs() > 1e-11 * largest).filter(is_seen);
        for slot in moved {
            let reaches = influences.reaches[part(known)].contains(&part(slot));
            prop_assert!(reaches, "{} moves {} by {:e} of {largest:e}", name(known), name(slot), duals[slot].eps);
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn what_a_value_moves_is_where_its_part_reaches(
        stiff in any::<bool>(),
        reals in prop::collection::vec(0.1..3.0_f64, 300),
        modes in prop::collection::vec(-1..=2_i32, 8),
        initial in any::<bool>(),
    ) {
        let (model, layout) = model(&parts(stiff));
        let mut values = with_reals(&layout, reals);
        values.integers.iter_mut().zip(modes).for_each(|(value, mode)| *value = mode);
        fits(&*model, &layout, &values, initial)?;
    }
}

/// Generates parts of a random train, by the connectors that they share with four inertias and four given or grounded
/// shafts.
fn random_parts() -> impl Strategy<Value = Vec<(String, String)>> {
    const SHAFTS: [&str; 8] = [
        "i0.flange_a", "i1.flange_b", "i2.flange_a", "i3.flange_b", "speed.flange", "position.flange", "fixed.flange",
        "speed2.flange",
    ];
    const BETWEEN: [(&str, &[&str]); 9] = [
        ("Clutch", &["flange_a", "flange_b"]),
        ("Brake", &["flange_a", "support"]),
        ("BearingFriction", &["flange_b", "support"]),
        ("SpringDamper", &["flange_a", "flange_b"]),
        ("Torque", &["flange", "support"]),
        ("IdealGear", &["flange_a", "flange_b", "support"]),
        ("IdealPlanetary", &["sun", "carrier", "ring"]),
        ("Torque", &["flange"]),
        ("Brake", &["flange_a"]),
    ];
    let part = (0..BETWEEN.len(), prop::sample::subsequence(SHAFTS.to_vec(), 3).prop_shuffle());
    prop::collection::vec(part, 1..9).prop_map(|parts| {
        let mut options: Vec<_> = (0..4).map(|i| (format!("i{i}.type"), "Inertia".to_owned())).collect();
        for (name, of) in [("speed", "Speed"), ("position", "Position"), ("fixed", "Fixed"), ("speed2", "Speed")] {
            options.push((format!("{name}.type"), of.to_owned()));
        }
        for (k, (of, shafts)) in parts.into_iter().enumerate() {
            let (of, connectors) = BETWEEN[of];
            options.push((format!("p{k}.type"), of.to_owned()));
            if connectors.contains(&"support") {
                options.push((format!("p{k}.useSupport"), "true".to_owned()));
            }
            for (connector, shaft) in connectors.iter().zip(shafts) {
                options.push((format!("p{k}.{connector}"), shaft.to_owned()));
            }
        }
        options
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 100, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn what_a_value_moves_in_a_random_train_is_where_its_part_reaches(
        options in random_parts(),
        reals in prop::collection::vec(0.1..3.0_f64, 400),
        rests in any::<bool>(),
        initial in any::<bool>(),
    ) {
        let (model, layout) = model(&options);
        let mut values = layout.start.clone();
        let count = values.before_tables;
        for (slot, real) in reals.into_iter().enumerate().take(count) {
            let is_speed = fmu_runtime::real_name(&|visitor| model.declare(visitor), slot).ends_with(".w");
            values.reals[slot] = if rests && is_speed { 0.0 } else { real };
        }
        // Elements that stuck against each other would be a contradiction: the modes fit the point.
        let Ok(data) = model.prepare(&values, &layout, None, &[]) else { return Ok(()) };
        if model.event(&mut values, &data, 0.5).is_ok() {
            fits(&*model, &layout, &values, initial)?;
        }
    }
}

/// Generates heat networks between four capacities, a given temperature and a port without capacity, with brakes that heat; behind
/// a row of blocks, a signal sets the torque at their shaft, and a sensor measures its speed.
fn random_heat() -> impl Strategy<Value = Vec<(String, String)>> {
    const PORTS: [&str; 6] = ["h0.port", "h1.port", "h2.port", "h3.port", "given.port", "open.port_b"];
    const KINDS: [(&str, &[&str]); 5] = [
        ("ThermalConductor", &["port_a", "port_b"]),
        ("ThermalResistor", &["port_a", "port_b"]),
        ("Convection", &["solid", "fluid"]),
        ("FixedHeatFlow", &["port"]),
        ("Brake", &["heatPort"]),
    ];
    let part = (0..KINDS.len(), prop::sample::subsequence(PORTS.to_vec(), 2).prop_shuffle());
    prop::collection::vec(part, 1..8).prop_map(|parts| {
        let mut options: Vec<_> = (0..4).map(|i| (format!("h{i}.type"), "HeatCapacitor".to_owned())).collect();
        let mut add = |option: String, word: &str| options.push((option, word.to_owned()));
        for (option, word) in [
            ("given.type", "FixedTemperature"),
            ("open.type", "ThermalConductor"),
            ("open.port_a", "h0.port"),
            ("sine.type", "Sine"),
            ("gain.type", "Gain"),
            ("gain.u", "sine.y"),
            ("filter.type", "FirstOrder"),
            ("filter.u", "gain.y"),
            ("torque.type", "Torque"),
            ("torque.tau", "filter.y"),
            ("torque.flange", "shaft.flange_a"),
            ("shaft.type", "Inertia"),
            ("sensor.type", "SpeedSensor"),
            ("sensor.flange", "shaft.flange_b"),
            ("last.type", "Gain"),
            ("last.u", "sensor.w"),
        ] {
            add(option.to_owned(), word);
        }
        for (k, (kind, ports)) in parts.into_iter().enumerate() {
            let (kind, connectors) = KINDS[kind];
            add(format!("p{k}.type"), kind);
            if kind == "Brake" {
                add(format!("p{k}.useHeatPort"), "true");
                add(format!("p{k}.flange_a"), "shaft.flange_b");
            }
            connectors.iter().zip(ports).for_each(|(connector, port)| add(format!("p{k}.{connector}"), port));
        }
        options
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn heat_and_signals_go_where_their_parts_reach(
        options in random_heat(),
        reals in prop::collection::vec(0.1..3.0_f64, 300),
    ) {
        let (model, layout) = model(&options);
        let values = with_reals(&layout, reals);
        prop_assert!(model.prepare(&values, &layout, None, &[]).is_ok());
        fits(&*model, &layout, &values, false)?;
    }
}

/// Returns the values that a start from these leads to, in an analysis.
fn started(model: &dyn ComponentModel, layout: &Layout, values: &Values) -> Option<Vec<f64>> {
    let data = model.prepare(values, layout, None, &[]).ok()?;
    along(model, values, &data, None).map(|duals| duals.iter().map(|dual| dual.re).collect())
}

/// Returns what a start leads to, with derivatives by one value.
fn along(model: &dyn ComponentModel, values: &Values, data: &Data, known: Option<usize>) -> Option<Vec<Dual64>> {
    let mut duals: Vec<_> = values.reals.iter().map(|value| Dual64::from_re(*value)).collect();
    known.into_iter().for_each(|known| duals[known].eps = 1.0);
    model.differentiate(&mut duals, &mut values.clone(), data, Dual64::from_re(0.5), true).ok()?;
    Some(duals)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 30, failure_persistence: None, ..ProptestConfig::default() })]

    /// Ratios, inertias and start values that are prepared for one point and used at others are as if prepared for them.
    #[test]
    fn derivatives_of_a_start_are_differences(
        options in random_parts(),
        reals in prop::collection::vec(0.5..3.0_f64, 400),
    ) {
        const STEP: f64 = 1e-6;
        let ((model, layout), (fresh, _)) = (self::model(&options), self::model(&options));
        let values = with_reals(&layout, reals);
        let count = values.before_tables;
        let Some(here) = started(&*fresh, &layout, &values) else { return Ok(()) };
        for known in 0..count {
            let moved = |by: f64| {
                let mut values = values.clone();
                values.reals[known] += by;
                started(&*model, &layout, &values)
            };
            let (Some(before), Some(behind)) = (moved(-STEP), moved(STEP)) else { continue };
            // The model has seen other values, and returns to these.
            prop_assert_eq!(&started(&*model, &layout, &values), &Some(here.clone()));
            let Ok(data) = model.prepare(&values, &layout, None, &[]) else { continue };
            let Some(duals) = along(&*model, &values, &data, Some(known)) else { continue };
            for slot in (0..count).filter(|slot| *slot != known) {
                let (left, right) = ((here[slot] - before[slot]) / STEP, (behind[slot] - here[slot]) / STEP);
                let size = 1.0 + left.abs() + right.abs() + here[slot].abs();
                // At a step or a corner there is no derivative.
                if (left - right).abs() < 1e-4 * size {
                    let name = |slot| fmu_runtime::real_name(&|visitor| model.declare(visitor), slot);
                    let is_close = (duals[slot].eps - 0.5 * (left + right)).abs() < 1e-3 * size;
                    prop_assert!(is_close, "{} by {}: {} not {left}", name(slot), name(known), duals[slot].eps);
                }
            }
        }
    }
}

/// A stuck element passes loads on one side to the part that gives the motion of the other.
#[test]
fn friction_passes_loads_on_to_what_holds_it() {
    for (friction, connector, other, holder) in [
        ("Clutch", "c.flange_a", "c.flange_b", "Speed"),
        ("Clutch", "c.flange_b", "c.flange_a", "Position"),
        ("Brake", "c.flange_a", "c.support", "Fixed"),
    ] {
        let mut options = vec![
            ("engine.type", "Torque"),
            ("a.type", "Inertia"),
            ("c.type", friction),
            ("drive.type", holder),
            ("engine.flange", "a.flange_a"),
        ];
        if friction == "Brake" {
            options.push(("c.useSupport", "true"));
        }
        options.extend([(connector, "a.flange_b"), (other, "drive.flange")]);
        let options: Vec<_> = options.into_iter().map(|(option, word)| (option.to_owned(), word)).collect();
        let Sparsity { reaches, .. } = model(&options).0.influences();
        assert!(reaches[0].contains(&3), "{friction}, {holder}: {reaches:?}");
    }
}

#[test]
fn effects_end_in_a_chain() {
    let mut options = Vec::new();
    for i in 0..100 {
        options.push((format!("i{i}.type"), "Inertia".to_owned()));
        if i > 0 {
            options.push((format!("s{i}.type"), "Spring".to_owned()));
            options.push((format!("s{i}.flange_a"), format!("i{}.flange_b", i - 1)));
            options.push((format!("s{i}.flange_b"), format!("i{i}.flange_a")));
        }
    }
    let Sparsity { reaches, offsets, .. } = model(&options).0.influences();
    // The inputs of the system count as one more part.
    assert_eq!((reaches.len(), offsets.len()), (200, 200));
    // Two springs and inertias on both sides.
    assert_eq!(reaches.iter().map(Vec::len).max(), Some(7));
}

#[test]
fn signals_reach_what_follows_and_heat_all_that_exchange_it() {
    const COUNT: usize = 300;
    let mut blocks = vec![("b0.type".to_owned(), "Sine".to_owned())];
    let mut rod = vec![("c0.type".to_owned(), "HeatCapacitor".to_owned())];
    for i in 1..COUNT {
        blocks.push((format!("b{i}.type"), "Gain".to_owned()));
        blocks.push((format!("b{i}.u"), format!("b{}.y", i - 1)));
        rod.push((format!("c{i}.type"), "HeatCapacitor".to_owned()));
        rod.push((format!("r{i}.type"), "ThermalConductor".to_owned()));
        rod.push((format!("r{i}.port_a"), format!("c{}.port", i - 1)));
        rod.push((format!("r{i}.port_b"), format!("c{i}.port")));
    }
    let reached = |options: &[(String, String)]| -> Vec<usize> {
        model(options).0.influences().reaches.iter().map(Vec::len).collect()
    };
    // The inputs of the system, of which there are none, reach themselves.
    let following: Vec<_> = (1..=COUNT).rev().chain([1]).collect();
    assert_eq!(reached(&blocks), following);
    let all = 2 * COUNT - 1;
    assert_eq!(reached(&rod), [vec![all; all], vec![1]].concat());
}
