//! A sorted list in pieces: what is put in or taken out moves no more than its piece.

/// A sorted list without duplicates, in pieces of at most twice `PIECE`. None is empty.
#[derive(Debug)]
pub(crate) struct Sorted<T, const PIECE: usize = 512> {
    pieces: Vec<Vec<T>>,
    len: usize,
}

impl<T: Ord + Copy, const PIECE: usize> Sorted<T, PIECE> {
    /// Of parts that are not sorted, each of which ends before the next one begins.
    pub(crate) fn of(parts: impl IntoIterator<Item = Vec<T>>) -> Self {
        let (mut pieces, mut len) = (Vec::<Vec<T>>::new(), 0);
        for mut part in parts {
            // It finds what stands in order: mostly that is one run for each thread.
            part.sort();
            len += part.len();
            // There may be thousands of small parts: a piece each would make all that counts pieces slow.
            match pieces.last_mut() {
                Some(last) if last.len() + part.len() <= PIECE => last.append(&mut part),
                _ => pieces.extend(part.chunks(PIECE).map(<[T]>::to_vec)),
            }
        }
        Self { pieces, len }
    }

    pub(crate) fn len(&self) -> usize {
        self.len
    }

    pub(crate) fn contains(&self, item: &T) -> bool {
        self.pieces.get(self.piece(item)).is_some_and(|piece| piece.binary_search(item).is_ok())
    }

    pub(crate) fn insert(&mut self, item: T) {
        if self.pieces.is_empty() {
            self.pieces.push(Vec::new());
        }
        // What is larger than all others belongs to the last piece.
        let at = self.piece(&item).min(self.pieces.len() - 1);
        let piece = &mut self.pieces[at];
        let Err(place) = piece.binary_search(&item) else { return };
        piece.insert(place, item);
        self.len += 1;
        if piece.len() > 2 * PIECE {
            let rest = piece.split_off(PIECE);
            self.pieces.insert(at + 1, rest);
        }
    }

    pub(crate) fn remove(&mut self, item: &T) {
        let at = self.piece(item);
        let Some(piece) = self.pieces.get_mut(at) else { return };
        let Ok(place) = piece.binary_search(item) else { return };
        piece.remove(place);
        self.len -= 1;
        if piece.is_empty() {
            self.pieces.remove(at);
        }
    }

    /// The items from place `offset` on.
    pub(crate) fn starting_at(&self, offset: usize) -> impl Iterator<Item = &T> {
        let (mut at, mut left) = (0, offset);
        while let Some(piece) = self.pieces.get(at).filter(|piece| piece.len() <= left) {
            left -= piece.len();
            at += 1;
        }
        self.pieces[at..].iter().flatten().skip(left)
    }

    /// The items behind those that `is_before` says of: these stand first.
    pub(crate) fn behind(&self, is_before: impl Fn(&T) -> bool) -> impl Iterator<Item = &T> {
        let at = self.pieces.partition_point(|piece| piece.last().is_some_and(&is_before));
        let before = self.pieces.get(at).map_or(0, |piece| piece.partition_point(&is_before));
        self.pieces[at..].iter().flatten().skip(before)
    }

    /// The first piece that does not end before this item.
    fn piece(&self, item: &T) -> usize {
        self.pieces.partition_point(|piece| piece.last().is_some_and(|last| last < item))
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::{collection::vec, prelude::*};

    use super::*;

    proptest! {
        #[test]
        fn it_holds_what_a_set_holds(
            first in vec(0_u8..60, 0..40),
            then in vec((any::<bool>(), 0_u8..60), 0..200),
            offset in 0_usize..70,
        ) {
            let mut set: BTreeSet<u8> = first.into_iter().collect();
            let parts = [0..5, 5..7, 7..30, 30..60].map(|part: std::ops::Range<u8>| set.range(part).rev().copied().collect());
            let mut sorted = Sorted::<u8, 3>::of(parts);
            for (put, item) in then {
                if put {
                    set.insert(item);
                    sorted.insert(item);
                } else {
                    set.remove(&item);
                    sorted.remove(&item);
                }
                prop_assert_eq!(sorted.len(), set.len());
                prop_assert!(sorted.pieces.iter().all(|piece| (1..=6).contains(&piece.len())));
            }
            let rest: Vec<u8> = sorted.starting_at(offset).copied().collect();
            let expected: Vec<u8> = set.iter().skip(offset).copied().collect();
            prop_assert_eq!(rest, expected);
            let before = u8::try_from(offset).unwrap();
            let behind: Vec<u8> = sorted.behind(|item| *item <= before).copied().collect();
            prop_assert_eq!(behind, set.range(before + 1..).copied().collect::<Vec<u8>>());
            for item in 0..60 {
                prop_assert_eq!(sorted.contains(&item), set.contains(&item));
            }
        }
    }
}
