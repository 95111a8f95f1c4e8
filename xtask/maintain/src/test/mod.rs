//! `cargo xtask test`.

mod libtest;
mod process;
mod report;
mod steps;

use std::path::PathBuf;
use std::process::Command;
use std::sync::OnceLock;
use std::time::Instant;

use anyhow::{Result, anyhow, bail};
use fmu_builder::console::note;
use fmu_commands::build;
use fmu_commands::import::Validate;
use fmu_commands::progress::Progress;
use rayon::prelude::*;

use crate::checks::{Check, in_ci};
use crate::{bench, dask, fuzz, importers, instructions, playground, robots, sequences, site, supply};
use libtest::{Cases, Program};
use steps::{Run, Step};
use xtask::cargo::cargo;
use xtask::environment::Environment;
use xtask::importer::validate;
use xtask::source::Compiled;

/// Arguments of `cargo xtask test`.
#[derive(clap::Args)]
pub struct Arguments {
    /// Run the expensive checks, too: all structures, many random cases, faults, fuzzing, sanitizers, valgrind, other
    /// platforms, other importers, Dask, peers
    #[arg(long)]
    all: bool,
    /// Run only what --all adds
    #[arg(long, conflicts_with = "all")]
    rest: bool,
    /// Count skipped checks as failed; the default if CI is "true"
    #[arg(long)]
    strict: bool,
    /// Write a report in JUnit's format
    #[arg(long, value_name = "FILE")]
    junit: Option<PathBuf>,
    /// Write a report as JSON
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
}

/// Runs the checks, side by side where they compile in folders of their own; all of them, whatever fails.
pub fn test(arguments: &Arguments) -> Result<()> {
    let checks = Checks::default();
    let cases = match arguments {
        Arguments { rest: true, .. } => Cases::Rest,
        Arguments { all: true, .. } => Cases::All,
        _ => Cases::Usual,
    };
    // The libraries of the FMUs compile in a folder of their own, so that cargo lets neither list wait for the other.
    let (fmus, mut before) = (vec![checks.fmus()], vec![checks.python()]);
    let (mut steps, mut beside) = (Vec::new(), Vec::new());
    if cases != Cases::Rest {
        before.push(checks.format());
        // Libraries of systems compile on one processor: the other one makes ready what tests them.
        before.push(checks.programs());
        // These steps mostly use one processor, as the last of the tests do.
        beside.extend([checks.examples(), checks.importers()]);
    }
    steps.push(checks.tests(cases));
    if cases != Cases::Usual {
        // The tests end with minutes on one processor, when platforms' standard libraries compile.
        beside.extend(checks.expensive());
        steps.push(Step::new("importers, several platforms", platforms).after(&["Python"]));
    }
    let count = fmus.len() + before.len() + steps.len() + beside.len();
    let mut run = Run::new(count, arguments.strict || in_ci());
    if in_ci() {
        // Expensive checks would leave twice as much as all others, for a second run that never comes.
        run = run.without_leftovers(xtask::paths::root().join("target"));
    }
    run.side_by_side(fmus, before);
    run.side_by_side(steps, beside);
    let done = run.finish();
    report::write(&done, arguments.junit.as_deref(), arguments.json.as_deref())?;
    // The summary prints the last line.
    if !report::summary(&done)? {
        std::process::exit(1);
    }
    Ok(())
}

/// Number of test programs whose times are told.
const SLOWEST: usize = 12;

/// Folder with the FMUs of the examples.
const SYSTEMS: &str = "target/fmu/systems";

/// Test program that needs the page.
const PLAYGROUND: &str = "tests::playground";

/// Packages whose tests are run: the Python package's library is tested from Python.
const TESTED: [&str; 2] = ["--workspace", "--exclude=mechanical-fmus"];

/// Steps of the test run, which share a Python environment.
#[derive(Default)]
struct Checks {
    environment: OnceLock<Result<Environment, String>>,
}

impl Checks {
    /// Returns the Python environment, which the first step that needs it prepares.
    fn environment(&self) -> Result<&Environment> {
        let prepare = || Environment::prepare(xtask::paths::root()).map_err(|error| format!("{error:#}"));
        self.environment.get_or_init(prepare).as_ref().map_err(|error| anyhow!("{error}"))
    }

