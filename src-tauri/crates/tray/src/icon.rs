//! The icon of the tray: the signal head of `icons/signalbox.svg`, with an amber badge that counts what needs its person.
//!
//! Its upper lamp is lit only while somebody is needed. Everything is drawn by distance to lines, so that it is sharp at every
//! size; digits are made of seven strokes, as signs beside a railway are.

/// The sizes that panels ask for, in pixels.
pub const SIZES: [u8; 5] = [22, 24, 32, 44, 48];

/// A colour, without how much it covers.
type Colour = [f32; 3];

const DARK: Colour = [26.0, 29.0, 33.0];
const LIGHT: Colour = [229.0, 230.0, 232.0];
const AMBER: Colour = [242.0, 176.0, 69.0];
const GREY: Colour = [141.0, 149.0, 159.0];

/// Each pixel is looked at in so many rows and columns.
const SAMPLES: u8 = 4;

/// A picture of this size in pixels, row by row: alpha, red, green, blue of each.
#[must_use]
pub fn argb(size: u8, count: u32) -> Vec<u8> {
    drawn(size, whole(count)).concat()
}

/// The same: red, green, blue, alpha of each.
#[must_use]
pub fn rgba(size: u8, count: u32) -> Vec<u8> {
    last_alpha(drawn(size, whole(count)))
}

/// The badge alone, as wide as the picture: for an icon that the system shows anyway. Red, green, blue, alpha of each pixel. None
/// where nobody is needed.
#[must_use]
pub fn badge_rgba(size: u8, count: u32) -> Option<Vec<u8>> {
    let badge = badge(count)?;
    let to = |(x, y): Point| (1.0 - (1.0 - x) * badge.width, 1.0 - BADGE / 2.0 + (y - 0.5) * badge.width);
    Some(last_alpha(drawn(size, |point| badge.at(to(point)))))
}

fn last_alpha(pixels: Vec<[u8; 4]>) -> Vec<u8> {
    pixels.into_iter().flat_map(|[alpha, red, green, blue]| [red, green, blue, alpha]).collect()
}

/// The colours of the whole picture.
fn whole(count: u32) -> impl Fn(Point) -> Option<Colour> {
    let badge = badge(count);
    move |point| badge.as_ref().and_then(|badge| badge.at(point)).or_else(|| head(point, count))
}

/// Alpha, red, green, blue of each pixel, by the colour of each point.
fn drawn(size: u8, colour: impl Fn(Point) -> Option<Colour>) -> Vec<[u8; 4]> {
    let step = f32::from(SAMPLES);
    let mut pixels = Vec::with_capacity(usize::from(size) * usize::from(size));
    for row in 0..size {
        for column in 0..size {
            let (mut covered, mut sum) = (0.0, [0.0; 3]);
            for sample in 0..SAMPLES * SAMPLES {
                let at = |pixel: u8, part: u8| {
                    (f32::from(pixel) + (f32::from(part) + 0.5) / step) / f32::from(size)
                };
                let point = (at(column, sample % SAMPLES), at(row, sample / SAMPLES));
                if let Some(colour) = colour(point) {
                    covered += 1.0;
                    sum = [0, 1, 2].map(|part| sum[part] + colour[part]);
                }
            }
            let byte = |value: f32| {
                #[expect(
                    clippy::cast_possible_truncation,
                    clippy::cast_sign_loss,
                    reason = "it is between 0 and 255"
                )]
                let byte = value.round() as u8;
                byte
            };
            let alpha = byte(covered * 255.0 / (step * step));
            let [red, green, blue] = sum.map(|sum| if covered > 0.0 { byte(sum / covered) } else { 0 });
            pixels.push([alpha, red, green, blue]);
        }
    }
    pixels
}

/// What the badge says; nothing where nobody is needed.
#[must_use]
pub fn number(count: u32) -> Option<String> {
    match count {
        0 => None,
        1..=99 => Some(count.to_string()),
        _ => Some("99+".to_owned()),
    }
}

/// A point; both from 0 to 1, from the upper left.
type Point = (f32, f32);

/// The signal head: a dark board with a light edge, one lamp above another.
fn head(point: Point, count: u32) -> Option<Colour> {
    let to_lamp = |y: f32| (point.0 - 0.5).hypot(point.1 - y);
    // A ring of the board's own colour keeps its edge apart from a light panel.
    let board = from_board(point);
    match () {
        () if count > 0 && to_lamp(0.328) < 0.125 => Some(AMBER),
        () if count == 0 && (to_lamp(0.328) - 0.102).abs() < 0.026 => Some(GREY),
        () if (to_lamp(0.672) - 0.102).abs() < 0.026 => Some(GREY),
        () if board < -0.027 => Some(DARK),
        () if board < 0.027 => Some(LIGHT),
        () if board < 0.047 => Some(DARK),
        () => None,
    }
}

