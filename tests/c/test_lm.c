/* Levenberg-Marquardt: where it leads, what it keeps, and what it refuses. */
#include "stops.h"

enum { IS_SINGLE = sizeof(glk_real) == 4 };

static void rosenbrock_is_solved_from_the_classic_start(void) {
  begin();
  const glk_real start[2] = {(glk_real)-1.2, 1};
  const glk_handle x = variable(2, start), program = trace(rosenbrock_residuals, x, 2);
  const glk_handle s = solver(GLK_LEVENBERG_MARQUARDT);
  const double loss = solve(s, program, x, 100);
  glk_real found[2];
  read_all(x, found, 2);
  CHECK_NEAR((double)found[0], 1, IS_SINGLE ? 1e-6 : 1e-9);
  CHECK_NEAR((double)found[1], 1, IS_SINGLE ? 2e-6 : 2e-9);
  CHECK(loss < 1e-12);
  const glk_solver_info info = info_of(s);
  CHECK_MSG(info.iterations < 40, "%g steps", info.iterations);
  CHECK(info.stop != GLK_STOP_STEPS && info.stop != GLK_STOP_NO_PROGRESS);
  end();
}

/* Residuals A x - b, A [6, 3]: with little damping, one step is the least-squares solution, by the
 * normal equations. */
static const glk_real a_values[18] = {1, 2, 0, -1, 3, 1, 2, 2, -2, 0, 1, 4, 1, -1, 1, 3, 0, 2};
static const glk_real b_values[6] = {1, -2, 3, 0, 2, -1};

static glk_handle linear(glk_handle x, uint32_t n) {
  const uint32_t dims[2] = {6, 3}, column[2] = {6, 1};
  glk_handle a, b;
  (void)n;
  CHECK_STATUS(glk_tensor_create(c, 2, dims, a_values, 18, &a), GLK_OK);
  CHECK_STATUS(glk_tensor_create(c, 2, column, b_values, 6, &b), GLK_OK);
  const glk_handle xs = apply_with("reshape", x, 0, (double[]){3, 1}, 2);
  return apply("sub", apply_with("matMul", a, xs, (double[]){0, 0}, 2), b);
}

/* Cramer's rule on 3 normal equations. */
static double det3(double m[3][3]) {
  return m[0][0] * (m[1][1] * m[2][2] - m[1][2] * m[2][1]) -
         m[0][1] * (m[1][0] * m[2][2] - m[1][2] * m[2][0]) +
         m[0][2] * (m[1][0] * m[2][1] - m[1][1] * m[2][0]);
}

static void a_linear_problem_is_solved_in_a_step_or_two(void) {
  begin();
  const glk_handle x = variable(3, NULL), program = trace(linear, x, 3);
  const glk_handle s = solver(GLK_LEVENBERG_MARQUARDT);
  set(s, "initialDamping", 1e-12);
  solve(s, program, x, 1);
  const double left = IS_SINGLE ? 1.0 / 3 : 0.03; /* of the damping: what came was promised */
  CHECK_NEAR(info_of(s).damping, left * 1e-12, 1e-15);
  solve(s, program, x, 1);
  double m[3][3] = {{0}}, right[3] = {0};
  for (int i = 0; i < 6; i++) {
    for (int j = 0; j < 3; j++) {
      right[j] += (double)a_values[3 * i + j] * (double)b_values[i];
      for (int k = 0; k < 3; k++) {
        m[j][k] += (double)a_values[3 * i + j] * (double)a_values[3 * i + k];
      }
    }
  }
  glk_real found[3];
  read_all(x, found, 3);
  for (int j = 0; j < 3; j++) {
    double replaced[3][3];
    memcpy(replaced, m, sizeof m);
    for (int i = 0; i < 3; i++) replaced[i][j] = right[i];
    CHECK_NEAR((double)found[j], det3(replaced) / det3(m), IS_SINGLE ? 1e-6 : 1e-10);
  }
  CHECK(info_of(s).gradient < (IS_SINGLE ? 1e-4 : 1e-8));
  end();
}

