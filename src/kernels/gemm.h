/* Matrix products of strided operands; a transpose is an exchange of strides. */
#ifndef GLK_KERNELS_GEMM_H
#define GLK_KERNELS_GEMM_H

#include "kernels/vec.h"

/** Size of the tiles of C that are computed together. */
enum { GLK_TILE_ROWS = 4, GLK_TILE_COLUMNS = 2 * GLK_LANES };

/** Element (i, j) lies at values[i * row + j * column]. */
typedef struct glk_matrix {
  const glk_real *values;
  size_t row, column;
} glk_matrix;

/** Reals of scratch for a product of these sizes, at most 34,816. One of A's strides is 1; A counts
 *  as transposed where its column stride is not. */
size_t glk_kernel_gemm_scratch(size_t m, size_t n, size_t k, int is_a_transposed);
/** C = A B, each element summed in the order of k, from +0; k = 0 gives zeros.
 *  a        [m, k] real
 *  b        [k, n] real
 *  c        [m, n] real out, contiguous; overlaps neither
 *  scratch  [glk_kernel_gemm_scratch()]
 *  skip     [ceil(m / GLK_TILE_ROWS), ceil(n / GLK_TILE_COLUMNS)] u8  1: the tile may be left as it
 *           is; NULL: none */
void glk_kernel_gemm(size_t m, size_t n, size_t k, glk_matrix a, glk_matrix b, glk_real *c,
                     glk_real *scratch, const uint8_t *skip);
/** C += A B, otherwise the same: each element's sum goes on in the order of k, as if C held the sum
 *  of earlier steps. */
void glk_kernel_gemm_add(size_t m, size_t n, size_t k, glk_matrix a, glk_matrix b, glk_real *c,
                         glk_real *scratch);

#endif
