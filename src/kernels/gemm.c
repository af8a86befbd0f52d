/* 4 x 8 outer products: eight accumulators, two loads of packed B and four splats of A per step of k. Larger tiles
 * spill on x86; XNNPACK chooses 4 x 8 there as well. B is packed in panels of eight columns and at most 512 steps of
 * k, which stay in the first-level cache while all rows of A pass. Between panels the accumulators rest in C, so each
 * element is summed in the order of k, whatever the sizes. */
#include "kernels/gemm.h"

enum { ROWS = GLK_TILE_ROWS, COLUMNS = GLK_TILE_COLUMNS, DEPTH = 512 };

size_t glk_kernel_gemm_scratch(size_t k) { return (k < DEPTH ? k : DEPTH) * COLUMNS; }

/* panel is (k, 8), zeros behind the last column */
static void pack_panel(size_t k, size_t columns, glk_matrix b, size_t first, glk_real *panel) {
  for (size_t p = 0; p < k; p++, panel += COLUMNS) {
    const glk_real *row = b.values + p * b.row + first * b.column;
    for (size_t j = 0; j < COLUMNS; j++) panel[j] = j < columns ? row[j * b.column] : 0;
  }
}

/* `rows` is a constant at every call, so that accumulators stay in registers */
GLK_INLINE void tile(size_t rows, size_t k, glk_matrix a, size_t first, const glk_real *panel,
                     vreal sum[ROWS][2]) {
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

/* One row of a tile, of 1..8 columns that exist. */
static void load_row(size_t columns, const glk_real *c, vreal sum[2]) {
  if (columns == COLUMNS) {
    sum[0] = vload(c);
    sum[1] = vload(c + GLK_LANES);
  } else if (columns < GLK_LANES) {
    sum[0] = vload_n(c, columns);
    sum[1] = vsplat(0);
  } else {
    sum[0] = vload(c);
    sum[1] = vload_n(c + GLK_LANES, columns - GLK_LANES);
  }
}

static void store_row(size_t columns, const vreal sum[2], glk_real *c) {
  if (columns == COLUMNS) {
    vstore(c, sum[0]);
    vstore(c + GLK_LANES, sum[1]);
  } else if (columns < GLK_LANES) {
    vstore_n(c, sum[0], columns);
  } else {
    vstore(c, sum[0]);
    vstore_n(c + GLK_LANES, sum[1], columns - GLK_LANES);
  }
}

/* All rows of A against one packed panel; `skip` is its first tile's. */
static void multiply_panel(size_t m, size_t n, size_t k, size_t columns, int is_first, glk_matrix a,
                           const glk_real *panel, glk_real *c, const uint8_t *skip) {
  for (size_t i = 0; i < m; i += ROWS) {
    if (skip && skip[i / ROWS * ((n + COLUMNS - 1) / COLUMNS)]) continue;
    const size_t rows = m - i < ROWS ? m - i : ROWS;
    vreal sum[ROWS][2];
    for (size_t r = 0; r < rows; r++) {
      sum[r][0] = sum[r][1] = vsplat(0);
      if (!is_first) load_row(columns, c + (i + r) * n, sum[r]);
    }
    if (rows == ROWS) {
      tile(ROWS, k, a, i, panel, sum);
    } else {
      for (size_t r = 0; r < rows; r++) tile(1, k, a, i + r, panel, &sum[r]);
    }
    for (size_t r = 0; r < rows; r++) store_row(columns, sum[r], c + (i + r) * n);
  }
}

void glk_kernel_gemm(size_t m, size_t n, size_t k, glk_matrix a, glk_matrix b, glk_real *c,
                     glk_real *scratch, const uint8_t *skip) {
  for (size_t j = 0; j < n; j += COLUMNS) {
    const size_t columns = n - j < COLUMNS ? n - j : COLUMNS;
    size_t p = 0;
    do {
      const size_t depth = k - p < DEPTH ? k - p : DEPTH;
      const glk_matrix a_block = {a.values + p * a.column, a.row, a.column};
      const glk_matrix b_block = {b.values + p * b.row, b.row, b.column};
      pack_panel(depth, columns, b_block, j, scratch);
      multiply_panel(m, n, depth, columns, p == 0, a_block, scratch, c + j,
                     skip ? skip + j / COLUMNS : NULL);
      p += depth;
    } while (p < k);
  }
}
