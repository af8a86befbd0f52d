/* Tries the functions of src/c/kernels/math.h on every f32 but NaN. That takes minutes, so it is no
 * part of the test run. `exhaustive_math exp` tries one function, so that several can run side by
 * side; without an argument it tries all. `exhaustive_math exp 64` tries every 64th f32. pow, which
 * has two arguments, is tried on random pairs by test_math.c.
 *
 * It prints the largest error in ulps, where it is, and how often a greater
 * argument gave a smaller result. It fails if the error is above what is stated, or the order wrong
 * where order is claimed.
 */
#include <stdlib.h>

#include "math_claims.h"

#ifdef GLK_DOUBLE
#error "these are the functions of f32; test_math64.c tries those of f64"
#endif

static int try_all(const struct claim *claim, int64_t stride) {
  double worst = 0;
  float worst_x = 0, previous = NAN;
  unsigned long long disordered = 0;
  for (int64_t n = -LAST; n <= LAST; n += GLK_LANES * stride) {
    float x[GLK_LANES], y[GLK_LANES];
    for (int lane = 0; lane < GLK_LANES; lane++) {
      const int64_t at = n + lane * stride;
      x[lane] = nth_float(at < LAST ? at : LAST);
    }
    claim->run(x, y);
    for (int lane = 0; lane < GLK_LANES; lane++) {
      const double error = ulp_error(y[lane], claim->exact(x[lane]));
      if (error > worst) {
        worst = error;
        worst_x = x[lane];
      }
      if (y[lane] < previous) disordered++;
      previous = y[lane];
    }
  }
  printf("%s: at most %.4f ulp, at %a (%.9g); stated %.2f; out of order %llu times\n", claim->name,
         worst, (double)worst_x, (double)worst_x, claim->max_ulp, disordered);
  fflush(stdout);
  return worst <= claim->max_ulp && (disordered == 0 || !claim->ordered);
}

int main(int argc, char **argv) {
  const int64_t stride = argc > 2 ? atoi(argv[2]) : 1;
  int tried = 0, good = 0;
  for (size_t f = 0; f < CLAIM_COUNT; f++) {
    if (argc > 1 && strcmp(argv[1], claims[f].name) != 0) continue;
    tried++;
    good += try_all(&claims[f], stride > 0 ? stride : 1);
  }
  if (tried == 0) {
    printf("usage: %s [FUNCTION [STRIDE]]; FUNCTION is one of", argv[0]);
    for (size_t f = 0; f < CLAIM_COUNT; f++) printf(" %s", claims[f].name);
    printf("\n");
  }
  return tried == 0 || good < tried;
}
