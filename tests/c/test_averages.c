/* Moving averages (docs/laws.md, law 16) and accumulated gradients (law 15), compared with values
 * computed here by definition, for every rule, while locks change. */
#include "harness.h"

enum { N = 70, STEPS = 24 };

static glk_context *c;
static glk_handle x, o;

static void set(glk_handle optimizer, const char *name, double value) {
  CHECK_STATUS(glk_optimizer_set(c, optimizer, &name, &value, 1), GLK_OK);
}

static glk_handle variable(const glk_real *values) {
  const uint32_t n = N;
  glk_handle out = 0;
  CHECK_STATUS(glk_variable_create(c, 1, &n, values, N, "x", 1, &out), GLK_OK);
  return out;
}

static void draw(glk_real *out) {
  for (int i = 0; i < N; i++) out[i] = rng_real(-2, 2);
}

static void begin(glk_rule rule) {
  glk_real values[N];
  rng_seed(7);
  draw(values);
  CHECK_STATUS(glk_context_create(NULL, &c), GLK_OK);
  x = variable(values);
  CHECK_STATUS(glk_optimizer_create(c, rule, &o), GLK_OK);
  set(o, "learningRate", 0.05);
}

static void end(void) { glk_context_dispose(c); }

static void apply(glk_handle optimizer, glk_handle v, const glk_real *gradient) {
  const uint32_t n = N;
  glk_handle g;
  CHECK_STATUS(glk_tensor_create(c, 1, &n, gradient, N, &g), GLK_OK);
  CHECK_STATUS(glk_optimizer_apply(c, optimizer, &v, &g, 1), GLK_OK);
  glk_dispose(c, g);
}

static void lock_mask(glk_handle v, const uint8_t *mask) {
  const uint32_t n = N;
  glk_handle locks;
  CHECK_STATUS(glk_locks_create(c, 1, &n, &locks), GLK_OK);
  CHECK_STATUS(glk_locks_add_mask(c, locks, mask, N), GLK_OK);
  CHECK_STATUS(glk_locks_combine(c, v, GLK_LOCKS_SET, locks), GLK_OK);
  glk_dispose(c, locks);
}

/* Locked at step s: some always, some never, some in turns, at one step all. */
static int is_locked(int s, int i) {
  return s == 9 || i % 7 == 0 || (i % 3 == 0 && s / 4 % 2 == 0) || (i % 11 == 5 && s % 2);
}

static void lock_step(glk_handle v, int s, uint8_t *mask) {
  for (int i = 0; i < N; i++) mask[i] = (uint8_t)is_locked(s, i);
  lock_mask(v, mask);
}

/* ------------------------------------------------------------------------------------- averages */

static void check_averages(glk_rule rule, int every, int reset) {
  glk_real before[N], after[N], average[N], expected[N], gradient[N];
  const glk_real momentum = (glk_real)0.9;
  uint32_t clock[N];
  uint8_t mask[N];
  begin(rule);
  set(o, "useEma", 1);
  set(o, "emaMomentum", 0.9);
  set(o, "emaOverwriteFrequency", every);
  set(o, "resetOnUnlock", reset);
  glk_read(c, x, expected, N);
  for (int s = 0; s < STEPS; s++) {
    lock_step(x, s, mask);
    draw(gradient);
    glk_read(c, x, before, N);
    apply(o, x, gradient);
    glk_read(c, x, after, N);
    glk_optimizer_clock(c, o, x, clock, N);
    CHECK_STATUS(glk_optimizer_average(c, o, x, average, N), GLK_OK);
    const int is_overwritten = every && (s + 1) % every == 0;
    for (int i = 0; i < N; i++) {
      if (mask[i]) {
        CHECK_BITS(after[i], before[i]);
        CHECK_BITS(average[i], after[i]);
      } else if (is_overwritten) {
        CHECK_BITS(average[i], after[i]);
      } else {
        const glk_real next =
            clock[i] <= 1 ? after[i] : momentum * expected[i] + (1 - momentum) * after[i];
        CHECK_BITS(average[i], next);
      }
      expected[i] = average[i];
    }
  }
  end();
}

