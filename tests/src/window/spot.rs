//! Where things are in the window, as XPath: by role, name and text, never by class or position.

/// A place in the window. What it describes may be there or not.
#[derive(Debug, Clone)]
pub struct Spot(pub String);

impl Spot {
    /// This spot inside `outer`.
    #[must_use]
    pub fn within(self, outer: &Spot) -> Self {
        Self(format!("({}){}", outer.0, self.0))
    }
}

/// The button with exactly this label; the key shown beside it does not count.
pub fn button(label: &str) -> Spot {
    let label = quoted(label);
    Spot(format!(
        "//button[normalize-space(text()[1])={label} or normalize-space(span[1]/text()[1])={label}]"
    ))
}

/// The button that is called this where its own label does not tell.
pub fn named(name: &str) -> Spot {
    Spot(format!("//button[@aria-label={}]", quoted(name)))
}

/// The tab with exactly this label.
pub fn tab(label: &str) -> Spot {
    Spot(format!("//*[@role='tab'][normalize-space(text()[1])={}]", quoted(label)))
}

/// A place in the left pane.
pub fn place(label: &str) -> Spot {
    button(label).within(&Spot("//nav".into()))
}

/// The control with this label.
pub fn field(label: &str) -> Spot {
    let label = quoted(label);
    let labelled = format!("label[normalize-space(text()[1])={label} or normalize-space(bdi)={label}]");
    Spot(format!("//*[@id=//{labelled}/@for or @aria-label={label}]"))
}

/// The control or group with this label, with all that belongs to it.
pub fn shell(label: &str) -> Spot {
    let label = quoted(label);
    let named = format!("normalize-space(text()[1])={label} or normalize-space(bdi)={label}");
    Spot(format!("//*[label[{named}] or legend[{named}]]"))
}

/// What is wrong with the value of the control with this label.
pub fn error_at(label: &str) -> Spot {
    let control = field(label).0;
    Spot(format!("//*[@role='alert'][@id=concat({control}/@id, '-error')]"))
}

/// One choice of the group with this name.
pub fn choice(group: &str, label: &str) -> Spot {
    let group = quoted(group);
    let named = format!("legend[normalize-space(text()[1])={group} or normalize-space(bdi)={group}]");
    Spot(format!("//fieldset[{named}]//label[normalize-space(.)={}]", quoted(label)))
}

/// A part of a pane by its name.
pub fn region(name: &str) -> Spot {
    Spot(format!("//*[@role='region'][@aria-label={}]", quoted(name)))
}

/// A section of a pane, or a note beside it, by its name.
pub fn section(name: &str) -> Spot {
    Spot(format!("//section[@aria-label={}]", quoted(name)))
}

/// The list or grid with this name.
pub fn list(name: &str) -> Spot {
    Spot(format!("//*[@role='grid' or @role='listbox'][@aria-label={}]", quoted(name)))
}

/// An entry of the list or grid with this name, by a text in it.
pub fn entry(list: &str, text: &str) -> Spot {
    let (list, text) = (quoted(list), quoted(text));
    Spot(format!(
        "//*[@role='grid' or @role='listbox'][@aria-label={list}]//*[@role='option' or @aria-selected][contains(., {text})]"
    ))
}

/// The dialog with this title.
pub fn dialog(title: &str) -> Spot {
    Spot(format!("//*[@role='dialog'][.//h2[normalize-space(.)={}]]", quoted(title)))
}

/// The smallest element whose text contains this.
pub fn text(text: &str) -> Spot {
    let text = quoted(text);
    Spot(format!(
        "//*[not(self::script)][contains(normalize-space(.), {text})][not(*[contains(normalize-space(.), {text})])]"
    ))
}

/// The heading with exactly this text.
pub fn heading(text: &str) -> Spot {
    Spot(format!("//*[self::h1 or self::h2][normalize-space(.)={}]", quoted(text)))
}

/// This text as XPath 1.0 can say it, which has no escapes.
fn quoted(text: &str) -> String {
    if !text.contains('\'') {
        format!("'{text}'")
    } else if !text.contains('"') {
        format!("\"{text}\"")
    } else {
        let parts: Vec<_> = text.split('\'').map(|part| format!("'{part}'")).collect();
        format!("concat({})", parts.join(", \"'\", "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_text_can_be_quoted() {
        assert_eq!(quoted("Yes"), "'Yes'");
        assert_eq!(quoted("you're"), "\"you're\"");
        assert_eq!(quoted("\"x\" you're"), "concat('\"x\" you', \"'\", 're')");
    }
}
