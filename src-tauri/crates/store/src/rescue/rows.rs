//! Reads whatever rows a damaged table still gives: from both ends of a range up to the damage, then again from the middle of
//! what is left between.

use std::collections::VecDeque;

use rusqlite::{
    Connection, ErrorCode, Row, Statement,
    types::{Value, ValueRef},
};

use super::Stop;

/// Ranges tried in vain one after the other before the rest is given up: where a page above others is gone, nothing between
/// its neighbours can be reached, however often one asks.
const IN_VAIN: u32 = 10_000;

/// One table of a damaged database on its way into a new one.
pub(super) struct Table<'a> {
    from: &'a Connection,
    to: &'a Connection,
    forward: String,
    backward: String,
    insert: String,
    columns: usize,
    /// Whether a number of which each bit is set stands for one that is lost.
    marked: bool,
    kept: u64,
    whole: bool,
}

/// What came over.
pub(super) struct Kept {
    pub(super) rows: u64,
    /// Whether no damage was met.
    pub(super) whole: bool,
}

/// The new database failed, not the damaged one.
pub(super) type Copying<T> = rusqlite::Result<T>;

type Range = (i64, i64);

impl<'a> Table<'a> {
    pub(super) fn of(
        from: &'a Connection,
        to: &'a Connection,
        table: &str,
        columns: &[String],
        marked: bool,
    ) -> Self {
        let names = columns.join(", ");
        let places = vec!["?"; columns.len()].join(", ");
        let select = |order| {
            format!("SELECT rowid, {names} FROM {table} WHERE rowid BETWEEN ?1 AND ?2 ORDER BY rowid {order}")
        };
        Self {
            from,
            to,
            forward: select("ASC"),
            backward: select("DESC"),
            insert: format!("INSERT INTO {table} ({names}) VALUES ({places})"),
            columns: columns.len(),
            marked,
            kept: 0,
            whole: true,
        }
    }

    /// Copies all rows that can be read: none when the damaged database does not know the table, or not as it was made. No
    /// table has more rows than the damaged file has bytes. Ends at once, not whole, when `stop` asks.
    pub(super) fn copy(mut self, file_bytes: i64, stop: &Stop) -> Copying<Kept> {
        let (Ok(mut forward), Ok(mut backward)) =
            (self.from.prepare(&self.forward), self.from.prepare(&self.backward))
        else {
            return Ok(Kept { rows: 0, whole: false });
        };
        let mut ranges = VecDeque::from([(0, i64::MAX)]);
        let mut in_vain = 0;
        while let Some(range) = ranges.pop_front().filter(|_| in_vain < IN_VAIN) {
            let before = self.kept;
            let left = self.copy_range(&mut forward, &mut backward, range, stop)?;
            if stop.asked() {
                self.whole = false;
                break;
            }
            in_vain = if self.kept > before || left.is_none() { 0 } else { in_vain + 1 };
            let Some((low, high)) = left else { continue };
            let high = high.min(low.saturating_add(file_bytes));
            if low < high {
                let middle = low + (high - low) / 2;
                ranges.extend([(low, middle), (middle + 1, high)]);
            }
        }
        Ok(Kept { rows: self.kept, whole: self.whole })
    }

    /// Copies from both ends up to the damage. What is left between, if there is any.
    fn copy_range(
        &mut self,
        forward: &mut Statement<'_>,
        backward: &mut Statement<'_>,
        (low, high): Range,
        stop: &Stop,
    ) -> Copying<Option<Range>> {
        let (last, reached) = self.walk(forward, (low, high), stop)?;
        if reached {
            return Ok(None);
        }
        self.whole = false;
        let Some(low) = last.map_or(Some(low), |last| last.checked_add(1)) else { return Ok(None) };
        if low > high {
            return Ok(None);
        }
        let (last, reached) = self.walk(backward, (low, high), stop)?;
        let high = last.map_or(high, |last| last - 1);
        Ok((!reached && low <= high).then_some((low, high)))
    }

    /// Copies rows until the damage, or until `stop` asks. The number of the last row, and whether the end was reached.
    fn walk(
        &mut self,
        statement: &mut Statement<'_>,
        (low, high): Range,
        stop: &Stop,
    ) -> Copying<(Option<i64>, bool)> {
        let mut last = None;
        let Ok(mut rows) = statement.query([low, high]) else { return Ok((last, false)) };
        loop {
            let row = match rows.next() {
                _ if stop.asked() => return Ok((last, false)),
                Ok(Some(row)) => row,
                Ok(None) => return Ok((last, true)),
                Err(_) => return Ok((last, false)),
            };
            let Ok(number) = row.get(0) else { return Ok((last, false)) };
            last = Some(number);
            match values(row, self.columns, self.marked) {
                Some(values) => self.put(values)?,
                None => self.whole = false,
            }
        }
    }

    fn put(&mut self, values: Vec<Value>) -> Copying<()> {
        let mut insert = self.to.prepare_cached(&self.insert)?;
        match insert.execute(rusqlite::params_from_iter(values)) {
            Ok(_) => self.kept += 1,
            // Noise that looks like a row.
            Err(error) if error.sqlite_error_code() == Some(ErrorCode::ConstraintViolation) => {
                self.whole = false
            }
            Err(error) => return Err(error),
        }
        Ok(())
    }
}

/// The columns behind the row's number; none when one holds what no column can.
fn values(row: &Row<'_>, columns: usize, marked: bool) -> Option<Vec<Value>> {
    let value = |column| match row.get_ref(column).ok()? {
        ValueRef::Integer(-1) if marked => None,
        ValueRef::Text(text) => Some(Value::Text(String::from_utf8(text.to_vec()).ok()?)),
        other => other.try_into().ok(),
    };
    (1..=columns).map(value).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_can_never_be_read_is_given_up() {
        let (from, to) = (Connection::open_in_memory().unwrap(), Connection::open_in_memory().unwrap());
        // Whatever is asked for fails.
        from.execute_batch("CREATE VIEW t AS SELECT abs(-9223372036854775808) AS rowid, 1 AS a").unwrap();
        to.execute_batch("CREATE TABLE t (a)").unwrap();
        let table = Table::of(&from, &to, "t", &["a".to_owned()], false);
        let kept = table.copy(i64::MAX, &Stop::default()).unwrap();
        assert_eq!((kept.rows, kept.whole), (0, false));
    }
}
