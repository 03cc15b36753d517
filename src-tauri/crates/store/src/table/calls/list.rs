//! The list of calls: which rows, in which order, out of which index.

use rusqlite::types::Value;
use signalbox_model::{Call, CallId, ServerId, Word};

use super::of;
use crate::{
    CallQuery, Page, ReadError, Reads,
    column::Columns,
    plan::prepare,
    snapshot::Snapshot,
    table::{meta, tally},
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
        let index = match (query.status, query.servers.as_deref()) {
            (Some(_), _) => "calls_by_status",
            (None, Some([_])) => "calls_by_server",
            _ => "calls_by_bucket",
        };
        if let Some(status) = query.status {
            conditions.push(format!("status = ?{}", place(status.word().to_owned().into())));
        }
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
        if let Some(text) = &query.text {
            let id = text.parse::<CallId>().map_or(Value::Null, |id| id.0.into());
            let (like, exact, id) = (place(containing(text).into()), place(text.clone().into()), place(id));
            conditions.push(format!(
                "(tool LIKE ?{like} ESCAPE '\\' OR summary LIKE ?{like} ESCAPE '\\' \
                 OR status_message LIKE ?{like} ESCAPE '\\' OR task_id = ?{exact} OR id = ?{id})"
            ));
        }
        Self { index, conditions: conditions.join(" AND "), params }
    }

    /// The chosen index is named, so that no statistics ever talk SQLite into sorting 100,000 rows.
    fn sql(&self, what: &str) -> String {
        format!("SELECT {what} FROM calls INDEXED BY {} WHERE {}", self.index, self.conditions)
    }
}

/// A LIKE pattern for this text anywhere.
fn containing(text: &str) -> String {
    let plain = text.replace('\\', "\\\\").replace('%', "\\%").replace('_', "\\_");
    format!("%{plain}%")
}

/// The statement a page's ids are read with; its last parameters are limit and offset.
fn page_sql(filter: &Filter) -> String {
    let n = filter.params.len();
    let ids = filter.sql("id");
    format!("{ids} ORDER BY bucket, created_at DESC, id DESC LIMIT ?{} OFFSET ?{}", n + 1, n + 2)
}

/// How many match a query without text: from the tally, or counted in an index.
fn total(at: &Snapshot<'_>, query: &CallQuery, filter: &Filter) -> rusqlite::Result<u64> {
    if query.status.is_some() {
        let params = rusqlite::params_from_iter(&filter.params);
        let sql = filter.sql("count(*)");
        return prepare(at.conn, &sql)?.query_row(params, |row| Columns::of(row).number());
    }
    let counts = tally::counts(at)?;
    let wanted = |id: &ServerId| query.servers.as_ref().is_none_or(|servers| servers.contains(id));
    Ok(counts.servers.iter().filter(|(id, _)| wanted(id)).map(|(_, share)| share.calls(query.bucket)).sum())
}

fn page(at: &Snapshot<'_>, query: &CallQuery) -> rusqlite::Result<Page<CallId, Call>> {
    let filter = Filter::of(query);
    let sql = page_sql(&filter);
    let ids = |limit: i64, offset: u32| {
        let window = [Value::from(limit), Value::from(offset)];
        let params = rusqlite::params_from_iter(filter.params.iter().chain(&window));
        at.rows(&sql, params, |row| row.get(0).map(CallId))
    };
    let (ids, total) = if query.text.is_some() {
        // Looking for text reads the rows themselves: once, not a second time for the total.
        let all = ids(-1, 0)?;
        let window = all.iter().skip(query.offset as usize).take(query.limit as usize);
        (window.copied().collect(), all.len() as u64)
    } else {
        (ids(query.limit.into(), query.offset)?, total(at, query, &filter)?)
    };
    let rows = of(at, &ids, query.since.unwrap_or_default())?;
    Ok(Page { seq: meta::read(at.conn)?.seq, ids, rows, total })
}

impl Reads {
    /// A window of the list of calls.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn calls_page(&self, query: &CallQuery) -> Result<Page<CallId, Call>, ReadError> {
        self.read(|at| page(at, query))
    }
}

#[cfg(test)]
mod tests {
    use signalbox_model::Status;

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
                for status in [None, Some(Status::Failed)] {
                    let query =
                        CallQuery { servers: servers.clone(), bucket, status, ..CallQuery::default() };
                    let plan = plan(&conn, &page_sql(&Filter::of(&query)));
                    assert!(
                        plan.contains("COVERING INDEX"),
                        "no row is touched for its place: {query:?}: {plan}"
                    );
                    assert!(!plan.contains("TEMP B-TREE"), "nothing is sorted: {query:?}: {plan}");
                    let narrowed =
                        bucket.is_some() || status.is_some() || matches!(&servers, Some(of) if of.len() == 1);
                    assert_eq!(
                        plan.contains("SEARCH"),
                        narrowed,
                        "only what matches is walked: {query:?}: {plan}"
                    );
                }
            }
        }
    }
}
