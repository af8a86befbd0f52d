/* Random draws: the generator against the published answers, which bits each element gets, and
 * whether the numbers have the distribution they claim.
 *
 * The statistical tests are seeded, so they give the same verdict every time. Each of their checks
 * would call one perfect generator in a million bad: |z| < 4.892 for a sum, sqrt(n) D < 2.694 for
 * Kolmogorov and Smirnov's distance (2 exp(-2 x^2) = 1e-6). */
#include <math.h>
#include <stdlib.h>

#include "core/random.h"
#include "harness.h"
#include "kernels/random.h"
#include "ops/op.h"

#define OK(call) CHECK_STATUS(call, GLK_OK)

enum { MANY = 1 << 17 };

static const double Z = 4.892, KS = 2.694;
static glk_real drawn[MANY], others[MANY];

static glk_context *new_context(void) {
  glk_context *c = NULL;
  OK(glk_context_create(NULL, &c));
  return c;
}

/* A row without operands, applied. */
static glk_handle draw(glk_context *c, uint32_t op, const double *attributes, uint32_t count) {
  glk_handle out = 0;
  OK(glk_apply(c, op, NULL, 0, attributes, count, &out));
  return out;
}

static void draw_into(uint32_t op, const double *attributes, uint32_t count, uint32_t n,
                      glk_real *out) {
  glk_context *c = new_context();
  OK(glk_read(c, draw(c, op, attributes, count), out, n));
  glk_context_dispose(c);
}

/* ------------------------------------------------------------------------------------- the bits */

/* Source: kat_vectors of Random123 1.14, the lines of philox4x32 10. */
static void philox_gives_the_published_answers(void) {
  static const uint32_t known[3][10] = {
      {0, 0, 0, 0, 0, 0, 0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8},
      {0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff, 0x408f276d,
       0x41c83b0e, 0xa20bc7c6, 0x6d5451fd},
      {0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344, 0xa4093822, 0x299f31d0, 0xd16cfe09,
       0x94fdcceb, 0x5001e420, 0x24126ea1}};
  for (int i = 0; i < 3; i++) {
    uint32_t out[4];
    glk_philox(known[i], known[i] + 4, out);
    for (int k = 0; k < 4; k++) CHECK_EQ(out[k], known[i][6 + k]);
  }
}

static glk_real unit(uint32_t word) { return (glk_real)((word & 0x7fffff) * 0x1p-23); }

static void check_uniforms(const glk_real *values, uint32_t n, uint32_t step, uint32_t run,
                           const uint32_t *key) {
  for (uint32_t i = 0; i < n; i++) {
    uint32_t out[4];
    glk_philox((const uint32_t[]){i / 4, step, run, 0}, key, out);
    CHECK_BITS(values[i], unit(out[i % 4]));
  }
}

static void seed_step_and_run_have_words_of_their_own(void) {
  static const double seeds[] = {0, 1, 0x1p32 + 5, 0x1p53 - 1}, steps[] = {0, 3, 0x1p32 - 1};
  for (int s = 0; s < 4; s++) {
    const uint64_t seed = (uint64_t)seeds[s];
    const uint32_t key[2] = {(uint32_t)seed, (uint32_t)(seed >> 32)};
    for (int t = 0; t < 3; t++) {
      glk_context *c = new_context();
      glk_handle out, program;
      OK(glk_program_begin(c, GLK_TRACE));
      out = draw(c, OP("randomUniform"), (const double[]){seeds[s], steps[t], 0, 1, 7}, 5);
      OK(glk_program_end(c, &out, 1, &program));
      for (uint32_t run = 0; run < 3; run++) {
        OK(glk_program_run(c, program));
        OK(glk_program_output(c, program, 0, &out));
        OK(glk_read(c, out, drawn, 7));
        check_uniforms(drawn, 7, (uint32_t)steps[t], run, key);
      }
      out = draw(c, OP("randomUniform"), (const double[]){seeds[s], steps[t], 0, 1, 7}, 5);
      OK(glk_read(c, out, drawn, 7));
      check_uniforms(drawn, 7, (uint32_t)steps[t], 0, key);
      glk_context_dispose(c);
    }
  }
  /* A block behind the 2^32nd goes on in the last word. */
  const glk_stream stream = glk_stream_of(9, 2, 3);
  uint32_t out[4], expected[4];
  glk_stream_block(&stream, ((uint64_t)5 << 32) + 6, out);
  glk_philox((const uint32_t[]){6, 2, 3, 5}, (const uint32_t[]){9, 0}, expected);
  CHECK(!memcmp(out, expected, sizeof out));
}

