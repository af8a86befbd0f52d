/* Holders of a variable's locks: named lock sets, whose union is locked, with their policies. */
#include "lock/holders.h"

#include <string.h>

#include "core/memory.h"

void glk_holder_clear_policy(glk_context *context, glk_holder *holder) {
  const uint32_t words = holder->set.word_count;
  glk_release(context, holder->next, words, sizeof(uint32_t));
  for (uint32_t i = 0; i < holder->stage_count; i++) {
    glk_release(context, holder->stages[i].words, words, sizeof(uint32_t));
  }
  glk_release(context, holder->stages, holder->stage_count, sizeof *holder->stages);
  holder->next = NULL;
  holder->stages = NULL;
  holder->stage_count = 0;
}

static void free_holder(glk_context *context, glk_holder *holder) {
  glk_holder_clear_policy(context, holder);
  glk_lockset_free(context, &holder->set);
}

void glk_holders_free(glk_context *context, glk_holders *holders) {
  if (!holders) return;
  for (uint32_t i = 0; i < holders->count; i++) free_holder(context, &holders->items[i]);
  glk_release(context, holders->items, holders->capacity, sizeof *holders->items);
  glk_lockset_free(context, &holders->default_holder);
  glk_release(context, holders, 1, sizeof *holders);
}

/* out = the union of all holders, or of all but one. */
static void write_union(glk_context *context, const glk_holders *holders, const glk_holder *without,
                        glk_lockset *out) {
  glk_lockset_combine(out, GLK_LOCKS_SET, &holders->default_holder);
  for (uint32_t i = 0; i < holders->count; i++) {
    if (&holders->items[i] == without) continue;
    glk_lockset_combine(out, GLK_LOCKS_OR, &holders->items[i].set);
  }
  glk_lockset_changed(context, out);
}

static void update_union(glk_context *context, const glk_holders *holders) {
  write_union(context, holders, NULL, holders->locks);
}

/* After a change in a holder: compute the union of all holders again. */
static void on_change(glk_context *context, glk_lockset *set) { update_union(context, set->owner); }

static void subscribe(glk_holders *holders, glk_lockset *set) {
  set->on_change = on_change;
  set->owner = holders;
}

void glk_holders_bind(glk_context *context, glk_holders *holders, glk_lockset *locks) {
  holders->locks = locks;
  subscribe(holders, &holders->default_holder);
  for (uint32_t i = 0; i < holders->count; i++) subscribe(holders, &holders->items[i].set);
  update_union(context, holders);
}

/* Create the holders of a lock set that had none; its locks become the default holder's. */
static glk_status make_holders(glk_context *context, glk_lockset *locks, glk_holders **out) {
  glk_holders *holders;
  GLK_TRY(glk_allocate(context, 1, sizeof(glk_holders), &holders));
  const glk_status status = glk_lockset_init(context, &locks->shape, &holders->default_holder);
  if (status != GLK_OK) {
    glk_release(context, holders, 1, sizeof *holders);
    return status;
  }
  glk_lockset_combine(&holders->default_holder, GLK_LOCKS_SET, locks);
  glk_lockset_changed(context, &holders->default_holder);
  subscribe(holders, &holders->default_holder);
  holders->locks = locks;
  *out = holders;
  return GLK_OK;
}

glk_status glk_holder_check_name(glk_context *context, const char *name) {
  const size_t bytes = name ? strlen(name) : 0;
  if (bytes > 0 && bytes < GLK_NAME_BYTES) return GLK_OK;
  return glk_fail(context, GLK_ERROR_ARGUMENT, "a holder's name has 1 to %u bytes, not %z",
                  (uint32_t)GLK_NAME_BYTES - 1, bytes);
}

glk_holder *glk_holder_find(const glk_holders *holders, const char *name) {
  for (uint32_t i = 0; holders && i < holders->count; i++) {
    if (!strcmp(holders->items[i].name, name)) return &holders->items[i];
  }
  return NULL;
}

glk_status glk_holder_make(glk_context *context, glk_holders **in, glk_lockset *locks,
                           const char *name, glk_holder **out) {
  *out = glk_holder_find(*in, name);
  if (*out) return GLK_OK;
  if (!*in) GLK_TRY(make_holders(context, locks, in));
  glk_holders *holders = *in;
  GLK_TRY(glk_reserve(context, &holders->items, &holders->capacity, holders->count + 1,
                      sizeof *holders->items));
  glk_holder *holder = &holders->items[holders->count];
  *holder = (glk_holder){.next = NULL};
  GLK_TRY(glk_lockset_init(context, &locks->shape, &holder->set));
  memcpy(holder->name, name, strlen(name));
  subscribe(holders, &holder->set);
  holders->count++;
  *out = holder;
  return GLK_OK;
}

void glk_holders_others(glk_context *context, const glk_holders *holders, const glk_lockset *locks,
                        const char *name, glk_lockset *out) {
  if (holders) {
    write_union(context, holders, glk_holder_find(holders, name), out);
  } else {
    glk_lockset_combine(out, GLK_LOCKS_SET, locks);
    glk_lockset_changed(context, out);
  }
}

void glk_holder_drop_unused(glk_context *context, glk_holders *holders, glk_holder *holder) {
  if (holder->set.locked || holder->next) return;
  free_holder(context, holder);
  const size_t behind = (size_t)(holders->items + holders->count - (holder + 1));
  memmove(holder, holder + 1, behind * sizeof *holder);
  holders->count--;
}
