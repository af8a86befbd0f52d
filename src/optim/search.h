/* A line search for the strong Wolfe conditions along a direction of descent. */
#ifndef GLK_OPTIM_SEARCH_H
#define GLK_OPTIM_SEARCH_H

#include "optim/problem.h"

/** What is known of a point x + t d of the line. */
typedef struct glk_line_point {
  double t, loss, slope;
} glk_line_point;

typedef struct glk_line {
  glk_problem *problem;
  const double *x, *direction;
  double *gradient;        /* [free_count] of the point tried last */
  double *lowest_gradient; /* [free_count] of `lowest`; the two change places */
  double tolerance;        /* stop when no element would move by more */
  uint32_t evaluations;    /* that may still be made */
  glk_line_point start;    /* t = 0; slope below 0, finite */
  glk_line_point lowest;   /* what was found; t = 0 where nothing lower was */
  int met_infinity;        /* a trial's loss was minus infinity */
} glk_line;

/** Search from a first step t > 0 on. Points where the loss or its slope is not finite count as too far. The variables stay
 *  at the last point tried, also when the program refuses to be run there. */
glk_status glk_line_search(glk_line *line, double t);
/** Whether the loss that was searched seems to have no least value: it was minus infinity
 *  somewhere, or fell below -2^60 and falls as steeply there as where the search began. */
int glk_line_is_endless(const glk_line *line);

#endif
