//! The C interface of finished libraries, called like an importer does.
//!
//! The names of the tests begin with the rules of the FMI 2.0 checklist that they check.

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
