/* L-BFGS: where it leads, what it keeps, and what it refuses. */
#include "stops.h"

enum { IS_SINGLE = sizeof(glk_real) == 4 };

/* The classic start is (-1.2, 1), the minimum is 0 at (1, 1). Armijo's condition compares losses,
 * so elements are good to the root of the loss's rounding. */
static void rosenbrock_is_solved_from_the_classic_start(void) {
  begin();
  const glk_real start[2] = {(glk_real)-1.2, 1};
  const glk_handle x = variable(2, start), program = trace(rosenbrock, x, 2);
  const glk_handle s = solver(GLK_LBFGS);
  const double loss = solve(s, program, x, 100);
  glk_real found[2];
  read_all(x, found, 2);
  CHECK_NEAR((double)found[0], 1, IS_SINGLE ? 1e-3 : 1e-6);
  CHECK_NEAR((double)found[1], 1, IS_SINGLE ? 2e-3 : 2e-6);
  CHECK(loss < 1e-7);
  const glk_solver_info info = info_of(s);
  CHECK_MSG(info.iterations > 10 && info.iterations < 50, "%g steps", info.iterations);
  CHECK_MSG(info.evaluations < 70, "%g evaluations", info.evaluations);
  CHECK(info.stop != GLK_STOP_STEPS);
  end();
}

/* 1/2 x' A x - b x with A = diag(1, 2, ...) + 1 1'. By Sherman & Morrison x = D^-1 b - D^-1 1 (1'
 * D^-1 b) / (1 + 1' D^-1 1). */
enum { QUADRATIC = 12 };

static glk_handle quadratic(glk_handle x, uint32_t n) {
  glk_real d[QUADRATIC], b[QUADRATIC];
  for (uint32_t i = 0; i < n; i++) {
    d[i] = (glk_real)(i + 1);
    b[i] = (glk_real)(i % 3) - 1;
  }
  const glk_handle bent = apply("sum", apply("mul", apply("square", x, 0), tensor(n, d)), 0);
  const glk_handle sum = apply("square", apply("sum", x, 0), 0);
  const glk_handle slope = apply("sum", apply("mul", x, tensor(n, b)), 0);
  return apply("sub", apply("mul", apply("add", bent, sum), scalar((glk_real)0.5)), slope);
}

static void a_quadratic_is_solved_exactly(void) {
  begin();
  glk_real found[QUADRATIC];
  const glk_handle x = variable(QUADRATIC, NULL), program = trace(quadratic, x, QUADRATIC);
  const glk_handle s = solver(GLK_LBFGS);
  set(s, "toleranceChange", 0); /* or a change of 1e-9 would leave errors of its root */
  solve(s, program, x, 100);
  read_all(x, found, QUADRATIC);
  double sum_b = 0, sum_1 = 0;
  for (int i = 0; i < QUADRATIC; i++) {
    sum_b += (i % 3 - 1.0) / (i + 1);
    sum_1 += 1.0 / (i + 1);
  }
  for (int i = 0; i < QUADRATIC; i++) {
    const double exact = (i % 3 - 1.0) / (i + 1) - sum_b / (1 + sum_1) / (i + 1);
    CHECK_NEAR((double)found[i], exact, IS_SINGLE ? 1e-4 : 1e-7);
  }
  CHECK(info_of(s).iterations <= 40);
  end();
}

/* Algorithm 7.4 as the book has it, over lists of all points so far. */
enum { DIMENSIONS = 6, REMEMBERED = 3, WALK = 14 };

static double product(const double *a, const double *b) {
  double sum = 0;
  for (int i = 0; i < DIMENSIONS; i++) sum += a[i] * b[i];
  return sum;
}

static void two_loops(double x[][DIMENSIONS], double g[][DIMENSIONS], int k, double *d) {
  double s[WALK][DIMENSIONS], y[WALK][DIMENSIONS], alpha[WALK], scale = 1;
  const int first = k > REMEMBERED ? k - REMEMBERED : 0;
  for (int i = 0; i < DIMENSIONS; i++) d[i] = -g[k][i];
  for (int j = k - 1; j >= first; j--) {
    for (int i = 0; i < DIMENSIONS; i++) {
      s[j][i] = x[j + 1][i] - x[j][i];
      y[j][i] = g[j + 1][i] - g[j][i];
    }
    alpha[j] = product(s[j], d) / product(s[j], y[j]);
    for (int i = 0; i < DIMENSIONS; i++) d[i] -= alpha[j] * y[j][i];
    if (j == k - 1) scale = product(s[j], y[j]) / product(y[j], y[j]);
  }
  for (int i = 0; i < DIMENSIONS; i++) d[i] *= scale;
  for (int j = first; j < k; j++) {
    const double beta = product(y[j], d) / product(s[j], y[j]);
    for (int i = 0; i < DIMENSIONS; i++) d[i] += (alpha[j] - beta) * s[j][i];
  }
}

