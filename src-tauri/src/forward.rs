//! Raises the window when somebody wishes for it: a second start, a notification's "Review". The UI watches the same
//! view and goes to the item. Whoever asks the owner to end is heard here, too: the window closes with it.

use std::{future, time::Duration};

use signalbox_api::{Cursor, Desk, DeskExt as _, look};
use signalbox_model::ActivationToken;

/// How long one look waits.
const WAIT: Duration = Duration::from_secs(25);

/// Brings the window to the front, by this right to do so where there is one.
pub(crate) type Raise = dyn Fn(Option<ActivationToken>) + Send + Sync;

/// Calls `raise` at each new wish, for as long as the desk answers. Ends once somebody has asked the owner to end, and by
/// nothing else: whoever waits for this waits for the desk's owner, too. `known` is the last wish that was for another window, where
/// that is known: none came before an owner that is ours.
pub(crate) async fn watch(desk: &dyn Desk, mut known: Option<u32>, raise: &Raise) {
    let mut cursor: Option<Cursor> = None;
    loop {
        match desk.look(look::Forward { raises: true }, cursor, WAIT).await {
            Ok((after, seen)) => {
                // Another owner counts from the beginning.
                let same = cursor.replace(after).is_none_or(|before| before.epoch == after.epoch);
                let Some((wish, _, _, quit, token)) = seen else { continue };
                if quit {
                    return;
                }
                // What was wished before we looked was for another window.
                if known.replace(wish).is_some_and(|known| same && wish > known) {
                    raise(token);
                }
            }
            Err(error) => {
                tracing::warn!(%error, "nobody can bring the window forward");
                return future::pending().await;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::{Arc, Mutex};

    use signalbox_api::{Answering, ApiError, Changes, Code, Command, Reply, View, ViewData};

    use super::*;

    /// With this wish somebody asks the owner to end.
    const QUIT: u32 = 99;

    /// Answers looks from a list, then is gone.
    struct Scripted(Mutex<Vec<Option<u32>>>);

    impl Desk for Scripted {
        fn call(&self, _: Command) -> Answering<'_, Reply> {
            Box::pin(async { Ok(Reply::Done) })
        }

        fn changes(&self, view: View, after: Option<Cursor>, _: Duration) -> Answering<'_, Changes> {
            let mut looks = self.0.lock().unwrap();
            let answer = if looks.is_empty() { None } else { Some(looks.remove(0)) };
            let seq = after.map_or(0, |cursor| cursor.seq) + 1;
            let raises = view == View::Forward { raises: true };
            Box::pin(async move {
                let wish = answer.ok_or_else(|| ApiError::new(Code::OwnerGone, "gone"))?;
                let data = wish.map(|wish| {
                    let token = format!("for-{wish}").try_into().ok().filter(|_| raises);
                    ViewData::Forward { wish, item: None, led: None, token, quit: wish == QUIT }
                });
                Ok(Changes { cursor: Cursor { epoch: 1, seq, shape: 0 }, data })
            })
        }
    }

    /// By which wishes of these looks the window is raised, and whether it closes.
    async fn watched(looks: &[Option<u32>]) -> (Vec<u32>, bool) {
        watched_since(None, looks).await
    }

    async fn watched_since(known: Option<u32>, looks: &[Option<u32>]) -> (Vec<u32>, bool) {
        let raised = Arc::new(Mutex::new(Vec::new()));
        let by = Arc::clone(&raised);
        let raise = move |token: Option<ActivationToken>| {
            let token = String::from(token.expect("each wish has its token"));
            by.lock().unwrap().push(token.strip_prefix("for-").unwrap().parse().unwrap());
        };
        let desk = Scripted(Mutex::new(looks.to_vec()));
        let watching = watch(&desk, known, &raise);
        let closes = tokio::select! {
            biased;
            () = watching => true,
            () = tokio::task::yield_now() => false,
        };
        (raised.lock().unwrap().clone(), closes)
    }

    #[tokio::test]
    async fn each_new_wish_raises_the_window_once() {
        assert_eq!(watched(&[Some(0), None, Some(1), None, Some(3)]).await, (vec![1, 3], false));
        assert_eq!(
            watched(&[Some(7), None, None]).await,
            (vec![], false),
            "an old wish was for another window"
        );
        assert_eq!(watched(&[Some(7), Some(8)]).await, (vec![8], false));
        assert_eq!(
            watched_since(Some(0), &[Some(1)]).await,
            (vec![1], false),
            "it came before the first look"
        );
        assert_eq!(watched_since(Some(0), &[Some(0), None]).await, (vec![], false));
    }

    #[tokio::test]
    async fn the_window_closes_with_an_owner_that_is_asked_to_end() {
        assert_eq!(
            watched(&[Some(0), None, Some(QUIT)]).await,
            (vec![], true),
            "closing is no wish to see it"
        );
        assert_eq!(watched(&[Some(QUIT)]).await, (vec![], true), "a window that comes just then closes, too");
    }
}
