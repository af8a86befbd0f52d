/* Bounds of a least-squares problem, as lists in double: which elements they stop, and steps that
 * stay inside.
 *
 * A list has the free elements [count]; a matrix is [count][count], its lower triangle. An element
 * that is removed from a model has only zeros in it: what is left is, bit for bit, the model of the
 * other elements. */
#ifndef GLK_SOLVE_PROJECTION_H
#define GLK_SOLVE_PROJECTION_H

#include "core/context.h"

typedef struct glk_projection {
  uint32_t count;
  /** All the rest is in here; NULL: there are no bounds. */
  double *memory;
  double *lower, *upper;
  /** Where a trial puts the elements that are projected. */
  double *target;
  /** A model of the gradient and J'J that projections change, where elements are removed. */
  double *gradient, *normal;
  /** 1: their bounds stop them now. */
  uint8_t *is_active;
  /** 1: the trial puts them on a bound. */
  uint8_t *is_projected;
} glk_projection;

/** Memory for the bounds of `count` elements, unless it has that. On failure nothing changes. */
glk_status glk_projection_reserve(glk_context *context, glk_projection *projection, uint32_t count);
void glk_projection_free(glk_context *context, glk_projection *projection);

/** Find the elements that are active, at x, and remove them from the model. An element is active
 *  where it is at a bound and the gradient pushes it outward, or if its bounds leave it no other
 *  value. */
void glk_projection_find_active(glk_projection *projection, const double *x, double *gradient,
                                double *normal);
/** Remove the active elements from another model. */
void glk_projection_remove_active(const glk_projection *projection, double *gradient,
                                  double *normal);
/** Begin the projections of a trial's step. */
void glk_projection_begin(glk_projection *projection);
/** Find elements that the step from x leads out of the bounds, besides those that were projected
 *  before. Their targets are their bounds. The model at projection->gradient and
 *  projection->normal, a copy of the given one at the first projection, goes along with that, and
 *  they are removed from it. Returns their number. */
uint32_t glk_projection_project(glk_projection *projection, const double *x, const double *step,
                                const double *gradient, const double *normal);
/** moved = x + step, or where a projection puts an element; elements that are active stay. Returns
 *  1 if the step is projected. */
int glk_projection_move(const glk_projection *projection, const double *x, const double *step,
                        double *moved);
/** Set the active elements of a list to 0. */
void glk_projection_zero_active(const glk_projection *projection, double *list);
/** Reduction that the linear model predicts for the way from x to moved. */
double glk_projection_predict(const glk_projection *projection, const double *x,
                              const double *moved, const double *gradient, const double *normal);

#endif
