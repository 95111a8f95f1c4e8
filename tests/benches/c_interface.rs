//! Cost of calls through the C interface, on the finished FMU of the bushing.

use std::hint::black_box;
use std::path::Path;

use criterion::{Criterion, criterion_group, criterion_main};
use fmu_builder::description::{Causality, Variable, VariableType};
use fmu_builder::{Archive, Library, Platform, Settings};
use fmu_runtime::CONFIGURATION;
use fmu_tests::api::{Api, CO_SIMULATION, FmuState, Setup, Slave, Status};

struct Bushing {
    api: Api,
    guid: String,
    location: String,
    variables: Vec<Variable>,
    _folder: tempfile::TempDir,
}

impl Bushing {
    fn new(assignments: &[String]) -> Self {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../target/fmu/Bushing.fmu");
        let archive = Archive::open(&path).expect("cargo xtask build makes it");
        let folder = tempfile::tempdir().unwrap();
        let entry = Platform::host().unwrap().entry("Bushing");
        let library = folder.path().join(Path::new(&entry).file_name().unwrap());
        fs_err::write(&library, archive.read(&entry).unwrap()).unwrap();
        let mut settings = Settings::default();
        assignments.iter().for_each(|assignment| settings.set(assignment).unwrap());
        let description = settings.resolve(&Library::load(&library).unwrap()).unwrap();
        let resources = folder.path().join("resources");
        fs_err::create_dir(&resources).unwrap();
        fs_err::write(resources.join(CONFIGURATION), &description.configuration).unwrap();
        for (name, content) in &description.resources {
            fs_err::write(resources.join(name), content).unwrap();
        }
        Self {
            api: Api::load(&library).unwrap(),
            guid: description.guid,
            location: format!("file://{}", resources.display()),
            variables: description.variables,
            _folder: folder,
        }
    }

    /// With four tables of 1000 rows each, as attachments or in the configuration.
    fn with_tables(attached: bool, smoothness: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let mut assignments = Vec::new();
        for (set, reach) in [("TS", 4e-3), ("TD", 0.4), ("RS", 0.02), ("RD", 4.0)] {
            let row = |i: i32| {
                let share = f64::from(i) / 499.5 - 1.0;
                format!("{:?},{:?},2e4,3e4\n", reach * share, 1e4 * (1.0 + share * share))
            };
            let path = folder.path().join(format!("{set}.csv"));
            fs_err::write(&path, (0..1000).map(row).collect::<String>()).unwrap();
            let (source, parameter) = if attached { ("attachment", "data") } else { ("inline", "table") };
            assignments.push(format!("nonlinear_{set}=true"));
            assignments.push(format!("DCM_{set}={source}"));
            assignments.push(format!("sm_{set}={smoothness}"));
            assignments.push(format!("{set}_{parameter}={}", path.display()));
        }
        Self::new(&assignments)
    }

    fn instance(&self) -> Slave {
        let location = Some(self.location.as_bytes());
        self.api.instantiate(Setup { location, ..Setup::new(CO_SIMULATION, &self.guid) }).unwrap()
    }

    fn reals(&self, causality: Causality) -> Vec<u32> {
        let wanted = |v: &&Variable| v.causality == causality && matches!(v.kind, VariableType::Real { .. });
        self.variables.iter().filter(wanted).map(|variable| variable.value_reference).collect()
    }
}

/// Inputs of a smooth motion through all tables, at most about ten rows per millisecond.
fn motion() -> Vec<Vec<f64>> {
    let inputs = |i: i32| {
        let phase = f64::from(i) * 2.0 * std::f64::consts::PI / 1000.0;
        let wave = |factor: f64| [1.0, 2.0, 3.0].map(|k| factor * (k * phase + k).sin());
        let [a, b, c] = wave(0.015);
        let rotation = [1.0, c, -b, -c, 1.0, a, b, -a, 1.0];
        let rest = [[0.0; 3].as_slice(), &[1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0], &[0.0; 6]].concat();
        let moving = [&wave(3e-3)[..], &rotation, &wave(0.3), &wave(3.0)].concat();
        [rest, moving].concat()
    };
    (0..1000).map(inputs).collect()
}

/// Table look-up compared with constant coefficients.
fn tables(criterion: &mut Criterion) {
    let motion = motion();
    for (name, bushing) in [
        ("constant coefficients", Bushing::new(&[])),
        ("four tables of 1000 rows, linear", Bushing::with_tables(true, "linear")),
        ("four tables of 1000 rows, spline", Bushing::with_tables(true, "spline")),
        ("four tables of 1000 rows, inline", Bushing::with_tables(false, "linear")),
    ] {
        let slave = bushing.instance();
        slave.setup_experiment(None, 0.0, None);
        slave.enter_initialization_mode();
        assert_eq!(slave.exit_initialization_mode(), Status::Ok);
        let inputs = bushing.reals(Causality::Input);
        let outputs = bushing.reals(Causality::Output);
        let mut loads = vec![0.0; outputs.len()];
        let mut step = 0;
        criterion.bench_function(&format!("bushing: {name}"), |bencher| {
            bencher.iter(|| {
                slave.set_real(&inputs, &motion[step % motion.len()]);
                step += 1;
                slave.get_real_into(&outputs, &mut loads);
                black_box(&loads);
            });
        });
        assert!(loads.iter().all(|load| load.is_finite()));
    }
}

fn c_interface(criterion: &mut Criterion) {
    let bushing = Bushing::new(&[]);
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

criterion_group!(benches, c_interface, tables);
criterion_main!(benches);
