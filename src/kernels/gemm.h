/* Matrix product over strided operands, so that transposes cost nothing to express. */
#ifndef GLK_KERNELS_GEMM_H
#define GLK_KERNELS_GEMM_H

#include "kernels/vec.h"

/** What is computed together: a tile of C. */
enum { GLK_TILE_ROWS = 4, GLK_TILE_COLUMNS = 2 * GLK_LANES };

/** Element (i, j) lies at values[i * row + j * column]. */
typedef struct glk_matrix {
  const glk_real *values;
  size_t row, column;
} glk_matrix;

/** Reals of scratch that a product of these sizes needs, at most 34,816. One of A's distances is 1;
 *  A is transposed where its column's is not. */
size_t glk_kernel_gemm_scratch(size_t m, size_t n, size_t k, int is_a_transposed);
/** C = A B; A is (m, k), B is (k, n), C is (m, n) contiguous and overlaps neither. Each element is
 *  summed in the order of k, from +0. k = 0 gives zeros. `skip` says of each tile, row by row,
 *  whether it is left as it is; NULL: none. */
void glk_kernel_gemm(size_t m, size_t n, size_t k, glk_matrix a, glk_matrix b, glk_real *c,
                     glk_real *scratch, const uint8_t *skip);
/** C += A B: each element's sum goes on in the order of k, as if what C holds were the sum of
 *  earlier steps. */
void glk_kernel_gemm_add(size_t m, size_t n, size_t k, glk_matrix a, glk_matrix b, glk_real *c,
                         glk_real *scratch);

#endif
