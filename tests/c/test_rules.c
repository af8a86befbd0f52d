/* What rules and settings of single variables do, where neither Keras (tests/js) nor the laws
 * (test_laws.c) show it: averages with a decay of 0 have the last value, whatever they had before;
 * a factor of the learning rate is a rate; what is read at once, undone, or refused. */
#include "vectors.h"

#define OK(call) CHECK_STATUS(call, GLK_OK)

/* Value of a slot after a gradient g. */
typedef enum holds { NOTHING, GRADIENT, SQUARE } holds;

typedef struct forgetful {
  glk_rule rule;
  const char *options[3]; /* that are set to 0; "amsgrad" to 1 */
  holds slots[2];
} forgetful;

static const forgetful rows[] = {
    {GLK_ADAM, {"beta2"}, {NOTHING, SQUARE}},
    {GLK_ADAM, {"beta1"}, {GRADIENT, NOTHING}},
    {GLK_ADAM, {"beta1", "beta2"}, {GRADIENT, SQUARE}},
    {GLK_ADAM, {"beta1", "beta2", "amsgrad"}, {GRADIENT, SQUARE}},
    {GLK_ADAMW, {"beta1", "beta2"}, {GRADIENT, SQUARE}},
    {GLK_NADAM, {"beta1", "beta2"}, {GRADIENT, SQUARE}},
    {GLK_ADAMAX, {"beta1"}, {GRADIENT, NOTHING}},
    {GLK_LION, {"beta2"}, {GRADIENT}},
    {GLK_RMSPROP, {"rho"}, {SQUARE}},
    {GLK_RMSPROP, {"rho", "momentum"}, {SQUARE}},
    {GLK_ADADELTA, {"rho"}, {SQUARE}},
};

enum { N = 37, STEPS = 12 };

static glk_handle x;

static void apply_gradient(glk_handle optimizer, glk_handle v, const glk_real *g) {
  const glk_handle gradient = tensor(N, g);
  OK(glk_optimizer_apply(c, optimizer, &v, &gradient, 1));
  OK(glk_dispose(c, gradient));
}

static void step(glk_handle optimizer, const glk_real *g) { apply_gradient(optimizer, x, g); }

static void set(glk_handle optimizer, const char *name, double value) {
  OK(glk_optimizer_set(c, optimizer, &name, &value, 1));
}

static glk_handle begin_with(glk_rule rule) {
  glk_handle optimizer = 0;
  begin();
  x = variable(N, NULL);
  OK(glk_optimizer_create(c, rule, &optimizer));
  return optimizer;
}

static void draw(glk_real *out) {
  for (int i = 0; i < N; i++) out[i] = rng_real(-2, 2);
}

static void what_keeps_nothing_holds_what_came_last(void) {
  for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
    const forgetful *row = &rows[r];
    glk_real huge[N], small[N], slot[N];
    const glk_handle optimizer = begin_with(row->rule);
    for (int k = 0; k < 3 && row->options[k]; k++) {
      set(optimizer, row->options[k], !strcmp(row->options[k], "amsgrad"));
    }
    for (int i = 0; i < N; i++) huge[i] = rng_real(1e6, 1e9), small[i] = rng_real(-1e-3, 1e-3);
    step(optimizer, huge);
    step(optimizer, small);
    for (uint32_t k = 0; k < 2; k++) {
      if (row->slots[k] == NOTHING) continue;
      OK(glk_optimizer_slot(c, optimizer, x, k, slot, N));
      for (int i = 0; i < N; i++) {
        const glk_real expected = row->slots[k] == SQUARE ? small[i] * small[i] : small[i];
        CHECK_MSG(slot[i] == expected, "row %zu, slot %u: %g, expected %g", r, k, (double)slot[i],
                  (double)expected);
      }
    }
    end();
  }
}

