/* docs/laws.md, law 10: constraints change free elements only. If free elements cannot repair a
 * constraint, the step is refused before anything changes. That norms follow Keras's formulas is
 * tests/js/golden-constraints.test.js's. */
#include "harness.h"

enum { ROWS = 5, COLUMNS = 9, N = ROWS * COLUMNS, STEPS = 12 };

static glk_context *c;
static glk_handle x, o;

static void set(const char *name, double value) {
  CHECK_STATUS(glk_optimizer_set(c, o, &name, &value, 1), GLK_OK);
}

static glk_handle tensor(const glk_real *values) {
  const uint32_t dims[2] = {ROWS, COLUMNS};
  glk_handle out = 0;
  CHECK_STATUS(glk_tensor_create(c, 2, dims, values, N, &out), GLK_OK);
  return out;
}

static void draw(glk_real *out, double size) {
  for (int i = 0; i < N; i++) out[i] = rng_real((glk_real)-size, (glk_real)size);
}

static void begin(glk_rule rule, double size) {
  const uint32_t dims[2] = {ROWS, COLUMNS};
  glk_real values[N];
  rng_seed(3);
  draw(values, size);
  CHECK_STATUS(glk_context_create(NULL, &c), GLK_OK);
  CHECK_STATUS(glk_variable_create(c, 2, dims, values, N, "x", 1, &x), GLK_OK);
  CHECK_STATUS(glk_optimizer_create(c, rule, &o), GLK_OK);
  set("learningRate", 0.1);
}

static void end(void) { glk_context_dispose(c); }

static glk_status apply(const glk_real *values) {
  const glk_handle gradient = tensor(values);
  const glk_status status = glk_optimizer_apply(c, o, &x, &gradient, 1);
  glk_dispose(c, gradient);
  return status;
}

static void constrain(glk_constraint_kind kind, double low, double high, uint32_t axes) {
  uint32_t list[2], count = 0;
  for (uint32_t k = 0; k < 2; k++) {
    if (axes >> k & 1) list[count++] = k;
  }
  CHECK_STATUS(glk_optimizer_constrain(c, o, x, kind, low, high, list, count), GLK_OK);
}

/* Which group an element belongs to, where the axes of the mask are summed. */
static int group_of(uint32_t axes, int i) {
  return (axes & 1 ? 0 : i / COLUMNS) * COLUMNS + (axes & 2 ? 0 : i % COLUMNS);
}

static double norm_of(const glk_real *values, uint32_t axes, int group) {
  double sum = 0;
  for (int i = 0; i < N; i++) {
    if (group_of(axes, i) == group) sum += (double)values[i] * (double)values[i];
  }
  return __builtin_sqrt(sum);
}

static void toggle(int step, uint8_t *mask) {
  const uint32_t dims[2] = {ROWS, COLUMNS};
  glk_handle locks;
  for (int i = 0; i < N; i++) mask[i] = i % 4 == step % 4 || i / COLUMNS == step % 7;
  CHECK_STATUS(glk_locks_create(c, 2, dims, &locks), GLK_OK);
  CHECK_STATUS(glk_locks_add_mask(c, locks, mask, N), GLK_OK);
  CHECK_STATUS(glk_locks_combine(c, x, GLK_LOCKS_SET, locks), GLK_OK);
  glk_dispose(c, locks);
}

/* The largest relative error of a norm: roundings of the factor and of the products, and epsilon
 * relative to the norm. */
#define NEAR 1e-5

/* A norm of at most 1, and one of 1. */
static void norms_hold_in_groups_with_a_free_element_and_locked_bits_stay(void) {
  for (int rule = 0; rule < GLK_RULE_COUNT; rule++) {
    for (uint32_t axes = 1; axes < 7; axes++) {
      const uint32_t summed = axes % 3 + 1;
      const int is_unit = axes > 3;
      begin((glk_rule)rule, 0.1);
      constrain(is_unit ? GLK_UNIT_NORM : GLK_MAX_NORM, 0, 1, summed);
      for (int s = 0; s < STEPS; s++) {
        glk_real gradient[N], before[N], after[N];
        uint8_t mask[N];
        int has_free[N] = {0};
        toggle(s, mask);
        draw(gradient, is_unit ? 2 : 20);
        glk_read(c, x, before, N);
        CHECK_STATUS(apply(gradient), GLK_OK);
        glk_read(c, x, after, N);
        for (int i = 0; i < N; i++) has_free[group_of(summed, i)] |= !mask[i];
        for (int i = 0; i < N; i++) {
          const double norm = norm_of(after, summed, group_of(summed, i));
          if (mask[i]) CHECK_BITS(after[i], before[i]);
          CHECK(norm <= 1 + NEAR &&
                (norm >= 1 - NEAR || !is_unit || !has_free[group_of(summed, i)]));
        }
      }
      end();
    }
  }
}

