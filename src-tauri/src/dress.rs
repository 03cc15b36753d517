//! What the system draws of the window, such as its frame and the list of a select: it wears what the page wears.

use std::sync::OnceLock;

use signalbox_api::Theme;

/// Whether the system had it dark, before the person chose anything here.
#[derive(Default)]
pub(crate) struct Dress {
    dark: OnceLock<bool>,
}

impl Dress {
    /// Whether it is to be dark now. `is_dark` is how the system has it, as long as nothing was chosen here.
    #[cfg_attr(not(any(target_os = "linux", test)), expect(dead_code, reason = "only GTK has to be told"))]
    fn dark(&self, theme: Theme, is_dark: bool) -> bool {
        let systems = *self.dark.get_or_init(|| is_dark);
        match theme {
            Theme::System => systems,
            Theme::Light => false,
            Theme::Dark => true,
        }
    }
}

/// Wears these colours. Only in the thread of the windows.
#[cfg(target_os = "linux")]
pub(crate) fn wear(dress: &Dress, theme: Theme) {
    use gtk::prelude::GtkSettingsExt as _;

    let Some(settings) = gtk::Settings::default() else { return };
    let is_dark = settings.is_gtk_application_prefer_dark_theme();
    let dark = dress.dark(theme, is_dark);
    if dark != is_dark {
        settings.set_gtk_application_prefer_dark_theme(dark);
    }
}

/// Elsewhere the page's own word is enough.
#[cfg(not(target_os = "linux"))]
pub(crate) fn wear(_: &Dress, _: Theme) {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_system_had_comes_back() {
        for systems in [true, false] {
            let dress = Dress::default();
            assert_eq!(dress.dark(Theme::System, systems), systems);
            assert!(dress.dark(Theme::Dark, systems));
            assert!(!dress.dark(Theme::Light, true));
            assert_eq!(dress.dark(Theme::System, false), systems);
        }
    }
}
