//! What happens to a recorded walk before it is sent. Filters run in the order they are given.

use crate::point::Point;

pub trait Filter {
    fn name(&self) -> &'static str;
    fn apply(&self, points: Vec<Point>) -> Vec<Point>;
}

/// Drops fixes that would need an impossible speed; `seconds` is the recording interval.
pub struct DropJumps {
    pub metres_per_second: f64,
    pub seconds: f64,
}

impl Filter for DropJumps {
    fn name(&self) -> &'static str {
        "jumps"
    }

    fn apply(&self, points: Vec<Point>) -> Vec<Point> {
        let limit = self.metres_per_second * self.seconds;
        let mut kept: Vec<Point> = Vec::with_capacity(points.len());
        for point in points {
            if kept.last().map_or(true, |last| last.distance(point) <= limit) {
                kept.push(point);
            }
        }
        kept
    }
}

/// Ramer-Douglas-Peucker: no dropped point was further than `metres` from the line that remains.
pub struct Simplify {
    pub metres: f64,
}

impl Filter for Simplify {
    fn name(&self) -> &'static str {
        "simplify"
    }

    fn apply(&self, points: Vec<Point>) -> Vec<Point> {
        if points.len() < 3 {
            return points;
        }
        let mut keep = vec![false; points.len()];
        keep[0] = true;
        keep[points.len() - 1] = true;
        self.mark(&points, 0, points.len() - 1, &mut keep);
        points.into_iter().zip(keep).filter(|(_, k)| *k).map(|(p, _)| p).collect()
    }
}

impl Simplify {
    fn mark(&self, points: &[Point], first: usize, last: usize, keep: &mut [bool]) {
        let far = (first + 1..last)
            .map(|i| (i, points[i].distance_to_line(points[first], points[last])))
            .max_by(|a, b| a.1.total_cmp(&b.1));
        if let Some((index, distance)) = far {
            if distance > self.metres {
                keep[index] = true;
                self.mark(points, first, index, keep);
                self.mark(points, index, last, keep);
            }
        }
    }
}

/// The filters a device uses.
pub fn standard() -> Vec<Box<dyn Filter>> {
    vec![
        Box::new(DropJumps { metres_per_second: 12.0, seconds: 5.0 }),
        Box::new(Simplify { metres: 4.0 }),
    ]
}

pub fn run(filters: &[Box<dyn Filter>], mut points: Vec<Point>) -> Vec<Point> {
    for filter in filters {
        let before = points.len();
        points = filter.apply(points);
        eprintln!("{}: {} -> {} points", filter.name(), before, points.len());
    }
    points
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_straight_walk_needs_two_points() {
        let walk: Vec<Point> = (0..50).map(|i| Point::new(52.0 + i as f64 * 1e-5, 13.0)).collect();
        assert_eq!(Simplify { metres: 1.0 }.apply(walk).len(), 2);
    }

    #[test]
    fn a_jump_is_dropped() {
        let walk = vec![Point::new(52.0, 13.0), Point::new(53.0, 13.0), Point::new(52.0001, 13.0)];
        let filter = DropJumps { metres_per_second: 12.0, seconds: 5.0 };
        assert_eq!(filter.apply(walk).len(), 2);
    }
}
