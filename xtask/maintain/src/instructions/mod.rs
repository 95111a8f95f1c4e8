//! `cargo xtask instructions`: instruction counts of calls, compared with saved counts.
//!
//! callgrind counts them, so other load on the computer does not matter. The counts depend on the compiler,
//! and a little on the C library, which selects its functions by processor.

mod callgrind;
mod counts;
mod saved;

use std::process::Command;

use anyhow::{Context, Result, bail};
use comfy_table::{CellAlignment, Table, presets};
use fmu_builder::console::say;
use rayon::prelude::*;

use crate::checks::Check;
use crate::sequences::unpacked::{Unpacked, counted};
use crate::sequences::valgrind_missing;
use counts::{CALLS, Counts};
use saved::Saved;
use xtask::programs::program;
use xtask::toolchain::Toolchain;

/// Number of calls of each kind.
const COUNT: u32 = 100;

/// Arguments of `cargo xtask instructions`.
#[derive(clap::Args)]
pub struct Arguments {
    /// Save the counts as the new reference
    #[arg(long)]
    save: bool,
}

/// Counts, prints a table, and saves the counts.
pub fn instructions(arguments: &Arguments) -> Result<()> {
    if let Some(why) = missing() {
        bail!("{why}");
    }
    let counted = count()?;
    let release = Toolchain::host().release()?;
    let saved = Saved::read();
    say(table(&counted, saved.as_ref().ok()).trim_fmt())?;
    refuse_dear_curves(&counted)?;
    if arguments.save { Saved { release, components: counted }.write() } else { saved?.compare(&release, &counted) }
}

/// Checks that a step of a bushing with curves takes no more than with tables of the same points.
fn refuse_dear_curves(counted: &[Counts]) -> Result<()> {
    let step = |name: &str| {
        let fmu =
            counted.iter().find(|fmu| fmu.component == name).with_context(|| format!("{name} was not counted"))?;
        CALLS.iter().zip(fmu.counts).find(|(call, _)| **call == "step").map(|(_, count)| count).context("a call")
    };
    let [curves, tables] = [step("BushingCurves")?, step("BushingTables")?];
    if curves > tables {
        bail!("a step of BushingCurves takes {curves} instructions, more than the {tables} of BushingTables");
    }
    Ok(())
}

/// Compares the counts with the saved ones.
pub fn check() -> Result<Vec<Check>> {
    let name = "instructions";
    Ok(vec![match missing() {
        Some(why) => Check::skipped(name, why),
        None => Check::of(name, instructions(&Arguments { save: false })),
    }])
}

fn missing() -> Option<String> {
    let is_counted = cfg!(all(target_os = "linux", target_arch = "x86_64"));
    (!is_counted).then(|| "instructions are counted on Linux with x86-64".to_owned()).or_else(valgrind_missing)
}

fn count() -> Result<Vec<Counts>> {
    let fmus = counted()?;
    let program = program("bin", "sequences", None)?;
    let folder = xtask::paths::root().join("target").join("sequences").join("callgrind");
    fs_err::create_dir_all(&folder)?;
    let of_fmu = |fmu: &Unpacked| {
        let file = folder.join(&fmu.name);
        let mut valgrind = Command::new("valgrind");
        valgrind.args(["--quiet", "--tool=callgrind", "--demangle=no", "--dump-before=between_sections"]);
        valgrind.args(["--combine-dumps=yes", "--compress-strings=no", "--compress-pos=no"]);
        valgrind.arg(format!("--callgrind-out-file={}", file.display())).arg(&program);
        valgrind.args(["calls", &COUNT.to_string()]).arg(fmu.argument()).env("RUST_BACKTRACE", "0");
        let output = valgrind.output().context("cannot run valgrind")?;
        if !output.status.success() {
            bail!("{}: callgrind failed:\n{}", fmu.name, String::from_utf8_lossy(&output.stderr));
        }
        let totals = callgrind::totals(&fs_err::read_to_string(&file)?);
        // A section that is not counted precedes each section.
        let sections: Vec<_> = totals.iter().skip(1).step_by(2).take(CALLS.len()).collect();
        let counts: [_; CALLS.len()] = sections.try_into().ok().context("callgrind gave too few sections")?;
        if counts.iter().any(|total| **total == 0) {
            bail!("{}: callgrind saw no call of a section: {counts:?}", fmu.name);
        }
        Ok(Counts { component: fmu.name.clone(), counts: counts.map(|total| total / u64::from(COUNT)) })
    };
    fmus.par_iter().with_max_len(1).map(of_fmu).collect()
}

/// Makes a table of the counts, with those saved in parentheses where they differ.
fn table(counted: &[Counts], saved: Option<&Saved>) -> Table {
    let mut table = Table::new();
    table.load_style(presets::NOTHING).set_header(std::iter::once("instructions").chain(CALLS));
    for Counts { component, counts } in counted {
        let before = saved.and_then(|saved| saved.of(component));
        let cell = |(index, count): (usize, &u64)| match before.map(|before| before[index]) {
            Some(before) if before != *count => format!("{count} (saved {before})"),
            _ => count.to_string(),
        };
        table.add_row(std::iter::once(component.clone()).chain(counts.iter().enumerate().map(cell)));
    }
    (1..=CALLS.len()).for_each(|column| {
        table.column_mut(column).expect("a column").set_cell_alignment(CellAlignment::Right);
    });
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn curves_that_take_more_than_tables_are_refused() {
        let counts = |name: &str, step| Counts { component: name.to_owned(), counts: [0, 0, 0, 0, step, 0] };
        refuse_dear_curves(&[counts("BushingTables", 3829), counts("BushingCurves", 3829)]).unwrap();
        let error = refuse_dear_curves(&[counts("BushingTables", 3829), counts("BushingCurves", 3830)]).unwrap_err();
        let expected = "a step of BushingCurves takes 3830 instructions, more than the 3829 of BushingTables";
        assert_eq!(error.to_string(), expected);
        let error = refuse_dear_curves(&[counts("BushingTables", 3829)]).unwrap_err();
        assert_eq!(error.to_string(), "BushingCurves was not counted");
    }
}
