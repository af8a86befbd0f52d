/* docs/laws.md, laws 1-8, 10, 12, 15-17 and 25, for every rule: rule x options x lock pattern x
 * gradient x size. */
#include "laws.h"
#include "runs.h"
#include "vectors.h"

/* Every size with every set of options once, in f32; elsewhere every third, in turns. */
enum { LAW_STRIDE = HARNESS_IS_WATCHED || sizeof(glk_real) == 8 ? 3 : 1 };
enum { OPTION_SETS = sizeof law_lines / sizeof law_lines[0] };

static law_options all_options[OPTION_SETS];

static glk_rule find_rule(const char *name) {
  for (int rule = 0; rule < GLK_RULE_COUNT; rule++) {
    const char *own;
    CHECK_STATUS(glk_rule_describe((glk_rule)rule, &own, NULL, NULL), GLK_OK);
    if (!strcmp(name, own)) return (glk_rule)rule;
  }
  CHECK_MSG(0, "there is no rule '%s'", name);
  return GLK_SGD;
}

static void read_options(void) {
  static run runs[OPTION_SETS];
  for (int o = 0; o < OPTION_SETS; o++) {
    runs[o] = read_run(law_lines[o]);
    all_options[o] = (law_options){.title = law_lines[o], .rule = find_rule(runs[o].rule)};
    for (uint32_t i = 0; i < runs[o].count; i++) {
      const setting *s = &runs[o].settings[i];
      all_options[o].set[i] = (law_option){s->name, s->numbers[0]};
    }
  }
}

static void every_rule_has_a_set_of_options(void) {
  for (int rule = 0; rule < GLK_RULE_COUNT; rule++) {
    const char *name;
    int sets = 0;
    CHECK_STATUS(glk_rule_describe((glk_rule)rule, &name, NULL, NULL), GLK_OK);
    for (int o = 0; o < OPTION_SETS; o++) sets += all_options[o].rule == (glk_rule)rule;
    CHECK_MSG(sets > 0, "runs.h has no law_lines of %s", name);
  }
}

/* Every size with every pattern and, in turns, a quarter of the kinds of gradients; the reduced
 * problem, which is n problems, is run for each size, options and pattern with one kind. */
static void every_rule_keeps_the_laws_at_sizes_1_to_70(void) {
  for (int o = 0; o < OPTION_SETS; o++) {
    for (uint32_t n = 1 + (uint32_t)o % LAW_STRIDE; n <= 70; n += LAW_STRIDE) {
      for (int pattern = 0; pattern < LAW_PATTERNS; pattern++) {
        const int turn = (int)(n + (uint32_t)(pattern + o)) % LAW_GRADIENTS;
        for (int kind = turn % 4; kind < LAW_GRADIENTS; kind += 4) {
          const int checks_elements = kind == turn;
          rng_seed(((((uint64_t)o * 71 + n) * LAW_PATTERNS + pattern) * LAW_GRADIENTS + kind) + 1);
          check_lock_laws(&all_options[o], &law_extras[0], n, (law_pattern)pattern,
                          (law_gradient)kind, checks_elements);
        }
      }
    }
  }
}

static void every_rule_keeps_the_laws_at_4099(void) {
  for (int o = 0; o < OPTION_SETS; o++) {
    for (int pattern = 0; pattern < LAW_PATTERNS; pattern++) {
      const int kind = (o + pattern) % LAW_GRADIENTS;
      rng_seed(1000000 + (uint64_t)o * LAW_PATTERNS + (uint64_t)pattern);
      check_lock_laws(&all_options[o], &law_extras[0], 4099, (law_pattern)pattern,
                      (law_gradient)kind, 0);
    }
  }
}

/* The same with all settings of an optimizer besides its rule: averages, accumulation, constraints,
 * rates of elements, an exclusion from decay, schedules. */
static void every_rule_keeps_the_laws_with_every_extra(void) {
  static const uint32_t sizes[] = {1, 3, 8, 20, 32, 33};
  for (int o = 0; o < OPTION_SETS; o++) {
    for (int e = 1; e < (int)LAW_EXTRAS; e++) {
      for (int pattern = 0; pattern < LAW_PATTERNS; pattern++) {
        for (int kind = (o + e) % LAW_STRIDE; kind < LAW_GRADIENTS; kind += LAW_STRIDE) {
          const uint32_t n = sizes[(o + e + pattern + kind) % 6];
          rng_seed(3000000 +
                   (((uint64_t)o * LAW_EXTRAS + e) * LAW_PATTERNS + pattern) * LAW_GRADIENTS +
                   kind);
          check_lock_laws(&all_options[o], &law_extras[e], n, (law_pattern)pattern,
                          (law_gradient)kind, 1);
        }
      }
    }
  }
}

