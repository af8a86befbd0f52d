/* Products of matrices of which some elements are not wanted: the gradient of a variable with
 * locks. */
#ifndef GLK_KERNELS_SPARING_H
#define GLK_KERNELS_SPARING_H

#include "kernels/gemm.h"

/** Reals of scratch for a product of m by n elements, besides that of glk_kernel_gemm. */
size_t glk_kernel_sparing_scratch(size_t m, size_t n);
/** glk_kernel_gemm, but element (i, j) may be left as it is if bit `first` + i n + j of `unread` is
 *  set. Every other element gets the bits that glk_kernel_gemm gives it. */
void glk_kernel_gemm_sparing(size_t m, size_t n, size_t k, glk_matrix a, glk_matrix b, glk_real *c,
                             glk_real *scratch, const uint32_t *unread, size_t first);

#endif
