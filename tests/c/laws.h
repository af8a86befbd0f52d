/* The laws of docs/laws.md that every update rule must keep, as one function over a rule and its
 * options.
 *
 * check_lock_laws trains a variable under given gradients while its locks change between steps, and
 * compares it with the reduced problem of law 3 in its plainest form. There, every element is a
 * separate variable, which takes part in a step only while the element is free. Values, slots and
 * clocks must agree byte for byte, and what is locked must not move at all.
 *
 * No element alone is ever locked, and what an optimizer does beside its rule they get by another
 * way: what is pending and averages are computed here (laws 15 and 16), constraints are an
 * optimizer of their own after the step, a rate is one for all instead of factors, an exclusion
 * from decay is no decay, a schedule is the rate of each step. A norm over all elements has no such
 * problem; there its bound is checked (law 10). */
#ifndef GLK_TESTS_LAWS_H
#define GLK_TESTS_LAWS_H

#include <stdlib.h>

#include "law_options.h"

/* One element's own problem. */
typedef struct law_element {
  glk_handle variable, gradient; /* the gradient is written anew for each step */
  int was_locked;                /* in the last step */
  glk_real factor;               /* of its rate */
  glk_real pending;              /* its gradients since the last step */
  glk_real average;
} law_element;

typedef struct law_run {
  glk_context *context;
  const law_options *options;
  const law_extra *extra;
  uint32_t n, slots;
  int resets, checks_elements, has_average;
  uint32_t calls, pending_calls; /* that make a step, and those since the last */
  glk_handle x, optimizer, single_optimizer, projector;
  law_element *elements;
  uint8_t *mask;
  glk_real *gradient;
  glk_real *before, *after; /* [(2 + slots) * n]: values, then slots, then averages */
  uint32_t *clock_before, *clock_after;
  const char *where;
} law_run;

/* Hold every other locked element by a learning-rate factor of 0 instead. */
static int law_holds_by_rates;

static int law_same(glk_real a, glk_real b) { return memcmp(&a, &b, sizeof a) == 0; }

/* Computed NaNs have whatever bits the machine gives them. */
static int law_equivalent(glk_real a, glk_real b) { return law_same(a, b) || (a != a && b != b); }

/* Law 25. */
static int law_is_subnormal(glk_real x) {
  return x != 0 && __builtin_fabs((double)x) < (sizeof x == 8 ? 0x1p-1022 : 0x1p-126);
}

/* Zeros become +0, too. */
static glk_real law_flushed(glk_real x) { return x == 0 || law_is_subnormal(x) ? 0 : x; }

static double law_option_of(const law_run *run, glk_handle optimizer, const char *name) {
  double value = 0;
  CHECK_STATUS(glk_optimizer_get(run->context, optimizer, name, &value), GLK_OK);
  return value;
}

static void law_set(const law_run *run, glk_handle optimizer, const char *name, double value) {
  CHECK_STATUS(glk_optimizer_set(run->context, optimizer, &name, &value, 1), GLK_OK);
}

/* With elements apart, the norm of the variable is the norm of all of them, and what spans calls is
 * done here. */
static void law_set_all(const law_run *run, const law_option *set, int most) {
  for (const law_option *o = set; o < set + most && o->name; o++) {
    const int is_norm = !strcmp(o->name, "clipNorm");
    law_set(run, run->optimizer, o->name, o->value);
    law_set(run, run->single_optimizer, is_norm ? "globalClipNorm" : o->name, o->value);
  }
  law_set(run, run->single_optimizer, "useEma", 0);
  law_set(run, run->single_optimizer, "gradientAccumulationSteps", 1);
}

static void law_set_options(law_run *run) {
  glk_context *c = run->context;
  const law_extra *extra = run->extra;
  law_set_all(run, run->options->set, LAW_MAX_OPTIONS);
  law_set_all(run, extra->set, 4);
  law_set(run, run->projector, "learningRate", 0);
  run->resets = law_option_of(run, run->optimizer, "resetOnUnlock") != 0;
  run->has_average = law_option_of(run, run->optimizer, "useEma") != 0;
  run->calls = (uint32_t)law_option_of(run, run->optimizer, "gradientAccumulationSteps");
  if (extra->excludes_decay) {
    CHECK_STATUS(glk_optimizer_exclude_decay(c, run->optimizer, run->x, 1), GLK_OK);
    law_set(run, run->single_optimizer, "weightDecay", 0);
  }
  if (extra->constrained) {
    CHECK_STATUS(glk_optimizer_constrain(c, run->optimizer, run->x, extra->constrained, extra->low,
                                         extra->high, (uint32_t[]){0}, extra->is_whole != 0),
                 GLK_OK);
  }
  if (extra->schedule) {
    CHECK_STATUS(glk_optimizer_schedule(c, run->optimizer, extra->schedule, extra->numbers,
                                        extra->number_count),
                 GLK_OK);
  }
}

