//! Options for reading a table in a file.

/// Arguments for a table in a file.
#[derive(clap::Args, Clone, Default, serde::Deserialize)]
#[serde(default)]
pub struct Table {
    /// Headings or numbers of the columns, in the order that is needed
    #[arg(long, value_name = "A,B,…", value_delimiter = ',')]
    pub columns: Vec<String>,
    /// Units of these columns, if the file does not give them or gives wrong ones; info --units lists units
    #[arg(long, value_name = "A,B,…", value_delimiter = ',')]
    pub units: Vec<String>,
    /// Sheet, if the workbook has several
    #[arg(long, value_name = "NAME")]
    pub sheet: Option<String>,
    /// Part of the sheet with the table, such as B4:E60 or Sheet1!B4:E60
    #[arg(long, value_name = "RANGE")]
    pub range: Option<String>,
    /// Decimal sign, . or a comma, where numbers are ambiguous
    #[arg(long, value_name = "SIGN")]
    pub decimal: Option<String>,
    /// Cell delimiter, such as ";" or "\t", if it is not detected
    #[arg(long, value_name = "CHARACTER")]
    pub delimiter: Option<String>,
    /// Encoding, if it is not UTF-8, such as windows-1252
    #[arg(long, value_name = "NAME")]
    pub encoding: Option<String>,
}

impl Table {
    /// Returns the first of the arguments that is given.
    pub fn given(&self) -> Option<&'static str> {
        let lists = [("--columns", !self.columns.is_empty()), ("--units", !self.units.is_empty())];
        let mut all = lists.into_iter().chain(self.texts().map(|(name, text)| (name, text.is_some())));
        all.find(|(_, is_given)| *is_given).map(|(name, _)| name)
    }

    /// Returns the arguments of one text each, in the order in which they are set.
    pub fn texts(&self) -> [(&'static str, Option<&str>); 5] {
        [
            ("--sheet", self.sheet.as_deref()),
            ("--range", self.range.as_deref()),
            ("--decimal", self.decimal.as_deref()),
            ("--delimiter", self.delimiter.as_deref()),
            ("--encoding", self.encoding.as_deref()),
        ]
    }
}
