//! Resources: those that stand in a result, and those that are read from their server because a person asked for them.

use signalbox_mcp::{self as mcp, Embedded};

use super::{MOST_PARTS, Room, blob, pieces::shown};
use crate::{
    ApiError, ContentPart,
    command::{CarryOut, ReadResource, ResourceRead},
    local::Local,
};

/// What all contents that are read hand out together, in bytes: they are kept nowhere.
const TOGETHER: usize = 4 * 1024 * 1024;

impl CarryOut<ReadResource> for Local {
    async fn carry_out(&self, ReadResource { server, uri }: ReadResource) -> Result<ResourceRead, ApiError> {
        let server = self.server(&server).await?;
        let answer = self.engine.read_resource(server.id, uri).await?;
        Ok(contents(&answer))
    }
}

fn contents(answer: &signalbox_model::Json) -> ResourceRead {
    let all = mcp::resource_contents(answer);
    let more = u32::try_from(all.len().saturating_sub(MOST_PARTS)).unwrap_or(u32::MAX);
    let mut room = Room(TOGETHER);
    let contents = all.into_iter().take(MOST_PARTS).map(|(embedded, raw)| {
        if embedded.text.is_none() && embedded.blob.is_none() {
            let json = room.json(raw);
            return ContentPart::Other { json, bytes: raw.get().len() as u64, r#type: String::new() };
        }
        let blob = embedded.blob;
        let mut part = view(embedded, &mut room);
        if let (ContentPart::Resource { blob: Some(view), .. }, Some(blob)) = (&mut part, blob)
            && view.bytes <= room.0 as u64
        {
            view.base64 = shown(blob).map(|shown| shown.base64);
            room.0 -= view.base64.as_ref().map_or(0, |_| usize::try_from(view.bytes).unwrap_or(room.0));
        }
        part
    });
    ResourceRead { contents: contents.collect(), more }
}

/// A resource for hosts.
pub(super) fn view(embedded: Embedded<'_>, room: &mut Room) -> ContentPart {
    let Embedded { uri, mime_type, text, blob } = embedded;
    let blob = blob.map(|bytes| blob::view(bytes, mime_type.clone()));
    let bytes = text.as_ref().map_or(0, |text| text.len() as u64);
    let text = text.map(|text| room.beginning(&text).to_owned());
    ContentPart::Resource { uri, mime_type, text, bytes, blob }
}

#[cfg(test)]
mod tests {
    use signalbox_model::Json;

    use super::*;

    fn read(json: &str) -> ResourceRead {
        contents(&Json::parse(json).unwrap())
    }

    #[test]
    fn what_was_read_is_shown_as_what_it_is() {
        let gif = mcp::base64_of(b"GIF89a\x01\0\x01\0\0\0\0\x2c\0\0\0\0\x01\0\x01\0\0");
        let found = read(&format!(
            r#"{{"contents":[{{"uri":"a:b","text":"{{}}","mimeType":"application/json"}},
                {{"uri":"a:c","blob":"{gif}"}},{{"uri":"a:d","blob":"UEsDBA=="}},{{"n":1.0}}]}}"#
        ));
        let [
            ContentPart::Resource { uri, text: Some(text), bytes: 2, .. },
            ContentPart::Resource { blob: Some(picture), .. },
            ContentPart::Resource { blob: Some(zip), .. },
            ContentPart::Other { json: Some(odd), .. },
        ] = &found.contents[..]
        else {
            panic!("{found:?}")
        };
        assert_eq!((uri.as_str(), text.as_str(), odd.text()), ("a:b", "{}", r#"{"n":1.0}"#));
        assert_eq!(picture.base64.as_deref(), Some(&*gif), "nobody can ask for it again");
        assert_eq!(zip.base64, None);
        assert!(read("[]").contents.is_empty() && read("{}").contents.is_empty());
    }

    #[test]
    fn what_was_read_has_a_bound() {
        let text = "x".repeat(20 * 1024 * 1024);
        let found = read(&format!(r#"{{"contents":[{{"uri":"a:b","text":"{text}"}}]}}"#));
        let [ContentPart::Resource { text: Some(shown), bytes, .. }] = &found.contents[..] else { panic!() };
        assert_eq!((shown.len(), *bytes), (256 * 1024, text.len() as u64));
        let many = vec![r#"{"uri":"a:b","text":""}"#; 201].join(",");
        let found = read(&format!(r#"{{"contents":[{many}]}}"#));
        assert_eq!((found.contents.len(), found.more), (200, 1));
    }
}