static void law_read(const law_run *run, glk_real *out, uint32_t *clock) {
  const glk_real *values;
  const uint32_t n = run->n;
  size_t count;
  /* Locks are dropped around nothing here: glk_view makes free NaNs canonical and leaves locked
   * bits alone. */
  CHECK_STATUS(glk_view(run->context, run->x, &values, &count), GLK_OK);
  memcpy(out, values, n * sizeof *out);
  for (uint32_t k = 0; k < run->slots; k++) {
    CHECK_STATUS(glk_optimizer_slot(run->context, run->optimizer, run->x, k, out + (1 + k) * n, n),
                 GLK_OK);
  }
  CHECK_STATUS(
      glk_optimizer_average(run->context, run->optimizer, run->x, out + (1 + run->slots) * n, n),
      GLK_OK);
  CHECK_STATUS(glk_optimizer_clock(run->context, run->optimizer, run->x, clock, n), GLK_OK);
}

static void law_make_element(const law_run *run, uint32_t i, glk_real value) {
  const uint32_t one = 1;
  law_element *e = &run->elements[i];
  const law_extra *extra = run->extra;
  CHECK_STATUS(glk_variable_create(run->context, 1, &one, &value, 1, "element", 1, &e->variable),
               GLK_OK);
  if (e->factor != 1) {
    CHECK_STATUS(
        glk_optimizer_scale_rate(run->context, run->single_optimizer, e->variable, &e->factor, 1),
        GLK_OK);
  }
  if (extra->constrained) {
    CHECK_STATUS(glk_optimizer_constrain(run->context, run->projector, e->variable,
                                         extra->constrained, extra->low, extra->high, NULL, 0),
                 GLK_OK);
  }
}

/* The learning rate of a schedule for the next step. */
static void law_set_rate(const law_run *run) {
  const law_extra *extra = run->extra;
  double iterations, rate;
  if (!extra->schedule) return;
  CHECK_STATUS(glk_optimizer_iterations(run->context, run->single_optimizer, &iterations), GLK_OK);
  CHECK_STATUS(glk_schedule_rate(run->context, extra->schedule, extra->numbers, extra->number_count,
                                 iterations, &rate),
               GLK_OK);
  law_set(run, run->single_optimizer, "learningRate", rate);
}

/* A call for the elements that are free. */
static void law_apply_free(const law_run *run, glk_handle optimizer, const glk_real *gradient) {
  glk_handle *variables = calloc(run->n + 1, sizeof *variables);
  glk_handle *gradients = calloc(run->n + 1, sizeof *gradients);
  uint32_t count = 0;
  for (uint32_t i = 0; i < run->n; i++) {
    const law_element *e = &run->elements[i];
    if (run->mask[i]) continue;
    CHECK_STATUS(glk_variable_assign(run->context, e->gradient, &gradient[i], 1, 0), GLK_OK);
    variables[count] = e->variable;
    gradients[count++] = e->gradient;
  }
  CHECK_STATUS(glk_optimizer_apply(run->context, optimizer, variables, gradients, count), GLK_OK);
  free(variables);
  free(gradients);
}

/* The step of a call: on the mean of what is pending, by the locks of now. */
static void law_step_free(const law_run *run) {
  law_set_rate(run);
  for (uint32_t i = 0; i < run->n; i++) {
    law_element *e = &run->elements[i];
    if (run->resets && e->was_locked && !run->mask[i]) { /* starts anew, with the value it has */
      glk_real value;
      glk_read(run->context, e->variable, &value, 1);
      glk_dispose(run->context, e->variable);
      law_make_element(run, i, value);
    }
    e->was_locked = run->mask[i];
    e->pending = 0;
  }
  law_apply_free(run, run->single_optimizer, run->gradient);
}

