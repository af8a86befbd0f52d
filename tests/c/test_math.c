/* What src/kernels/math.h promises, on a sample of a few million arguments: accuracy, order, range,
 * special values, lanes, and the very same bits natively and on wasm. exhaustive_math.c tries every
 * argument. The reference is the host's libm in double, good to 2^-29 of an f32's last place. The
 * double build calls libm itself, so only its special values and lanes are checked.
 */
#include <math.h>

#include "harness.h"
#include "kernels/math.h"

static void run_exp(const glk_real *x, glk_real *out) { vstore(out, vexp(vload(x))); }
static void run_log(const glk_real *x, glk_real *out) { vstore(out, vlog(vload(x))); }
static void run_tanh(const glk_real *x, glk_real *out) { vstore(out, vtanh(vload(x))); }
static void run_sigmoid(const glk_real *x, glk_real *out) { vstore(out, vsigmoid(vload(x))); }

typedef void (*run_function)(const glk_real *x, glk_real *out);

static int same_bits(glk_real a, glk_real b) {
  return (a != a && b != b) || memcmp(&a, &b, sizeof a) == 0; /* any NaN is as good */
}

static void special_values_are_exact(void) {
  const glk_real inf = (glk_real)INFINITY, nan = (glk_real)NAN, least = 0x1p-149f;
  const struct {
    const char *name;
    run_function run;
    glk_real x, expected;
  } rows[] = {
      {"exp", run_exp, 0, 1},
      {"exp", run_exp, -(glk_real)0, 1},
      {"exp", run_exp, least, 1},
      {"exp", run_exp, -least, 1},
      {"exp", run_exp, -inf, 0},
      {"exp", run_exp, -1000, 0},
      {"exp", run_exp, 1000, inf},
      {"exp", run_exp, inf, inf},
      {"exp", run_exp, nan, nan},
      {"exp", run_exp, -nan, nan},
      {"log", run_log, 0, -inf},
      {"log", run_log, -(glk_real)0, -inf},
      {"log", run_log, -least, nan},
      {"log", run_log, -1, nan},
      {"log", run_log, -inf, nan},
      {"log", run_log, 1, 0},
      {"log", run_log, inf, inf},
      {"log", run_log, nan, nan},
      {"log", run_log, -nan, nan},
      {"tanh", run_tanh, 0, 0},
      {"tanh", run_tanh, -(glk_real)0, -(glk_real)0},
      {"tanh", run_tanh, least, least},
      {"tanh", run_tanh, -least, -least},
      {"tanh", run_tanh, 50, 1},
      {"tanh", run_tanh, -50, -1},
      {"tanh", run_tanh, inf, 1},
      {"tanh", run_tanh, -inf, -1},
      {"tanh", run_tanh, nan, nan},
      {"tanh", run_tanh, -nan, nan},
      {"sigmoid", run_sigmoid, 0, 0.5},
      {"sigmoid", run_sigmoid, -(glk_real)0, 0.5},
      {"sigmoid", run_sigmoid, least, 0.5},
      {"sigmoid", run_sigmoid, 1000, 1},
      {"sigmoid", run_sigmoid, -1000, 0},
      {"sigmoid", run_sigmoid, inf, 1},
      {"sigmoid", run_sigmoid, -inf, 0},
      {"sigmoid", run_sigmoid, nan, nan},
      {"sigmoid", run_sigmoid, -nan, nan},
#ifndef GLK_DOUBLE
      /* The last numbers before 0 and infinity, and their neighbours beyond. */
      {"exp", run_exp, 0x1.62e42ep6f, 0x1.ffff08p127f},
      {"exp", run_exp, 0x1.62e43p6f, inf},
      {"exp", run_exp, -0x1.9fe368p6f, least},
      {"exp", run_exp, -0x1.9fe36ap6f, 0},
      {"sigmoid", run_sigmoid, -90, 0x1.1d85p-130f},
      {"sigmoid", run_sigmoid, -0x1.9fe368p6f, least},
      {"sigmoid", run_sigmoid, -0x1.9fe36ap6f, 0},
#endif
  };
  for (size_t row = 0; row < sizeof rows / sizeof *rows; row++) {
    const glk_real x = rows[row].x, expected = rows[row].expected;
    const glk_real in[GLK_LANES] = {x, x, x, x};
    glk_real out[GLK_LANES];
    rows[row].run(in, out);
    for (int lane = 0; lane < GLK_LANES; lane++) {
      CHECK_MSG(same_bits(out[lane], expected), "row %d: %s(%a) in lane %d is %a, expected %a",
                (int)row, rows[row].name, (double)x, lane, (double)out[lane], (double)expected);
    }
  }
}

