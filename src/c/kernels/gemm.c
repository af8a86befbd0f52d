/* Matrix products in tiles of 4 x 8: eight accumulators, two loads of B and four splats of A for
 * each step of k. This fits into 16 registers (XNNPACK uses 4 x 8 on x86, too). Each element is
 * summed in the order of k, from +0, for all sizes and paths. Between blocks of k, C keeps the
 * sums.
 *
 * What is packed was decided by measurement (docs/speed.md). A is packed, so that the four numbers
 * of a step are adjacent. It is not packed if it is transposed (then they are adjacent already) and
 * there are few panels of B. B is packed where it is transposed, or where many rows of A share a
 * panel whose lines evict each other. Partial tiles are packed too, so that one tile serves all.
 * Else both are read in place. Convolutions bring an A that is packed already, or one that lies in
 * runs in an image.
 *
 * Source: Goto & van de Geijn 2008, "Anatomy of high-performance matrix multiplication", ACM TOMS
 * 34(3). */
#include "kernels/gemm.h"

#include "kernels/copy.h"

enum {
  ROWS = GLK_TILE_ROWS,
  COLUMNS = GLK_TILE_COLUMNS,
  /* Vectors of a row that are summed together. Four f64 take two registers: 4 x 8 sums of f64 would
   * need all 16, and be spilled in each step, so a tile of f64 is summed in two halves. */
  ACROSS = sizeof(glk_real) == 8 ? 1 : 2,
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
  int is_panels;     /* A comes packed */
  size_t runs, jump; /* of A's columns, and how far one is from the next */
  glk_real *c;
  size_t c_row;
  const uint8_t *skip;    /* of the first tile; NULL: none */
  const uint32_t *unread; /* the same by bits of elements, from bit `first` on */
  size_t first;
  glk_real *panel, *rows;
} block;

/* A tile reads four adjacent numbers; in a transposed A they are adjacent already. */
static int packs_a(int is_transposed, size_t n) { return !is_transposed || n > 2 * COLUMNS; }

/* Rows of B at a distance of a multiple of 1 kB share few cache sets and evict each other;
 * multiples of 4 kB are worst. */
static int packs_b(glk_matrix b, size_t m) {
  const size_t row = b.rs;
  return b.cs != 1 || (row >= 512 && m >= (row % 256 ? 128 : row % 1024 ? 64 : 16));
}

size_t glk_kernel_gemm_scratch(size_t m, size_t n, size_t k, int is_a_transposed) {
  const size_t whole = (m + ROWS - 1) / ROWS * ROWS;
  return glk_min_size(k, DEPTH) *
         (COLUMNS + (packs_a(is_a_transposed, n) ? glk_min_size(whole, HEIGHT) : ROWS));
}

/* A few products, or one sum. */
static void multiply_small(size_t m, size_t n, size_t k, glk_matrix a, glk_matrix b, glk_real *c,
                           size_t c_row) {
  for (size_t i = 0; i < m; i++, c += c_row) {
    for (size_t j = 0; j < n; j++) {
      const glk_real *x = a.values + i * a.rs, *y = b.values + j * b.cs;
      glk_real sum = 0;
      GLK_NO_VECTORS
      for (size_t p = 0; p < k; p++, x += a.cs, y += b.rs) sum += *x * *y;
      c[j] = sum;
    }
  }
}

