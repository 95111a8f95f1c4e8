//! `build`: components and configurations become FMUs.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::iter::repeat_n;
use std::mem::ManuallyDrop;
use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::bail;
use comfy_table::presets;
use comfy_table::{CellAlignment, Table};
use fmu_builder::console::{counted, note, say};
use fmu_builder::{
    Cached, Description, Error, FileKind, Library, ModelicaModel, Packer, Settings, Standard, is_path,
    modelica_package, output_path,
};
use rayon::prelude::*;

use crate::configurations::{Configuration, ConfigurationArguments, is_configuration};
use crate::memory;
use crate::progress::{self, Progress};
use crate::source::{Component, Libraries, LibrarySource};
use crate::systems::Systems;

/// Arguments of `build`, with the options of the source of libraries.
#[derive(clap::Args, Default)]
pub struct Arguments<O: clap::Args> {
    /// Component names, package folders or configurations; all components if none is given
    #[arg(value_name = "COMPONENT|PATH|FILE.toml")]
    components: Vec<String>,
    #[command(flatten)]
    configuration: ConfigurationArguments,
    /// Folder or file for the FMU [default: target/fmu in a clone, else this folder]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// FMI versions to build FMUs for: 2, 3 or 2,3; FMI 3.0 FMUs go into the subfolder fmi3 [default: the version given
    /// in the configuration, else 2]
    #[arg(long, value_name = "2|3", value_delimiter = ',', value_parser = standard)]
    fmi: Vec<Standard>,
    #[command(flatten)]
    libraries: O,
    /// Build nothing if there is a warning
    #[arg(long)]
    strict: bool,
    /// Print only warnings and errors
    #[arg(long)]
    quiet: bool,
}

fn standard(word: &str) -> Result<Standard, &'static str> {
    match word {
        "2" => Ok(Standard::Fmi2),
        "3" => Ok(Standard::Fmi3),
        _ => Err("supported versions of FMI are 2 and 3"),
    }
}

impl<O: clap::Args + Default> Arguments<O> {
    /// Returns the arguments that build the FMUs of configurations into a folder.
    pub fn of_files(config: Vec<PathBuf>, out: PathBuf) -> Self {
        Self { configuration: ConfigurationArguments::of_files(config), out: Some(out), ..Self::default() }
    }
}

/// Builds the FMUs and prints a table of them.
///
/// # Errors
///
/// All errors of the configurations at once; nothing is written then.
pub fn build<S: LibrarySource>(source: &S, arguments: &Arguments<S::Options>) -> anyhow::Result<()> {
    memory::keep();
    if arguments.quiet {
        progress::hide();
    }
    let mut plan = Plan::new(source, arguments)?;
    for standard in plan.standards(&arguments.fmi) {
        source.check(&arguments.libraries, standard)?;
    }
    let out = arguments.out.clone().unwrap_or_else(|| source.out());
    let libraries = source.libraries(&plan.components.iter().collect::<Vec<_>>(), &arguments.libraries)?;
    let loaded = libraries.into_par_iter().map(LoadedComponent::new).collect::<Result<Vec<_>, _>>()?;
    // To free the descriptions of a large system would take longer than the end of the program.
    let loaded = ManuallyDrop::new(loaded);

    // No FMU is written unless all can be.
    let packages = ManuallyDrop::new(plan.resolve(&loaded, &arguments.fmi, &out));
    plan.refuse_problems()?;
    check_files(&packages)?;
    // Both standards have the same description.
    let described =
        packages.chunk_by(|one, next| one.description == next.description).map(|alike| &alike[0].description);
    described.clone().for_each(print_warnings);
    let warnings: usize = described.map(|description| description.warnings.len()).sum();
    if arguments.strict && warnings > 0 {
        bail!("{}: nothing is built, because of --strict", counted(warnings, "warning"));
    }
    let table = pack_all(&packages)?;
    if arguments.quiet {
        return Ok(());
    }
    say(table.trim_fmt())?;
    if let Some(time) = source.compile_time() {
        say(format_args!("compiled in {:.1} s", time.as_secs_f64()))?;
    }
    Ok(())
}

