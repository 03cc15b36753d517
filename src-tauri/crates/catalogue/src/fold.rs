//! Text as it is compared: in lower case.

/// What is kept of a text, in characters.
const LONGEST: usize = 160;

pub(crate) fn fold(text: &str) -> String {
    text.chars().flat_map(char::to_lowercase).collect()
}

/// The beginnings of these texts, each on a line of its own: no phrase is found across two of them.
pub(crate) fn beginnings<'a>(texts: impl IntoIterator<Item = &'a str>) -> Box<str> {
    let mut folded = String::new();
    for text in texts.into_iter().filter(|text| !text.is_empty()) {
        if !folded.is_empty() {
            folded.push('\n');
        }
        folded.extend(text.chars().flat_map(char::to_lowercase).take(LONGEST));
    }
    folded.into_boxed_str()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_each_text_the_beginning_is_kept() {
        let long = "Ä".repeat(1_000);
        let kept = beginnings(["", "Deploy ÉTÉ", &long]);
        let (first, second) = kept.split_once('\n').unwrap();
        assert_eq!(first, "deploy été");
        assert_eq!(second, "ä".repeat(160), "a long text must not take the room of all others");
    }
}
