/* The promises of src/c/kernels/math.h, on a sample of a few million arguments: accuracy, order,
 * range, and the very same bits natively and on wasm. exhaustive_math.c tries every argument of
 * one; test_math_special.c the special values.
 */
#include "math_claims.h"

#ifdef GLK_DOUBLE

int main(void) {
  printf("test_math64.c tries the functions of f64\n");
  return 0;
}

#else

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
      CHECK_MSG(!claim->ordered || !(y[lane] < previous),
                "%s(%a) is %a, but %a for a smaller argument", claim->name, (double)x[lane],
                (double)y[lane], (double)previous);
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

static int64_t index_of_float(float positive) {
  uint32_t bits;
  memcpy(&bits, &positive, sizeof bits);
  return bits;
}

static void every_seam_of_the_methods_has_good_neighbours(void) {
  /* Beside the powers of two: where exp and sin round n up, exp, erf and gelu are clamped, log and
   * log1p count the next exponent, tanh, sigmoid, atan, erf and gelu change their formula, sin
   * vanishes, gelu turns. Any function may be tried at any of them. */
  static const float seams[] = {
      0.34657359f, 89, 104, 0.70710678f, 1.41421356f, 0.55f, 10, 0.69314718f, 0.9f, 0.7f, 15, 26,
      0.78539816f, 3.14159265f, 4, 0.41421356f, 0.75179f,
      /* The f32 nearest to multiples of pi/2, by size. */
      0x1.f9cbe2p7f, 0x1.9a48dep15f, 0x1.47d0fep34f, 0x1.f37c8ap95f, 0x1.b08c4ap111f};
  for (size_t seam = 0; seam < sizeof seams / sizeof *seams; seam++) {
    const int64_t at = index_of_float(seams[seam]);
    for (size_t f = 0; f < CLAIM_COUNT; f++) {
      check_stretch(&claims[f], at - 1500, at + 1500, 1);
      check_stretch(&claims[f], -at - 1500, -at + 1500, 1);
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

/** Four pairs for pow: any bits at all, integers and halves, or powers that are mostly finite, of a
 *  base that is any number or is next to 1. */
static void random_pairs(uint32_t kind, float *a, float *b) {
  for (int lane = 0; lane < GLK_LANES; lane++) {
    const uint64_t bits = rng_next();
    if (kind == 0) {
      memcpy(&a[lane], &bits, sizeof *a);
      memcpy(&b[lane], (const char *)&bits + sizeof *a, sizeof *b);
    } else if (kind == 1) {
      a[lane] = rng_real(-20, 20);
      b[lane] = 0.5f * (float)((int)rng_below(81) - 40);
    } else {
      const int64_t one = 0x3f800000, away = (int64_t)rng_below(1u << (1 + rng_below(23))) + 1;
      const int64_t n = kind == 2 ? (int64_t)rng_below(LAST) : one + (bits & 1 ? away : -away);
      a[lane] = nth_float(n);
      /* Counting floats is a logarithm, nearly. */
      b[lane] = (float)(rng_real(-155, 135) / ((double)(n == one ? 1 : n - one) * 0x1p-23));
    }
  }
}

static void random_powers_are_accurate_and_the_same_on_every_machine(void) {
  uint64_t digest = 0xcbf29ce484222325u;
  for (uint32_t trial = 0; trial < 160000; trial++) {
    float a[GLK_LANES], b[GLK_LANES], y[GLK_LANES];
    random_pairs(trial % 4, a, b);
    vstore(y, vpow(vload(a), vload(b)));
    for (int lane = 0; lane < GLK_LANES; lane++) {
      const double error = ulp_error(y[lane], pow(a[lane], b[lane]));
      CHECK_MSG(error <= 0.51, "%a^%a is %a, off by %.3f ulp", (double)a[lane], (double)b[lane],
                (double)y[lane], error);
    }
    digest = digest_lanes(digest, y);
  }
  CHECK_MSG(digest == 0x5368ebd1b2a55332, "pow: digest 0x%016llx", (unsigned long long)digest);
}

static void random_angles_are_accurate_and_the_same_on_every_machine(void) {
  uint64_t digest = 0xcbf29ce484222325u;
  for (uint32_t trial = 0; trial < 160000; trial++) {
    float a[GLK_LANES], b[GLK_LANES], y[GLK_LANES];
    random_pairs(trial % 4, a, b);
    if (trial % 8 == 1) b[0] = a[0] * 0x1.a82798p-2f; /* where the formula changes */
    vstore(y, vatan2(vload(a), vload(b)));
    for (int lane = 0; lane < GLK_LANES; lane++) {
      const double error = ulp_error(y[lane], atan2(a[lane], b[lane]));
      CHECK_MSG(error <= 0.501, "atan2(%a, %a) is %a, off by %.4f ulp", (double)a[lane],
                (double)b[lane], (double)y[lane], error);
    }
    digest = digest_lanes(digest, y);
  }
  CHECK_MSG(digest == 0x4b033b3575cb25cb, "atan2: digest 0x%016llx", (unsigned long long)digest);
}

static void random_remainders_are_exact(void) {
  for (uint32_t trial = 0; trial < 160000; trial++) {
    float a[GLK_LANES], b[GLK_LANES], y[GLK_LANES];
    random_pairs(trial % 4, a, b);
    if (trial % 3 == 0) b[0] = a[0] / (float)(1 + (int)rng_below(1000)); /* nearly divides */
    vstore(y, vmod(vload(a), vload(b)));
    for (int lane = 0; lane < GLK_LANES; lane++) {
      float rest = fmodf(a[lane], b[lane]);
      if (rest != 0 && (rest < 0) != (b[lane] < 0)) rest += b[lane];
      CHECK_MSG(memcmp(&y[lane], &rest, sizeof rest) == 0 || (y[lane] != y[lane] && rest != rest),
                "%a mod %a is %a, expected %a", (double)a[lane], (double)b[lane], (double)y[lane],
                (double)rest);
    }
  }
}

static void gelus_slope_is_near_the_exact_one(void) {
  for (int i = -160000; i <= 160000; i++) {
    const double x = (double)(float)(i * 1e-4);
    const double exact =
        0.5 * erfc(-x * 0.70710678118654752440) + x * exp(-0.5 * x * x) * 0.39894228040143267794;
    CHECK_NEAR((double)vgelu_slope(vsplat((float)x))[i & 3], exact, 3e-7);
  }
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

int main(int argc, char **argv) {
  harness_begin(argc, argv);
  TEST(dense_sweeps_are_accurate_ordered_and_in_range);
  TEST(every_power_of_two_has_good_neighbours);
  TEST(every_seam_of_the_methods_has_good_neighbours);
  TEST(random_powers_are_accurate_and_the_same_on_every_machine);
  TEST(random_angles_are_accurate_and_the_same_on_every_machine);
  TEST(random_remainders_are_exact);
  TEST(gelus_slope_is_near_the_exact_one);
  TEST(bits_are_the_same_on_every_machine);
  return harness_report();
}

#endif
