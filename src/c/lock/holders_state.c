/* States of variables: values, locks with holders, and policies, read into a copy before anything
 * changes. */
#include "lock/holders_state.h"

#include <string.h>

#include "core/memory.h"
#include "lock/policy.h"

glk_status glk_holders_state_create(glk_context *context, const glk_handle *variables,
                                    uint32_t count, glk_holders_state **out) {
  glk_holders_state *saved;
  GLK_TRY(glk_allocate(context, count, sizeof(glk_holders_state), &saved));
  const uint64_t visit = glk_visit_new(context);
  glk_status status = GLK_OK;
  for (uint32_t i = 0; i < count && status == GLK_OK; i++) {
    status = glk_variable_visit(context, variables[i], "a variable", visit, &saved[i].variable);
  }
  if (status == GLK_OK) {
    *out = saved;
  } else {
    glk_release(context, saved, count, sizeof *saved);
  }
  return status;
}

void glk_holders_state_free(glk_context *context, glk_holders_state *saved, uint32_t count,
                            int is_read) {
  for (uint32_t i = 0; is_read && i < count; i++) {
    glk_holders_free(context, saved[i].holders);
    glk_lockset_free(context, &saved[i].default_holder);
  }
  glk_release(context, saved, count, sizeof *saved);
}

static void walk_shape(glk_archive *a, const glk_variable *v) {
  const glk_shape *shape = &v->tensor.shape;
  char name[GLK_NAME_BYTES];
  uint32_t rank = shape->rank;
  memcpy(name, v->name, sizeof name);
  glk_archive_text(a, "name", name, sizeof name);
  if (a->status == GLK_OK && strcmp(name, v->name)) {
    a->status = glk_fail(a->context, GLK_ERROR_FORMAT,
                         "the state has variable '%s' where '%s' was given", name, v->name);
  }
  const void *dims = glk_archive_list(a, "shape", 'u', shape->dims, &rank);
  if (a->status != GLK_OK) return;
  if (rank == shape->rank && !memcmp(dims, shape->dims, rank * sizeof *shape->dims)) return;
  glk_shape saved = {.rank = rank <= GLK_MAX_RANK ? rank : 0};
  memcpy(saved.dims, dims, saved.rank * sizeof *saved.dims);
  a->status = glk_fail(a->context, GLK_ERROR_SHAPE,
                       "variable '%s' has shape %S, but in the saved state it has %S", v->name,
                       shape, &saved);
}

/* Words of locks; while reading, memory is made for them, with the padding as it must be. */
static void walk_words(glk_archive *a, const char *name, const glk_shape *shape, uint32_t **words) {
  const uint32_t count = (shape->count + 31) / 32;
  const void *data = glk_archive_exactly(a, name, 'u', *words, count);
  if (!a->in || a->status != GLK_OK) return;
  a->status = glk_allocate(a->context, count, sizeof **words, words);
  if (a->status != GLK_OK) return;
  if (count) memcpy(*words, data, count * sizeof **words);
  glk_lockset_pad(shape, *words);
}

static void walk_set(glk_archive *a, const char *name, const glk_shape *shape, glk_lockset *set) {
  if (a->in) *set = (glk_lockset){.shape = *shape, .word_count = (shape->count + 31) / 32};
  walk_words(a, name, shape, &set->words);
  if (a->in && a->status == GLK_OK) glk_lockset_changed(a->context, set);
}

static void walk_policy(glk_archive *a, glk_policy *policy) {
  glk_choice *choice = &policy->choice;
  double numbers[5] = {choice->amount, choice->low, choice->high, choice->seed, policy->to};
  glk_archive_values(a, "numbers", 'd', numbers, 5);
  glk_archive_values(a, "ways", 'u', &choice->draw, 4);   /* draw, is_fraction, kind, by */
  glk_archive_values(a, "course", 'u', &policy->over, 4); /* over, every, step, is_inverted */
  choice->amount = numbers[0];
  choice->low = numbers[1];
  choice->high = numbers[2];
  choice->seed = numbers[3];
  policy->to = numbers[4];
}

/* Refuse a count that the remaining bytes cannot contain, with at least `least` bytes and `words`
 * words for each, before memory is allocated for all of them. */
static void expect_room(glk_archive *a, uint32_t count, size_t least, uint32_t words,
                        const char *what) {
  least += words * sizeof(uint32_t);
  if (count > (a->end - a->at) / least) glk_archive_refuse(a, what);
}

static void walk_stages(glk_archive *a, glk_holder *holder) {
  uint32_t count = holder->stage_count;
  glk_archive_begin(a, "stages", '[', &count);
  if (a->in && count) {
    /* begin, step, locks */
    const size_t least = 3 * GLK_ITEM_BYTES + sizeof "steplocks" + sizeof(double);
    expect_room(a, count, least, holder->set.word_count, "its timetable has no end");
    if (a->status == GLK_OK) {
      a->status = glk_allocate(a->context, count, sizeof(glk_stage), &holder->stages);
    }
    if (a->status != GLK_OK) return;
    holder->stage_count = count;
  }
  for (uint32_t i = 0; i < count; i++) {
    glk_stage *stage = &holder->stages[i];
    glk_archive_begin(a, "", '{', NULL);
    glk_archive_whole(a, "step", UINT32_MAX, &stage->step);
    walk_words(a, "locks", &holder->set.shape, &stage->words);
    glk_archive_end(a);
    if (i && stage->step <= stage[-1].step)
      glk_archive_refuse(a, "the steps of its timetable do not ascend");
  }
  glk_archive_end(a);
}

