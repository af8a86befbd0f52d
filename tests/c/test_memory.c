/* Running out of memory at every allocation of every call, also where elements came free (law 23):
 * the call reports it, and nothing changes. */
#include "harness.h"

enum { N = 70 };

static harness_memory fault;
static glk_context *c;
static glk_handle x, y, target, locks, program, tape, optimizer, solvers[2], gradients[2], result;

static void mix(uint64_t *hash, const void *data, size_t bytes) {
  const unsigned char *p = data;
  for (size_t i = 0; i < bytes; i++) *hash = (*hash ^ p[i]) * 1099511628211u;
}

/* Everything that can be observed, as one number: values, locks, slots, clocks, options, kinds of
 * handles. */
static uint64_t observe(void) {
  uint64_t hash = 14695981039346656037u;
  const glk_handle handles[] = {x, y, target, locks, program, tape, optimizer};
  for (size_t i = 0; i < sizeof handles / sizeof handles[0]; i++) {
    const glk_kind kind = glk_handle_kind(c, handles[i]);
    mix(&hash, &kind, sizeof kind);
  }
  const glk_handle values[] = {x, y, target};
  for (int i = 0; i < 3; i++) {
    uint64_t digest = 0;
    glk_digest(c, values[i], &digest);
    mix(&hash, &digest, sizeof digest);
  }
  const glk_handle sets[] = {x, y, locks};
  for (int i = 0; i < 3; i++) {
    uint8_t mask[N] = {0};
    glk_locks_to_mask(c, sets[i], mask, N);
    mix(&hash, mask, sizeof mask);
  }
  for (int i = 0; i < 2; i++) {
    glk_real slot[N] = {0};
    uint32_t clock[N] = {0};
    for (uint32_t k = 0; k < 2; k++) {
      glk_optimizer_slot(c, optimizer, i ? y : x, k, slot, N);
      mix(&hash, slot, sizeof slot);
    }
    glk_optimizer_clock(c, optimizer, i ? y : x, clock, N);
    mix(&hash, clock, sizeof clock);
  }
  double option = 0, iterations = 0;
  glk_optimizer_get(c, optimizer, "learningRate", &option);
  glk_optimizer_iterations(c, optimizer, &iterations);
  mix(&hash, &option, sizeof option);
  mix(&hash, &iterations, sizeof iterations);
  const glk_handle programs[] = {program, tape};
  for (int i = 0; i < 2; i++) { /* how often it was run is what it draws next */
    glk_program_info info = {0};
    if (glk_handle_kind(c, programs[i]) == GLK_KIND_PROGRAM)
      glk_program_describe(c, programs[i], &info);
    mix(&hash, &info.runs, sizeof info.runs);
  }
  for (int i = 0; i < 2; i++) {
    glk_solver_info info = {0};
    glk_solver_describe(c, solvers[i], &info);
    mix(&hash, &info, sizeof info);
  }
  return hash;
}

static size_t live_objects(void) {
  glk_memory memory;
  glk_context_memory(c, &memory);
  return memory.objects;
}

/* Fail the first allocation of the call, then the second, and so on until it succeeds. Each of them
 * again and again: lists may grow, what was got be kept for the next attempt and derivatives become
 * known meanwhile, but soon a failure must leave no more behind than the one before. */
