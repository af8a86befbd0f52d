/* Optimizers: a rule, its options, and per variable the slots and clocks. */
#ifndef GLK_OPTIM_OPTIMIZER_H
#define GLK_OPTIM_OPTIMIZER_H

#include "lock/variable.h"
#include "optim/clock.h"
#include "optim/rule.h"

/** What an optimizer keeps of one variable. */
typedef struct glk_entry {
  glk_variable *variable; /* held by a reference */
  glk_real *slots[GLK_MAX_SLOTS];
  uint32_t padded_count;
  glk_clock clock;
} glk_entry;

typedef struct glk_optimizer {
  glk_object object;
  const glk_rule_row *rule;
  double options[GLK_MAX_OPTIONS];
  double iterations;
  double norm_free, norm_all;
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
/** The entry of a variable; the entry count if it has none. */
uint32_t glk_optimizer_find(const glk_optimizer *optimizer, const glk_variable *variable);

/* ------------------------------------------------------------------------------ the driver (driver.c) */

/** Resolve handles to variables; one named twice is GLK_ERROR_ARGUMENT. `shares` has room for count. */
glk_status glk_expect_shares(glk_context *context, const glk_handle *variables, uint32_t count,
                             glk_share *shares);
/** Get everything a step needs: slots, clocks. Nothing that can be observed changes. */
glk_status glk_driver_prepare(glk_context *context, glk_optimizer *optimizer, glk_share *shares,
                              uint32_t count);
/** One step of every variable with a free element. Cannot fail after glk_driver_prepare. */
void glk_driver_step(glk_optimizer *optimizer, const glk_share *shares, uint32_t count);

#endif
