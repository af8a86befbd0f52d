/* Sums, extremes and their indices, in vectors. */
#include "kernels/reduce.h"

/* Both sums use one walk. It adds rows of 16 lanes in blocks of 32 rows, and joins blocks pairwise
 * like the digits of a binary counter: level k has the sum of 2^k blocks. A contiguous run is read
 * as rows of 16 that lie end to end. */
enum {
  WIDTH = 16,
  VECTORS = WIDTH / GLK_LANES,
  BLOCK = 32,
  LEVELS = 28,
  /* Number of columns that are summed block by block, 16 lanes each, so that distant rows share a
   * page of memory. */
  GROUPS = 4
};

typedef struct lanes {
  vreal v[VECTORS];
} lanes;

GLK_INLINE void add_lanes(lanes *a, const lanes *b) {
  for (int k = 0; k < VECTORS; k++) a->v[k] += b->v[k];
}

/* `width` is 1..16 lanes that exist in each row; the others count as zero. */
GLK_INLINE void load_row(const glk_real *x, size_t width, lanes *out) {
  for (size_t k = 0; k < VECTORS; k++) {
    const size_t first = k * GLK_LANES;
    out->v[k] = first + GLK_LANES <= width ? vload(x + first)
                : first < width            ? vload_n(x + first, width - first)
                                           : vsplat(0);
  }
}

GLK_INLINE void sum_block(size_t rows, size_t stride, size_t width, const glk_real *x, lanes *sum) {
  load_row(x, width, sum);
  GLK_NO_UNROLL
  for (size_t r = 1; r < rows; r++) {
    lanes row;
    load_row(x + r * stride, width, &row);
    add_lanes(sum, &row);
  }
}

/* `width` is 1..64 lanes, of which each 16 have a sum of their own in `out`. */
__attribute__((noinline)) static void sum_strided(size_t rows, size_t stride, size_t width,
                                                  const glk_real *x, lanes *out) {
  lanes levels[GROUPS][LEVELS];
  size_t blocks = 0;
  for (size_t r = 0; r < rows; r += BLOCK, blocks++) {
    const size_t n = rows - r < BLOCK ? rows - r : BLOCK;
    for (size_t first = 0; first < width; first += WIDTH) {
      const glk_real *from = x + r * stride + first;
      lanes sum, *level = levels[first / WIDTH];
      if (width - first >= WIDTH) {
        sum_block(n, stride, WIDTH, from, &sum);
      } else {
        sum_block(n, stride, width - first, from, &sum);
      }
      for (size_t bits = blocks; bits & 1; bits >>= 1) add_lanes(&sum, level++);
      *level = sum;
    }
  }
  for (size_t group = 0; group * WIDTH < width; group++) {
    int have = 0;
    out[group] = (lanes){{vsplat(0), vsplat(0), vsplat(0), vsplat(0)}};
    for (int level = 0; blocks >> level; level++) {
      if (!(blocks >> level & 1)) continue;
      if (have) {
        add_lanes(&out[group], &levels[group][level]);
      } else {
        out[group] = levels[group][level];
      }
      have = 1;
    }
  }
}

/* The sum of x [n], of whose rows of 16 lanes `sum` is the sum. */
static glk_real finish_sum(size_t n, const glk_real *x, lanes sum) {
  if (n % WIDTH) {
    lanes rest;
    load_row(x + n / WIDTH * WIDTH, n % WIDTH, &rest);
    add_lanes(&sum, &rest);
  }
  const vreal v = (sum.v[0] + sum.v[1]) + (sum.v[2] + sum.v[3]);
  return (v[0] + v[1]) + (v[2] + v[3]);
}

glk_real glk_kernel_sum(size_t n, const glk_real *x) {
  lanes sum;
  sum_strided(n / WIDTH, WIDTH, WIDTH, x, &sum);
  return finish_sum(n, x, sum);
}

void glk_kernel_sum_rows(size_t rows, size_t columns, size_t stride, const glk_real *x,
                         glk_real *out) {
  for (size_t c = 0; c < columns; c += GROUPS * WIDTH) {
    const size_t width = columns - c < GROUPS * WIDTH ? columns - c : GROUPS * WIDTH;
    lanes sums[GROUPS];
    sum_strided(rows, stride, width, x + c, sums);
    memcpy(out + c, sums, width * sizeof *out);
  }
}

/* Rows as both sums walk them, and chunks of 2^k blocks: a chunk is a subtree of the whole sum. */
typedef struct chunks {
  size_t rows, width, chunk, count;
} chunks;

static chunks chunks_of(size_t rows, size_t columns) {
  chunks c = {rows, columns, BLOCK, 0};
  if (columns == 1) c.rows = rows / WIDTH, c.width = WIDTH;
  while (c.chunk * GLK_SUM_CHUNKS < c.rows) c.chunk *= 2;
  c.count = (c.rows + c.chunk - 1) / c.chunk;
  return c;
}

size_t glk_kernel_sum_chunks(size_t rows, size_t columns) { return chunks_of(rows, columns).count; }

