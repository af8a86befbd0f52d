/* Four rows at a time, the cheaper of two ways: tiles as in gemm.c, without those that nobody reads, or one by one the
 * elements that somebody reads, sixteen of a row side by side (sampled dense-dense products; Hong et al. 2019, PPoPP,
 * "Adaptive sparse tiling"). Locks in blocks make the first cheap, few free elements anywhere the second. */
#include "kernels/sparing.h"

enum {
  ROWS = GLK_TILE_ROWS,
  COLUMNS = GLK_TILE_COLUMNS,
  DEPTH = 32,   /* steps of k at a time, so that what is packed stays in the cache */
  TOGETHER = 8, /* elements of a row that are summed side by side, to wait for sums less */
  /* What a single element costs, in elements of a tile; measured by `make bench` ("locks that pay"). */
  SINGLE_COST = 5
};

size_t glk_kernel_sparing_scratch(size_t m, size_t n) {
  const size_t skips = ((m + ROWS - 1) / ROWS) * ((n + COLUMNS - 1) / COLUMNS);
  return n * (DEPTH + 1) + skips / sizeof(glk_real) + 1;
}

/* The bits of `count` (1..32) elements from place `at` on, 1 = wanted. */
static uint32_t wanted_bits(const uint32_t *unread, size_t at, size_t count) {
  const size_t shift = at % 32;
  uint32_t bits = unread[at / 32] >> shift;
  if (shift + count > 32) bits |= unread[at / 32 + 1] << (32 - shift);
  return ~bits & (~(uint32_t)0 >> (32 - count));
}

/* A bit for each byte of `word` that is not zero: the tiles in which something is wanted. */
static uint32_t bytes_in_use(uint32_t word) {
  word |= word >> 4;
  word |= word >> 2;
  word |= word >> 1;
  return word & 0x01010101;
}

/* Column j of B as row j of `turned` [n * DEPTH], zeros behind `depth`. */
static void turn(size_t n, size_t depth, glk_matrix b, glk_real *turned) {
  for (size_t j = 0; j < n; j++, turned += DEPTH) {
    for (size_t p = 0; p < DEPTH; p++) {
      turned[p] = p < depth ? b.values[p * b.row + j * b.column] : 0;
    }
  }
}

/* sums[e] += a[p] column[e][p] for p in order: four elements lie in the lanes of a vector, four p are turned at once. */
static void sum_columns(const glk_real *a, const glk_real *const *column, glk_real *sums) {
  vreal sum[TOGETHER / GLK_LANES];
  for (size_t v = 0; v < TOGETHER / GLK_LANES; v++) sum[v] = vload(sums + v * GLK_LANES);
  for (size_t p = 0; p < DEPTH; p += GLK_LANES) {
    for (size_t v = 0; v < TOGETHER / GLK_LANES; v++) {
      const glk_real *const *at = column + v * GLK_LANES;
      const vreal x = vload(at[0] + p), y = vload(at[1] + p), z = vload(at[2] + p),
                  w = vload(at[3] + p);
      const vreal xy = __builtin_shufflevector(x, y, 0, 4, 1, 5);
      const vreal zw = __builtin_shufflevector(z, w, 0, 4, 1, 5);
      const vreal xy2 = __builtin_shufflevector(x, y, 2, 6, 3, 7);
      const vreal zw2 = __builtin_shufflevector(z, w, 2, 6, 3, 7);
      sum[v] += vsplat(a[p]) * __builtin_shufflevector(xy, zw, 0, 1, 4, 5);
      sum[v] += vsplat(a[p + 1]) * __builtin_shufflevector(xy, zw, 2, 3, 6, 7);
      sum[v] += vsplat(a[p + 2]) * __builtin_shufflevector(xy2, zw2, 0, 1, 4, 5);
      sum[v] += vsplat(a[p + 3]) * __builtin_shufflevector(xy2, zw2, 2, 3, 6, 7);
    }
  }
  for (size_t v = 0; v < TOGETHER / GLK_LANES; v++) vstore(sums + v * GLK_LANES, sum[v]);
}