/* x - a with the minimum far off: the undamped step is 99 times as long as x. */
static glk_handle far_off(glk_handle x, uint32_t n) {
  (void)n;
  return apply("sub", x, tensor(1, (glk_real[]){100}));
}

static glk_handle arctangent(glk_handle x, uint32_t n) {
  (void)n;
  return apply("atan", apply("sub", x, scalar(100)), 0);
}

static void the_first_step_in_f64_is_no_longer_than_x(void) {
  static const double dampings[] = {1e-3, 1e-14};
  for (int i = 0; i < 2; i++) {
    begin();
    glk_real found = 1;
    const glk_handle x = variable(1, &found), program = trace(far_off, x, 1);
    const glk_handle s = solver(GLK_LEVENBERG_MARQUARDT);
    set(s, "initialDamping", dampings[i]);
    solve(s, program, x, 1);
    read_all(x, &found, 1);
    CHECK_MSG(IS_SINGLE ? found > 99 : found > 1.25 && found <= 2, "%g", (double)found);
    solve(s, program, x, 20);
    read_all(x, &found, 1);
    CHECK_NEAR((double)found, 100, 1e-4);
    end();
  }
}

static void a_long_undamped_first_step_is_taken_in_f64_where_it_leads_lower(void) {
  begin();
  glk_real found = 75;
  const glk_handle x = variable(1, &found), program = trace(far_off, x, 1);
  const glk_handle s = solver(GLK_LEVENBERG_MARQUARDT);
  set(s, "initialDamping", 9); /* a tenth of the way */
  solve(s, program, x, 1);
  read_all(x, &found, 1);
  CHECK_NEAR((double)found, IS_SINGLE ? 77.5 : 100, 1e-4);
  end();
  begin();
  found = (glk_real)101.5;
  const glk_handle y = variable(1, &found), turned = trace(arctangent, y, 1);
  const glk_handle other = solver(GLK_LEVENBERG_MARQUARDT);
  set(other, "initialDamping", 9);
  solve(other, turned, y, 1);
  read_all(y, &found, 1);
  CHECK_NEAR((double)found, 101.180592, 2e-5); /* undamped, it would go to 98.3, and higher */
  end();
}

/* The gradient of x - a is what comes in: the seed of a row itself. */
static glk_handle differences(glk_handle x, uint32_t n) {
  glk_real a[8];
  for (uint32_t i = 0; i < n; i++) a[i] = (glk_real)i;
  return apply("sub", x, tensor(n, a));
}

static void rows_that_are_their_own_seed_are_read_in_time(void) {
  begin();
  glk_real found[8];
  const glk_handle x = variable(8, NULL), program = trace(differences, x, 8);
  solve(solver(GLK_LEVENBERG_MARQUARDT), program, x, 20);
  read_all(x, found, 8);
  for (int i = 0; i < 8; i++) CHECK_NEAR((double)found[i], i, 1e-6);
  end();
}

/* Other units, by powers of two, go the same way, bit for bit. */
static glk_handle in_other_units(glk_handle x, uint32_t n) {
  glk_real units[5];
  for (uint32_t i = 0; i < n; i++) units[i] = i % 2 ? (glk_real)0x1p-12 : (glk_real)0x1p9;
  return rosenbrock_residuals(apply("mul", x, tensor(n, units)), n);
}

static void the_units_of_parameters_do_not_matter(void) {
  begin();
  enum { N = 5 };
  glk_real values[N], scaled[N];
  for (uint32_t i = 0; i < N; i++) {
    values[i] = rng_real(-1, 1);
    scaled[i] = values[i] * (i % 2 ? (glk_real)0x1p12 : (glk_real)0x1p-9);
  }
  const glk_handle x = variable(N, values), y = variable(N, scaled);
  const glk_handle plain = trace(rosenbrock_residuals, x, N), other = trace(in_other_units, y, N);
  CHECK(solve(solver(GLK_LEVENBERG_MARQUARDT), plain, x, 8) ==
        solve(solver(GLK_LEVENBERG_MARQUARDT), other, y, 8));
  read_all(x, values, N);
  read_all(y, scaled, N);
  for (uint32_t i = 0; i < N; i++) {
    CHECK_BITS(scaled[i] * (i % 2 ? (glk_real)0x1p-12 : (glk_real)0x1p9), values[i]);
  }
  end();
}

