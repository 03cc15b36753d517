//! A notification of ours, and what its service tells of it. notify-rust hears of presses too, but not of the activation token that
//! comes with one, and it lends nobody its connection, which is the only one that some services tell (GNOME).

use std::collections::HashMap;

use futures_util::StreamExt as _;
use notify_rust::Notification;
use signalbox_model::ActivationToken;
use zbus::{
    Connection, MatchRule, Message, MessageStream, message::Type, names::OwnedUniqueName, zvariant::Value,
};

use super::{
    ENTRY,
    bus::{NAME, PATH},
};

/// It is normally urgent: what is urgent the person decides, who can have the service hold all of it back.
const NORMAL: u8 = 1;

/// It stays as long as the service has it.
const AS_LONG_AS_USUAL: i32 = -1;

/// One that was shown. Some services take it back when its connection goes away.
pub(super) struct Shown {
    bus: Connection,
    signals: MessageStream,
    /// Who shows it: nobody else's word counts.
    service: Option<OwnedUniqueName>,
    id: u32,
}

/// What the service tells of it.
#[derive(Debug, PartialEq, Eq)]
enum Told {
    /// The right to come forward that goes with the press that is told next.
    Token(Option<ActivationToken>),
    /// What was pressed: the id of an action.
    Pressed(String),
    /// It is gone.
    Closed,
}

impl Shown {
    /// Shows it.
    pub(super) async fn new(notification: &Notification) -> zbus::Result<Self> {
        let bus = Connection::session().await?;
        let signals = MatchRule::builder().msg_type(Type::Signal).interface(NAME)?.build();
        // Heard from here on: it may be pressed at once.
        let signals = MessageStream::for_match_rule(signals, &bus, None).await?;
        // It makes no sound by itself.
        let hints = HashMap::from([
            ("urgency", Value::from(NORMAL)),
            ("suppress-sound", Value::from(true)),
            ("desktop-entry", Value::from(ENTRY)),
        ]);
        let Notification { appname, icon, summary, body, actions, .. } = notification;
        let said = (appname, 0_u32, icon, summary, body, actions, hints, AS_LONG_AS_USUAL);
        let taken = bus.call_method(Some(NAME), PATH, Some(NAME), "Notify", &said).await?;
        let id = taken.body().deserialize()?;
        Ok(Self { bus, signals, service: sender(&taken), id })
    }

    /// The connection over which it was shown.
    pub(super) const fn bus(&self) -> &Connection {
        &self.bus
    }

    /// What is pressed on it, with the right to come forward where the desktop gave one for that. None once it is gone.
    pub(super) async fn pressed(&mut self) -> Option<(String, Option<ActivationToken>)> {
        let mut token = None;
        while let Some(Ok(signal)) = self.signals.next().await {
            if sender(&signal) != self.service {
                continue;
            }
            match told(&signal, self.id) {
                Some(Told::Token(given)) => token = given,
                Some(Told::Pressed(action)) => return Some((action, token)),
                Some(Told::Closed) => return None,
                None => {}
            }
        }
        None
    }

    /// Takes it away.
    pub(super) async fn close(self) {
        let _ = self.bus.call_method(Some(NAME), PATH, Some(NAME), "CloseNotification", &self.id).await;
    }
}

fn sender(message: &Message) -> Option<OwnedUniqueName> {
    message.header().sender().map(|sender| sender.to_owned().into())
}

/// What a signal tells of the notification with this number.
fn told(signal: &Message, ours: u32) -> Option<Told> {
    let (header, body) = (signal.header(), signal.body());
    let text =
        || body.deserialize::<(u32, String)>().ok().filter(|(id, _)| *id == ours).map(|(_, text)| text);
    match header.member()?.as_str() {
        // One that cannot be one is none: an older one belongs to another press.
        "ActivationToken" => Some(Told::Token(text()?.try_into().ok())),
        "ActionInvoked" => text().map(Told::Pressed),
        "NotificationClosed" => {
            let (id, _reason) = body.deserialize::<(u32, u32)>().ok()?;
            (id == ours).then_some(Told::Closed)
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use serde::Serialize;
    use zbus::zvariant::DynamicType;

    use super::*;

    fn of_seven(member: &str, body: &(impl Serialize + DynamicType)) -> Option<Told> {
        told(&Message::signal(PATH, NAME, member).unwrap().build(body).unwrap(), 7)
    }

    #[test]
    fn of_all_that_a_service_tells_only_what_is_ours_counts() {
        let token = || ActivationToken::try_from("e3b0c442".to_owned()).unwrap();
        assert_eq!(of_seven("ActivationToken", &(7_u32, "e3b0c442")), Some(Told::Token(Some(token()))));
        assert_eq!(of_seven("ActivationToken", &(7_u32, "\u{1b}[m")), Some(Told::Token(None)), "it is none");
        assert_eq!(of_seven("ActionInvoked", &(7_u32, "review")), Some(Told::Pressed("review".into())));
        assert_eq!(of_seven("NotificationClosed", &(7_u32, 2_u32)), Some(Told::Closed));
        assert_eq!(of_seven("ActivationToken", &(8_u32, "e3b0c442")), None);
        assert_eq!(of_seven("ActionInvoked", &(8_u32, "review")), None);
        assert_eq!(of_seven("NotificationClosed", &(8_u32, 2_u32)), None);
        assert_eq!(of_seven("ActionInvoked", &"review"), None, "another shape");
        assert_eq!(of_seven("NotificationReplied", &(7_u32, "yes")), None);
    }
}
