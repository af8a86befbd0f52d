/* Matrix products in tiles of 4 x 8: eight accumulators, two loads of B and four splats of A per
 * step of k, which is what 16 registers hold (XNNPACK uses 4 x 8 on x86 as well). Each element is
 * summed in the order of k, from +0, whatever the sizes and whichever path is taken; between blocks
 * of k the sums are kept in C.
 *
 * What is packed was decided by measurement (docs/speed.md). A is packed, so that the four numbers
 * of a step are neighbours, unless it is transposed (then they are) and meets few panels of B. B is
 * packed where it is transposed, or where many rows of A share a panel whose lines evict each
 * other. Partial tiles are packed too, so that one tile serves all. Else both are read in place.
 *
 * Source: Goto & van de Geijn 2008, "Anatomy of high-performance matrix multiplication", ACM TOMS
 * 34(3). */
#include "kernels/gemm.h"

enum {
  ROWS = GLK_TILE_ROWS,
  COLUMNS = GLK_TILE_COLUMNS,
  DEPTH = 256,  /* steps of k: a panel of B takes 8 kB, a quarter of the first-level cache */
  HEIGHT = 128, /* rows of A in hand: 128 kB, a quarter of the second-level cache */
  SMALL = 128,  /* products, below which a tile costs more than it saves */
  TOGETHER = 4  /* rows of B that pass a row of sums together */
};

/* A block: `height` rows of A against all of B, over `depth` steps of k. */
typedef struct block {
  size_t height, n, depth;
  glk_matrix a, b;
  int packs_a, packs_b, is_first;
  glk_real *c;
  const uint8_t *skip; /* of the first tile; NULL: none */
  glk_real *panel, *rows;
} block;

static size_t least(size_t a, size_t b) { return a < b ? a : b; }

/* A tile reads four numbers that lie beside each other: as they do in a transposed A. */
static int packs_a(int is_transposed, size_t n) { return !is_transposed || n > 2 * COLUMNS; }

/* Rows of B whose distance is a multiple of 1 kB share few sets of a cache and evict each other; of
 * 4 kB, most of all. */
static int packs_b(int is_transposed, size_t m, size_t n) {
  return is_transposed || (n >= 512 && m >= (n % 256 ? 128 : n % 1024 ? 64 : 16));
}

size_t glk_kernel_gemm_scratch(size_t m, size_t n, size_t k, int is_a_transposed) {
  const size_t whole = (m + ROWS - 1) / ROWS * ROWS;
  return least(k, DEPTH) * (COLUMNS + (packs_a(is_a_transposed, n) ? least(whole, HEIGHT) : ROWS));
}

/* A few products, or one sum. */
static void multiply_small(size_t m, size_t n, size_t k, glk_matrix a, glk_matrix b, glk_real *c) {
  for (size_t i = 0; i < m; i++) {
    for (size_t j = 0; j < n; j++) {
      const glk_real *x = a.values + i * a.row, *y = b.values + j * b.column;
      glk_real sum = 0;
      GLK_NO_UNROLL
      for (size_t p = 0; p < k; p++, x += a.column, y += b.row) sum += *x * *y;
      *c++ = sum;
    }
  }
}

/* c [n] += a [steps] b [steps, n] */
GLK_INLINE void add_rows(size_t steps, size_t n, glk_matrix a, glk_matrix b, glk_real *c) {
  glk_real x[TOGETHER]; /* a copy, which stores to C cannot change */
  size_t j = 0;
  for (size_t p = 0; p < steps; p++) x[p] = a.values[p * a.column];
  GLK_NO_UNROLL
  for (; j + GLK_LANES <= n; j += GLK_LANES) {
    vreal sum = vload(c + j);
    for (size_t p = 0; p < steps; p++) sum += vsplat(x[p]) * vload(b.values + p * b.row + j);
    vstore(c + j, sum);
  }
  GLK_NO_UNROLL
  for (; j < n; j++) {
    glk_real sum = c[j];
    for (size_t p = 0; p < steps; p++) sum += x[p] * b.values[p * b.row + j];
    c[j] = sum;
  }
}

/* c [n] = a [k] b [k, n]: B is read once, in place, four rows together. */
static void multiply_row(size_t n, size_t k, glk_matrix a, glk_matrix b, glk_real *c) {
  memset(c, 0, n * sizeof *c);
  for (size_t p = 0, steps; p < k; p += steps) {
    steps = k - p < TOGETHER ? 1 : TOGETHER;
    if (steps == TOGETHER) {
      add_rows(TOGETHER, n, a, b, c);
    } else {
      add_rows(1, n, a, b, c);
    }
    a.values += steps * a.column, b.values += steps * b.row;
  }
}

