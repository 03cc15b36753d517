//! How many input requests have come. Counts alone do not tell: where one comes and another is answered they stay as they are.

use signalbox_model::RequestId;

use crate::{ReadError, Reads};

const NEWEST: &str = "SELECT id FROM requests WHERE id >= 0 ORDER BY id DESC LIMIT 1";
const CAME: &str = "SELECT coalesce(max(id), ?1), count(CASE WHEN attention IN ('needs_you', 'expiring') THEN 1 END) \
     FROM requests WHERE id > ?1";

impl Reads {
    /// The newest input request of all, and how many after this one wait for a person and were not put off; none is counted where
    /// nothing was seen before.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn arrived(&self, after: Option<RequestId>) -> Result<(RequestId, u64), ReadError> {
        let found = self.read(|at| match after {
            None => at.rows(NEWEST, [], |row| Ok((RequestId(row.get(0)?), 0))),
            Some(RequestId(after)) => at.rows(CAME, [after], |row| {
                Ok((RequestId(row.get(0)?), row.get::<_, i64>(1)?.cast_unsigned()))
            }),
        })?;
        Ok(found.first().copied().unwrap_or((RequestId(0), 0)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::migrate::tests::{blank, plan};

    #[test]
    fn only_what_is_new_is_looked_at() {
        let conn = blank();
        for sql in [NEWEST, CAME] {
            let plan = plan(&conn, sql);
            assert!(plan.contains("INTEGER PRIMARY KEY (rowid>"), "{sql}: {plan}");
        }
    }
}
