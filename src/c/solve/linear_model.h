/* The linear model of least squares, r(x + h) = r + J h, as the normal equations J'J and J'r in
 * double, and the steps h that solve them.
 *
 * J is never stored: J'J is summed row by row, and one row costs a run of the program. */
#ifndef GLK_SOLVE_LINEAR_MODEL_H
#define GLK_SOLVE_LINEAR_MODEL_H

#include "solve/objective.h"

/** Views into a solver's memory. */
typedef struct glk_linear_model {
  uint32_t count;
  /** [count] Free elements, J'r, the diagonal of D, and what is computed of them. */
  double *x, *gradient, *scale, *row, *step, *moved;
  /** [count][count], lower triangles: J'J, and the Cholesky factor. */
  double *normal, *factor;
} glk_linear_model;

/** The least damping, as a part of the diagonal of J'J: the square of f32's resolution, since
 *  anything smaller is rounding in J. */
static const double glk_least_damping = 0x1p-46;

/** How many doubles a model takes. */
size_t glk_linear_model_memory(size_t count);
glk_linear_model glk_linear_model_in(double *memory, uint32_t count);

/** Half the sum of the squares of the residuals of the last run. */
double glk_half_square(const glk_objective *objective);
/** Seed the backward pass with a weight for each residual, from `least` to twice that. The weights
 *  differ, so that the gradients of opposite residuals do not cancel. */
void glk_weigh_residuals(glk_objective *objective, glk_real least);
/** Compute the model at the variables. All weights of the seed are 0 before and after. */
glk_status glk_linearise(glk_objective *objective, const glk_linear_model *v);

/** factor factor' = normal + damping D; returns 0 unless that is positive definite. */
int glk_factorise(const glk_linear_model *v, double damping);
/** step = -(factor factor')^-1 gradient */
void glk_solve_factored(const glk_linear_model *v);
/** v->step = the undamped step. It has the least damping, or more if f64 needs it, times the
 *  diagonal of J'J (in v->row). Returns that damping. */
double glk_solve_undamped(const glk_linear_model *v);
/** Solve for the step of the least damping, from *damping on, that is no longer than x. Returns the
 *  square of its length. */
double glk_solve_short(const glk_linear_model *v, double *damping);

/** The reduction that the model predicts for v->step, which was found with `damping`. */
double glk_predicted(const glk_linear_model *v, double damping);
/** Solve for the undamped step, and return the reduction that it predicts. */
double glk_predicted_undamped(const glk_linear_model *v);

#endif
