/* Makes, finds and frees an optimizer's state of each variable: slots, step counts, rates and
 * averages. */
#include "slots/variable_state.h"

#include <string.h>

#include "core/memory.h"

static void drop_state(glk_context *context, glk_variable_state *state) {
  glk_variable_state_free(context, state);
  glk_drop(context, &state->variable->tensor.object);
}

void glk_variable_states_free(glk_context *context, glk_variable_states *states) {
  for (uint32_t i = 0; i < states->count; i++) drop_state(context, &states->items[i]);
  glk_release(context, states->items, states->capacity, sizeof *states->items);
}

void glk_variable_states_index(const glk_variable_states *states) {
  for (uint32_t i = 0; i < states->count; i++) states->items[i].variable->state_index = i;
}

void glk_variable_states_drop_unused(glk_context *context, glk_variable_states *states) {
  uint32_t kept = 0;
  for (uint32_t i = 0; i < states->count; i++) {
    glk_variable_state *state = &states->items[i];
    if (state->variable->tensor.object.handle && glk_variable_state_is_kept(state)) {
      states->items[kept++] = *state;
    } else {
      drop_state(context, state);
    }
  }
  states->count = kept;
  glk_variable_states_index(states);
}

glk_variable_state *glk_variable_states_find(const glk_variable_states *states,
                                             const glk_variable *variable) {
  if (glk_variable_states_know(states, variable)) return &states->items[variable->state_index];
  for (uint32_t i = 0; i < states->count; i++) {
    if (states->items[i].variable == variable) return &states->items[i];
  }
  return NULL;
}

glk_status glk_variable_states_add(glk_context *context, glk_variable_states *states,
                                   glk_variable *variable) {
  GLK_TRY(glk_reserve(context, &states->items, &states->capacity, states->count + 1,
                      sizeof *states->items));
  glk_variable_state *state = &states->items[states->count];
  *state = glk_variable_state_start(variable);
  GLK_TRY(
      glk_step_counts_init(context, &variable->locks, glk_step_counts_start, 2, &state->counts));
  glk_retain(&variable->tensor.object);
  variable->state_index = states->count++;
  return GLK_OK;
}

glk_status glk_variable_states_make(glk_context *context, glk_variable_states *states,
                                    glk_variable *variable, glk_variable_state **out) {
  glk_variable_state *state = glk_variable_states_find(states, variable);
  if (!state) {
    glk_variable_states_drop_unused(context, states);
    GLK_TRY(glk_variable_states_add(context, states, variable));
    state = &states->items[variable->state_index];
  }
  *out = state;
  return GLK_OK;
}

glk_variable_state glk_variable_state_start(glk_variable *variable) {
  return (glk_variable_state){.variable = variable,
                              .padded_count = variable->tensor.storage->count,
                              .is_decayed = 1,
                              .scale = 1};
}

void glk_variable_state_free(glk_context *context, glk_variable_state *state) {
  glk_pages_free(context, &state->pages);
  glk_step_counts_free(context, &state->counts);
  glk_variable_state_free_rates(context, state);
}

void glk_variable_state_free_rates(glk_context *context, glk_variable_state *state) {
  glk_release(context, state->factors, state->padded_count, sizeof(glk_real));
  glk_lockset_free(context, &state->effective);
  state->factors = NULL;
  state->effective = (glk_lockset){.words = NULL};
}

const glk_lockset *glk_variable_state_locks(const glk_variable_state *state) {
  return state->effective.words ? &state->effective : &state->variable->locks;
}

void glk_variable_state_sync_locks(glk_context *context, glk_variable_state *state) {
  const glk_lockset *locks = &state->variable->locks;
  glk_lockset *set = &state->effective;
  if (!set->words || state->synced_version == locks->version) return;
  memcpy(set->words, locks->words, locks->word_count * sizeof *locks->words);
  for (uint32_t i = 0; i < locks->shape.count; i++) {
    const int is_still = state->scale == 0 || (state->factors && state->factors[i] == 0);
    set->words[i / 32] |= (uint32_t)is_still << (i % 32);
  }
  glk_lockset_changed(context, set);
  state->synced_version = locks->version;
}

const glk_lockset *glk_variable_states_locks(glk_context *context,
                                             const glk_variable_states *states,
                                             const glk_variable *variable) {
  glk_variable_state *state = glk_variable_states_find(states, variable);
  if (!state) return &variable->locks;
  glk_variable_state_sync_locks(context, state);
  return glk_variable_state_locks(state);
}
