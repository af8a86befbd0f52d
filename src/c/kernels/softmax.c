/* Softmax and cross-entropy in two passes over a row: its maximum, then powers with their sum. */
#include "kernels/softmax.h"

#include "kernels/elementwise.h"
#include "kernels/math_exp.h"
#include "kernels/reduce.h"

enum { TURN = 4 * GLK_LANES, BLOCK = 32 * TURN };

/* The greater of two numbers; of a number and NaN either, since a NaN comes into the sum of powers
 * by itself. */
GLK_INLINE vreal greater_of(vreal a, vreal b) {
#if defined(__wasm_simd128__) && !defined(GLK_DOUBLE)
  return (vreal)wasm_f32x4_pmax((v128_t)a, (v128_t)b);
#else
  return vselect(a < b, b, a);
#endif
}

/* n is a multiple of TURN. */
GLK_SHARED vreal greatest(size_t n, const glk_real *x, vreal top) {
  vreal a = top, b = top, c = top, d = top;
  GLK_NO_UNROLL
  for (size_t i = 0; i < n; i += TURN) {
    a = greater_of(a, vload(x + i));
    b = greater_of(b, vload(x + i + 4));
    c = greater_of(c, vload(x + i + 8));
    d = greater_of(d, vload(x + i + 12));
  }
  return greater_of(greater_of(a, b), greater_of(c, d));
}

/* out = e^(x - top), and their sum in four lanes; n is a multiple of TURN. A power is a long chain
 * of dependences: four vectors a turn keep the processor busy. */
GLK_SHARED vreal powers(size_t n, const glk_real *x, vreal top, glk_real *out) {
  vreal sum = vsplat(0);
  GLK_NO_UNROLL
  for (size_t i = 0; i < n; i += TURN) {
    const vreal a = vexp_term(vload(x + i) - top), b = vexp_term(vload(x + i + 4) - top);
    const vreal c = vexp_term(vload(x + i + 8) - top), d = vexp_term(vload(x + i + 12) - top);
    sum += (a + b) + (c + d);
    vstore(out + i, a);
    vstore(out + i + 4, b);
    vstore(out + i + 8, c);
    vstore(out + i + 12, d);
  }
  return sum;
}

/* The same of any number of turns: sums of blocks are joined in pairs. */
static vreal block_powers(size_t n, const glk_real *x, vreal top, glk_real *out) {
  if (n <= BLOCK) return powers(n, x, top, out);
  const size_t half = n / 2 - n / 2 % TURN;
  const vreal before = block_powers(half, x, top, out);
  return before + block_powers(n - half, x + half, top, out + half);
}

static void copy_rest(size_t n, const glk_real *from, glk_real *to) {
  GLK_NO_VECTORS
  for (size_t i = 0; i < n; i++) store_bits(to + i, load_bits(from + i));
}

/* The divisor of a row. */
typedef struct norm {
  glk_real top, sum;
} norm;

/* out = e^(x - top) */
static norm exponentials(size_t n, const glk_real *x, glk_real *out) {
  const size_t rest = n % TURN, whole = n - rest;
  const vreal lowest = vsplat(-(glk_real)__builtin_inf()); /* whose power is 0 */
  glk_real tail[TURN];
  for (size_t k = 0; k < TURN; k += GLK_LANES) vstore(tail + k, lowest);
  copy_rest(rest, x + whole, tail);
  vreal v = greatest(TURN, tail, lowest), sum = vsplat(0);
  if (whole) v = greatest(whole, x, v);
  const vreal pair = greater_of(v, (vreal){v[2], v[3], v[0], v[1]});
  const vreal top = greater_of(pair, (vreal){pair[1], pair[0], pair[3], pair[2]});
  if (whole) sum = block_powers(whole, x, top, out);
  if (rest) sum += powers(TURN, tail, top, tail);
  copy_rest(rest, tail, out + whole);
  return (norm){top[0], (sum[0] + sum[1]) + (sum[2] + sum[3])};
}

/* Transform one or two rows with two numbers: by vectors, then the rest one by one. */
#define ROW(name, expression)                                                                 \
  GLK_SHARED void name(size_t n, const glk_real *left, const glk_real *right, glk_real first, \
                       glk_real second, glk_real *out) {                                      \
    size_t i = 0;                                                                             \
    GLK_NO_UNROLL                                                                             \
    for (; i + GLK_LANES <= n; i += GLK_LANES) {                                              \
      const vreal a = vload(left + i), b = vload(right + i);                                  \
      const vreal p = vsplat(first), q = vsplat(second);                                      \
      (void)b, (void)q;                                                                       \
      vstore(out + i, expression);                                                            \
    }                                                                                         \
    GLK_NO_VECTORS                                                                            \
    for (; i < n; i++) {                                                                      \
      const glk_real a = left[i], b = right[i], p = first, q = second;                        \
      (void)b, (void)q;                                                                       \
      out[i] = expression;                                                                    \
    }                                                                                         \
  }

