/* QR decomposition by Householder reflections, x - t (v.x) v with t = 2 / v.v; v[0] is 1 and not
 * stored. Eight columns at a time are a panel, row by row, to which one reflection after the other
 * is applied: vectors hold different columns, so each column has the bits that it would have alone,
 * and the panel stays in the cache. */
#include "kernels/orthogonalize.h"

#include "kernels/vec.h"

enum { COLUMNS = 8 };

typedef double vrow
    __attribute__((vector_size(COLUMNS * sizeof(double)), aligned(sizeof(double)), may_alias));

/* panel [rows, COLUMNS], reflectors [columns, rows], t [columns] */
typedef struct decomposition {
  size_t rows, columns;
  vrow *panel;
  double *reflectors, *t;
} decomposition;

size_t glk_kernel_orthogonalize_scratch(size_t rows, size_t columns) {
  return rows * (COLUMNS + columns) + columns;
}

/* Reflect all columns of the panel by reflector j. */
static void reflect(const decomposition *d, size_t j) {
  const double *v = d->reflectors + j * d->rows;
  vrow *const x = d->panel;
  vrow dot = x[j];
  for (size_t i = j + 1; i < d->rows; i++) dot += v[i] * x[i];
  dot *= d->t[j];
  x[j] -= dot;
  for (size_t i = j + 1; i < d->rows; i++) x[i] -= dot * v[i];
}

/* Let reflector j make all elements of `column`, of the panel, below row j 0. Row j of the
 * reflector is the result there, an element of R. */
static void find_reflector(const decomposition *d, size_t j, const double *column) {
  double *v = d->reflectors + j * d->rows, square = 0, own = 1;
  for (size_t i = j; i < d->rows; i++) v[i] = column[i * COLUMNS];
  for (size_t i = j; i < d->rows; i++) square += v[i] * v[i];
  const double length = glk_sqrt(square), left = v[j] > 0 ? -length : length;
  for (size_t i = j + 1; i < d->rows && length > 0; i++) v[i] /= v[j] - left; /* never cancels */
  v[j] = left;
  for (size_t i = j + 1; i < d->rows; i++) own += v[i] * v[i];
  d->t[j] = 2 / own;
}

/* Q is the product of all reflections, applied to the unit vectors from the last one on; the sign
 * of R's diagonal goes into Q. */
static void start_column(const decomposition *d, size_t j, double *column) {
  const double *v = d->reflectors + j * d->rows, sign = v[j] < 0 ? -1 : 1, t = d->t[j];
  for (size_t i = 0; i < j; i++) column[i * COLUMNS] = 0;
  column[j * COLUMNS] = sign - sign * t;
  for (size_t i = j + 1; i < d->rows; i++) column[i * COLUMNS] = v[i] * (-sign * t);
}

void glk_kernel_orthogonalize(size_t rows, size_t columns, const glk_real *x, double *scratch,
                              glk_real *out) {
  /* out [rows, columns], x [rows, columns] */
  const size_t size = rows * COLUMNS;
  if (!columns) return;
  double *const panel = scratch, *const reflectors = scratch + size;
  const decomposition d = {rows, columns, (vrow *)panel, reflectors, reflectors + rows * columns};
  for (size_t first = 0; first < columns; first += COLUMNS) {
    const size_t width = glk_min_size(columns - first, COLUMNS);
    memset(panel, 0, size * sizeof *panel);
    for (size_t i = 0; i < rows; i++) {
      for (size_t k = 0; k < width; k++) panel[i * COLUMNS + k] = x[i * columns + first + k];
    }
    for (size_t j = 0; j < first; j++) reflect(&d, j);
    for (size_t k = 0; k < width; k++) {
      find_reflector(&d, first + k, panel + k);
      reflect(&d, first + k); /* of the columns before, nothing is read again */
    }
  }
  for (size_t first = 0; first < columns; first += COLUMNS) {
    const size_t width = glk_min_size(columns - first, COLUMNS);
    memset(panel, 0, size * sizeof *panel);
    for (size_t j = first + width; j-- > 0;) {
      reflect(&d, j);
      if (j >= first) start_column(&d, j, panel + (j - first));
    }
    for (size_t i = 0; i < rows; i++) {
      for (size_t k = 0; k < width; k++) {
        out[i * columns + first + k] = (glk_real)panel[i * COLUMNS + k];
      }
    }
  }
}
