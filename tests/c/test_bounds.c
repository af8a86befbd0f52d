/* Bounds of Levenberg-Marquardt: points inside, elements stopped exactly, the holder that shows
 * them, and what is refused. */
#include "stops.h"

enum { N = 5, IS_SINGLE = sizeof(glk_real) == 4 };

static const glk_real infinity = (glk_real)__builtin_inf();

static void bound(glk_handle s, glk_handle x, const glk_real *lower, const glk_real *upper,
                  uint32_t n) {
  CHECK_STATUS(glk_solver_bounds(c, s, x, lower, upper, n), GLK_OK);
}

/* The elements of a holder as a mask; returns how many. */
static uint32_t held(glk_handle x, const char *holder, uint8_t *mask, uint32_t n) {
  glk_handle locks = 0;
  uint32_t count = 0;
  CHECK_STATUS(glk_holder_copy(c, x, holder, &locks), GLK_OK);
  CHECK_STATUS(glk_locks_to_mask(c, locks, mask, n), GLK_OK);
  CHECK_STATUS(glk_locks_count(c, locks, &count), GLK_OK);
  glk_dispose(c, locks);
  return count;
}

static glk_handle half_squares(glk_handle x, uint32_t n) {
  return apply("mul", sum_of_squares(rosenbrock_residuals(x, n)), scalar((glk_real)0.5));
}

/* A box around a start at random, some of whose sides cut the way to the minimum at 1. */
static void draw_box(glk_real *start, glk_real *lower, glk_real *upper, uint32_t n) {
  for (uint32_t i = 0; i < n; i++) {
    start[i] = rng_real(-1.5, 1.5);
    lower[i] = rng_below(3) ? start[i] - rng_real(0, 1) : -infinity;
    upper[i] = rng_below(3) ? start[i] + rng_real(0, 1) : infinity;
    if (rng_below(4) == 0) lower[i] = start[i];
    if (rng_below(8) == 0) lower[i] = upper[i] = start[i];
  }
}

/* The optimality conditions, by the gradient of the loss itself. Where f32 ends a step, free
 * gradients are as small as its rounding allows. */
static void where_it_converges_what_is_held_is_pressed_outward_and_the_rest_is_flat(void) {
  uint32_t some = 0;
  for (int round = 0; round < 60; round++) {
    begin();
    glk_real start[N], lower[N], upper[N], found[N], slopes[N];
    uint8_t mask[N];
    draw_box(start, lower, upper, N);
    const glk_handle x = variable(N, start), program = trace(rosenbrock_residuals, x, N);
    const glk_handle s = solver(GLK_LEVENBERG_MARQUARDT);
    bound(s, x, lower, upper, N);
    solve(s, program, x, 1000);
    const uint32_t stop = info_of(s).stop;
    CHECK_MSG(stop != GLK_STOP_STEPS && stop != GLK_STOP_NOT_FINITE, "round %d: stop %u", round,
              stop);
    some += held(x, "bound", mask, N);
    read_all(x, found, N);
    const glk_handle loss = trace(half_squares, x, N);
    double value;
    glk_handle gradient;
    CHECK_STATUS(glk_program_gradient(c, loss, &x, 1, &value, &gradient), GLK_OK);
    read_all(gradient, slopes, N);
    for (uint32_t i = 0; i < N; i++) {
      const int is_low = found[i] == lower[i], is_high = found[i] == upper[i];
      CHECK_MSG(found[i] >= lower[i] && found[i] <= upper[i], "round %d: element %u", round, i);
      if (mask[i]) {
        CHECK_MSG((is_low && slopes[i] > 0) || (is_high && slopes[i] < 0) || (is_low && is_high),
                  "round %d: element %u is held at %g in %g..%g by %g", round, i, (double)found[i],
                  (double)lower[i], (double)upper[i], (double)slopes[i]);
      } else {
        CHECK_MSG(slopes[i] < (IS_SINGLE ? 0.2 : 1e-4) && slopes[i] > (IS_SINGLE ? -0.2 : -1e-4),
                  "round %d: element %u is free, its slope is %g", round, i, (double)slopes[i]);
      }
    }
    end();
  }
  CHECK_MSG(some > 30, "%u are held", some);
}

/* Law 18: stopped elements are out of a step exactly as a person's lock takes them out: same
 * bits. */