static void boxes_hold_for_free_elements_and_keep_nan(void) {
  for (int kind = 0; kind < 2; kind++) {
    begin(GLK_SGD, 5);
    const double low = kind ? -1 : 0, high = kind ? 2 : __builtin_inf();
    constrain(kind ? GLK_BOX : GLK_NON_NEGATIVE, low, high, 0);
    for (int s = 0; s < STEPS; s++) {
      glk_real gradient[N], before[N], after[N];
      uint8_t mask[N];
      toggle(s, mask);
      draw(gradient, 9);
      if (s == STEPS - 1) gradient[0] = gradient[1] = (glk_real)__builtin_nan("");
      glk_read(c, x, before, N);
      CHECK_STATUS(apply(gradient), GLK_OK);
      glk_read(c, x, after, N);
      for (int i = 0; i < N; i++) {
        const glk_real moved = before[i] - gradient[i] * (glk_real)0.1;
        const glk_real inside = moved < (glk_real)low    ? (glk_real)low
                                : moved > (glk_real)high ? (glk_real)high
                                                         : moved;
        if (mask[i]) {
          CHECK_BITS(after[i], before[i]);
        } else if (gradient[i] != gradient[i]) {
          CHECK(after[i] != after[i]);
        } else {
          CHECK(after[i] == inside);
        }
      }
    }
    end();
  }
}

static void what_the_free_part_cannot_mend_is_refused_before_anything_changes(void) {
  for (int by_rate = 0; by_rate < 2; by_rate++) {
    for (int unit = 0; unit < 2; unit++) {
      begin(GLK_ADAM, 0.1);
      glk_real gradient[N], slot[N], rates[N];
      uint64_t before, after;
      uint32_t clock[N];
      double iterations;
      constrain(unit ? GLK_UNIT_NORM : GLK_MAX_NORM, 0, 1, 1);
      draw(gradient, 1);
      CHECK_STATUS(glk_variable_fix(c, x, COLUMNS + 2, (glk_real)1.5), GLK_OK);
      if (by_rate) { /* held by its rate instead: the same */
        glk_handle all;
        CHECK_STATUS(glk_locks_copy(c, x, &all), GLK_OK);
        CHECK_STATUS(glk_locks_combine(c, x, GLK_LOCKS_AND_NOT, all), GLK_OK);
        for (int i = 0; i < N; i++) rates[i] = i != COLUMNS + 2;
        CHECK_STATUS(glk_optimizer_scale_rate(c, o, x, rates, N), GLK_OK);
      }
      glk_digest(c, x, &before);
      CHECK_STATUS(apply(gradient), GLK_ERROR_CONSTRAINT);
      CHECK(strstr(glk_context_detail(c), "flat index 2 have norm 1.5"));
      glk_digest(c, x, &after);
      CHECK(before == after);
      glk_optimizer_slot(c, o, x, 0, slot, N);
      glk_optimizer_clock(c, o, x, clock, N);
      glk_optimizer_iterations(c, o, &iterations);
      for (int i = 0; i < N; i++) CHECK(slot[i] == 0 && clock[i] == 0);
      CHECK(iterations == 0);
      /* With the whole column locked nothing of it trains, and with no constraint nothing is
       * asked. */
      const uint32_t column = 2;
      CHECK_STATUS(glk_locks_add_axis(c, x, 1, &column, 1), GLK_OK);
      CHECK_STATUS(apply(gradient), GLK_OK);
      glk_handle all;
      CHECK_STATUS(glk_locks_copy(c, x, &all), GLK_OK);
      CHECK_STATUS(glk_locks_combine(c, x, GLK_LOCKS_AND_NOT, all), GLK_OK);
      CHECK_STATUS(glk_locks_add_indices(c, x, (uint32_t[]){COLUMNS + 2}, 1), GLK_OK);
      CHECK_STATUS(apply(gradient), GLK_ERROR_CONSTRAINT);
      constrain(GLK_UNCONSTRAINED, 0, 0, 0);
      CHECK_STATUS(apply(gradient), GLK_OK);
      end();
    }
  }
}

static void a_refused_step_leaves_nothing_that_a_later_one_begins_from(void) {
  glk_real seen[2][2 * N];
  uint64_t digests[2];
  for (int is_refused = 0; is_refused < 2; is_refused++) {
    begin(GLK_ADAGRAD, 0.1);
    glk_real gradient[N], values[N], slot[N];
    set("useEma", 1);
    set("initialAccumulatorValue", 0.1);
    draw(gradient, 1);
    constrain(GLK_MAX_NORM, 0, 1, 1);
    CHECK_STATUS(glk_variable_fix(c, x, 2, (glk_real)1.5), GLK_OK);
    if (is_refused) CHECK_STATUS(apply(gradient), GLK_ERROR_CONSTRAINT);
    set("initialAccumulatorValue", 0.7);
    constrain(GLK_UNCONSTRAINED, 0, 0, 0);
    glk_read(c, x, values, N);
    for (int i = 0; i < N; i++) values[i] = i == 2 ? values[i] : (glk_real)i;
    CHECK_STATUS(glk_variable_assign(c, x, values, N, 0), GLK_OK);
    CHECK_STATUS(glk_optimizer_average(c, o, x, seen[is_refused], N), GLK_OK);
    CHECK(!memcmp(values, seen[is_refused], sizeof values));
    CHECK_STATUS(glk_optimizer_slot(c, o, x, 0, slot, N), GLK_OK);
    for (int i = 0; i < N; i++) CHECK(slot[i] == (glk_real)0.7);
    for (int step = 0; step < 2; step++) CHECK_STATUS(apply(gradient), GLK_OK);
    CHECK_STATUS(glk_optimizer_slot(c, o, x, 0, seen[is_refused], N), GLK_OK);
    CHECK_STATUS(glk_optimizer_average(c, o, x, seen[is_refused] + N, N), GLK_OK);
    glk_digest(c, x, &digests[is_refused]);
    end();
  }
  CHECK(digests[0] == digests[1]);
  CHECK(!memcmp(seen[0], seen[1], sizeof seen[0]));
}

