/* Matrix products that skip elements that are not needed. Four rows at a time use the cheaper of
 * two ways: tiles as in gemm.c, without those that are not needed at all; or, row by row, groups of
 * four neighbours of which one is needed. Locks in blocks make the first cheap, few free elements
 * scattered anywhere the second.
 * Source: sampled dense-dense products, Hong et al. 2019, "Adaptive sparse tiling", PPoPP. */
#include "kernels/gemm.h"

enum {
  ROWS = GLK_TILE_ROWS,
  COLUMNS = GLK_TILE_COLUMNS,
  /* Steps of k, and columns of B, that are packed at a time: 64 kB. */
  DEPTH = 32,
  WIDTH = 512,
  LISTED = WIDTH / GLK_LANES,
  /* Fours that are summed side by side, so that no sum waits for the one before it. */
  TOGETHER = 4,
  /* Costs, by measurement (docs/speed.md). Rows must be many to share the packing of B. */
  TILE_COST = 80,
  FOUR_COST = 14,
  ROW_COST = 60,
  LEAST_ROWS = 16
};

static size_t packed_size(size_t n) {
  return glk_min_size((n + GLK_LANES - 1) / GLK_LANES, LISTED) * GLK_LANES * DEPTH;
}

size_t glk_kernel_masked_gemm_scratch(size_t m, size_t n) {
  const size_t skips = ((m + ROWS - 1) / ROWS) * ((n + COLUMNS - 1) / COLUMNS);
  return packed_size(n) + skips / sizeof(glk_real) + 1;
}

/* The bits of `count` (1..32) elements from bit `at` on, 1 = needed. */
GLK_INLINE uint32_t needed_bits(const uint32_t *unread, size_t at, size_t count) {
  const size_t shift = at % 32;
  uint32_t bits = unread[at / 32] >> shift;
  if (shift + count > 32) bits |= unread[at / 32 + 1] << (32 - shift);
  return ~bits & (~(uint32_t)0 >> (32 - count));
}

/* A bit for each four bits of `word` that are not all zero. */
GLK_INLINE uint32_t fours_in_use(uint32_t word) {
  word |= word >> 2;
  word |= word >> 1;
  return word & 0x11111111;
}

/* Fours and tiles that four rows need. */
typedef struct demand {
  size_t fours, tiles;
} demand;

/* skip [ceil(n / COLUMNS)] = 1 for tiles of `rows` rows, from bit `at` on, of which nothing is
 * needed; counts the others. */
static demand look(size_t rows, size_t n, const uint32_t *unread, size_t at, uint8_t *skip) {
  demand out = {0, 0};
  GLK_NO_UNROLL
  for (size_t j = 0; j < n; j += 32, at += 32) {
    const size_t count = glk_min_size(n - j, 32);
    uint32_t any = 0;
    GLK_NO_UNROLL
    for (size_t r = 0; r < rows; r++) {
      const uint32_t used = fours_in_use(needed_bits(unread, at + r * n, count));
      out.fours += (size_t)__builtin_popcount(used);
      any |= used;
    }
    any |= any >> GLK_LANES;
    out.tiles += (size_t)__builtin_popcount(any & 0x01010101);
    GLK_NO_UNROLL
    for (size_t t = 0; t < (count + COLUMNS - 1) / COLUMNS; t++) {
      *skip++ = ~(any >> (COLUMNS * t)) & 1;
    }
  }
  return out;
}

typedef uint8_t vbytes __attribute__((vector_size(16)));
typedef uint32_t vwords __attribute__((vector_size(16)));
typedef vwords vwords_at __attribute__((aligned(sizeof(uint32_t)), may_alias));
typedef vbytes vbytes_at __attribute__((aligned(1), may_alias));

enum { VECTOR = 128 }; /* bits */

/* look() for four rows that are whole vectors, ten times as fast. A byte is a row of a tile, the
 * lowest the first. */