/* A lock is the zero of the learning-rate factors: the laws hold for both, mixed in one
 * variable. */
static void a_rate_of_zero_keeps_the_laws_as_a_lock_does(void) {
  static const uint32_t sizes[] = {2, 7, 32, 33, 70};
  law_holds_by_rates = 1;
  for (int o = 0; o < OPTION_SETS; o++) {
    for (int e = 0; e < (int)LAW_EXTRAS; e++) {
      for (int pattern = 0; pattern < LAW_PATTERNS; pattern++) {
        const int kind = (o + e + pattern) % LAW_GRADIENTS;
        rng_seed(2000000 + ((uint64_t)o * 20 + e) * LAW_PATTERNS + pattern);
        check_lock_laws(&all_options[o], &law_extras[e], sizes[(o + e) % 5], (law_pattern)pattern,
                        (law_gradient)kind, 1);
      }
    }
  }
  law_holds_by_rates = 0;
}

/* -------------------------------------------------------------------------- laws that need more */

static glk_handle optimizer(glk_rule rule, const char *name, double value) {
  glk_handle o = 0;
  CHECK_STATUS(glk_optimizer_create(c, rule, &o), GLK_OK);
  if (name) CHECK_STATUS(glk_optimizer_set(c, o, &name, &value, 1), GLK_OK);
  return o;
}

static void set(glk_handle o, const char *name, double value) {
  CHECK_STATUS(glk_optimizer_set(c, o, &name, &value, 1), GLK_OK);
}

static void lock(glk_handle x, uint32_t index) {
  CHECK_STATUS(glk_locks_add_indices(c, x, &index, 1), GLK_OK);
}

static void unlock_all(glk_handle x) {
  glk_handle all;
  CHECK_STATUS(glk_locks_copy(c, x, &all), GLK_OK);
  CHECK_STATUS(glk_locks_combine(c, x, GLK_LOCKS_AND_NOT, all), GLK_OK);
  glk_dispose(c, all);
}

/* Law 4. Kingma & Ba, section 2.1: the first step of Adam is about the learning rate, whatever the
 * gradient. */
static void an_element_unlocked_after_1000_steps_first_moves_by_the_learning_rate(void) {
  begin();
  const glk_real zeros[2] = {0, 0}, g[2] = {3, 3};
  const glk_handle x = variable(2, zeros), gradient = tensor(2, g);
  const glk_handle o = optimizer(GLK_ADAM, "learningRate", 0.01);
  lock(x, 1);
  for (int i = 0; i < 1000; i++) CHECK_STATUS(glk_optimizer_apply(c, o, &x, &gradient, 1), GLK_OK);
  unlock_all(x);
  CHECK_STATUS(glk_optimizer_apply(c, o, &x, &gradient, 1), GLK_OK);
  glk_real out[2];
  uint32_t clock[2];
  glk_read(c, x, out, 2);
  glk_optimizer_clock(c, o, x, clock, 2);
  CHECK_NEAR((double)out[1], -0.01, 1e-7);
  CHECK_EQ(clock[0], 1001);
  CHECK_EQ(clock[1], 1);
  end();
}

/* Law 4: the count costs memory only once elements differ. Locks that stand still cost a bit an
 * element at most. */
static void clocks_cost_no_memory_until_counts_differ(void) {
  begin();
  enum { N = 4096 };
  const glk_handle x = variable(N, NULL), gradient = tensor(N, NULL);
  const glk_handle o = optimizer(GLK_ADAM, NULL, 0);
  glk_memory start, locked, toggled;
  CHECK_STATUS(glk_optimizer_apply(c, o, &x, &gradient, 1), GLK_OK);
  glk_context_memory(c, &start);
  lock(x, 5);
  for (int i = 0; i < 3; i++) CHECK_STATUS(glk_optimizer_apply(c, o, &x, &gradient, 1), GLK_OK);
  glk_context_memory(c, &locked);
  CHECK(locked.bytes - start.bytes <= N / 8);
  unlock_all(x);
  CHECK_STATUS(glk_optimizer_apply(c, o, &x, &gradient, 1), GLK_OK);
  glk_context_memory(c, &toggled);
  CHECK(toggled.bytes > locked.bytes);
  end();
}