static void a_projection_that_is_then_locked_is_not_refused_for_its_roundings(void) {
  begin(GLK_SGD, 3);
  constrain(GLK_UNIT_NORM, 0, 0, 3);
  const uint32_t first = 0;
  for (int s = 0; s < 100; s++) {
    glk_real gradient[N], values[N];
    draw(gradient, 5);
    CHECK_STATUS(apply(gradient), GLK_OK);
    /* The whole norm is in the locked part now: element 0, which was 0, is free and has none
     * left. */
    glk_handle locks;
    glk_read(c, x, values, N);
    values[0] = 0;
    CHECK_STATUS(glk_variable_assign(c, x, values, N, 1), GLK_OK);
    CHECK_STATUS(glk_locks_add_all(c, x), GLK_OK);
    CHECK_STATUS(glk_locks_create(c, 2, (uint32_t[]){ROWS, COLUMNS}, &locks), GLK_OK);
    CHECK_STATUS(glk_locks_add_indices(c, locks, &first, 1), GLK_OK);
    CHECK_STATUS(glk_locks_combine(c, x, GLK_LOCKS_AND_NOT, locks), GLK_OK);
    CHECK_STATUS(apply(gradient), GLK_OK);
    CHECK_STATUS(glk_locks_combine(c, x, GLK_LOCKS_AND, locks), GLK_OK);
    CHECK_STATUS(glk_locks_combine(c, x, GLK_LOCKS_AND_NOT, locks), GLK_OK);
    glk_dispose(c, locks);
  }
  end();
}

static void bad_constraints_are_refused_and_the_old_one_stays(void) {
  begin(GLK_SGD, 1);
  const double nan = __builtin_nan("");
  const uint32_t twice[2] = {0, 0}, far[1] = {2};
  const glk_real zeros[N] = {0};
  constrain(GLK_BOX, 0, 0, 0);
#define REFUSED(status, ...) \
  CHECK_STATUS(glk_optimizer_constrain(c, o, x, __VA_ARGS__), GLK_ERROR_##status)
  REFUSED(OPTION, GLK_BOX, 1, 0, NULL, 0);
  REFUSED(OPTION, GLK_BOX, nan, 0, NULL, 0);
  REFUSED(OPTION, GLK_BOX, 0, nan, NULL, 0);
  REFUSED(OPTION, GLK_MAX_NORM, 0, -1, NULL, 0);
  REFUSED(OPTION, GLK_MAX_NORM, 0, nan, NULL, 0);
  REFUSED(OPTION, GLK_MAX_NORM, -1, 1, NULL, 0);
  REFUSED(OPTION, GLK_MAX_NORM, 2, 1, NULL, 0);
  REFUSED(OPTION, GLK_MAX_NORM, nan, 1, NULL, 0);
  REFUSED(OPTION, GLK_MAX_NORM, 0, __builtin_inf(), NULL, 0);
  REFUSED(ARGUMENT, GLK_UNIT_NORM, 0, 0, twice, 2);
  REFUSED(INDEX, GLK_UNIT_NORM, 0, 0, far, 1);
  REFUSED(ARGUMENT, GLK_UNIT_NORM, 0, 0, NULL, 1);
  REFUSED(ARGUMENT, (glk_constraint_kind)9, 0, 0, NULL, 0);
  CHECK_STATUS(glk_optimizer_constrain(c, x, x, GLK_BOX, 0, 1, NULL, 0), GLK_ERROR_KIND);
  CHECK_STATUS(glk_optimizer_constrain(c, o, o, GLK_BOX, 0, 1, NULL, 0), GLK_ERROR_KIND);
  CHECK_STATUS(apply(zeros), GLK_OK);
  glk_real after[N];
  glk_read(c, x, after, N);
  for (int i = 0; i < N; i++) CHECK(after[i] == 0);
  end();
}

int main(int argc, char **argv) {
  harness_begin(argc, argv);
  TEST(norms_hold_in_groups_with_a_free_element_and_locked_bits_stay);
  TEST(boxes_hold_for_free_elements_and_keep_nan);
  TEST(what_the_free_part_cannot_mend_is_refused_before_anything_changes);
  TEST(a_refused_step_leaves_nothing_that_a_later_one_begins_from);
  TEST(a_projection_that_is_then_locked_is_not_refused_for_its_roundings);
  TEST(bad_constraints_are_refused_and_the_old_one_stays);
  return harness_report();
}
