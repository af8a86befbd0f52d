/* Entries: an optimizer's state of each variable. An entry holds a reference to its variable, which
 * stores the entry's number. Entries of disposed variables are freed when room is needed. */
#ifndef GLK_SLOTS_VARIABLE_STATE_H
#define GLK_SLOTS_VARIABLE_STATE_H

#include "lock/variable.h"
#include "slots/constraint.h"
#include "slots/pages.h"
#include "slots/step_count.h"

typedef struct glk_entry {
  glk_variable *variable;
  uint32_t padded_count;
  /** 1: a setting or a loaded state made it. 0: a step did, and unless one was taken
   *  (pages.is_used) nothing may show that there is an entry. */
  int is_named;
  /** Slots, moving average and the sum of gradients since the last step. */
  glk_pages pages;
  glk_clock clock;
  glk_constraint constraint;
  /** 1: weight decay applies. */
  int is_decayed;
  /** Learning-rate factor of the whole variable. */
  double scale;
  /** [padded_count] Learning-rate factor of each element; NULL: 1 for all. */
  glk_real *factors;
  /** With factors or a scale of 0: the variable's locks, and the elements with a rate of 0. Else
   *  without words. */
  glk_lockset effective;
  /** The variable's lock version that `effective` is of; 0: none. */
  uint32_t synced_version;
} glk_entry;

typedef struct glk_entries {
  glk_entry *items;
  uint32_t count, capacity;
} glk_entries;

/** Free all entries, and drop their references to variables. */
void glk_entries_free(glk_context *context, glk_entries *entries);
/** True if variable->entry is its entry here. It is not if another optimizer numbered it later. */
static inline int glk_entries_know(const glk_entries *entries, const glk_variable *variable) {
  return variable->entry < entries->count && entries->items[variable->entry].variable == variable;
}
/** Store each entry's number in its variable. */
void glk_entries_number(const glk_entries *entries);
/** True if the optimizer has a state of this variable that it saves. */
static inline int glk_entry_is_kept(const glk_entry *entry) {
  return entry->is_named || entry->pages.is_used;
}
/** Free the entries of disposed variables, and those that are not kept. Numbers all others. */
void glk_entries_drop_unused(glk_context *context, glk_entries *entries);
/** The entry of a variable; NULL if it has none. */
glk_entry *glk_entries_find(const glk_entries *entries, const glk_variable *variable);
/** An entry for a variable that has none; numbered. */
glk_status glk_entries_add(glk_context *context, glk_entries *entries, glk_variable *variable);
/** The entry of a variable, made when it is new: valid until another one is. */
glk_status glk_entries_make(glk_context *context, glk_entries *entries, glk_variable *variable,
                            glk_entry **out);

/** Return the initial entry of a variable, without memory. */
glk_entry glk_entry_start(glk_variable *variable);
/** Free an entry's memory; the caller drops the reference to the variable. */
void glk_entry_free(glk_context *context, glk_entry *entry);
/** Free factors, and the locks that they need. */
void glk_entry_free_rates(glk_context *context, glk_entry *entry);

/** The elements that training must not change: the variable's locks, and elements with a rate of 0.
 *  Call glk_entry_sync_locks first if locks may have changed. */
const glk_lockset *glk_entry_locks(const glk_entry *entry);
/** Bring `effective` up to date with the variable's locks. Cannot fail. */
void glk_entry_sync_locks(glk_context *context, glk_entry *entry);
/** The locks, up to date, of a variable that may have no entry. */
const glk_lockset *glk_entries_locks(glk_context *context, const glk_entries *entries,
                                     const glk_variable *variable);

#endif
