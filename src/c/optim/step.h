/* Gradient accumulation (accumulate.c) and hooks (hook.c) before an update, and moving averages
 * (average.c) after it. */
#ifndef GLK_OPTIM_STEP_H
#define GLK_OPTIM_STEP_H

#include "graph/program.h"
#include "optim/optimizer.h"

/** A variable and its gradient, as a step takes them: an entry of TensorFlow's grads_and_vars. */
typedef struct glk_gradient_pair {
  glk_variable *variable;
  /** [piece_count] Its gradient, in order. None: nothing is free, and nothing was computed. */
  const glk_piece *pieces;
  uint32_t piece_count;
  /** Memory for one piece that is the whole gradient. */
  glk_piece whole;
  /** 1: the update uses the mean of several gradients, which is the pending one. */
  int is_mean;
  uint32_t entry;
} glk_gradient_pair;

/** True if calls leave gradients pending. */
int glk_is_accumulating(const glk_optimizer *optimizer);
/** True if one of the next `calls` calls takes a step, with the pending gradients. */
int glk_takes_step(const glk_optimizer *optimizer, uint32_t calls);
/** Add the gradients of a call. Returns 1 if the call takes a step; then pairs have the gradients
 *  of that step. */
int glk_accumulate(glk_optimizer *optimizer, glk_gradient_pair *pairs, uint32_t count);
/** Drop all pending gradients. */
void glk_accumulate_restart(glk_optimizer *optimizer);

/** True if the optimizer has a gradient hook. */
static inline int glk_has_hook(const glk_optimizer *optimizer) {
#ifdef GLK_TINY
  return (void)optimizer, 0;
#else
  return optimizer->hook.call != NULL;
#endif
}
/** Call the gradient hook if this call takes a step. Nothing else changes. Sets *out_skips to 1 if
 *  the hook wants no update. */
glk_status glk_hook_call(glk_context *context, glk_optimizer *optimizer,
                         const glk_gradient_pair *pairs, uint32_t count, int *out_skips);
/** After glk_hook_call and glk_accumulate: let pairs have the gradients that the hook left, until
 *  the next call of the hook. Cannot fail. */
void glk_hook_write(glk_optimizer *optimizer, glk_gradient_pair *pairs, uint32_t count);

/** After an update, before `iterations` moves on: update averages, and write them back where that
 *  is due. */
void glk_average_step(glk_optimizer *optimizer, const glk_gradient_pair *pairs, uint32_t count);

/** Elements that a piece and an extent share; `count` is 0 if there are none. */
static inline glk_piece glk_piece_within(const glk_piece *piece, const glk_extent *extent) {
  const uint32_t piece_end = piece->first + piece->count, end = extent->first + extent->count;
  const uint32_t first = piece->first > extent->first ? piece->first : extent->first;
  const uint32_t stop = piece_end < end ? piece_end : end;
  if (first >= stop) return (glk_piece){first, 0, NULL};
  return (glk_piece){first, stop - first, piece->values + (first - piece->first)};
}

#endif