/* And each ends where the strong Wolfe conditions hold: Nocedal & Wright, eq. 3.7, with PyTorch's
 * 1e-4 and 0.9. */
static void every_step_goes_along_the_two_loops_of_the_steps_remembered(void) {
  begin();
  glk_real values[DIMENSIONS];
  double x[WALK + 1][DIMENSIONS], g[WALK + 1][DIMENSIONS], d[DIMENSIONS], moved[DIMENSIONS];
  double losses[WALK + 1];
  for (int i = 0; i < DIMENSIONS; i++) values[i] = rng_real(-1, 1);
  const glk_handle v = variable(DIMENSIONS, values), program = trace(rosenbrock, v, DIMENSIONS);
  const glk_handle s = solver(GLK_LBFGS);
  set(s, "historySize", REMEMBERED);
  for (int k = 0; k <= WALK; k++) {
    glk_handle gradient;
    glk_real slopes[DIMENSIONS];
    CHECK_STATUS(glk_program_gradient(c, program, &v, 1, &losses[k], &gradient), GLK_OK);
    read_all(gradient, slopes, DIMENSIONS);
    read_all(v, values, DIMENSIONS);
    for (int i = 0; i < DIMENSIONS; i++) {
      x[k][i] = (double)values[i];
      g[k][i] = (double)slopes[i];
      if (k) moved[i] = x[k][i] - x[k - 1][i];
    }
    if (k) {
      two_loops(x, g, k - 1, d);
      const double cosine =
          product(d, moved) / __builtin_sqrt(product(d, d) * product(moved, moved));
      CHECK_MSG(cosine > 1 - 1e-9, "step %d: the cosine is 1 - %g", k, 1 - cosine);
      const double slope = product(g[k - 1], moved), after = product(g[k], moved);
      CHECK_MSG(losses[k] <= losses[k - 1] + 1e-4 * slope, "step %d: the loss falls too little", k);
      CHECK_MSG(__builtin_fabs(after) <= -0.9 * slope, "step %d: the slope %g is %g", k, slope,
                after);
    }
    solve(s, program, v, 1);
  }
  CHECK_EQ(info_of(s).history, REMEMBERED);
  end();
}

static glk_handle squares(glk_handle x, uint32_t n) {
  (void)n;
  return sum_of_squares(x);
}

/* The first trial moves x by 1, which leaves more than 9/10 of the slope. */
static void a_search_goes_on_while_the_slope_is_steep(void) {
  begin();
  glk_real value = rng_real(11, 19);
  const double before = (double)value;
  const glk_handle x = variable(1, &value), program = trace(squares, x, 1);
  solve(solver(GLK_LBFGS), program, x, 1);
  read_all(x, &value, 1);
  CHECK(__builtin_fabs((double)value) <= 0.9 * before);
  end();
}

/* Law 18, seen from outside: the first step after a change of locks goes along the gradient. */
static void history_is_dropped_when_locks_the_program_or_the_variables_change(void) {
  begin();
  enum { N = 8 };
  glk_real values[N];
  for (int i = 0; i < N; i++) values[i] = rng_real(-1, 1);
  const glk_handle x = variable(N, values), y = variable(N, values);
  const glk_handle program = trace(rosenbrock, x, N), same = trace(rosenbrock, x, N);
  const glk_handle other = trace(rosenbrock, y, N), s = solver(GLK_LBFGS);
  const uint32_t three = 3;
  solve(s, program, x, 3);
  CHECK_EQ(info_of(s).history, 3);
  solve(s, program, x, 1);
  CHECK_EQ(info_of(s).history, 4);
  CHECK_STATUS(glk_locks_add_indices(c, x, &three, 1), GLK_OK);
  solve(s, program, x, 1);
  CHECK_EQ(info_of(s).history, 1);
  CHECK_STATUS(glk_locks_add_indices(c, x, &three, 1), GLK_OK); /* locked already: no change */
  solve(s, program, x, 1);
  CHECK_EQ(info_of(s).history, 2);
  solve(s, same, x, 1);
  CHECK_EQ(info_of(s).history, 1);
  solve(s, other, y, 2);
  CHECK_EQ(info_of(s).history, 2);
  set(s, "historySize", 1);
  solve(s, other, y, 1);
  CHECK_EQ(info_of(s).history, 1);
  end();
}

