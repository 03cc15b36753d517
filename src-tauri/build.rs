//! Reads tauri.conf.json, and puts the window's own commands under the capability file.

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let commands = tauri_build::AppManifest::new().commands(&[
        "desk",
        "leave_look",
        "window_ready",
        "open_url",
        "open_page",
        "save_part",
        "open_part",
        "save_tasks",
        "close_window",
        "quit",
        "what_stops",
        "version",
        "safe_graphics",
        "restart_background",
        "next_errand",
        "has_saved",
        "asks_about_closing",
        "stay_open",
        "wear",
    ]);
    // The window's files are part of the program: whenever they change, it is built again.
    println!("cargo:rerun-if-changed=../ui/dist");
    tauri_build::try_build(tauri_build::Attributes::new().app_manifest(commands))?;
    Ok(())
}
