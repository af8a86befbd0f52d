/* 4 x 8 outer products: eight accumulators, two loads of packed B and four splats of A per step of k. Larger tiles
 * spill on x86 (docs: XNNPACK chooses 4 x 8 as well). B is packed one panel of eight columns at a time and stays in
 * the first-level cache while all rows of A pass. */
#include "kernels/gemm.h"

enum { ROWS = 4, COLUMNS = 2 * GLK_LANES };

size_t glk_kernel_gemm_scratch(size_t k) { return k * COLUMNS; }

/* panel is (k, 8), zeros behind the last column */
static void pack_panel(size_t k, size_t columns, glk_matrix b, size_t first, glk_real *panel) {
  for (size_t p = 0; p < k; p++, panel += COLUMNS) {
    const glk_real *row = b.values + p * b.row + first * b.column;
    for (size_t j = 0; j < COLUMNS; j++) panel[j] = j < columns ? row[j * b.column] : 0;
  }
}

/* `rows` is a constant 1..4 at every call, so that accumulators stay in registers */
GLK_INLINE void tile(size_t rows, size_t k, glk_matrix a, size_t first, const glk_real *panel,
                     vreal sum[ROWS][2]) {
  for (size_t i = 0; i < rows; i++) sum[i][0] = sum[i][1] = vsplat(0);
  const glk_real *left = a.values + first * a.row;
  for (size_t p = 0; p < k; p++) {
    const vreal b0 = vload(panel + p * COLUMNS), b1 = vload(panel + p * COLUMNS + GLK_LANES);
    for (size_t i = 0; i < rows; i++) {
      const vreal s = vsplat(left[i * a.row + p * a.column]);
      sum[i][0] += s * b0;
      sum[i][1] += s * b1;
    }
  }
}

static void store_tile(size_t rows, size_t columns, vreal sum[ROWS][2], glk_real *c, size_t stride) {
  for (size_t i = 0; i < rows; i++, c += stride) {
    if (columns >= GLK_LANES) {
      vstore(c, sum[i][0]);
    } else {
      vstore_n(c, sum[i][0], columns);
    }
    if (columns == COLUMNS) {
      vstore(c + GLK_LANES, sum[i][1]);
    } else if (columns > GLK_LANES) {
      vstore_n(c + GLK_LANES, sum[i][1], columns - GLK_LANES);
    }
  }
}

void glk_kernel_gemm(size_t m, size_t n, size_t k, glk_matrix a, glk_matrix b, glk_real *c,
                     glk_real *scratch) {
  for (size_t j = 0; j < n; j += COLUMNS) {
    const size_t columns = n - j < COLUMNS ? n - j : COLUMNS;
    pack_panel(k, columns, b, j, scratch);
    for (size_t i = 0; i < m; i += ROWS) {
      const size_t rows = m - i < ROWS ? m - i : ROWS;
      vreal sum[ROWS][2];
      switch (rows) {
        case 1: tile(1, k, a, i, scratch, sum); break;
        case 2: tile(2, k, a, i, scratch, sum); break;
        case 3: tile(3, k, a, i, scratch, sum); break;
        default: tile(4, k, a, i, scratch, sum); break;
      }
      store_tile(rows, columns, sum, c + i * n + j, n);
    }
  }
}
