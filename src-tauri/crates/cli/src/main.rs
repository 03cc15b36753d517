//! The `signalbox` command.
//!
//! It allocates by jemalloc where the allocator of the system is glibc's; how that gives memory back is set in
//! `.cargo/config.toml`. The window does not: with jemalloc it died when a browser could not be started.

/// It gives back what large messages took: glibc's keeps it.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
#[global_allocator]
static ALLOCATOR: tikv_jemallocator::Jemalloc = tikv_jemallocator::Jemalloc;

fn main() -> std::process::ExitCode {
    signalbox_cli::main()
}
