/* The laws of LOCKS.md that every update rule must keep, as one function over a rule and its options.
 *
 * check_lock_laws trains a variable under given gradients while its locks change between steps, and holds it against
 * the reduced problem of law 3 at its plainest: every element as a variable of its own, which takes part in a step only
 * while its element is free. Values, slots and clocks must agree byte for byte, and what is locked must not move at all.
 */
#ifndef GLK_TESTS_LAWS_H
#define GLK_TESTS_LAWS_H

#include <stdlib.h>

#include "harness.h"

enum { LAW_MAX_OPTIONS = 10 };

typedef struct law_option {
  const char *name;
  double value;
} law_option;

typedef struct law_options {
  const char *title;
  glk_rule rule;
  law_option set[LAW_MAX_OPTIONS]; /* until a NULL name */
} law_options;

typedef enum law_pattern {
  LOCK_NONE,
  LOCK_FIRST,
  LOCK_LAST,
  LOCK_ALTERNATE,
  LOCK_RANDOM,
  LOCK_ROWS, /* of four, every second one */
  LOCK_ALL,
  LAW_PATTERNS
} law_pattern;

typedef enum law_gradient {
  GRADIENT_FINITE,
  GRADIENT_ZERO,
  GRADIENT_HUGE,
  GRADIENT_NAN,
  GRADIENT_INFINITE,
  GRADIENT_NEGATIVE_INFINITE,
  GRADIENT_NEGATIVE_ZERO,
  GRADIENT_BAD_WHERE_LOCKED, /* finite where free, NaN and infinities behind locks */
  LAW_GRADIENTS
} law_gradient;

enum { LAW_STEPS = 5, LAW_MAX_SLOTS = GLK_MAX_SLOTS };

static int law_is_locked(law_pattern pattern, uint32_t i, uint32_t n) {
  switch (pattern) {
  case LOCK_FIRST: return i == 0;
  case LOCK_LAST: return i == n - 1;
  case LOCK_ALTERNATE: return i % 2 == 0;
  case LOCK_RANDOM: return rng_below(2) == 0;
  case LOCK_ROWS: return i / 4 % 2 == 0;
  case LOCK_ALL: return 1;
  default: return 0;
  }
}

static glk_real law_gradient_at(law_gradient kind, int is_locked) {
  const glk_real nan = (glk_real)__builtin_nan(""), infinity = (glk_real)__builtin_inf();
  switch (kind) {
  case GRADIENT_ZERO: return 0;
  case GRADIENT_HUGE: return rng_real(-1, 1) * (glk_real)1e30;
  case GRADIENT_NAN: return rng_below(2) ? nan : rng_real(-1, 1);
  case GRADIENT_INFINITE: return infinity;
  case GRADIENT_NEGATIVE_INFINITE: return -infinity;
  case GRADIENT_NEGATIVE_ZERO: return -(glk_real)0;
  case GRADIENT_BAD_WHERE_LOCKED: {
    const glk_real bad[3] = {nan, infinity, -infinity};
    const uint32_t which = rng_below(3);
    const glk_real good = rng_real(-2, 2);
    return is_locked ? bad[which] : good;
  }
  default: return rng_real(-2, 2);
  }
}

/* Values whose bits are easily lost: signed zeros, infinities, NaNs with payloads, signalling ones among them. */
static glk_real law_value_at(uint32_t i) {
  glk_real value = rng_real(-3, 3);
#ifndef GLK_DOUBLE
  static const uint32_t bits[] = {0x80000000u, 0x7f800000u, 0xff800000u, 0x7fc12345u,
                                  0xffc00001u, 0x7f800001u, 0xffaaaaaau, 0x00000001u};
  if (i % 5 == 3) memcpy(&value, &bits[i / 5 % 8], sizeof value);
#else
  if (i % 5 == 3) value = -(glk_real)0;
#endif
  return value;
}

/* One element's own problem. */
typedef struct law_element {
  glk_handle variable;
  int was_locked;
} law_element;

typedef struct law_run {
  glk_context *context;
  const law_options *options;
  uint32_t n, slots;
  int resets, checks_elements;
  glk_handle x, optimizer, single_optimizer;
  law_element *elements;
  uint8_t *mask;
  glk_real *gradient;
  glk_real *before, *after; /* [(1 + slots) * n]: values, then slots */
  uint32_t *clock_before, *clock_after;
  const char *where;
} law_run;

/* Hold every other locked element by a learning-rate factor of 0 instead. */
static int law_holds_by_rates;

static int law_same(glk_real a, glk_real b) { return memcmp(&a, &b, sizeof a) == 0; }

/* Computed NaNs have whatever bits the machine gives them. */
static int law_equivalent(glk_real a, glk_real b) { return law_same(a, b) || (a != a && b != b); }

