/* Policies: rules that change holders during training. An optimizer applies them before a step. It
 * commits their changes if the step is taken, and rolls them back if it fails. */
#ifndef GLK_LOCK_POLICY_H
#define GLK_LOCK_POLICY_H

#include "lock/holders.h"

/** Return GLK_ERROR_OPTION if a policy does not fit a holder of this shape. */
glk_status glk_policy_check(glk_context *context, const glk_policy *policy, const glk_shape *shape);

/* The functions below take a variable's holders; NULL means none. */

/** True if any holder has a policy. */
int glk_policies_exist(const glk_holders *holders);
/** True if a policy needs the gradient of the next step. */
int glk_policies_need_gradient(const glk_holders *holders);
/** Apply the policies that are due: those that use `gradient` [count] or, if it is NULL, all
 *  others, which use the variable's `values` [count]. Returns 1 if a bit changed. Allocates
 *  nothing. */
int glk_policies_apply(glk_context *context, glk_holders *holders, const glk_real *values,
                       const glk_real *gradient);
/** Keep the changes of policies, after a step. */
void glk_policies_commit(glk_holders *holders);
/** Undo the changes of policies, after a step that failed. */
void glk_policies_rollback(glk_context *context, glk_holders *holders);

#endif
