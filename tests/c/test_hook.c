/* Gradient hooks (glk_optimizer_hook): what they get, how the update uses what they write, and what
 * they cannot do (docs/laws.md, law 1). Two copies of one training, with a hook and without, are
 * compared to the bit. */
#include "harness.h"

enum { ROWS = 70, COLUMNS = 40, N = ROWS * COLUMNS, M = 37, SLOTS = 3, CALLS = 64 };

/* A training of x [70,40] and y [37]. */
typedef struct training {
  glk_context *c;
  glk_handle x, y, o, program;
} training;

/* What a hook does, and what it saw. */
typedef struct probe {
  training *t;
  enum { LEAVE, HALVE, POISON, WRITE_ONES } deed;
  int fails_at, skips_at; /* a call, from 1; 0: none */
  int result;             /* of a call that fails */
  int calls;
  size_t count;
  glk_real seen[N + M];
} probe;

static int run_probe(glk_real *gradients, size_t count, void *user) {
  probe *p = user;
  p->calls++;
  p->count = count;
  if (count) memcpy(p->seen, gradients, count * sizeof *gradients);
  const glk_real poison[3] = {(glk_real)__builtin_nan(""), (glk_real)__builtin_inf(),
                              (glk_real)1e30};
  for (size_t i = 0; i < count; i++) {
    if (p->deed == HALVE) gradients[i] /= 2;
    if (p->deed == POISON) gradients[i] = poison[i % 3];
    if (p->deed == WRITE_ONES) gradients[i] = 1;
  }
  if (p->calls == p->fails_at) return p->result;
  return p->calls == p->skips_at ? GLK_HOOK_SKIP : GLK_HOOK_UPDATE;
}

static probe probe_of(training *t) { return (probe){.t = t, .result = 2}; }

static void hook(training *t, probe *p) {
  CHECK_STATUS(glk_optimizer_hook(t->c, t->o, p ? run_probe : NULL, p), GLK_OK);
}

static glk_handle apply(training *t, const char *name, glk_handle a, glk_handle b) {
  uint32_t op;
  glk_handle out = 0;
  CHECK_STATUS(glk_op_find(t->c, name, &op), GLK_OK);
  CHECK_STATUS(glk_apply(t->c, op, (glk_handle[]){a, b}, b ? 2 : 1, NULL, 0, &out), GLK_OK);
  return out;
}

static void set(training *t, const char *name, double value) {
  CHECK_STATUS(glk_optimizer_set(t->c, t->o, &name, &value, 1), GLK_OK);
}

static void draw(glk_real *out, size_t count) {
  for (size_t i = 0; i < count; i++) out[i] = rng_real(-2, 2);
}

/* loss = mean(square(input . x)) + mean(square(y)): a product's gradient, whose locked rows need no
 * memory, and one that is whole. */
static void record(training *t, glk_record_mode mode) {
  glk_real values[4 * ROWS];
  const uint32_t dims[2] = {4, ROWS};
  glk_handle input = 0;
  rng_seed(5);
  draw(values, 4 * ROWS);
  CHECK_STATUS(glk_tensor_create(t->c, 2, dims, values, 4 * ROWS, &input), GLK_OK);
  CHECK_STATUS(glk_program_begin(t->c, mode), GLK_OK);
  const glk_handle a = apply(t, "mean", apply(t, "square", apply(t, "matMul", input, t->x), 0), 0);
  const glk_handle b = apply(t, "mean", apply(t, "square", t->y, 0), 0);
  const glk_handle loss = apply(t, "add", a, b);
  CHECK_STATUS(glk_program_end(t->c, &loss, 1, &t->program), GLK_OK);
}

static void begin(training *t, glk_rule rule) {
  glk_real values[N];
  const uint32_t dims[2] = {ROWS, COLUMNS}, m = M;
  rng_seed(3);
  CHECK_STATUS(glk_context_create(NULL, &t->c), GLK_OK);
  draw(values, N);
  CHECK_STATUS(glk_variable_create(t->c, 2, dims, values, N, "x", 1, &t->x), GLK_OK);
  draw(values, M);
  CHECK_STATUS(glk_variable_create(t->c, 1, &m, values, M, "y", 1, &t->y), GLK_OK);
  CHECK_STATUS(glk_optimizer_create(t->c, rule, &t->o), GLK_OK);
  set(t, "learningRate", 0.01);
  record(t, GLK_TRACE);
}

