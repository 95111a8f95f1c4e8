//! Nothing: only the dependencies count.