/* Law 20: what any holder holds stands still, and is another subspace; a policy would change it
 * between trials. */
static void holders_lock_and_policies_are_refused(void) {
  begin();
  enum { N = 8 };
  glk_real values[N], after[N];
  for (int i = 0; i < N; i++) values[i] = rng_real(-1, 1);
  const glk_handle x = variable(N, values), program = trace(rosenbrock, x, N);
  const glk_handle s = solver(GLK_LBFGS);
  const uint32_t n = N, two = 2, five = 5;
  glk_handle pin;
  CHECK_STATUS(glk_locks_add_indices(c, x, &five, 1), GLK_OK);
  CHECK_STATUS(glk_locks_create(c, 1, &n, &pin), GLK_OK);
  CHECK_STATUS(glk_locks_add_indices(c, pin, &two, 1), GLK_OK);
  CHECK_STATUS(glk_holder_combine(c, x, "drag", GLK_LOCKS_SET, pin), GLK_OK);
  solve(s, program, x, 4);
  CHECK_EQ(info_of(s).history, 4);
  read_all(x, after, N);
  for (uint32_t i = 0; i < N; i++) {
    CHECK(same_bits(values[i], after[i]) == (i == two || i == five));
  }
  CHECK_STATUS(glk_holder_combine(c, x, "drag", GLK_LOCKS_AND_NOT, pin), GLK_OK);
  solve(s, program, x, 1);
  CHECK_EQ(info_of(s).history, 1);
  const glk_policy policy = {.choice = {.amount = 3, .kind = GLK_CHOICE_RANDOM}, .every = 1};
  read_all(x, values, N);
  CHECK_STATUS(glk_holder_policy(c, x, "policy", &policy), GLK_OK);
  CHECK_STATUS(glk_solver_minimize(c, s, program, &x, 1, 1, NULL), GLK_ERROR_ARGUMENT);
  read_all(x, after, N);
  for (uint32_t i = 0; i < N; i++) CHECK(same_bits(values[i], after[i]));
  CHECK_STATUS(glk_holder_policy(c, x, "policy", NULL), GLK_OK);
  CHECK_STATUS(glk_solver_minimize(c, s, program, &x, 1, 1, NULL), GLK_OK);
  end();
}

/* sum(x - log(x)): least, n, at ones, and not a number where an element is negative */
static glk_handle barrier(glk_handle x, uint32_t n) {
  (void)n;
  return apply("sum", apply("sub", x, apply("log", x, 0)), 0);
}

static void a_search_backs_off_from_where_the_loss_is_no_number(void) {
  begin();
  const glk_real start[3] = {(glk_real)0.01, (glk_real)0.5, 20};
  const glk_handle x = variable(3, start), program = trace(barrier, x, 3);
  const glk_handle s = solver(GLK_LBFGS);
  set(s, "learningRate", 100); /* first far into the negative */
  const double loss = solve(s, program, x, 100);
  glk_real found[3];
  read_all(x, found, 3);
  for (int i = 0; i < 3; i++) CHECK_NEAR((double)found[i], 1, 2e-3);
  CHECK_NEAR(loss, 3, 1e-5);
  end();
}

static void a_search_backs_off_over_many_orders_of_magnitude(void) {
  begin();
  const glk_real start[3] = {(glk_real)0.5, (glk_real)0.7, 3};
  const glk_handle x = variable(3, start), program = trace(barrier, x, 3);
  const glk_handle s = solver(GLK_LBFGS);
  set(s, "learningRate", 1e15);
  solve(s, program, x, 1);
  CHECK(info_of(s).iterations == 1);
  end();
}

static void minus_infinity_is_not_lower(void) {
  begin();
  const glk_real start[1] = {1};
  const glk_handle x = variable(1, start), program = trace(sum_of_logarithms, x, 1);
  const glk_handle s = solver(GLK_LBFGS);
  const double loss = solve(s, program, x, 1); /* the first trial is 1 - 1 */
  glk_real found;
  read_all(x, &found, 1);
  CHECK(found > 0 && found < 1 && loss < 0 && loss - loss == 0);
  CHECK_EQ(info_of(s).stop, GLK_STOP_UNBOUNDED);
  end();
}

/* Losses without a least value, by a slope that stays, grows, overflows, or is of one element; and
 * one that is far below 0 and has a bottom. */
static glk_handle fall_squared(glk_handle x, uint32_t n) {
  (void)n;
  return apply("neg", apply("sum", apply("square", x, 0), 0), 0);
}

