//! The few rows that fit best, of all that there are.

use std::{cmp::Reverse, collections::BinaryHeap};

use signalbox_catalogue::World;
use signalbox_store::ReadError;

use super::{Catalogue, Listed};

impl Catalogue {
    /// At most `most` of the rows that `rank` gives a number to: the largest first, and of equals the newest. Each row is looked at
    /// once, and only so many are remembered. It blocks.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub(in crate::local) fn best<L: Listed>(
        &self,
        most: usize,
        mut rank: impl FnMut(&L, &World) -> Option<u64>,
    ) -> Result<Vec<(u64, L::Id)>, ReadError> {
        self.0.catch_up()?;
        let mut kept = self.0.kept();
        let (list, world) = L::rows(&mut kept);
        let mut best = BinaryHeap::with_capacity(most + 1);
        for row in list.iter() {
            let Some(rank) = rank(row, world) else { continue };
            best.push(Reverse((rank, row.number())));
            if best.len() > most {
                best.pop();
            }
        }
        let best = best.into_sorted_vec().into_iter();
        Ok(best.map(|Reverse((rank, number))| (rank, L::id_of(number))).collect())
    }
}