/* Law 6: locked gradients do not shorten the steps of free elements, and both norms are
 * reported. */
static void norms_see_only_what_is_free_and_both_are_reported(void) {
  for (int global = 0; global < 2; global++) {
    begin();
    const glk_real zeros[3] = {0, 0, 0}, g[3] = {3, 1000, 4};
    const glk_handle x = variable(3, zeros), gradient = tensor(3, g);
    const glk_handle o = optimizer(GLK_SGD, global ? "globalClipNorm" : "clipNorm", 5);
    set(o, "learningRate", 1);
    lock(x, 1);
    CHECK_STATUS(glk_optimizer_apply(c, o, &x, &gradient, 1), GLK_OK);
    glk_real out[3];
    double norm_free, norm_all;
    glk_read(c, x, out, 3);
    glk_optimizer_norms(c, o, &norm_free, &norm_all);
    CHECK_BITS(out[0], -3);
    CHECK_BITS(out[1], 0);
    CHECK_BITS(out[2], -4);
    CHECK_NEAR(norm_free, 5, 1e-12);
    CHECK_NEAR(norm_all, __builtin_sqrt(1000025.0), 1e-9);
    end();
  }
}

/* Law 7: a NaN behind a lock reaches neither the norm nor another variable. */
static void a_nan_behind_a_lock_reaches_no_norm(void) {
  begin();
  const glk_real zeros[2] = {0, 0}, g[2] = {(glk_real)__builtin_nan(""), 1}, h[2] = {6, 8};
  const glk_handle list[2] = {variable(2, zeros), variable(2, zeros)};
  const glk_handle gradients[2] = {tensor(2, g), tensor(2, h)};
  const glk_handle o = optimizer(GLK_SGD, "globalClipNorm", 1);
  set(o, "learningRate", 1);
  lock(list[0], 0);
  lock(list[1], 0);
  CHECK_STATUS(glk_optimizer_apply(c, o, list, gradients, 2), GLK_OK);
  glk_real x[2], y[2];
  double norm_free, norm_all;
  glk_read(c, list[0], x, 2);
  glk_read(c, list[1], y, 2);
  glk_optimizer_norms(c, o, &norm_free, &norm_all);
  CHECK_NEAR(norm_free, __builtin_sqrt(65.0), 1e-12);
  CHECK(norm_all != norm_all);
  CHECK_BITS(x[0], 0);
  CHECK_NEAR((double)x[1], -1 / __builtin_sqrt(65.0), 1e-6);
  CHECK_BITS(y[0], 0);
  CHECK_NEAR((double)y[1], -8 / __builtin_sqrt(65.0), 1e-6);
  end();
}

/* loss = mean((tanh(x) * y - 1)^2) + sum(x^2): the last term is a regularizer, which counts locked
 * elements too */
static glk_handle record_loss(glk_handle x, glk_handle y) {
  glk_handle program;
  const glk_handle constant = scalar(1);
  CHECK_STATUS(glk_program_begin(c, GLK_TRACE), GLK_OK);
  const glk_handle error = apply("sub", apply("mul", apply("tanh", x, 0), y), constant);
  const glk_handle fit = apply("mean", apply("square", error, 0), 0);
  const glk_handle loss = apply("add", fit, apply("sum", apply("square", x, 0), 0));
  CHECK_STATUS(glk_program_end(c, &loss, 1, &program), GLK_OK);
  return program;
}

/* Law 8 */
static void locking_changes_neither_the_loss_nor_any_gradient(void) {
  begin();
  enum { N = 37 };
  glk_real values[N], free_gradient[N], locked_gradient[N];
  for (int i = 0; i < N; i++) values[i] = rng_real(-1, 1);
  const glk_handle x = variable(N, values), y = variable(N, values);
  const glk_handle program = record_loss(x, y);
  double loss, locked_loss;
  glk_handle gradient;
  CHECK_STATUS(glk_program_gradient(c, program, &x, 1, &loss, &gradient), GLK_OK);
  glk_read(c, gradient, free_gradient, N);
  for (uint32_t i = 0; i < N; i += 3) lock(x, i);
  CHECK_STATUS(glk_program_gradient(c, program, &x, 1, &locked_loss, &gradient), GLK_OK);
  glk_read(c, gradient, locked_gradient, N);
  CHECK(loss == locked_loss);
  for (int i = 0; i < N; i++) CHECK_BITS(free_gradient[i], locked_gradient[i]);
  const glk_handle o = optimizer(GLK_ADAM, NULL, 0);
  CHECK_STATUS(glk_optimizer_minimize(c, o, program, &x, 1, 1, &locked_loss), GLK_OK);
  CHECK(loss == locked_loss);
  end();
}