ROW(scale, a *p *q)
ROW(lower, a - p - q)
ROW(lower_and_weigh, (a - p - q) * b)
ROW(centre_and_weigh, (a - p) * b)
ROW(compare, (a * p - b) * q)

void glk_kernel_softmax(size_t rows, size_t n, const glk_real *x, glk_real *out) {
  for (size_t r = 0; r < rows; r++, x += n, out += n) {
    scale(n, out, out, 1 / exponentials(n, x, out).sum, 1, out);
  }
}

static glk_real log_of(glk_real x) {
  glk_kernel_log(1, &x, &x);
  return x;
}

void glk_kernel_log_softmax(size_t rows, size_t n, const glk_real *x, glk_real *out) {
  for (size_t r = 0; r < rows; r++, x += n, out += n) {
    const norm s = exponentials(n, x, out);
    lower(n, x, x, s.top, log_of(s.sum), out);
  }
}

/* out = e^(x - top) by columns */
static void column_powers(size_t n, size_t columns, const glk_real *x, glk_real *top, glk_real *sum,
                          glk_real *out) {
  memcpy(top, x, columns * sizeof *top);
  for (size_t i = 1; i < n; i++) glk_kernel_maximum(columns, top, 1, x + i * columns, 1, top);
  for (size_t i = 0; i < n; i++) {
    glk_kernel_sub(columns, x + i * columns, 1, top, 1, out + i * columns);
  }
  glk_kernel_exp(n * columns, out, out);
  glk_kernel_sum_rows(n, columns, columns, out, sum);
}

void glk_kernel_softmax_columns(size_t n, size_t columns, const glk_real *x, glk_real *scratch,
                                glk_real *out) {
  glk_real *sum = scratch + columns;
  column_powers(n, columns, x, scratch, sum, out);
  for (size_t i = 0; i < n; i++, out += columns) glk_kernel_div(columns, out, 1, sum, 1, out);
}

void glk_kernel_log_softmax_columns(size_t n, size_t columns, const glk_real *x, glk_real *scratch,
                                    glk_real *out) {
  glk_real *sum = scratch + columns;
  column_powers(n, columns, x, scratch, sum, out);
  glk_kernel_log(columns, sum, sum);
  for (size_t i = 0; i < n; i++, x += columns, out += columns) {
    glk_kernel_sub(columns, x, 1, scratch, 1, out);
    glk_kernel_sub(columns, out, 1, sum, 1, out);
  }
}

void glk_kernel_softmax_gradient(size_t rows, size_t n, const glk_real *dy, const glk_real *y,
                                 glk_real *out) {
  for (size_t r = 0; r < rows; r++, dy += n, y += n, out += n) {
    glk_kernel_mul(n, dy, 1, y, 1, out);
    centre_and_weigh(n, dy, y, glk_kernel_sum(n, out), 0, out);
  }
}

void glk_kernel_crossentropy(size_t rows, size_t n, const glk_truth *truth, const glk_real *x,
                             glk_real *scratch, glk_real *out) {
  const glk_real *t = truth->values;
  for (size_t r = 0; r < rows; r++, x += n) {
    const norm s = exponentials(n, x, scratch);
    const glk_real log_sum = log_of(s.sum);
    if (truth->is_labels) {
      out[r] = 0 - (x[(size_t)t[r]] - s.top - log_sum);
    } else {
      lower_and_weigh(n, x, t + r * n, s.top, log_sum, scratch);
      out[r] = 0 - glk_kernel_sum(n, scratch); /* which is never -0 */
    }
  }
}

void glk_kernel_crossentropy_gradient(size_t rows, size_t n, const glk_truth *truth,
                                      const glk_real *x, const glk_real *dy, glk_real *out) {
  const glk_real *t = truth->values;
  for (size_t r = 0; r < rows; r++, x += n, out += n) {
    const glk_real sum = exponentials(n, x, out).sum;
    if (truth->is_labels) {
      const size_t label = (size_t)t[r];
      const glk_real likely = out[label] * (1 / sum);
      scale(n, out, out, 1 / sum, dy[r], out);
      out[label] = (likely - 1) * dy[r];
    } else {
      compare(n, out, t + r * n, glk_kernel_sum(n, t + r * n) / sum, dy[r], out);
    }
  }
}