/// The FMUs to build.
struct Plan<C> {
    /// Components, each once.
    components: Vec<C>,
    /// The FMUs, in order.
    jobs: Vec<Job>,
    count: usize,
    /// Errors, with the number of the configuration.
    problems: Vec<(usize, String)>,
}

/// An FMU to build.
struct Job {
    /// Position among the components.
    component: usize,
    settings: Settings,
    /// The file of the configuration.
    file: Option<PathBuf>,
    /// Number of the configuration.
    number: usize,
}

impl<C: Component> Plan<C> {
    fn new<S: LibrarySource<Component = C>>(source: &S, arguments: &Arguments<S::Options>) -> anyhow::Result<Self> {
        let (files, names): (Vec<&String>, Vec<&String>) =
            arguments.components.iter().partition(|name| is_configuration(Path::new(name)));
        let given: Vec<_> = names.into_iter().map(|name| source.named(name)).collect::<Result<_, _>>()?;
        let configuration = arguments.configuration.with_files(files.into_iter().map(PathBuf::from));
        let configurations = configuration.all()?;
        let mut systems = Systems::new(source, &arguments.libraries);
        let mut plan = Self { components: vec![], jobs: vec![], count: configurations.len(), problems: vec![] };
        for (number, Configuration { file, settings }) in configurations.into_iter().enumerate() {
            let chosen = settings.and_then(|settings| {
                let components = if !given.is_empty() {
                    given.clone()
                } else if configuration.are_empty() {
                    source.components()?
                } else {
                    vec![of_settings(source, &settings, || systems.of(&settings))?]
                };
                components.iter().try_for_each(|component| refuse_without_parts(component, &settings))?;
                Ok((components, settings))
            });
            match chosen {
                Ok((components, settings)) => {
                    for component in components {
                        plan.add(component, settings.clone(), file.clone(), number);
                    }
                }
                Err(error) => plan.problems.push((number, format!("{:#}", with_file(file.as_deref(), error)))),
            }
        }
        // Without jobs there is nothing to compile.
        if plan.jobs.is_empty() {
            plan.refuse_problems()?;
        }
        Ok(plan)
    }

    /// Returns the standards of the FMUs; those that settings name wrongly are refused when these are resolved.
    fn standards(&self, given: &[Standard]) -> Vec<Standard> {
        if !given.is_empty() {
            return given.to_vec();
        }
        self.jobs.iter().filter_map(|job| job.settings.standards().ok()).flatten().collect()
    }

    fn add(&mut self, component: C, settings: Settings, file: Option<PathBuf>, number: usize) {
        let known = self.components.iter().position(|other| other.is(&component));
        let component = known.unwrap_or_else(|| {
            self.components.push(component);
            self.components.len() - 1
        });
        // A component may be named twice.
        if !self.jobs.iter().any(|job| job.number == number && job.component == component) {
            self.jobs.push(Job { component, settings, file, number });
        }
    }

    /// Returns the FMUs to pack, without those with errors.
    fn resolve<'a>(&mut self, loaded: &'a [LoadedComponent], standards: &[Standard], out: &Path) -> Vec<Package<'a>> {
        let progress = Progress::new(self.jobs.len());
        let resolve = |job: &Job| {
            let component = &loaded[job.component];
            let of_settings = || {
                let mut settings = Cow::Borrowed(&job.settings);
                let own = settings.standards();
                if !standards.is_empty() {
                    settings.to_mut().set_standards(standards);
                }
                Ok((component.describe(&settings)?, own?))
            };
            let result = of_settings();
            progress.done(job.file.as_deref());
            let (description, own) =
                result.map_err(|error| (job.number, format!("{:#}", with_file(job.file.as_deref(), error))))?;
            let standards = if standards.is_empty() { own } else { standards.to_vec() };
            let package = |(standard, description)| Package {
                component,
                standard,
                file: output_path(&description, standard, out),
                description,
                source: job.file.clone(),
            };
            let count = standards.len();
            Ok(standards.into_iter().zip(repeat_n(description, count)).map(package).collect::<Vec<_>>())
        };
        let results: Vec<_> = self.jobs.par_iter().map(resolve).collect();
        let mut packages = Vec::new();
        for result in results {
            match result {
                Ok(mut of_job) => packages.append(&mut of_job),
                Err(problem) => self.problems.push(problem),
            }
        }
        packages
    }

    fn refuse_problems(&mut self) -> anyhow::Result<()> {
        refuse_problems(&mut self.problems, self.count)
    }
}

