/* Gradient accumulation: one step on the mean of the gradients of several calls, as Keras 3 has it
 * (base_optimizer.py, gradient_accumulation_steps):
 *     pending = g + pending                   in each call but the last
 *     the step's gradient = (g + pending) / calls
 * What is pending for an element is dropped when it is locked (docs/laws.md, law 15), and locks are
 * judged in each call; the divisor stays the number of calls. Clipping and decay come with the
 * step, so they see the mean. */
#include <string.h>

#include "core/memory.h"
#include "kernels/vec.h"
#include "optim/step.h"

static int is_accumulating(const glk_optimizer *optimizer) {
  return optimizer->options[GLK_OPTION_ACCUMULATION_STEPS] > 1 || optimizer->pending_calls;
}

glk_status glk_accumulate_reserve(glk_context *context, const glk_optimizer *optimizer,
                                  glk_entry *entry) {
  void *memory;
  if (!is_accumulating(optimizer) || entry->pending) return GLK_OK;
  GLK_TRY(glk_allocate(context, entry->padded_count, sizeof(glk_real), &memory));
  entry->pending = memory;
  return GLK_OK;
}

/* pending [words * 32] becomes (g + pending) / divisor, where pending counts as 0 if it is locked,
 * and so does the sum in a call that takes no step. */
static void add_gradient(const glk_lockset *locks, const glk_real *gradient, int takes_step,
                         glk_real divisor, glk_real *pending) {
  const vreal zero = {0, 0, 0, 0};
  for (size_t w = 0; w < locks->word_count; w++) {
    const vubits word = {locks->words[w], locks->words[w], locks->words[w], locks->words[w]};
    vubits lane = {1, 2, 4, 8};
    GLK_NO_UNROLL
    for (size_t i = 32 * w; i < 32 * (w + 1); i += GLK_LANES, lane <<= GLK_LANES) {
      const vbits locked = (word & lane) == lane;
      const vreal sum = vload(gradient + i) + vselect(locked, zero, vload(pending + i));
      vstore(pending + i, takes_step ? sum / vsplat(divisor) : vselect(locked, zero, sum));
    }
  }
}

int glk_accumulate(glk_optimizer *optimizer, glk_gradient_pair *pairs, uint32_t count) {
  if (!is_accumulating(optimizer)) {
    for (uint32_t i = 0; i < count; i++) pairs[i].step_gradient = pairs[i].gradient;
    return 1;
  }
  const double calls = optimizer->pending_calls + 1;
  const int takes_step = calls >= optimizer->options[GLK_OPTION_ACCUMULATION_STEPS];
  for (uint32_t i = 0; i < count; i++) {
    glk_gradient_pair *pair = &pairs[i];
    glk_entry *entry = &optimizer->entries.items[pair->entry];
    pair->step_gradient = pair->gradient ? entry->pending : NULL;
    if (pair->gradient) {
      add_gradient(glk_entry_locks(entry), pair->gradient, takes_step, (glk_real)calls,
                   entry->pending);
    } else { /* locked whole */
      memset(entry->pending, 0, entry->padded_count * sizeof *entry->pending);
    }
  }
  optimizer->pending_calls = calls;
  return takes_step;
}

void glk_accumulate_restart(glk_optimizer *optimizer) {
  if (!optimizer->pending_calls) return;
  for (uint32_t i = 0; i < optimizer->entries.count; i++) {
    glk_entry *entry = &optimizer->entries.items[i];
    if (entry->pending) memset(entry->pending, 0, entry->padded_count * sizeof *entry->pending);
  }
  optimizer->pending_calls = 0;
}