/* to[p * step + lane] = from[p * along + lane * across] for `lanes` lanes, at most four; zeros in
 * the others */
__attribute__((noinline)) static void pack(size_t depth, size_t lanes, const glk_real *from,
                                           size_t along, size_t across, glk_real *to, size_t step) {
  size_t p = 0;
  if (across == 1) {
    for (; p < depth; p++, from += along) {
      vstore(to + p * step, lanes < GLK_LANES ? vload_n(from, lanes) : vload(from));
    }
  } else if (lanes >= GLK_LANES && along == 1) {
    for (; p + GLK_LANES <= depth; p += GLK_LANES) {
      vreal v[GLK_LANES];
      for (size_t i = 0; i < GLK_LANES; i++) v[i] = vload(from + i * across + p);
      vtranspose(v);
      for (size_t i = 0; i < GLK_LANES; i++) vstore(to + (p + i) * step, v[i]);
    }
  }
  for (; p < depth; p++) {
    GLK_NO_UNROLL
    for (size_t i = 0; i < GLK_LANES; i++) {
      to[p * step + i] = i < lanes ? from[p * along + i * across] : 0;
    }
  }
}

/* Where a tile is in its steps of k. */
typedef struct steps {
  const glk_real *a, *b, *end;
  size_t a_column, b_row;
} steps;

/* One step; are there more? */
GLK_INLINE int step(steps *at, vreal sum[ROWS][2]) {
  const vreal b0 = vload(at->b), b1 = vload(at->b + GLK_LANES);
  for (size_t i = 0; i < ROWS; i++) {
    const vreal s = vsplat(at->a[i]);
    sum[i][0] += s * b0;
    sum[i][1] += s * b1;
  }
  at->a += at->a_column, at->b += at->b_row;
  return at->a != at->end;
}

/* c [4, 8] = or += a [4, depth] b [depth, 8]. Four steps a turn save work around them, but with a
 * branch behind each: engines move loads to where the last branch was, and soon keep more values
 * than they have registers. */
__attribute__((noinline)) static void tile(size_t depth, const glk_real *a, size_t a_column,
                                           const glk_real *b, size_t b_row, int is_first,
                                           glk_real *c, size_t c_row) {
  vreal sum[ROWS][2];
  for (size_t i = 0; i < ROWS; i++) {
    sum[i][0] = is_first ? vsplat(0) : vload(c + i * c_row);
    sum[i][1] = is_first ? vsplat(0) : vload(c + i * c_row + GLK_LANES);
  }
  steps at = {a, b, a + depth * a_column, a_column, b_row};
  GLK_NO_UNROLL
  while (depth && step(&at, sum) && step(&at, sum) && step(&at, sum) && step(&at, sum)) {
  }
  for (size_t i = 0; i < ROWS; i++) {
    vstore(c + i * c_row, sum[i][0]);
    vstore(c + i * c_row + GLK_LANES, sum[i][1]);
  }
}

/* from [columns], to [columns]; 1 <= columns <= 8 */
__attribute__((noinline)) static void copy_row(size_t columns, const glk_real *from, glk_real *to) {
  const size_t whole = columns & ~(size_t)(GLK_LANES - 1);
  for (size_t j = 0; j < whole; j += GLK_LANES) vstore(to + j, vload(from + j));
  vstore_n(to + whole, vload_n(from + whole, columns - whole), columns - whole);
}

/* A tile of which only some rows and columns exist: A and B come packed, C is copied. */
static void edge(const block *x, size_t rows, size_t columns, glk_matrix a, glk_matrix b,
                 glk_real *c) {
  glk_real copy[ROWS * COLUMNS] = {0};
  for (size_t i = 0; i < rows && !x->is_first; i++) {
    copy_row(columns, c + i * x->n, copy + i * COLUMNS);
  }
  tile(x->depth, a.values, a.column, b.values, b.row, x->is_first, copy, COLUMNS);
  for (size_t i = 0; i < rows; i++) copy_row(columns, copy + i * COLUMNS, c + i * x->n);
}

/* to[p * COLUMNS + j] = from[p * row + j]: pack() takes twice as long, for it has every line
 * twice. */
