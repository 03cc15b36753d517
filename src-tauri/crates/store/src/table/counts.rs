//! Counts, kept by triggers in the same transaction as the rows they count, so that reading them costs nothing. Their
//! table in the database is `tally`.

use std::collections::BTreeMap;

use rusqlite::Connection;
use signalbox_model::ServerId;

use crate::{ReadError, Reads, column::Columns, plan::prepare, snapshot::Snapshot, table::meta};

pub(crate) const SCHEMA: &str = "
CREATE TABLE tally (
    what   TEXT NOT NULL, -- 'calls': part is their bucket; 'requests': part is their stage
    server INTEGER NOT NULL,
    part   INTEGER NOT NULL,
    n      INTEGER NOT NULL,
    PRIMARY KEY (what, server, part)
) STRICT, WITHOUT ROWID;

CREATE TRIGGER calls_counted AFTER INSERT ON calls BEGIN
    INSERT INTO tally VALUES ('calls', NEW.server, NEW.bucket, 1) ON CONFLICT DO UPDATE SET n = n + 1;
END;
CREATE TRIGGER calls_recounted AFTER UPDATE ON calls
WHEN OLD.server <> NEW.server OR OLD.bucket <> NEW.bucket BEGIN
    UPDATE tally SET n = n - 1 WHERE what = 'calls' AND server = OLD.server AND part = OLD.bucket;
    INSERT INTO tally VALUES ('calls', NEW.server, NEW.bucket, 1) ON CONFLICT DO UPDATE SET n = n + 1;
END;
CREATE TRIGGER calls_discounted AFTER DELETE ON calls BEGIN
    UPDATE tally SET n = n - 1 WHERE what = 'calls' AND server = OLD.server AND part = OLD.bucket;
END;

CREATE TRIGGER requests_counted AFTER INSERT ON requests BEGIN
    INSERT INTO tally VALUES ('requests', NEW.server, NEW.stage, 1) ON CONFLICT DO UPDATE SET n = n + 1;
END;
CREATE TRIGGER requests_recounted AFTER UPDATE ON requests
WHEN OLD.server <> NEW.server OR OLD.stage <> NEW.stage BEGIN
    UPDATE tally SET n = n - 1 WHERE what = 'requests' AND server = OLD.server AND part = OLD.stage;
    INSERT INTO tally VALUES ('requests', NEW.server, NEW.stage, 1) ON CONFLICT DO UPDATE SET n = n + 1;
END;
CREATE TRIGGER requests_discounted AFTER DELETE ON requests BEGIN
    UPDATE tally SET n = n - 1 WHERE what = 'requests' AND server = OLD.server AND part = OLD.stage;
END;
";

// The size of all payloads, so that keeping a limit costs no look at them: what is 'payload_bytes', server and part 0.
pub(crate) const SINCE_2: &str = "
INSERT INTO tally SELECT 'payload_bytes', 0, 0, coalesce(sum(octet_length(json)), 0) FROM payloads;

CREATE TRIGGER payloads_weighed AFTER INSERT ON payloads BEGIN
    UPDATE tally SET n = n + octet_length(NEW.json) WHERE what = 'payload_bytes' AND server = 0 AND part = 0;
END;
CREATE TRIGGER payloads_reweighed AFTER UPDATE OF json ON payloads BEGIN
    UPDATE tally SET n = n + octet_length(NEW.json) - octet_length(OLD.json)
        WHERE what = 'payload_bytes' AND server = 0 AND part = 0;
END;
CREATE TRIGGER payloads_unweighed AFTER DELETE ON payloads BEGIN
    UPDATE tally SET n = n - octet_length(OLD.json) WHERE what = 'payload_bytes' AND server = 0 AND part = 0;
END;

CREATE TRIGGER payload_files_weighed AFTER INSERT ON payload_files BEGIN
    UPDATE tally SET n = n + NEW.size WHERE what = 'payload_bytes' AND server = 0 AND part = 0;
END;
CREATE TRIGGER payload_files_unweighed AFTER DELETE ON payload_files BEGIN
    UPDATE tally SET n = n - OLD.size WHERE what = 'payload_bytes' AND server = 0 AND part = 0;
END;
";

// What is stranded is counted for itself: part 3, whatever its stage.
pub(crate) const SINCE_5: &str = "
DROP TRIGGER requests_counted;
DROP TRIGGER requests_recounted;
DROP TRIGGER requests_discounted;
DELETE FROM tally WHERE what = 'requests';
INSERT INTO tally SELECT 'requests', server, CASE shelf WHEN 1 THEN 3 ELSE stage END AS part, count(*)
    FROM requests GROUP BY server, part;