/* Law 12, and what is locked is not computed */
static void all_locked_is_a_successful_step_that_computes_no_gradient(void) {
  begin();
  const glk_real values[3] = {1, 2, 3};
  const glk_handle list[2] = {variable(3, values), variable(3, values)};
  const glk_handle program = record_loss(list[0], list[1]);
  const glk_handle o = optimizer(GLK_ADAMW, NULL, 0);
  glk_program_info none, one, both;
  double loss, again;
  CHECK_STATUS(glk_optimizer_minimize(c, o, program, list, 2, 1, &loss), GLK_OK);
  glk_program_describe(c, program, &both);
  CHECK_STATUS(glk_locks_add_all(c, list[0]), GLK_OK);
  CHECK_STATUS(glk_optimizer_minimize(c, o, program, list, 2, 1, &loss), GLK_OK);
  glk_program_describe(c, program, &one);
  CHECK_STATUS(glk_locks_add_all(c, list[1]), GLK_OK);
  CHECK_STATUS(glk_optimizer_minimize(c, o, program, list, 2, 1, &loss), GLK_OK);
  CHECK_STATUS(glk_optimizer_minimize(c, o, program, list, 2, 7, &again), GLK_OK);
  glk_program_describe(c, program, &none);
  CHECK(loss == again);
  CHECK(none.active_nodes < one.active_nodes && one.active_nodes < both.active_nodes);
  CHECK_EQ(none.active_nodes, 8); /* the recorded ops */
  end();
}

/* Law 17: the same program, whatever the locks were when it was recorded or first run. */
static void locks_change_between_any_two_steps_without_recording_again(void) {
  begin();
  enum { N = 40, STEPS = 30 };
  glk_real values[N], before[N], after[N];
  for (int i = 0; i < N; i++) values[i] = rng_real(-1, 1);
  const glk_handle x = variable(N, values), y = variable(N, values);
  CHECK_STATUS(glk_locks_add_all(c, x), GLK_OK);
  const glk_handle program = record_loss(x, y), o = optimizer(GLK_ADAM, "learningRate", 0.05);
  glk_memory memory, later;
  for (int step = 0; step < STEPS; step++) {
    uint8_t mask[N];
    glk_handle toggled;
    for (int i = 0; i < N; i++) mask[i] = rng_below(3) == 0;
    const uint32_t n = N;
    CHECK_STATUS(glk_locks_create(c, 1, &n, &toggled), GLK_OK);
    CHECK_STATUS(glk_locks_add_mask(c, toggled, mask, N), GLK_OK);
    CHECK_STATUS(glk_locks_combine(c, x, GLK_LOCKS_XOR, toggled), GLK_OK);
    glk_dispose(c, toggled);
    glk_read(c, x, before, N);
    CHECK_STATUS(glk_optimizer_minimize(c, o, program, &x, 1, 1, NULL), GLK_OK);
    glk_read(c, x, after, N);
    for (uint32_t i = 0; i < N; i++) {
      int is_locked;
      glk_locks_test(c, x, i, &is_locked);
      CHECK_MSG((memcmp(&before[i], &after[i], sizeof before[i]) == 0) == is_locked,
                "step %d: element %u, locked %d, from %.9g to %.9g", step, i, is_locked,
                (double)before[i], (double)after[i]);
    }
    if (step == STEPS / 2) glk_context_memory(c, &memory);
  }
  glk_context_memory(c, &later);
  CHECK_EQ(memory.allocations, later.allocations);
  end();
}

/* Law 25 */
enum { DECAYING = 37, FADED = 300 };
typedef struct decay {
  glk_handle x, gradient, optimizer;
  uint32_t n;
} decay;

static decay make_decay(const law_options *options, uint32_t n, const glk_real *values) {
  const decay d = {variable(n, values), variable(n, values), optimizer(options->rule, NULL, 0), n};
  for (const law_option *o = options->set; o < options->set + LAW_MAX_OPTIONS && o->name; o++) {
    set(d.optimizer, o->name, o->value);
  }
  set(d.optimizer, "clipNorm", 0); /* by which elements would see each other */
  set(d.optimizer, "globalClipNorm", 0);
  set(d.optimizer, "useEma", 1);
  set(d.optimizer, "emaMomentum", 0.5);
  return d;
}

