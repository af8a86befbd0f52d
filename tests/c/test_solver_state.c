/* What every second-order method keeps: locks are exact, by the bits of the reduced problem; calls
 * may be cut; the reason to stop is reported. A solver that is stopped anywhere, saved, and loaded
 * into a fresh context continues bit for bit. What is damaged is refused, or harmless. */
#include "stops.h"

#define OK(call) CHECK_STATUS(call, GLK_OK)

enum { N = 9, CALLS = 14, ROOM = 1 << 14, IS_SINGLE = sizeof(glk_real) == 4 };

/* ------------------------------------------------------------------------------ steps and locks */

static glk_handle root_residuals(glk_handle x, uint32_t n) {
  (void)n;
  return apply("sub", apply("sqrt", x, 0), scalar(2));
}

static glk_handle roots(glk_handle x, uint32_t n) { return sum_of_squares(root_residuals(x, n)); }

/* Residuals log(x) - 1: no numbers where x is negative. */
static glk_handle logarithms(glk_handle x, uint32_t n) {
  (void)n;
  return apply("sub", apply("log", x, 0), scalar(1));
}

/* sum(x - log(x)): least, n, at ones, and not a number where an element is negative */
static glk_handle barrier(glk_handle x, uint32_t n) {
  (void)n;
  return apply("sum", apply("sub", x, apply("log", x, 0)), 0);
}

/* c + k exp(-s x) - y: many steps need damping, and some none. */
static glk_handle decay(glk_handle b, uint32_t n) {
  static const glk_real at[4] = {0, 10, 20, 30}, seen[4] = {0.8, 0.9, 0.85, 0.8};
  (void)n;
  const glk_handle power = apply("neg", apply("mul", part(b, 2, 1), tensor(4, at)), 0);
  const glk_handle fall = apply("mul", part(b, 1, 1), apply("exp", power, 0));
  return apply("sub", apply("add", part(b, 0, 1), fall), tensor(4, seen));
}

/* One call of many steps goes where as many calls of one go, bit for bit, unless it stops
 * before. */
static void check_calls_of_one(glk_method method, problem *write, uint32_t n, uint32_t steps,
                               uint32_t history) {
  glk_real *values = calloc(n, sizeof *values), *other = calloc(n, sizeof *other);
  for (uint32_t i = 0; i < n; i++) values[i] = rng_real(-1, 1);
  const glk_handle a = variable(n, values), b = variable(n, values);
  const glk_handle whole = trace(write, a, n), single = trace(write, b, n);
  const glk_handle s = solver(method), t = solver(method);
  if (history) {
    set(s, "historySize", history);
    set(t, "historySize", history);
  }
  double loss = 0;
  const double expected = solve(s, whole, a, steps);
  do loss = solve(t, single, b, 1);
  while (--steps && info_of(t).stop == GLK_STOP_STEPS);
  CHECK(loss == expected);
  read_all(a, values, n);
  read_all(b, other, n);
  for (uint32_t i = 0; i < n; i++) CHECK_BITS(values[i], other[i]);
  const glk_solver_info one = info_of(s), many = info_of(t);
  CHECK(one.iterations == many.iterations && one.damping == many.damping);
  CHECK_EQ(one.history, history);
  CHECK_EQ(many.history, history);
  free(values);
  free(other);
}

/* Law 12, and nothing is computed that a loss does not need. */
static void check_all_locked(glk_method method, problem *write) {
  const glk_real start[2] = {(glk_real)-1.2, 1};
  const glk_handle x = variable(2, start), program = trace(write, x, 2), s = solver(method);
  CHECK_STATUS(glk_locks_add_all(c, x), GLK_OK);
  glk_program_info measured, stepped;
  const double loss = solve(s, program, x, 0);
  glk_program_describe(c, program, &measured);
  CHECK(solve(s, program, x, 10) == loss);
  glk_program_describe(c, program, &stepped);
  CHECK_EQ(measured.active_nodes, stepped.active_nodes);
  glk_real found[2];
  read_all(x, found, 2);
  CHECK(same_bits(found[0], start[0]) && same_bits(found[1], start[1]));
  CHECK_EQ(info_of(s).stop, GLK_STOP_LOCKED);
  CHECK(info_of(s).iterations == 0);
}

