//! Parameters, tables and files, as the preparation sees them.

use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;

use fmu_exchange::Picture;

use crate::component::files::Files;
use crate::component::layout::Layout;
use crate::component::model_error::ModelError;
use crate::rows::values::{TableShape, Values};
use crate::rows::variable::{Attachment, Table, Text};

/// The input of [`prepare`](crate::Equations::prepare).
pub struct Source<'a, S> {
    /// The structure options.
    pub structure: &'a S,
    values: &'a Values,
    layout: &'a Layout,
    files: Option<&'a Files>,
    /// Name of the part of a model; empty for a component.
    part: &'a str,
    /// Direction of the elements of all tables; empty if nothing is differentiated with respect to them.
    direction: &'a [f64],
    /// Flag for each table: true if it has a direction that the component has not asked for.
    unread: Rc<RefCell<Vec<bool>>>,
}

impl<'a, S> Source<'a, S> {
    /// Makes the source of a component, or of a part of a model.
    pub fn new(
        structure: &'a S,
        values: &'a Values,
        layout: &'a Layout,
        files: Option<&'a Files>,
        direction: &'a [f64],
    ) -> Self {
        let is_moved = |table: &TableShape| {
            let elements = direction.get(table.elements(values.before_tables));
            elements.is_some_and(|elements| elements.iter().any(|element| *element != 0.0))
        };
        let unread = Rc::new(RefCell::new(layout.tables.iter().map(is_moved).collect()));
        Self { structure, values, layout, files, part: "", direction, unread }
    }

    /// Returns the source for a part of a model, whose name precedes its messages and titles.
    pub fn of_part(&self, name: &'a str) -> Self {
        Self { part: name, ..self.with(self.structure) }
    }

    /// Returns the source with other structure options, such as those of a component inside a part.
    pub fn with<R>(&self, structure: &'a R) -> Source<'a, R> {
        let Self { values, layout, files, part, direction, .. } = *self;
        Source { structure, values, layout, files, part, direction, unread: Rc::clone(&self.unread) }
    }

    /// Returns true during the dependency analysis, which evaluates random points. Dependencies must hold for all
    /// contents of tables and files: prepare rows that hide no dependency.
    pub fn is_dependency_analysis(&self) -> bool {
        self.files.is_none()
    }

    /// Fails if derivatives with respect to a table are needed that the component does not provide.
    pub(crate) fn refuse_unread_direction(&self) -> Result<(), ModelError> {
        let unread = self.unread.borrow();
        let Some((table, _)) = self.layout.tables.iter().zip(&*unread).find(|(_, unread)| **unread) else {
            return Ok(());
        };
        let name = &table.name;
        Err(ModelError::invalid(format!(
            "elements of \"{name}\" cannot be knowns: derivatives with respect to them are not provided"
        )))
    }

    /// Returns the value of a String parameter.
    pub fn text(&self, text: Text) -> &str {
        &self.values.strings[text.0]
    }

    /// Returns the rows of a table parameter. Those at the end that repeat the row before them are spare, for an
    /// importer to fill; the dependency analysis gets them, too.
    pub fn table<const COLUMNS: usize>(&self, table: Table<COLUMNS>) -> &[[f64; COLUMNS]] {
        if self.is_dependency_analysis() {
            return self.values.reals[self.layout.tables[table.0].elements(0)].as_chunks().0;
        }
        self.layout.rows(self.values, table)
    }

    /// Returns the elements of a table parameter whose number of columns depends on the structure, row by row and without
    /// spare rows.
    pub fn elements(&self, table: Table<1>) -> &[f64] {
        let shape = &self.layout.tables[table.0];
        let all = &self.values.reals[shape.elements(0)];
        let mut rows = all.chunks_exact(shape.columns.max(1)).rev();
        let last = rows.next();
        let spare = if self.is_dependency_analysis() { 0 } else { rows.take_while(|row| Some(*row) == last).count() };
        &all[..all.len() - spare * shape.columns]
    }

    /// Returns the direction of the elements of a table parameter, row by row, if derivatives with respect to them are
    /// needed. A component that asks for it must use it to provide these derivatives.
    pub fn direction<const COLUMNS: usize>(&self, table: Table<COLUMNS>) -> Option<&[[f64; COLUMNS]]> {
        self.unread.borrow_mut()[table.0] = false;
        let elements = self.layout.tables[table.0].elements(self.values.before_tables);
        Some(&self.direction.get(elements)?.as_chunks().0[..self.table(table).len()])
    }

    /// Returns the result of `read` for name and content of an attachment; cached, by file and `part`, for the next
    /// preparation.
    ///
    /// `None` if there is no content: in the dependency analysis, and when an FMU is built whose
    /// attachment is not named yet. Any valid data will do then.
    pub fn attachment<V: Send + Sync + 'static>(
        &self,
        attachment: Attachment,
        part: &str,
        read: impl FnOnce(&str, &[u8]) -> Result<V, String>,
    ) -> Result<Option<Arc<V>>, String> {
        let Some(files) = self.files else { return Ok(None) };
        match &self.layout.attachments[attachment.0] {
            Some((name, fingerprint)) => files.attachment(name, fingerprint, part, read).map(Some),
            None if files.is_build() => Ok(None),
            None => Err("the configuration names no file".to_owned()),
        }
    }

    /// Returns the result of `read` for the file whose path is the value of a String parameter, absolute or relative to
    /// the resources; cached. The file is not read when an FMU is built.
    pub fn file<V: Send + Sync + 'static>(
        &self,
        path: Text,
        part: &str,
        read: impl FnOnce(&str, &[u8]) -> Result<V, String>,
    ) -> Result<Option<Arc<V>>, String> {
        let files = self.files.filter(|files| !files.is_build());
        files.map(|files| files.file(self.text(path), part, read)).transpose()
    }

    /// Adds a picture of interpolated values to the page of an FMU that is being built. The title begins with the name
    /// of a parameter. Constants are not shown.
    pub fn show(&self, picture: impl FnOnce() -> Picture) {
        if let Some(files) = self.files.filter(|files| files.is_build()) {
            let picture = picture();
            if picture.curves.iter().any(|curve| curve.points.len() > 1) {
                files.show(Picture { title: self.named(picture.title.into_owned()).into(), ..picture });
            }
        }
    }

    /// Warns of a questionable value, when an FMU is built or in the log. The message begins with the name of a
    /// parameter.
    pub fn warn(&self, message: impl Into<String>) {
        if let Some(files) = self.files {
            files.warn(self.named(message.into()));
        }
    }

    /// Returns a text that begins with the name of a parameter, with the name of the part before it.
    fn named(&self, text: String) -> String {
        if self.part.is_empty() { text } else { format!("{}.{text}", self.part) }
    }
}