/* Law 16: the average of a locked element is the element. */
static void law_average_element(const law_run *run, uint32_t i, int overwrites) {
  law_element *e = &run->elements[i];
  const glk_real keep = (glk_real)law_option_of(run, run->optimizer, "emaMomentum");
  glk_real value;
  uint32_t clock;
  glk_read(run->context, e->variable, &value, 1);
  glk_optimizer_clock(run->context, run->single_optimizer, e->variable, &clock, 1);
  const int starts = run->mask[i] || clock <= 1;
  e->average = starts ? value : law_flushed(keep * e->average + (1 - keep) * value);
  if (run->mask[i] || !overwrites) return;
  CHECK_STATUS(glk_variable_assign(run->context, e->variable, &e->average, 1, 0), GLK_OK);
}

/* `iterations` are those before the call. */
static void law_call_elements(law_run *run, double iterations) {
  const int takes_step = run->pending_calls + 1 == run->calls;
  for (uint32_t i = 0; i < run->n && run->calls > 1; i++) {
    law_element *e = &run->elements[i];
    e->pending = run->mask[i] ? 0 : law_flushed(run->gradient[i] + e->pending); /* law 15 */
    run->gradient[i] = law_flushed(e->pending / (glk_real)run->calls);
  }
  if (takes_step) law_step_free(run);
  run->pending_calls = takes_step ? 0 : run->pending_calls + 1;
  if (run->has_average) {
    const uint32_t every = (uint32_t)law_option_of(run, run->optimizer, "emaOverwriteFrequency");
    const int overwrites = every && ((uint32_t)iterations + 1) % every == 0;
    for (uint32_t i = 0; i < run->n; i++) law_average_element(run, i, overwrites);
  }
  if (run->extra->constrained) {
    glk_real *zeros = calloc(run->n, sizeof *zeros);
    law_apply_free(run, run->projector, zeros);
    free(zeros);
  }
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
    if (run->has_average) {
      const glk_real average = run->after[(1 + run->slots) * run->n + i];
      CHECK_MSG(law_equivalent(run->elements[i].average, average),
                "%s n=%u step %d: the average of element %u is %.9g, alone %.9g", run->where,
                run->n, step, i, (double)average, (double)run->elements[i].average);
    }
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
    for (uint32_t k = 0; k <= run->slots + 1; k++) {
      const uint32_t at = k * run->n + i;
      CHECK_MSG(law_same(run->before[at], run->after[at]),
                "%s n=%u step %d: locked element %u moved in %s %u from %.9g to %.9g", run->where,
                run->n, step, i, k ? "slot" : "value", k ? k - 1 : 0, (double)run->before[at],
                (double)run->after[at]);
    }
    CHECK_MSG(law_same(run->after[i], run->after[(1 + run->slots) * run->n + i]),
              "%s n=%u step %d: locked element %u is not its average", run->where, run->n, step, i);
    CHECK_MSG(run->clock_before[i] == run->clock_after[i],
              "%s n=%u step %d: clock of locked %u moved", run->where, run->n, step, i);
  }
}

/* Nothing at all happened. */
static void law_compare_refused(const law_run *run, int step) {
  CHECK_MSG(!memcmp(run->before, run->after, (2 + run->slots) * run->n * sizeof *run->after) &&
                !memcmp(run->clock_before, run->clock_after, run->n * sizeof *run->clock_after),
            "%s n=%u step %d: a step that was refused changed something", run->where, run->n, step);
}

/* Law 10, for a norm over all: what a step must answer, by what the locked elements leave. */
static glk_status law_expected_status(const law_run *run) {
  const law_extra *extra = run->extra;
  double locked = 0;
  uint32_t free_count = 0;
  for (uint32_t i = 0; i < run->n; i++) {
    const double value = (double)run->before[i];
    if (run->mask[i]) locked += value * value;
    free_count += !run->mask[i];
  }
  const int fits = locked <= extra->high * extra->high * (1 + 1e-6);
  return extra->is_whole && free_count && !fits ? GLK_ERROR_CONSTRAINT : GLK_OK;
}

static void law_compare_norm(const law_run *run, int step) {
  const law_extra *extra = run->extra;
  double all = 0;
  uint32_t free_count = 0;
  for (uint32_t i = 0; i < run->n; i++) {
    all += (double)run->after[i] * (double)run->after[i];
    free_count += !run->mask[i];
  }
  if (!extra->is_whole || !free_count || !(all < __builtin_inf())) return;
  CHECK_MSG(all <= extra->high * extra->high * (1 + 1e-5), "%s n=%u step %d: the norm is %.9g",
            run->where, run->n, step, __builtin_sqrt(all));
}

static void law_set_rates(const law_run *run) {
  glk_real *factors = calloc(run->n, sizeof *factors);
  for (uint32_t i = 0; i < run->n; i++) {
    factors[i] = law_holds_by_rates && i % 2 && run->mask[i] ? 0 : run->elements[i].factor;
  }
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
  if (law_holds_by_rates || run->extra->scales_rates) law_set_rates(run);
}

