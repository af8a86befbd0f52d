/* An optimizer's state of each variable. It holds a reference to its variable, which stores the
 * index of the state. States of disposed variables are freed when memory is needed. */
#ifndef GLK_SLOTS_VARIABLE_STATE_H
#define GLK_SLOTS_VARIABLE_STATE_H

#include "lock/variable.h"
#include "slots/constraint.h"
#include "slots/pages.h"
#include "slots/step_count.h"

typedef struct glk_variable_state {
  glk_variable *variable;
  uint32_t padded_count;
  /** 1: created by a setting or a loaded state. 0: created for a step, and hidden from callers
   *  until that step succeeds (pages.is_used). */
  int is_named;
  /** Slots, moving average and the sum of gradients since the last step. */
  glk_pages pages;
  glk_step_counts counts;
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
} glk_variable_state;

typedef struct glk_variable_states {
  glk_variable_state *items;
  uint32_t count, capacity;
} glk_variable_states;

/** Free all states, and drop their references to variables. */
void glk_variable_states_free(glk_context *context, glk_variable_states *states);
/** True if variable->state_index is its state here. It is not if another optimizer numbered it
 *  later. */
static inline int glk_variable_states_know(const glk_variable_states *states,
                                           const glk_variable *variable) {
  return variable->state_index < states->count &&
         states->items[variable->state_index].variable == variable;
}
/** Store the index of each state in its variable. */
void glk_variable_states_index(const glk_variable_states *states);
/** True if the optimizer has a state of this variable that it saves. */
static inline int glk_variable_state_is_kept(const glk_variable_state *state) {
  return state->is_named || state->pages.is_used;
}
/** Free the states of disposed variables, and those that are not kept. Numbers all others. */
void glk_variable_states_drop_unused(glk_context *context, glk_variable_states *states);
/** The state of a variable, or NULL. */
glk_variable_state *glk_variable_states_find(const glk_variable_states *states,
                                             const glk_variable *variable);
/** A state for a variable that has none; numbered. */
glk_status glk_variable_states_add(glk_context *context, glk_variable_states *states,
                                   glk_variable *variable);
/** The state of a variable, made when it is new: valid until another one is. */
glk_status glk_variable_states_make(glk_context *context, glk_variable_states *states,
                                    glk_variable *variable, glk_variable_state **out);

/** Return the initial state of a variable, without memory. */
glk_variable_state glk_variable_state_start(glk_variable *variable);
/** Free a state's memory; the caller drops the reference to the variable. */
void glk_variable_state_free(glk_context *context, glk_variable_state *state);
/** Free factors, and the locks that they need. */
void glk_variable_state_free_rates(glk_context *context, glk_variable_state *state);

/** The elements that training must not change: the variable's locks, and elements with a rate of 0.
 *  Call glk_variable_state_sync_locks first if locks may have changed. */
const glk_lockset *glk_variable_state_locks(const glk_variable_state *state);
/** Bring `effective` up to date with the variable's locks. Cannot fail. */
void glk_variable_state_sync_locks(glk_context *context, glk_variable_state *state);
/** The locks, up to date, of a variable that may have no state. */
const glk_lockset *glk_variable_states_locks(glk_context *context,
                                             const glk_variable_states *states,
                                             const glk_variable *variable);

#endif
