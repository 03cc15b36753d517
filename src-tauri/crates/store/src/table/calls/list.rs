//! The list of calls: which rows, in which order, out of which index.

use rusqlite::types::Value;
use signalbox_model::{Call, CallId, ServerId};

use super::of;
use crate::{
    CallQuery, ReadError, Reads, RowPage,
    snapshot::Snapshot,
    table::{counts, meta},
};

/// What a list's query asks of `calls`: the index that gives its order, its conditions and their parameters.
struct Filter {
    index: &'static str,
    conditions: String,
    params: Vec<Value>,
}

impl Filter {
    fn of(query: &CallQuery) -> Self {
        let mut conditions = vec!["1".to_owned()];
        let mut params: Vec<Value> = Vec::new();
        let mut place = |value: Value| {
            params.push(value);
            params.len()
        };
        let index = match query.servers.as_deref() {
            Some([_]) => "calls_by_server",
            _ => "calls_by_bucket",
        };
        match query.servers.as_deref() {
            Some([server]) => conditions.push(format!("server = ?{}", place(server.0.into()))),
            Some(servers) => {
                let ids: Vec<_> = servers.iter().map(|id| id.0.to_string()).collect();
                conditions.push(format!("server IN ({})", ids.join(", ")));
            }
            None => {}
        }
        if let Some(bucket) = query.bucket {
            conditions.push(format!("bucket = ?{}", place((bucket as i64).into())));
        }
        Self { index, conditions: conditions.join(" AND "), params }
    }

    /// The chosen index is named, so that no statistics ever talk SQLite into sorting 100,000 rows.
    fn sql(&self) -> String {
        format!("SELECT id FROM calls INDEXED BY {} WHERE {}", self.index, self.conditions)
    }
}

/// The statement a page's ids are read with; its last parameters are limit and offset.
fn page_sql(filter: &Filter) -> String {
    let n = filter.params.len();
    let ids = filter.sql();
    format!("{ids} ORDER BY bucket, created_at DESC, id DESC LIMIT ?{} OFFSET ?{}", n + 1, n + 2)
}

/// How many match, from the table of counts.
fn total(at: &Snapshot<'_>, query: &CallQuery) -> rusqlite::Result<u64> {
    let counts = counts::all(at)?;
    let wanted = |id: &ServerId| query.servers.as_ref().is_none_or(|servers| servers.contains(id));
    Ok(counts.servers.iter().filter(|(id, _)| wanted(id)).map(|(_, share)| share.calls(query.bucket)).sum())
}

fn page(at: &Snapshot<'_>, query: &CallQuery) -> rusqlite::Result<RowPage<CallId, Call>> {
    let filter = Filter::of(query);
    let sql = page_sql(&filter);
    let window = [Value::from(query.limit), Value::from(query.offset)];
    let params = rusqlite::params_from_iter(filter.params.iter().chain(&window));
    let ids: Vec<CallId> = at.rows(&sql, params, |row| row.get(0).map(CallId))?;
    let total = total(at, query)?;
    let rows = of(at, &ids, query.since.unwrap_or_default())?;
    Ok(RowPage { seq: meta::read(at.conn)?.seq, ids, rows, total })
}

impl Reads {
    /// A window of the list of calls.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn calls_page(&self, query: &CallQuery) -> Result<RowPage<CallId, Call>, ReadError> {
        self.read(|at| page(at, query))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        Bucket,
        migrate::tests::{blank, plan},
    };

    #[test]
    fn lists_come_out_of_an_index_in_their_order() {
        let conn = blank();
        let servers = [None, Some(vec![ServerId(1)]), Some(vec![ServerId(1), ServerId(2)])];
        for servers in servers {
            for bucket in [None, Some(Bucket::Ended)] {
                let query = CallQuery { servers: servers.clone(), bucket, ..CallQuery::default() };
                let plan = plan(&conn, &page_sql(&Filter::of(&query)));
                assert!(
                    plan.contains("COVERING INDEX"),
                    "no row is touched for its place: {query:?}: {plan}"
                );
                assert!(!plan.contains("TEMP B-TREE"), "nothing is sorted: {query:?}: {plan}");
                let narrowed = bucket.is_some() || matches!(&servers, Some(of) if of.len() == 1);
                assert_eq!(
                    plan.contains("SEARCH"),
                    narrowed,
                    "only what matches is walked: {query:?}: {plan}"
                );
            }
        }
    }
}