CREATE TRIGGER requests_counted AFTER INSERT ON requests BEGIN
    INSERT INTO tally VALUES ('requests', NEW.server, CASE NEW.shelf WHEN 1 THEN 3 ELSE NEW.stage END, 1)
        ON CONFLICT DO UPDATE SET n = n + 1;
END;
CREATE TRIGGER requests_recounted AFTER UPDATE ON requests
WHEN OLD.server <> NEW.server OR OLD.stage <> NEW.stage OR OLD.shelf <> NEW.shelf BEGIN
    UPDATE tally SET n = n - 1 WHERE what = 'requests' AND server = OLD.server
        AND part = CASE OLD.shelf WHEN 1 THEN 3 ELSE OLD.stage END;
    INSERT INTO tally VALUES ('requests', NEW.server, CASE NEW.shelf WHEN 1 THEN 3 ELSE NEW.stage END, 1)
        ON CONFLICT DO UPDATE SET n = n + 1;
END;
CREATE TRIGGER requests_discounted AFTER DELETE ON requests BEGIN
    UPDATE tally SET n = n - 1 WHERE what = 'requests' AND server = OLD.server
        AND part = CASE OLD.shelf WHEN 1 THEN 3 ELSE OLD.stage END;
END;
";

// What servers asked and nobody answered, and the answers that asked in rounds, count to what is kept, too.
pub(crate) const SINCE_9: &str = "
UPDATE tally SET n = n
        + (SELECT coalesce(sum(octet_length(raw)), 0) FROM rounds)
        + (SELECT coalesce(sum(octet_length(raw) + octet_length(coalesce(schema, ''))), 0) FROM requests
            WHERE state = 'closed' AND answer IS NULL)
    WHERE what = 'payload_bytes' AND server = 0 AND part = 0;

CREATE TRIGGER rounds_weighed AFTER INSERT ON rounds BEGIN
    UPDATE tally SET n = n + octet_length(NEW.raw) WHERE what = 'payload_bytes' AND server = 0 AND part = 0;
END;
CREATE TRIGGER rounds_reweighed AFTER UPDATE OF raw ON rounds BEGIN
    UPDATE tally SET n = n + octet_length(NEW.raw) - octet_length(OLD.raw)
        WHERE what = 'payload_bytes' AND server = 0 AND part = 0;
END;
CREATE TRIGGER rounds_unweighed AFTER DELETE ON rounds BEGIN
    UPDATE tally SET n = n - octet_length(OLD.raw) WHERE what = 'payload_bytes' AND server = 0 AND part = 0;
END;

CREATE TRIGGER requests_weighed AFTER INSERT ON requests WHEN NEW.state = 'closed' AND NEW.answer IS NULL BEGIN
    UPDATE tally SET n = n + octet_length(NEW.raw) + octet_length(coalesce(NEW.schema, ''))
        WHERE what = 'payload_bytes' AND server = 0 AND part = 0;
END;
CREATE TRIGGER requests_unweighed AFTER DELETE ON requests WHEN OLD.state = 'closed' AND OLD.answer IS NULL BEGIN
    UPDATE tally SET n = n - octet_length(OLD.raw) - octet_length(coalesce(OLD.schema, ''))
        WHERE what = 'payload_bytes' AND server = 0 AND part = 0;
END;
CREATE TRIGGER requests_reweighed AFTER UPDATE OF state, answer, raw, schema ON requests
WHEN OLD.state = 'closed' AND OLD.answer IS NULL OR NEW.state = 'closed' AND NEW.answer IS NULL BEGIN
    UPDATE tally SET n = n
            - iif(OLD.state = 'closed' AND OLD.answer IS NULL,
                octet_length(OLD.raw) + octet_length(coalesce(OLD.schema, '')), 0)
            + iif(NEW.state = 'closed' AND NEW.answer IS NULL,
                octet_length(NEW.raw) + octet_length(coalesce(NEW.schema, '')), 0)
        WHERE what = 'payload_bytes' AND server = 0 AND part = 0;
END;
";

// Also for itself: what the person has put off, part 4, and what waits with its deadline near, part 5.
pub(crate) const SINCE_12: &str = "
DROP TRIGGER requests_counted;
DROP TRIGGER requests_recounted;
DROP TRIGGER requests_discounted;