static void the_average_of_a_locked_element_is_the_element_and_others_follow_the_formula(void) {
  for (int rule = 0; rule < GLK_RULE_COUNT; rule++) {
    for (int reset = 0; reset < 2; reset++) {
      for (int every = 0; every < 4; every++) check_averages((glk_rule)rule, every, reset);
    }
  }
}

static void an_average_that_nothing_is_written_from_changes_no_step(void) {
  glk_real gradient[N], a[N], b[N];
  uint8_t mask[N];
  begin(GLK_ADAMW);
  glk_read(c, x, a, N);
  const glk_handle y = variable(a);
  glk_handle plain;
  CHECK_STATUS(glk_optimizer_create(c, GLK_ADAMW, &plain), GLK_OK);
  set(plain, "learningRate", 0.05);
  set(o, "useEma", 1);
  for (int s = 0; s < STEPS; s++) {
    lock_step(x, s, mask);
    lock_step(y, s, mask);
    draw(gradient);
    apply(o, x, gradient);
    apply(plain, y, gradient);
  }
  glk_read(c, x, a, N);
  glk_read(c, y, b, N);
  CHECK(!memcmp(a, b, sizeof a));
  end();
}

static void an_average_is_read_at_once_by_the_locks_of_now(void) {
  glk_real gradient[N], values[N], average[N];
  uint8_t mask[N];
  const glk_real zero = 0, one = 1;
  begin(GLK_SGD);
  CHECK_STATUS(glk_optimizer_average(c, o, x, average, N), GLK_OK); /* before any: the values */
  glk_read(c, x, values, N);
  CHECK(!memcmp(values, average, sizeof values));
  set(o, "useEma", 1);
  for (int s = 0; s < 3; s++) {
    draw(gradient);
    apply(o, x, gradient);
  }
  glk_read(c, x, values, N);
  lock_step(x, 1, mask);
  CHECK_STATUS(glk_optimizer_average(c, o, x, average, N), GLK_OK);
  for (int i = 0; i < N; i++) {
    const int is_same = memcmp(&average[i], &values[i], sizeof *values) == 0;
    CHECK(is_same == mask[i]);
  }
  CHECK_STATUS(glk_optimizer_scale_rate(c, o, x, &zero, 1), GLK_OK); /* held by its rate */
  CHECK_STATUS(glk_optimizer_average(c, o, x, average, N), GLK_OK);
  CHECK(!memcmp(values, average, sizeof values));
  CHECK_STATUS(glk_optimizer_scale_rate(c, o, x, &one, 1), GLK_OK);
  CHECK_STATUS(glk_optimizer_average(c, o, x, average, 3), GLK_ERROR_SHAPE);
  CHECK_STATUS(glk_optimizer_average(c, x, x, average, N), GLK_ERROR_KIND);
  CHECK_STATUS(glk_optimizer_average(c, o, o, average, N), GLK_ERROR_KIND);
  end();
}

/* --------------------------------------------------------------------------------- accumulation */

/* x accumulates; y takes one step on the mean that is computed here, with the locks of that
 * step. */
