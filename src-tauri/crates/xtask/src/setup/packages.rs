//! Packages of the system.

use anyhow::Result;

use super::needs::{NEEDS, Purpose};
use super::{apt, system};

/// The system packages for these purposes: installed on Debian and Ubuntu, named elsewhere.
pub(crate) fn system_packages(purposes: &[Purpose]) -> Result<()> {
    let family = system::family();
    let needs: Vec<_> = NEEDS.iter().filter(|need| purposes.contains(&need.purpose)).collect();
    match family {
        system::Family::Debian => apt::install_missing(&needs),
        other => system::report_missing(other, &needs),
    }
}
