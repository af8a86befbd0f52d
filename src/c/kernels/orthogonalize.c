/* QR decomposition by Householder reflections, x - t (v.x) v with t = 2 / v.v; v[0] is 1 and not
 * stored. */
#include "kernels/orthogonalize.h"

#include "core/exact.h"

static double twice_over_square(size_t n, const double *v) {
  double square = 1;
  for (size_t i = 1; i < n; i++) square += v[i] * v[i];
  return 2 / square;
}

static void reflect(size_t n, const double *v, double t, double *x) {
  double dot = x[0];
  for (size_t i = 1; i < n; i++) dot += v[i] * x[i];
  x[0] -= t * dot;
  for (size_t i = 1; i < n; i++) x[i] -= t * dot * v[i];
}

/* Replace x [n] by the vector v whose reflection makes all elements of x but the first 0, and x[0]
 * by the result there, an element of R. */
static void reflector(size_t n, double *x) {
  double square = 0;
  for (size_t i = 0; i < n; i++) square += x[i] * x[i];
  const double length = glk_sqrt(square), left = x[0] > 0 ? -length : length;
  for (size_t i = 1; i < n && length > 0; i++) x[i] /= x[0] - left; /* never cancels */
  x[0] = left;
}

void glk_kernel_orthogonalize(size_t rows, size_t columns, const glk_real *x, double *scratch,
                              glk_real *out) {
  /* out [rows, columns], x [rows, columns], scratch [columns, rows] */
  for (size_t j = 0; j < columns; j++) {
    for (size_t i = 0; i < rows; i++) scratch[j * rows + i] = (double)x[i * columns + j];
  }
  for (size_t j = 0; j < columns; j++) {
    double *v = scratch + j * rows + j;
    reflector(rows - j, v);
    const double t = twice_over_square(rows - j, v);
    for (size_t k = 1; k < columns - j; k++) reflect(rows - j, v, t, v + k * rows);
  }
  /* Q is the product of all reflections, applied to the unit vectors from the last one on; the sign
   * of R's diagonal goes into Q. */
  for (size_t j = columns; j-- > 0;) {
    double *v = scratch + j * rows + j;
    const double sign = v[0] < 0 ? -1 : 1, t = twice_over_square(rows - j, v);
    for (size_t k = 1; k < columns - j; k++) reflect(rows - j, v, t, v + k * rows);
    for (size_t i = 0; i < j; i++) scratch[j * rows + i] = 0;
    for (size_t i = 1; i < rows - j; i++) v[i] *= -sign * t;
    v[0] = sign - sign * t;
  }
  for (size_t j = 0; j < columns; j++) {
    for (size_t i = 0; i < rows; i++) out[i * columns + j] = (glk_real)scratch[j * rows + i];
  }
}