/* Law 7, of sqrt(x) = 2, whose slope at 0 is infinite, which a lock keeps from everything else. */
static void check_infinite_slope(glk_method method, problem *write, double tolerance,
                                 double expected_loss) {
  const glk_real start[3] = {1, 0, 9};
  const uint8_t mask[3] = {0, 1, 0};
  const glk_handle x = variable(3, start), program = trace(write, x, 3), s = solver(method);
  lock_mask(x, mask, 3);
  const double loss = solve(s, program, x, 50);
  glk_real found[3];
  read_all(x, found, 3);
  CHECK_NEAR((double)found[0], 4, tolerance);
  CHECK(same_bits(found[1], 0));
  CHECK_NEAR((double)found[2], 4, tolerance);
  CHECK_NEAR(loss, expected_loss, tolerance * tolerance);
}

static void locks_give_the_bits_of_the_reduced_problem(void) {
  static const uint32_t sizes[] = {2, 3, 7, 31, 32, 33, 40, 70};
  for (int i = 0; i < 8; i++) {
    begin();
    check_reduced(GLK_LBFGS, rosenbrock, sizes[i], 6);
    end();
    begin();
    if (sizes[i] <= 40) check_reduced(GLK_LEVENBERG_MARQUARDT, rosenbrock_residuals, sizes[i], 4);
    end();
    begin();
    check_reduced(GLK_LEVENBERG_MARQUARDT, decay, 3, 4);
    end();
  }
}

static void many_calls_of_one_step_are_one_call_of_many(void) {
  begin();
  check_calls_of_one(GLK_LBFGS, rosenbrock, 40, 25, 6);
  check_calls_of_one(GLK_LEVENBERG_MARQUARDT, rosenbrock_residuals, 9, 12, 0);
  check_calls_of_one(GLK_LEVENBERG_MARQUARDT, decay, 3, 60, 0);
  end();
}

static void all_locked_changes_nothing_and_says_so(void) {
  begin();
  check_all_locked(GLK_LBFGS, rosenbrock);
  check_all_locked(GLK_LEVENBERG_MARQUARDT, rosenbrock_residuals);
  end();
}

static void an_infinite_slope_behind_a_lock_reaches_nothing(void) {
  begin();
  check_infinite_slope(GLK_LBFGS, roots, 1e-2, 4);
  check_infinite_slope(GLK_LEVENBERG_MARQUARDT, root_residuals, 1e-5, 2);
  end();
}

/* However few evaluations a step may have, no loss is above the one before, and it is the loss of
 * where x stands. Methods that search end within what they may. */
static void check_descent(glk_method method, problem *write, uint32_t most, int searches) {
  enum { N = 5, STEPS = 10 };
  glk_real values[N];
  uint8_t mask[N];
  for (int k = 0; k < N; k++) {
    values[k] = rng_real(0.1, 4);
    mask[k] = rng_below(4) == 0;
  }
  const glk_handle x = variable(N, values), program = trace(write, x, N), s = solver(method);
  const uint32_t allowed = 1 + rng_below(most);
  set(s, "maxEvaluations", allowed);
  lock_mask(x, mask, N);
  double before = solve(s, program, x, 0);
  for (int step = 0; step < STEPS; step++) {
    const double start = info_of(s).evaluations, after = solve(s, program, x, 1);
    CHECK_MSG(after <= before + may_rise(before), "step %d: from %.9g to %.9g", step, before,
              after);
    CHECK(solve(s, program, x, 0) == after);
    /* and where it starts, measured */
    if (searches) CHECK(info_of(s).evaluations - start <= allowed + 2);
    before = after;
  }
}

