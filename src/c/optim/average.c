/* Exponential moving averages of variables, and writing them back, as Keras 3 has them
 * (base_optimizer.py, use_ema):
 *     average = momentum average + (1 - momentum) x   after each call; subnormal ones become +0
 *     average = x                                     at an element's first step
 * The average of a locked element is the element (docs/laws.md, law 16), so writing back cannot
 * change it. "First" is the element's own (law 4), where Keras counts for all; an average that is
 * enabled later starts at the value of that time. */
#include <string.h>

#include "optim/step.h"

/* A word of the elements that have taken one step or none. */
static uint32_t starting_word(const glk_step_counts *counts, size_t w) {
  uint32_t word = 0, group[32];
  glk_step_counts_read(counts, (uint32_t)w, group);
  for (int i = 0; i < 32; i++) word |= (uint32_t)(counts->groups[group[i]].steps <= 1) << i;
  return word;
}

static void update_average(glk_variable_state *state, glk_real momentum) {
  const glk_lockset *locks = glk_variable_state_locks(state);
  const vreal share = vsplat(momentum), gain = vsplat(1 - momentum);
  const vbits exponents = glk_exponents;
  const glk_step_counts *counts = &state->counts;
  const uint32_t group = glk_step_counts_free_group(counts);
  /* After a call that took no step, the step counts are older than the locks: then elements of one
   * group may differ. */
  const int is_one = group < counts->group_count && counts->version == locks->version;
  const uint32_t all = is_one && counts->groups[group].steps <= 1 ? ~(uint32_t)0 : 0;
  for (uint32_t k = 0; k < state->pages.count; k++) {
    const glk_extent *extent = &state->pages.extents[k];
    const size_t first_word = extent->first / 32, words = extent->count / 32;
    const glk_real *x = state->variable->tensor.storage->values + extent->first;
    glk_real *averages = extent->arrays[GLK_AVERAGE];
    for (size_t w = 0; w < words; w++) {
      const size_t at = first_word + w;
      const uint32_t equal = locks->words[at] | (is_one ? all : starting_word(counts, at));
      const vubits word = {equal, equal, equal, equal};
      vubits lane = {1, 2, 4, 8};
      GLK_NO_UNROLL
      for (size_t i = 32 * w; i < 32 * (w + 1); i += GLK_LANES, lane <<= GLK_LANES) {
        const vreal value = vload(x + i);
        const vreal average = vflush(share * vload(averages + i) + gain * value, exponents);
        vstore(averages + i, vselect((vbits)((word & lane) == lane), value, average));
      }
    }
  }
}

/* Copy the averages of free elements into out [elements of the variable]. Nothing of a locked
 * element is written, though it would get its own bits; padding is locked. */
static void put_averages(const glk_variable_state *state, const glk_lockset *locks, glk_real *out) {
  for (uint32_t k = 0; k < state->pages.count; k++) {
    const glk_extent *extent = &state->pages.extents[k];
    for (uint32_t i = 0, at = extent->first; i < extent->count; i++, at++) {
      if (locks->words[at / 32] >> at % 32 & 1) continue;
      memcpy(&out[at], &extent->arrays[GLK_AVERAGE][i], sizeof *out);
    }
  }
}

static void overwrite_variable(glk_variable_state *state) {
  const glk_lockset *locks = glk_variable_state_locks(state);
  if (glk_lockset_is_full(locks)) return;
  put_averages(state, locks, state->variable->tensor.storage->values);
  state->variable->writes++;
}

void glk_average_step(const glk_step *step) {
  const double *options = step->optimizer->options;
  if (options[GLK_OPTION_USE_EMA] == 0) return;
  const uint64_t every = (uint64_t)options[GLK_OPTION_EMA_OVERWRITE];
  const int overwrites = every && ((uint64_t)step->optimizer->iterations + 1) % every == 0;
  for (uint32_t i = 0; i < step->count; i++) {
    glk_variable_state *state = glk_step_state(step, i);
    update_average(state, (glk_real)options[GLK_OPTION_EMA_MOMENTUM]);
    if (overwrites) overwrite_variable(state);
  }
}

glk_status glk_optimizer_average(glk_context *context, glk_handle optimizer, glk_handle variable,
                                 glk_real *out, size_t count) {
  glk_optimizer *o;
  glk_variable *v;
  GLK_REFUSE_IF(context, !out && count);
  GLK_TRY(glk_expect_optimizer(context, optimizer, &o));
  GLK_TRY(glk_expect_variable(context, variable, "the variable", &v));
  GLK_TRY(glk_expect_count(context, &v->tensor.shape, count));
  const glk_variable_state *state = glk_variable_states_find(&o->states, v);
  const glk_lockset *locks = glk_variable_states_locks(context, &o->states, v);
  const glk_real *values = v->tensor.storage->values;
  if (count) memcpy(out, values, count * sizeof *out);
  if (state && state->pages.is_used && state->pages.present >> GLK_AVERAGE & 1)
    put_averages(state, locks, out);
  return GLK_OK;
}
