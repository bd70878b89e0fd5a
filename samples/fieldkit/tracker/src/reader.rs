//! Reads what the receiver writes: one "latitude longitude" a line; lines it cannot read are skipped.

use std::io::{BufRead, Error};

use crate::point::Point;

pub struct Recording {
    pub points: Vec<Point>,
    pub skipped: usize,
}

pub fn read(input: impl BufRead) -> Result<Recording, Error> {
    let mut recording = Recording { points: Vec::new(), skipped: 0 };
    for line in input.lines() {
        match parse(&line?) {
            Some(point) => recording.points.push(point),
            None => recording.skipped += 1,
        }
    }
    Ok(recording)
}

fn parse(line: &str) -> Option<Point> {
    let mut parts = line.split_whitespace();
    let latitude: f64 = parts.next()?.parse().ok()?;
    let longitude: f64 = parts.next()?.parse().ok()?;
    let valid = latitude.abs() <= 90.0 && longitude.abs() <= 180.0;
    valid.then(|| Point::new(latitude, longitude))
}