void glk_kernel_sum_chunk(size_t rows, size_t columns, size_t chunk, const glk_real *x,
                          glk_real *parts) {
  const chunks c = chunks_of(rows, columns);
  const size_t from = chunk * c.chunk, left = c.rows - from;
  lanes sums[GROUPS];
  sum_strided(left < c.chunk ? left : c.chunk, c.width, c.width, x + from * c.width, sums);
  memcpy(parts + chunk * GLK_SUM_COLUMNS, sums, c.width * sizeof *parts);
}

/* The binary counter again, whose digits are chunks: the sum of 2^k of them goes where the last of
 * them was. What is left of a chunk comes first, since it has the lowest digits. */
void glk_kernel_sum_join(size_t rows, size_t columns, const glk_real *x, glk_real *parts,
                         glk_real *out) {
  const chunks c = chunks_of(rows, columns);
  const size_t left = c.rows % c.chunk; /* a last block that is cut short is a block */
  const size_t digits = c.count - (left && left <= c.chunk - BLOCK);
  for (size_t i = 0; i < digits; i++) {
    glk_real *sum = parts + i * GLK_SUM_COLUMNS;
    for (size_t bit = 1; i & bit; bit *= 2) {
      const glk_real *other = sum - bit * GLK_SUM_COLUMNS;
      for (size_t k = 0; k < c.width; k++) sum[k] += other[k];
    }
  }
  glk_real *all = digits < c.count ? parts + digits * GLK_SUM_COLUMNS : NULL;
  for (size_t end = digits, bit = 1; end; bit *= 2) {
    if (!(end & bit)) continue;
    glk_real *sum = parts + (end - 1) * GLK_SUM_COLUMNS;
    for (size_t k = 0; all && k < c.width; k++) all[k] += sum[k];
    if (!all) all = sum;
    end -= bit;
  }
  if (columns > 1) {
    memcpy(out, all, c.width * sizeof *out);
  } else {
    lanes sum;
    memcpy(&sum, all, sizeof sum);
    *out = finish_sum(rows, x, sum);
  }
}

/* Four vectors, each with its elements of every sixteen, so that none waits for the last; then they
 * and their lanes join. The greatest and the least are the same in any order, zeros of both signs
 * and NaN included. */
#define FOLD(name, identity, expression)                    \
  glk_real glk_kernel_##name(size_t n, const glk_real *x) { \
    const vreal none = vsplat((glk_real)(identity));        \
    vreal best[VECTORS] = {none, none, none, none}, a, b;   \
    glk_real lane[GLK_LANES];                               \
    size_t i = 0;                                           \
    GLK_NO_UNROLL                                           \
    for (; i + WIDTH <= n; i += WIDTH) {                    \
      for (size_t v = 0; v < VECTORS; v++) {                \
        a = best[v], b = vload(x + i + v * GLK_LANES);      \
        best[v] = expression;                               \
      }                                                     \
    }                                                       \
    a = best[0];                                            \
    for (size_t v = 1; v < VECTORS; v++) {                  \
      b = best[v];                                          \
      a = expression;                                       \
    }                                                       \
    GLK_NO_UNROLL                                           \
    for (; i + GLK_LANES <= n; i += GLK_LANES) {            \
      b = vload(x + i);                                     \
      a = expression;                                       \
    }                                                       \
    vstore(lane, none);                                     \
    for (size_t k = 0; i < n; i++, k++) lane[k] = x[i];     \
    b = vload(lane);                                        \
    a = expression;                                         \
    b = (vreal){a[1], identity, a[3], identity};            \
    a = expression;                                         \
    b = (vreal){a[2], identity, identity, identity};        \
    a = expression;                                         \
    return a[0];                                            \
  }

FOLD(max, -__builtin_inf(), vmax(a, b))
FOLD(min, __builtin_inf(), vmin(a, b))

size_t glk_kernel_arg(size_t n, size_t stride, glk_real sign, const glk_real *x) {
  size_t best = 0;
  GLK_NO_UNROLL
  for (size_t i = 1; i < n; i++) {
    const glk_real value = x[i * stride];
    if (value == value && !(sign * value <= sign * x[best * stride])) best = i;
  }
  return best;
}

void glk_kernel_arg_rows(size_t rows, size_t columns, glk_real sign, const glk_real *x,
                         glk_real *out) {
  enum { TOGETHER = 512 }; /* columns, whose best so far stay in the cache */
  glk_real best[TOGETHER];
  const size_t whole = columns - columns % GLK_LANES;
  for (size_t first = 0; first < whole; first += TOGETHER) {
    const size_t width = whole - first < TOGETHER ? whole - first : TOGETHER;
    memcpy(best, x + first, width * sizeof *best);
    memset(out + first, 0, width * sizeof *out);
    for (size_t r = 1; r < rows; r++) {
      const glk_real *row = x + r * columns + first;
      glk_real *at = out + first;
      GLK_NO_UNROLL
      for (size_t j = 0; j < width; j += GLK_LANES) {
        const vreal value = vload(row + j), b = vload(best + j);
        const vbits better = (value == value) & ~(value * vsplat(sign) <= b * vsplat(sign));
        vstore(best + j, vselect(better, value, b));
        vstore(at + j, vselect(better, vsplat((glk_real)r), vload(at + j)));
      }
    }
  }
  for (size_t c = whole; c < columns; c++) {
    out[c] = (glk_real)glk_kernel_arg(rows, columns, sign, x + c);
  }
}