/* |x| has no Wolfe point beyond its kink; steps end, and never uphill. */
static void losses_never_rise_and_searches_end(void) {
  static problem *const losses[] = {rosenbrock, barrier, absolute, roots};
  static problem *const lists[] = {rosenbrock_residuals, logarithms, root_residuals};
  for (int i = 0; i < 200; i++) {
    begin();
    check_descent(GLK_LBFGS, losses[i % 4], 8, 1);
    if (i < 90) check_descent(GLK_LEVENBERG_MARQUARDT, lists[i % 3], 4, 0);
    end();
  }
}

static void it_says_why_it_stops_and_another_call_goes_on(void) {
  for (int i = 0; i < STOP_CASES; i++) {
    const stop_case *k = &stop_cases[i];
    const stopped s = prepare_stop(k);
    const double start = solve(s.solver, s.program, s.x, 0);
    double before = start;
    for (int call = 0; call < 3; call++) {
      const double loss = solve(s.solver, s.program, s.x, k->steps);
      const glk_solver_info info = info_of(s.solver);
      CHECK_MSG(info.stop == (uint32_t)k->stop, "%s, call %d: stop %u after %g steps, loss %.9g",
                k->name, call, info.stop, info.iterations, loss);
      if (k->stop != GLK_STOP_NOT_FINITE) {
        CHECK_MSG(loss <= before + may_rise(before) && loss - loss == 0,
                  "%s, call %d: from %.9g to %.9g", k->name, call, before, loss);
      }
      CHECK(solve(s.solver, s.program, s.x, 0) == loss || loss != loss);
      before = loss;
      glk_real found[3];
      read_all(s.x, found, k->n);
      for (uint32_t j = 0; j < k->n; j++) CHECK(found[j] - found[j] == 0);
    }
    end();
  }
}

/* --------------------------------------------------------------------------------------- states */

/* The methods, and Levenberg-Marquardt within bounds that stop some elements. */
enum { BOUNDED = GLK_METHOD_COUNT, KINDS };

typedef struct run {
  glk_context *context;
  glk_handle solver, program, x;
} run;

static run make(uint32_t kind) {
  const glk_method method = kind == BOUNDED ? GLK_LEVENBERG_MARQUARDT : (glk_method)kind;
  glk_real start[N], low[N], high[N];
  run r;
  begin();
  for (uint32_t i = 0; i < N; i++) start[i] = (glk_real)((int)i % 3 - 1) - (glk_real)0.25;
  r.context = c;
  r.x = variable(N, start);
  r.program = trace(method == GLK_LBFGS ? rosenbrock : rosenbrock_residuals, r.x, N);
  r.solver = solver(method);
  if (method == GLK_LBFGS) set(r.solver, "historySize", 5);
  if (kind == BOUNDED) {
    for (uint32_t i = 0; i < N; i++) low[i] = start[i] - (i % 2), high[i] = start[i] + (i % 4 > 1);
    OK(glk_solver_bounds(c, r.solver, r.x, low, high, N));
  }
  return r;
}

/* The action of a call, as a function of its number: some change locks, by holders too. */
static void advance(const run *r, uint64_t seed, uint32_t number) {
  c = r->context;
  rng_seed(seed * 100 + number);
  if (rng_below(4) == 0) {
    const uint32_t n = N, at = rng_below(N);
    glk_handle locks;
    OK(glk_locks_create(c, 1, &n, &locks));
    OK(glk_locks_add_indices(c, locks, &at, 1));
    if (rng_below(2)) {
      OK(glk_holder_combine(c, r->x, "drag", GLK_LOCKS_XOR, locks));
    } else {
      OK(glk_locks_combine(c, r->x, GLK_LOCKS_XOR, locks));
    }
    OK(glk_dispose(c, locks));
  }
  solve(r->solver, r->program, r->x, 1 + rng_below(3));
}

static uint8_t one[ROOM], two[ROOM], saved[ROOM];