static void a_step_is_that_of_the_free_subspace_bit_for_bit(void) {
  for (int round = 0; round < 40; round++) {
    begin();
    glk_real start[N], lower[N], upper[N], found[N], other[N];
    uint8_t mask[N];
    draw_box(start, lower, upper, N);
    const glk_handle x = variable(N, start), program = trace(rosenbrock_residuals, x, N);
    const glk_handle s = solver(GLK_LEVENBERG_MARQUARDT), t = solver(GLK_LEVENBERG_MARQUARDT);
    bound(s, x, lower, upper, N);
    const double loss = solve(s, program, x, 1);
    held(x, "bound", mask, N);
    read_all(x, found, N);

    const glk_handle y = variable(N, start), same = trace(rosenbrock_residuals, y, N);
    lock_mask(y, mask, N);
    bound(t, y, lower, upper, N);
    CHECK(solve(t, same, y, 1) == loss);
    read_all(y, other, N);
    for (uint32_t i = 0; i < N; i++) {
      CHECK_BITS(found[i], other[i]);
      if (mask[i]) CHECK_BITS(found[i], start[i]);
    }
    CHECK(info_of(s).damping == info_of(t).damping);
    end();
  }
}

static void bounds_that_nothing_meets_change_no_bit(void) {
  begin();
  glk_real start[N], lower[N], upper[N], found[N], other[N];
  for (uint32_t i = 0; i < N; i++) {
    start[i] = rng_real(-1, 1);
    lower[i] = i % 2 ? -infinity : -100;
    upper[i] = i % 3 ? infinity : 100;
  }
  const glk_handle x = variable(N, start), y = variable(N, start);
  const glk_handle s = solver(GLK_LEVENBERG_MARQUARDT);
  bound(s, x, lower, upper, N);
  CHECK(solve(s, trace(rosenbrock_residuals, x, N), x, 60) ==
        solve(solver(GLK_LEVENBERG_MARQUARDT), trace(rosenbrock_residuals, y, N), y, 60));
  read_all(x, found, N);
  read_all(y, other, N);
  for (uint32_t i = 0; i < N; i++) CHECK_BITS(found[i], other[i]);
  const char *name;
  CHECK_STATUS(glk_holder_name(c, x, 0, &name), GLK_ERROR_INDEX);
  end();
}

/* x - a, whose elements are independent. */
static const glk_real aims[3] = {2, -2, 5};

static glk_handle misses(glk_handle x, uint32_t n) { return apply("sub", x, tensor(n, aims)); }

typedef struct case_of_three {
  glk_handle x, program, solver;
} case_of_three;

/* Aims at 2, -2 and 5 from 0 within -1 .. 1. */
static case_of_three three(void) {
  static const glk_real start[3], lower[3] = {-1, -1, -1}, upper[3] = {1, 1, 1};
  case_of_three k = {.x = variable(3, start)};
  k.program = trace(misses, k.x, 3);
  k.solver = solver(GLK_LEVENBERG_MARQUARDT);
  bound(k.solver, k.x, lower, upper, 3);
  return k;
}

/* Laws 10 and 20 */
static void a_lock_beats_a_bound_and_is_never_freed(void) {
  begin();
  const case_of_three k = three();
  const uint8_t locked[3] = {1, 0, 0};
  const glk_real outside[3] = {9, 0, 0};
  uint8_t mask[3];
  glk_real found[3];
  CHECK_STATUS(glk_variable_assign(c, k.x, outside, 3, 0), GLK_OK);
  lock_mask(k.x, locked, 3);
  solve(k.solver, k.program, k.x, 20);
  read_all(k.x, found, 3);
  CHECK(found[0] == 9 && found[1] == -1 && found[2] == 1);
  CHECK_EQ(held(k.x, "bound", mask, 3), 2);
  CHECK(!mask[0]);
  /* A person locks what the bound holds: both hold it, then the person alone. */
  CHECK_STATUS(glk_locks_add_indices(c, k.x, (uint32_t[]){1}, 1), GLK_OK);
  CHECK_EQ(held(k.x, "bound", mask, 3), 2);
  solve(k.solver, k.program, k.x, 20);
  CHECK_EQ(held(k.x, "bound", mask, 3), 1);
  CHECK_EQ(held(k.x, "", mask, 3), 2);
  CHECK(mask[0] && mask[1]);
  CHECK_STATUS(glk_solver_bounds(c, k.solver, k.x, NULL, NULL, 0), GLK_OK);
  CHECK_EQ(held(k.x, "bound", mask, 3), 0);
  CHECK_EQ(held(k.x, "", mask, 3), 2);
  end();
}

