//! The `signalbox` command.

/// It gives back what large messages took: glibc's keeps it.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
#[global_allocator]
static ALLOCATOR: tikv_jemallocator::Jemalloc = tikv_jemallocator::Jemalloc;

fn main() -> std::process::ExitCode {
    signalbox_cli::main()
}
