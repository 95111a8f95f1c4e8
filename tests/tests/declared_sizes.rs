//! Declared sizes are not trusted: no memory is allocated for them before the data are there.
//!
//! Running out of memory aborts the process, so it must not happen.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

use fmu_builder::describe;
use fmu_runtime::lifecycle::Interface;
use fmu_runtime::{DeclarationRequest, Instance, component_model, declaration};
use fmu_tests::in_process;
use sample::Sample;

thread_local! {
    static LARGEST_ALLOCATION: Cell<usize> = const { Cell::new(0) };
}

/// The system's allocator, recording the largest request on each thread.
struct Noting;

#[global_allocator]
static NOTING: Noting = Noting;

// SAFETY: every call is passed on to the system's allocator.
unsafe impl GlobalAlloc for Noting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        LARGEST_ALLOCATION.set(LARGEST_ALLOCATION.get().max(layout.size()));
        // SAFETY: the caller satisfies the requirements of `alloc`.
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        LARGEST_ALLOCATION.set(LARGEST_ALLOCATION.get().max(layout.size()));
        // SAFETY: the caller satisfies the requirements of `alloc_zeroed`.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        LARGEST_ALLOCATION.set(LARGEST_ALLOCATION.get().max(size));
        // SAFETY: the caller satisfies the requirements of `realloc`.
        unsafe { System.realloc(pointer, layout, size) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: the pointer comes from `alloc` above.
        unsafe { System.dealloc(pointer, layout) }
    }
}

/// Returns the largest allocation during some work, in bytes.
fn largest(work: impl FnOnce()) -> usize {
    LARGEST_ALLOCATION.set(0);
    work();
    LARGEST_ALLOCATION.get()
}

#[test]
fn the_largest_allocation_is_noted() {
    assert_eq!(largest(|| drop(std::hint::black_box(vec![0_u8; 12_345]))), 12_345);
}

#[test]
fn a_configuration_declares_a_huge_table() {
    for size in [usize::MAX.to_string(), (1_u64 << 40).to_string(), "1000000".to_owned()] {
        for text in [format!("table lookup {size} {size}"), format!("table lookup {size} 1 3ff0000000000000")] {
            let text = text + "\n";
            let mut sample = component_model::<Sample<f64>>();
            let wish = largest(|| {
                let refused = declaration(sample.as_mut(), DeclarationRequest::new(&text)).unwrap_err();
                assert!(refused.starts_with("configuration, line 1: table \"lookup\" has "), "{refused}");
            });
            assert!(wish < 10_000, "{wish} bytes");
        }
    }
}

fn instance() -> Instance {
    let sample = component_model::<Sample<f64>>;
    let description = describe(|request| declaration(sample().as_mut(), request), DeclarationRequest::new("")).unwrap();
    in_process::instance(sample(), &description, Interface::CoSimulation)
}

#[test]
fn a_serialised_state_declares_huge_parts() {
    let mut instance = instance();
    let handle = instance.get_fmu_state(0).unwrap();
    let bytes = instance.serialize_fmu_state(handle).unwrap();
    // The numbers are the largest ones of 32 and 64 bits, and a smaller one, as postcard writes lengths.
    let numbers: [&[u8]; 3] = [&[255, 255, 255, 255, 15], &[255, 255, 255, 255, 255, 255, 255, 255, 255, 1], &[255; 4]];
    let mut refused = 0;
    for position in 0..bytes.len() {
        for number in numbers {
            let mut altered = bytes.clone();
            altered.splice(position..=position, number.iter().copied());
            let wish = largest(|| refused += usize::from(instance.deserialize_fmu_state(&altered).is_err()));
            assert!(wish < 2 << 20, "{wish} bytes for a number at {position} of {}", bytes.len());
        }
    }
    assert_eq!(refused, 3 * bytes.len());
}

/// Overwrites every fifth place of a file, with TEST_ALL every place, by a large number of two or four bytes, signed or
/// unsigned.
fn spreadsheet(name: &str, bytes: &[u8]) {
    let selection = spreadsheet::Selection { columns: 4, ..Default::default() };
    let stride = if std::env::var_os("TEST_ALL").is_some() { 1 } else { 5 };
    for position in (0..bytes.len() - 4).step_by(stride) {
        let number = [[255, 255, 255, 255].as_slice(), &[255, 255, 255, 127], &[255, 255]][position % 3];
        let mut altered = bytes.to_vec();
        altered[position..position + number.len()].copy_from_slice(number);
        let wish = largest(|| drop(spreadsheet::read(name, &altered, selection)));
        assert!(wish < 16 << 20, "{wish} bytes for a number at {position} of {name}");
    }
}

#[test]
fn a_workbook_declares_huge_parts() {
    spreadsheet("single.xlsx", include_bytes!("../../fmu-builder/spreadsheet/tests/files/single.xlsx"));
}

#[test]
fn an_old_workbook_declares_huge_parts() {
    spreadsheet("single.xls", include_bytes!("../../fmu-builder/spreadsheet/tests/files/single.xls"));
}