static glk_handle miss_two(glk_handle x, uint32_t n) {
  (void)n;
  return apply("sub", x, scalar(2));
}

/* All aim at 2; every third has a wall at 1. */
static void a_holder_shows_every_held_element_of_a_large_variable(void) {
  enum { MANY = 100 };
  begin();
  glk_real start[MANY] = {0}, lower[MANY], upper[MANY];
  uint8_t mask[MANY];
  for (int i = 0; i < MANY; i++) {
    lower[i] = -9;
    upper[i] = i % 3 ? 9 : 1;
  }
  const glk_handle x = variable(MANY, start), s = solver(GLK_LEVENBERG_MARQUARDT);
  bound(s, x, lower, upper, MANY);
  solve(s, trace(miss_two, x, MANY), x, 20);
  held(x, "bound", mask, MANY);
  for (int i = 0; i < MANY; i++) CHECK_MSG(mask[i] == (i % 3 == 0), "element %d", i);
  end();
}

/* What is pressed inward is let go; a small step by the first, which is far off its minimum. */
static void an_element_is_freed_when_its_pressure_changes_sign(void) {
  begin();
  const case_of_three k = three();
  const glk_real wide[3] = {-9, -9, -9}, walls[3] = {1, 9, 9};
  uint8_t mask[3];
  glk_real found[3];
  solve(k.solver, k.program, k.x, 20);
  CHECK_EQ(held(k.x, "bound", mask, 3), 3);
  /* Any optimizer leaves it where it is. */
  glk_handle sgd;
  CHECK_STATUS(glk_optimizer_create(c, GLK_SGD, &sgd), GLK_OK);
  const glk_handle pull = tensor(3, (glk_real[]){1, 1, 1});
  CHECK_STATUS(glk_optimizer_apply(c, sgd, &k.x, &pull, 1), GLK_OK);
  read_all(k.x, found, 3);
  CHECK(found[0] == 1 && found[1] == -1 && found[2] == 1);
  /* Other bounds: the first element stands at a wall that it wants to leave upwards. */
  bound(k.solver, k.x, wide, walls, 3);
  CHECK_EQ(held(k.x, "bound", mask, 3), 0);
  solve(k.solver, k.program, k.x, 30);
  read_all(k.x, found, 3);
  CHECK(found[0] == 1);
  CHECK_NEAR((double)found[1], -2, 1e-5);
  CHECK_NEAR((double)found[2], 5, 1e-5);
  CHECK_EQ(held(k.x, "bound", mask, 3), 1);
  CHECK(mask[0]);
  end();
}

/* Pressed against its lower bound by one program, away from it by another. */
static glk_handle opposite_misses(glk_handle x, uint32_t n) {
  return apply("add", x, tensor(n, aims));
}

static void the_next_call_looks_again(void) {
  begin();
  const case_of_three k = three();
  const glk_handle other = trace(opposite_misses, k.x, 3);
  glk_real found[3];
  uint8_t mask[3];
  CHECK_STATUS(glk_locks_watch(c, k.x, 1), GLK_OK);
  solve(k.solver, k.program, k.x, 20);
  CHECK_EQ(held(k.x, "bound", mask, 3), 3);
  solve(k.solver, other, k.x, 0); /* measures only */
  CHECK_EQ(held(k.x, "bound", mask, 3), 3);
  solve(k.solver, other, k.x, 20);
  read_all(k.x, found, 3);
  CHECK(found[0] == -1 && found[1] == 1 && found[2] == -1);
  CHECK_EQ(held(k.x, "bound", mask, 3), 3);
  uint32_t changed = 1;
  CHECK_STATUS(glk_locks_audit(c, k.x, &changed, NULL, NULL), GLK_OK);
  CHECK_EQ(changed, 0); /* they were let go, moved, and are held again: nothing got past a lock */
  end();
}

