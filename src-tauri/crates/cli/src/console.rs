//! Where a command prints and reads: stdout for what was asked for, stderr for messages, the keyboard for answers.

use std::borrow::Cow;
use std::io::{self, BufRead, BufWriter, IsTerminal, Write};
use std::sync::{Mutex, MutexGuard, PoisonError};

use serde::Serialize;
use signalbox_model::Timestamp;
use tokio::sync::mpsc;

use crate::no_echo::NoEcho;
use crate::text::{Paint, sanitise};

type Stream = Mutex<Box<dyn Write + Send>>;

/// So much of a document is gathered before it is written (bytes).
const CHUNK: usize = 64 * 1024;

/// The streams of a command and what they are connected to.
pub(crate) struct Console {
    /// Documents instead of text.
    pub(crate) json: bool,
    out: Stream,
    err: Stream,
    keyboard: tokio::sync::Mutex<Keyboard>,
    place: Place,
    clock: fn() -> Timestamp,
}

/// What the streams are connected to.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Place {
    /// A person sits at stdin and stderr and can be asked.
    pub(crate) person: bool,
    /// stderr is a terminal: progress is worth a line.
    pub(crate) lively: bool,
    /// stdout is a terminal that shows colours, and they are wanted.
    pub(crate) colour: bool,
    /// stdout is a terminal, which obeys what is printed there.
    pub(crate) terminal: bool,
    /// Columns of the terminal at stdout.
    pub(crate) width: Option<usize>,
}

impl Place {
    fn of_process() -> Self {
        let (stdin, stdout, stderr) =
            (io::stdin().is_terminal(), io::stdout().is_terminal(), io::stderr().is_terminal());
        let plain = |name, wanted: fn(&str) -> bool| std::env::var(name).is_ok_and(|value| wanted(&value));
        let colourless =
            plain("NO_COLOR", |value| !value.is_empty()) || plain("TERM", |value| value == "dumb");
        Self {
            person: stdin && stderr,
            lively: stderr,
            colour: stdout && !colourless,
            terminal: stdout,
            width: stdout.then(terminal_size::terminal_size).flatten().map(|(width, _)| width.0.into()),
        }
    }
}

enum Keyboard {
    /// Nobody was asked yet, so nothing is read: stdin may be for somebody else.
    Untouched,
    Lines(mpsc::Receiver<String>),
}

impl Console {
    /// The console of this process.
    #[must_use]
    pub(crate) fn of_process(json: bool, clock: fn() -> Timestamp) -> Self {
        Self {
            json,
            out: Mutex::new(Box::new(io::stdout())),
            err: Mutex::new(Box::new(io::stderr())),
            keyboard: tokio::sync::Mutex::new(Keyboard::Untouched),
            place: Place::of_process(),
            clock,
        }
    }

    /// A console of given streams. `lines` is what the person types.
    #[cfg(test)]
    #[must_use]
    pub(crate) fn of_parts(
        json: bool,
        place: Place,
        out: Box<dyn Write + Send>,
        err: Box<dyn Write + Send>,
        lines: mpsc::Receiver<String>,
        clock: fn() -> Timestamp,
    ) -> Self {
        let keyboard = tokio::sync::Mutex::new(Keyboard::Lines(lines));
        Self { json, out: Mutex::new(out), err: Mutex::new(err), keyboard, place, clock }
    }

    /// Whether somebody can be asked.
    #[must_use]
    pub(crate) fn has_person(&self) -> bool {
        self.place.person
    }

    /// Columns to keep to, if any.
    #[must_use]
    pub(crate) fn width(&self) -> Option<usize> {
        self.place.width
    }

    /// How stdout shows emphasis.
    #[must_use]
    pub(crate) fn paint(&self) -> Paint {
        Paint { colour: self.place.colour }
    }

    /// The moment that times are told relative to.
    #[must_use]
    pub(crate) fn now(&self) -> Timestamp {
        (self.clock)()
    }

    /// Prints one document on one line of stdout.
    ///
    /// # Errors
    /// When stdout cannot be written.
    pub(crate) fn document(&self, document: &impl Serialize) -> io::Result<()> {
        if self.place.terminal {
            return self.json_line(&serde_json::to_string(document)?);
        }
        // It may be of a hundred megabytes: it goes out as it is made.
        let mut out = locked(&self.out);
        let mut line = BufWriter::with_capacity(CHUNK, &mut *out);
        serde_json::to_writer(&mut line, document)?;
        line.write_all(b"\n")?;
        line.flush()
    }

