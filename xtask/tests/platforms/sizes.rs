//! Sizes of archives with a compiled standard library.

use crate::fixture::{components, print};

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
