//! Where an event stream of Streamable HTTP was cut, and when to go on with it.

use std::time::Duration;

use http::HeaderValue;

use crate::{endpoint::Options, http::Events};

/// No server's wish to wait is taken for longer.
const LONGEST: Duration = Duration::from_secs(24 * 60 * 60);

/// How far one stream was read, and when to ask for the rest.
pub(super) struct ResumePoint {
    last_id: Option<String>,
    /// The server's wish.
    retry: Option<Duration>,
    /// Ours, while coming again is in vain.
    delay: Duration,
    first: Duration,
    longest: Duration,
}

impl ResumePoint {
    pub(super) fn new(options: &Options) -> Self {
        let (first, longest) = (options.reconnect_delay, options.reconnect_delay_max);
        Self { last_id: None, retry: None, delay: first, first, longest }
    }

    /// Takes over what a stream said before it ended.
    pub(super) fn note(&mut self, events: &Events) {
        if let Some(id) = events.last_id() {
            self.last_id = Some(id.to_owned());
        }
        self.retry = events.retry().or(self.retry);
    }

    /// Something came: whatever was in vain before does not count any more.
    pub(super) fn progressed(&mut self) {
        self.delay = self.first;
    }

    /// How long to wait before coming again: never less than the server wishes, and never so little that a server
    /// could keep us busy.
    fn wait(&mut self) -> Duration {
        let (ours, in_vain) = (self.delay, self.delay > self.first);
        self.delay = self.delay.saturating_mul(2).min(self.longest);
        match self.retry.map(|retry| retry.min(LONGEST)) {
            Some(retry) if in_vain => retry.max(ours),
            Some(retry) => retry.max(self.first / 10),
            None => ours,
        }
    }

    /// Waits as long, and no less than `longer`.
    #[expect(clippy::disallowed_methods, reason = "a server does not tell when it can be reached again")]
    pub(super) async fn rest(&mut self, longer: Option<Duration>) {
        let wait = self.wait();
        tokio::time::sleep(longer.map_or(wait, |longer| longer.max(wait))).await;
    }

    /// `Last-Event-ID`, where there is one that a header can hold.
    pub(super) fn header(&self) -> Option<HeaderValue> {
        HeaderValue::from_str(self.last_id.as_deref()?).ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_server_keeps_us_waiting_for_ever() {
        let mut resume_point = ResumePoint::new(&Options::default());
        resume_point.retry = Some(Duration::from_millis(u64::MAX));
        assert_eq!(resume_point.wait(), LONGEST);
        assert_eq!(resume_point.wait(), LONGEST, "nor in vain");
        resume_point.retry = Some(Duration::ZERO);
        resume_point.progressed();
        assert!(resume_point.wait() >= Options::default().reconnect_delay / 10, "nor keeps us busy");
    }
}
