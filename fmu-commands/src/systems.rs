//! The choice of the library of systems that a configuration needs.

use anyhow::{Context, Result};
use fmu_builder::{Cached, Library, Settings};

use crate::source::LibrarySource;

/// The libraries of systems, each loaded when it is first asked.
pub struct Systems<'a, S: LibrarySource> {
    source: &'a S,
    options: &'a S::Options,
    known: Option<Vec<Known<S::Component>>>,
}

/// A component, and its library once it was asked.
type Known<C> = (C, Option<Cached<Library>>);

impl<'a, S: LibrarySource> Systems<'a, S> {
    /// Takes the systems of a source, whose libraries are to have these options.
    pub fn new(source: &'a S, options: &'a S::Options) -> Self {
        Self { source, options, known: None }
    }

    /// Returns the component with the smallest library that has the types of all parts.
    ///
    /// # Errors
    ///
    /// When the libraries cannot be found or loaded.
    pub fn of(&mut self, settings: &Settings) -> Result<S::Component> {
        let known = match &mut self.known {
            Some(known) => known,
            none => none.insert(self.source.systems()?.into_iter().map(|system| (system, None)).collect()),
        };
        smallest(known, |(system, library)| {
            let library = match library {
                Some(library) => library,
                none => none.insert(Cached::new(Library::load(&self.source.host(system, self.options)?)?)),
            };
            Ok(settings.has_parts_of(library)?)
        })
        .map(|(system, _)| system.clone())
    }
}

/// Returns the first of these systems that has the types of all parts. Types that none has are refused by the last one,
/// whose message can name all types.
///
/// # Errors
///
/// When there are no systems, or one cannot be asked.
pub fn smallest<C>(systems: &mut [C], mut has_types: impl FnMut(&mut C) -> Result<bool>) -> Result<&C> {
    let last = systems.len().checked_sub(1).context("the libraries of systems are not installed")?;
    let mut chosen = last;
    for (i, system) in systems[..last].iter_mut().enumerate() {
        if has_types(system)? {
            chosen = i;
            break;
        }
    }
    Ok(&systems[chosen])
}
