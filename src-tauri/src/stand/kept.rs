//! Which size and place the window had under which arrangement of displays. Pure.

use serde::{Deserialize, Serialize};

/// Arrangements that are remembered: those used last.
const MOST: usize = 8;

/// So much of the upper edge, in pixels, must be on a display, or nobody could take hold of the window.
const GRIP: i64 = 48;

/// One display, as the system tells of it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub(super) struct Display {
    pub x: i32,
    pub y: i32,
    pub width: u32,
    pub height: u32,
    /// As text: it is compared, and numbers with a point do not survive every file.
    pub scale: String,
    pub name: Option<String>,
}

/// Where the window stands, and how large it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Stand {
    pub x: i32,
    pub y: i32,
    pub width: u32,
    pub height: u32,
    pub maximized: bool,
    pub fullscreen: bool,
}

/// What is done with a new window.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Restored {
    /// None where it could not be reached: the desktop finds one.
    pub position: Option<(i32, i32)>,
    pub size: (u32, u32),
    pub maximized: bool,
    pub fullscreen: bool,
}

#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct Arrangement {
    displays: Vec<Display>,
    stand: Stand,
}

/// The arrangements, the one used last first.
#[derive(Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Kept(Vec<Arrangement>);

impl Kept {
    /// What the window had under this arrangement; under one never seen, nothing.
    pub(super) fn restored(&self, displays: &[Display]) -> Option<Restored> {
        let Stand { x, y, width, height, maximized, fullscreen } = self.stand(&sorted(displays))?;
        // Whatever the file says, no window is larger than all displays side by side.
        let most = |side: fn(&Display) -> u32| displays.iter().map(side).fold(0, u32::saturating_add);
        let size = (width.min(most(|display| display.width)), height.min(most(|display| display.height)));
        let position = displays.iter().any(|display| display.holds(x, y, size.0)).then_some((x, y));
        (size.0 > 0 && size.1 > 0).then_some(Restored { position, size, maximized, fullscreen })
    }

    /// Remembers where the window is now. One that is maximised or fills the screen keeps the size and place that it
    /// goes back to. Whether that is anything new.
    pub(super) fn note(&mut self, displays: &[Display], now: Stand) -> bool {
        if displays.is_empty() || now.width == 0 || now.height == 0 {
            return false;
        }
        let displays = sorted(displays);
        let before = self.stand(&displays);
        // The system can say where a window went before it says that it was maximised.
        let fills = now.maximized || now.fullscreen || displays.iter().any(|display| display.filled_by(&now));
        let stand = match before {
            Some(before) if fills => Stand { maximized: now.maximized, fullscreen: now.fullscreen, ..before },
            _ => now,
        };
        let now = Arrangement { displays, stand };
        if self.0.first() == Some(&now) {
            return false;
        }
        self.0.retain(|arrangement| arrangement.displays != now.displays);
        self.0.insert(0, now);
        self.0.truncate(MOST);
        true
    }

    fn stand(&self, sorted: &[Display]) -> Option<Stand> {
        self.0.iter().find(|arrangement| arrangement.displays == sorted).map(|arrangement| arrangement.stand)
    }
}

impl Display {
    /// Whether the upper edge of a window can be taken hold of here.
    fn holds(&self, x: i32, y: i32, width: u32) -> bool {
        let (left, top) = (i64::from(x), i64::from(y));
        let (from, above) = (i64::from(self.x), i64::from(self.y));
        let across = (left + i64::from(width)).min(from + i64::from(self.width)) - left.max(from);
        across >= GRIP && top >= above && top + GRIP <= above + i64::from(self.height)
    }

    fn filled_by(&self, stand: &Stand) -> bool {
        stand.x == self.x && stand.width == self.width
    }
}

/// The system names displays in any order.
fn sorted(displays: &[Display]) -> Vec<Display> {
    let mut displays = displays.to_vec();
    displays.sort();
    displays
}

#[cfg(test)]
mod tests {
    use super::*;

    fn display(name: &str, x: i32, width: u32) -> Display {
        Display { x, y: 0, width, height: 1080, scale: "1".to_owned(), name: Some(name.to_owned()) }
    }

    fn laptop() -> Display {
        display("eDP-1", 0, 1920)
    }

    fn docked() -> Vec<Display> {
        vec![laptop(), display("DP-3", 1920, 2560)]
    }

