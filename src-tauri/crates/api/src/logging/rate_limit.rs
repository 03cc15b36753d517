//! What repeats without end is counted instead of written: a server that floods us must not flood the log.

use std::{
    collections::HashMap,
    fmt,
    sync::{Mutex, PoisonError},
    time::Duration,
};

use tokio::time::Instant;
use tracing::{Event, Level, Subscriber, callsite::Identifier};
use tracing_subscriber::{
    fmt::{FmtContext, FormatEvent, FormatFields, format::Writer},
    registry::LookupSpan,
};

/// How many lines one place in the code may write within [`SPELL`]. What is asked for in detail is not counted.
const LINES: u32 = 100;
const SPELL: Duration = Duration::from_secs(60);

/// Formats events as `F` does, as long as they do not come in floods.
pub(super) struct RateLimited<F> {
    inner: F,
    places: Mutex<HashMap<Identifier, Place>>,
}

struct Place {
    since: Instant,
    lines: u32,
}

enum Verdict {
    Write,
    /// The spell is over; so many were left out in it.
    WriteAfter(u32),
    LeaveOut,
}

impl<F> RateLimited<F> {
    pub(super) fn new(inner: F) -> Self {
        Self { inner, places: Mutex::default() }
    }

    fn verdict(&self, place: Identifier, now: Instant) -> Verdict {
        let mut places = self.places.lock().unwrap_or_else(PoisonError::into_inner);
        let place = places.entry(place).or_insert(Place { since: now, lines: 0 });
        let left_out = place.lines.saturating_sub(LINES);
        if now - place.since >= SPELL {
            *place = Place { since: now, lines: 1 };
            return if left_out > 0 { Verdict::WriteAfter(left_out) } else { Verdict::Write };
        }
        place.lines = place.lines.saturating_add(1);
        if place.lines <= LINES { Verdict::Write } else { Verdict::LeaveOut }
    }
}

impl<S, N, F> FormatEvent<S, N> for RateLimited<F>
where
    S: Subscriber + for<'a> LookupSpan<'a>,
    N: for<'a> FormatFields<'a> + 'static,
    F: FormatEvent<S, N>,
{
    fn format_event(
        &self,
        context: &FmtContext<'_, S, N>,
        mut writer: Writer<'_>,
        event: &Event<'_>,
    ) -> fmt::Result {
        let meta = event.metadata();
        if *meta.level() <= Level::INFO {
            match self.verdict(meta.callsite(), Instant::now()) {
                Verdict::Write => {}
                Verdict::WriteAfter(left_out) => {
                    writeln!(writer, "… {left_out} more lines as the next one were left out")?;
                }
                Verdict::LeaveOut => return Ok(()),
            }
        }
        self.inner.format_event(context, writer, event)
    }
}
