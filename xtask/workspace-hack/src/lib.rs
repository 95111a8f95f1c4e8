//! Empty library: only the dependencies count.
