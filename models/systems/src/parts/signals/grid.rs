//! Tables over two arguments, as polynomials between rows and columns.

use fmu_runtime::{ModelError, Number, enumeration};

use super::axis::{Axis, Extrapolation, Place};

enumeration! {
    /// How the values of a table over two arguments are joined.
    pub enum Smoothness2D {
        LinearSegments = "by straight lines along both arguments",
        ContinuousDerivative = "by Akima's bivariate spline",
        ConstantSegments = "each value holds until the next row and column",
    }
}

/// Coefficients of t1^i t2^j, by i, of a piece in both arguments.
pub type Patch = [[f64; 4]; 4];

/// A table over two arguments as polynomials between its rows and columns.
#[derive(Debug, Default)]
pub struct Grid {
    /// The arguments u1 and u2.
    pub axes: [Axis; 2],
    patches: Vec<Patch>,
}

impl Grid {
    /// Prepares the rows of a table: the first one has the values of u2, and each other one a value of u1 before its own.
    ///
    /// # Errors
    ///
    /// Describes arguments that do not rise, as `table[3,1] is …`.
    pub fn new(
        elements: &[f64],
        columns: usize,
        smoothness: Smoothness2D,
        extrapolation: Extrapolation,
    ) -> Result<Self, ModelError> {
        let mut rows = elements.chunks_exact(columns);
        let u2 = rows.next().map(|row| row[1..].to_vec()).unwrap_or_default();
        let (u1, values): (Vec<f64>, Vec<&[f64]>) = rows.map(|row| (row[0], &row[1..])).unzip();
        if u1.is_empty() {
            return Err(ModelError::invalid(
                "table has one row only, but needs two: the first one has the values of u2, each other one a value of u1 and the \
                 values there",
            ));
        }
        let falls = |arguments: &[f64]| arguments.windows(2).position(|pair| pair[1] <= pair[0]);
        let wrong = |row: usize, column: usize, line: &str, pair: &[f64]| {
            Err(ModelError::invalid(format!(
                "table[{row},{column}] is {}, but the first {line} must rise, and the one before is {}",
                Number(pair[1]),
                Number(pair[0])
            )))
        };
        if let Some(i) = falls(&u1) {
            return wrong(i + 3, 1, "column", &u1[i..]);
        }
        if let Some(i) = falls(&u2) {
            return wrong(1, i + 3, "row", &u2[i..]);
        }
        let is_periodic = extrapolation == Extrapolation::Periodic;
        if let Some((name, _)) = [("u1", &u1), ("u2", &u2)].into_iter().find(|(_, u)| is_periodic && u.len() == 1) {
            return Err(ModelError::invalid(format!(
                "table has one value of {name} only, which cannot be repeated: give a second one, or another extrapolation"
            )));
        }
        let axes = [&u1, &u2].map(|u| Axis::new(u, is_periodic));
        let continues = extrapolation == Extrapolation::LastTwoPoints;
        let surface = Surface::new([u1, u2], &values, smoothness);
        let mut patches = Vec::with_capacity(axes[0].count() * axes[1].count());
        for i in 0..axes[0].count() {
            patches.extend((0..axes[1].count()).map(|j| surface.patch([i, j], continues)));
        }
        Ok(Self { axes, patches })
    }

    /// Returns the coefficients at a place in both arguments, and the origins from which these count.
    pub fn patch(&self, places: [Place; 2]) -> (&Patch, [f64; 2]) {
        let [(i, first), (j, second)] = [0, 1].map(|k| self.axes[k].piece(places[k]));
        (&self.patches[i * self.axes[1].count() + j], [first, second])
    }
}

/// Values and derivatives at the points of a table.
struct Surface {
    u: [Vec<f64>; 2],
    /// For each row and column, the value and its derivatives by u1, by u2 and by both.
    points: Vec<Vec<[f64; 4]>>,
    smoothness: Smoothness2D,
}

impl Surface {
    fn new(u: [Vec<f64>; 2], values: &[&[f64]], smoothness: Smoothness2D) -> Self {
        if smoothness != Smoothness2D::ContinuousDerivative {
            let points = values.iter().map(|row| row.iter().map(|value| [*value, 0.0, 0.0, 0.0]).collect()).collect();
            return Self { u, points, smoothness };
        }
        let [rows, columns] = [0, 1].map(|k| 0..u[k].len());
        let along_1: Vec<_> = columns.clone().map(|j| Differences::new(&u[0], |i| values[i][j])).collect();
        let along_2: Vec<_> = rows.clone().map(|i| Differences::new(&u[1], |j| values[i][j])).collect();
        // How the slopes along u2, before and behind each column, change along u1.
        let mixed_at = |j: usize| [0, 1].map(|side| Differences::new(&u[0], |i| along_2[i].slope(j, side)));
        let mixed: Vec<_> = columns.clone().map(mixed_at).collect();
        let point = |i: usize, j: usize| {
            let [weights_1, weights_2] = [along_1[j].weights(i), along_2[i].weights(j)];
            let twice = [0, 1].map(|side| mixed[j][side].mean(i, weights_1));
            let both = weights_2[0] * twice[0] + weights_2[1] * twice[1];
            [values[i][j], along_1[j].mean(i, weights_1), along_2[i].mean(j, weights_2), both]
        };
        let points = rows.map(|i| columns.clone().map(|j| point(i, j)).collect()).collect();
        Self { u, points, smoothness }
    }

