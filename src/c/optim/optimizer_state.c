/* States of optimizers, in this order: rule, options, schedule, counts; and of each variable its
 * rates, constraint, step counts, average, pending gradients and slots. */
#include "optim/optimizer.h"

#include <string.h>

#include "core/memory.h"

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
  const void *data = glk_archive_list(a, "numbers", 'd', o->schedule.numbers, &count);
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
  memcpy(numbers, data, count * sizeof *numbers);
  if (read == GLK_CONSTANT) {
    count = 1;
    numbers[0] = o->options[GLK_OPTION_LEARNING_RATE];
  }
  a->status = glk_rate_schedule_make(a->context, read, numbers, count, &o->schedule);
}

static void walk_count(glk_archive *a, const char *name, double *count) {
  glk_archive_values(a, name, 'n', count, 1);
  if (!(*count >= 0 && *count < 0x1p53 && *count == (double)(int64_t)*count)) {
    glk_archive_refuse(a, "a count is not a whole number");
  }
}

/* Read or write the groups of each page and, if its elements differ, those of its elements; before
 * version 3, those of all elements or of none. Returns 1 if the number is right. */
static int walk_members(glk_archive *a, glk_step_counts *counts) {
  uint32_t count = 0;
  for (uint32_t p = 0; counts->pages && p < counts->page_count; p++) {
    count += 2 + (counts->pages[p].members ? glk_step_counts_page_elements(counts, p) : 0);
  }
  glk_archive_open(a, "members", 'u', &count);
  const size_t end = a->at + sizeof(uint32_t) * count;
  if (a->in && count && counts->words) a->status = glk_step_counts_add_pages(a->context, counts);
  for (uint32_t p = 0; counts->pages && p < counts->page_count && a->status == GLK_OK; p++) {
    glk_count_page *page = &counts->pages[p];
    if (a->version > 2) glk_archive_next(a, 'u', page->group, 2);
    if (a->version > 2 && page->group[0] != GLK_NO_GROUP) continue;
    if (a->in) a->status = glk_step_counts_add_members(a->context, counts, p);
    glk_archive_next(a, 'u', page->members, glk_step_counts_page_elements(counts, p));
  }
  return a->at == end;
}

static void walk_counts(glk_archive *a, const glk_lockset *locks, glk_step_counts *counts) {
  uint32_t count = 2 * counts->group_count;
  int is_sound = 1;
  glk_archive_begin(a, "clock", '{', NULL);
  const void *groups = glk_archive_list(a, "cohorts", 'u', counts->groups, &count);
  if (a->in && a->status == GLK_OK) {
    is_sound = count % 2 == 0 && count <= 4 * (locks->word_count * 32) + 4;
    a->status = glk_step_counts_init(a->context, locks, groups, count / 2, counts);
  }
  glk_archive_array(a, "seen", 'u', &counts->words, counts->word_count, counts->word_count);
  is_sound &= walk_members(a, counts);
  glk_archive_end(a);
  if (a->in && a->status == GLK_OK) is_sound = is_sound && glk_step_counts_is_sound(counts);
  if (!is_sound) glk_archive_refuse(a, "its step counts contradict each other or the variable");
}

static void walk_rates(glk_archive *a, glk_variable_state *state) {
  const glk_shape *shape = &state->variable->tensor.shape;
  uint32_t is_decayed = state->is_decayed != 0;
  glk_archive_whole(a, "weightDecay", 1, &is_decayed);
  glk_archive_values(a, "rateFactor", 'n', &state->scale, 1);
  glk_archive_array(a, "rateFactors", GLK_ITEM_REALS, &state->factors, shape->count,
                    state->padded_count);
  if (!a->in || a->status != GLK_OK) return;
  state->is_decayed = (int)is_decayed;
  int is_still = state->scale == 0, is_good = state->scale >= 0 && state->scale <= 1e30;
  for (size_t i = 0; state->factors && i < shape->count; i++) {
    is_good &= state->factors[i] >= 0 && state->factors[i] <= (glk_real)1e30;
    is_still |= state->factors[i] == 0;
  }
  if (!is_good) glk_archive_refuse(a, "a rate factor is out of its range");
  if (is_good && is_still) a->status = glk_lockset_init(a->context, shape, &state->effective);
}

static void walk_constraint(glk_archive *a, glk_variable_state *state) {
  glk_constraint *c = &state->constraint;
  double limits[2] = {c->low, c->high};
  uint32_t kind = c->kind;
  glk_archive_begin(a, "constraint", '{', NULL);
  glk_archive_whole(a, "kind", GLK_UNIT_NORM, &kind);
  glk_archive_values(a, "limits", 'd', limits, 2);
  glk_archive_whole(a, "axes", (1u << state->variable->tensor.shape.rank) - 1, &c->axes);
  glk_archive_end(a);
  if (!a->in || a->status != GLK_OK) return;
  const uint32_t axes = c->axes;
  a->status = glk_constraint_make(a->context, kind, limits[0], limits[1], c);
  c->axes = axes;
}