/// Fails with all errors, each with the number of its configuration, in the order of the configurations.
///
/// # Errors
///
/// When there is an error.
pub fn refuse_problems(problems: &mut [(usize, String)], count: usize) -> anyhow::Result<()> {
    problems.sort_by_key(|(number, _)| *number);
    let messages: Vec<_> = problems.iter().map(|(_, message)| message.as_str()).collect();
    let wrong = problems.chunk_by(|(one, _), (other, _)| one == other).count();
    match (wrong, count) {
        (0, _) => Ok(()),
        (_, 1) => bail!("{}", messages.join("\n")),
        (wrong, all) => {
            bail!("{wrong} of {all} configurations have errors, nothing is built:\n{}", messages.join("\n"))
        }
    }
}

/// Refuses a component that consists of parts, if the settings give none.
pub fn refuse_without_parts(component: &impl Component, settings: &Settings) -> anyhow::Result<()> {
    if component.needs_parts() && !settings.has_parts() {
        bail!("{} needs a configuration with [parts]: --config FILE.toml", component.name());
    }
    Ok(())
}

/// Returns the component named by settings, or the `system` of their parts.
pub fn of_settings<S: LibrarySource>(
    source: &S,
    settings: &Settings,
    system: impl FnOnce() -> anyhow::Result<S::Component>,
) -> anyhow::Result<S::Component> {
    let (name, location) = match settings.component() {
        // A name that is not a path is refused with the other entries.
        Some((name, _)) if settings.has_parts() && !is_path(&name) => return system(),
        Some(component) => component,
        None if settings.has_parts() => return system(),
        None => bail!("which component? Name it on the command line, or with component = \"…\" in the configuration"),
    };
    source.named(&name).map_err(|error| Error::Settings(vec![format!("{location}: {error:#}")]).into())
}

/// Returns an error that names the file of the configuration, unless it has a location.
pub fn with_file(file: Option<&Path>, error: anyhow::Error) -> anyhow::Error {
    let has_location = error.downcast_ref().is_some_and(Error::names_its_location);
    match file.filter(|_| !has_location) {
        Some(file) => error.context(file.display().to_string()),
        None => error,
    }
}

/// Data shared by the FMUs of a component.
pub struct LoadedComponent {
    library: Cached<Library>,
    packer: Packer,
    platforms: String,
}

impl LoadedComponent {
    /// Loads and reads the libraries.
    ///
    /// # Errors
    ///
    /// When one cannot be loaded or read.
    pub fn new(Libraries { host, platforms, origin, compression }: Libraries) -> anyhow::Result<Self> {
        let folders: Vec<_> = platforms.iter().map(|(platform, _)| platform.folder()).collect();
        Ok(Self {
            library: Cached::new(Library::load(&host)?),
            packer: Packer::read(&platforms, origin, compression)?,
            platforms: folders.join(", "),
        })
    }

    /// Returns true if the library has the types of all parts.
    ///
    /// # Errors
    ///
    /// When it cannot be asked.
    pub fn has_types_of(&self, settings: &Settings) -> anyhow::Result<bool> {
        Ok(settings.has_parts_of(&self.library)?)
    }

    /// Returns the description of the component with these settings.
    ///
    /// # Errors
    ///
    /// All errors of the settings.
    pub fn describe(&self, settings: &Settings) -> anyhow::Result<Description> {
        Ok(settings.resolve(&self.library)?)
    }

    /// Packs an FMU into a folder or a file, which it returns.
    ///
    /// # Errors
    ///
    /// When the file cannot be written.
    pub fn pack(&self, description: &Description, standard: Standard, out: &Path) -> anyhow::Result<PathBuf> {
        Ok(self.packer.pack(description, standard, out)?)
    }

