/* Bounds of a solver's variables. Which elements they stop, everyone sees: the variable's holder
 * GLK_BOUND_HOLDER locks them (docs/laws.md, laws 20 and 21). Values and gradients are left to
 * solve/projection.h.
 *
 * The holder belongs to whichever solver with bounds for the variable ran last. It is never part of
 * what that solver takes for locked: each call tests these elements again. */
#ifndef GLK_SOLVE_BOUNDS_H
#define GLK_SOLVE_BOUNDS_H

#include "core/archive.h"
#include "solve/objective.h"

#define GLK_BOUND_HOLDER "bound"

/** The bounds of a variable. */
typedef struct glk_bound {
  glk_variable *variable;
  /** [count] each, in one block; infinite where there is no bound. */
  glk_real *lower, *upper;
  /** What other holders lock. */
  glk_lockset others;
  /** [others.word_count] The elements that their bounds stop, before the holder holds them. */
  uint32_t *held;
} glk_bound;

typedef struct glk_bounds {
  glk_bound *items;
  uint32_t count, capacity;
  /** The solver. */
  glk_handle owner;
} glk_bounds;

/** Set the bounds of a variable, and empty its holder.
 *  lower, upper  of the variable's shape
 *  GLK_ERROR_OPTION: they cross, are NaN, or leave no finite number. */
glk_status glk_bounds_set(glk_context *context, glk_bounds *bounds, glk_variable *variable,
                          const glk_real *lower, const glk_real *upper);
/** Remove the bounds of a variable, if it has some, and empty its holder. */
void glk_bounds_remove(glk_context *context, glk_bounds *bounds, const glk_variable *variable);
/** Clear the locks that this solver set in holders; those of another solver stay. */
void glk_bounds_clear_locks(glk_context *context, const glk_bounds *bounds);
/** Make this solver the owner of holders, after they were loaded with the bounds. */
void glk_bounds_take_over(const glk_bounds *bounds);
/** Free all bounds. Holders keep their locks. */
void glk_bounds_free(glk_context *context, glk_bounds *bounds);
/** The bounds of a variable, or NULL. */
glk_bound *glk_bounds_find(const glk_bounds *bounds, const glk_variable *variable);
/** The locks of a variable, as a solver with these bounds sees them. Valid until they change. */
const glk_lockset *glk_bounds_locks(glk_context *context, const glk_bounds *bounds,
                                    glk_variable *variable);

/** Begin a call: make the holders that it may need, so that glk_bounds_hold cannot fail.
 *  GLK_ERROR_CONSTRAINT: a free element is outside of its bounds. */
glk_status glk_bounds_begin(const glk_bounds *bounds, const glk_objective *objective);
/** Bounds of the objective's free elements: lower, upper [free_count]. */
void glk_bounds_gather(const glk_bounds *bounds, const glk_objective *objective, double *lower,
                       double *upper);
/** Lock the free elements that their bounds stop, and no others, in the holders: audits see it at
 *  once. is_active [free_count] */
void glk_bounds_hold(const glk_bounds *bounds, const glk_objective *objective,
                     const uint8_t *is_active);
/** End a call, failed or not: drop empty holders. */
void glk_bounds_end(const glk_bounds *bounds, const glk_objective *objective);

/** Read or write the bounds of a variable, if it has some. Reading adds to `bounds`. */
void glk_bounds_walk(glk_archive *archive, glk_bounds *bounds, glk_variable *variable);

#endif
