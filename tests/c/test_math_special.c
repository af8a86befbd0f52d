/* The promises of src/c/kernels/math.h for single arguments: special values, the numbers before 0
 * and infinity, rounding to integers, the special cases of pow; and that every lane computes alone.
 * Those of f64 must agree. Accuracy is test_math.c's.
 */
#include "math_claims.h"

static int same_bits(glk_real a, glk_real b) {
  return (a != a && b != b) || memcmp(&a, &b, sizeof a) == 0; /* any NaN is as good */
}

static void special_values_are_exact(void) {
  const glk_real inf = (glk_real)INFINITY, nan = (glk_real)NAN, least = 0x1p-149f;
  const glk_real pi = (glk_real)3.14159265358979323846, zero = -(glk_real)0;
  /* clang-format off */
  const struct {
    const char *name;
    run_function run;
    uint32_t count;
    glk_real pairs[10][2];
  } rows[] = {
      {"exp", run_exp, 10, {
        {0, 1}, {zero, 1}, {least, 1}, {-least, 1}, {-inf, 0}, {-1000, 0}, {1000, inf},
        {inf, inf}, {nan, nan}, {-nan, nan}}},
      {"log", run_log, 9, {
        {0, -inf}, {zero, -inf}, {-least, nan}, {-1, nan}, {-inf, nan}, {1, 0}, {inf, inf},
        {nan, nan}, {-nan, nan}}},
      {"tanh", run_tanh, 10, {
        {0, 0}, {zero, zero}, {least, least}, {-least, -least}, {50, 1}, {-50, -1}, {inf, 1},
        {-inf, -1}, {nan, nan}, {-nan, nan}}},
      {"sigmoid", run_sigmoid, 9, {
        {0, 0.5}, {zero, 0.5}, {least, 0.5}, {1000, 1}, {-1000, 0}, {inf, 1}, {-inf, 0},
        {nan, nan}, {-nan, nan}}},
      {"expm1", run_expm1, 9, {
        {0, 0}, {zero, zero}, {least, least}, {-least, -least}, {-1000, -1}, {-inf, -1},
        {1000, inf}, {inf, inf}, {nan, nan}}},
      {"log1p", run_log1p, 9, {
        {0, 0}, {zero, zero}, {least, least}, {-least, -least}, {-1, -inf}, {-2, nan},
        {-inf, nan}, {inf, inf}, {nan, nan}}},
      {"softplus", run_softplus, 5, {
        {-1000, 0}, {1000, 1000}, {-inf, 0}, {inf, inf}, {nan, nan}}},
      {"sin", run_sin, 7, {
        {0, 0}, {zero, zero}, {least, least}, {-least, -least}, {inf, nan}, {-inf, nan},
        {nan, nan}}},
      {"cos", run_cos, 6, {{0, 1}, {zero, 1}, {least, 1}, {inf, nan}, {-inf, nan}, {nan, nan}}},
      {"atan", run_atan, 8, {
        {0, 0}, {zero, zero}, {least, least}, {-least, -least}, {1, pi / 4}, {inf, pi / 2},
        {-inf, -pi / 2}, {nan, nan}}},
      {"erf", run_erf, 7, {
        {0, 0}, {zero, zero}, {50, 1}, {-50, -1}, {inf, 1}, {-inf, -1}, {nan, nan}}},
      {"gelu", run_gelu, 7, {
        {0, 0}, {zero, zero}, {1000, 1000}, {-1000, zero}, {inf, inf}, {-inf, zero}, {nan, nan}}},
      {"rsqrt", run_rsqrt, 7, {
        {0, inf}, {zero, -inf}, {4, 0.5}, {inf, 0}, {-1, nan}, {-inf, nan}, {nan, nan}}},
#ifndef GLK_DOUBLE
      /* The last numbers before 0 and infinity, and their neighbours beyond; for sin and cos the
       * f32 nearest to a multiple of pi/2. */
      {"exp", run_exp, 4, {
        {0x1.62e42ep6f, 0x1.ffff08p127f}, {0x1.62e43p6f, inf}, {-0x1.9fe368p6f, least},
        {-0x1.9fe36ap6f, 0}}},
      {"sigmoid", run_sigmoid, 3, {
        {-90, 0x1.1d85p-130f}, {-0x1.9fe368p6f, least}, {-0x1.9fe36ap6f, 0}}},
      {"sin", run_sin, 1, {{0x1.f37c8ap95f, 1}}},
      {"cos", run_cos, 1, {{0x1.f37c8ap95f, -0x1.bbdd52p-30f}}},
#endif
  }; /* clang-format on */

  for (size_t row = 0; row < sizeof rows / sizeof *rows; row++) {
    for (uint32_t k = 0; k < rows[row].count; k++) {
      const glk_real x = rows[row].pairs[k][0], expected = rows[row].pairs[k][1];
      const glk_real in[GLK_LANES] = {x, x, x, x};
      glk_real out[GLK_LANES];
      rows[row].run(in, out);
      for (int lane = 0; lane < GLK_LANES; lane++) {
        CHECK_MSG(same_bits(out[lane], expected), "%s(%a) in lane %d is %a, expected %a",
                  rows[row].name, (double)x, lane, (double)out[lane], (double)expected);
      }
    }
  }
}

