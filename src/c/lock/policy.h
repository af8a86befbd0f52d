/* Policies: what changes holders while training goes on. Whoever trains lets them before a step; a
 * step that is taken commits what they changed, one that is not rolls it back. */
#ifndef GLK_LOCK_POLICY_H
#define GLK_LOCK_POLICY_H

#include "lock/holders.h"

/** GLK_ERROR_OPTION if a policy asks for what a holder of this shape cannot do. */
glk_status glk_policy_check(glk_context *context, const glk_policy *policy, const glk_shape *shape);

/* Of a variable's holders, where NULL is none: */

/** Whether any has a policy. */
int glk_policies_exist(const glk_holders *holders);
/** Whether a policy is to see the gradient of the coming step. */
int glk_policies_want_gradient(const glk_holders *holders);
/** Let the policies that are due change their holders: those that look at `gradient` [count], or,
 *  if that is NULL, all others, by the variable's `values` [count]. Whether a bit changed.
 *  Allocates nothing. */
int glk_policies_apply(glk_context *context, glk_holders *holders, const glk_real *values,
                       const glk_real *gradient);
/** A step was taken: what policies changed stays. */
void glk_policies_commit(glk_holders *holders);
/** The step was not taken: what policies changed for it is as before. */
void glk_policies_rollback(glk_context *context, glk_holders *holders);

#endif
