//! Coming forward: who raises the window learns by which right, and nobody else.

use signalbox_api::{Ask, DeskExt as _, View, command, look};
use signalbox_model::ActivationToken;

use crate::stage::Stage;

#[tokio::test(flavor = "multi_thread")]
async fn the_right_to_come_forward_goes_to_who_raises_the_window() {
    let stage = Stage::set().await;
    let desk = stage.opened.desk();
    let token = ActivationToken::try_from("e3b0c442".to_owned()).ok();
    stage.act(command::BringForward { item: None, link: None, token: token.clone() }).await;
    let (.., given) = desk.see(look::Forward { raises: true }).await.unwrap();
    assert_eq!(given, token);
    let (wish, _, _, _, given) = desk.see(look::Forward { raises: false }).await.unwrap();
    assert_eq!((wish, given), (1, None), "who only shows what is wished needs none");

    stage.act(command::BringForward { item: None, link: None, token: None }).await;
    let (wish, _, _, _, given) = desk.see(look::Forward { raises: true }).await.unwrap();
    assert_eq!((wish, given), (2, None), "it was for the first wish");
}

#[test]
fn the_page_never_raises_the_window() {
    for view in [r#"{"type":"forward"}"#, r#"{"type":"forward","raises":true}"#] {
        let ask = format!(r#"{{"ask":"changes","view":{view},"waitMs":0}}"#);
        let ask = Ask::from_page(serde_json::from_str(&ask).unwrap()).unwrap();
        assert!(matches!(ask, Ask::Changes { view: View::Forward { raises: false }, .. }), "{ask:?}");
    }
}
