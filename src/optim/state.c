/* The state of an optimizer as bytes, and back: all that its next step depends on, so that a run that is stopped, saved and
 * loaded elsewhere goes on bit for bit. The layout is core/archive.h's; what is in it, in which order, is what the walks
 * below say. Loading checks everything and has all memory before it changes anything. */
#include <string.h>

#include "core/memory.h"
#include "lock/saved.h"
#include "optim/optimizer.h"
#include "optim/state.h"

enum { MOST_COUNT = 0x7fffffff };

/* -------------------------------------------------------------------------------- shared with solvers */

void glk_state_walk_name(glk_archive *a, const char *own) {
  char name[GLK_NAME_BYTES] = {0};
  memcpy(name, own, strlen(own) + 1);
  glk_archive_text(a, "rule", name, sizeof name);
  if (a->status != GLK_OK || !strcmp(name, own)) return;
  a->status = glk_fail(a->context, GLK_ERROR_FORMAT,
                       "the state is of rule '%s', this is %s; nothing was changed", name, own);
}

void glk_state_walk_options(glk_archive *a, const glk_option_table *table, double *values) {
  glk_archive_begin(a, "options", '{', NULL);
  for (uint32_t k = 0; k < table->count; k++) {
    const char *name = table->options[k].name;
    double value = values[k];
    glk_archive_number(a, name, &value);
    if (!a->in || a->status != GLK_OK) continue;
    a->status = glk_options_set(a->context, table, &name, &value, 1, values);
  }
  glk_archive_end(a);
}

void glk_state_walk_also(glk_archive *a, const double *numbers, uint32_t count, const void **out) {
  uint32_t found = count;
  *out = glk_archive_list(a, "also", 'd', numbers, &found);
  if (a->status != GLK_OK || found == count) return;
  a->status =
      glk_fail(a->context, GLK_ERROR_SHAPE,
               "the state has %u numbers beside the optimizer's, %u were asked for", found, count);
}

void glk_state_begin_variables(glk_archive *a, uint32_t count) {
  uint32_t found = count;
  glk_archive_begin(a, "variables", '[', &found);
  if (a->status != GLK_OK || found == count) return;
  a->status = glk_fail(a->context, GLK_ERROR_SHAPE, "the state is of %u variables, %u were given",
                       found, count);
}

/* ------------------------------------------------------------------------------------------- the walk */

typedef struct state {
  glk_optimizer *optimizer; /* while reading, a copy */
  glk_saved *saved;
  glk_entry *entries; /* while writing, copies */
  uint32_t count;
  const double *numbers;
  uint32_t number_count;
  const void *found; /* the numbers that were read */
} state;