static void disposal_lets_go_unless_another_solver_holds(void) {
  begin();
  const case_of_three k = three();
  const glk_real lower[3] = {-3, -3, -3}, upper[3] = {1, 3, 3};
  uint8_t mask[3];
  const glk_handle other = solver(GLK_LEVENBERG_MARQUARDT), third = solver(GLK_LEVENBERG_MARQUARDT);
  solve(k.solver, k.program, k.x, 20);
  /* A solver without bounds takes it for locked. */
  solve(third, k.program, k.x, 20);
  CHECK_EQ(info_of(third).stop, GLK_STOP_LOCKED);
  bound(other, k.x, lower, upper, 3);
  CHECK_EQ(held(k.x, "bound", mask, 3), 0);
  solve(other, k.program, k.x, 20);
  CHECK_EQ(held(k.x, "bound", mask, 3), 2);
  glk_dispose(c, k.solver);
  CHECK_EQ(held(k.x, "bound", mask, 3), 2);
  glk_dispose(c, other);
  CHECK_EQ(held(k.x, "bound", mask, 3), 0);
  const char *name;
  CHECK_STATUS(glk_holder_name(c, k.x, 0, &name), GLK_ERROR_INDEX);
  end();
}

/* Bounds of a variable that is disposed go; those of another stay. */
static void a_disposed_variable_takes_its_bounds_along(void) {
  begin();
  const case_of_three k = three();
  const glk_real zeros[3] = {0, 0, 0}, ones[3] = {1, 1, 1};
  const glk_handle y = variable(3, zeros), z = variable(3, zeros);
  glk_real lower[3], upper[3];
  int is_bounded = 0;
  bound(k.solver, y, zeros, ones, 3);
  glk_dispose(c, y);
  bound(k.solver, z, zeros, ones, 3);
  CHECK_STATUS(glk_solver_bounded(c, k.solver, y, lower, upper, 3, &is_bounded), GLK_ERROR_HANDLE);
  CHECK_STATUS(glk_solver_bounded(c, k.solver, z, lower, upper, 3, &is_bounded), GLK_OK);
  CHECK(is_bounded && lower[2] == 0 && upper[2] == 1);
  CHECK_STATUS(glk_solver_bounded(c, k.solver, k.x, lower, upper, 3, &is_bounded), GLK_OK);
  CHECK(is_bounded && lower[2] == -1 && upper[2] == 1);
  CHECK_STATUS(glk_solver_bounds(c, k.solver, k.x, NULL, NULL, 0), GLK_OK);
  CHECK_STATUS(glk_solver_bounded(c, k.solver, k.x, lower, upper, 3, &is_bounded), GLK_OK);
  CHECK(!is_bounded && lower[2] == -infinity && upper[2] == infinity);
  end();
}

/* sqrt(x - 1) has an infinite slope at 1, and 0 times that is no number. */
static glk_handle steep_at_one(glk_handle x, uint32_t n) {
  (void)n;
  const glk_handle first = part(x, 0, 1), second = part(x, 1, 1);
  const glk_handle root = apply("sqrt", apply("sub", first, scalar(1)), 0);
  const glk_handle pulls = apply("add", apply("add", root, first), scalar(3));
  const glk_handle miss = apply("sub", apply("square", second, 0), scalar(4));
  return apply_with("concat", pulls, miss, (double[]){0}, 1);
}

/* Law 7, for bounds that leave one point. Where there is another, the sign of a slope that is no
 * number says nothing, and nothing is concluded. */
static void a_slope_that_is_no_number_is_never_taken_for_pressure(void) {
  for (int is_fixed = 0; is_fixed < 2; is_fixed++) {
    begin();
    const glk_real start[2] = {1, 1}, lower[2] = {1, 0}, upper[2] = {is_fixed ? 1 : 5, 9};
    const glk_handle x = variable(2, start), program = trace(steep_at_one, x, 2);
    const glk_handle s = solver(GLK_LEVENBERG_MARQUARDT);
    glk_real found[2];
    uint8_t mask[2];
    bound(s, x, lower, upper, 2);
    solve(s, program, x, 50);
    read_all(x, found, 2);
    CHECK_BITS(found[0], start[0]);
    CHECK_NEAR((double)found[1], is_fixed ? 2 : 1, 1e-5);
    CHECK_EQ(held(x, "bound", mask, 2), (uint32_t)is_fixed);
    CHECK_EQ(info_of(s).stop == GLK_STOP_NOT_FINITE, !is_fixed);
    end();
  }
}

