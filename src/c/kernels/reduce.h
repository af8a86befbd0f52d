/* Reductions: sums, extremes and their indices. Sums have a fixed order, so the same values give
 * the same bits on every machine. The rounding error grows with the logarithm of the length.
 * Source: pairwise summation, Higham 1993, SIAM J. Sci. Comput. 14, section 2. */
#ifndef GLK_KERNELS_REDUCE_H
#define GLK_KERNELS_REDUCE_H

#include "kernels/vec.h"

/** Sum of x [n]; +0 for none. */
glk_real glk_kernel_sum(size_t n, const glk_real *x);
/** out[c] = sum over r of x[r, c]: out [columns], x [rows, columns]. They must not overlap. */
void glk_kernel_sum_rows(size_t rows, size_t columns, const glk_real *x, glk_real *out);

/** Largest or smallest of x [n]; NaN if any is NaN; of none -Infinity or Infinity. */
glk_real glk_kernel_max(size_t n, const glk_real *x);
glk_real glk_kernel_min(size_t n, const glk_real *x);
/** Index of the first largest (sign 1) or smallest (sign -1) of x[i * stride], 0 <= i < n, n > 0;
 *  of a NaN only if all are NaN: then 0. */
size_t glk_kernel_arg(size_t n, size_t stride, glk_real sign, const glk_real *x);
/** That index for every column: out [columns], x [rows, columns], rows > 0. They must not
 *  overlap. */
void glk_kernel_arg_rows(size_t rows, size_t columns, glk_real sign, const glk_real *x,
                         glk_real *out);

#endif
