//! What a view is made of: a commit that touches none of it changes nothing in it, and costs it no look.

use signalbox_model::{CallId, RequestId, ServerId};
use signalbox_store::{News, Touched};

use crate::local::{catalogue::ListedAt, host::is_preference};

/// What of the store a view shows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum About {
    /// Nothing that is stored: no commit changes the view.
    Nothing,
    /// Counts, servers, and settings but preferences.
    Overview,
    /// A list of the catalogue, which knows by itself what touches it.
    List(ListedAt),
    /// Any rows of the catalogue, counted.
    Offers,
    /// Input requests that are alike, and their server: any one may come to be like them. Of their calls they show what never
    /// changes.
    Stack,
    /// A preference, by its name among the settings.
    Preference(String),
    /// Calls and their servers.
    Calls,
    /// Input requests and their servers. Of its call a request shows what never changes, and the end of its life, which is the
    /// request's, too.
    Requests,
    /// One call with all that hangs on it, and its server where it is known.
    Call(CallId, Option<ServerId>),
    /// One input request, with its call, the others of that, and its server.
    Request(RequestId, Option<CallId>, Option<ServerId>),
}

impl About {
    /// Whether a commit behind transaction `seq` touched any of it.
    pub(super) fn changed_since(&self, seq: u64, news: &News) -> bool {
        !matches!(self, Self::Nothing | Self::List(_) | Self::Offers)
            && news.since(seq).is_none_or(|all| all.iter().any(|touched| self.is_touched(touched)))
    }

    pub(super) fn is_touched(&self, touched: &Touched) -> bool {
        let server = |of: &Option<ServerId>| of.is_some_and(|id| touched.servers.contains(&id));
        match self {
            Self::Nothing | Self::List(_) | Self::Offers => false,
            Self::Overview => {
                let settings = touched.settings.iter().any(|name| !is_preference(name));
                settings || touched.counts || !touched.servers.is_empty()
            }
            Self::Preference(name) => touched.settings.contains(name),
            Self::Calls => !touched.calls.is_empty() || !touched.servers.is_empty(),
            Self::Requests | Self::Stack => !touched.requests.is_empty() || !touched.servers.is_empty(),
            Self::Call(call, of) => touched.calls.contains(call) || server(of),
            Self::Request(request, call, of) => {
                touched.requests.contains(request)
                    || call.is_some_and(|call| touched.calls.contains(&call))
                    || server(of)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::local::{SETTINGS, host::preference};

    #[test]
    fn a_view_is_touched_by_what_it_shows_alone() {
        let touched = Touched {
            calls: [CallId(1)].into(),
            requests: [RequestId(2)].into(),
            servers: [ServerId(3)].into(),
            settings: BTreeSet::new(),
            counts: true,
        };
        let server = |id| Some(ServerId(id));
        let cases = [
            (About::Nothing, false),
            (About::Overview, true),
            (About::Calls, true),
            (About::Requests, true),
            (About::Stack, true),
            (About::Call(CallId(1), server(9)), true),
            (About::Call(CallId(9), server(3)), true),
            (About::Call(CallId(9), server(9)), false),
            (About::Call(CallId(9), None), false),
            (About::Request(RequestId(2), None, None), true),
            (About::Request(RequestId(9), Some(CallId(1)), server(9)), true),
            (About::Request(RequestId(9), Some(CallId(9)), server(3)), true),
            (About::Request(RequestId(9), Some(CallId(9)), server(9)), false),
        ];
        for (about, expected) in cases {
            assert_eq!(about.is_touched(&touched), expected, "{about:?}");
        }
        let polled = Touched { calls: [CallId(1)].into(), ..Touched::default() };
        assert!(!About::Requests.is_touched(&polled), "a poll of a task is no news of the inbox");
        assert!(!About::Stack.is_touched(&polled), "nor of questions that are alike");
        assert!(!About::Overview.is_touched(&polled), "nor of the overview, as long as it counts as it did");
        let set = |name: &str| Touched { settings: [name.to_owned()].into(), ..Touched::default() };
        let (other, own) = (set(SETTINGS), set(&preference("columns")));
        let columns = || About::Preference(preference("columns"));
        assert!(About::Overview.is_touched(&other) && columns().is_touched(&own));
        assert!(!About::Calls.is_touched(&own) && !columns().is_touched(&polled));
        assert!(!About::Overview.is_touched(&own), "what a window remembers is in no overview");
        assert!(!columns().is_touched(&set(&preference("tasks"))), "nor is it another one's");
    }
}
