//! The table of input requests, and how each format changed it.

pub(crate) const SCHEMA: &str = "
CREATE TABLE requests (
    id                     INTEGER NOT NULL PRIMARY KEY,
    changed                INTEGER NOT NULL,
    server                 INTEGER NOT NULL REFERENCES servers (id),
    call                   INTEGER REFERENCES calls (id) ON DELETE CASCADE,
    identity               TEXT NOT NULL, -- 'task', 'round' or 'wire'
    scope                  INTEGER NOT NULL, -- task, round: the call; wire: our number of the session
    n                      INTEGER NOT NULL, -- round: which; else 0
    key                    TEXT NOT NULL, -- the server's key, wire: its JSON-RPC id
    method                 TEXT NOT NULL,
    mode                   TEXT NOT NULL,
    message                TEXT NOT NULL,
    schema                 TEXT,
    url                    TEXT,
    raw                    TEXT NOT NULL,
    state                  TEXT NOT NULL,
    reason                 TEXT,
    opened_at              INTEGER NOT NULL,
    closed_at              INTEGER,
    answer                 TEXT, -- the action; none: no answer, and the answer's columns are empty
    answer_content         TEXT,
    decided_at             INTEGER,
    send_at                INTEGER,
    sent_at                INTEGER,
    acknowledged_at        INTEGER,
    taken_at               INTEGER,
    refusal                TEXT,
    draft                  TEXT,
    deadline               INTEGER, -- when its call's task expires; kept by triggers for the inbox's order
    -- 0 waits for a person, 1 its answer is on its way, 2 over
    stage                  INTEGER NOT NULL CHECK (stage =
        CASE WHEN state IN ('answered', 'closed', 'orphaned') THEN 2
             WHEN state IN ('held', 'sending') THEN 1
             ELSE 0 END),
    settled                INTEGER NOT NULL CHECK (settled = (stage = 2))
) STRICT;
CREATE UNIQUE INDEX requests_by_identity ON requests (identity, scope, n, key);
CREATE INDEX requests_by_call ON requests (call, id);
CREATE INDEX requests_waiting ON requests (settled, deadline IS NULL, deadline, opened_at, id);
CREATE INDEX requests_settled ON requests (settled, closed_at DESC, id DESC);
CREATE INDEX requests_by_age ON requests (opened_at DESC, id DESC);

CREATE TRIGGER requests_deadline AFTER INSERT ON requests WHEN NEW.call IS NOT NULL BEGIN
    UPDATE requests SET deadline = (SELECT expires_at FROM calls WHERE id = NEW.call) WHERE id = NEW.id;
END;
CREATE TRIGGER requests_moved AFTER UPDATE OF call ON requests WHEN OLD.call IS NOT NEW.call BEGIN
    UPDATE requests SET deadline = (SELECT expires_at FROM calls WHERE id = NEW.call) WHERE id = NEW.id;
END;
CREATE TRIGGER calls_deadline AFTER UPDATE OF expires_at ON calls WHEN OLD.expires_at IS NOT NEW.expires_at BEGIN
    UPDATE requests SET deadline = NEW.expires_at WHERE call = NEW.id;
END;
";

// What was answered before there was a log of decisions is in none; nothing is put there afterwards.
pub(crate) const SINCE_2: &str = "
ALTER TABLE requests ADD COLUMN logged INTEGER NOT NULL DEFAULT 1; -- 0: answered before there was a log
UPDATE requests SET logged = 0 WHERE sent_at IS NOT NULL;
";

pub(crate) const SINCE_3: &str = "
ALTER TABLE requests ADD COLUMN hosted TEXT; -- our id of the task that we host for its answer
";

pub(crate) const SINCE_5: &str = "
ALTER TABLE requests ADD COLUMN visited_at INTEGER; -- when its page was last opened for the person, in ms since 1970
ALTER TABLE requests ADD COLUMN visiting_at INTEGER; -- when opening it began of which the end is not known, in ms since 1970
-- Where lists have it (first in the indexes, so that they are searched): 0 waits for a person or its answer is on its way, 1 stranded since its connection is gone, 2 over.
ALTER TABLE requests ADD COLUMN shelf INTEGER NOT NULL DEFAULT 0;
UPDATE requests SET shelf = CASE
    WHEN state = 'orphaned' OR (state = 'unknown' AND closed_at IS NOT NULL) THEN 1
    WHEN settled = 1 THEN 2
    ELSE 0 END;
