/* Reductions: sums, extremes and their indices. Sums have a fixed order, so the same values give
 * the same bits on every machine. The rounding error grows with the logarithm of the length.
 * Source: pairwise summation, Higham 1993, SIAM J. Sci. Comput. 14, section 2. */
#ifndef GLK_KERNELS_REDUCE_H
#define GLK_KERNELS_REDUCE_H

#include "kernels/vec.h"

/** Sum of x [n]; +0 for none. */
glk_real glk_kernel_sum(size_t n, const glk_real *x);
/** out[c] = sum over r of x[r, c]: out [columns], x [rows, columns] with rows `stride` apart. They
 *  must not overlap. */
void glk_kernel_sum_rows(size_t rows, size_t columns, size_t stride, const glk_real *x,
                         glk_real *out);

/** Sums in chunks, to the bit as at once, so that threads can share one. x is [rows, columns], or
 *  with columns = 1 [n]; columns is at most GLK_SUM_COLUMNS. */
enum { GLK_SUM_COLUMNS = 64, GLK_SUM_CHUNKS = 64 };
/** Number of chunks, at most GLK_SUM_CHUNKS. */
size_t glk_kernel_sum_chunks(size_t rows, size_t columns);
/** parts[chunk] = the sum of a chunk; parts [GLK_SUM_CHUNKS, GLK_SUM_COLUMNS] */
void glk_kernel_sum_chunk(size_t rows, size_t columns, size_t chunk, const glk_real *x,
                          glk_real *parts);
/** out [columns] = the sum of all chunks; overwrites `parts`. */
void glk_kernel_sum_join(size_t rows, size_t columns, const glk_real *x, glk_real *parts,
                         glk_real *out);

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