/** Results of rounding, by sign: all of them must keep that of their argument. */
static void rounding_is_exact_and_keeps_the_sign_of_zero(void) {
  /* clang-format off */
  static const struct {
    glk_real x, floor, ceil, round, trunc;
  } rows[] = {
      {0.0, 0, 0, 0, 0}, {-0.0, -0.0, -0.0, -0.0, -0.0}, {0x1p-149, 0, 1, 0, 0},
      {-0x1p-149, -1, -0.0, -0.0, -0.0}, {0.5, 0, 1, 0, 0}, {-0.5, -1, -0.0, -0.0, -0.0},
      {0x1.fffffep-2, 0, 1, 0, 0}, {0x1.fffffep-1, 0, 1, 1, 0},
      {-0x1.fffffep-1, -1, -0.0, -1, -0.0}, {1, 1, 1, 1, 1}, {-1, -1, -1, -1, -1},
      {1.5, 1, 2, 2, 1}, {-1.5, -2, -1, -2, -1}, {2.5, 2, 3, 2, 2}, {-2.5, -3, -2, -2, -2},
      {3.5, 3, 4, 4, 3}, {8388607.5, 8388607, 8388608, 8388608, 8388607},
      {-8388607.5, -8388608, -8388607, -8388608, -8388607},
      {8388606.5, 8388606, 8388607, 8388606, 8388606},
      {8388609, 8388609, 8388609, 8388609, 8388609},
      {-0x1.fffffep127, -0x1.fffffep127, -0x1.fffffep127, -0x1.fffffep127, -0x1.fffffep127},
      {INFINITY, INFINITY, INFINITY, INFINITY, INFINITY},
      {-INFINITY, -INFINITY, -INFINITY, -INFINITY, -INFINITY}, {NAN, NAN, NAN, NAN, NAN}};
  /* clang-format on */
  for (size_t row = 0; row < sizeof rows / sizeof *rows; row++) {
    const vreal x = vsplat(rows[row].x);
    const glk_real got[] = {vfloor(x)[0], vceil(x)[1], vround(x)[2], vtrunc(x)[3]};
    const glk_real *expected = &rows[row].floor;
    for (int f = 0; f < 4; f++) {
      CHECK_MSG(same_bits(got[f], expected[f]), "%s(%a) is %a, expected %a",
                (const char *[]){"floor", "ceil", "round", "trunc"}[f], (double)rows[row].x,
                (double)got[f], (double)expected[f]);
    }
  }
}

/* Two arguments and the result, in every lane. */
static void check_two(const char *name, vreal (*function)(vreal, vreal), const glk_real (*rows)[3],
                      size_t count) {
  for (size_t row = 0; row < count; row++) {
    const glk_real a = rows[row][0], b = rows[row][1];
    const vreal got = function(vsplat(a), vsplat(b));
    for (int lane = 0; lane < GLK_LANES; lane++) {
      CHECK_MSG(same_bits(got[lane], rows[row][2]), "%s(%a, %a) in lane %d is %a, expected %a",
                name, (double)a, (double)b, lane, (double)got[lane], (double)rows[row][2]);
    }
  }
}