static void law_set_options(const law_run *run, glk_handle optimizer, int is_single) {
  for (const law_option *o = run->options->set; o < run->options->set + LAW_MAX_OPTIONS && o->name;
       o++) {
    /* With elements apart, the norm of the variable is the norm of all of them. */
    const char *name = is_single && !strcmp(o->name, "clipNorm") ? "globalClipNorm" : o->name;
    CHECK_STATUS(glk_optimizer_set(run->context, optimizer, &name, &o->value, 1), GLK_OK);
  }
}

static void law_read(const law_run *run, glk_real *out, uint32_t *clock) {
  const glk_real *values;
  const uint32_t n = run->n;
  size_t count;
  /* Locks are dropped around nothing here: glk_view makes free NaNs canonical and leaves locked bits alone. */
  CHECK_STATUS(glk_view(run->context, run->x, &values, &count), GLK_OK);
  memcpy(out, values, n * sizeof *out);
  for (uint32_t k = 0; k < run->slots; k++) {
    CHECK_STATUS(glk_optimizer_slot(run->context, run->optimizer, run->x, k, out + (1 + k) * n, n),
                 GLK_OK);
  }
  CHECK_STATUS(glk_optimizer_clock(run->context, run->optimizer, run->x, clock, n), GLK_OK);
}

static void law_make_element(const law_run *run, uint32_t i, glk_real value) {
  const uint32_t one = 1;
  CHECK_STATUS(glk_variable_create(run->context, 1, &one, &value, 1, "element", 1,
                                   &run->elements[i].variable),
               GLK_OK);
}

static void law_step_elements(const law_run *run) {
  glk_handle *variables = calloc(run->n + 1, sizeof *variables);
  glk_handle *gradients = calloc(run->n + 1, sizeof *gradients);
  const uint32_t one = 1;
  uint32_t count = 0;
  for (uint32_t i = 0; i < run->n; i++) {
    law_element *e = &run->elements[i];
    if (!run->mask[i]) {
      if (run->resets && e->was_locked) { /* starts anew, with the value it has */
        glk_real value;
        glk_read(run->context, e->variable, &value, 1);
        glk_dispose(run->context, e->variable);
        law_make_element(run, i, value);
      }
      variables[count] = e->variable;
      CHECK_STATUS(
          glk_tensor_create(run->context, 1, &one, &run->gradient[i], 1, &gradients[count]),
          GLK_OK);
      count++;
    }
    e->was_locked = run->mask[i];
  }
  CHECK_STATUS(
      glk_optimizer_apply(run->context, run->single_optimizer, variables, gradients, count),
      GLK_OK);
  for (uint32_t i = 0; i < count; i++) glk_dispose(run->context, gradients[i]);
  free(variables);
  free(gradients);
}

static void law_compare_elements(const law_run *run, int step) {
  for (uint32_t i = 0; i < run->n; i++) {
    glk_real value;
    uint32_t clock = 0;
    const glk_handle element = run->elements[i].variable;
    if (run->mask[i]) continue; /* compared once free again; that it stood still is law 1 */
    glk_read(run->context, element, &value, 1);
    CHECK_MSG(law_equivalent(value, run->after[i]),
              "%s n=%u step %d: element %u is %.9g, alone %.9g", run->where, run->n, step, i,
              (double)run->after[i], (double)value);
    for (uint32_t k = 0; k < run->slots; k++) {
      glk_optimizer_slot(run->context, run->single_optimizer, element, k, &value, 1);
      CHECK_MSG(law_equivalent(value, run->after[(1 + k) * run->n + i]),
                "%s n=%u step %d: slot %u of element %u is %.9g, alone %.9g", run->where, run->n,
                step, k, i, (double)run->after[(1 + k) * run->n + i], (double)value);
    }
    glk_optimizer_clock(run->context, run->single_optimizer, element, &clock, 1);
    CHECK_MSG(clock == run->clock_after[i], "%s n=%u step %d: clock of element %u is %u, alone %u",
              run->where, run->n, step, i, run->clock_after[i], clock);
  }
}

static void law_compare_locked(const law_run *run, int step) {
  for (uint32_t i = 0; i < run->n; i++) {
    if (!run->mask[i]) continue;
    for (uint32_t k = 0; k <= run->slots; k++) {
      const uint32_t at = k * run->n + i;
      CHECK_MSG(law_same(run->before[at], run->after[at]),
                "%s n=%u step %d: locked element %u moved in %s %u from %.9g to %.9g", run->where,
                run->n, step, i, k ? "slot" : "value", k ? k - 1 : 0, (double)run->before[at],
                (double)run->after[at]);
    }
    CHECK_MSG(run->clock_before[i] == run->clock_after[i],
              "%s n=%u step %d: clock of locked %u moved", run->where, run->n, step, i);
  }
}

