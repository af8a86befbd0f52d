/* The promises of src/c/kernels/math….h in f64 on samples: accuracy, range, exact remainders,
 * and the very same bits on every machine. The reference is the host's libm in long double,
 * where that has more bits than f64; tests/golden/functions64.json has results of a
 * multiprecision library.
 */
#include <float.h>

#include "math_claims.h"

#ifndef GLK_DOUBLE

int main(void) {
  printf("test_math.c tries the functions of f32\n");
  return 0;
}

#else

typedef long double wide;

static wide exact_sigmoid(wide x) {
  const wide e = expl(-fabsl(x));
  return x >= 0 ? 1 / (1 + e) : e / (1 + e);
}
static wide exact_softplus(wide x) { return (x > 0 ? x : 0) + log1pl(expl(-fabsl(x))); }
/* x erfc(z) / 2 with z = -x / sqrt(2). Far in the tail, erfc would magnify the rounding of z to
 * half an ulp of f64, so what that lost is added by erfc's slope. x and 1 / sqrt(2) are
 * split, so that the product of their first parts is exact. */
static wide exact_gelu(wide x) {
  if (x < -45) return 0;
  if (x > 45) return x;
  const wide high = 0x1.6a09e667fp-1L, low = 1.69959209193208488316935178484e-12L;
  const wide a = (float)x, z = -x * (high + low),
             lost = (-a * high - z) - ((x - a) * high + x * low);
  return x * 0.5L * (erfcl(z) - 1.12837916709551257389615890312154517L * expl(-z * z) * lost);
}
static wide exact_rsqrt(wide x) { return 1 / sqrtl(x); }

static const struct claim {
  const char *name;
  run_function run;
  wide (*exact)(wide);
  double max_ulp; /* as the header states it */
  double lowest, highest;
  uint64_t digest; /* of the sweep below, on every machine */
} claims[] = {
    {"exp", run_exp, expl, 0.76, 0, INFINITY, 0xfb3076c5ae933a31},
    {"log", run_log, logl, 0.87, -INFINITY, INFINITY, 0x6c773b72de88e1f0},
    {"tanh", run_tanh, tanhl, 0.84, -1, 1, 0x07ab39a93494ba1d},
    {"sigmoid", run_sigmoid, exact_sigmoid, 0.76, 0, 1, 0x301c48233c885d67},
    {"expm1", run_expm1, expm1l, 0.91, -1, INFINITY, 0x321145685332120c},
    {"log1p", run_log1p, log1pl, 0.87, -INFINITY, INFINITY, 0xc9458fe6da18b87f},
    {"softplus", run_softplus, exact_softplus, 0.84, 0, INFINITY, 0x85fd9ec0570a3eca},
    {"sin", run_sin, sinl, 0.81, -1, 1, 0x5922f2531a9c285f},
    {"cos", run_cos, cosl, 0.81, -1, 1, 0x96917fd2cb40048f},
    {"atan", run_atan, atanl, 0.65, -0x1.921fb54442d18p+0, 0x1.921fb54442d18p+0,
     0x2152efdece219197},
    {"erf", run_erf, erfl, 0.96, -1, 1, 0x8e1de3d764326517},
    {"gelu", run_gelu, exact_gelu, 0.95, -0.17, INFINITY, 0xbd275cbbd7669af5},
    {"rsqrt", run_rsqrt, exact_rsqrt, 0.51, -INFINITY, INFINITY, 0x123589a894b21c8a},
    {"floor", run_floor, floorl, 0, -INFINITY, INFINITY, 0x687c93b6fbd9e2e3},
    {"ceil", run_ceil, ceill, 0, -INFINITY, INFINITY, 0xb3e7b32a7daa5f9d},
    {"round", run_round, rintl, 0, -INFINITY, INFINITY, 0xa848047b746ebbae},
    {"trunc", run_trunc, truncl, 0, -INFINITY, INFINITY, 0x27a9cea0564c0a5d},
};
#define CLAIM_COUNT (sizeof claims / sizeof *claims)

