//! Numbers with the operations that computed them, and the thread that records them.

use std::cell::RefCell;
use std::mem::{ManuallyDrop, swap};

/// A number: its value, the positions of the operands that it was computed from, and its derivatives by them.
#[derive(Clone, Copy)]
pub(crate) struct Node {
    value: f64,
    pub(crate) slopes: [f64; 2],
    pub(crate) operands: [u32; 2],
}

/// Positions of the constants 0 and 1.
pub(crate) const ZERO: u32 = 0;
pub(crate) const ONE: u32 = 1;

/// Added to the position of a number that depends on an argument.
pub(crate) const DEPENDS: u32 = 1 << 31;

/// Returns the position of a number, whether it depends on an argument or not.
#[inline(always)]
pub(crate) fn index(position: u32) -> usize {
    (position & !DEPENDS) as usize
}

thread_local! {
    /// The numbers that this thread records. It has no destructor, which would keep the library from being unloaded.
    static NODES: RefCell<ManuallyDrop<Vec<Node>>> = const { RefCell::new(ManuallyDrop::new(Vec::new())) };
}

/// Appends a number; returns its position.
#[inline(always)]
pub(crate) fn append(nodes: &mut Vec<Node>, value: f64, operands: [u32; 2], slopes: [f64; 2]) -> u32 {
    let own = nodes.len() as u32;
    let depends = (operands[0] | operands[1]) & DEPENDS;
    // In the place of a constant stands the number itself, whose weight has been used by then.
    let operands = operands.map(|operand| if operand & DEPENDS == 0 { own } else { operand & !DEPENDS });
    nodes.push(Node { value, slopes, operands });
    own | depends
}

/// Records a constant.
#[inline(never)]
pub(crate) fn constant(value: f64) -> u32 {
    NODES.with_borrow_mut(|nodes| append(nodes, value, [ZERO; 2], [0.0; 2]))
}

/// Records a function of one number, which returns its value and its derivative.
#[inline(always)]
pub(crate) fn function(operand: u32, function: impl FnOnce(f64) -> (f64, f64)) -> u32 {
    NODES.with_borrow_mut(|nodes| {
        let (value, slope) = function(nodes[index(operand)].value);
        append(nodes, value, [operand, ZERO], [slope, 0.0])
    })
}

/// Records a function of two numbers, which returns its value and its derivatives.
#[inline(always)]
pub(crate) fn function_of(operands: [u32; 2], function: impl FnOnce([f64; 2]) -> (f64, [f64; 2])) -> u32 {
    NODES.with_borrow_mut(|nodes| {
        let (value, slopes) = function(operands.map(|operand| nodes[index(operand)].value));
        append(nodes, value, operands, slopes)
    })
}

/// Records a number with these derivatives: a chain of nodes, each of which adds an argument.
#[inline(never)]
pub(crate) fn depending(value: f64, arguments: &[u32], slopes: &[f64]) -> u32 {
    NODES.with_borrow_mut(|nodes| {
        let mut sum = append(nodes, value, [ZERO; 2], [0.0; 2]);
        for (argument, slope) in arguments.iter().zip(slopes) {
            if argument & DEPENDS != 0 && *slope != 0.0 {
                sum = append(nodes, value, [sum, *argument], [1.0, *slope]);
            }
        }
        sum
    })
}

/// Returns the value of a number.
#[inline(never)]
pub(crate) fn value(position: u32) -> f64 {
    NODES.with_borrow(|nodes| nodes[index(position)].value)
}

/// Lets a thread record in a tape until it is dropped, also by a panic.
pub(crate) struct Recording<'t>(&'t mut Vec<Node>);

impl<'t> Recording<'t> {
    #[inline(never)]
    pub(crate) fn new(nodes: &'t mut Vec<Node>) -> Self {
        let mut recording = Self(nodes);
        recording.exchange();
        recording
    }

    fn exchange(&mut self) {
        NODES.with_borrow_mut(|nodes| swap(&mut **nodes, self.0));
    }
}

impl Drop for Recording<'_> {
    fn drop(&mut self) {
        self.exchange();
    }
}
