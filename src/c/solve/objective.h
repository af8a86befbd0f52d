/* A program as a function of the free elements of some variables, in double, for second-order
 * methods.
 *
 * This is the free subspace of docs/laws.md, law 18. A point or a gradient is a list [free_count]
 * of the free elements alone, variable by variable, in row-major order. Nothing of a locked element
 * is ever read or written, so a method works on its lists exactly as on the reduced problem. Random
 * ops draw the same numbers throughout a call: it minimises one function. */
#ifndef GLK_SOLVE_OBJECTIVE_H
#define GLK_SOLVE_OBJECTIVE_H

#include "graph/program.h"

typedef struct glk_objective {
  glk_context *context;
  glk_program *program;
  glk_variable **variables;
  /** The locks of each variable. With bounds, what they stop is not among them. */
  const glk_lockset **locks;
  uint32_t variable_count;
  /** 1: the solver has bounds of one of the variables. */
  int is_bounded;
  uint32_t free_count;
  /** Where gradients are read from: the program's derivatives, or rows of its Jacobian. */
  glk_derivative *derivatives;
  uint32_t derivative_count;
  /** The program's run number that random ops draw by, the same throughout a call. */
  uint32_t draw;
  /** Runs of the program in this call. */
  double runs;
} glk_objective;

/** Have later runs compute gradients, or (0) not. For a variable without a free element none is
 *  computed in any case (law 12). */
void glk_objective_need(glk_objective *objective, int wanted);
/** Run the program: outputs, and gradients if wanted. Fails only where an op refuses a value. */
glk_status glk_objective_run(glk_objective *objective);

/** Free elements of the variables: out [free_count]. */
void glk_objective_values(const glk_objective *objective, double *out);
/** Gradient of the last run: out [free_count]. */
void glk_objective_gradient(const glk_objective *objective, double *out);
/** Set the free elements to x + t d, each rounded once.
 *  x  [free_count]
 *  d  [free_count]; may be NULL where t is 0 */
void glk_objective_move(const glk_objective *objective, const double *x, double t, const double *d);

/* Lists of doubles: */

/** Dot product of a [count] and b [count], summed from the first to the last. */
double glk_list_dot(const double *a, const double *b, uint32_t count);
/** Largest magnitude in a [count]; NaN if one of them is. */
double glk_list_largest(const double *a, uint32_t count);
/** y += factor x, for y [count] and x [count]; they may be the same. */
void glk_list_add(double *y, double factor, const double *x, uint32_t count);

static inline int glk_is_finite(double x) { return x - x == 0; }
static inline double glk_magnitude(double x) { return x < 0 ? -x : x; }

#endif