/** The error of an f64 in ulps of the exact result: 2^-1074 among the
 *  subnormals; none where both are the same infinity or NaN. */
static double ulp_error64(double result, wide exact) {
  if (result != result || exact != exact) return result != result && exact != exact ? 0 : INFINITY;
  if (isinf(result) || isinf((double)exact)) return result == (double)exact ? 0 : INFINITY;
  int exponent;
  frexpl(exact, &exponent);
  return (double)(fabsl(result - exact) * ldexpl(1, 53 - (exponent < -1021 ? -1021 : exponent)));
}

/** Numbers of one kind in four: any bits, the range where most functions bend, small ones, and the
 *  neighbours of where the methods change. */
static double any_number(void) {
  static const double seams[] = {0.34657359027997264,
                                 0.7071067811865476,
                                 1.4142135623730951,
                                 0.7,
                                 0.9,
                                 6,
                                 39,
                                 40,
                                 20,
                                 0.41421356237309503,
                                 0x1p20,
                                 0x1p-30,
                                 1,
                                 709.7827128933841,
                                 745.1332191019412,
                                 708.3964185322641,
                                 1.5707963267948966,
                                 3.141592653589793,
                                 0x1p-1022,
                                 0x1p-100};
  const uint64_t bits = rng_next();
  double x;
  switch (bits % 4) {
  case 0: {
    const uint64_t more = rng_next();
    memcpy(&x, &more, sizeof x);
    return x;
  }
  case 1: return rng_real(-40, 40);
  case 2: return ldexp(rng_real(-1, 1), -(int)rng_below(60));
  default:
    x = seams[rng_below(sizeof seams / sizeof *seams)];
    return (bits & 8 ? -x : x) * (1 + ((double)rng_below(2001) - 1000) * 0x1p-52);
  }
}

static uint64_t digest_four(uint64_t digest, const double *y) {
  for (int lane = 0; lane < GLK_LANES; lane++) {
    uint64_t bits = 0x7ff8000000000000u;
    if (y[lane] == y[lane]) memcpy(&bits, &y[lane], sizeof bits);
    for (int shift = 0; shift < 64; shift += 8) {
      digest = (digest ^ (bits >> shift & 0xff)) * 0x100000001b3u;
    }
  }
  return digest;
}

enum { TRIALS = 60000 };
static const uint64_t BASIS = 0xcbf29ce484222325u;

static int reference_is_wider(void) { return LDBL_MANT_DIG > DBL_MANT_DIG; }

static void functions_are_accurate_in_range_and_the_same_on_every_machine(void) {
  for (size_t f = 0; f < CLAIM_COUNT; f++) {
    const struct claim *claim = &claims[f];
    uint64_t digest = BASIS;
    for (int trial = 0; trial < TRIALS; trial++) {
      double x[GLK_LANES], y[GLK_LANES];
      for (int lane = 0; lane < GLK_LANES; lane++) x[lane] = any_number();
      claim->run(x, y);
      digest = digest_four(digest, y);
      for (int lane = 0; lane < GLK_LANES; lane++) {
        const double error = reference_is_wider() ? ulp_error64(y[lane], claim->exact(x[lane])) : 0;
        CHECK_MSG(error <= claim->max_ulp, "%s(%a) is %a, off by %.3f ulp, allowed %.2f",
                  claim->name, x[lane], y[lane], error, claim->max_ulp);
        CHECK_MSG(!(y[lane] < claim->lowest || y[lane] > claim->highest), "%s(%a) is %a",
                  claim->name, x[lane], y[lane]);
      }
    }
    CHECK_MSG(digest == claim->digest, "%s: digest 0x%016llx, expected 0x%016llx", claim->name,
              (unsigned long long)digest, (unsigned long long)claim->digest);
  }
}

