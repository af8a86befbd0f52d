/* Sums in a fixed order: the same values give the same bits on every machine, and the rounding
 * error grows with the logarithm of the length (pairwise summation; Higham 1993, SIAM J. Sci.
 * Comput. 14, section 2). */
#ifndef GLK_KERNELS_REDUCE_H
#define GLK_KERNELS_REDUCE_H

#include "kernels/vec.h"

/** Sum of n contiguous reals; +0 for none. */
glk_real glk_kernel_sum(size_t n, const glk_real *x);
/** out[c] = sum over r of x[r * columns + c]; x is (rows, columns). `out` must not overlap x. */
void glk_kernel_sum_rows(size_t rows, size_t columns, const glk_real *x, glk_real *out);

/** The largest or smallest of n reals, NaN if any is NaN; of none -Infinity or Infinity. */
glk_real glk_kernel_max(size_t n, const glk_real *x);
glk_real glk_kernel_min(size_t n, const glk_real *x);
/** Index of the first largest (sign 1) or smallest (sign -1) of n reals that lie `stride` apart;
 *  NaN is chosen only where there is nothing else, and then the first. */
size_t glk_kernel_arg(size_t n, size_t stride, glk_real sign, const glk_real *x);
/** That index for every column of x, which is (rows, columns) with a row or more. `out` must not
 *  overlap x. */
void glk_kernel_arg_rows(size_t rows, size_t columns, glk_real sign, const glk_real *x,
                         glk_real *out);

#endif