#define CHECK_TWO(name, rows) check_two(#name, v##name, rows, sizeof rows / sizeof *rows)

static void special_powers_are_exact(void) {
  const glk_real inf = (glk_real)INFINITY, nan = (glk_real)NAN, zero = -(glk_real)0;
  /* clang-format off */
  const glk_real rows[][3] = {
      {nan, 0, 1}, {nan, zero, 1}, {0, 0, 1}, {zero, zero, 1}, {inf, 0, 1}, {-inf, zero, 1},
      {-2.5, 0, 1}, {1, nan, 1}, {1, inf, 1}, {1, -inf, 1}, {1, 1e30f, 1}, {-1, inf, 1},
      {-1, -inf, 1}, {-1, nan, nan}, {nan, 1, nan}, {2, nan, nan}, {0, nan, nan},
      {nan, nan, nan}, {nan, inf, nan}, {0, 3, 0}, {zero, 3, zero}, {zero, 2, 0}, {zero, 2.5, 0},
      {0, 0.5, 0}, {0, inf, 0}, {zero, inf, 0}, {0, -3, inf}, {zero, -3, -inf}, {zero, -2, inf},
      {zero, -2.5, inf}, {0, -inf, inf}, {zero, -inf, inf}, {inf, 2, inf}, {inf, 0.1f, inf},
      {inf, -2, 0}, {inf, inf, inf}, {inf, -inf, 0}, {-inf, 3, -inf}, {-inf, 2, inf},
      {-inf, 2.5, inf}, {-inf, -3, zero}, {-inf, -2, 0}, {-inf, -2.5, 0}, {-inf, inf, inf},
      {-inf, -inf, 0}, {0.5, inf, 0}, {0.5, -inf, inf}, {-0.5, inf, 0}, {-0.5, -inf, inf},
      {2, inf, inf}, {2, -inf, 0}, {-2, inf, inf}, {-2, -inf, 0}, {-2, 3, -8}, {-2, 2, 4},
      {-2, -3, -0.125}, {-2, 2.5, nan}, {-2, -0.5, nan}, {-1, 3, -1}, {-1, 16777215, -1},
      {-1, 16777216, 1}, {-1, 8388607.5, nan}, {2, -149, 0x1p-149f}, {0x1p-149f, 1, 0x1p-149f},
      {4, 0.5, 2}, {10, 2, 100}, {3, 4, 81}, {0x1p-148f, -0.5, 0x1p74f}};
  /* clang-format on */
  CHECK_TWO(pow, rows);
#ifndef GLK_DOUBLE
  /* clang-format off */
  const glk_real of_f32[][3] = {
      {2, 128, inf}, {-2, 129, -inf}, {2, -150, 0}, {-2, -151, zero}};
  /* clang-format on */
  CHECK_TWO(pow, of_f32);
#endif
}

static void special_angles_are_exact(void) {
  const glk_real inf = (glk_real)INFINITY, nan = (glk_real)NAN, zero = -(glk_real)0;
  const glk_real pi = (glk_real)3.14159265358979323846, three = (glk_real)2.35619449019234492885;
  /* clang-format off */
  const glk_real rows[][3] = {
      {0, 0, 0}, {zero, 0, zero}, {0, zero, pi}, {zero, zero, -pi}, {0, 2, 0}, {zero, 2, zero},
      {0, -2, pi}, {zero, -2, -pi}, {0, inf, 0}, {zero, -inf, -pi}, {2, 0, pi / 2},
      {2, zero, pi / 2}, {-2, 0, -pi / 2}, {-2, zero, -pi / 2}, {2, 2, pi / 4}, {2, -2, three},
      {-2, 2, -pi / 4}, {-2, -2, -three}, {2, inf, 0}, {-2, inf, zero}, {2, -inf, pi},
      {-2, -inf, -pi}, {inf, 2, pi / 2}, {inf, -2, pi / 2}, {-inf, 2, -pi / 2},
      {-inf, -2, -pi / 2}, {inf, inf, pi / 4}, {inf, -inf, three}, {-inf, inf, -pi / 4},
      {-inf, -inf, -three}, {nan, 1, nan}, {1, nan, nan}, {0, nan, nan}, {nan, 0, nan},
      {inf, nan, nan}, {nan, -inf, nan}, {nan, nan, nan}, {0x1p-149f, 0x1p-149f, pi / 4},
      {-0x1p-149f, -0x1p-149f, -three}, {0x1.fffffep127f, 0x1.fffffep127f, pi / 4},
      {0x1.fffffep127f, 0x1p-149f, pi / 2}, {0x1p-149f, -0x1.fffffep127f, pi},
      {0x1p-149f, 0x1p-20f, 0x1p-129f}};
  /* clang-format on */
  CHECK_TWO(atan2, rows);
#ifndef GLK_DOUBLE
  /* clang-format off */
  const glk_real of_f32[][3] = {
      {0x1p-149f, 2, 0}, {-0x1p-149f, 4, zero}, {0x1.fffffep127f, inf, 0}};
  /* clang-format on */
  CHECK_TWO(atan2, of_f32);
#endif
}

