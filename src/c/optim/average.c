/* Exponential moving averages of variables, and writing them back, as Keras 3 has them
 * (base_optimizer.py, use_ema):
 *     average = momentum average + (1 - momentum) x   after each call; subnormal ones become +0
 *     average = x                                     at an element's first step
 * The average of a locked element is the element (docs/laws.md, law 16), so writing back cannot
 * change it. "First" is the element's own (law 4), where Keras counts for all; an average that is
 * enabled later starts at the value of that time. */
#include <string.h>

#include "kernels/update.h"
#include "optim/step.h"

/* A word of the elements that have taken one step or none. */
static uint32_t starting_word(const glk_clock *clock, size_t w) {
  uint32_t word = 0, cohort[32];
  glk_clock_read(clock, (uint32_t)w, cohort);
  for (int i = 0; i < 32; i++) word |= (uint32_t)(clock->cohorts[cohort[i]].steps <= 1) << i;
  return word;
}

static void average_entry(glk_entry *entry, glk_real momentum) {
  const glk_lockset *locks = glk_entry_locks(entry);
  const vreal keep = vsplat(momentum), take = vsplat(1 - momentum);
  const vbits exponents = glk_exponents;
  const glk_clock *clock = &entry->clock;
  const uint32_t cohort = glk_clock_free_cohort(clock);
  /* After a call that took no step, the clock is older than the locks: then elements of one cohort
   * may differ. */
  const int is_one = cohort < clock->cohort_count && clock->version == locks->version;
  const uint32_t all = is_one && clock->cohorts[cohort].steps <= 1 ? ~(uint32_t)0 : 0;
  for (uint32_t k = 0; k < entry->pages.count; k++) {
    const glk_extent *extent = &entry->pages.extents[k];
    const size_t first_word = extent->first / 32, words = extent->count / 32;
    const glk_real *x = entry->variable->tensor.storage->values + extent->first;
    glk_real *kept = extent->arrays[GLK_AVERAGE];
    for (size_t w = 0; w < words; w++) {
      const size_t at = first_word + w;
      const uint32_t equal = locks->words[at] | (is_one ? all : starting_word(clock, at));
      const vubits word = {equal, equal, equal, equal};
      vubits lane = {1, 2, 4, 8};
      GLK_NO_UNROLL
      for (size_t i = 32 * w; i < 32 * (w + 1); i += GLK_LANES, lane <<= GLK_LANES) {
        const vreal value = vload(x + i);
        const vreal average = vflush(keep * vload(kept + i) + take * value, exponents);
        vstore(kept + i, vselect((vbits)((word & lane) == lane), value, average));
      }
    }
  }
}

/* Copy the averages of free elements into out [elements of the variable]. Nothing of a locked
 * element is written, though it would get its own bits; padding is locked. */
static void put_averages(const glk_entry *entry, const glk_lockset *locks, glk_real *out) {
  for (uint32_t k = 0; k < entry->pages.count; k++) {
    const glk_extent *extent = &entry->pages.extents[k];
    for (uint32_t i = 0, at = extent->first; i < extent->count; i++, at++) {
      if (locks->words[at / 32] >> at % 32 & 1) continue;
      memcpy(&out[at], &extent->arrays[GLK_AVERAGE][i], sizeof *out);
    }
  }
}

static void overwrite_entry(glk_entry *entry) {
  const glk_lockset *locks = glk_entry_locks(entry);
  if (glk_lockset_is_full(locks)) return;
  put_averages(entry, locks, entry->variable->tensor.storage->values);
  entry->variable->writes++;
}

void glk_average_step(const glk_step *step) {
  const double *options = step->optimizer->options;
  if (options[GLK_OPTION_USE_EMA] == 0) return;
  const uint64_t every = (uint64_t)options[GLK_OPTION_EMA_OVERWRITE];
  const int overwrites = every && ((uint64_t)step->optimizer->iterations + 1) % every == 0;
  for (uint32_t i = 0; i < step->count; i++) {
    glk_entry *entry = glk_step_entry(step, i);
    average_entry(entry, (glk_real)options[GLK_OPTION_EMA_MOMENTUM]);
    if (overwrites) overwrite_entry(entry);
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
  const glk_entry *entry = glk_entries_find(&o->entries, v);
  const glk_lockset *locks = glk_entries_locks(context, &o->entries, v);
  const glk_real *values = v->tensor.storage->values;
  if (count) memcpy(out, values, count * sizeof *out);
  if (entry && entry->pages.is_used && entry->pages.kept >> GLK_AVERAGE & 1)
    put_averages(entry, locks, out);
  return GLK_OK;
}
