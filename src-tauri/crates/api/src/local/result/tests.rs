use super::*;

fn parts(parts: &[String]) -> Vec<ContentPart> {
    let json = Json::parse(format!(r#"{{"content":[{}]}}"#, parts.join(","))).unwrap();
    read(&json, None).content
}

fn text(bytes: usize) -> String {
    format!(r#"{{"type":"text","text":"{}"}}"#, "x".repeat(bytes))
}

#[test]
fn of_a_result_the_first_parts_are_shown_and_of_each_the_beginning() {
    let shown = parts(&[text(20 * 1024 * 1024), text(1)]);
    let [ContentPart::Text { text: long, bytes, same: false }, ContentPart::Text { text: short, .. }] =
        &shown[..]
    else {
        panic!("{shown:?}")
    };
    assert_eq!((long.len(), *bytes, short.as_str()), (256 * 1024, 20 * 1024 * 1024, "x"));
    let odd = |bytes: usize| {
        let frame = r#"{"type":"new","data":""}"#.len();
        format!(r#"{{"type":"new","data":"{}"}}"#, "x".repeat(bytes - frame))
    };
    let shown = parts(&[odd(LONGEST_PART), odd(LONGEST_PART + 1)]);
    let is_whole = |part: &ContentPart| matches!(part, ContentPart::Other { json: Some(_), .. });
    assert_eq!(shown.iter().map(is_whole).collect::<Vec<_>>(), [true, false]);
    let many = Json::parse(format!(r#"{{"content":[{}]}}"#, vec![text(1); 201].join(","))).unwrap();
    let many = read(&many, None);
    assert_eq!((many.content.len(), many.content_more), (200, 1));
}

#[test]
fn all_parts_together_have_a_bound() {
    let shown = parts(&vec![text(LONGEST_PART); 100]);
    let bytes = |part: &ContentPart| match part {
        ContentPart::Text { text, bytes, .. } => (text.len(), *bytes),
        other => panic!("{other:?}"),
    };
    let sizes: Vec<_> = shown.iter().map(bytes).collect();
    assert_eq!(sizes.iter().map(|(len, _)| len).sum::<usize>(), TOGETHER);
    assert!(sizes.iter().all(|(_, bytes)| *bytes == LONGEST_PART as u64), "and each says how long it is");
}

#[test]
fn each_kind_of_part_is_told_apart() {
    let json = Json::parse(
        r#"{"content":[{"type":"text","text":"{\"n\": 1}"},{"type":"image","data":"UEsDBA==","mimeType":"image/png"},
            {"type":"resource","resource":{"uri":"a:b","text":"t"}},
            {"type":"resource_link","uri":"a:c","name":"c","size":7},{"type":"resource_link"}],
            "structuredContent":{"n":1}}"#,
    );
    let view = read(&json.unwrap(), None);
    let [
        ContentPart::Text { same: true, .. },
        ContentPart::Blob { .. },
        ContentPart::Resource { .. },
        ContentPart::Link { size: Some(7), .. },
        ContentPart::Other { .. },
    ] = &view.content[..]
    else {
        panic!("{view:?}")
    };
    assert_eq!(view.structured_bytes, Some(7));
}

#[test]
fn what_is_nested_deep_is_handed_on_as_it_is() {
    let deep = format!("{}{}", "[".repeat(10_000), "]".repeat(10_000));
    let json = Json::parse(format!(r#"{{"structuredContent":{deep},"content":{deep}}}"#)).unwrap();
    let view = read(&json, None);
    assert_eq!(view.structured.map(|json| json.text().to_owned()), Some(deep));
}

#[test]
fn a_result_is_compared_with_what_its_tool_promises() {
    let schema = Json::parse(r#"{"type":"object","properties":{"n":{"type":"integer"}}}"#).unwrap();
    let verdict = |result: &str, schema| read(&Json::parse(result).unwrap(), schema).output;
    assert_eq!(verdict(r#"{"structuredContent":{"n":1}}"#, Some(&schema)), Some(Verdict::Valid));
    assert_eq!(verdict(r#"{"structuredContent":{"n":"1"}}"#, None), None, "nothing was promised");
    for (result, path) in [(r#"{"structuredContent":{"n":"1"}}"#, "/n"), (r#"{"content":[]}"#, "")] {
        let Some(Verdict::Invalid { errors }) = verdict(result, Some(&schema)) else { panic!("{result}") };
        assert_eq!(errors[0].path, path, "{result}");
    }
    assert_eq!(verdict(r#"{"content":[],"isError":true}"#, Some(&schema)), None, "a failure owes nothing");
}
