//! A mechanism on whose frame another FMU hangs.

use bushing::Bushing;
use fmu_runtime::Trial;
use fmu_runtime::lifecycle::Interface;

use super::derivatives::by_inputs;
use crate::fixture::{INTERFACES, train};

/// An arm that swings in space.
const ARM: &str = "world World g=9.81
    post Revolute frame_a=world.frame_b n[1]=1 n[2]=0 n[3]=1 phi_start=0.1 w_start=1.2
    arm BodyShape frame_a=post.frame_b r[1]=0.6 r_CM[1]=0.3 m=2 I_11=0.1 I_22=0.2 I_33=0.2
    hinge Revolute frame_a=arm.frame_b n[1]=0 n[2]=1 n[3]=0.3 phi_start=0.2 w_start=-1
    hand Body frame_a=hinge.frame_b r_CM[3]=0.3 m=1 I_11=0.1 I_22=0.1 I_33=0.1\n";

const STIFFNESS: [(&str, f64); 6] =
    [("TS[1]", 400.0), ("TS[2]", 300.0), ("TS[3]", 200.0), ("RS[1]", 20.0), ("RS[2]", 30.0), ("RS[3]", 10.0)];

/// The names of the load, as at the end of a connector's name.
const LOAD: [&str; 6] = ["f[1]", "f[2]", "f[3]", "t[1]", "t[2]", "t[3]"];

/// The component hangs on the frame of the arm, and moves with the frame's outputs. Inside the system it does the same.
#[test]
fn a_bushing_outside_acts_as_one_inside() {
    let mut whole = ARM.to_owned() + "mount Bushing frame_a=hand.frame_a frame_b=world.frame_b";
    STIFFNESS.iter().for_each(|(name, value)| whole += &format!(" {name}={value:?}"));
    for (interface, orientation) in INTERFACES.into_iter().zip(["quaternion", "matrix"]) {
        let mut whole = train(interface, &whole);
        for _ in 0..10 {
            whole.step(0.02);
            let now = ["post", "hinge"].map(|joint| ["phi", "w"].map(|of| whole.real(&format!("{joint}.{of}"))));
            let mut cut = train(
                interface,
                &(ARM.to_owned() + &format!("cut Frame_b frame=hand.frame_a orientation={orientation}")),
            );
            for (joint, [phi, w]) in ["post", "hinge"].into_iter().zip(now) {
                cut.set(&format!("{joint}.phi_start"), phi);
                cut.set(&format!("{joint}.w_start"), w);
            }
            let mut bushing = Trial::new::<Bushing<f64>>(&[("orientation", orientation)]);
            STIFFNESS.iter().for_each(|(name, value)| bushing.set(name, *value));
            for name in motion(orientation) {
                let value = cut.real(&format!("cut.{name}"));
                bushing.set(&format!("frame_a.{name}"), value);
            }
            // A load that acts on the component acts on the system with the opposite sign.
            for name in LOAD {
                let load = bushing.real(&format!("frame_a.{name}"));
                assert!((load - whole.real(&format!("mount.frame_a.{name}"))).abs() < 1e-9 * load.abs().max(1.0));
                cut.set(&format!("cut.{name}"), -load);
            }
            for name in ["post.a", "hinge.a", "hand.a_0[2]", "post.frame_a.t[2]"] {
                let (found, expected) = (cut.real(name), whole.real(name));
                assert!((found - expected).abs() < 1e-8 * expected.abs().max(1.0), "{name}: {found} {expected}");
            }
            let a = [1, 2, 3].map(|i| (cut.real(&format!("cut.a_0[{i}]")), whole.real(&format!("hand.a_0[{i}]"))));
            assert!(a.iter().all(|(one, other)| (one - other).abs() < 1e-8 * other.abs().max(1.0)), "{a:?}");
        }
    }
}

/// Returns the names of the variables of a motion that the bushing takes.
fn motion(orientation: &str) -> Vec<String> {
    let of = |name: &str, count: usize| (1..=count).map(|i| format!("{name}[{i}]")).collect::<Vec<_>>();
    let turned = match orientation {
        "quaternion" => of("Q", 4),
        _ => (1..=3).flat_map(|i| (1..=3).map(move |k| format!("R.T[{i},{k}]"))).collect(),
    };
    [of("r_0", 3), turned, of("v_0", 3), of("R.w", 3)].concat()
}

/// The outputs for velocities and accelerations of the frame are the rates of its other outputs.
#[test]
fn velocities_and_accelerations_are_rates() {
    let mut model =
        train(Interface::CoSimulation, &(ARM.to_owned() + "cut Frame_a frame=hand.frame_a orientation=cardan"));
    model.set_tolerance(1e-12);
    model.step(0.1);
    let names = ["r_0[1]", "v_0[2]", "R.w[3]", "v_0[2]", "a_0[2]", "z[3]"];
    let h = 1e-4;
    let points: Vec<Vec<f64>> = (0..3)
        .map(|_| {
            model.step(h);
            names.iter().map(|name| model.real(&format!("cut.{name}"))).collect()
        })
        .collect();
    for (of, rate) in [(1, 4), (2, 5)] {
        let difference = (points[2][of] - points[0][of]) / (2.0 * h);
        assert!((difference - points[1][rate]).abs() < 1e-5, "{}: {difference} {}", names[of], points[1][rate]);
    }
}

#[test]
fn derivatives_are_those_of_differences() {
    let mut model =
        train(Interface::ModelExchange, &(ARM.to_owned() + "cut Frame_b frame=hand.frame_a orientation=cardan"));
    model.step(0.1);
    by_inputs(&mut model, &["cut.f[1]", "cut.t[2]"], &["post.a", "hinge.a", "cut.a_0[3]", "cut.z[1]"]);
}

#[test]
#[should_panic = "\"cut\" acts at frame on nothing that is connected to the world: connect frame to a body, a joint, a rigid \
                  part or the World"]
fn a_frame_of_nothing_is_refused() {
    train(Interface::CoSimulation, &(ARM.to_owned() + "cut Frame_b")).real("post.phi");
}