static void copy_panel(size_t depth, const glk_real *from, size_t row, glk_real *to) {
  GLK_NO_UNROLL
  for (size_t p = 0; p < depth; p++, from += row, to += COLUMNS) {
    const vreal left = vload(from), right = vload(from + GLK_LANES);
    vstore(to, left);
    vstore(to + GLK_LANES, right);
  }
}

/* Columns j to j + 7 of B, packed where that is needed: b [depth, 8]. */
static glk_matrix right_of(const block *x, size_t j) {
  const size_t columns = least(x->n - j, COLUMNS);
  const glk_real *from = x->b.values + j * x->b.column;
  if (!x->packs_b && columns == COLUMNS) return (glk_matrix){from, x->b.row, 1};
  if (x->b.column == 1 && columns == COLUMNS) {
    copy_panel(x->depth, from, x->b.row, x->panel);
    return (glk_matrix){x->panel, COLUMNS, 1};
  }
  GLK_NO_UNROLL
  for (size_t first = 0; first < columns; first += GLK_LANES) {
    pack(x->depth, columns - first, from + first * x->b.column, x->b.row, x->b.column,
         x->panel + first, COLUMNS);
  }
  return (glk_matrix){x->panel, COLUMNS, 1};
}

static void multiply_block(const block *x) {
  const size_t packed_from = x->packs_a ? 0 : x->height & ~(size_t)(ROWS - 1);
  const size_t panels = (x->n + COLUMNS - 1) / COLUMNS;
  for (size_t i = packed_from; i < x->height; i += ROWS) {
    pack(x->depth, x->height - i, x->a.values + i * x->a.row, x->a.column, x->a.row,
         x->rows + (i - packed_from) * x->depth, ROWS);
  }
  for (size_t j = 0; j < x->n; j += COLUMNS) {
    const size_t columns = least(x->n - j, COLUMNS);
    const glk_matrix right = right_of(x, j);
    for (size_t i = 0; i < x->height; i += ROWS) {
      if (x->skip && x->skip[i / ROWS * panels + j / COLUMNS]) continue;
      const size_t rows = least(x->height - i, ROWS);
      glk_real *c = x->c + i * x->n + j;
      glk_matrix left = {x->a.values + i * x->a.row, x->a.row, x->a.column};
      if (i >= packed_from) left = (glk_matrix){x->rows + (i - packed_from) * x->depth, 1, ROWS};
      if (rows == ROWS && columns == COLUMNS) {
        tile(x->depth, left.values, left.column, right.values, right.row, x->is_first, c, x->n);
      } else {
        edge(x, rows, columns, left, right, c);
      }
    }
  }
}

/* c [m, n] = or += a [m, k] b [k, n], block by block. */
static void multiply(size_t m, size_t n, size_t k, glk_matrix a, glk_matrix b, glk_real *c,
                     glk_real *scratch, const uint8_t *skip, int begins_anew) {
  const size_t panels = (n + COLUMNS - 1) / COLUMNS;
  block x = {.n = n, .b = b, .panel = scratch};
  x.packs_a = packs_a(a.column != 1, n);
  x.packs_b = packs_b(b.column != 1, m, n);
  size_t p = 0;
  do {
    x.depth = least(k - p, DEPTH);
    x.rows = scratch + COLUMNS * x.depth;
    x.b.values = b.values + p * b.row;
    x.is_first = begins_anew && p == 0;
    for (size_t top = 0; top < m; top += HEIGHT) {
      x.height = least(m - top, HEIGHT);
      x.a = (glk_matrix){a.values + top * a.row + p * a.column, a.row, a.column};
      x.c = c + top * n;
      x.skip = skip ? skip + top / ROWS * panels : NULL;
      multiply_block(&x);
    }
    p += x.depth;
  } while (p < k);
}

void glk_kernel_gemm(size_t m, size_t n, size_t k, glk_matrix a, glk_matrix b, glk_real *c,
                     glk_real *scratch, const uint8_t *skip) {
  /* c [m, n], a [m, k], b [k, n] */
  if (!skip && (m * n == 1 || m * n * k <= SMALL)) {
    multiply_small(m, n, k, a, b, c);
  } else if (!skip && m == 1 && b.column == 1) {
    multiply_row(n, k, a, b, c);
  } else {
    multiply(m, n, k, a, b, c, scratch, skip, 1);
  }
}

void glk_kernel_gemm_add(size_t m, size_t n, size_t k, glk_matrix a, glk_matrix b, glk_real *c,
                         glk_real *scratch) {
  /* c [m, n], a [m, k], b [k, n] */
  multiply(m, n, k, a, b, c, scratch, NULL, 0);
}