/* And nothing is written behind the last element. */
static void an_element_does_not_depend_on_how_many_are_drawn(void) {
  enum { MOST = 150 };
  const glk_stream stream = glk_stream_of(77, 0, 0);
  for (int kind = 0; kind < 4; kind++) {
    glk_real all[MOST];
    for (size_t n = MOST;; n--) {
      glk_real some[MOST + 1];
      for (size_t i = 0; i <= MOST; i++) some[i] = 99;
      if (kind == 0) glk_kernel_random_uniform(n, &stream, -1, 2, some);
      if (kind == 1) glk_kernel_random_normal(n, &stream, 1, 2, some);
      if (kind == 2) glk_kernel_random_truncated_normal(n, &stream, 1, 2, some);
      if (kind == 3) glk_kernel_random_bernoulli(n, &stream, 0.5, some);
      if (n == MOST) memcpy(all, some, sizeof all);
      CHECK_MSG(!memcmp(some, all, n * sizeof *all), "kind %d, n %zu", kind, n);
      CHECK_MSG(some[n] == 99, "kind %d, n %zu", kind, n);
      if (n == 0) break;
    }
  }
}

static void uniform_values_stay_below_high_where_rounding_would_reach_it(void) {
  static const float ranges[][2] = {
      {1, 0x1.000002p0f},          {0x1p24f, 0x1.000004p24f}, {-1, -0x1.fffffep-1f},
      {-0x1.8p-149f, 0x1p-149f},   {-0x1p-149f, 0},           {0, 0x1p-149f},
      {-0x1.4p0f, -0x1.3fffe0p0f}, {-1e30f, 1e-30f},          {-1.5e38f, 1.5e38f}};
  for (size_t i = 0; i < sizeof ranges / sizeof *ranges; i++) {
    const glk_real low = ranges[i][0], high = ranges[i][1];
    const glk_stream stream = glk_stream_of(5, (uint32_t)i, 0);
    glk_kernel_random_uniform(4096, &stream, low, high, drawn);
    for (int k = 0; k < 4096; k++) {
      if (!CHECK_MSG(drawn[k] >= low && drawn[k] < high, "range %zu: %g", i, (double)drawn[k]))
        break;
    }
  }
}

/* ----------------------------------------------------------------------------------- statistics */

static int ascending(const void *a, const void *b) {
  const glk_real x = *(const glk_real *)a, y = *(const glk_real *)b;
  return (x > y) - (x < y);
}

static double cdf_of(uint32_t op, double x) {
  if (op == OP("randomUniform")) return x;
  const double below = erfc(-x / sqrt(2)) / 2, tail = erfc(sqrt(2)) / 2;
  return op == OP("randomNormal") ? below : (below - tail) / (1 - 2 * tail);
}