    /// Prints JSON on one line of stdout: as it is, but at a terminal, which must not obey what stands in it.
    ///
    /// # Errors
    /// When stdout cannot be written.
    pub(crate) fn json_line(&self, json: &str) -> io::Result<()> {
        let line = if self.place.terminal { Cow::Owned(sanitise::json(json)) } else { Cow::Borrowed(json) };
        let mut out = locked(&self.out);
        out.write_all(line.as_bytes())?;
        out.write_all(b"\n")?;
        out.flush()
    }

    /// Prints a text of others on stdout, for programs to read: as it is, but at a terminal cleaned, and with a mark before
    /// each line but the first.
    ///
    /// # Errors
    /// When stdout cannot be written.
    pub(crate) fn foreign(&self, text: &str) -> io::Result<()> {
        if !self.place.terminal {
            return self.text(text);
        }
        self.text(&format!("{}\n", sanitise::continued(text)))
    }

    /// Whether what is printed on stdout shows on a terminal.
    #[must_use]
    pub(crate) fn is_terminal(&self) -> bool {
        self.place.terminal
    }

    /// Prints text on stdout, as it is.
    ///
    /// # Errors
    /// When stdout cannot be written.
    pub(crate) fn text(&self, text: &str) -> io::Result<()> {
        write(&self.out, text.as_bytes())
    }

    /// Prints a message on stderr. Control characters are shown, not obeyed, and only its first line begins as one of ours:
    /// messages quote servers.
    pub(crate) fn say(&self, message: &str) {
        // With stderr gone there is nobody left to tell.
        let _ = write(&self.err, format!("{}\n", sanitise::continued(message)).as_bytes());
    }

    /// Prints lines of ours on stderr. What they quote of servers has no line ends any more, or is marked.
    pub(crate) fn block(&self, lines: &str) {
        let _ = write(&self.err, format!("{}\n", sanitise::lines(lines)).as_bytes());
    }

    /// A message that only somebody who watches wants.
    pub(crate) fn progress(&self, message: &str) {
        if self.place.lively {
            self.say(message);
        }
    }

    /// Whether somebody can be asked for what nobody else may see.
    #[must_use]
    pub(crate) fn can_ask_unseen(&self) -> bool {
        self.has_person() && NoEcho::POSSIBLE
    }

    /// As [`Self::line`], but what is typed is not shown.
    pub(crate) async fn unseen(&self, prompt: &str) -> Option<String> {
        let _no_echo = NoEcho::begin();
        self.line(prompt).await
    }

    /// Whether the person says yes; anything else is a no, also the end of the input.
    pub(crate) async fn confirms(&self, question: &str) -> bool {
        let answer = self.line(question).await;
        answer.is_some_and(|answer| matches!(answer.trim().to_lowercase().as_str(), "y" | "yes"))
    }

    /// Asks on stderr and reads one line. None once the input has ended.
    pub(crate) async fn line(&self, prompt: &str) -> Option<String> {
        let _ = write(&self.err, sanitise::lines(prompt).as_bytes());
        let mut keyboard = self.keyboard.lock().await;
        if let Keyboard::Untouched = *keyboard {
            *keyboard = Keyboard::Lines(read_lines());
        }
        match &mut *keyboard {
            Keyboard::Lines(lines) => lines.recv().await,
            Keyboard::Untouched => None,
        }
    }
}

fn write(stream: &Stream, bytes: &[u8]) -> io::Result<()> {
    let mut stream = locked(stream);
    stream.write_all(bytes)?;
    stream.flush()
}

fn locked(stream: &Stream) -> MutexGuard<'_, Box<dyn Write + Send>> {
    stream.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A thread of its own, because nothing can take a blocking read back: it must not hold up the end of the process.
fn read_lines() -> mpsc::Receiver<String> {
    let (typed, lines) = mpsc::channel(1);
    std::thread::spawn(move || {
        for line in io::stdin().lock().lines() {
            let Ok(line) = line else { return };
            if typed.blocking_send(line).is_err() {
                return;
            }
        }
    });
    lines
}
