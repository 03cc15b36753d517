//! The Signalbox window: a thin shell around the desk. All that it shows and does comes through
//! [`signalbox_api::Desk`]; the engine behind it runs here, or in whichever program owns the data directory.

// A console window would open beside ours on Windows.
#![cfg_attr(not(debug_assertions), windows_subsystem = "windows")]

mod activation;
mod args;
mod background;
mod close;
mod closing;
mod commands;
mod demo;
mod dress;
mod errands;
mod forward;
mod hidden;
mod instance;
mod keyboard;
mod life;
mod looks;
mod native;
mod often;
mod parts;
mod resident;
mod safe;
mod saves;
#[cfg(target_os = "linux")]
mod scripts;
mod serve;
mod session;
mod shell;
mod stand;
mod start;
mod stops;
mod tray;
mod unheard;
mod window;

use std::process::ExitCode;

use clap::Parser;
use signalbox_api::Home;

fn main() -> ExitCode {
    #[cfg(target_os = "linux")]
    {
        scripts::compile_simply();
        signalbox_api::set_not_inherited(
            safe::not_inherited().iter().copied().chain(scripts::not_inherited().iter().copied()).collect(),
        );
    }
    let args = args::Args::parse();
    #[cfg(target_os = "linux")]
    if args.safe_graphics && safe::why().is_none() {
        return failed(&shell::ShellError::SafeGraphics(safe::Launch::ours().again(safe::Why::Asked)));
    }
    let token = activation::taken();
    if let Err(error) = tauri::async_runtime::block_on(async { signalbox_api::outlive_file_limit() }) {
        tracing::warn!(%error, "a limit on file sizes would end this program");
    }
    if let Some(args::Part::Demo(demo)) = args.part {
        return demo::serve(demo);
    }
    if args.hidden && !resident::stays(&args) {
        return match hidden::start(Home::resolve(args.home)) {
            Ok(()) => ExitCode::SUCCESS,
            Err(error) => failed(&error),
        };
    }
    match shell::run(args, token) {
        Ok(code) => ExitCode::from(u8::try_from(code).unwrap_or(1)),
        Err(error) => {
            tracing::error!(%error, "no window");
            failed(&error)
        }
    }
}

/// There is no window to show it in.
#[allow(clippy::print_stderr)]
fn failed(error: &dyn std::error::Error) -> ExitCode {
    eprintln!("signalbox-desktop: {error}");
    #[cfg(any(target_os = "macos", windows))]
    native::does_not_start(error);
    ExitCode::FAILURE
}
