//! One case: what the server does, and what must hold.

use signalbox_demo::{Carrier, Demo, DemoWire, Fault, Legacy, Notices, Oddity, Style};

use crate::{asks::Ask, stage::Place};

pub(crate) struct Row {
    pub(crate) name: &'static str,
    pub(crate) ask: Ask,
    pub(crate) does: Does,
    pub(crate) holds: Holds,
    /// The only carrier or wire it makes sense for, and why.
    carrier: Option<(Carrier, &'static str)>,
    wire: Option<(DemoWire, &'static str)>,
}

/// What the server does to the next message of the kind that is asked for.
#[derive(Clone, Copy)]
pub(crate) enum Does {
    /// The oddity of the row's name.
    Odd,
    /// The same, twice.
    OddTwice,
    /// The oddity of the modern and of the legacy wire.
    Odds(&'static str, &'static str),
    /// It says this, with `$ID` for the request's id.
    Says(&'static str),
    /// It answers with this result.
    Result(&'static str),
    /// The same, by wire: the modern one's, the legacy one's.
    Results(&'static str, &'static str),
    /// It asks with this schema.
    Schema(&'static str),
    /// It has these manners (of the demo's legacy wire).
    Manners(&'static str),
    /// All of these go wrong.
    Faults(fn() -> Vec<Fault>),
}

/// What must hold of what our client tells. Whatever it tells, it kept the JSON of it as it came.
#[derive(Clone, Copy)]
pub(crate) enum Holds {
    /// All that it tells of an ordinary message.
    Same,
    /// The same but for these facts: each stands for those with its first word, or beside them (`+`).
    But(&'static [&'static str]),
    /// These facts (or facts with these parts) are told.
    Is(&'static [&'static str]),
    /// One thing over stdio, another over HTTP.
    Over { stdio: &'static Holds, http: &'static Holds },
    /// One thing on the modern wire, another on the legacy one.
    On { modern: &'static Holds, legacy: &'static Holds },
}

impl Row {
    pub(crate) fn new(ask: Ask, name: &'static str, does: Does, holds: Holds) -> Self {
        Self { name, ask, does, holds, carrier: None, wire: None }
    }

    pub(crate) fn over(mut self, carrier: Carrier, why: &'static str) -> Self {
        self.carrier = Some((carrier, why));
        self
    }

    pub(crate) fn on(mut self, wire: DemoWire, why: &'static str) -> Self {
        self.wire = Some((wire, why));
        self
    }

    /// Why it makes no sense there.
    pub(crate) fn senseless(&self, (carrier, wire): Place) -> Option<&'static str> {
        let carrier = self.carrier.filter(|(only, _)| *only != carrier).map(|(_, why)| why);
        carrier.or(self.wire.filter(|(only, _)| *only != wire).map(|(_, why)| why))
    }

    /// Whether it takes its time.
    pub(crate) fn is_large(&self) -> bool {
        ["huge_task", "huge_result", "a huge event", "long_line"].contains(&self.name)
    }

    /// The oddities it is about.
    pub(crate) fn oddities(&self) -> Vec<&'static str> {
        match self.does {
            Does::Odd | Does::OddTwice => vec![self.name],
            Does::Odds(modern, legacy) => vec![modern, legacy],
            _ => Vec::new(),
        }
    }

    /// What is to go wrong there, in each way: what is said over HTTP is a body, and an event.
    pub(crate) fn deeds(&self, (carrier, wire): Place) -> Vec<Deed> {
        let body = self.deed(wire);
        match (carrier, self.does) {
            (Carrier::Http, Does::Says(_) | Does::Result(_) | Does::Results(..)) => {
                let mut event = self.deed(wire);
                if let Deed::Faults(faults) = &mut event {
                    faults.push(Fault::Events(Style::Plain));
                }
                vec![body, event]
            }
            _ => vec![body],
        }
    }

    fn deed(&self, wire: DemoWire) -> Deed {
        let named = |name: &str| Oddity::named(name).unwrap_or_else(|| panic!("there is no oddity {name}"));
        let by_wire = |modern, legacy| if wire == DemoWire::Modern { modern } else { legacy };
        let says = |text: String| Deed::Faults(vec![Fault::Say(text)]);
        let result = |result: &str| says(r#"{"jsonrpc":"2.0","id":$ID,"result":"#.to_owned() + result + "}");
        match self.does {
            Does::Odd => Deed::Oddity(named(self.name), 1),
            Does::OddTwice => Deed::Oddity(named(self.name), 2),
            Does::Odds(modern, legacy) => Deed::Oddity(named(by_wire(modern, legacy)), 1),
            Does::Says(text) => says(text.into()),
            Does::Result(text) => result(text),
            Does::Results(modern, legacy) => result(by_wire(modern, legacy)),
            Does::Schema(schema) => {
                let params = r#"{"message":"?","requestedSchema":"#.to_owned() + schema + "}";
                let asked = r#""method":"elicitation/create","params":"#.to_owned() + &params;
                match wire {
                    DemoWire::Modern => result(&format!(r#"{{"inputRequests":{{"survey":{{{asked}}}}}}}"#)),
                    DemoWire::Legacy => says(format!(r#"{{"jsonrpc":"2.0","id":$ID,{asked}}}"#)),
                }
            }
            Does::Manners(manners) => {
                Deed::Manners(format!("notices,retry=1,{manners}").parse().expect("manners of the demo"))
            }
            Does::Faults(faults) => Deed::Faults(faults()),
        }
    }
}

/// What is to go wrong.
pub(crate) enum Deed {
    Oddity(&'static Oddity, usize),
    Faults(Vec<Fault>),
    Manners(Legacy),
}

impl Deed {
    /// The manners of the server, if it has its own.
    pub(crate) fn manners(deed: Option<&Self>) -> Legacy {
        match deed {
            Some(Self::Manners(manners)) => *manners,
            _ => Legacy { notices: Notices::On, retry_ms: 1, ..Legacy::default() },
        }
    }

    /// Makes it go wrong, with messages of `method` where it is no oddity, which has its own.
    pub(crate) fn set(&self, demo: &Demo, method: &str) {
        match self {
            Self::Oddity(oddity, times) => demo.faults().odd(*times, oddity),
            Self::Faults(faults) => {
                faults.iter().for_each(|fault| demo.faults().next(1, method, fault.clone()));
            }
            Self::Manners(_) => {}
        }
    }

    /// Whether it is over some time.
    pub(crate) fn passes(&self) -> bool {
        !matches!(self, Self::Manners(_))
    }

    /// Whether it happens to the connection itself.
    pub(crate) fn at_the_beginning(&self) -> bool {
        matches!(self, Self::Oddity(oddity, _) if oddity.method == "GET")
    }
}

impl Holds {
    /// What must hold there: no alternative is left.
    pub(crate) fn at(self, (carrier, wire): Place) -> Self {
        match self {
            Self::Over { stdio, http } => {
                (if carrier == Carrier::Stdio { *stdio } else { *http }).at((carrier, wire))
            }
            Self::On { modern, legacy } => {
                (if wire == DemoWire::Modern { *modern } else { *legacy }).at((carrier, wire))
            }
            plain => plain,
        }
    }

    /// Whether it says that the answer is waited for in vain.
    pub(crate) fn is_silence(self) -> bool {
        matches!(self, Self::Is(facts) if facts.iter().any(|fact| fact.contains("timeout")))
    }

    /// Whether it holds of `facts`, where `ordinary` is what an ordinary message tells.
    pub(crate) fn of(self, facts: &[String], ordinary: &[String]) -> bool {
        let head = |fact: &str| fact.split(' ').next().unwrap_or_default().to_owned();
        match self {
            Self::Same => facts == ordinary,
            Self::Is(parts) => parts.iter().all(|part| facts.iter().any(|fact| fact.contains(part))),
            Self::But(others) => {
                let (beside, instead): (Vec<&str>, Vec<&str>) =
                    others.iter().partition(|other| other.starts_with('+'));
                let beside = beside.iter().map(|other| &other[1..]);
                let told = instead.iter().copied().chain(beside);
                let changed = |fact: &&String| instead.iter().any(|other| head(other) == head(fact));
                let mut expected: Vec<String> =
                    ordinary.iter().filter(|fact| !changed(fact)).cloned().collect();
                expected.extend(told.map(str::to_owned));
                let (mut expected, mut facts) = (expected, facts.to_vec());
                expected.sort();
                facts.sort();
                expected == facts
            }
            Self::Over { .. } | Self::On { .. } => panic!("taken apart by `at`"),
        }
    }
}
