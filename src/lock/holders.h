/* Holders (docs/laws.md, law 20): named lock sets of one variable, each with an owner of its own, that lock together
 * what any of them holds. A policy is what changes a holder while training goes on.
 *
 * A variable whose locks have but the default holder has no glk_holders at all. */
#ifndef GLK_LOCK_HOLDERS_H
#define GLK_LOCK_HOLDERS_H

#include "lock/lockset.h"

#define GLK_NAME_BYTES 64

/** What a holder becomes from a step on. */
typedef struct glk_stage {
  uint32_t step;
  uint32_t *words;
} glk_stage;

typedef struct glk_holder {
  char name[GLK_NAME_BYTES];
  glk_lockset set;
  uint32_t *next; /* [word_count] what the policy says now, or said before; NULL without a policy */
  int is_turned;  /* next holds what was before this step */
  glk_policy policy;
  glk_stage *stages; /* [stage_count] or NULL: what the policy says comes from a choice */
  uint32_t stage_count;
  uint32_t steps; /* that training took under the policy */
} glk_holder;

typedef struct glk_holders {
  glk_lockset own;        /* the default holder */
  glk_lockset *effective; /* the variable's locks: what any holder holds */
  glk_holder *items;
  uint32_t count, capacity;
} glk_holders;

/** GLK_ERROR_OPTION if a policy asks for what a holder of this shape cannot do. */
glk_status glk_policy_check(glk_context *context, const glk_policy *policy, const glk_shape *shape);

/** Free holders and all they hold. NULL is allowed. */
void glk_holders_free(glk_context *context, glk_holders *holders);
/** After a change in a holder: lock again what any holder holds. */
void glk_holders_merge(glk_context *context, glk_holders *holders);

/** Whether any holder has a policy. */
int glk_holders_have_policy(const glk_holders *holders);
/** Whether a policy is to see the gradient of the coming step. */
int glk_holders_want_gradient(const glk_holders *holders);
/** Let the policies that are due change their holders: those that look at `gradient`, or, if that is NULL, all others.
 *  `values` are the variable's. Returns whether a bit changed. Allocates nothing. */
int glk_holders_turn(glk_context *context, glk_holders *holders, const glk_real *values,
                     const glk_real *gradient);
/** Take back what policies changed since the last step, which will not be taken. */
void glk_holders_undo(glk_context *context, glk_holders *holders);
/** A step was taken: what policies changed stays. */
void glk_holders_advance(glk_holders *holders);

#endif