/* c + k exp(-s x) - y: many steps need damping, and some none. */
static glk_handle decay(glk_handle b, uint32_t n) {
  static const glk_real at[4] = {0, 10, 20, 30};
  static const glk_real seen[4] = {(glk_real)0.8, (glk_real)0.9, (glk_real)0.85, (glk_real)0.8};
  (void)n;
  const glk_handle power = apply("neg", apply("mul", part(b, 2, 1), tensor(4, at)), 0);
  const glk_handle fall = apply("mul", part(b, 1, 1), apply("exp", power, 0));
  return apply("sub", apply("add", part(b, 0, 1), fall), tensor(4, seen));
}

/* Where it stopped, trials had been damped until nothing moved; that is of no use from anywhere
 * else. */
static void damping_starts_anew_after_a_stop(void) {
  begin();
  const glk_real start[2] = {(glk_real)-1.2, 1};
  const glk_handle x = variable(2, start), program = trace(rosenbrock_residuals, x, 2);
  const glk_handle s = solver(GLK_LEVENBERG_MARQUARDT);
  double iterations = 0;
  for (int i = 0; i < 3; i++) {
    CHECK_STATUS(glk_variable_assign(c, x, start, 2, 0), GLK_OK);
    solve(s, program, x, 100);
    if (i) CHECK(info_of(s).iterations == (i + 1) * iterations);
    if (!i) iterations = info_of(s).iterations;
  }
  end();
}

static glk_handle raised_square(glk_handle x, uint32_t n) {
  (void)n;
  return apply("add", apply("square", apply("sub", x, scalar(100)), 0), scalar(1));
}

/* Madsen, Nielsen & Tingleff, algorithm 3.16, with D the largest J^2 so far. */
static void damping_follows_the_gain_and_grows_faster_with_each_trial_that_fails(void) {
  static const int fails[] = {2, 1, 0};
  begin();
  const glk_real start[1] = {(glk_real)99.5};
  const glk_handle x = variable(1, start), program = trace(raised_square, x, 1);
  const glk_handle s = solver(GLK_LEVENBERG_MARQUARDT);
  double damping = 0.1, scale = 0, at = -0.5;
  set(s, "initialDamping", damping);
  for (int i = 0; i < 3; i++) {
    const double r = at * at + 1, slope = 2 * at, least = IS_SINGLE ? 1. / 3 : 0.03;
    double growth = 2, step, gain;
    int failed = 0;
    if (slope * slope > scale) scale = slope * slope;
    for (;; damping *= growth, growth *= 2, failed++) {
      step = -slope * r / (slope * slope + damping * scale);
      const double next = (at + step) * (at + step) + 1;
      gain = (r * r - next * next) / (step * (damping * scale * step - slope * r));
      if (next < r) break;
    }
    const double u = 2 * gain - 1, factor = 1 - u * u * u;
    damping *= factor > least ? factor : least;
    at += step;
    solve(s, program, x, 1);
    CHECK_EQ(failed, fails[i]);
    CHECK_NEAR(info_of(s).damping / damping, 1, 1e-3);
  }
  end();
}

/* Residuals log(x) - 1: no numbers where x is negative, where a long step leads. */
static glk_handle logarithms(glk_handle x, uint32_t n) {
  (void)n;
  return apply("sub", apply("log", x, 0), scalar(1));
}

static void a_step_backs_off_from_where_residuals_are_no_numbers(void) {
  begin();
  const glk_real start[2] = {50, (glk_real)0.001};
  const glk_handle x = variable(2, start), program = trace(logarithms, x, 2);
  const glk_handle s = solver(GLK_LEVENBERG_MARQUARDT);
  set(s, "initialDamping", 1e-9);
  solve(s, program, x, 100);
  glk_real found[2];
  read_all(x, found, 2);
  for (int i = 0; i < 2; i++) CHECK_NEAR((double)found[i], 2.718281828459045, 1e-5);
  end();
}

