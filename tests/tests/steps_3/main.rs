//! Steps of Co-Simulation in FMI 3.0: events that the importer handles, and calls of the importer inside.

mod event_mode;
mod importer;
mod intermediate_update;
