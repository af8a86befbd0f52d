/* Softmax and cross-entropy along rows, against the same formulas in more bits: every length around
 * the widths that are walked together, ordinary rows and hostile ones. Inputs lie in blocks of
 * their exact size, so that the sanitizers see every read too far; outputs lie before canaries.
 *
 * With u half an ulp of 1, a term is good to 5 u and, since x - top rounds, |x - top| u; the
 * sum of n to 5 u and as many u as it has additions one after the other, 32 + 6 and one for each
 * time that n halves down to 512. */
#include <math.h>
#include <stdlib.h>

#include "harness.h"
#include "kernels/softmax.h"

#ifdef GLK_DOUBLE
typedef long double exact;
#define exact_exp expl
#define exact_log logl
static const double u = 0x1p-53;
#else
typedef double exact;
#define exact_exp exp
#define exact_log log
static const double u = 0x1p-24;
#endif

enum { MOST = 6000, MARGIN = 16 };

static const glk_real infinity = (glk_real)__builtin_inf();

/* n reals at the end of their block. */
static glk_real *block_of(size_t n) {
  glk_real *x = malloc(n * sizeof *x);
  for (size_t i = 0; i < n; i++) x[i] = rng_real(-4, 4);
  return x;
}

static glk_real *output_of(size_t n) {
  glk_real *out = malloc((n + MARGIN) * sizeof *out);
  for (size_t i = 0; i < n + MARGIN; i++) out[i] = 77;
  return out;
}

static void check_margin(const glk_real *out, size_t n) {
  int ok = 1;
  for (size_t i = 0; i < MARGIN; i++) ok &= out[n + i] == 77;
  CHECK_MSG(ok, "%zu: something was written behind the output", n);
}

enum { KINDS = 7 };

static void make_row(int kind, size_t n, glk_real *x) {
  for (size_t i = 0; i < n; i++) {
    const glk_real any = rng_real(-4, 4), other = rng_real(-150, 150);
    x[i] = kind == 0   ? any
           : kind == 1 ? other
           : kind == 2 ? 5
           : kind == 3 ? any * (glk_real)4e37
           : kind == 4 ? (rng_below(3) ? -infinity : any)
           : kind == 5 ? any + 10000
                       : any * (glk_real)1e-30;
  }
  if (kind == 4) x[rng_below((uint32_t)n)] = 1;
}

/* The row in more bits: its largest, the logarithm of the sum of powers, and the sum's share of the
 * error. */
typedef struct reference {
  exact top, sum;
  double slack;
} reference;

static reference refer(size_t n, const glk_real *x) {
  reference r = {(exact)-infinity, 0, 5 + 38};
  for (size_t i = 0; i < n; i++) r.top = (exact)x[i] > r.top ? (exact)x[i] : r.top;
  for (size_t i = 0; i < n; i++) r.sum += exact_exp((exact)x[i] - r.top);
  for (size_t m = n; m > 512; m /= 2) r.slack++;
  return r;
}

static double distance(exact a, exact b) { return (double)(a > b ? a - b : b - a); }

static void check_row(int kind, size_t n) {
  glk_real *x = block_of(n), *out = output_of(n);
  make_row(kind, n, x);
  const reference s = refer(n, x);
  const exact log_sum = exact_log(s.sum);
  glk_kernel_softmax(1, n, x, out);
  for (size_t i = 0; i < n; i++) {
    const exact below = (exact)x[i] - s.top, p = exact_exp(below) / s.sum;
    const double allowed = (double)p * u * (5 + distance(below, 0) + s.slack + 2) + 0x1p-126;
    CHECK_MSG(distance(out[i], p) <= (p > 0 ? allowed : 0), "kind %d, %zu of %zu: %.9g, not %.9g",
              kind, i, n, (double)out[i], (double)p);
  }
  check_margin(out, n);
  glk_kernel_log_softmax(1, n, x, out);
  for (size_t i = 0; i < n; i++) {
    const exact below = (exact)x[i] - s.top, y = below - log_sum;
    const double allowed = u * (2 * distance(below, 0) + s.slack + 3 * (double)log_sum + 2);
    CHECK_MSG((exact)out[i] == y || distance(out[i], y) <= allowed,
              "log, kind %d, %zu of %zu: %.9g, not %.9g", kind, i, n, (double)out[i], (double)y);
  }
  check_margin(out, n);
  free(x);
  free(out);
}