static void walk_schedule(glk_archive *a, glk_optimizer *o) {
  const glk_schedule own = o->schedule.kind;
  const char *name = "";
  char kind[GLK_NAME_BYTES] = {0};
  double numbers[GLK_MAX_SCHEDULE];
  uint32_t count = own == GLK_CONSTANT ? 0 : o->schedule.count; /* that number is the option */
  glk_schedule_describe(own, &name, NULL);
  memcpy(kind, name, strlen(name) + 1);
  glk_archive_begin(a, "schedule", '{', NULL);
  glk_archive_text(a, "kind", kind, sizeof kind);
  const void *found = glk_archive_list(a, "numbers", 'd', o->schedule.numbers, &count);
  glk_archive_end(a);
  if (!a->in || a->status != GLK_OK) return;
  const glk_schedule read = glk_schedule_find(kind);
  if (read == GLK_OWN_SCHEDULE && own != GLK_OWN_SCHEDULE) {
    a->status = glk_fail(a->context, GLK_ERROR_OPTION,
                         "the state's learning rate is a function, which no state can hold: give "
                         "the optimizer one first; nothing was changed");
    return;
  }
  if (count > GLK_MAX_SCHEDULE) {
    glk_archive_refuse(a, "its schedule is too long");
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
  glk_archive_number(a, "iterations", &o->iterations);
  glk_archive_number(a, "pendingCalls", &o->pending_calls);
  glk_archive_numbers(a, "norms", norms, 2);
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
  glk_archive_number(a, "rateFactor", &entry->scale);
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
  glk_archive_whole(a, "kind", UINT32_MAX, &kind);
  glk_archive_numbers(a, "limits", limits, 2);
  glk_archive_whole(a, "axes", (1u << entry->variable->tensor.shape.rank) - 1, &c->axes);
  glk_archive_end(a);
  if (!a->in || a->status != GLK_OK) return;
  const uint32_t axes = c->axes;
  a->status = glk_constraint_make(a->context, kind, limits[0], limits[1], c);
  c->axes = axes;
}

static void walk_entry(glk_archive *a, const glk_rule_row *rule, glk_saved *saved,
                       glk_entry *entry) {
  const glk_variable *v = saved->variable;
  const uint32_t count = v->tensor.shape.count, padded = entry->padded_count;
  glk_archive_begin(a, "", '{', NULL);
  glk_saved_walk(a, saved);
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
  glk_archive_end(a);
}

static void walk_state(glk_archive *a, void *subject) {
  state *s = subject;
  glk_optimizer *o = s->optimizer;
  const glk_option_table table = {o->rule->name, o->rule->options, o->rule->option_count};
  glk_state_walk_name(a, o->rule->name);
  glk_state_walk_options(a, &table, o->options);
  if (a->in && a->status == GLK_OK)
    a->status = glk_optimizer_check(a->context, o->rule, o->options);
  walk_schedule(a, o);
  walk_counts(a, o);
  glk_state_walk_also(a, s->numbers, s->number_count, &s->found);
  glk_state_begin_variables(a, s->count);
  for (uint32_t i = 0; i < s->count && a->status == GLK_OK; i++) {
    walk_entry(a, o->rule, &s->saved[i], &s->entries[i]);
  }
  glk_archive_end(a);
  if (a->in) glk_optimizer_follow(o);
}

/* ----------------------------------------------------------------------------------------- saving */

/* What the optimizer keeps of a variable, or would begin with. */
static glk_entry entry_of(const glk_optimizer *o, glk_variable *v) {
  static glk_cohort fresh[2] = {{0, 0}, {0, 1}};
  const uint32_t i = glk_optimizer_find(o, v);
  if (i < o->entry_count) return o->entries[i];
  return (glk_entry){
      .variable = v, .is_decayed = 1, .scale = 1, .clock = {.cohorts = fresh, .cohort_count = 2}};
}

glk_status glk_optimizer_save(glk_context *context, glk_handle optimizer,
                              const glk_handle *variables, uint32_t count, const double *numbers,
                              uint32_t number_count, uint8_t *out, size_t capacity,
                              size_t *out_bytes) {
  glk_optimizer *o;
  glk_saved *saved;
  void *entries;
  GLK_REFUSE_IF(context, !out_bytes || (count && !variables) || (number_count && !numbers));
  GLK_TRY(glk_require_idle(context, "saving an optimizer"));
  GLK_TRY(glk_expect_optimizer(context, optimizer, &o));
  GLK_TRY(glk_saved_create(context, variables, count, &saved));
  glk_status status = glk_allocate(context, count, sizeof(glk_entry), &entries);
  if (status == GLK_OK) {
    state s = {o, saved, entries, count, numbers, number_count, NULL};
    for (uint32_t i = 0; i < count; i++) s.entries[i] = entry_of(o, saved[i].variable);
    status = glk_archive_write(context, walk_state, &s, out, capacity, out_bytes);
    glk_release(context, entries, count, sizeof(glk_entry));
  }
  glk_saved_free(context, saved, count, 0);
  return status;
}

glk_status glk_optimizer_variables(const glk_context *context, glk_handle optimizer,
                                   glk_handle *out, uint32_t capacity, uint32_t *out_count) {
  glk_optimizer *o;
  GLK_REFUSE_IF(context, !out_count || (capacity && !out));
  GLK_TRY(glk_expect_optimizer(context, optimizer, &o));
  *out_count = 0;
  for (uint32_t i = 0; i < o->entry_count; i++) {
    const glk_handle handle = o->entries[i].variable->tensor.object.handle;
    if (!handle) continue; /* disposed */
    if (*out_count < capacity) out[*out_count] = handle;
    ++*out_count;
  }
  return GLK_OK;
}

/* ----------------------------------------------------------------------------------------- loading */

glk_status glk_state_commit(glk_context *context, glk_saved *saved, uint32_t count, int force,
                            uint32_t *out_variable) {
  for (uint32_t i = 0; i < count && !force; i++) {
    if (out_variable) *out_variable = i;
    GLK_TRY(glk_saved_check(context, &saved[i]));
  }
  for (uint32_t i = 0; i < count; i++) glk_saved_commit(context, &saved[i]);
  return GLK_OK;
}

/* The optimizer becomes the copy that was read, with its entries. Cannot fail. */
static void become(glk_context *context, glk_optimizer *o, const glk_optimizer *copy,
                   glk_entry *entries, uint32_t count) {
  const glk_object object = o->object;
  for (uint32_t i = 0; i < count; i++) glk_retain(&entries[i].variable->tensor.object);
  for (uint32_t i = 0; i < o->entry_count; i++) {
    glk_entry_free(context, &o->entries[i]);
    glk_drop(context, &o->entries[i].variable->tensor.object);
  }
  glk_release(context, o->entries, o->entry_capacity, sizeof *o->entries);
  *o = *copy;
  o->object = object;
  o->entries = entries;
  o->entry_count = o->entry_capacity = count;
}

glk_status glk_optimizer_load(glk_context *context, glk_handle optimizer,
                              const glk_handle *variables, uint32_t count, double *numbers,
                              uint32_t number_count, const uint8_t *bytes, size_t byte_count,
                              int force, uint32_t *out_variable) {
  glk_optimizer *o;
  glk_saved *saved;
  void *memory;
  GLK_REFUSE_IF(context, !bytes || (count && !variables) || (number_count && !numbers));
  GLK_TRY(glk_require_idle(context, "loading an optimizer"));
  GLK_TRY(glk_expect_optimizer(context, optimizer, &o));
  GLK_TRY(glk_saved_create(context, variables, count, &saved));
  glk_status status = glk_allocate(context, count, sizeof(glk_entry), &memory);
  glk_optimizer copy = *o;
  state s = {&copy, saved, memory, count, numbers, number_count, NULL};
  if (status == GLK_OK) {
    for (uint32_t i = 0; i < count; i++) {
      s.entries[i].variable = saved[i].variable;
      s.entries[i].padded_count = saved[i].variable->tensor.storage->count;
    }
    status = glk_archive_read(context, walk_state, &s, bytes, byte_count);
    if (status == GLK_OK) status = glk_state_commit(context, saved, count, force, out_variable);
    if (status == GLK_OK) {
      become(context, o, &copy, s.entries, count);
      if (number_count) memcpy(numbers, s.found, number_count * sizeof *numbers);
    } else {
      for (uint32_t i = 0; i < count; i++) glk_entry_free(context, &s.entries[i]);
      glk_release(context, memory, count, sizeof(glk_entry));
    }
  }
  glk_saved_free(context, saved, count, 1);
  return status;
}

static void walk_nothing(glk_archive *a, void *subject) {
  (void)subject;
  a->at = a->end;
}

glk_status glk_state_check(glk_context *context, const uint8_t *bytes, size_t count) {
  GLK_REFUSE_IF(context, !bytes);
  return glk_archive_read(context, walk_nothing, NULL, bytes, count);
}