static void where_nothing_is_a_number_everything_stays(void) {
  static const glk_real starts[2][2] = {{-1, 1}, {0, 1}};
  for (int i = 0; i < 2; i++) {
    begin();
    const glk_handle x = variable(2, starts[i]), program = trace(logarithms, x, 2);
    const glk_handle s = solver(GLK_LEVENBERG_MARQUARDT);
    solve(s, program, x, 5);
    glk_real found[2];
    read_all(x, found, 2);
    CHECK(same_bits(found[0], starts[i][0]) && same_bits(found[1], starts[i][1]));
    CHECK_EQ(info_of(s).stop, GLK_STOP_NOT_FINITE);
    const glk_real good[2] = {1, 2};
    CHECK_STATUS(glk_variable_assign(c, x, good, 2, 0), GLK_OK); /* and it recovers */
    solve(s, program, x, 50);
    read_all(x, found, 2);
    CHECK_NEAR((double)found[0], 2.718281828459045, 1e-5);
    end();
  }
}

/* Two elements that only matter as a sum, and one not at all: damping makes a singular problem
 * regular. */
static glk_handle singular(glk_handle x, uint32_t n) {
  (void)n;
  const glk_handle sum = apply("add", part(x, 0, 1), part(x, 1, 1));
  return apply("sub", apply("add", sum, apply("mul", part(x, 2, 1), scalar(0))), scalar(4));
}

static void a_singular_problem_is_solved_with_the_least_change(void) {
  begin();
  const glk_real start[3] = {1, 1, 5};
  const glk_handle x = variable(3, start), program = trace(singular, x, 3);
  const glk_handle s = solver(GLK_LEVENBERG_MARQUARDT);
  solve(s, program, x, 50);
  glk_real found[3];
  read_all(x, found, 3);
  CHECK_NEAR((double)found[0], 2, 1e-6);
  CHECK_NEAR((double)found[1], 2, 1e-6);
  CHECK(same_bits(found[2], 5));
  end();
}

/* A single residual is a list of one. Rows of the Jacobian and the gradient of a loss are computed
 * of the same variable in turns: nothing gets in each other's way. */
static glk_handle one_residual(glk_handle x, uint32_t n) {
  return apply_with("reshape", rosenbrock(x, n), 0, (double[]){1}, 1);
}

static void a_single_residual_is_half_its_square(void) {
  begin();
  const glk_real start[2] = {(glk_real)-1.2, 1};
  const glk_handle x = variable(2, start), program = trace(rosenbrock, x, 2);
  const glk_handle residual = trace(one_residual, x, 2);
  const glk_handle lm = solver(GLK_LEVENBERG_MARQUARDT), lbfgs = solver(GLK_LBFGS);
  glk_handle adam, gradient;
  CHECK_STATUS(glk_optimizer_create(c, GLK_ADAM, &adam), GLK_OK);
  double before = solve(lbfgs, program, x, 0), value, now;
  for (int i = 0; i < 5; i++) {
    now = solve(lbfgs, program, x, 1);
    CHECK(now < before);
    before = now;
    now = solve(lm, residual, x, 1);
    CHECK(now <= before * before / 2);
    CHECK_STATUS(glk_program_gradient(c, program, &x, 1, &value, &gradient), GLK_OK);
    CHECK_NEAR(value * value / 2, now, 1e-6 * now);
    CHECK_STATUS(glk_optimizer_minimize(c, adam, program, &x, 1, 1, &before), GLK_OK);
    CHECK(before == value);
    before = solve(lbfgs, program, x, 0);
  }
  end();
}

