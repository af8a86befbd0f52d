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
  /** 1: the update is made with the mean of several, which is what is pending. */
  int is_mean;
  uint32_t entry;
} glk_gradient_pair;

/** Whether calls leave gradients pending. */
int glk_is_accumulating(const glk_optimizer *optimizer);
/** Take in the gradients of a call. Whether it takes a step, and then with which gradients. */
int glk_accumulate(glk_optimizer *optimizer, glk_gradient_pair *pairs, uint32_t count);
/** Nothing is pending any more. */
void glk_accumulate_restart(glk_optimizer *optimizer);

/** After an update, before `iterations` moves on: update averages, and write them back where that
 *  is due. */
void glk_average_step(glk_optimizer *optimizer, const glk_gradient_pair *pairs, uint32_t count);

/** What the update of an extent is made with. NULL: nothing of the variable is free. */
static inline const glk_real *glk_step_gradient(const glk_gradient_pair *pair,
                                                const glk_extent *extent) {
  if (!pair->gradient) return NULL;
  return pair->is_mean ? extent->arrays[GLK_PENDING] : pair->gradient + extent->first;
}

#endif
