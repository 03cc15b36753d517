//! Where things are in the window, as XPath: by role, name and text, never by class or position.

/// A place in the window. What it describes may be there or not.
#[derive(Debug, Clone)]
pub(crate) struct Spot(pub(crate) String);

impl Spot {
    /// This spot inside `outer`.
    #[must_use]
    pub(crate) fn within(self, outer: &Spot) -> Self {
        Self(format!("({}){}", outer.0, self.0))
    }
}

/// The button with exactly this label; the key shown beside it does not count.
pub(crate) fn button(label: &str) -> Spot {
    Spot(format!("//button[normalize-space(text()[1])={}]", quoted(label)))
}

/// The button that is called this where its own label does not tell.
pub(crate) fn named(name: &str) -> Spot {
    Spot(format!("//button[@aria-label={}]", quoted(name)))
}

/// The tab with exactly this label.
pub(crate) fn tab(label: &str) -> Spot {
    Spot(format!("//*[@role='tab'][normalize-space(text()[1])={}]", quoted(label)))
}

/// A place in the left pane.
pub(crate) fn place(label: &str) -> Spot {
    button(label).within(&Spot("//nav".into()))
}

/// The control with this label.
pub(crate) fn field(label: &str) -> Spot {
    let label = quoted(label);
    let labelled = format!("label[normalize-space(text()[1])={label} or normalize-space(bdi)={label}]");
    Spot(format!("//*[@id=//{labelled}/@for or @aria-label={label}]"))
}

/// What is wrong with the value of the control with this label.
pub(crate) fn error_at(label: &str) -> Spot {
    let control = field(label).0;
    Spot(format!("//*[@role='alert'][@id=concat({control}/@id, '-error')]"))
}

/// One choice of the group with this name.
pub(crate) fn choice(group: &str, label: &str) -> Spot {
    let group = quoted(group);
    let named = format!("legend[normalize-space(text()[1])={group} or normalize-space(bdi)={group}]");
    Spot(format!("//fieldset[{named}]//label[normalize-space(.)={}]", quoted(label)))
}

/// A part of a pane by its name.
pub(crate) fn region(name: &str) -> Spot {
    Spot(format!("//*[@role='region'][@aria-label={}]", quoted(name)))
}

/// The list or grid with this name.
pub(crate) fn list(name: &str) -> Spot {
    Spot(format!("//*[@role='grid' or @role='listbox'][@aria-label={}]", quoted(name)))
}

/// An entry of the list or grid with this name, by a text in it.
pub(crate) fn entry(list: &str, text: &str) -> Spot {
    let (list, text) = (quoted(list), quoted(text));
    Spot(format!(
        "//*[@role='grid' or @role='listbox'][@aria-label={list}]//*[@role='option' or @aria-selected][contains(., {text})]"
    ))
}

/// The dialog with this title.
pub(crate) fn dialog(title: &str) -> Spot {
    Spot(format!("//*[@role='dialog'][.//h2[normalize-space(.)={}]]", quoted(title)))
}

/// The smallest element whose text contains this.
pub(crate) fn text(text: &str) -> Spot {
    let text = quoted(text);
    Spot(format!(
        "//*[not(self::script)][contains(normalize-space(.), {text})][not(*[contains(normalize-space(.), {text})])]"
    ))
}

/// The heading with exactly this text.
pub(crate) fn heading(text: &str) -> Spot {
    Spot(format!("//*[self::h1 or self::h2][normalize-space(.)={}]", quoted(text)))
}

/// XPath 1.0 has no escapes.
fn quoted(text: &str) -> String {
    assert!(!text.contains('\'') || !text.contains('"'), "no XPath literal can hold both quotes: {text}");
    if text.contains('\'') { format!("\"{text}\"") } else { format!("'{text}'") }
}