    fn at(x: i32, y: i32) -> Stand {
        Stand { x, y, width: 1000, height: 700, maximized: false, fullscreen: false }
    }

    fn position(kept: &Kept, displays: &[Display]) -> Option<(i32, i32)> {
        kept.restored(displays).and_then(|restored| restored.position)
    }

    #[test]
    fn each_arrangement_has_its_own() {
        let mut kept = Kept::default();
        assert_eq!(kept.restored(&[laptop()]), None, "nothing is known of an arrangement never seen");
        kept.note(&[laptop()], at(10, 20));
        kept.note(&docked(), at(2400, 40));
        assert_eq!(position(&kept, &[laptop()]), Some((10, 20)));
        let mut turned = docked();
        turned.reverse();
        assert_eq!(position(&kept, &turned), Some((2400, 40)), "in whatever order they are told");
        let file = serde_json::to_vec(&kept).unwrap();
        assert_eq!(serde_json::from_slice::<Kept>(&file).unwrap(), kept, "as it comes back from the file");
        for other in [
            Display { scale: "1.25".to_owned(), ..laptop() },
            Display { width: 1280, ..laptop() },
            Display { name: None, ..laptop() },
        ] {
            assert_eq!(kept.restored(std::slice::from_ref(&other)), None, "another arrangement: {other:?}");
        }
    }

    #[test]
    fn a_place_off_every_display_is_not_restored() {
        for (x, y, reachable) in [
            (0, 0, true),
            (1800, 0, true),
            (-900, 10, true),
            (1900, 0, false),
            (-990, 0, false),
            (0, -1, false),
            (0, 1070, false),
            (5000, 10, false),
            (i32::MAX, i32::MAX, false),
            (i32::MIN, i32::MIN, false),
        ] {
            let mut kept = Kept::default();
            kept.note(&[laptop()], at(x, y));
            let restored = kept.restored(&[laptop()]).unwrap();
            assert_eq!(restored.position.is_some(), reachable, "at {x}, {y}");
            assert_eq!(restored.size, (1000, 700), "its size is good anywhere");
        }
    }

    #[test]
    fn no_window_is_larger_than_the_displays() {
        let mut kept = Kept::default();
        kept.note(&docked(), Stand { width: u32::MAX, height: u32::MAX, ..at(0, 0) });
        assert_eq!(kept.restored(&docked()).unwrap().size, (1920 + 2560, 2160));
    }

    #[test]
    fn one_that_is_maximised_knows_what_it_goes_back_to() {
        let mut kept = Kept::default();
        let whole = Stand { width: 1920, height: 1050, ..at(0, 30) };
        kept.note(&[laptop()], at(100, 50));
        kept.note(&[laptop()], whole);
        kept.note(&[laptop()], Stand { maximized: true, ..whole });
        let restored = kept.restored(&[laptop()]).unwrap();
        assert_eq!((restored.position, restored.size), (Some((100, 50)), (1000, 700)));
        assert!(restored.maximized, "and it is maximised again");
        kept.note(&[laptop()], at(100, 50));
        assert!(!kept.restored(&[laptop()]).unwrap().maximized, "until it no longer is");
    }

    #[test]
    fn what_is_known_already_is_nothing_new() {
        let mut kept = Kept::default();
        assert!(kept.note(&[laptop()], at(10, 20)));
        assert!(!kept.note(&[laptop()], at(10, 20)), "it stands where it stood");
        assert!(kept.note(&[laptop()], at(10, 21)));
        assert!(kept.note(&docked(), at(10, 21)), "on other displays");
        assert!(kept.note(&[laptop()], at(10, 21)), "these are the ones used last now");
        assert!(!kept.note(&[], at(0, 0)), "without a display there is no place");
    }

    #[test]
    fn the_arrangements_used_last_are_kept() {
        let mut kept = Kept::default();
        let nth = |n: u32| [display("DP-1", 0, 1000 + n)];
        for n in 0..=8 {
            kept.note(&nth(n), at(0, 0));
            kept.note(&nth(0), at(0, 0));
        }
        assert_eq!(kept.0.len(), MOST);
        assert!(kept.restored(&nth(0)).is_some(), "it is used all the time");
        assert_eq!(kept.restored(&nth(1)), None, "the one not used for longest went");
    }
}
