//! How large archives are whose standard library was compiled along.

use fmu_builder::Platform;
use zip::ZipArchive;

use crate::fixture::{Fmu, components, print};

/// Bytes of an archive with the library of one platform only.
fn size(fmu: &Fmu, platform: Platform) -> u64 {
    let path = fmu.folder.with_extension("fmu");
    let mut archive = ZipArchive::new(fs_err::File::open(&path).unwrap()).unwrap();
    let own = format!("binaries/{}/", platform.folder());
    let mut others = 0;
    for index in 0..archive.len() {
        let entry = archive.by_index_raw(index).unwrap();
        let name = entry.name().unwrap();
        if name.starts_with("binaries/") && !name.starts_with(&own) {
            others += entry.compressed_size();
        }
    }
    assert!(others > 0, "{}: one library only", path.display());
    fs_err::metadata(&path).unwrap().len() - others
}

#[test]
fn small_archives_have_200_kb_or_with_a_spreadsheet_reader_700_kb() {
    let mut readers = 0;
    for fmu in components() {
        let packages = fs_err::read_to_string(fmu.folder.join("documentation/sbom.cdx.json")).unwrap();
        assert!(packages.contains("pkg:cargo/fmu-runtime@"), "{packages}");
        let reads = packages.contains("pkg:cargo/spreadsheet@");
        readers += usize::from(reads);
        for platform in &fmu.platforms {
            let size = size(fmu, *platform);
            print(&format!("{} for {}: archive of {size} bytes\n", fmu.name(), platform.folder()));
            let limit = if reads { 700_000 } else { 200_000 };
            assert!(size <= limit, "{} for {}: {size} bytes", fmu.name(), platform.folder());
        }
    }
    assert!(components().is_empty() || readers == 1, "{readers} components read spreadsheets");
}
