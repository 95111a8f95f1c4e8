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
    let asked = REACTION.with_borrow(Clone::clone).and_then(|reaction| reaction(&update)).filter(|_| can_return_early);
    // SAFETY: the library passes null, or places for both results, which it may not have initialised.
    unsafe {
        if !is_requested.is_null() {
            is_requested.write(u8::from(asked.is_some()));
        }
        if !return_at.is_null() {
            return_at.write(asked.unwrap_or(time));
        }
    }
}

#[cfg(test)]
mod tests {
    use std::ptr::null_mut;

    use super::{at_updates, at_updates_no_more, update};

    #[test]
    fn both_results_are_always_written() {
        let told = |can_return_early: u8| {
            let (mut is_requested, mut return_at) = (7, f64::NAN);
            // SAFETY: both places exist.
            unsafe { update(null_mut(), 2.0, 0, 1, 1, can_return_early, &mut is_requested, &mut return_at) };
            (is_requested, return_at)
        };
        assert_eq!(told(1), (0, 2.0));
        at_updates(|update| Some(update.time - 0.5));
        assert_eq!([told(1), told(0)], [(1, 1.5), (0, 2.0)]);
        // SAFETY: null is not read.
        unsafe { update(null_mut(), 2.0, 0, 1, 1, 1, null_mut(), null_mut()) };
        at_updates_no_more();
        assert_eq!(told(1), (0, 2.0));
    }
}