/* Moments about `mean`, with the exact ones of a perfect generator, then the whole distribution. */
static void check_distribution(uint32_t op, double a, double b, double mean, double variance,
                               double fourth) {
  const double attributes[] = {20261121, 4, a, b, MANY};
  double sum = 0, squares = 0, distance = 0;
  draw_into(op, attributes, 5, MANY, drawn);
  for (int i = 0; i < MANY; i++) {
    const double d = (double)drawn[i] - mean;
    sum += d;
    squares += d * d - variance;
  }
  CHECK_NEAR(sum / sqrt(MANY * variance), 0, Z);
  CHECK_NEAR(squares / sqrt(MANY * (fourth - variance * variance)), 0, Z);
  qsort(drawn, MANY, sizeof *drawn, ascending);
  for (int i = 0; i < MANY; i++) {
    const double p = cdf_of(op, ((double)drawn[i] - (op == OP("randomUniform") ? 0 : a)) /
                                    (op == OP("randomUniform") ? 1 : b));
    const double above = (i + 1.0) / MANY - p, below = p - (double)i / MANY;
    distance = above > distance ? above : distance;
    distance = below > distance ? below : distance;
  }
  CHECK_NEAR(distance * sqrt(MANY), 0, KS);
}

static void draws_have_the_distribution_they_claim(void) {
  /* Of the standard normal within 2: variance 1 - 4 f / P, fourth moment 3 v - 16 f / P (by parts),
   * where f is the density at 2 and P the chance to be within. */
  const double f = exp(-2) / sqrt(2 * 3.14159265358979323846), P = 1 - erfc(sqrt(2));
  const double v = 1 - 4 * f / P;
  check_distribution(OP("randomUniform"), 0, 1, 0.5 - 0x1p-24, 1 / 12.0, 1 / 80.0);
  check_distribution(OP("randomNormal"), 0, 1, 0, 1, 3);
  check_distribution(OP("randomNormal"), -3, 0.5, -3, 0.25, 3 / 16.0);
  check_distribution(OP("truncatedNormal"), 0, 1, 0, v, 3 * v - 16 * f / P);
  check_distribution(OP("truncatedNormal"), 10, 2, 10, 4 * v, 16 * (3 * v - 16 * f / P));
  for (int i = 0; i < MANY; i++) CHECK(drawn[i] > 6 && drawn[i] < 14);
}

static void bernoulli_is_1_as_often_as_p_says(void) {
  static const double ps[] = {0, 0x1p-20, 0.1, 0.5, 0.9, 1 - 0x1p-20, 1};
  for (int k = 0; k < 7; k++) {
    double ones = 0;
    draw_into(OP("randomBernoulli"), (const double[]){3, k, ps[k], MANY}, 4, MANY, drawn);
    for (int i = 0; i < MANY; i++) {
      CHECK(drawn[i] == 0 || drawn[i] == 1);
      ones += (double)drawn[i];
    }
    /* A count as rare as MANY p = 1/8 is not normal; 5 and more have a chance of 2.4e-7. */
    const double expected = MANY * ps[k], spread = Z * sqrt(expected * (1 - ps[k]));
    CHECK_NEAR(ones, expected, ps[k] == 0 || ps[k] == 1 ? 0 : spread < 4.8 ? 4.8 : spread);
  }
}

/* Fisher & Yates from the end. The last is long enough that words are refused: one in 2^32 / i of
 * those for an index below i, 64 in all. */
static void permutations_swap_from_the_end_and_draw_unfair_words_again(void) {
  enum { LONG = 1 << 20 };
  static const uint32_t sizes[] = {0, 1, 2, 3, 5, 64, 1000, LONG};
  static glk_real order[LONG], expected[LONG];
  uint32_t words[4], refused = 0;
  for (uint32_t k = 0; k < 8; k++) {
    const glk_stream stream = glk_stream_of(5, k, 0);
    uint64_t next = 0;
    for (uint32_t i = 0; i < sizes[k]; i++) expected[i] = (glk_real)i;
    for (uint64_t i = sizes[k]; i > 1; i--) {
      const uint64_t all = (uint64_t)1 << 32;
      uint64_t product;
      for (int is_fair = 0; !is_fair; refused += !is_fair) {
        if (next % 4 == 0) glk_stream_block(&stream, next / 4, words);
        product = words[next++ % 4] * i;
        is_fair = product % all >= all % i;
      }
      const glk_real last = expected[i - 1];
      expected[i - 1] = expected[product / all];
      expected[product / all] = last;
    }
    glk_kernel_random_permutation(sizes[k], &stream, order);
    CHECK_MSG(!memcmp(order, expected, sizes[k] * sizeof *order), "of %u numbers", sizes[k]);
  }
  CHECK_MSG(refused > 20 && refused < 120, "%u words were refused", refused);
}

