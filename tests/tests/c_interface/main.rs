//! The C interface of finished libraries, called like an importer does.
//!
//! The names of the tests begin with the rules that they check, as docs/conformance.md lists them.

mod abi;
mod access;
mod derivative;
mod fixture;
mod instances;
mod instantiate;
mod interfaces;
mod legal_calls;
mod lifecycle;
mod location;
mod logger;
mod model_exchange;
mod panics;
mod reaction;
mod state;
mod step;
mod time_derivative;
mod trouble;
