//! A model that stays open: the server in a process of its own, which loads the FMU once and carries out one request after
//! another.
//!
//! `frame` is the format of requests and replies, `request` their content, `model` the FMU with its instance, `values` and
//! `derivatives` what is read at the point at which it is.

mod derivatives;
mod frame;
mod model;
mod request;
mod values;

use std::io::{BufReader, BufWriter, Read, Write};
use std::process::{abort, exit};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use fmu_builder::Destination;

use crate::watch;
use frame::Frame;
use model::OpenModel;
use request::{Open, Reply, Request};

/// Interval at which a long run reports its progress, by which it also learns that nobody waits any more.
const PROGRESS_INTERVAL: Duration = Duration::from_millis(100);

/// The output, to which the watch of calls writes as well.
type Output<W> = Arc<Mutex<BufWriter<W>>>;

/// Carries out the requests of an input until it ends; `left` is called then, and before the process ends otherwise.
pub fn serve<W: Write + Send + 'static>(input: impl Read, output: W, left: impl Fn() + Send + Sync + 'static) {
    let mut input = BufReader::new(input);
    let output = Arc::new(Mutex::new(BufWriter::new(output)));
    let left = Arc::new(left);
    let mut model = None;
    while let Ok(Some(frame)) = Frame::read(&mut input) {
        let answered = answer(&mut model, &frame, &output, &left);
        let reply = answered.unwrap_or_else(|error| Frame::of(&Reply::Error(format!("{error:#}")), Vec::new()));
        if write(&output, &reply).is_err() {
            break;
        }
    }
    // Its code may run at the end as well.
    drop(model);
    left();
}

fn write<W: Write>(output: &Mutex<BufWriter<W>>, frame: &Frame) -> std::io::Result<()> {
    frame.write(&mut *output.lock().unwrap_or_else(PoisonError::into_inner))
}

fn answer<W: Write + Send + 'static>(
    model: &mut Option<OpenModel>,
    frame: &Frame,
    output: &Output<W>,
    left: &Arc<impl Fn() + Send + Sync + 'static>,
) -> Result<Frame> {
    let request: Request = serde_json::from_str(&frame.header).context("the request cannot be read")?;
    if let Request::Open(open) = &request {
        if model.is_some() {
            bail!("a model is open");
        }
        limit_calls(open, output, left);
        *model = Some(OpenModel::open(open)?);
        return Ok(Frame::of(&Reply::Done { notes: Vec::new() }, Vec::new()));
    }
    let model = model.as_mut().context("no model is open")?;
    let mut last = Instant::now();
    let mut progress = |part: f64| {
        if last.elapsed() < PROGRESS_INTERVAL {
            return;
        }
        last = Instant::now();
        if write(output, &Frame::of(&Reply::Progress(part), Vec::new())).is_err() {
            left();
            exit(1);
        }
    };
    match request {
        Request::Open(_) => unreachable!("it was carried out above"),
        Request::Simulate(run) => model.simulate(&run, &frame.data, &mut progress),
        Request::Set { values } => model.set(&values),
        Request::Reset => Ok(model.reset()),
        Request::Get { names } => model.get(&names),
        Request::Derivatives { of, by, along } => model.derivatives(of.as_deref(), by.as_deref(), along.as_deref()),
        Request::Save => model.save(),
        Request::Restore { time } => model.restore(time, &frame.data),
    }
}

/// Ends the process when a call into the FMU does not return, having told why.
fn limit_calls<W: Write + Send + 'static>(
    open: &Open,
    output: &Output<W>,
    left: &Arc<impl Fn() + Send + Sync + 'static>,
) {
    let Some(limit) = open.timeout.map(Duration::from_secs_f64) else { return };
    let (output, left) = (output.clone(), left.clone());
    watch::start(limit, move |call| {
        let reason = format!("{call} has not returned after {} s", limit.as_secs_f64());
        // Without a reader there is nobody to tell.
        let _ = write(&output, &Frame::of(&Reply::Ended(reason), Vec::new()));
        Destination::remove_drafts();
        left();
        abort();
    });
}
