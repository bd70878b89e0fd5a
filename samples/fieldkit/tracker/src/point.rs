//! Positions in degrees, and distances in metres.

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Point {
    pub latitude: f64,
    pub longitude: f64,
}

const METRES_PER_DEGREE: f64 = 111_195.0;

impl Point {
    pub fn new(latitude: f64, longitude: f64) -> Self {
        Point { latitude, longitude }
    }

    /// Metres east and north of `origin`, on a plane; good enough for a day's walk.
    fn relative_to(self, origin: Point) -> (f64, f64) {
        let shrink = origin.latitude.to_radians().cos();
        (
            (self.longitude - origin.longitude) * METRES_PER_DEGREE * shrink,
            (self.latitude - origin.latitude) * METRES_PER_DEGREE,
        )
    }

    pub fn distance(self, other: Point) -> f64 {
        let (x, y) = other.relative_to(self);
        x.hypot(y)
    }

    /// How far this point is from the straight line between two others.
    pub fn distance_to_line(self, start: Point, end: Point) -> f64 {
        let (ex, ey) = end.relative_to(start);
        let (px, py) = self.relative_to(start);
        let length = ex.hypot(ey);
        if length == 0.0 {
            return px.hypot(py);
        }
        (ex * py - ey * px).abs() / length
    }
}
