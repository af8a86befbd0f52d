/* Bounds of a least-squares problem, as lists in double: which elements they stop, and steps that
 * stay inside.
 *
 * A list has the free elements [count]; a matrix is [count][count], its lower triangle. An element
 * that is taken out of a model has only zeros in it: what is left is, bit for bit, the model of the
 * other elements. */
#ifndef GLK_SOLVE_PROJECTION_H
#define GLK_SOLVE_PROJECTION_H

#include "core/context.h"

typedef struct glk_box {
  uint32_t count;
  /** All the rest is in here; NULL: there is no box. */
  double *memory;
  double *lower, *upper;
  /** Where a trial puts the elements that are bent. */
  double *target;
  /** A model of the gradient and J'J that bends change, where elements are taken out. */
  double *gradient, *normal;
  /** 1: their bounds stop them now. */
  uint8_t *is_held;
  /** 1: the trial puts them on a bound. */
  uint8_t *is_bent;
} glk_box;

/** Memory for a box of `count` elements, unless it has that. On failure nothing changes. */
glk_status glk_box_reserve(glk_context *context, glk_box *box, uint32_t count);
void glk_box_free(glk_context *context, glk_box *box);

/** Find the elements that are held, at x, and take them out of the model. An element is held where
 *  it is at a bound and the gradient pushes it outward, or if its bounds leave it no other
 *  place. */
void glk_box_hold(glk_box *box, const double *x, double *gradient, double *normal);
/** Take the elements that are held out of another model. */
void glk_box_take_out(const glk_box *box, double *gradient, double *normal);
/** Begin the bends of a trial's step. */
void glk_box_straighten(glk_box *box);
/** Find elements that the step from x leads out of the box, besides those that were bent before.
 *  Their targets are their bounds. The model at box->gradient and box->normal, a copy of the given
 *  one at the first bend, goes along with that, and they are taken out of it.
 *  Returns their number. */
uint32_t glk_box_bend(glk_box *box, const double *x, const double *step, const double *gradient,
                      const double *normal);
/** moved = x + step, or where a bend puts an element; elements that are held stay. Returns 1 if the
 *  step is bent. */
int glk_box_move(const glk_box *box, const double *x, const double *step, double *moved);
/** Set the held elements of a list to 0. */
void glk_box_mute(const glk_box *box, double *list);
/** Reduction that the linear model promises for the way from x to moved. */
double glk_box_promise(const glk_box *box, const double *x, const double *moved,
                       const double *gradient, const double *normal);

#endif