static glk_handle fall_exponential(glk_handle x, uint32_t n) {
  (void)n;
  return apply("neg", apply("sum", apply("exp", x, 0), 0), 0);
}

static glk_handle fall_aside(glk_handle x, uint32_t n) {
  (void)n;
  return apply("sum", apply("sub", apply("square", part(x, 0, 1), 0), part(x, 1, 1)), 0);
}

static glk_handle deep(glk_handle x, uint32_t n) {
  (void)n;
  const glk_handle d = apply("mul", apply("sub", x, scalar(3)), scalar((glk_real)1e10));
  return apply("sub", apply("sum", apply("square", d, 0), 0), scalar((glk_real)1e21));
}

static void a_loss_without_a_least_value_is_said_to_have_none(void) {
  static problem *const problems[] = {deep, total, fall_squared, fall_exponential, fall_aside};
  for (int i = 0; i < (IS_SINGLE ? 5 : 3); i++) { /* f64's infinity is further than 200 steps */
    for (uint32_t locked = 0; locked < 2; locked++) {
      begin();
      const glk_real start[2] = {1, 2};
      const uint8_t mask[2] = {(uint8_t)locked, 0};
      const glk_handle x = variable(2, start), program = trace(problems[i], x, 2);
      const glk_handle s = solver(GLK_LBFGS);
      lock_mask(x, mask, 2);
      double before = solve(s, program, x, 0);
      for (int call = 0; call < 3; call++) {
        const double loss = solve(s, program, x, 200);
        const uint32_t stop = info_of(s).stop;
        CHECK_MSG((stop == GLK_STOP_UNBOUNDED) == (i > 0), "loss %d, call %d: stop %u at %g", i,
                  call, stop, loss);
        CHECK(loss <= before && loss - loss == 0);
        before = loss;
      }
      glk_real found[2];
      read_all(x, found, 2);
      for (int k = 0; k < 2; k++) CHECK(found[k] - found[k] == 0);
      if (locked) CHECK(same_bits(found[0], start[0]));
      end();
    }
  }
}

/* On the top of a wave a step teaches no curvature to trust. */
static glk_handle wave(glk_handle x, uint32_t n) {
  (void)n;
  return apply("sum", apply("sin", x, 0), 0);
}

static void a_step_of_negative_curvature_is_not_remembered(void) {
  begin();
  const glk_real start[2] = {(glk_real)1.4, (glk_real)1.3};
  const glk_handle x = variable(2, start), program = trace(wave, x, 2);
  const glk_handle s = solver(GLK_LBFGS);
  set(s, "maxEvaluations", 1);
  solve(s, program, x, 1);
  CHECK(info_of(s).iterations == 1);
  CHECK_EQ(info_of(s).history, 0);
  end();
}

static void where_nothing_is_a_number_everything_stays(void) {
  const glk_real nan = (glk_real)__builtin_nan("");
  const glk_real starts[3][2] = {{-1, 1}, {nan, 1}, {0, 1}}; /* log: NaN, NaN, -infinity */
  for (int i = 0; i < 3; i++) {
    begin();
    const glk_handle x = variable(2, starts[i]), program = trace(barrier, x, 2);
    const glk_handle s = solver(GLK_LBFGS);
    solve(s, program, x, 5);
    glk_real found[2];
    read_all(x, found, 2);
    for (int k = 0; k < 2; k++) {
      CHECK(same_bits(found[k], starts[i][k]) || (found[k] != found[k] && k == 0));
    }
    CHECK_EQ(info_of(s).stop, GLK_STOP_NOT_FINITE);
    CHECK(info_of(s).iterations == 0);
    end();
  }
}

/* The program's outputs are those of where the variables stand, and the next use is of their
 * values. */
static void outputs_are_of_where_it_stands_and_assigned_values_count(void) {
  begin();
  const glk_real start[2] = {(glk_real)-1.2, 1};
  const glk_handle x = variable(2, start), program = trace(rosenbrock, x, 2);
  const glk_handle s = solver(GLK_LBFGS);
  for (int i = 0; i < 8; i++) {
    glk_handle out;
    glk_real value;
    const double loss = solve(s, program, x, 1);
    CHECK_STATUS(glk_program_output(c, program, 0, &out), GLK_OK);
    read_all(out, &value, 1);
    CHECK((double)value == loss);
    if (i == 3) CHECK_STATUS(glk_variable_assign(c, x, start, 2, 0), GLK_OK);
  }
  glk_real found[2];
  solve(s, program, x, 100);
  read_all(x, found, 2);
  CHECK_NEAR((double)found[0], 1, 2e-3);
  end();
}