static void every_length_is_near_the_exact_softmax(void) {
  for (int kind = 0; kind < KINDS; kind++) {
    for (size_t n = 1; n <= 70; n++) check_row(kind, n);
    for (size_t n = 511; n <= 545; n += 17) check_row(kind, n);
    check_row(kind, 1025);
    check_row(kind, MOST - 3);
  }
}

static void a_row_with_nan_or_infinity_or_nothing_but_minus_infinity_is_nan(void) {
  const glk_real bad[] = {(glk_real)__builtin_nan(""), infinity, -infinity};
  for (int kind = 0; kind < 3; kind++) {
    for (size_t n = 1; n <= 70; n++) {
      glk_real *x = block_of(3 * n), *out = output_of(3 * n);
      for (size_t i = 0; i < n && kind == 2; i++) x[n + i] = -infinity;
      x[n + rng_below((uint32_t)n)] = bad[kind];
      for (int is_log = 0; is_log < 2; is_log++) {
        (is_log ? glk_kernel_log_softmax : glk_kernel_softmax)(3, n, x, out);
        for (size_t i = 0; i < 3 * n; i++) {
          CHECK_MSG((out[i] != out[i]) == (i / n == 1), "bad %d, %zu of %zu", kind, i, n);
        }
      }
      free(x);
      free(out);
    }
  }
}

static void columns_are_as_near_as_rows(void) {
  static const size_t shapes[][2] = {{1, 1}, {1, 5}, {7, 1}, {37, 19}, {300, 6}, {5, 700}};
  for (size_t k = 0; k < sizeof shapes / sizeof *shapes; k++) {
    const size_t n = shapes[k][0], columns = shapes[k][1];
    glk_real *x = block_of(n * columns), *out = output_of(n * columns);
    glk_real *scratch = block_of(2 * columns), *line = block_of(n);
    for (int is_log = 0; is_log < 2; is_log++) {
      (is_log ? glk_kernel_log_softmax_columns : glk_kernel_softmax_columns)(n, columns, x, scratch,
                                                                             out);
      for (size_t c = 0; c < columns; c++) {
        for (size_t i = 0; i < n; i++) line[i] = x[i * columns + c];
        const reference s = refer(n, line);
        for (size_t i = 0; i < n; i++) {
          const exact p = exact_exp((exact)line[i] - s.top) / s.sum;
          CHECK_NEAR((double)out[i * columns + c], (double)(is_log ? exact_log(p) : p), 99 * u);
        }
      }
      check_margin(out, n * columns);
    }
    free(x);
    free(out);
    free(scratch);
    free(line);
  }
}

/* -------------------------------------------------------------------------------- cross-entropy */

