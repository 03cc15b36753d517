//! Looks in types: each says what it sees. [`View`] and [`ViewData`] are what crosses.

use signalbox_model::{ActivationToken, CallId, ItemRef, Json, RequestId};
use signalbox_notify::PastNotice;

use super::{
    InboxTab, ListOf, ListQuery, Offer, OverviewChange, Page, RequestDetail, RequestEntry, RequestList,
    RequestRow, TaskDetail, TaskEntry, TaskRow, Trouble, View, ViewData,
};

/// A look at something.
pub trait Look: Into<View> + Send {
    /// What is seen.
    type Seen: Send;

    /// What is seen, as it came. None of another view.
    fn seen(data: ViewData) -> Option<Self::Seen>;
}

/// Pairs each [`View`] with its [`ViewData`].
macro_rules! looks {
    ($($Name:ident { $($field:ident: $Type:ty),* } -> { $($part:ident),+ }: $Seen:ty,)+) => {
        $(
            #[doc = concat!("[`View::", stringify!($Name), "`]")]
            #[derive(Debug, Clone)]
            pub struct $Name {
                $(#[doc = concat!("As of [`View::", stringify!($Name), "`].")] pub $field: $Type,)*
            }

            impl From<$Name> for View {
                fn from($Name { $($field),* }: $Name) -> Self {
                    Self::$Name { $($field),* }
                }
            }

            impl Look for $Name {
                type Seen = $Seen;

                fn seen(data: ViewData) -> Option<$Seen> {
                    match data {
                        ViewData::$Name { $($part),+ } => Some(($($part),+)),
                        _ => None,
                    }
                }
            }
        )+

        impl View {
            /// Whether this is what it shows.
            pub(crate) fn shows(&self, data: &ViewData) -> bool {
                match self {
                    $(Self::$Name { .. } => matches!(data, ViewData::$Name { .. }),)+
                }
            }
        }
    };
}

looks! {
    Overview {} -> { change }: Box<OverviewChange>,
    Tasks { query: ListQuery, offset: u32, limit: u32 } -> { page }: Page<CallId, TaskRow>,
    TaskEntries { query: ListQuery, offset: u32, limit: u32 } -> { page }: Page<CallId, TaskEntry>,
    Inbox { tab: InboxTab, filter: String, within: String, offset: u32, limit: u32 } -> { page }: Page<RequestId, RequestRow>,
    Requests { list: RequestList, filter: String, offset: u32, limit: u32, whole: bool } -> { page }: Page<RequestId, RequestEntry>,
    Task { call: CallId } -> { task }: Option<Box<TaskDetail>>,
    RequestLog { call: CallId } -> { log }: Box<signalbox_model::RequestLog>,
    Request { request: RequestId } -> { request }: Option<Box<RequestDetail>>,
    Stack { request: RequestId } -> { stack }: Option<Box<super::Stack>>,
    Preference { key: String } -> { value }: Option<Json>,
    Offers { list: ListOf, within: String, before: String, after: String } -> { offers }: Vec<Offer>,
    Troubles {} -> { troubles }: Vec<Trouble>,
    Notices {} -> { past }: Vec<PastNotice>,
    Forward { raises: bool } -> { wish, item, led, quit, token }: (u32, Option<ItemRef>, Option<crate::Led>, bool, Option<ActivationToken>),
}