static size_t save(const run *r, uint8_t *out) {
  size_t bytes = 0;
  OK(glk_state_save(r->context, r->solver, r->program, &r->x, 1, NULL, 0, out, ROOM, &bytes));
  return bytes;
}

static glk_status load(const run *r, const uint8_t *bytes, size_t count) {
  return glk_state_load(r->context, r->solver, r->program, &r->x, 1, NULL, 0, bytes, count, 0,
                        NULL);
}

static void a_loaded_solver_goes_on_bit_for_bit(void) {
  for (uint32_t k = 0; k < KINDS * 60; k++) {
    const uint32_t kind = k % KINDS;
    rng_seed(k);
    const uint32_t stop = rng_below(CALLS + 1);
    const run whole = make(kind), first = make(kind), second = make(kind);
    for (uint32_t i = 0; i < CALLS; i++) advance(&whole, k, i);
    for (uint32_t i = 0; i < stop; i++) advance(&first, k, i);
    const size_t bytes = save(&first, saved);
    glk_context_dispose(first.context);
    OK(load(&second, saved, bytes));
    CHECK(save(&second, two) == bytes && !memcmp(saved, two, bytes));
    for (uint32_t i = stop; i < CALLS; i++) advance(&second, k, i);
    const size_t last = save(&whole, one);
    CHECK_MSG(save(&second, two) == last && !memcmp(one, two, last),
              "kind %u, seed %u, stopped after %u calls: another state", kind, k, stop);
    glk_context_dispose(whole.context);
    glk_context_dispose(second.context);
  }
}

/* Each reason is in the state, and what a method does after it. */
static void a_solver_that_stopped_for_any_reason_goes_on_bit_for_bit(void) {
  for (int i = 0; i < STOP_CASES; i++) {
    const stop_case *k = &stop_cases[i];
    const stopped a = prepare_stop(k), b = prepare_stop(k);
    const run whole = {a.context, a.solver, a.program, a.x};
    const run loaded = {b.context, b.solver, b.program, b.x};
    for (int call = 0; call < 3; call++) {
      c = whole.context;
      solve(whole.solver, whole.program, whole.x, k->steps);
      const glk_solver_info reported = info_of(whole.solver);
      const size_t bytes = save(&whole, saved);
      if (call == 0) {
        OK(load(&loaded, saved, bytes));
      } else {
        c = loaded.context;
        solve(loaded.solver, loaded.program, loaded.x, k->steps);
      }
      c = loaded.context;
      const glk_solver_info info = info_of(loaded.solver);
      CHECK_MSG(info.stop == (uint32_t)k->stop, "%s: stop %u", k->name, info.stop);
      CHECK(info.iterations == reported.iterations && info.evaluations == reported.evaluations);
      CHECK(!memcmp(&info.gradient, &reported.gradient, sizeof info.gradient));
      CHECK(!memcmp(&info.damping, &reported.damping, sizeof info.damping));
      CHECK_MSG(save(&loaded, two) == bytes && !memcmp(saved, two, bytes),
                "%s, call %d: another state", k->name, call);
    }
    glk_context_dispose(whole.context);
    glk_context_dispose(loaded.context);
  }
}

static void refuses(const run *r, const uint8_t *bytes, size_t count, glk_status status,
                    const char *what, size_t at) {
  const size_t before = save(r, one);
  const glk_status got = load(r, bytes, count);
  CHECK_MSG(got == status, "%s %zu: %s", what, at, glk_status_name(got));
  CHECK_MSG(save(r, two) == before && !memcmp(one, two, before), "%s %zu: changed", what, at);
}

static run make_saved(uint32_t kind, size_t *bytes) {
  const run r = make(kind);
  for (uint32_t i = 0; i < 6; i++) advance(&r, 5, i);
  *bytes = save(&r, saved);
  return r;
}

