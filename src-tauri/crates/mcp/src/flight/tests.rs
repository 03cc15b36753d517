use futures_util::FutureExt as _;

use super::*;
use crate::error::Error;

const LIMIT: usize = 64 * MIB;

fn flight(room: &Room) -> Flight {
    Flight::new(room, LIMIT)
}

/// A message of so many bytes that is whole, and waits for room.
fn whole(flight: &Flight, bytes: usize) -> Spool {
    let mut spool = flight.spool();
    for piece in vec![b'x'; bytes].chunks(48 * 1024) {
        spool.push(piece).unwrap();
    }
    spool
}

/// Room for it, if there is now.
fn arrived(spool: &mut Spool) -> Option<Arrived> {
    spool.complete().now_or_never().map(Result::unwrap)
}

#[tokio::test]
async fn what_comes_in_pieces_arrives_as_it_was_sent() {
    let flight = flight(&Room::default());
    let mut spool = flight.spool();
    for size in [0, 1, FREE, FREE + 1, LARGE, LARGE + 1, 5 * MIB + 7] {
        let sent: Vec<u8> = (0..size).map(|at| u8::try_from(at * 31 % 251).unwrap()).collect();
        for cut in [size.max(1), 50_000, 4_096] {
            sent.chunks(cut).for_each(|piece| spool.push(piece).unwrap());
            assert_eq!(spool.len(), size);
            assert!(sent.starts_with(&spool.beginning()[..size.min(8 * 1024)]), "its beginning can be read");
            let whole = spool.complete().await.unwrap();
            assert!(whole.bytes() == sent.as_slice(), "{size} bytes in pieces of {cut}");
            assert_eq!(spool.len(), 0, "and the next begins");
        }
    }
}

#[tokio::test]
async fn large_messages_of_one_server_wait_for_each_other_and_small_ones_for_none() {
    let flight = flight(&Room::default());
    let mut large: Vec<Spool> = (0..4).map(|_| whole(&flight, 24 * MIB)).collect();
    let first: Vec<_> = large.iter_mut().filter_map(arrived).collect();
    assert_eq!(first.len(), 2, "three are more than 48 MiB");
    let small = arrived(&mut whole(&flight, LARGE));
    assert!(small.is_some(), "what is small has room of its own");
    assert!(large[2].memory() <= FREE, "who waits is in a file");
    // What was read of it may be kept longer than the message itself.
    let mut first = first.into_iter();
    let permit = first.next().unwrap().permit();
    assert!(arrived(&mut large[2]).is_none(), "its room is taken as long as something has its permit");
    drop(permit);
    assert!(arrived(&mut large[2]).is_some_and(|whole| whole.bytes().len() == 24 * MIB));
    assert!(first.next().is_some());
}

#[tokio::test]
async fn small_messages_are_counted_too() {
    let room = Room::default();
    let flight = flight(&room);
    let kept: Vec<_> = std::iter::from_fn(|| arrived(&mut whole(&flight, LARGE))).collect();
    assert_eq!(kept.len() * LARGE, SMALL_OF_ONE);
    let others: Vec<_> = (0..8).map(|_| self::flight(&room)).collect();
    let of_all = |flight| std::iter::from_fn(move || arrived(&mut whole(flight, LARGE)));
    let more: Vec<_> = others.iter().flat_map(of_all).collect();
    assert_eq!((kept.len() + more.len()) * LARGE, SMALL_OF_ALL);
}

#[tokio::test]
async fn all_servers_together_have_112_mib_and_another_ones_small_answers_pass() {
    let room = Room::default();
    let servers: Vec<Flight> = (0..5).map(|_| flight(&room)).collect();
    let mut waiting: Vec<Spool> = servers.iter().map(|server| whole(server, 20 * MIB)).collect();
    let mut has: Vec<_> = waiting.iter_mut().filter_map(arrived).collect();
    assert_eq!(has.len(), 3, "a fourth would be more than 64 MiB");
    assert!(arrived(&mut whole(&flight(&room), 1_000)).is_some(), "a good server is not held up");
    let bytes: usize = has.iter().map(|whole| whole.bytes().len()).sum();
    assert!(bytes <= LARGE_OF_ALL);
    assert_eq!(LARGE_OF_ALL + SMALL_OF_ALL + COMING_OF_ALL * LARGE, 112 * MIB);
    has.pop();
    assert!(arrived(&mut waiting[3]).is_some(), "and goes on as soon as there is room");
}

#[tokio::test]
async fn one_server_has_64_mib_in_memory() {
    let flight = flight(&Room::default());
    let of = |bytes: usize| std::iter::from_fn(|| arrived(&mut whole(&flight, bytes))).collect::<Vec<_>>();
    // What waits for its large ones to be kept has its small ones to go on with.
    let has: Vec<Arrived> = [of(12 * MIB), of(2 * MIB), of(LARGE)].into_iter().flatten().collect();
    let coming: Vec<Spool> = (0..12).map(|_| whole(&flight, LARGE)).collect();
    let comes = coming.iter().map(Spool::memory).filter(|memory| *memory > FREE);
    let bytes = has.iter().map(|whole| whole.bytes().len()).sum::<usize>() + comes.sum::<usize>();
    assert_eq!(bytes, 64 * MIB, "all that one server can have, filled");
}