static int is_locked_x(int i) {
  const int row = i / COLUMNS;
  return (row >= 8 && row < 50) || i % 5 == 0; /* whole rows, whole pages, and single elements */
}
static int is_locked_y(int i) { return i % 3 == 1; }

static void lock(training *t) {
  uint8_t mask[N];
  for (int i = 0; i < N; i++) mask[i] = (uint8_t)is_locked_x(i);
  CHECK_STATUS(glk_locks_add_mask(t->c, t->x, mask, N), GLK_OK);
  for (int i = 0; i < M; i++) mask[i] = (uint8_t)is_locked_y(i);
  CHECK_STATUS(glk_locks_add_mask(t->c, t->y, mask, M), GLK_OK);
}

static glk_status minimize(training *t, uint32_t steps) {
  const glk_handle v[2] = {t->x, t->y};
  return glk_optimizer_minimize(t->c, t->o, t->program, v, 2, steps, NULL);
}

static void end(training *t) { glk_context_dispose(t->c); }

/* Everything that training depends on, as bytes; the caller frees them. */
static uint8_t *state_of(training *t, size_t *out_bytes) {
  const glk_handle v[2] = {t->x, t->y};
  glk_program_info info;
  CHECK_STATUS(glk_program_describe(t->c, t->program, &info), GLK_OK);
  const double runs = info.runs;
  CHECK_STATUS(glk_state_save(t->c, t->o, 0, v, 2, &runs, 1, NULL, 0, out_bytes), GLK_OK);
  uint8_t *out = malloc(*out_bytes);
  CHECK_STATUS(glk_state_save(t->c, t->o, 0, v, 2, &runs, 1, out, *out_bytes, out_bytes), GLK_OK);
  return out;
}

static int is_same(training *a, training *b) {
  size_t n, m;
  uint8_t *first = state_of(a, &n), *second = state_of(b, &m);
  const int same = n == m && !memcmp(first, second, n);
  free(first), free(second);
  return same;
}

/* The same, of everything that can be read of x. A state also shows what has memory, which a step
 * that fails may have got for elements that its policy freed. */
static int reads_same(training *a, training *b) {
  static glk_real reals[2][N];
  uint32_t clock[2][N], steps[2], runs[2];
  uint8_t mask[2][N];
  training *both[2] = {a, b};
  int same = 1;
  for (uint32_t what = 0; what < 4; what++) {
    for (int k = 0; k < 2; k++) {
      training *t = both[k];
      glk_program_info info;
      if (what == 0) glk_read(t->c, t->x, reals[k], N);
      if (what == 1) glk_optimizer_average(t->c, t->o, t->x, reals[k], N);
      if (what >= 2) glk_optimizer_slot(t->c, t->o, t->x, what - 2, reals[k], N);
      glk_optimizer_clock(t->c, t->o, t->x, clock[k], N);
      glk_locks_to_mask(t->c, t->x, mask[k], N);
      glk_holder_steps(t->c, t->x, "small", &steps[k]);
      glk_program_describe(t->c, t->program, &info);
      runs[k] = info.runs;
    }
    same &= !memcmp(reals[0], reals[1], sizeof *reals);
  }
  return same && !memcmp(clock[0], clock[1], sizeof *clock) && steps[0] == steps[1] &&
         runs[0] == runs[1] && !memcmp(mask[0], mask[1], sizeof *mask);
}

/* ---------------------------------------------------------------------------- what a hook gets */

