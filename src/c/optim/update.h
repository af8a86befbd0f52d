/* One step of any rule over any variables: prepare (all memory), then carry out (no failure). */
#ifndef GLK_OPTIM_UPDATE_H
#define GLK_OPTIM_UPDATE_H

#include "optim/step.h"

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

#endif