/* -------------------------------------------------------------------------------------- dropout */

enum { N = 1000 };

static glk_handle loss_of_dropout(glk_context *c, glk_handle x, glk_handle weights, double rate,
                                  glk_handle *y) {
  glk_handle product = 0, loss = 0;
  OK(glk_apply(c, OP("dropout"), &x, 1, (const double[]){rate, 6, 2}, 3, y));
  OK(glk_apply(c, OP("mul"), (const glk_handle[]){*y, weights}, 2, NULL, 0, &product));
  OK(glk_apply(c, OP("sum"), &product, 1, NULL, 0, &loss));
  return loss;
}

/* Kept elements are x / (1 - rate) and have the gradient dL/dy / (1 - rate). Dropped ones are 0 and
 * have the gradient 0, even if x and dL/dy are NaN. Returns how many were kept. */
static uint32_t check_dropout(const glk_real *y, const glk_real *dx, double rate, uint32_t run) {
  const glk_stream stream = glk_stream_of(6, 2, run);
  const glk_real scale = (glk_real)(1 / (1 - rate));
  glk_real keep[N];
  uint32_t kept = 0;
  glk_kernel_random_bernoulli(N, &stream, 1 - rate, keep);
  for (uint32_t i = 0; i < N; i++) {
    const int is_kept = keep[i] != 0;
    kept += keep[i] != 0;
    CHECK_BITS(y[i], is_kept ? (glk_real)i * scale : 0);
    CHECK_BITS(dx[i], is_kept ? 3 * scale : 0);
  }
  return kept;
}

static void dropout_drops_value_and_gradient_at_the_same_places(void) {
  static glk_real x[N], w[N], y[N], dx[N];
  static const double rates[] = {0.1, 0.5, 0.9};
  const uint32_t n = N;
  for (int r = 0; r < 3; r++) {
    for (int mode = GLK_TRACE; mode <= GLK_TAPE; mode++) {
      glk_context *c = new_context();
      glk_handle v, weights, program, out, outputs[2];
      double kept = 0;
      const uint32_t runs = mode == GLK_TAPE ? 1 : 20;
      OK(glk_variable_create(c, 1, &n, NULL, N, "x", 1, &v));
      for (uint32_t i = 0; i < N; i++) x[i] = (glk_real)i, w[i] = 3;
      OK(glk_variable_assign(c, v, x, N, 0));
      OK(glk_tensor_create(c, 1, &n, w, N, &weights));
      OK(glk_program_begin(c, (glk_record_mode)mode));
      outputs[0] = loss_of_dropout(c, v, weights, rates[r], &outputs[1]);
      OK(glk_program_end(c, outputs, 2, &program));
      for (uint32_t run = 0; run < runs; run++) {
        OK(glk_program_gradient(c, program, &v, 1, NULL, &out));
        OK(glk_read(c, out, dx, N));
        OK(glk_program_output(c, program, 1, &out));
        OK(glk_read(c, out, y, N));
        kept += check_dropout(y, dx, rates[r], run);
      }
      const double expected = N * runs * (1 - rates[r]);
      CHECK_NEAR(kept, expected, Z * sqrt(expected * rates[r]));
      glk_context_dispose(c);
    }
  }
}

