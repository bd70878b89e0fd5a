//! The compact text form of a track: deltas of 1e-5 degrees, zigzag, base 32, continuation bit.

use crate::point::Point;

pub fn encode(points: &[Point]) -> String {
    let mut out = String::new();
    let (mut latitude, mut longitude) = (0_i64, 0_i64);
    for point in points {
        let next = (scaled(point.latitude), scaled(point.longitude));
        push_number(&mut out, next.0 - latitude);
        push_number(&mut out, next.1 - longitude);
        (latitude, longitude) = next;
    }
    out
}

fn scaled(degrees: f64) -> i64 {
    (degrees * 1e5).round() as i64
}

fn push_number(out: &mut String, number: i64) {
    let mut rest = ((number << 1) ^ (number >> 63)) as u64;
    while rest >= 0x20 {
        out.push(char::from((0x20 | (rest & 0x1f)) as u8 + 63));
        rest >>= 5;
    }
    out.push(char::from(rest as u8 + 63));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_known_track() {
        let points = [Point::new(38.5, -120.2), Point::new(40.7, -120.95)];
        assert_eq!(encode(&points), "_p~iF~ps|U_ulLnnqC");
    }
}
