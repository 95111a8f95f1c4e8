//! Cargo counts dependencies of a build script where there is one.

fn main() {}
