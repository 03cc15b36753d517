//! Reads tauri.conf.json, and puts the window's own commands under the capability file.

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let commands = tauri_build::AppManifest::new().commands(&[
        "desk",
        "leave_look",
        "window_ready",
        "open_url",
        "open_page",
        "close_window",
        "stay_open",
    ]);
    tauri_build::try_build(tauri_build::Attributes::new().app_manifest(commands))?;
    Ok(())
}
