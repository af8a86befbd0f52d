/* Matrix products of strided operands; a transpose is an exchange of strides. */
#ifndef GLK_KERNELS_GEMM_H
#define GLK_KERNELS_GEMM_H

#include "kernels/vec.h"

/** Size of the tiles of C that are computed together. */
enum { GLK_TILE_ROWS = 4, GLK_TILE_COLUMNS = 2 * GLK_LANES };

/** Element (i, j) is values[i * rs + j * cs]: the strides of rows and of columns. */
typedef struct glk_matrix {
  const glk_real *values;
  size_t rs, cs;
} glk_matrix;

/** Reals of scratch for a product of these sizes, at most 34,816. One of A's strides is 1; A counts
 *  as transposed where its column stride is not. */
size_t glk_kernel_gemm_scratch(size_t m, size_t n, size_t k, int is_a_transposed);
/** C = A B, each element summed in the order of k, from +0; k = 0 gives zeros.
 *  a        [m, k] real
 *  b        [k, n] real
 *  c        [m, n] real out, rows c_row apart; overlaps neither
 *  scratch  [glk_kernel_gemm_scratch()]
 *  skip     [ceil(m / GLK_TILE_ROWS), ceil(n / GLK_TILE_COLUMNS)] u8  1: the tile may be left as it
 *           is; NULL: none */
void glk_kernel_gemm(size_t m, size_t n, size_t k, glk_matrix a, glk_matrix b, glk_real *c,
                     size_t c_row, glk_real *scratch, const uint8_t *skip);
/** The same of an A that is packed already: its rows in fours, k by k.
 *  panels   [ceil(m / GLK_TILE_ROWS), k, GLK_TILE_ROWS] real
 *  scratch  [glk_kernel_gemm_scratch()] */
void glk_kernel_gemm_panels(size_t m, size_t n, size_t k, const glk_real *panels, glk_matrix b,
                            glk_real *c, glk_real *scratch);
/** C = A B or C += A B, each sum in the order of k, with a transposed A that is read in place, as
 *  windows are in images: k = runs run, A(i, r run + p) = a[i + r jump + p column].
 *  b         [runs run, n] real
 *  c         [m, n] real out or in/out, contiguous; overlaps neither
 *  scratch   [(GLK_TILE_COLUMNS + GLK_TILE_ROWS) runs run]; where jump is 0 and there is one run,
 *            glk_kernel_gemm_scratch()
 *  unread    bits  bit `first` + i n + j is 1 where c[i, j] is not needed; NULL: all are
 *  is_first  sums begin at +0, not at what C holds */
void glk_kernel_gemm_runs(size_t m, size_t n, size_t runs, size_t run, const glk_real *a,
                          size_t column, size_t jump, const glk_real *b, glk_real *c,
                          glk_real *scratch, const uint32_t *unread, size_t first, int is_first);

/* Products of which some elements are not needed: */

/** Reals of scratch for a product of m by n elements, in addition to glk_kernel_gemm_scratch. */
size_t glk_kernel_masked_gemm_scratch(size_t m, size_t n);
/** C = A B like glk_kernel_gemm, to the bit, but elements that are not needed may be left as they
 *  are.
 *  a        [m, k] real
 *  b        [k, n] real
 *  c        [m, n] real out, contiguous; overlaps neither
 *  scratch  [glk_kernel_masked_gemm_scratch() + glk_kernel_gemm_scratch()]
 *  unread   bits  bit `first` + i n + j is 1 where c[i, j] is not needed */
void glk_kernel_masked_gemm(size_t m, size_t n, size_t k, glk_matrix a, glk_matrix b, glk_real *c,
                            glk_real *scratch, const uint32_t *unread, size_t first);

#endif