static void a_zero_at_a_bound_keeps_its_sign(void) {
  begin();
  const glk_real start[3] = {(glk_real)-0.0, 0, 0}, lower[3] = {-1, 0, -9}, upper[3] = {0, 1, 9};
  const glk_handle x = variable(3, start), program = trace(misses, x, 3);
  const glk_handle s = solver(GLK_LEVENBERG_MARQUARDT);
  glk_real found[3];
  bound(s, x, lower, upper, 3);
  solve(s, program, x, 20);
  read_all(x, found, 3);
  CHECK_BITS(found[0], start[0]);
  CHECK_BITS(found[1], start[1]);
  end();
}

/* x - (0, 1, 0) */
static glk_handle from_middle(glk_handle x, uint32_t n) {
  return apply("sub", x, tensor(n, (glk_real[]){0, 1, 0}));
}

/* Element 0 is locked at 1, so the loss is 1/2 in all digits, and in f64 only the gradient leads
 * element 1 to its end: to 1, or to the last value that its bound allows. Element 2 is held at a
 * bound, by a slope that is far above what is left of element 1's. */
static void last_steps_by_the_gradient_stay_inside_and_leave_what_is_held(void) {
  const uint8_t first[3] = {1, 0, 0};
  for (int is_cut = 0; is_cut < 2; is_cut++) {
    begin();
    const glk_real low = (glk_real)1e-5, top = is_cut ? (glk_real)(1 - 1e-9) : infinity;
    const glk_real start[3] = {1, (glk_real)(1 - 2e-9), low};
    const glk_real lower[3] = {-infinity, -infinity, low}, upper[3] = {infinity, top, infinity};
    const glk_handle x = variable(3, start), program = trace(from_middle, x, 3);
    const glk_handle s = solver(GLK_LEVENBERG_MARQUARDT);
    glk_real found[3];
    lock_mask(x, first, 3);
    bound(s, x, lower, upper, 3);
    solve(s, program, x, 50);
    read_all(x, found, 3);
    CHECK_MSG(found[1] <= top, "it is %.17g, above %.17g", (double)found[1], (double)top);
    if (!is_cut) CHECK_BITS(found[1], 1);
    CHECK_BITS(found[2], low);
    end();
  }
}

/* x - 1.001 beside a residual of 1000, which no step changes. */
static glk_handle small_part(glk_handle x, uint32_t n) {
  (void)n;
  const glk_handle off = apply("sub", x, scalar((glk_real)1.001)), thousand = scalar(1000);
  const glk_handle large = apply("add", apply("mul", x, scalar(0)), thousand);
  return apply_with("concat", off, large, (double[]){0}, 1);
}

/* Such a step shows convergence by its length and by what it promises, but nobody has looked at
 * what presses on the bound yet. */
static void what_a_last_small_step_puts_on_a_bound_is_shown_as_held(void) {
  begin();
  const glk_real start = (glk_real)0.9995, lower = -infinity, upper = 1;
  const glk_handle x = variable(1, &start), s = solver(GLK_LEVENBERG_MARQUARDT);
  uint8_t mask[1];
  set(s, "toleranceChange", 1e-8);
  bound(s, x, &lower, &upper, 1);
  solve(s, trace(small_part, x, 1), x, 50);
  glk_real found;
  read_all(x, &found, 1);
  CHECK_BITS(found, upper);
  CHECK_EQ(held(x, "bound", mask, 1), 1);
  CHECK_EQ(info_of(s).stop, GLK_STOP_GRADIENT);
  CHECK(info_of(s).iterations == 1);
  end();
}