/* Where extents are; in version 1 everything was one. */
static void walk_extents(glk_archive *a, const glk_shape *shape, glk_pages *pages) {
  const uint32_t all[2] = {0, shape->count};
  const void *ranges = all;
  uint32_t count = 2;
  if (!a->in) {
    count = 2 * pages->count;
    glk_archive_open(a, "pages", 'u', &count);
    for (uint32_t i = 0; i < pages->count; i++) {
      uint32_t range[2] = {pages->extents[i].first, glk_extent_elements(&pages->extents[i], shape)};
      glk_archive_next(a, 'u', range, 2);
    }
    return;
  }
  if (a->version > 1) ranges = glk_archive_list(a, "pages", 'u', NULL, &count);
  if (a->status != GLK_OK || !shape->count) return;
  if (count % 2) {
    glk_archive_refuse(a, "its pages are not in order");
  } else {
    a->status = glk_pages_restore(a->context, shape, ranges, count / 2, pages);
  }
}

/* Read or write the slot values of elements without memory. */
static void walk_starts(glk_archive *a, const glk_rule_row *rule, glk_pages *pages) {
  double starts[GLK_MAX_SLOTS];
  for (uint32_t k = 0; k < GLK_MAX_SLOTS; k++) starts[k] = pages->starts[k];
  glk_archive_values(a, "starts", 'd', starts, rule->slot_count);
  for (uint32_t k = 0; k < rule->slot_count; k++) pages->starts[k] = (glk_real)starts[k];
}

/* Write the first `unpadded` elements of an extent's array: all of them, whether they are listed or
 * not. */
static void write_pages(glk_archive *a, const glk_pages *pages, const glk_extent *extent,
                        uint32_t array, uint32_t unpadded) {
  glk_real buffer[GLK_PAGE];
  for (uint32_t p = 0; p < glk_extent_pages(extent); p++) {
    const uint32_t left = unpadded - p * GLK_PAGE;
    const glk_real *values = glk_extent_values(pages, extent, array, p, buffer);
    glk_archive_next(a, GLK_ITEM_REALS, (void *)values, left < GLK_PAGE ? left : GLK_PAGE);
  }
}

/* An array of all extents, one after the other, or nothing; while reading, made. For a slot of a
 * variable that was never free, one number: the initial value of its elements. */
static void walk_array(glk_archive *a, const glk_shape *shape, const char *name, uint32_t array,
                       glk_pages *pages) {
  uint32_t elements = 0;
  for (uint32_t i = 0; i < pages->count; i++) {
    elements += glk_extent_elements(&pages->extents[i], shape);
  }
  const int is_start = !elements && array < GLK_MAX_SLOTS;
  elements += is_start;
  const uint32_t is_present = pages->present >> array & 1;
  uint32_t count = a->in || !is_present ? 0 : elements;
  glk_archive_open(a, name, GLK_ITEM_REALS, &count);
  if (a->status != GLK_OK || !count) return;
  if (count != elements) {
    glk_archive_refuse(a, "an array has another size than its pages");
    return;
  }
  if (is_start) glk_archive_next(a, GLK_ITEM_REALS, &pages->starts[array], 1);
  for (uint32_t i = 0; i < pages->count; i++) {
    glk_extent *extent = &pages->extents[i];
    glk_real **values = &extent->arrays[array];
    const uint32_t unpadded = glk_extent_elements(extent, shape);
    if (!a->in) {
      write_pages(a, pages, extent, array, unpadded);
      continue;
    }
    a->status = glk_allocate_reals(a->context, GLK_SLOTS, extent->count, values);
    if (a->status != GLK_OK) return;
    glk_archive_next(a, GLK_ITEM_REALS, *values, unpadded);
    memset(*values + unpadded, 0, (extent->count - unpadded) * sizeof **values);
  }
  pages->present |= 1u << array;
}

void glk_state_walk_variable(glk_archive *a, const glk_rule_row *rule, glk_variable_state *state) {
  const glk_variable *v = state->variable;
  const glk_shape *shape = &v->tensor.shape;
  glk_pages unused = {.extents = NULL};
  glk_pages *pages = a->in || state->pages.is_used ? &state->pages : &unused;
  walk_rates(a, state);
  walk_constraint(a, state);
  walk_counts(a, &v->locks, &state->counts);
  walk_extents(a, shape, pages);
  walk_array(a, shape, "average", GLK_AVERAGE, pages);
  walk_array(a, shape, "pending", GLK_PENDING, pages);
  if (a->version > 1) walk_starts(a, rule, pages);
  glk_archive_begin(a, "slots", '{', NULL);
  for (uint32_t k = 0; k < rule->slot_count; k++) walk_array(a, shape, rule->slots[k], k, pages);
  glk_archive_end(a);
  if (a->in) pages->is_used = pages->count || pages->present;
}

void glk_state_walk_optimizer(glk_archive *a, glk_optimizer *o) {
  const glk_option_table table = glk_optimizer_options(o);
  glk_options_walk(a, &table, o->options);
  if (a->in && a->status == GLK_OK) {
    a->status = glk_optimizer_check(a->context, o->rule, o->options);
  }
  walk_schedule(a, o);
  walk_count(a, "iterations", &o->iterations);
  walk_count(a, "pendingCalls", &o->pending_calls);
  glk_archive_values(a, "norms", 'd', o->norms, 2);
  /* A refused state may contain any number. */
  if (a->in && a->status == GLK_OK) glk_optimizer_sync_rate(o);
}
