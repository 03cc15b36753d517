//! One file per table: its schema, its row, its writes and its reads.
//!
//! A table's schema is written by format: `SCHEMA` is how the table came with format 1, `SINCE_2` what format 2 added or
//! made. Read one after the other they are what the table is today; none ever changes once it is released.

pub(crate) mod calls;
pub(crate) mod counts;
pub(crate) mod decisions;
pub(crate) mod events;
pub(crate) mod meta;
pub(crate) mod payload_files;
pub(crate) mod payloads;
pub(crate) mod requests;
pub(crate) mod rounds;
pub(crate) mod servers;
pub(crate) mod sessions;
pub(crate) mod settings;
pub(crate) mod tools;

/// The columns of a table in the order its row is read and written.
pub(crate) struct Layout {
    pub(crate) table: &'static str,
    pub(crate) key: &'static [&'static str],
    pub(crate) columns: &'static [&'static str],
}

impl Layout {
    /// `SELECT … FROM table`, to be followed by a condition.
    pub(crate) fn select(&self) -> String {
        format!("SELECT {} FROM {} ", self.columns.join(", "), self.table)
    }

    /// One parameter per column, in order. Not `INSERT OR REPLACE`: that would delete what hangs on the row.
    pub(crate) fn upsert(&self) -> String {
        let places: Vec<_> = (1..=self.columns.len()).map(|n| format!("?{n}")).collect();
        let sets: Vec<_> = (self.columns.iter())
            .filter(|column| !self.key.contains(column))
            .map(|column| format!("{column} = excluded.{column}"))
            .collect();
        format!(
            "INSERT INTO {} ({}) VALUES ({}) ON CONFLICT ({}) DO UPDATE SET {}",
            self.table,
            self.columns.join(", "),
            places.join(", "),
            self.key.join(", "),
            sets.join(", "),
        )
    }

    /// The same parameters as [`Layout::upsert`], for a row that is there and differs in none of these columns: SQLite
    /// would write every index again in which a column is merely set, also to what it was.
    pub(crate) fn update(&self, same: &[&str]) -> String {
        let places = || self.columns.iter().zip(1..);
        let stays = |column: &&str| self.key.contains(column) || same.contains(column);
        let sets: Vec<_> = places()
            .filter(|(column, _)| !stays(column))
            .map(|(column, n)| format!("{column} = ?{n}"))
            .collect();
        let is: Vec<_> = places()
            .filter(|(column, _)| stays(column))
            .map(|(column, n)| format!("{column} IS ?{n}"))
            .collect();
        format!("UPDATE {} SET {} WHERE {}", self.table, sets.join(", "), is.join(" AND "))
    }
}