static void what_is_dropped_leaves_no_trace(void) {
  static const glk_real bad[] = {(glk_real)__builtin_nan(""), (glk_real)__builtin_inf()};
  const uint32_t n = N;
  for (int k = 0; k < 2; k++) {
    glk_context *c = new_context();
    glk_handle v, y;
    for (int i = 0; i < N; i++) drawn[i] = bad[k];
    OK(glk_tensor_create(c, 1, &n, drawn, N, &v));
    OK(glk_apply(c, OP("dropout"), &v, 1, (const double[]){0.5, 6, 2}, 3, &y));
    OK(glk_read(c, y, others, N));
    int dropped = 0;
    for (int i = 0; i < N; i++) {
      dropped += others[i] == 0;
      CHECK(others[i] == 0 || !memcmp(&others[i], &bad[k], sizeof *bad));
    }
    CHECK(dropped > 400 && dropped < 600);
    OK(glk_apply(c, OP("dropout"), &v, 1, (const double[]){0, 6, 2}, 3, &y));
    OK(glk_read(c, y, others, N));
    CHECK(!memcmp(others, drawn, N * sizeof *drawn)); /* rate 0 drops nothing */
    glk_context_dispose(c);
  }
}

/* -------------------------------------------------------------------------------- orthogonalize */

/* Q'Q = I, and R = Q'X is upper triangular with a diagonal that is not negative: there is only one
 * such Q. Each entry of Q carries one rounding, so sums of m products are within m eps of what they
 * should be. */
static void check_orthogonal(uint32_t m, uint32_t n, const glk_real *x, int is_full_rank) {
  const double eps = sizeof(glk_real) == 4 ? 0x1p-23 : 0x1p-50;
  const uint32_t dims[2] = {m, n};
  glk_context *c = new_context();
  glk_handle in, out = 0;
  OK(glk_tensor_create(c, 2, dims, x, (size_t)m * n, &in));
  OK(glk_apply(c, OP("orthogonalize"), &in, 1, NULL, 0, &out));
  OK(glk_read(c, out, others, (size_t)m * n));
  for (uint32_t a = 0; a < n; a++) {
    for (uint32_t b = 0; b < n; b++) {
      double dot = 0, r = 0;
      for (uint32_t i = 0; i < m; i++) {
        dot += (double)others[i * n + a] * (double)others[i * n + b];
        r += (double)others[i * n + a] * (double)x[i * n + b];
      }
      CHECK_NEAR(dot, a == b, m * eps);
      if (a > b) CHECK_NEAR(r, 0, 16 * m * eps);
      if (a == b)
        CHECK_MSG(r >= -16.0 * m * eps && (!is_full_rank || r > 0), "%u of %u: %g", a, n, r);
    }
  }
  glk_context_dispose(c);
}

static void orthogonalize_gives_the_only_q_of_a_qr_with_positive_diagonal(void) {
  static const uint32_t shapes[][2] = {{1, 1}, {4, 1}, {3, 3}, {7, 4}, {50, 31}, {64, 64}};
  for (int k = 0; k < 6; k++) {
    const uint32_t m = shapes[k][0], n = shapes[k][1];
    for (int round = 0; round < 5; round++) {
      for (uint32_t i = 0; i < m * n; i++) drawn[i] = rng_real(-2, 2);
      check_orthogonal(m, n, drawn, 1);
    }
    for (uint32_t i = 0; i < m * n; i++) drawn[i] = 1; /* rank 1 */
    check_orthogonal(m, n, drawn, n == 1);
    memset(drawn, 0, m * n * sizeof *drawn);
    check_orthogonal(m, n, drawn, 0);
  }
  check_orthogonal(3, 0, drawn, 1);
  check_orthogonal(0, 0, drawn, 1);
}

int main(int argc, char **argv) {
  harness_begin(argc, argv);
  TEST(philox_gives_the_published_answers);
  TEST(seed_step_and_run_have_words_of_their_own);
  TEST(an_element_does_not_depend_on_how_many_are_drawn);
  TEST(uniform_values_stay_below_high_where_rounding_would_reach_it);
  TEST(draws_have_the_distribution_they_claim);
  TEST(bernoulli_is_1_as_often_as_p_says);
  TEST(permutations_swap_from_the_end_and_draw_unfair_words_again);
  TEST(dropout_drops_value_and_gradient_at_the_same_places);
  TEST(what_is_dropped_leaves_no_trace);
  TEST(orthogonalize_gives_the_only_q_of_a_qr_with_positive_diagonal);
  return harness_report();
}
