//! Whether a row is shown, and until when that holds although nothing changes it.

use signalbox_model::{ServerId, Timestamp};

use super::{
    Filter,
    token::{Asks, Day, Text, Token, Value},
};
use crate::{Key, Moment, NarrowRow, World, found::Found, world::Now};

/// A filter at one moment.
pub(crate) struct Judge<'a> {
    filter: &'a Filter,
    world: &'a World,
    found: &'a Found,
    now: &'a Now,
}

/// Whether a row is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Verdict {
    pub(crate) shown: bool,
    /// When to ask again; none where time changes nothing.
    pub(crate) until: Option<Timestamp>,
}

const fn always(shown: bool) -> Verdict {
    Verdict { shown, until: None }
}

impl<'a> Judge<'a> {
    pub(crate) fn new(filter: &'a Filter, world: &'a World, found: &'a Found, now: &'a Now) -> Self {
        Self { filter, world, found, now }
    }

    pub(crate) fn of<L: NarrowRow>(&self, line: &L) -> Verdict {
        let mut all = always(true);
        for clause in &self.filter.clauses {
            let mut any = always(false);
            for token in clause {
                let one = self.token(token, line);
                any = Verdict { shown: any.shown || one.shown, until: sooner(any.until, one.until) };
            }
            match any {
                // No time lets this row in.
                Verdict { shown: false, until: None } => return any,
                any => all = Verdict { shown: all.shown && any.shown, until: sooner(all.until, any.until) },
            }
        }
        all
    }

    fn token<L: NarrowRow>(&self, token: &Token, line: &L) -> Verdict {
        let said = match &token.asks {
            Asks::Word(key, values) => always(self.word(*key, values, line)),
            Asks::Text(text) => always(self.text(text, line)),
            Asks::Length { moment, longer, ms } => {
                line.moment(*moment).map_or(always(false), |at| self.length(*moment, at, *longer, *ms))
            }
            Asks::Day { moment, day } => line.moment(*moment).map_or(always(false), |at| self.day(*day, at)),
        };
        Verdict { shown: said.shown != token.not, ..said }
    }

    fn word<L: NarrowRow>(&self, key: Key, values: &[Value], line: &L) -> bool {
        let is = |word: &str| values.iter().any(|value| value.is(word));
        match key {
            Key::Server => values.iter().any(|value| self.is_server(line.server(), value)),
            Key::Tool => is(self.world.folded_tool(line.tool())),
            Key::Tag => line.tags().any(is),
            _ => line.word(key, self.world).is_some_and(is),
        }
    }

    /// A short id means that server alone, whatever another one is named.
    fn is_server(&self, server: ServerId, value: &Value) -> bool {
        match value.server.filter(|meant| self.world.has_server(*meant)) {
            Some(meant) => server == meant,
            None => self.world.has_server(server) && value.is(self.world.folded_server(server)),
        }
    }

    fn text<L: NarrowRow>(&self, text: &Text, line: &L) -> bool {
        text.is_in(line.text())
            || text.is_in(self.world.folded_tool(line.tool()))
            || text.is_in(self.world.folded_server(line.server()))
            || text.is_in(line.also_called())
            || text.is_said_by(line, self.world)
            || self.found.has(&text.folded, line.number())
            || text.folded.parse().is_ok_and(|id: L::Id| id == line.id())
    }

    fn length(&self, moment: Moment, at: Timestamp, longer: bool, ms: i64) -> Verdict {
        // The first moment at which the time since then is longer; or the time until then no longer is.
        let turns = match moment {
            Moment::Expires => at.plus_ms(ms.saturating_neg()),
            Moment::Started | Moment::Changed | Moment::Ended => at.plus_ms(ms).plus_ms(1),
        };
        let turned = self.now.at >= turns;
        let shown = (turned != (moment == Moment::Expires)) == longer;
        Verdict { shown, until: (!turned).then_some(turns) }
    }

    fn day(&self, day: Day, at: Timestamp) -> Verdict {
        let on = match day {
            Day::On(on) => return always(on.has(at)),
            Day::Today => self.now.today,
            Day::Yesterday => self.now.yesterday,
        };
        // At midnight today is another day. What was over before this one is of neither then.
        Verdict { shown: on.has(at), until: (at >= on.from).then_some(self.now.today.to) }
    }
}

fn sooner(one: Option<Timestamp>, another: Option<Timestamp>) -> Option<Timestamp> {
    one.into_iter().chain(another).min()
}