static void every_lane_computes_alone(void) {
  static const struct {
    const char *name;
    run_function run;
  } functions[] = {
      {"exp", run_exp}, {"log", run_log}, {"tanh", run_tanh}, {"sigmoid", run_sigmoid}};
  static const glk_real others[] = {0,     -1,       100,       -100, 0x1p-140f, 0.3f,
                                    -0.7f, INFINITY, -INFINITY, NAN,  1e30f};
  const uint32_t other_count = sizeof others / sizeof *others;
  for (int trial = 0; trial < 20000; trial++) {
    glk_real x = rng_real(-20, 20);
    if (trial % 4 == 0) x = others[rng_below(other_count)];
    const glk_real alike[GLK_LANES] = {x, x, x, x};
    glk_real mixed[GLK_LANES], alike_out[GLK_LANES], mixed_out[GLK_LANES];
    for (int lane = 0; lane < GLK_LANES; lane++) mixed[lane] = others[rng_below(other_count)];
    const uint32_t at = rng_below(GLK_LANES);
    mixed[at] = x;
    for (size_t f = 0; f < sizeof functions / sizeof *functions; f++) {
      functions[f].run(alike, alike_out);
      functions[f].run(mixed, mixed_out);
      for (int lane = 0; lane < GLK_LANES; lane++) {
        CHECK_MSG(same_bits(alike_out[lane], mixed_out[at]),
                  "trial %d: %s(%a) is %a in lane %d of four alike, %a in lane %d of a mixture",
                  trial, functions[f].name, (double)x, (double)alike_out[lane], lane,
                  (double)mixed_out[at], (int)at);
      }
    }
  }
}

#ifndef GLK_DOUBLE

static double exact_sigmoid(double x) {
  const double e = exp(-fabs(x)), w = e / (1 + e);
  return x >= 0 ? 1 - w : w;
}

/** A function and what math.h says of it. */
static const struct claim {
  const char *name;
  run_function run;
  double (*exact)(double);
  double max_ulp;
  float lowest, highest;
  uint64_t digest; /* of a fixed sweep, on every machine */
} claims[] = {
    {"exp", run_exp, exp, 0.91, 0, INFINITY, 0x00efb6b40014caf1},
    {"log", run_log, log, 0.84, -INFINITY, INFINITY, 0x6d7d4a8a91d55074},
    {"tanh", run_tanh, tanh, 1.42, -1, 1, 0x595aa94182aa732a},
    {"sigmoid", run_sigmoid, exact_sigmoid, 1.82, 0, 1, 0x591ec9a8ea322e98},
};
#define CLAIM_COUNT (sizeof claims / sizeof *claims)

/* All f32 but -0 and NaN, numbered in order: 0 is +0, 1 the least subnormal, LAST infinity. */
#define LAST ((int64_t)0x7f800000)

static float nth_float(int64_t n) {
  const uint32_t bits = n < 0 ? 0x80000000u | (uint32_t)-n : (uint32_t)n;
  float x;
  memcpy(&x, &bits, sizeof x);
  return x;
}

static int64_t index_of_float(float positive) {
  uint32_t bits;
  memcpy(&bits, &positive, sizeof bits);
  return bits;
}

/** Check every `stride`-th f32 from the first to the last, in ascending order. */
static void check_stretch(const struct claim *claim, int64_t first, int64_t last, int64_t stride) {
  if (first < -LAST) first = -LAST;
  if (last > LAST) last = LAST;
  float previous = NAN;
  for (int64_t n = first; n <= last; n += GLK_LANES * stride) {
    float x[GLK_LANES], y[GLK_LANES];
    for (int lane = 0; lane < GLK_LANES; lane++) {
      const int64_t at = n + lane * stride;
      x[lane] = nth_float(at < last ? at : last);
    }
    claim->run(x, y);
    for (int lane = 0; lane < GLK_LANES; lane++) {
      const double error = ulp_error(y[lane], claim->exact(x[lane]));
      CHECK_MSG(error <= claim->max_ulp, "%s(%a) is %a, off by %.3f ulp, allowed %.2f", claim->name,
                (double)x[lane], (double)y[lane], error, claim->max_ulp);
      CHECK_MSG(!(y[lane] < previous), "%s(%a) is %a, but %a for a smaller argument", claim->name,
                (double)x[lane], (double)y[lane], (double)previous);
      CHECK_MSG(!(y[lane] < claim->lowest || y[lane] > claim->highest),
                "%s(%a) is %a, out of range", claim->name, (double)x[lane], (double)y[lane]);
      previous = y[lane];
    }
  }
}

