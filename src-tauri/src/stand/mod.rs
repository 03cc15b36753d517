//! Where the window stands: whoever works with and without a dock gets back what each arrangement of displays had. It
//! is read at the start, noted as the window moves, written once it has come to rest, so that a crash takes the last move at most, and
//! written when the program ends.

mod kept;

use std::{
    fs, io,
    path::{Path, PathBuf},
    sync::{Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use tauri::{
    AppHandle, Manager, PhysicalPosition, PhysicalSize, WebviewWindow, Window, WindowEvent, async_runtime,
};
use tokio::{sync::watch, time};

use self::kept::{Display, Kept, Stand};

/// A longer file is not ours, and not read.
const LONGEST: u64 = 64 * 1024;

/// A window that has not moved for this long is at rest: who drags one writes nothing on the way.
const REST: Duration = Duration::from_secs(1);

/// What is remembered, and where.
pub(crate) struct Stands {
    file: Option<PathBuf>,
    kept: Mutex<Kept>,
    /// It says whenever there is something new to keep.
    moved: watch::Sender<()>,
    /// Held by who writes: the end of the program can come while a window that came to rest is written.
    writing: Mutex<()>,
}

impl Stands {
    /// Reads what the directory has. One that cannot be read is no loss that anybody would have to hear of.
    pub(crate) fn of(dir: Option<&Path>) -> Self {
        let file = dir.map(|dir| dir.join("window.json"));
        let bytes = file.as_deref().and_then(|file| signalbox_files::read(file, LONGEST).ok());
        let kept = bytes.and_then(|bytes| serde_json::from_slice(&bytes).ok()).unwrap_or_default();
        Self { file, kept: Mutex::new(kept), moved: watch::Sender::default(), writing: Mutex::default() }
    }

    fn kept(&self) -> MutexGuard<'_, Kept> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn note(&self, displays: &[Display], now: Stand) {
        let is_new = self.kept().note(displays, now);
        if is_new {
            self.moved.send_replace(());
        }
    }

    fn write(&self) -> io::Result<()> {
        let Some(file) = &self.file else { return Ok(()) };
        let _writing = self.writing.lock().unwrap_or_else(PoisonError::into_inner);
        let bytes = serde_json::to_vec(&*self.kept())?;
        let new = file.with_extension("json.new");
        fs::write(&new, bytes)?;
        fs::rename(new, file)
    }
}

/// Gives a window that is not shown yet its size and place.
pub(crate) fn restore(window: &WebviewWindow) -> tauri::Result<()> {
    let displays = displays(window.app_handle())?;
    let Some(restored) = window.state::<Stands>().kept().restored(&displays) else { return Ok(()) };
    if let Some((x, y)) = restored.position {
        window.set_position(PhysicalPosition { x, y })?;
    }
    let (width, height) = restored.size;
    window.set_size(PhysicalSize { width, height })?;
    if restored.maximized {
        window.maximize()?;
    }
    if restored.fullscreen {
        window.set_fullscreen(true)?;
    }
    Ok(())
}

/// Remembers where a window that moved is now.
pub(crate) fn follow(window: &Window, event: &WindowEvent) {
    if let WindowEvent::Moved(_) | WindowEvent::Resized(_) = event
        && let Err(error) = note(window)
    {
        tracing::debug!(%error, "where the window stands is not known");
    }
}

/// Writes it down whenever the window has come to rest, for as long as the program lives.
pub(crate) fn keep(app: &AppHandle) {
    let (app, mut moved) = (app.clone(), app.state::<Stands>().moved.subscribe());
    async_runtime::spawn(async move {
        while comes_to_rest(&mut moved).await {
            let app = app.clone();
            // A slow disk holds up neither the window nor the desk.
            let _ = async_runtime::spawn_blocking(move || save(&app)).await;
        }
    });
}

/// Waits until the window has moved and is at rest. False: nobody moves it any more.
async fn comes_to_rest(moved: &mut watch::Receiver<()>) -> bool {
    let has_moved = moved.changed().await.is_ok();
    while let Ok(Ok(())) = time::timeout(REST, moved.changed()).await {}
    has_moved
}

/// Writes it down.
pub(crate) fn save(app: &AppHandle) {
    if let Err(error) = app.state::<Stands>().write() {
        tracing::warn!(%error, "the window's size and place are not kept");
    }
}

fn note(window: &Window) -> tauri::Result<()> {
    // It has no place then, and one that is not shown yet has none of its person's.
    if window.is_minimized()? || !window.is_visible()? {
        return Ok(());
    }
    let PhysicalPosition { x, y } = window.outer_position()?;
    let PhysicalSize { width, height } = window.inner_size()?;
    let (maximized, fullscreen) = (window.is_maximized()?, window.is_fullscreen()?);
    let displays = displays(window.app_handle())?;
    window.state::<Stands>().note(&displays, Stand { x, y, width, height, maximized, fullscreen });
    Ok(())
}

fn displays(app: &AppHandle) -> tauri::Result<Vec<Display>> {
    let displays = app.available_monitors()?.into_iter().map(|monitor| Display {
        x: monitor.position().x,
        y: monitor.position().y,
        width: monitor.size().width,
        height: monitor.size().height,
        scale: monitor.scale_factor().to_string(),
        name: monitor.name().cloned(),
    });
    Ok(displays.collect())
}

#[cfg(test)]
mod tests {
    use tokio::time::Instant;

    use super::*;

    #[test]
    fn what_is_no_file_of_ours_is_as_none() {
        let dir = tempfile::tempdir().unwrap();
        let of = |text: &str| {
            fs::write(dir.path().join("window.json"), text).unwrap();
            Stands::of(Some(dir.path()))
        };
        let long = format!("[]{}", " ".repeat(usize::try_from(LONGEST).unwrap()));
        for text in ["", "{", r#"{"main":{"width":1280}}"#, "[1]", &long] {
            assert_eq!(*of(text).kept(), Kept::default(), "{} bytes", text.len());
        }
    }

    fn display() -> Display {
        Display { x: 0, y: 0, width: 1920, height: 1080, scale: "1.3".to_owned(), name: None }
    }

    fn at(x: i32) -> Stand {
        Stand { x, y: 6, width: 800, height: 600, maximized: false, fullscreen: false }
    }

    #[test]
    fn what_was_written_is_read_again() {
        let dir = tempfile::tempdir().unwrap();
        let stands = Stands::of(Some(dir.path()));
        stands.note(&[display()], at(5));
        stands.write().unwrap();
        assert_eq!(*Stands::of(Some(dir.path())).kept(), *stands.kept());
    }

    #[tokio::test(start_paused = true)]
    async fn a_window_is_at_rest_once_it_has_not_moved_for_a_while() {
        let stands = Stands::of(None);
        let mut moved = stands.moved.subscribe();
        let begun = Instant::now();
        let dragging = async {
            let mut moments = time::interval(REST / 2);
            for x in 0..20 {
                moments.tick().await;
                stands.note(&[display()], at(x));
            }
        };
        let (rests, ()) = tokio::join!(comes_to_rest(&mut moved), dragging);
        assert!(rests);
        let took = begun.elapsed();
        let dragged = REST / 2 * 19;
        assert!(took >= dragged + REST && took < dragged + 2 * REST, "one rest after all of it: {took:?}");
        stands.note(&[display()], at(19));
        let again = time::timeout(100 * REST, comes_to_rest(&mut moved)).await;
        assert!(again.is_err(), "nothing is written of a window that stands where it stood");
    }
}