    /// Packs an FMU of FMI 2.0 into a file and writes its model in Modelica, or returns the reason why there is none.
    ///
    /// # Errors
    ///
    /// When a file cannot be written.
    pub fn pack_with_model(&self, description: &Description, file: &Path) -> anyhow::Result<Option<String>> {
        // The text of a large system takes as long as its archive.
        let (packed, model) =
            rayon::join(|| self.pack(description, Standard::Fmi2, file), || ModelicaModel::of(description));
        packed?;
        Ok(model?.write(description, file)?)
    }
}

/// An FMU to pack.
pub struct Package<'a> {
    /// The libraries.
    pub component: &'a LoadedComponent,
    /// The standard.
    pub standard: Standard,
    /// Description of the FMU.
    pub description: Description,
    /// The finished FMU.
    pub file: PathBuf,
    /// The file of the configuration.
    pub source: Option<PathBuf>,
}

/// Rejects FMUs with the same file name, also on file systems that ignore case, and those that would replace a file that
/// is not an FMU.
///
/// # Errors
///
/// When there is such a file.
pub fn check_files(packages: &[Package<'_>]) -> anyhow::Result<()> {
    let mut files: BTreeMap<String, &Package<'_>> = BTreeMap::new();
    for package in packages {
        FileKind::Fmu.check_existing(&package.file)?;
        if let Some(other) = files.insert(package.file.to_string_lossy().to_lowercase(), package) {
            let same_source = package.source == other.source;
            let name = |package: &Package<'_>| match &package.source {
                Some(source) if !same_source => shown(source),
                _ => package.description.component.clone(),
            };
            bail!("{} and {} would both be written to {}", name(other), name(package), shown(&package.file));
        }
    }
    Ok(())
}

/// Packs the FMUs; returns their table.
fn pack_all(packages: &[Package<'_>]) -> anyhow::Result<Table> {
    let progress = Progress::new(packages.len());
    let pack = |package: &Package<'_>| {
        let start = Instant::now();
        let Package { component, standard, description, file, .. } = package;
        // Models in Modelica call FMI 2.0.
        match standard {
            Standard::Fmi2 => {
                if let Some(reason) = component.pack_with_model(description, file)? {
                    note(format_args!("{}: no Modelica model: {reason}", description.name));
                }
            }
            Standard::Fmi3 => drop(component.pack(description, *standard, file)?),
        }
        progress.done(Some(&package.file));
        anyhow::Ok([
            shown(&package.file),
            fs_err::metadata(&package.file)?.len().to_string(),
            package.description.variable_count(package.standard).to_string(),
            package.component.platforms.clone(),
            format!("{:.2}", start.elapsed().as_secs_f64()),
        ])
    };
    let rows: Vec<_> = packages.par_iter().map(pack).collect();
    let mut table = Table::new();
    table.load_style(presets::NOTHING).set_header(["file", "bytes", "variables", "platforms", "seconds"]);
    let mut problems = Vec::new();
    for row in rows {
        match row {
            Ok(row) => drop(table.add_row(row)),
            Err(error) => problems.push(format!("{error:#}")),
        }
    }
    if !problems.is_empty() {
        problems.dedup();
        bail!("{}", problems.join("\n"));
    }
    let with_models = packages.iter().filter(|package| package.standard == Standard::Fmi2);
    let mut folders: Vec<_> = with_models.map(|package| folder(&package.file)).collect();
    folders.dedup();
    folders.into_iter().try_for_each(|folder| modelica_package(folder).map(drop))?;
    for column in [1, 2, 4] {
        table.column_mut(column).expect("a column").set_cell_alignment(CellAlignment::Right);
    }
    Ok(table)
}

fn folder(file: &Path) -> &Path {
    file.parent().unwrap_or(Path::new("."))
}

/// Prints messages about the reading of tables, and the warnings about a configuration.
pub fn print_warnings(description: &Description) {
    for found in &description.notes {
        note(format_args!("{}: {found}", description.name));
    }
    for warning in &description.warnings {
        note(format_args!("warning: {}: {warning}", description.name));
    }
}

/// Returns the path relative to the current folder.
fn shown(path: impl AsRef<Path>) -> String {
    let path = path.as_ref();
    let here = std::env::current_dir().ok();
    let relative = here.as_deref().and_then(|here| path.strip_prefix(here).ok());
    relative.unwrap_or(path).display().to_string()
}