static void law_step(law_run *run, law_gradient kind, int step) {
  glk_handle gradient;
  double iterations;
  for (uint32_t i = 0; i < run->n; i++) run->gradient[i] = law_gradient_at(kind, run->mask[i]);
  CHECK_STATUS(glk_tensor_create(run->context, 1, &run->n, run->gradient, run->n, &gradient),
               GLK_OK);
  law_read(run, run->before, run->clock_before);
  const glk_status expected = law_expected_status(run);
  CHECK_STATUS(glk_optimizer_iterations(run->context, run->optimizer, &iterations), GLK_OK);
  CHECK_STATUS(glk_optimizer_apply(run->context, run->optimizer, &run->x, &gradient, 1), expected);
  law_read(run, run->after, run->clock_after);
  law_compare_locked(run, step);
  if (expected != GLK_OK) {
    law_compare_refused(run, step);
  } else {
    law_compare_norm(run, step);
  }
  if (run->checks_elements) {
    law_call_elements(run, iterations);
    law_compare_elements(run, step);
  }
  glk_dispose(run->context, gradient);
}

static void law_begin(law_run *run) {
  const uint32_t n = run->n, kept = 2 + GLK_MAX_SLOTS;
  const law_options *options = run->options;
  glk_real *values = calloc(n, sizeof *values);
  for (uint32_t i = 0; i < n; i++) values[i] = law_value_at(i);
  CHECK_STATUS(glk_context_create(NULL, &run->context), GLK_OK);
  CHECK_STATUS(glk_variable_create(run->context, 1, &n, values, n, "x", 1, &run->x), GLK_OK);
  CHECK_STATUS(glk_optimizer_create(run->context, options->rule, &run->optimizer), GLK_OK);
  CHECK_STATUS(glk_optimizer_create(run->context, options->rule, &run->single_optimizer), GLK_OK);
  CHECK_STATUS(glk_optimizer_create(run->context, GLK_SGD, &run->projector), GLK_OK);
  glk_rule_describe(options->rule, NULL, &run->slots, NULL);
  law_set_options(run);
  run->mask = calloc(n, 1);
  run->gradient = calloc(n, sizeof *run->gradient);
  run->before = calloc((size_t)kept * n, sizeof *run->before);
  run->after = calloc((size_t)kept * n, sizeof *run->after);
  run->clock_before = calloc(n, sizeof *run->clock_before);
  run->clock_after = calloc(n, sizeof *run->clock_after);
  run->elements = calloc(n, sizeof *run->elements);
  for (uint32_t i = 0; i < n; i++) {
    run->elements[i].factor =
        run->extra->scales_rates ? (glk_real)(1 << rng_below(5)) / 4 : (glk_real)1;
    if (!run->checks_elements) continue;
    law_make_element(run, i, values[i]);
    CHECK_STATUS(glk_variable_create(run->context, 1, (uint32_t[]){1}, NULL, 1, "gradient", 1,
                                     &run->elements[i].gradient),
                 GLK_OK);
  }
  free(values);
}

static void law_end(law_run *run) {
  glk_context_dispose(run->context);
  free(run->mask);
  free(run->gradient);
  free(run->before);
  free(run->after);
  free(run->clock_before);
  free(run->clock_after);
  free(run->elements);
}

/** Laws 1-7, 10, 12 and 15-17 for one rule, size, lock pattern and kind of gradient. Locks are the
 *  pattern's for two steps, then some are toggled before each. `checks_elements` adds the reduced
 *  problem. */
static void check_lock_laws(const law_options *options, const law_extra *extra, uint32_t n,
                            law_pattern pattern, law_gradient kind, int checks_elements) {
  char where[128];
  snprintf(where, sizeof where, "%s, %s", options->title, extra->title);
  law_run run = {.options = options,
                 .extra = extra,
                 .n = n,
                 .checks_elements = checks_elements && !extra->is_whole,
                 .where = where};
  law_begin(&run);
  for (uint32_t i = 0; i < n; i++) run.mask[i] = (uint8_t)law_is_locked(pattern, i, n);
  for (int step = 0; step < LAW_STEPS; step++) {
    for (uint32_t i = 0; i < n && step > 1; i++) run.mask[i] ^= rng_below(4) == 0;
    if (step != 1) law_set_locks(&run);
    law_step(&run, kind, step);
  }
  law_end(&run);
}

#endif
