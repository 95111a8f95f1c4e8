//! Intermediate updates of FMI 3.0: the library calls the importer inside a step.

use std::cell::RefCell;
use std::ffi::c_void;
use std::rc::Rc;

/// The arguments of the callback for intermediate updates.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Update {
    /// The time reached.
    pub time: f64,
    /// True if inputs may be set.
    pub takes_inputs: bool,
    /// True if outputs may be got.
    pub gives_outputs: bool,
    /// True if the values are those of a finished step of the solver.
    pub is_finished: bool,
    /// True if the step may end here.
    pub can_return_early: bool,
}

type Reaction = Rc<dyn Fn(&Update) -> Option<f64>>;

thread_local! {
    static REACTION: RefCell<Option<Reaction>> = const { RefCell::new(None) };
}

/// Calls `reaction` at each update on this thread, while the library waits for it; a time that it returns asks for an
/// early return.
pub fn at_updates(reaction: impl Fn(&Update) -> Option<f64> + 'static) {
    REACTION.set(Some(Rc::new(reaction)));
}

/// Lets updates pass without a reaction again.
pub fn at_updates_no_more() {
    REACTION.set(None);
}

pub(crate) unsafe extern "C" fn update(
    _environment: *mut c_void,
    time: f64,
    takes_inputs: u8,
    gives_outputs: u8,
    is_finished: u8,
    can_return_early: u8,
    is_requested: *mut u8,
    return_at: *mut f64,
) {
    let [takes_inputs, gives_outputs, is_finished, can_return_early] =
        [takes_inputs, gives_outputs, is_finished, can_return_early].map(|flag| flag != 0);
    let update = Update { time, takes_inputs, gives_outputs, is_finished, can_return_early };
    let reaction = REACTION.with_borrow(Clone::clone);
    if let Some(time) = reaction.and_then(|reaction| reaction(&update)) {
        // SAFETY: the library passes places for both results.
        unsafe {
            is_requested.write(1);
            return_at.write(time);
        }
    }
}
