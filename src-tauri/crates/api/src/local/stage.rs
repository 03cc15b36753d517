//! The desk of an owner, for tests that look inside it.

use std::{path::Path, sync::Arc};

use signalbox_engine::{Engine, EngineOptions, Follow};
use signalbox_signin::Secrets;
use signalbox_store::Store;

use super::Local;
use crate::{Home, OwnerKind, Settings};

/// A desk on a store in `dir`.
pub(crate) async fn local(dir: &Path, secrets: &Arc<Secrets>) -> Local {
    let settings = Settings { poll_floor_ms: 100, ..Settings::default() };
    let options =
        EngineOptions { follow: Follow::All, tuning: settings.tuning(), version: "0".into(), programs: None };
    let home = Home::at(dir).unwrap();
    let store = Store::open(home.dir()).unwrap();
    let engine = Engine::start(store, Arc::clone(secrets), options).await.unwrap();
    Local::new(engine, Arc::clone(secrets), home, OwnerKind::Serve, settings)
}
