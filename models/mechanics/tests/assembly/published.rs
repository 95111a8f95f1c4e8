//! The static cases of the Modelica Association's reference results.

use std::collections::BTreeMap;
use std::io::Write;
use std::path::Path;

use mechanics::assembly::{
    InnerLoads, PointMass, Prismatic, Revolute, SphericalSpherical, Universal, UniversalPrismatic, UniversalSpherical,
    first_branch,
};
use mechanics::frame::Load;
use mechanics::motion::Motion;

use crate::mechanism::V;

/// Reads the constant signals of a case; none, with a message, if the data are absent.
fn signals(name: &str) -> Option<BTreeMap<String, f64>> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(4).unwrap();
    let path = root.join("shared/reference/static").join(name).join(format!("{name}.csv"));
    let Ok(text) = std::fs::read_to_string(&path) else {
        let _ = writeln!(std::io::stderr(), "skipped: there is no {}", path.display());
        return None;
    };
    // Names contain commas where they have two indices, always in quotes.
    let mut lines = text.lines();
    let names = lines.next().unwrap().trim_matches('"').split("\",\"");
    let values = lines.next().unwrap().split(',').map(|value| value.parse().unwrap());
    Some(names.map(str::to_owned).zip(values).collect())
}

fn compare(signals: &BTreeMap<String, f64>, frame: &str, r: &V, load: &Load<f64>) {
    for (quantity, found) in [("r_0", r), ("f", &load.f), ("t", &load.t)] {
        for i in 0..3 {
            let name = format!("{frame}.{quantity}[{}]", i + 1);
            let expected = signals[&name];
            assert!((found[i] - expected).abs() < 1e-12 * (1.0 + expected.abs()), "{name}: {} {expected}", found[i]);
        }
    }
}

const NO_LOAD: Load<f64> = Load { f: V::new(0.0, 0.0, 0.0), t: V::new(0.0, 0.0, 0.0) };

fn no_loads() -> InnerLoads<f64> {
    InnerLoads { ib: NO_LOAD, im: NO_LOAD, drive: 0.0 }
}

fn ends(b: V) -> [Motion<f64>; 2] {
    [Motion::at_rest(V::zeros()), Motion::at_rest(b)]
}

fn rods() -> [V; 2] {
    [V::new(1.0, 0.3, 0.0), V::new(-0.5, 0.2, 0.0)]
}

#[test]
fn joint_ups_at_rest() {
    let Some(signals) = signals("JointUPS") else { return };
    let [a, b] = ends(V::new(1.7, 0.1, 0.0));
    let assembly = UniversalPrismatic { universal: Universal::new(&V::z(), &rods()[0]) };
    let pose = assembly.pose(&a, &b).unwrap();
    let [_, load_b] = assembly.loads([&a, &b], &pose, &NO_LOAD, &NO_LOAD, 0.0);
    compare(&signals, "jointUPS.frame_b", &b.r_0, &load_b);
    compare(&signals, "jointUPS.frame_ia", &pose.universal.ia.r_0, &NO_LOAD);
}

#[test]
fn joints_usr_and_rrr_at_rest() {
    let [a, b] = ends(V::new(1.5, 0.1, 0.0));
    let [rod1, q] = rods();
    let joint = Revolute { e: V::z(), q };
    let branch = first_branch(&joint, &a, &b, rod1.norm(), 0.0).unwrap();
    let assembly = UniversalSpherical::new(&V::z(), &rod1, joint);
    let pose = assembly.pose(&a, &b, branch).unwrap();
    let loads = assembly.loads([&a, &b], &pose, &NO_LOAD, &no_loads());
    for name in ["JointUSR", "JointRRR"] {
        let Some(signals) = signals(name) else { return };
        let joint = name.replace('J', "j");
        compare(&signals, &format!("{joint}.frame_b"), &b.r_0, &loads.b);
        compare(&signals, &format!("{joint}.frame_im"), &pose.closed.im.r_0, &NO_LOAD);
    }
}

#[test]
fn joints_usp_and_rrp_at_rest() {
    let [a, b] = ends(V::new(1.7, 0.1, 0.0));
    let [rod1, q] = rods();
    let joint = Prismatic { e: -V::x(), q };
    let branch = first_branch(&joint, &a, &b, rod1.norm(), 0.0).unwrap();
    let assembly = UniversalSpherical::new(&V::z(), &rod1, joint);
    let pose = assembly.pose(&a, &b, branch).unwrap();
    let loads = assembly.loads([&a, &b], &pose, &NO_LOAD, &no_loads());
    for name in ["JointUSP", "JointRRP"] {
        let Some(signals) = signals(name) else { return };
        let joint = name.replace('J', "j");
        compare(&signals, &format!("{joint}.frame_b"), &b.r_0, &loads.b);
        compare(&signals, &format!("{joint}.frame_im"), &pose.closed.im.r_0, &NO_LOAD);
    }
}

fn mass(neglected: bool) -> PointMass<f64> {
    PointMass { m: 1.0, g: V::new(0.0, -9.80665, 0.0), neglected }
}

#[test]
fn joint_ssr_with_a_mass_at_rest() {
    let Some(signals) = signals("JointSSR") else { return };
    let [a, b] = ends(V::new(1.5, 0.1, 0.0));
    let [rod1, q] = rods();
    let joint = Revolute { e: V::z(), q };
    let branch = first_branch(&joint, &a, &b, rod1.norm(), 0.0).unwrap();
    let assembly = SphericalSpherical { length: rod1.norm(), mass: mass(false), joint };
    let pose = assembly.pose(&a, &b, branch).unwrap();
    let loads = assembly.loads([&a, &b], &pose, &no_loads());
    compare(&signals, "jointSSR.frame_b", &b.r_0, &loads.b);
    compare(&signals, "jointSSR.frame_im", &pose.closed.im.r_0, &NO_LOAD);
}

/// These data contain the error of the Modelica Standard Library; the balanced formula differs by 1.32 N.
#[test]
fn joint_ssp_with_a_mass_at_rest() {
    let Some(signals) = signals("JointSSP") else { return };
    let [a, b] = ends(V::new(1.5, 0.1, 0.0));
    let joint = Prismatic { e: V::z(), q: V::new(-0.52, 0.2, 0.0) };
    let length = rods()[0].norm();
    let branch = first_branch(&joint, &a, &b, length, -10.0).unwrap();
    let assembly = SphericalSpherical { length, mass: mass(false), joint };
    let pose = assembly.pose(&a, &b, branch).unwrap();
    let [right, wrong] = [false, true].map(|neglected| {
        let assembly = SphericalSpherical { mass: mass(neglected), ..assembly };
        assembly.loads([&a, &b], &pose, &no_loads())
    });
    compare(&signals, "jointSSP.frame_b", &b.r_0, &wrong.b);
    compare(&signals, "jointSSP.frame_im", &pose.closed.im.r_0, &NO_LOAD);
    let difference = (right.b.f - wrong.b.f).amax();
    assert!((difference - 1.32).abs() < 0.01, "{difference}");
}