/* Where elements are locked, all of them, or x has a rate of 0: the list is of the others. */
static void a_hook_gets_the_gradients_of_what_trains_in_order(void) {
  for (int what = 0; what < 3; what++) {
    training t;
    begin(&t, GLK_SGD);
    const glk_real zero = 0;
    if (what == 0) lock(&t);
    if (what == 1) CHECK_STATUS(glk_locks_add_all(t.c, t.y), GLK_OK);
    if (what) CHECK_STATUS(glk_optimizer_scale_rate(t.c, t.o, t.x, &zero, 1), GLK_OK);
    probe p = probe_of(&t);
    p.count = 99;
    p.deed = WRITE_ONES;
    hook(&t, &p);
    const glk_handle v[2] = {t.x, t.y};
    glk_handle g[2];
    glk_real x[N], y[M], before[N], after[N];
    CHECK_STATUS(glk_program_gradient(t.c, t.program, v, 2, NULL, g), GLK_OK);
    glk_read(t.c, g[0], x, N);
    glk_read(t.c, g[1], y, M);
    glk_read(t.c, t.x, before, N);
    CHECK_STATUS(minimize(&t, 1), GLK_OK);
    glk_read(t.c, t.x, after, N);
    size_t k = 0;
    for (int i = 0; i < N; i++) {
      const int trains = !what && !is_locked_x(i);
      if (trains) CHECK_BITS(p.seen[k++], x[i]);
      if (!trains) CHECK_BITS(after[i], before[i]);
    }
    for (int i = 0; i < M && what != 1; i++) {
      if (what || !is_locked_y(i)) CHECK_BITS(p.seen[k++], y[i]);
    }
    CHECK_EQ(p.count, k);
    CHECK_EQ(p.calls, 1);
    end(&t);
  }
}

static void a_hook_is_called_once_per_update_and_not_to_measure(void) {
  training t;
  begin(&t, GLK_ADAM);
  lock(&t);
  probe p = probe_of(&t);
  hook(&t, &p);
  CHECK_STATUS(minimize(&t, 0), GLK_OK);
  CHECK_EQ(p.calls, 0);
  CHECK_STATUS(minimize(&t, 7), GLK_OK);
  CHECK_EQ(p.calls, 7);
  set(&t, "gradientAccumulationSteps", 3);
  CHECK_STATUS(minimize(&t, 7), GLK_OK); /* two updates, and a call that is left over */
  CHECK_EQ(p.calls, 9);
  hook(&t, NULL);
  CHECK_STATUS(minimize(&t, 5), GLK_OK);
  CHECK_EQ(p.calls, 9);
  end(&t);
}

static void the_accumulated_gradient_is_the_mean_of_its_calls(void) {
  training t;
  glk_real g[N], sum[N], x[N];
  const uint32_t dims[2] = {ROWS, COLUMNS};
  begin(&t, GLK_SGD);
  lock(&t);
  set(&t, "gradientAccumulationSteps", 3);
  set(&t, "learningRate", 1);
  probe p = probe_of(&t);
  p.deed = HALVE;
  hook(&t, &p);
  glk_read(t.c, t.x, x, N);
  for (int call = 0; call < 3; call++) {
    draw(g, N);
    for (int i = 0; i < N; i++) sum[i] = call ? g[i] + sum[i] : g[i];
    glk_handle gradient;
    CHECK_STATUS(glk_tensor_create(t.c, 2, dims, g, N, &gradient), GLK_OK);
    CHECK_STATUS(glk_optimizer_apply(t.c, t.o, &t.x, &gradient, 1), GLK_OK);
    CHECK_EQ(p.calls, call / 2);
  }
  glk_real after[N];
  glk_read(t.c, t.x, after, N);
  size_t k = 0;
  for (int i = 0; i < N; i++) {
    if (!is_locked_x(i)) CHECK_BITS(p.seen[k++], sum[i] / 3);
    CHECK_BITS(after[i], is_locked_x(i) ? x[i] : x[i] - sum[i] / 3 / 2);
  }
  end(&t);
}

/* -------------------------------------------------------------- what becomes of what it writes */

static const char *const options[][2] = {
    {"", ""},
    {"clipNorm", "0.01"},
    {"globalClipNorm", "0.01"},
    {"clipValue", "0.001"},
    {"useEma", "1"},
    {"weightDecay", "0.1"},
    {"gradientAccumulationSteps", "3"},
};

static void check_unchanged(glk_rule rule, int option, int mode, int is_clipped_mean) {
  training plain, hooked;
  begin(&plain, rule);
  begin(&hooked, rule);
  training *both[2] = {&plain, &hooked};
  probe p = probe_of(&hooked);
  hook(&hooked, &p);
  for (int k = 0; k < 2; k++) {
    if (*options[option][0]) set(both[k], options[option][0], atof(options[option][1]));
    if (is_clipped_mean) set(both[k], "gradientAccumulationSteps", 2);
    CHECK_STATUS(minimize(both[k], 4), GLK_OK); /* every slot is in use; then rows are locked */
    lock(both[k]);
    for (int s = 0; s < 4; s++) {
      if (mode == GLK_TAPE) record(both[k], GLK_TAPE);
      CHECK_STATUS(minimize(both[k], mode == GLK_TAPE ? 1 : 2), GLK_OK);
    }
  }
  CHECK(p.calls > 0);
  CHECK_MSG(is_same(&plain, &hooked), "rule %d, %s, mode %d", rule, options[option][0], mode);
  end(&plain), end(&hooked);
}

