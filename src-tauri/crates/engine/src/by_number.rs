//! Maps and sets by numbers of our own: of servers, calls, questions, tokens. No server chooses these numbers, so they need no
//! hash that guards against chosen keys, and finding a call costs half as much. What a server names is found by `std`'s maps.

use std::collections::{HashMap, HashSet};

use foldhash::fast::RandomState;

/// What is found by a number of ours.
pub(crate) type ByNumber<K, V> = HashMap<K, V, RandomState>;

/// Numbers of ours.
pub(crate) type Numbers<K> = HashSet<K, RandomState>;
