//! Symmetric positive definite matrices, as small as the terms of a regression are: Cholesky's decomposition.

/// A square matrix, row by row.
#[derive(Clone, Debug)]
pub(super) struct Square {
    size: usize,
    cells: Vec<f64>,
}

impl Square {
    pub(super) fn zero(size: usize) -> Square {
        Square { size, cells: vec![0.0; size * size] }
    }

    pub(super) fn at(&self, row: usize, column: usize) -> f64 {
        self.cells[row * self.size + column]
    }

    pub(super) fn add(&mut self, row: usize, column: usize, value: f64) {
        self.cells[row * self.size + column] += value;
    }

    pub(super) fn times(&self, vector: &[f64]) -> Vec<f64> {
        let dot = |row: &[f64]| row.iter().zip(vector).map(|(a, b)| a * b).sum();
        self.cells.chunks(self.size).map(dot).collect()
    }

    /// The sum of the products of the cells of two matrices; of symmetric ones the trace of their product.
    pub(super) fn trace_with(&self, other: &Square) -> f64 {
        self.cells.iter().zip(&other.cells).map(|(a, b)| a * b).sum()
    }
}

/// The lower triangle whose product with its transpose is a matrix.
pub(super) struct Cholesky(Square);

impl Cholesky {
    /// `matrix` must be symmetric and positive definite, which any sum of squares with a prior on each term is.
    pub(super) fn of(matrix: &Square) -> Cholesky {
        let size = matrix.size;
        let mut lower = Square::zero(size);
        for row in 0..size {
            for column in 0..=row {
                let (before, this) = (row * size, column * size);
                let sum: f64 = (0..column).map(|k| lower.cells[before + k] * lower.cells[this + k]).sum();
                let rest = matrix.at(row, column) - sum;
                lower.cells[before + column] =
                    if row == column { rest.sqrt() } else { rest / lower.at(column, column) };
            }
        }
        Cholesky(lower)
    }

    pub(super) fn log_determinant(&self) -> f64 {
        (0..self.0.size).map(|at| 2.0 * self.0.at(at, at).ln()).sum()
    }

    /// The inverse of the matrix.
    pub(super) fn inverse(&self) -> Square {
        let (size, lower) = (self.0.size, &self.0);
        // The inverse of the triangle, column by column; each column is kept as a row.
        let mut columns = Square::zero(size);
        for column in 0..size {
            for row in column..size {
                let unit = f64::from(u8::from(row == column));
                let sum: f64 =
                    (column..row).map(|k| lower.at(row, k) * columns.cells[column * size + k]).sum();
                columns.cells[column * size + row] = (unit - sum) / lower.at(row, row);
            }
        }
        let mut inverse = Square::zero(size);
        for row in 0..size {
            for column in 0..=row {
                let from = |line: usize| columns.cells[line * size + row..(line + 1) * size].iter();
                let value: f64 = from(row).zip(from(column)).map(|(a, b)| a * b).sum();
                inverse.cells[row * size + column] = value;
                inverse.cells[column * size + row] = value;
            }
        }
        inverse
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_matrix_times_its_inverse_is_one() {
        let cells = [4.0, 2.0, -1.0, 2.0, 5.0, 0.5, -1.0, 0.5, 3.0];
        let matrix = Square { size: 3, cells: cells.to_vec() };
        let lower = Cholesky::of(&matrix);
        // By the rule of Sarrus.
        let determinant: f64 = 4.0 * (15.0 - 0.25) - 2.0 * (6.0 + 0.5) - (1.0 + 5.0);
        assert!((lower.log_determinant() - determinant.ln()).abs() < 1e-12);
        let inverse = lower.inverse();
        for unit in 0..3 {
            let column: Vec<f64> = (0..3).map(|row| inverse.at(row, unit)).collect();
            for (row, value) in matrix.times(&column).into_iter().enumerate() {
                assert!((value - f64::from(u8::from(row == unit))).abs() < 1e-12, "{row} {unit} {value}");
            }
        }
        assert!((matrix.trace_with(&inverse) - 3.0).abs() < 1e-12);
    }
}
