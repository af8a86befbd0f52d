/* A solver that is stopped anywhere, saved, and loaded into a fresh context continues bit for bit.
 * Damaged bytes are refused and change nothing. */
#include "stops.h"

#define OK(call) CHECK_STATUS(call, GLK_OK)

enum { N = 9, CALLS = 14, ROOM = 1 << 14 };

typedef struct run {
  glk_context *context;
  glk_handle solver, program, x;
} run;

static run make(glk_method method) {
  glk_real start[N];
  run r;
  begin();
  for (uint32_t i = 0; i < N; i++) start[i] = (glk_real)((int)i % 3 - 1) - (glk_real)0.25;
  r.context = c;
  r.x = variable(N, start);
  r.program = trace(method == GLK_LBFGS ? rosenbrock : rosenbrock_residuals, r.x, N);
  r.solver = solver(method);
  if (method == GLK_LBFGS) set(r.solver, "historySize", 5);
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
  for (uint32_t k = 0; k < 2 * 60; k++) {
    const glk_method method = (glk_method)(k % GLK_METHOD_COUNT);
    rng_seed(k);
    const uint32_t stop = rng_below(CALLS + 1);
    const run whole = make(method), first = make(method), second = make(method);
    for (uint32_t i = 0; i < CALLS; i++) advance(&whole, k, i);
    for (uint32_t i = 0; i < stop; i++) advance(&first, k, i);
    const size_t bytes = save(&first, saved);
    glk_context_dispose(first.context);
    OK(load(&second, saved, bytes));
    CHECK(save(&second, two) == bytes && !memcmp(saved, two, bytes));
    for (uint32_t i = stop; i < CALLS; i++) advance(&second, k, i);
    const size_t last = save(&whole, one);
    CHECK_MSG(save(&second, two) == last && !memcmp(one, two, last),
              "method %u, seed %u, stopped after %u calls: another state", method, k, stop);
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

static run make_saved(glk_method method, size_t *bytes) {
  const run r = make(method);
  for (uint32_t i = 0; i < 6; i++) advance(&r, 5, i);
  *bytes = save(&r, saved);
  return r;
}

static void each_flipped_byte_and_each_cut_is_refused(void) {
  for (uint32_t method = 0; method < GLK_METHOD_COUNT; method++) {
    size_t bytes;
    const run r = make_saved((glk_method)method, &bytes), fresh = make((glk_method)method);
    for (size_t i = 0; i < bytes; i++) {
      uint8_t *copy = malloc(bytes);
      memcpy(copy, saved, bytes);
      copy[i] ^= (uint8_t)(1 + rng_below(255));
      refuses(&fresh, copy, bytes, GLK_ERROR_FORMAT, "flipped", i);
      free(copy);
      copy = malloc(i + 1);
      memcpy(copy, saved, i);
      refuses(&fresh, copy, i, GLK_ERROR_FORMAT, "cut to", i);
      free(copy);
    }
    glk_context_dispose(r.context);
    glk_context_dispose(fresh.context);
  }
}

/* With the checksum made right again: whatever is accepted must be harmless to go on with. */
static void forged_bytes_are_refused_or_harmless(void) {
  for (uint32_t trial = 0; trial < 3000; trial++) {
    size_t bytes;
    const glk_method method = (glk_method)(trial % GLK_METHOD_COUNT);
    const run r = make_saved(method, &bytes), fresh = make(method);
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
  TEST(a_loaded_solver_goes_on_bit_for_bit);
  TEST(a_solver_that_stopped_for_any_reason_goes_on_bit_for_bit);
  TEST(each_flipped_byte_and_each_cut_is_refused);
  TEST(forged_bytes_are_refused_or_harmless);
  TEST(a_state_of_something_else_is_refused);
  TEST(only_what_the_next_call_would_use_is_saved);
  return harness_report();
}