static void a_scalar_loss_is_no_residual(void) {
  begin();
  const glk_real start[2] = {1, 2};
  const glk_handle x = variable(2, start), program = trace(rosenbrock, x, 2);
  const glk_handle s = solver(GLK_LEVENBERG_MARQUARDT);
  for (uint32_t steps = 0; steps < 2; steps++) {
    CHECK_STATUS(glk_solver_minimize(c, s, program, &x, 1, steps, NULL), GLK_ERROR_SHAPE);
    CHECK_MSG(strstr(glk_context_detail(c), "give the residuals themselves") != NULL, "%s",
              glk_context_detail(c));
  }
  glk_real found[2];
  read_all(x, found, 2);
  CHECK(same_bits(found[0], start[0]) && same_bits(found[1], start[1]));
  CHECK(info_of(s).evaluations == 0);
  end();
}

/* From far off, the slope by s is 1e-6 of the others', so that no step that keeps s where it is
 * moves c and k by an f32. MINPACK's first step passes, undamped; from there y = .85 +- .05 is left
 * over, and the first reading. */
static void a_narrow_that_no_short_step_passes_is_passed(void) {
  static const double dampings[] = {1e-30, 1e-6, 1e-3, 1e-2, 1, 1e3};
  for (size_t i = 0; i < sizeof dampings / sizeof dampings[0]; i++) {
    begin();
    const glk_real start[3] = {50, -100, 2};
    const glk_handle x = variable(3, start), program = trace(decay, x, 3);
    const glk_handle s = solver(GLK_LEVENBERG_MARQUARDT);
    set(s, "initialDamping", dampings[i]);
    for (int call = 0; call < 2; call++) {
      const double loss = solve(s, program, x, 100);
      CHECK_MSG(loss < 0.0025001, "damping %g, call %d: loss %g after %g steps, stop %u",
                dampings[i], call, loss, info_of(s).iterations, info_of(s).stop);
      CHECK(info_of(s).stop == GLK_STOP_CHANGE || info_of(s).stop == GLK_STOP_GRADIENT);
      /* once beyond, it is not damped as it was before */
      CHECK(info_of(s).iterations <= 10 || dampings[i] > 1);
    }
    end();
  }
}

static void damping_grows_sixteenfold_at_most(void) {
  begin();
  const glk_real start[1] = {3};
  const glk_handle x = variable(1, start), program = trace(kink_residuals, x, 1);
  solve(solver(GLK_LEVENBERG_MARQUARDT), program, x, 90); /* from there nothing is lower */
  const glk_handle s = solver(GLK_LEVENBERG_MARQUARDT);
  set(s, "maxEvaluations", 8);
  solve(s, program, x, 1);
  CHECK_EQ(info_of(s).stop, GLK_STOP_NO_PROGRESS);
  CHECK(info_of(s).damping == 1e-3 * 0x1p26); /* 2 4 8, and 16 five times */
  end();
}

static void a_step_that_is_short_by_damping_ends_nothing(void) {
  begin();
  const glk_handle x = variable(3, NULL), program = trace(linear, x, 3);
  const glk_handle s = solver(GLK_LEVENBERG_MARQUARDT), other = solver(GLK_LEVENBERG_MARQUARDT);
  const glk_handle y = variable(3, NULL), same = trace(linear, y, 3);
  set(s, "initialDamping", 1e9);
  set(s, "toleranceChange", 1e-4); /* the first steps change less */
  const double loss = solve(s, program, x, 100), least = solve(other, same, y, 100);
  CHECK_MSG(loss <= least * (1 + 1e-4), "%g, but %g is found", loss, least);
  CHECK_EQ(info_of(s).stop, GLK_STOP_CHANGE);
  end();
}

/* sqrt(x) and its opposite, which a step of damping mu takes from x to x (mu - 1) / (mu + 1):
 * lower, but where slopes are infinite, be it by that of sqrt at 0, or by a product that overflows
 * in f32 and cancels in a plain sum of both. */
static glk_handle opposite(glk_handle r) {
  return apply_with("concat", r, apply("neg", r, 0), (double[]){0}, 1);
}

static glk_handle roots_to_zero(glk_handle x, uint32_t n) {
  (void)n;
  return opposite(apply("sqrt", x, 0));
}

static glk_handle steep_roots(glk_handle x, uint32_t n) {
  (void)n;
  return opposite(apply("mul", apply("sqrt", x, 0), scalar((glk_real)1e25)));
}

