/* Constraints of a variable's values; formulas and source in constraint.c. */
#ifndef GLK_SLOTS_CONSTRAINT_H
#define GLK_SLOTS_CONSTRAINT_H

#include "lock/variable.h"

typedef struct glk_constraint {
  glk_constraint_kind kind;
  double low, high;
  /** A bit for each axis that a norm sums. */
  uint32_t axes;
} glk_constraint;

/** A constraint of a kind, with no axes. GLK_ERROR_OPTION for numbers out of their ranges. */
glk_status glk_constraint_make(glk_context *context, glk_constraint_kind kind, double low,
                               double high, glk_constraint *out);
/** Axes of a shape as bits. GLK_ERROR_INDEX for one that is not there, _ARGUMENT for one named
 *  twice. */
glk_status glk_constraint_axes(glk_context *context, const glk_shape *shape, const uint32_t *axes,
                               uint32_t count, uint32_t *out);
/** Return GLK_ERROR_CONSTRAINT if locked elements alone exceed the limit of a norm. */
glk_status glk_constraint_check(glk_context *context, const glk_constraint *constraint,
                                const glk_variable *variable, const glk_lockset *locks);
/** Project a variable's elements that are free of `locks`. */
void glk_constraint_project(const glk_constraint *constraint, const glk_lockset *locks,
                            glk_variable *variable);

#endif
