//! The `signalbox` command.

fn main() -> std::process::ExitCode {
    signalbox_cli::main()
}