static void refusals_name_the_element_and_change_nothing(void) {
  const glk_real nan = (glk_real)__builtin_nan("");
  const struct {
    glk_real lower, upper;
    uint32_t count;
    glk_status status;
    const char *detail;
  } cases[] = {
      {2, 1, 3, GLK_ERROR_OPTION, "variable 'x' [3]: the bounds of the element at flat index 1"},
      {nan, 1, 3, GLK_ERROR_OPTION, "flat index 1 are NaN and 1"},
      {0, nan, 3, GLK_ERROR_OPTION, "flat index 1"},
      {infinity, infinity, 3, GLK_ERROR_OPTION, "flat index 1"},
      {-infinity, -infinity, 3, GLK_ERROR_OPTION, "flat index 1"},
      {0, 1, 2, GLK_ERROR_SHAPE, "3"},
  };
  begin();
  const case_of_three k = three();
  uint8_t mask[3];
  solve(k.solver, k.program, k.x, 20);
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    const glk_real lower[3] = {0, cases[i].lower, 0}, upper[3] = {1, cases[i].upper, 1};
    CHECK_STATUS(glk_solver_bounds(c, k.solver, k.x, lower, upper, cases[i].count),
                 cases[i].status);
    CHECK_MSG(strstr(glk_context_detail(c), cases[i].detail) != NULL, "%s", glk_context_detail(c));
  }
  const glk_real lower[3] = {0, 0, 0}, upper[3] = {1, 1, 1};
  CHECK_STATUS(glk_solver_bounds(c, k.solver, k.x, lower, NULL, 3), GLK_ERROR_ARGUMENT);
  CHECK_STATUS(glk_solver_bounds(c, solver(GLK_LBFGS), k.x, lower, upper, 3), GLK_ERROR_OPTION);
  CHECK(strstr(glk_context_detail(c), "lbfgs takes no bounds") != NULL);
  CHECK_EQ(held(k.x, "bound", mask, 3), 3);

  /* A start outside: what the solver has learnt stays, too. */
  const glk_handle y = variable(3, (glk_real[]){0, 0, 4}), same = trace(misses, y, 3);
  bound(k.solver, y, lower, upper, 3);
  const glk_solver_info before = info_of(k.solver);
  CHECK_STATUS(glk_solver_minimize(c, k.solver, same, &y, 1, 5, NULL), GLK_ERROR_CONSTRAINT);
  CHECK_MSG(strstr(glk_context_detail(c), "variable 'x' [3]: the element at flat index 2 is 4, "
                                          "outside of its bounds 0 to 1") != NULL,
            "%s", glk_context_detail(c));
  const glk_solver_info after = info_of(k.solver);
  CHECK(!memcmp(&before, &after, sizeof before));
  const char *name;
  CHECK_STATUS(glk_holder_name(c, y, 0, &name), GLK_ERROR_INDEX);
  const uint8_t locked[3] = {0, 0, 1};
  lock_mask(y, locked, 3); /* a locked element may be there */
  solve(k.solver, same, y, 5);
  end();
}

static void what_a_loaded_solver_holds_goes_with_it(void) {
  static uint8_t saved[1 << 13];
  uint8_t mask[3];
  size_t bytes = 0;
  for (int is_loaded = 0; is_loaded < 2; is_loaded++) {
    begin();
    const case_of_three k = three();
    if (!is_loaded) {
      solve(k.solver, k.program, k.x, 20);
      CHECK_STATUS(
          glk_state_save(c, k.solver, k.program, &k.x, 1, NULL, 0, saved, sizeof saved, &bytes),
          GLK_OK);
    } else {
      CHECK_STATUS(glk_state_load(c, k.solver, k.program, &k.x, 1, NULL, 0, saved, bytes, 1, NULL),
                   GLK_OK);
    }
    CHECK_EQ(held(k.x, "bound", mask, 3), 3);
    glk_dispose(c, k.solver);
    CHECK_EQ(held(k.x, "bound", mask, 3), 0);
    end();
  }
}

int main(int argc, char **argv) {
  harness_begin(argc, argv);
  TEST(where_it_converges_what_is_held_is_pressed_outward_and_the_rest_is_flat);
  TEST(a_step_is_that_of_the_free_subspace_bit_for_bit);
  TEST(bounds_that_nothing_meets_change_no_bit);
  TEST(a_lock_beats_a_bound_and_is_never_freed);
  TEST(a_holder_shows_every_held_element_of_a_large_variable);
  TEST(an_element_is_freed_when_its_pressure_changes_sign);
  TEST(the_next_call_looks_again);
  TEST(disposal_lets_go_unless_another_solver_holds);
  TEST(a_disposed_variable_takes_its_bounds_along);
  TEST(a_slope_that_is_no_number_is_never_taken_for_pressure);
  TEST(a_zero_at_a_bound_keeps_its_sign);
  TEST(last_steps_by_the_gradient_stay_inside_and_leave_what_is_held);
  TEST(what_a_last_small_step_puts_on_a_bound_is_shown_as_held);
  TEST(refusals_name_the_element_and_change_nothing);
  TEST(what_a_loaded_solver_holds_goes_with_it);
  return harness_report();
}