CREATE TRIGGER requests_counted AFTER INSERT ON requests BEGIN
    INSERT INTO tally VALUES ('requests', NEW.server, CASE WHEN NEW.shelf = 1 THEN 3 WHEN NEW.attention = 'snoozed' THEN 4
        WHEN NEW.attention = 'expiring' THEN 5 ELSE NEW.stage END, 1)
        ON CONFLICT DO UPDATE SET n = n + 1;
END;
CREATE TRIGGER requests_recounted AFTER UPDATE ON requests
WHEN OLD.server <> NEW.server OR OLD.stage <> NEW.stage OR OLD.shelf <> NEW.shelf OR OLD.attention <> NEW.attention BEGIN
    UPDATE tally SET n = n - 1 WHERE what = 'requests' AND server = OLD.server
        AND part = CASE WHEN OLD.shelf = 1 THEN 3 WHEN OLD.attention = 'snoozed' THEN 4
        WHEN OLD.attention = 'expiring' THEN 5 ELSE OLD.stage END;
    INSERT INTO tally VALUES ('requests', NEW.server, CASE WHEN NEW.shelf = 1 THEN 3 WHEN NEW.attention = 'snoozed' THEN 4
        WHEN NEW.attention = 'expiring' THEN 5 ELSE NEW.stage END, 1)
        ON CONFLICT DO UPDATE SET n = n + 1;
END;
CREATE TRIGGER requests_discounted AFTER DELETE ON requests BEGIN
    UPDATE tally SET n = n - 1 WHERE what = 'requests' AND server = OLD.server
        AND part = CASE WHEN OLD.shelf = 1 THEN 3 WHEN OLD.attention = 'snoozed' THEN 4
        WHEN OLD.attention = 'expiring' THEN 5 ELSE OLD.stage END;
END;
";

// Also for itself: what is answered within its undo time, part 6.
pub(crate) const SINCE_16: &str = "
DROP TRIGGER requests_counted;
DROP TRIGGER requests_recounted;
DROP TRIGGER requests_discounted;
DELETE FROM tally WHERE what = 'requests';
INSERT INTO tally SELECT 'requests', server, CASE WHEN shelf = 1 THEN 3 WHEN attention = 'snoozed' THEN 4
        WHEN attention = 'expiring' THEN 5 WHEN state = 'held' THEN 6 ELSE stage END AS part, count(*)
    FROM requests GROUP BY server, part;

CREATE TRIGGER requests_counted AFTER INSERT ON requests BEGIN
    INSERT INTO tally VALUES ('requests', NEW.server, CASE WHEN NEW.shelf = 1 THEN 3 WHEN NEW.attention = 'snoozed' THEN 4
        WHEN NEW.attention = 'expiring' THEN 5 WHEN NEW.state = 'held' THEN 6 ELSE NEW.stage END, 1)
        ON CONFLICT DO UPDATE SET n = n + 1;
END;
CREATE TRIGGER requests_recounted AFTER UPDATE ON requests
WHEN OLD.server <> NEW.server OR OLD.stage <> NEW.stage OR OLD.shelf <> NEW.shelf OR OLD.attention <> NEW.attention
    OR (OLD.state = 'held') <> (NEW.state = 'held') BEGIN
    UPDATE tally SET n = n - 1 WHERE what = 'requests' AND server = OLD.server
        AND part = CASE WHEN OLD.shelf = 1 THEN 3 WHEN OLD.attention = 'snoozed' THEN 4
        WHEN OLD.attention = 'expiring' THEN 5 WHEN OLD.state = 'held' THEN 6 ELSE OLD.stage END;
    INSERT INTO tally VALUES ('requests', NEW.server, CASE WHEN NEW.shelf = 1 THEN 3 WHEN NEW.attention = 'snoozed' THEN 4
        WHEN NEW.attention = 'expiring' THEN 5 WHEN NEW.state = 'held' THEN 6 ELSE NEW.stage END, 1)
        ON CONFLICT DO UPDATE SET n = n + 1;
END;
CREATE TRIGGER requests_discounted AFTER DELETE ON requests BEGIN
    UPDATE tally SET n = n - 1 WHERE what = 'requests' AND server = OLD.server
        AND part = CASE WHEN OLD.shelf = 1 THEN 3 WHEN OLD.attention = 'snoozed' THEN 4
        WHEN OLD.attention = 'expiring' THEN 5 WHEN OLD.state = 'held' THEN 6 ELSE OLD.stage END;
