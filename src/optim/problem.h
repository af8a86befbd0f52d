/* A program as a function of the free elements of some variables, in double: what second-order methods see.
 *
 * This is the free subspace of docs/laws.md, law 18. A point or a gradient is a list of the free elements alone, variable by
 * variable, in row-major order; nothing of a locked element is ever read or written, so whatever a method does with its
 * lists is what it would do with the reduced problem. Random ops draw the same numbers throughout: one call of a method
 * minimises one function. */
#ifndef GLK_OPTIM_PROBLEM_H
#define GLK_OPTIM_PROBLEM_H

#include "graph/program.h"

typedef struct glk_problem {
  glk_context *context;
  glk_program *program;
  glk_variable **variables;
  uint32_t variable_count;
  uint32_t free_count;
  glk_derivative *derivatives; /* that gradients are read from: the program's own, or its rows */
  uint32_t derivative_count;
  uint32_t draw; /* of random ops */
  double runs;   /* of the program */
} glk_problem;

/** Say whether gradients are to be computed. Nothing is where nothing is free (law 12). */
void glk_problem_want(glk_problem *problem, int wanted);
/** Compute the outputs, and gradients if wanted. Fails only where the program refuses a value. */
glk_status glk_problem_run(glk_problem *problem);
/** Have the program say that its outputs are not those of where the variables are. */
void glk_problem_outdate(glk_problem *problem);

/** The lists, [free_count]: where the variables are, and the gradient of the last run. */
void glk_problem_values(const glk_problem *problem, double *out);
void glk_problem_gradient(const glk_problem *problem, double *out);
/** Put the variables to x + t d, each element rounded once. */
void glk_problem_move(const glk_problem *problem, const double *x, double t, const double *d);

/* ------------------------------------------------------------------------------------ lists of doubles
 * Sums go from the first to the last, so that they are the same everywhere. */

double glk_list_dot(const double *a, const double *b, uint32_t count);
/** Largest magnitude; NaN if there is one. */
double glk_list_largest(const double *a, uint32_t count);
/** y += factor * x */
void glk_list_add(double *y, double factor, const double *x, uint32_t count);

static inline int glk_is_finite(double x) { return x - x == 0; }
static inline double glk_magnitude(double x) { return x < 0 ? -x : x; }

#endif
