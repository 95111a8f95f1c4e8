//! The clutch and the brake, through their finished archives.

mod agreement;
mod chains;
mod derivatives;
mod elastic;
mod fixture;
mod forms;
mod geometry;
mod linearisation;
mod messages;
mod model_exchange;
mod references;
mod state;
mod tunable;