static void a_place_without_slopes_is_not_stepped_to(void) {
  static problem *const problems[] = {roots_to_zero, steep_roots};
  static const glk_real starts[] = {4, (glk_real)1e-26};
  static const double dampings[] = {1, 1.00020002};
  for (int i = 0; i < 2; i++) {
    begin();
    const glk_handle x = variable(1, &starts[i]), program = trace(problems[i], x, 1);
    const glk_handle s = solver(GLK_LEVENBERG_MARQUARDT);
    set(s, "initialDamping", dampings[i]);
    glk_real found;
    for (int call = 0; call < 2; call++) {
      solve(s, program, x, 1);
      read_all(x, &found, 1);
      CHECK_MSG(found > 0 && found < starts[i] / 2, "%d: %g", i, (double)found);
    }
    solve(s, program, x, 200);
    CHECK_MSG(info_of(s).stop != GLK_STOP_NOT_FINITE, "problem %d", i);
    end();
  }
}

static glk_handle of_a_constant(glk_handle x, uint32_t n) {
  (void)n;
  return apply("add", apply("mul", apply("stopGradient", x, 0), scalar(2)), scalar(1));
}

static void what_it_cannot_do_is_refused(void) {
  begin();
  const glk_real start[2] = {1, 2};
  enum { MANY = 2049 };
  const glk_handle x = variable(2, start), y = variable(2, start), large = variable(MANY, NULL);
  const glk_handle program = trace(rosenbrock_residuals, x, 2);
  const glk_handle constant = trace(of_a_constant, x, 2), much = trace(logarithms, large, MANY);
  const glk_handle s = solver(GLK_LEVENBERG_MARQUARDT);
  CHECK_STATUS(glk_solver_minimize(c, s, program, &y, 1, 1, NULL), GLK_ERROR_GRADIENT);
  CHECK_STATUS(glk_solver_minimize(c, s, constant, &x, 1, 1, NULL), GLK_ERROR_GRADIENT);
  CHECK_STATUS(glk_solver_minimize(c, s, much, &large, 1, 1, NULL), GLK_ERROR_LIMIT);
  CHECK_STATUS(glk_program_begin(c, GLK_TAPE), GLK_OK);
  glk_handle out = rosenbrock_residuals(x, 2), tape;
  CHECK_STATUS(glk_program_end(c, &out, 1, &tape), GLK_OK);
  CHECK_STATUS(glk_solver_minimize(c, s, tape, &x, 1, 1, NULL), GLK_ERROR_RECORDING);
  glk_real found[2];
  read_all(x, found, 2);
  CHECK(same_bits(found[0], start[0]) && same_bits(found[1], start[1]));
  CHECK(info_of(s).evaluations == 0);
  end();
}

int main(int argc, char **argv) {
  harness_begin(argc, argv);
  TEST(rosenbrock_is_solved_from_the_classic_start);
  TEST(a_linear_problem_is_solved_in_a_step_or_two);
  TEST(the_first_step_in_f64_is_no_longer_than_x);
  TEST(a_long_undamped_first_step_is_taken_in_f64_where_it_leads_lower);
  TEST(rows_that_are_their_own_seed_are_read_in_time);
  TEST(the_units_of_parameters_do_not_matter);
  TEST(damping_starts_anew_after_a_stop);
  TEST(damping_follows_the_gain_and_grows_faster_with_each_trial_that_fails);
  TEST(a_step_backs_off_from_where_residuals_are_no_numbers);
  TEST(where_nothing_is_a_number_everything_stays);
  TEST(a_singular_problem_is_solved_with_the_least_change);
  TEST(a_narrow_that_no_short_step_passes_is_passed);
  TEST(damping_grows_sixteenfold_at_most);
  TEST(a_step_that_is_short_by_damping_ends_nothing);
  TEST(a_place_without_slopes_is_not_stepped_to);
  TEST(a_single_residual_is_half_its_square);
  TEST(a_scalar_loss_is_no_residual);
  TEST(what_it_cannot_do_is_refused);
  return harness_report();
}