static void special_remainders_are_exact(void) {
  const glk_real inf = (glk_real)INFINITY, nan = (glk_real)NAN, zero = -(glk_real)0;
  /* clang-format off */
  const glk_real rows[][3] = {
      {7, 3, 1}, {-7, 3, 2}, {7, -3, -2}, {-7, -3, -1}, {6, 3, 0}, {-6, 3, zero}, {6, -3, 0},
      {-6, -3, zero}, {0, 3, 0}, {zero, 3, zero}, {0, -3, 0}, {zero, inf, zero}, {5.5, 2, 1.5},
      {2, 5.5, 2}, {5, inf, 5}, {-5, -inf, -5}, {-5, inf, inf}, {5, -inf, -inf},
      {0x1.fffffep127f, inf, 0x1.fffffep127f}, {0x1.fffffep127f, 0x1p-149f, 0},
      {0x1.fffffep127f, 3, 0}, {0x1p127f, 3, 2}, {-0x1p127f, 3, 1},
      {0x1p127f, 0x1.fffffep-1f, 0x1p-17f}, {0x1p-149f, 1, 0x1p-149f},
      {0x3p-149f, 0x2p-149f, 0x1p-149f}, {-0x3p-149f, 0x2p-149f, 0x1p-149f}, {1, 0, nan},
      {1, zero, nan}, {0, 0, nan}, {inf, 2, nan}, {-inf, 2, nan}, {inf, inf, nan}, {nan, 2, nan},
      {2, nan, nan}, {nan, inf, nan}, {inf, nan, nan}, {nan, 0, nan}};
  /* clang-format on */
  CHECK_TWO(mod, rows);
#ifndef GLK_DOUBLE
  /* clang-format off */
  const glk_real of_f32[][3] = {
      {-0x1p-149f, 1, 1}};
  /* clang-format on */
  CHECK_TWO(mod, of_f32);
#endif
}

static void gelus_slope_ends_in_its_limits(void) {
  const vreal x = {-(glk_real)INFINITY, -1000, 1000, (glk_real)INFINITY}, y = vgelu_slope(x);
  for (int lane = 0; lane < GLK_LANES; lane++) CHECK_NEAR((double)y[lane], lane / 2, 1e-40);
  CHECK(vgelu_slope(vsplat(0))[0] == (glk_real)0.5);
  CHECK(vgelu_slope(vsplat((glk_real)NAN))[0] != vgelu_slope(vsplat((glk_real)NAN))[0]);
}

static void every_lane_computes_alone(void) {
#define ROW(name) {#name, run_##name},
  static const struct {
    const char *name;
    run_function run;
  } functions[] = {MATH_FUNCTIONS(ROW)};
#undef ROW
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

int main(int argc, char **argv) {
  harness_begin(argc, argv);
  TEST(special_values_are_exact);
  TEST(rounding_is_exact_and_keeps_the_sign_of_zero);
  TEST(special_powers_are_exact);
  TEST(special_angles_are_exact);
  TEST(special_remainders_are_exact);
  TEST(gelus_slope_ends_in_its_limits);
  TEST(every_lane_computes_alone);
  return harness_report();
}