static void gradients_that_a_hook_leaves_give_the_bits_of_no_hook(void) {
  for (int rule = 0; rule < GLK_RULE_COUNT; rule++) {
    for (size_t i = 0; i < sizeof options / sizeof *options; i++) {
      check_unchanged((glk_rule)rule, (int)i, GLK_TRACE, 0);
    }
  }
  for (int i = 0; i < 4; i++) {
    check_unchanged(GLK_ADAM, i, GLK_TAPE, 0);
    check_unchanged(GLK_ADAM, i, GLK_TRACE, 1);
  }
}

static void gradients_of_minus_zero_keep_their_sign(void) {
  training t;
  begin(&t, GLK_SGD);
  glk_real values[M], after[M];
  const uint32_t m = M;
  for (int i = 0; i < M; i++) values[i] = i % 2 ? (glk_real)-0.0 : 0;
  CHECK_STATUS(glk_variable_assign(t.c, t.y, values, M, 0), GLK_OK);
  glk_handle g;
  CHECK_STATUS(glk_tensor_create(t.c, 1, &m, values, M, &g), GLK_OK);
  probe p = probe_of(&t);
  hook(&t, &p);
  CHECK_STATUS(glk_optimizer_apply(t.c, t.o, &t.y, &g, 1), GLK_OK);
  for (int i = 0; i < M; i++) CHECK_BITS(p.seen[i], values[i]);
  glk_read(t.c, t.y, after, M);
  for (int i = 0; i < M; i++) CHECK_BITS(after[i], values[i] - (glk_real)0.01 * values[i]);
  end(&t);
}

static void an_update_uses_what_the_hook_wrote(void) {
  for (int rule = 0; rule < GLK_RULE_COUNT; rule++) {
    training given, hooked;
    begin(&given, (glk_rule)rule);
    begin(&hooked, (glk_rule)rule);
    lock(&given), lock(&hooked);
    probe p = probe_of(&hooked);
    p.deed = HALVE;
    hook(&hooked, &p);
    const uint32_t dims[2] = {ROWS, COLUMNS};
    for (int s = 0; s < 3; s++) {
      glk_real g[N];
      glk_handle whole, half;
      draw(g, N);
      CHECK_STATUS(glk_tensor_create(hooked.c, 2, dims, g, N, &whole), GLK_OK);
      for (int i = 0; i < N; i++) g[i] /= 2;
      CHECK_STATUS(glk_tensor_create(given.c, 2, dims, g, N, &half), GLK_OK);
      CHECK_STATUS(glk_optimizer_apply(hooked.c, hooked.o, &hooked.x, &whole, 1), GLK_OK);
      CHECK_STATUS(glk_optimizer_apply(given.c, given.o, &given.x, &half, 1), GLK_OK);
      glk_real after[N];
      glk_read(hooked.c, whole, after, N); /* the caller's tensor is as it was */
      for (int i = 0; i < N; i++) CHECK_BITS(after[i] / 2, g[i]);
    }
    CHECK_MSG(is_same(&given, &hooked), "rule %d", rule);
    end(&given), end(&hooked);
  }
}