/* A factor of 1 changes no bit of a rate. */
static void law_set_rates(const law_run *run) {
  glk_real *factors = calloc(run->n, sizeof *factors);
  for (uint32_t i = 0; i < run->n; i++) factors[i] = i % 2 && run->mask[i] ? 0 : 1;
  CHECK_STATUS(glk_optimizer_scale_rate(run->context, run->optimizer, run->x, factors, run->n),
               GLK_OK);
  free(factors);
}

static void law_set_locks(const law_run *run) {
  glk_handle locks;
  uint8_t *mask = calloc(run->n, 1);
  for (uint32_t i = 0; i < run->n; i++) mask[i] = run->mask[i] && !(law_holds_by_rates && i % 2);
  CHECK_STATUS(glk_locks_create(run->context, 1, &run->n, &locks), GLK_OK);
  CHECK_STATUS(glk_locks_add_mask(run->context, locks, mask, run->n), GLK_OK);
  CHECK_STATUS(glk_locks_combine(run->context, run->x, GLK_LOCKS_SET, locks), GLK_OK);
  glk_dispose(run->context, locks);
  free(mask);
  if (law_holds_by_rates) law_set_rates(run);
}

static void law_step(const law_run *run, law_gradient kind, int step) {
  glk_handle gradient;
  for (uint32_t i = 0; i < run->n; i++) run->gradient[i] = law_gradient_at(kind, run->mask[i]);
  CHECK_STATUS(glk_tensor_create(run->context, 1, &run->n, run->gradient, run->n, &gradient),
               GLK_OK);
  law_read(run, run->before, run->clock_before);
  CHECK_STATUS(glk_optimizer_apply(run->context, run->optimizer, &run->x, &gradient, 1), GLK_OK);
  law_read(run, run->after, run->clock_after);
  law_compare_locked(run, step);
  if (run->checks_elements) {
    law_step_elements(run);
    law_compare_elements(run, step);
  }
  glk_dispose(run->context, gradient);
}

/** Laws 1-7, 12 and 17 for one rule, size, lock pattern and kind of gradient. Locks are the pattern's for two steps,
 *  then some are toggled before each. `checks_elements` adds the reduced problem. */
static void check_lock_laws(const law_options *options, uint32_t n, law_pattern pattern,
                            law_gradient kind, int checks_elements) {
  law_run run = {
      .options = options, .n = n, .checks_elements = checks_elements, .where = options->title};
  glk_real *values = calloc(n, sizeof *values);
  for (uint32_t i = 0; i < n; i++) values[i] = law_value_at(i);
  CHECK_STATUS(glk_context_create(NULL, &run.context), GLK_OK);
  CHECK_STATUS(glk_variable_create(run.context, 1, &n, values, n, "x", 1, &run.x), GLK_OK);
  CHECK_STATUS(glk_optimizer_create(run.context, options->rule, &run.optimizer), GLK_OK);
  CHECK_STATUS(glk_optimizer_create(run.context, options->rule, &run.single_optimizer), GLK_OK);
  law_set_options(&run, run.optimizer, 0);
  law_set_options(&run, run.single_optimizer, 1);
  double resets;
  glk_optimizer_get(run.context, run.optimizer, "resetOnUnlock", &resets);
  run.resets = resets != 0;
  glk_rule_describe(options->rule, NULL, &run.slots, NULL);
  run.mask = calloc(n, 1);
  run.gradient = calloc(n, sizeof *run.gradient);
  run.before = calloc((size_t)(1 + run.slots) * n, sizeof *run.before);
  run.after = calloc((size_t)(1 + run.slots) * n, sizeof *run.after);
  run.clock_before = calloc(n, sizeof *run.clock_before);
  run.clock_after = calloc(n, sizeof *run.clock_after);
  run.elements = calloc(n, sizeof *run.elements);
  for (uint32_t i = 0; i < n && checks_elements; i++) law_make_element(&run, i, values[i]);

  for (uint32_t i = 0; i < n; i++) run.mask[i] = (uint8_t)law_is_locked(pattern, i, n);
  for (int step = 0; step < LAW_STEPS; step++) {
    for (uint32_t i = 0; i < n && step > 1; i++) run.mask[i] ^= rng_below(4) == 0;
    if (step != 1) law_set_locks(&run);
    law_step(&run, kind, step);
  }
  glk_context_dispose(run.context);
  free(values);
  free(run.mask);
  free(run.gradient);
  free(run.before);
  free(run.after);
  free(run.clock_before);
  free(run.clock_after);
  free(run.elements);
}

#endif
