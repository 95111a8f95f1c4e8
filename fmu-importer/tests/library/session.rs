//! Requests to a model that stays open, without an FMU; `python/tests/model.py` has those with one.

use std::io::Write;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use fmu_importer::session::serve;

/// An output that can be read afterwards.
#[derive(Clone, Default)]
struct Output(Arc<Mutex<Vec<u8>>>);

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().unwrap().extend(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

fn frame(header: &str) -> Vec<u8> {
    [&(header.len() as u64).to_le_bytes()[..], &0_u64.to_le_bytes(), header.as_bytes()].concat()
}

/// Returns the headers of the replies to an input.
fn replies(input: &[u8]) -> Vec<String> {
    let (output, left) = (Output::default(), Arc::new(AtomicUsize::new(0)));
    let counter = left.clone();
    serve(input, output.clone(), move || {
        counter.fetch_add(1, Ordering::Relaxed);
    });
    assert_eq!(left.load(Ordering::Relaxed), 1);
    let mut bytes = &output.0.lock().unwrap()[..];
    let mut headers = Vec::new();
    while let Some((lengths, rest)) = bytes.split_first_chunk::<16>() {
        let [header, data] = [0, 8].map(|begin| u64::from_le_bytes(*lengths[begin..].first_chunk().unwrap()) as usize);
        headers.push(String::from_utf8(rest[..header].to_vec()).unwrap());
        bytes = &rest[header + data..];
    }
    headers
}

#[test]
fn a_request_that_cannot_be_carried_out_is_answered_and_the_next_one_read() {
    let open = r#"{"open": {"file": "no-such-folder/Front.fmu"}}"#;
    let told = replies(&[frame("\"reset\""), frame("\"dance\""), frame(open)].concat());
    assert_eq!(told[0], r#"{"error":"no model is open"}"#);
    assert!(told[1].starts_with(r#"{"error":"the request cannot be read: unknown variant `dance`"#), "{told:?}");
    assert!(told[2].starts_with(r#"{"error":"failed to open file `no-such-folder/Front.fmu`: "#), "{told:?}");
    assert_eq!(told.len(), 3);
}

/// The caller has ended while it wrote, or something else writes to the process.
#[test]
fn an_input_that_is_cut_off_or_damaged_ends_the_process() {
    let whole = frame("\"reset\"");
    for length in 0..whole.len() {
        assert_eq!(replies(&whole[..length]), [""; 0], "{length} bytes");
    }
    let told = replies(&[&whole[..], &[0xff; 64], &whole].concat());
    assert_eq!(told.len(), 1, "{told:?}");
}
