//! An empty window of Tauri, beside which `cargo xtask bench` measures ours: `empty-window FILE` writes the file once the
//! window has painted for the first time.

use std::path::PathBuf;
use std::{env, fs};

use tauri::{WebviewUrl, WebviewWindowBuilder};

/// What it is called once two frames have gone by since its page was there: the first of them is painted.
const PAINTED: &str =
    "addEventListener('load', () => requestAnimationFrame(() => requestAnimationFrame(() => {
  document.title = 'painted';
})));";

fn main() -> tauri::Result<()> {
    let file = env::args_os().nth(1).map(PathBuf::from).unwrap_or_default();
    tauri::Builder::default()
        .setup(move |app| {
            WebviewWindowBuilder::new(app, "main", WebviewUrl::default())
                .inner_size(1280.0, 800.0)
                .incognito(true)
                .initialization_script(PAINTED)
                .on_document_title_changed(move |_, title| {
                    if title == "painted" {
                        // Whoever waits for it sees that it does not come.
                        let _ = fs::write(&file, "");
                    }
                })
                .build()?;
            Ok(())
        })
        .run(tauri::generate_context!("examples/empty-window/tauri.conf.json"))
}
