/* Tries exp, log, tanh and sigmoid of src/kernels/math.h on every f32 but NaN. That takes minutes,
 * so it is no part of the test run. `exhaustive_math exp` tries one function, so that several can
 * run side by side; without an argument it tries all.
 *
 * It prints the largest error in units in the last place, where it is, and how often a greater
 * argument gave a smaller result. It fails if the error is above what math.h states, or the order
 * ever wrong. The reference is the host's libm in double, good to 2^-29 of an f32's last place.
 */
#include <math.h>

#include "harness.h"
#include "kernels/math.h"

#ifdef GLK_DOUBLE
#error "double calls libm: there is nothing to try"
#endif

static void run_exp(const float *x, float *out) { vstore(out, vexp(vload(x))); }
static void run_log(const float *x, float *out) { vstore(out, vlog(vload(x))); }
static void run_tanh(const float *x, float *out) { vstore(out, vtanh(vload(x))); }
static void run_sigmoid(const float *x, float *out) { vstore(out, vsigmoid(vload(x))); }

static double exact_sigmoid(double x) {
  const double e = exp(-fabs(x)), w = e / (1 + e);
  return x >= 0 ? 1 - w : w;
}

static const struct function {
  const char *name;
  void (*run)(const float *x, float *out);
  double (*exact)(double);
  double max_ulp; /* as math.h states it, rounded up */
} functions[] = {
    {"exp", run_exp, exp, 0.91},
    {"log", run_log, log, 0.84},
    {"tanh", run_tanh, tanh, 1.42},
    {"sigmoid", run_sigmoid, exact_sigmoid, 1.82},
};

/** All f32 but -0 and NaN, numbered in order: 0 is +0, 1 the least subnormal, 0x7f800000 inf. */
static float nth_float(int64_t n) {
  const uint32_t bits = n < 0 ? 0x80000000u | (uint32_t)-n : (uint32_t)n;
  float x;
  memcpy(&x, &bits, sizeof x);
  return x;
}

static int try_all(const struct function *function) {
  const int64_t last = 0x7f800000;
  double worst = 0;
  float worst_x = 0, previous = NAN;
  unsigned long long disordered = 0;
  for (int64_t n = -last; n <= last; n += GLK_LANES) {
    float x[GLK_LANES], y[GLK_LANES];
    for (int lane = 0; lane < GLK_LANES; lane++) {
      x[lane] = nth_float(n + lane < last ? n + lane : last);
    }
    function->run(x, y);
    for (int lane = 0; lane < GLK_LANES; lane++) {
      const double error = ulp_error(y[lane], function->exact(x[lane]));
      if (error > worst) {
        worst = error;
        worst_x = x[lane];
      }
      if (y[lane] < previous) disordered++;
      previous = y[lane];
    }
  }
  printf("%s: at most %.4f ulp, at %a (%.9g); stated %.2f; out of order %llu times\n",
         function->name, worst, (double)worst_x, (double)worst_x, function->max_ulp, disordered);
  fflush(stdout);
  return worst <= function->max_ulp && disordered == 0;
}

int main(int argc, char **argv) {
  int tried = 0, good = 0;
  for (size_t f = 0; f < sizeof functions / sizeof *functions; f++) {
    if (argc > 1 && strcmp(argv[1], functions[f].name) != 0) continue;
    tried++;
    good += try_all(&functions[f]);
  }
  if (tried == 0) printf("usage: %s [exp | log | tanh | sigmoid]\n", argv[0]);
  return tried == 0 || good < tried;
}
