//! Symmetric positive definite matrices of the size of a regression's terms, a few to some thousand: Cholesky's decomposition.

/// A square matrix, row by row.
#[derive(Clone, Debug)]
pub struct Square {
    size: usize,
    cells: Vec<f64>,
}

impl Square {
    /// A matrix of zeros of so many rows and columns.
    pub fn zero(size: usize) -> Square {
        Square { size, cells: vec![0.0; size * size] }
    }

    /// Rows, which are as many as columns.
    pub fn size(&self) -> usize {
        self.size
    }

    /// The cell in this row and column, from 0.
    pub fn at(&self, row: usize, column: usize) -> f64 {
        self.cells[row * self.size + column]
    }

    /// Adds to a cell.
    pub fn add(&mut self, row: usize, column: usize, value: f64) {
        self.cells[row * self.size + column] += value;
    }

    /// The product with a vector of as many numbers as it has columns.
    pub fn times(&self, vector: &[f64]) -> Vec<f64> {
        let dot = |row: &[f64]| row.iter().zip(vector).map(|(a, b)| a * b).sum();
        self.cells.chunks(self.size).map(dot).collect()
    }

    /// The sum of the products of the cells of two matrices; of symmetric ones the trace of their product.
    pub fn trace_with(&self, other: &Square) -> f64 {
        self.cells.iter().zip(&other.cells).map(|(a, b)| a * b).sum()
    }
}

/// The lower triangle whose product with its transpose is a matrix, column by column.
#[derive(Clone, Debug)]
pub struct Cholesky(Square);

impl Cholesky {
    /// `matrix` must be symmetric, of which the lower half is read, and positive definite, which any sum of squares with a prior on
    /// each term is.
    ///
    /// Rounds as dots of rows would: each sum is taken in the order of columns. Written so that the innermost loop runs along memory.
    pub fn of(matrix: &Square) -> Cholesky {
        let size = matrix.size;
        let mut columns = Square::zero(size);
        for row in 0..size {
            let mut sums = vec![0.0; row + 1];
            for column in 0..row {
                let cells = &mut columns.cells[column * size..(column + 1) * size];
                let entry = (matrix.at(row, column) - sums[column]) / cells[column];
                cells[row] = entry;
                // Many terms of a large regression never meet.
                if entry != 0.0 {
                    for (sum, cell) in sums[column + 1..].iter_mut().zip(&cells[column + 1..]) {
                        *sum += entry * cell;
                    }
                }
            }
            columns.add(row, row, (matrix.at(row, row) - sums[row]).sqrt());
        }
        Cholesky(columns)
    }

    /// Rows and columns of the matrix.
    pub fn size(&self) -> usize {
        self.0.size
    }

    /// The cell of the triangle in this row and column.
    fn at(&self, row: usize, column: usize) -> f64 {
        self.0.at(column, row)
    }

    /// The natural logarithm of the determinant of the matrix.
    pub fn log_determinant(&self) -> f64 {
        (0..self.size()).map(|at| 2.0 * self.at(at, at).ln()).sum()
    }

    /// What times the matrix is `right`; `None` if the matrix was not positive definite.
    pub fn solved(&self, mut right: Vec<f64>) -> Option<Vec<f64>> {
        let size = self.size();
        if !(0..size).all(|at| self.at(at, at) > 0.0) {
            return None;
        }
        for row in 0..size {
            let sum: f64 = (0..row).map(|k| self.at(row, k) * right[k]).sum();
            right[row] = (right[row] - sum) / self.at(row, row);
        }
        for row in (0..size).rev() {
            let sum: f64 = (row + 1..size).map(|k| self.at(k, row) * right[k]).sum();
            right[row] = (right[row] - sum) / self.at(row, row);
        }
        Some(right)
    }

    /// The inverse of the matrix.
    pub fn inverse(&self) -> Square {
        let size = self.size();
        // The inverse of the triangle, column by column; each column is kept as a row.
        let mut columns = Square::zero(size);
        for column in 0..size {
            for row in column..size {
                let unit = f64::from(u8::from(row == column));
                let sum: f64 =
                    (column..row).map(|k| self.at(row, k) * columns.cells[column * size + k]).sum();
                columns.cells[column * size + row] = (unit - sum) / self.at(row, row);
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
        let solved = lower.solved(vec![1.0, -2.0, 3.0]).unwrap();
        for (one, other) in solved.into_iter().zip(inverse.times(&[1.0, -2.0, 3.0])) {
            assert!((one - other).abs() < 1e-12, "{one} {other}");
        }
        let flat = Square { size: 2, cells: vec![1.0; 4] };
        assert_eq!(Cholesky::of(&flat).solved(vec![1.0, 1.0]), None);
        for unit in 0..3 {
            let column: Vec<f64> = (0..3).map(|row| inverse.at(row, unit)).collect();
            for (row, value) in matrix.times(&column).into_iter().enumerate() {
                assert!((value - f64::from(u8::from(row == unit))).abs() < 1e-12, "{row} {unit} {value}");
            }
        }
        assert!((matrix.trace_with(&inverse) - 3.0).abs() < 1e-12);
    }
}
