//! What the libraries need of a system, and what they offer.

use std::collections::BTreeSet;
use std::fmt::Write;
use std::path::Path;

use fmu_builder::Platform;
use object::read::elf::ElfFile64;
use object::read::macho::{FatArch, MachOFatFile32};
use object::{Endianness, Object, ObjectSymbol};

use crate::fixture::{Fmu, components, print, sample};

/// The libraries for single processors in a file, with a name.
fn parts(fmu: &Fmu, platform: Platform) -> Vec<(String, Vec<u8>)> {
    let name = format!("{} for {}", fmu.name(), platform.folder());
    let bytes = fs_err::read(fmu.library(platform)).unwrap();
    let Ok(universal) = MachOFatFile32::parse(bytes.as_slice()) else { return vec![(name, bytes)] };
    let part = |arch: &object::macho::FatArch32| {
        (format!("{name} {:?}", arch.architecture()), arch.data(bytes.as_slice()).unwrap().to_owned())
    };
    universal.arches().iter().map(part).collect()
}

fn all() -> impl Iterator<Item = (Platform, String, Vec<u8>)> {
    let fmus = components().iter().chain(sample());
    let platforms = fmus.flat_map(|fmu| fmu.platforms.iter().map(move |platform| (fmu, *platform)));
    platforms
        .flat_map(|(fmu, platform)| parts(fmu, platform).into_iter().map(move |(name, bytes)| (platform, name, bytes)))
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

#[test]
fn every_library_exports_the_44_functions_and_describe() {
    for (platform, name, bytes) in all() {
        let file = object::File::parse(bytes.as_slice()).unwrap();
        let exports: BTreeSet<_> = file.exports().unwrap().iter().map(|export| text(export.name())).collect();
        // The C compilers of Apple put a line before names.
        let line = if platform == Platform::Darwin64 { "_" } else { "" };
        let known = |export: &&String| export.starts_with(&format!("{line}fmi2"));
        assert_eq!(exports.iter().filter(known).count(), 44, "{name}: {exports:?}");
        assert!(exports.contains(&format!("{line}mechanics_describe")), "{name}");
        assert_eq!(exports.len(), 45, "{name}: {exports:?}");
    }
}

#[test]
fn linux_libraries_need_no_newer_glibc_than_2_17() {
    for (platform, name, bytes) in all() {
        if !matches!(platform, Platform::Linux64 | Platform::Aarch64Linux) {
            continue;
        }
        let file = ElfFile64::<Endianness>::parse(bytes.as_slice()).unwrap();
        let versions = file.elf_section_table().versions(file.endian(), bytes.as_slice()).unwrap().unwrap();
        let of_symbol = |index| versions.version(versions.version_index(file.endian(), index)).unwrap();
        let needed = file.dynamic_symbols().filter_map(|symbol| Some(text(of_symbol(symbol.index())?.name())));
        let needed: BTreeSet<Vec<u32>> = needed
            .filter_map(|version| {
                Some(version.strip_prefix("GLIBC_")?.split('.').map(|part| part.parse().unwrap()).collect())
            })
            .collect();
        assert!(needed.last().is_some_and(|newest| *newest <= vec![2, 17]), "{name}: {needed:?}");
    }
}

#[test]
fn libraries_need_only_what_every_system_has() {
    for (platform, name, bytes) in all() {
        let file = object::File::parse(bytes.as_slice()).unwrap();
        let needed: BTreeSet<_> = file.imports().unwrap().iter().map(|import| text(import.library())).collect();
        let allowed = |library: &str| {
            let file = Path::new(library).file_name().map(|name| name.to_string_lossy().to_lowercase());
            let file = file.unwrap_or_default();
            match platform {
                // Weak symbols have no library.
                Platform::Linux64 | Platform::Aarch64Linux => {
                    let known = ["libc.", "libm.", "libdl.", "libpthread.", "ld-linux"];
                    file.is_empty() || known.iter().any(|known| file.starts_with(known))
                }
                Platform::Win64 => {
                    file.starts_with("api-ms-win-core-")
                        || ["kernel32.dll", "msvcrt.dll", "ntdll.dll"].contains(&file.as_str())
                }
                _ => file.is_empty() || library.starts_with("/usr/lib/libSystem."),
            }
        };
        let strange: Vec<_> = needed.iter().filter(|library| !allowed(library)).collect();
        assert!(strange.is_empty(), "{name} needs {strange:?}");
    }
}

#[test]
fn libraries_hold_no_path_of_this_computer() {
    let root = crate::fixture::root().to_str().unwrap();
    let home = std::env::home_dir().unwrap();
    for (_, name, bytes) in all() {
        for path in [root, home.to_str().unwrap(), "/usr/lib/rustlib"] {
            let found = bytes.windows(path.len()).position(|window| window == path.as_bytes());
            let around = found.map(|at| text(&bytes[at.saturating_sub(80)..bytes.len().min(at + 160)]));
            assert_eq!(around, None, "{name}");
        }
    }
}

#[test]
fn the_sizes_are_told() {
    let mut sizes = String::new();
    for (_, name, bytes) in all() {
        writeln!(sizes, "{name}: {} bytes", bytes.len()).unwrap();
    }
    print(&sizes);
}