DROP INDEX requests_waiting;
DROP INDEX requests_settled;
CREATE INDEX requests_waiting ON requests (shelf, deadline IS NULL, deadline, opened_at, id) WHERE shelf = 0;
CREATE INDEX requests_stranded ON requests (shelf, opened_at, id) WHERE shelf = 1;
CREATE INDEX requests_settled ON requests (closed_at DESC, id DESC) WHERE shelf = 2;
DROP INDEX requests_stray;
CREATE INDEX requests_stray ON requests (closed_at, id) WHERE call IS NULL AND shelf <> 0;
";

pub(crate) const SINCE_6: &str = "
ALTER TABLE requests ADD COLUMN earlier TEXT; -- JSON of ours: the answer before this one
-- More than the id of the task that we host is kept since: its ids before, and who waits for its result.
UPDATE requests SET hosted = json_object('taskId', hosted, 'before', json_array(), 'waiting', json_array())
    WHERE hosted IS NOT NULL;
";

// A call's questions by where lists have them, and of the closed ones by when they were closed: neither a look at one question
// nor one at its task reads the rows of all others.
pub(crate) const SINCE_7: &str = "
DROP INDEX requests_by_call;
CREATE INDEX requests_by_call ON requests (call, shelf, stage, id);
CREATE INDEX requests_closed ON requests (call, closed_at DESC, id DESC) WHERE shelf = 2;
";

// Why an answer was refused was a sentence of ours.
pub(crate) const SINCE_10: &str = "
UPDATE requests SET refusal = json_object('code', 'server_error', 'message', refusal) WHERE refusal IS NOT NULL;
";

// When it is of no use any more whatever becomes of its call, when it is to be seen again, and how much it wants its person: an
// index has what is put off apart. A deadline is the earlier one of its own and its call's.
pub(crate) const SINCE_12: &str = "
ALTER TABLE requests ADD COLUMN expires_at INTEGER; -- its own deadline, in ms since 1970
ALTER TABLE requests ADD COLUMN snoozed TEXT; -- JSON of ours: until when the person has put it off
ALTER TABLE requests ADD COLUMN attention TEXT NOT NULL DEFAULT 'none';
ALTER TABLE requests ADD COLUMN reminded_of INTEGER; -- the last deadline that the person was reminded of, in ms since 1970
UPDATE requests SET attention = 'needs_you' WHERE shelf = 0 AND stage = 0;

DROP TRIGGER requests_deadline;
DROP TRIGGER requests_moved;
DROP TRIGGER calls_deadline;
CREATE TRIGGER requests_deadline AFTER INSERT ON requests WHEN NEW.call IS NOT NULL OR NEW.expires_at IS NOT NULL BEGIN
    UPDATE requests SET deadline = coalesce(
        min((SELECT expires_at FROM calls WHERE id = NEW.call), NEW.expires_at),
        (SELECT expires_at FROM calls WHERE id = NEW.call), NEW.expires_at) WHERE id = NEW.id;
END;
CREATE TRIGGER requests_moved AFTER UPDATE OF call, expires_at ON requests
WHEN OLD.call IS NOT NEW.call OR OLD.expires_at IS NOT NEW.expires_at BEGIN
    UPDATE requests SET deadline = coalesce(
        min((SELECT expires_at FROM calls WHERE id = NEW.call), NEW.expires_at),
        (SELECT expires_at FROM calls WHERE id = NEW.call), NEW.expires_at) WHERE id = NEW.id;
END;
CREATE TRIGGER calls_deadline AFTER UPDATE OF expires_at ON calls WHEN OLD.expires_at IS NOT NEW.expires_at BEGIN
    UPDATE requests SET deadline = coalesce(min(NEW.expires_at, expires_at), NEW.expires_at, expires_at)
        WHERE call = NEW.id;
END;

DROP INDEX requests_waiting;
CREATE INDEX requests_waiting ON requests
    (shelf, attention = 'snoozed', deadline IS NULL, deadline, opened_at, id) WHERE shelf = 0;
";

// The secrets in an answer are masked in `answer_content`, and in `earlier`.
pub(crate) const SINCE_13: &str = "
ALTER TABLE requests ADD COLUMN masked TEXT; -- JSON of ours: what is kept of secrets; answer_content has null in their places
ALTER TABLE requests ADD COLUMN remark TEXT; -- what the person noted beside the answer
ALTER TABLE requests ADD COLUMN undelivered TEXT; -- JSON of ours: contents with their secrets, until these are delivered
CREATE INDEX requests_undelivered ON requests (id) WHERE undelivered IS NOT NULL;
-- What is no longer asked stands above what is over, the newest first.
CREATE INDEX requests_newest_stranded ON requests (shelf, id DESC) WHERE shelf = 1;
";
