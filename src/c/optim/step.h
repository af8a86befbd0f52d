/* One step of any rule over any variables: prepare (all memory), then carry out (no failure). A
 * gradient comes by accumulation (accumulate.c) and hooks (hook.c); moving averages (average.c)
 * follow the update. */
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

/* -------------------------------------------------------------------------- the step (update.c) */

/** Resolve handles to variables; one named twice is GLK_ERROR_ARGUMENT. `pairs` has room for
 *  count. */
glk_status glk_expect_pairs(glk_context *context, const glk_handle *variables, uint32_t count,
                            glk_gradient_pair *pairs);
/** Mark the variables of a step with their places in `pairs`. */
uint64_t glk_mark_pairs(glk_context *context, const glk_gradient_pair *pairs, uint32_t count);

/** Let lock policies change locks before a step: those by values, or those by the gradients of the
 *  pairs. Returns whether a bit changed, which glk_driver_prepare must then see. */
int glk_driver_apply_policies(glk_context *context, const glk_gradient_pair *pairs, uint32_t count,
                              int by_gradient);
/** Keep the changes of policies after a step. */
void glk_driver_commit_policies(const glk_gradient_pair *pairs, uint32_t count);
/** Restore the locks after a step that was not taken. */
void glk_driver_rollback_policies(glk_context *context, const glk_gradient_pair *pairs,
                                  uint32_t count);

/** True if a step needs this variable's gradient: these locks leave an element free, or a policy
 *  needs it. */
int glk_driver_wants(const glk_variable *variable, const glk_lockset *locks);
/** True if a step measures norms, which include gradients of locked elements. */
int glk_driver_takes_norms(const glk_optimizer *optimizer);

/** Get everything that the next `calls` calls of glk_driver_step need while locks stay: slots,
 *  clocks. Nothing that can be observed changes. */
glk_status glk_driver_prepare(glk_context *context, glk_optimizer *optimizer,
                              glk_gradient_pair *pairs, uint32_t count, uint32_t calls);
/** One step of every variable with a free element. After glk_driver_prepare it fails only if the
 *  optimizer's hook does, or has no memory, and then changes nothing. */
glk_status glk_driver_step(glk_context *context, glk_optimizer *optimizer, glk_gradient_pair *pairs,
                           uint32_t count);

/* ------------------------------------------------------------ listed elements (gather_update.c) */

/** One step of the listed elements of a page that are free and belong to u. Lanes are independent,
 *  so the bits are those of a step by words.
 *  u       all of one page, with whole arrays of slots; it is used up
 *  list    that page's
 *  places  [list->count] */
void glk_step_listed(const glk_rule_row *rule, const double *options, glk_update *u,
                     const glk_page_list *list, const uint16_t *places);

#endif
