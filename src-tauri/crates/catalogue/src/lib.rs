//! The catalogue: a narrow row for each task and each input request, in memory, so that any filter, order and grouping is
//! answered without a look at the store.
//!
//! A [`Sight`] is a list as somebody looks at it. It is made once from all rows, and after that costs what changed: a row
//! that is put finds its place by halving. Where membership depends on the time that passes (`age>1h`), the sight knows
//! when the next row turns.
//!
//! A plain word is looked for in the beginnings that a row has. Whoever has an index of the full texts tells what was found
//! there, and a list takes that in as any other change ([`Rows::put_found`]).
//!
//! Pure: no I/O, no clock. Whoever owns it hands in the rows, and what time it is.

mod filter;
mod fold;
mod found;
mod gather;
mod language;
mod length;
mod narrow_row;
mod order;
mod part;
mod request;
mod rows;
mod sight;
mod sorted;
mod stacks;
mod suggest;
mod task;
mod turns;
mod world;

pub use filter::{Filter, FilterError};
pub use language::{Language, language};
pub use narrow_row::{Key, Moment, NarrowRow};
pub use order::{Grouping, Order, OrderError};
pub use request::NarrowRequest;
pub use rows::{Change, Rows};
pub use sight::{Group, Query, Sight};
pub use stacks::Stacks;
pub use suggest::{Suggestion, suggest};
pub use task::NarrowTask;
pub use world::{ToolNumber, World};