static void a_value_that_is_the_gradient_of_two_variables_is_written_twice(void) {
  training t;
  const uint32_t m = M;
  glk_handle a, b, program;
  begin(&t, GLK_SGD);
  set(&t, "learningRate", 1);
  CHECK_STATUS(glk_variable_create(t.c, 1, &m, NULL, M, "a", 1, &a), GLK_OK);
  CHECK_STATUS(glk_variable_create(t.c, 1, &m, NULL, M, "b", 1, &b), GLK_OK);
  CHECK_STATUS(glk_program_begin(t.c, GLK_TRACE), GLK_OK);
  const glk_handle loss = apply(&t, "sum", apply(&t, "add", a, b), 0);
  CHECK_STATUS(glk_program_end(t.c, &loss, 1, &program), GLK_OK);
  probe p = probe_of(&t);
  p.deed = HALVE;
  hook(&t, &p);
  const glk_handle v[2] = {a, b};
  CHECK_STATUS(glk_optimizer_minimize(t.c, t.o, program, v, 2, 2, NULL), GLK_OK);
  for (int k = 0; k < 2; k++) {
    glk_real values[M];
    glk_read(t.c, v[k], values, M);
    for (int i = 0; i < M; i++) CHECK_BITS(values[i], -1); /* two steps of a half, not quarters */
  }
  end(&t);
}

static void clipping_sees_what_the_hook_wrote(void) {
  training t;
  double norm = 0;
  begin(&t, GLK_SGD);
  CHECK_STATUS(glk_locks_add_all(t.c, t.x), GLK_OK);
  set(&t, "clipNorm", 1e6);
  probe p = probe_of(&t);
  p.deed = WRITE_ONES;
  hook(&t, &p);
  CHECK_STATUS(minimize(&t, 1), GLK_OK);
  CHECK_STATUS(glk_optimizer_norms(t.c, t.o, &norm, NULL), GLK_OK);
  CHECK_NEAR(norm * norm, M, 1e-9);
  end(&t);
}

/* --------------------------------------------------------------------------- what it cannot do */

static void a_hook_cannot_move_a_locked_bit(void) {
  for (int rule = 0; rule < GLK_RULE_COUNT; rule++) {
    for (size_t option = 0; option < sizeof options / sizeof *options; option++) {
      training t;
      glk_real before[N], after[N], slots[SLOTS][N], slot[N];
      uint32_t slot_count, changed;
      begin(&t, (glk_rule)rule);
      if (*options[option][0]) set(&t, options[option][0], atof(options[option][1]));
      CHECK_STATUS(minimize(&t, 3), GLK_OK);
      lock(&t);
      CHECK_STATUS(glk_locks_watch(t.c, t.x, 1), GLK_OK);
      CHECK_STATUS(glk_rule_describe((glk_rule)rule, NULL, &slot_count, NULL), GLK_OK);
      glk_read(t.c, t.x, before, N);
      for (uint32_t k = 0; k < slot_count; k++) glk_optimizer_slot(t.c, t.o, t.x, k, slots[k], N);
      probe p = probe_of(&t);
      p.deed = POISON;
      hook(&t, &p);
      CHECK_STATUS(minimize(&t, 6), GLK_OK);
      CHECK(p.calls > 0);
      glk_read(t.c, t.x, after, N);
      int moved = 0;
      for (int i = 0; i < N; i++) {
        if (is_locked_x(i)) CHECK_BITS(after[i], before[i]);
        moved += !is_locked_x(i) && memcmp(&after[i], &before[i], sizeof *after) != 0;
      }
      CHECK(moved > 0);
      for (uint32_t k = 0; k < slot_count; k++) {
        glk_optimizer_slot(t.c, t.o, t.x, k, slot, N);
        for (int i = 0; i < N; i++) {
          if (is_locked_x(i)) CHECK_BITS(slot[i], slots[k][i]);
        }
      }
      CHECK_STATUS(glk_locks_audit(t.c, t.x, &changed, NULL, NULL), GLK_OK);
      CHECK_EQ(changed, 0);
      end(&t);
    }
  }
}

