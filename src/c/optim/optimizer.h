/* Optimizers: a rule, its options, and per variable the slots and step counts. */
#ifndef GLK_OPTIM_OPTIMIZER_H
#define GLK_OPTIM_OPTIMIZER_H

#include "core/archive.h"
#include "optim/rule.h"
#include "slots/variable_state.h"

/** A gradient hook, and memory that it keeps from step to step (hook.c). The module in the npm
 *  package (GLK_TINY) has none: JavaScript changes gradients before applyGradients. */
typedef struct glk_hook {
#ifndef GLK_TINY
  /** NULL: there is none. */
  glk_gradient_hook call;
  void *user;
  /** [count] */
  glk_real *memory;
  size_t count;
#else
  char none;
#endif
} glk_hook;

typedef struct glk_optimizer {
  glk_object object;
  const glk_rule_row *rule;
  double options[GLK_MAX_OPTIONS];
  /** Learning-rate schedule; a constant rate is in the options alone. */
  glk_rate_schedule schedule;
  double iterations;
  /** Norms of the last gradients: over free elements, over all. */
  double norms[2];
  /** Gradients since the last step, see accumulate.c. */
  double pending_calls;
  glk_hook hook;
  glk_variable_states states;
} glk_optimizer;

glk_status glk_expect_optimizer(const glk_context *context, glk_handle handle, glk_optimizer **out);
glk_option_table glk_optimizer_options(const glk_optimizer *optimizer);
/** Check that options, each in its range, fit together. */
glk_status glk_optimizer_check(glk_context *context, const glk_rule_row *rule,
                               const double *options);
/** Bring the learning rate up to date with the schedule. */
void glk_optimizer_sync_rate(glk_optimizer *optimizer);

/* States (optimizer_state.c). */

/** All of an optimizer but its states, which follow with their variables. */
void glk_state_walk_optimizer(glk_archive *archive, glk_optimizer *optimizer);
void glk_state_walk_variable(glk_archive *archive, const glk_rule_row *rule,
                             glk_variable_state *state);

#endif
