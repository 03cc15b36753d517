//! What the person is asked where the window's page cannot ask: it died again and again, has not answered for a second that the
//! window is to close, or there is none. What stops is said as the command and the tray say it.

use signalbox_api::OwnerKind;

use crate::{native::Question, stops::Stops};

/// The page died three times within a minute. Yes: load it once more. No: the window closes, by which this stops.
pub(crate) fn keeps_failing(stops: Option<&Stops>) -> Question {
    let what = stops.map_or_else(|| "Closing the window stops nothing.".to_owned(), costs);
    Question {
        title: "Signalbox cannot show its window",
        text: format!(
            "The window's page has failed three times within a minute. What was typed and saved is kept. {what}"
        ),
        yes: "Try again",
        no: "Close the window",
    }
}

/// The page does not answer. Yes: close the window, or quit.
pub(crate) fn not_answering(stops: &Stops) -> Question {
    Question { text: format!("The window's page does not answer. {}", costs(stops)), ..no_page(stops) }
}

/// There is no page. Yes: close the window, or quit.
pub(crate) fn no_page(stops: &Stops) -> Question {
    let (title, yes, no) = match stops.quits {
        false => ("Close Signalbox?", "Close Signalbox", "Keep open"),
        true => ("Quit Signalbox?", "Quit Signalbox", "Keep running"),
    };
    Question { title, text: costs(stops), yes, no }
}

/// What it means to close the window, or to quit.
fn costs(stops: &Stops) -> String {
    if stops.is_unseen() {
        return "Closing the window stops nothing: your tasks are followed in the background. But nothing on this desktop shows that."
            .to_owned();
    }
    if stops.follower() == OwnerKind::Command {
        let goes_on =
            "A command of Signalbox follows your tasks for as long as it runs, also without the window.";
        return [goes_on.to_owned()].into_iter().chain(stops.held_lines()).collect::<Vec<_>>().join("\n\n• ");
    }
    let ends = if stops.quits { "Quitting" } else { "Closing" };
    let costs = match stops.is_unknown() {
        true => vec![
            "Signalbox could not find out in time what stops: tasks may be lost, and answers within their undo time may become drafts"
                .to_owned(),
        ],
        false => stops.lines(),
    };
    format!("{ends} cancels nothing at any server. What it means:\n\n• {}", costs.join("\n• "))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stops::Scope;

    #[test]
    fn what_is_lost_is_said_before_it_is() {
        let stops = Stops::for_test(OwnerKind::Window, 5, 2, 1);
        for question in [keeps_failing(Some(&stops)), not_answering(&stops), no_page(&stops)] {
            for said in ["1 task is lost", "1 call waits", "1 answer has not gone out", "3 tasks go on"] {
                assert!(question.text.contains(said), "{said}: {}", question.text);
            }
        }
    }

    #[test]
    fn who_goes_on_in_the_background_is_not_said_to_stop() {
        let text = keeps_failing(None).text;
        assert!(text.contains("stops nothing") && !text.contains("nobody"), "{text}");
        let text = not_answering(&Stops::unseen(OwnerKind::Serve)).text;
        assert!(text.contains("stops nothing") && !text.contains("nobody"), "{text}");
        let command = Stops::for_test(OwnerKind::Command, 5, 2, 1);
        let text = not_answering(&command).text;
        assert!(text.contains("A command of Signalbox follows") && !text.contains("is lost"), "{text}");
        assert!(text.contains("1 answer has not gone out"), "that is taken back all the same: {text}");
    }

    #[test]
    fn quitting_is_not_called_closing() {
        let stops = Stops::for_test(OwnerKind::Serve, 1, 0, 0).asked(Scope::All, false);
        let asked = not_answering(&stops);
        assert_eq!((asked.title, asked.yes), ("Quit Signalbox?", "Quit Signalbox"));
        assert!(asked.text.contains("Quitting cancels nothing"), "{}", asked.text);
        let unknown = no_page(&Stops::unknown(OwnerKind::Serve));
        assert!(unknown.text.contains("could not find out"), "{}", unknown.text);
    }
}