static int try_everything(glk_real *gradients, size_t count, void *user) {
  training *t = user;
  glk_real values[N];
  double loss;
  (void)gradients, (void)count;
  CHECK_STATUS(glk_read(t->c, t->x, values, N), GLK_OK);
  glk_real out;
  CHECK_STATUS(glk_program_read(t->c, t->program, 0, &out, 1), GLK_OK);
  CHECK_STATUS(glk_optimizer_iterations(t->c, t->o, &loss), GLK_OK);
  const glk_handle made[1] = {t->x};
  glk_handle none;
  const char *name = "clipNorm";
  const double one = 1;
  size_t bytes;
  const glk_status refused[] = {
      glk_variable_assign(t->c, t->x, values, N, 1),
      glk_variable_fix(t->c, t->x, 0, 1),
      glk_locks_add_all(t->c, t->x),
      glk_optimizer_minimize(t->c, t->o, t->program, made, 1, 1, NULL),
      glk_optimizer_set(t->c, t->o, &name, &one, 1),
      glk_optimizer_hook(t->c, t->o, NULL, NULL),
      glk_optimizer_scale_rate(t->c, t->o, t->x, values, 1),
      glk_optimizer_exclude_decay(t->c, t->o, t->x, 1),
      glk_optimizer_constrain(t->c, t->o, t->x, GLK_NON_NEGATIVE, 0, 0, NULL, 0),
      glk_variable_create(t->c, 0, NULL, values, 1, "v", 1, &none),
      glk_program_run(t->c, t->program),
      glk_program_begin(t->c, GLK_TRACE),
      glk_state_save(t->c, t->o, 0, made, 1, NULL, 0, NULL, 0, &bytes),
      glk_dispose(t->c, t->o),
      glk_dispose(t->c, t->x),
  };
  for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
    CHECK_MSG(refused[i] == GLK_ERROR_RECORDING, "call %zu: %s", i, glk_status_name(refused[i]));
  }
  CHECK(strstr(glk_context_detail(t->c), "gradient hook"));
  return GLK_HOOK_UPDATE;
}

static void in_a_hook_reading_is_possible_and_changing_is_refused(void) {
  training plain, hooked;
  begin(&plain, GLK_ADAM);
  begin(&hooked, GLK_ADAM);
  lock(&plain), lock(&hooked);
  CHECK_STATUS(glk_optimizer_hook(hooked.c, hooked.o, try_everything, &hooked), GLK_OK);
  CHECK_STATUS(minimize(&plain, 3), GLK_OK);
  CHECK_STATUS(minimize(&hooked, 3), GLK_OK);
  CHECK(is_same(&plain, &hooked));
  CHECK_STATUS(glk_dispose(hooked.c, hooked.o), GLK_OK); /* and afterwards all is possible */
  end(&plain), end(&hooked);
}

/* ---------------------------------------------------------------------------- failing, skipping */

/* A policy that chooses by gradient, so that a failing step must give locks back. */
static void add_policy(training *t) {
  const glk_policy policy = {.choice = {.amount = 0.2,
                                        .is_fraction = 1,
                                        .kind = GLK_CHOICE_SMALLEST,
                                        .by = GLK_BY_GRADIENT},
                             .every = 1};
  CHECK_STATUS(glk_holder_policy(t->c, t->x, "small", &policy), GLK_OK);
}

static void check_failure(int calls_before, int has_policy, int result) {
  training plain, hooked;
  begin(&plain, GLK_ADAM);
  begin(&hooked, GLK_ADAM);
  training *both[2] = {&plain, &hooked};
  for (int k = 0; k < 2; k++) {
    lock(both[k]);
    if (has_policy) add_policy(both[k]);
    set(both[k], "useEma", 1);
    set(both[k], "gradientAccumulationSteps", calls_before ? 3 : 1);
    CHECK_STATUS(minimize(both[k], calls_before ? 5 : 2), GLK_OK);
  }
  probe p = probe_of(&hooked);
  p.deed = POISON;
  p.fails_at = 1, p.result = result;
  hook(&hooked, &p);
  CHECK_STATUS(minimize(&hooked, 1), GLK_ERROR_HOOK);
  CHECK(strstr(glk_context_detail(hooked.c), "hook"));
  CHECK_MSG(reads_same(&plain, &hooked), "after %d calls, policy %d", calls_before, has_policy);
  if (!has_policy) CHECK(is_same(&plain, &hooked));
  p.deed = LEAVE; /* and it goes on as if it had not happened */
  CHECK_STATUS(minimize(&plain, 4), GLK_OK);
  CHECK_STATUS(minimize(&hooked, 4), GLK_OK);
  CHECK_MSG(is_same(&plain, &hooked), "later, %d calls, policy %d", calls_before, has_policy);
  end(&plain), end(&hooked);
}

static void a_step_whose_hook_fails_changes_nothing(void) {
  for (int pending = 0; pending < 2; pending++) {
    for (int policy = 0; policy < 2; policy++) {
      check_failure(pending, policy, 2);
      check_failure(pending, policy, -1);
    }
  }
}