/// How far a point is from the edge of the board; negative inside.
fn from_board((x, y): Point) -> f32 {
    rounded((x - 0.5, y - 0.5), (0.258, 0.43), 0.18)
}

/// How far a point is from the edge of a rectangle around the middle; negative inside.
fn rounded((x, y): Point, (half_width, half_height): Point, radius: f32) -> f32 {
    let (beyond_x, beyond_y) = (x.abs() - half_width + radius, y.abs() - half_height + radius);
    beyond_x.max(0.0).hypot(beyond_y.max(0.0)) + beyond_x.max(beyond_y).min(0.0) - radius
}

/// A number on amber, at the lower right.
struct Badge {
    width: f32,
    strokes: Vec<(Point, Point)>,
}

/// How high the badge is, and a digit on it.
const BADGE: f32 = 0.56;
const DIGIT: Point = (0.15, 0.32);
const BETWEEN: f32 = 0.1;
/// Half of a stroke's breadth.
const STROKE: f32 = 0.036;

fn badge(count: u32) -> Option<Badge> {
    let text = number(count)?;
    let glyphs = f32::from(u8::try_from(text.len()).unwrap_or(u8::MAX));
    let written = glyphs * DIGIT.0 + (glyphs - 1.0) * BETWEEN;
    let width = (written + 0.34).clamp(BADGE, 1.0);
    let (mut x, y) = (1.0 - (width + written) / 2.0, 1.0 - (BADGE + DIGIT.1) / 2.0);
    let mut strokes = Vec::new();
    for glyph in text.chars() {
        strokes.extend(strokes_of(glyph).map(|((x1, y1), (x2, y2))| {
            let to = |(fx, fy): Point| (x + fx * DIGIT.0, y + fy * DIGIT.1);
            (to((x1, y1)), to((x2, y2)))
        }));
        x += DIGIT.0 + BETWEEN;
    }
    Some(Badge { width, strokes })
}

impl Badge {
    fn at(&self, point: Point) -> Option<Colour> {
        let middle = (1.0 - self.width / 2.0, 1.0 - BADGE / 2.0);
        let inside = (point.0 - middle.0, point.1 - middle.1);
        let edge = rounded(inside, (self.width / 2.0, BADGE / 2.0), BADGE / 2.0);
        let is_written = || self.strokes.iter().any(|stroke| from_line(point, *stroke) < STROKE);
        match () {
            () if edge < -0.03 && is_written() => Some(DARK),
            () if edge < -0.03 => Some(AMBER),
            () if edge < 0.0 => Some(DARK),
            () => None,
        }
    }
}

/// How far a point is from a line between two others.
fn from_line(point: Point, (from, to): (Point, Point)) -> f32 {
    let (along, off) = ((to.0 - from.0, to.1 - from.1), (point.0 - from.0, point.1 - from.1));
    let length = along.0 * along.0 + along.1 * along.1;
    let part = ((off.0 * along.0 + off.1 * along.1) / length).clamp(0.0, 1.0);
    (off.0 - part * along.0).hypot(off.1 - part * along.1)
}

