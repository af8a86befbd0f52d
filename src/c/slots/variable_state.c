/* Entries: an optimizer's slots, clock, rates and averages of each variable; made, found, freed. */
#include "slots/variable_state.h"

#include <string.h>

#include "core/memory.h"

/* ---------------------------------------------------------------------------------- all entries */

static void drop_entry(glk_context *context, glk_entry *entry) {
  glk_entry_free(context, entry);
  glk_drop(context, &entry->variable->tensor.object);
}

void glk_entries_free(glk_context *context, glk_entries *entries) {
  for (uint32_t i = 0; i < entries->count; i++) drop_entry(context, &entries->items[i]);
  glk_release(context, entries->items, entries->capacity, sizeof *entries->items);
}

void glk_entries_number(const glk_entries *entries) {
  for (uint32_t i = 0; i < entries->count; i++) entries->items[i].variable->entry = i;
}

void glk_entries_drop_unused(glk_context *context, glk_entries *entries) {
  uint32_t kept = 0;
  for (uint32_t i = 0; i < entries->count; i++) {
    glk_entry *entry = &entries->items[i];
    if (entry->variable->tensor.object.handle && glk_entry_is_kept(entry)) {
      entries->items[kept++] = *entry;
    } else {
      drop_entry(context, entry);
    }
  }
  entries->count = kept;
  glk_entries_number(entries);
}

glk_entry *glk_entries_find(const glk_entries *entries, const glk_variable *variable) {
  if (glk_entries_know(entries, variable)) return &entries->items[variable->entry];
  for (uint32_t i = 0; i < entries->count; i++) {
    if (entries->items[i].variable == variable) return &entries->items[i];
  }
  return NULL;
}

glk_status glk_entries_add(glk_context *context, glk_entries *entries, glk_variable *variable) {
  void *items = entries->items;
  const glk_status status =
      glk_reserve(context, &items, &entries->capacity, entries->count + 1, sizeof *entries->items);
  entries->items = items;
  if (status != GLK_OK) return status;
  glk_entry *entry = &entries->items[entries->count];
  *entry = glk_entry_start(variable);
  GLK_TRY(glk_clock_init(context, &variable->locks, glk_clock_start, 2, &entry->clock));
  glk_retain(&variable->tensor.object);
  variable->entry = entries->count++;
  return GLK_OK;
}

glk_status glk_entries_make(glk_context *context, glk_entries *entries, glk_variable *variable,
                            glk_entry **out) {
  glk_entry *entry = glk_entries_find(entries, variable);
  if (!entry) {
    glk_entries_drop_unused(context, entries);
    GLK_TRY(glk_entries_add(context, entries, variable));
    entry = &entries->items[variable->entry];
  }
  *out = entry;
  return GLK_OK;
}

/* ------------------------------------------------------------------------------------ one entry */

glk_entry glk_entry_start(glk_variable *variable) {
  return (glk_entry){.variable = variable,
                     .padded_count = variable->tensor.storage->count,
                     .is_decayed = 1,
                     .scale = 1};
}

void glk_entry_free(glk_context *context, glk_entry *entry) {
  glk_pages_free(context, &entry->pages);
  glk_clock_free(context, &entry->clock);
  glk_entry_free_rates(context, entry);
}

void glk_entry_free_rates(glk_context *context, glk_entry *entry) {
  glk_release(context, entry->factors, entry->padded_count, sizeof(glk_real));
  glk_lockset_free(context, &entry->effective);
  entry->factors = NULL;
  entry->effective = (glk_lockset){.words = NULL};
}

/* ---------------------------------------------------------------------------------------- locks */

const glk_lockset *glk_entry_locks(const glk_entry *entry) {
  return entry->effective.words ? &entry->effective : &entry->variable->locks;
}

void glk_entry_sync_locks(glk_context *context, glk_entry *entry) {
  const glk_lockset *locks = &entry->variable->locks;
  glk_lockset *set = &entry->effective;
  if (!set->words || entry->synced_version == locks->version) return;
  memcpy(set->words, locks->words, locks->word_count * sizeof *locks->words);
  for (uint32_t i = 0; i < locks->shape.count; i++) {
    const int is_still = entry->scale == 0 || (entry->factors && entry->factors[i] == 0);
    set->words[i / 32] |= (uint32_t)is_still << (i % 32);
  }
  glk_lockset_changed(context, set);
  entry->synced_version = locks->version;
}

const glk_lockset *glk_entries_locks(glk_context *context, const glk_entries *entries,
                                     const glk_variable *variable) {
  glk_entry *entry = glk_entries_find(entries, variable);
  if (!entry) return &variable->locks;
  glk_entry_sync_locks(context, entry);
  return glk_entry_locks(entry);
}