static void walk_holder(glk_archive *a, const glk_shape *shape, glk_holder *holder) {
  uint32_t has_policy = holder->next != NULL;
  glk_archive_begin(a, "", '{', NULL);
  glk_archive_text(a, "name", holder->name, sizeof holder->name);
  if (!*holder->name) glk_archive_refuse(a, "a holder has no name");
  walk_set(a, "locks", shape, &holder->set);
  glk_archive_whole(a, "hasPolicy", 1, &has_policy);
  if (has_policy) {
    glk_archive_whole(a, "steps", UINT32_MAX, &holder->steps);
    walk_policy(a, &holder->policy);
    walk_stages(a, holder);
  }
  glk_archive_end(a);
  if (!a->in || !has_policy || a->status != GLK_OK) return;
  a->status = glk_policy_check(a->context, &holder->policy, shape);
  if (a->status != GLK_OK) return;
  a->status = glk_allocate(a->context, holder->set.word_count, sizeof(uint32_t), &holder->next);
}

static glk_status make_holders(glk_context *context, uint32_t count, glk_holders **out) {
  GLK_TRY(glk_allocate(context, 1, sizeof(glk_holders), out));
  GLK_TRY(glk_allocate(context, count, sizeof(glk_holder), &(*out)->items));
  (*out)->capacity = count;
  return GLK_OK;
}

static void walk_holders(glk_archive *a, const glk_shape *shape, glk_holders **holders) {
  uint32_t count = *holders ? (*holders)->count : 0;
  glk_archive_begin(a, "holders", '[', &count);
  if (a->in && count) {
    /* begin, name, locks, hasPolicy */
    const size_t least = 4 * GLK_ITEM_BYTES + sizeof "namelockshasPolicy" + sizeof(double);
    expect_room(a, count, least, (shape->count + 31) / 32, "its holders have no end");
    if (a->status == GLK_OK) a->status = make_holders(a->context, count, holders);
    if (a->status != GLK_OK) return;
    (*holders)->count = count;
  }
  for (uint32_t i = 0; i < count; i++) {
    glk_holder *items = (*holders)->items;
    walk_holder(a, shape, &items[i]);
    for (uint32_t k = 0; k < i; k++) {
      if (!strcmp(items[k].name, items[i].name)) glk_archive_refuse(a, "it has a holder twice");
    }
    if (a->status != GLK_OK) return;
  }
  glk_archive_end(a);
}

void glk_holders_state_walk(glk_archive *a, glk_holders_state *saved) {
  const glk_variable *v = saved->variable;
  const glk_shape *shape = &v->tensor.shape;
  if (!a->in) {
    saved->default_holder = *glk_variable_default_holder(saved->variable);
    saved->holders = v->holders;
  }
  walk_shape(a, v);
  saved->values =
      glk_archive_exactly(a, "values", GLK_ITEM_REALS, v->tensor.storage->values, shape->count);
  walk_set(a, "locks", shape, &saved->default_holder);
  walk_holders(a, shape, &saved->holders);
}

uint32_t glk_holders_state_free_elements(const glk_holders_state *saved, const char *without) {
  const glk_holder *left_out = without ? glk_holder_find(saved->holders, without) : NULL;
  uint32_t count = 0;
  for (uint32_t w = 0; w < saved->default_holder.word_count; w++) {
    uint32_t word = saved->default_holder.words[w];
    for (uint32_t i = 0; saved->holders && i < saved->holders->count; i++) {
      const glk_holder *holder = &saved->holders->items[i];
      if (holder != left_out) word |= holder->set.words[w];
    }
    count += (uint32_t)__builtin_popcount(~word);
  }
  return count;
}

void glk_holders_state_commit(glk_context *context, glk_holders_state *saved) {
  glk_variable *v = saved->variable;
  glk_lockset *locks = &v->locks;
  glk_holders *holders = saved->holders;
  const uint32_t count = v->tensor.shape.count;
  if (count) memcpy(v->tensor.storage->values, saved->values, count * sizeof(glk_real));
  v->writes++;
  glk_holders_free(context, v->holders);
  v->holders = holders;
  if (holders) {
    holders->default_holder = saved->default_holder;
    glk_holders_bind(context, holders, locks);
  } else {
    memcpy(locks->words, saved->default_holder.words, locks->word_count * sizeof(uint32_t));
    glk_lockset_free(context, &saved->default_holder);
    glk_lockset_changed(context, locks);
  }
  glk_audit_accept(v->audit, 0, count);
  saved->holders = NULL;
  saved->default_holder.words = NULL;
}
