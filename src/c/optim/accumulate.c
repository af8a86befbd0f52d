/* Gradient accumulation: one step on the mean of the gradients of several calls, as Keras 3 has it
 * (base_optimizer.py, gradient_accumulation_steps):
 *     pending = g + pending                   in each call but the last
 *     the step's gradient = (g + pending) / calls
 * Subnormal sums and means become +0, as slots do (law 25).
 * An element's pending gradient is dropped when it is locked (docs/laws.md, law 15). Each call uses
 * the locks of that time; the divisor stays the number of calls. Clipping and decay come with the
 * step, so they see the mean. */
#include <string.h>

#include "optim/step.h"

int glk_is_accumulating(const glk_optimizer *optimizer) {
  return optimizer->options[GLK_OPTION_ACCUMULATION_STEPS] > 1 || optimizer->pending_calls;
}

int glk_takes_step(const glk_optimizer *optimizer, uint32_t calls) {
  return optimizer->pending_calls + calls >= optimizer->options[GLK_OPTION_ACCUMULATION_STEPS];
}

/* Set pending [words * 32] to (g + pending) / divisor. Locked pending values count as 0; so do
 * locked sums in a call that takes no step. */
static void add_gradient(size_t words, const uint32_t *locks, const glk_real *gradient,
                         int takes_step, glk_real divisor, glk_real *pending) {
  const vreal zero = {0, 0, 0, 0};
  const vbits exponents = glk_exponents;
  for (size_t w = 0; w < words; w++) {
    const vubits word = {locks[w], locks[w], locks[w], locks[w]};
    vubits lane = {1, 2, 4, 8};
    GLK_NO_UNROLL
    for (size_t i = 32 * w; i < 32 * (w + 1); i += GLK_LANES, lane <<= GLK_LANES) {
      const vbits locked = (word & lane) == lane;
      const vreal sum = vload(gradient + i) + vselect(locked, zero, vload(pending + i));
      const vreal next = takes_step ? sum / vsplat(divisor) : vselect(locked, zero, sum);
      vstore(pending + i, vflush(next, exponents));
    }
  }
}

/* Add the pieces of a gradient to an extent's pending gradient. Where there is no piece, everything
 * is locked. Both are walked in order: `next` is the first piece that may still count. */
static void add_pieces(const glk_gradient_pair *pair, const glk_extent *extent,
                       const uint32_t *locks, int takes_step, glk_real divisor, uint32_t *next) {
  glk_real *pending = extent->arrays[GLK_PENDING];
  const uint32_t end = extent->first + extent->count;
  uint32_t done = extent->first;
  for (; *next < pair->piece_count && pair->pieces[*next].first < end; ++*next) {
    const glk_piece piece = glk_piece_within(&pair->pieces[*next], extent);
    if (!piece.count) continue;
    glk_real *to = pending + (piece.first - extent->first);
    memset(pending + (done - extent->first), 0, (piece.first - done) * sizeof *pending);
    add_gradient(piece.count / 32, locks + piece.first / 32, piece.values, takes_step, divisor, to);
    done = piece.first + piece.count;
    if (pair->pieces[*next].first + pair->pieces[*next].count > end) break; /* it goes on */
  }
  memset(pending + (done - extent->first), 0, (end - done) * sizeof *pending);
}

static void clear(const glk_extent *extent) {
  glk_real *pending = extent->arrays[GLK_PENDING];
  if (pending) memset(pending, 0, extent->count * sizeof *pending);
}

int glk_accumulate(const glk_step *step) {
  glk_optimizer *optimizer = step->optimizer;
  const int accumulates = glk_is_accumulating(optimizer);
  for (uint32_t i = 0; i < step->count; i++) step->pairs[i].is_mean = accumulates;
  if (!accumulates) return 1;
  const double calls = optimizer->pending_calls + 1;
  const int takes_step = glk_takes_step(optimizer, 1);
  for (uint32_t i = 0; i < step->count; i++) {
    const glk_variable_state *state = glk_step_state(step, i);
    const uint32_t *locks = glk_variable_state_locks(state)->words;
    for (uint32_t k = 0, next = 0; k < state->pages.count; k++) {
      add_pieces(&step->pairs[i], &state->pages.extents[k], locks, takes_step, (glk_real)calls,
                 &next);
    }
  }
  optimizer->pending_calls = calls;
  return takes_step;
}

void glk_accumulate_restart(glk_optimizer *optimizer) {
  if (!optimizer->pending_calls) return;
  for (uint32_t i = 0; i < optimizer->states.count; i++) {
    const glk_pages *pages = &optimizer->states.items[i].pages;
    for (uint32_t k = 0; k < pages->count; k++) clear(&pages->extents[k]);
  }
  optimizer->pending_calls = 0;
}
