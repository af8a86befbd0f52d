/* Sums in a fixed order: the same values give the same bits on every machine, and the rounding error grows with the
 * logarithm of the length (pairwise summation; Higham 1993, SIAM J. Sci. Comput. 14, section 2). */
#ifndef GLK_KERNELS_REDUCE_H
#define GLK_KERNELS_REDUCE_H

#include "kernels/vec.h"

/** Sum of n contiguous reals; +0 for none. */
glk_real glk_kernel_sum(size_t n, const glk_real *x);
/** out[c] = sum over r of x[r * columns + c]; x is (rows, columns). `out` must not overlap x. */
void glk_kernel_sum_rows(size_t rows, size_t columns, const glk_real *x, glk_real *out);

#endif
