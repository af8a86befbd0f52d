#include "kernels/reduce.h"

/* Both sums are one walk: add up rows of 16 lanes in blocks of 32 rows, and join blocks pairwise like the digits of a
 * binary counter: level k holds the sum of 2^k blocks. A contiguous run is read as rows of 16 that lie end to end. */
enum { WIDTH = 16, VECTORS = WIDTH / GLK_LANES, BLOCK = 32, LEVELS = 28 };

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
  for (size_t r = 1; r < rows; r++) {
    lanes row;
    load_row(x + r * stride, width, &row);
    add_lanes(sum, &row);
  }
}

__attribute__((noinline)) static void sum_strided(size_t rows, size_t stride, size_t width,
                                                  const glk_real *x, lanes *out) {
  lanes levels[LEVELS];
  size_t blocks = 0;
  for (size_t r = 0; r < rows; r += BLOCK, blocks++) {
    const size_t n = rows - r < BLOCK ? rows - r : BLOCK;
    lanes sum;
    if (width == WIDTH) {
      sum_block(n, stride, WIDTH, x + r * stride, &sum);
    } else {
      sum_block(n, stride, width, x + r * stride, &sum);
    }
    int level = 0;
    for (; blocks >> level & 1; level++) add_lanes(&sum, &levels[level]);
    levels[level] = sum;
  }
  int have = 0;
  for (int level = 0; blocks >> level; level++) {
    if (!(blocks >> level & 1)) continue;
    if (have) {
      add_lanes(out, &levels[level]);
    } else {
      *out = levels[level];
    }
    have = 1;
  }
  if (!have) *out = (lanes){{vsplat(0), vsplat(0), vsplat(0), vsplat(0)}};
}

glk_real glk_kernel_sum(size_t n, const glk_real *x) {
  lanes sum;
  const size_t whole = n / WIDTH;
  sum_strided(whole, WIDTH, WIDTH, x, &sum);
  if (n % WIDTH) {
    lanes rest;
    load_row(x + whole * WIDTH, n % WIDTH, &rest);
    add_lanes(&sum, &rest);
  }
  const vreal v = (sum.v[0] + sum.v[1]) + (sum.v[2] + sum.v[3]);
  return (v[0] + v[1]) + (v[2] + v[3]);
}

void glk_kernel_sum_rows(size_t rows, size_t columns, const glk_real *x, glk_real *out) {
  for (size_t c = 0; c < columns; c += WIDTH) {
    const size_t width = columns - c < WIDTH ? columns - c : WIDTH;
    lanes sum;
    sum_strided(rows, columns, width, x + c, &sum);
    for (size_t k = 0; k < width; k++) out[c + k] = sum.v[k / GLK_LANES][k % GLK_LANES];
  }
}

/* Lane k takes elements k, k + 4, ...; then lanes join as ((0, 1), (2, 3)). */
#define FOLD(name, identity, expression)                    \
  glk_real glk_kernel_##name(size_t n, const glk_real *x) { \
    const vreal none = vsplat((glk_real)(identity));        \
    glk_real lane[GLK_LANES];                               \
    vreal a = none, b;                                      \
    size_t i = 0;                                           \
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
  for (size_t i = 1; i < n; i++) {
    const glk_real value = x[i * stride];
    if (value == value && !(sign * value <= sign * x[best * stride])) best = i;
  }
  return best;
}
