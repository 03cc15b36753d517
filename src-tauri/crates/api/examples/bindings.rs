//! Writes the TypeScript bindings into the folder named by the only argument: `cargo xtask bindings` runs it.

use std::{env, path::Path, process::ExitCode};

fn main() -> ExitCode {
    let Some(dir) = env::args_os().nth(1) else {
        return ExitCode::from(2);
    };
    match signalbox_api::bindings::write(Path::new(&dir)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(_) => ExitCode::FAILURE,
    }
}