static glk_handle residuals_only(glk_handle x, uint32_t n) {
  (void)n;
  return apply("square", x, 0);
}

static void what_it_cannot_do_is_refused(void) {
  begin();
  const glk_real start[2] = {1, 2};
  const glk_handle x = variable(2, start), y = variable(2, start);
  const glk_handle program = trace(rosenbrock, x, 2), vector = trace(residuals_only, x, 2);
  const glk_handle s = solver(GLK_LBFGS);
  const glk_handle twice[2] = {x, x};
  glk_handle tape, out;
  double value;
  CHECK_STATUS(glk_solver_minimize(c, s, vector, &x, 1, 1, NULL), GLK_ERROR_GRADIENT);
  CHECK_STATUS(glk_solver_minimize(c, s, program, &y, 1, 1, NULL), GLK_ERROR_GRADIENT);
  CHECK_STATUS(glk_solver_minimize(c, s, program, twice, 2, 1, NULL), GLK_ERROR_ARGUMENT);
  CHECK_STATUS(glk_solver_minimize(c, s, program, NULL, 1, 1, NULL), GLK_ERROR_ARGUMENT);
  CHECK_STATUS(glk_solver_minimize(c, x, program, &x, 1, 1, NULL), GLK_ERROR_KIND);
  CHECK_STATUS(glk_solver_minimize(c, s, s, &x, 1, 1, NULL), GLK_ERROR_KIND);
  CHECK_STATUS(glk_optimizer_apply(c, s, &x, &x, 1), GLK_ERROR_KIND);
  CHECK_STATUS(glk_program_begin(c, GLK_TAPE), GLK_OK);
  out = rosenbrock(x, 2);
  CHECK_STATUS(glk_solver_minimize(c, s, program, &x, 1, 1, NULL), GLK_ERROR_RECORDING);
  CHECK_STATUS(glk_program_end(c, &out, 1, &tape), GLK_OK);
  CHECK_STATUS(glk_solver_minimize(c, s, tape, &x, 1, 1, NULL), GLK_ERROR_RECORDING);
  static const struct {
    const char *name;
    double value;
  } bad[] = {{"historySize", 0},          {"historySize", 2.5},    {"historySize", 1025},
             {"maxEvaluations", 0},       {"maxEvaluations", 1.5}, {"learningRate", 0},
             {"learningRate", -1},        {"toleranceChange", -1}, {"toleranceGradient", -1e-9},
             {"toleranceGradient", 1e30}, {"momentum", 0.9},       {NULL, 1}};
  for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
    const char *names[2] = {"learningRate", bad[i].name};
    const double values[2] = {0.5, bad[i].value};
    CHECK_STATUS(glk_solver_set(c, s, names, values, 2), GLK_ERROR_OPTION);
    const double nan = __builtin_nan("");
    CHECK_STATUS(glk_solver_set(c, s, &bad[i].name, &nan, 1), GLK_ERROR_OPTION);
  }
  CHECK_STATUS(glk_solver_get(c, s, "learningRate", &value), GLK_OK);
  CHECK(value == 1);
  CHECK_STATUS(glk_solver_get(c, s, "beta1", &value), GLK_ERROR_OPTION);
  CHECK_STATUS(glk_solver_create(c, GLK_METHOD_COUNT, &out), GLK_ERROR_ARGUMENT);
  glk_real found[2];
  read_all(x, found, 2);
  CHECK(same_bits(found[0], start[0]) && same_bits(found[1], start[1]));
  CHECK(info_of(s).evaluations == 0);
  end();
}

int main(int argc, char **argv) {
  harness_begin(argc, argv);
  TEST(rosenbrock_is_solved_from_the_classic_start);
  TEST(a_quadratic_is_solved_exactly);
  TEST(every_step_goes_along_the_two_loops_of_the_steps_remembered);
  TEST(a_search_goes_on_while_the_slope_is_steep);
  TEST(history_is_dropped_when_locks_the_program_or_the_variables_change);
  TEST(holders_lock_and_policies_are_refused);
  TEST(a_search_backs_off_from_where_the_loss_is_no_number);
  TEST(a_search_backs_off_over_many_orders_of_magnitude);
  TEST(minus_infinity_is_not_lower);
  TEST(a_loss_without_a_least_value_is_said_to_have_none);
  TEST(a_step_of_negative_curvature_is_not_remembered);
  TEST(where_nothing_is_a_number_everything_stays);
  TEST(outputs_are_of_where_it_stands_and_assigned_values_count);
  TEST(what_it_cannot_do_is_refused);
  return harness_report();
}
