//! What servers can say to deceive or to break the window, in a real one: `tests/corpus/hostile-strings.json`, in every part of
//! a question.

use std::sync::{LazyLock, Mutex, PoisonError};

use serde_json::value::RawValue;
use serde_json::{Map, Value, json};
use signalbox_demo::Fault;

use super::{Story, TO_THE_APPROVAL, open_questions};
use crate::spot;

const CORPUS: &str = include_str!("../../corpus/hostile-strings.json");
/// So many strings are asked for by one question.
const EACH: usize = 20;

/// What does not hold in what is shown: something is wider than its room, ran, or is none of our elements.
const BROKEN: &str = "
    const name = (element) => `${element.localName}.${element.className}: ${element.scrollWidth} in ${element.clientWidth}`;
    const wide = [...document.querySelectorAll('body *')]
        .filter((element) => element.checkVisibility() && !element.matches('input, textarea, select'))
        .filter((element) => ['auto', 'scroll'].includes(getComputedStyle(element).overflowX))
        .filter((element) => element.scrollWidth > element.clientWidth + 1)
        .map(name);
    const page = document.documentElement.scrollWidth > innerWidth ? ['the page'] : [];
    const foreign = [...document.body.querySelectorAll('script:not([src]), img, iframe, a, style, object, embed, base, meta, link')];
    const ran = [window.hostile, document.title === 'Signalbox' ? undefined : document.title];
    return [...wide, ...page, ...foreign.map((element) => element.outerHTML), ...ran.filter((what) => what !== undefined)];";

/// All that can be told in Rust: halves of pairs cannot, and no wire of ours takes them.
static STRINGS: LazyLock<Vec<String>> = LazyLock::new(|| {
    let cases: Vec<Box<RawValue>> = serde_json::from_str(CORPUS).unwrap();
    let told = cases.iter().filter_map(|case| serde_json::from_str::<Vec<Value>>(case.get()).ok());
    told.map(|case| {
        let times = case.get(2).and_then(Value::as_u64).unwrap_or(1);
        case[1].as_str().unwrap().repeat(usize::try_from(times).unwrap())
    })
    .collect()
});

/// The tasks that asked, in order: each asks for other strings.
static ASKING: Mutex<Vec<String>> = Mutex::new(Vec::new());

fn ask_for_hostile_things(message: &mut Value) {
    let task = &mut message["result"];
    let id = task["taskId"].to_string();
    let Some(request) = task["inputRequests"].as_object_mut().and_then(|asked| asked.values_mut().next())
    else {
        return;
    };
    let mut asking = ASKING.lock().unwrap_or_else(PoisonError::into_inner);
    let n = asking.iter().position(|other| *other == id).unwrap_or_else(|| {
        asking.push(id);
        asking.len() - 1
    });
    request["params"] = question(n);
    task["statusMessage"] = STRINGS.iter().skip(n * EACH).take(EACH).cloned().collect::<String>().into();
}

/// The nth question, with its strings as names, titles, descriptions, options and defaults.
fn question(n: usize) -> Value {
    let strings: Vec<_> = STRINGS.iter().skip(n * EACH).take(EACH).collect();
    let fields = strings.iter().enumerate().map(|(place, text)| {
        let field = match place % 3 {
            0 => json!({ "type": "string", "title": text, "description": text, "default": text }),
            1 => json!({ "type": "string", "title": text, "description": text, "enum": [text, "other"] }),
            _ => json!({ "type": "array", "title": text, "items": { "type": "string", "enum": [text, "other"] } }),
        };
        (format!("{place} {text}"), field)
    });
    let properties: Map<String, Value> = fields.collect();
    let message = strings.iter().fold(format!("Question {n}"), |all, text| format!("{all}\n{text}"));
    json!({ "mode": "form", "message": message, "requestedSchema": { "type": "object", "properties": properties } })
}

#[tokio::test]
async fn nothing_that_a_server_says_runs_or_breaks_the_layout() {
    let story = Story::begin().await;
    // What is pushed is not what is edited here.
    let refused = Fault::Refuse { status: 405, retry_after: None };
    story.demo.faults().next(usize::MAX, "subscriptions/listen", refused);
    story.demo.faults().next(usize::MAX, "tasks/get", Fault::Edit(ask_for_hostile_things));
    let app = story.desktop.open().await;
    let count = STRINGS.len().div_ceil(EACH);
    for n in 0..count {
        drop(story.desktop.call("ci", "deploy", &json!({ "service": STRINGS[n] })).await);
    }
    story.pass(TO_THE_APPROVAL);
    app.hear(&open_questions(&format!("{count} open questions"))).await;
    let mut all = Vec::new();
    for (width, height) in [(1280, 800), (900, 600)] {
        app.resize(width, height).await;
        app.go("Inbox").await;
        for n in 0..count {
            let title = format!("Question {n}");
            // WebDriver takes a row for hidden in which most of the text has no width.
            let row = serde_json::to_value(app.hear(&spot::entry("Questions", &title)).await).unwrap();
            app.0.execute("arguments[0].click()", vec![row]).await.unwrap();
            app.see(&spot::heading(&title)).await;
            app.drawn().await;
            let broken = app.0.execute(BROKEN, Vec::new()).await.unwrap();
            story.desktop.picture(&format!("hostile-{n}-{width}")).await;
            if broken != json!([]) {
                all.push(format!("{title} at {width}: {broken}"));
            }
        }
        app.go("Tasks").await;
        app.press(&spot::entry("Tasks", "deploy")).await;
        app.drawn().await;
        let broken = app.0.execute(BROKEN, Vec::new()).await.unwrap();
        story.desktop.picture(&format!("hostile-task-{width}")).await;
        if broken != json!([]) {
            all.push(format!("a task at {width}: {broken}"));
        }
    }
    assert!(all.is_empty(), "{}", all.join("\n"));
    app.terminate().await;
}
