/* Averages with a decay of 0 have the last value, whatever they had before: after a huge gradient a
 * small one counts in full. (Every other claim about the rules is in test_laws.c, and in tests/js,
 * which compares them with Keras.) */
#include "harness.h"

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

enum { N = 37 };

static glk_context *c;
static glk_handle x;
static const uint32_t dims = N;

static void step(glk_handle optimizer, const glk_real *g) {
  glk_handle gradient = 0;
  OK(glk_tensor_create(c, 1, &dims, g, N, &gradient));
  OK(glk_optimizer_apply(c, optimizer, &x, &gradient, 1));
  OK(glk_dispose(c, gradient));
}

static void set(glk_handle optimizer, const char *name, double value) {
  OK(glk_optimizer_set(c, optimizer, &name, &value, 1));
}

static glk_handle begin(glk_rule rule) {
  glk_handle optimizer = 0;
  OK(glk_context_create(NULL, &c));
  OK(glk_variable_create(c, 1, &dims, NULL, N, "x", 1, &x));
  OK(glk_optimizer_create(c, rule, &optimizer));
  return optimizer;
}

static void what_keeps_nothing_holds_what_came_last(void) {
  for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
    const forgetful *row = &rows[r];
    glk_real huge[N], small[N], slot[N];
    const glk_handle optimizer = begin(row->rule);
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
    glk_context_dispose(c);
  }
}

/* With both betas 0 a step of Adam is rate g / (|g| + epsilon), whatever came before. */
static void adam_without_memory_steps_by_the_sign_of_the_gradient(void) {
  const glk_rule rules[] = {GLK_ADAM, GLK_ADAMW};
  for (int r = 0; r < 2; r++) {
    glk_real g[N], before[N], after[N];
    const glk_handle optimizer = begin(rules[r]);
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
    glk_context_dispose(c);
  }
}

static void an_average_of_momentum_0_is_the_value(void) {
  glk_real g[N], average[N], value[N];
  const glk_handle optimizer = begin(GLK_SGD);
  set(optimizer, "useEma", 1);
  set(optimizer, "emaMomentum", 0);
  for (int k = 0; k < 8; k++) {
    for (int i = 0; i < N; i++) g[i] = rng_real(-1, 1) * (k % 2 ? (glk_real)1e-3 : (glk_real)1e9);
    step(optimizer, g);
    OK(glk_optimizer_average(c, optimizer, x, average, N));
    OK(glk_read(c, x, value, N));
    CHECK(!memcmp(average, value, sizeof value));
  }
  glk_context_dispose(c);
}

static void an_unknown_option_is_refused_with_the_names_of_all(void) {
  for (int rule = 0; rule < GLK_RULE_COUNT; rule++) {
    const char *const wrong = "momentun";
    glk_option_info option;
    const glk_handle optimizer = begin((glk_rule)rule);
    CHECK_STATUS(glk_optimizer_set(c, optimizer, &wrong, (double[]){0}, 1), GLK_ERROR_OPTION);
    for (uint32_t i = 0; !glk_rule_option((glk_rule)rule, i, &option); i++) {
      CHECK_MSG(strstr(glk_context_detail(c), option.name), "%s", glk_context_detail(c));
    }
    glk_context_dispose(c);
  }
}

int main(int argc, char **argv) {
  harness_begin(argc, argv);
  TEST(what_keeps_nothing_holds_what_came_last);
  TEST(adam_without_memory_steps_by_the_sign_of_the_gradient);
  TEST(an_average_of_momentum_0_is_the_value);
  TEST(an_unknown_option_is_refused_with_the_names_of_all);
  return harness_report();
}
