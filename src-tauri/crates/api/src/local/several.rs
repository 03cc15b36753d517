//! What is wished of several tasks at once, and what a person keeps of tasks for themselves. What became of each task is told, and
//! one that refuses holds up no other.

use std::collections::HashSet;

use futures_util::future::join_all;
use signalbox_engine::Intent;
use signalbox_model::{BadTag, CallId, Tag, Tags};
use signalbox_store::Reads;

use super::{Local, rows, tasks::unknown};
use crate::{
    ApiError, Code, TaskRow,
    command::{
        Cancel, CancelTasks, CarryOut, Forget, ForgetTasks, NoteTask, ReadTasks, TagTasks, TaskOutcome,
    },
};

/// The most tasks that one command is about.
const MOST: usize = 1_000;
/// The longest note of a task, in bytes.
const LONGEST_NOTE: usize = 4 * 1024;

impl CarryOut<CancelTasks> for Local {
    /// Side by side: each waits for its server, and all together no longer than one.
    async fn carry_out(&self, CancelTasks { calls }: CancelTasks) -> Result<Vec<TaskOutcome>, ApiError> {
        let calls = each_once(calls)?;
        let wish = async |call| TaskOutcome {
            call,
            failure: self.carry_out(Cancel { call, seen: None }).await.err(),
        };
        Ok(join_all(calls.into_iter().map(wish)).await)
    }
}

impl CarryOut<ForgetTasks> for Local {
    async fn carry_out(&self, ForgetTasks { calls }: ForgetTasks) -> Result<Vec<TaskOutcome>, ApiError> {
        let calls = each_once(calls)?;
        let wish = async |call| TaskOutcome { call, failure: self.carry_out(Forget { call }).await.err() };
        Ok(join_all(calls.into_iter().map(wish)).await)
    }
}

impl CarryOut<TagTasks> for Local {
    async fn carry_out(
        &self,
        TagTasks { calls, add, remove }: TagTasks,
    ) -> Result<Vec<TaskOutcome>, ApiError> {
        let (calls, add, remove) = (each_once(calls)?, tags(&add)?, tags(&remove)?);
        // Who comes second adds to what the first one left.
        let _alone = self.noting.lock().await;
        let (ids, also) = (calls.clone(), calls.clone());
        let known = self.read(move |reads| reads.calls_of(&ids)).await?;
        let known: HashSet<CallId> = known.into_iter().map(|(call, _)| call.id).collect();
        let mut own = self.read(move |reads| reads.tags_of(also)).await?;
        let (mut outcomes, mut changed) = (Vec::with_capacity(calls.len()), Vec::new());
        for call in calls {
            let before = own.remove(&call).unwrap_or_default();
            let failure = if !known.contains(&call) {
                Some(unknown(call))
            } else {
                match retagged(&before, &add, &remove) {
                    Ok(tags) if tags == before => None,
                    Ok(tags) => {
                        changed.push((call, tags));
                        None
                    }
                    Err(why) => Some(ApiError::new(Code::Usage, format!("{call} was left as it is: {why}"))),
                }
            };
            outcomes.push(TaskOutcome { call, failure });
        }
        if !changed.is_empty() {
            self.intent(Intent::PutTags(changed)).await?;
        }
        Ok(outcomes)
    }
}

impl CarryOut<NoteTask> for Local {
    async fn carry_out(&self, NoteTask { call, text, seen }: NoteTask) -> Result<(), ApiError> {
        let text = text.trim().to_owned();
        if text.len() > LONGEST_NOTE {
            let message = "A note of a task has at most 4 KiB: shorten it. What was kept before stays";
            return Err(ApiError::new(Code::Usage, message));
        }
        // Who comes second has not seen what the first one left.
        let _alone = self.noting.lock().await;
        let look = move |reads: &Reads| Ok((reads.call(call)?.is_some(), reads.remark(call)?));
        let (is_there, kept) = self.read(look).await?;
        let kept = kept.unwrap_or_default();
        if !is_there {
            return Err(unknown(call));
        }
        if kept == text {
            return Ok(());
        }
        if kept != seen.trim() {
            let message = format!("The note of {call} was changed since you saw it, and stays as it is now");
            return Err(ApiError::new(Code::ChangedMeanwhile, message));
        }
        self.intent(Intent::PutRemark { call, text }).await.map(drop)
    }
}

impl CarryOut<ReadTasks> for Local {
    async fn carry_out(&self, ReadTasks { calls }: ReadTasks) -> Result<Vec<TaskRow>, ApiError> {
        let calls = each_once(calls)?;
        self.read_at_once(move |reads| {
            let servers = super::views::all_servers(reads)?;
            let found = reads.calls_of(&calls)?;
            let mut tags = reads.tags_of(calls)?;
            let row = |(call, _): (signalbox_model::Call, u64)| {
                let (server, _) = servers.get(&call.server)?;
                let tags = tags.remove(&call.id).unwrap_or_default();
                Some(rows::task(call, server, tags))
            };
            Ok(found.into_iter().filter_map(row).collect())
        })
        .await
    }
}

/// The tags that were typed.
fn tags(typed: &[String]) -> Result<Vec<Tag>, ApiError> {
    let read = |word: &String| {
        let refused = |why: BadTag| ApiError::new(Code::Usage, format!("{word:?} cannot be a tag: {why}"));
        word.parse().map_err(refused)
    };
    typed.iter().map(read).collect()
}

/// What becomes of tags: what is taken off makes room first.
fn retagged(before: &Tags, add: &[Tag], remove: &[Tag]) -> Result<Tags, BadTag> {
    let mut tags = before.clone();
    remove.iter().for_each(|tag| tags.remove(tag));
    add.iter().try_for_each(|tag| tags.add(tag.clone()))?;
    Ok(tags)
}

/// The tasks that a command is about, in order and each once.
pub(super) fn each_once(mut calls: Vec<CallId>) -> Result<Vec<CallId>, ApiError> {
    if calls.len() > MOST {
        let message =
            "More than 1,000 tasks at once: nothing was done. Choose fewer, and the others afterwards";
        return Err(ApiError::new(Code::Usage, message));
    }
    calls.sort_unstable();
    calls.dedup();
    Ok(calls)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_is_about_a_thousand_tasks_at_most_and_each_once() {
        let many = |n: u32| (0..n).map(CallId).collect::<Vec<_>>();
        assert_eq!(each_once(many(1_000)).unwrap().len(), MOST);
        assert_eq!(each_once(many(1_001)).unwrap_err().code, Code::Usage);
        assert_eq!(each_once(vec![CallId(2), CallId(1), CallId(2)]).unwrap(), [CallId(1), CallId(2)]);
    }

    #[test]
    fn what_is_no_tag_is_named() {
        let error = tags(&["eu".to_owned(), "a,b".to_owned()]).unwrap_err();
        assert!(error.message.starts_with("\"a,b\" cannot be a tag: a tag is one word"), "{error}");
    }

    #[test]
    fn a_tag_that_is_taken_off_makes_room_for_another() {
        let full: Vec<String> = (0..16).map(|n| format!("tag{n}")).collect();
        let full = Tags::read(&full.join(" "));
        let tag = |text: &str| vec![text.parse::<Tag>().unwrap()];
        assert!(retagged(&full, &tag("more"), &[]).is_err());
        assert!(retagged(&full, &tag("more"), &tag("tag3")).is_ok());
    }
}