END;
";

/// The table that is touched where a count changes: SQLite tells nobody of a table without row numbers, as `tally` is.
pub(crate) const TOLD: &str = "counted";

/// Has this connection touch [`TOLD`] with each change of a count.
pub(crate) fn tell(conn: &Connection) -> rusqlite::Result<()> {
    conn.execute_batch(
        "CREATE TEMP TABLE counted (n INTEGER NOT NULL) STRICT;
         INSERT INTO counted VALUES (0);
         CREATE TEMP TRIGGER count_begins AFTER INSERT ON main.tally WHEN NEW.what <> 'payload_bytes' BEGIN
             UPDATE counted SET n = n + 1;
         END;
         CREATE TEMP TRIGGER count_changes AFTER UPDATE ON main.tally WHEN NEW.what <> 'payload_bytes' BEGIN
             UPDATE counted SET n = n + 1;
         END;",
    )
}

/// How many rows of each kind there are, at transaction `seq`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct AllCounts {
    /// The transaction these numbers are of.
    pub seq: u64,
    /// Input requests that wait for a person (`open`, `not_taken`, `refused`, `unknown`), are not stranded, and were not put
    /// off.
    pub needs_you: u64,
    /// Those of them whose deadline is near.
    pub expiring: u64,
    /// Input requests that wait for a person who has put them off.
    pub snoozed: u64,
    /// Input requests whose answer is on its way (`held`, `sending`).
    pub on_the_way: u64,
    /// Those of them that are within their undo time: nobody has sent them.
    pub held: u64,
    /// Input requests whose connection is gone: nobody waits for their answer now.
    pub stranded: u64,
    /// Input requests that are over.
    pub settled: u64,
    /// Calls by server; a server without calls and requests may be missing.
    pub servers: BTreeMap<ServerId, ServerCounts>,
}

/// One server's share.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ServerCounts {
    /// Calls that have not ended and need a person.
    pub needs_you: u64,
    /// Other calls that have not ended.
    pub working: u64,
    /// Calls that have ended.
    pub ended: u64,
    /// Input requests that wait for a person and were not put off.
    pub requests: u64,
}

impl ServerCounts {
    /// Calls that have not ended.
    #[must_use]
    pub fn live(&self) -> u64 {
        self.needs_you + self.working
    }

    /// All calls.
    #[must_use]
    pub fn calls(&self) -> u64 {
        self.live() + self.ended
    }
}

pub(crate) fn all(at: &Snapshot<'_>) -> rusqlite::Result<AllCounts> {
    let mut counts = AllCounts { seq: meta::read(at.conn)?.seq, ..AllCounts::default() };
    let rows: Vec<(String, u32, u8, u64)> =
        at.rows("SELECT what, server, part, n FROM tally WHERE what IN ('calls', 'requests')", [], |row| {
            Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get::<_, i64>(3)?.cast_unsigned()))
        })?;
    for (what, server, part, n) in rows {
        let share = counts.servers.entry(ServerId(server)).or_default();
        match (what.as_str(), part) {
            ("calls", 0) => share.needs_you = n,
            ("calls", 1) => share.working = n,
            ("calls", _) => share.ended = n,
            (_, 0 | 5) => {
                share.requests += n;
                counts.needs_you += n;
                counts.expiring += if part == 5 { n } else { 0 };
            }
            (_, 1 | 6) => {
                counts.on_the_way += n;
                counts.held += if part == 6 { n } else { 0 };
            }
            (_, 3) => counts.stranded += n,
            (_, 4) => counts.snoozed += n,
            _ => counts.settled += n,
        }
    }
    Ok(counts)
}

pub(crate) fn payload_bytes(conn: &Connection) -> rusqlite::Result<u64> {
    let sql = "SELECT n FROM tally WHERE what = 'payload_bytes' AND server = 0 AND part = 0";
    prepare(conn, sql)?.query_row([], |row| Columns::of(row).number())
}

impl Reads {
    /// The size of all payloads together, in bytes: with files, the answers that asked in rounds, and what was asked in
    /// questions that closed without an answer.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn payload_bytes(&self) -> Result<u64, ReadError> {
        self.read(|at| payload_bytes(at.conn))
    }

    /// All counts, consistent with one transaction.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn counts(&self) -> Result<AllCounts, ReadError> {
        self.read(all)
    }
}
