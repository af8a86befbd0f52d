/* Matrix products of which some elements are not needed: gradients of variables with locks. */
#ifndef GLK_KERNELS_SPARING_H
#define GLK_KERNELS_SPARING_H

#include "kernels/gemm.h"

/** Reals of scratch for a product of m by n elements, in addition to glk_kernel_gemm_scratch. */
size_t glk_kernel_sparing_scratch(size_t m, size_t n);
/** C = A B like glk_kernel_gemm, to the bit, but elements that are not needed may be left as they
 *  are.
 *  a        [m, k] real
 *  b        [k, n] real
 *  c        [m, n] real out, contiguous; overlaps neither
 *  scratch  [glk_kernel_sparing_scratch() + glk_kernel_gemm_scratch()]
 *  unread   bits  bit `first` + i n + j is 1 where c[i, j] is not needed */
void glk_kernel_gemm_sparing(size_t m, size_t n, size_t k, glk_matrix a, glk_matrix b, glk_real *c,
                             glk_real *scratch, const uint32_t *unread, size_t first);

#endif
