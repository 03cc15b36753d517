//! Where other MCP clients keep their configurations.

use std::path::{Path, PathBuf};

use etcetera::BaseStrategy;

/// A program whose servers can be imported: another MCP client.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ClientProgram {
    /// Claude Desktop, which has no projects.
    ClaudeDesktop,
    /// Claude Code, with the project in the current folder.
    ClaudeCode,
    /// Cursor, with the project in the current folder.
    Cursor,
    /// Visual Studio Code, with the workspace in the current folder.
    Vscode,
    /// Windsurf, which has no projects.
    Windsurf,
}

/// The folders that configurations lie in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Places {
    /// The person's home directory.
    pub home: PathBuf,
    /// Where programs of this system keep their settings.
    pub config: PathBuf,
}

impl Places {
    /// Those of this system; none when nobody knows the home directory.
    #[must_use]
    pub fn here() -> Option<Self> {
        let places = etcetera::base_strategy::choose_native_strategy().ok()?;
        // Where most programs of macOS keep them is not what is said to be for preferences.
        let config = if cfg!(target_os = "macos") { places.data_dir() } else { places.config_dir() };
        Some(Self { home: places.home_dir().to_owned(), config })
    }
}

impl ClientProgram {
    /// All of them.
    pub const ALL: [Self; 5] =
        [Self::ClaudeDesktop, Self::ClaudeCode, Self::Cursor, Self::Vscode, Self::Windsurf];

    /// As it is typed.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::ClaudeDesktop => "claude-desktop",
            Self::ClaudeCode => "claude-code",
            Self::Cursor => "cursor",
            Self::Vscode => "vscode",
            Self::Windsurf => "windsurf",
        }
    }

    /// The files that may name servers, whether they exist or not. `current` is the folder that the person is in, if they
    /// are in one.
    #[must_use]
    pub fn files(self, places: &Places, current: Option<&Path>) -> Vec<PathBuf> {
        let Places { home, config } = places;
        let (mut files, project) = match self {
            Self::ClaudeDesktop => (vec![config.join("Claude/claude_desktop_config.json")], None),
            Self::ClaudeCode => (vec![home.join(".claude.json")], Some(".mcp.json")),
            Self::Cursor => (vec![home.join(".cursor/mcp.json")], Some(".cursor/mcp.json")),
            Self::Vscode => {
                let user = config.join("Code/User");
                (vec![user.join("mcp.json"), user.join("settings.json")], Some(".vscode/mcp.json"))
            }
            Self::Windsurf => (vec![home.join(".codeium/windsurf/mcp_config.json")], None),
        };
        let project = current.zip(project).map(|(current, file)| current.join(file));
        // In the home directory a project's file and the person's can be one.
        files.extend(project.filter(|project| !files.contains(project)));
        files
    }
}