/* With the checksum made right again: whatever is accepted must be harmless to go on with. */
static void forged_bytes_are_refused_or_harmless(void) {
  for (uint32_t trial = 0; trial < 3000; trial++) {
    size_t bytes;
    const uint32_t kind = trial % 2 ? 1 + trial / 2 % 2 : 0;
    const run r = make_saved(kind, &bytes), fresh = make(kind);
    uint8_t *copy = malloc(bytes);
    uint32_t hash = 2166136261u;
    memcpy(copy, saved, bytes);
    rng_seed(trial + 1);
    copy[rng_below((uint32_t)bytes)] ^= (uint8_t)(1u << rng_below(8));
    for (size_t i = 0; i < bytes - 4; i++) hash = (hash ^ copy[i]) * 16777619u;
    memcpy(copy + bytes - 4, &hash, 4);
    const size_t before = save(&fresh, one);
    if (load(&fresh, copy, bytes) != GLK_OK) {
      CHECK(save(&fresh, two) == before && !memcmp(one, two, before));
    } else {
      c = fresh.context;
      glk_solver_minimize(c, fresh.solver, fresh.program, &fresh.x, 1, 2, NULL);
    }
    glk_context_dispose(r.context);
    glk_context_dispose(fresh.context);
    free(copy);
  }
}

static void a_state_of_something_else_is_refused(void) {
  size_t bytes;
  const run r = make_saved(GLK_LBFGS, &bytes), fresh = make(GLK_LBFGS);
  const run other = make(GLK_LEVENBERG_MARQUARDT);
  refuses(&other, saved, bytes, GLK_ERROR_FORMAT, "method", 0);
  const size_t before = save(&fresh, one);
  CHECK_STATUS(
      glk_state_load(fresh.context, fresh.solver, 0, &fresh.x, 1, NULL, 0, saved, bytes, 0, NULL),
      GLK_ERROR_ARGUMENT);
  CHECK_STATUS(glk_state_load(fresh.context, fresh.solver, fresh.program, NULL, 0, NULL, 0, saved,
                              bytes, 0, NULL),
               GLK_ERROR_SHAPE);
  double number;
  CHECK_STATUS(glk_state_load(fresh.context, fresh.solver, fresh.program, &fresh.x, 1, &number, 1,
                              saved, bytes, 0, NULL),
               GLK_ERROR_SHAPE);
  CHECK(save(&fresh, two) == before && !memcmp(one, two, before));
  glk_context_dispose(r.context);
  glk_context_dispose(fresh.context);
  glk_context_dispose(other.context);
}

/* What another program, other locks or no program at all would make the solver forget is not in the
 * state. */
static void only_what_the_next_call_would_use_is_saved(void) {
  size_t bytes, without;
  const run r = make_saved(GLK_LBFGS, &bytes);
  c = r.context;
  OK(glk_state_save(c, r.solver, 0, &r.x, 1, NULL, 0, two, ROOM, &without));
  CHECK(without < bytes);
  run again = r;
  again.program = trace(rosenbrock, r.x, N);
  CHECK_EQ(save(&again, two), without);
  uint32_t count;
  glk_handle found;
  OK(glk_state_variables(c, r.solver, &found, 1, &count));
  CHECK(count == 1 && found == r.x);
  OK(glk_locks_invert(c, r.x));
  CHECK_EQ(save(&r, two), without);
  glk_context_dispose(r.context);
}

int main(int argc, char **argv) {
  harness_begin(argc, argv);
  TEST(locks_give_the_bits_of_the_reduced_problem);
  TEST(many_calls_of_one_step_are_one_call_of_many);
  TEST(all_locked_changes_nothing_and_says_so);
  TEST(an_infinite_slope_behind_a_lock_reaches_nothing);
  TEST(losses_never_rise_and_searches_end);
  TEST(it_says_why_it_stops_and_another_call_goes_on);
  TEST(a_loaded_solver_goes_on_bit_for_bit);
  TEST(a_solver_that_stopped_for_any_reason_goes_on_bit_for_bit);
  TEST(forged_bytes_are_refused_or_harmless);
  TEST(a_state_of_something_else_is_refused);
  TEST(only_what_the_next_call_would_use_is_saved);
  return harness_report();
}
