//! Cost of a step of the clutch through the C interface, with its inputs set and its outputs read.

use std::hint::black_box;

use criterion::{Criterion, criterion_group, criterion_main};
use fmu_tests::finished::{Fmu, Instance};

/// Steps with a torque at flange_b and a normal force that may change from step to step.
fn bench(criterion: &mut Criterion, name: &str, instance: &Instance<'_>, inputs: impl Fn(usize) -> [f64; 3]) {
    instance.initialise();
    let names = ["f_normalized", "flange_a.tau", "flange_b.tau"];
    let input = names.map(|name| instance.references(name)[0]);
    let outputs = ["flange_a.phi", "flange_a.w", "flange_b.phi", "flange_b.w", "tau", "lossPower"];
    let output = outputs.map(|name| instance.references(name)[0]);
    let mut values = [0.0; 6];
    let (mut count, mut time, h) = (0, 0.0, 1e-3);
    criterion.bench_function(name, |bencher| {
        bencher.iter(|| {
            instance.slave.set_real(&input, &inputs(count));
            instance.slave.do_step(time, h);
            instance.slave.get_real_into(&output, &mut values);
            black_box(&values);
            count += 1;
            time += h;
        });
    });
    assert!(instance.slave.messages().is_empty());
}

fn friction(criterion: &mut Criterion) {
    let fmu = Fmu::new("clutch", &["fn_max=10", "mue_pos=[[0.0,0.5],[1.0,0.4],[10.0,0.45]]"]);
    bench(criterion, "clutch: step while stuck", &fmu.instance(), |_| [1.0, 0.1, 0.2]);
    bench(criterion, "clutch: step while sliding", &fmu.instance(), |i| [1.0, 0.0, if i < 10 { 2e4 } else { 9.0 }]);
    // The torque changes its sign each time, and the relative velocity follows inside the step.
    let reversal = |i: usize| [1.0, 0.0, if i.is_multiple_of(2) { 40.0 } else { -40.0 }];
    bench(criterion, "clutch: step with one event", &fmu.instance(), reversal);
}

criterion_group!(benches, friction);
criterion_main!(benches);
