//! Simulated by two importers, against the equations called directly.
