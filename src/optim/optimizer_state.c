/* States of optimizers, in this order: rule, options, schedule, counts; and of each variable its
 * rates, constraint, clock, average, pending gradients and slots. */
#include "optim/optimizer_state.h"

#include <string.h>

static void walk_schedule(glk_archive *a, glk_optimizer *o) {
  const glk_schedule current = o->schedule.kind;
  const char *name = "";
  char kind[GLK_NAME_BYTES] = {0};
  double numbers[GLK_MAX_SCHEDULE];
  uint32_t count = current == GLK_CONSTANT ? 0 : o->schedule.count; /* that number is the option */
  glk_schedule_describe(current, &name, NULL);
  memcpy(kind, name, strlen(name) + 1);
  glk_archive_begin(a, "schedule", '{', NULL);
  glk_archive_text(a, "kind", kind, sizeof kind);
  const void *found = glk_archive_list(a, "numbers", 'd', o->schedule.numbers, &count);
  glk_archive_end(a);
  if (!a->in || a->status != GLK_OK) return;
  const glk_schedule read = glk_schedule_find(kind);
  if (read == GLK_OWN_SCHEDULE && current != GLK_OWN_SCHEDULE) {
    a->status = glk_fail(a->context, GLK_ERROR_OPTION,
                         "the state's learning rate is a function, which no state can hold: give "
                         "the optimizer one first; nothing was changed");
    return;
  }
  if (read == GLK_SCHEDULE_COUNT || count > GLK_MAX_SCHEDULE) {
    glk_archive_refuse(a, read == GLK_SCHEDULE_COUNT ? "this library has no schedule of that name"
                                                     : "its schedule is too long");
    return;
  }
  memcpy(numbers, found, count * sizeof *numbers);
  if (read == GLK_CONSTANT) {
    count = 1;
    numbers[0] = o->options[GLK_OPTION_LEARNING_RATE];
  }
  a->status = glk_plan_make(a->context, read, numbers, count, &o->schedule);
}

static void walk_counts(glk_archive *a, glk_optimizer *o) {
  double norms[2] = {o->norm_free, o->norm_all};
  glk_archive_values(a, "iterations", 'n', &o->iterations, 1);
  glk_archive_values(a, "pendingCalls", 'n', &o->pending_calls, 1);
  glk_archive_values(a, "norms", 'd', norms, 2);
  const double counts[2] = {o->iterations, o->pending_calls};
  for (int k = 0; k < 2; k++) {
    if (!(counts[k] >= 0 && counts[k] < 0x1p53 && counts[k] == (double)(int64_t)counts[k])) {
      glk_archive_refuse(a, "its counts are none");
      return;
    }
  }
  o->norm_free = norms[0];
  o->norm_all = norms[1];
}

static void walk_clock(glk_archive *a, const glk_lockset *locks, glk_clock *clock) {
  uint32_t counts[3] = {2 * clock->cohort_count, clock->words ? clock->word_count : 0,
                        clock->cohort ? clock->element_count : 0};
  glk_archive_begin(a, "clock", '{', NULL);
  const void *cohorts = glk_archive_list(a, "cohorts", 'u', clock->cohorts, &counts[0]);
  const void *words = glk_archive_list(a, "seen", 'u', clock->words, &counts[1]);
  const void *cohort = glk_archive_list(a, "members", 'u', clock->cohort, &counts[2]);
  glk_archive_end(a);
  if (!a->in || a->status != GLK_OK) return;
  const uint32_t elements = locks->word_count * 32;
  if (counts[0] % 2 || counts[0] > 4 * elements + 4 ||
      (counts[1] && counts[1] != locks->word_count) || (counts[2] && counts[2] != elements) ||
      (counts[2] && !counts[1])) {
    glk_archive_refuse(a, "a clock has another size than its variable");
    return;
  }
  a->status = glk_clock_restore(a->context, locks, cohorts, counts[0] / 2, counts[1] ? words : NULL,
                                counts[2] ? cohort : NULL, clock);
  if (a->status == GLK_OK && !glk_clock_is_sound(clock)) {
    glk_archive_refuse(a, "a clock contradicts itself");
  }
}

static void walk_rates(glk_archive *a, glk_entry *entry) {
  const glk_shape *shape = &entry->variable->tensor.shape;
  uint32_t is_decayed = entry->is_decayed != 0;
  glk_archive_whole(a, "weightDecay", 1, &is_decayed);
  glk_archive_values(a, "rateFactor", 'n', &entry->scale, 1);
  glk_archive_reals(a, "rateFactors", &entry->factors, shape->count, entry->padded_count);
  if (!a->in || a->status != GLK_OK) return;
  entry->is_decayed = (int)is_decayed;
  int is_still = entry->scale == 0, is_good = entry->scale >= 0 && entry->scale <= 1e30;
  for (size_t i = 0; entry->factors && i < shape->count; i++) {
    is_good &= entry->factors[i] >= 0 && entry->factors[i] <= (glk_real)1e30;
    is_still |= entry->factors[i] == 0;
  }
  if (!is_good) glk_archive_refuse(a, "a rate factor is out of its range");
  if (is_good && is_still) a->status = glk_lockset_init(a->context, shape, &entry->effective);
}

static void walk_constraint(glk_archive *a, glk_entry *entry) {
  glk_constraint *c = &entry->constraint;
  double limits[2] = {c->low, c->high};
  uint32_t kind = c->kind;
  glk_archive_begin(a, "constraint", '{', NULL);
  glk_archive_whole(a, "kind", GLK_UNIT_NORM, &kind);
  glk_archive_values(a, "limits", 'd', limits, 2);
  glk_archive_whole(a, "axes", (1u << entry->variable->tensor.shape.rank) - 1, &c->axes);
  glk_archive_end(a);
  if (!a->in || a->status != GLK_OK) return;
  const uint32_t axes = c->axes;
  a->status = glk_constraint_make(a->context, kind, limits[0], limits[1], c);
  c->axes = axes;
}

void glk_state_walk_entry(glk_archive *a, const glk_rule_row *rule, glk_entry *entry) {
  const glk_variable *v = entry->variable;
  const uint32_t count = v->tensor.shape.count, padded = entry->padded_count;
  walk_rates(a, entry);
  walk_constraint(a, entry);
  walk_clock(a, &v->locks, &entry->clock);
  glk_archive_reals(a, "average", &entry->average, count, padded);
  glk_archive_reals(a, "pending", &entry->pending, count, padded);
  glk_archive_begin(a, "slots", '{', NULL);
  for (uint32_t k = 0; k < rule->slot_count; k++) {
    glk_archive_reals(a, rule->slots[k], &entry->slots[k], count, padded);
  }
  glk_archive_end(a);
}

void glk_state_walk_optimizer(glk_archive *a, glk_optimizer *o) {
  const glk_option_table table = {o->rule->name, o->rule->options, o->rule->option_count};
  glk_options_walk(a, &table, o->options);
  if (a->in && a->status == GLK_OK) {
    a->status = glk_optimizer_check(a->context, o->rule, o->options);
  }
  walk_schedule(a, o);
  walk_counts(a, o);
  /* What was refused may be any number. */
  if (a->in && a->status == GLK_OK) glk_optimizer_sync_rate(o);
}