static void decay_step(const decay *d, const glk_real *gradient) {
  CHECK_STATUS(glk_variable_assign(c, d->gradient, gradient, d->n, 0), GLK_OK);
  CHECK_STATUS(glk_optimizer_apply(c, d->optimizer, &d->x, &d->gradient, 1), GLK_OK);
}

/* Slots, then the average, [k, n]; returns how many k there are. */
static uint32_t read_decay(const decay *d, glk_real *out) {
  uint32_t k = 0;
  while (!glk_optimizer_slot(c, d->optimizer, d->x, k, out + k * d->n, d->n)) k++;
  CHECK_STATUS(glk_optimizer_average(c, d->optimizer, d->x, out + k * d->n, d->n), GLK_OK);
  return k + 1;
}

/* Of any size, also so small that slots soon leave the normal numbers. */
static glk_real small_number(void) {
  glk_real x = rng_real(-1, 1);
  for (uint32_t k = rng_below(sizeof x == 8 ? 1020 : 124); k; k--) x /= 2;
  return x;
}

static void slots_of_free_elements_fade_to_0_and_are_never_subnormal(void) {
  enum { ROOM = (GLK_MAX_SLOTS + 1) * DECAYING };
  uint32_t faded = 0;
  for (int o = 0; o < OPTION_SETS; o++) {
    glk_real values[DECAYING], gradient[DECAYING], some[DECAYING];
    glk_real held[ROOM], before[ROOM], after[ROOM], alone[ROOM];
    rng_seed(4000000 + (uint64_t)o);
    begin();
    for (int i = 0; i < DECAYING; i++) values[i] = i % 3 ? some[i - i / 3 - 1] = small_number() : 2;
    const uint32_t n = DECAYING - (DECAYING + 2) / 3;
    const decay all = make_decay(&all_options[o], DECAYING, values);
    const decay reduced = make_decay(&all_options[o], n, some);
    for (int step = 0; step < FADED; step++) {
      for (int i = 0; i < DECAYING; i++) {
        gradient[i] = step > 2 ? 0 : small_number();
        if (i % 3) some[i - i / 3 - 1] = gradient[i];
      }
      decay_step(&all, gradient);
      decay_step(&reduced, some);
      if (!step) {
        for (uint32_t i = 0; i < DECAYING; i += 3) lock(all.x, i); /* with the slots of a step */
        read_decay(&all, held);
      }
      const uint32_t arrays = read_decay(&all, after);
      read_decay(&reduced, alone);
      for (uint32_t k = 0; k < arrays * DECAYING; k++) {
        const uint32_t i = k % DECAYING, at = k / DECAYING * n + i - i / 3 - 1;
        if (i % 3 == 0) {
          CHECK_MSG(law_same(held[k], after[k]) || k >= (arrays - 1) * DECAYING,
                    "%s: locked element %u moved", law_lines[o], i);
          continue;
        }
        CHECK_MSG(!law_is_subnormal(after[k]) || !step, "%s step %d: %.9g of element %u",
                  law_lines[o], step, (double)after[k], i);
        CHECK_MSG(law_equivalent(after[k], alone[at]), "%s step %d: element %u is %.9g, alone %.9g",
                  law_lines[o], step, i, (double)after[k], (double)alone[at]);
        faded += step && before[k] != 0 && after[k] == 0;
      }
      memcpy(before, after, sizeof before);
    }
    end();
  }
  CHECK_MSG(faded > 100, "%u slots faded", faded);
}

int main(int argc, char **argv) {
  harness_begin(argc, argv);
  read_options();
  TEST(every_rule_has_a_set_of_options);
  TEST(every_rule_keeps_the_laws_at_sizes_1_to_70);
  TEST(every_rule_keeps_the_laws_at_4099);
  TEST(every_rule_keeps_the_laws_with_every_extra);
  TEST(a_rate_of_zero_keeps_the_laws_as_a_lock_does);
  TEST(an_element_unlocked_after_1000_steps_first_moves_by_the_learning_rate);
  TEST(clocks_cost_no_memory_until_counts_differ);
  TEST(norms_see_only_what_is_free_and_both_are_reported);
  TEST(a_nan_behind_a_lock_reaches_no_norm);
  TEST(locking_changes_neither_the_loss_nor_any_gradient);
  TEST(all_locked_is_a_successful_step_that_computes_no_gradient);
  TEST(slots_of_free_elements_fade_to_0_and_are_never_subnormal);
  TEST(locks_change_between_any_two_steps_without_recording_again);
  return harness_report();
}
