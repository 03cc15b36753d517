//! Every statement that runs on a change, a page or a look is prepared here, because none of them may take longer as
//! tables grow: in debug builds, which all tests are, a statement whose plan walks or sorts a whole table is a bug.

use rusqlite::{CachedStatement, Connection};

pub(crate) fn prepare<'c>(conn: &'c Connection, sql: &str) -> rusqlite::Result<CachedStatement<'c>> {
    #[cfg(debug_assertions)]
    check::by_index(conn, sql)?;
    conn.prepare_cached(sql)
}

#[cfg(debug_assertions)]
pub(crate) mod check {
    use std::{
        collections::HashSet,
        sync::{LazyLock, Mutex, PoisonError},
    };

    use rusqlite::Connection;

    /// The tables that grow for ever. All others have a row for each server, setting or count.
    const LARGE: [&str; 7] =
        ["calls", "payloads", "payload_files", "rounds", "requests", "events", "decisions"];

    static SEEN: LazyLock<Mutex<HashSet<String>>> = LazyLock::new(Mutex::default);

    /// Looks at the plan of a statement that is new to this process.
    pub(crate) fn by_index(conn: &Connection, sql: &str) -> rusqlite::Result<()> {
        if SEEN.lock().unwrap_or_else(PoisonError::into_inner).insert(sql.to_owned()) {
            let plan = plan(conn, sql)?;
            assert!(fault(sql, &plan).is_none(), "BUG: not by index alone: {sql}: {plan:?}");
        }
        Ok(())
    }

    /// What SQLite means to do, a line for each loop.
    pub(crate) fn plan(conn: &Connection, sql: &str) -> rusqlite::Result<Vec<String>> {
        let mut statement = conn.prepare(&format!("EXPLAIN QUERY PLAN {sql}"))?;
        let mut rows = statement.raw_query();
        let mut lines = Vec::new();
        while let Some(row) = rows.next()? {
            lines.push(row.get("detail")?);
        }
        Ok(lines)
    }

    /// The first line that grows with a table, and no exception covers.
    pub(crate) fn fault<'a>(sql: &str, plan: &'a [String]) -> Option<&'a str> {
        plan.iter().map(String::as_str).find(|line| {
            let walked = line.strip_prefix("SCAN ").and_then(|rest| rest.split(' ').next());
            let walks = walked.is_some_and(|table| LARGE.contains(&table));
            line.contains("TEMP B-TREE") || (walks && !may_walk(sql, line))
        })
    }

    fn may_walk(sql: &str, line: &str) -> bool {
        // The list without a filter: its window is cut out of an index that has the list's order, without a row.
        line.contains("USING COVERING INDEX") && sql.ends_with(" OFFSET ?2")
    }
}

#[cfg(test)]
mod tests {
    use super::check::{fault, plan};
    use crate::migrate::tests::blank;

    #[test]
    fn what_grows_with_a_table_is_found() {
        let conn = blank();
        let bad = [
            "SELECT * FROM calls",
            "SELECT id FROM events WHERE kind = 'ended'",
            "SELECT id FROM requests ORDER BY message LIMIT 1",
            "SELECT id FROM calls WHERE server = 1 ORDER BY tool",
            "UPDATE decisions SET text = '' WHERE kind = 'taken'",
            "DELETE FROM payloads WHERE kind = 'last'",
            "SELECT count(*) FROM calls",
        ];
        for sql in bad {
            let plan = plan(&conn, sql).unwrap();
            assert!(fault(sql, &plan).is_some(), "{sql}: {plan:?}");
        }
        for sql in ["SELECT * FROM servers", "SELECT * FROM calls WHERE id > 5 ORDER BY id LIMIT 3"] {
            let plan = plan(&conn, sql).unwrap();
            assert_eq!(fault(sql, &plan), None, "{sql}: {plan:?}");
        }
    }

    /// Triggers run with every change, and no plan of the change shows what they do.
    #[test]
    fn triggers_find_their_rows_by_index() {
        let conn = blank();
        let mut statement = conn.prepare("SELECT sql FROM sqlite_schema WHERE type = 'trigger'").unwrap();
        let triggers: Vec<String> =
            statement.query_map([], |row| row.get(0)).unwrap().collect::<Result<_, _>>().unwrap();
        let mut seen = 0;
        for trigger in triggers {
            let (_, body) = trigger.split_once("BEGIN").unwrap();
            for sql in body.trim_end_matches("END").split(';').map(str::trim) {
                if sql.is_empty() || sql.contains("raise(") {
                    continue;
                }
                let row_of = |prefix: char| !(prefix.is_ascii_alphanumeric() || prefix == '_');
                // What the trigger knows of its row is a parameter of the statement.
                let mut asked = String::new();
                for (n, part) in sql.replace("OLD.", "NEW.").split("NEW.").enumerate() {
                    let end = if n == 0 { 0 } else { part.find(row_of).unwrap_or(part.len()) };
                    asked.push_str(if n == 0 { "" } else { "?" });
                    asked.push_str(&part[end..]);
                }
                let plan = plan(&conn, &asked).unwrap_or_else(|error| panic!("{asked}: {error}"));
                assert_eq!(fault(&asked, &plan), None, "{asked}: {plan:?}");
                assert!(!plan.iter().any(|line| line.starts_with("SCAN ")), "not even a small one: {plan:?}");
                seen += 1;
            }
        }
        assert!(seen > 15, "all triggers were looked at: {seen}");
    }

    /// The check at run time sees only what is prepared through [`super::prepare`].
    #[test]
    fn nobody_prepares_a_statement_elsewhere() {
        // Opening, migrating, copying and rescuing walk whole tables on purpose, rarely, and never beside a person who waits.
        let free = ["plan.rs", "open.rs", "migrate.rs", "copy.rs", "rescue"];
        let mut found = Vec::new();
        let mut dirs = vec![std::path::PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/src"))];
        while let Some(dir) = dirs.pop() {
            for entry in std::fs::read_dir(dir).unwrap() {
                let path = entry.unwrap().path();
                let name = path.file_name().unwrap().to_str().unwrap();
                if free.contains(&name) {
                    continue;
                }
                if path.is_dir() {
                    dirs.push(path);
                    continue;
                }
                let text = std::fs::read_to_string(&path).unwrap();
                let code = text.split("#[cfg(test)]").next().unwrap();
                let direct = ["prepare_cached(", ".prepare(", "conn.query_row(", "conn.execute("];
                found.extend(
                    direct.into_iter().filter(|call| code.contains(call)).map(|call| (path.clone(), call)),
                );
            }
        }
        assert!(found.is_empty(), "use plan::prepare: {found:?}");
    }
}