static void check_crossentropy(size_t n) {
  enum { ROWS = 3 };
  glk_real *x = block_of(ROWS * n), *t = block_of(ROWS * n), *dy = block_of(ROWS);
  glk_real *loss = output_of(ROWS), *d = output_of(ROWS * n), *scratch = output_of(n);
  const glk_truth truth = {t, 0};
  glk_kernel_crossentropy(ROWS, n, &truth, x, scratch, loss);
  glk_kernel_crossentropy_gradient(ROWS, n, &truth, x, dy, d);
  for (size_t r = 0; r < ROWS; r++) {
    const glk_real *row = x + r * n, *weights = t + r * n;
    const reference s = refer(n, row);
    exact sum = 0, total = 0, size = 0;
    for (size_t i = 0; i < n; i++) {
      const exact y = (exact)row[i] - s.top - exact_log(s.sum), term = (exact)weights[i] * y;
      sum -= term;
      size += term < 0 ? -term : term;
      total += (exact)weights[i];
    }
    CHECK_NEAR((double)loss[r], (double)sum, u * 99 * (1 + (double)size));
    for (size_t i = 0; i < n; i++) {
      const exact p = exact_exp((exact)row[i] - s.top) / s.sum;
      const exact slope = (p * total - (exact)weights[i]) * (exact)dy[r];
      const double magnitude = 4 * (4 + distance(total, 0) + (double)n * u * 16);
      CHECK_NEAR((double)d[r * n + i], (double)slope, u * 99 * magnitude);
    }
  }
  check_margin(loss, ROWS);
  check_margin(d, ROWS * n);
  check_margin(scratch, n);
  free(x);
  free(t);
  free(dy);
  free(loss);
  free(d);
  free(scratch);
}

static void crossentropy_and_its_gradient_are_near_the_exact_ones(void) {
  for (size_t n = 1; n <= 70; n++) check_crossentropy(n);
  check_crossentropy(1025);
}

static void labels_give_the_bits_of_their_one_hot_rows(void) {
  for (size_t n = 1; n <= 70; n++) {
    glk_real *x = block_of(2 * n), *hot = block_of(2 * n), *dy = block_of(2), labels[2];
    glk_real *out[2][3];
    for (size_t i = 0; i < 2 * n; i++) hot[i] = 0;
    for (size_t r = 0; r < 2; r++) {
      labels[r] = (glk_real)rng_below((uint32_t)n);
      hot[r * n + (size_t)labels[r]] = 1;
    }
    for (int is_labels = 0; is_labels < 2; is_labels++) {
      const glk_truth truth = {is_labels ? labels : hot, is_labels};
      for (int k = 0; k < 3; k++) out[is_labels][k] = output_of(2 * n);
      glk_kernel_crossentropy(2, n, &truth, x, out[is_labels][2], out[is_labels][0]);
      glk_kernel_crossentropy_gradient(2, n, &truth, x, dy, out[is_labels][1]);
    }
    for (size_t r = 0; r < 2; r++) CHECK_BITS(out[1][0][r], out[0][0][r]);
    for (size_t i = 0; i < 2 * n; i++) CHECK_BITS(out[1][1][i], out[0][1][i]);
    for (int k = 0; k < 6; k++) free(out[k / 3][k % 3]);
    free(x);
    free(hot);
    free(dy);
  }
}

static void the_gradient_of_softmax_is_near_the_exact_one(void) {
  for (size_t n = 1; n <= 70; n++) {
    glk_real *dy = block_of(2 * n), *y = block_of(2 * n), *out = output_of(2 * n);
    glk_kernel_softmax_gradient(2, n, dy, y, out);
    for (size_t r = 0; r < 2; r++) {
      exact sum = 0, size = 0;
      for (size_t i = r * n; i < (r + 1) * n; i++) {
        const exact product = (exact)dy[i] * (exact)y[i];
        sum += product;
        size += product < 0 ? -product : product;
      }
      for (size_t i = r * n; i < (r + 1) * n; i++) {
        const exact slope = ((exact)dy[i] - sum) * (exact)y[i];
        CHECK_NEAR((double)out[i], (double)slope, u * 4 * (16 + 12 * (double)size));
      }
    }
    check_margin(out, 2 * n);
    free(dy);
    free(y);
    free(out);
  }
}

int main(int argc, char **argv) {
  harness_begin(argc, argv);
  TEST(every_length_is_near_the_exact_softmax);
  TEST(a_row_with_nan_or_infinity_or_nothing_but_minus_infinity_is_nan);
  TEST(columns_are_as_near_as_rows);
  TEST(crossentropy_and_its_gradient_are_near_the_exact_ones);
  TEST(labels_give_the_bits_of_their_one_hot_rows);
  TEST(the_gradient_of_softmax_is_near_the_exact_one);
  return harness_report();
}
