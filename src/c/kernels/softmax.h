/* Softmax, cross-entropy of softmax, and their gradients, along contiguous rows or along columns.
 *
 * With top = max x and s = sum e^(x - top): softmax is e^(x - top) / s, its logarithm (x - top) -
 * log s. A row with a NaN or Infinity becomes NaN, as does one of nothing but -Infinity. Terms
 * below 0.7 * 2^-126 count as 0. Sums have a fixed order, in which their error grows with the
 * logarithm of the length. No operand may overlap `out`; n > 0. */
#ifndef GLK_KERNELS_SOFTMAX_H
#define GLK_KERNELS_SOFTMAX_H

#include "kernels/vec.h"

/** out = softmax x, or its logarithm: out, x [rows, n]. */
void glk_kernel_softmax(size_t rows, size_t n, const glk_real *x, glk_real *out);
void glk_kernel_log_softmax(size_t rows, size_t n, const glk_real *x, glk_real *out);
/** The same along columns: out, x [n, columns], scratch [2, columns]. */
void glk_kernel_softmax_columns(size_t n, size_t columns, const glk_real *x, glk_real *scratch,
                                glk_real *out);
void glk_kernel_log_softmax_columns(size_t n, size_t columns, const glk_real *x, glk_real *scratch,
                                    glk_real *out);
/** out = (dy - sum(dy * y)) * y: out, dy, y [rows, n]. */
void glk_kernel_softmax_gradient(size_t rows, size_t n, const glk_real *dy, const glk_real *y,
                                 glk_real *out);

/** True classes of rows of n classes. */
typedef struct glk_truth {
  /** [rows, n] probabilities; with is_labels [rows] labels, 0 to n - 1. */
  const glk_real *values;
  int is_labels;
} glk_truth;

/** out = -sum(truth * log softmax x): out [rows], x [rows, n], scratch [n]. */
void glk_kernel_crossentropy(size_t rows, size_t n, const glk_truth *truth, const glk_real *x,
                             glk_real *scratch, glk_real *out);
/** out = (softmax(x) * sum(truth) - truth) * dy: out, x [rows, n], dy [rows]. */
void glk_kernel_crossentropy_gradient(size_t rows, size_t n, const glk_truth *truth,
                                      const glk_real *x, const glk_real *dy, glk_real *out);

#endif