/** Everything thinly, and densely where the functions bend: 2^-10 <= |x| < 2^7. */
static const struct {
  int64_t first, last, stride;
} sweeps[] = {
    {-LAST, LAST, 4093},
    {-0x43000000, -0x3a800000, 251},
    {0x3a800000, 0x43000000, 251},
};
#define SWEEP_COUNT (sizeof sweeps / sizeof *sweeps)

static void dense_sweeps_are_accurate_ordered_and_in_range(void) {
  for (size_t f = 0; f < CLAIM_COUNT; f++) {
    for (size_t s = 0; s < SWEEP_COUNT; s++) {
      check_stretch(&claims[f], sweeps[s].first, sweeps[s].last, sweeps[s].stride);
    }
  }
}

static void every_power_of_two_has_good_neighbours(void) {
  for (size_t f = 0; f < CLAIM_COUNT; f++) {
    for (int64_t power = -LAST; power <= LAST; power += 1 << 23) {
      check_stretch(&claims[f], power - 64, power + 64, 1);
    }
  }
}

static void every_seam_of_the_methods_has_good_neighbours(void) {
  /* Beside the powers of two: where exp rounds n up or is clamped, log counts the next exponent,
   * tanh and sigmoid change their formula. Any function may be tried at any of them. */
  static const float seams[] = {0.34657359f, 89,    104, 0.70710678f,
                                1.41421356f, 0.55f, 10,  0.69314718f};
  for (size_t seam = 0; seam < sizeof seams / sizeof *seams; seam++) {
    const int64_t at = index_of_float(seams[seam]);
    for (size_t f = 0; f < CLAIM_COUNT; f++) {
      check_stretch(&claims[f], at - 5000, at + 5000, 1);
      check_stretch(&claims[f], -at - 5000, -at + 5000, 1);
    }
  }
}

/** Fold four f32 into an FNV-1a digest of their little-endian bytes, every NaN as the same. */
static uint64_t digest_lanes(uint64_t digest, const float *y) {
  for (int lane = 0; lane < GLK_LANES; lane++) {
    uint32_t bits = 0x7fc00000;
    if (y[lane] == y[lane]) memcpy(&bits, &y[lane], sizeof bits);
    for (int shift = 0; shift < 32; shift += 8) {
      digest = (digest ^ (bits >> shift & 0xff)) * 0x100000001b3u;
    }
  }
  return digest;
}

static void bits_are_the_same_on_every_machine(void) {
  for (size_t f = 0; f < CLAIM_COUNT; f++) {
    uint64_t digest = 0xcbf29ce484222325u;
    for (size_t s = 0; s < SWEEP_COUNT; s++) {
      const int64_t stride = sweeps[s].stride;
      for (int64_t n = sweeps[s].first; n + 3 * stride <= sweeps[s].last; n += 4 * stride) {
        float x[GLK_LANES], y[GLK_LANES];
        for (int lane = 0; lane < GLK_LANES; lane++) x[lane] = nth_float(n + lane * stride);
        claims[f].run(x, y);
        digest = digest_lanes(digest, y);
      }
    }
    CHECK_MSG(digest == claims[f].digest, "%s: digest 0x%016llx, expected 0x%016llx",
              claims[f].name, (unsigned long long)digest, (unsigned long long)claims[f].digest);
  }
}

#endif

int main(int argc, char **argv) {
  harness_begin(argc, argv);
  TEST(special_values_are_exact);
  TEST(every_lane_computes_alone);
#ifndef GLK_DOUBLE
  TEST(dense_sweeps_are_accurate_ordered_and_in_range);
  TEST(every_power_of_two_has_good_neighbours);
  TEST(every_seam_of_the_methods_has_good_neighbours);
  TEST(bits_are_the_same_on_every_machine);
#endif
  return harness_report();
}
