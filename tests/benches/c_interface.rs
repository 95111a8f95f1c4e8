//! Cost of calls through the C interface, on the finished FMU of the bushing.

use std::hint::black_box;
use std::path::Path;

use criterion::{Criterion, criterion_group, criterion_main};
use fmu_builder::{Archive, Platform};
use fmu_runtime::description::{Causality, Kind, Variable};
use fmu_tests::api::{Api, CO_SIMULATION, FmuState, Setup, Slave};

struct Bushing {
    api: Api,
    guid: String,
    location: String,
    variables: Vec<Variable>,
    _folder: tempfile::TempDir,
}

impl Bushing {
    fn unpack() -> Self {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../target/fmu/Bushing.fmu");
        let archive = Archive::open(&path).expect("cargo xtask build makes it");
        let folder = tempfile::tempdir().unwrap();
        for entry in archive.entries() {
            let file = folder.path().join(&entry.name);
            fs_err::create_dir_all(file.parent().unwrap()).unwrap();
            fs_err::write(file, archive.read(&entry.name).unwrap()).unwrap();
        }
        let model = archive.model().unwrap();
        let library = folder.path().join(Platform::host().unwrap().entry(&model.model_name));
        Self {
            api: Api::load(&library).unwrap(),
            guid: model.guid.clone(),
            location: format!("file://{}", folder.path().join("resources").display()),
            variables: model.variables.clone(),
            _folder: folder,
        }
    }

    fn instance(&self) -> Slave {
        let location = Some(self.location.as_bytes());
        self.api.instantiate(Setup { location, ..Setup::new(CO_SIMULATION, &self.guid) }).unwrap()
    }

    fn reals(&self, causality: Causality) -> Vec<u32> {
        let wanted = |v: &&Variable| v.causality == causality && matches!(v.kind, Kind::Real { .. });
        self.variables.iter().filter(wanted).map(|variable| variable.value_reference).collect()
    }
}

fn c_interface(criterion: &mut Criterion) {
    let bushing = Bushing::unpack();
    let slave = bushing.instance();
    slave.setup_experiment(None, 0.0, None);
    slave.enter_initialization_mode();
    slave.exit_initialization_mode();
    let inputs = bushing.reals(Causality::Input);
    let outputs = bushing.reals(Causality::Output);
    let (_, mut values) = slave.get_real(&inputs);
    let mut loads = vec![0.0; outputs.len()];
    let (mut time, h) = (0.0, 1e-3);

    criterion.bench_function("bushing: set inputs, step, get outputs", |bencher| {
        bencher.iter(|| {
            values[0] = 1e-3 * (time % 1.0);
            slave.set_real(&inputs, &values);
            slave.do_step(time, h);
            time += h;
            slave.get_real_into(&outputs, &mut loads);
            black_box(&loads);
        });
    });
    let fifty: Vec<u32> = inputs.iter().chain(&outputs).copied().cycle().take(50).collect();
    let mut buffer = vec![0.0; 50];
    criterion.bench_function("bushing: get 50 Reals", |bencher| {
        bencher.iter(|| slave.get_real_into(black_box(&fifty), &mut buffer));
    });
    let fifty: Vec<u32> = inputs.iter().copied().cycle().take(50).collect();
    let starts: Vec<f64> = values.iter().copied().cycle().take(50).collect();
    criterion.bench_function("bushing: set 50 Reals", |bencher| {
        bencher.iter(|| slave.set_real(black_box(&fifty), &starts));
    });
    let mut state = FmuState::NULL;
    slave.get_state(&mut state);
    criterion.bench_function("bushing: get and set FMU state", |bencher| {
        bencher.iter(|| {
            slave.get_state(&mut state);
            slave.set_state(state)
        });
    });
    criterion.bench_function("bushing: instantiate and free", |bencher| {
        bencher.iter(|| drop(black_box(bushing.instance())));
    });
}

criterion_group!(benches, c_interface);
criterion_main!(benches);
