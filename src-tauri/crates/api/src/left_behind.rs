//! What owners that are gone left in the data directory, as far as it matters to anybody. For who is not the owner.

use crate::{Home, check::Check, owner, socket};

/// The lock and the socket.
pub(crate) fn checks(home: &Home) -> Vec<Check> {
    let mut checks = Vec::new();
    let held = match owner::is_held(home) {
        Ok(held) => held,
        Err(error) => {
            checks.push(Check::problem(
                "owner_lock",
                error.message,
                "without its lock nobody can own the data directory",
            ));
            return checks;
        }
    };
    let Some((last, socket)) = owner::last(home) else { return checks };
    if !held {
        let pid = last.pid;
        checks.push(Check::ok("owner_lock", format!("nobody holds it; the last owner was process {pid}")));
    }
    if socket.exists() {
        checks.push(match socket::check(&socket) {
            Err(error) => Check::problem(
                "socket",
                format!("{} is not ours: {error}", socket.display()),
                "find out who made it, and remove it",
            ),
            Ok(()) if held => Check::ok("socket", socket.display().to_string()),
            Ok(()) => Check::ok("socket", "left by an owner that is gone; the next one replaces it"),
        });
    }
    checks
}