    /// Returns the patch of a piece along each argument; the first and the last piece are beyond the table.
    fn patch(&self, pieces: [usize; 2], continues: bool) -> Patch {
        // The point or cell at which the piece is, and where in the cell it begins if it is beyond the table.
        let [(i, edge_1), (j, edge_2)] = [0, 1].map(|k| {
            let u = &self.u[k];
            match pieces[k] {
                0 => (0, Some(0.0)),
                piece if piece < u.len() => (piece - 1, None),
                _ if u.len() == 1 => (0, Some(0.0)),
                _ => (u.len() - 2, Some(u[u.len() - 1] - u[u.len() - 2])),
            }
        });
        if self.smoothness == Smoothness2D::ConstantSegments && !(continues && (edge_1.or(edge_2).is_some())) {
            let at = |k: usize| pieces[k].saturating_sub(1).min(self.u[k].len() - 1);
            let mut patch = Patch::default();
            patch[0][0] = self.points[at(0)][at(1)][0];
            return patch;
        }
        let cell = self.cell(i, j);
        let along_1 = edge_1.map_or(cell, |t| beyond(&cell, t, continues));
        edge_2.map_or(along_1, |t| transposed(&beyond(&transposed(&along_1), t, continues)))
    }

    /// Returns the polynomial between four points.
    fn cell(&self, i: usize, j: usize) -> Patch {
        let [[h1, next_1], [h2, next_2]] = [(0, i), (1, j)]
            .map(|(k, at)| self.u[k].get(at + 1).map_or([1.0, 0.0], |next| [next - self.u[k][at], 1.0]));
        let [next_1, next_2] = [next_1, next_2].map(|next| next as usize);
        let corner = |a: usize, b: usize| self.points[i + a * next_1][j + b * next_2];
        let is_smooth = self.smoothness == Smoothness2D::ContinuousDerivative;
        let along = |h: f64, [z0, d0]: [f64; 2], [z1, d1]: [f64; 2]| {
            let s = (z1 - z0) / h;
            if is_smooth {
                [z0, d0, (3.0 * s - 2.0 * d0 - d1) / h, (d0 + d1 - 2.0 * s) / (h * h)]
            } else {
                [z0, s, 0.0, 0.0]
            }
        };
        // Along u2 at both ends of u1, for the value and its derivative by u1.
        let ends = [0, 1].map(|a| {
            let [near, far] = [0, 1].map(|b| corner(a, b));
            [along(h2, [near[0], near[2]], [far[0], far[2]]), along(h2, [near[1], near[3]], [far[1], far[3]])]
        });
        let by_2: [[f64; 4]; 4] =
            std::array::from_fn(|q| along(h1, [ends[0][0][q], ends[0][1][q]], [ends[1][0][q], ends[1][1][q]]));
        transposed(&by_2)
    }
}

/// Returns a patch that goes on from the place `t` along u1, with value and, if it continues, slope of another one.
fn beyond(cell: &Patch, t: f64, continues: bool) -> Patch {
    let [c0, c1, c2, c3] = cell;
    let mut patch = Patch::default();
    for q in 0..4 {
        patch[0][q] = c0[q] + t * (c1[q] + t * (c2[q] + t * c3[q]));
        patch[1][q] = if continues { c1[q] + t * (2.0 * c2[q] + t * 3.0 * c3[q]) } else { 0.0 };
    }
    patch
}

fn transposed(patch: &Patch) -> Patch {
    std::array::from_fn(|i| std::array::from_fn(|j| patch[j][i]))
}

/// Slopes between neighbouring points of a line, with two further ones on each side, which continue the last two linearly.
struct Differences(Vec<f64>);

impl Differences {
    fn new(x: &[f64], y: impl Fn(usize) -> f64) -> Self {
        let y: Vec<f64> = (0..x.len()).map(y).collect();
        let inner: Vec<f64> = x.windows(2).zip(y.windows(2)).map(|(x, y)| (y[1] - y[0]) / (x[1] - x[0])).collect();
        let count = inner.len();
        let (Some(first), Some(last)) = (inner.first().copied(), inner.last().copied()) else {
            return Self(vec![0.0; 4]);
        };
        let [bend, bend_back] = if count > 1 { [inner[1] - first, last - inner[count - 2]] } else { [0.0; 2] };
        let before = [first - 2.0 * bend, first - bend];
        Self(before.into_iter().chain(inner).chain([last + bend_back, last + 2.0 * bend_back]).collect())
    }

    /// Returns the slope before a point (0) or behind it (1).
    fn slope(&self, point: usize, side: usize) -> f64 {
        self.0[point + 1 + side]
    }

    /// Returns the sum of these parts of the slopes before and behind a point.
    fn mean(&self, point: usize, [before, behind]: [f64; 2]) -> f64 {
        before * self.slope(point, 0) + behind * self.slope(point, 1)
    }

    /// Returns the parts of the slopes before and behind a point in the slope there: each by the change of slope on the other
    /// side.
    fn weights(&self, point: usize) -> [f64; 2] {
        let s = &self.0[point..point + 4];
        let [before, behind] = [(s[3] - s[2]).abs(), (s[1] - s[0]).abs()];
        let sum = before + behind;
        // Rounding in straight parts is not a change.
        if sum <= 1e-9 * (s[1].abs() + s[2].abs()) { [0.5; 2] } else { [before / sum, behind / sum] }
    }
}
