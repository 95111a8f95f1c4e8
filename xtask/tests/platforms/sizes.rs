//! Sizes of archives with a compiled standard library.

use fmu_builder::Platform;

use crate::fixture::{components, print, small_systems};

#[test]
#[ignore = "expensive: compiles for other platforms"]
fn small_archives_for_windows_have_270_kib_or_with_a_spreadsheet_reader_710() {
    let mut readers = 0;
    for fmu in components() {
        let packages = fs_err::read_to_string(fmu.folder.join("documentation/sbom.cdx.json")).unwrap();
        assert!(packages.contains("pkg:cargo/fmu-runtime@"), "{packages}");
        let reads = packages.contains("pkg:cargo/fmu-spreadsheet@");
        readers += usize::from(reads);
        let size = fs_err::metadata(fmu.folder.with_extension("fmu")).unwrap().len();
        print(&format!("{}: archive of {size} bytes\n", fmu.name()));
        // Archives for Linux are up to 18 kB smaller.
        let limit = if reads { 710 << 10 } else { 270 << 10 };
        assert!(size <= limit, "{}: {size} bytes", fmu.name());
    }
    assert!(components().is_empty() || readers == 1, "{readers} components read spreadsheets");
}

#[test]
#[ignore = "expensive: compiles for other platforms"]
fn a_small_drive_train_has_a_library_of_at_most_1_4_mb_in_an_archive_of_at_most_0_6_mb() {
    for fmu in small_systems().iter().filter(|fmu| fmu.name() == "CoupledClutches") {
        let sizes = [fmu.library(Platform::Linux64), fmu.folder.with_extension("fmu")];
        let sizes = sizes.map(|file| fs_err::metadata(file).unwrap().len());
        print(&format!("{}: library of {} bytes, archive of {}\n", fmu.name(), sizes[0], sizes[1]));
        assert!(sizes[0] <= 1_400_000 && sizes[1] <= 600_000, "{sizes:?}");
    }
}

#[test]
#[ignore = "expensive: compiles for other platforms"]
fn small_archives_have_no_problem() {
    for fmu in small_systems() {
        let report = fmu_builder::check(&fmu.folder.with_extension("fmu")).unwrap();
        assert_eq!(report.problems, Vec::<String>::new(), "{}", fmu.name());
    }
}
