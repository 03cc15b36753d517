//! How a command ended.

use serde_json::Value;

/// A command that has ended: its exit code and what it printed.
#[derive(Debug, Clone)]
pub struct Done {
    /// The command line, for messages.
    pub line: String,
    /// The exit code; none when a signal ended it.
    pub code: Option<i32>,
    /// What it printed.
    pub stdout: String,
    /// What it said.
    pub stderr: String,
}

impl Done {
    /// Checks the exit code.
    ///
    /// # Panics
    /// When it is another.
    #[must_use]
    pub fn exits(self, code: i32) -> Self {
        assert_eq!(self.code, Some(code), "the exit code of {self}");
        self
    }

    /// The one document on stdout.
    ///
    /// # Panics
    /// When there is none, more than one, or anything else.
    #[must_use]
    pub fn document(&self) -> Value {
        let documents = self.documents();
        assert_eq!(documents.len(), 1, "one document, on one line, from {self}");
        documents.into_iter().next().unwrap()
    }

    /// The documents on stdout, one per line.
    ///
    /// # Panics
    /// When there is anything else.
    #[must_use]
    pub fn documents(&self) -> Vec<Value> {
        let parse = |line| serde_json::from_str(line).unwrap_or_else(|e| panic!("{e} in {self}"));
        self.stdout.lines().map(parse).collect()
    }

    /// The document of a command that did what it was asked.
    ///
    /// # Panics
    /// When it did not.
    #[must_use]
    pub fn ok(self) -> Value {
        self.exits(0).document()
    }

    /// The `failure` of a command that ended with this exit code and this word.
    ///
    /// # Panics
    /// When it ended otherwise, or its failure document is not as promised.
    #[must_use]
    pub fn failure(self, code: i32, word: &str) -> Value {
        let done = self.exits(code);
        let document = done.document();
        let failure = document["failure"].clone();
        assert_eq!(failure["code"], word, "the word for programs, from {done}");
        assert!(
            !failure["message"].as_str().unwrap_or_default().is_empty(),
            "the text for people, from {done}"
        );
        let retry = failure["retry"].as_str().unwrap_or_default();
        assert!(["never", "later", "after_fix", "queued"].contains(&retry), "the advice, from {done}");
        assert!(
            !done.stderr.trim().is_empty(),
            "a person who reads only stderr must learn of it, too: {done}"
        );
        failure
    }
}

impl std::fmt::Display for Done {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { line, code, stdout, stderr } = self;
        write!(f, "`{line}` (code {code:?})\nstdout: {stdout}\nstderr: {stderr}")
    }
}
