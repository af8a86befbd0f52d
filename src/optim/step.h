/* Gradient accumulation (accumulate.c) before an update and moving averages (average.c) after
 * it. */
#ifndef GLK_OPTIM_STEP_H
#define GLK_OPTIM_STEP_H

#include "optim/optimizer.h"

/** A variable and its gradient, as a step takes them: one of what TensorFlow calls
 *  grads_and_vars. */
typedef struct glk_gradient_pair {
  glk_variable *variable;
  /** [padded to whole lock words] NULL: nothing of it is free, and nothing was computed. */
  const glk_real *gradient;
  /** What the update is made with: the gradient, or the mean of several. NULL as above. */
  const glk_real *step_gradient;
  uint32_t entry;
} glk_gradient_pair;

/** Get memory, where the options ask for accumulation. */
glk_status glk_accumulate_reserve(glk_context *context, const glk_optimizer *optimizer,
                                  glk_entry *entry);
/** Take in the gradients of a call. Whether it takes a step, and then with which gradients. */
int glk_accumulate(glk_optimizer *optimizer, glk_gradient_pair *pairs, uint32_t count);
/** Nothing is pending any more. */
void glk_accumulate_restart(glk_optimizer *optimizer);

/** Get memory, where the options ask for an average. */
glk_status glk_average_reserve(glk_context *context, const glk_optimizer *optimizer,
                               glk_entry *entry);
/** After an update, before `iterations` moves on: update averages, and write them back where that
 *  is due. */
void glk_average_step(glk_optimizer *optimizer, const glk_gradient_pair *pairs, uint32_t count);

#endif