/* With both betas 0 a step of Adam is rate g / (|g| + epsilon), whatever came before. */
static void adam_without_memory_steps_by_the_sign_of_the_gradient(void) {
  const glk_rule rules[] = {GLK_ADAM, GLK_ADAMW};
  for (int r = 0; r < 2; r++) {
    glk_real g[N], before[N], after[N];
    const glk_handle optimizer = begin_with(rules[r]);
    const char *const names[] = {"beta1", "beta2", "weightDecay", "epsilon"};
    const double values[] = {0, 0, 0, 0};
    set(optimizer, "learningRate", 0.125);
    OK(glk_optimizer_set(c, optimizer, names, values, 4));
    for (int k = 0; k < 40; k++) {
      for (int i = 0; i < N; i++) {
        g[i] = rng_real(0.5, 1) * (k % 2 ? (glk_real)1e-6 : (glk_real)1e8);
        if (rng_below(2)) g[i] = -g[i];
      }
      OK(glk_read(c, x, before, N));
      step(optimizer, g);
      OK(glk_read(c, x, after, N));
      for (int i = 0; i < N; i++) {
        const double moved = (double)before[i] - (double)after[i];
        CHECK_NEAR(moved, g[i] > 0 ? 0.125 : -0.125, 1e-6);
      }
    }
    end();
  }
}

static void an_average_of_momentum_0_is_the_value(void) {
  glk_real g[N], average[N], value[N];
  const glk_handle optimizer = begin_with(GLK_SGD);
  set(optimizer, "useEma", 1);
  set(optimizer, "emaMomentum", 0);
  for (int k = 0; k < 8; k++) {
    for (int i = 0; i < N; i++) g[i] = rng_real(-1, 1) * (k % 2 ? (glk_real)1e-3 : (glk_real)1e9);
    step(optimizer, g);
    OK(glk_optimizer_average(c, optimizer, x, average, N));
    OK(glk_read(c, x, value, N));
    CHECK(!memcmp(average, value, sizeof value));
  }
  end();
}

static void an_average_is_read_at_once_by_the_locks_and_rates_of_now(void) {
  glk_real gradient[N], values[N], average[N];
  uint8_t mask[N];
  const glk_real zero = 0;
  const glk_handle o = begin_with(GLK_SGD);
  OK(glk_optimizer_average(c, o, x, average, N)); /* before any: the values */
  read_all(x, values, N);
  CHECK(!memcmp(values, average, sizeof values));
  set(o, "useEma", 1);
  for (int s = 0; s < 3; s++) draw(gradient), step(o, gradient);
  read_all(x, values, N);
  for (int i = 0; i < N; i++) mask[i] = i % 3 == 0;
  lock_mask(x, mask, N);
  OK(glk_optimizer_average(c, o, x, average, N));
  for (int i = 0; i < N; i++) CHECK((average[i] == values[i]) == mask[i]);
  OK(glk_optimizer_scale_rate(c, o, x, &zero, 1)); /* held by its rate */
  OK(glk_optimizer_average(c, o, x, average, N));
  CHECK(!memcmp(values, average, sizeof values));
  CHECK_STATUS(glk_optimizer_average(c, o, x, average, 3), GLK_ERROR_SHAPE);
  CHECK_STATUS(glk_optimizer_average(c, x, x, average, N), GLK_ERROR_KIND);
  CHECK_STATUS(glk_optimizer_average(c, o, o, average, N), GLK_ERROR_KIND);
  end();
}

static void a_step_drops_what_is_pending_of_variables_it_does_not_train(void) {
  glk_real gradient[N], a[N], b[N];
  const glk_handle o = begin_with(GLK_SGD), y = variable(N, NULL);
  set(o, "gradientAccumulationSteps", 2);
  draw(gradient);
  apply_gradient(o, y, gradient);
  apply_gradient(o, x, gradient); /* the step */
  apply_gradient(o, x, gradient);
  apply_gradient(o, y, gradient); /* the step: y's first gradient is gone */
  read_all(x, a, N);
  read_all(y, b, N);
  CHECK(!memcmp(a, b, sizeof a));
  end();
}