static demand look_at_vectors(size_t n, const uint32_t *unread, uint8_t *skip) {
  vwords fours = {0, 0, 0, 0}, tiles = fours;
  GLK_NO_UNROLL
  for (size_t j = 0; j < n; j += VECTOR, unread += VECTOR / 32, skip += VECTOR / COLUMNS) {
    vwords all = {~0u, ~0u, ~0u, ~0u}, used = {0, 0, 0, 0};
    for (size_t r = 0; r < ROWS; r++) {
      const vwords locks = *(const vwords_at *)(unread + r * n / 32);
      vwords both = locks & locks >> 2;
      all &= locks;
      used += ~(both & both >> 1) & 0x11111111; /* at most 4 in four bits */
    }
    const vbytes skipped = (vbytes)((vbytes)all == 255);
    *(vbytes_at *)skip = skipped;
    used = (used & 0x0f0f0f0f) + (used >> 4 & 0x0f0f0f0f);
    fours += used * 0x01010101 >> 24;
    tiles += ((vwords)~skipped & 0x01010101) * 0x01010101 >> 24;
  }
  return (demand){fours[0] + fours[1] + fours[2] + fours[3],
                  tiles[0] + tiles[1] + tiles[2] + tiles[3]};
}

/* list = the fours of `width` columns from bit `at` on of which something is needed; returns their
 * number. It is added up without branches, which random bits would make mispredicted. */
static size_t list_fours(size_t width, const uint32_t *unread, size_t at, uint32_t *list) {
  size_t count = 0;
  GLK_NO_UNROLL
  for (size_t j = 0; j < width; j += 32) {
    const uint32_t used = fours_in_use(needed_bits(unread, at + j, glk_min_size(width - j, 32)));
    if (!used) continue;
    for (uint32_t t = 0; t < 32 / GLK_LANES; t++) {
      list[count] = (uint32_t)j / GLK_LANES + t;
      count += used >> (GLK_LANES * t) & 1;
    }
  }
  return count;
}

/* packed[(four * DEPTH + p) * 4 + lane], zeros after the last of `width` columns. */
static void pack(size_t depth, size_t width, glk_matrix b, glk_real *packed) {
  for (size_t j = 0; j < width; j += GLK_LANES, packed += DEPTH * GLK_LANES) {
    const glk_real *from = b.values + j * b.cs;
    const size_t lanes = glk_min_size(width - j, GLK_LANES);
    const int is_whole = lanes == GLK_LANES && b.cs == 1;
    GLK_NO_UNROLL
    for (size_t p = 0; p < depth; p++, from += b.rs) {
      vreal four = {0, 0, 0, 0};
      if (is_whole) {
        four = vload(from);
      } else {
        for (size_t i = 0; i < GLK_LANES; i++) four[i] = i < lanes ? from[i * b.cs] : 0;
      }
      vstore(packed + p * GLK_LANES, four);
    }
  }
}

/* Where some fours of a row are in their steps of k. */
typedef struct steps {
  const glk_real *a, *end, *b[TOGETHER];
  size_t a_column;
} steps;

/* One step; are there more? */
GLK_INLINE int step(steps *at, vreal sum[TOGETHER]) {
  const vreal s = vsplat(*at->a);
  for (size_t t = 0; t < TOGETHER; t++) {
    sum[t] += s * vload(at->b[t]);
    at->b[t] += GLK_LANES;
  }
  at->a += at->a_column;
  return at->a != at->end;
}

/* The edge of C, `n` reals: what the inner loop does not do needs no copy for each four. */
GLK_SHARED vreal load_four(const glk_real *c, size_t n) { return vload_most(c, n); }
GLK_SHARED void store_four(glk_real *c, vreal v, size_t n) { vstore_most(c, v, n); }

/* Four fours of a row of C, which is `width` long. The loop is that of gemm.c's tile. */
__attribute__((noinline)) static void sum_fours(size_t depth, const glk_real *a, size_t a_column,
                                                const glk_real *packed, const uint32_t *list,
                                                int is_first, glk_real *c, size_t width) {
  steps at = {.a = a, .end = a + depth * a_column, .a_column = a_column};
  vreal sum[TOGETHER];
  for (size_t t = 0; t < TOGETHER; t++) {
    const size_t j = list[t] * GLK_LANES, left = width - j;
    at.b[t] = packed + j * DEPTH;
    sum[t] = vsplat(0);
    if (!is_first) sum[t] = load_four(c + j, left);
  }
  GLK_NO_UNROLL
  while (step(&at, sum) && step(&at, sum) && step(&at, sum) && step(&at, sum)) {
  }
  for (size_t t = 0; t < TOGETHER; t++) {
    const size_t j = list[t] * GLK_LANES, left = width - j;
    store_four(c + j, sum[t], left);
  }
}

