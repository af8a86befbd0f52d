/* One step of any rule over any variables: prepare (all memory), then take it (no failure). A
 * gradient goes through accumulation (accumulate.c) and the hook (hook.c) to the update (update.c);
 * moving averages (average.c) follow. */
#ifndef GLK_OPTIM_STEP_H
#define GLK_OPTIM_STEP_H

#include "graph/program.h"
#include "optim/optimizer.h"

/** A variable and its gradient: an item of TensorFlow's grads_and_vars. */
typedef struct glk_gradient_pair {
  glk_variable *variable;
  /** [piece_count] Its gradient, in order. None: nothing is free, and nothing was computed. */
  const glk_piece *pieces;
  uint32_t piece_count;
  /** Memory for one piece that is the whole gradient. */
  glk_piece single;
  /** 1: the update uses the mean of several gradients, which is the pending one. */
  int is_mean;
  /** The index of its state, once prepared. */
  uint32_t state_index;
} glk_gradient_pair;

/** A call that trains: an optimizer and the variables that it updates. */
typedef struct glk_step {
  glk_context *context;
  glk_optimizer *optimizer;
  /** [count] */
  glk_gradient_pair *pairs;
  uint32_t count;
  /** 1: a variable has a lock policy. */
  int has_policies;
} glk_step;

/** Resolve handles to variables, and visit these; one named twice is GLK_ERROR_ARGUMENT. End it
 *  with glk_step_end. */
glk_status glk_step_begin(glk_context *context, glk_optimizer *optimizer,
                          const glk_handle *variables, uint32_t count, glk_step *out);
void glk_step_end(const glk_step *step);
/** The state of pair `index`, once prepared. */
static inline glk_variable_state *glk_step_state(const glk_step *step, uint32_t index) {
  return &step->optimizer->states.items[step->pairs[index].state_index];
}

/* The step (update.c). */

/** Let lock policies change locks before a step: those by values, or those by the gradients of the
 *  pairs. Returns 1 if a bit changed, which glk_step_prepare must then see. */
int glk_step_apply_policies(const glk_step *step, int by_gradient);
/** Keep the changes of policies if the step was taken; else restore the locks. */
void glk_step_settle_policies(const glk_step *step, glk_status status);

/** True if a step needs this variable's gradient: these locks leave an element free, or a policy
 *  needs it. */
int glk_needs_gradient(const glk_variable *variable, const glk_lockset *locks);
/** True if a step measures norms, which include gradients of locked elements. */
int glk_takes_norms(const glk_optimizer *optimizer);

/** Get everything that the next `calls` calls of glk_step_take need while locks stay: slots,
 *  step counts. Nothing that can be observed changes. */
glk_status glk_step_prepare(const glk_step *step, uint32_t calls);
/** Update every variable with a free element. After glk_step_prepare it fails only if the
 *  optimizer's hook does, or has no memory, and then changes nothing. */
glk_status glk_step_take(const glk_step *step);

/* Accumulation (accumulate.c). */

/** True if calls leave gradients pending. */
int glk_is_accumulating(const glk_optimizer *optimizer);
/** True if one of the next `calls` calls takes a step, with the pending gradients. */
int glk_takes_step(const glk_optimizer *optimizer, uint32_t calls);
/** Add the gradients of a call. Returns 1 if the call takes a step; then pairs have the gradients
 *  of that step. */
int glk_accumulate(const glk_step *step);
/** Drop all pending gradients. */
void glk_accumulate_restart(glk_optimizer *optimizer);

/* Hook (hook.c). */

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
glk_status glk_hook_call(const glk_step *step, int *out_skips);
/** After glk_hook_call and glk_accumulate: let pairs have the gradients that the hook left, until
 *  the next call of the hook. Cannot fail. */
void glk_hook_write(const glk_step *step);

/* Averages (average.c). */

/** After an update, before `iterations` moves on: update averages, and write them back where that
 *  is due. */
void glk_average_step(const glk_step *step);

/* Listed elements (gather_update.c). */

/** One step of the listed elements of a page that are free and belong to u. Lanes are independent,
 *  so the bits are those of a step by words.
 *  u       words of the page, and its slots from the list's first on; it is used up
 *  list    that page's
 *  indices  [list->count] */
void glk_step_listed(const glk_rule_row *rule, const double *options, glk_update *u,
                     const glk_page_list *list, const uint16_t *indices);

/* Pieces and pages: */

/** Elements that a piece and an extent share; `count` is 0 if there are none. */
static inline glk_piece glk_piece_within(const glk_piece *piece, const glk_extent *extent) {
  const uint32_t piece_end = piece->first + piece->count, end = extent->first + extent->count;
  const uint32_t first = piece->first > extent->first ? piece->first : extent->first;
  const uint32_t stop = piece_end < end ? piece_end : end;
  if (first >= stop) return (glk_piece){first, 0, NULL};
  return (glk_piece){first, stop - first, piece->values + (first - piece->first)};
}

/** A walk over what a gradient's pieces and the extents share; both are in the order of elements.
 *  Begin with zeros. */
typedef struct glk_overlap {
  uint32_t next_extent, next_piece;
  /** What was found: elements of one extent. */
  const glk_extent *extent;
  glk_piece piece;
} glk_overlap;

/** Find the next one. Returns 0 if there is none. */
static inline int glk_overlap_next(const glk_pages *pages, const glk_piece *pieces, uint32_t count,
                                   glk_overlap *at) {
  while (at->next_extent < pages->count && at->next_piece < count) {
    const glk_piece *piece = &pieces[at->next_piece];
    at->extent = &pages->extents[at->next_extent];
    at->piece = glk_piece_within(piece, at->extent);
    if (piece->first + piece->count < at->extent->first + at->extent->count) {
      at->next_piece++;
    } else {
      at->next_extent++;
    }
    if (at->piece.count) return 1;
  }
  return 0;
}

#endif