/* With weight decay, and locks that come and go on the way, so that counts differ by element. */
static void one_factor_is_to_the_bit_a_rate_that_is_the_product(void) {
  const glk_real factors[] = {(glk_real)0.1, 1, (glk_real)3.7, (glk_real)1e-6, (glk_real)0.5};
  for (int rule = 0; rule < GLK_RULE_COUNT; rule++) {
    for (int f = 0; f < 5; f++) {
      const glk_handle scaled = begin_with((glk_rule)rule), y = variable(N, NULL);
      glk_handle own;
      glk_real gradient[N], a[N], b[N];
      uint8_t mask[N] = {0};
      OK(glk_optimizer_create(c, (glk_rule)rule, &own));
      set(scaled, "learningRate", 0.01);
      set(own, "learningRate", 0.01 * (double)factors[f]);
      set(scaled, "weightDecay", 0.125);
      set(own, "weightDecay", 0.125);
      OK(glk_optimizer_scale_rate(c, scaled, x, &factors[f], 1));
      for (uint32_t i = 0; i < STEPS; i++) {
        mask[i % 5] ^= 1;
        lock_mask(x, mask, N);
        lock_mask(y, mask, N);
        draw(gradient);
        step(scaled, gradient);
        apply_gradient(own, y, gradient);
      }
      read_all(x, a, N);
      read_all(y, b, N);
      CHECK_MSG(!memcmp(a, b, sizeof a), "rule %d, factor %g", rule, (double)factors[f]);
      end();
    }
  }
}

static void factors_and_exclusions_can_be_undone_between_any_two_steps(void) {
  glk_real gradient[N], before[N], after[N], factors[N], read[N];
  uint32_t clock[N];
  const glk_real zero = 0, one = 1;
  const glk_handle o = begin_with(GLK_ADAM), y = variable(N, NULL);
  draw(gradient);
  OK(glk_optimizer_rates(c, o, x, read, N));
  for (int i = 0; i < N; i++) CHECK(read[i] == 1);
  for (int i = 0; i < N; i++) factors[i] = (glk_real)(i % 2);
  OK(glk_optimizer_scale_rate(c, o, x, factors, N));
  OK(glk_optimizer_rates(c, o, x, read, N));
  CHECK(!memcmp(read, factors, sizeof read));
  step(o, gradient);
  OK(glk_optimizer_scale_rate(c, o, x, &zero, 1));
  read_all(x, before, N);
  step(o, gradient);
  read_all(x, after, N);
  CHECK(!memcmp(before, after, sizeof before));
  OK(glk_optimizer_scale_rate(c, o, x, &one, 1));
  step(o, gradient);
  OK(glk_optimizer_clock(c, o, x, clock, N));
  for (uint32_t i = 0; i < N; i++) CHECK_EQ(clock[i], 1 + i % 2);
  OK(glk_optimizer_rates(c, o, y, read, N)); /* another's are its own */
  for (int i = 0; i < N; i++) CHECK(read[i] == 1);
  /* Without a gradient only decay moves. */
  const glk_real none[N] = {0};
  glk_handle sgd;
  OK(glk_optimizer_create(c, GLK_SGD, &sgd));
  set(sgd, "weightDecay", 0.125);
  read_all(x, before, N);
  for (int excludes = 1; excludes >= 0; excludes--) {
    OK(glk_optimizer_exclude_decay(c, sgd, x, excludes));
    step(sgd, none);
    read_all(x, after, N);
    CHECK_EQ(!memcmp(before, after, sizeof before), excludes);
  }
  end();
}

