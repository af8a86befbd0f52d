/* The claims of src/c/kernels/math.h for each function of one argument. Two programs test them:
 * test_math.c on a sample, exhaustive_math.c on every f32. The references are the host's libm in
 * double, good to 2^-28 of an f32's ulp.
 */
#ifndef GLK_TESTS_MATH_CLAIMS_H
#define GLK_TESTS_MATH_CLAIMS_H

#include <math.h>

#include "harness.h"
#include "kernels/math_angle.h"
#include "kernels/math_exp.h"

typedef void (*run_function)(const glk_real *x, glk_real *out);

/** Run as f(four reals, four results): X(name). */
#define MATH_FUNCTIONS(X) \
  X(exp)                  \
  X(log)                  \
  X(tanh)                 \
  X(sigmoid)              \
  X(expm1)                \
  X(log1p)                \
  X(softplus)             \
  X(sin)                  \
  X(cos)                  \
  X(atan)                 \
  X(erf)                  \
  X(gelu)                 \
  X(gelu_slope)           \
  X(rsqrt)                \
  X(floor)                \
  X(ceil)                 \
  X(round)                \
  X(trunc)

#define RUN(name)                                                   \
  static inline void run_##name(const glk_real *x, glk_real *out) { \
    vstore(out, v##name(vload(x)));                                 \
  }
MATH_FUNCTIONS(RUN)
#undef RUN

#ifndef GLK_DOUBLE

static inline double exact_sigmoid(double x) {
  const double e = exp(-fabs(x)), w = e / (1 + e);
  return x >= 0 ? 1 - w : w;
}

static inline double exact_softplus(double x) { return (x > 0 ? x : 0) + log1p(exp(-fabs(x))); }

static inline double exact_gelu(double x) {
  return x < -40 ? 0 : x * (0.5 * erfc(x * -0.70710678118654752440));
}

/* A function that is for x <= 0 only, at the smaller of x and 0. */
static inline double exact_exp_down(double x) { return exp(x < 0 ? x : 0); }

static inline void run_exp_down(const glk_real *x, glk_real *out) {
  vstore(out, vexp_down(vmin(vload(x), vsplat(0))));
}

/* Less than 0.7 * 2^-126 counts as nothing. */
static inline double exact_exp_term(double x) {
  return x <= -0x1.5ebb84p+6 ? 0 : exact_exp_down(x);
}

static inline void run_exp_term(const glk_real *x, glk_real *out) {
  vstore(out, vexp_term(vmin(vload(x), vsplat(0))));
}

static inline double exact_rsqrt(double x) { return 1 / sqrt(x); }

static const struct claim {
  const char *name;
  run_function run;
  double (*exact)(double);
  double max_ulp; /* as math.h states it, rounded up */
  int ordered;    /* a greater argument never gives a smaller result */
  float lowest, highest;
  uint64_t digest; /* of test_math.c's sweeps, on every machine */
} claims[] = {
    {"exp", run_exp, exp, 0.91, 1, 0, INFINITY, 0x00efb6b40014caf1},
    {"exp_down", run_exp_down, exact_exp_down, 0.91, 1, 0, 1, 0xd3fdbd4a1d138d3a},
    {"exp_term", run_exp_term, exact_exp_term, 2.25, 1, 0, 1, 0x19ef97ff80b625ba},
    {"log", run_log, log, 0.84, 1, -INFINITY, INFINITY, 0x6d7d4a8a91d55074},
    {"tanh", run_tanh, tanh, 1.42, 1, -1, 1, 0x595aa94182aa732a},
    {"sigmoid", run_sigmoid, exact_sigmoid, 1.82, 1, 0, 1, 0x591ec9a8ea322e98},
    {"expm1", run_expm1, expm1, 1.74, 1, -1, INFINITY, 0x331f86a741c66a57},
    {"log1p", run_log1p, log1p, 0.87, 1, -INFINITY, INFINITY, 0x0323a960c9e202af},
    {"softplus", run_softplus, exact_softplus, 1.67, 0, 0, INFINITY, 0x563163ba5ded7549},
    {"sin", run_sin, sin, 1.56, 0, -1, 1, 0x96dba92b87e084d7},
    {"cos", run_cos, cos, 1.56, 0, -1, 1, 0x7b097485c06f936e},
    {"atan", run_atan, atan, 0.501, 1, -0x1.921fb6p+0f, 0x1.921fb6p+0f, 0xde958c025574399d},
    {"erf", run_erf, erf, 1.59, 1, -1, 1, 0x6376e1951e157be3},
    {"gelu", run_gelu, exact_gelu, 4.29, 0, -0.17f, INFINITY, 0x52a1c16e136396c2},
    {"rsqrt", run_rsqrt, exact_rsqrt, 1.50, 0, -INFINITY, INFINITY, 0x7688825cd6b224be},
    {"floor", run_floor, floor, 0, 1, -INFINITY, INFINITY, 0xca4077639c45f5bd},
    {"ceil", run_ceil, ceil, 0, 1, -INFINITY, INFINITY, 0x17cd805138a6da72},
    {"round", run_round, rint, 0, 1, -INFINITY, INFINITY, 0xbcbb9db17eeac81f},
    {"trunc", run_trunc, trunc, 0, 1, -INFINITY, INFINITY, 0xc185dc9042389cea},
};
#define CLAIM_COUNT (sizeof claims / sizeof *claims)

/* All f32 but -0 and NaN, numbered in order: 0 is +0, 1 the least subnormal, LAST infinity. */
#define LAST ((int64_t)0x7f800000)

static inline float nth_float(int64_t n) {
  const uint32_t bits = n < 0 ? 0x80000000u | (uint32_t)-n : (uint32_t)n;
  float x;
  memcpy(&x, &bits, sizeof x);
  return x;
}

#endif

#endif