#define SURVIVES(call)                                                                        \
  do {                                                                                        \
    const uint64_t before = observe();                                                        \
    const size_t objects = live_objects();                                                    \
    for (long k = 1, done = 0; !done; k++) {                                                  \
      size_t live = 0;                                                                        \
      for (int again = 0, grows = 1; grows && !done; again++) {                               \
        fault.countdown = k;                                                                  \
        const glk_status status = (call);                                                     \
        done = fault.countdown != -1;                                                         \
        fault.countdown = -1;                                                                 \
        if (done) {                                                                           \
          CHECK_STATUS(status, GLK_OK);                                                       \
          break;                                                                              \
        }                                                                                     \
        CHECK_MSG(status == GLK_ERROR_OUT_OF_MEMORY, "%s, allocation %ld: %s", #call, k,      \
                  glk_status_name(status));                                                   \
        CHECK_MSG(observe() == before, "%s, allocation %ld: something changed", #call, k);    \
        CHECK_MSG(live_objects() == objects, "%s, allocation %ld: an object more", #call, k); \
        grows = again < 3 || fault.live > live;                                               \
        if (!CHECK_MSG(again < 30, "%s, allocation %ld leaks", #call, k)) break;              \
        live = fault.live;                                                                    \
      }                                                                                       \
    }                                                                                         \
  } while (0)

static glk_status apply(const char *name, glk_handle a, glk_handle b, glk_handle *out) {
  uint32_t op;
  const glk_status status = glk_op_find(c, name, &op);
  return status ? status : glk_apply(c, op, (glk_handle[]){a, b}, b ? 2 : 1, NULL, 0, out);
}

/* mean((x' * y - target)^2) over (7, 10), with a transpose, a reduction over scattered axes, a
 * product of matrices */
static void record(glk_handle *out) {
  glk_handle a, b, d;
  SURVIVES(apply("tanh", x, 0, &a));
  SURVIVES(apply("mul", a, y, &b));
  SURVIVES(apply("sub", b, target, &d));
  SURVIVES(apply("square", d, 0, &a));
  SURVIVES(apply("mean", a, 0, &b));
  SURVIVES(glk_gradients(c, 0, &b, NULL, 1, (glk_handle[]){x, d}, 2, gradients));
  SURVIVES(glk_gradients(c, 0, gradients, &y, 1, &y, 1, &a));
  SURVIVES(glk_placeholder(c, 0, NULL, &a));
  SURVIVES(apply("mul", a, gradients[0], &d));
  SURVIVES(glk_custom_gradient(c, b, x, a, d, &b));
  SURVIVES(glk_program_end(c, &b, 1, out));
}

static int hook_calls;

static int leave(glk_real *gradients, size_t count, void *user) {
  (void)gradients, (void)count, (void)user;
  return hook_calls++, GLK_HOOK_UPDATE;
}

static void invert(glk_handle set) { CHECK_STATUS(glk_locks_invert(c, set), GLK_OK); }

static void every_call_survives_every_failing_allocation(void) {
  const glk_allocator allocator = {harness_allocate, harness_release, &fault};
  const uint32_t dims[2] = {7, 10}, row = 3;
  glk_handle both[2];
  glk_real values[N];
  double loss;
  for (int i = 0; i < N; i++) values[i] = rng_real(-1, 1);
  fault = (harness_memory){.countdown = 1};
  CHECK_STATUS(glk_context_create(&allocator, &c), GLK_ERROR_OUT_OF_MEMORY);
  fault.countdown = -1;
  CHECK_STATUS(glk_context_create(&allocator, &c), GLK_OK);

  SURVIVES(glk_variable_create(c, 2, dims, values, N, "x", 1, &x));
  SURVIVES(glk_variable_create(c, 2, dims, values, N, "y", 1, &y));
  SURVIVES(glk_tensor_create(c, 2, dims, values, N, &target));
  SURVIVES(glk_locks_create(c, 2, dims, &locks));
  CHECK_STATUS(glk_locks_add_axis(c, locks, 0, &row, 1), GLK_OK);
  glk_handle copy;
  SURVIVES(glk_locks_copy(c, locks, &copy));
  SURVIVES(glk_optimizer_create(c, GLK_ADAM, &optimizer));

  SURVIVES(apply("add", x, y, &result));
  SURVIVES(apply("mean", x, 0, &result));
  uint32_t matmul;
  const double transpose_b[2] = {0, 1};
  glk_op_find(c, "matMul", &matmul);
  SURVIVES(glk_apply(c, matmul, (glk_handle[]){x, y}, 2, transpose_b, 2, &result));

  /* Writing to rows: by way of a copy where something is locked, with marks for duplicates. */
  const uint32_t rows_at[2] = {2, 1}, blocks[2] = {2, 10};
  const glk_real rows[2] = {5, 0};
  glk_handle at, updates;
  SURVIVES(glk_tensor_create(c, 2, rows_at, rows, 2, &at));
  SURVIVES(glk_tensor_create(c, 2, blocks, values, 20, &updates));
  SURVIVES(glk_variable_scatter(c, y, GLK_SCATTER_UPDATE, at, updates, 0));
  CHECK_STATUS(glk_locks_combine(c, y, GLK_LOCKS_SET, locks), GLK_OK);
  SURVIVES(glk_variable_scatter(c, y, GLK_SCATTER_MAX, at, updates, 0));
  CHECK_STATUS(glk_locks_combine(c, y, GLK_LOCKS_XOR, locks), GLK_OK);

  SURVIVES(glk_program_begin(c, GLK_TRACE));
  record(&program);
  SURVIVES(glk_program_output(c, program, 0, &result)); /* which runs it */
  SURVIVES(glk_program_run(c, program));
  SURVIVES(glk_program_output(c, program, 0, &result));
  SURVIVES(glk_program_gradient(c, program, (glk_handle[]){x}, 1, &loss, gradients));
  uint32_t trainable;
  SURVIVES(glk_program_trainable(c, program, both, 2, &trainable));
  CHECK_EQ(trainable, 2);
  SURVIVES(glk_program_gradient(c, program, (glk_handle[]){x, y}, 2, &loss, gradients));
  SURVIVES(glk_program_begin(c, GLK_TAPE));
  record(&tape);
  SURVIVES(glk_program_gradient(c, tape, (glk_handle[]){y, x}, 2, &loss, gradients));
  SURVIVES(glk_program_begin(c, GLK_TAPE));
  SURVIVES(apply("mul", x, y, &copy));
  SURVIVES(glk_program_end(c, &copy, 1, &result));
  SURVIVES(glk_gradients(c, result, &copy, NULL, 1, (glk_handle[]){y, x}, 2, gradients));

  /* Locks before any step, after some, and again, so that clocks take all their forms. */
  both[0] = x;
  both[1] = y;
  values[3] = 0;
  SURVIVES(glk_optimizer_scale_rate(c, optimizer, y, values + 3, 1));
  SURVIVES(glk_optimizer_exclude_decay(c, optimizer, y, 1));
  SURVIVES(glk_optimizer_apply(c, optimizer, both, gradients, 2));
  for (int i = 0; i < N; i++) values[i] = (glk_real)(i % 3);
  SURVIVES(glk_optimizer_scale_rate(c, optimizer, y, values, N));
  CHECK_STATUS(glk_locks_combine(c, x, GLK_LOCKS_SET, locks), GLK_OK);
  SURVIVES(glk_optimizer_apply(c, optimizer, both, gradients, 2));
  invert(x);
  invert(y);
  SURVIVES(glk_optimizer_minimize(c, optimizer, program, both, 2, 3, &loss));
  CHECK_STATUS(glk_locks_combine(c, y, GLK_LOCKS_SET, locks), GLK_OK);
  SURVIVES(glk_optimizer_minimize(c, optimizer, program, both, 2, 3, &loss));
  invert(x);
  invert(y);
  SURVIVES(glk_optimizer_minimize(c, optimizer, program, both, 2, 3, &loss));

  /* Second-order methods: at first, a step at a time, of other elements; with the rows of a
   * Jacobian. */
  glk_handle out, programs[2] = {program, 0};
  SURVIVES(glk_program_begin(c, GLK_TRACE));
  SURVIVES(apply("mul", x, y, &out));
  SURVIVES(apply("sub", out, target, &out));
  SURVIVES(glk_program_end(c, &out, 1, &programs[1]));
  for (int i = 0; i < 2; i++) {
    SURVIVES(glk_solver_create(c, (glk_method)i, &solvers[i]));
    SURVIVES(glk_solver_minimize(c, solvers[i], programs[i], both, 2, 1, &loss));
    SURVIVES(glk_solver_minimize(c, solvers[i], programs[i], both, 2, 1, &loss));
    invert(x);
    SURVIVES(glk_solver_minimize(c, solvers[i], programs[i], both, 2, 2, &loss));
    SURVIVES(glk_solver_minimize(c, solvers[i], programs[i], both, 1, 2, &loss));
  }

  /* Bounds, with the holder that a call makes; for other elements, and taken away. */
  glk_real lower[N], upper[N];
  for (int i = 0; i < N; i++) upper[i] = (glk_real)1e6;
  CHECK_STATUS(glk_read(c, x, lower, N), GLK_OK);
  SURVIVES(glk_solver_bounds(c, solvers[1], x, lower, upper, N));
  SURVIVES(glk_solver_minimize(c, solvers[1], programs[1], both, 2, 2, &loss));
  CHECK_STATUS(glk_read(c, y, lower, N), GLK_OK);
  SURVIVES(glk_solver_bounds(c, solvers[1], y, lower, upper, N));
  invert(y);
  SURVIVES(glk_solver_minimize(c, solvers[1], programs[1], both, 2, 2, &loss));
  invert(y);
  SURVIVES(glk_solver_bounds(c, solvers[1], y, NULL, NULL, 0));
  SURVIVES(glk_solver_bounds(c, solvers[1], x, NULL, NULL, 0));

  static uint8_t state[1 << 14];
  size_t state_bytes;
  for (int i = 0; i < 2; i++) {
    const glk_handle s = solvers[i];
    SURVIVES(glk_solver_minimize(c, s, programs[i], both, 2, 2, &loss));
    SURVIVES(
        glk_state_save(c, s, programs[i], both, 2, NULL, 0, state, sizeof state, &state_bytes));
    SURVIVES(glk_solver_minimize(c, s, programs[i], both, 2, 3, &loss));
    SURVIVES(glk_state_load(c, s, programs[i], both, 2, NULL, 0, state, state_bytes, 1, NULL));
    SURVIVES(glk_solver_minimize(c, s, programs[i], both, 2, 3, &loss));
  }

  /* A rate of their own for elements, 0 among them, then one for all. */
  glk_real factors[N] = {0, (glk_real)0.5, 2};
  SURVIVES(glk_optimizer_scale_rate(c, optimizer, x, factors, N));
  SURVIVES(glk_optimizer_apply(c, optimizer, both, gradients, 2));
  SURVIVES(glk_optimizer_scale_rate(c, optimizer, x, &factors[1], 1));
  SURVIVES(glk_optimizer_exclude_decay(c, optimizer, x, 1));

  /* A hook: without memory for its list, it is not called. */
  CHECK_STATUS(glk_optimizer_hook(c, optimizer, leave, NULL), GLK_OK);
  SURVIVES(glk_optimizer_minimize(c, optimizer, program, both, 2, 1, &loss));
  CHECK_EQ(hook_calls, 1);
  CHECK_STATUS(glk_optimizer_hook(c, optimizer, NULL, NULL), GLK_OK);

  /* Settings of a variable in an optimizer that has not trained it yet. */
  for (int i = 0; i < 4; i++) {
    glk_handle fresh;
    SURVIVES(glk_optimizer_create(c, GLK_SGD, &fresh));
    if (i == 0) SURVIVES(glk_optimizer_constrain(c, fresh, x, GLK_UNIT_NORM, 0, 1, &row, 0));
    if (i == 1) SURVIVES(glk_optimizer_exclude_decay(c, fresh, x, 1));
    if (i == 2) SURVIVES(glk_optimizer_scale_rate(c, fresh, x, factors, N));
    if (i == 3) SURVIVES(glk_optimizer_scale_rate(c, fresh, x, factors + 1, 1));
    CHECK_STATUS(glk_dispose(c, fresh), GLK_OK);
  }

  /* An average and an accumulator each. */
  const char *kept[] = {"useEma", "gradientAccumulationSteps"};
  CHECK_STATUS(glk_optimizer_set(c, optimizer, kept, (double[]){1, 2}, 2), GLK_OK);
  SURVIVES(glk_optimizer_apply(c, optimizer, both, gradients, 2));
  SURVIVES(glk_optimizer_minimize(c, optimizer, program, both, 2, 3, &loss));
  CHECK_STATUS(glk_optimizer_set(c, optimizer, kept, (double[]){0, 1}, 2), GLK_OK);

  /* Holders and policies: what a step that failed let a policy do is undone. */
  const glk_policy by_chance = {.choice = {.kind = GLK_CHOICE_RANDOM, .amount = 30, .seed = 5},
                                .every = 1};
  const glk_policy by_gradient = {.choice = {.by = GLK_BY_GRADIENT, .amount = 20}, .every = 2};
  SURVIVES(glk_holder_combine(c, x, "drag", GLK_LOCKS_OR, locks));
  SURVIVES(glk_holder_copy(c, x, "drag", &copy));
  SURVIVES(glk_holder_policy(c, y, "chance", &by_chance));
  SURVIVES(glk_holder_policy(c, x, "gradient", &by_gradient));
  SURVIVES(
      glk_holder_schedule(c, x, "times", (uint32_t[]){0, 1}, (glk_handle[]){locks, copy}, 2, 0));
  invert(x);
  SURVIVES(glk_optimizer_apply(c, optimizer, both, gradients, 2));
  for (int i = 0; i < 5; i++) {
    SURVIVES(glk_optimizer_minimize(c, optimizer, program, both, 2, 1, &loss));
  }

  const glk_choice largest = {.amount = 50};
  SURVIVES(glk_locks_copy(c, locks, &copy));
  SURVIVES(glk_locks_add_choice(c, (glk_handle[]){copy, copy}, &largest, both, 2));
  SURVIVES(glk_locks_watch(c, x, 1));
  SURVIVES(glk_locks_watch(c, x, 1));
  SURVIVES(glk_locks_pick(c, x, target, &result));
  uint8_t bytes[64];
  size_t byte_count;
  SURVIVES(glk_locks_pack(c, x, bytes, sizeof bytes, &byte_count));
  SURVIVES(glk_locks_unpack(c, bytes, byte_count, &copy));

  /* A state, to go back to from another one with everything: averages, accumulators, holders,
   * policies. */
  CHECK_STATUS(glk_optimizer_set(c, optimizer, kept, (double[]){1, 2}, 2), GLK_OK);
  CHECK_STATUS(glk_optimizer_minimize(c, optimizer, program, both, 2, 1, &loss), GLK_OK);
  SURVIVES(glk_state_save(c, optimizer, 0, both, 2, NULL, 0, state, sizeof state, &state_bytes));
  CHECK_STATUS(glk_optimizer_minimize(c, optimizer, program, both, 2, 4, &loss), GLK_OK);
  SURVIVES(glk_state_load(c, optimizer, 0, both, 2, NULL, 0, state, state_bytes, 1, NULL));
  SURVIVES(glk_optimizer_minimize(c, optimizer, program, both, 2, 4, &loss));

  SURVIVES(glk_program_run(c, program)); /* after all that failed, plans still fit */

  CHECK_MSG(fault.failures > 150, "only %zu allocations were made to fail", fault.failures);
  glk_context_dispose(c);
  CHECK_EQ(fault.live, 0);
}

/* The first of two calls only accumulates. The second needs clocks for locks that have changed, and
 * has to find their memory before the first leaves a gradient pending. */
static void calls_that_accumulate_find_their_memory_before_the_first(void) {
  enum { ROOM = 4096 };
  const glk_allocator allocator = {harness_allocate, harness_release, &fault};
  const uint32_t dims[1] = {N};
  static uint8_t states[2][ROOM];
  size_t bytes[2];
  glk_real values[N] = {1};
  fault = (harness_memory){.countdown = -1};
  CHECK_STATUS(glk_context_create(&allocator, &c), GLK_OK);
  CHECK_STATUS(glk_variable_create(c, 1, dims, values, N, "x", 1, &x), GLK_OK);
  CHECK_STATUS(glk_program_begin(c, GLK_TRACE), GLK_OK);
  CHECK_STATUS(apply("square", x, 0, &target), GLK_OK);
  CHECK_STATUS(apply("mean", target, 0, &result), GLK_OK);
  CHECK_STATUS(glk_program_end(c, &result, 1, &program), GLK_OK);
  CHECK_STATUS(glk_optimizer_create(c, GLK_ADAM, &optimizer), GLK_OK);
  const char *steps = "gradientAccumulationSteps";
  CHECK_STATUS(glk_optimizer_set(c, optimizer, &steps, (double[]){2}, 1), GLK_OK);
  CHECK_STATUS(glk_optimizer_minimize(c, optimizer, program, &x, 1, 2, NULL), GLK_OK);
  CHECK_STATUS(glk_locks_add_indices(c, x, (uint32_t[]){3, 40}, 2), GLK_OK);
  CHECK_STATUS(glk_state_save(c, optimizer, 0, &x, 1, NULL, 0, states[0], ROOM, bytes), GLK_OK);
  glk_status status = GLK_ERROR_OUT_OF_MEMORY;
  for (long k = 1; status != GLK_OK; k++) {
    fault.countdown = k;
    status = glk_optimizer_minimize(c, optimizer, program, &x, 1, 2, NULL);
    fault.countdown = -1;
    if (status == GLK_OK) break;
    CHECK_STATUS(status, GLK_ERROR_OUT_OF_MEMORY);
    CHECK_STATUS(glk_state_save(c, optimizer, 0, &x, 1, NULL, 0, states[1], ROOM, bytes + 1),
                 GLK_OK);
    CHECK_EQ(bytes[1], bytes[0]);
    CHECK_MSG(!memcmp(states[0], states[1], bytes[0]), "allocation %ld: something changed", k);
  }
  CHECK(fault.failures > 1);
  glk_context_dispose(c);
}

/* Memory that is asked for while so many steps run. */
static size_t requests_of(uint32_t steps) {
  double loss;
  const size_t before = fault.requests;
  CHECK_STATUS(glk_optimizer_minimize(c, optimizer, program, &x, 1, steps, &loss), GLK_OK);
  return fault.requests - before;
}

/* With clipping, averages and accumulation, and a policy that moves locks all the while. */
static void steps_ask_for_no_memory(void) {
  const glk_allocator allocator = {harness_allocate, harness_release, &fault};
  const char *const names[] = {"globalClipNorm", "useEma", "gradientAccumulationSteps"};
  const double options[] = {1, 1, 2};
  fault = (harness_memory){.countdown = -1};
  CHECK_STATUS(glk_context_create(&allocator, &c), GLK_OK);
  const uint32_t dims[2] = {40, 40};
  const glk_choice half = {.kind = GLK_CHOICE_RANDOM, .amount = 0.5, .is_fraction = 1, .seed = 3};
  const glk_policy policy = {.choice = half, .to = 0.5, .every = 1};
  CHECK_STATUS(glk_variable_create(c, 2, dims, NULL, 1600, "x", 1, &x), GLK_OK);
  CHECK_STATUS(glk_tensor_create(c, 2, dims, NULL, 1600, &target), GLK_OK);
  CHECK_STATUS(glk_optimizer_create(c, GLK_ADAM, &optimizer), GLK_OK);
  CHECK_STATUS(glk_optimizer_set(c, optimizer, names, options, 3), GLK_OK);
  CHECK_STATUS(glk_program_begin(c, GLK_TRACE), GLK_OK);
  CHECK_STATUS(apply("matMul", x, x, &result), GLK_OK);
  CHECK_STATUS(apply("sub", result, target, &result), GLK_OK);
  CHECK_STATUS(apply("tanh", result, 0, &result), GLK_OK);
  CHECK_STATUS(apply("mean", result, 0, &result), GLK_OK);
  CHECK_STATUS(glk_program_end(c, &result, 1, &program), GLK_OK);
  requests_of(1);
  CHECK_EQ(requests_of(1), 1); /* the call's list of variables */
  CHECK_EQ(requests_of(50), 1);
  /* Locks that come and go make cohorts of elements with the same clock: the room for them is asked
   * for as they come. */
  CHECK_STATUS(glk_holder_policy(c, x, "policy", &policy), GLK_OK);
  requests_of(50);
  requests_of(50);
  CHECK(requests_of(2000) < 20);
  glk_context_dispose(c);
  CHECK_EQ(fault.live, 0);
}

/* An average and a slot that are asked for later, of a variable with two runs of pages: the first
 * has its memory, the second finds none. */
static void what_finds_half_of_its_memory_reads_as_before(void) {
  const glk_allocator allocator = {harness_allocate, harness_release, &fault};
  const char *const names[] = {"useEma", "momentum"};
  const double options[] = {1, 0.5};
  const uint32_t n = 100, middle[] = {32, 32};
  glk_real values[100], seen[100];
  for (uint32_t i = 0; i < n; i++) values[i] = (glk_real)i;
  for (int k = 0; k < 2; k++) {
    fault = (harness_memory){.countdown = -1};
    CHECK_STATUS(glk_context_create(&allocator, &c), GLK_OK);
    CHECK_STATUS(glk_variable_create(c, 1, &n, values, n, "x", 1, &x), GLK_OK);
    CHECK_STATUS(glk_tensor_create(c, 1, &n, NULL, n, &target), GLK_OK);
    uint8_t mask[100] = {0};
    memset(mask + middle[0], 1, middle[1]);
    CHECK_STATUS(glk_locks_add_mask(c, x, mask, n), GLK_OK);
    CHECK_STATUS(glk_optimizer_create(c, GLK_RMSPROP, &optimizer), GLK_OK);
    CHECK_STATUS(glk_optimizer_apply(c, optimizer, &x, &target, 1), GLK_OK);
    CHECK_STATUS(glk_optimizer_set(c, optimizer, &names[k], &options[k], 1), GLK_OK);
    glk_status status = GLK_ERROR_OUT_OF_MEMORY;
    for (long request = 1; status != GLK_OK && request < 100; request++) {
      fault.countdown = request;
      status = glk_optimizer_apply(c, optimizer, &x, &target, 1);
      if (status == GLK_OK) break;
      CHECK_STATUS(status, GLK_ERROR_OUT_OF_MEMORY);
      CHECK_STATUS(k ? glk_optimizer_slot(c, optimizer, x, 2, seen, n)
                     : glk_optimizer_average(c, optimizer, x, seen, n),
                   GLK_OK);
      for (uint32_t i = 0; i < n; i++) {
        CHECK_MSG(seen[i] == (k ? 0 : values[i]), "%s, request %ld, element %u: %g", names[k],
                  request, i, (double)seen[i]);
      }
    }
    CHECK_STATUS(status, GLK_OK);
    CHECK(fault.failures > 2);
    fault.countdown = -1;
    glk_context_dispose(c);
    CHECK_EQ(fault.live, 0);
  }
}

int main(int argc, char **argv) {
  harness_begin(argc, argv);
  TEST(steps_ask_for_no_memory);
  TEST(every_call_survives_every_failing_allocation);
  TEST(calls_that_accumulate_find_their_memory_before_the_first);
  TEST(what_finds_half_of_its_memory_reads_as_before);
  return harness_report();
}