static void bad_factors_are_refused_and_change_nothing(void) {
  const glk_handle o = begin_with(GLK_SGD);
  const glk_real bad[] = {-1, (glk_real)-1e-30, (glk_real)__builtin_nan(""),
                          (glk_real)__builtin_inf(), (glk_real)2e30};
  glk_real factors[N], read[N];
  for (int i = 0; i < N; i++) factors[i] = (glk_real)i;
  OK(glk_optimizer_scale_rate(c, o, x, factors, N));
  for (int k = 0; k < 5; k++) {
    glk_real list[N] = {0};
    list[N - 1] = bad[k];
    CHECK_STATUS(glk_optimizer_scale_rate(c, o, x, list, N), GLK_ERROR_OPTION);
    CHECK_STATUS(glk_optimizer_scale_rate(c, o, x, &bad[k], 1), GLK_ERROR_OPTION);
  }
  CHECK_STATUS(glk_optimizer_scale_rate(c, o, x, factors, N - 1), GLK_ERROR_SHAPE);
  CHECK_STATUS(glk_optimizer_scale_rate(c, o, x, NULL, N), GLK_ERROR_ARGUMENT);
  CHECK_STATUS(glk_optimizer_scale_rate(c, o, o, factors, N), GLK_ERROR_KIND);
  CHECK_STATUS(glk_optimizer_scale_rate(c, x, x, factors, N), GLK_ERROR_KIND);
  CHECK_STATUS(glk_optimizer_rates(c, o, x, read, 3), GLK_ERROR_SHAPE);
  OK(glk_optimizer_rates(c, o, x, read, N));
  CHECK(!memcmp(read, factors, sizeof read));
  end();
}

/* Every option of every rule, at and beyond the ends of its range, with one before it that is
 * good: none is set. */
static void options_out_of_range_are_refused_together_and_change_nothing(void) {
  const double nan = __builtin_nan(""), infinity = __builtin_inf();
  for (int rule = 0; rule < GLK_RULE_COUNT; rule++) {
    const glk_handle o = begin_with((glk_rule)rule);
    glk_option_info option;
    for (uint32_t i = 0; !glk_rule_option((glk_rule)rule, i, &option); i++) {
      const int is_whole =
          option.is_flag || strstr(option.name, "Frequency") || strstr(option.name, "Steps");
      const double bad[] = {
          nan, infinity, -infinity, option.low - 1, option.high, is_whole ? 0.5 : nan};
      double before, after;
      OK(glk_optimizer_get(c, o, "weightDecay", &before));
      for (int k = 0; k < 6; k++) {
        CHECK_MSG(glk_optimizer_set(c, o, (const char *[]){"weightDecay", option.name},
                                    (double[]){0.5, bad[k]}, 2) == GLK_ERROR_OPTION,
                  "rule %d: %s = %g", rule, option.name, bad[k]);
        CHECK_MSG(strstr(glk_context_detail(c), option.name), "%s", glk_context_detail(c));
        OK(glk_optimizer_get(c, o, "weightDecay", &after));
        CHECK(before == after);
        OK(glk_optimizer_get(c, o, option.name, &after));
        CHECK(after == option.initial);
      }
    }
    const char *const wrong = "momentun"; /* is told with the names of all */
    CHECK_STATUS(glk_optimizer_set(c, o, &wrong, (double[]){0}, 1), GLK_ERROR_OPTION);
    for (uint32_t i = 0; !glk_rule_option((glk_rule)rule, i, &option); i++) {
      CHECK_MSG(strstr(glk_context_detail(c), option.name), "%s", glk_context_detail(c));
    }
    const char *clips[2] = {"clipNorm", "clipValue"};
    CHECK_STATUS(glk_optimizer_set(c, o, clips, (double[]){1, 1}, 2), GLK_ERROR_OPTION);
    OK(glk_optimizer_set(c, o, clips, (double[]){1, 0}, 2));
    end();
  }
}

int main(int argc, char **argv) {
  harness_begin(argc, argv);
  TEST(what_keeps_nothing_holds_what_came_last);
  TEST(adam_without_memory_steps_by_the_sign_of_the_gradient);
  TEST(an_average_of_momentum_0_is_the_value);
  TEST(an_average_is_read_at_once_by_the_locks_and_rates_of_now);
  TEST(a_step_drops_what_is_pending_of_variables_it_does_not_train);
  TEST(one_factor_is_to_the_bit_a_rate_that_is_the_product);
  TEST(factors_and_exclusions_can_be_undone_between_any_two_steps);
  TEST(bad_factors_are_refused_and_change_nothing);
  TEST(options_out_of_range_are_refused_together_and_change_nothing);
  return harness_report();
}