/* The needed fours of `width` elements of a row of C, whose bits begin at `at`. */
__attribute__((noinline)) static void sum_row(size_t width, size_t depth, const glk_real *a,
                                              size_t a_column, const glk_real *packed, int is_first,
                                              glk_real *c, const uint32_t *unread, size_t at) {
  uint32_t list[LISTED + TOGETHER];
  const size_t count = list_fours(width, unread, at, list);
  for (size_t t = 0; count && t < TOGETHER - 1; t++) list[count + t] = list[count - 1];
  for (size_t done = 0; done < count; done += TOGETHER) {
    sum_fours(depth, a, a_column, packed, list + done, is_first, c, width);
  }
}

/* sum_row() for `rows` rows, n apart. Columns of a transposed A may evict each other, so four rows
 * of it are copied. */
static void sum_rows(size_t rows, size_t width, size_t depth, glk_matrix a, const glk_real *packed,
                     int is_first, glk_real *c, size_t n, const uint32_t *unread, size_t at) {
  glk_real copy[DEPTH * ROWS];
  if (a.rs == 1 && rows == ROWS) {
    GLK_NO_UNROLL
    for (size_t p = 0; p < depth; p++) vstore(copy + p * ROWS, vload(a.values + p * a.cs));
    a = (glk_matrix){copy, 1, ROWS};
  }
  for (size_t r = 0; r < rows; r++) {
    sum_row(width, depth, a.values + r * a.rs, a.cs, packed, is_first, c + r * n, unread,
            at + r * n);
  }
}

static int are_skipped(size_t count, const uint8_t *skip) {
  while (count && *skip) count--, skip++;
  return !count;
}

void glk_kernel_masked_gemm(size_t m, size_t n, size_t k, glk_matrix a, glk_matrix b, glk_real *c,
                            glk_real *scratch, const uint32_t *unread, size_t first) {
  /* c [m, n], a [m, k], b [k, n], unread [m, n] bits from `first` on */
  enum { FOURS = 2 };
  const size_t panels = (n + COLUMNS - 1) / COLUMNS;
  glk_real *packed = scratch;
  uint8_t *skip = (uint8_t *)(scratch + packed_size(n));
  scratch += glk_kernel_masked_gemm_scratch(m, n);
  if (!k) {
    glk_kernel_gemm(m, n, k, a, b, c, n, scratch, NULL);
    return;
  }
  size_t top = m, bottom = 0; /* rows from the first tile that is not skipped to the last */
  int has_fours = 0;
  for (size_t i = 0; i < m; i += ROWS) {
    const size_t rows = glk_min_size(m - i, ROWS), at = first + i * n;
    uint8_t *row_skip = skip + i / ROWS * panels;
    const int are_vectors = rows == ROWS && at % 32 == 0 && n % VECTOR == 0;
    const demand need = are_vectors ? look_at_vectors(n, unread + at / 32, row_skip)
                                    : look(rows, n, unread, at, row_skip);
    if (m >= LEAST_ROWS && need.fours * FOUR_COST + rows * ROW_COST < need.tiles * TILE_COST) {
      memset(row_skip, FOURS, panels);
      has_fours = 1;
    } else if (!are_skipped(panels, row_skip)) {
      top = glk_min_size(top, i);
      bottom = i + rows;
    }
  }
  for (size_t p = 0; has_fours && p < k; p += DEPTH) {
    const size_t depth = glk_min_size(k - p, DEPTH);
    for (size_t j = 0; j < n; j += WIDTH) {
      const size_t width = glk_min_size(n - j, WIDTH);
      const glk_matrix right = {b.values + p * b.rs + j * b.cs, b.rs, b.cs};
      pack(depth, width, right, packed);
      for (size_t i = 0; i < m; i += ROWS) {
        if (skip[i / ROWS * panels] != FOURS) continue;
        const glk_matrix left = {a.values + i * a.rs + p * a.cs, a.rs, a.cs};
        sum_rows(glk_min_size(m - i, ROWS), width, depth, left, packed, p == 0, c + i * n + j, n,
                 unread, first + i * n + j);
      }
    }
  }
  if (top >= bottom) return;
  a.values += top * a.rs;
  glk_kernel_gemm(bottom - top, n, k, a, b, c + top * n, n, scratch, skip + top / ROWS * panels);
}
