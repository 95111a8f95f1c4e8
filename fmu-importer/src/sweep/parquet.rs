//! Tables as Parquet.

use std::io::Write;
use std::sync::Arc;

use anyhow::Result;
use parquet::basic::{LogicalType, Repetition, Type as Physical};
use parquet::data_type::{BoolType, ByteArray, ByteArrayType, DoubleType, Int64Type};
use parquet::file::properties::WriterProperties;
use parquet::file::writer::{SerializedFileWriter, SerializedRowGroupWriter};
use parquet::schema::types::Type as Schema;

use super::cell::{Cell, Column, Type};

/// Number of rows that are in memory together.
const GROUP: usize = 100_000;

/// Writes a table.
pub fn write(
    columns: &[Column],
    rows: impl Iterator<Item = Result<Vec<Cell>>>,
    writer: impl Write + Send,
) -> Result<()> {
    let properties = WriterProperties::builder().set_created_by(fmu_builder::GENERATOR.to_owned());
    let mut file = SerializedFileWriter::new(writer, schema(columns)?, Arc::new(properties.build()))?;
    let mut rows = rows.peekable();
    while rows.peek().is_some() {
        let mut cells: Vec<Vec<Cell>> = columns.iter().map(|_| Vec::new()).collect();
        for row in rows.by_ref().take(GROUP) {
            cells.iter_mut().zip(row?).for_each(|(column, cell)| column.push(cell));
        }
        let mut group = file.next_row_group()?;
        for (column, cells) in columns.iter().zip(&cells) {
            write_column(&mut group, column.kind, cells)?;
        }
        group.close()?;
    }
    file.close()?;
    Ok(())
}

fn schema(columns: &[Column]) -> Result<Arc<Schema>> {
    let field = |column: &Column| {
        let physical = match column.kind {
            Type::Integer => Physical::INT64,
            Type::Real | Type::OptionalReal => Physical::DOUBLE,
            Type::Boolean => Physical::BOOLEAN,
            Type::Text => Physical::BYTE_ARRAY,
        };
        let repetition = if column.kind == Type::OptionalReal { Repetition::OPTIONAL } else { Repetition::REQUIRED };
        let builder = Schema::primitive_type_builder(&column.name, physical).with_repetition(repetition);
        let builder = builder.with_logical_type((column.kind == Type::Text).then_some(LogicalType::String));
        Ok(Arc::new(builder.build()?))
    };
    let fields = columns.iter().map(field).collect::<Result<_>>()?;
    Ok(Arc::new(Schema::group_type_builder("schema").with_fields(fields).build()?))
}

/// Writes a column, whose cells must be of its type.
fn write_column<W: Write + Send>(
    group: &mut SerializedRowGroupWriter<W>,
    kind: Type,
    cells: &[Cell],
) -> parquet::errors::Result<()> {
    let Some(mut column) = group.next_column()? else { return Ok(()) };
    let reals = || cells.iter().filter_map(|cell| if let Cell::Real(value) = cell { Some(*value) } else { None });
    match kind {
        Type::Integer => {
            let values =
                cells.iter().filter_map(|cell| if let Cell::Integer(value) = cell { Some(*value) } else { None });
            column.typed::<Int64Type>().write_batch(&values.collect::<Vec<_>>(), None, None)?;
        }
        Type::Real => {
            column.typed::<DoubleType>().write_batch(&reals().collect::<Vec<_>>(), None, None)?;
        }
        Type::OptionalReal => {
            let present: Vec<_> = cells.iter().map(|cell| i16::from(*cell != Cell::Missing)).collect();
            column.typed::<DoubleType>().write_batch(&reals().collect::<Vec<_>>(), Some(&present), None)?;
        }
        Type::Boolean => {
            let values =
                cells.iter().filter_map(|cell| if let Cell::Boolean(value) = cell { Some(*value) } else { None });
            column.typed::<BoolType>().write_batch(&values.collect::<Vec<_>>(), None, None)?;
        }
        Type::Text => {
            let values = cells.iter().filter_map(|cell| if let Cell::Text(text) = cell { Some(text) } else { None });
            let values: Vec<_> = values.map(|text| ByteArray::from(text.as_str())).collect();
            column.typed::<ByteArrayType>().write_batch(&values, None, None)?;
        }
    }
    column.close()
}