/** Pairs of any bits, of moderate size, or of mostly finite powers. */
static void any_pair(int kind, double *a, double *b) {
  *a = kind % 3 ? rng_real(0, 20) : any_number();
  *b = kind % 3 == 1 ? rng_real(-200, 200) : any_number();
  if (kind % 5 == 0) *b = 0.5 * ((double)rng_below(81) - 40);
  if (kind % 7 == 0) {
    *a = 1 + ldexp(rng_real(-1, 1), -(int)rng_below(50));
    *b = rng_real(-700, 700) / (*a - 1);
  }
}

static void pairs_are_accurate_and_the_same_on_every_machine(void) {
  uint64_t powers = BASIS, angles = BASIS;
  for (int trial = 0; trial < 4 * TRIALS; trial++) {
    double a[GLK_LANES], b[GLK_LANES], power[GLK_LANES], angle[GLK_LANES];
    for (int lane = 0; lane < GLK_LANES; lane++) any_pair(trial + lane, &a[lane], &b[lane]);
    vstore(power, vpow(vload(a), vload(b)));
    vstore(angle, vatan2(vload(a), vload(b)));
    powers = digest_four(powers, power);
    angles = digest_four(angles, angle);
    for (int lane = 0; lane < GLK_LANES && reference_is_wider(); lane++) {
      const double off = ulp_error64(power[lane], powl(a[lane], b[lane]));
      CHECK_MSG(off <= 0.78, "%a^%a is %a, off by %.3f ulp", a[lane], b[lane], power[lane], off);
      const double turned = ulp_error64(angle[lane], atan2l(a[lane], b[lane]));
      CHECK_MSG(turned <= 0.65, "atan2(%a, %a) is %a, off by %.3f ulp", a[lane], b[lane],
                angle[lane], turned);
    }
  }
  CHECK_MSG(powers == 0x7859df68cfc89839, "pow: digest 0x%016llx", (unsigned long long)powers);
  CHECK_MSG(angles == 0xee6754c9e52059d4, "atan2: digest 0x%016llx", (unsigned long long)angles);
}

static void remainders_are_exact(void) {
  for (int trial = 0; trial < TRIALS; trial++) {
    double a[GLK_LANES], b[GLK_LANES], y[GLK_LANES];
    for (int lane = 0; lane < GLK_LANES; lane++) any_pair(trial + lane, &a[lane], &b[lane]);
    if (trial % 3 == 0) b[0] = a[0] / (1 + rng_below(1000)); /* nearly divides */
    vstore(y, vmod(vload(a), vload(b)));
    for (int lane = 0; lane < GLK_LANES; lane++) {
      double rest = fmod(a[lane], b[lane]);
      if (rest != 0 && (rest < 0) != (b[lane] < 0)) rest += b[lane];
      CHECK_MSG(memcmp(&y[lane], &rest, sizeof rest) == 0 || (y[lane] != y[lane] && rest != rest),
                "%a mod %a is %a, expected %a", a[lane], b[lane], y[lane], rest);
    }
  }
}

static void gelus_slope_is_near_the_exact_one(void) {
  for (int i = -160000; i <= 160000; i++) {
    const wide x = i * 1e-4, share = 0.39894228040143267793994605993438187L;
    const wide exact = 0.5L * erfcl(x * -0.70710678118654752440084436210484904L);
    CHECK_NEAR(vgelu_slope(vsplat((double)x))[i & 3],
               (double)(exact + x * expl(-x * x / 2) * share), 6e-16);
  }
}

int main(int argc, char **argv) {
  harness_begin(argc, argv);
  TEST(functions_are_accurate_in_range_and_the_same_on_every_machine);
  TEST(pairs_are_accurate_and_the_same_on_every_machine);
  TEST(remainders_are_exact);
  TEST(gelus_slope_is_near_the_exact_one);
  return harness_report();
}

#endif
