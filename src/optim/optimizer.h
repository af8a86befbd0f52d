/* Optimizers: a rule, its options, and per variable the slots and clocks. */
#ifndef GLK_OPTIM_OPTIMIZER_H
#define GLK_OPTIM_OPTIMIZER_H

#include "lock/variable.h"
#include "optim/clock.h"
#include "optim/rule.h"
#include "optim/schedule.h"

/** What values of a variable may be; see constraint.c. */
typedef struct glk_constraint {
  glk_constraint_kind kind;
  double low, high;
  uint32_t axes; /* a bit for each axis that a norm sums */
} glk_constraint;

/** What an optimizer keeps of one variable. */
typedef struct glk_entry {
  glk_variable *variable;         /* held by a reference */
  glk_real *slots[GLK_MAX_SLOTS]; /* NULL: not needed so far, all at glk_slot_start */
  uint32_t padded_count;
  glk_clock clock;
  glk_real *average; /* [padded_count]; NULL: none was asked for so far */
  glk_real *pending; /* [padded_count] sum of gradients since the last step; NULL as above */
  glk_constraint constraint;
  int is_decayed;    /* whether weight decay applies */
  double scale;      /* of its learning rate */
  glk_real *factors; /* [padded_count] of each element's own; NULL: 1 for all */
  glk_lockset
      effective;     /* with factors or a scale of 0: the variable's locks, and what these hold */
  uint32_t followed; /* the variable's lock version that `effective` is of; 0: none */
} glk_entry;

typedef struct glk_optimizer {
  glk_object object;
  const glk_rule_row *rule;
  double options[GLK_MAX_OPTIONS];
  glk_plan schedule; /* of the learning rate, which is options' own where this is constant */
  double iterations;
  double norm_free, norm_all;
  double pending_calls; /* since the last step; see accumulate.c */
  glk_entry *entries;
  uint32_t entry_count, entry_capacity;
} glk_optimizer;

/** One variable's part in a step. `gradient` is padded to whole lock words. */
typedef struct glk_share {
  glk_variable *variable;
  const glk_real *gradient; /* NULL: nothing of it is free, and nothing was computed */
  uint32_t entry;
} glk_share;

glk_status glk_expect_optimizer(const glk_context *context, glk_handle handle, glk_optimizer **out);
/** Free slots and clock; the reference to the variable is the caller's to drop. */
void glk_entry_free(glk_context *context, glk_entry *entry);
/** Whether options, each in its range, may stand together. */
glk_status glk_optimizer_check(glk_context *context, const glk_rule_row *rule,
                               const double *options);
/** Bring the learning rate up to date with the schedule. */
void glk_optimizer_follow(glk_optimizer *optimizer);
/** Whether variable->entry is its entry here. It is not where another optimizer numbered it later. */
static inline int glk_optimizer_knows(const glk_optimizer *optimizer,
                                      const glk_variable *variable) {
  return variable->entry < optimizer->entry_count &&
         optimizer->entries[variable->entry].variable == variable;
}
/** The entry of a variable; the entry count if it has none. */
uint32_t glk_optimizer_find(const glk_optimizer *optimizer, const glk_variable *variable);
/** The same, made when it is new. */
glk_status glk_optimizer_entry(glk_context *context, glk_optimizer *optimizer,
                               glk_variable *variable, uint32_t *out);

/* ------------------------------------------------------------------------------ rates (rates.c) */

/** Bring `effective` up to date with the variable's locks. Cannot fail. */
void glk_entry_follow(glk_context *context, glk_entry *entry);
/** What training may not touch: the variable's locks, and what has a rate of 0. */
const glk_lockset *glk_entry_locks(const glk_entry *entry);
/** The same of a variable, before glk_driver_prepare. */
const glk_lockset *glk_optimizer_locks(glk_context *context, const glk_optimizer *optimizer,
                                       const glk_variable *variable);
void glk_rates_free(glk_context *context, glk_entry *entry);
/** What the elements of a slot start at, and at `onUnlock: 'reset'` start anew at. */
glk_real glk_slot_start(const glk_optimizer *optimizer, uint32_t slot);
/** Give an entry memory for a slot, if it has none, with every element at its start. */
glk_status glk_entry_reserve_slot(glk_context *context, const glk_optimizer *optimizer,
                                  glk_entry *entry, uint32_t slot);

/* ------------------------------------------------------------------------ averages (average.c) */

/** Get memory, where the options ask for an average. */
glk_status glk_average_reserve(glk_context *context, const glk_optimizer *optimizer,
                               glk_entry *entry);
/** After an update, before `iterations` moves on: averages follow, and are written back where that is due. */
void glk_average_step(glk_optimizer *optimizer, const glk_share *shares, uint32_t count);

/* ------------------------------------------------------------------------ accumulation (accumulate.c) */

/** Get memory, where the options ask for accumulation. */
glk_status glk_accumulate_reserve(glk_context *context, const glk_optimizer *optimizer,
                                  glk_entry *entry);
/** Take in the gradients of a call. Whether it takes a step, whose gradients glk_step_gradient then gives. */
int glk_accumulate(glk_optimizer *optimizer, const glk_share *shares, uint32_t count);
/** What a step is taken with: the gradient, or the mean of several. NULL as in glk_share. */
const glk_real *glk_step_gradient(const glk_optimizer *optimizer, const glk_share *share);
/** Nothing is pending any more. */
void glk_accumulate_restart(glk_optimizer *optimizer);

/* ------------------------------------------------------------------------ constraints (constraint.c) */

/** A constraint of a kind, with no axes. GLK_ERROR_OPTION for numbers out of their ranges. */
glk_status glk_constraint_make(glk_context *context, glk_constraint_kind kind, double low,
                               double high, glk_constraint *out);
/** GLK_ERROR_CONSTRAINT where locked elements alone exceed what a norm may be. */
glk_status glk_constraint_check(glk_context *context, const glk_entry *entry);
/** Project the free elements. */
void glk_constraint_step(glk_optimizer *optimizer, const glk_share *shares, uint32_t count);

/* ------------------------------------------------------------------------------ the driver (driver.c) */

/** Resolve handles to variables; one named twice is GLK_ERROR_ARGUMENT. `shares` has room for count. */
glk_status glk_expect_shares(glk_context *context, const glk_handle *variables, uint32_t count,
                             glk_share *shares);
/** Mark the variables of a step with their places in `shares`. */
uint64_t glk_mark_shares(glk_context *context, const glk_share *shares, uint32_t count);
/** Get everything a step needs: slots, clocks. Nothing that can be observed changes. */
glk_status glk_driver_prepare(glk_context *context, glk_optimizer *optimizer, glk_share *shares,
                              uint32_t count);
/** Let lock policies change locks before a step: those by values, or those by the gradients of the shares. Returns whether
 *  a bit changed, which glk_driver_prepare must then see. */
int glk_driver_turn(glk_context *context, const glk_share *shares, uint32_t count, int by_gradient);
/** Whether a step needs this variable's gradient: something is free of these locks, or a policy is to see it. */
int glk_driver_wants(const glk_variable *variable, const glk_lockset *locks);
/** Whether a step measures norms, which it reports of locked gradients too. */
int glk_driver_takes_norms(const glk_optimizer *optimizer);
/** After glk_driver_turn: the step was taken, or else what policies changed is undone. */
void glk_driver_settle(glk_context *context, const glk_share *shares, uint32_t count, int is_taken);
/** One step of every variable with a free element. Cannot fail after glk_driver_prepare. */
void glk_driver_step(glk_optimizer *optimizer, const glk_share *shares, uint32_t count);

#endif