static void check_accumulation(glk_rule rule, int calls, const char *clip) {
  glk_real values[N], gradient[N], pending[N] = {0}, before[N], after[N];
  uint8_t mask[N];
  begin(rule);
  glk_read(c, x, values, N);
  const glk_handle y = variable(values);
  glk_handle plain;
  CHECK_STATUS(glk_optimizer_create(c, rule, &plain), GLK_OK);
  set(plain, "learningRate", 0.05);
  if (clip) {
    set(plain, clip, 0.5);
    set(o, clip, 0.5);
  }
  set(o, "gradientAccumulationSteps", calls);
  for (int s = 0; s < STEPS; s++) {
    lock_step(x, s, mask);
    draw(gradient);
    if (mask[3]) gradient[3] = (glk_real)__builtin_nan("");
    glk_read(c, x, before, N);
    apply(o, x, gradient);
    glk_read(c, x, after, N);
    const int takes_step = (s + 1) % calls == 0;
    for (int i = 0; i < N; i++) {
      pending[i] = mask[i] ? (takes_step ? gradient[i] : 0) : gradient[i] + pending[i];
      if (takes_step) pending[i] /= (glk_real)calls;
    }
    double steps;
    glk_optimizer_iterations(c, o, &steps);
    CHECK_EQ((int)steps, (s + 1) / calls);
    if (!takes_step) {
      CHECK(!memcmp(before, after, sizeof after));
      continue;
    }
    lock_mask(y, mask);
    apply(plain, y, pending);
    glk_read(c, y, values, N);
    for (int i = 0; i < N; i++) {
      CHECK_BITS(after[i], values[i]);
      if (mask[i]) CHECK_BITS(after[i], before[i]);
      pending[i] = 0;
    }
    uint32_t clock[N], own[N];
    glk_optimizer_clock(c, o, x, clock, N);
    glk_optimizer_clock(c, plain, y, own, N);
    CHECK(!memcmp(clock, own, sizeof own));
  }
  end();
}

static void what_is_pending_is_dropped_by_a_lock_and_the_rest_steps_on_the_mean(void) {
  const char *clips[] = {NULL, "clipNorm", "clipValue"};
  for (int rule = 0; rule < GLK_RULE_COUNT; rule++) {
    for (int calls = 1; calls < 5; calls++) {
      for (int clip = 0; clip < 3; clip++) check_accumulation((glk_rule)rule, calls, clips[clip]);
    }
  }
}

static void a_step_drops_what_is_pending_of_variables_it_does_not_train(void) {
  glk_real gradient[N], values[N], a[N], b[N];
  begin(GLK_SGD);
  glk_read(c, x, values, N);
  const glk_handle y = variable(values);
  set(o, "gradientAccumulationSteps", 2);
  draw(gradient);
  apply(o, y, gradient);
  apply(o, x, gradient); /* the step */
  apply(o, x, gradient);
  apply(o, y, gradient); /* the step: y's first gradient is gone */
  glk_read(c, x, a, N);
  glk_read(c, y, b, N);
  CHECK(!memcmp(a, b, sizeof a));
  end();
}

static void options_out_of_range_are_refused(void) {
  static const struct {
    const char *name;
    double value;
  } bad[] = {{"useEma", 2},
             {"emaMomentum", 1},
             {"emaMomentum", -0.1},
             {"emaOverwriteFrequency", 1.5},
             {"emaOverwriteFrequency", -1},
             {"gradientAccumulationSteps", 0},
             {"gradientAccumulationSteps", 2.5},
             {"gradientAccumulationSteps", __builtin_nan("")},
             {"gradientAccumulationSteps", 5e9}};
  begin(GLK_SGD);
  for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
    double before, after;
    glk_optimizer_get(c, o, bad[i].name, &before);
    CHECK_STATUS(glk_optimizer_set(c, o, &bad[i].name, &bad[i].value, 1), GLK_ERROR_OPTION);
    glk_optimizer_get(c, o, bad[i].name, &after);
    CHECK(before == after);
  }
  end();
}

int main(int argc, char **argv) {
  harness_begin(argc, argv);
  TEST(the_average_of_a_locked_element_is_the_element_and_others_follow_the_formula);
  TEST(an_average_that_nothing_is_written_from_changes_no_step);
  TEST(an_average_is_read_at_once_by_the_locks_of_now);
  TEST(what_is_pending_is_dropped_by_a_lock_and_the_rest_steps_on_the_mean);
  TEST(a_step_drops_what_is_pending_of_variables_it_does_not_train);
  TEST(options_out_of_range_are_refused);
  return harness_report();
}
