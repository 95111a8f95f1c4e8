//! `cargo xtask size`: what libraries and archives consist of, as the page docs/size.md.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;

use anyhow::{Context, Result, ensure};
use fmu_builder::Platform;
use object::{Object, ObjectSection, ObjectSymbol};
use zip::ZipArchive;

use crate::bench::archives;
use crate::components::{compile, find, own_components};
use crate::toolchain::Toolchain;

/// Crates with fewer bytes than this in all libraries are summed up.
const LEAST: u64 = 4000;

const INTRODUCTION: &str = "# What an FMU consists of

Made by `cargo xtask size` from the archives of `cargo xtask build` and from libraries with their symbols. Sizes are in
bytes, and they are those of one platform and compiler: ";

/// Compiles the libraries with their symbols and writes the page.
pub fn write() -> Result<()> {
    let own = own_components()?;
    let folder = crate::root().join("target/fmu");
    let archives = archives(&folder)?;
    ensure!(!archives.is_empty(), "{} has no archive of a component; cargo xtask build makes them", folder.display());
    let components = archives.keys().map(|name| find(&own, name)).collect::<Result<Vec<_>>>()?;
    let names: Vec<_> = archives.keys().cloned().collect();
    let toolchain = Toolchain::with_symbols();
    let libraries = compile(&components, &toolchain)?;
    let platform = Platform::host()?.folder();
    let mut page = format!("{INTRODUCTION}{platform}, Rust {}.\n\n## Archives\n\n", toolchain.release()?);
    let entries = archives.values().map(|path| entries(path)).collect::<Result<Vec<_>>>()?;
    add_table(&mut page, "compressed", &names, &entries, 0);
    page += "\n## Libraries by crate\n\nCode and constants, before compression. `addr2line`, `gimli`, `miniz_oxide`, \
             `rustc_demangle` and most of `std` are\nfor backtraces; `--small` leaves them out. Unwinding tables and \
             relocations have no names.\n\n";
    let crates = components.iter().zip(&libraries).map(|(component, path)| by_crate(&component.package, path));
    add_table(&mut page, "crate", &names, &crates.collect::<Result<Vec<_>>>()?, LEAST);
    Ok(fs_err::write(crate::root().join("docs/size.md"), page)?)
}

/// Bytes by their name.
type Sizes = BTreeMap<String, u64>;

/// The compressed files of an archive.
fn entries(path: &Path) -> Result<Sizes> {
    let mut archive = ZipArchive::new(fs_err::File::open(path)?)?;
    let mut sizes = Sizes::new();
    let all = fs_err::metadata(path)?.len();
    for index in 0..archive.len() {
        let entry = archive.by_index_raw(index)?;
        let name = entry.name()?.into_owned();
        let name = if name.starts_with("binaries/") { "the library".to_owned() } else { format!("`{name}`") };
        let before = sizes.insert(name, entry.compressed_size());
        ensure!(before.is_none(), "{} is for several platforms; cargo xtask build makes one for this", path.display());
    }
    let rest = all - sizes.values().sum::<u64>();
    sizes.insert("the archive's own lists".to_owned(), rest);
    Ok(sizes)
}

/// The symbols of a library by crate.
fn by_crate(package: &str, path: &Path) -> Result<Sizes> {
    let bytes = fs_err::read(path)?;
    let file = object::File::parse(&*bytes).with_context(|| path.display().to_string())?;
    let mut sizes = Sizes::new();
    for symbol in file.symbols().filter(|symbol| symbol.is_definition()) {
        let name = format!("{:#}", rustc_demangle::demangle(symbol.name()?));
        let name = match crate_of(&name) {
            Some(name) if name == package.replace('-', "_") => "the component's own".to_owned(),
            Some(name) => format!("`{name}`"),
            None => "not Rust".to_owned(),
        };
        *sizes.entry(name).or_default() += symbol.size();
    }
    ensure!(sizes.len() > 3, "{} has no symbols", path.display());
    // Of the sections that are loaded; what is for debuggers has no address.
    let loaded = file.sections().filter(|section| section.address() != 0);
    let loaded: u64 = loaded.filter_map(|section| Some(section.file_range()?.1)).sum();
    let rest = loaded.saturating_sub(sizes.values().sum());
    sizes.insert("without a name".to_owned(), rest);
    Ok(sizes)
}

/// The crate that a function belongs to, by its demangled name: `<alloc::vec::Vec<T> as core::ops::Drop>::drop`.
fn crate_of(name: &str) -> Option<&str> {
    let path = |text: &str| -> Option<usize> {
        let end = text.find(|letter: char| !letter.is_ascii_alphanumeric() && letter != '_')?;
        (end > 0 && text[end..].starts_with("::")).then_some(end)
    };
    // In a type without a path, such as a parameter or a reference, the trait decides.
    let starts = name.match_indices(|letter: char| !letter.is_ascii_alphanumeric() && !"_:".contains(letter));
    let mut starts = std::iter::once(0).chain(starts.map(|(at, letter)| at + letter.len()));
    starts.find_map(|start| path(&name[start..]).map(|end| &name[start..start + end]))
}

/// Adds a table with a column for each component, the largest row first.
fn add_table(page: &mut String, title: &str, names: &[String], columns: &[Sizes], least: u64) {
    let _ = write!(page, "| {title} | {} |\n| --- |{}\n", names.join(" | "), " ---: |".repeat(names.len()));
    let mut rows: BTreeMap<&str, Vec<u64>> = BTreeMap::new();
    for (position, sizes) in columns.iter().enumerate() {
        for (name, size) in sizes {
            let small = columns.iter().all(|column| column.get(name).is_none_or(|size| *size < least));
            let row = rows.entry(if small { "all others" } else { name }).or_insert_with(|| vec![0; columns.len()]);
            row[position] += size;
        }
    }
    let mut rows: Vec<_> = rows.into_iter().collect();
    rows.sort_by_key(|(name, sizes)| (std::cmp::Reverse(sizes.iter().max().copied()), *name));
    let sums = (0..columns.len()).map(|position| rows.iter().map(|(_, sizes)| sizes[position]).sum()).collect();
    rows.push(("**together**", sums));
    for (name, sizes) in rows {
        let cells: Vec<_> =
            sizes.iter().map(|size| if *size == 0 { String::new() } else { size.to_string() }).collect();
        let _ = writeln!(page, "| {name} | {} |", cells.join(" | "));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_belong_to_crates() {
        for (name, expected) in [
            ("core::fmt::write", Some("core")),
            ("<alloc::vec::Vec<T> as core::ops::Drop>::drop", Some("alloc")),
            ("<&str as core::fmt::Display>::fmt", Some("core")),
            ("<&dyn std::error::Error as core::fmt::Debug>::fmt", Some("std")),
            ("calamine::xls::Xls<RS>::new", Some("calamine")),
            ("_init", None),
            ("fmi2DoStep", None),
        ] {
            assert_eq!(crate_of(name), expected, "{name}");
        }
    }
}