/// The strokes of a digit or of a plus, in a box of 1 by 1.
fn strokes_of(glyph: char) -> impl Iterator<Item = (Point, Point)> {
    /// Top, upper right, lower right, bottom, lower left, upper left, middle, and the upright of the plus.
    const STROKES: [(Point, Point); 8] = [
        ((0.0, 0.0), (1.0, 0.0)),
        ((1.0, 0.0), (1.0, 0.5)),
        ((1.0, 0.5), (1.0, 1.0)),
        ((0.0, 1.0), (1.0, 1.0)),
        ((0.0, 0.5), (0.0, 1.0)),
        ((0.0, 0.0), (0.0, 0.5)),
        ((0.0, 0.5), (1.0, 0.5)),
        ((0.5, 0.26), (0.5, 0.74)),
    ];
    let which = match glyph {
        '0' => "012345",
        '1' => "12",
        '2' => "01643",
        '3' => "01623",
        '4' => "5612",
        '5' => "05623",
        '6' => "054326",
        '7' => "012",
        '8' => "0123456",
        '9' => "650123",
        _ => "67",
    };
    which.bytes().map(|digit| STROKES[usize::from(digit - b'0')])
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A picture as letters: `A`mber, `L`ight, `D`ark, `G`rey, and a dot for what is seen through.
    fn letters(size: u8, count: u32) -> Vec<String> {
        letters_of(size, &argb(size, count))
    }

    fn letters_of(size: u8, argb: &[u8]) -> Vec<String> {
        let nearest = |pixel: &[u8]| match pixel[0] {
            0..128 => '.',
            _ => {
                let away = |colour: Colour| {
                    let parts = colour.iter().zip(&pixel[1..]);
                    parts.map(|(is, seen)| (is - f32::from(*seen)).powi(2)).sum::<f32>()
                };
                let all = [('A', AMBER), ('L', LIGHT), ('D', DARK), ('G', GREY)];
                all.into_iter().min_by(|a, b| away(a.1).total_cmp(&away(b.1))).unwrap().0
            }
        };
        let pixels: Vec<char> = argb.chunks(4).map(nearest).collect();
        pixels.chunks(size.into()).map(|row| row.iter().collect()).collect()
    }

    fn amber(size: u8, count: u32) -> usize {
        letters(size, count).iter().map(|row| row.matches('A').count()).sum()
    }

    #[test]
    fn the_number_has_at_most_two_digits() {
        let table =
            [(0, None), (1, Some("1")), (99, Some("99")), (100, Some("99+")), (u32::MAX, Some("99+"))];
        for (count, text) in table {
            assert_eq!(number(count).as_deref(), text, "{count}");
        }
    }

    #[test]
    fn each_size_is_drawn_whole_and_by_itself() {
        for size in SIZES {
            for count in [0, 1, 42, 1_000] {
                let pixels = usize::from(size).pow(2);
                assert_eq!(argb(size, count).len(), pixels * 4, "{size} px");
            }
            let rows = letters(size, 0);
            let corners = [(0, 0), (0, rows.len() - 1)].map(|(x, y)| rows[y].as_bytes()[x]);
            assert_eq!(corners, *b"..", "nothing is behind the head: {rows:#?}");
        }
    }

    #[test]
    fn both_orders_are_the_same_picture() {
        let (argb, rgba) = (argb(22, 3), rgba(22, 3));
        for (one, other) in argb.chunks(4).zip(rgba.chunks(4)) {
            assert_eq!([one[1], one[2], one[3], one[0]], other);
        }
    }

    #[test]
    fn amber_shows_only_while_somebody_is_needed() {
        for size in SIZES {
            assert_eq!(amber(size, 0), 0, "{size} px: no lamp is lit");
            assert!(amber(size, 1) > usize::from(size).pow(2) / 9, "{size} px: a lamp and a badge");
            assert!(amber(size, 100) > amber(size, 1), "{size} px: a longer number has a wider badge");
        }
    }

    #[test]
    fn no_number_looks_like_another() {
        for size in SIZES {
            let mut seen: Vec<(u32, Vec<u8>)> = Vec::new();
            for count in 0..=100 {
                let picture = argb(size, count);
                let same = seen.iter().find(|(_, other)| *other == picture);
                assert_eq!(same.map(|(other, _)| other), None, "{count} at {size} px");
                seen.push((count, picture));
            }
            assert_eq!(argb(size, 100), argb(size, 5_000), "from there on it says no more");
        }
    }

    #[test]
    fn a_number_stands_dark_on_amber() {
        let rows = letters(48, 1);
        let badge: Vec<&str> = rows[48 - 20..48 - 7].iter().map(|row| &row[30..]).collect();
        let dark = badge.iter().filter(|row| row.trim_matches(['.', 'D']).contains("DD")).count();
        assert!(dark > 10, "the one is a line from above to below: {badge:#?}");
    }

    #[test]
    fn a_badge_alone_is_as_wide_as_its_picture_and_has_the_number() {
        assert_eq!(badge_rgba(16, 0), None, "nobody is needed");
        let mut seen: Vec<Vec<u8>> = Vec::new();
        for count in 1..=100 {
            let badge = badge_rgba(16, count).unwrap();
            let argb: Vec<u8> =
                badge.chunks(4).flat_map(|pixel| [pixel[3], pixel[0], pixel[1], pixel[2]]).collect();
            let rows = letters_of(16, &argb);
            let middle = rows[7].as_bytes();
            assert!(middle[0] != b'.' && middle[15] != b'.', "{count}: it reaches both sides: {rows:#?}");
            assert!(rows.iter().any(|row| row.contains('A')), "{count}: {rows:#?}");
            assert!(!seen.contains(&badge), "{count} looks like another");
            seen.push(badge);
        }
    }
}
