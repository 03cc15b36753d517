//! What is a person's own of a call: tags and a remark.

use signalbox_model::{Call, CallBrief, CallId, Outcome, Tags};
use signalbox_store::{TextOf, Texts, Write};

use crate::samples::{Fixture, call, put_call};

fn tags(call: u32, words: &str) -> Write {
    Write::PutTags { call: CallId(call), tags: Tags::read(words) }
}

fn remark(call: u32, text: &str) -> Write {
    Write::PutRemark { call: CallId(call), text: text.to_owned() }
}

fn own(at: &Fixture, id: u32) -> (String, Option<String>) {
    let (reads, id) = (at.store.reads(), CallId(id));
    let tags = reads.tags_of([id]).unwrap().remove(&id).unwrap_or_default();
    (tags.to_string(), reads.remark(id).unwrap())
}

#[test]
fn following_a_call_leaves_them_as_they_are() {
    let at = Fixture::new();
    at.put([put_call(call(1)), put_call(call(2)), tags(1, "eu release"), remark(1, "ask Ada first")]);
    at.put([put_call(Call { outcome: Some(Outcome::Ok), ..call(1) })]);
    let at = at.reopen();
    let kept = ("eu release".to_owned(), Some("ask Ada first".to_owned()));
    assert_eq!((own(&at, 1), own(&at, 2)), (kept, (String::new(), None)));
    let briefs: Vec<(CallBrief, u64)> = at.store.reads().call_briefs_of([CallId(1), CallId(2)]).unwrap();
    let tagged: Vec<String> = briefs.iter().map(|(brief, _)| brief.tags.to_string()).collect();
    assert_eq!(tagged, ["eu release", ""], "lists know them");
    at.put([tags(1, ""), remark(1, "")]);
    assert_eq!(own(&at, 1), (String::new(), None));
}

#[test]
fn they_are_news_of_their_call_and_go_with_it() {
    let at = Fixture::new();
    let first = at.put([put_call(call(1))]);
    for write in [tags(1, "eu"), remark(1, "ask Ada first"), remark(1, "")] {
        let seq = at.put([write.clone()]);
        let (_, changed) = at.store.reads().call(CallId(1)).unwrap().unwrap();
        assert_eq!(changed, seq, "whoever looks at it reads it again: {write:?}");
        let told = at.store.news().since(seq - 1).unwrap();
        assert!(told.iter().any(|touched| touched.calls.contains(&CallId(1))), "{write:?} after {first}");
    }
    at.put([remark(1, "gone soon"), Write::ForgetCall(CallId(1))]);
    assert_eq!(own(&at, 1), (String::new(), None));
    at.put([tags(1, "eu"), remark(1, "too late")]);
    assert_eq!(own(&at, 1), (String::new(), None), "of a call that is not there nothing is kept");
}

#[test]
fn a_call_is_found_by_its_remark() {
    let at = Fixture::new();
    at.put([put_call(call(1)), put_call(call(2)), remark(2, "waits for the certificate")]);
    let texts = Texts::beside(&at.store.reads()).unwrap();
    texts.take_in_below(TextOf::Calls, u64::from(u32::MAX)).unwrap();
    assert_eq!(texts.find(TextOf::Calls, "certificate").unwrap(), [2]);
}