/* The wanted elements of one row of C, from bit `first` on, over `depth` steps of k that begin at p. `columns` has room
 * for all of them. */
static void sum_row(size_t n, size_t depth, const glk_real *a, size_t a_step,
                    const glk_real *turned, int is_first, glk_real *c, const uint32_t *unread,
                    size_t first, uint32_t *columns) {
  size_t count = 0;
  glk_real row[DEPTH];
  for (size_t j = 0; j < n; j += 32) {
    uint32_t bits = wanted_bits(unread, first + j, n - j < 32 ? n - j : 32);
    for (; bits; bits &= bits - 1) columns[count++] = (uint32_t)j + (uint32_t)__builtin_ctz(bits);
  }
  for (size_t p = 0; p < DEPTH; p++) row[p] = p < depth ? a[p * a_step] : 0;
  for (size_t done = 0; done < count; done += TOGETHER) {
    const size_t now = count - done < TOGETHER ? count - done : TOGETHER;
    const glk_real *column[TOGETHER];
    glk_real sums[TOGETHER] = {0};
    for (size_t t = 0; t < TOGETHER; t++) {
      const size_t j = columns[done + (t < now ? t : 0)];
      column[t] = turned + j * DEPTH;
      if (!is_first) sums[t] = c[j];
    }
    sum_columns(row, column, sums);
    for (size_t t = 0; t < now; t++) c[columns[done + t]] = sums[t];
  }
}

/* Say which tiles of `rows` rows from i on can be skipped, and whether single elements are cheaper than the others. */
static int choose(size_t rows, size_t n, size_t i, const uint32_t *unread, size_t first,
                  uint8_t *skip) {
  size_t singles = 0, tiles = 0;
  for (size_t j = 0; j < n; j += 32) {
    const size_t count = n - j < 32 ? n - j : 32;
    uint32_t any = 0;
    for (size_t r = 0; r < rows; r++) {
      const uint32_t bits = wanted_bits(unread, first + (i + r) * n + j, count);
      singles += (size_t)__builtin_popcount(bits);
      any |= bits;
    }
    const uint32_t used = bytes_in_use(any);
    tiles += (size_t)__builtin_popcount(used);
    for (size_t t = 0; t < (count + COLUMNS - 1) / COLUMNS; t++) {
      skip[j / COLUMNS + t] = !(used >> (8 * t) & 1);
    }
  }
  return singles * SINGLE_COST < tiles * ROWS * COLUMNS;
}

void glk_kernel_gemm_sparing(size_t m, size_t n, size_t k, glk_matrix a, glk_matrix b, glk_real *c,
                             glk_real *scratch, const uint32_t *unread, size_t first) {
  enum { SINGLES = 2 };
  glk_real *turned = scratch;
  uint32_t *columns = (uint32_t *)(turned + n * DEPTH);
  uint8_t *skip = (uint8_t *)(columns + n);
  const size_t panels = (n + COLUMNS - 1) / COLUMNS;
  int has_singles = 0;
  for (size_t i = 0; i < m && k; i += ROWS) {
    uint8_t *row_skip = skip + i / ROWS * panels;
    if (!choose(m - i < ROWS ? m - i : ROWS, n, i, unread, first, row_skip)) continue;
    memset(row_skip, SINGLES, panels);
    has_singles = 1;
  }
  for (size_t p = 0; has_singles && p < k; p += DEPTH) {
    const size_t depth = k - p < DEPTH ? k - p : DEPTH;
    turn(n, depth, (glk_matrix){b.values + p * b.row, b.row, b.column}, turned);
    for (size_t i = 0; i < m; i++) {
      if (skip[i / ROWS * panels] != SINGLES) continue;
      sum_row(n, depth, a.values + i * a.row + p * a.column, a.column, turned, p == 0, c + i * n,
              unread, first + i * n, columns);
    }
  }
  glk_kernel_gemm(m, n, k, a, b, c, scratch + glk_kernel_sparing_scratch(m, n), k ? skip : NULL);
}