/* c [n] += a [steps] b [steps, n] */
GLK_INLINE void add_rows(size_t steps, size_t n, glk_matrix a, glk_matrix b, glk_real *c) {
  glk_real x[TOGETHER]; /* a copy, which stores to C cannot change */
  size_t j = 0;
  for (size_t p = 0; p < steps; p++) x[p] = a.values[p * a.cs];
  GLK_NO_UNROLL
  for (; j + GLK_LANES <= n; j += GLK_LANES) {
    vreal sum = vload(c + j);
    for (size_t p = 0; p < steps; p++) sum += vsplat(x[p]) * vload(b.values + p * b.rs + j);
    vstore(c + j, sum);
  }
  GLK_NO_VECTORS
  for (; j < n; j++) {
    glk_real sum = c[j];
    for (size_t p = 0; p < steps; p++) sum += x[p] * b.values[p * b.rs + j];
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
    a.values += steps * a.cs, b.values += steps * b.rs;
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
    GLK_NO_VECTORS
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
GLK_INLINE int step(size_t rows, steps *at, vreal sum[ROWS][ACROSS]) {
  vreal b[ACROSS];
  for (size_t v = 0; v < ACROSS; v++) b[v] = vload(at->b + v * GLK_LANES);
  for (size_t i = 0; i < rows; i++) {
    const vreal s = vsplat(at->a[i]);
    for (size_t v = 0; v < ACROSS; v++) sum[i][v] += s * b[v];
  }
  at->a += at->a_column, at->b += at->b_row;
  return at->a != at->end;
}

/* Where tiles of a block find their numbers. Steps of k come in runs of A, `jump` apart. */
typedef struct layout {
  size_t runs, run, jump, a_column, b_row, c_row;
  size_t a_next; /* from a tile's A to the next one's */
  int is_first;
} layout;

/* `count` tiles beneath each other, c [rows, 8] = or += a [rows, depth] b [depth, 8] each: a call
 * for each tile would take a quarter of the time of a short one. Four steps a turn save overhead.
 * Each ends with a branch, because engines move loads up to the last branch, and would soon keep
 * more values than they have registers. */
GLK_INLINE void sum_tiles(size_t rows, size_t count, const layout *w, const glk_real *a,
                          const glk_real *b, glk_real *c) {
  const size_t c_row = w->c_row, a_next = w->a_next, run = w->run * w->a_column, jump = w->jump;
  const int is_first = w->is_first;
  GLK_NO_UNROLL
  for (; count; count--, a += a_next) {
    vreal sum[ROWS][ACROSS];
    for (size_t i = 0; i < rows; i++) {
      for (size_t v = 0; v < ACROSS; v++) {
        sum[i][v] = is_first ? vsplat(0) : vload(c + i * c_row + v * GLK_LANES);
      }
    }
    steps at = {a, b, a, w->a_column, w->b_row};
    const glk_real *next = a;
    GLK_NO_UNROLL
    for (size_t r = w->runs; r; r--, next += jump) {
      at.a = next, at.end = next + run;
      GLK_NO_UNROLL
      while (
          step(rows, &at, sum) &&
          (rows < ROWS || (step(rows, &at, sum) && step(rows, &at, sum) && step(rows, &at, sum)))) {
      }
    }
    for (size_t i = 0; i < rows; i++, c += c_row) {
      for (size_t v = 0; v < ACROSS; v++) vstore(c + v * GLK_LANES, sum[i][v]);
    }
  }
}

__attribute__((noinline)) static void fours(size_t count, const layout *w, const glk_real *a,
                                            const glk_real *b, glk_real *c) {
  sum_tiles(ROWS, count, w, a, b, c);
}

/* Nine rows, the taps of a layer of one channel, are three of these; or two fours and an edge,
 * which is copied. */
__attribute__((noinline)) static void threes(size_t count, const layout *w, const glk_real *a,
                                             const glk_real *b, glk_real *c) {
  sum_tiles(ROWS - 1, count, w, a, b, c);
}

static void sum_rows(int is_three, size_t count, const layout *w, const glk_real *a,
                     const glk_real *b, glk_real *c) {
  for (size_t j = 0; j < COLUMNS; j += ACROSS * GLK_LANES) {
    if (is_three) {
      threes(count, w, a, b + j, c + j);
    } else {
      fours(count, w, a, b + j, c + j);
    }
  }
}

/* A tile of which only some rows and columns exist: A and B are packed where they are missing, C is
 * copied. */
static void edge(const layout *w, size_t rows, size_t columns, const glk_real *a, const glk_real *b,
                 glk_real *c, int is_three) {
  glk_real copy[ROWS * COLUMNS] = {0};
  layout own = *w;
  own.c_row = COLUMNS;
  for (size_t i = 0; i < rows && !w->is_first; i++) {
    glk_kernel_copy_few(columns, c + i * w->c_row, copy + i * COLUMNS);
  }
  sum_rows(is_three, 1, &own, a, b, copy);
  for (size_t i = 0; i < rows; i++) {
    glk_kernel_copy_few(columns, copy + i * COLUMNS, c + i * w->c_row);
  }
}

/* to[p * COLUMNS + j] = from[p * row + j]: pack() takes twice as long, for it would load each
 * cache line twice. */
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
  const size_t columns = glk_min_size(x->n - j, COLUMNS);
  const glk_real *from = x->b.values + j * x->b.cs;
  if (!x->packs_b && columns == COLUMNS) return (glk_matrix){from, x->b.rs, 1};
  if (x->b.cs == 1 && columns == COLUMNS) {
    copy_panel(x->depth, from, x->b.rs, x->panel);
    return (glk_matrix){x->panel, COLUMNS, 1};
  }
  /* All lanes are written: tiles compute with all, and with leftovers that happen to be subnormal
   * they would take 15 times as long. */
  GLK_NO_UNROLL
  for (size_t first = 0; first < COLUMNS; first += GLK_LANES) {
    const size_t lanes = first < columns ? columns - first : 0;
    pack(x->depth, lanes, from + (lanes ? first * x->b.cs : 0), x->b.rs, x->b.cs, x->panel + first,
         COLUMNS);
  }
  return (glk_matrix){x->panel, COLUMNS, 1};
}

/* True if no element of a tile is read. */
static int is_unread(const block *x, size_t i, size_t j, size_t rows, size_t columns) {
  if (x->skip) return x->skip[i / ROWS * ((x->n + COLUMNS - 1) / COLUMNS) + j / COLUMNS];
  GLK_NO_UNROLL
  for (size_t at = x->first + i * x->n + j; rows; rows--, at += x->n) {
    const size_t shift = at % 32;
    uint32_t bits = x->unread[at / 32] >> shift;
    if (shift + columns > 32) bits |= x->unread[at / 32 + 1] << (32 - shift);
    if (~bits & (((uint32_t)1 << columns) - 1)) return 0;
  }
  return 1;
}

/* The first row of the first tile from row i on that is not needed, or `end`. */
static size_t end_of_read(const block *x, size_t i, size_t j, size_t rows, size_t columns,
                          size_t end) {
  if (!x->skip && !x->unread) return end;
  while (i < end && !is_unread(x, i, j, rows, columns)) i += rows;
  return i;
}

static void multiply_block(const block *x) {
  const size_t left = x->height % ROWS, run = x->depth / x->runs;
  /* Rows in fours, then tiles of three, so that none is partial. What is left out by tiles, or
   * comes packed, is in fours. */
  size_t threes = 0, whole = x->height - left;
  if (left && x->height >= (ROWS - left) * 3 && !x->skip && !x->is_panels) {
    threes = ROWS - left, whole = x->height - 3 * threes;
  }
  const size_t packed_from = x->packs_a ? 0 : threes || x->is_panels ? x->height : whole;
  glk_real *to = x->rows;
  for (size_t i = packed_from, rows; i < x->height; i += rows) {
    const glk_real *from = x->a.values + i * x->a.rs;
    rows = i < whole || !threes ? ROWS : 3;
    for (size_t r = x->runs; r; r--, from += x->jump, to += run * ROWS) {
      pack(run, glk_min_size(x->height - i, rows), from, x->a.cs, x->a.rs, to, ROWS);
    }
  }
  for (size_t j = 0; j < x->n; j += COLUMNS) {
    const size_t columns = glk_min_size(x->n - j, COLUMNS);
    const glk_matrix right = right_of(x, j);
    for (size_t i = 0, tile = 0, rows, count; i < x->height; i += rows * count, tile += count) {
      rows = i < whole ? ROWS : threes ? 3 : left;
      const size_t most = columns < COLUMNS ? i + rows : i < whole ? whole : x->height;
      const size_t end = end_of_read(x, i, j, rows, columns, most);
      count = 1;
      if (end == i) continue;
      count = (end - i) / rows;
      layout w = {.b_row = right.rs, .c_row = x->c_row, .is_first = x->is_first};
      const glk_real *a = x->a.values + i * x->a.rs;
      if (i >= packed_from) {
        a = x->rows + (tile * ROWS - packed_from) * x->depth;
        w.runs = 1, w.run = x->depth, w.a_column = ROWS, w.a_next = ROWS * x->depth;
      } else {
        w.runs = x->runs, w.run = run, w.jump = x->jump;
        w.a_column = x->a.cs, w.a_next = rows * x->a.rs;
      }
      if (!run) w.runs = 0;
      glk_real *c = x->c + i * x->c_row + j;
      const int is_three = i >= whole && threes;
      if (columns < COLUMNS || (rows < ROWS && !is_three)) {
        edge(&w, rows, columns, a, right.values, c, is_three);
      } else {
        sum_rows(is_three, count, &w, a, right.values, c);
      }
    }
  }
}

/* c [m, n] = or += a [m, k] b [k, n], block by block. */
static void multiply(size_t m, size_t n, size_t k, glk_matrix a, glk_matrix b, glk_real *c,
                     size_t c_row, glk_real *scratch, const uint8_t *skip, int is_panels) {
  const size_t panels = (n + COLUMNS - 1) / COLUMNS;
  block x = {.n = n, .b = b, .c_row = c_row, .panel = scratch, .runs = 1, .is_panels = is_panels};
  x.packs_a = !is_panels && packs_a(a.cs != 1, n);
  x.packs_b = packs_b(b, m);
  size_t p = 0;
  do {
    x.depth = glk_min_size(k - p, DEPTH);
    x.rows = scratch + COLUMNS * x.depth;
    x.b.values = b.values + p * b.rs;
    x.is_first = p == 0;
    for (size_t top = 0; top < m; top += HEIGHT) {
      x.height = glk_min_size(m - top, HEIGHT);
      x.a = (glk_matrix){a.values + top * a.rs + p * a.cs, a.rs, a.cs};
      x.c = c + top * c_row;
      x.skip = skip ? skip + top / ROWS * panels : NULL;
      multiply_block(&x);
    }
    p += x.depth;
  } while (p < k);
}

void glk_kernel_gemm(size_t m, size_t n, size_t k, glk_matrix a, glk_matrix b, glk_real *c,
                     size_t c_row, glk_real *scratch, const uint8_t *skip) {
  /* c [m, n], a [m, k], b [k, n] */
  if (!skip && (m * n == 1 || m * n * k <= SMALL)) {
    multiply_small(m, n, k, a, b, c, c_row);
  } else if (!skip && m == 1 && b.cs == 1) {
    multiply_row(n, k, a, b, c);
  } else {
    multiply(m, n, k, a, b, c, c_row, scratch, skip, 0);
  }
}

void glk_kernel_gemm_panels(size_t m, size_t n, size_t k, const glk_real *panels, glk_matrix b,
                            glk_real *c, glk_real *scratch) {
  /* c [m, n], panels [ceil(m / 4), k, 4], b [k, n] */
  multiply(m, n, k, (glk_matrix){panels, k, ROWS}, b, c, n, scratch, NULL, 1);
}

void glk_kernel_gemm_runs(size_t m, size_t n, size_t runs, size_t run, const glk_real *a,
                          size_t column, size_t jump, const glk_real *b, glk_real *c,
                          glk_real *scratch, const uint32_t *unread, size_t first, int is_first) {
  /* c [m, n], b [runs run, n] */
  const size_t depth = runs * run;
  block x = {.n = n,
             .depth = depth,
             .a = {a, 1, column},
             .b = {b, n, 1},
             .packs_a = !jump && packs_a(1, n),
             .packs_b = packs_b((glk_matrix){b, n, 1}, m),
             .c_row = n,
             .runs = runs,
             .jump = jump,
             .is_first = is_first,
             .unread = unread,
             .panel = scratch,
             .rows = scratch + COLUMNS * depth};
  for (size_t top = 0; top < m; top += x.height) {
    x.height = x.packs_a ? glk_min_size(m - top, HEIGHT) : m;
    x.a.values = a + top;
    x.c = c + top * n;
    x.first = first + top * n;
    multiply_block(&x);
  }
}
