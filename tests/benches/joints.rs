//! Cost of JointUSR: its calls through the C interface, and its mathematics alone.

use std::hint::black_box;

use criterion::{Criterion, criterion_group, criterion_main};
use fmu_builder::description::{Causality, Variable, VariableType};
use fmu_tests::finished::Fmu;
use mechanics::assembly::{Branch, InnerLoads, Revolute, UniversalSpherical};
use mechanics::frame::Load;
use mechanics::motion::Motion;
use nalgebra::Vector3;

fn calls(criterion: &mut Criterion) {
    let fmu = Fmu::new("joint-usr", &[]);
    let instance = fmu.instance();
    instance.initialise();
    let reals = |causality: Causality| -> Vec<u32> {
        let wanted = |v: &&Variable| v.causality == causality && matches!(v.kind, VariableType::Real { .. });
        fmu.description.variables.iter().filter(wanted).map(|variable| variable.value_reference).collect()
    };
    let (inputs, outputs) = (reals(Causality::Input), reals(Causality::Output));
    let slave = &instance.slave;
    let (_, mut values) = slave.get_real(&inputs);
    let mut results = vec![0.0; outputs.len()];
    let (mut time, h) = (0.0, 1e-3);
    criterion.bench_function("joint-usr: set inputs, step, get outputs", |bencher| {
        bencher.iter(|| {
            values[0] = 1e-3 * (time % 1.0);
            slave.set_real(&inputs, &values);
            slave.do_step(time, h);
            time += h;
            slave.get_real_into(&outputs, &mut results);
            black_box(&results);
        });
    });
}

fn mathematics(criterion: &mut Criterion) {
    let (x, z) = (Vector3::x(), Vector3::z());
    let (a, b) = (Motion::at_rest(Vector3::zeros()), Motion::at_rest(Vector3::new(1.0, 1.0, 0.0)));
    let load = Load { f: Vector3::new(1.0, 2.0, 3.0), t: Vector3::new(0.1, 0.2, 0.3) };
    let inner = InnerLoads { ib: load, im: load, drive: 1.0 };
    criterion.bench_function("joint-usr: mathematics", |bencher| {
        bencher.iter(|| {
            let (a, b) = (black_box(&a), black_box(&b));
            let assembly = UniversalSpherical::new(black_box(&z), black_box(&x), Revolute { e: z, q: -x });
            let pose = assembly.pose(a, b, Branch::Negative).unwrap();
            let loads = assembly.loads([a, b], &pose, black_box(&load), black_box(&inner));
            black_box(&pose);
            black_box(&loads);
        });
    });
}

criterion_group!(benches, calls, mathematics);
criterion_main!(benches);
