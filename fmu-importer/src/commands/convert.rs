//! The command `convert`.

use std::io::Write;
use std::path::Path;

use anyhow::bail;
use fmu_builder::console::{note, say};
use fmu_builder::{CONFIGURATION, Destination, FileKind};
use fmu_commands::ensure_configuration;
use fmu_commands::import::Convert;
use fmu_runtime::{MAX_DATA_BYTES, read_limited};

use super::table::form;
use crate::convert::{Block, Bushing, Loop, Packages, blocks, bus, gbs, robot};

/// Extensions of tables with a hysteresis loop.
const TABLES: [&str; 9] = ["csv", "txt", "tsv", "dat", "asc", "xls", "xlsx", "xlsm", "ods"];

/// Writes the configuration.
pub fn run(options: &Convert) -> anyhow::Result<()> {
    let Convert { file, output, axis, table, floating, package, force } = options;
    let shown = file.display();
    let extension = file.extension().map(|extension| extension.to_string_lossy().to_ascii_lowercase());
    let of_table = axis.map(|_| "--axis").or(table.given());
    let of_robot = floating.then_some("--floating").or((!package.is_empty()).then_some("--package"));
    if let (Some(argument), false) = (of_robot, extension.as_deref() == Some("urdf")) {
        bail!("{argument} is for robots, but {shown} is none: a robot is a .urdf file");
    }
    let read: fn(&[Block]) -> Result<Bushing, String> = match extension.as_deref() {
        Some("gbs") => gbs,
        Some("bus") => bus,
        Some(extension) if TABLES.contains(&extension) => return hysteresis(options),
        Some("urdf") => {
            if let Some(argument) = of_table {
                bail!("{argument} is for tables, but {shown} is a robot");
            }
            return of_urdf(options);
        }
        Some("xacro") => bail!("{shown}: expand the macros of xacro first: xacro {shown} > robot.urdf"),
        _ => bail!(
            "{shown}: unknown type of file; property files of bushings end with .gbs or .bus, tables with a hysteresis loop \
             with .csv, .txt, .xls, .xlsx or .ods, robots with .urdf"
        ),
    };
    if let Some(argument) = of_table {
        bail!("{argument} is for tables, but {shown} is a property file");
    }
    ensure_configuration(output)?;
    let destination = Destination::create(output, *force)?
        .apart_from("the configuration", [("the property file", Some(file.as_path()))])?
        .of_kind(CONFIGURATION)?;
    let content = read_limited(file, MAX_DATA_BYTES).map_err(anyhow::Error::msg)?;
    // Comments may have another encoding; names and numbers are ASCII.
    let text = String::from_utf8_lossy(&content);
    let name = file.file_name().unwrap_or_default().to_string_lossy();
    let converted = blocks(&text).and_then(|blocks| read(&blocks));
    let bushing = converted.map_err(|what| anyhow::anyhow!("{shown}{what}"))?;
    for what in bushing.left_out.iter().chain(&bushing.notes()) {
        note(format_args!("{shown}: {what}"));
    }
    destination.write(|writer| writer.write_all(bushing.configuration(&name).as_bytes()))?;
    Ok(say(Path::new(output).display())?)
}

/// Writes the system of a robot.
fn of_urdf(options: &Convert) -> anyhow::Result<()> {
    let Convert { file, output, floating, package, force, .. } = options;
    let shown = file.display();
    ensure_configuration(output)?;
    let destination = Destination::create(output, *force)?
        .apart_from("the configuration", [("the robot", Some(file.as_path()))])?
        .of_kind(CONFIGURATION)?;
    let given = package.iter().map(|text| match text.split_once('=') {
        Some((name, folder)) => Ok((name.to_owned(), folder.into())),
        None => bail!("--package {text}: must be the name of a package and its folder, NAME=FOLDER"),
    });
    let folder = file.parent().unwrap_or(Path::new("")).to_owned();
    let packages = Packages { folder, given: given.collect::<anyhow::Result<_>>()? };
    let content = read_limited(file, MAX_DATA_BYTES).map_err(anyhow::Error::msg)?;
    let Ok(text) = String::from_utf8(content) else { bail!("{shown}: a URDF is a text in UTF-8") };
    let name = file.file_name().unwrap_or_default().to_string_lossy();
    let system = robot(&text, &name, *floating, &packages).map_err(|what| anyhow::anyhow!("{shown}{what}"))?;
    for what in &system.notes {
        note(format_args!("{shown}: {what}"));
    }
    destination.write(|writer| writer.write_all(system.text.as_bytes()))?;
    Ok(say(output.display())?)
}

/// Writes the mean curve of a hysteresis loop, and a configuration with it and with friction.
fn hysteresis(options: &Convert) -> anyhow::Result<()> {
    let Convert { file, output, axis, table, force, .. } = options;
    ensure_configuration(output)?;
    let stem = output.file_stem().unwrap_or_default().to_string_lossy();
    let curve = output.with_file_name(format!("{stem}-curve.csv"));
    let given = || [("the loop", Some(file.as_path()))];
    let destination =
        Destination::create(output, *force)?.apart_from("the configuration", given())?.of_kind(CONFIGURATION)?;
    let beside = Destination::create(&curve, *force)?.apart_from("the curve", given())?;
    let found = Loop::read(file, &form(table)?, *axis)?;
    let beside = beside.of_kind(FileKind::Csv(found.argument()))?;
    note(&found.read);
    for what in found.notes() {
        note(format_args!("{}: {what}", file.display()));
    }
    let name = |path: &Path| path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let text = found.configuration(&name(file), &name(&curve));
    beside.write(|writer| writer.write_all(found.curve().as_bytes()))?;
    destination.write(|writer| writer.write_all(text.as_bytes()))?;
    say(curve.display())?;
    Ok(say(output.display())?)
}