#[tokio::test]
async fn what_trickles_has_no_memory() {
    let room = Room::default();
    let servers: Vec<Flight> = (0..6).map(|_| flight(&room)).collect();
    // Of each more than all servers could have, one byte short of an end.
    let held: Vec<Spool> =
        servers.iter().flat_map(|server| (0..12).map(|_| whole(server, LARGE)).collect::<Vec<_>>()).collect();
    let large = held.iter().filter(|spool| spool.memory() > FREE).count();
    assert_eq!(large, COMING_OF_ALL, "the others are in files");
    let of_one = held[..12].iter().filter(|spool| spool.memory() > FREE).count();
    assert_eq!(of_one, COMING_OF_ONE);
    let beyond = whole(&servers[0], LARGE + 1);
    assert!(beyond.memory() <= FREE, "nobody keeps a place for what is large: {}", beyond.memory());
    assert!(arrived(&mut whole(&servers[5], 1_000)).is_some(), "nor does it hold up others");
}

#[tokio::test]
async fn what_is_in_files_is_bounded() {
    let room = Room::default();
    let one = flight(&room);
    let of_one = one.at_once(|pools| &pools.files, (FILES_OF_ONE - 2 * MIB) / FREE).expect("all but 2 MiB");
    let mut spool = one.spool();
    let piece = vec![0; FREE];
    let refused = (0..1_000).find_map(|at| spool.push(&piece).err().map(|error| (at * FREE, error)));
    let (at, error) = refused.expect("it ends");
    assert!((MIB..3 * MIB).contains(&at), "after what was left: {at}");
    assert!(matches!(error, Error::Lost { .. }), "nobody knows what it would have said: {error}");
    drop((spool, of_one));
    assert!(whole(&one, 4 * MIB).len() == 4 * MIB, "what was put aside is let go");
    let servers: Vec<Flight> = (0..20).map(|_| flight(&room)).collect();
    let share = FILES_OF_ONE / FREE;
    let taken: Vec<_> =
        servers.iter().filter_map(|server| server.at_once(|pools| &pools.files, share)).collect();
    assert_eq!(taken.len() * FILES_OF_ONE, FILES_OF_ALL);
}

#[tokio::test]
async fn one_that_is_larger_than_its_servers_share_comes_alone() {
    let flight = Flight::new(&Room::default(), 100 * MIB);
    let mut large = whole(&flight, 70 * MIB);
    let alone = arrived(&mut large).expect("the person has allowed it");
    assert!(arrived(&mut whole(&flight, 2 * MIB)).is_none());
    assert!(arrived(&mut whole(&flight, 1_000)).is_some(), "what is small does not wait for it");
    drop(alone);
    assert!(arrived(&mut whole(&flight, 2 * MIB)).is_some());
}

#[tokio::test]
async fn who_stops_waiting_takes_no_room_and_loses_nothing() {
    let flight = flight(&Room::default());
    let first = arrived(&mut whole(&flight, 60 * MIB));
    let mut second = whole(&flight, 10 * MIB);
    for _ in 0..3 {
        assert!(arrived(&mut second).is_none());
    }
    drop(first);
    assert!(arrived(&mut second).is_some_and(|whole| whole.bytes().len() == 10 * MIB));
    assert!(arrived(&mut whole(&flight, 60 * MIB)).is_some(), "nothing is left behind");
}

#[tokio::test]
async fn the_room_goes_with_who_carries_it() {
    let flight = flight(&Room::default());
    let hand = async |bytes| Permit::hand_over(whole(&flight, bytes).complete().await.unwrap().permit());
    let ((), load) = carrying(hand(40 * MIB)).await;
    assert!(arrived(&mut whole(&flight, 40 * MIB)).is_none());
    drop(load);
    assert!(arrived(&mut whole(&flight, 40 * MIB)).is_some());
    hand(40 * MIB).await;
    assert!(arrived(&mut whole(&flight, 40 * MIB)).is_some(), "who carries nothing has nothing");
}

#[tokio::test(start_paused = true)]
async fn what_comes_unasked_is_read_at_our_pace() {
    let flight = flight(&Room::default());
    let read = |times: usize| {
        let flight = flight.clone();
        async move {
            let begun = tokio::time::Instant::now();
            for _ in 0..times {
                flight.ready().await;
                flight.unasked(MIB);
            }
            begun.elapsed()
        }
    };
    assert_eq!(read(8).await, Duration::ZERO, "a burst is read as it comes");
    let flooded = read(40).await;
    assert!(flooded.as_millis().abs_diff(10_000) < 500, "40 MiB take ten seconds: {flooded:?}");
    assert_eq!(self::flight(&Room::default()).ready().await, (), "another server does not wait");
    tokio::time::advance(Duration::from_secs(60)).await;
    assert_eq!(read(8).await, Duration::ZERO, "a rest saves a burst, and no more");
    assert!(read(8).await > Duration::from_secs(1));
}
