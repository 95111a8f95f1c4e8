//! Imports and exports of the libraries.

use std::collections::BTreeSet;
use std::path::Path;

use fmu_builder::Platform;
use object::read::elf::ElfFile64;
use object::read::macho::{FatArch, LoadCommandVariant, MachOFatFile32, MachOFile64};
use object::read::pe::{ImageNtHeaders as _, PeFile64};
use object::{Endianness, LittleEndian, Object, ObjectSymbol};
use xtask::paths::root;

use crate::fixture::{Fmu, components, darwin, print, sample};

/// A library for one processor.
struct Library {
    platform: Platform,
    name: String,
    bytes: Vec<u8>,
}

fn libraries(fmus: impl Iterator<Item = &'static Fmu>) -> Vec<Library> {
    let mut libraries = Vec::new();
    for (fmu, platform) in fmus.flat_map(|fmu| fmu.platforms.iter().map(move |platform| (fmu, *platform))) {
        let name = format!("{} for {}", fmu.name(), platform.folder());
        let bytes = fs_err::read(fmu.library(platform)).unwrap();
        let Ok(universal) = MachOFatFile32::parse(bytes.as_slice()) else {
            libraries.push(Library { platform, name, bytes });
            continue;
        };
        for arch in universal.arches() {
            let name = format!("{name}, {:?}", arch.architecture());
            let bytes = arch.data(bytes.as_slice()).unwrap().to_owned();
            libraries.push(Library { platform, name, bytes });
        }
    }
    libraries
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

fn check_exports(Library { platform, name, bytes }: &Library) {
    let file = object::File::parse(bytes.as_slice()).unwrap();
    let exports: BTreeSet<_> = file.exports().unwrap().iter().map(|export| text(export.name())).collect();
    // Apple's compilers prefix symbols with an underscore.
    let line = if *platform == Platform::Darwin64 { "_" } else { "" };
    let of = |standard: &str| exports.iter().filter(|export| export.starts_with(&format!("{line}{standard}"))).count();
    assert_eq!([of("fmi2"), of("fmi3")], [44, 75], "{name}: {exports:?}");
    let own =
        ["mechanics_declare", "mechanics_linear", "mechanics_law", "mechanics_sensitivity", "mechanics3_sensitivity"];
    for own in &own {
        assert!(exports.contains(&format!("{line}{own}")), "{name}");
    }
    // Zig cannot hide these on macOS, where each library has its own namespace.
    let kept = ["EMPTY_PANIC", "rust_eh_personality", "__mh_dylib_header", "__dso_handle"];
    let is_kept = |export: &&String| *platform == Platform::Darwin64 && kept.iter().any(|kept| export.ends_with(kept));
    assert_eq!(exports.len() - exports.iter().filter(is_kept).count(), 44 + 75 + own.len(), "{name}: {exports:?}");
    print(&format!("{name}: {} bytes\n", bytes.len()));
}

fn check_imports(Library { platform, name, bytes }: &Library) {
    let file = object::File::parse(bytes.as_slice()).unwrap();
    let needed: BTreeSet<_> = file.imports().unwrap().iter().map(|import| text(import.library())).collect();
    let allowed = |library: &String| {
        let file = Path::new(library).file_name().map(|name| name.to_string_lossy().to_lowercase());
        let file = file.unwrap_or_default();
        match platform {
            // Weak symbols have no library.
            Platform::Linux64 | Platform::Aarch64Linux => {
                let known = ["libc.", "libm.", "libdl.", "libpthread.", "ld-linux"];
                file.is_empty() || known.iter().any(|known| file.starts_with(known))
            }
            Platform::Win64 => {
                let known = ["kernel32.dll", "msvcrt.dll", "ntdll.dll", "bcryptprimitives.dll"];
                file.starts_with("api-ms-win-core-") || known.contains(&file.as_str())
            }
            _ => file.is_empty() || library.starts_with("/usr/lib/libSystem."),
        }
    };
    let strange: Vec<_> = needed.iter().filter(|library| !allowed(library)).collect();
    assert!(strange.is_empty(), "{name} needs {strange:?}");
    assert!(!needed.is_empty(), "{name}: nothing checked");
}

fn check_paths(Library { name, bytes, .. }: &Library) {
    let home = std::env::home_dir().unwrap();
    for path in [root().to_str().unwrap(), home.to_str().unwrap(), "/usr/lib/rustlib"] {
        let found = bytes.windows(path.len()).position(|window| window == path.as_bytes());
        let around = found.map(|at| text(&bytes[at.saturating_sub(80)..bytes.len().min(at + 160)]));
        assert_eq!(around, None, "{name}");
    }
}

/// Returns the oldest macOS that a library supports, in the form 0xMMMMmmpp.
fn macos(bytes: &[u8]) -> u32 {
    let file = MachOFile64::<Endianness>::parse(bytes).unwrap();
    let mut commands = file.macho_load_commands().unwrap();
    while let Some(command) = commands.next().unwrap() {
        if let LoadCommandVariant::BuildVersion(version) = command.variant().unwrap() {
            return version.minos.get(file.endian());
        }
    }
    panic!("no version of macOS");
}

/// Returns the glibc versions that a library for Linux needs.
fn glibc(bytes: &[u8]) -> BTreeSet<Vec<u32>> {
    let file = ElfFile64::<Endianness>::parse(bytes).unwrap();
    let versions = file.elf_section_table().versions(file.endian(), bytes).unwrap().unwrap();
    let of_symbol = |index| versions.version(versions.version_index(file.endian(), index)).unwrap();
    let needed = file.dynamic_symbols().filter_map(|symbol| Some(text(of_symbol(symbol.index())?.name())));
    let numbers = |version: &str| version.split('.').map(|part| part.parse().unwrap()).collect();
    needed.filter_map(|version| version.strip_prefix("GLIBC_").map(numbers)).collect()
}

#[test]
#[ignore = "expensive: compiles for other platforms"]
fn a1_b4_every_library_exports_the_functions_of_both_standards_and_our_own() {
    libraries(components().iter().chain(sample())).iter().for_each(check_exports);
}

#[test]
#[ignore = "expensive: compiles for other platforms"]
fn b3_libraries_need_only_what_every_system_has() {
    libraries(components().iter().chain(sample())).iter().for_each(check_imports);
}

#[test]
#[ignore = "expensive: compiles for other platforms"]
fn libraries_hold_no_path_of_this_computer() {
    libraries(components().iter().chain(sample())).iter().for_each(check_paths);
}

#[test]
#[ignore = "expensive: compiles for other platforms"]
fn b3_linux_libraries_need_no_newer_glibc_than_2_17() {
    let linux = [Platform::Linux64, Platform::Aarch64Linux];
    for library in libraries(components().iter().chain(sample())) {
        if linux.contains(&library.platform) {
            let needed = glibc(&library.bytes);
            assert!(needed.last().is_some_and(|newest| *newest <= vec![2, 17]), "{}: {needed:?}", library.name);
        }
    }
}

#[test]
#[ignore = "expensive: compiles for other platforms"]
fn windows_libraries_hold_no_time() {
    for library in libraries(components().iter().chain(sample())) {
        if library.platform == Platform::Win64 {
            let file = PeFile64::parse(library.bytes.as_slice()).unwrap();
            let header = file.nt_headers().file_header().time_date_stamp.get(LittleEndian);
            let exports = file.export_table().unwrap().unwrap().directory().time_date_stamp.get(LittleEndian);
            assert_eq!([header, exports], [0, 0], "{}", library.name);
        }
    }
}

#[test]
#[ignore = "expensive: compiles for macOS"]
fn macos_gets_one_library_for_both_processors() {
    let libraries = libraries(darwin().iter());
    assert!(darwin().is_empty() || libraries.len() == 2, "{} libraries", libraries.len());
    for library in &libraries {
        assert_eq!(macos(&library.bytes), 11 << 16, "{}", library.name);
        check_exports(library);
        check_imports(library);
        check_paths(library);
    }
}