static void steps_before_a_failing_hook_are_kept(void) {
  training plain, hooked;
  begin(&plain, GLK_RMSPROP);
  begin(&hooked, GLK_RMSPROP);
  probe p = probe_of(&hooked);
  p.fails_at = 4;
  hook(&hooked, &p);
  double steps = 0;
  CHECK_STATUS(minimize(&hooked, 9), GLK_ERROR_HOOK);
  CHECK_STATUS(glk_optimizer_iterations(hooked.c, hooked.o, &steps), GLK_OK);
  CHECK_EQ((int)steps, 3);
  CHECK_STATUS(minimize(&plain, 3), GLK_OK);
  CHECK(is_same(&plain, &hooked));
  end(&plain), end(&hooked);
}

static void a_hook_that_skips_leaves_no_update(void) {
  for (int accumulates = 0; accumulates < 2; accumulates++) {
    training plain, hooked;
    begin(&plain, GLK_ADAM);
    begin(&hooked, GLK_ADAM);
    lock(&plain), lock(&hooked);
    const uint32_t each = accumulates ? 2 : 1;
    set(&plain, "gradientAccumulationSteps", each);
    set(&hooked, "gradientAccumulationSteps", each);
    CHECK_STATUS(minimize(&plain, 2 * each), GLK_OK);
    probe p = probe_of(&hooked);
    hook(&hooked, &p);
    CHECK_STATUS(minimize(&hooked, 2 * each), GLK_OK);
    p.skips_at = 3;
    p.deed = POISON;
    CHECK_STATUS(minimize(&hooked, each), GLK_OK); /* gradients are dropped, pending ones too */
    p.deed = LEAVE;
    glk_program_info info;
    CHECK_STATUS(glk_program_describe(hooked.c, hooked.program, &info), GLK_OK);
    CHECK_EQ(info.runs, 3 * each); /* the next call draws other numbers */
    CHECK_STATUS(glk_program_resume(hooked.c, hooked.program, 2 * each), GLK_OK);
    CHECK(is_same(&plain, &hooked));
    CHECK_STATUS(minimize(&plain, each), GLK_OK);
    CHECK_STATUS(minimize(&hooked, each), GLK_OK);
    CHECK(is_same(&plain, &hooked));
    end(&plain), end(&hooked);
  }
}

static void a_state_that_is_loaded_leaves_the_hook(void) {
  training t;
  begin(&t, GLK_ADAM);
  probe p = probe_of(&t);
  hook(&t, &p);
  CHECK_STATUS(minimize(&t, 2), GLK_OK);
  const glk_handle v[2] = {t.x, t.y};
  size_t bytes;
  double runs;
  uint8_t *state = state_of(&t, &bytes);
  CHECK_STATUS(glk_state_load(t.c, t.o, 0, v, 2, &runs, 1, state, bytes, 0, NULL), GLK_OK);
  CHECK_STATUS(glk_state_load(t.c, t.o, 0, v, 2, &runs, 1, state, 9, 0, NULL), GLK_ERROR_FORMAT);
  free(state);
  CHECK_STATUS(minimize(&t, 1), GLK_OK);
  CHECK_EQ(p.calls, 3);
  end(&t);
}

int main(int argc, char **argv) {
  harness_begin(argc, argv);
  TEST(a_hook_gets_the_gradients_of_what_trains_in_order);
  TEST(a_hook_is_called_once_per_update_and_not_to_measure);
  TEST(the_accumulated_gradient_is_the_mean_of_its_calls);
  TEST(gradients_that_a_hook_leaves_give_the_bits_of_no_hook);
  TEST(gradients_of_minus_zero_keep_their_sign);
  TEST(an_update_uses_what_the_hook_wrote);
  TEST(a_value_that_is_the_gradient_of_two_variables_is_written_twice);
  TEST(clipping_sees_what_the_hook_wrote);
  TEST(a_hook_cannot_move_a_locked_bit);
  TEST(in_a_hook_reading_is_possible_and_changing_is_refused);
  TEST(a_step_whose_hook_fails_changes_nothing);
  TEST(steps_before_a_failing_hook_are_kept);
  TEST(a_hook_that_skips_leaves_no_update);
  TEST(a_state_that_is_loaded_leaves_the_hook);
  return harness_report();
}
