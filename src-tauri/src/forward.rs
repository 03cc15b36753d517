//! Raises the window when somebody wishes for it: a second start, a notification's "Review". The UI watches the same
//! view and goes to the item. Whoever asks the owner to end is heard here, too: the window closes with it.

use std::{future, time::Duration};

use signalbox_api::{Cursor, Desk, DeskExt as _, look};

/// How long one look waits.
const WAIT: Duration = Duration::from_secs(25);

/// Calls `raise` at each new wish, for as long as the desk answers. Ends once somebody has asked the owner to end, and by
/// nothing else: whoever waits for this waits for the desk's owner, too. `known` is the last wish that was for another window, where
/// that is known: none came before an owner that is ours.
pub(crate) async fn watch(desk: &dyn Desk, mut known: Option<u32>, raise: &(dyn Fn() + Send + Sync)) {
    let mut cursor: Option<Cursor> = None;
    loop {
        match desk.look(look::Forward {}, cursor, WAIT).await {
            Ok((after, seen)) => {
                // Another owner counts from the beginning.
                let same = cursor.replace(after).is_none_or(|before| before.epoch == after.epoch);
                let Some((wish, _, _, quit)) = seen else { continue };
                if quit {
                    return;
                }
                // What was wished before we looked was for another window.
                if known.replace(wish).is_some_and(|known| same && wish > known) {
                    raise();
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
    use std::sync::{
        Mutex,
        atomic::{AtomicU32, Ordering},
    };

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

        fn changes(&self, _: View, after: Option<Cursor>, _: Duration) -> Answering<'_, Changes> {
            let mut looks = self.0.lock().unwrap();
            let answer = if looks.is_empty() { None } else { Some(looks.remove(0)) };
            let seq = after.map_or(0, |cursor| cursor.seq) + 1;
            Box::pin(async move {
                let wish = answer.ok_or_else(|| ApiError::new(Code::OwnerGone, "gone"))?;
                let data =
                    wish.map(|wish| ViewData::Forward { wish, item: None, led: None, quit: wish == QUIT });
                Ok(Changes { cursor: Cursor { epoch: 1, seq, shape: 0 }, data })
            })
        }
    }

    /// How often the window is raised by what these looks bring, and whether it closes.
    async fn watched(looks: &[Option<u32>]) -> (u32, bool) {
        watched_since(None, looks).await
    }

    async fn watched_since(known: Option<u32>, looks: &[Option<u32>]) -> (u32, bool) {
        let raised = AtomicU32::new(0);
        let raise = || _ = raised.fetch_add(1, Ordering::Relaxed);
        let desk = Scripted(Mutex::new(looks.to_vec()));
        let watching = watch(&desk, known, &raise);
        let closes = tokio::select! {
            biased;
            () = watching => true,
            () = tokio::task::yield_now() => false,
        };
        (raised.load(Ordering::Relaxed), closes)
    }

    #[tokio::test]
    async fn each_new_wish_raises_the_window_once() {
        assert_eq!(watched(&[Some(0), None, Some(1), None, Some(3)]).await, (2, false));
        assert_eq!(watched(&[Some(7), None, None]).await, (0, false), "an old wish was for another window");
        assert_eq!(watched(&[Some(7), Some(8)]).await, (1, false));
        assert_eq!(watched_since(Some(0), &[Some(1)]).await, (1, false), "it came before the first look");
        assert_eq!(watched_since(Some(0), &[Some(0), None]).await, (0, false));
    }

    #[tokio::test]
    async fn the_window_closes_with_an_owner_that_is_asked_to_end() {
        assert_eq!(watched(&[Some(0), None, Some(QUIT)]).await, (0, true), "closing is no wish to see it");
        assert_eq!(watched(&[Some(QUIT)]).await, (0, true), "a window that comes just then closes, too");
    }
}