    /// Builds the FMUs that the tests load, from the sources as they are.
    fn fmus(&self) -> Step<'_> {
        Step::one("FMUs", || {
            build::build(&Compiled, &build::Arguments::default())?;
            let root = xtask::paths::root();
            build::build(&Compiled, &build::Arguments::of_files(vec![root.join("examples/*.toml")], root.join(SYSTEMS)))
        })
    }

    /// Prepares the Python environment for steps that read FMUs.
    fn python(&self) -> Step<'_> {
        Step::one("Python", || self.environment().map(drop))
    }

    /// Returns a command of cargo that compiles the tests or checks them.
    fn cargo(&self, arguments: &[&str]) -> Result<Command> {
        let mut command = cargo();
        command.args(arguments).arg("--locked").envs(self.environment()?.variables().iter().cloned());
        Ok(command)
    }

    fn format(&self) -> Step<'_> {
        let format = || {
            let check = ["--check", "--", "--color=never"];
            process::run(cargo().args(["fmt", "--all"]).args(check))?;
            process::run(cargo().args(["fmt", "--manifest-path=tests/fuzz/Cargo.toml"]).args(check)).map(drop)
        };
        Step::one("format", format)
    }

    fn lints(&self) -> Result<()> {
        // With --all-targets cargo would check each library without unit tests twice. The playground's test is not among --tests.
        for targets in [&["--lib", "--bins", "--examples", "--tests"][..], &["--test=playground"]] {
            let mut clippy = self.cargo(&["clippy", "--workspace"])?;
            process::run(clippy.args(targets).args(["--", "-Dwarnings"]))?;
        }
        Ok(())
    }

    fn documentation(&self) -> Result<()> {
        let mut doc = self.cargo(&["doc", "--workspace", "--no-deps", "--document-private-items"])?;
        process::run(doc.env("RUSTDOCFLAGS", "-Dwarnings")).map(drop)
    }

    fn examples(&self) -> Step<'_> {
        Step::new("examples in documentation", || self.doc_tests()).after(&["Python"])
    }

    /// Validates FMUs one after the other by the importers.
    fn importers(&self) -> Step<'_> {
        let run = || validate(&Validate { files: [components()?, archives(SYSTEMS)?].concat(), ..Validate::default() });
        Step::one("importers", run).after(&["FMUs", "Python"])
    }

    /// Compiles the unit and integration tests.
    fn programs(&self) -> Step<'_> {
        Step::one("test programs", || self.compile_tests().map(drop)).after(&["Python"])
    }

    fn compile_tests(&self) -> Result<Vec<Program>> {
        // With --lib cargo would also compile tests of libraries that say that they have none.
        libtest::compile(&mut self.cargo(&[&["test", "--tests"], &TESTED[..]].concat())?)
    }

    /// Runs the unit and integration tests.
    fn tests(&self, cases: Cases) -> Step<'_> {
        let run = move || {
            let mut programs = self.compile_tests()?;
            // A step of its own runs it.
            programs.retain(|program| cases == Cases::Usual || program.name() != PLAYGROUND);
            let variables = self.environment()?.variables();
            let progress = Progress::new(programs.len());
            // They run side by side, since many wait for other programs, or for their last test.
            let run = |program: &Program| {
                let start = Instant::now();
                let checks = program.run(cases, variables)?;
                progress.done(Some(program.path()));
                Ok((checks, (start.elapsed().as_secs(), program.name().to_owned())))
            };
            // They run in threads of their own, for which no other step has to wait.
            let threads = rayon::ThreadPoolBuilder::new().build()?;
            let done = threads.install(|| programs.iter().par_bridge().map(run).collect::<Result<Vec<_>>>())?;
            let (checks, mut times): (Vec<_>, Vec<_>) = done.into_iter().unzip();
            times.sort_by(|one, other| other.cmp(one));
            let slowest = times.iter().take(SLOWEST).map(|(seconds, name)| format!("{name} {seconds} s"));
            note(format_args!("slowest test programs: {}", slowest.collect::<Vec<_>>().join(", ")));
            Ok(checks.concat())
        };
        let name = match cases {
            Cases::Usual => "tests",
            Cases::All => "tests, all cases",
            Cases::Rest => "tests, further cases",
        };
        let step = Step::new(name, run).after(&["FMUs", "Python"]);
        match cases {
            Cases::Usual => step,
            // These folders have the libraries for other platforms.
            Cases::All | Cases::Rest => step.in_folders(&["cross", "wheel", "wine", "zig"]),
        }
    }

    /// Opens the page of the playground in a browser, and runs its module without one.
    fn playground(&self) -> Result<Vec<Check>> {
        let (folder, mut checks) = match playground::tested()? {
            Ok(made) => made,
            Err(why) => return Ok(vec![Check::skipped("page", why)]),
        };
        let mut command = self.cargo(&[&["test", "--test=playground"], &TESTED[..]].concat())?;
        let mut variables = self.environment()?.variables().to_vec();
        variables.push(("PLAYGROUND", folder.into()));
        for program in libtest::compile(&mut command)? {
            checks.extend(program.run(Cases::All, &variables)?);
        }
        Ok(checks)
    }

    fn doc_tests(&self) -> Result<Vec<Check>> {
        let said = process::run(&mut self.cargo(&["test", "--workspace", "--doc"])?)?;
        Ok(libtest::read("documentation", &String::from_utf8_lossy(&said)))
    }

    fn expensive(&self) -> Vec<Step<'_>> {
        vec![
            // The longest one is first.
            Step::new("playground", || self.playground())
                .after(&["FMUs", "Python"])
                .in_folders(&["page", playground::MODULE]),
            // Newer compilers have other lints, which must not fail where the code only has to work.
            Step::one("lints", || self.lints()).after(&["Python"]),
            Step::one("documentation", || self.documentation()).after(&["Python"]).in_folders(&["doc"]),
            Step::new("dependencies", supply::check).in_folders(&["supply"]),
            Step::new("instructions", instructions::check),
            Step::new("Dask", || dask::check(self.environment()?)).after(&["FMUs", "Python"]),
            Step::new("robots", || robots::check(self.environment()?))
                .after(&["FMUs", "Python"])
                .in_folders(&["robots"]),
            Step::new("other importers", importers::check).after(&["Python"]).in_folders(&["importers"]),
            Step::new("site", || site::check(self.environment()?, &components()?, &archives(SYSTEMS)?))
                .after(&["FMUs", "Python"])
                .in_folders(&["site"]),
            Step::new("peers", || bench::smoke(self.environment()?))
                .after(&["FMUs", "Python"])
                .in_folders(&["bench", "peers"]),
            Step::new("fuzzing", fuzz::check).in_folders(&["fuzz"]),
            Step::new("sequences", || sequences::check(&Default::default())).in_folders(&["sequences"]),
            Step::one("packages", || supply::packages().map(drop)).in_folders(&["packages"]),
        ]
    }
}

/// Checks on this computer the FMUs that the tests of other platforms made.
fn platforms() -> Result<Vec<Check>> {
    let (name, folder) = ("FMUs for several platforms", "target/platforms/sample");
    if !xtask::paths::root().join(folder).exists() {
        return Ok(vec![Check::skipped(name, "the tests made none")]);
    }
    Ok(vec![Check::of(name, validate(&Validate { files: archives(folder)?, ..Validate::default() }))])
}

/// Returns the FMUs of the components; there must be some. Users build others into that folder, too.
fn components() -> Result<Vec<PathBuf>> {
    let files: Vec<_> = bench::archives(&xtask::paths::root().join("target/fmu"))?.into_values().collect();
    if files.is_empty() {
        bail!("target/fmu has no FMU of a component");
    }
    Ok(files)
}

/// Returns the FMUs in a folder; there must be some.
fn archives(folder: &str) -> Result<Vec<PathBuf>> {
    let files = xtask::paths::files(&xtask::paths::root().join(folder), "fmu")?;
    if files.is_empty() {
        bail!("{folder} has no FMU");
    }
    Ok(files)
}
